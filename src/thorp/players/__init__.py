"""Who sits at a seat: players by name, for any game of the contract."""

from thorp.players.players import choose, names

__all__ = ["choose", "names"]
