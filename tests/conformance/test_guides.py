"""Guided first games in the engine: who does what is said is told everything, and who does not is answered."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import connect_four
import pytest
import toy

import thorp.players
from thorp.checks.guides import obedient, play_guided, stubborn, the_guide_leads_to_its_end
from thorp.core.guide import Guide, Now, guide_of
from thorp.core.match import AnyMatch
from thorp.core.registry import game as find_game
from thorp.core.registry import register

register(connect_four.GAME)

OWN = ("tiny-towns", "villagers", "valeria")
GAMES = (*OWN, connect_four.GAME.id, toy.GAME.id)


def _guide(game: str) -> Guide:
    found = guide_of(find_game(game))
    assert found is not None, f"{game} has no guide"
    return found


@pytest.mark.parametrize("game", GAMES)
def test_who_does_what_is_said_is_told_every_step_in_order(game: str) -> None:
    guide = _guide(game)
    said: list[str] = []
    for moment in play_guided(find_game(game), guide, obedient(guide)):
        now = moment.now
        if now.step and now.saying and now.step.id not in said[-1:]:
            said.append(now.step.id)
        if now.saying and now.saying.do:
            assert moment.move is not None
            steps = moment.match.game.face.steps(moment.match.state, guide.seat, moment.move)
            assert set(now.saying.do) <= set(steps)
    assert said == [step.id for step in guide.steps]


@pytest.mark.parametrize("game", OWN)
def test_the_guided_game_is_played_to_its_end(game: str) -> None:
    guide = _guide(game)
    *_, last = play_guided(find_game(game), guide, obedient(guide))
    assert last.match.over
    assert last.now.step is None


@pytest.mark.parametrize("game", OWN)
@pytest.mark.parametrize("seed", range(3))
def test_who_does_not_is_led_on_and_hears_nothing_untrue(game: str, seed: int) -> None:
    """No step comes back, none stays for ever, nothing is asked for that cannot be done, and there is always a word."""
    guide, before, last = _guide(game), -1, None
    # What is explained after all that is asked for may wait for a turn of the person.
    taught = max(index for index, step in enumerate(guide.steps) if step.done)
    for moment in play_guided(find_game(game), guide, stubborn(guide, random.Random(seed))):
        now = last = moment.now
        assert now.index >= before
        before = now.index
        assert now.saying or moment.move is None or now.index > taught
        if now.saying and now.saying.do:
            assert now.step
            counted = now.step.done.counts if now.step.done else ()
            assert any(
                set(now.saying.do) <= set(moment.match.game.face.steps(moment.match.state, guide.seat, move))
                for move in moment.match.legal(guide.seat)
                if not counted or moment.match.game.moves.decode(move).family in counted
            )
    assert last is not None
    assert last.step is None


@pytest.mark.parametrize("game", OWN)
def test_what_is_to_be_read_goes_as_one_plays_on(game: str) -> None:
    """Nobody has to go on from it: it is gone after the next turn, and what is said later comes in time."""
    guide = _guide(game)
    first: dict[int, int] = {}
    taught = [step.id for step in guide.steps].index("on-your-own")
    for moment in play_guided(find_game(game), guide, obedient(guide), reads=False):
        now, round = moment.now, moment.match.view(guide.seat).round
        if now.saying:
            assert round - first.setdefault(now.index, round) <= 2 or now.index > taught, now.step
    assert {*range(taught + 1, len(guide.steps))} <= {*first}


@pytest.mark.parametrize("family", ["develop", "harvest"])
def test_valeria_does_not_advise_to_give_up_what_is_to_be_built(family: str) -> None:
    """Off the path: the cards to build are named where they can be built, and nowhere else."""
    guide, game = _guide("valeria"), find_game("valeria")
    rng, asked = random.Random(5), set()

    def stray(match: AnyMatch, now: Now) -> int:
        legal = match.legal(guide.seat)
        led = [move for move in legal if game.face.steps(match.state, guide.seat, move) == (f"action-{family}",)]
        return rng.choice(led or legal)

    for moment in play_guided(game, guide, stray):
        step, saying = moment.now.step, moment.now.saying
        if step and saying and saying.do:
            asked.add(step.id)
            assert not step.id.startswith("build-") or moment.match.view(guide.seat).phase == "build"
    assert asked


def test_villagers_speaks_of_nobody_who_is_not_there() -> None:
    """Who takes other cards of the Road hears nothing of the Hunter and of the Carpenter."""
    guide, game = _guide("villagers"), find_game("villagers")
    others = iter([("road-1",), ("road-3",)])

    def stray(match: AnyMatch, now: Now) -> int:
        wanted = next(others, None) if now.step and now.step.id.startswith("take-") else None
        by_steps = {game.face.steps(match.state, guide.seat, move): move for move in match.legal(guide.seat)}
        return by_steps.get(wanted) or match.legal(guide.seat)[0]

    said = []
    for moment in play_guided(game, guide, stray):
        if moment.match.view(guide.seat).round > 1:
            break
        if moment.now.step and moment.now.saying and moment.now.step.id not in ("take-hunter", "take-carpenter"):
            said.append(moment.now.saying.text)
    assert any("Some live alone;" in text for text in said)
    assert not any(name in text for text in said for name in ("Hunter", "Carpenter"))


@pytest.mark.parametrize("bot", ["random", "learned"])
def test_a_course_holds_however_bots_think(bot: str) -> None:
    """What the guide of Valeria says until the person is on its own does not hang on the level of its bot."""
    guide = replace(_guide("valeria"), bot=bot)
    said = []
    for moment in play_guided(find_game("valeria"), guide, obedient(guide)):
        if moment.now.step and moment.now.saying in moment.now.step.sayings[:1]:
            said.append(moment.now.step.id)
        if moment.now.step and moment.now.step.id == "on-your-own":
            break
    steps = [step.id for step in guide.steps]
    assert list(dict.fromkeys(said)) == steps[: steps.index("on-your-own") + 1]


@pytest.mark.parametrize("game", OWN)
def test_the_same_game_is_played_each_time(game: str) -> None:
    guide = _guide(game)
    games = [[moment.move for moment in play_guided(find_game(game), guide, obedient(guide))] for _ in range(2)]
    assert games[0] == games[1]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("closing = 1", "guide.toml: the guide has no seed"),
        ("seed = [", "guide.toml: guide.toml cannot be read"),
        ('at = "column-9"', "step 'one' speaks of column-9, which is not on the table then"),
        ('when = "view.rows[9]"', "the condition 'view.rows[9]' fails"),
        ("done = \"made('drop') >= 99\"", ""),
        ("when = \"made('drop') >= 99\"", "step 'one' is not reached by who does what is said"),
    ],
)
def test_faults_of_guides_are_found(tmp_path: Path, text: str, fault: str) -> None:
    whole = f"""
        seed = 1
        seats = 2
        bot = "random"
        closing = "Done."
        [[step]]
        id = "one"
        say = "One."
        {text}
    """
    (tmp_path / "guide.toml").write_text(whole if "=" in text and text[:2] in ("at", "wh", "do") else text)
    game = replace(connect_four.GAME, folder=tmp_path)
    found = list(the_guide_leads_to_its_end(game, 150))
    assert any(fault in each for each in found) if fault else found == []


def test_a_bot_that_there_is_not_is_found(tmp_path: Path) -> None:
    text = (connect_four.GAME.folder / "guide.toml").read_text().replace('"random"', '"clever"')
    (tmp_path / "guide.toml").write_text(text)
    found = list(the_guide_leads_to_its_end(replace(connect_four.GAME, folder=tmp_path), 100))
    assert found == [f"guide.toml: there is no bot 'clever'; there are {', '.join(thorp.players.names())}"]
