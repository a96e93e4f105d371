"""What a village tells of itself to the page that shows it."""

import pytest

from games.valeria.place import RULES_DECK, seat, table
from thorp.games.valeria.rules.powers import TYPES


@pytest.mark.parametrize(
    ("columns", "low"),
    # buildings by type, and adventurers
    [
        ((0, 0, 0, 0, 0), True),
        ((2, 2, 2, 0, 0), True),
        ((2, 0, 1, 0, 2), True),
        ((2, 1, 1, 1, 0), False),
        ((1, 1, 1, 0, 1), False),
        ((0, 3, 0, 0, 0), False),
        ((0, 0, 0, 0, 3), False),
    ],
)
def test_a_low_village_has_empty_columns_and_no_high_one(columns: tuple[int, ...], low: bool) -> None:
    village: list[str] = []
    for type, count in zip(TYPES, columns[:-1], strict=True):
        village += [card.id for card in RULES_DECK.buildings if card.type == type][:count]
    village += [card.id for card in RULES_DECK.adventurers][: columns[-1]]
    assert len(village) == sum(columns)
    assert table(seat(" ".join(village)), seat()).player(0).is_low == low
