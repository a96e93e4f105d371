"""Villagers (Haakon Hoel Gaarder, 2019): the base game, for 1 to 5 seats."""

from thorp.core.game import Game
from thorp.games.villagers.face.view import View
from thorp.games.villagers.rules.state import MAX_SEATS, State

GAME: Game[State, View] = Game.of(
    __name__,
    name="Villagers",
    seats=range(1, MAX_SEATS + 1),
    rules_version=3,
    credit="Villagers by Haakon Hoel Gaarder, Sinister Fish Games, 2019",
)
