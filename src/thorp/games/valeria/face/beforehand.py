"""What a seat can answer beforehand: not to follow an action that others lead."""

from __future__ import annotations

from thorp.core.face import Answer
from thorp.core.words import Message
from thorp.games.valeria.face.words import action_word
from thorp.games.valeria.rules.moves import DECLINE_MOVE
from thorp.games.valeria.rules.powers import ACTIONS
from thorp.games.valeria.rules.state import FOLLOW, State

_UNTIL = Message("until my next turn")


def beforehand(state: State, seat: int) -> tuple[Answer, ...]:
    """An answer for each action; alone there is nobody to follow."""
    game = State.of(state)
    if game.seats == 1:
        return ()
    asked = game.action if game.phase == FOLLOW and game.turn == seat else -1
    span = _turns(game, seat)
    return tuple(
        Answer(
            id=f"follow-{name}",
            words=Message("Do not ask me to follow {action}", {"action": action_word(action)}),
            span=span,
            until=_UNTIL,
            move=DECLINE_MOVE if action == asked else None,
        )
        for action, name in enumerate(ACTIONS)
    )


def _turns(game: State, seat: int) -> int:
    """How many turns a seat has begun: `round` counts those of all."""
    after_first = (seat - game.first) % game.seats
    return int((game.round - 1 - after_first) // game.seats + 1)
