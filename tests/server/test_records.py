"""Old matches for ever: what is kept of a match that is over, and what becomes of running ones by newer rules."""

import contextlib
import json
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from markupsafe import escape
from sqlalchemy import delete, select, update

from thorp.compiling.mode import COMPILED
from thorp.core.language import language, translated
from thorp.core.match import Match
from thorp.core.registry import game as find_game
from thorp.server import admin
from thorp.server.tables import archive, ratings, schema
from thorp.server.tables.refusals import Kept, Unknown
from thorp.server.tables.rooms import commitment
from thorp.server.tables.store import MoveRow, SeatRow, Shut, TableRow
from thorp.server.web.record_pages import _WHY, with_texts

from .conftest import GAME, running
from .test_bad_input import assert_refused
from .test_clocks import runs, table_of

pytestmark = pytest.mark.anyio

OLDER = Path(__file__).parent / "older"


@pytest.fixture
async def ada(server):
    return await server.person()


@contextlib.contextmanager
def newer_rules(game=GAME, version=2):
    """The rules of a game have gone on."""
    before = game.rules_version
    object.__setattr__(game, "rules_version", version)
    try:
        yield
    finally:
        object.__setattr__(game, "rules_version", before)


@contextlib.contextmanager
def without_taking():
    """And allow other moves than before: nobody takes pebbles any more, unless there is no other way."""
    rules = GAME.legal_moves

    def fewer(state, seat, moves):
        return rules(state, seat, moves)[:1]

    object.__setattr__(GAME, "legal_moves", fewer)
    try:
        yield
    finally:
        object.__delattr__(GAME, "legal_moves")


async def record_of(server, path):
    return await server.app.state.records.read(path.rpartition("/")[2])


async def stored(server, name, data, moves=None, *, finished=False):
    """The path of a table as a server of `data`'s rules left it in the store: with all of its moves, or the first."""
    game, seats, moment = data["game"], range(data["seats"]), server.app.state.store.now()
    row = TableRow(
        **{key: data[key] for key in ("game", "seats", "options", "seed", "rules_version", "generator_version")},
        **{"id": name, "salt": "salt", "commitment": commitment("salt", data["seed"]), "forced": True},
        created=moment - timedelta(days=400),
        started=moment - timedelta(days=400),
        finished=moment if finished else None,
    )
    counters = [0 for _ in seats]
    rows = []
    for ply, (seat, move) in enumerate(data["moves"][:moves]):
        rows.append(MoveRow(ply, seat, move, counters[seat]))
        counters[seat] += 1
    # At once: a server that has just started looks for matches whose records are missing.
    company = [SeatRow(seat, f"p{seat}", None, f"{game} {seat}") for seat in seats]
    await server.app.state.store.add_table(row, company, rows)
    return f"/tables/{name}"


async def older(server, name, moves=None, *, finished=False):
    """The path of a real match of an older version of the rules, as that version wrote it."""
    return await stored(server, name, json.loads((OLDER / f"{name}.json").read_text()), moves, finished=finished)


@contextlib.contextmanager
def one_stone_at_a_time():
    """And let stones be chosen in turn."""
    rules = GAME.waiting
    object.__setattr__(GAME, "waiting", lambda state: rules(state) & -rules(state))
    try:
        yield
    finally:
        object.__setattr__(GAME, "waiting", rules)


@contextlib.contextmanager
def one_round():
    """And end with the first round."""
    over, waiting = GAME.over, GAME.waiting

    def is_over(state):
        return over(state) or (state["round"] if COMPILED else state.round) > 1

    object.__setattr__(GAME, "over", is_over)
    object.__setattr__(GAME, "waiting", lambda state: 0 if is_over(state) else waiting(state))
    try:
        yield
    finally:
        object.__setattr__(GAME, "over", over)
        object.__setattr__(GAME, "waiting", waiting)


# --- a match that is over ----------------------------------------------------------------------------------


async def test_a_match_that_ends_is_recorded(server, ada):
    path = await server.shared_table(ada)
    match = await server.play_out(path, ada)
    await server.quiet()
    content, sheet, _ = await record_of(server, path)
    assert content["ending"] == "played"
    assert [board["round"] for board in content["boards"]] == [1, 2, None]
    assert [entry["round"] for entry in content["log"] if entry["round"]] == [1, 2, 3]
    assert len(content["log"]) == match.ply
    assert content["sheet"]["totals"] == list(match.scores)
    assert content["boards"][-1]["points"] == list(match.scores)
    assert Match.load(content["export"]).digest() == match.digest()
    assert re.fullmatch("[0-9a-f]{64}", sheet)


async def test_whoever_changes_nothing_has_nothing_drawn(server, ada, monkeypatch):
    """A stranger posts whatever can be posted at a match that is over."""
    eve = await server.person("Eve")
    path = await server.table(ada)
    await server.play_out(path, ada)
    moved, drawn = [], []
    server.app.state.tables.on_move.append(moved.append)
    monkeypatch.setattr(server.app.state.records, "_draw", drawn.append)
    for _ in range(3):
        assert (await eve.post(f"{path}/leave")).status_code == 303
    await server.quiet()
    assert moved == []
    # nor is a record drawn that is there, whoever asks for it
    assert await server.app.state.records.make_up(path.rpartition("/")[2])
    assert drawn == []


async def test_a_record_is_read_whatever_the_rules_have_become(server, ada):
    path = await server.shared_table(ada)
    match = await server.play_out(path, ada)
    await server.quiet()
    export = (await ada.get(f"{path}/export.json")).text
    server.app.state.tables._cache.clear()
    with newer_rules(), without_taking():
        page = await ada.get(path)
        assert page.status_code == 200
        assert "was played by version 1 of the rules" in page.text
        assert f"<td>{match.scores[0]}</td>" in page.text
        assert "Person 0 chooses Flint." in page.text or "Person 0 chooses a stone." in page.text
        first = await ada.get(f"{path}?board=0")
        assert 'aria-current="page">Round 1<' in first.text
        assert_refused(await ada.get(f"{path}?board=3"), 404, "no such board")
        assert (await ada.get(f"{path}/export.json")).text == export
        address = re.search(r'"(/records/look/[0-9a-f]{64}\.css)"', page.text)[1]
        look = await ada.get(address)
        assert look.headers["content-type"] == "text/css; charset=utf-8"
        assert look.text.endswith(server.app.state.looks.sheet(GAME.id, "table"))
        assert "nonce-" in page.headers["content-security-policy"]
        assert_refused(await ada.post(f"{path}/moves", data={"counter": "0", "move": "0"}), 410, "is closed")
        assert_refused(await ada.post(f"{path}/again"), 410, "is closed")
        assert_refused(await ada.get(f"{path}/events"), 410, "is closed")


async def test_a_game_that_is_no_longer_installed(server, ada):
    path = await server.shared_table(ada)
    await server.play_out(path, ada)
    running_one = await server.shared_table(ada)
    await server.quiet()
    id = path.rpartition("/")[2]
    server.app.state.tables._cache.clear()
    await server.app.state.store.write(lambda c: c.execute(update(schema.tables).values(game="gone")))
    page = await ada.get(path)
    assert page.status_code == 200
    assert "Pebbles" in page.text
    assert_refused(await ada.get(running_one), 410, "which is not installed here")
    await server.app.state.store.write(lambda c: c.execute(delete(schema.records)))
    assert_refused(await ada.get(path), 410, "nothing of it can be shown")
    assert not await server.app.state.records.make_up(id)


async def test_drawings_are_asked_for_by_nobody_and_looks_are_shared(server, ada):
    for _ in range(2):
        await server.play_out(await server.shared_table(ada), ada)
    await server.quiet()
    looks = await server.app.state.store.read(lambda c: c.execute(select(schema.looks.c.digest)).scalars().all())
    records = await server.app.state.store.read(
        lambda c: c.execute(select(schema.records.c.sheet, schema.records.c.drawings)).all()
    )
    assert len(records) == 2
    assert {digest for row in records for digest in row} == set(looks)
    assert_refused(await ada.get(f"/records/look/{records[0][1]}.css"), 404, "no such page")
    assert_refused(await ada.get(f"/records/look/{'0' * 64}.css"), 404, "no such page")


async def test_records_that_are_missing_are_made_up_for_at_the_start(settings):
    async with running(settings) as server:
        ada = await server.person()
        path = await server.shared_table(ada)
        await server.play_out(path, ada)
        await server.quiet()
        before = await record_of(server, path)
        await server.app.state.store.write(lambda c: c.execute(delete(schema.records)))
        assert await server.app.state.store.read(archive.lacking) == [path.rpartition("/")[2]]
        await server.app.state.records.make_up_all()
        assert await server.app.state.store.read(archive.lacking) == []
        assert await record_of(server, path) == before


async def test_a_record_that_cannot_be_drawn_stops_nothing(server, ada, monkeypatch, caplog):
    path = await server.shared_table(ada)
    monkeypatch.setattr(server.app.state.records, "_draw", lambda over: 1 / 0)
    await server.play_out(path, ada)
    await server.quiet()
    assert "could not be recorded (ZeroDivisionError)" in caplog.text
    await server.app.state.records.make_up_all()
    assert (await ada.get(path)).status_code == 200


async def test_names_are_escaped_in_a_record(server):
    ada = await server.person('<img src="x">')
    path = await server.table(ada, seats=1)
    await server.play_out(path, ada)
    await server.quiet()
    server.app.state.tables._cache.clear()
    with newer_rules():
        page = (await ada.get(path)).text
    assert "<img" not in page
    assert "&lt;img" in page


async def test_past_boards_hide_what_was_secret(server, ada):
    ben = await server.person("Ben")
    path = await server.shared_table(ada, ben)
    match = await server.play_out(path, ada, ben)
    await server.quiet()
    content, _, _ = await record_of(server, path)
    secrets = [str(number) for number in match.view(0).secrets]
    *past, last = content["boards"]
    assert all(secret in last["html"] for secret in secrets)
    assert not any(secret in board["html"] for board in past for secret in secrets)


# --- a match that goes on ----------------------------------------------------------------------------------


async def test_a_running_match_goes_on_by_newer_rules_and_says_so(server, ada):
    path = await server.shared_table(ada)
    await server.play(ada, path)
    server.app.state.tables._cache.clear()
    with newer_rules():
        page = await ada.get(path)
        assert page.status_code == 200
        assert "From here on version 2 of the rules holds" in page.text
        table = await server.at(path)
        assert table.row.rules_version == 2
        assert (table.version, table.changes) == (1, (archive.RulesChange(table.match.ply, 2),))
        assert (await server.play(ada, path)).status_code == 200
        server.app.state.tables._cache.clear()
        assert "From here on version 2" in (await ada.get(path)).text


async def test_a_table_without_moves_goes_on_in_silence(server, ada):
    path = await server.shared_table(ada)
    server.app.state.tables._cache.clear()
    with newer_rules():
        page = await ada.get(path)
    assert page.status_code == 200
    assert "From here on" not in page.text


@pytest.mark.any_store
async def test_newer_rules_tell_who_is_asked_and_whose_clock_runs(server, ada):
    path = await table_of(server, ada, await server.person("Ben"))
    id, store = path.rpartition("/")[2], server.app.state.store
    assert await runs(server, path) == [0, 1]
    assert (await store.table(id))[0].waiting == [0, 1]
    server.app.state.tables._cache.clear()
    with newer_rules(), one_stone_at_a_time():
        assert (await server.at(path)).match.waiting == (0,)
        assert (await store.table(id))[0].waiting == [0]
        assert await runs(server, path) == [0]


@pytest.mark.any_store
async def test_a_match_that_is_over_by_newer_rules_ends_as_any_other(server, ada):
    ben = await server.person("Ben")
    path = await table_of(server, ada, ben)
    id, store = path.rpartition("/")[2], server.app.state.store
    for person in (ada, ben, ada, ben):
        assert (await server.play(person, path)).status_code == 200
    assert not (await server.at(path)).match.over
    server.app.state.tables._cache.clear()
    with newer_rules(), one_round():
        match = (await server.at(path)).match
        assert match.over
        row, _ = await store.table(id)
        assert row.finished
        assert (row.waiting, row.scores, row.standings) == ([], list(match.scores), list(match.standings))
        assert await runs(server, path) == []
        rows = dict(await server.rows())
        assert len(rows["result"]) == len(rows["rating"]) == 2
        await store.write(lambda connection: ratings.reckon(connection, GAME.id))
        assert dict(await server.rows())["rating"] == rows["rating"]
        await server.quiet()
        content, _, _ = await record_of(server, path)
        assert (content["ending"], content["versions"]["played"]) == ("played", 2)
        assert await store.read(archive.lacking) == []


async def test_who_sits_there_by_now_is_whose_match_ends_by_newer_rules(server, ada):
    """Somebody leaves between the look at the table and the transaction that ends its match."""
    ben = await server.person("Ben")
    path = await server.shared_table(ada, ben)
    id, store = path.rpartition("/")[2], server.app.state.store
    for person in (ada, ben, ada, ben):
        assert (await server.play(person, path)).status_code == 200
    moves, left = store.moves, []

    async def leaves(table, since=0):
        if not left:
            left.append(True)
            await store.change_seats(
                id,
                lambda company: replace(
                    company, seats=(company.seats[0], SeatRow(1, None, "quick", "Ben", away=server.id_of(ben)))
                ),
            )
        return await moves(table, since)

    server.app.state.tables._cache.clear()
    store.moves = leaves
    with newer_rules(), one_round():
        assert (await server.at(path)).match.over
        assert [row[2] for row in dict(await server.rows())["result"]] == [server.id_of(ada)]


async def test_a_running_match_that_newer_rules_do_not_allow_is_closed(server, ada):
    path = await server.shared_table(ada)
    await server.play(ada, path)
    table = await server.at(path)
    await server.play(ada, path, table.match.legal(0)[-1])
    server.app.state.tables._cache.clear()
    with newer_rules(), without_taking():
        page = await ada.get(path)
        assert page.status_code == 200
        assert "was closed without a winner" in page.text
        assert "The last position" in page.text
        assert "The score" not in page.text
        assert_refused(await ada.post(f"{path}/moves", data={"counter": "2", "move": "0"}), 410, "is closed")
        row, _ = await server.app.state.store.table(table.id)
        assert row.finished
        assert row.rules_version == 1
        # It is the same for whoever comes later, and a second time.
        assert (await server.client().get(path)).status_code == 200
    # Nobody opens it again where the older rules are.
    server.app.state.tables._cache.clear()
    assert "was closed without a winner" in (await ada.get(path)).text


async def test_a_server_of_older_rules_leaves_newer_tables_alone(server, ada):
    with newer_rules():
        path = await server.shared_table(ada)
    server.app.state.tables._cache.clear()
    assert_refused(await ada.get(path), 410, "newer than version 1 here")
    row, _ = await server.app.state.store.table(path.rpartition("/")[2])
    assert row.finished is None


async def test_an_older_server_cannot_move_where_a_newer_one_went_on(server, ada):
    path = await server.shared_table(ada)
    await server.play(ada, path)
    id = path.rpartition("/")[2]
    store = server.app.state.store
    await store.write(lambda c: c.execute(update(schema.tables).values(rules_version=2)))
    with pytest.raises(Shut):
        await store.add_move(id, MoveRow(1, 0, 0, 1), rules=(1, 1))
    table = await server.at(path)
    answer = await ada.post(f"{path}/moves", data={"counter": "1", "move": str(table.match.legal(0)[0])})
    assert_refused(answer, 410, "newer than version 1 here")
    assert len(await store.moves(id)) == 1


async def test_two_servers_bring_a_table_to_newer_rules_once(settings):
    async with running(settings) as server:
        ada = await server.person()
        path = await server.shared_table(ada)
        await server.play(ada, path)
        store = server.app.state.store
        row, _ = await store.table(path.rpartition("/")[2])
        go_on = {"old": row, "rows": 1, "versions": (2, 1), "ply": 1, "waiting": (0,), "clock": store.now}
        assert await store.write(lambda c: archive.go_on(c, **go_on))
        assert not await store.write(lambda c: archive.go_on(c, **go_on))


async def test_a_move_that_came_meanwhile_is_looked_at_too(server, ada):
    path = await server.shared_table(ada)
    await server.play(ada, path)
    store = server.app.state.store
    row, _ = await store.table(path.rpartition("/")[2])
    go_on = {"old": row, "rows": 0, "versions": (2, 1), "ply": 0, "waiting": (0,), "clock": store.now}
    assert not await store.write(lambda c: archive.go_on(c, **go_on))


# --- real matches of older rules ---------------------------------------------------------------------------


async def test_an_older_match_that_is_legal_still_goes_on(server):
    path = await older(server, "villagers-2-two-seats", 40)
    table = await server.at(path)
    assert table.version == 40
    assert table.row.rules_version == find_game("villagers").rules_version
    page = await server.client().get(path)
    assert "From here on version 3 of the rules holds" in page.text
    seat = table.match.waiting[0]
    await server.app.state.tables.play(table.id, seat, table.counters[seat], table.match.legal(seat)[0])
    assert len(await server.app.state.store.moves(table.id)) == 41


@pytest.mark.parametrize(("name", "legal"), [("villagers-2-solo", 37), ("villagers-1-two-seats", 6)])
async def test_an_older_match_that_is_not_legal_any_more_is_closed(server, name, legal):
    path = await older(server, name, legal + 1)
    page = await server.client().get(path)
    assert page.status_code == 200
    assert "was closed without a winner" in page.text
    content, _, _ = await record_of(server, path)
    assert content["ending"] == "rules"
    assert len(json.loads(content["export"])["moves"]) == legal
    with pytest.raises(Kept):
        await server.at(path)


@pytest.mark.parametrize(("name", "ending"), [("villagers-2-two-seats", "replayed"), ("villagers-2-solo", "rules")])
async def test_an_older_match_that_was_over_before_there_were_records(server, name, ending):
    path = await older(server, name, finished=True)
    await server.app.state.records.make_up_all()
    content, _, _ = await record_of(server, path)
    assert content["ending"] == ending
    page = await server.client().get(path)
    assert page.status_code == 200
    assert ("points may differ" in page.text) == (ending == "replayed")


@pytest.mark.parametrize("id", ["tiny-towns", "villagers", "valeria"])
async def test_every_game_is_read_without_its_rules(server, id):
    game = find_game(id)
    match = Match(game, 2, seed=3)
    while not match.over:
        seat = match.waiting[0]
        match.play(seat, match.legal(seat)[0])
    path = await stored(server, id, json.loads(match.export()), finished=True)
    await server.app.state.records.make_up_all()
    with newer_rules(game, 99):
        page = await server.client().get(path)
    assert page.status_code == 200
    assert f"<td>{match.scores[0]}</td>".replace("-", "−") in page.text
    # Whatever a board refers to is on the page, and nothing can be sent from it.
    used = set(re.findall(r'<use[^>]*href="#([^"]+)"', page.text))
    assert used
    assert used <= set(re.findall(r'id="([^"]+)"', page.text))
    assert re.findall(r"<form[^>]*action=\"([^\"]*)", page.text) == ["/me/language"]
    assert "<script" not in page.text


@pytest.mark.parametrize("tag", translated())
async def test_a_record_is_in_english_and_its_page_in_the_language_of_who_reads_it(server, ada, tag):
    match = Match("villagers", 2, seed=3)
    while not match.over:
        match.play(match.waiting[0], match.legal(match.waiting[0])[0])
    path = await stored(server, tag, json.loads(match.export()), finished=True)
    await server.app.state.records.make_up_all()
    with newer_rules(match.game, 99):
        page = (await ada.get(path, headers={"Accept-Language": tag})).text
    spoken = language(tag).within(match.game.words)
    assert f'<html lang="{tag}"' in page
    assert f'hreflang="{tag}"' in page
    assert f"{spoken.text('What happened and the boards were kept in English.')}</p>" in page
    # what is a word or a name by itself is said, and what is a sentence of its time is marked as what it is
    assert all(f"<dt>{spoken.text(option.label)}</dt>" in page for option in match.game.options)
    assert spoken.text(match.sheet().rows[0].label.text) in page
    kept = [entry["text"] for entry in (await record_of(server, path))[0]["log"]]
    assert all(f'lang="en">{escape(text)}</li>' in page for text in kept)
    assert all(spoken.says(why) for why in _WHY.values())


# --- closed and deleted while a server runs ----------------------------------------------------------------


async def test_a_table_that_is_closed_elsewhere_takes_no_moves(server, ada):
    path = await server.shared_table(ada)
    await server.play(ada, path)
    table = await server.at(path)
    store = server.app.state.store
    await store.write(lambda c: c.execute(update(schema.tables).values(finished=store.now())))
    answer = await ada.post(f"{path}/moves", data={"counter": "1", "move": str(table.match.legal(0)[0])})
    assert_refused(answer, 410, "is closed")
    page = await ada.get(path)
    assert page.status_code == 200
    assert "by whoever runs this server" in page.text


async def test_a_table_that_is_deleted_elsewhere_is_not_there(server, ada):
    path = await server.shared_table(ada)
    table = await server.at(path)

    def take_away(connection):
        for each in (schema.seats, schema.tables):
            connection.execute(delete(each))

    await server.app.state.store.write(take_away)
    move = table.match.legal(0)[0]
    with pytest.raises(Unknown):
        await server.app.state.tables.play(table.id, 0, 0, move)
    assert_refused(await ada.get(path), 404, "no such table")


async def test_a_finished_table_that_is_deleted_is_not_there_either(server, ada):
    path = await server.shared_table(ada)
    await server.play_out(path, ada)
    await server.quiet()
    await server.app.state.store.write(lambda connection: admin.remove(connection, path.rpartition("/")[2]))
    assert_refused(await ada.get(path), 404, "no such table")
    looks = await server.app.state.store.read(lambda c: c.execute(select(schema.looks.c.digest)).all())
    assert looks == []


def test_cards_of_a_record_open_their_texts_without_a_script():
    drawings = '<div id="about-well" popover>...</div>'
    board = (
        '<button class="face" data-about="about-well">Well</button><button data-card="well">Well</button>'
        '<button data-card="unknown">?</button><button data-about="about-well" popovertarget="about-well">i</button>'
        '<button data-about="about-well" disabled>-</button><span data-card="well">Well</span>'
    )
    assert with_texts(board, drawings) == (
        '<button popovertarget="about-well" class="face" data-about="about-well">Well</button>'
        '<button popovertarget="about-well" data-card="well">Well</button>'
        '<button data-card="unknown">?</button><button data-about="about-well" popovertarget="about-well">i</button>'
        '<button data-about="about-well" disabled>-</button><span data-card="well">Well</span>'
    )
