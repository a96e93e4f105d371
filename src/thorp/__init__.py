"""Thorp: village-building tabletop games on one rules engine.

>>> import thorp
>>> list(thorp.game_ids())
['tiny-towns', 'valeria', 'villagers']
>>> match = thorp.Match("tiny-towns", seats=2, seed=1)
>>> match.play(match.waiting[0], match.legal(match.waiting[0])[0])
(Step(seat=0, move=0, forced=False),)

`thorp.Match` is a game being played, `thorp.players` are computer players, `thorp.analyse` judges a decision, and
`thorp.Game` is what a game of one's own is.
"""

from thorp import players
from thorp.core.errors import ContractError, GameError, IllegalMove, MatchFileError, OptionError
from thorp.core.game import Game
from thorp.core.match import Match
from thorp.core.registry import game, game_ids, register
from thorp.players import analyse

__all__ = [
    "ContractError",
    "Game",
    "GameError",
    "IllegalMove",
    "Match",
    "MatchFileError",
    "OptionError",
    "analyse",
    "game",
    "game_ids",
    "players",
    "register",
]
__version__ = "0.1.0"
