"""Playing over HTTP: whole matches, taking back, and once more."""

import asyncio
import hashlib
import json
import threading

import pytest

from thorp.core.match import Match
from thorp.server.tables import rooms
from thorp.server.tables import table as table_module
from thorp.server.tables.schema import TAKE_BACK

from .conftest import HTMX

pytestmark = [pytest.mark.anyio, pytest.mark.any_store]


async def test_a_whole_match_against_bots(server):
    ada = await server.person()
    path = await server.table(ada, 4)
    table = await server.at(path)
    commitment = table.row.commitment
    assert commitment in (await ada.get(path)).text
    await server.play_out(path, ada)
    text = (await ada.get(path)).text
    assert commitment in text
    assert str(table.row.seed) in text
    assert table.row.salt in text
    assert hashlib.sha256(f"{table.row.salt}{table.row.seed}".encode()).hexdigest() == commitment
    assert (await server.at(path)).row.id == table.id
    assert path in (await ada.get("/")).text


async def test_an_export_can_be_loaded_again(server):
    ada = await server.person()
    path = await server.table(ada, 2)
    match = await server.play_out(path, ada)
    answer = await ada.get(f"{path}/export.json")
    assert answer.status_code == 200
    assert "attachment" in answer.headers["content-disposition"]
    loaded = Match.load(answer.text)
    assert loaded.digest() == match.digest()
    assert loaded.seed == json.loads(answer.text)["seed"] == (await server.at(path)).row.seed


async def test_a_move_brings_the_fragment_to_htmx_and_the_page_to_others(server):
    ada = await server.person()
    path = await server.table(ada, 1)
    answer = await server.play(ada, path)
    assert answer.status_code == 200
    # the move, and one that was forced
    assert 'data-version="2"' in answer.text
    assert "<html" not in answer.text
    assert answer.text == (await ada.get(f"{path}/fragment")).text or "nonce" in answer.text
    plain = await server.play(ada, path, htmx=False)
    assert plain.status_code == 303
    assert plain.headers["location"] == path


async def test_only_chosen_moves_are_stored(server):
    ada = await server.person()
    # With this seed the heap is empty once: then there is nothing to take, and nothing to choose.
    path = await server.shared_table(ada, seed=5)
    match = await server.play_out(path, ada)
    table = await server.at(path)
    chosen = [entry for entry in match.log() if not entry.forced]
    rows = await server.app.state.store.moves(table.id)
    assert [(row.seat, row.move) for row in rows] == [(entry.seat, entry.move) for entry in chosen]
    assert len(match.log()) > len(rows)


async def test_simultaneous_moves_of_several_seats_do_not_collide(server):
    people = [await server.person(f"P{seat}") for seat in range(4)]
    path = await server.shared_table(*people)
    answers = await asyncio.gather(*(server.play(person, path, 0) for person in people))
    assert [answer.status_code for answer in answers] == [200] * 4
    assert (await server.at(path)).version == 4


# --- taking back -------------------------------------------------------------------------------------------


async def test_taking_back_before_anything_has_happened(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.shared_table(ada, eve)
    await server.play(ada, path, 0)
    assert (await server.at(path)).can_take_back(0)
    answer = await ada.post(f"{path}/take-back", data={"counter": "1"}, headers=HTMX)
    assert answer.status_code == 200
    table = await server.at(path)
    assert table.match.waiting == (0, 1)
    assert table.counters == [2, 0]
    assert [row.move for row in await server.app.state.store.moves(table.id)] == [0, TAKE_BACK]
    await server.play(ada, path, 2)
    await server.play(eve, path, 2)
    assert [entry.move for entry in (await server.at(path)).match.log()][:2] == [2, 2]


async def test_nothing_is_taken_back_after_chance_or_a_secret(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.shared_table(ada, eve)
    await server.play(ada, path, 0)
    await server.play(eve, path, 0)
    before = await server.rows()
    answer = await ada.post(f"{path}/take-back", data={"counter": "1"}, headers=HTMX)
    assert answer.status_code == 422
    assert "cannot be taken back" in answer.text
    assert await server.rows() == before


async def test_take_backs_of_a_seat_are_bounded(server, monkeypatch):
    """Else one stranger makes a table so long that nobody can read it."""
    monkeypatch.setattr(table_module, "MOST_BACK", 2)
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await server.shared_table(ada, ben)
    for number in range(2):
        assert (await server.play(ada, path)).status_code == 200
        answer = await ada.post(f"{path}/take-back", data={"counter": str(2 * number + 1)}, headers=HTMX)
        assert answer.status_code == 200
    assert (await server.play(ada, path)).status_code == 200
    before = await server.rows()
    answer = await ada.post(f"{path}/take-back", data={"counter": "5"}, headers=HTMX)
    assert "as often as a match allows" in answer.text
    assert await server.rows() == before
    # by who reads it anew, too; and others still may
    table = server.app.state.tables._cache.pop(path.rpartition("/")[2])
    assert (await server.at(path)).backs == table.backs == [2, 0]
    assert "as often" in (await ada.post(f"{path}/take-back", data={"counter": "5"}, headers=HTMX)).text
    assert (await server.play(ben, path)).status_code == 200


async def test_a_long_table_is_read_beside_the_loop(server, monkeypatch):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await server.shared_table(ada, ben)
    assert (await server.play(ada, path)).status_code == 200
    assert (await ada.post(f"{path}/take-back", data={"counter": "1"}, headers=HTMX)).status_code == 200
    assert (await server.play(ben, path)).status_code == 200
    tables = server.app.state.tables
    table = tables._cache.pop(path.rpartition("/")[2])
    monkeypatch.setattr(rooms, "AT_ONCE", 2)
    threads, play_row = set(), rooms.play_row
    monkeypatch.setattr(rooms, "play_row", lambda *row: threads.add(threading.get_ident()) or play_row(*row))
    again = await server.at(path)
    assert again is not table
    assert (again.mark, again.match.log(), again.counters) == (table.mark, table.match.log(), table.counters)
    assert threads
    assert threading.get_ident() not in threads


async def test_a_take_back_is_played_once(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.shared_table(ada, eve)
    await server.play(ada, path, 0)
    posts = [ada.post(f"{path}/take-back", data={"counter": "1"}) for _ in range(2)]
    assert sorted(answer.status_code for answer in await asyncio.gather(*posts)) == [303, 409]
    assert (await ada.post(f"{path}/take-back", data={"counter": "2"})).status_code == 422


# --- once more ---------------------------------------------------------------------------------------------


async def test_again_is_one_table_for_all_who_ask(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.shared_table(ada, eve, rounds="6")
    await server.play_out(path, ada, eve)
    answers = await asyncio.gather(*(person.post(f"{path}/again") for person in (ada, eve, ada)))
    assert {answer.status_code for answer in answers} == {303}
    (following,) = {answer.headers["location"] for answer in answers}
    old, new = await server.at(path), await server.at(following)
    assert new.match.options == old.match.options
    # the first seat goes on
    assert [seat.person for seat in new.seats] == [seat.person for seat in reversed(old.seats)]
    assert new.row.seed != old.row.seed
    assert new.version == 0
    assert following in (await ada.get(path)).text
    htmx = await ada.post(f"{path}/again", headers=HTMX)
    assert htmx.headers["hx-redirect"] == following


async def test_tables_with_bots_tell_their_levels_while_they_run_and_at_the_end(server):
    """And offer nothing there that is for people who share a table."""
    ada = await server.person("Ada")
    path = await server.table(ada, 3, **{"seat.1": "slow", "seat.2": "quick"})
    alone = await server.table(ada, 1)
    for _ in range(2):
        text = (await ada.get(path)).text
        assert "a bot, slow" in text
        assert "a bot, quick" in text
        assert "Let a bot play for me" not in text
        assert 'id="company"' not in (await ada.get(alone)).text
        await server.play_out(path, ada)
    assert (await server.at(path)).match.over
