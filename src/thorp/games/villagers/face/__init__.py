"""How Villagers shows itself: what the contract asks for, by name; templates and style sheets."""

from thorp.games.villagers.face.beforehand import beforehand
from thorp.games.villagers.face.sheet import sheet
from thorp.games.villagers.face.text import text
from thorp.games.villagers.face.view import opening, steps, view
from thorp.games.villagers.face.words import follows, offer, prompt, tell
from thorp.games.villagers.rules.cards import EVENTS, VILLAGERS

TOOLS = {"opening": opening, "all_cards": lambda: (VILLAGERS, EVENTS)}
