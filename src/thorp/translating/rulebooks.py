"""Ids in the rules in words: every block of their text."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from thorp.core.blocks import ids
from thorp.translating.ids import Gathered, Id


def gather(files: Iterable[tuple[str, Path]]) -> Gathered:
    """The ids in these files, by place and path."""
    found = Gathered()
    for place, path in files:
        found.ids += [Id(text, place) for text in ids(path.read_text("utf-8"))]
    return found
