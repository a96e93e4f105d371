"""Going back by consent: asked of all who sit there as people, withdrawn by any move, exact in store and files."""

import asyncio
import hashlib
import json
import re

import pytest

from thorp.core.match import Match
from thorp.server.tables import seating
from thorp.server.tables.refusals import Stale
from thorp.server.tables.schema import WENT_BACK

from .conftest import GAME, HTMX, page_open, replace, running

pytestmark = pytest.mark.anyio

PICK = GAME.moves["pick"].first


async def three(server):
    """Three people who have all chosen: Ada is asked to take."""
    people = [await server.person(name) for name in ("Ada", "Ben", "Cleo")]
    path = await server.shared_table(*people)
    for person in people:
        assert (await server.play(person, path)).status_code == 200
    assert (await server.play(people[0], path)).status_code == 200
    return path, people


async def ask(server, person, path, *, seat=None, htmx=True):
    table = await server.at(path)
    seat = table.seat_of(server.id_of(person)) if seat is None else seat
    form = {"counter": str(table.counters[seat]), "seat": str(seat)}
    return await person.post(f"{path}/go-back", data=form, headers=HTMX if htmx else {})


async def answer(person, path, word, *, htmx=True):
    return await person.post(f"{path}/go-back/answer", data={"answer": word}, headers=HTMX if htmx else {})


def notice(answer):
    """What the table says about going back."""
    found = re.search(r'id="asked-back".*?</form>', answer.text, re.S)
    return re.sub(r"<[^>]+>|\s+", " ", found[0]) if found else ""


@pytest.mark.any_store
async def test_it_goes_back_when_all_agree(server):
    path, (ada, ben, cleo) = await three(server)
    assert (await server.at(path)).match.ply == 4
    shown = await ask(server, ada, path)
    assert shown.status_code == 200
    assert "Person 1, Person 2" in notice(shown)
    for each in (ben, cleo):
        assert "Person 0 asks to go back" in notice(await each.get(path))
    shown = await answer(ben, path, "yes")
    assert "waits for Person 2" in notice(shown)
    assert (await server.at(path)).match.ply == 4
    shown = await answer(cleo, path, "yes")
    assert shown.status_code == 200
    assert notice(shown) == ""
    table = await server.at(path)
    assert table.match.ply == 3
    assert table.match.waiting == (0,)
    log = (await ben.get(path)).text
    assert "went back to here; what comes now was drawn anew." in log
    assert (await server.play(ada, path)).status_code == 200


async def test_who_was_replaced_a_moment_ago_is_not_gone_around(server):
    path, (ada, ben, cleo) = await three(server)
    server.bots.free.clear()
    id = path.rpartition("/")[2]
    ply = (await server.at(path)).match.ply
    await server.app.state.store.change_seats(
        id, lambda company: replace(company, table=replace(company.table, opener=server.id_of(ada)))
    )
    await server.app.state.store.change_seats(
        id, seating.give_to_bot(1, server.id_of(ada), "slow", lambda person: False)
    )
    refused = await ask(server, ada, path)
    assert "would have to agree" in refused.text
    assert (await server.at(path)).match.ply == ply
    # who has left the seat is not asked
    assert (await ben.post(f"{path}/come-back")).status_code == 303
    assert (await ben.post(f"{path}/leave", data={"to": "slow"})).status_code == 303
    await ask(server, ada, path)
    assert "waits for Person 2" in notice(await ada.get(path))
    # nor has a bot said no
    assert "rather not" not in (await ada.get(path)).text
    assert (await answer(cleo, path, "yes")).status_code == 200
    assert (await server.at(path)).match.ply == ply - 1


@pytest.mark.any_store
async def test_it_is_exact_after_a_restart_at_another_server_and_in_the_file(settings):
    async with running(settings) as one, running(settings) as two:
        path, people = await three(one)
        assert (await two.at(path)).match.ply == 4
        await ask(one, people[0], path)
        # the others are asked by the other server, where they are
        assert "Person 0 asks" in notice(await people[1].get(path))
        browsers = [two.client(one.cookie_of(each)) for each in people]
        assert "Person 0 asks" in notice(await browsers[1].get(path))
        assert (await answer(browsers[1], path, "yes")).status_code == 200
        assert (await answer(browsers[2], path, "yes")).status_code == 200
        # the same move as before, at once: another outcome, and told as one
        assert (await two.play(browsers[0], path)).status_code == 200
        tables = [await each.at(path) for each in (one, two)]
        assert tables[0].match.digest() == tables[1].match.digest()
        assert [line.ply for line in tables[0].story.lines] == [line.ply for line in tables[1].story.lines]
        assert tables[0].mark == tables[1].mark
        match = await one.play_out(path, *people)
    async with running(settings) as again:
        table = await again.at(path)
        assert table.match.digest() == match.digest()
        ada = again.client(one.cookie_of(people[0]))
        export = (await ada.get(f"{path}/export.json")).text
        assert Match.load(export).digest() == match.digest()
        # the commitment binds what was drawn anew
        ((count, seat, seed),) = json.loads(export)["anew"]
        digest = hashlib.sha256(f"{table.row.salt} anew 1".encode()).digest()
        assert (count, seat, seed) == (3, 0, int.from_bytes(digest) % (1 << 63))
        rows = await again.app.state.store.moves(table.id)
        assert [row.chance for row in rows if row.move == WENT_BACK] == [seed]
        await again.quiet()
        record, _, _ = await again.app.state.records.read(table.id)
        assert [line["text"] for line in record["log"]].count(
            "Person 0 went back to here; what comes now was drawn anew."
        ) == 1
        assert Match.load(record["export"]).digest() == match.digest()
        # and a table that goes on from there has it too
        on = await ada.post(f"{path}/at/4/play-on", data={"seat": "1", "bot": "quick"})
        assert on.status_code == 303
        await again.quiet()
        new = await again.at(on.headers["location"])
        assert [each.seed for each in new.match.anew] == [seed]
        await new_again(again, new)


async def new_again(server, table):
    """A table is the same when it is read again from the store."""
    server.app.state.tables._cache.clear()
    assert (await server.app.state.tables.open(table.id)).match.digest() == table.match.digest()


async def test_a_move_withdraws_it(server):
    path, (ada, ben, cleo) = await three(server)
    await ask(server, ada, path)
    assert (await server.play(ben, path)).status_code == 200
    assert notice(await cleo.get(path)) == ""
    shown = await answer(cleo, path, "yes")
    assert shown.status_code == 409
    assert "Nobody asks for that any more" in shown.text
    assert (await server.at(path)).match.ply == 5


async def test_who_declines_ends_it_until_more_has_happened(server):
    path, (ada, ben, cleo) = await three(server)
    await ask(server, ada, path)
    await answer(cleo, path, "yes")
    assert (await answer(ben, path, "no")).status_code == 200
    assert "Person 1 would rather not" in notice(await ada.get(path))
    assert (await answer(cleo, path, "yes")).status_code == 409
    assert (await ask(server, ada, path)).status_code == 422
    assert (await server.play(ben, path)).status_code == 200
    assert (await ask(server, ada, path)).status_code == 200


async def test_who_asked_can_ask_no_more(server):
    path, (ada, ben, _) = await three(server)
    await ask(server, ada, path, htmx=False)
    assert (await answer(ada, path, "yes")).status_code == 409
    assert (await answer(ada, path, "no", htmx=False)).status_code == 303
    assert notice(await ben.get(path)) == ""
    assert (await answer(ben, path, "yes")).status_code == 409


async def test_one_asks_at_a_time_and_strangers_do_not(server):
    path, (ada, ben, _) = await three(server)
    eve = await server.person("Eve")
    assert (await ask(server, eve, path, seat=0)).status_code == 403
    assert (await ask(server, ada, path)).status_code == 200
    assert (await ask(server, ben, path)).status_code == 409
    assert (await answer(eve, path, "yes")).status_code == 403
    assert (await answer(ben, path, "perhaps")).status_code == 400
    assert (await server.at(path)).match.ply == 4


async def test_a_change_of_seats_withdraws_it(server):
    path, (ada, ben, cleo) = await three(server)
    await ask(server, ada, path)
    await answer(ben, path, "yes")
    await cleo.post("/me", data={"name": "Zoe"})
    assert notice(await cleo.get(path)) == ""
    assert (await answer(cleo, path, "yes")).status_code == 409
    # so it can be asked anew
    assert (await ask(server, ada, path)).status_code == 200
    assert "Person 0 asks" in notice(await cleo.get(path))


async def test_it_does_not_go_back_where_a_seat_or_a_move_was_not_seen(server):
    path, _ = await three(server)
    table, tables = await server.at(path), server.app.state.tables
    version, seating = table.version, table.row.seating
    for unseen in ((version, seating - 1), (version, seating + 1), (version - 1, seating)):
        with pytest.raises(Stale):
            await tables.go_back(table.id, 0, unseen)
    assert table.match.ply == 4
    await tables.go_back(table.id, 0, (version, seating))
    assert table.match.ply == 3


async def test_nothing_is_drawn_twice_however_often_it_goes_back(server):
    """Also where it went further back than before, so that the match does not tell of the first time any more."""
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await server.shared_table(ada, ben)
    for person in (ada, ben, ada, ben):
        assert (await server.play(person, path)).status_code == 200
    for person, other in ((ben, ada), (ada, ben), (ada, ben)):
        assert (await ask(server, person, path)).status_code == 200
        assert (await answer(other, path, "yes")).status_code == 200
        assert (await server.play(person, path)).status_code == 200
    table = await server.at(path)
    assert [each.ply for each in table.match.anew] == [2, 2]
    rows = await server.app.state.store.moves(table.id)
    digests = [hashlib.sha256(f"{table.row.salt} anew {time}".encode()).digest() for time in (1, 2, 3)]
    chances = [int.from_bytes(digest) % (1 << 63) for digest in digests]
    assert [row.chance for row in rows if row.move == WENT_BACK] == chances


@pytest.mark.any_store
async def test_two_who_agree_at_the_same_time(server):
    path, (ada, ben, cleo) = await three(server)
    await ask(server, ada, path)
    answers = await asyncio.gather(*(answer(each, path, "yes") for each in (ben, cleo, ben, cleo)))
    assert {each.status_code for each in answers} <= {200, 409}
    table = await server.at(path)
    assert table.match.ply == 3
    rows = await server.app.state.store.moves(table.id)
    assert sum(row.move == WENT_BACK for row in rows) == 1


async def test_with_bots_alone_it_goes_back_at_once_and_the_log_says_so(server):
    ada = await server.person("Ada")
    path = await server.table(ada, seats=2)
    await server.quiet()
    assert (await server.play(ada, path)).status_code == 200
    await server.quiet()
    table = await server.at(path)
    while table.can_take_back(0):
        assert (await server.play(ada, path)).status_code == 200
        await server.quiet()
        table = await server.at(path)
    before = table.match.anew
    assert (await ask(server, ada, path)).status_code == 200
    table = await server.at(path)
    assert len(table.match.anew) == len(before) + 1
    assert "went back to here" in (await ada.get(path)).text


async def test_it_does_not_go_back_where_there_is_nothing_or_the_match_is_over(server):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await server.shared_table(ada, ben)
    assert (await ask(server, ada, path)).status_code == 422
    assert (await ask(server, ada, path, htmx=False)).status_code == 422
    await server.play_out(path, ada, ben)
    assert (await ask(server, ada, path)).status_code == 422


async def test_everybody_is_told_at_once(server):
    path, (ada, ben, cleo) = await three(server)
    async with page_open(server, ben, await server.shown(path)) as page:
        await ask(server, ada, path)
        assert "Person 0 asks to go back" in (await page.event()).data
        await answer(ben, path, "yes")
        await answer(cleo, path, "yes")
        while "went back to here" not in (await page.event()).data:
            pass
