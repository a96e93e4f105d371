"""Files of weights: what a net has learned, sealed, and known by the rules and features that it was learned with."""

from __future__ import annotations

import hashlib
import json
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from thorp.core.errors import GameError
from thorp.core.game import AnyGame
from thorp.core.net import Net
from thorp.core.ntuples import NTuples

#: The file of a game, in its package.
FILE = "learned.weights"


class WeightsError(GameError):
    """Weights that are missing, damaged, or of other rules."""


def file_of(game: AnyGame) -> Path:
    """Where the weights of a game are that come with it."""
    return Path(str(import_module(game.package).__file__)).parent / FILE


def learned_by(game: AnyGame) -> dict[str, Any]:
    """What weights have to say of themselves to be those of a game as it is now."""
    if game.net is None:
        raise WeightsError(f"{game.name} has no learned evaluation: its rules have no value")
    return {"game": game.id, "rules": game.rules_version, "features": game.net.digest}


def write_weights(path: Path, game: AnyGame, learned: Any, told: dict[str, Any]) -> None:
    """Write what was learned, and what is told about it, such as its seed.

    That is float32, `game.net.learned` of them; and as many again where another net has learned to expect (`judged`).
    """
    raw = np.asarray(learned, "<f4").tobytes()
    head = {**learned_by(game), **told, "digest": hashlib.sha256(raw).hexdigest()}
    # as a whole, or not at all: a run may be broken off while it writes
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(json.dumps(head).encode() + b"\n" + raw)
    part.replace(path)


def read_weights(game: AnyGame, path: Path | None = None) -> tuple[Any, dict[str, Any]]:
    """What was learned for a game, and what the file tells about it.

    Raises WeightsError where the file is missing, damaged, or of another game, rules or features, or the game is
    learned for each table.
    """
    wanted = learned_by(game)
    if isinstance(game.net, NTuples):
        raise WeightsError(f"{game.name} is learned for each table: there is no file of weights to play by")
    again = f"learn anew with thorp train {game.id}"
    if shipped := path is None:
        # nobody plays by what is learned anew as long as it lies elsewhere
        again = f"install {_brought_by(game)} anew, or copy the weights that thorp train {game.id} writes there"
    path = path or file_of(game)
    head: Any = None
    raw = b""
    try:
        line, _, raw = path.read_bytes().partition(b"\n")
        head = json.loads(line)
    except OSError as error:
        # a file that somebody names may be another one than is meant
        what = "are missing" if shipped and isinstance(error, FileNotFoundError) else "cannot be read"
        raise WeightsError(f"the weights {path} of {game.name} {what}; {again}") from error
    except (ValueError, RecursionError):
        head = None
    if not isinstance(head, dict) or head.get("digest") != hashlib.sha256(raw).hexdigest():
        raise WeightsError(f"the weights {path} of {game.name} are damaged; {again}")
    for name, what in (("game", "another game"), ("rules", "other rules"), ("features", "other features")):
        if head.get(name) != wanted[name]:
            raise WeightsError(f"the weights {path} are of {what} than {game.name} has now; {again}")
    net = game.net
    twice = isinstance(net, Net) and net.judged
    sizes = (net.learned, 2 * net.learned if twice else net.learned) if net else ()
    if len(raw) not in [4 * size for size in sizes] or not np.isfinite(learned := np.frombuffer(raw, "<f4")).all():
        raise WeightsError(f"the weights {path} of {game.name} are damaged; {again}")
    return learned, head


def _brought_by(game: AnyGame) -> str:
    return "Thorp" if game.package.startswith("thorp.") else game.package


def room(game: AnyGame, learned: Any = None) -> Any:
    """A row of weights as the rule `value` takes it, with room to reckon in: one for each thread.

    Of a game without a learned evaluation, a row of one number.
    """
    return np.zeros(1, np.float32) if game.net is None else game.net.row(learned)
