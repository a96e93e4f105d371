"""How Tiny Towns shows itself: what the contract asks for, by name; templates and style sheets."""

from thorp.games.tiny_towns.cards.describing import described
from thorp.games.tiny_towns.face.rule_cards import rule_cards
from thorp.games.tiny_towns.face.sheet import sheet
from thorp.games.tiny_towns.face.text import text
from thorp.games.tiny_towns.face.view import footprint_name, footprint_squares, neighbour, steps, view
from thorp.games.tiny_towns.face.why import why_not
from thorp.games.tiny_towns.face.words import follows, offer, prompt, tell
from thorp.games.tiny_towns.rules.placing import CAVERN_ROOM


def cavern_left(aside: int) -> int:
    """How many more cubes the Cavern takes from who has set so many aside."""
    return CAVERN_ROOM - aside


TOOLS = {
    "described": described,
    "footprint_name": footprint_name,
    "footprint_squares": footprint_squares,
    "cavern_left": cavern_left,
    "neighbour": neighbour,
}
