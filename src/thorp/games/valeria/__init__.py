"""Villages of Valeria (Rick Holzgrafe, Isaias Vallejo, 2017): the base game, for 1 to 5 seats."""

from thorp.games.valeria.game import GAME

__all__ = ["GAME"]
