"""What is refused: the text of each of these tells a person what to do."""


class GameError(ValueError):
    """Something asked of a game that its rules or options do not allow."""


class OptionError(GameError):
    """An option that is unknown, out of range or impossible with this number of seats."""


class IllegalMove(GameError):
    """A move that is not legal now, or a seat that is not there."""


class MatchFileError(GameError):
    """An exported match that is broken, edited or of another version."""


class ContractError(TypeError):
    """A game that is not as the contract asks for; `faults` has a sentence for each thing to be mended."""

    def __init__(self, package: str, faults: tuple[str, ...]) -> None:
        super().__init__("\n".join((f"{package} is not yet a game of the contract (docs/games.md):", *faults)))
        self.faults = faults
