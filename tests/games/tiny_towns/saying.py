"""Games of all kinds, and their messages said aloud: what tests of words are written in."""

import random
import re
from collections.abc import Iterator

from games.tiny_towns.town import Table, dealt, midgame, played
from thorp.compiling.mode import COMPILED
from thorp.core.words import Message, say

NAMES = ("Ada", "Ben", "Cy", "Dee", "Eve", "Fay")
GAMES = 24 if COMPILED else 12
#: "1 cards", "1 more types": one thing that is counted as many.
ONE_OF_MANY = re.compile(r"(?<!-)\b1 (?:more )?[A-Za-z]+[^\Ws]s\b")


def games() -> Iterator[tuple[Table, random.Random]]:
    """Games of all kinds: from their deal on, and from the middle on."""
    for seed in range(GAMES):
        seats = 1 + seed % 6
        naming = "town_hall" if seats > 1 and seed // 6 % 2 else "master_builder"
        yield dealt(seats, seed, naming=naming, cavern=("no", "yes")[seed // 3 % 2]), random.Random(seed)
        yield midgame(seats, seed), random.Random(seed)


def moments(every: int) -> Iterator[Table]:
    """One of so many moments of these games, and all their ends."""
    for game, chance in games():
        for ply, _ in enumerate(played(game, chance)):
            if ply % every == 0:
                yield game
        yield game


def readers(game: Table) -> list[int | None]:
    """All seats, and a spectator."""
    return [*range(game.plain.seats), None]


def said(message: Message) -> str:
    """A message in words, all its braces filled."""
    text = say(message, NAMES)
    assert text
    assert not set("{}") & set(text)
    assert not ONE_OF_MANY.search(text), text
    return text
