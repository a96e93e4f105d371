"""Step referees: slow, plain models of a game, written from its rules page, that check the rules at every step.

A referee begins from a deal, and then says by itself who has to decide, which moves are legal, and what the state is
after a move. Only what chance brings (which card was drawn) it takes over from the rules, after having looked whether
that could be.

    python tests/refereeing.py villagers --games 1000
"""

from __future__ import annotations

import argparse
import random
import reprlib
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any

import thorp
from thorp.checks.matches import random_options
from thorp.compiling.mode import COMPILED
from thorp.core.chance import SEED_BITS
from thorp.core.game import Game
from thorp.players.players import choose_in

#: A move as a referee names it: its family and its arguments in the order of the move space.
Move = tuple[str, tuple[int, ...]]


class Referee(ABC):
    """One game in progress, as its rules page tells it."""

    @abstractmethod
    def __init__(self, seats: int, options: Mapping[str, str], dealt: Any) -> None:
        """Begin from a deal: `dealt` is the plain state. Raises AssertionError where it could not be dealt so."""

    @classmethod  # noqa: B027
    def rig(cls, dealt: Any, rng: random.Random) -> None:
        """Change a plain state just dealt, within the rules, so that what is rare happens: hands, piles, the order."""

    @classmethod
    def rig_with(cls, dealt: Any, options: Mapping[str, str], rng: random.Random) -> None:
        """The same for a referee that rigs by the options: what `hold` calls."""
        cls.rig(dealt, rng)

    @classmethod
    def options(cls, game: Game, seats: int, rng: random.Random) -> dict[str, str]:
        """Options to hold a game with; a referee may have more of them than those with a name."""
        return random_options(game, seats, rng)

    @abstractmethod
    def waiting(self) -> set[int]:
        """The seats that have something to decide; none when the game is over."""

    @abstractmethod
    def legal(self, seat: int) -> set[Move]:
        """All legal moves of a seat that has something to decide."""

    def same(self, seat: int, move: Move) -> Move:
        """A move of the rules as `legal` names it, for games where several would do the same; it is the move itself
        elsewhere. Raises AssertionError where no such move is in the position.
        """
        return move

    @abstractmethod
    def play(self, seat: int, move: Move, after: Any) -> None:
        """Play a legal move. `after` is the plain state after it: for what chance brought, and for nothing else."""

    @abstractmethod
    def compare(self, state: Any) -> None:
        """Raise AssertionError where a plain state is not as it has to be."""

    @abstractmethod
    def scores(self) -> list[int]:
        """The points of every seat, as if the game ended now."""

    @abstractmethod
    def standings(self) -> list[int]:
        """The place of every seat, as if the game ended now."""


#: Chooses among legal moves: the game, its state, the seat, its moves as numbers.
Player = Callable[[Game, Any, int, list[int]], int]


def random_player(rng: random.Random) -> Player:
    """Any legal move."""
    return lambda game, state, seat, moves: rng.choice(moves)


def eager_player(rng: random.Random) -> Player:
    """Any legal family of moves, then any move of it: what is rarely one of few is played often."""

    def choose(game: Game, state: Any, seat: int, moves: list[int]) -> int:
        families: dict[str, list[int]] = {}
        for move in moves:
            families.setdefault(game.moves.decode(move).family, []).append(move)
        return rng.choice(families[rng.choice(sorted(families))])

    return choose


def greedy_player(rng: random.Random) -> Player:
    """The greedy player, and now and then any move."""

    def choose(game: Game, state: Any, seat: int, moves: list[int]) -> int:
        if rng.random() < 0.1:
            return rng.choice(moves)
        return choose_in("greedy", game, state, seat, rng.getrandbits(SEED_BITS))

    return choose


PLAYERS = {"random": random_player, "eager": eager_player, "greedy": greedy_player}


def hold(
    game: Game,
    referee: type[Referee],
    seats: int,
    options: Mapping[str, str],
    seed: int,
    player: str,
    rigged: bool = False,
) -> int:
    """Play one game under the eyes of a referee; how many moves it had. Raises AssertionError at the first fault."""
    rng = random.Random(f"{seed} {player}")
    choose = PLAYERS[player](rng)
    state, room = game.state(), game.move_list()
    game.deal(state, seats, game.option_list(options), seed)
    if rigged:
        # what a state is read as is remembered, and has to stay as it is
        plain = game.record.of(state).copy()
        referee.rig_with(plain, options, rng)
        state = plain.write()[0] if COMPILED else plain
    # A referee takes numbers out of what it is shown and keeps none of its rows, so a position is read once.
    shown = game.plain(state)
    judge = referee(seats, options, shown)
    plies = 0
    try:
        while True:
            judge.compare(shown)
            _look(game, judge, state, seats)
            mask = int(game.waiting(state))
            waiting = {seat for seat in range(seats) if mask >> seat & 1}
            assert waiting == judge.waiting(), f"waiting: the rules {waiting}, the referee {judge.waiting()}"
            if not waiting:
                assert game.over(state)
                return plies
            listed = {seat: game.legal_moves(state, seat, room) for seat in waiting}
            for seat, numbers in listed.items():
                ours = {judge.same(seat, _named(game, number)) for number in numbers}
                theirs = judge.legal(seat)
                assert ours == theirs, (
                    f"seat {seat}: only the rules have {sorted(ours - theirs)}, only the referee has "
                    f"{sorted(theirs - ours)}"
                )
                assert len(ours) == len(numbers), "a move is listed twice"
            seat = rng.choice(sorted(waiting))  # some decide at the same time
            number = choose(game, state, seat, listed[seat])
            game.play(state, seat, number)
            plies += 1
            shown = game.plain(state)
            judge.play(seat, judge.same(seat, _named(game, number)), shown)
    except AssertionError as error:
        who = f"{player} player{' with rigged deals' if rigged else ''}"
        text = f"{game.id}, {seats} seats, {reprlib.repr(dict(options))}, seed {seed}, {who}, ply {plies}: {error}"
        raise AssertionError(text) from error


def _look(game: Game, judge: Referee, state: Any, seats: int) -> None:
    scores = [int(game.score(state, seat)) for seat in range(seats)]
    assert scores == judge.scores(), f"scores: the rules {scores}, the referee {judge.scores()}"
    standings = [int(game.standing(state, seat)) for seat in range(seats)]
    assert standings == judge.standings(), f"standings: the rules {standings}, the referee {judge.standings()}"


@cache
def _named(game: Game, number: int) -> Move:
    family, arguments = game.moves.decode(number)
    return family, tuple(arguments.values())


def hold_many(game: Game, referee: type[Referee], games: int, first_seed: int = 0, seats: int | None = None) -> int:
    """Hold that many games, of all numbers of seats, all players and random options; how many moves in all."""
    # a rule that is called before would be compiled then and there, and not kept
    game.prepare()
    plies = 0
    for seed in range(first_seed, first_seed + games):
        rng = random.Random(seed)
        many = seats or game.seats[seed % len(game.seats)]
        player = sorted(PLAYERS)[seed // len(game.seats) % len(PLAYERS)]
        rigged = rng.random() < 0.4
        plies += hold(game, referee, many, referee.options(game, many, rng), seed, player, rigged)
    return plies


def referee_of(game: Game) -> type[Referee]:
    """The referee of a game, in tests/games."""
    found: type[Referee] = import_module(f"games.{game.id.replace('-', '_')}.referee").GameReferee
    return found


def main() -> None:
    """Hold any number of games."""
    parser = argparse.ArgumentParser(description="Hold games against their referees.")
    parser.add_argument("game", choices=thorp.game_ids())
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    parser.add_argument("--seats", type=int, help="(default: all numbers in turn)")
    given = parser.parse_args()
    game = thorp.game(given.game)
    plies = 0
    for done in range(given.games):
        plies += hold_many(game, referee_of(game), 1, given.seed + done, given.seats)
        if sys.stderr.isatty():
            print(f"\r{done + 1} games, {plies} moves", end="", file=sys.stderr)
    print(f"\r{given.games} games, {plies} moves: every legal set, state, score and place was as the referee has it.")


if __name__ == "__main__":
    main()
