"""The decorator `@rule`."""

import numpy as np
import pytest

from thorp.compiling.mode import COMPILED
from thorp.compiling.preparing import prepare
from thorp.compiling.rule import MoveList, rule, table
from thorp.core.chance import below, bits32, stream

compiled_only = pytest.mark.skipif(not COMPILED, reason="about compiled rules")


@compiled_only
def test_a_parameter_without_annotation_is_refused() -> None:
    with pytest.raises(TypeError, match="parameter move has no annotation"):

        @rule
        def play(seat: int, move) -> None:  # type: ignore[no-untyped-def]
            """Not a rule."""


@compiled_only
def test_a_type_that_cannot_be_compiled_is_refused() -> None:
    with pytest.raises(TypeError, match="cannot be compiled"):

        @rule
        def play(names: str, moves: MoveList) -> None:
            """Not a rule."""


@compiled_only
def test_bounds_are_checked_where_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THORP_BOUNDSCHECK", "1")

    @rule
    def listed(moves: MoveList, place: int) -> int:
        """The move at that place of the list."""
        return int(moves.at[place])

    moves = np.zeros((), MoveList.dtype)[()]
    length = len(moves["at"])
    prepare([listed])
    assert listed(moves, length - 1) == 0
    with pytest.raises(IndexError):
        listed(moves, length)


def test_tables_read_alike_in_both_modes() -> None:
    rows = table([[1, 2], [3, 4]])
    assert rows[1][0] == 3
    with pytest.raises((ValueError, TypeError)):
        rows[1][0] = 5


def test_any_rule_can_be_called_from_python() -> None:
    """SplitMix64 from seed 0 draws 0xE220A8397B1DCDAF first (Vigna's reference code)."""
    dice = stream(0)
    chance = dice["chance"] if COMPILED else dice.chance
    assert int(bits32(chance)) == 0xE220A839


@compiled_only
def test_rules_can_be_called_from_numba_code_of_others() -> None:
    from numba import njit

    @njit
    def draw_three(drawn):  # type: ignore[no-untyped-def]
        return below(drawn.chance, 10) + below(drawn.chance, 10) + below(drawn.chance, np.int8(10))

    one, other = stream(7), stream(7)
    expected = sum(int(below(other["chance"], 10)) for _ in range(3))
    assert draw_three(one) == expected
