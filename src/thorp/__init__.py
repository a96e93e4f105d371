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

from typing import TYPE_CHECKING

if TYPE_CHECKING:
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

#: In which module each of these is found.
_FOUND = {
    **dict.fromkeys(("ContractError", "GameError", "IllegalMove", "MatchFileError", "OptionError"), "core.errors"),
    **dict.fromkeys(("game", "game_ids", "register"), "core.registry"),
    "Game": "core.game",
    "Match": "core.match",
    "analyse": "players",
}

if not TYPE_CHECKING:

    def __getattr__(name):
        """Imported when it is asked for: the command line has to see to Ctrl-C before that takes its time."""
        from importlib import import_module

        if name == "players":
            return import_module(f"{__name__}.players")
        if name not in _FOUND:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = globals()[name] = getattr(import_module(f"{__name__}.{_FOUND[name]}"), name)
        return found

    def __dir__():
        """What is there, imported or not."""
        return sorted({*globals(), *__all__})
