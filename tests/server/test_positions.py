"""Replay: every position has an address, seen with one's own eyes while the match runs, and with anybody's after it."""

import random
import re

import pytest

from thorp.checks.matches import play_randomly
from thorp.core.registry import game as find_game
from thorp.server.tables.table import Player
from thorp.server.web import markup
from thorp.server.web.shown import show, show_position

from .conftest import HTMX

pytestmark = pytest.mark.anyio


async def test_every_position_has_an_address(server):
    ada = await server.person()
    path = await server.table(ada, 3)
    await server.play_out(path, ada)
    table = await server.at(path)
    last = table.match.ply
    for ply in range(last + 1):
        answer = await ada.get(f"{path}/at/{ply}")
        assert answer.status_code == 200
        assert f'data-mark="at-{ply}"' in answer.text
        shown = re.findall(r'<li id="ply-(\d+)"', answer.text)
        assert shown == [str(told) for told in reversed(range(ply))]
        assert table.row.salt not in answer.text
    assert (await ada.get(f"{path}/at/{last + 1}")).status_code == 404
    assert f"0 to {last}" in (await ada.get(f"{path}/at/{last + 1}")).text


async def test_a_position_offers_no_move(server):
    ada = await server.person()
    path = await server.table(ada, 2)
    await server.play(ada, path)
    await server.quiet()
    assert "moves-form" in (await ada.get(path)).text
    text = (await ada.get(f"{path}/at/0")).text
    for part in ("moves-form", "take-back", "hx-sse"):
        assert part not in text
    # the choice of a language is all that can be sent
    assert text.count('method="post"') == text.count('method="post" action="/me/language"') == 1


async def test_the_table_and_its_log_lead_to_positions(server):
    ada = await server.person()
    path = await server.table(ada, 2)
    await server.play_out(path, ada)
    text = (await ada.get(path)).text
    last = (await server.at(path)).match.ply
    for ply in range(last + 1):
        assert f'href="{path}/at/{ply}"' in text
    answer = await ada.get(f"{path}/at")
    assert (answer.status_code, answer.headers["location"]) == (303, f"{path}/at/{last}")
    answer = await ada.get(f"{path}/at", params={"ply": "1", "as": "2"})
    assert answer.headers["location"] == f"{path}/at/1?as=2"


async def test_a_script_gets_what_changes(server):
    ada = await server.person()
    path = await server.table(ada, 2)
    answer = await ada.get(f"{path}/at/0", headers=HTMX)
    assert answer.text.lstrip().startswith('<div id="position"')


@pytest.mark.parametrize("ply", ["-1", "x", "1.5", "٣", "1" * 12, "999999999", "0x1"])
async def test_what_is_no_position_is_not_found(server, ply):
    ada = await server.person()
    path = await server.table(ada, 2)
    for answer in (await ada.get(f"{path}/at/{ply}"), await ada.get(f"{path}/at?ply={ply}")):
        assert answer.status_code == 404
        assert "This match has the positions 0 to" in answer.text
    for address in ("/tables/none/at/0", f"{path}/at/%00", f"{path}/at?ply=%00"):
        assert (await ada.get(address)).status_code == 404


async def test_while_a_match_runs_eyes_are_one_s_own(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.shared_table(ada, eve)
    await server.play(ada, path)
    passer_by = server.client()
    for viewer, own in ((ada, "1"), (eve, "2"), (passer_by, "watch")):
        for eyes in ("1", "2", "watch"):
            answer = await viewer.get(f"{path}/at/1?as={eyes}")
            assert answer.status_code == (200 if eyes == own else 403)
        assert (await viewer.get(f"{path}/at/1?as=3")).status_code == 404
        assert (await viewer.get(f"{path}/at/1?as=")).text.count("replay-eyes") == 0
    await server.play_out(path, ada, eve)
    table = await server.at(path)
    for viewer in (ada, passer_by):
        for seat, eyes in ((0, "1"), (1, "2"), (None, "watch")):
            answer = await viewer.get(f"{path}/at/1?as={eyes}", headers=HTMX)
            assert answer.status_code == 200
            assert "replay-eyes" in answer.text
            for line in show_position(table, 1, seat, f"?as={eyes}")["log"]:
                assert line.text in answer.text


async def test_what_was_taken_back_has_no_position(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.shared_table(ada, eve)
    await server.play(ada, path)
    last = (await server.at(path)).match.ply
    assert (await ada.get(f"{path}/at/{last}")).status_code == 200
    answer = await ada.post(f"{path}/take-back", data={"counter": "1"})
    assert answer.status_code == 303
    assert (await ada.get(f"{path}/at/{last}")).status_code == 404


async def test_a_position_tells_what_was_told_then(server):
    """As the match goes on, the earlier positions stay as they were seen when they were the present."""
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.shared_table(ada, eve)
    then = {}
    people = {0: ada, 1: eve}
    while not (table := await server.at(path)).match.over:
        for seat in (None, 0, 1):
            then[table.match.ply, seat] = show(table, seat)
        await server.play(people[table.match.waiting[0]], path)
    table = await server.at(path)
    for (ply, seat), shown in then.items():
        position = show_position(table, ply, seat, "")
        for name in ("view", "prompt", "log", "fresh", "names"):
            assert position[name] == shown[name]
        assert position["table"].seats == shown["table"].seats


async def test_a_round_is_headed_above_its_lines(server):
    """Newest first: whatever stands below a heading, down to the next, is of that round."""
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.shared_table(ada, eve)
    people = {0: ada, 1: eve}
    while not (table := await server.at(path)).match.over:
        # ... while a round goes on too
        for page in {await ada.get(path), await ada.get(f"{path}/at/{table.match.ply}")}:
            read = re.findall(r'id="(log-round|ply)-(\d+)"', page.text)
            of = {line.ply: line.round for line in table.story.lines if line.round}
            heading = None
            for kind, number in read:
                if kind == "log-round":
                    heading = int(number)
                else:
                    assert heading == of[max(ply for ply in of if ply <= int(number))]
            assert [int(number) for kind, number in read if kind == "log-round"] == sorted(of.values(), reverse=True)
        await server.play(people[table.match.waiting[0]], path)


async def test_positions_outlive_the_server(server):
    ada = await server.person()
    path = await server.table(ada, 2)
    await server.play_out(path, ada)
    before = (await ada.get(f"{path}/at/3", headers=HTMX)).text
    server.app.state.tables._cache.clear()
    assert (await ada.get(f"{path}/at/3", headers=HTMX)).text == before


async def test_a_messenger_is_shown_a_card_of_what_all_may_see(server):
    ada = await server.person('A"da <b>')
    path = await server.table(ada, 2)
    passer_by = server.client()
    text = (await passer_by.get(path)).text
    assert '<meta property="og:title" content="Pebbles: A&#34;da &lt;b&gt;, Alder">' in text
    assert "A match in play" in text
    assert f'<meta property="og:url" content="http://thorp.test{path}">' in text
    await server.play_out(path, ada)
    last = (await server.at(path)).match.ply
    text = (await passer_by.get(f"{path}/at/3?as=2")).text
    assert f'<meta property="og:description" content="Position 3 of {last}.">' in text
    assert f'content="http://thorp.test{path}/at/3?as=2"' in text
    assert "A match that is over" in (await passer_by.get(path)).text
    answer = await passer_by.get(path, headers={"Host": "[::1"})
    assert answer.status_code == 200


async def test_nobody_is_away_at_a_position(server):
    """A bot plays for somebody now: at earlier positions it was that person, as far as is known."""
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.shared_table(ada, eve)
    await server.play(ada, path)
    server.bots.free.clear()
    assert (await eve.post(f"{path}/leave", data={"to": "slow"})).status_code == 303
    table = await server.at(path)
    assert [seat.kept for seat in show(table, 0)["table"].seats] == [False, True]
    for ply in range(table.match.ply + 1):
        seats = show_position(table, ply, 0, "")["table"].seats
        assert [(seat.kind, seat.level, seat.kept) for seat in seats] == [("person", "", False)] * 2


@pytest.mark.parametrize("game", ["tiny-towns", "villagers", "valeria"])
async def test_at_a_position_only_who_has_the_seat_is_called_you(server, game):
    """What lies there is shown as that seat saw it, and others are told of it as who watches is."""
    ada, eve = await server.person("Ada"), await server.person("Eve")
    players = [Player(name, person=server.id_of(each)) for name, each in (("Ada", ada), ("Eve", eve))]
    wanted = find_game(game)
    path = "/tables/" + await server.app.state.tables.create(wanted, wanted.options_for(2), players, seed=7)
    table = await server.at(path)
    play_randomly(table.match, random.Random(1))
    for viewer, seat, you in ((ada, 0, True), (ada, 1, False), (eve, 1, True), (server.client(), 0, False)):
        page = (await viewer.get(f"{path}/at/1?as={seat + 1}", headers=HTMX)).text
        assert ('class="you"' in page) == you
        match = table.match.at(1)
        asked = markup.html(match.prompt(seat if you else None), table.names)
        assert f'id="prompt">{asked}</p>' in page
        assert not re.search(r"\byou drew\b", page, re.IGNORECASE)
