"""Villagers (Haakon Hoel Gaarder, 2019): the base game, for 1 to 5 seats."""

from thorp.games.villagers.game import GAME

__all__ = ["GAME"]
