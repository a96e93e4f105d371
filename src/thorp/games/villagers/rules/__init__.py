"""The rules of Villagers, compiled: what the contract asks for, by name."""

from thorp.games.villagers.rules.deal import deal, determinize, redeal
from thorp.games.villagers.rules.evaluation import evaluate
from thorp.games.villagers.rules.learned import NET, value
from thorp.games.villagers.rules.moves import MOVES
from thorp.games.villagers.rules.owned import owned
from thorp.games.villagers.rules.playing import asked, legal, play
from thorp.games.villagers.rules.rounds import over, waiting
from thorp.games.villagers.rules.scoring import score, standing
from thorp.games.villagers.rules.state import State
