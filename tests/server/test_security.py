"""Headers, cookies, rate limits, and words that arrive escaped."""

import threading
from dataclasses import fields

import pytest
import segno
from starlette.datastructures import Headers
from starlette.responses import Response

from thorp.core.words import Card, Message, Seat, Term
from thorp.server.web import markup as words
from thorp.server.web import pictures
from thorp.server.web.cookie_header import cookie_parser
from thorp.server.web.people import YEAR
from thorp.server.web.security import Buckets, is_same_origin

from .conftest import HTMX, page_open, replace, running

pytestmark = pytest.mark.anyio


async def test_every_answer_has_the_security_headers(server, monkeypatch):
    ada = await server.person()
    path = await server.table(ada, 1)
    monkeypatch.setattr(server.app.state.store, "tables_of", None)
    answers = [
        await ada.get("/credits"),
        await ada.get(path),
        await ada.get("/nowhere"),
        await ada.get("/static/nothing.js"),
        await ada.get("/healthz"),
        await ada.post("/me"),
        await ada.post("/me", headers={"Origin": "https://evil.test"}),
        # a mistake of ours
        await ada.get("/"),
    ]
    assert [answer.status_code for answer in answers] == [200, 200, 404, 404, 200, 400, 403, 500]
    assert "Something broke" in answers[-1].text
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert answer.headers["cache-control"] == "no-store"


async def test_the_nonce_is_new_for_every_answer_and_stands_in_the_page(server):
    client = server.client()
    policies = {(await client.get("/")).headers["content-security-policy"] for _ in range(3)}
    assert len(policies) == 3
    answer = await client.get("/")
    nonce = answer.headers["content-security-policy"].partition("'nonce-")[2].partition("'")[0]
    assert f'nonce="{nonce}"' in answer.text


async def test_the_page_has_no_inline_script_or_style(server):
    ada = await server.person()
    path = await server.table(ada, 2)
    await server.play_out(path, ada)
    for address in ("/", "/games/pebbles", path, "/credits", "/nowhere"):
        text = (await ada.get(address)).text
        for part in ("<style", " style=", "onclick=", "onload=", "javascript:", "hx-on", "<script>"):
            assert part not in text


async def test_a_person_is_a_cookie_that_scripts_cannot_read(server):
    answer = await server.client().get("/")
    cookie = answer.headers["set-cookie"]
    for part in (f"{server.cookie_name}=", "HttpOnly", "SameSite=Lax", f"Max-Age={YEAR}", "Path=/"):
        assert part in cookie
    assert "Secure" not in cookie
    client = server.client()
    client.base_url = "https://thorp.test"
    assert "Secure" in (await client.get("/")).headers["set-cookie"]


async def test_a_known_person_gets_no_new_cookie(server):
    ada = await server.person()
    assert "set-cookie" not in (await ada.get("/")).headers


async def test_what_may_be_kept_for_everybody_brings_nobody_s_cookie(server):
    looks = server.app.state.looks
    address = looks.address("pebbles", "table")
    answer = await server.client().get(address)
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert "set-cookie" not in answer.headers
    assert "set-cookie" in (await server.client().get("/credits")).headers
    # a page of another version may ask for its own sheet: it is not to keep this one for it
    answer = await server.client().get(address.replace("table-", "table-0"))
    assert answer.headers["cache-control"] == "no-cache"


async def test_no_store_is_asked_about_what_it_cannot_be_asked_about(server, monkeypatch):
    ada = await server.person()
    monkeypatch.setattr(server.app.state.store, "read", None)
    for address in ("/tables/%00/best", "/records/look/%00.css", "/me/notices/link/%00"):
        assert (await ada.get(address)).status_code == 404


async def test_too_many_posts(settings):
    async with running(replace(settings, post_rate=0.001, post_burst=3)) as server:
        ada, eve = server.client(), server.client()
        for client in (ada, eve):
            await client.get("/")
        codes = [(await ada.post("/me", data={"name": f"Ada {n}"})).status_code for n in range(5)]
        assert codes == [303, 303, 303, 429, 429]
        refused = await ada.post("/me", data={"name": "Ada"})
        assert int(refused.headers["retry-after"]) > 0
        assert "too fast" in refused.text
        assert (await ada.get("/")).status_code == 200
        # Another person at the same address may still post, and all together have a limit too.
        assert (await eve.post("/me", data={"name": "Eve"})).status_code == 303
        codes = [(await server.client().post("/me", data={"name": "Kim"})).status_code for _ in range(15)]
        assert codes[0] == 303
        assert codes[-1] == 429


async def test_too_many_looks_at_matches(settings):
    async with running(replace(settings, look_rate=0.001, look_burst=6)) as server:
        ada, eve = await server.person("Ada"), await server.person("Eve")
        path = await server.shared_table(ada)
        codes = [(await ada.get(f"{path}/at/0")).status_code for _ in range(8)]
        assert codes == [200] * 6 + [429] * 2
        refused = await ada.get(path)
        assert (refused.status_code, "too fast" in refused.text) == (429, True)
        # a page comes by itself once it may
        assert int(refused.headers["refresh"]) == int(refused.headers["retry-after"]) > 0
        assert "too fast" in (await ada.get(f"{path}/fragment", headers={"HX-Request": "true"})).text
        assert (await ada.head(path)).status_code == 429
        # what is no match is looked at, what is played is played, and what was refused counts for nobody else
        assert (await ada.get("/")).status_code == 200
        assert (await server.play(ada, path, counter="0")).status_code != 429
        assert [(await eve.get(path)).status_code for _ in range(6)] == [200] * 6
        assert (await eve.get(path)).status_code == 429
        # a person without cookies is a new one every time: all at an address have a limit, too
        assert (await server.client().get(path)).status_code == 429


async def test_too_many_openings_of_live_streams(settings):
    """Each may render a table. They are counted apart: a page that has looked much still gets its stream."""
    async with running(replace(settings, look_rate=0.001, look_burst=6)) as server:
        ada, eve = await server.person("Ada"), await server.person("Eve")
        path = await server.shared_table(ada)
        for _ in range(6):
            async with page_open(server, ada, path) as page:
                await page.event()
                assert page.status == 200
        async with page_open(server, ada, path) as page:
            with pytest.raises(EOFError):
                await page.event()
            assert page.status == 429
        # the page is told as it is of too many streams, and asks again
        refused = await ada.get(f"{path}/events", headers=HTMX)
        assert (refused.status_code, "too fast" in refused.text) == (429, True)
        assert refused.headers["hx-retarget"] == "#notice"
        assert int(refused.headers["retry-after"]) > 0
        assert (await ada.head(f"{path}/events")).status_code == 429
        # what it fetches meanwhile is counted apart
        assert [(await ada.get(f"{path}/fragment")).status_code for _ in range(7)] == [200] * 6 + [429]
        # and so is another person, until all at the address have had too much
        assert [(await eve.head(f"{path}/events")).status_code for _ in range(7)] == [200] * 6 + [429]
        assert (await server.client().head(f"{path}/events")).status_code == 429


async def test_a_school_comes_back_after_a_restart(settings):
    """As many streams as an address may have are opened at once, four times over; what holds by default."""
    default = {field.name: field.default for field in fields(settings)}
    usual = {name: default[name] for name in ("look_rate", "look_burst", "streams")}
    async with running(replace(settings, **usual)) as server:
        pupils = [await server.person(f"Pupil {number}") for number in range(5)]
        path = await server.shared_table(*pupils[:4])
        for _ in range(4):
            for pupil in pupils:
                codes = {(await pupil.head(f"{path}/events")).status_code for _ in range(usual["streams"])}
                assert codes == {200}


async def test_who_has_kept_what_is_still_true_may_look_on(settings, monkeypatch):
    async def kept(request):
        return Response(status_code=304)

    monkeypatch.setattr(pictures, "table_picture", kept)
    async with running(replace(settings, look_rate=0.001, look_burst=2)) as server:
        ada = await server.person()
        assert {(await ada.get("/tables/any/picture.png")).status_code for _ in range(9)} == {304}


async def test_the_server_goes_by_the_names_it_is_given(settings):
    async with running(replace(settings, hosts=("Thorp.test", "*.example.org", "[::1]"))) as server:
        client = server.client()

        async def status(host: str, path: str = "/", method: str = "GET") -> int:
            return (await client.request(method, path, headers={"Host": host})).status_code

        for host in ("thorp.test", "THORP.test:8765", "a.example.org", "[::1]:8765"):
            assert await status(host) == 200
        for host in ("evil.test", "thorp.test.evil.test", "example.org", "evilexample.org", "", "[", "127.0.0.1"):
            assert await status(host) == 421
        assert await status("evil.test", "/me", "POST") == 421
        # what is the same for everybody has no name to keep
        assert await status("evil.test", "/healthz") == 200
        assert await status("evil.test", "/static/nothing.js") == 404
        refused = await client.get("/", headers={"Host": "evil.test"})
        assert "does not go by that name" in refused.text
        assert "default-src 'self'" in refused.headers["content-security-policy"]


async def test_refused_posts_are_noted_without_what_was_sent(settings, caplog):
    async with running(replace(settings, post_rate=0.001, post_burst=3)) as server:
        ada, eve = await server.person("Ada"), await server.person("Eve")
        path = await server.table(eve, 1)
        caplog.clear()
        refused = [
            await ada.post("/me", data={"name": ""}),
            await ada.post(f"{path}/moves", data={"counter": "0", "move": "0"}),
            await ada.post("/me", data={"name": "Mallory"}, headers={"Origin": "https://evil.test"}),
            await ada.post("/nowhere?key=Mallory"),
            await ada.post("/me", data={"name": "Mallory"}),
        ]
        assert [answer.status_code for answer in refused] == [400, 403, 403, 404, 429]
        assert [record.getMessage() for record in caplog.records] == [
            "a post to /me was refused with 400, from 127.0.0.1",
            "a post to /tables/{id}/moves was refused with 403, from 127.0.0.1",
            "a post to a page was refused with 403, from 127.0.0.1",
            "a post to a page was refused with 404, from 127.0.0.1",
            "a post to a page was refused with 429, from 127.0.0.1",
        ]
        # a move that comes too late is no attack, nor is a look
        caplog.clear()
        assert (await server.play(eve, path, counter="7")).status_code == 409
        assert (await eve.get("/nowhere")).status_code == 404
        assert not caplog.records


async def test_who_goes_away_while_sending_is_no_mistake_of_ours(server, caplog):
    answers = []
    scope = {
        **{"type": "http", "method": "POST", "path": "/me", "raw_path": b"/me", "query_string": b"", "scheme": "http"},
        "headers": [(b"content-type", b"application/x-www-form-urlencoded"), (b"content-length", b"99")],
        **{"client": ("127.0.0.1", 1), "server": ("thorp.test", 80), "root_path": ""},
    }
    messages = [{"type": "http.request", "body": b"name=", "more_body": True}, {"type": "http.disconnect"}]

    async def receive():
        return messages.pop(0)

    async def send(message):
        answers.append(message)

    await server.app(scope, receive, send)
    assert answers[0]["status"] == 400
    assert not [record for record in caplog.records if record.exc_info]


async def test_codes_are_drawn_beside_the_loop(server, monkeypatch):
    """One takes up to twenty thousandths of a second: so long nobody else would be answered."""
    threads = []
    make = segno.make

    def noted(*args, **kwargs):
        threads.append(threading.current_thread())
        return make(*args, **kwargs)

    monkeypatch.setattr(segno, "make", noted)
    ada = await server.person()
    answer = await ada.post("/me/once")
    assert 'class="code"' in answer.text
    path = await server.table(ada, 2, **{"seat.1": "link"})
    # by whatever name a stranger calls the server, also where it is refused something
    for host in ("a.test", "b.test"):
        assert 'class="code"' in (await server.client().get(path, headers={"Host": host})).text
    refused = await ada.post(f"{path}/seat", data={"seat": "1", "to": "nobody"}, headers={"Host": "c.test"})
    assert refused.status_code == 422
    assert 'class="code"' in refused.text
    assert len(threads) == 4
    assert threading.main_thread() not in threads


async def test_nobody_is_taken_along_who_is_nobody_yet(server, monkeypatch):
    """A browser without a cookie is another person with its next request: no link leads to this one."""
    monkeypatch.setattr(segno, "make", None)
    before = await server.rows()
    answer = await server.client().post("/me/once")
    assert (answer.status_code, answer.headers["location"]) == (303, "/me")
    assert await server.rows() == before


def test_buckets_fill_up_again():
    moment = 0.0
    buckets = Buckets(2.0, 3, clock=lambda: moment)
    assert [buckets.take("a") for _ in range(4)] == [0, 0, 0, 0.5]
    assert buckets.take("b") == 0
    moment = 0.5
    assert buckets.take("a") == 0
    assert buckets.take("a") == 0.5
    moment = 100.0
    assert [buckets.take("a") > 0 for _ in range(4)] == [False, False, False, True]


def test_buckets_do_not_fill_the_memory(monkeypatch):
    monkeypatch.setattr(Buckets, "SIZE", 10)
    buckets = Buckets(1.0, 1)
    for number in range(100):
        buckets.take(str(number))
    assert len(buckets._buckets) == 10


@pytest.mark.parametrize(
    ("headers", "same"),
    [
        ({"host": "a.test"}, True),
        ({"host": "a.test", "origin": "https://a.test"}, True),
        ({"host": "a.test:80", "origin": "http://a.test"}, False),
        ({"host": "a.test", "origin": "http://b.test"}, False),
        ({"host": "a.test", "origin": "null"}, False),
        ({"host": "a.test", "sec-fetch-site": "same-origin"}, True),
        ({"host": "a.test", "sec-fetch-site": "none"}, True),
        ({"host": "a.test", "sec-fetch-site": "same-site"}, False),
        ({"host": "a.test", "sec-fetch-site": "cross-site", "origin": "http://a.test"}, False),
    ],
)
def test_same_origin(headers, same):
    assert is_same_origin(Headers(headers)) is same


def test_words_are_escaped_and_marked_up():
    message = Message(
        "{who} & {card}: {term}, {text}, {more}",
        {
            "who": Seat(0),
            "card": Card('a"b', "A < B"),
            "term": Term("<wood>"),
            "text": "<i>",
            "more": [Seat(1), Seat(2)],
        },
    )
    names = ["<Ada>", "Eve"]
    assert words.html(message, names) == (
        '<span class="who who-0">&lt;Ada&gt;</span> &amp; '
        '<span class="unbroken"><button type="button" class="card-link" data-card="a&#34;b">A &lt; B</button>:</span> '
        "&lt;wood&gt;, &lt;i&gt;, "
        '<span class="who who-1">Eve</span>, <span class="who who-2">Seat 3</span>'
    )
    assert words.plain(message, names) == "<Ada> & A < B: <wood>, <i>, Eve, Seat 3"
    assert words.html("<b>", names) == "&lt;b&gt;"
    assert words.html(Card("x", "X"), ()).startswith("<button")


def test_messages_inside_lists_are_marked_up_once():
    inner = Message("{card}", {"card": Card("well", "Well & more")})
    marked = '<button type="button" class="card-link" data-card="well">Well &amp; more</button>'
    assert words.html(Message("on {places}", {"places": [inner, inner]}), []) == f"on {unbroken(marked, ',')} {marked}"


def unbroken(*parts: str) -> str:
    """What stays on one line."""
    return f'<span class="unbroken">{"".join(parts)}</span>'


@pytest.mark.parametrize(
    ("words_of_it", "before", "behind"),
    [
        ("take {card}.", "", "."),
        ("({card}), twice", "(", "),"),
        (
            "\N{LEFT CORNER BRACKET}{card}\N{RIGHT CORNER BRACKET}\N{IDEOGRAPHIC FULL STOP}",
            "\N{LEFT CORNER BRACKET}",
            "\N{RIGHT CORNER BRACKET}\N{IDEOGRAPHIC FULL STOP}",
        ),
    ],
)
def test_no_line_begins_with_a_sign_or_ends_with_a_bracket(words_of_it: str, before: str, behind: str):
    """A browser would break the line between a button and what is written right beside it."""
    marked = '<button type="button" class="card-link" data-card="well">Well</button>'
    expected = words_of_it.replace(f"{before}{{card}}{behind}", unbroken(before, marked, behind))
    assert words.html(Message(words_of_it, {"card": Card("well", "Well")}), []) == expected
    assert words.html(Message("{card} comes", {"card": Card("well", "Well")}), []) == f"{marked} comes"


def test_a_number_stays_with_its_card():
    marked = '<button type="button" class="card-link" data-card="well">Well</button>'
    said = words.html(Message("{card} 12, {card}", {"card": Card("well", "Well")}), [])
    assert said == f'<span class="numbered">{marked} 12,</span> {marked}'


def test_the_server_names_no_game():
    from pathlib import Path

    import thorp.games
    import thorp.server

    games = [path.name for path in Path(thorp.games.__path__[0]).iterdir() if path.is_dir() and path.name[0] != "_"]
    assert games
    for path in Path(thorp.server.__path__[0]).rglob("*.py"):
        text = path.read_text()
        for name in games:
            assert f"games.{name}" not in text, path
            assert f"import {name}" not in text, path


def test_cookies_stay_as_they_were_sent():
    assert cookie_parser("a=1; b = x=y ;c;;=d; a=2") == {"a": "2", "b": "x=y", "": "d"}
    # to take off quotation marks takes Python seconds where there are many backslashes
    assert cookie_parser('a="\\"; b="c\\012"') == {"a": '"\\"', "b": '"c\\012"'}
