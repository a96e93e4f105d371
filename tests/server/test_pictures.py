"""Pictures of tables for messengers: what is on them, who is told what by them, and what they may cost."""

from __future__ import annotations

import asyncio
import html
import random
import re
import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from markupsafe import Markup
from server.conftest import Server

from thorp import Match
from thorp.checks.matches import play_randomly
from thorp.checks.pages import Pages
from thorp.core.registry import register
from thorp.server.tables.table import Player, Table
from thorp.server.web import markup, pictures
from thorp.server.web.flattening import Sheets, flat
from thorp.server.web.looks import Looks
from thorp.server.web.markup import shortened
from thorp.server.web.templates import Assets, environment

pytestmark = pytest.mark.anyio

MATCHES = Path(__file__).parents[1] / "matches"


def _size(png: bytes) -> tuple[int, ...]:
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", png[16:24])


@pytest.fixture
def drawn(server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The SVGs that were made to pictures, oldest first."""
    svgs: list[str] = []
    rendered = pictures.rendered

    async def noted(svg: str) -> bytes:
        svgs.append(svg)
        return await rendered(svg)

    monkeypatch.setattr(pictures, "rendered", noted)
    return iter([svgs]).__next__()


# --- drawings made plain ----------------------------------------------------------------------------------------


SVG = '<svg xmlns="http://www.w3.org/2000/svg" data-game="x" width="10" height="10">'


def test_variables_and_mixtures_of_colours_become_colours() -> None:
    sheets = Sheets(
        "@layer tokens { :root { --a: #fff; --b: light-dark(#000, #fff) } @media print { :root { --a: red } } }",
        "& { --c: color-mix(in srgb, var(--a) 25%, var(--b)) } .x { fill: var(--c); stroke: var(--none, #0000) }"
        ".y { fill: var(--nothing); margin: 3px }",
    )
    text = flat(f'{SVG}<path class="x" stroke-width="2" d="M0 0"/><path class="y" fill="#abc"/></svg>', sheets)
    assert '<path stroke-width="2" d="M0 0" fill="#404040" stroke="rgba(0,0,0,0)" />' in text
    assert '<path fill="#abc" />' in text


def test_in_the_evening_colours_are_those_of_the_evening() -> None:
    sheet = ":root { --b: light-dark(var(--c), #222 ); --c: #fff } .x { fill: color-mix(in srgb, var(--b) 50%, #000) }"
    shapes = f'{SVG}<path class="x"/></svg>'
    assert 'fill="#808080"' in flat(shapes, Sheets(sheet))
    assert 'fill="#111111"' in flat(shapes, Sheets(sheet, evening=True))


def test_later_sheets_win_over_more_exact_selectors_of_earlier_ones() -> None:
    text = flat(
        f'{SVG}<g class="x y"><path class="z"/></g></svg>', Sheets(".x.y > .z { fill: red }", ".z { fill: lime }")
    )
    assert 'fill="#00ff00"' in text


def test_a_use_shows_its_symbol_in_the_hue_of_its_place() -> None:
    sprite = '<svg class="sprite"><symbol id="s" viewBox="0 0 32 32"><path class="a" d="M1 1"/></symbol></svg>'
    use = '<use href="#s" class="hue" x="4" y="8" width="64" height="64" data-at="s1"/>'
    text = flat(f"{SVG}{sprite}{use}</svg>", Sheets(".hue { --hue: #123456 } symbol > .a { fill: var(--hue) }"))
    assert text.count("M1 1") == 1
    assert 'transform="translate(4 8) scale(2)"' in text
    assert '<path d="M1 1" fill="#123456" />' in text
    assert "data-at" not in text


def test_what_is_not_shown_is_not_there_and_a_use_of_itself_ends() -> None:
    text = flat(
        f'{SVG}<g id="r"><use href="#r"/><text class="n">secret</text></g></svg>', Sheets(".n { display: none }")
    )
    assert "secret" not in text


def test_names_may_hold_what_no_xml_may() -> None:
    assert "ab" in flat(f"{SVG}<text>a\x01b\ufffe</text></svg>", Sheets())
    with pytest.raises(ValueError, match="no SVG"):
        flat("<svg><br></svg>", Sheets())


def test_so_many_things_are_as_large_as_their_box_allows() -> None:
    for count in range(1, 60):
        for wide, high in ((500, 300), (330, 120), (160, 400)):
            size, columns = pictures.fit(count, wide, high, 120, ratio=1.25, gap=6)
            rows = -(-count // columns)
            assert columns * (size + 6) <= wide + 6 or columns == 1
            assert rows * (size * 1.25 + 6) <= high + 6 or size == 8
        assert len(pictures.cells(count)) == count


# --- at a table -------------------------------------------------------------------------------------------------


def test_texts_are_cut_by_how_wide_their_signs_are() -> None:
    assert shortened("Ada & Eve", 9) == "Ada & Eve"
    assert shortened(Markup("Ada &amp; Eve"), 9) == "Ada & Eve"
    assert shortened("Ada & Eve", 8) == "Ada & E…"
    assert shortened("佐藤と鈴木", 10) == "佐藤と鈴木"
    assert shortened("佐藤と鈴木", 9) == "佐藤と鈴…"
    assert shortened("", 3) == ""


async def test_japanese_is_drawn_with_what_is_built() -> None:
    """On a machine that has no Japanese font each sign would be the same box, or nothing."""

    async def drawn(text: str) -> bytes:
        words = f'<text font-family="\'Source Sans 3\'" font-size="40" y="40">{text}</text>'
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="50">{words}</svg>'
        assert pictures.fonts_of(svg)[1]
        return await pictures.rendered(svg)

    assert len({await drawn(sign) for sign in (" ", "勝", "髙", "ち", "★")}) == 5


async def test_the_address_of_a_table_has_a_picture(server: Server, drawn: list[str]) -> None:
    ada, passer = await server.person("Ada"), server.client()
    path = await server.table(ada)
    await server.quiet()
    page = (await passer.get(path)).text
    [address] = re.findall(
        r'<meta property="og:image" content="http://thorp.test(/tables/[\w-]+/picture.png\?v=\d+)">', page
    )
    for line in ('"og:image:width" content="1200"', '"og:image:alt" content="The table as', '"twitter:card"'):
        assert line in page
    answer = await passer.get(address)
    assert answer.headers["content-type"] == "image/png"
    assert _size(answer.content) == (1200, 630)
    assert answer.headers["cache-control"] == "private, max-age=60"
    # Whoever asks, it is drawn once, and not sent to who has it.
    again = await ada.get(address, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert len(drawn) == 1
    await server.play(ada, path)
    await server.quiet()
    assert (await passer.get(f"{path}/picture.png")).headers["etag"] != answer.headers["etag"]
    assert "Ada" in drawn[1]


async def test_a_position_has_a_picture_of_its_own(server: Server, drawn: list[str]) -> None:
    ada, passer = await server.person("Ada"), server.client()
    path = await server.table(ada)
    await server.play_out(path, ada)
    page = (await passer.get(f"{path}/at/2?as=1")).text
    assert f'<meta property="og:image" content="http://thorp.test{path}/at/2/picture.png">' in page
    assert _size((await passer.get(f"{path}/at/2/picture.png")).content) == (1200, 630)
    assert "Position 2 of" in drawn[0]
    for nowhere in ("9999", "x", "-1", "٣"):
        assert (await passer.get(f"{path}/at/{nowhere}/picture.png")).status_code == 404
    assert (await passer.get("/tables/nowhere/picture.png")).status_code == 404


async def test_the_end_shows_who_won_and_the_points(server: Server, drawn: list[str]) -> None:
    ada, passer = await server.person("Ada"), server.client()
    path = await server.table(ada)
    match = await server.play_out(path, ada)
    assert (await passer.get(f"{path}/picture.png")).status_code == 200
    names = (await server.at(path)).names
    winners = [name for name, place in zip(names, match.standings, strict=True) if place == 1]
    assert all(name in drawn[0] for name in (*winners, "has won" if len(winners) == 1 else "share the first place"))
    assert all(f">{points}<".replace("-", "−") in drawn[0] for points in match.scores)


async def test_a_page_in_the_evening_has_a_picture_for_the_evening(server: Server, drawn: list[str]) -> None:
    ada = await server.person("Ada")
    path = await server.table(ada)
    await server.play_out(path, ada)
    pictures_shown = re.findall(r'<img class="by-(\w+)" src="([^"]+)"', (await ada.get(path)).text)
    assert [look for look, _ in pictures_shown] == ["day", "evening"]
    pngs = [(await ada.get(address.replace("&amp;", "&"))).content for _, address in pictures_shown]
    assert [_size(png) for png in pngs] == [(1200, 630)] * 2
    assert pngs[0] != pngs[1]
    assert len(drawn) == 2
    # Messengers show it by day, whatever the page of who shares the address looks like.
    assert (await ada.get(f"{path}/picture.png")).content == pngs[0]
    assert len(drawn) == 2


async def test_a_table_that_gathers_shows_its_cover_and_who_sits_there(server: Server, drawn: list[str]) -> None:
    ada = await server.person("A<da&")
    path = (
        await ada.post("/tables", data={"game": "pebbles", "seats": "3", "seat.1": "link", "seat.2": "link"})
    ).headers["location"]
    page = (await server.client().get(path)).text
    assert f'content="http://thorp.test{path}/picture.png?v=' in page
    assert (await server.client().get(f"{path}/picture.png")).status_code == 200
    assert "A&lt;da&amp;" in drawn[0]
    assert "2 seats are free" in drawn[0]
    # A match that has not begun has no positions.
    assert (await server.client().get(f"{path}/at/0/picture.png")).status_code == 404


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("tiny_towns/solo", "Aspiring Architect: 6 points<"),
        ("valeria/solo-full-village", "42 points: Clearing<"),
        # how it ended against the Countess is told to who played
        ("villagers/solo-lost", "The match is over<"),
    ],
)
async def test_alone_the_end_shows_what_one_has_come_to(
    server: Server, drawn: list[str], file: str, words: str
) -> None:
    ada = await server.person("Ada")
    answer = await ada.post("/matches", data={"match": (MATCHES / f"{file}.json").read_text()})
    assert (await ada.get(f"{answer.headers['location']}/picture.png")).status_code == 200
    assert words in html.unescape(drawn[-1])


async def test_points_below_zero_have_a_minus_sign_as_on_the_page() -> None:
    matches = (Match("tiny-towns", 1, seed=seed) for seed in range(50))
    match = next(match for match in matches if play_randomly(match, random.Random(1)) or match.scores[0] < 0)
    svg = pictures.svg_of(environment(Assets(), Looks(keep=True)), Pages().table(match))
    assert f": −{-match.scores[0]} point" in svg
    assert f"-{-match.scores[0]} point" not in svg
    # neither a range nor a part of a word
    assert [markup.minus(text) for text in ("-3: -4 (-5)", "2-3 seat-1")] == ["−3: −4 (−5)", "2-3 seat-1"]


async def test_of_a_table_without_spectators_a_picture_tells_nothing(server: Server, drawn: list[str]) -> None:
    ada = await server.person("Ada")
    path = await server.table(ada, watchable="no")
    await server.play(ada, path)
    for picture in ("/picture.png", "/at/1/picture.png"):
        # Nor does who plays there get another one, since it is kept for all.
        assert (await ada.get(path + picture)).status_code == 200
        assert "A table for its players alone" in drawn[-1]
        assert not any(name in drawn[-1] for name in (await server.at(path)).names)
        assert "Position" not in drawn[-1]


async def test_a_table_without_spectators_does_not_tell_how_many_moves_it_has(server: Server, drawn: list[str]) -> None:
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.table(ada, watchable="no")
    answers = [await eve.get(f"{path}/at/{ply}/picture.png") for ply in (0, 1, 2, 9999)]
    await server.play(ada, path)
    answers += [await eve.get(f"{path}{picture}") for picture in ("/at/1/picture.png", "/picture.png")]
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.headers["etag"] for answer in answers}) == 1
    # nor by how long it takes
    assert len(drawn) == 1
    assert (await eve.get(f"{path}/at/x/picture.png")).status_code == 404


async def test_a_picture_of_a_record_is_drawn_from_the_record() -> None:
    content = {
        "game": {"id": "gone-game", "name": "Gone <Game>"},
        "names": ["Ada", "Bo"],
        "sheet": {"totals": [3, -4], "standings": [1, 2]},
    }
    svg = pictures.recorded_svg(environment(Assets(), Looks(keep=True)), content)
    assert all(words in svg for words in ("Gone &lt;Game&gt;", "Ada has won", "−4"))
    assert _size(await pictures.rendered(svg)) == (1200, 630)


@pytest.mark.parametrize("file", ["tiny_towns/opaleyes-watch", "villagers/three-seats", "valeria/four-take"])
async def test_a_picture_shows_nothing_that_who_watches_may_not_know(server: Server, file: str) -> None:
    """Deal again what a spectator cannot know: no byte of the picture changes."""
    recorded = Match.load((MATCHES / f"{file}.json").read_bytes())
    game, rng = recorded.game, random.Random(3)
    register(game)
    players = [Player(f"Person {seat}", person=f"p{seat}") for seat in range(recorded.seats)]
    tables = server.app.state.tables
    id = await tables.create(game, recorded.options, players, seed=recorded.seed, forced=recorded.forced)
    table: Table = await tables.open(id)
    jinja, changed = server.app.state.jinja, 0
    for ply in range(0, recorded.ply, max(1, recorded.ply // 8)):
        played = recorded.at(ply)
        hidden = played.copy()
        game.determinize(hidden.state, -1, rng.randrange(1 << 62))
        changed += game.bytes(hidden.state) != game.bytes(played.state)
        svgs = [pictures.svg_of(jinja, Table(table.row, table.seats, match)) for match in (played, hidden)]
        assert svgs[0] == svgs[1]
        assert table.row.salt not in svgs[0]
        assert str(recorded.seed) not in svgs[0] or recorded.seed < 10**6
    assert changed


@pytest.mark.parametrize("file", ["tiny_towns/six-seats", "villagers/solo-won", "valeria/five-seats"])
async def test_pictures_of_the_games_show_every_player(server: Server, file: str) -> None:
    match = Match.load((MATCHES / f"{file}.json").read_bytes())
    register(match.game)
    players = [Player(f"Person {seat}", person=f"p{seat}") for seat in range(match.seats)]
    id = await server.app.state.tables.create(match.game, match.options, players, seed=match.seed, forced=match.forced)
    table = await server.app.state.tables.open(id)
    for ply in (0, match.ply // 2, match.ply):
        now = Table(table.row, table.seats, match.at(ply))
        by_day, in_the_evening = (pictures.svg_of(server.app.state.jinja, now, evening=look) for look in (False, True))
        assert all(f"Person {seat}" in by_day for seat in range(match.seats))
        # Everything that a renderer does not know has been followed.
        assert not any(re.search(r"var\(|color-mix|light-dark|<use|class=", svg) for svg in (by_day, in_the_evening))
        # The same shapes and words in other colours.
        plain = [re.sub(r"#[0-9a-f]{6}|rgba\([^)]*\)", "", svg) for svg in (by_day, in_the_evening)]
        assert plain[0] == plain[1]
        assert "#ece2cc" in by_day
        assert "#ece2cc" not in in_the_evening
        assert _size(await pictures.rendered(by_day)) == (1200, 630)


# --- what it may cost -------------------------------------------------------------------------------------------


async def test_new_pictures_are_bounded_for_an_address(server: Server, drawn: list[str]) -> None:
    ada = await server.person("Ada")
    path = await server.table(ada)
    server.app.state.pictures._addresses.burst = 2
    server.app.state.pictures._addresses.rate = 1e-6
    await server.play(ada, path)
    await server.quiet()
    answers = [await ada.get(f"{path}/at/{ply}/picture.png") for ply in (0, 0, 1, 2, 1)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 200]
    assert int(answers[3].headers["retry-after"]) > 0


async def test_who_asks_at_the_same_time_shares_a_picture(server: Server, drawn: list[str]) -> None:
    ada = await server.person("Ada")
    path = await server.table(ada)
    await server.quiet()
    answers = await asyncio.gather(*[server.client().get(f"{path}/picture.png") for _ in range(5)])
    assert {answer.status_code for answer in answers} == {200}
    assert len(drawn) == 1


async def test_a_picture_that_takes_too_long_is_given_up(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = await server.person("Ada")
    path = await server.table(ada)
    monkeypatch.setattr(pictures, "_RENDER", "import time; time.sleep(3600)")
    monkeypatch.setattr(pictures, "SECONDS", 0.2)
    answer = await ada.get(f"{path}/picture.png")
    assert answer.status_code == 503
    assert "drawing other pictures" in answer.text
    monkeypatch.undo()
    assert (await ada.get(f"{path}/picture.png")).status_code == 200


async def test_only_so_many_pictures_are_kept(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    async def rendered(svg: str) -> bytes:
        return svg.encode()

    monkeypatch.setattr(pictures, "rendered", rendered)
    monkeypatch.setattr(pictures, "MOST", 3)
    drawing = pictures.Pictures(server.app.state.jinja)
    for n in (0, 1, 2, 0, 3):
        await drawing.picture((str(n),), "::1", lambda n=n: f"<{n}>")
    assert list(drawing._kept) == [("2",), ("0",), ("3",)]


async def test_without_the_extra_there_are_no_pictures(server: Server) -> None:
    ada = await server.person("Ada")
    path = await server.table(ada)
    server.app.state.pictures.possible = False
    answer = await ada.get(f"{path}/picture.png")
    assert answer.status_code == 404
    assert "thorp[pictures]" in answer.text
    server.app.state.jinja.globals["draws_pictures"] = False
    assert "og:image" not in (await ada.get(path)).text


async def test_a_table_is_told_apart_by_who_may_look(server: Server) -> None:
    ada = await server.person("Ada")
    table = await server.at(await server.table(ada))
    closed = Table(replace(table.row, watchable=False), table.seats, table.match)
    assert pictures._told(table) != pictures._told(closed)
