"""What a player of somebody else's is asked, as JSON: all that its seat may know, and nothing else."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

import numpy as np

from thorp.compiling.mode import COMPILED
from thorp.core.errors import GameError
from thorp.core.game import AnyGame
from thorp.core.match import AnyMatch
from thorp.core.words import Card, Message, Seat, Term, say

#: Raised when what is asked or answered changes its form.
PROTOCOL = 1


def opening(match: AnyMatch, seat: int, seconds: float) -> dict[str, Any]:
    """What is said first: which game, which seat, and how long a choice may take. The seed is not told."""
    return {
        "type": "game",
        "protocol": PROTOCOL,
        "game": match.game.id,
        "package": match.game.package,
        "rules_version": match.game.rules_version,
        "seats": match.seats,
        "seat": seat,
        "options": dict(match.options),
        "seconds": seconds,
    }


def question(match: AnyMatch, seat: int, seed: int, seconds: float) -> dict[str, Any]:
    """What is asked of a seat: its view, what it may do, and the state with all dealt again that it cannot know."""
    game = match.game
    known = game.copy(match.state)
    game.determinize(known, seat, seed)
    return {
        "type": "choose",
        "prompt": say(game.face.prompt(known, seat)),
        "view": plain(game.face.view(known, seat)),
        "legal": [
            {"move": move, "words": say(game.face.offer(known, seat, move))} for move in game.legal_moves(known, seat)
        ],
        "state": base64.b64encode(game.bytes(known)).decode("ascii"),
        "seconds": seconds,
        "seed": seed,
    }


def ending(scores: list[int], standings: list[int]) -> dict[str, Any]:
    """How the game came out."""
    return {"type": "over", "scores": scores, "standings": standings}


def state_of(game: AnyGame, text: str) -> Any:
    """The state of a question, to be played on with the rules of the game, which has to be prepared.

    `text` is the Base64 text of the question as it came. Raises GameError for anything else.
    """
    try:
        record = np.frombuffer(bytearray(base64.b64decode(text, validate=True)), game.record.dtype)[0]
    except (TypeError, ValueError, IndexError) as error:
        raise GameError(f"a state of {game.name} is told as Base64, as it came with the question") from error
    return record if COMPILED else game.record.read(record)


def plain(value: Any) -> Any:
    """A view, or a part of it, as JSON has it: dataclasses as objects, words as text, seats as numbers."""
    if value is None or isinstance(value, bool | str | float):
        return value
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, Message):
        return say(value)
    if isinstance(value, Seat):
        return value.number
    if isinstance(value, Term):
        return value.text
    if isinstance(value, Card):
        return {"id": value.id, "name": value.name}
    if isinstance(value, Enum):
        return plain(value.value)
    if is_dataclass(value):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(each) for key, each in value.items()}
    if isinstance(value, frozenset | set):
        return sorted((plain(each) for each in value), key=repr)
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    raise TypeError(f"a view holds {value!r}, of which a program outside cannot be told")
