"""Hints: the best moves of one's own decision, told to nobody else, from what the seat knows, where they are given."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

import pytest
from connect_four import GAME
from desks import Desk
from judges import Judge
from server.conftest import HTMX, Leashed, Server, running

from thorp.core.registry import game, register
from thorp.players import Analysis, Expected, lessons
from thorp.server import admin
from thorp.server.app import DATABASE
from thorp.server.settings import Settings
from thorp.server.tables import hints
from thorp.server.tables.hints import Hint
from thorp.server.tables.judging import judging
from thorp.server.tables.store import Store, Unavailable, sqlite_url
from thorp.server.tables.studies import Studies
from thorp.server.tables.table import Player
from thorp.server.web import hint_pages
from thorp.server.web.hint_pages import MoveTold, _ahead, _is_told_together, _only_two_are_close

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pages of this game have all that pages of tables can have; and hints are waited for until they come."""
    register(GAME)
    monkeypatch.setattr(hint_pages, "PATIENCE", 120.0)


@pytest.fixture
def judge(server: Server, monkeypatch: pytest.MonkeyPatch) -> Judge:
    monkeypatch.setattr(hints, "SECONDS", 0.05)
    found = server.app.state.hints.thinkers = Judge()
    return found


async def _ask(server: Server, client, path: str, *, htmx: bool = True, **form: str):
    table = await server.at(path)
    seat = table.seat_of(server.id_of(client))
    form.setdefault("counter", str(table.counters[seat or 0]))
    return await client.post(f"{path}/hint", data=form, headers=HTMX if htmx else {})


async def _told(server: Server, client, path: str):
    """What is told in the end: as a page does it, it is asked for until it is there."""
    while (answer := await _ask(server, client, path)).status_code == 202:
        pass
    return answer


def _moves(text: str) -> list[int]:
    return [int(move) for move in re.findall(r'name="move" value="(\d+)"', text)]


async def _rows(server: Server) -> list[tuple]:
    return next(rows for name, rows in await server.rows() if name == "hint")


async def test_at_one_device_what_is_told_is_told_for_one_seat(server: Server) -> None:
    """Where the page turns to the next seat by itself, that one has made as many moves: it is another decision."""
    ada = await server.person()
    people = [Player(name, person=server.id_of(ada)) for name in ("Ada", "Rowan")]
    path = "/tables/" + await server.app.state.tables.create(GAME, {}, people, seed=7, hints=True)
    decisions = []
    for seat in (0, 1, 0):
        page = (await ada.get(path)).text
        decisions.append(re.search(r'data-decision="([^"]+)"', page)[1])
        form = {"seat": str(seat), "counter": str((await server.at(path)).counters[seat]), "move": "0"}
        assert (await ada.post(f"{path}/moves", data=form, headers=HTMX)).status_code == 200
    assert len(set(decisions)) == 3


async def test_a_hint_tells_the_best_moves_in_words_and_they_can_be_chosen(server: Server, judge: Judge) -> None:
    ada = await server.person()
    path = await server.table(ada, game=GAME.id)
    assert 'id="hint-button"' in (await ada.get(path)).text
    answer = await _ask(server, ada, path)
    assert answer.status_code == 200
    match = (await server.at(path)).match
    moves = _moves(answer.text)
    assert 1 < len(moves) <= hints.TOLD
    assert set(moves) <= set(match.legal(0))
    assert match.words(0, moves[0], ["Ada"]) in answer.text
    assert re.search(r"\d+ % to win</b> <small>± \d+</small>", answer.text)
    assert re.search(r"Each was tried in \d+ games", answer.text)
    # what is told holds until the decision is made: nothing is thought again
    again = await _ask(server, ada, path)
    assert _moves(again.text) == moves
    assert len(judge.asked) == 1
    form = {"counter": "0", "seat": "0", "move": str(moves[0])}
    assert (await ada.post(f"{path}/moves", data=form)).status_code == 303
    await server.quiet()
    assert (await server.at(path)).counters[0] == 1
    assert (await _ask(server, ada, path)).status_code == 200
    assert len(judge.asked) == 2


async def test_what_a_game_counts_is_called_what_the_game_calls_it(server: Server, judge: Judge) -> None:
    rules = game("villagers")
    rules.prepare()
    both = [await server.person(name) for name in ("Ada", "Ben")]
    players = [Player(f"Person {seat}", person=server.id_of(person)) for seat, person in enumerate(both)]
    path = "/tables/" + await server.app.state.tables.create(rules, {}, players, seed=5, hints=True)
    one = both[(await server.at(path)).match.waiting[0]]
    # and no tenths, which so few games do not tell
    for language, said in (("en", r">-?\d+ gold<"), ("es", r">-?\d+ de oro<"), ("ja", r">-?\d+金<")):
        await one.post("/me/language", data={"language": language})
        assert re.search(said, (answer := await _ask(server, one, path)).text), (language, answer.text)
    assert len(judge.asked) == 1


async def test_what_is_hidden_has_no_part_in_it(server: Server) -> None:
    """The question itself is the same whatever lies hidden: nothing that the seat cannot know leaves the server."""
    for id, seats in (("pebbles", 3), ("villagers", 2), ("valeria", 2)):
        rules = game(id)
        rules.prepare()
        person = await server.person()
        players = [Player(f"Person {seat}", person=server.id_of(person)) for seat in range(seats)]
        path = "/tables/" + await server.app.state.tables.create(rules, {}, players, seed=5)
        match = (await server.at(path)).match
        seat = match.waiting[-1]

        def question(state, rules=rules, match=match, seat=seat):
            return judging(rules, state, match.seats, seat, match.ply, None, "salt", 1.0)

        asked = question(match.state)
        hidden = 0
        for other in range(20):
            state = rules.copy(match.state)
            rules.determinize(state, seat, other)
            hidden += rules.bytes(state) != rules.bytes(match.state)
            assert question(state) == asked
        assert hidden
        # and it is about another deal than the one on the table
        assert asked.position.state != rules.bytes(match.state)


async def test_only_who_has_to_decide_is_told(server: Server, judge: Judge) -> None:
    ada, ben, eve = [await server.person(name) for name in ("Ada", "Ben", "Eve")]
    players = [Player(name, person=server.id_of(client)) for name, client in (("Ada", ada), ("Ben", ben))]
    path = "/tables/" + await server.app.state.tables.create(GAME, {}, players, seed=7, hints=True)
    asked = (await server.at(path)).match.waiting
    assert asked == (0,)
    waits = await _ask(server, ben, path)
    assert (waits.status_code, "wait until you are asked" in waits.text) == (422, True)
    assert 'id="hint-button"' not in (await ben.get(path)).text
    for stranger in (eve, server.client()):
        answer = await _ask(server, stranger, path)
        assert answer.status_code == 403
        assert 'id="hint-button"' not in (await stranger.get(path)).text
        assert (await stranger.get(f"{path}/hint")).status_code == 403
    late = await _ask(server, ada, path, counter="3")
    assert (late.status_code, "moved on" in late.text) == (409, True)
    for broken in ({"counter": "x"}, {"counter": "-1"}):
        assert (await _ask(server, ada, path, **broken)).status_code == 400
    assert not judge.asked
    assert (await _ask(server, ada, path)).status_code == 200
    # neither is what was told shown to anybody else
    for other in (ben, eve):
        assert (await other.get(f"{path}/hint")).status_code in (403, 422)
        assert "to win" not in (await other.get(path)).text


@pytest.mark.parametrize(
    ("chosen", "people", "given"),
    [("usual", 1, True), ("usual", 2, False), ("yes", 2, True), ("no", 1, False)],
)
async def test_where_hints_are_given(server: Server, judge: Judge, chosen: str, people: int, given: bool) -> None:
    ada, ben = await server.person("Ada"), await server.person("Ben")
    who = {"seat.1": "link"} if people == 2 else {}
    path = await server.table(ada, game=GAME.id, hints=chosen, **who)
    if people == 2:
        assert (await _ask(server, ada, path)).status_code == 409
        assert (await ben.post(f"{path}/sit", data={"seat": "1"})).status_code == 303
    page = (await ada.get(path)).text
    assert ('id="hint-button"' in page) is given
    assert ("can ask for them" in page) is given
    answer = await _ask(server, ada, path)
    assert answer.status_code == (200 if given else 403)
    assert ("There are no hints at this table" in answer.text) is not given
    # the form begins with what was chosen the last time, and a rematch has it too
    form = (await ada.get(f"/games/{GAME.id}")).text
    assert re.search(rf'name="hints" value="{chosen}" checked', form)


async def test_where_somebody_takes_a_seat_of_a_bot_there_are_no_hints_any_more(server: Server, judge: Judge) -> None:
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await server.table(ada, game=GAME.id)
    judge.free.clear()
    asking = asyncio.create_task(_ask(server, ada, path))
    while not judge.asked:
        await asyncio.sleep(0)
    await ben.post(f"{path}/ask", data={"seat": "1"})
    seating = str((await server.at(path)).row.seating)
    answer = {"seat": "1", "seating": seating, "answer": "yes"}
    assert (await ada.post(f"{path}/answer", data=answer)).status_code == 303
    assert (await asking).status_code == 409
    assert judge.stopped == 1
    assert (await _ask(server, ada, path)).status_code == 403
    assert await _rows(server) == []


async def test_a_seat_that_a_bot_keeps_for_somebody_is_a_person_s(server: Server, judge: Judge) -> None:
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await server.table(ada, game=GAME.id, **{"seat.1": "link"})
    assert (await ben.post(f"{path}/sit", data={"seat": "1"})).status_code == 303
    assert (await ben.post(f"{path}/leave")).status_code == 303
    seat = (await server.at(path)).seats[1]
    assert (seat.person, seat.away) == (None, server.id_of(ben))
    assert 'id="hint-button"' not in (await ada.get(path)).text
    assert (await _ask(server, ada, path)).status_code == 403
    assert not judge.asked


async def test_an_odd_choice_about_hints_is_refused(server: Server) -> None:
    ada = await server.person()
    answer = await ada.post("/tables", data={"game": GAME.id, "seats": "2", "hints": "sometimes"})
    assert answer.status_code == 422
    assert "Hints are for nobody" in answer.text


async def test_asked_twice_at_once_it_is_thought_once(server: Server, judge: Judge) -> None:
    ada = await server.person()
    path = await server.table(ada, game=GAME.id)
    answers = await asyncio.gather(*(_ask(server, ada, path) for _ in range(3)))
    assert [answer.status_code for answer in answers] == [200] * 3
    assert len(judge.asked) == 1
    assert len(await _rows(server)) == 1


async def test_a_page_goes_on_while_it_is_thought_about_and_asks_again(
    server: Server, judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hint_pages, "PATIENCE", 0.01)
    ada = await server.person()
    path = await server.table(ada, game=GAME.id)
    judge.free.clear()
    waits = await _ask(server, ada, path)
    assert (waits.status_code, "Thinking about your moves" in waits.text) == (202, True)
    # without script a page looks again
    plain = await _ask(server, ada, path, htmx=False)
    assert plain.headers["location"] == f"{path}/hint"
    page = await ada.get(f"{path}/hint")
    assert (page.headers["refresh"], "Thinking" in page.text) == ("2", True)
    judge.free.set()
    while server.app.state.hints._thoughts:
        await asyncio.sleep(0.01)
    page = await ada.get(f"{path}/hint")
    assert "refresh" not in page.headers
    assert _moves(page.text)
    assert len(judge.asked) == 1


@pytest.fixture
def desk(server: Server) -> Desk:
    """Where tables are learned for, when it may."""
    desk = Desk()
    server.app.state.hints.studies = Studies(desk)  # type: ignore[arg-type]
    return desk


@pytest.mark.usefixtures("short_lessons")
async def test_what_is_learned_for_its_table_comes_first(
    server: Server, judge: Judge, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints, "BRIEF", 0.01)
    ada = await server.person()
    path = await server.table(ada, game="tiny-towns")
    waits = await _ask(server, ada, path)
    assert (waits.status_code, "Learning to play with these cards" in waits.text) == (202, True)
    assert "Learning to play" in (await ada.get(f"{path}/hint")).text
    await desk.asked.wait()
    assert not judge.asked
    desk.answers.set()
    assert _moves((await _told(server, ada, path)).text)
    match = (await server.at(path)).match
    assert lessons.is_known(match.game, lessons.beginning_of(match), 2)
    assert len(judge.asked) == len(desk.questions) == 1
    # for the next decision it is there
    await server.play(ada, path)
    await server.quiet()
    assert _moves((await _told(server, ada, path)).text)
    assert (len(judge.asked), len(desk.questions)) == (2, 1)
    await server.app.state.hints.studies.close()


async def test_what_is_learned_is_not_waited_for_for_ever(
    server: Server, judge: Judge, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints, "LEARNED", 0.05)
    monkeypatch.setattr(hints, "LOOK", 0.01)
    ada = await server.person()
    path = await server.table(ada, game="tiny-towns")
    await server.quiet()
    assert _moves((await _told(server, ada, path)).text)
    await desk.asked.wait()
    # and of one table only once: the next decision is told as the first was
    monkeypatch.setattr(hints, "LEARNED", 600.0)
    await server.play(ada, path)
    await server.quiet()
    assert _moves((await _told(server, ada, path)).text)
    assert len(judge.asked) == 2
    # nor by who decides meanwhile: what is learned goes on, for the next decision
    other = await server.table(ada, game="tiny-towns")
    # whoever begins, it is her turn then
    await server.quiet()
    asking = asyncio.create_task(_ask(server, ada, other))
    while not server.app.state.hints._learning:
        assert not asking.done(), (await asking).text
        await asyncio.sleep(0)
    await server.play(ada, other)
    assert (await asking).status_code == 409
    assert not server.app.state.hints._learning
    assert (len(judge.asked), desk.stopped) == (2, 0)
    # and with the table it ends
    await server.quiet()
    asking = asyncio.create_task(_ask(server, ada, other))
    while not (server.app.state.hints._learning and len(desk.questions) == 2):
        assert not asking.done(), (await asking).text
        await asyncio.sleep(0)
    await server.app.state.store.write(partial(admin.remove, id=other.rpartition("/")[2]))
    assert (await asking).status_code == 409
    assert desk.stopped == 1
    await server.app.state.hints.studies.close()


async def test_it_is_stopped_where_the_decision_is_made(server: Server, judge: Judge) -> None:
    ada = await server.person()
    path = await server.table(ada, game=GAME.id)
    judge.free.clear()
    asking = asyncio.create_task(_ask(server, ada, path))
    while not judge.asked:
        await asyncio.sleep(0)
    assert (await server.play(ada, path)).status_code == 200
    answer = await asking
    assert (answer.status_code, "moved on" in answer.text) == (409, True)
    assert judge.stopped == 1
    assert await _rows(server) == []


async def test_after_a_take_back_it_is_another_decision(server: Server, judge: Judge) -> None:
    rules = game("tiny-towns")
    rules.prepare()
    ada, ben = await server.person("Ada"), await server.person("Ben")
    players = [Player(name, person=server.id_of(client)) for name, client in (("Ada", ada), ("Ben", ben))]
    path = "/tables/" + await server.app.state.tables.create(rules, {}, players, seed=7, hints=True)
    while not (await server.at(path)).can_take_back(0):
        client = ada if 0 in (await server.at(path)).match.waiting else ben
        assert (await server.play(client, path)).status_code == 200
    undone, counter = (await server.at(path)).undone, (await server.at(path)).counters[0]
    await ada.post(f"{path}/take-back", data={"counter": str(counter)})
    assert (await server.at(path)).undone > undone
    assert (await _told(server, ada, path)).status_code == 200
    await server.play(ada, path)
    await ada.post(f"{path}/take-back", data={"counter": str(counter + 2)})
    assert (await _told(server, ada, path)).status_code == 200
    assert len(judge.asked) == len(await _rows(server)) == 2


async def test_too_many_are_refused_and_those_that_were_told_are_not_counted(settings: Settings) -> None:
    async with running(replace(settings, players=Leashed(), hints_hourly=1)) as server:
        judge = server.app.state.hints.thinkers = Judge()
        ada = await server.person()
        path = await server.table(ada, game=GAME.id)
        for _ in range(3):
            assert (await _ask(server, ada, path)).status_code == 200
        other = await server.table(ada, game=GAME.id)
        answer = await _ask(server, ada, other)
        assert (answer.status_code, "You have had 1 hints" in answer.text) == (429, True)
        assert int(answer.headers["retry-after"]) > 0
        assert len(judge.asked) == 1


async def test_those_that_could_not_be_thought_are_not_counted(settings: Settings, monkeypatch) -> None:
    async with running(replace(settings, players=Leashed(), hints_hourly=1)) as server:
        judge = server.app.state.hints.thinkers = Judge()
        ada = await server.person()
        path = await server.table(ada, game=GAME.id)

        async def fail(question, whose):
            raise OSError("no process")

        with monkeypatch.context() as failing:
            failing.setattr(judge, "think", fail)
            for _ in range(3):
                assert (await _ask(server, ada, path)).status_code == 503
        assert (await _ask(server, ada, path)).status_code == 200


async def test_a_hint_that_cannot_be_stored_is_thought_once_and_stored_when_it_can_be(
    server: Server, judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the disk is full."""
    monkeypatch.setattr("thorp.server.tables.judging._STORED_AGAIN", (0.0, 0.0))
    ada = await server.person()
    path = await server.table(ada, game=GAME.id)
    store, failed = server.app.state.store, []
    write = store.write

    async def fail(change):
        if getattr(change, "func", None) is hints._keep and len(failed) < 7:
            failed.append(change)
            raise Unavailable("no room")
        return await write(change)

    monkeypatch.setattr(store, "write", fail)
    for _ in range(2):
        # each time it is tried thrice, and nothing is told that is not stored
        assert (await _ask(server, ada, path)).status_code == 503
    assert not await _rows(server)
    # the third time there is room soon
    assert (await _ask(server, ada, path)).status_code == 200
    assert len(failed) == 7
    assert len(judge.asked) == len(await _rows(server)) == 1
    assert not server.app.state.hints._unstored


async def test_what_is_not_stored_is_forgotten_when_the_decision_is_made(
    server: Server, judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thorp.server.tables.judging._STORED_AGAIN", ())
    ada = await server.person()
    path = await server.table(ada, game=GAME.id)
    store = server.app.state.store
    write = store.write

    async def fail(change):
        if getattr(change, "func", None) is hints._keep:
            raise Unavailable("no room")
        return await write(change)

    monkeypatch.setattr(store, "write", fail)
    assert (await _ask(server, ada, path)).status_code == 503
    assert server.app.state.hints._unstored
    await server.play(ada, path)
    assert not server.app.state.hints._unstored


async def test_who_cannot_think_is_no_fault_of_the_page(server: Server, judge: Judge, caplog) -> None:
    ada = await server.person()
    path = await server.table(ada, game=GAME.id)

    async def fail(question, whose):
        raise OSError("no process")

    judge.think = fail
    answer = await _ask(server, ada, path)
    assert (answer.status_code, "No hint could be thought of" in answer.text) == (503, True)
    assert "a hint could not be thought (OSError)" in caplog.text
    del judge.think
    assert (await _ask(server, ada, path)).status_code == 200


@pytest.mark.parametrize("end", [partial(admin.close, clock=lambda: datetime.now(UTC)), admin.remove])
async def test_processes_judge_and_stop_when_the_table_is_ended(
    server: Server, monkeypatch: pytest.MonkeyPatch, end
) -> None:
    """With the processes that a server has; the table is closed by a process of its own, and nobody looks at it."""
    monkeypatch.setattr(hints, "LOOK", 0.1)
    rules = game("villagers")
    rules.prepare()
    ada = await server.person()

    async def new_table() -> str:
        players = [Player("Ada", person=server.id_of(ada))]
        return "/tables/" + await server.app.state.tables.create(rules, {}, players, seed=5)

    monkeypatch.setattr(hints, "SECONDS", 0.05)
    answer = await _told(server, ada, await new_table())
    assert (answer.status_code, bool(_moves(answer.text))) == (200, True)
    (thinker,) = server.app.state.hints.thinkers._all
    monkeypatch.setattr(hints, "SECONDS", 3000.0)
    asking = asyncio.create_task(_ask(server, ada, path := await new_table()))
    while not thinker.busy:
        await asyncio.sleep(0.01)
    other = Store(sqlite_url(server.settings.data_dir / DATABASE))
    await other.open()
    try:
        await other.write(lambda connection: end(connection, path.rpartition("/")[2]))
        async with asyncio.timeout(20):
            while thinker.busy:
                await asyncio.sleep(0.01)
        assert (await asking).status_code == 409
    finally:
        await other.close()
    assert not thinker.ended


@pytest.mark.parametrize(("seats", "kept"), [(1, True), (2, False)])
async def test_who_follows_hints_alone_is_told_of_no_worse(server: Server, seats: int, kept: bool) -> None:
    """The line that was found goes to whoever judges the next decision."""

    class Teller(Judge):
        async def think(self, question, whose) -> Analysis:
            self.asked.append(question)
            game, state = question.position.read()
            moves = [Expected(move, 9, 1.0, 0.0, 30.0, 0.0) for move in game.legal_moves(state, question.position.seat)]
            return Analysis(question.position.seat, question.ply, tuple(moves), None, by_points=True, line=(5, 7, 9))

    judge = server.app.state.hints.thinkers = Teller()
    ada = await server.person()
    path = await server.table(ada, game="tiny-towns", seats=seats)
    for _ in range(2):
        move = _moves((await _ask(server, ada, path)).text)[0]
        table = await server.at(path)
        form = {"counter": str(table.counters[0]), "seat": "0", "move": str(move)}
        assert (await ada.post(f"{path}/moves", data=form)).status_code == 303
        await server.quiet()
    assert [question.course for question in judge.asked] == [(), (5, 7, 9) if kept else ()]


@pytest.mark.parametrize(("error", "told"), [(0.0, 0), (0.002, 1), (0.012, 2)])
async def test_nothing_is_told_to_be_surer_than_it_is(server: Server, error: float, told: int) -> None:
    class Teller(Judge):
        async def think(self, question, whose) -> Analysis:
            _, state = question.position.read()
            moves = [Expected(move, 9, 0.5, error, 30.0, 0.0) for move in GAME.legal_moves(state, 0)]
            return Analysis(0, question.ply, tuple(moves), None, by_points=False)

    server.app.state.hints.thinkers = Teller()
    ada = await server.person()
    answer = await _ask(server, ada, await server.table(ada, game=GAME.id))
    assert re.findall(r"50 % to win</b> <small>± (\d+)</small>", answer.text) == [str(told)] * 3


def test_how_sure_it_is() -> None:
    def told(*figures: tuple[float, float]) -> list[MoveTold]:
        return [MoveTold(1, "", (), Expected(1, 9, *figure, *figure)) for figure in figures]

    for by_points in (False, True):
        assert _ahead(told((0.9, 0.1), (0.5, 0.1)), by_points=by_points) == "clearly"
        assert _ahead(told((0.7, 0.1), (0.5, 0.1)), by_points=by_points) == "likely"
        assert _ahead(told((0.6, 0.1), (0.5, 0.1)), by_points=by_points) == "level"
        assert _ahead(told((0.4, 0.1), (0.5, 0.1)), by_points=by_points) == "liked"
        assert _ahead(told((0.6, 0.1)), by_points=by_points) == ""
    lost = [MoveTold(1, "", (), Expected(1, 9, 0.0, 0.1, points, 1.0)) for points in (62.0, 57.0)]
    assert _ahead(lost, by_points=False) == "richest", "what is lost anyhow is told apart by points"
    # also where it is only next to certain, as what a net says makes it
    for chance in (1e-9, 1 - 1e-9):
        sure = [MoveTold(1, "", (), Expected(1, 9, chance, 0.001, points, 1.0)) for points in (62.0, 57.0)]
        assert _ahead(sure, by_points=False) == "richest"
    # a line is known to come to so much: another one may come to more, unless all were tried
    for error, ahead in ((2.0, "found"), (0.0, "clearly")):
        lines = [MoveTold(1, "", (), Expected(1, 9, 1.0, 0.0, points, error)) for points in (30.0, 20.0)]
        assert _ahead(lines, by_points=True, by_lines=True) == ahead
    # what is told as equal is not said to be better
    for points, ahead in (((34.0, 34.0), "equal"), ((34.0, 33.0), "likely"), ((34.0, 35.0), "equal")):
        same = [
            MoveTold(1, "", (), Expected(1, 9, chance, 0.001, each, 1.0))
            for chance, each in zip((0.344, 0.342), points, strict=True)
        ]
        assert _ahead(same, by_points=False) == ahead
    # what all moves share of their errors tells none from another
    shared = [MoveTold(1, "", (), Expected(1, 9, chance, 0.1, 9.0, 1.0, 0.0995)) for chance in (0.5, 0.45)]
    assert _ahead(shared, by_points=False) == "clearly"
    assert _is_told_together(shared)
    assert not _is_told_together(sure), "that is told by points"
    assert not _is_told_together(told((0.9, 0.1), (0.5, 0.1)))
    assert not _is_told_together(told((0.6, 0.1), (0.5, 0.1)))
    assert not _is_told_together(told((0.6, 0.1)))


def test_of_three_moves_two_may_be_close() -> None:
    def two(*chances: float, error: float = 0.05) -> bool:
        told = [MoveTold(1, "", (), Expected(1, 9, chance, error, 9.0, 1.0)) for chance in chances]
        return _only_two_are_close(told, by_points=False)

    assert two(0.52, 0.51, 0.31)
    assert not two(0.52, 0.51, 0.50)
    assert not two(0.52, 0.51)
    # the better of two is what the others are held against, also where a strong player would take the other one
    assert two(0.44, 0.52, 0.44)
    assert not two(0.44, 0.46, 0.44)
    lost = [MoveTold(1, "", (), Expected(1, 9, 0.0, 0.1, points, 1.0)) for points in (62.0, 61.5, 57.0)]
    assert _only_two_are_close(lost, by_points=False), "what is lost anyhow is told apart by points"


@pytest.mark.parametrize(
    ("error", "told"),
    [(2.0, "The first begins the best line found."), (0.0, "The first is clearly the best.")],
)
async def test_of_lines_it_is_told_whether_all_were_tried(server: Server, error: float, told: str) -> None:
    class Teller(Judge):
        async def think(self, question, whose) -> Analysis:
            game, state = question.position.read()
            legal = game.legal_moves(state, question.position.seat)
            moves = [Expected(move, 9, 1.0, 0.0, 30.0 - 9 * nth, error) for nth, move in enumerate(legal)]
            return Analysis(0, question.ply, tuple(moves), None, by_points=True, line=(legal[0], 7))

    server.app.state.hints.thinkers = Teller()
    towns = game("tiny-towns")
    towns.prepare()
    ada = await server.person()
    people = [Player("Ada", person=server.id_of(ada))]
    path = "/tables/" + await server.app.state.tables.create(towns, {}, people, seed=5, hints=True)
    assert told in (await _ask(server, ada, path)).text


def test_what_is_stored_of_a_hint_is_what_is_told() -> None:
    hint = Hint((Expected(3, 20, 0.5, 0.1, 12.5, 1.25), Expected(1, 20, 0.25, 0.1, 9.0, 1.0)), by_points=True)
    assert Hint.read(hint.stored) == hint
    following = replace(hint, line=(3, 14, 7))
    assert Hint.read(following.stored) == following
    # as hints were stored before lines were followed
    assert Hint.read({name: value for name, value in hint.stored.items() if name != "line"}) == hint
