"""Connect Four: a game of somebody else's, with nothing hidden and nothing left to chance."""

from connect_four.face import View
from connect_four.rules import State
from thorp import Game, register

GAME: Game[State, View] = Game.of(
    __name__,
    name="Connect Four",
    seats=range(2, 3),
    credit="Connect Four, as everybody knows it",
    hidden=False,
    chance=False,
    least_score=0,
    most_score=1,
    most_moves=42,
)

register(GAME)
