"""Several moves that were chosen at once, such as ten cards to discard: played one after the other, each for itself.

All have to be legal when they are asked for, by the list that the seat has before it. So nobody learns by asking what
comes later, and what is forged or sent twice is refused as a whole. Then each is one row and one line of the log, and
can be taken back alone. What other seats do meanwhile may end it early: then those before stay done.
"""

from __future__ import annotations

from collections.abc import Sequence

from thorp.core.words import Said
from thorp.server.tables.refusals import Illegal, Refusal, Stale
from thorp.server.tables.rooms import MOVED_ON, Tables
from thorp.server.tables.store import SeatRow
from thorp.server.tables.table import Table

#: So many moves can be asked for at once.
MOST = 24
_PARTLY: Said[str] = "{done} of these {wanted} moves were made; then: {why}"


async def play_several(
    tables: Tables, id: str, seat: int, counter: int, moves: Sequence[int], *, by: SeatRow | None = None
) -> Table:
    """Play moves of a seat in their order; `counter` and `by` as `Tables.play` has them.

    Raises Stale or Illegal: nothing was done, or only the first of them, as the sentence says.
    """
    table = await tables.open(id)
    if not table.gathering:
        if counter != table.counters[seat]:
            raise Stale(MOVED_ON)
        _check(table, seat, moves)
    done = 0
    try:
        for move in moves:
            table = await tables.play(id, seat, counter + done, move, by=by, quiet=True)
            done += 1
    except (Stale, Illegal) as refusal:
        raise _partly(refusal, done, len(moves)) from refusal
    finally:
        if done:
            tables.tell(table)
    return table


def _check(table: Table, seat: int, moves: Sequence[int]) -> None:
    """Refuse moves that are too many, that come twice, or that the seat cannot make now."""
    if len(moves) > MOST:
        raise Illegal("At most {most} moves can be made at once, so none was made. Choose fewer.", most=MOST)
    if len(set(moves)) < len(moves):
        raise Illegal("One of these moves came twice, so none was made. Choose again.")
    legal = table.match.legal(seat) if seat in table.match.waiting else []
    if not set(moves) <= set(legal):
        raise Illegal("Not all of these moves can be made now, so none was made. Choose again.")


def _partly(refusal: Stale | Illegal, done: int, wanted: int) -> Refusal:
    """What is said where the moves came to an end early."""
    if not done:
        return refusal
    return type(refusal)(_PARTLY, done=done, wanted=wanted, why=refusal.message)
