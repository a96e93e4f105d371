"""Thorp: village-building tabletop games on one rules engine.

>>> import thorp
>>> thorp.game_ids()
['tiny-towns', 'villagers']
"""

from thorp.core.game import Game, GameError, IllegalMove, OptionError, game, game_ids, register
from thorp.core.match import Match, MatchFileError

__all__ = [
    "Game",
    "GameError",
    "IllegalMove",
    "Match",
    "MatchFileError",
    "OptionError",
    "game",
    "game_ids",
    "register",
]
__version__ = "0.1.0"
