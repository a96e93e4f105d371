"""What is learned for a table, before somebody plays at it or looks a match through in the terminal."""

from __future__ import annotations

import sys

from thorp.core.match import AnyMatch
from thorp.core.words import Message, say
from thorp.players.lessons import beginning_of, is_known, known_or_learned


def learn_first(match: AnyMatch) -> None:
    """Learn for the table of a match, where its game is learned at tables and this one was not; told on standard error.

    A server learns beside the game; here nobody else could.
    """
    beginning = beginning_of(match)
    if is_known(match.game, beginning, match.seats):
        return
    tenths = -1
    over = sys.stderr.isatty()

    def tell(done: int, games: int) -> None:
        nonlocal tenths
        if over or done * 10 // games > tenths:
            tenths = done * 10 // games
            told = say(Message("Learning to play with these cards: {n} %", {"n": 100 * done // games}))
            print(f"\r\033[K{told}" if over else told, end="" if over else "\n", file=sys.stderr, flush=True)

    known_or_learned(match.game, beginning, match.seats, tell)
    if over:
        print("\r\033[K", end="", file=sys.stderr, flush=True)
