"""Who sits at a seat: players by name, for any game of the contract."""

from thorp.players.players import called, choose, names

__all__ = ["called", "choose", "names"]
