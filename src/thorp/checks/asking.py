"""The rules that only ask: each by its name, as players, server and library call it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from thorp.compiling.mode import COMPILED
from thorp.core.match import AnyMatch

#: What a rule answers in a state, of every seat that it is asked about.
Ask = Callable[[Any], list[Any]]


def rules_that_ask(match: AnyMatch) -> Iterator[tuple[str, Ask]]:
    """The name of each rule that says something of a state and changes nothing, and how it is asked in a match."""
    game, seats, room = match.game, range(match.seats), match.game.move_list()
    asked = game.asked

    def of_seats(rule: Callable[..., int]) -> Ask:
        return lambda state: [int(rule(state, seat)) for seat in seats]

    def single_moves(state: Any) -> list[bool]:
        # no rule need know what to say of a move beside others
        legal = ((seat, game.legal_moves(state, seat, room)) for seat in seats)
        return [bool(asked and asked(state, seat, moves[0])) for seat, moves in legal if len(moves) == 1]

    yield "waiting", lambda state: [int(game.waiting(state))]
    yield "over", lambda state: [bool(game.over(state))]
    yield "legal", lambda state: [game.legal_moves(state, seat, room) for seat in seats]
    yield "score", of_seats(game.score)
    yield "standing", of_seats(game.standing)
    yield "evaluate", of_seats(game.evaluate)
    if asked:
        yield "asked", single_moves
    if game.owned:
        yield "owned", lambda state: [_owned(match, state, seat) for seat in seats]


def _owned(match: AnyMatch, state: Any, seat: int) -> list[int]:
    """How many of each card a seat has."""
    game = match.game
    cards = len(game.cards(match.options))
    counts: Any = np.zeros(cards, np.int32) if COMPILED else [0] * cards
    if game.owned:
        game.owned(state, seat, counts)
    return [int(each) for each in counts]
