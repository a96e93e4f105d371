"""Matches that have begun elsewhere: playing on from a position, and finished matches that come as files."""

import html
import json
import re
from pathlib import Path

import pytest

from thorp.core import match as match_module
from thorp.core.language import ENGLISH, language
from thorp.core.match import Match
from thorp.server.tables import table as table_module
from thorp.server.tables.schema import CONTINUED
from thorp.server.tables.table import RECORDED
from thorp.server.web import languages

from .conftest import HTMX, replace, running

pytestmark = pytest.mark.anyio

MATCHES = Path(__file__).parents[1] / "matches"


async def _finished(server, client, seats=3):
    path = await server.table(client, seats)
    await server.play_out(path, client)
    return path


async def test_a_finished_match_is_played_on_with_bots(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await _finished(server, ada)
    old = (await server.at(path)).match
    assert "/play-on" in (await eve.get(f"{path}/at/4")).text
    server.bots.free.clear()
    answer = await eve.post(f"{path}/at/4/play-on", data={"seat": "2", "bot": "slow"})
    assert answer.status_code == 303
    new = answer.headers["location"]
    assert new != path
    table = await server.at(new)
    assert (table.names[1], table.seat_of(server.id_of(eve))) == ("Eve", 1)
    assert [seat.bot for seat in table.seats] == ["slow", None, "slow"]
    match = table.match
    assert (match.seed, match.options, match.seats) == (old.seed, old.options, old.seats)
    assert match.continued is not None
    assert match.continued >= 4
    assert match.log()[:4] == old.log()[:4]
    assert "goes on from position" in (await eve.get(new)).text
    assert "goes on from position" not in (await eve.get(path)).text
    # what was played before stays
    assert not table.can_take_back(1)
    server.bots.free.set()
    await server.quiet()
    await server.play_out(new, eve)
    exported = (await eve.get(f"{new}/export.json")).text
    assert json.loads(exported)["continued"] > 0
    loaded = Match.load(exported)
    assert (loaded.continued, loaded.digest()) == (match.continued, (await server.at(new)).match.digest())
    # and after a restart
    server.app.state.tables._cache.clear()
    table = await server.at(new)
    assert (table.match.digest(), table.match.continued) == (loaded.digest(), match.continued)


async def test_a_finished_match_is_played_on_by_its_players(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.shared_table(ada, eve)
    await server.play_out(path, ada, eve)
    assert 'value="same"' in (await eve.get(f"{path}/at/0")).text
    answer = await eve.post(f"{path}/at/0/play-on", data={"players": "same"})
    table = await server.at(answer.headers["location"])
    assert [seat.person for seat in table.seats] == [server.id_of(ada), server.id_of(eve)]
    assert table.match.continued == 0
    stranger = await server.person("Mallory")
    assert 'value="same"' not in (await stranger.get(f"{path}/at/0")).text
    answer = await stranger.post(f"{path}/at/0/play-on", data={"players": "same"})
    assert answer.status_code == 403


async def test_what_was_closed_to_watchers_stays_closed(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.table(ada, 2, watchable="no")
    await server.play_out(path, ada)
    assert (await eve.get(path)).status_code == 403
    answer = await ada.post(f"{path}/at/0/play-on", data={"seat": "1", "bot": "slow"})
    assert answer.status_code == 303
    assert (await eve.get(answer.headers["location"])).status_code == 403


@pytest.mark.parametrize(
    ("form", "status"),
    [({}, 400), ({"seat": "0", "bot": "slow"}, 422), ({"seat": "4", "bot": "slow"}, 422), ({"seat": "x"}, 400)]
    + [({"seat": "1", "bot": bot}, 422) for bot in ("", RECORDED, "none")],
)
async def test_playing_on_is_refused(server, form, status):
    ada = await server.person()
    path = await _finished(server, ada)
    before = await server.rows()
    assert (await ada.post(f"{path}/at/1/play-on", data=form)).status_code == status
    assert await server.rows() == before


async def test_nothing_is_played_on_from_a_running_match_or_an_end(server):
    ada = await server.person()
    path = await server.table(ada, 2)
    form = {"seat": "1", "bot": "slow"}
    assert "/play-on" not in (await ada.get(f"{path}/at/0")).text
    assert (await ada.post(f"{path}/at/0/play-on", data=form)).status_code == 403
    await server.play_out(path, ada)
    last = (await server.at(path)).match.ply
    before = await server.rows()
    assert (await ada.post(f"{path}/at/{last}/play-on", data=form)).status_code == 422
    assert (await ada.post(f"{path}/at/{last + 1}/play-on", data=form)).status_code == 404
    foreign = {"Sec-Fetch-Site": "cross-site"}
    assert (await ada.post(f"{path}/at/1/play-on", data=form, headers=foreign)).status_code == 403
    assert (await ada.post("/matches", data={"match": "{}"}, headers=foreign)).status_code == 403
    assert await server.rows() == before


async def _send(client, text):
    return await client.post("/matches", files={"match": ("match.json", text)})


async def test_a_match_from_a_file_is_a_table_for_all(server, settings):
    ada = await server.person()
    assert 'action="/matches"' in (await ada.get("/")).text
    path = await _finished(server, ada)
    exported = (await ada.get(f"{path}/export.json")).text
    eve = await server.person("Eve")
    answer = await _send(eve, exported)
    assert answer.status_code == 303
    shared = answer.headers["location"]
    # it is listed as what it is: Eve has not played it
    home = (await eve.get("/")).text
    assert f'href="{shared}"' in home.partition('id="from-files"')[2].partition("</section>")[0]
    assert 'id="finished"' not in home
    assert 'id="from-files"' not in (await ada.get("/")).text
    async with running(replace(settings)) as other:
        viewer = other.client()
        text = (await viewer.get(shared)).text
        assert "Seat 3" in text
        assert "Play again" not in text
        # the seed was known before
        assert "Was it dealt fairly?" not in text
        assert (await viewer.get(f"{shared}/at/5?as=2")).status_code == 200
        assert (await viewer.get(f"{shared}/export.json")).text == exported


@pytest.mark.parametrize("file", ["tiny_towns/win-shared", "tiny_towns/six-seats", "villagers/two-seats"])
async def test_the_course_of_the_scores_keeps_nought_within_its_frame(server, file):
    """Where all have lost points at the end, too: nought is its upper edge then."""
    match = Match.load((MATCHES / f"{file}.json").read_bytes())
    shared = (await _send(await server.person(), match.export())).headers["location"]
    course = re.search(r'<figure class="course">.*?</figure>', (await server.client().get(shared)).text, re.S)[0]
    nought, edge = re.search(r'class="axis" d="M0 (\S+?)H\d+M0 0V(\S+?)"', course).groups()
    assert 0 <= float(nought) <= float(edge)
    assert (float(nought) == 0) == (max(match.scores) <= 0)


async def test_a_played_on_match_from_a_file_says_so(server):
    ada = await server.person()
    match = (await server.at(await _finished(server, ada))).match.branch(5)
    while not match.over:
        match.play(match.waiting[0], match.legal(match.waiting[0])[-1])
    shared = (await _send(ada, match.export())).headers["location"]
    assert f"position {match.continued}" in (await ada.get(shared)).text
    table = await server.at(shared)
    assert table.match.export() == match.export()
    assert [row.move for row in await server.app.state.store.moves(table.id)].count(CONTINUED) == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: b"", "no JSON"),
        (lambda data: b"\xff\xfe", "UTF-8"),
        (lambda data: b"[" * 5000, "too deep"),
        (lambda data: json.dumps({**data, "game": "chess"}), "chess"),
        (lambda data: json.dumps({**data, "moves": data["moves"][:-1]}), "digest"),
        (lambda data: json.dumps({**data, "moves": [[0, 999]]}), "moves[0]"),
        (lambda data: json.dumps({**data, "continued": 10**6}), "continued"),
        (lambda data: json.dumps({**data, "continued": True}), "continued"),
        (lambda data: json.dumps({**data, "seats": 10**9}), "seat"),
    ],
)
async def test_what_is_no_match_is_refused_with_a_sentence(server, change, said):
    ada = await server.person()
    path = await _finished(server, ada, 1)
    data = json.loads((await ada.get(f"{path}/export.json")).text)
    before = await server.rows()
    answer = await _send(ada, change(data))
    assert answer.status_code in (400, 422)
    assert said in answer.text
    assert await server.rows() == before


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: b"", "esto no es JSON (línea 1, columna 1)"),
        (lambda data: json.dumps({**data, "moves": [[0, 999]]}), "moves[0]: la jugada 999 no está permitida"),
        (lambda data: json.dumps({**data, "game": "chess"}), "no hay ningún juego 'chess'"),
        (lambda data: json.dumps({**data, "seed": -1}), "una semilla es un número entero"),
        (lambda data: json.dumps({**data, "options": {"a": "b"}}), "no tiene la opción 'a'"),
        (lambda data: json.dumps({**data, "over": 1}), "over tiene que ser de tipo bool, no int"),
    ],
)
async def test_a_refused_file_is_told_of_in_one_language(server, monkeypatch, change, said):
    monkeypatch.setattr(languages, "_complete", lambda games: (ENGLISH, language("es")))
    ada = await server.person()
    path = await _finished(server, ada, 1)
    data = json.loads((await ada.get(f"{path}/export.json")).text)
    ada.cookies.set(languages.COOKIE, "es")
    text = html.unescape((await _send(ada, change(data))).text)
    refusal = re.search(r"Este no es un archivo de una partida[^<]*", text)
    assert refusal
    assert said in refusal[0]
    assert not re.search(r" (is|are|not|the|has|must) ", refusal[0])


async def test_a_match_that_runs_is_no_match_to_look_at(server):
    ada = await server.person()
    match = Match("pebbles", 2, seed=1)
    answer = await _send(ada, match.export())
    assert answer.status_code == 422
    assert "is not over" in answer.text


async def test_matches_from_files_are_limited_as_tables_are(server, settings):
    ada = await server.person()
    exported = (await ada.get(f"{await _finished(server, ada)}/export.json")).text
    async with running(replace(settings, tables_hourly=2)) as strict:
        eve = await strict.person("Eve")
        assert [(await _send(eve, exported)).status_code for _ in range(3)] == [303, 303, 429]


async def test_who_took_a_match_in_finds_it_again(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    exported = (await ada.get(f"{await _finished(server, ada)}/export.json")).text
    path = (await _send(eve, exported)).headers["location"]
    assert f'href="{path}"' in (await eve.get("/")).text
    assert f'href="{path}"' not in (await ada.get("/")).text
    # It is nobody's match to play once more for that.
    assert (await eve.post(f"{path}/again")).status_code == 403


async def test_whoever_goes_back_to_one_position_again_and_again_has_a_file(server, monkeypatch):
    """More often than the match has moves; and no more often than a file may tell of."""
    for module in (match_module, table_module):
        monkeypatch.setattr(module, "MOST_ANEW", 30)
    ada = await server.person("Ada")
    path = await server.table(ada)

    async def go_back():
        counter = (await server.at(path)).counters[0]
        return await ada.post(f"{path}/go-back", data={"counter": str(counter), "seat": "0"}, headers=HTMX)

    await server.quiet()
    for _ in range(30):
        assert (await server.play(ada, path)).status_code == 200
        await server.quiet()
        assert (await go_back()).status_code == 200
        await server.quiet()
    assert len((await server.at(path)).match.anew) == 30
    assert (await server.play(ada, path)).status_code == 200
    await server.quiet()
    assert not (await server.at(path)).can_go_back(0)
    assert (await go_back()).status_code == 422
    match = await server.play_out(path, ada)
    export = (await ada.get(f"{path}/export.json")).text
    assert match.ply < len(json.loads(export)["anew"]) == 30
    assert Match.load(export).digest() == match.digest()
    taken = await _send(ada, export)
    assert taken.status_code == 303
    shown = (await ada.get(taken.headers["location"])).text
    assert shown.count("went back to here; what comes now was drawn anew.") == 30
    assert len(set(re.findall(r'id="back-\d+-\d+"', shown))) == 30
