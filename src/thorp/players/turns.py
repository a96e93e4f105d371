"""Who moves next where several wait: any of them, in games that are played on, in whole games, and move by move."""

from typing import Any

from thorp.compiling.mode import COMPILED
from thorp.core.chance import Stream, below
from thorp.core.generic import Generic

MOST_SEATS = 32


def _one_of(mask: int, luck: Stream) -> int:
    """Any one seat of a mask: who answers last may have seen more happen, and nobody shall always be the last."""
    waiting_seats = 0
    for seat in range(MOST_SEATS):
        waiting_seats += mask >> seat & 1
    nth = below(luck.chance, waiting_seats) if waiting_seats > 1 else 0
    seat = 0
    while nth > 0 or not mask >> seat & 1:
        nth -= mask >> seat & 1
        seat += 1
    return seat


one_of = Generic(_one_of)


def draw_seat(mask: int, luck: Any) -> int:
    """As `one_of`, for a game that is played move by move."""
    waiting_seats = [seat for seat in range(MOST_SEATS) if mask >> seat & 1]
    if len(waiting_seats) == 1:
        return waiting_seats[0]
    return waiting_seats[int(below(luck["chance"] if COMPILED else luck.chance, len(waiting_seats)))]
