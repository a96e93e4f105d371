"""The players: `random` and `greedy`. Both choose from what their seat may know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from thorp.core.chance import SEED_BITS, stream
from thorp.core.errors import GameError, IllegalMove
from thorp.core.game import AnyGame
from thorp.core.generic import make_states, put_state
from thorp.core.match import AnyMatch
from thorp.players.greedy import greedy_move
from thorp.players.random import random_move

_PLAYERS: dict[str, Any] = {"random": random_move, "greedy": greedy_move}


#: What people call them: by how they play, not by how they think.
_CALLED = {"random": "easy", "greedy": "medium"}


def called(name: str) -> str:
    """What people call a player: "easy" for one that any beginner beats. One that is not known keeps its name."""
    return _CALLED.get(name, name)


def names() -> tuple[str, ...]:
    """The players there are, the weakest first."""
    return tuple(_PLAYERS)


def choose(name: str, match: AnyMatch, seat: int, seed: int) -> int:
    """The move that a player chooses for a seat that has something to decide.

    The player is given the game as the seat may know it: all that is hidden from the seat, and all chance to come,
    is dealt again first. The same `seed` (0 <= seed < 2**63) gives the same choice.
    Raises GameError for an unknown name, IllegalMove where the seat has nothing to decide.
    """
    if seat not in match.waiting:
        raise IllegalMove(f"seat {seat} has nothing to decide now")
    return choose_in(name, match.game, match.state, seat, seed)


def choose_in(name: str, game: AnyGame, state: Any, seat: int, seed: int) -> int:
    """As `choose`, in a state of a game where the seat has something to decide."""
    if name not in _PLAYERS:
        raise GameError(f"there is no player {name!r}; there are {', '.join(_PLAYERS)}")
    player: Callable[..., int] = _PLAYERS[name].of(game)
    states = make_states(game, 3)
    put_state(states, 0, state)
    dice = stream(seed)
    game.determinize(states[0], seat, (seed * 0x5DEECE66D + 11) % (1 << SEED_BITS))
    return int(player(states, seat, game.move_list(), dice))
