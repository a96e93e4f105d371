"""Random towns, scored by the engine and counted a second time by `tally`."""

import random

import pytest

from games.tiny_towns import tally
from games.tiny_towns.printed import CARDS, cards_of
from games.tiny_towns.tally import Tally
from games.tiny_towns.town import BY_SHORT, drawn, square, table, town
from thorp.compiling.mode import COMPILED
from thorp.games.tiny_towns.rules.cards import MONUMENT

#: Of three towns each.
TABLES = 600 if COMPILED else 100
MONUMENTS = [card.id for card in cards_of(MONUMENT)]
#: Of these, more would take the second count too long.
MOST_COTTAGES = 8


def random_town(chance: random.Random, cards: list[str]) -> str:
    """A town of these cards, some squares with cubes or nothing on them, and most with a monument."""
    weights = [chance.random() for _ in cards]
    weights[0] *= 3
    weights += [0.5, 0.5]
    on = chance.choices([*cards, ".", "cube"], weights, k=16)
    for here, what in enumerate(on):
        if what == "Cot" and on[:here].count("Cot") == MOST_COTTAGES:
            on[here] = "."
        elif what == "cube":
            on[here] = chance.choice("WTBGS")
        elif what == "War":
            on[here] += ":" + "".join(chance.choices("WTBGS", k=chance.randrange(4)))
    if chance.random() < 0.8:
        on[chance.randrange(16)] = "Mon"
    return drawn(" / ".join(" ".join(on[row : row + 4]) for row in range(0, 16, 4)))


@pytest.mark.parametrize("farm", tally.FARMS)
def test_random_towns_score_what_a_second_count_gives(farm: str) -> None:
    chance = random.Random(farm)
    for _ in range(TABLES):
        cards = [chance.choice(type) for type in tally.TYPES]
        cards[1] = farm
        monument = chance.choice(MONUMENTS)
        shrine = chance.randrange(1, 9)
        completed = [chance.randrange(8, 12) for _ in range(3)]
        pictures = [random_town(chance, cards) for _ in range(3)]
        game = table(
            *(
                town(picture, monument=monument, shrine=shrine, completed=when)
                for picture, when in zip(pictures, completed)
            ),
            cards=" ".join(BY_SHORT[card].id for card in cards),
        )
        for seat in range(3):
            count = Tally(
                pictures[seat],
                monument,
                place=1 + sum(when < completed[seat] for when in completed),
                shrine=shrine,
                right=pictures[seat - 1].count("Fea"),
            )
            total, ways = count.best()
            assert game.scores()[seat] == total, (pictures[seat], monument)
            assert {square(name) for name in game.fed(seat).split()} in ways
            for card in (BY_SHORT[short] for short in cards[2:] if short not in ("Cha", "Tem")):
                assert game.points(card.id, seat) == count.of(card.name[:3]), (card.id, pictures[seat])


def test_the_second_count_knows_every_card() -> None:
    assert {BY_SHORT[short].id for type in tally.TYPES for short in type} | set(MONUMENTS) == {c.id for c in CARDS}
