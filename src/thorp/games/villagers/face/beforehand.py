"""What a seat can answer beforehand: to lay no coin on the Road, and to build nothing more."""

from __future__ import annotations

from thorp.core.face import Answer
from thorp.core.words import Message
from thorp.games.villagers.rules.drafting import GUARDED_SEATS
from thorp.games.villagers.rules.moves import DONE_MOVE, LEAVE_MOVE
from thorp.games.villagers.rules.state import BUILD, GUARD, State

_UNTIL = Message("until the end of this round")


def beforehand(state: State, seat: int) -> tuple[Answer, ...]:
    """What can be declined unseen: whether a card could be built decides nothing, as others would see it."""
    game = State.of(state)
    mine = game.turn == seat
    building = Answer(
        id="build",
        words=Message("End my build turn at once"),
        span=int(game.round),
        until=_UNTIL,
        move=DONE_MOVE if mine and game.phase == BUILD and not game.locked and not game.freed else None,
    )
    guarding = Answer(
        id="guard",
        words=Message("Lay no coin on the Road"),
        span=int(game.round),
        until=_UNTIL,
        move=LEAVE_MOVE if mine and game.phase == GUARD else None,
    )
    return (guarding, building) if game.seats <= GUARDED_SEATS else (building,)
