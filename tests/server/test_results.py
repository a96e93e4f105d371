"""What a person has played: which matches count, and figures that are right, private, and true on every server."""

import random
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import groupby

import pytest
from alembic import command
from sqlalchemy import insert, select

from thorp.core.face import Rival, ScoreSheet
from thorp.core.language import language, speaking
from thorp.core.words import Message
from thorp.server import admin
from thorp.server.app import DATABASE
from thorp.server.tables import schema
from thorp.server.tables.results import PEOPLE, Results
from thorp.server.tables.store import Store, sqlite_url
from thorp.server.web import statistics_pages
from thorp.server.web.statistics_pages import rank_word

from .conftest import GAME, move_to, replace, running

pytestmark = pytest.mark.anyio


def figures_of(server, person):
    return Results(server.app.state.store).figures(server.id_of(person))


async def result_rows(server):
    return await server.app.state.store.read(lambda connection: connection.execute(select(schema.results)).all())


async def make(store, rows):
    """Matches that are over, of the person `ada` at the first seat: a row of `result` without its table each."""

    def write(connection):
        for number, row in enumerate(rows):
            table = {
                "id": f"table-{number}",
                "game": row["game"],
                "seats": row["seats"],
                "options": {},
                "seed": 1,
                "salt": "",
                "commitment": "",
                "rules_version": 1,
                "generator_version": 1,
                "forced": True,
                "created": row["finished"],
                "finished": row["finished"],
                "scores": [row["score"]] * row["seats"],
                "standings": [row["place"]] * row["seats"],
            }
            connection.execute(insert(schema.tables).values(**table))
            connection.execute(insert(schema.seats).values(table=table["id"], seat=0, person="ada", name="Ada"))
            connection.execute(insert(schema.results).values(table=table["id"], seat=0, person="ada", **row))

    await store.write(write)


def some_rows(rng, number):
    rows = []
    for day in range(number):
        seats = rng.choice((1, 2, 3))
        rows.append(
            {
                "game": rng.choice(("pebbles", "marbles")),
                "finished": datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=day),
                "seats": seats,
                "score": rng.randrange(-5, 40),
                "place": rng.randint(1, seats),
                "won": None if seats == 1 else rng.random() < 0.6,
                "rank": rng.choice(("Low", "High")) if seats == 1 else None,
                "against": "" if seats == 1 else rng.choice(("slow", PEOPLE, f"{PEOPLE},quick")),
            }
        )
    return rows


@pytest.mark.any_store
async def test_figures_are_those_of_a_plain_reckoning(server):
    rows = some_rows(random.Random(3), 60)
    await make(server.app.state.store, rows)
    results = Results(server.app.state.store)
    found = await results.figures("ada")
    assert await results.totals("ada") == {each.game: each.all for each in found}
    assert [each.game for each in found] == list(dict.fromkeys(row["game"] for row in reversed(rows)))
    for each in found:
        mine = [row for row in rows if row["game"] == each.game]

        def holds(figures, some):
            assert figures.games == len(some) > 0
            assert figures.contests == sum(row["won"] is not None for row in some)
            assert figures.wins == sum(row["won"] is True for row in some)
            assert figures.best == max(row["score"] for row in some)
            assert figures.mean == pytest.approx(sum(row["score"] for row in some) / len(some))

        holds(each.all, mine)
        assert [seats for seats, _ in each.by_seats] == [1, 2, 3]
        for seats, figures in each.by_seats:
            holds(figures, [row for row in mine if row["seats"] == seats])
        assert {company for company, _ in each.by_company} == {("slow",), (PEOPLE,), (PEOPLE, "quick")}
        for company, figures in each.by_company:
            holds(figures, [row for row in mine if row["against"] == ",".join(company)])
        alone = [row for row in mine if row["rank"]]
        assert {rank.name: rank.times for rank in each.ranks} == {
            name: sum(row["rank"] == name for row in alone) for name in ("Low", "High")
        }
        assert [rank.best for rank in each.ranks] == sorted((rank.best for rank in each.ranks), reverse=True)
        runs = [(won, len(list(run))) for won, run in groupby(row["won"] for row in mine if row["won"] is not None)]
        assert each.streak.longest == max(length for won, length in runs if won)
        assert each.streak.current == (runs[-1][1] if runs[-1][0] else 0)
    last = await results.last("ada")
    assert [each.score for each in last] == [row["score"] for row in rows[:-11:-1]]
    assert await results.figures("eve") == await results.last("eve") == ()


async def test_a_streak_that_goes_on(server):
    rows = [
        {**row, "game": "pebbles", "seats": 2, "won": number != 2}
        for number, row in enumerate(some_rows(random.Random(1), 7))
    ]
    await make(server.app.state.store, rows)
    (figures,) = await Results(server.app.state.store).figures("ada")
    assert (figures.streak.current, figures.streak.longest) == (4, 4)


@pytest.mark.any_store
async def test_it_is_stored_with_the_last_move_and_true_on_every_server(settings):
    async with running(settings) as one, running(replace(settings, data_dir=settings.data_dir)) as other:
        ada, ben = await one.person("Ada"), await one.person("Ben")
        path = await one.shared_table(ada, ben)
        match = await one.play_out(path, ada, ben)
        for seat, person in enumerate((ada, ben)):
            for server in (one, other):
                (figures,) = await Results(server.app.state.store).figures(one.id_of(person))
                assert (figures.all.games, figures.all.best) == (1, match.scores[seat])
                assert figures.all.wins == (match.standings[seat] == 1)
                assert figures.by_company == (((PEOPLE,), figures.all),)
            page = (await other.client(one.cookie_of(person)).get("/me/statistics")).text
            assert f'href="{path}"' in page
            assert f"You: {match.scores[seat]}" in page
            assert f"best {match.scores[seat]}" in (await other.client(one.cookie_of(person)).get("/")).text
        # against bots, with somebody else's seat
        path = await one.table(ada, 3)
        await one.play_out(path, ada)
        (figures,) = await figures_of(other, ada)
        assert {company for company, _ in figures.by_company} == {(PEOPLE,), ("quick",)}
        assert [seats for seats, _ in figures.by_seats] == [2, 3]


async def test_nobody_else_sees_them(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.table(ada)
    match = await server.play_out(path, ada)
    words = (await ada.get(f"{path}/best")).text
    assert words == f"Your first result at a table of 2: {match.scores[0]}."
    for stranger in (eve, server.client(), server.client("damaged")):
        assert (await stranger.get(f"{path}/best")).status_code == 204
        page = await stranger.get("/me/statistics")
        assert page.status_code == 200
        assert "Nothing yet" in page.text
        assert path not in page.text
    assert (await ada.get("/me/statistics")).headers["cache-control"] == "no-store"
    assert (await ada.get("/tables/nowhere/best")).status_code == 204


async def test_a_later_match_is_told_against_the_best_so_far(server):
    ada = await server.person("Ada")
    scores = []
    for _ in range(4):
        path = await server.table(ada)
        scores.append((await server.play_out(path, ada)).scores[0])
        words = (await ada.get(f"{path}/best")).text
        if len(scores) == 1:
            assert words == f"Your first result at a table of 2: {scores[0]}."
        elif scores[-1] > max(scores[:-1]):
            assert words == f"Your best at a table of 2: {scores[-1]}, before that {max(scores[:-1])}."
        else:
            assert words == f"Your best at a table of 2 so far: {max(scores[:-1])}."
    # with another number of seats it is another matter
    path = await server.table(ada, 3)
    await server.play_out(path, ada)
    assert "first result at a table of 3" in (await ada.get(f"{path}/best")).text


async def test_what_does_not_count(server):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    # two at one device, among them nobody knows who; but the third is somebody
    path = await server.shared_table(ada, ada, ben)
    table = await server.at(path)
    while not (table := await server.at(path)).match.over:
        seat = table.match.waiting[0]
        await server.app.state.tables.play(table.id, seat, table.counters[seat], table.match.legal(seat)[0])
    assert [(row.seat, row.person) for row in await result_rows(server)] == [(2, server.id_of(ben))]
    # a match from a file, and one that goes on from a position of another one
    assert (await ada.post("/matches", files={"match": table.match.export()})).status_code == 303
    answer = await ada.post(f"{path}/at/2/play-on", data={"seat": "1", "bot": "slow"})
    assert answer.status_code == 303, answer.text
    await server.play_out(answer.headers["location"], ada)
    # a guided first game
    guided = (await ada.post("/games/pebbles/learn")).headers["location"]
    await server.play_out(guided, ada)
    # one that went back by consent, which bots give at once
    path = await server.table(ada)
    await server.play(ada, path)
    await server.quiet()
    table = await server.at(path)
    while not table.can_go_back(0):
        await server.play(ada, path)
        await server.quiet()
        table = await server.at(path)
    assert (await ada.post(f"{path}/go-back", data={"counter": str(table.counters[0])})).status_code == 303
    await server.quiet()
    assert (await server.at(path)).match.anew
    await server.play_out(path, ada)
    assert len(await result_rows(server)) == 1
    # what is taken back freely does no harm
    path = await server.shared_table(ada, ben)
    await server.play(ada, path)
    assert (await ada.post(f"{path}/take-back", data={"counter": "1"})).status_code == 303
    await server.play_out(path, ada, ben)
    assert len(await result_rows(server)) == 3


async def test_who_has_left_has_no_result(server):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await server.shared_table(ada, ben)
    assert (await ben.post(f"{path}/leave", data={"seat": "1"})).status_code == 303
    await server.play_out(path, ada)
    (row,) = await result_rows(server)
    assert (row.person, row.against) == (server.id_of(ada), "quick")


@pytest.mark.any_store
async def test_who_takes_a_seat_over_has_no_result(server):
    """Or whoever watches bots could take the seat of the one that wins; also who has left it, and is back."""
    ada, eve, bob = [await server.person(name) for name in ("Ada", "Eve", "Bob")]
    path = await server.table(ada, 2, **{"seat.0": "slow", "seat.1": "quick"})
    server.bots.free.clear()
    assert (await ada.post(f"{path}/ask", data={"seat": "0"})).status_code == 303
    await ada.post(f"{path}/leave")
    await ada.post(f"{path}/come-back")
    server.bots.free.set()
    await server.play_out(path, ada)
    assert await result_rows(server) == []
    assert "you took the seat over while it ran" in (await ada.get(path)).text
    # whoever else sits there has played it, and who takes a seat back that a bot kept
    path = await server.table(ada, 2, **{"seat.1": "link"})
    assert (await eve.post(f"{path}/sit", data={"seat": "1", "name": "Eve"})).status_code == 303
    server.bots.free.clear()
    for each in ("leave", "come-back", "leave"):
        assert (await eve.post(f"{path}/{each}")).status_code == 303
    await bob.post(f"{path}/ask", data={"seat": "1"})
    yes = {"seat": "1", "seating": str((await server.at(path)).row.seating), "answer": "yes"}
    assert (await ada.post(f"{path}/answer", data=yes)).status_code == 303
    server.bots.free.set()
    await server.play_out(path, ada, bob)
    assert [row.person for row in await result_rows(server)] == [server.id_of(ada)]


async def test_closing_leaves_none_and_deleting_takes_them_along(server):
    ada = await server.person("Ada")
    closed, over = await server.table(ada), await server.table(ada)
    store = server.app.state.store
    await store.write(lambda connection: admin.close(connection, closed.rpartition("/")[2], store.now))
    await server.play_out(over, ada)
    assert [row.table for row in await result_rows(server)] == [over.rpartition("/")[2]]
    await store.write(lambda connection: admin.remove(connection, over.rpartition("/")[2]))
    assert await result_rows(server) == []
    assert await figures_of(server, ada) == ()
    assert "Nothing yet" in (await ada.get("/me/statistics")).text


def _she(points, less, state):
    return Rival(Message("She"), (points[-1] - less,))


async def test_ranks_are_told_in_the_words_of_their_game(server, monkeypatch):
    with speaking(language("es")):
        assert rank_word("tiny-towns", "Aspiring Architect") == "Aspirante a Arquitecto"
        assert rank_word("gone", "Low") == "Low"
    ada = await server.person("Ada")
    monkeypatch.setitem(vars(GAME.face), "sheet", lambda state: ScoreSheet((), (9,), (1,), rank=Message("Low")))
    monkeypatch.setattr(statistics_pages, "rank_word", lambda game, rank: f"{rank} in {game}")
    await server.play_out(await server.table(ada, 1), ada)
    # among the ranks, and in the last matches
    assert (await ada.get("/me/statistics")).text.count(f"Low in {GAME.id}") == 2


async def test_a_lone_player_has_a_rank_or_a_rival(server, monkeypatch):
    ada = await server.person("Ada")
    points = []

    def sheet(state):
        points.append(int(GAME.score(state, 0)))
        return ScoreSheet((), (points[-1],), (1,), rank=Message("Counter of pebbles"))

    monkeypatch.setitem(vars(GAME.face), "sheet", sheet)
    await server.play_out(await server.table(ada, 1), ada)
    (figures,) = await figures_of(server, ada)
    assert (figures.all.contests, figures.all.share) == (0, None)
    assert [(rank.name, rank.times, rank.best) for rank in figures.ranks] == [("Counter of pebbles", 1, points[0])]
    text = (await ada.get("/me/statistics")).text
    assert "Counter of pebbles" in text
    assert "Wins in a row" not in text
    for less in (1, 0):
        rival = partial(_she, points, less)
        monkeypatch.setitem(vars(GAME.face), "rival", rival)
        await server.play_out(await server.table(ada, 1), ada)
    # as many points as she has are not enough
    assert [row.won for row in sorted(await result_rows(server), key=lambda row: row.finished)] == [None, True, False]


async def test_matches_from_before_are_taken_over(tmp_path):
    store = Store(sqlite_url(tmp_path / DATABASE))

    def old(connection):
        when = datetime(2026, 3, 1, tzinfo=UTC)
        base = {"game": "pebbles", "options": {}, "seed": 1, "salt": "", "commitment": "", "rules_version": 1}
        base |= {"generator_version": 1, "forced": True, "created": when, "finished": when}
        tables = {
            "two": {"seats": 2, "scores": [7, 9], "standings": [2, 1]},
            "alone": {"seats": 1, "scores": [5], "standings": [1]},
            "device": {"seats": 2, "scores": [7, 9], "standings": [2, 1]},
            "guided": {"seats": 1, "scores": [5], "standings": [1], "guide": {"read": 1, "rests": False}},
            "back": {"seats": 1, "scores": [5], "standings": [1]},
            "closed": {"seats": 1},
            "running": {"seats": 1, "finished": None},
        }
        people = {"two": ["ada", None], "device": ["ada", "ada"]}
        for id, row in tables.items():
            connection.execute(insert(schema.tables).values(**{**base, "id": id, **row}))
            for seat, person in enumerate(people.get(id, ["ada"])):
                bot = None if person else "slow"
                connection.execute(
                    insert(schema.seats).values(table=id, seat=seat, person=person, bot=bot, name="Somebody")
                )
        move = {"seat": 0, "counter": 0, "made": when}
        connection.execute(insert(schema.moves).values(table="back", ply=0, move=-3, **move))
        connection.execute(insert(schema.moves).values(table="two", ply=0, move=-1, **move))

    await move_to(store, "0011", command.upgrade)
    await store.write(old)
    await store.open()
    rows = await store.read(lambda connection: connection.execute(select(schema.results)).all())
    found = {row.table: (row.seat, row.person, row.score, row.place, row.won, row.rank, row.against) for row in rows}
    assert found == {
        "two": (0, "ada", 7, 2, False, None, "slow"),
        "alone": (0, "ada", 5, 1, None, None, ""),
    }
    assert {row.finished for row in rows} == {datetime(2026, 3, 1, tzinfo=UTC)}
    await move_to(store, "0011", command.downgrade)
    await store.open()
    assert len(await store.read(lambda connection: connection.execute(select(schema.results)).all())) == 2
    await store.close()
