"""Equal names are allowed at a table, and told apart wherever they are shown."""

import json
import re

import pytest

from thorp.core.language import language, speaking
from thorp.server.tables.names import told_apart
from thorp.server.tables.table import Player
from thorp.server.web.naming import called_together, names_at

from .conftest import GAME, page_open
from .test_gathering import gathering, sit

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["Anna", "Ben"], ["Anna", "Ben"]),
        (["Anna", "Ben", "Anna", "Anna"], ["Anna", "Ben", "Anna 2", "Anna 3"]),
        (["Anna", "anna"], ["Anna", "anna 2"]),
        # no number makes the name of somebody else
        (["Anna", "Anna", "Anna 2", "Anna 2"], ["Anna", "Anna 3", "Anna 2", "Anna 2 2"]),
        # free seats have none
        (["", "Anna", "", "Anna"], ["", "Anna", "", "Anna 2"]),
    ],
)
def test_equal_names_are_told_apart_by_seat(names, shown):
    assert told_apart(names) == shown
    assert len({name.casefold() for name in shown if name}) == sum(map(bool, shown))


def test_guests_are_told_apart_in_the_language_of_now():
    assert called_together(["Guest", "Ada", "Guest"]) == ["Guest", "Ada", "Guest 2"]
    # who sat down in another language is a guest, too
    assert called_together(["Invitado", "Guest"]) == ["Guest", "Guest 2"]
    with speaking(language("es")):
        assert called_together(["Invitado", "Guest"]) == ["Invitado", "Invitado 2"]


async def annas(server):
    """Two of one name, and the path of their table, which the first of them has opened."""
    people = [await server.person("Anna") for _ in range(2)]
    players = [Player("Anna", person=server.id_of(each)) for each in people]
    opener = server.id_of(people[0])
    return *people, "/tables/" + await server.app.state.tables.create(GAME, {}, players, opener=opener, seed=7)


async def test_whoever_is_named_at_a_table_is_told_apart(server):
    first, second, path = await annas(server)
    table = await server.at(path)
    for person in (first, second):
        # who sits there, and whom all waits for
        company = (await person.get(path)).text.partition('id="company"')[2]
        assert re.findall(r'<strong class="who-\d">([^<]+)', company)[:2] == ["Anna", "Anna 2"]
        assert "Anna 2" in (await person.get("/")).text
    # who has the table open
    shown = await server.shown(path)
    async with page_open(server, first, shown) as hers, page_open(server, second, shown):
        while not hers.present["names"]:
            await hers.block()
        assert hers.present["names"] == ["Anna 2"]
    # what they say
    for person in (first, second):
        await person.post(f"{path}/chat", data={"line": "Hello"})
    said = (await first.get(path)).text.partition('id="chat-lines"')[2]
    assert re.findall(r'<strong class="who who-\d">([^<]+)', said) == ["Anna", "Anna 2"]
    await server.play_out(path, first, second)
    end = (await first.get(path)).text
    assert re.findall(r'class="sheet-name" title="([^"]+)"', end) == ["Anna", "Anna 2"]
    log = end.partition('id="log"')[2]
    assert "Anna 2" in log
    # and what is told of it later
    assert "Anna 2" in (await first.get("/me/statistics")).text
    assert names_at(table) == ["Anna", "Anna 2"]


async def test_who_asks_for_a_seat_is_told_apart_from_who_has_one(server):
    first, second, path = await annas(server)
    third = await server.person("Anna")
    server.bots.free.clear()
    await second.post(f"{path}/leave")
    await third.post(f"{path}/ask", data={"seat": "1"})
    assert "Anna 3 asks to play on for Anna 2" in (await first.get(path)).text


async def test_who_takes_the_name_of_another_one_is_told_apart_from_then_on(server):
    ada, eve, bob = [await server.person(name) for name in ("Ada", "Eve", "Bob")]
    path = await gathering(server, ada)
    await sit(path, eve, 1)
    async with page_open(server, bob, await server.shown(path)) as his:
        await eve.post("/me", data={"name": "Ada"})
        news = (await his.event()).data
        assert re.findall(r'<strong class="who-\d">([^<]+)', news) == ["Ada", "Ada 2"]
    # it is stored as it was given
    assert (await server.at(path)).names[:2] == ["Ada", "Ada"]


async def test_a_record_tells_them_apart(server):
    first, second, path = await annas(server)
    await server.play_out(path, first, second)
    await server.quiet()
    content, _, _ = await server.app.state.records.read(path.rpartition("/")[2])
    assert content["names"] == ["Anna", "Anna 2"]
    assert "Anna 2" in json.dumps(content["log"])
