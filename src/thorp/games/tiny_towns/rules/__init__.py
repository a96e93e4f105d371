"""The rules of Tiny Towns, compiled: what the contract asks for, by name."""

from thorp.games.tiny_towns.rules.deal import deal, determinize
from thorp.games.tiny_towns.rules.evaluation import evaluate
from thorp.games.tiny_towns.rules.learned import NET, value
from thorp.games.tiny_towns.rules.moves import MOVES
from thorp.games.tiny_towns.rules.owned import owned
from thorp.games.tiny_towns.rules.playing import asked, legal, over, play
from thorp.games.tiny_towns.rules.rounds import waiting
from thorp.games.tiny_towns.rules.scoring import score, standing
from thorp.games.tiny_towns.rules.state import State
