"""Ids in files of facts (TOML): what stands there for people to read, by the names of its fields."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from thorp.translating.ids import Gathered, Id

#: Fields that are names of things, and fields that are sentences.
NOUNS = ("name",)
SENTENCES = ("brief", "effect", "rulings", "say", "closing")


def gather(files: Iterable[tuple[str, Path]]) -> Gathered:
    """The ids in these files, by place and path."""
    found = Gathered()
    for place, path in files:
        found.ids += _ids(tomllib.loads(path.read_text("utf-8")), place)
    return found


def _ids(value: Any, place: str) -> Iterator[Id]:
    if isinstance(value, list):
        for each in value:
            yield from _ids(each, place)
    if not isinstance(value, dict):
        return
    for key, each in value.items():
        if key in NOUNS or key in SENTENCES:
            texts = each if isinstance(each, list) else [each]
            yield from (Id(" ".join(text.split()), place, noun=key in NOUNS) for text in texts if isinstance(text, str))
        else:
            yield from _ids(each, place)
