"""The form of a new table: what a person finds chosen there, what it says of the game, and what it calls bots."""

import html
import re
from dataclasses import replace

import pytest

import thorp
from thorp import players
from thorp.core.game import Game
from thorp.core.options import Option, faults_of

from .conftest import HTMX

pytestmark = pytest.mark.anyio


def chosen(page, name):
    """What a form has chosen of a field."""
    radio = re.search(rf'<input type="radio" name="{re.escape(name)}" value="([^"]*)"[^>]* checked', page.text)
    if radio:
        return radio[1]
    select = re.search(rf'<select name="{re.escape(name)}".*?</select>', page.text, re.DOTALL)
    return re.search(r'<option value="([^"]*)" selected', select[0])[1]


def cards(page):
    """How the cards are chosen: by the name of a set, "*" by chance, "" one by one."""
    found = re.search(r'name="preset" value="([^"]*)" data-sets="([^"]*)" checked', page.text)
    return found[1] or found[2]


async def form(client, game="tiny-towns"):
    page = await client.get(f"/games/{game}")
    assert page.status_code == 200
    return page


async def test_who_is_new_begins_with_the_first_game(server):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    for client in (server.client(), ada):
        assert cards(await form(client)) == "First game"
    # Not by another game, nor by another's table.
    await server.table(ada)
    assert cards(await form(ada)) == "First game"
    made = await ada.post("/tables", data={"game": "tiny-towns", "seats": "2", "seat.1": "link"})
    assert made.status_code == 303
    assert cards(await form(ada)) == "*"
    assert cards(await form(ben)) == "First game"
    # Who has sat at somebody's table has played it, and has chosen nothing yet.
    await ben.post(f"{made.headers['location']}/sit", data={"seat": "1"})
    page = await form(ben)
    assert (cards(page), chosen(page, "seats"), chosen(page, "seat.1")) == ("*", "2", "quick")


@pytest.mark.any_store
async def test_what_was_chosen_is_chosen_again(server):
    ada = await server.person("Ada")
    data = {"game": "tiny-towns", "seats": "4", "seat.1": "here", "name.1": "Bo", "seat.2": "slow", "seat.3": "link"}
    more = {"option.farm": "granary", "option.cavern": "yes", "forced": "yes", "watchable": "no", "clock": "day-3"}
    assert (await ada.post("/tables", data={**data, **more, "late": "wait"})).status_code == 303
    page = await form(ada)
    for name, value in {**data, **more, "late": "wait"}.items():
        if name == "clock":
            assert '<option value="day-3" selected' in page.text
        elif name == "name.1":
            assert 'name="name.1" value="Bo"' in page.text
        elif name != "game":
            assert chosen(page, name) == value, name
    assert cards(page) == ""
    # what few change is open where it was changed
    assert '<details class="more" open>' in page.text
    # the first game, chosen again, is chosen again
    preset = {"game": "tiny-towns", "seats": "2", "preset": "First game"}
    assert (await ada.post("/tables", data=preset)).status_code == 303
    page = await form(ada)
    assert (cards(page), chosen(page, "seats"), chosen(page, "forced")) == ("First game", "2", "usual")
    assert '<details class="more">' in page.text
    # who has watched bots meanwhile plays as before
    watched = {"game": "tiny-towns", "seats": "3", "seat.0": "slow", "seat.1": "slow", "seat.2": "quick"}
    assert (await ada.post("/tables", data=watched)).status_code == 303
    page = await form(ada)
    assert (cards(page), chosen(page, "seats"), chosen(page, "seat.0")) == ("First game", "2", "me")
    # another game is another choice
    assert chosen(await form(ada, "villagers"), "seats") == "2"


async def test_a_table_at_which_one_does_not_sit_says_nothing(server):
    ada = await server.person("Ada")
    path = await server.table(ada, 3, **{"seat.1": "link", "option.rounds": "6"})
    await ada.post(f"{path}/leave", data={"seat": "0"})
    page = await form(ada, "pebbles")
    assert (chosen(page, "seats"), chosen(page, "seat.0"), chosen(page, "option.rounds")) == ("2", "me", "3")


async def test_the_goal_stands_where_the_game_is(server):
    ada = await server.person("Ada")
    home = (await ada.get("/")).text
    for id in ("tiny-towns", "villagers", "valeria"):
        goal = html.escape(thorp.game(id).goal)
        assert goal
        assert goal in home
        assert goal in (await form(ada, id)).text
        made = await ada.post("/tables", data={"game": id, "seats": "1"})
        table = (await ada.get(made.headers["location"])).text
        assert table.count(f">{goal}<") == 2
        gathering = await ada.post("/tables", data={"game": id, "seats": "2", "seat.1": "link"})
        assert goal in (await ada.get(gathering.headers["location"])).text
    # a game that says nothing of it
    assert 'class="goal' not in (await form(ada, "pebbles")).text
    assert 'class="goal' not in (await ada.get(await server.table(ada))).text


async def test_the_first_move_takes_the_goal_off_the_table(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    made = await ada.post("/tables", data={"game": "villagers", "seats": "1"})
    path = made.headers["location"]
    for each in (ada, eve):
        assert "first-goal" in (await each.get(path)).text
    answer = await server.play(ada, path)
    assert answer.status_code == 200
    # also for who only watches, and has not moved
    for each in (ada, eve):
        assert "first-goal" not in (await each.get(path)).text
    assert "first-goal" not in (await ada.get(f"{path}/fragment", headers=HTMX)).text


def test_bots_are_called_by_how_they_play():
    assert [players.called(name) for name in players.names()[:2]] == ["easy", "medium"]
    assert players.called("quick") == "quick"


def test_faults_of_goal_and_first():
    facts = {"name": "Toy", "seats": range(1, 5), "round_word": "Round", "simultaneous": True}
    for more, said in (
        ({"goal": "a\nb"}, "one line"),
        ({"goal": "a" * 121}, "120 letters"),
        ({"first": "Never"}, "'Never'"),
    ):
        with pytest.raises(thorp.core.errors.ContractError, match=said):
            Game.of("toy", **facts, **more)
    assert Game.of("toy", **facts, goal="a" * 120, first="Long game").first == "Long game"


async def test_the_first_game_is_for_any_number_of_seats(server):
    ada = await server.person("Ada")
    for seats in thorp.game("tiny-towns").seats:
        form = {"game": "tiny-towns", "seats": str(seats), "preset": "First game"}
        assert (await ada.post("/tables", data=form)).status_code == 303


async def test_who_is_new_begins_with_what_the_rules_name_for_beginners(server):
    ada = await server.person("Ada")
    assert chosen(await form(ada, "villagers"), "option.countess") == "beginner"
    data = {"game": "villagers", "seats": "1", "option.countess": "gold"}
    assert (await ada.post("/tables", data=data)).status_code == 303
    assert chosen(await form(ada, "villagers"), "option.countess") == "gold"


def test_what_a_first_game_begins_with_can_be_chosen():
    option = Option("countess", "The Countess", ("gold", "beginner"), ("With", "Without"), first="nothing")
    assert [fault for fault in faults_of([option], {}) if "'nothing'" in fault]
    assert not list(faults_of([replace(option, first="beginner")], {}))


async def test_every_game_leads_to_its_rules_and_its_guide(server):
    home = (await server.client().get("/")).text
    for game in ("tiny-towns", "villagers", "valeria"):
        assert f'<a href="/games/{game}/rules">' in home
        assert f'action="/games/{game}/learn"' in home
