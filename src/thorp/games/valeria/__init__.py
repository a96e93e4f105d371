"""Villages of Valeria (Rick Holzgrafe, Isaias Vallejo, 2017): the base game, for 1 to 5 seats."""

from thorp.core.game import Game
from thorp.games.valeria.face.view import View
from thorp.games.valeria.rules.state import MAX_SEATS, State

GAME: Game[State, View] = Game.of(
    __name__,
    name="Villages of Valeria",
    seats=range(1, MAX_SEATS + 1),
    # raised by every change of the Thorp deck that alters recorded matches, too
    rules_version=6,
    least_score=0,
    # twelve buildings of at most 7 points, a handful of adventurers, and what they count
    most_score=250,
    # a hundred cards can be built, joined or developed, and between two of these the idle end lets few rounds pass
    most_moves=2_000_000,
    credit="Villages of Valeria by Rick Holzgrafe and Isaias Vallejo, Daily Magic Games, 2017",
    goal="Lead actions that others may follow, and build the village that is worth most points.",
    # in the log: one turn, with all that follow it
    round_word="Turn",
    # nearly always there is another move about as good
    overlooks={"skilled": 48, "strong": 22},
)
