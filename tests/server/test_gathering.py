"""Tables that gather: sitting down, leaving, starting; and taking over while a match runs."""

import asyncio
import re
import sqlite3
from datetime import timedelta

import pytest
from alembic import command
from sqlalchemy import text

from thorp.cli import main
from thorp.server.app import DATABASE
from thorp.server.tables.refusals import Gone
from thorp.server.tables.seating import start
from thorp.server.tables.store import Store, sqlite_url

from .conftest import move_to, page_open, replace, running
from .test_bad_input import assert_refused

pytestmark = pytest.mark.anyio


async def gathering(server, opener, seats=3, **fields):
    """The path of a new table at which its opener sits, and all other seats are for whoever comes."""
    links = {f"seat.{seat}": "link" for seat in range(1, seats)}
    return await server.table(opener, seats, **(links | fields))


def later(server, time):
    """From now on it is so much later for this server."""
    for each, name in ((server.app.state.live, "moment"), (server.app.state.store, "now")):
        clock = getattr(each, name)
        setattr(each, name, lambda clock=clock: clock() + time)


async def sit(path, person, seat, **form):
    return await person.post(f"{path}/sit", data={"seat": str(seat), **form})


# --- before the match --------------------------------------------------------------------------------------


async def test_who_follows_the_link_types_a_name_and_sits_down(server):
    ada, eve = await server.person("Ada"), server.client()
    path = await gathering(server, ada, 2)
    page = (await eve.get(path)).text
    assert f'value="http://thorp.test{path}"' in page
    assert 'class="code"' in page
    assert "style=" not in page
    assert (await sit(path, eve, 1, name="<b>Eve</b>")).status_code == 303
    table = await server.at(path)
    assert not table.gathering
    assert table.names == ["Ada", "<b>Eve</b>"]
    assert "<b>Eve" not in (await ada.get(path)).text
    assert not table.match.forced
    assert (await server.play(eve if 1 in table.match.waiting else ada, path)).status_code == 200


async def test_nothing_of_the_match_is_told_before_it_begins(server):
    ada = await server.person("Ada")
    path = await gathering(server, ada)
    table = await server.at(path)
    page = (await ada.get(path)).text + (await ada.get(f"{path}/fragment")).text
    for secret in (table.row.commitment, table.row.salt, str(table.row.seed)):
        assert secret not in page
    assert table.mark.startswith("0.")
    assert (await ada.get(f"{path}/export.json")).status_code == 403
    assert (await server.play(ada, path)).status_code == 409
    assert (await ada.post(f"{path}/again")).status_code == 409
    assert not server.app.state.bots._at_work
    assert (await server.at(path)).version == 0


async def test_two_who_take_one_seat_at_once(server):
    ada, eve, bob = [await server.person(name) for name in ("Ada", "Eve", "Bob")]
    path = await gathering(server, ada)
    answers = await asyncio.gather(sit(path, eve, 1), sit(path, bob, 1))
    assert sorted(answer.status_code for answer in answers) == [303, 409]
    (refused,) = [answer for answer in answers if answer.status_code == 409]
    assert "Somebody else has taken this seat by now." in refused.text
    assert sum(seat.free for seat in (await server.at(path)).seats) == 1


async def test_a_person_has_one_seat_and_a_doubled_request_does_nothing(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await gathering(server, ada, 4)
    for seat in (1, 1, 2):
        assert (await sit(path, eve, seat)).status_code == 303
    assert [seat.name for seat in (await server.at(path)).seats] == ["Ada", "", "Eve", ""]
    for _ in range(2):
        assert (await eve.post(f"{path}/leave")).status_code == 303
    assert [seat.name for seat in (await server.at(path)).seats] == ["Ada", "", "", ""]
    assert (await server.at(path)).row.seating == 3
    assert (await sit(path, eve, 9)).status_code == 422


@pytest.mark.parametrize(
    ("what", "form"), [("start", {}), ("seat", {"seat": "1", "to": "free"}), ("seat", {"seat": "0", "to": "slow"})]
)
async def test_only_the_opener_decides(server, what, form):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await gathering(server, ada)
    before = (await server.at(path)).seats
    assert (await eve.post(f"{path}/{what}", data=form)).status_code == 403
    foreign = {"Sec-Fetch-Site": "cross-site"}
    assert (await ada.post(f"{path}/{what}", data=form, headers=foreign)).status_code == 403
    assert (await server.at(path)).seats == before


async def test_the_opener_frees_seats_gives_them_to_bots_and_starts(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await gathering(server, ada, 4)
    await sit(path, eve, 1)
    for form in ({"seat": "1", "to": "free"}, {"seat": "2", "to": "slow"}):
        assert (await ada.post(f"{path}/seat", data=form)).status_code == 303
    assert (await ada.post(f"{path}/seat", data={"seat": "2", "to": "genius"})).status_code == 422
    for _ in range(2):
        assert (await ada.post(f"{path}/start")).status_code == 303
    table = await server.at(path)
    assert not table.gathering
    assert [seat.bot for seat in table.seats] == [None, "quick", "slow", "quick"]
    late = await sit(path, eve, 1)
    assert late.status_code == 409
    assert "The match has begun" in late.text
    assert (await ada.post(f"{path}/seat", data={"seat": "2", "to": "free"})).status_code == 409


async def test_pages_are_told_who_sits_down_and_that_it_begins(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await gathering(server, ada)
    async with page_open(server, ada, await server.shown(path)) as page:
        await sit(path, eve, 1)
        assert "Eve" in (await page.event()).data
        await ada.post(f"{path}/start")
        assert 'data-stage="playing"' in (await page.event()).data


async def test_another_server_finds_out(settings):
    async with running(settings) as one, running(settings) as two:
        ada, eve = await one.person("Ada"), await one.person("Eve")
        path = await gathering(one, ada, 2)
        assert (await two.at(path)).gathering
        assert (await sit(path, eve, 1)).status_code == 303
        assert not (await two.at(path)).gathering
        assert (await two.at(path)).mark == (await one.at(path)).mark


async def test_a_table_without_me_or_with_me_twice(server):
    ada = await server.person("Ada")
    path = await gathering(server, ada, 2, **{"seat.0": "link"})
    assert (await server.at(path)).seat_of(server.id_of(ada)) is None
    answer = await ada.post("/tables", data={"game": "pebbles", "seats": "2", "seat.1": "me"})
    assert answer.status_code == 422
    assert "two seats" in answer.text


# --- while the match runs ----------------------------------------------------------------------------------


async def test_a_bot_takes_over_and_back(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.shared_table(ada, eve)
    assert (await eve.post(f"{path}/seat", data={"seat": "0", "to": "slow"})).status_code == 403
    await eve.post(f"{path}/leave")
    await server.quiet()
    table = await server.at(path)
    assert (table.seats[1].bot, table.seats[1].name, table.counters[1]) == ("quick", "Person 1", 1)
    assert "Take my seat back" in (await eve.get(path)).text
    assert path in (await eve.get("/")).text
    for _ in range(2):
        assert (await eve.post(f"{path}/come-back")).status_code == 303
    assert (await server.at(path)).seat_of(server.id_of(eve)) == 1


async def test_who_leaves_says_how_strong_the_bot_is(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.shared_table(ada, eve)
    assert "Which bot plays for me" in (await eve.get(path)).text
    server.bots.free.clear()
    answer = await eve.post(f"{path}/leave", data={"to": "nobody"})
    assert answer.status_code == 422
    assert "There is no bot" in answer.text
    assert (await eve.post(f"{path}/leave", data={"to": "slow"})).status_code == 303
    seat = (await server.at(path)).seats[1]
    assert (seat.bot, seat.away) == ("slow", server.id_of(eve))
    page = (await eve.get(path)).text
    assert "away: a bot plays, slow" in page
    assert 'data-dead="A bot plays for you until you are back."' in page


async def test_what_a_bot_thought_is_not_played_for_who_came_back(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.shared_table(ada, eve)
    server.bots.free.clear()
    await eve.post(f"{path}/leave")
    assert server.app.state.bots._at_work
    await eve.post(f"{path}/come-back")
    server.bots.free.set()
    await server.quiet()
    assert (await server.at(path)).counters == [0, 0]


async def test_who_is_there_is_not_replaced(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await gathering(server, ada, 2)
    await sit(path, eve, 1)
    async with page_open(server, eve, await server.shown(path)) as page:
        await page.block()
        answer = await ada.post(f"{path}/seat", data={"seat": "1", "to": "slow"})
        assert answer.status_code == 403
        # back at the table, with the reason
        assert 'data-stage="playing"' in answer.text
        told = answer.text.partition('<p class="notice" role="alert">')[2].partition("</p>")[0]
        assert "has this table open" in told
    # nor who loads the page again, or looks at it without a script
    for _ in range(2):
        assert (await ada.post(f"{path}/seat", data={"seat": "1", "to": "slow"})).status_code == 403
        later(server, timedelta(seconds=50))
        assert (await eve.get(path)).status_code == 200
    later(server, timedelta(seconds=61))
    assert (await ada.post(f"{path}/seat", data={"seat": "1", "to": "slow"})).status_code == 303
    assert (await server.at(path)).seats[1].away == server.id_of(eve)


async def test_after_a_start_nobody_is_taken_for_gone(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.shared_table(ada, eve)
    assert (await ada.post(f"{path}/seat", data={"seat": "1", "to": "slow"})).status_code == 403
    later(server, timedelta(seconds=61))
    assert not server.app.state.live.was_here(path.rpartition("/")[2], server.id_of(eve))


@pytest.mark.any_store
async def test_nobody_takes_at_once_the_seat_of_who_was_replaced(server):
    """Who has it sees its hand: also the opener, who has put the bot there, has to wait."""
    people = [await server.person(name) for name in ("Ada", "Eve", "Bob")]
    ada, eve, bob = people
    path = await gathering(server, ada, 3, **{"seat.0": "link"})
    await sit(path, eve, 1)
    await sit(path, bob, 2)
    await ada.post(f"{path}/start")
    later(server, timedelta(seconds=61))
    assert (await ada.post(f"{path}/seat", data={"seat": "1", "to": "slow"})).status_code == 303
    kim = await server.person("Kim")
    for who in (ada, kim):
        refused = await who.post(f"{path}/ask", data={"seat": "1"})
        assert refused.status_code == 403
        assert "may still come back" in refused.text
    assert (await server.at(path)).seats[1].away == server.id_of(eve)
    later(server, timedelta(minutes=9))
    assert (await ada.post(f"{path}/ask", data={"seat": "1"})).status_code == 403
    # who comes back is there, and another time is counted anew
    assert (await eve.post(f"{path}/come-back")).status_code == 303
    later(server, timedelta(minutes=2))
    assert (await ada.post(f"{path}/seat", data={"seat": "1", "to": "slow"})).status_code == 303
    assert (await ada.post(f"{path}/ask", data={"seat": "1"})).status_code == 403
    later(server, timedelta(minutes=10))
    assert (await ada.post(f"{path}/ask", data={"seat": "1"})).status_code == 303
    assert (await server.at(path)).seats[1].person == server.id_of(ada)


async def test_somebody_else_takes_over_if_the_opener_consents(server):
    ada, eve, bob = [await server.person(name) for name in ("Ada", "Eve", "Bob")]
    path = await gathering(server, ada, 2)
    await sit(path, eve, 1)
    assert (await bob.post(f"{path}/ask", data={"seat": "1"})).status_code == 409
    server.bots.free.clear()
    await eve.post(f"{path}/leave")
    assert (await eve.post(f"{path}/ask", data={"seat": "1"})).status_code == 403
    assert (await bob.post(f"{path}/ask", data={"seat": "1"})).status_code == 303
    assert "Bob asks to play on for Eve" in (await ada.get(path)).text
    assert "Bob asks" not in (await eve.get(path)).text
    seating = (await server.at(path)).row.seating
    yes = {"seat": "1", "seating": str(seating), "answer": "yes"}
    assert (await bob.post(f"{path}/answer", data=yes)).status_code == 403
    assert (await ada.post(f"{path}/answer", data=yes | {"seating": str(seating - 1)})).status_code == 409
    assert (await ada.post(f"{path}/answer", data=yes)).status_code == 303
    assert (await server.at(path)).seat_of(server.id_of(bob)) == 1
    assert (await eve.post(f"{path}/come-back")).status_code == 409


async def test_one_asks_for_a_seat_and_for_one_seat_only(server):
    ada, bob, cleo = [await server.person(name) for name in ("Ada", "Bob", "Cleo")]
    server.bots.free.clear()
    path = await server.table(ada, 3)

    async def askers():
        return [seat.asker for seat in (await server.at(path)).seats]

    assert (await bob.post(f"{path}/ask", data={"seat": "1"})).status_code == 303
    assert (await cleo.post(f"{path}/ask", data={"seat": "1"})).status_code == 409
    assert await askers() == [None, server.id_of(bob), None]
    # who asks for another one asks for the first no more
    assert (await bob.post(f"{path}/ask", data={"seat": "2"})).status_code == 303
    assert await askers() == [None, None, server.id_of(bob)]
    assert (await cleo.post(f"{path}/ask", data={"seat": "1"})).status_code == 303
    assert await askers() == [None, server.id_of(cleo), server.id_of(bob)]


async def test_who_asks_for_a_seat_is_told_of_a_no(server):
    ada, bob, cleo = [await server.person(name) for name in ("Ada", "Bob", "Cleo")]
    server.bots.free.clear()
    path = await server.table(ada, 3)
    seat = (await server.at(path)).seats[1].name
    told = f"Ada would rather leave the seat of {seat} as it is."

    async def answer(number, word):
        seating = (await server.at(path)).row.seating
        await ada.post(f"{path}/answer", data={"seat": str(number), "seating": str(seating), "answer": word})

    await bob.post(f"{path}/ask", data={"seat": "1"})
    assert told not in (await bob.get(path)).text
    async with page_open(server, bob, await server.shown(path)) as his:
        await answer(1, "no")
        assert re.search(rf'role="alert">{told}</p>', (await his.event()).data)
    for person in (ada, cleo):
        assert told not in (await person.get(path)).text
    # asked again it is open again; who asks for another seat was not told no, nor who has it now
    await bob.post(f"{path}/ask", data={"seat": "1"})
    assert told not in (await bob.get(path)).text
    await bob.post(f"{path}/ask", data={"seat": "2"})
    await answer(2, "yes")
    assert "would rather leave" not in (await bob.get(path)).text


async def test_a_table_without_spectators(server):
    ada, eve, bob = [await server.person(name) for name in ("Ada", "Eve", "Bob")]
    path = await gathering(server, ada, 2, watchable="no")
    async with page_open(server, bob, await server.shown(path)) as page:
        await sit(path, eve, 1)
        data = (await page.event()).data
        assert 'data-stage="closed"' in data
        assert "Eve" not in data
    for part in ("", "/fragment", "/events", "/export.json"):
        assert (await bob.get(f"{path}{part}")).status_code == 403
    assert (await eve.get(path)).status_code == 200
    refused = await bob.post(f"{path}/ask", data={"seat": "1"})
    assert refused.status_code == 403
    assert "Eve" not in refused.text
    # nor for one that a bot keeps
    server.bots.free.clear()
    assert (await eve.post(f"{path}/leave")).status_code == 303
    assert (await bob.post(f"{path}/ask", data={"seat": "1"})).status_code == 403
    assert (await server.at(path)).seats[1].asker is None


# --- the first page ----------------------------------------------------------------------------------------


async def test_tables_for_everybody_are_on_the_first_page(settings):
    async with running(settings) as server:
        ada, eve = await server.person("Ada"), await server.person("Eve")
        secret, listed = await gathering(server, ada), await gathering(server, ada, listed="yes")
        home = (await eve.get("/")).text
        assert listed in home
        assert secret not in home
    async with running(replace(settings, lobby=False)) as server:
        assert listed not in (await server.client().get("/")).text


async def test_my_tables_wait_for_me_first_and_tell_scores_at_last(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    over = await gathering(server, ada, 2, **{"option.rounds": "6"})
    await sit(over, eve, 1)
    match = await server.play_out(over, ada, eve)
    mine = await server.table(ada)
    gathers = await gathering(server, ada)
    home = (await ada.get("/")).text
    assert home.index(mine) < home.index(gathers) < home.index(over)
    assert f"<b>Ada</b> {match.scores[0]}" in home or f"<b>Eve</b> {match.scores[1]}" in home


# --- the store ---------------------------------------------------------------------------------------------


async def test_a_seat_is_a_person_s_or_a_bot_s(settings):
    async with running(settings) as server:
        path = await server.table(await server.person())
        id = path.rpartition("/")[2]
    with sqlite3.connect(settings.data_dir / DATABASE) as database, pytest.raises(sqlite3.IntegrityError):
        database.execute("UPDATE seat SET bot = 'slow' WHERE person IS NOT NULL AND \"table\" = ?", (id,))
    database.close()


async def test_a_table_that_is_closed_while_it_gathers_says_so_wherever_it_is_asked_for(server, caplog, capsys):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await gathering(server, ada, listed="yes")
    id = path.rpartition("/")[2]
    assert path in (await eve.get("/")).text
    table = await server.at(path)
    data = ["admin", "--data", str(server.settings.data_dir)]
    assert await asyncio.to_thread(main, [*data, "close", id]) == 0
    assert "is closed. Its match had not begun." in capsys.readouterr().out
    assert path not in (await eve.get("/")).text
    # whoever had looked before that is not let in either
    with pytest.raises(Gone):
        await server.app.state.tables._reseat(table, start(server.id_of(ada), "quick"))
    for forget in (lambda: None, server.app.state.tables._cache.clear):
        forget()
        for end in ("", "/fragment", "/events", "/picture.png", "/at/0/picture.png", "/export.json"):
            assert_refused(await ada.get(path + end), 410, "This table is closed: the match does not go on.")
        assert_refused(await sit(path, eve, 1), 410, "This table is closed: the match does not go on.")
    caplog.clear()
    await server.app.state.records.make_up_all()
    assert await server.app.state.records.read(id) is None
    assert not caplog.records
    assert await asyncio.to_thread(main, [*data, "show", id]) == 0
    assert "record      none: the match had not begun" in capsys.readouterr().out


async def test_tables_from_before_have_begun(tmp_path):
    """A database of the first schema, brought up to date and back."""
    store = Store(sqlite_url(tmp_path / DATABASE))

    def old(connection):
        values = "'pebbles', 2, '{}', 1, 's', 'c', 1, 1, true, '2026-01-01 00:00:00'"
        for id, next_table in (("old", "NULL"), ("older", "'old'")):
            connection.execute(text(f"INSERT INTO \"table\" VALUES ('{id}', {values}, NULL, {next_table})"))
        connection.execute(
            text("INSERT INTO seat VALUES ('old', 0, NULL, 'slow', 'Alder'), ('old', 1, 'ada', NULL, 'Ada')")
        )

    await move_to(store, "0001", command.upgrade)
    await store._write(old)
    await store.open()
    table, seats = await store.table("old")
    assert (table.started, table.opener, table.seating) == (table.created, "ada", 0)
    assert (await store.table("older"))[0].next_table == "old"
    assert [(seat.person, seat.bot, seat.away) for seat in seats] == [(None, "slow", None), ("ada", None, None)]
    await move_to(store, "0001", command.downgrade)
    await store.open()
    assert (await store.table("old"))[1] == seats
    await store.close()


async def test_a_bot_does_not_bear_the_name_of_who_sat_there(server):
    ada = await server.person("Ada")
    form = {"game": "pebbles", "seats": "4", "seat.1": "here", "seat.2": "link", "seat.3": "link"}
    path = (await ada.post("/tables", data=form)).headers["location"]
    before = (await server.at(path)).names[1]
    assert (await ada.post(f"{path}/leave", data={"seat": "1"})).status_code == 303
    assert (await ada.post(f"{path}/seat", data={"seat": "1", "to": "quick"})).status_code == 303
    assert (await ada.post(f"{path}/start")).status_code == 303
    names = (await server.at(path)).names
    assert before not in names
    assert len(set(names)) == 4


async def test_who_loses_a_seat_is_told_who_has_it(server):
    ada, eve, bob = [await server.person(name) for name in ("Ada", "Eve", "Bob")]
    lost = "Your seat was given to a bot by whoever opened the table."
    path = await gathering(server, ada, 3)
    await sit(path, eve, 1)
    async with page_open(server, eve, await server.shown(path)) as hers:
        await ada.post(f"{path}/seat", data={"seat": "1", "to": "slow"})
        assert lost in (await hers.event()).data
    assert lost in (await eve.get(path)).text
    # nobody else, nor who has a seat again, or leaves one
    for person in (ada, bob):
        assert lost not in (await person.get(path)).text
    await sit(path, eve, 2)
    assert lost not in (await eve.get(path)).text
    # the match has begun with that: its page tells of the next time
    server.bots.free.clear()
    await eve.post(f"{path}/leave")
    assert "plays on at your seat" not in (await eve.get(path)).text
    await bob.post(f"{path}/ask", data={"seat": "2"})
    yes = {"seat": "2", "seating": str((await server.at(path)).row.seating), "answer": "yes"}
    async with page_open(server, eve, await server.shown(path)) as hers:
        await ada.post(f"{path}/answer", data=yes)
        assert "Bob plays on at your seat now." in (await hers.event()).data
    assert "Bob plays on at your seat now." in (await eve.get(path)).text
    # a bot keeps it for Bob: it is his
    await bob.post(f"{path}/leave")
    assert "Bob plays on at your seat now." in (await eve.get(path)).text
    assert "plays on at your seat" not in (await bob.get(path)).text


async def test_who_leaves_has_lost_nothing(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await gathering(server, ada, 3)
    await sit(path, eve, 1)
    await eve.post(f"{path}/leave")
    await ada.post(f"{path}/seat", data={"seat": "1", "to": "slow"})
    assert "Your seat was given" not in (await eve.get(path)).text


async def test_it_is_told_once_the_match_has_begun_too(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await gathering(server, ada, 3)
    await sit(path, eve, 1)
    server.bots.free.clear()
    await ada.post(f"{path}/seat", data={"seat": "1", "to": "slow"})
    await ada.post(f"{path}/start")
    page = (await eve.get(path)).text
    assert 'data-stage="playing"' in page
    assert "Your seat was given to a bot by whoever opened the table." in page


# --- what is heard -----------------------------------------------------------------------------------------


def buttons(page, words):
    """What the buttons that show these words are called by who hears them."""
    return re.findall(rf'<button\b[^>]*?(?:aria-label="([^"]*)")?>{words}</button>', page)


async def test_buttons_that_look_alike_are_called_by_their_seats(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await gathering(server, ada)
    page = (await ada.get(path)).text
    # she has a seat, and opened the table
    assert buttons(page, "Change") == ["Change: seat 2", "Change: seat 3"]
    assert buttons(page, "Sit here") == ["Sit here: seat 2", "Sit here: seat 3"]
    assert buttons((await eve.get(path)).text, "Sit here") == ["Sit here: seat 2", "Sit here: seat 3"]
    server.bots.free.clear()
    path = await server.table(ada, 3)
    words = "Ask to play this seat"
    assert buttons((await eve.get(path)).text, words) == [f"{words}: seat 2", f"{words}: seat 3"]
