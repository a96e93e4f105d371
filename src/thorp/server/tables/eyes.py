"""Several seats of one person at one device: whose eyes its page has, and when the curtain falls between them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from thorp.server.tables.store import Hand


@dataclass(frozen=True)
class Eyes:
    """Whose eyes a page has: those of a seat, or of a spectator (None)."""

    seat: int | None
    #: The seats of the person, where there are several.
    device: tuple[int, ...] = ()
    #: Who is to decide next of these, where the seat is not in hand.
    next: int | None = None
    #: Whether seats of this device know different things.
    secret: bool = False

    @property
    def curtain(self) -> bool:
        """Whether a curtain hides all of the seats: the page is a spectator's until one of them is taken in hand."""
        return self.seat is None and bool(self.device)

    @property
    def mark(self) -> str:
        """What tells these eyes from others of the same person."""
        return "".join("." if seat is None else f"{seat}." for seat in (self.seat, self.next))


class Turns:
    """Which seats were asked after each row of a match: the same in every process, as the rows are."""

    def __init__(self, told: int, asked: tuple[int, ...]) -> None:
        self._told = [told]
        self._asked = [asked]

    def add(self, told: int, asked: tuple[int, ...]) -> None:
        """Take note of who is asked after one more row."""
        self._told.append(told)
        self._asked.append(asked)

    def eyes(self, mine: tuple[int, ...], hand: Hand | None, *, secret: bool) -> Eyes:
        """The eyes of a person with the seats `mine` who took one of them in hand.

        The seat stays in hand until it has nothing to decide while another one of the device has: what was not so once
        never is again without a hand, so nobody who was passed the device comes to see what was shown before.
        """
        last = hand.seat if hand and hand.seat in mine else None
        if hand and last is not None and not any(_is_passed(asked, mine, last) for asked in self._since(hand.told)):
            return Eyes(last, mine, secret=secret)
        if secret:
            return Eyes(None, mine, _next(mine, self._asked[-1], last), secret=True)
        # Whoever of them was asked last: the page turns to that seat by itself, and stays there.
        asked = next((asked for asked in reversed(self._asked) if _next(mine, asked, last) is not None), ())
        found = _next(mine, asked, last)
        return Eyes(mine[0] if found is None else found, mine)

    def _since(self, told: int) -> Iterator[tuple[int, ...]]:
        return iter(self._asked[bisect_right(self._told, told) :])


def _is_passed(asked: Sequence[int], mine: Sequence[int], seat: int) -> bool:
    """Whether another one of these seats has to decide, and this one has not."""
    return seat not in asked and any(other in asked for other in mine)


def _next(mine: Sequence[int], asked: Sequence[int], after: int | None) -> int | None:
    """Who of these seats is to decide, going round from the one after `after`."""
    first = -1 if after is None else after
    waiting = [seat for seat in mine if seat in asked]
    return next((seat for seat in waiting if seat > first), waiting[0] if waiting else None)
