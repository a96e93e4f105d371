"""Bots that think do so in processes of their own: pages answer, thoughts are stopped, and who dies is replaced."""

import asyncio
import itertools
import logging
import os
import signal
import time
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import ponderers
import pytest
from desks import Desk

import thorp
from thorp.compiling.disk import alone
from thorp.compiling.mode import COMPILED
from thorp.compiling.preparing import lock_name
from thorp.players import Plan, Stop, choose_in
from thorp.server import admin
from thorp.server.app import DATABASE, create_app
from thorp.server.settings import Settings
from thorp.server.tables import bots, thinking
from thorp.server.tables.judging import Judging
from thorp.server.tables.store import Store, sqlite_url
from thorp.server.tables.table import Player
from thorp.server.tables.thinking import Died, Position, Question, Thinkers, _Pulse, _Thinker

from .conftest import GAME, Server, page_open

pytestmark = pytest.mark.anyio
TESTS = Path(__file__).parents[1]


@pytest.fixture
def importable(monkeypatch, tmp_path):
    """Processes that think find the players and the game of the tests."""
    monkeypatch.setenv("PYTHONPATH", str(TESTS))
    monkeypatch.setenv(ponderers.GRAVE, str(tmp_path / "grave"))


@pytest.fixture
async def server(importable, settings: Settings):
    from dataclasses import replace

    app = create_app(replace(settings, players=ponderers, thinkers=2))
    async with app.router.lifespan_context(app):
        await app.state.readiness.all_ready.wait()
        yield Server(app, settings, ponderers)


def processes(server):
    return server.app.state.bots.thinkers._all


def has_answered(server, path):
    table = server.app.state.tables.seen(path.rpartition("/")[2])
    return table is not None and table.counters == [0, 1]


async def take_over(server, path, opener):
    """Somebody else gets the seat of the bot."""
    grace = await server.person("Grace")
    assert (await grace.post(f"{path}/ask", data={"seat": "1"})).status_code == 303
    seating = str((await server.at(path)).row.seating)
    answer = {"seat": "1", "seating": seating, "answer": "yes"}
    assert (await opener.post(f"{path}/answer", data=answer)).status_code == 303
    return grace


async def until(holds):
    async with asyncio.timeout(300):
        while not holds():
            await asyncio.sleep(0.01)


async def test_pages_and_other_tables_go_on_while_a_bot_thinks(server):
    ada = await server.person()
    waits = await server.table(ada, **{"seat.1": "long"})
    await until(lambda: any(each.busy for each in processes(server)))
    assert (await ada.get(waits)).status_code == 200
    other = await server.table(ada, **{"seat.1": "brief"})
    await until(lambda: has_answered(server, other))
    assert (await server.at(waits)).counters == [0, 0]


async def test_a_thought_is_stopped_when_its_seat_is_taken_over(server):
    ada = await server.person()
    path = await server.table(ada, **{"seat.1": "long"})
    await until(lambda: any(each.busy for each in processes(server)))
    (thinker,) = processes(server)
    grace = await take_over(server, path, ada)
    await until(lambda: not thinker.busy)
    await server.quiet()
    table = await server.at(path)
    assert table.counters == [0, 0]
    assert table.seats[1].person == server.id_of(grace)
    # the process that was stopped is there for the next thought
    assert not thinker.ended
    assert processes(server) == {thinker}


async def test_a_thought_is_stopped_where_nobody_is_left_at_its_table(server):
    ada = await server.person()
    path = await server.table(ada, **{"seat.1": "long"})
    await until(lambda: any(each.busy for each in processes(server)))
    (thinker,) = processes(server)
    assert (await ada.post(f"{path}/leave")).status_code == 303
    await until(lambda: not thinker.busy)
    await server.quiet()
    assert (await server.at(path)).counters == [0, 0]
    assert not thinker.ended


@pytest.fixture
async def queued(server, short_lessons, monkeypatch):
    """A bot that goes by what is learned at its table, whose lesson waits until other tables' are done."""
    monkeypatch.setattr(bots, "goes_by_lessons", lambda level: True)
    desk = server.app.state.studies.thinkers = Desk()
    desk.free.clear()
    ada = await server.person()
    path = await server.table(ada, game="tiny-towns", **{"seat.1": "brief"})
    while not desk.questions:
        if (await server.at(path)).match.waiting == (0,):
            await server.play(ada, path)
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.1)
    assert not processes(server)
    assert (await server.at(path)).counters[1] == 0
    return desk, ada, path


async def test_a_bot_waits_until_the_lesson_of_its_table_begins(server, queued):
    desk, _, path = queued
    assert (await server.client().get(path)).status_code == 200
    desk.free.set()
    await until(lambda: server.app.state.tables.seen(path.rpartition("/")[2]).counters[1] > 0)
    assert not desk.answers.is_set()


async def test_a_bot_whose_seat_is_taken_over_waits_for_no_lesson(server, queued):
    _, ada, path = queued
    await take_over(server, path, ada)
    async with asyncio.timeout(10):
        await server.quiet()
    assert not processes(server)


async def test_a_bot_that_waits_for_a_lesson_does_not_hold_up_the_end_of_its_server(server, queued):
    async with asyncio.timeout(10):
        await server.app.state.bots.close()
    assert not processes(server)


@pytest.mark.parametrize("end", [partial(admin.close, clock=lambda: datetime.now(UTC)), admin.remove])
async def test_a_thought_is_stopped_when_its_table_is_ended_at_which_nobody_looks(server, end, monkeypatch):
    """As `thorp admin` does it, which is a process of its own."""
    monkeypatch.setattr(bots, "LOOK", 0.1)
    ada = await server.person()
    path = await server.table(ada, **{"seat.1": "long"})
    await until(lambda: any(each.busy for each in processes(server)))
    (thinker,) = processes(server)
    other = Store(sqlite_url(server.settings.data_dir / DATABASE))
    await other.open()
    try:
        await other.write(lambda connection: end(connection, path.rpartition("/")[2]))
        await until(lambda: not thinker.busy)
    finally:
        await other.close()
    await server.quiet()
    assert not thinker.ended


async def test_no_more_processes_than_there_may_be_and_the_rest_wait_their_turn(server):
    ada = await server.person()
    paths = [await server.table(ada, **{"seat.1": "long"}) for _ in range(2)]
    await until(lambda: sum(each.busy for each in processes(server)) == 2)
    last = await server.table(ada, **{"seat.1": "brief"})
    assert (await ada.get(last)).status_code == 200
    assert (await server.at(last)).counters == [0, 0]
    await take_over(server, paths[0], ada)
    await until(lambda: has_answered(server, last))
    assert len(processes(server)) == 2


async def test_a_process_that_dies_is_replaced_and_the_move_thought_anew(server, caplog):
    ada = await server.person()
    with caplog.at_level(logging.WARNING):
        path = await server.table(ada, **{"seat.1": "mortal"})
        await server.quiet()
    assert (await server.at(path)).counters == [0, 1]
    told = "a process that thought about a move of pebbles has ended with status 3; another one begins it anew"
    assert [each.getMessage() for each in caplog.records] == [told]
    (thinker,) = processes(server)
    os.kill(thinker.pid, signal.SIGKILL)
    await until(lambda: not processes(server))
    other = await server.table(ada, **{"seat.1": "brief"})
    await server.quiet()
    assert (await server.at(other)).counters == [0, 1]


@pytest.mark.parametrize("seats", [1, 2])
async def test_who_plays_alone_keeps_in_mind_what_it_found(server, seats):
    """At larger tables others see to it that nothing goes on as it was thought."""
    players = [Player(f"Bot {seat}", bot="mindful") for seat in range(seats)]
    id = await server.app.state.tables.create(GAME, {}, players, seed=7)
    # where only bots sit they play while somebody looks on
    async with page_open(server, None, await server.shown(f"/tables/{id}")):
        await until(lambda: server.app.state.tables.seen(id).match.over)
    await server.quiet()
    match = (await server.at(f"/tables/{id}")).match
    assert match.over
    again, plan = thorp.Match(GAME, seats, {}, seed=7), Plan()
    while not again.over:
        seat, stop = again.waiting[0], Stop()
        had = plan if seats == 1 else Plan()
        again.play(seat, ponderers.choose_in("mindful", GAME, again.state, seat, 0, seats=seats, stop=stop, plan=had))
    assert GAME.bytes(match.state) == GAME.bytes(again.state)


@pytest.fixture
async def thinkers(importable):
    made = Thinkers(1, idle=0.05)
    yield made
    await made.close()


def question(players: str, name: str, game: str = "pebbles") -> Question:
    match = thorp.Match(game, 2, seed=3)
    return Question(players, name, game, match.game.bytes(match.state), 2, match.waiting[0], 7, 0.01)


async def test_what_is_thought_there_is_what_is_thought_here_and_who_rests_long_is_ended(thinkers):
    match = thorp.Match("villagers", 2, seed=3)
    seat = match.waiting[0]
    choice = await thinkers.think(question("thorp.players", "casual", "villagers"))
    assert choice.line == ()
    assert choice.move == choose_in("casual", match.game, match.state, seat, 7, seats=2)
    await until(lambda: not thinkers._all)


async def test_an_error_of_a_player_is_told_and_its_process_goes_on(thinkers):
    with pytest.raises(thorp.GameError, match="broken cannot think: RuntimeError: a bad day"):
        await thinkers.think(question("ponderers", "broken"))
    assert len(thinkers._all) == 1
    await thinkers.close()
    with pytest.raises(Died, match="stops"):
        await thinkers.think(question("ponderers", "brief"))


async def test_a_process_leaves_it_to_its_server_to_be_stopped(importable, capfd):
    """Who stops a service may send Ctrl-C's signal to all of its processes."""
    thinkers = Thinkers(1)
    await thinkers.think(question("ponderers", "brief"))
    (thinker,) = thinkers._all
    os.kill(thinker.pid, signal.SIGINT)
    await thinkers.think(question("ponderers", "brief"))
    assert thinkers._all == {thinker}
    # it ends when it hears nothing any more
    thinker._process.stdin.close()
    assert await thinker._process.wait() == 0
    await thinkers.close()
    assert "Traceback" not in capfd.readouterr().err


async def order_of(thinkers, *askers):
    """Who gets an answer when, where all ask one process at the same time."""
    order = []

    async def ask(whose):
        await thinkers.think(question("ponderers", "brief"), whose)
        order.append(whose)

    await asyncio.gather(*map(ask, askers))
    return order


async def test_whoever_asks_for_much_waits_and_others_do_not(thinkers):
    flood = [("10.0.0.1", f"Mallory {number}") for number in range(20)]
    order = await order_of(thinkers, *flood, ("10.0.0.2", "Ada"), ("10.0.0.3", "Bob"))
    assert len(order) == 22
    # one of the flood has the process already; then each address has a turn
    assert {("10.0.0.2", "Ada"), ("10.0.0.3", "Bob")} <= set(order[:4])


async def test_people_at_one_address_take_turns_too(thinkers):
    order = await order_of(thinkers, *[("10.0.0.1", "Mallory")] * 20, ("10.0.0.1", "Ada"))
    assert ("10.0.0.1", "Ada") in order[:3]


async def test_who_has_had_no_turn_comes_before_who_has(thinkers):
    """As with lessons, of which one takes a minute: nobody waits for a second one of who has many."""
    many, ada, bob = [("10.0.0.1", name) for name in ("Mallory", "Ada", "Bob")]
    order = await order_of(thinkers, *[many] * 5, ada, bob, ("10.0.0.2", "Eve"))
    assert order[0] == many
    # another address first, which has had none; then people of this one
    assert order[1:4] == [("10.0.0.2", "Eve"), ada, bob]
    # and what was is remembered: who comes anew is before who has had a turn
    order = await order_of(thinkers, many, many, ("10.0.0.3", "Tom"), many)
    assert order[:2] == [many, ("10.0.0.3", "Tom")]


async def test_who_gives_up_a_wait_has_had_no_turn(thinkers):
    """A move is taken back while its bot waits: who did that still comes before who had a turn later."""
    ada, bob, eve = [("10.0.0.1", "Ada"), ("10.0.0.2", "Bob"), ("10.0.0.3", "Eve")]
    for each in (ada, bob, eve):
        await thinkers.think(question("ponderers", "brief"), each)
    running = asyncio.create_task(thinkers.think(question("ponderers", "long")))
    await until(lambda: any(each.busy for each in thinkers._all))
    given_up = [asyncio.create_task(thinkers.think(question("ponderers", "brief"), ada)) for _ in range(100)]
    await until(lambda: thinkers._waiting)
    for each in given_up:
        each.cancel()
    await asyncio.gather(*given_up, return_exceptions=True)
    # nothing stays of it
    assert not thinkers._waiting
    asking = asyncio.create_task(order_of(thinkers, bob, eve, ada))
    await until(lambda: len(thinkers._waiting._waiting) == 3)
    running.cancel()
    assert await asking == [ada, bob, eve]


async def test_who_has_just_given_up_is_passed_over():
    """A process is free in the same moment, before whoever was cancelled could take its wait away."""
    turns, loop = thinking._Turns(), asyncio.get_running_loop()
    askers = [("10.0.0.1", "Ada"), ("10.0.0.2", "Bob"), ("10.0.0.3", "Eve")]
    for each in askers:
        turns.has(each)
    given_up, waiting = loop.create_future(), {each: loop.create_future() for each in askers}
    turns.add(askers[0], given_up)
    for whose, turn in waiting.items():
        turns.add(whose, turn)
    given_up.cancel()
    assert [turns.next() for _ in askers] == list(waiting.values())
    assert turns.next() is None
    assert not turns


async def test_bots_think_at_the_turn_of_who_made_their_table(server):
    stranger, ada = await server.person("Mallory"), await server.person("Ada")
    path = await server.table(stranger, **{"seat.1": "brief"})
    whose = server.app.state.bots._whose
    assert whose(await server.at(path)) == ("127.0.0.1", server.id_of(stranger))
    shared = await server.shared_table(ada, stranger)
    assert whose(await server.at(shared)) == ("", shared.rpartition("/")[2])


async def test_of_a_process_that_dies_while_it_rests_nothing_is_to_be_ended(importable):
    thinkers = Thinkers(1)
    await thinkers.think(question("ponderers", "brief"))
    (thinker,) = thinkers._all
    assert not thinker.rest.cancelled()
    os.kill(thinker.pid, signal.SIGKILL)
    await until(lambda: not thinkers._all)
    assert thinker.rest.cancelled()
    await thinkers.close()


async def test_who_waits_gets_a_process_where_another_one_could_not_be_started(thinkers, monkeypatch):
    """As where no file can be opened just then: who waited for its turn would have waited for ever."""
    start, failed = _Thinker.start, asyncio.Event()

    async def fail(gone):
        monkeypatch.setattr(_Thinker, "start", start)
        await failed.wait()
        raise OSError("too many open files")

    monkeypatch.setattr(_Thinker, "start", fail)
    first = asyncio.create_task(thinkers.think(question("ponderers", "brief")))
    await asyncio.sleep(0)
    second = asyncio.create_task(thinkers.think(question("ponderers", "brief")))
    await asyncio.sleep(0)
    failed.set()
    with pytest.raises(OSError, match="too many"):
        await first
    async with asyncio.timeout(300):
        await second


async def test_who_waits_gets_a_process_where_who_was_first_goes_away(thinkers):
    """A table is closed while the process for its bot is being started."""
    first = asyncio.create_task(thinkers.think(question("ponderers", "brief")))
    await asyncio.sleep(0)
    second = asyncio.create_task(thinkers.think(question("ponderers", "brief")))
    await asyncio.sleep(0)
    first.cancel()
    async with asyncio.timeout(300):
        await second
    await asyncio.gather(first, return_exceptions=True)
    assert first.cancelled()


async def test_who_gives_up_at_its_turn_lets_the_next_one_think(thinkers):
    running = asyncio.create_task(thinkers.think(question("ponderers", "long")))
    await until(lambda: any(each.busy for each in thinkers._all))
    second, third = [asyncio.create_task(thinkers.think(question("ponderers", "brief"))) for _ in range(2)]
    await asyncio.sleep(0)
    running.cancel()
    (thinker,) = thinkers._all
    await until(lambda: not thinker.busy)
    second.cancel()
    async with asyncio.timeout(300):
        await third
    assert thinkers._starting == 0
    assert not thinkers._waiting


async def test_a_process_that_does_not_heed_that_it_is_stopped_is_ended(thinkers, monkeypatch):
    hanging = asyncio.create_task(thinkers.think(question("ponderers", "deaf")))
    await until(lambda: any(each.busy for each in thinkers._all))
    with monkeypatch.context() as patience:
        patience.setattr(thinking, "PATIENCE", 0.05)
        hanging.cancel()
        await asyncio.gather(hanging, return_exceptions=True)
    async with asyncio.timeout(300):
        await thinkers.think(question("ponderers", "brief"))


@pytest.fixture
def brief_patience(monkeypatch):
    """Who takes too long hangs soon."""
    monkeypatch.setattr(thinking, "PATIENCE", 0.5)
    monkeypatch.setattr(thinking, "LOOK", 0.05)


async def test_who_waits_for_a_processor_for_long_does_not_hang(thinkers, brief_patience, monkeypatch, caplog):
    """As on a machine with much to do: it gets little, and goes on."""
    counted, looks, hangs = itertools.count(), [], _Pulse.hangs
    # about a thousandth of a second with every look, in numbers that a float has exactly
    monkeypatch.setattr(thinking, "processor_time", lambda pid: next(counted) / 1024)
    monkeypatch.setattr(thinking, "_LEAST", 1 / 1024)
    monkeypatch.setattr(_Pulse, "hangs", lambda pulse: [hangs(pulse), looks.append(pulse)][0])
    thought = asyncio.create_task(thinkers.think(question("ponderers", "long")))
    await until(lambda: looks)
    (thinker,) = thinkers._all
    # far beyond its patience: what keeps it is the little that it gets
    begun = time.monotonic()
    await until(lambda: len(looks) > 20 and time.monotonic() > begun + 2 * thinking.PATIENCE)
    assert set(looks) == {looks[0]}
    assert thinkers._all == {thinker}
    thought.cancel()
    await asyncio.gather(thought, return_exceptions=True)
    assert "far too long" not in caplog.text


@pytest.mark.skipif(not COMPILED, reason="about compiled rules")
async def test_who_waits_for_rules_to_be_compiled_does_not_hang_and_the_log_says_so_once(
    importable, monkeypatch, tmp_path, caplog
):
    """The cache is lost, as when it is deleted, or with a new version: one compiles, and all think then."""
    asked = question("ponderers", "brief")
    monkeypatch.setattr(thinking, "LOOK", 0.05)
    monkeypatch.setenv("THORP_CACHE", str(tmp_path / "lost"))
    thinkers, looks, ended = Thinkers(2), [], []
    hangs, kill = _Pulse.hangs, _Thinker.kill
    monkeypatch.setattr(_Pulse, "hangs", lambda pulse: [hangs(pulse), looks.append(pulse)][0])
    monkeypatch.setattr(_Thinker, "kill", lambda thinker: (ended.append(thinker), kill(thinker)))
    with alone(lock_name(thorp.game("pebbles")._own_rules())):
        thoughts = [asyncio.create_task(thinkers.think(asked)) for _ in range(2)]
        await until(lambda: len(thinkers._compiling) == 2)
        # long beyond what is its patience else
        monkeypatch.setattr(thinking, "PATIENCE", 0.2)
        begun, last = time.monotonic(), len(looks) + 10
        await until(lambda: len(looks) > last and time.monotonic() > begun + 2 * thinking.PATIENCE)
    monkeypatch.setattr(thinking, "PATIENCE", 120.0)
    first, second = await asyncio.gather(*thoughts)
    assert first == second
    assert not ended
    assert caplog.text.count("rules of pebbles have to be compiled") == 1
    assert not thinkers._compiling
    # what is kept is told by nobody
    await thinkers.think(asked)
    assert len(caplog.records) == 1
    await thinkers.close()


def test_what_is_compiled_is_no_part_of_a_thought(monkeypatch):
    clock, used = 0.0, 7.0
    monkeypatch.setattr(thinking.time, "monotonic", lambda: clock)
    monkeypatch.setattr(thinking, "processor_time", lambda pid: used)
    pulse, waits = _Pulse(1, 1.0), _Pulse(2, 1.0)
    for each in (pulse, waits):
        each.compiles(True)
    clock, used = clock + 900, used + 800
    assert not pulse.hangs()
    pulse.compiles(False)
    assert not pulse.hangs()
    # then it is as with any other
    clock, used = clock + 119, used + 119
    assert not pulse.hangs()
    used += 3
    assert pulse.hangs()
    # nor is it waited for for ever
    clock += 900
    assert waits.hangs()


async def test_who_gets_nowhere_is_ended(thinkers, brief_patience, caplog):
    with pytest.raises(
        Died, match="3 processes that thought about a move of pebbles have ended; the last one took far"
    ):
        await thinkers.think(question("ponderers", "deaf"))
    # who has asked tells of the last one, after which nothing is begun anew
    assert [each.getMessage() for each in caplog.records] == [
        "a process that thought about a move of pebbles took far too long and was ended; another one begins it anew"
    ] * 2


async def test_the_log_tells_how_a_process_has_ended_and_at_what(thinkers, caplog):
    """As where the machine has too little memory; here it is a review."""
    state = question("ponderers", "long")
    judged = Judging(Position(state.game, state.state, 2, state.seat), 0, None, 1, 3600.0)
    judging = asyncio.create_task(thinkers.think(judged))
    for _ in range(thinking.ATTEMPTS):
        await until(lambda: any(each.busy for each in thinkers._all))
        (thinker,) = thinkers._all
        os.kill(thinker.pid, signal.SIGKILL)
        await until(lambda gone=thinker: gone not in thinkers._all)
    with pytest.raises(Died, match=r"3 .* about a judgement of pebbles .* the last one has ended with status -9: SIGK"):
        await judging
    how = "has ended with status -9: SIGKILL; another one begins it anew"
    told = f"a process that thought about a judgement of pebbles {how}"
    assert [each.getMessage() for each in caplog.records] == [told] * 2


async def test_bots_whose_processes_end_are_a_line_of_the_log_and_asked_again(server, caplog, monkeypatch):
    think, failed = Thinkers.think, itertools.count()

    async def fail(thinkers, question, *more):
        if next(failed) < 2:
            raise Died("3 processes have ended")
        return await think(thinkers, question, *more)

    monkeypatch.setattr(Thinkers, "think", fail)
    ada = await server.person()
    path = await server.table(ada, **{"seat.1": "brief"})
    await server.quiet()
    assert (await server.at(path)).counters == [0, 1]
    lines = [each for each in caplog.records if each.name == bots.__name__]
    assert [each.getMessage().partition(" failed: ")[2].partition(";")[0] for each in lines] == [
        "3 processes have ended"
    ] * 2
    assert not any(each.exc_info for each in lines)


def test_a_process_hangs_by_the_processor_time_that_it_takes(monkeypatch):
    clock, used = 0.0, 7.0
    monkeypatch.setattr(thinking.time, "monotonic", lambda: clock)
    monkeypatch.setattr(thinking, "processor_time", lambda pid: used)
    pulse = _Pulse(1, 60.0)
    for _ in range(99):
        # twenty times as long as it takes on a machine of its own
        clock, used = clock + 36, used + 1.8
        assert not pulse.hangs()
    used += 2
    assert pulse.hangs()
    stands = _Pulse(1, 60.0)
    clock += 119
    assert not stands.hangs()
    clock += 2
    assert stands.hangs()
    # where the system does not tell it, the clock has to do
    used = None
    untold = _Pulse(1, 60.0)
    clock += 1799
    assert not untold.hangs()
    clock += 2
    assert untold.hangs()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system does not tell it so")
def test_the_system_tells_how_much_processor_time_a_process_has_taken():
    began, least = thinking.processor_time(os.getpid()), time.process_time() + 0.2
    while time.process_time() < least:
        pass
    assert 0.1 < thinking.processor_time(os.getpid()) - began < 20
    assert thinking.processor_time(2**30) is None


async def test_a_thought_begins_when_it_waits_no_longer(thinkers):
    running = asyncio.create_task(thinkers.think(question("ponderers", "long")))
    await until(lambda: any(each.busy for each in thinkers._all))
    begun = asyncio.Event()
    second = asyncio.create_task(thinkers.think(question("ponderers", "brief"), begins=begun.set))
    await asyncio.sleep(0.1)
    assert not begun.is_set()
    running.cancel()
    async with asyncio.timeout(300):
        await begun.wait()
        await second
    await asyncio.gather(running, return_exceptions=True)


async def test_who_waits_is_told_when_the_server_stops(thinkers):
    running = asyncio.create_task(thinkers.think(question("ponderers", "long")))
    await until(lambda: any(each.busy for each in thinkers._all))
    waiting = asyncio.create_task(thinkers.think(question("ponderers", "brief")))
    await asyncio.sleep(0)
    await thinkers.close()
    for each in (running, waiting):
        with pytest.raises(Died):
            await each
