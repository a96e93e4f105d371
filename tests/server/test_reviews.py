"""The review of a match that is over: asked for by who belongs to it, judged decision by decision, kept."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from datetime import timedelta
from functools import partial
from itertools import combinations

import pytest
from connect_four import GAME
from desks import Desk
from judges import Judge
from markupsafe import Markup
from server.conftest import HTMX, Leashed, Server, running
from sqlalchemy import select

from thorp.core.registry import game as find_game
from thorp.core.registry import register
from thorp.players import Analysis, Expected, balance, lessons
from thorp.server import admin
from thorp.server.settings import Settings
from thorp.server.tables import judging, reviews, schema
from thorp.server.tables.judging import Judging
from thorp.server.tables.store import Unavailable
from thorp.server.tables.studies import Studies
from thorp.server.tables.table import Player
from thorp.server.tables.thinking import Died, Whose
from thorp.server.web import hint_pages
from thorp.server.web.review_shown import DecisionShown, MoveJudged, ReviewShown, Scale

pytestmark = pytest.mark.anyio

#: The first has three in a column and plays elsewhere; then the second wins.
MISSED = (0, 1, 0, 1, 0, 1, 3, 1)
#: The first has a choice eighteen times.
LONG = tuple(map(int, "36466334641164354610321040535100012"))
#: Learned table by table.
TOWNS = find_game("tiny-towns")


class Glance:
    """Judges at once: whatever was played seems to have cost much, and nothing at a second look."""

    def __init__(self) -> None:
        self.asked: list[Judging] = []

    async def think(self, question: Judging, whose: Whose) -> Analysis:
        again = any(question.ply == each.ply for each in self.asked)
        self.asked.append(question)
        assert question.played is not None
        played = Expected(question.played, 9, 0.5, 0.0, 0.0, 0.0)
        best = played if again else Expected(question.played + 1, 9, 0.6, 0.0, 10.0, 0.0)
        return Analysis(question.position.seat, question.ply, (best,), played, question.position.seats == 1)


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    register(GAME)
    GAME.prepare()
    TOWNS.prepare()
    monkeypatch.setattr(hint_pages, "PATIENCE", 120.0)
    monkeypatch.setattr(reviews, "EACH", 0.03)
    monkeypatch.setattr(reviews, "AGAIN_EACH", 0.1)


@pytest.fixture
def judge(server: Server) -> Judge:
    found = server.app.state.reviews.thinkers = Judge()
    return found


@pytest.fixture
def glance(server: Server) -> Glance:
    found = server.app.state.reviews.thinkers = Glance()
    return found


@pytest.fixture
def desk(server: Server, short_lessons: None) -> Desk:
    found = Desk()
    server.app.state.studies = server.app.state.reviews.studies = Studies(found)
    return found


async def _table(server: Server, *clients, moves=MISSED, **more) -> str:
    players = [Player(f"Person {seat}", person=server.id_of(client)) for seat, client in enumerate(clients)]
    path = "/tables/" + await server.app.state.tables.create(GAME, {}, players, seed=7, **more)
    for number, move in enumerate(moves):
        assert (await server.play(clients[number % 2], path, move)).status_code == 200
    return path


async def _town(server: Server, client) -> str:
    """A town that was built alone, to its end."""
    tables = server.app.state.tables
    player = Player("Ada", person=server.id_of(client))
    id = await tables.create(TOWNS, {"monuments": "no"}, [player], seed=2)
    while not (table := await tables.open(id)).match.over:
        await tables.play(id, 0, table.counters[0], table.match.legal(0)[-1])
    return f"/tables/{id}"


async def _ask(client, path: str, seat: int = 0, *, htmx: bool = True):
    return await client.post(f"{path}/review", data={"seat": str(seat)}, headers=HTMX if htmx else {})


async def _done(server: Server) -> None:
    while tasks := server.app.state.reviews._at_work:
        await asyncio.wait(tasks)


async def _of(server: Server, path: str):
    return await server.app.state.reviews.of(path.rpartition("/")[2])


class Unsure:
    """Judges at once, and as often as it is asked finds the same: another move was better, for all that is known."""

    async def think(self, question: Judging, whose: Whose) -> Analysis:
        assert question.played is not None
        played, best = (Expected(question.played + n, 9, 0.5 + 0.1 * n, 0.009, 0.0, 0.0) for n in range(2))
        return Analysis(question.position.seat, question.ply, (best,), played, question.position.seats == 1)


async def test_the_review_and_the_position_tell_the_same_of_a_decision(server: Server) -> None:
    server.app.state.reviews.thinkers = Unsure()
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await _table(server, ada, ben)
    await _ask(ada, path)
    await _done(server)
    review = (await ada.get(f"{path}/review", headers=HTMX)).text
    address = re.search(rf'href="({path}/at/\d+[^"]*)"', review)
    assert address
    position = (await ada.get(address[1])).text
    # 1.27 %, and nothing is told to be surer than it is
    told = "<b>−10&nbsp;%</b> <small>± 2&nbsp;%</small>"
    assert told in review
    assert told in position
    # the board comes first there: other ways to play on are one line until they are wanted
    assert re.search(r'<details class="[^"]*replay-branch[^"]*" id="play-on">', position)


def _again(text: str) -> dict[str, str]:
    """What the button to try again at a decision sends."""
    _, judged = text.split('id="judged"')
    form, *_ = judged.split("</form>")
    assert "Try again from here" in form
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="(\w+)">', form))


async def test_who_tries_again_sits_where_the_decision_was_and_calls_nobody(server: Server) -> None:
    server.app.state.reviews.thinkers = Unsure()
    ada, ben, eve = [await server.person(name) for name in ("Ada", "Ben", "Eve")]
    path = await _table(server, ada, ben)
    for seat in (0, 1):
        await _ask(ada, path, seat)
        await _done(server)
        first, *_ = re.findall(rf'href="({path}/at/\d+[?]as={seat + 1})"', (await ada.get(f"{path}/review")).text)
        for client in (ada, ben, eve):
            form = _again((await client.get(first)).text)
            answer = await client.post(f"{first.partition('?')[0]}/play-on", data=form)
            table = await server.at(answer.headers["location"])
            assert [each.person for each in table.seats if each.person] == [server.id_of(client)]
            assert table.seat_of(server.id_of(client)) == seat
            assert [each.bot for each in table.seats if each.bot] == ["quick"]


async def test_who_played_against_bots_tries_again_against_the_same(server: Server) -> None:
    server.app.state.reviews.thinkers = Unsure()
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.table(ada, 3, **{"seat.1": "quick", "seat.2": "slow"})
    await server.play_out(path, ada)
    await _ask(ada, path)
    await _done(server)
    first, *_ = re.findall(rf'href="({path}/at/\d+[?]as=1)"', (await ada.get(f"{path}/review")).text)
    at = first.partition("?")[0]
    for client, bots in ((ada, ["quick", "slow"]), (eve, ["quick", "quick"])):
        answer = await client.post(f"{at}/play-on", data=_again((await client.get(first)).text))
        table = await server.at(answer.headers["location"])
        assert [each.bot for each in table.seats] == [None, *bots]
        assert table.seat_of(server.id_of(client)) == 0


async def test_what_cost_most_is_told_and_leads_to_its_position(server: Server, judge: Judge) -> None:
    ada, ben, eve = [await server.person(name) for name in ("Ada", "Ben", "Eve")]
    path = await _table(server, ada, ben)
    before = await ada.get(f"{path}/review", headers=HTMX)
    assert "Look through my decisions" in before.text
    assert "Look through the decisions of Person 1" in before.text
    assert 'id="review"' in (await ada.get(path)).text
    assert (await _ask(ada, path)).status_code == 200
    await _done(server)
    (review,) = await _of(server, path)
    match = (await server.at(path)).match
    assert review.decisions is not None
    assert [each.ply for each in review.decisions] == [0, 2, 4, 6]
    whole = balance(match, 0, review.decisions)
    assert whole.begin + whole.luck - whole.cost == pytest.approx(whole.result) == 0
    worst = whole.dearest()[0]
    assert (worst.ply, worst.best.move) == (6, 0)
    # whoever may look at the match reads it, and can look at the position with the eyes of who decided
    for client in (ada, ben, eve):
        text = (await client.get(f"{path}/review", headers=HTMX)).text
        assert f'href="{path}/at/6?as=1"' in text
        assert match.at(6).words(0, 3, ["Person 0", "Person 1"]) in re.sub("<[^>]+>", "", text)
        assert "Chance to win, decision by decision" in text
        assert ("Look through" in text) is (client is not eve)
        position = await client.get(f"{path}/at/6?as=1")
        assert "Play on from here" in position.text
        # there it is told once more, with the way back
        assert 'id="judged"' in position.text
        assert f'href="{path}#review"' in position.text
        # who played may also call the same players to it
        same = re.search(r'<button class="([^"]*)" name="players" value="same">', position.text)
        assert (same[1] if same else None) == (None if client is eve else "button")
        _, bar = position.text.split('id="replay"')
        bar, *_ = bar.split("</nav>")
        assert re.findall(r'class="button main"[^>]*>([^<]*)<', bar) == ["Try again from here"]
        for elsewhere in ("at/6?as=2", "at/6?as=watch", "at/5?as=1"):
            assert 'id="judged"' not in (await client.get(f"{path}/{elsewhere}")).text
    page = await eve.get(f"{path}/review")
    assert page.text.startswith("<!doctype html>")
    assert "refresh" not in page.headers
    # it is judged once
    count = len(judge.asked)
    assert (await _ask(ben, path)).status_code == 200
    await _done(server)
    assert len(judge.asked) == count
    # the dearest were judged twice, by other chances
    assert len({(each.ply, each.seed) for each in judge.asked}) == count > 4


async def test_only_who_belongs_to_the_match_may_ask_and_only_when_it_is_over(server: Server, judge: Judge) -> None:
    ada, ben, eve = [await server.person(name) for name in ("Ada", "Ben", "Eve")]
    running_match = await _table(server, ada, ben, moves=MISSED[:3])
    for client in (ada, eve, server.client()):
        assert (await _ask(client, running_match)).status_code == 403
        answer = await client.get(f"{running_match}/review")
        assert (answer.status_code, "when it is over" in answer.text) == (403, True)
    path = await _table(server, ada, ben)
    for stranger in (eve, server.client()):
        assert (await _ask(stranger, path)).status_code == 403
        assert (await stranger.get(f"{path}/review")).status_code == 200
    closed = await _table(server, ada, ben, watchable=False)
    assert (await eve.get(f"{closed}/review")).status_code == 403
    for odd, status in (("2", 422), ("-1", 400), ("x", 400)):
        answer = await ada.post(f"{path}/review", data={"seat": odd})
        assert answer.status_code == status
    assert (await ada.post(f"{path}/review", data={})).status_code == 400
    assert not judge.asked


async def _none_yet(id: str) -> tuple[reviews.Review, ...]:
    return ()


async def test_one_at_a_time_for_a_person_and_how_far_it_is_is_told(server: Server, judge: Judge) -> None:
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path, other = await _table(server, ada, ben), await _table(server, ada, ben)
    judge.free.clear()
    first, again = await asyncio.gather(_ask(ada, path), _ask(ada, path))
    assert sorted((first.status_code, again.status_code)) == [200, 200]
    assert "Looking through the decisions of Person 0: 0 of 4" in first.text + again.text
    page = await ben.get(f"{path}/review")
    assert (page.headers["refresh"], "data-works" in page.text) == ("3", True)
    # a second click may have looked before the first was noted
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server.app.state.reviews, "of", _none_yet)
        assert await server.app.state.reviews.begin(await server.at(path), 0, server.id_of(ada), ("", "")) is False
    busy = await _ask(ada, other)
    assert (busy.status_code, "Another match is being looked through for you" in busy.text) == (503, True)
    assert (await _ask(ben, other)).status_code == 200
    plain = await _ask(ada, path, htmx=False)
    assert plain.headers["location"] == f"{path}/review"
    judge.free.set()
    await _done(server)
    assert all(review.decisions for review in (*await _of(server, path), *await _of(server, other)))
    assert (await _ask(ada, path, 1)).status_code == 200
    await _done(server)
    assert [review.seat for review in await _of(server, path)] == [0, 1]


async def test_it_is_given_up_where_the_server_stops_or_its_last_word_is_long_ago(server: Server, judge: Judge) -> None:
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await _table(server, ada, ben)
    judge.free.clear()
    await _ask(ada, path)
    while not judge.asked:
        await asyncio.sleep(0)
    (review,) = await _of(server, path)
    assert not review.failed
    await server.app.state.reviews.close()
    (review,) = await _of(server, path)
    assert review.failed
    assert judge.stopped == 1
    # as where a process was killed: its row is left
    row = {"table": path.rpartition("/")[2], "seat": 1, "person": server.id_of(ada), "judged": 2, "total": 4}
    killed = server.app.state.store.now() - reviews.GIVEN_UP - timedelta(seconds=1)
    await server.app.state.store.write(
        lambda connection: connection.execute(schema.reviews.insert().values(**row, touched=killed))
    )
    assert [review.failed for review in await _of(server, path)] == [True, True]
    text = (await ada.get(f"{path}/review")).text
    assert "the decisions of Person 0 were not looked through to the end" in text
    assert "Look through my decisions" in text
    assert "data-works" not in text
    judge.free.set()
    assert (await _ask(ada, path)).status_code == 200
    await _done(server)
    again, other = await _of(server, path)
    assert again.decisions
    assert (again.failed, other.failed) == (False, True)


async def test_it_ends_where_the_table_is_deleted(server: Server, judge: Judge, monkeypatch) -> None:
    monkeypatch.setattr(reviews, "SIGN", 0.05)
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await _table(server, ada, ben)
    judge.free.clear()
    await _ask(ada, path)
    while not judge.asked:
        await asyncio.sleep(0)
    id = path.rpartition("/")[2]
    await server.app.state.store.write(lambda connection: admin.remove(connection, id))
    async with asyncio.timeout(10):
        await _done(server)
    assert judge.stopped == 1


@pytest.mark.parametrize("fails", [False, True])
async def test_what_is_learned_for_its_table_comes_first(
    server: Server, glance: Glance, desk: Desk, monkeypatch, fails: bool
) -> None:
    """What is judged before and what is judged after cannot be compared. Where it fails all is judged without."""
    monkeypatch.setattr(reviews, "SIGN", 0.01)
    ada = await server.person("Ada")
    path = await _town(server, ada)
    assert (await _ask(ada, path)).status_code == 200
    # meanwhile it says that it goes on, or other servers would give it up
    signs = set()
    async with asyncio.timeout(60):
        while len(signs) < 4:
            signs.add(await server.app.state.store.read(lambda c: c.scalar(select(schema.reviews.c.touched))))
            await asyncio.sleep(0.01)
    await desk.asked.wait()
    assert not glance.asked
    # by the row, so whichever server is asked
    assert [(each.judged, each.waits) for each in await _of(server, path)] == [(0, True)]
    text = (await ada.get(f"{path}/review")).text
    assert "Learning to play with these cards first" in text
    assert "Looking through the decisions" not in text
    assert "value=" not in re.search("<progress[^>]*>", text)[0]
    desk.fails = fails
    desk.answers.set()
    await _done(server)
    (review,) = await _of(server, path)
    assert review.decisions is not None
    assert len(review.decisions) == 34
    assert not review.waits
    state = (await server.at(path)).match.state
    assert (lessons.known(TOWNS, state, 1) is None) is fails


@pytest.mark.parametrize("deleted", [False, True])
async def test_it_ends_also_while_it_waits_for_that(
    server: Server, glance: Glance, desk: Desk, monkeypatch, deleted: bool
) -> None:
    monkeypatch.setattr(reviews, "SIGN", 0.01)
    ada = await server.person("Ada")
    path = await _town(server, ada)
    await _ask(ada, path)
    async with asyncio.timeout(60):
        await desk.asked.wait()
        if deleted:
            id = path.rpartition("/")[2]
            await server.app.state.store.write(lambda connection: admin.remove(connection, id))
            await _done(server)
            # nobody else wants to know
            while not desk.stopped:
                await asyncio.sleep(0)
        else:
            await server.app.state.reviews.close()
            assert [review.failed for review in await _of(server, path)] == [True]
    assert not glance.asked


async def test_what_hints_have_found_is_known_to_it(server: Server, glance: Glance, desk: Desk) -> None:
    ada = await server.person("Ada")
    path = await _town(server, ada)
    desk.answers.set()
    where, moves = {"table": path.rpartition("/")[2], "undone": 0}, {"moves": [], "by_points": True}
    rows = [
        {**where, "seat": 0, "counter": 9, "content": {**moves, "line": [7, 2, 9]}},
        {**where, "seat": 0, "counter": 4, "content": {**moves, "line": [3, 1]}},
        # before everything is known there is none, and of old ones there is none either
        {**where, "seat": 0, "counter": 2, "content": {**moves, "line": []}},
        {**where, "seat": 0, "counter": 1, "content": moves},
    ]
    await server.app.state.store.write(lambda connection: connection.execute(schema.hints.insert(), rows))
    assert (await _ask(ada, path)).status_code == 200
    await _done(server)
    assert {question.lines for question in glance.asked} == {((3, 1), (7, 2, 9))}


async def test_a_long_match_costs_no_more_than_a_minute_and_fifteen_second_looks(
    server: Server, glance: Glance, monkeypatch
) -> None:
    monkeypatch.setattr(reviews, "ALL", 0.09)
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await _table(server, ada, ben, moves=LONG)
    assert (await _ask(ada, path)).status_code == 200
    await _done(server)
    (review,) = await _of(server, path)
    assert review.decisions is not None
    assert len(review.decisions) == 18
    seconds = [question.seconds for question in glance.asked]
    assert seconds[:18] == pytest.approx([0.005] * 18)
    assert seconds[18:] == [reviews.AGAIN_EACH] * 15


async def test_too_many_are_refused(settings: Settings) -> None:
    async with running(replace(settings, players=Leashed(), reviews_hourly=1)) as server:
        server.app.state.reviews.thinkers = Judge()
        ada, ben = await server.person("Ada"), await server.person("Ben")
        path = await _table(server, ada, ben)
        for _ in range(2):
            assert (await _ask(ada, path)).status_code == 200
            await _done(server)
        answer = await _ask(ada, path, 1)
        assert (answer.status_code, "You have had 1 matches looked through" in answer.text) == (429, True)


class Failing:
    """Judges nothing: as where its process dies."""

    async def think(self, question: Judging, whose: Whose) -> Analysis:
        raise Died


async def test_what_is_refused_or_fails_is_not_counted(settings: Settings) -> None:
    async with running(replace(settings, players=Leashed(), reviews_hourly=2)) as server:
        ada, ben = await server.person("Ada"), await server.person("Ben")
        path, other = await _table(server, ada, ben), await _table(server, ada, ben)
        server.app.state.reviews.thinkers = Failing()
        for _ in range(3):
            answer = await _ask(ada, path)
            assert answer.status_code == 200
            await _done(server)
        text = (await ada.get(f"{path}/review")).text
        assert "the decisions of Person 0 were not looked through to the end." in text
        judge = server.app.state.reviews.thinkers = Judge()
        judge.free.clear()
        assert (await _ask(ada, path)).status_code == 200
        for _ in range(3):
            assert (await _ask(ada, other)).status_code == 503
        judge.free.set()
        await _done(server)
        assert (await _ask(ada, other)).status_code == 200
        await _done(server)
        assert (await _ask(ada, other, 1)).status_code == 429


async def test_a_store_that_fails_for_a_moment_ends_no_review(server: Server, judge: Judge, monkeypatch) -> None:
    monkeypatch.setattr(judging, "_STORED_AGAIN", (0.0, 0.0))
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await _table(server, ada, ben)
    store, failed = server.app.state.store, []
    write = store.write

    async def now_and_then(change):
        if getattr(change, "func", None) is reviews._say:
            is_last = change.keywords["content"] is not None
            # the first word, and what came of it
            if failed.count(is_last) < 2 - (not is_last):
                failed.append(is_last)
                raise Unavailable("no room")
        return await write(change)

    monkeypatch.setattr(store, "write", now_and_then)
    await _ask(ada, path)
    await _done(server)
    assert failed == [False, True, True]
    (review,) = await _of(server, path)
    assert review.decisions


async def test_what_comes_late_changes_nothing_of_a_review_that_is_done(server: Server, judge: Judge) -> None:
    """As from a server that was taken to have ended, while another one looked the match through."""
    ada = await server.person("Ada")
    path = await _table(server, ada, await server.person("Ben"))
    await _ask(ada, path)
    await _done(server)
    (done,) = await _of(server, path)
    id, store = path.rpartition("/")[2], server.app.state.store
    for content in (None, []):
        late = partial(reviews._say, table=id, seat=done.seat, judged=1, content=content, clock=store.now)
        assert await store.write(late) is False
    await store.write(partial(reviews._end, table=id, seat=done.seat, clock=store.now))
    assert await _of(server, path) == (done,)


async def test_hints_that_were_taken_are_told_at_the_end(server: Server, judge: Judge) -> None:
    server.app.state.hints.thinkers = judge
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await _table(server, ada, ben, moves=MISSED[:4], hints=True)
    for _ in range(2):
        assert (await ada.post(f"{path}/hint", data={"counter": "2"}, headers=HTMX)).status_code == 200
    for number, move in enumerate(MISSED[4:]):
        assert (await server.play((ada, ben)[number % 2], path, move)).status_code == 200
    text = re.sub(r"\s+", " ", (await ben.get(f"{path}/review")).text)
    assert "Hints taken: Person 0 1<" in text


async def test_a_review_survives_a_start(settings: Settings) -> None:
    settings = replace(settings, players=Leashed())
    async with running(settings) as server:
        server.app.state.reviews.thinkers = Judge()
        ada, ben = await server.person("Ada"), await server.person("Ben")
        path = await _table(server, ada, ben)
        await _ask(ada, path)
        await _done(server)
        told = (await ada.get(f"{path}/review", headers=HTMX)).text
        cookie = server.cookie_of(ada)
    async with running(settings) as server:
        assert (await server.client(cookie).get(f"{path}/review", headers=HTMX)).text == told
        kept = await server.app.state.store.read(lambda connection: connection.execute(select(schema.reviews)).all())
        assert len(kept) == 1


def test_what_cost_less_than_twice_its_error_counts_as_nothing() -> None:
    def judged(best: float, error: float, *, by_points: bool) -> Analysis:
        figures = (0.0, 0.0, best, error) if by_points else (best, error, 0.0, 0.0)
        played = Expected(2, 9, *((0.0, 0.0, 0.5, error) if by_points else (0.5, error, 0.0, 0.0)))
        return Analysis(0, 4, (Expected(1, 9, *figures), played), played, by_points)

    for by_points in (False, True):
        unsure, sure = (
            reviews._read(0, reviews._stored(judged(0.8, error, by_points=by_points))) for error in (0.3, 0.1)
        )
        assert (unsure.cost, unsure.best) == (0, unsure.played)
        assert (sure.best.move, sure.cost) == (1, pytest.approx(0.3))


@pytest.mark.parametrize(
    ("worth", "by_points", "told"),
    [
        (-0.3, False, "0 %"),
        (0.3, False, "0 %"),
        (-0.6, False, "−1 %"),
        (0.6, False, "+1 %"),
        (-0.04, True, "0.0"),
        (-0.06, True, "−0.1"),
    ],
)
async def test_what_is_told_as_nothing_has_no_sign(server: Server, worth: float, by_points: bool, told: str) -> None:
    signed = server.app.state.jinja.get_template("_worth.html").module.signed
    assert str(signed(worth, by_points)).replace("&nbsp;", " ") == told


async def test_what_a_decision_cost_is_what_lies_between_what_is_told(server: Server, monkeypatch) -> None:
    """Each is rounded by itself: 40.4 % for 47.5 % would be 40, 48 and -7."""

    class Close:
        async def think(self, question: Judging, whose: Whose) -> Analysis:
            assert question.played is not None
            played, best = (
                Expected(question.played + n, 9, chance, 0.001, 0.0, 0.0) for n, chance in enumerate((0.404, 0.475))
            )
            return Analysis(question.position.seat, question.ply, (best,), played, False)

    server.app.state.reviews.thinkers = Close()
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await _table(server, ada, ben)
    await _ask(ada, path)
    await _done(server)
    text = (await ada.get(f"{path}/review", headers=HTMX)).text.replace("&nbsp;", " ")
    assert "<small>40 % to win</small>" in text
    assert "<small>48 % to win</small>" in text
    assert "<b>−8 %</b>" in text


@pytest.mark.parametrize(
    "fell",
    [
        [(2, 10), (4, 3), (3, 1)],
        [(2, 0), (2, 0), (2, 0)],
        [(5, 90), (6, 88), (7, 92)],
        [(1, 12), (3, 60), (2, 9)],
    ],
)
async def test_marks_of_a_course_lie_neither_over_each_other_nor_over_its_words(
    server: Server, fell: list[tuple[int, int]]
) -> None:
    better, played = MoveJudged(Markup("Draw"), 0), MoveJudged(Markup("Take"), 0)
    dearest = tuple(
        DecisionShown(ply, f"/at/{ply}", 1, played, replace(better, worth=worth), 3, 1, by_points=False)
        for ply, worth in fell
    )
    review = ReviewShown(0, "Ada", 3, 3, done=True, dearest=dearest, course=((0, 10), (100, 0)))
    template = server.app.state.jinja.get_template("_review_course.html")
    html = template.render(reviews=[review], scale=Scale(0, 100, 100, ((1, 0), (6, 80))), round_word="Round")
    marks = [(float(x), float(y)) for x, y in re.findall(r'class="fall-mark" cx="([^"]*)" cy="([^"]*)"', html)]
    assert len(marks) == 3
    assert all(abs(x - u) >= 18 or abs(y - v) >= 18 for (x, y), (u, v) in combinations(marks, 2)), marks
    # the axis is at 150, and words below it
    assert all(-5 <= y <= 141 for _, y in marks), marks
    # each lies as high as its point, or is joined to it
    points = re.findall(r'class="fall" d="M([^ ]*) ([^V]*)V', html)
    joined = re.findall(r'class="fall-hair" d="M([^ ]*) ([^L]*)L([^ ]*) ([^"]*)"', html)
    for point, mark in zip([(float(x), float(y)) for x, y in points], marks, strict=True):
        assert point == mark or (*point, *mark) in [tuple(map(float, each)) for each in joined]


async def test_what_is_looked_at_once_more_has_no_measure(server: Server) -> None:
    """A full bar would say that all of it is done."""
    template = server.app.state.jinja.get_template("_review.html")
    known = {"works": True, "may_ask": False, "failed": (), "taken": (), "others": (), "scale": None, "seats": 2}
    bars = []
    for judged in (1, 3):
        html = template.render(**known, mine=0, reviews=[ReviewShown(0, "Ada", judged, 3, done=False)])
        bars.append(re.findall(r"<progress [^>]*>", html))
    assert ["value=" in bar for (bar,) in bars] == [True, False]
