"""Tiny Towns (Peter McPherson, 2019): the base game, for 1 to 6 seats."""

from thorp.core.game import Game
from thorp.games.tiny_towns.face.view import View
from thorp.games.tiny_towns.rules.state import MAX_SEATS, State

GAME: Game[State, View] = Game.of(
    __name__,
    name="Tiny Towns",
    seats=range(1, MAX_SEATS + 1),
    rules_version=1,
    credit="Tiny Towns by Peter McPherson, Alderac Entertainment Group, 2019",
    goal="Turn cubes into buildings on your 16 squares, and make the town that is worth most points.",
    first="First game",
    simultaneous=True,
    # a cube lies where it lies: who overlooks one square in three has a town with nothing in it
    looks=2,
    # who thinks of it looks more closely still, or it builds hardly more than who does not
    overlooks={"skilled": 12, "strong": 2},
    # alone: once all fifteen resource cards have been seen, they come again in the order in which they were taken
    foreseeable=True,
    # 16 Warehouses with three cubes each; and nothing gives more than 8 points a square over a whole town, but for the
    # one monument that may give 17
    least_score=-48,
    most_score=140,
    # a cube a round goes to stay or into one of 16 buildings of at most six; few rounds place none
    most_moves=6000,
)
