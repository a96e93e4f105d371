"""What is learned for a table, before somebody plays at it or looks a match through in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread

from thorp.core.match import AnyMatch
from thorp.core.words import Message, say
from thorp.players import learn_for
from thorp.players.episodes import learn_game
from thorp.players.lessons import Lesson, beginning_of, is_known, keep

#: Seconds between two looks how far a lesson is.
_LOOK = 0.3


class LessonBeside:
    """Learning for the table of a match in another thread, as a server does in another process.

    Until it is done players go by what they know without it; whoever gives a hint waits for it.
    """

    def __init__(self, match: AnyMatch) -> None:
        self._match = match
        self._lesson: Lesson | None = None
        self._thread: Thread | None = None

    def begin(self) -> None:
        """Begin, unless that was done, or there is nothing that could be learned."""
        match = self._match
        beginning = beginning_of(match)
        if self._thread or is_known(match.game, beginning, match.seats):
            return
        lesson = self._lesson = Lesson(match.game, beginning, match.seats)
        # whoever leaves would have to wait until it is compiled
        learn_game.of(match.game)

        def learn() -> None:
            if (learned := lesson.learn()) is not None:
                keep(match.game, beginning, match.seats, learned)

        self._thread = Thread(target=learn, name="who learns a game", daemon=True)
        self._thread.start()

    def finish(self) -> None:
        """Wait until it is done, and tell on standard error how far it is."""
        with _telling() as tell:
            while self._lesson and self._thread and self._thread.is_alive():
                tell(self._lesson.done, self._lesson.games)
                self._thread.join(_LOOK)

    def end(self) -> None:
        """Learn no further."""
        if self._lesson and self._thread:
            self._lesson.stop()
            self._thread.join()


def learn_first(match: AnyMatch) -> None:
    """Learn for the table of a match, where its game is learned at tables and this one was not; told on standard error.

    Who looks a match through has to wait for it: what is told first would else be told by other measures than the rest.
    """
    with _telling() as tell:
        learn_for(match, tell)


@contextmanager
def _telling() -> Iterator[Callable[[int, int], None]]:
    """How many of so many games are learned from is told on standard error: in one line, or, in a file, in tenths."""
    tenths = -1
    over = sys.stderr.isatty()

    def tell(done: int, games: int) -> None:
        nonlocal tenths
        if over or done * 10 // games > tenths:
            tenths = done * 10 // games
            told = say(Message("Learning to play with these cards: {n} %", {"n": 100 * done // games}))
            print(f"\r\033[K{told}" if over else told, end="" if over else "\n", file=sys.stderr, flush=True)

    yield tell
    if over and tenths >= 0:
        print("\r\033[K", end="", file=sys.stderr, flush=True)
