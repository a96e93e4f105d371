"""Pebbles: the toy game, put together and made known."""

from thorp.core.game import Game
from thorp.core.registry import register
from toy.rules import MAX_SEATS

GAME = Game.of(
    __name__,
    id="pebbles",
    name="Pebbles",
    seats=range(1, MAX_SEATS + 1),
    credit="Pebbles, a game for tests",
    simultaneous=True,
)

register(GAME)
