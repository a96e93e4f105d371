"""Why not, in Tiny Towns: the reasons that its rules give."""

from __future__ import annotations

from typing import Any

import pytest

from games.tiny_towns.town import square, table, town
from thorp.core.why import why_not
from thorp.core.words import say
from thorp.games.tiny_towns import GAME
from thorp.games.tiny_towns.rules import state


def why(at: Any, thing: str, *chosen: str, seat: int = 0) -> str:
    """What a seat is told; empty where that can be chosen."""
    offered = [GAME.face.steps(at.state, seat, move) for move in GAME.legal_moves(at.state, seat)]
    found = why_not(GAME, at.state, seat, (thing,), chosen, offered)
    return "" if found is None else say(found, ["Ada", "Birch", "Cedar"])


def on(name: str) -> str:
    return f"square-{square(name)}"


def test_a_taken_square() -> None:
    at = table(town("W Cot", hand="brick"), "")
    assert why(at, on("A1")) == "A1 is occupied by wood."
    assert why(at, on("B1")) == "B1 is occupied by Cottage."
    assert why(at, on("C1")) == ""


def test_whose_turn_it_is() -> None:
    at = table(town(task=state.WAIT), town(hand="wood"))
    assert why(at, on("A1")) == "It is not your turn. Waiting for Birch."
    at = table(town(task=state.WAIT), town(task=state.NAME), builder=1)
    assert why(at, "resource-0") == "It is not your turn. Birch names a resource."


def test_something_else_is_asked() -> None:
    at = table(town(task=state.NAME), "", builder=0)
    assert why(at, on("A1")) == "Not now. Name a resource: everybody places one."
    at = table(town(hand="glass"), "")
    assert why(at, "card-0") == "Place the glass first; then you may build."
    assert why(at, "resource-3") == "The glass is in your hand: choose a square for it."
    assert why(at, "resource-0") == "You place the glass of this round."
    assert why(at, "hand") == "This is the glass in your hand: choose a square for it."
    assert why(at, "town-1") == "Everybody builds in their own town."


def test_what_is_missing_for_a_building() -> None:
    # a Well is wood and stone, side by side
    at = table("W . . . / . . . B", "")
    assert why(at, "card-2") == "You lack stone (0 of 1) for Well."
    assert why(at, on("A1")) == "The wood on A1 is in no pattern that you can build now."
    assert why(at, on("B1")) == "B1 is empty: a building goes where cubes of its pattern lie."
    at = table("W . . . / . S . .", "")
    assert why(at, "card-2") == "Your cubes do not lie in the pattern of Well."
    at = table("W S . B", "")
    assert why(at, "card-2") == ""
    assert why(at, on("D1"), "card-2") == "The brick on D1 is in no pattern of Well."
    assert why(at, on("A2"), "card-2") == "A2 is empty: Well goes where cubes of its pattern lie."
    assert why(at, "resource-0") == "The resource of this round is placed: build, or say that you are done."


def test_which_squares_a_pattern_has() -> None:
    at = table("W S W .", "")
    (foot, *_) = {steps[1] for steps in _built(at) if on("A1") in steps}
    assert why(at, on("C1"), "card-2", foot) == "C1 is not one of the squares that you have chosen."
    assert why(at, "card-0", "card-2").startswith("You lack ")


def _built(at: Any) -> list[tuple[str, ...]]:
    steps = [GAME.face.steps(at.state, 0, move) for move in GAME.legal_moves(at.state, 0)]
    return [each for each in steps if len(each) == 3]


def test_monuments() -> None:
    at = table(town("Mon W", monument="grove_university"), "")
    assert why(at, "card-7") == "Grove University stands in your town already."
    at = table(town("Mon Cot W", monument="architects_guild", task=state.REPLACE, replacements=2), "")
    assert why(at, on("A1")) == "A monument stays where it is: only other buildings are replaced."
    assert why(at, on("C1")) == "No building stands on C1."
    assert why(at, "card-0", on("B1")) == "Cottage stands there: choose another type."
    assert why(at, on("B1")) == ""
    at = table(town("Mon W", monument="grove_university", task=state.GRANT), "")
    assert why(at, on("B1")) == "B1 is occupied by wood."
    assert why(at, "card-7") == "Only buildings of the seven types come by it, no monument."
    at = table(town("Mon", monument="opaleyes_watch", watch="cottage", watch_room=2, task=state.STOCK), "")
    assert why(at, "card-0") == "Cottage lies on Opaleye's Watch already."


@pytest.mark.parametrize(
    ("picture", "hand", "builder", "thing", "words"),
    [
        ("Fac:W", "wood", 1, "resource-1", ""),
        ("Fac:W", "wheat", 1, "resource-0", "No Factory of yours holds wheat, so you place wheat."),
        (
            "Fac:W",
            "wood",
            0,
            "resource-1",
            "You have chosen wood yourself: Factory helps when another player has.",
        ),
        ("War:WWT", "brick", 1, "square-0", "Warehouse is full: it holds 3 cubes."),
        (
            "War:WT",
            "brick",
            0,
            "square-0",
            "Warehouse takes only a resource that another player has named.",
        ),
    ],
)
def test_factories(picture: str, hand: str, builder: int, thing: str, words: str) -> None:
    at = table(town(picture, hand=hand), town(hand=hand), builder=builder)
    store = thing.replace("square", "store")
    offered = [GAME.face.steps(at.state, 0, move) for move in GAME.legal_moves(at.state, 0)]
    found = why_not(GAME, at.state, 0, (thing, store), (), offered)
    assert ("" if found is None else say(found)) == words


def test_banks() -> None:
    at = table(town("Ban:W", task=state.NAME), "", builder=0)
    assert why(at, "resource-0") == "You cannot name wood: it lies on a Bank of yours."
    assert why(at, "resource-1") == ""
    at = table(town("Ban:W Ban:T Ban:B Ban:G / Ban:S W S"), "")
    assert why(at, "card-6") == "Every resource lies on a Bank of yours: there can be no more of them."


def test_alone() -> None:
    at = table(town(task=state.NAME))
    assert why(at, "resource-4") == "No open card shows stone."
    assert why(at, "open-4") == "No open card shows stone."
    assert why(at, "resource-0") == ""
