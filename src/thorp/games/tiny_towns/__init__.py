"""Tiny Towns (Peter McPherson, 2019): the base game, for 1 to 6 seats."""

from thorp.games.tiny_towns.game import GAME

__all__ = ["GAME"]
