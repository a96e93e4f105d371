"""Move spaces."""

import pytest

from thorp.core.moves import MoveSpace

MOVES = MoveSpace(place={"square": 16}, build={"card": 8, "square": 16}, done={})


def test_numbers_follow_the_declaration() -> None:
    assert MOVES.size == 16 + 8 * 16 + 1
    assert [(family.name, family.first, family.end) for family in MOVES] == [
        ("place", 0, 16),
        ("build", 16, 144),
        ("done", 144, 145),
    ]


def test_every_number_decodes_and_encodes() -> None:
    for move in range(MOVES.size):
        family, arguments = MOVES.decode(move)
        assert MOVES.encode(family, **arguments) == move
    assert str(MOVES.decode(51)) == "build(card=2, square=3)"


@pytest.mark.parametrize("move", [-1, 145])
def test_other_numbers_are_refused(move: int) -> None:
    with pytest.raises(ValueError, match="outside"):
        MOVES.decode(move)


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("jump", {}, "no move is called 'jump'"),
        ("build", {"card": 1}, "takes card, square"),
        ("done", {"square": 1}, "takes nothing"),
        ("place", {"square": 16}, "must lie in 0..15"),
    ],
)
def test_wrong_arguments_are_refused(name: str, arguments: dict[str, int], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        MOVES.encode(name, **arguments)
