"""Every game at a real table: no byte that a viewer is sent depends on what it may not know."""

from __future__ import annotations

import random
import re
from pathlib import Path

import httpx2
import pytest
import toy
from server.conftest import HTMX, Server, page_open

from thorp import Match
from thorp.checks.matches import play_randomly, random_options
from thorp.core.match import Entry
from thorp.core.registry import register
from thorp.server.tables.clocks import CHOICES
from thorp.server.tables.table import Player
from thorp.server.web.shown import show, show_position

pytestmark = pytest.mark.anyio


def _same(text: str) -> str:
    """What is asked for twice without what is another each time: the nonce and the time."""
    return re.sub(r"nonce=(&#34;|\"|')?[\w-]+|data-now=\"\d+\"", "", text)


async def _seen(viewer: httpx2.AsyncClient, path: str, *, whole: bool) -> str:
    """What a viewer can fetch of a table that is being played: what changes with a move, or the whole pages."""
    if not whole:
        return _same((await viewer.get(f"{path}/fragment")).text)
    own = ("", "/fragment", "/export.json", "/beforehand", "/points", "/best", "/hint", "/review", "/at/0")
    pages = [await viewer.get(address) for address in (*(path + part for part in own), "/", "/me", "/me/statistics")]
    # What can be pointed at, and whatever the visitor may make up: nobody is told about what is not on its page.
    things = [*_things(pages[1].text), "card-0", "hand-0", "done-1"]
    asked = [
        await viewer.get(path + route, params={"thing": thing})
        for thing in dict.fromkeys(things)
        for route in ("/forecast", "/why")
    ]
    return "\n".join(_same(f"{answer.status_code} {answer.text}") for answer in (*pages, *asked))


#: So many things of a page are asked about, in all.
_MOST_THINGS = 4
#: At so many steps of a long match all pages are looked at, for every seat; at others what changes with a move.
_MOST_WHOLE = 4
#: At one step of so many in a row somebody looks: with two seats that take turns, at those of both.
_STEPS = 3
#: So many viewers look at each of the others, drawn anew.
_MOST_VIEWERS = 1


def _things(page: str) -> list[str]:
    """What can be pointed at on a page: some of each kind, those of long names and of short ones."""
    found = sorted(set(re.findall(r'data-(?:step|why)="([^"]+)"', page)))
    return found[:: max(1, len(found) // _MOST_THINGS)]


MATCHES = Path(__file__).parents[1] / "matches"
#: Recorded matches in which secrets are kept, and shown, over many rounds.
RECORDED = (
    MATCHES / "tiny_towns" / "opaleyes-watch.json",
    MATCHES / "tiny_towns" / "solo.json",
    MATCHES / "villagers" / "two-seats.json",
    MATCHES / "valeria" / "two-idle.json",
)


def _random_match(seed: int) -> Match:
    match = Match(toy.GAME, 3, random_options(toy.GAME, 3, random.Random(seed)), 4_611_686_018_427_387_904 + seed)
    play_randomly(match, random.Random(seed))
    return match


@pytest.fixture(params=[*RECORDED, 1, 2], ids=lambda param: getattr(param, "stem", f"random-{param}"))
def recorded(request: pytest.FixtureRequest) -> Match:
    """A match in which secrets are kept: a recorded one, or a random one of a toy game."""
    kept = request.param
    return _random_match(kept) if isinstance(kept, int) else Match.load(kept.read_bytes())


async def test_what_a_viewer_may_not_know_changes_no_byte(server: Server, recorded: Match) -> None:
    """At steps of a match, for every seat and a spectator: deal again what it cannot know, and fetch again.

    The table has all that a page can have: a chat, which spectators read too, and clocks.
    """
    game, seats = recorded.game, recorded.seats
    register(game)
    rng = random.Random(1)
    people = [await server.person(f"Person {seat}") for seat in range(seats)]
    players = [Player(f"Person {seat}", person=server.id_of(people[seat])) for seat in range(seats)]
    tables = server.app.state.tables
    more = {"forced": recorded.forced, "opener": server.id_of(people[0]), "clock": CHOICES["day-3"]}
    path = "/tables/" + await tables.create(game, recorded.options, players, seed=recorded.seed, **more)
    await people[0].post(f"{path}/chat/switch", data={"whom": "everybody"})
    assert (await people[0].post(f"{path}/chat", data={"line": "A word to all"}, headers=HTMX)).status_code == 204
    viewers = [(seat, people[seat]) for seat in range(seats)] + [(None, await server.person("Eve"))]
    passer_by = server.client()
    # the first page that somebody sees is another than all that follow
    await passer_by.get(path)
    changed = 0
    chosen = [entry for entry in recorded.log() if not entry.forced]
    every = max(10, len(chosen) // _MOST_WHOLE)
    for step, entry in enumerate(chosen):
        table = await server.at(path)
        whole = step % every == 0
        if not whole and step % _STEPS:
            await tables.play(table.id, entry.seat, table.counters[entry.seat], entry.move)
            continue
        # who passes by sees what Eve sees: so it is looked at with the whole pages only
        # and of many who look at a step some at a time, or it would take minutes
        some = viewers + [(None, passer_by)] if whole else rng.sample(viewers, min(len(viewers), _MOST_VIEWERS))
        for seat, viewer in some:
            true = await _seen(viewer, path, whole=whole)
            assert not whole or ("A word to all" in true, 'id="clocks"' in true) == (True, True), (step, seat)
            assert table.row.salt not in true
            assert str(recorded.seed) not in true or recorded.seed < 10**6
            assert not any(line.forced for line in show(table, seat)["log"] if line.seat != seat)
            played = table.match
            hidden = played.copy()
            game.determinize(hidden.state, -1 if seat is None else seat, rng.randrange(1 << 62))
            changed += game.bytes(hidden.state) != game.bytes(played.state)
            table.match = hidden
            table.look_again()
            assert await _seen(viewer, path, whole=whole) == true
            table.match = played
            table.look_again()
        form = {"counter": str(table.counters[entry.seat]), "move": str(entry.move)}
        answer = await people[entry.seat].post(f"{path}/moves", data=form, headers=HTMX)
        assert answer.status_code == 200
        table = await server.at(path)
        assert table.match.over or table.row.salt not in answer.text
    assert changed
    assert (await server.at(path)).match.digest() == recorded.digest()


async def test_no_earlier_position_tells_more_than_could_be_seen_then(
    server: Server, recorded: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every position of a running match, for every seat and a spectator: deal again what it could not know then."""
    game, seats = recorded.game, recorded.seats
    register(game)
    rng = random.Random(1)
    people = [await server.person(f"Person {seat}") for seat in range(seats)]
    players = [Player(f"Person {seat}", person=server.id_of(people[seat])) for seat in range(seats)]
    tables = server.app.state.tables
    path = "/tables/" + await tables.create(game, recorded.options, players, seed=recorded.seed, forced=recorded.forced)
    chosen = [entry for entry in recorded.log() if not entry.forced]
    for entry in chosen[:-1]:
        table = await server.at(path)
        await tables.play(table.id, entry.seat, table.counters[entry.seat], entry.move)
    table = await server.at(path)
    assert not table.match.over
    readers = [*enumerate(people), (None, server.client())]
    at = Match.at
    changed = 0
    for ply in range(table.match.ply + 1):
        # of many readers some at a time, or it would take minutes
        for seat, viewer in rng.sample(readers, min(len(readers), 2)):
            hidden = at(table.match, ply)
            before = game.bytes(hidden.state)
            game.determinize(hidden.state, -1 if seat is None else seat, rng.randrange(1 << 62))
            changed += game.bytes(hidden.state) != before
            seen: list[object] = []
            for world in (at, lambda match, ply, hidden=hidden: hidden):
                monkeypatch.setattr(Match, "at", world)
                # all that the template gets, and now and then all that is made of it
                seen.append(show_position(table, ply, seat, ""))
                if ply % 20 == 0:
                    seen.append((await viewer.get(f"{path}/at/{ply}", headers=HTMX)).text)
            assert seen[: len(seen) // 2] == seen[len(seen) // 2 :]
            for text in (each for each in seen if isinstance(each, str)):
                assert f'data-mark="at-{ply}"' in text
                assert table.row.salt not in text
                assert str(recorded.seed) not in text or recorded.seed < 10**6
    assert changed


async def _told(server: Server, viewer: httpx2.AsyncClient, path: str) -> str:
    """All that a viewer is sent of a table: its page, the list of its tables, and the live stream with its marks."""
    table = await server.at(path)
    parts = [(await viewer.get(address)).text for address in (path, f"{path}/fragment", "/")]
    async with page_open(server, viewer, path) as page:
        event = await page.event()
    text = _same("\n".join([*parts, event.id, event.data]))
    # what two tables never share: their ids, their fingerprints, and when they were made
    text = text.replace(table.id, "ID").replace(table.row.commitment, "COMMITMENT")
    return re.sub(r'datetime="[^"]+"', "", text)


async def test_nobody_is_told_which_moves_of_others_were_forced(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two worlds with the same moves: in one the last was Eve's only one, and in the other she had to choose it."""
    seen: list[list[str]] = []
    rows: list[int] = []
    single = Match._single
    for forced in (True, False):
        if not forced:

            def asked(match: Match, ask: bool) -> Entry | None:
                entry = single(match, ask)
                return None if entry and entry.seat == 1 else entry

            monkeypatch.setattr(Match, "_single", asked)
        ada, eve = await server.person("Ada"), await server.person("Eve")
        # with this seed the heap is empty in the second round: nobody can take anything
        path = await server.shared_table(ada, eve, seed=5)
        for person, move in ((ada, 0), (eve, 0), (ada, 3), (eve, 3), (ada, 0), (eve, 0)):
            assert (await server.play(person, path, move)).status_code == 200
        if not forced:
            assert (await server.play(eve, path, 3)).status_code == 200
        table = await server.at(path)
        rows.append(table.version)
        assert [entry.forced for entry in table.match.log()[-2:]] == [True, forced]
        seen.append([await _told(server, viewer, path) for viewer in (ada, server.client())])
    assert rows == [6, 7]
    assert seen[0] == seen[1]
