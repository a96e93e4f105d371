"""How Villages of Valeria shows itself: what the contract asks for, by name; templates and style sheets."""

from thorp.games.valeria.face.beforehand import beforehand
from thorp.games.valeria.face.prompts import prompt
from thorp.games.valeria.face.rule_cards import rule_cards
from thorp.games.valeria.face.sheet import sheet
from thorp.games.valeria.face.text import text
from thorp.games.valeria.face.view import steps, view
from thorp.games.valeria.face.why import why_not
from thorp.games.valeria.face.words import follows, offer, tell
