"""Playing deals: the piece of work that goes to a thread, to a process, or to another machine."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.util import Finalize
from typing import Any

import numpy as np

import thorp
from thorp import players
from thorp.arena.entrants import Entrant
from thorp.arena.lineups import Lineup
from thorp.arena.results import Deal
from thorp.arena.tables import Chairs, Outcome, play_game, rounds_of
from thorp.arena.whole_games import CHOICES, GREEDY, LEADER, LEARNED, LEVELS, SEATS_FROM, SPARE, whole_games, width
from thorp.compiling.mode import COMPILED
from thorp.core.chance import stream
from thorp.core.errors import GameError
from thorp.core.game import AnyGame
from thorp.core.generic import make_states
from thorp.core.match import AnyMatch, Match
from thorp.core.ntuples import NTuples
from thorp.core.registry import game as find_game
from thorp.core.weights import room
from thorp.players.learned import shipped


@dataclass(frozen=True)
class Work:
    """Deals of one lineup, of seeds in a row; it can be pickled."""

    #: The game, and the package that knows it where it is not announced.
    game: str
    package: str
    options: Mapping[str, str]
    lineup: Lineup
    #: Who they are, by name.
    entrants: Mapping[str, Entrant]
    first: int
    deals: int
    #: So long may a player of somebody else's take for a choice.
    seconds: float
    #: As `alike` tells it of the machine that asks: what a machine has to have to play what this one plays. Empty where
    #: nobody has to look.
    alike: tuple[str, ...] = ()


def is_compiled(game: AnyGame, lineup: Lineup) -> bool:
    """Whether all players of a lineup play a game in compiled code: not where something is learned for each table."""
    who = set(lineup.players)
    return who <= set(LEVELS) and not (LEVELS[LEARNED] in who and isinstance(game.net, NTuples))


def get_ready(game: AnyGame, lineups: Iterable[Lineup], entrants: Iterable[Entrant] = ()) -> None:
    """Compile what is needed, before several threads or processes want it.

    `entrants`: who plays, where names do not say it.
    """
    lineups = list(lineups)
    who = {name for lineup in lineups for name in lineup.players} | {each.player for each in entrants}
    game.prepare()
    if any(is_compiled(game, each) for each in lineups):
        whole_games.of(game)
    if not all(is_compiled(game, each) for each in lineups):
        # what were compiled when they first choose would be told as the time that they think
        for name in sorted(who):
            if players.is_player(name):
                players.get_player_ready(name, game)


def alike(work: Work) -> tuple[str, ...]:
    """What makes out how a piece of work is played on this machine: Thorp, the rules, and what its players are."""
    game = game_of(work)
    who = (each.identity(game, work.seconds) for each in work.entrants.values())
    return (f"Thorp {thorp.__version__}", f"version {game.rules_version} of the rules of {game.name}", *who)


def try_out(work: Work) -> None:
    """See whether this machine plays as the one does that asks, and start every player of somebody else's once.

    Raises GameError where it has another Thorp, other rules, or players that think otherwise or have learned something
    else, and where one does not get ready for a game: a slip of who named it, or the machine does not have it.
    """
    game, host, chairs = game_of(work), socket.gethostname(), Chairs()
    for wanted, found in zip(work.alike, alike(work), strict=False):
        if wanted != found:
            raise GameError(f"{host} would play otherwise than the machine that asks: it has {found}, not {wanted}")
    try:
        for each in work.entrants.values():
            try:
                each.learned(game)
            except GameError as error:
                raise GameError(f"{each.name} does not get ready on {host}: {error}") from error
            if each.foreign:
                match: AnyMatch = Match(game, len(work.lineup.players), work.options, work.first)
                chairs.pipe(each, match, 0, work.seconds)
    finally:
        chairs.end()


def play_work(work: Work) -> list[Deal]:
    """Play deals. Raises GameError where a game does not end, or a player does not get ready."""
    game = game_of(work)
    compiled = is_compiled(game, work.lineup)
    by_seating = [
        _play_compiled(work, game, seating) if compiled else _play_moves(work, game, seating)
        for seating in work.lineup.seatings
    ]
    return [Deal(work.lineup, work.first + nth, tuple(games[nth] for games in by_seating)) for nth in range(work.deals)]


def game_of(work: Work) -> AnyGame:
    """The game of a piece of work, also where only its package knows it."""
    known = getattr(import_module(work.package), "GAME", None)
    return known if known is not None and known.id == work.game else find_game(work.game)


def _play_moves(work: Work, game: AnyGame, seating: tuple[str, ...]) -> list[Outcome]:
    entrants = [work.entrants[name] for name in seating]
    seeds = range(work.first, work.first + work.deals)
    return [play_game(game, work.options, seed, entrants, _chairs(), work.seconds) for seed in seeds]


def _play_compiled(work: Work, game: AnyGame, seating: tuple[str, ...]) -> list[Outcome]:
    seats, each = len(seating), 2 + card_count(game, work.options)
    states = make_states(game, SPARE + work.deals)
    rows = play_rows(game, work.options, seating, states, work.first, work.deals)
    return [
        Outcome(
            scores=[int(row[SEATS_FROM + seat * each]) for seat in range(seats)],
            standings=[int(row[SEATS_FROM + seat * each + 1]) for seat in range(seats)],
            choices=int(row[CHOICES]),
            leader=int(row[LEADER]),
            rounds=rounds_of(game, states[SPARE + nth]),
        )
        for nth, row in enumerate(rows)
    ]


def card_count(game: AnyGame, options: Mapping[str, str]) -> int:
    """How many cards `owned` counts."""
    return len(game.cards(options)) if game.owned else 0


def play_rows(
    game: AnyGame, options: Mapping[str, str], levels: Sequence[str], states: Any, first: int, games: int
) -> Any:
    """What `whole_games` writes of games of seeds in a row, as rows.

    `levels` says who sits at each seat; `states` has room for SPARE more than games. Raises GameError where a game does
    not end.
    """
    seats, cards = len(levels), card_count(game, options)
    size = games * width(seats, cards)
    learned = shipped(game) if LEVELS[LEARNED] in levels else None
    # who has learned nothing is the greedy player
    numbers = [GREEDY if name == LEVELS[LEARNED] and learned is None else LEVELS.index(name) for name in levels]
    out: Any = np.zeros(size, np.int32) if COMPILED else [0] * size
    counts: Any = np.zeros(cards + 1, np.int32) if COMPILED else [0] * (cards + 1)
    who: Any = np.array(numbers, np.int32) if COMPILED else numbers
    play = whole_games.of(game)
    dice, luck, moves, chosen = stream(0), stream(0), game.move_list(), game.option_list(options)
    weights = room(game, learned)
    if play(states, moves, chosen, weights, dice, luck, counts, who, out, seats, cards, first, games) < 0:
        raise GameError(f"one of the games {first} to {first + games - 1} of {game.name} does not end")
    return np.array(out, np.int64).reshape(games, -1)


_seated: dict[tuple[int, int], Chairs] = {}


def _chairs() -> Chairs:
    """The processes of players that this thread of this process keeps; they end with it."""
    key = (os.getpid(), threading.get_ident())
    if key not in _seated:
        _seated[key] = Chairs()
        Finalize(None, end_chairs, exitpriority=10)
    return _seated[key]


def end_chairs() -> None:
    """End all processes of players that this process has started."""
    for key in [key for key in _seated if key[0] == os.getpid()]:
        _seated.pop(key).end()
