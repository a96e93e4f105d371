"""Options of a game on the command line: NAME=VALUE, or NAME=FILE where the option accepts a file."""

from collections.abc import Sequence
from pathlib import Path

from thorp.core.errors import OptionError
from thorp.core.game import AnyGame


def read_options(game: AnyGame, given: Sequence[str]) -> dict[str, str]:
    """What was chosen, as `Game.options_for` takes it. Raises OptionError."""
    chosen = {}
    for pair in given:
        name, sign, value = pair.partition("=")
        if not sign:
            raise OptionError("an option is given as NAME=VALUE, not {given}", given=repr(pair))
        takes_file = any(option.id == name and option.file and value not in option.values for option in game.options)
        chosen[name] = _text(Path(value)) if takes_file else value
    return chosen


def _text(path: Path) -> str:
    try:
        # with the mark that some editors begin a file with, or without
        return path.read_text("utf-8-sig")
    except OSError as error:
        raise OptionError("{file} cannot be read: {error}", file=path, error=error.strerror) from error
    except UnicodeDecodeError as error:
        raise OptionError("{file} is not text in UTF-8", file=path) from error
