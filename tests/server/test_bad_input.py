"""Bad input: each is answered with the right status and a sentence, and changes nothing."""

import html

import pytest

from .conftest import GAME, HTMX

pytestmark = pytest.mark.anyio


@pytest.fixture
async def ada(server):
    return await server.person("Ada")


@pytest.fixture
async def path(server, ada):
    """A table at which Ada has made a move and may make another one."""
    path = await server.table(ada)
    await server.quiet()
    await server.play(ada, path)
    await server.quiet()
    return path


def assert_refused(answer, status, sentence):
    assert answer.status_code == status, answer.text
    assert sentence in html.unescape(answer.text)


@pytest.fixture
def unchanged(server):
    """Call it before and after: all that is stored is the same."""
    kept = []

    async def check():
        kept.append(await server.rows())
        assert kept[0] == kept[-1]

    return check


# --- moves -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("htmx", [True, False])
@pytest.mark.parametrize("move", [None, 99_999, 999_999_999])
async def test_an_illegal_move(server, ada, path, unchanged, htmx, move):
    if move is None:
        # one that is legal at other times
        legal = (await server.at(path)).match.legal(0)
        move = next(move for move in range(GAME.moves.size) if move not in legal)
    await unchanged()
    answer = await server.play(ada, path, move, htmx=htmx)
    assert_refused(answer, 422, "do not allow that move")
    assert ("<!doctype" in answer.text) is not htmx
    await unchanged()


async def test_a_stale_move(server, ada, path, unchanged):
    await unchanged()
    for counter in ("0", "2"):
        answer = await server.play(ada, path, counter=counter)
        assert_refused(answer, 409, "moved on")
        assert 'data-version="' in answer.text
    await unchanged()


async def test_a_duplicated_move_is_played_once(server, ada, path, unchanged):
    table = await server.at(path)
    form = {"counter": "1", "move": str(table.match.legal(0)[0])}
    first = await ada.post(f"{path}/moves", data=form, headers=HTMX)
    assert first.status_code == 200
    await server.quiet()
    await unchanged()
    assert_refused(await ada.post(f"{path}/moves", data=form, headers=HTMX), 409, "moved on")
    await unchanged()


async def test_a_forged_seat(server, path, unchanged):
    eve = await server.person("Eve")
    await unchanged()
    for form in ({"counter": "1", "move": "3"}, {"counter": "1", "move": "3", "seat": "0"}, {}):
        assert_refused(await eve.post(f"{path}/moves", data=form), 403, "no seat at this table")
        assert_refused(await eve.post(f"{path}/take-back", data=form), 403, "no seat at this table")
    assert_refused(await eve.post(f"{path}/again"), 403, "no seat at this table")
    await unchanged()


async def test_a_move_when_it_is_not_my_turn(server, unchanged):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.shared_table(ada, eve)
    await server.play(ada, path, 0)
    await unchanged()
    assert_refused(await server.play(ada, path, 0), 422, "wait until you are asked")
    await unchanged()


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"counter": "1"},
        {"move": "3"},
        {"counter": "1", "move": "3 "},
        {"counter": "1", "move": "-1"},
        {"counter": "1", "move": "1_0"},
        {"counter": "1", "move": "٣"},
        {"counter": "1", "move": "9" * 40},
        {"counter": "x", "move": "3"},
    ],
)
async def test_a_broken_form(server, ada, path, unchanged, form):
    await unchanged()
    answer = await ada.post(f"{path}/moves", data=form, headers=HTMX)
    assert_refused(answer, 400, "Load the page again")
    await unchanged()


async def test_a_body_that_is_no_form(server, ada, path, unchanged):
    await unchanged()
    broken = {"content-type": "multipart/form-data; boundary=x", **HTMX}
    for headers, body in (
        (broken, b"--x\r\nnonsense"),
        ({"content-type": "application/json"}, b'{"counter": 1, "move": 3}'),
        ({"content-type": "multipart/form-data"}, b"?"),
        (
            {"content-type": "multipart/form-data; boundary=x; charset=undefined"},
            b'--x\r\nContent-Disposition: form-data; name="counter"\r\n\r\n1\r\n--x--\r\n',
        ),
    ):
        answer = await ada.post(f"{path}/moves", content=body, headers=headers)
        assert answer.status_code == 400, answer.text
    await unchanged()


async def test_a_move_after_the_end(server, ada, path, unchanged):
    await server.play_out(path, ada)
    table = await server.at(path)
    await unchanged()
    answer = await server.play(ada, path, 0)
    assert_refused(answer, 422, "The match is over")
    answer = await ada.post(f"{path}/take-back", data={"counter": str(table.counters[0])}, headers=HTMX)
    assert_refused(answer, 422, "The match is over")
    await unchanged()


# --- tables ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", ["unknown", "x" * 500, "%00", "..%2F..", "'; DROP TABLE move; --"])
async def test_an_unknown_table(server, ada, unchanged, id):
    await unchanged()
    for part in ("", "/fragment", "/events", "/export.json"):
        answer = await ada.get(f"/tables/{id}{part}")
        assert answer.status_code == 404
    for part in ("/moves", "/take-back", "/again"):
        assert (await ada.post(f"/tables/{id}{part}", data={"counter": "0", "move": "0"})).status_code == 404
    assert_refused(await ada.get("/tables/unknown"), 404, "no such table")
    await unchanged()


async def test_an_htmx_request_gets_its_refusal_in_the_place_for_notices(server, ada):
    answer = await ada.get("/tables/unknown/fragment", headers=HTMX)
    assert_refused(answer, 404, "no such table")
    assert answer.headers["hx-retarget"] == "#notice"
    assert "<html" not in answer.text


@pytest.mark.parametrize(
    ("fields", "status", "sentence"),
    [
        ({"option.rounds": "7"}, 422, "cannot be '7'"),
        ({"option.rounds": "6", "seats": "1"}, 422, "cannot be 6 with one seat"),
        ({"option.colour": "red"}, 422, "no option 'colour'"),
        ({"preset": "Chaos"}, 422, "no 'Chaos'"),
        ({"seat.1": "genius"}, 422, "no bot 'genius'"),
        ({"seats": "0"}, 422, "for 1 to 4 seats"),
        ({"seats": "5"}, 422, "for 1 to 4 seats"),
        ({"seats": "two"}, 400, "should be a number"),
        ({"game": "chess"}, 404, "no such game"),
        ({"name": "x" * 99}, 400, "40 letters at most"),
    ],
)
async def test_a_table_that_cannot_be(server, ada, unchanged, fields, status, sentence):
    await unchanged()
    answer = await ada.post("/tables", data={"game": "pebbles", "seats": "2", **fields})
    assert_refused(answer, status, sentence)
    answer = await ada.post("/tables", data={"game": "pebbles", "seats": "2", **fields}, headers=HTMX)
    assert_refused(answer, status, sentence)
    await unchanged()


@pytest.mark.parametrize(
    ("fields", "status", "sentence"),
    [
        ({"seats": "0"}, 422, "for 1 to 5 seats"),
        ({"seats": "6"}, 422, "for 1 to 5 seats"),
        ({"option.road_1": "hayer"}, 422, "cannot be 'hayer'"),
        ({"option.road_1": "mason", "option.road_4": "mason"}, 422, "all different"),
        ({"option.road_6": "tailor"}, 422, "with fewer than 4 seats"),
        ({"option.road_6": "monk", "seats": "1"}, 422, "in solo play"),
        ({"option.exchange": "four"}, 422, "cannot be 'four'"),
        ({"option.road_7": "mason"}, 422, "no option 'road_7'"),
    ],
)
async def test_a_table_of_villagers_that_cannot_be(server, ada, unchanged, fields, status, sentence):
    await unchanged()
    answer = await ada.post("/tables", data={"game": "villagers", "seats": "2", **fields})
    assert_refused(answer, status, sentence)
    await unchanged()


@pytest.mark.parametrize(
    ("file", "status", "sentence"),
    [(b"1 2", 422, "Worth is 3 numbers"), (b"\xff\xfe1", 400, "not text in UTF-8"), (b"9" * 10**5, 413, "")],
)
async def test_a_broken_file_of_one_s_own(server, ada, unchanged, file, status, sentence):
    await unchanged()
    form = {"game": "pebbles", "seats": "2"}
    answer = await ada.post("/tables", data=form, files={"file.worth": ("mine.txt", file)})
    assert answer.status_code == status
    assert sentence in html.unescape(answer.text)
    await unchanged()


async def test_a_table_without_its_fields(server, ada, unchanged):
    await unchanged()
    assert_refused(await ada.post("/tables", data={"game": "pebbles"}), 400, "without its field 'seats'")
    assert_refused(await ada.post("/tables", data={}), 400, "without its field 'game'")
    await unchanged()


async def test_what_was_chosen_is_shown_again(server, ada):
    answer = await ada.post("/tables", data={"game": "pebbles", "seats": "3", "option.rounds": "7"})
    assert 'value="3"' in answer.text


async def test_an_export_before_the_end(server, ada, path, unchanged):
    await unchanged()
    answer = await ada.get(f"{path}/export.json")
    assert_refused(answer, 403, "when it is over")
    assert str((await server.at(path)).row.seed) not in answer.text
    await unchanged()


async def test_another_match_before_the_end(server, ada, path, unchanged):
    await unchanged()
    assert_refused(await ada.post(f"{path}/again"), 409, "not over yet")
    await unchanged()


# --- people ------------------------------------------------------------------------------------------------


HARM = ["broken", "", "a.b.c", "cut", "changed", "%22%00", "é"]


def harmed(server, client, harm):
    """The headers of a browser whose cookie has been harmed."""
    good = server.cookie_of(client)
    bad = {"cut": good[:-3], "changed": ("f" if good[0] == "e" else "e") + good[1:]}.get(harm, harm)
    return [(b"cookie", f"{server.cookie_name}={bad}".encode())]


@pytest.mark.parametrize("harm", HARM)
async def test_a_broken_cookie_is_not_written_over(server, ada, path, unchanged, harm):
    headers = harmed(server, ada, harm)
    client = server.client()
    await unchanged()
    for address in (path, "/", "/me", f"{path}/fragment", "/nowhere"):
        answer = await client.get(address, headers=headers)
        assert "set-cookie" not in answer.headers
    answer = await client.get(path, headers=headers)
    assert answer.status_code == 200
    assert 'id="moves-form"' not in answer.text
    for part in ("cannot be read", 'href="/me"', 'action="/me/new"'):
        assert part in answer.text
    form = {"counter": "1", "move": "3", "game": "pebbles", "seats": "2", "name": "Eve"}
    for target in (f"{path}/moves", f"{path}/take-back", f"{path}/again", "/tables", "/me"):
        refused = await client.post(target, data=form, headers=headers)
        assert_refused(refused, 403, "it is not known who you are")
        assert "set-cookie" not in refused.headers
    await unchanged()


async def test_a_cookie_signed_by_another_server(server, ada, path):
    from thorp.server.web.people import Cookies, Visitor

    forged = Cookies("another key", "").write(Visitor(server.id_of(ada), "Ada"))
    answer = await server.client(forged).post(f"{path}/moves", data={"counter": "1", "move": "3"})
    assert_refused(answer, 403, "it is not known who you are")


@pytest.mark.parametrize("link", ["", "x", "a.b", "#a.b", "http://thorp.test/me#é", "x" * 9000])
async def test_a_link_that_is_none(server, ada, unchanged, link):
    before = server.cookie_of(ada)
    await unchanged()
    answer = await ada.post("/me/link", data={"link": link})
    assert_refused(answer, 400, "no private link of this server")
    assert server.cookie_of(ada) == before
    await unchanged()
    assert_refused(await ada.post("/me/link", data={}), 400, "without its field 'link'")


# --- requests ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.test"},
        {"Origin": "null"},
        {"Origin": "http://[::1"},
        {"Origin": "http://thorp.test:8080"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://thorp.test"},
    ],
)
async def test_a_post_from_another_site(server, ada, path, unchanged, headers):
    await unchanged()
    form = {"counter": "1", "move": "3", "game": "pebbles", "seats": "2", "name": "Eve"}
    for target in (f"{path}/moves", f"{path}/take-back", f"{path}/again", "/tables", "/me", "/me/link", "/me/new"):
        assert_refused(await ada.post(target, data=form, headers=headers), 403, "from another site")
    await unchanged()


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "same-origin"}, {"Origin": "http://thorp.test"}, {}])
async def test_a_post_from_our_own_pages(server, headers):
    assert (await server.client().post("/me", data={"name": "Ada"}, headers=headers)).status_code == 303


async def test_a_body_that_is_too_large(server, ada, path, unchanged):
    await unchanged()
    large = {"counter": "1", "move": "3", "more": "x" * 70_000}
    assert_refused(await ada.post(f"{path}/moves", data=large), 413, "64 KiB")

    async def drops():
        yield b"counter=1&move=3&more="
        for _ in range(100):
            yield b"x" * 1000

    headers = {"content-type": "application/x-www-form-urlencoded"}
    assert_refused(await ada.post(f"{path}/moves", content=drops(), headers=headers), 413, "64 KiB")
    assert_refused(
        await ada.post(f"{path}/moves", content=b"x", headers={"content-length": "-1", **headers}), 413, "64 KiB"
    )
    await unchanged()
