"""Clocks: what each seat has left, what happens when that is over, and that nobody gains or loses time unfairly."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from thorp.core.match import Match
from thorp.server import admin
from thorp.server.settings import Settings
from thorp.server.tables import clocks
from thorp.server.tables.clocks import WAIT, Clock
from thorp.server.tables.table import Player

from .conftest import GAME, HTMX, Server, page_open, replace, running

pytestmark = pytest.mark.anyio

BEGIN = datetime(2026, 5, 1, 12, tzinfo=UTC)
LIVE = Clock(600, 10)
DAY = Clock(24 * 3600, 0, each=True)


class Time:
    """What time it is."""

    def __init__(self) -> None:
        self.now = BEGIN

    def __call__(self) -> datetime:
        return self.now

    def goes(self, **by: float) -> None:
        """Some time passes."""
        self.now += timedelta(**by)


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def settings(settings, time):
    return replace(settings, clock=time)


@contextlib.asynccontextmanager
async def ticking_by_hand(settings: Settings) -> AsyncIterator[Server]:
    """A server whose timer looks only when a test says so, since time jumps here."""
    async with running(settings) as server:
        await server.app.state.timer.close()
        yield server


@pytest.fixture
async def server(settings):
    async with ticking_by_hand(settings) as server:
        yield server


async def table_of(server: Server, *clients, clock: Clock = LIVE, bots: int = 0, **more) -> str:
    players = [Player(f"Person {seat}", person=server.id_of(client)) for seat, client in enumerate(clients)]
    players += [Player(f"Bot {bot}", bot="quick") for bot in range(bots)]
    return "/tables/" + await server.app.state.tables.create(
        GAME, {}, players, seed=7, clock=clock, opener=server.id_of(clients[0]), **more
    )


async def left(server: Server, path: str) -> list[int]:
    """What the seats have left, in seconds, as it is stored."""
    store = server.app.state.store
    found = await store.read(lambda connection: clocks.of(connection, path.rpartition("/")[2]))
    return [each.left_at(server.settings.clock()) // 1000 for each in found]


async def runs(server: Server, path: str) -> list[int]:
    return [each.seat for each in (await server.at(path)).clocks if each.since]


@pytest.mark.any_store
async def test_all_that_is_stored_with_a_time_has_that_of_the_store(server, time):
    """There was a second clock, by which tables were made, began and ended; a set one was not theirs."""
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.table(ada, **{"seat.1": "link"})
    assert (await eve.post(f"{path}/sit", data={"seat": "1"})).status_code == 303
    assert (await ada.post(f"{path}/chat", data={"line": "Hello!"})).status_code == 303
    await server.play_out(path, ada, eve)
    closed = await server.shared_table(ada)
    store = server.app.state.store
    await store.write(lambda connection: admin.close(connection, closed.rpartition("/")[2], store.now))
    await server.quiet()
    told = {
        table: {each for row in rows for each in row if isinstance(each, datetime)}
        for table, rows in await server.rows()
    }
    assert {table for table, moments in told.items() if moments} >= {"table", "move", "record", "chat_line", "result"}
    assert set().union(*told.values()) == {time.now}


async def alive_for(server: Server, time: Time, **by: float) -> None:
    """Some time passes while the server runs: it leaves its signs of life."""
    end = time.now + timedelta(**by)
    while time.now < end:
        time.now = min(end, time.now + timedelta(seconds=10))
        await server.app.state.timer.tick()


@pytest.mark.any_store
async def test_each_seat_that_has_to_decide_has_a_clock_that_runs(server, time):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await table_of(server, ada, ben)
    assert await runs(server, path) == [0, 1]
    time.goes(seconds=30)
    await server.play(ada, path)
    # the move brings the increment, and nothing is lost while one waits
    assert await runs(server, path) == [1]
    time.goes(seconds=70)
    assert await left(server, path) == [580, 500]
    await server.play(ben, path)
    assert await left(server, path) == [580, 510]
    assert await runs(server, path) == [0]


async def test_the_clock_begins_with_the_match(server, time):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    answer = await ada.post(
        "/tables", data={"game": "pebbles", "seats": "2", "seat.1": "link", "clock": "live-10", "late": "wait"}
    )
    path = answer.headers["location"]
    assert "10 minutes a seat" in (await ben.get(path)).text
    time.goes(hours=3)
    assert await left(server, path) == []
    await ben.post(f"{path}/sit", data={"seat": "1", "name": "Ben"})
    assert await left(server, path) == [600, 600]
    assert Clock.of((await server.at(path)).row.clock) == replace(LIVE, then=WAIT)


@pytest.mark.any_store
async def test_a_bot_plays_on_for_whose_time_is_over_and_the_person_comes_back(server, time):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await table_of(server, ada, ben)
    await server.play(ada, path)
    await alive_for(server, time, seconds=601)
    await server.quiet()
    table = await server.at(path)
    assert [(seat.person, seat.bot, seat.away) for seat in table.seats] == [
        (server.id_of(ada), None, None),
        (None, "quick", server.id_of(ben)),
    ]
    assert table.match.ply > 1
    page = (await ben.get(path)).text
    assert "A bot plays for you until you are back." in page
    assert (await ben.post(f"{path}/come-back")).status_code == 303
    # a little, so that the clock does not run out in the same moment
    assert (await left(server, path))[1] == clocks.LATE
    await server.play_out(path, ada, ben)


async def test_who_leaves_and_comes_back_gains_nothing(server, time):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await table_of(server, ada, ben)
    time.goes(seconds=550)
    server.bots.free.clear()
    await ben.post(f"{path}/leave")
    assert await runs(server, path) == [0]
    time.goes(seconds=20)
    await ben.post(f"{path}/come-back")
    assert await left(server, path) == [30, 50]
    assert await runs(server, path) == [0, 1]


@pytest.mark.any_store
async def test_a_seat_waits_where_that_was_chosen(server, time):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await table_of(server, ada, ben, clock=replace(LIVE, then=WAIT))
    await server.play(ada, path)
    async with page_open(server, ada, await server.shown(path)) as page:
        await alive_for(server, time, seconds=601)
        assert "time is over" in (await page.event()).data
    table = await server.at(path)
    assert table.seats[1].person == server.id_of(ben)
    assert table.clocks[1].out
    # whoever else leaves and comes back brings it no time
    for what in ("leave", "come-back"):
        assert (await ada.post(f"{path}/{what}")).status_code == 303
        clock = (await server.at(path)).clocks[1]
        assert (clock.out, clock.left, clock.since) == (True, 0, None)
    await server.play(ben, path)
    assert (await left(server, path))[1] == 10
    assert not (await server.at(path)).clocks[1].out


async def test_a_move_counts_that_comes_before_anybody_has_noticed(server, time):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await table_of(server, ada, ben)
    time.goes(seconds=605)
    assert (await server.play(ada, path)).status_code == 200
    assert (await left(server, path))[0] == 10


async def test_taking_back_brings_no_time(server, time):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await table_of(server, ada, ben, forced=False)

    async def take_back(client):
        table = await server.at(path)
        counter = table.counters[table.seat_of(server.id_of(client))]
        return await client.post(f"{path}/take-back", data={"counter": str(counter)}, headers=HTMX)

    await alive_for(server, time, seconds=100)
    await server.play(ada, path)
    assert await left(server, path) == [510, 500]
    await alive_for(server, time, seconds=50)
    assert (await take_back(ada)).status_code == 200
    # no increment, and the time since the move counts as its own
    assert await left(server, path) == [450, 450]
    for _ in range(5):
        time.goes(seconds=1)
        await server.play(ada, path)
        assert (await take_back(ada)).status_code == 200
    assert await left(server, path) == [445, 445]
    # more has passed since the move than was left: it stays
    await server.play(ada, path)
    await alive_for(server, time, seconds=444)
    before = await server.rows()
    time.goes(seconds=5)
    answer = await take_back(ada)
    assert answer.status_code == 422
    assert "cannot be taken back" in answer.text
    assert await server.rows() == before


async def test_going_back_as_all_have_agreed_brings_no_time(server, time):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await table_of(server, ada, ben)
    await server.play(ada, path)
    await server.play(ben, path)
    assert await left(server, path) == [610, 610]
    for _ in range(3):
        await server.play(ada, path)
        form = {"counter": str((await server.at(path)).counters[0])}
        assert (await ada.post(f"{path}/go-back", data=form, headers=HTMX)).status_code == 200
        # Ben's clock runs while he is asked
        await alive_for(server, time, seconds=20)
        assert (await left(server, path))[1] == 590
        assert (await ben.post(f"{path}/go-back/answer", data={"answer": "yes"}, headers=HTMX)).status_code == 200
        assert await left(server, path) == [610, 610]
    # a little is left to who has to choose again
    await alive_for(server, time, seconds=605)
    await server.play(ada, path)
    assert await left(server, path) == [15, 610]
    form = {"counter": str((await server.at(path)).counters[0])}
    await ada.post(f"{path}/go-back", data=form, headers=HTMX)
    await ben.post(f"{path}/go-back/answer", data={"answer": "yes"}, headers=HTMX)
    assert await left(server, path) == [15, 610]


async def test_whoever_was_asked_by_a_move_that_is_gone_gets_its_time_back(server, time):
    # Tested where turns are taken: in the toy nothing can be taken back there, so on the rows themselves.
    seats = (clocks.SeatClock(0, 1000), clocks.SeatClock(1, 5000, BEGIN))
    people = [type("Sits", (), {"seat": seat, "person": f"p{seat}"})() for seat in (0, 1)]
    after = clocks.follow((seats[0], seats[1].stopped(BEGIN)), people, (0,), BEGIN + timedelta(seconds=2))
    assert [(each.left, each.since is not None) for each in after] == [(1000, True), (5000, False)]


@pytest.mark.any_store
async def test_a_live_clock_stands_still_while_the_server_is_down(server, settings, time):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await table_of(server, ada, ben)
    await alive_for(server, time, seconds=100)
    time.goes(seconds=4)
    store = server.app.state.store
    time.goes(hours=5)
    # another process on the same store, as after a power cut
    async with ticking_by_hand(settings) as after:
        app = after.app
        found = await app.state.store.read(lambda connection: clocks.of(connection, path.rpartition("/")[2]))
        # what passed after the last sign of life is not charged, and nothing has run out
        assert [each.left_at(time.now) // 1000 for each in found] == [500, 500]
        time.goes(seconds=10)
        await app.state.timer.tick()
        found = await store.read(lambda connection: clocks.of(connection, path.rpartition("/")[2]))
        assert [each.left_at(time.now) // 1000 for each in found] == [490, 490]


async def test_a_clock_that_began_after_the_last_sign_of_life_gets_back_what_it_lost_itself(server, time):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    before = await table_of(server, ada, ben)
    await server.app.state.timer.tick()
    time.goes(seconds=4)
    path = await table_of(server, ada, ben)
    time.goes(seconds=100)
    await server.app.state.timer.tick()
    assert await left(server, before) == await left(server, path) == [600, 600]
    # and it does not begin only after now
    assert [each.since for each in (await server.at(path)).clocks] == [time.now] * 2
    await alive_for(server, time, seconds=10)
    assert await left(server, path) == [590, 590]


@pytest.mark.any_store
async def test_a_move_right_after_a_gap_is_not_charged_for_it(server, time):
    """The server was suspended: the move is there before the timer has looked."""
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path, other = await table_of(server, ada, ben), await table_of(server, ada, ben)
    await alive_for(server, time, seconds=20)
    time.goes(minutes=8)
    assert (await server.play(ada, path)).status_code == 200
    assert await left(server, path) == [590, 580]
    assert await left(server, other) == [580, 580]
    time.goes(seconds=10)
    await server.app.state.timer.tick()
    assert await left(server, path) == [590, 570]
    # nor is who takes it back
    time.goes(minutes=8)
    answer = await ada.post(f"{path}/take-back", data={"counter": "1"}, headers=HTMX)
    assert answer.status_code == 200
    assert await left(server, path) == [580, 570]


@pytest.mark.any_store
async def test_whoever_leaves_or_comes_back_right_after_a_gap_is_not_charged_for_it(server, time):
    """The server was suspended: the change of seats is there before the timer has looked."""
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await table_of(server, ada, ben)
    await alive_for(server, time, seconds=20)
    time.goes(hours=1)
    assert (await ada.post(f"{path}/leave")).status_code == 303
    assert await left(server, path) == [580, 580]
    await server.quiet()
    await alive_for(server, time, seconds=10)
    assert await left(server, path) == [580, 570]
    time.goes(hours=1)
    assert (await ada.post(f"{path}/come-back")).status_code == 303
    assert await left(server, path) == [580, 570]


@pytest.mark.any_store
async def test_time_that_goes_back_gives_and_takes_nothing(server, time):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path, days = await table_of(server, ada, ben), await table_of(server, ada, ben, clock=DAY)
    await alive_for(server, time, seconds=20)
    time.goes(hours=-1)
    assert (await server.play(ada, path)).status_code == 200
    assert await left(server, path) == [590, 580]
    await alive_for(server, time, seconds=30)
    assert await left(server, path) == [590, 550]
    assert await left(server, days) == [24 * 3600 - 50] * 2


@pytest.mark.any_store
async def test_days_run_on_while_the_server_is_down_but_end_in_nobodys_absence(server, settings, time):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await table_of(server, ada, ben, clock=DAY)
    await alive_for(server, time, minutes=2)
    time.goes(days=2)
    async with ticking_by_hand(settings) as after:
        app = after.app
        found = await app.state.store.read(lambda connection: clocks.of(connection, path.rpartition("/")[2]))
        assert [each.left_at(time.now) // 3600_000 for each in found] == [12, 12]
        # starting once more does not prolong it
        time.goes(hours=1)
        await app.state.timer.tick()
        for _ in range(60 * 11 + 1):
            time.goes(minutes=1)
            await app.state.timer.tick()
        table = (await app.state.store.table(path.rpartition("/")[2]))[1]
        assert [seat.away for seat in table] == [server.id_of(ada), server.id_of(ben)]


async def test_a_clock_that_has_run_out_just_before_the_end_is_noticed_at_the_start(settings, time):
    async with ticking_by_hand(settings) as server:
        ada, ben = await server.person("Ada"), await server.person("Ben")
        path = await table_of(server, ada, ben)
        id = server.id_of(ben)
        await server.play(ada, path)
        await alive_for(server, time, seconds=595)
    # a start that takes a few seconds is no gap
    time.goes(seconds=8)
    async with ticking_by_hand(settings) as server:
        await server.quiet()
        assert (await server.at(path)).seats[1].away == id


@pytest.mark.any_store
async def test_of_two_servers_one_acts(server, settings, time):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await table_of(server, ada, ben)
    await server.play(ada, path)
    await alive_for(server, time, seconds=590)
    async with ticking_by_hand(settings) as other:
        before = (await server.at(path)).row.seating
        time.goes(seconds=12)
        id = path.rpartition("/")[2]
        acted = [
            await each.app.state.store.write(lambda connection: clocks.expire(connection, id, time.now, "quick"))
            for each in (server, other)
        ]
        assert acted == [True, False]
        await server.app.state.timer.tick()
        await other.app.state.timer.tick()
        assert (await other.at(path)).row.seating == before + 1


async def test_at_one_device_one_clock_runs_at_a_time_and_the_seats_wait(server, time):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await table_of(server, ada, ada, ben)
    assert await runs(server, path) == [0, 2]
    time.goes(seconds=10)
    table = server.app.state.tables
    await table.play(path.rpartition("/")[2], 0, 0, 0)
    assert await runs(server, path) == [1, 2]
    assert await left(server, path) == [600, 600, 590]
    await alive_for(server, time, seconds=601)
    seats = (await server.at(path)).seats
    assert [seat.person for seat in seats[:2]] == [server.id_of(ada)] * 2
    assert seats[2].away == server.id_of(ben)


async def test_days_are_whole_for_each_move(server, time):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await table_of(server, ada, ben, clock=DAY)
    await alive_for(server, time, minutes=30)
    await server.play(ada, path)
    assert await left(server, path) == [24 * 3600, 24 * 3600 - 1800]
    page = (await ben.get(path)).text
    assert "until 2 May, 12:00 UTC" in page
    assert f'data-deadline="{int((BEGIN + timedelta(days=1)).timestamp() * 1000)}"' in page


async def test_rematch_and_playing_on_keep_the_clock_and_the_file_has_none(server, time):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await table_of(server, ada, ben, clock=LIVE)
    match = await server.play_out(path, ada, ben)
    assert await runs(server, path) == []
    assert "clock" not in match.export()
    assert Match.load(match.export()).over
    rematch = (await ada.post(f"{path}/again")).headers["location"]
    assert await left(server, rematch) == [600, 600]
    on = await server.app.state.tables.play_on(
        path.rpartition("/")[2], 1, [Player("Ada", server.id_of(ada)), Player("Ben", server.id_of(ben))], ""
    )
    assert await left(server, f"/tables/{on}") == [600, 600]
    assert (await server.at(f"/tables/{on}")).row.clock == LIVE.stored


async def test_the_page_says_what_is_left_without_a_script(server, time):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await table_of(server, ada, ben)
    time.goes(seconds=30)
    await server.play(ada, path)
    page = (await ada.get(path)).text
    assert "until 12:10:00 UTC" in page
    assert ">9:40<" in page
    # bots have none
    alone = await table_of(server, ada, bots=1)
    assert 'id="clock-1"' not in (await ada.get(alone)).text
    # and nothing of clocks where there is none
    assert 'id="clocks"' not in (await ada.get(await server.shared_table(ada, ben))).text


@pytest.mark.parametrize("form", [{"clock": "live-1"}, {"clock": "live-10", "late": "never"}])
async def test_a_clock_that_is_not_offered_is_refused(server, form):
    ada = await server.person("Ada")
    answer = await ada.post("/tables", data={"game": "pebbles", "seats": "2", **form})
    assert answer.status_code == 422
    assert "no such clock" in answer.text


async def test_the_timer_wakes_for_the_first_clock_that_runs_out(server, time):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    timer = server.app.state.timer
    assert await timer.tick() == 5
    await table_of(server, ada, ben, clock=Clock(3, 0))
    assert await timer.tick() == 3
    # one that another server has let run out meanwhile
    time.goes(seconds=2)
    assert await timer.tick() == 1
