"""Where Numba looks for a rule that is kept: a class whose name it is told (`NUMBA_CACHE_LOCATOR_CLASSES`)."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self


class Locator:
    """The chosen folder itself, whose name says all that the rule in it depends on.

    Numba's own would add a folder named by where the source file lies: another installation would find nothing there,
    and compile every rule anew.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> Self | None:
        """The place of a function; None where nothing can be written there."""
        # it is imported by Numba: in plain mode nothing imports that
        import numba

        locator = cls(Path(vars(numba.config)["CACHE_DIR"]))
        try:
            locator.ensure_cache_path()
        except OSError:
            return None
        return locator

    def ensure_cache_path(self) -> None:
        """Make the folder. Raises OSError where nothing can be written there."""
        self._folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=self._folder).close()

    def get_cache_path(self) -> str:
        """The folder."""
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """Nothing: were the source another one, it would be another folder."""
        return ""

    def get_disambiguator(self) -> str:
        """Nothing: there is one rule in a folder."""
        return ""
