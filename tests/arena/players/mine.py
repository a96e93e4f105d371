"""Players that are classes."""

from thorp.arena.host import Question
from thorp.core.game import AnyGame


class Greedy:
    """What the state, dealt again, is worth a move later by the game's own evaluation."""

    def __init__(self, game: AnyGame, seat: int, seats: int, options: dict[str, str]) -> None:
        print("what a class prints does not come among its answers")

    def choose(self, question: Question) -> int:
        return max(question.legal, key=lambda move: self._worth(question, move))

    @staticmethod
    def _worth(question: Question, move: int) -> int:
        state = question.game.copy(question.state)
        question.game.play(state, question.seat, move)
        return int(question.game.evaluate(state, question.seat))


class Modest:
    """The first move."""

    def __init__(self, game: AnyGame, seat: int, seats: int, options: dict[str, str]) -> None:
        pass

    def choose(self, question: Question) -> int:
        return next(iter(question.legal))


class Taught(Modest):
    """Would go by what was learned for its table, where something is."""

    learns = True
