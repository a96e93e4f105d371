"""Why something that a table shows cannot be chosen now: the game's own reason, or one that is true of any game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from thorp.core.game import AnyGame
from thorp.core.words import Message


def why_not(
    game: AnyGame, state: Any, seat: int, things: tuple[str, ...], chosen: tuple[str, ...], offered: Iterable[Any]
) -> Message | None:
    """Why a seat cannot choose what stands for these steps, after it has chosen others; None where it can.

    `offered` are the steps of each of its moves. What was chosen and leads nowhere any more counts as not chosen.
    """
    offers = [frozenset(steps) for steps in offered]
    left = [steps for steps in offers if steps.issuperset(chosen)]
    if not left:
        chosen, left = (), offers
    if any(thing in chosen or any(thing in steps for steps in left) for thing in things):
        return None
    prompt = game.face.prompt(state, seat)
    if game.over(state):
        return prompt
    if not int(game.waiting(state)) >> seat & 1:
        return Message("It is not your turn. {prompt}", {"prompt": prompt})
    if reason := game.face.why_not(state, seat, things[0], chosen):
        return reason
    if any(thing in steps for thing in things for steps in offers):
        return Message("Step back to choose this instead.")
    return Message("Not now. {prompt}", {"prompt": prompt})
