"""Guides: reading their files, conditions, and which step is said when."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import toy

from thorp.core.guide import Facts, Guide, GuideError, guide_of, read_guide
from thorp.core.match import Match

DEAL: dict[str, Any] = {"seed": 7, "seats": 2, "bot": "greedy", "closing": "The end."}


def guide(*steps: dict[str, Any], **more: Any) -> Guide:
    """A guide of Pebbles."""
    return read_guide(toy.GAME, {**DEAL, "step": [*steps], **more})


def step(id: str, **more: Any) -> dict[str, Any]:
    return {"id": id, "say": f"This is {id}.", **more}


def faults(*steps: dict[str, Any], **more: Any) -> str:
    """What is wrong with a guide."""
    with pytest.raises(GuideError) as raised:
        guide(*steps, **more)
    return "\n".join(raised.value.faults)


def facts(*families: str, over: bool = False) -> Facts:
    """The beginning of a match in which the seat has made these moves."""
    match = Match(toy.GAME, 2, {}, 7, forced=False)
    own = Facts.of(match, 0)
    return Facts(own.view, 0, over, {family: families.count(family) for family in families}, own.offers)


def said(found: Guide, read: int = 0, *families: str, over: bool = False) -> str:
    """The id of the step that is said, "" at the end."""
    now = found.now(facts(*families, over=over), read)
    return now.step.id if now.step else ""


def test_a_game_may_have_no_guide(tmp_path) -> None:
    assert guide_of(toy.GAME) is not None
    from dataclasses import replace

    assert guide_of(replace(toy.GAME, folder=tmp_path)) is None


def test_steps_that_are_read_and_steps_that_are_done_come_in_order() -> None:
    found = guide(step("one"), step("two", done="made('pick') >= 1"), step("three"))
    assert [said(found), said(found, 1), said(found, 1, "pick"), said(found, 3, "pick")] == ["one", "two", "three", ""]
    # What is done already is not asked for.
    assert said(found, 1, "pick") == "three"


def test_who_plays_on_without_reading_is_past_what_was_explained_before() -> None:
    found = guide(step("one"), step("two", done="made('pick') >= 1"), step("three"), step("four"))
    assert [said(found), said(found, 0, "pick"), said(found, 3, "pick")] == ["one", "three", "four"]
    found = guide(step("one"), step("two", done="made('pick') >= 2", moot="made('pick') >= 1"), step("three"))
    assert said(found, 0, "pick") == "three"
    # What somebody did earlier than it was asked for says nothing of what is explained after the next step.
    found = guide(
        *(step("one"), step("two", done="made('pick') >= 9"), step("three"), step("four", done="made('take') >= 1"))
    )
    assert said(found, 0, "take") == "one"


def test_a_step_that_has_become_pointless_is_passed_over() -> None:
    found = guide(step("one", done="made('pick') >= 2", moot="view.round > 0 and made('take') >= 1"), step("two"))
    assert said(found, 0, "pick") == "one"
    assert said(found, 0, "take") in ("one", "two")
    assert said(found, 0, over=True) == "two"


def test_the_first_sentence_that_fits_is_said() -> None:
    instead = [{"say": "It is zero.", "when": "made('pick') == 0"}, {"say": "Something else."}]
    found = guide(step("one", done="made('pick') >= 3", when="made('pick') == 1", instead=instead))

    def sentence(*families: str) -> str:
        saying = found.now(facts(*families), 0).saying
        return saying.text if saying else ""

    assert sentence() == "It is zero."
    assert sentence("pick") == "This is one."
    assert sentence("pick", "pick") == "Something else."


def test_what_cannot_be_done_is_not_asked_for() -> None:
    instead = [{"say": "Choose marble.", "do": "pick-2"}]
    found = guide(step("one", do="pick-9", done="made('pick') >= 1", instead=instead))
    saying = found.now(facts(), 0).saying
    assert saying is not None
    assert saying.do == ("pick-2",)


def test_what_is_asked_for_is_a_move_that_brings_the_step_to_its_end() -> None:
    """The same can be clicked for moves of other families, as to give up a card that is to be built."""
    saying = guide(step("one", do="pick-2", done="made('pick') >= 1")).now(facts(), 0).saying
    assert saying is not None
    assert guide(step("one", do="pick-2", done="made('take') >= 1")).now(facts(), 0).saying is None
    # Where nothing is counted any move is one.
    assert guide(step("one", do="pick-2", done="view.round >= 99")).now(facts(), 0).saying is not None


def test_where_nothing_fits_the_guide_is_quiet() -> None:
    now = guide(step("one", when="over"), step("two")).now(facts(), 0)
    assert now.step is not None
    assert (now.step.id, now.saying) == ("one", None)


@pytest.mark.parametrize(
    ("condition", "fault"),
    [
        ("made('pick')) >= 1", "is no condition"),
        ("view.__class__", "asks for '__class__'"),
        ("open('x')", "names 'open'"),
        ("view.points.index(1)", "calls what it may not"),
        ("sorted(view.points)", "names 'sorted'"),
        ("made('build') > 1", "the families of moves are pick, take"),
        ("made(seat)", "the families of moves are pick, take"),
        ("(lambda: 1)()", "has a Lambda"),
        ("[n for n in view.points]", "has a ListComp"),
        ("f'{view}'", "has a JoinedStr"),
        ("'a' * 10 ** 9", "has a Mult"),
        ("(n := 1)", "has a NamedExpr"),
    ],
)
def test_conditions_are_data_and_no_code(condition: str, fault: str) -> None:
    assert fault in faults(step("one", done=condition))


def test_conditions_look_at_what_the_seat_sees() -> None:
    for text in (
        "view.heap >= 0 and seat == 0 and not over",
        "any(points == 0 for points in view.points)",
        "sum(1 for points in view.points if points == 0) == len(view.points)",
        "offered('pick') and not offered('take') and view.secrets[1] is None",
    ):
        found = guide(step("one", when=text)).now(facts(), 0)
        assert found.saying is not None, text


def test_a_condition_that_cannot_be_told_is_a_fault() -> None:
    with pytest.raises(GuideError, match=r"'view\.pebbles' fails"):
        guide(step("one", when="view.pebbles")).now(facts(), 0)


@pytest.mark.parametrize(
    ("steps", "more", "fault"),
    [
        ([step("one")], {"seats": 9}, "it cannot be dealt"),
        ([step("one")], {"options": {"no": "such"}}, "it cannot be dealt: Pebbles has no option 'no'"),
        ([step("one")], {"seat": 2}, "seat 2 is none of the 2 seats"),
        ([step("one")], {"seed": -1}, "seed has to be"),
        ([step("one")], {"seed": True}, "seed of the guide has to be a number"),
        ([step("one")], {"course": ["pick-1"]}, "course of the guide has to be a text"),
        ([step("one")], {"sed": 1}, "the guide has 'sed', which means nothing"),
        ([], {}, "it has no steps"),
        ([step("one"), step("one")], {}, "two steps are called 'one'"),
        ([step("one", words="x")], {}, "step 'one' has 'words'"),
        ([{"say": "Hm."}], {}, "step 1 has no id"),
        ([step("one", do="pick-1")], {}, "step 'one' asks to do something, and does not say when that is done"),
        ([step("one", instead=[{"at": "x"}])], {}, "what step 'one' says instead has no say"),
        ([step("one", instead="x")], {}, "instead of step 'one' has to be a list of tables"),
        ([step("one", instead=["x"])], {}, "instead of step 'one' has to be a list of tables"),
        ([{"id": "one", "say": "Hm, {who}."}], {}, "braces may only hold rival"),
        ([{"id": "one", "say": "Hm, {."}], {}, "braces may only hold rival"),
    ],
)
def test_faults_of_a_file_are_told(steps: list[dict[str, Any]], more: dict[str, Any], fault: str) -> None:
    assert fault in faults(*steps, **more)


# --- the course -------------------------------------------------------------------------------------------------


def test_the_rival_chooses_what_the_course_says_one_choice_after_the_other() -> None:
    found = guide(step("one"), course="pick-2,\n take-1")
    match = Match(toy.GAME, 2, {}, 7, forced=False)
    for steps in (("pick-2",), ("take-1",)):
        while 1 not in match.waiting:
            match.play(0, match.legal(0)[0])
        move = found.has_chosen(match, 1)
        assert move is not None
        assert toy.GAME.face.steps(match.state, 1, move) == steps
        # The person chooses by itself.
        assert found.has_chosen(match, 0) is None
        match.play(1, move)
    while 1 not in match.waiting:
        match.play(0, match.legal(0)[0])
    assert found.has_chosen(match, 1) is None


def test_a_choice_that_cannot_be_made_is_left_to_the_bot() -> None:
    match = Match(toy.GAME, 2, {}, 7, forced=False)
    assert guide(step("one"), course="pick-9").has_chosen(match, 1) is None
    assert guide(step("one")).has_chosen(match, 1) is None


def test_the_page_about_games_shows_the_guide_that_it_names() -> None:
    tests = Path(__file__).parents[1]
    page = (tests.parent / "docs" / "games.md").read_text("utf-8")
    named = re.search(r"that of\s`tests/(\w+)`:\n\n```toml\n(.*?)```", page, re.DOTALL)
    assert named
    assert named[2] == (tests / named[1] / "guide.toml").read_text("utf-8")
