"""`thorp check GAME`: whether a game keeps what its players, the server and the library rely on."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

from thorp.checks import CHECKS, Check, faults
from thorp.compiling.preparing import show_progress
from thorp.core.errors import ContractError
from thorp.core.game import AnyGame
from thorp.core.registry import game as find_game
from thorp.core.registry import game_ids, game_in


def check(name: str, games: int) -> int:
    """Run all checks on a game, given by its id or as a package; 0 where it keeps all that could be looked at here."""
    try:
        game = _find(name)
    except ContractError as error:
        print(error, file=sys.stderr)
        return 1
    try:
        game.prepare(show_progress)
    except Exception as error:
        # whatever the compiler does not like: it says where
        print(f"The rules of {game.name} cannot be compiled: {error}", file=sys.stderr)
        return 1

    left: list[str] = []

    def tell(check: Check, found: list[str]) -> None:
        print(f"{'no ' if found else 'yes'}  {_about(check)}", flush=True)
        for fault in found[:5]:
            print(f"     {fault}")
        if len(found) > 5:
            print(f"     and {len(found) - 5} more")

    def unmade(check: Check, why: str) -> None:
        left.append(why)
        print(f"--   {_about(check)} (not looked at: {why})", flush=True)

    found = faults(game, games, CHECKS, tell, unmade)
    if found:
        print(f"{game.name} does not keep the contract yet.")
    elif left:
        not_made = f"{len(left)} of {len(CHECKS)} checks were not made"
        print(f"{game.name} keeps the contract, as far as was looked: {not_made}.")
    else:
        print(f"{game.name} keeps the contract.")
    return 1 if found else 0


def _about(check: Check) -> str:
    return (check.__doc__ or check.__name__).splitlines()[0]


def _find(name: str) -> AnyGame:
    # a package that is being written lies where the command is given
    sys.path.append(str(Path.cwd()))
    if name not in game_ids() and is_package(name):
        return game_in(name)
    return find_game(name)


def is_package(name: str) -> bool:
    """Whether a name such as `games.connect_four` can be imported."""
    try:
        return all(part.isidentifier() for part in name.split(".")) and find_spec(name) is not None
    except ModuleNotFoundError as error:
        # else the package around it is there, and needs another that is not
        return not f"{name}.".startswith(f"{error.name}.")
    except (Exception, SystemExit):
        # the package around it fails: who imports it says how
        return True
