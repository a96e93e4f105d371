"""Which languages can be chosen: those in which nothing is missing, but perhaps of the rules in words."""

from __future__ import annotations

from collections.abc import Iterable

from thorp.core.catalogue import FILE, read
from thorp.core.errors import ContractError, GameError
from thorp.core.language import ENGLISH, HOUSE, Language, language, translated
from thorp.core.registry import game


def complete(games: Iterable[str]) -> tuple[Language, ...]:
    """English, and all languages in which nothing is missing, of the house and of those games that speak them.

    What stands in the rules of a game alone may be missing: their page says so, and is English there.
    """
    ids = tuple(games)
    tags = [tag for tag in translated() if not read(HOUSE / tag / FILE).missing_in_play]
    return (ENGLISH, *(language(tag) for tag in tags if not any(_misses(id, tag) for id in ids)))


def _misses(id: str, tag: str) -> bool:
    try:
        return bool(read(game(id).words / tag / FILE).missing_in_play)
    except (GameError, ContractError):
        # a game that cannot be used, or is no more
        return False
