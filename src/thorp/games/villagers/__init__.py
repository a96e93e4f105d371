"""Villagers (Haakon Hoel Gaarder, 2019): the base game, for 1 to 5 seats."""

from thorp.core.game import Game
from thorp.games.villagers.face.view import View
from thorp.games.villagers.rules.state import MAX_SEATS, State

GAME: Game[State, View] = Game.of(
    __name__,
    name="Villagers",
    seats=range(1, MAX_SEATS + 1),
    rules_version=3,
    goal="Draft villagers and build chains of trades, to have most gold after two markets.",
    least_score=0,
    # 122 cards, some with gold at both markets, some with silver for what a village of them all would show
    most_score=3000,
    # each of the 92 cards of the deck is drafted and built, or given up for one of the 30 basic villagers
    most_moves=1000,
    credit="Villagers by Haakon Hoel Gaarder, Sinister Fish Games, 2019",
)
