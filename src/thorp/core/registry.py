"""The games there are: those of Thorp, those that installed packages announce, and those registered by hand."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pkgutil import iter_modules

from thorp.core.errors import ContractError, UnknownGame
from thorp.core.game import AnyGame
from thorp.core.given import shown

#: The group of entry points in which a package announces its games: `connect-four = "connect_four:GAME"`.
ENTRY_POINTS = "thorp.games"
#: The folder of Thorp's own games: a package there is a game.
_OWN = "thorp.games"

_registry: dict[str, AnyGame] = {}


def register(game: AnyGame) -> None:
    """Make a game known in this process, for games that no installed package announces."""
    _registry[game.id] = game


def game_ids() -> Sequence[str]:
    """The ids of all games."""
    return sorted({*_registry, *_own(), *(point.name for point in entry_points(group=ENTRY_POINTS))})


def game(id: str) -> AnyGame:
    """The game of that id; raises GameError where there is none, ContractError where it is broken."""
    if id not in _registry:
        announced = next((point for point in entry_points(group=ENTRY_POINTS) if point.name == id), None)
        if id in (own := _own()):
            _registry[id] = import_module(own[id]).GAME
        elif announced:
            found: AnyGame = announced.load()
            if found.id != id:
                said = f"The package announces {id!r}, and its game is {found.id!r}: write the same id."
                raise ContractError(announced.value.partition(":")[0], (said,))
            _registry[id] = found
        else:
            raise UnknownGame("there is no game {game}; there are {games}", game=shown(id), games=game_ids())
    return _registry[id]


def _own() -> dict[str, str]:
    """The packages of Thorp's own games, by id."""
    spec = find_spec(_OWN)
    found = iter_modules(spec.submodule_search_locations if spec else ())
    return {each.name.replace("_", "-"): f"{_OWN}.{each.name}" for each in found if each.ispkg}
