"""The check of reasons finds what is wrong with them: its own faults are put into a game that has none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import connect_four
import pytest
import toy

import thorp
from thorp.checks.reasons import things_on, what_cannot_be_chosen_says_why
from thorp.core.face import no_reason
from thorp.core.game import AnyGame
from thorp.core.registry import register
from thorp.core.why import why_not
from thorp.core.words import Message, say

Reason = Callable[[Any, int, str, tuple[str, ...]], Message | None]


def with_reason(game: AnyGame, reason: Reason) -> AnyGame:
    """The game, giving other reasons."""
    return replace(game, face=replace(game.face, why_not=reason))


def faults(game: AnyGame, reason: Reason) -> list[str]:
    register(game)
    game.prepare()
    return list(what_cannot_be_chosen_says_why(with_reason(game, reason), 30_000))


def test_a_game_need_not_say_why() -> None:
    assert toy.GAME.face.why_not is no_reason
    assert list(what_cannot_be_chosen_says_why(toy.GAME, 100)) == []


def test_where_things_are_asked_for_each_of_them_says_why() -> None:
    (fault,) = faults(connect_four.GAME, lambda state, seat, thing, chosen: None)
    assert "why_not does not say why" in fault
    assert fault.startswith("column-")


def test_a_reason_has_words() -> None:
    (fault,) = faults(connect_four.GAME, lambda state, seat, thing, chosen: Message(" "))
    assert "no reason is given" in fault


@pytest.mark.parametrize("hidden", [lambda game: game.deck[0], lambda game: game.chance[0]])
def test_a_reason_tells_no_secret(hidden: Callable[[Any], int]) -> None:
    game = thorp.game("valeria")

    def leaking(state: Any, seat: int, thing: str, chosen: tuple[str, ...]) -> Message:
        return Message("There are {n}.", {"n": hidden(game.plain(state))})

    (fault,) = faults(game, leaking)
    assert "depends on what the seat cannot know" in fault


def test_what_is_said_in_any_game() -> None:
    game = toy.GAME
    match = thorp.Match(game, 2, seed=1)
    offered = [game.face.steps(match.state, 0, move) for move in match.legal(0)]
    said = [why_not(game, match.state, 0, (thing,), (), offered) for thing in ("pick-0", "take-1")]
    assert said[0] is None
    assert say(said[1] or Message("")) == "Not now. Choose a stone in secret."
    while match.waiting != (0,):
        match.play(match.waiting[0], match.legal(match.waiting[0])[0])
    other = why_not(game, match.state, 1, ("take-1",), (), ())
    assert say(other or Message(""), ["Ada", "Birch"]) == "It is not your turn. Ada takes pebbles."
    # what is chosen already, and what could be chosen instead
    both = [("a", "b"), ("c", "d")]
    assert why_not(game, match.state, 0, ("a",), ("a",), both) is None
    assert why_not(game, match.state, 0, ("b",), ("a",), both) is None
    assert say(why_not(game, match.state, 0, ("d",), ("a",), both) or Message("")) == (
        "Step back to choose this instead."
    )
    assert why_not(game, match.state, 0, ("d",), ("x",), both) is None


def test_what_stands_on_a_page() -> None:
    html = '<b data-step="a-1 b-1"></b><i data-why="c"></i><i data-step=""></i><b data-step="a-1 b-1" disabled></b>'
    assert things_on(html) == [("a-1", "b-1"), ("c",)]
