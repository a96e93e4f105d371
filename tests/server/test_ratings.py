"""Ratings of people and levels: what the model makes of places, which matches are rated, once each, in any store."""

import asyncio
import math
import random
from statistics import fmean

import pytest
from alembic import command
from sqlalchemy import delete, insert, select

from thorp.server import admin
from thorp.server.tables import ratings, schema
from thorp.server.tables.ratings import Contestant, Player, Rating, Ratings
from thorp.server.tables.refusals import Stale
from thorp.server.tables.store import SeatRow

from .conftest import move_to, replace, running
from .test_servers import waits

pytestmark = pytest.mark.anyio

ADA, BEN, EVE = (Player(False, name) for name in ("ada", "ben", "eve"))
SLOW, QUICK = (Player(True, name) for name in ("slow", "quick"))


def by_hand(known: list[tuple[float, float]], places: list[int]) -> list[tuple[float, float]]:
    """Plackett-Luce after Weng and Lin (JMLR 12, 2011), algorithm 4, with what openskill adds: sigma grows by tau.

    All luck together is that of two.
    """
    n, beta, tau = len(known), 25 / 6, 25 / 300
    grown = [(mu, math.hypot(sigma, tau)) for mu, sigma in known]
    c = math.sqrt(sum(sigma**2 for _, sigma in grown) + 2 * beta**2)
    strengths = [math.exp(mu / c) for mu, _ in grown]
    found = []
    for i, (mu, sigma) in enumerate(grown):
        omega = delta = 0.0
        for q in range(n):
            if places[q] > places[i]:
                continue
            chance = strengths[i] / sum(strengths[s] for s in range(n) if places[s] >= places[q])
            omega += ((q == i) - chance) / places.count(places[q])
            delta += chance * (1 - chance) / places.count(places[q])
        found.append((mu + sigma**2 / c * omega, sigma * math.sqrt(1 - (sigma / c) ** 3 * delta)))
    return found


@pytest.mark.parametrize("places", [[1, 2], [1, 1], [2, 1, 3], [1, 2, 2, 4], [3, 1, 1, 4, 5]], ids=str)
def test_the_model_is_the_one_that_was_published(places: list[int]) -> None:
    known = [(25 + 2 * number, 8 - 1.5 * number) for number in range(len(places))]
    players = [Player(False, str(number)) for number in range(len(places))]
    before = {player: Rating(*each, matches=7) for player, each in zip(players, known, strict=True)}
    after = ratings.after(before, [Contestant(player, place) for player, place in zip(players, places, strict=True)])
    for player, (mu, sigma) in zip(players, by_hand(known, places), strict=True):
        assert (after[player].mu, after[player].sigma) == (pytest.approx(mu, 1e-9), pytest.approx(sigma, 1e-9))
        assert after[player].matches == 8


def test_who_begins_and_what_two_of_them_get() -> None:
    assert (Rating().points, Rating().margin, Rating().provisional) == (1500, 482, True)
    after = ratings.after({}, [Contestant(ADA, 1), Contestant(BEN, 2)])
    # variances of (25/3)^2 + (25/300)^2 = 69.451; with luck of (25/6)^2 each, c = sqrt(2 * 86.812) = 13.177; the better
    # one was expected in half of the cases, so the mean moves by 69.451 / 13.177 / 2
    assert after[ADA].mu == pytest.approx(27.6354, abs=1e-4)
    assert after[BEN].mu == pytest.approx(22.3646, abs=1e-4)
    assert (after[ADA].points, after[BEN].points) == (1578, 1422)
    assert after[ADA].sigma == after[BEN].sigma == pytest.approx(8.0659, abs=1e-4)


def test_a_level_with_several_seats_is_one_player() -> None:
    contest = [Contestant(SLOW, 1), Contestant(ADA, 2), Contestant(SLOW, 3), Contestant(QUICK, 4)]
    after = ratings.after({}, contest)
    assert {player: rating.matches for player, rating in after.items()} == {SLOW: 1, ADA: 1, QUICK: 1}
    each = by_hand([(25, 25 / 3)] * 4, [1, 2, 3, 4])
    assert after[SLOW].mu == pytest.approx(fmean((each[0][0], each[2][0])))
    assert after[SLOW].sigma == pytest.approx(fmean((each[0][1], each[2][1])))
    assert after == ratings.after({}, contest[::-1])


@pytest.mark.parametrize("seats", [2, 4])
def test_strengths_that_are_known_are_found(seats: int) -> None:
    """Twenty people against five levels: drawn as the model says, people are as far off as they are told."""
    rng = random.Random(seats)
    levels = {Player(True, str(points)): points for points in range(1100, 2000, 200)}
    people = {Player(False, str(number)): rng.gauss(1500, 250) for number in range(20)}
    truth = {**levels, **people}
    found: dict[Player, Rating] = {}
    for _ in range(30):
        for person in people:
            company = [person, *rng.sample(list(levels), seats - 1)]
            # who is first has the least of exponential times whose rates are the strengths
            times = [rng.expovariate(10 ** (truth[player] / 400)) for player in company]
            contest = [
                Contestant(player, 1 + sum(other < time for other in times))
                for player, time in zip(company, times, strict=True)
            ]
            found |= ratings.after(found, contest)
    assert sorted(levels, key=lambda level: found[level].points) == list(levels)
    assert not any(found[level].provisional for level in levels)
    # only differences say anything
    middle = fmean(found[player].points - truth[player] for player in truth)
    off = [abs(found[player].points - middle - truth[player]) for player in people]
    within = [each <= found[player].margin for each, player in zip(off, people, strict=True)]
    assert sum(within) >= 17
    assert fmean(off) < 150


def test_who_is_rated() -> None:
    def seat(number, person=None, bot=None, away=None):
        return SeatRow(number, person, bot, "Somebody", away=away)

    def row(person, place):
        return {"person": person, "place": place}

    two = [seat(0, "ada"), seat(1, bot="slow")]
    assert ratings.contest_of([row("ada", 2)], two, (2, 1)) == (Contestant(ADA, 2), Contestant(SLOW, 1))
    # the match counts for nobody
    assert ratings.contest_of([], two, (2, 1)) == ()
    # nobody to compare with: alone, or a bot keeps the other's seat, or two at one device have the others
    assert ratings.contest_of([row("ada", 1)], [seat(0, "ada")], (1,)) == ()
    assert ratings.contest_of([row("ada", 1)], [seat(0, "ada"), seat(1, bot="slow", away="ben")], (1, 2)) == ()
    assert ratings.contest_of([row("ada", 1)], [seat(0, "ada"), seat(1, "ben"), seat(2, "ben")], (1, 2, 3)) == ()
    # those who remain keep their order
    four = [seat(0, bot="slow", away="ben"), seat(1, "ada"), seat(2, "eve"), seat(3, bot="quick")]
    assert ratings.contest_of([row("ada", 4), row("eve", 2)], four, (1, 4, 2, 3)) == (
        Contestant(ADA, 4),
        Contestant(EVE, 2),
        Contestant(QUICK, 3),
    )


async def rating_rows(server):
    rows = await server.app.state.store.read(lambda connection: connection.execute(select(schema.ratings)).all())
    return {(row.game, row.level, row.player): (row.mu, row.sigma, row.matches) for row in rows}


async def reckoned(server):
    await server.app.state.store.write(lambda connection: ratings.reckon(connection, "pebbles"))
    return await rating_rows(server)


@pytest.mark.any_store
async def test_matches_are_rated_with_their_last_move_and_reckoning_finds_the_same(settings):
    async with running(settings) as one, running(replace(settings, data_dir=settings.data_dir)) as other:
        ada, ben = await one.person("Ada"), await one.person("Ben")
        assert await rating_rows(one) == await reckoned(one) == {}
        expected = {}
        contests = []
        for path in [
            await one.shared_table(ada, ben),
            await one.table(ada, 3),
            await one.shared_table(ben, ada, seed=9),
            await one.table(ben, 2, **{"level-1": "slow"}),
            await one.table(ada, 1),
        ]:
            match = await one.play_out(path, ada, ben)
            table = await one.at(path)
            contest = [
                Contestant(Player(seat.bot is not None, seat.bot or seat.person), place)
                for seat, place in zip(table.seats, match.standings, strict=True)
            ]
            if len(contest) > 1:
                contests.append(contest)
                expected |= ratings.after(expected, contest)
        stored = {("pebbles", *player): tuple(vars(rating).values()) for player, rating in expected.items()}
        assert {each for contest in contests for each, _ in contest} == set(expected)
        assert stored == await rating_rows(one) == await reckoned(other)
        mine = await Ratings(other.app.state.store).of(one.id_of(ada))
        assert mine == {"pebbles": expected[Player(False, one.id_of(ada))]}
        assert mine["pebbles"].matches == 3
        levels = await Ratings(other.app.state.store).levels("pebbles")
        assert {Player(True, name): rating for name, rating in levels.items()} == {
            player: rating for player, rating in expected.items() if player.level
        }
        assert await Ratings(other.app.state.store).levels("marbles") == {}


@pytest.mark.any_store
async def test_two_who_end_a_match_at_once_rate_it_once(settings):
    async with running(settings) as one, running(replace(settings, data_dir=settings.data_dir)) as other:
        ada, ben = await one.person("Ada"), await one.person("Ben")
        path = await one.shared_table(ada, ben)
        last = await _until_the_last_move(one, path)
        await other.app.state.tables.open(last[0])
        answers = await asyncio.gather(
            *(server.app.state.tables.play(*last) for server in (one, other)), return_exceptions=True
        )
        assert [isinstance(answer, Stale) for answer in answers].count(True) == 1
        assert (await one.at(path)).match.over
        after = await rating_rows(one)
        assert {matches for _, _, matches in after.values()} == {1}
        assert after == await reckoned(one)


async def _until_the_last_move(server, path):
    """Play till a move ends the match, and return it: its table, seat, counter and number."""
    while True:
        table = await server.at(path)
        seat = table.match.waiting[0]
        move = table.match.legal(seat)[0]
        after = table.match.copy()
        after.play(seat, move)
        if after.over:
            return table.id, seat, table.counters[seat], move
        await server.app.state.tables.play(table.id, seat, table.counters[seat], move)


@pytest.mark.any_store
async def test_many_matches_that_end_at_once_are_all_rated(settings):
    """They share a level, whose rating none of them may lose; not even where none has a row to lock yet."""
    async with running(settings) as one, running(replace(settings, data_dir=settings.data_dir)) as other:
        servers = [one, other] * 4
        people = [await server.person(f"Person {number}") for number, server in enumerate(servers)]
        paths = [await server.table(person) for server, person in zip(servers, people, strict=True)]
        await asyncio.gather(
            *(server.play_out(path, person) for server, path, person in zip(servers, paths, people, strict=True))
        )
        found = await rating_rows(one)
        assert found["pebbles", True, "quick"][2] == len(servers)
        assert len(found) == 1 + len(servers)


@pytest.mark.parametrize("kind_of_store", ["postgresql"])
async def test_when_a_match_ended_is_told_by_its_turn_to_be_rated(server):
    """Or one that waits for its turn would be rated after one that ended later."""
    store = server.app.state.store
    path = await server.shared_table(await server.person("Ada"), await server.person("Ben"))
    last = await _until_the_last_move(server, path)
    async with store.engine.begin() as rating_another:
        await rating_another.run_sync(lambda connection: ratings.take_turns(connection, "pebbles"))
        ending = asyncio.create_task(server.app.state.tables.play(*last))
        await waits(store, ending)
        assert not ending.done()
        before = store.now()
    await ending
    row, _ = await store.table(last[0])
    assert row.finished > before
    ends = await store.read(lambda connection: set(connection.scalars(select(schema.results.c.finished))))
    assert ends == {row.finished}


@pytest.mark.any_store
@pytest.mark.parametrize("when", ["before", "after"])
async def test_where_the_store_fails_in_between_nothing_has_happened(server, monkeypatch, when):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await server.shared_table(ada, ben)
    last = await _until_the_last_move(server, path)
    enter = ratings.enter

    def broken(connection, table, contest):
        if when == "after":
            enter(connection, table, contest)
        raise RuntimeError("the server is no more")

    monkeypatch.setattr(ratings, "enter", broken)
    before = await server.rows()
    with pytest.raises(RuntimeError, match="no more"):
        await server.app.state.tables.play(*last)
    assert not (await server.at(path)).match.over
    assert await server.rows() == before
    assert dict(before)["rating"] == dict(before)["result"] == []
    monkeypatch.setattr(ratings, "enter", enter)
    await server.play_out(path, ada, ben)
    assert {matches for _, _, matches in (await rating_rows(server)).values()} == {1}


async def test_where_a_hint_was_told_nobody_is_rated(server):
    ada = await server.person("Ada")
    path = await server.table(ada)
    hint = {"table": (await server.at(path)).id, "seat": 0, "counter": 0, "undone": 0, "content": []}
    await server.app.state.store.write(lambda connection: connection.execute(insert(schema.hints).values(**hint)))
    await server.play_out(path, ada)
    assert len(dict(await server.rows())["result"]) == 1
    assert await rating_rows(server) == await reckoned(server) == {}
    page = (await ada.get("/me/statistics")).text
    assert "Played" in page
    assert "Rating" not in page


@pytest.mark.any_store
async def test_who_deletes_a_table_takes_its_match_out_of_all_ratings(server):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    paths = [await server.shared_table(ada, ben, seed=seed) for seed in (7, 9)]
    alone = await server.table(ben)
    for path in [*paths, alone]:
        await server.play_out(path, ada, ben)
    store = server.app.state.store
    (last,) = [
        contest
        for contest in await store.read(lambda connection: ratings._contests(connection, "pebbles"))
        if any(player.level for player, _ in contest)
    ]
    for path in paths:
        await store.write(lambda connection, path=path: admin.remove(connection, path.rpartition("/")[2]))
    expected = {("pebbles", *player): tuple(vars(each).values()) for player, each in ratings.after({}, last).items()}
    assert await rating_rows(server) == expected
    # of Ada nothing is left
    assert not any(player == server.id_of(ada) for _, _, player in expected)
    await store.write(lambda connection: admin.remove(connection, alone.rpartition("/")[2]))
    assert await rating_rows(server) == {}


@pytest.mark.any_store
@pytest.mark.parametrize("meanwhile", ["nothing", "a match ends", "another is deleted"])
async def test_ratings_are_reckoned_before_a_match_is_deleted_and_not_while_others_wait(server, monkeypatch, meanwhile):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    first, second, third = [await server.shared_table(ada, ben, seed=seed) for seed in (7, 9, 11)]
    for path in (first, second):
        await server.play_out(path, ada, ben)
    store, rated, writing = server.app.state.store, [], []
    after, write, read = ratings.after, store.write, store.read

    async def marked(work, **how):
        writing.append(work)
        try:
            return await write(work, **how)
        finally:
            writing.pop()

    async def interrupted(work, **how):
        found = await read(work, **how)
        monkeypatch.setattr(store, "read", read)
        if meanwhile == "a match ends":
            await server.play_out(third, ada, ben)
        elif meanwhile == "another is deleted":
            await admin.delete_table(store, second.rpartition("/")[2])
        rated.clear()
        return found

    monkeypatch.setattr(ratings, "after", lambda *match: rated.append(bool(writing)) or after(*match))
    monkeypatch.setattr(store, "write", marked)
    monkeypatch.setattr(store, "read", interrupted)
    await admin.delete_table(store, first.rpartition("/")[2])
    monkeypatch.undo()
    # what has ended meanwhile is all that is rated while others wait
    assert rated == {"nothing": [], "a match ends": [True], "another is deleted": []}[meanwhile]
    found = await rating_rows(server)
    assert found == await reckoned(server)
    count = {"nothing": 1, "a match ends": 2, "another is deleted": 0}[meanwhile]
    assert [matches for _, _, matches in found.values()] == [count] * (2 if count else 0)
    with pytest.raises(admin.Refused):
        await admin.delete_table(store, first.rpartition("/")[2])


@pytest.mark.any_store
async def test_matches_from_before_are_rated(server):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    hinted = await server.table(ada)
    hint = {"table": (await server.at(hinted)).id, "seat": 0, "counter": 0, "undone": 0, "content": []}
    store = server.app.state.store
    await store.write(lambda connection: connection.execute(insert(schema.hints).values(**hint)))
    left = await server.shared_table(ada, ben, seed=3)
    assert (await ben.post(f"{left}/leave", data={"seat": "1"})).status_code == 303
    for path in [
        await server.shared_table(ada, ben),
        hinted,
        left,
        await server.table(ben, 4),
        await server.table(ada, 1),
        await server.table(ada, 2),
    ]:
        await server.play_out(path, ada, ben)
    before = await rating_rows(server)
    assert sorted(matches for _, _, matches in before.values()) == [2, 2, 2]

    await move_to(store, "0013", command.downgrade)
    await move_to(store, "0014", command.upgrade)
    assert await rating_rows(server) == before


async def test_a_page_shows_ones_own_rating_and_those_of_bots_one_has_met(server):
    ada, ben, eve = await server.person("Ada"), await server.person("Ben"), await server.person("Eve")
    await server.play_out(await server.shared_table(ada, ben), ada, ben)
    await server.play_out(await server.table(ada, 2), ada)
    store = server.app.state.store
    mine = (await Ratings(store).of(server.id_of(ada)))["pebbles"]
    quick = (await Ratings(store).levels("pebbles"))["quick"]
    page = (await ada.get("/me/statistics")).text.replace("\N{NO-BREAK SPACE}", " ")
    assert f"<dt>Rating</dt><dd>{mine.points} <small>± {mine.margin}, provisional</small></dd>" in page
    assert f"<strong>quick</strong> {quick.points} <small>± {quick.margin}, provisional</small>" in page
    # nobody is told what others have: neither people's, nor of bots one has not met
    bens = (await Ratings(store).of(server.id_of(ben)))["pebbles"]
    assert bens.points != mine.points
    text = (await ben.get("/me/statistics")).text
    assert f"<dt>Rating</dt><dd>{bens.points} " in text
    assert str(mine.points) not in text
    assert "<strong>quick</strong>" not in text
    assert "Rating" not in (await eve.get("/me/statistics")).text
    # who has played long enough is not provisional any more
    r = schema.ratings
    await store.write(
        lambda connection: connection.execute(
            r.update().where(r.c.player == server.id_of(ada)).values(mu=30.0, sigma=2.0, matches=80)
        )
    )
    page = (await ada.get("/me/statistics")).text
    assert "<dt>Rating</dt><dd>1647 <small>±\N{NO-BREAK SPACE}116</small></dd>" in page
    await store.write(lambda connection: connection.execute(delete(r)))
    assert "Rating" not in (await ada.get("/me/statistics")).text
