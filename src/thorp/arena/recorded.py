"""A game of a contest as a match: to be replayed, analysed, or gone on from at a table."""

from __future__ import annotations

from thorp.arena.entrants import entrant
from thorp.arena.lineups import Lineup
from thorp.arena.results import Results
from thorp.arena.tables import Chairs, moves_in, play_game
from thorp.arena.work import is_compiled
from thorp.core.errors import GameError
from thorp.core.game import AnyGame
from thorp.core.match import AnyMatch, Match


def match_of(game: AnyGame, results: Results, lineup: Lineup, seed: int, nth: int) -> AnyMatch:
    """One game of a deal: the seating `nth` from 0, as `games.parquet` counts it.

    A game that a player lost without playing on ends where it broke off. Games in compiled code keep no moves: they are
    played again. Raises GameError where there is no such game, where it was played before moves were kept, or where
    its players play otherwise today.
    """
    if not results.has(lineup, seed):
        raise GameError(f"{results.path} has no deal {seed} of {lineup.words}")
    games, seatings = results.get(lineup, seed).games, lineup.seatings
    if not 0 <= nth < len(games):
        raise GameError(f"a deal of {lineup.words} has the games 0 to {len(games) - 1}, no game {nth}")
    outcome, about = games[nth], results.about or {}
    match: AnyMatch = Match(game, about["seats"], about["options"], seed, forced=False)
    moves = outcome.moves
    if moves is None and is_compiled(game, lineup):
        moves = play_game(game, match.options, seed, [entrant(name) for name in seatings[nth]], Chairs(), 0.0).moves
    if moves is None:
        raise GameError(f"{results.path} does not have the moves of deal {seed}: it was played by an older Thorp")
    try:
        for seat, move in moves_in(moves):
            match.play(seat, move)
    except GameError as error:
        raise GameError(f"{results.path} has other moves of deal {seed} than were played: {error}") from error
    if list(match.scores) != outcome.scores:
        raise GameError(f"deal {seed} came out otherwise than {results.path} has it: its players have changed since")
    return match
