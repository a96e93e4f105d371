"""The rules of Villages of Valeria, compiled: what the contract asks for, by name."""

from thorp.games.valeria.rules.deal import deal, determinize
from thorp.games.valeria.rules.evaluation import evaluate
from thorp.games.valeria.rules.learned import NET, value
from thorp.games.valeria.rules.moves import MOVES
from thorp.games.valeria.rules.owned import owned
from thorp.games.valeria.rules.playing import asked, legal, play
from thorp.games.valeria.rules.rounds import over, waiting
from thorp.games.valeria.rules.scoring import score, standing
from thorp.games.valeria.rules.state import State
