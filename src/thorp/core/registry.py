"""The games there are: those of Thorp, those that installed packages announce, and those registered by hand."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from textwrap import shorten
from traceback import extract_tb

from thorp.core.errors import ContractError, GameError, UnknownGame
from thorp.core.game import AnyGame, Game
from thorp.core.given import shown

log = logging.getLogger(__name__)

#: The group of entry points in which a package announces its games: `connect-four = "connect_four:GAME"`.
ENTRY_POINTS = "thorp.games"
#: The folder of Thorp's own games: a package there is a game.
_OWN = "thorp.games"

#: What an error says is cut to so many letters: a compiler's fills pages.
_MOST_SAID = 300

_registry: dict[str, AnyGame] = {}
#: Games of which was said that they cannot be used.
_said: set[str] = set()


class UnusableGame(ContractError, GameError):
    """A game whose package cannot be used; for who can do without it the same as one that is not installed."""

    def __init__(self, text: str, faults: tuple[str, ...] = ()) -> None:
        Exception.__init__(self, text)
        self.faults = faults or (text,)


def register(game: AnyGame) -> None:
    """Make a game known in this process, for games that no installed package announces."""
    _registry[game.id] = game


def game_ids() -> Sequence[str]:
    """The ids of all games."""
    return sorted({*_registry, *_own(), *(point.name for point in entry_points(group=ENTRY_POINTS))})


def game(id: str) -> AnyGame:
    """The game of that id; raises GameError where there is none, UnusableGame where it is broken."""
    if id not in _registry:
        announced = next((point for point in entry_points(group=ENTRY_POINTS) if point.name == id), None)
        if id in (own := _own()):
            _registry[id] = game_in(own[id])
        elif announced:
            _registry[id] = _announced(announced)
        else:
            raise UnknownGame("there is no game {game}; there are {games}", game=shown(id), games=game_ids())
    return _registry[id]


def usable(ids: Iterable[str], unsaid: str = "") -> Iterator[AnyGame]:
    """The games of these ids that can be used.

    Of each other one a line is logged, once in a process; of `unsaid` none is, since who asks for it is told anyway.
    """
    for id in ids:
        try:
            found = game(id)
        except UnusableGame as error:
            if id not in {*_said, unsaid}:
                _said.add(id)
                log.warning("the game %s cannot be used: %s", id, " ".join(str(error).splitlines()))
        else:
            yield found


def game_in(package: str, name: str = "GAME") -> AnyGame:
    """The game that a package brings by that name; raises UnusableGame where it cannot be imported, or has none."""
    try:
        found: object = import_module(package)
        for part in name.split("."):
            found = getattr(found, part, None)
    except ContractError as error:
        raise UnusableGame(str(error), error.faults) from error
    except (Exception, SystemExit) as error:
        raise UnusableGame(f"{package} cannot be imported: {in_a_line(error, package)}") from error
    if isinstance(found, Game):
        return found
    wrong = f"{package} has no {name}" if found is None else f"{name} of {package} is {shown(found)}, and no game"
    raise UnusableGame(f"{wrong}: write {name} = Game.of(__name__, name=..., seats=...) in its __init__.py")


def in_a_line(error: BaseException, package: str) -> str:
    """What an error says, in one line, with the place in that package where it arose."""
    said = shorten(f"{type(error).__name__}: {error}", _MOST_SAID, placeholder=" ...").rstrip(": ")
    inside = f"/{package.replace('.', '/')}"
    for frame in reversed(extract_tb(error.__traceback__)):
        _, found, file = Path(frame.filename).as_posix().rpartition(inside)
        # an error of syntax says its place by itself
        if found and not isinstance(error, SyntaxError):
            return f"{said} ({inside[1:]}{file}, line {frame.lineno})"
    return said


def _announced(point: EntryPoint) -> AnyGame:
    """The game of an entry point."""
    package, _, name = point.value.partition("[")[0].replace(" ", "").partition(":")
    if not name:
        raise UnusableGame(f'the package announces {point.name} = "{point.value}": write "{point.value}:GAME"')
    found = game_in(package, name)
    if found.id != point.name:
        said = f"The package announces {point.name!r}, and its game is {found.id!r}: write the same id."
        broken = ContractError(package, (said,))
        raise UnusableGame(str(broken), broken.faults)
    return found


def _own() -> dict[str, str]:
    """The packages of Thorp's own games, by id."""
    spec = find_spec(_OWN)
    found = iter_modules(spec.submodule_search_locations if spec else ())
    return {each.name.replace("_", "-"): f"{_OWN}.{each.name}" for each in found if each.ispkg}
