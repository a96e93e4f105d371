"""How Villagers shows itself: what the contract asks for, by name; templates and style sheets."""

from thorp.games.villagers.face.beforehand import beforehand
from thorp.games.villagers.face.rule_cards import rule_cards
from thorp.games.villagers.face.sheet import rival, sheet
from thorp.games.villagers.face.text import text
from thorp.games.villagers.face.view import opening, steps, view
from thorp.games.villagers.face.why import why_not
from thorp.games.villagers.face.words import follows, offer, prompt, tell
from thorp.games.villagers.rules.cards import EVENTS, VILLAGERS

TOOLS = {"opening": opening, "all_cards": lambda: (VILLAGERS, EVENTS)}
