"""Who sits at a seat: players by name, for any game of the contract."""

from thorp.players.players import called, choose, choose_in, get_ready, levels, names, seconds, usual
from thorp.players.search import Judged, Stop, Thought, Way

__all__ = [
    "Judged",
    "Stop",
    "Thought",
    "Way",
    "called",
    "choose",
    "choose_in",
    "get_ready",
    "levels",
    "names",
    "seconds",
    "usual",
]
