"""How well the simple players build: the average of many solo games and of games at four seats.

By default those for programs play: random, greedy and learned. A player that is learned for each table, as in Tiny
Towns, has to learn some twenty to thirty seconds before each deal, and so plays where it is named only:
`python scripts/strength.py --player learned --games 20`; so do the levels, which think for a while.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

import numpy as np

import thorp
from thorp.arena import play_games
from thorp.arena.whole_games import LEARNED, LEVELS
from thorp.core.errors import GameError
from thorp.core.game import AnyGame
from thorp.core.match import AnyMatch, Match
from thorp.players import goes_by_lessons, is_player, names
from thorp.players.lessons import beginning_of, is_learned_at_tables, known_or_learned


def players_for(game: AnyGame) -> tuple[str, ...]:
    """Who plays by default: the players for programs, but none that has to learn before each deal."""
    return tuple(name for name in LEVELS if not (name == LEVELS[LEARNED] and is_learned_at_tables(game)))


def scores_of(
    game: AnyGame, name: str, seats: int, games: int, options: Mapping[str, str] | None = None
) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """The scores of games in which one player sits at all seats; what is learned for a table is learned first."""
    if not (goes_by_lessons(name) and is_learned_at_tables(game)):
        return play_games(game, [name] * seats, options, range(games))
    rows = []
    for seed in range(games):
        match: AnyMatch = Match(game, seats, options, seed)
        known_or_learned(game, beginning_of(match), seats)
        rows.append(play_games(game, [name] * seats, options, [seed]))
    return np.concatenate(rows)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print mean, spread and quartiles for every player."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="tiny-towns")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument(
        "--player", action="append", metavar="NAME", help="who plays, one after the other (default: see above)"
    )
    given = parser.parse_args(arguments)
    if given.games < 1:
        raise SystemExit(f"the number of games is 1 or more, not {given.games}")
    for name in given.player or ():
        if not is_player(name):
            raise SystemExit(f"there is no player {name!r}; there are {', '.join(names())}")
    try:
        game = thorp.game(given.game)
    except GameError as error:
        raise SystemExit(str(error)) from error
    who = given.player or players_for(game)
    if not given.player and LEVELS[LEARNED] not in who:
        print(f"{LEVELS[LEARNED]} is left out: {game.name} is learned for each table; name it with --player")
    for seats in (1, 4):
        if seats not in game.seats:
            continue
        for name in who:
            scores = scores_of(game, name, seats, given.games)
            low, middle, high = np.percentile(scores, (25, 50, 75))
            print(
                f"{given.games} games, {seats} seats, {name:7} mean {scores.mean():6.2f}, sd {scores.std():5.2f}, "
                f"quartiles {low:.0f} {middle:.0f} {high:.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
