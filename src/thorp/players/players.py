"""The players, by name: `random`, `greedy` and `learned` for programs, and the levels that tables offer.

All choose from what their seat may know.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from thorp.core.chance import SEED_BITS, stream
from thorp.core.errors import GameError
from thorp.core.game import AnyGame
from thorp.core.generic import Generic, make_states, put_state
from thorp.core.given import shown
from thorp.core.match import AnyMatch, checked_seed
from thorp.core.words import Said
from thorp.players import levels as known
from thorp.players.greedy import greedy_move
from thorp.players.learned import check_weights, learned_for_search
from thorp.players.learned import learned as by_learning
from thorp.players.lessons import say_where_missing
from thorp.players.lines import follow_lines, try_lines
from thorp.players.playouts import find_candidates, try_candidates
from thorp.players.random import random_move
from thorp.players.search import VERSION, Stop, Thought, checked_playouts, checked_seats, must_decide, seats_of
from thorp.players.tracker import Plan

LEARNED = "learned"
_PLAYERS: dict[str, Any] = {"random": random_move, "greedy": greedy_move, LEARNED: by_learning}
#: What people call those that tables offered once: tables that have them go on.
_CALLED: Said[dict[str, str]] = {"random": "easy", "greedy": "medium"}


def called(name: str) -> str:
    """What people call a player. One that is not known keeps its name."""
    level = known.level_of(name)
    return level.called if level else _CALLED.get(name, name)


def names() -> tuple[str, ...]:
    """The players there are: those for programs, and the levels, the weakest first."""
    return (*_PLAYERS, *known.BY_NAME)


def is_player(name: str) -> bool:
    """Whether there is a player of that name; `master@0.1` is *master* with so many seconds for a decision."""
    return isinstance(name, str) and (name in _PLAYERS or known.level_of(name) is not None)


def no_player(name: str) -> str:
    """What is said where there is no player of that name."""
    level, at, _ = name.partition("@") if isinstance(name, str) else ("", "", "")
    if at and (found := known.BY_NAME.get(level)):
        if not found.seconds:
            return f"{level} answers at once, so no time can be given for it: leave @ out"
        return f"the time of {shown(name)} is none: write seconds as in {level}@0.1"
    return f"there is no player {shown(name)}; there are {', '.join(names())}"


def levels() -> tuple[str, ...]:
    """The players that tables offer, the weakest first."""
    return tuple(known.BY_NAME)


def usual() -> str:
    """The level that most people meet: unless one chooses otherwise, and for who is away."""
    return known.USUAL


def seconds(name: str) -> float:
    """How much processor time a player takes for a decision, in seconds; 0 for one that answers at once, or is none."""
    level = known.level_of(name)
    return level.seconds if level else 0.0


def goes_by_lessons(name: str) -> bool:
    """Whether a player goes by what is learned at a table, where the game has that; not where the name is none's."""
    level = known.level_of(name)
    return level.way.learned if level else name == LEARNED


def get_ready(game: AnyGame) -> None:
    """Compile what players that think need to play a game, or load it from the cache."""
    for each in _needed(game):
        each.of(game)


def get_player_ready(name: str, game: AnyGame) -> None:
    """Compile what one player needs to choose, or load it from the cache. Raises GameError for an unknown name."""
    if not is_player(name):
        raise GameError(no_player(name))
    if (level := known.level_of(name)) is None:
        _PLAYERS[name].of(game)
        return
    for each in _needed(game) if level.seconds else (find_candidates,):
        each.of(game)


def has_to_be_compiled(game: AnyGame) -> bool:
    """Whether what players that think need to play a game is not kept on disk."""
    return any(each.has_to_be_compiled(game) for each in _needed(game))


def _needed(game: AnyGame) -> tuple[Generic, ...]:
    return (find_candidates, try_candidates, *((follow_lines, try_lines) if game.foreseeable else ()))


def way_digest(name: str, game: AnyGame) -> str:
    """By what the way is known in which a level thinks about a game; "" for players that are no levels.

    It differs wherever the level thinks longer, looks at other moves, or overlooks more.
    """
    if (level := known.level_of(name)) is None:
        return ""
    how = (VERSION, level.seconds, level.way, known.overlooked(level, game))
    return hashlib.sha256(repr(how).encode()).hexdigest()[:8]


def choose(name: str, match: AnyMatch, seat: int, seed: int, plan: Plan | None = None, *, weights: Any = None) -> int:
    """The move that a player chooses for a seat that has something to decide.

    The player is given the game as the seat may know it: all that is hidden from the seat, and all chance to come,
    is dealt again first. The same `seed` (0 <= seed < 2**63) gives the same choice, but for players that think for a
    time (`seconds`). `plan` is what the player keeps in mind from its last choice in this match to the next. `weights`,
    as `thorp.core.weights.read_weights` reads them, are what the player goes by in a game with a net, instead of those
    that come with the game; or of what was learned for the table. Where a game is learned table by table, what was
    learned (`learn_for`) has to be there before: without it players are weaker, and a warning is logged.
    Raises GameError for an unknown name, what cannot be a seed, and weights that the game has no room for, IllegalMove
    where the seat has nothing to decide.
    """
    must_decide(match.game, match.state, seat)
    if is_player(name) and goes_by_lessons(name):
        say_where_missing(match)
    return choose_in(name, match.game, match.state, seat, seed, seats=match.seats, plan=plan, weights=weights)


def choose_in(
    name: str,
    game: AnyGame,
    state: Any,
    seat: int,
    seed: int,
    *,
    seats: int | None = None,
    playouts: int | None = None,
    stop: Stop | None = None,
    plan: Plan | None = None,
    weights: Any = None,
) -> int:
    """As `choose`, in a state of a game where the seat has something to decide.

    `game` is the game itself, as `thorp.game` finds it by its id. `seats`: how many there are, where the record has no
    field `seats` that says it. `playouts`: so many games a player that thinks may play on, instead of its time. `stop`
    can end its thought. `plan` and `weights`: as for `choose`.
    Raises as `choose` does, and GameError for a number of seats that the game is not for, or that the state
    contradicts.
    """
    if not is_player(name):
        raise GameError(no_player(name))
    seed = checked_seed(seed)
    playouts = checked_playouts(playouts)
    if seats is not None:
        seats = checked_seats(game, state, seats)
    if weights is not None:
        check_weights(game, weights)
    must_decide(game, state, seat)
    if (level := known.level_of(name)) is None:
        return _choose_at_once(name, game, state, seats, seat, seed, weights)
    at_table = seats_of(game, state) if seats is None else seats
    learned = learned_for_search(game, state, at_table, level.way, weights)
    thought = Thought(game, state, at_table, seat, seed, level.way, learned, plan=plan)
    if stop:
        stop.ends(thought)
    missed = known.overlooked(level, game)
    return thought.think(
        playouts=playouts if level.seconds else None,
        seconds=level.seconds if playouts is None else None,
        sees=(lambda legal: known.seen(missed, seed, legal)) if missed else None,
    )[0].move


def _choose_at_once(name: str, game: AnyGame, state: Any, seats: int | None, seat: int, seed: int, weights: Any) -> int:
    player: Callable[..., int] = by_learning.of(game, weights, seats) if name == LEARNED else _PLAYERS[name].of(game)
    states = make_states(game, 3)
    put_state(states, 0, state)
    dice = stream(seed)
    game.determinize(states[0], seat, (seed * 0x5DEECE66D + 11) % (1 << SEED_BITS))
    return int(player(states, seat, game.move_list(), dice))
