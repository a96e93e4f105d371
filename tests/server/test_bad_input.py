"""Bad input: each is answered with the right status and a sentence, and changes nothing."""

import html

import pytest

from thorp.server.web.people import COOKIE

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

    def check():
        kept.append(server.rows())
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
    unchanged()
    answer = await server.play(ada, path, move, htmx=htmx)
    assert_refused(answer, 422, "do not allow that move")
    assert ("<!doctype" in answer.text) is not htmx
    unchanged()


async def test_a_stale_move(server, ada, path, unchanged):
    unchanged()
    for counter in ("0", "2"):
        answer = await server.play(ada, path, counter=counter)
        assert_refused(answer, 409, "moved on")
        assert 'data-version="' in answer.text
    unchanged()


async def test_a_duplicated_move_is_played_once(server, ada, path, unchanged):
    table = await server.at(path)
    form = {"counter": "1", "move": str(table.match.legal(0)[0])}
    first = await ada.post(f"{path}/moves", data=form, headers=HTMX)
    assert first.status_code == 200
    await server.quiet()
    unchanged()
    assert_refused(await ada.post(f"{path}/moves", data=form, headers=HTMX), 409, "moved on")
    unchanged()


async def test_a_forged_seat(server, path, unchanged):
    eve = await server.person("Eve")
    unchanged()
    for form in ({"counter": "1", "move": "3"}, {"counter": "1", "move": "3", "seat": "0"}, {}):
        assert_refused(await eve.post(f"{path}/moves", data=form), 403, "no seat at this table")
        assert_refused(await eve.post(f"{path}/take-back", data=form), 403, "no seat at this table")
    assert_refused(await eve.post(f"{path}/again"), 403, "no seat at this table")
    unchanged()


async def test_a_move_when_it_is_not_my_turn(server, unchanged):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.shared_table(ada, eve)
    await server.play(ada, path, 0)
    unchanged()
    assert_refused(await server.play(ada, path, 0), 422, "wait until you are asked")
    unchanged()


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
    unchanged()
    answer = await ada.post(f"{path}/moves", data=form, headers=HTMX)
    assert_refused(answer, 400, "Load the page again")
    unchanged()


async def test_a_body_that_is_no_form(server, ada, path, unchanged):
    unchanged()
    broken = {"content-type": "multipart/form-data; boundary=x", **HTMX}
    for headers, body in (
        (broken, b"--x\r\nnonsense"),
        ({"content-type": "application/json"}, b'{"counter": 1, "move": 3}'),
        ({"content-type": "multipart/form-data"}, b"?"),
    ):
        answer = await ada.post(f"{path}/moves", content=body, headers=headers)
        assert answer.status_code == 400, answer.text
    unchanged()


async def test_a_move_after_the_end(server, ada, path, unchanged):
    await server.play_out(path, ada)
    table = await server.at(path)
    unchanged()
    answer = await server.play(ada, path, 0)
    assert_refused(answer, 422, "The match is over")
    answer = await ada.post(f"{path}/take-back", data={"counter": str(table.counters[0])}, headers=HTMX)
    assert_refused(answer, 422, "The match is over")
    unchanged()


# --- tables ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", ["unknown", "x" * 500, "%00", "..%2F..", "'; DROP TABLE move; --"])
async def test_an_unknown_table(server, ada, unchanged, id):
    unchanged()
    for part in ("", "/fragment", "/events", "/export.json"):
        answer = await ada.get(f"/tables/{id}{part}")
        assert answer.status_code == 404
    for part in ("/moves", "/take-back", "/again"):
        assert (await ada.post(f"/tables/{id}{part}", data={"counter": "0", "move": "0"})).status_code == 404
    assert_refused(await ada.get("/tables/unknown"), 404, "no such table")
    unchanged()


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
        ({"bot.1": "genius"}, 422, "no bot 'genius'"),
        ({"seats": "0"}, 422, "for 1 to 4 seats"),
        ({"seats": "5"}, 422, "for 1 to 4 seats"),
        ({"seats": "two"}, 400, "should be a number"),
        ({"game": "chess"}, 404, "no such game"),
        ({"name": "x" * 99}, 400, "40 letters at most"),
    ],
)
async def test_a_table_that_cannot_be(server, ada, unchanged, fields, status, sentence):
    unchanged()
    answer = await ada.post("/tables", data={"game": "pebbles", "seats": "2", **fields})
    assert_refused(answer, status, sentence)
    answer = await ada.post("/tables", data={"game": "pebbles", "seats": "2", **fields}, headers=HTMX)
    assert_refused(answer, status, sentence)
    unchanged()


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
    unchanged()
    answer = await ada.post("/tables", data={"game": "villagers", "seats": "2", **fields})
    assert_refused(answer, status, sentence)
    unchanged()


@pytest.mark.parametrize(
    ("file", "status", "sentence"),
    [(b"1 2", 422, "Worth is 3 numbers"), (b"\xff\xfe1", 400, "not text in UTF-8"), (b"9" * 10**5, 413, "")],
)
async def test_a_broken_file_of_one_s_own(server, ada, unchanged, file, status, sentence):
    unchanged()
    form = {"game": "pebbles", "seats": "2"}
    answer = await ada.post("/tables", data=form, files={"file.worth": ("mine.txt", file)})
    assert answer.status_code == status
    assert sentence in html.unescape(answer.text)
    unchanged()


async def test_a_table_without_its_fields(server, ada, unchanged):
    unchanged()
    assert_refused(await ada.post("/tables", data={"game": "pebbles"}), 400, "without its field 'seats'")
    assert_refused(await ada.post("/tables", data={}), 400, "without its field 'game'")
    unchanged()


async def test_what_was_chosen_is_shown_again(server, ada):
    answer = await ada.post("/tables", data={"game": "pebbles", "seats": "3", "option.rounds": "7"})
    assert 'value="3"' in answer.text


async def test_an_export_before_the_end(server, ada, path, unchanged):
    unchanged()
    answer = await ada.get(f"{path}/export.json")
    assert_refused(answer, 403, "when it is over")
    assert str((await server.at(path)).row.seed) not in answer.text
    unchanged()


async def test_another_match_before_the_end(server, ada, path, unchanged):
    unchanged()
    assert_refused(await ada.post(f"{path}/again"), 409, "not over yet")
    unchanged()


async def test_a_table_of_other_rules(server, ada, path, unchanged):
    table = await server.at(path)
    server.app.state.tables._cache.clear()
    object.__setattr__(table.game, "rules_version", 2)
    unchanged()
    try:
        assert_refused(await ada.get(path), 410, "version 1 of the rules of Pebbles")
        assert_refused(await ada.post(f"{path}/moves", data={"counter": "1", "move": "3"}), 410, "version 2")
        home = await ada.get("/")
        assert home.status_code == 200
        assert path in home.text
    finally:
        object.__setattr__(table.game, "rules_version", 1)
    unchanged()


# --- people ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("harm", ["broken", "", "a.b.c", "cut", "changed", "%22%00", "é"])
async def test_a_broken_cookie(server, ada, path, unchanged, harm):
    good = ada.cookies[COOKIE]
    bad = {"cut": good[:-3], "changed": ("f" if good[0] == "e" else "e") + good[1:]}.get(harm, harm)
    headers = [(b"cookie", f"{COOKIE}={bad}".encode())]
    client = server.client()
    unchanged()
    answer = await client.get(path, headers=headers)
    assert answer.status_code == 200
    assert "you are a new player here" in answer.text
    assert answer.cookies[COOKIE] not in (bad, good)
    client.cookies.clear()
    refused = await client.post(f"{path}/moves", data={"counter": "1", "move": "3"}, headers=headers)
    assert_refused(refused, 403, "you are a new player here")
    unchanged()


async def test_a_cookie_signed_by_another_server(server, ada, path):
    from thorp.server.web.people import Cookies, Visitor

    forged = Cookies("another key").write(Visitor(server.id_of(ada), "Ada"))
    answer = await server.client(forged).post(f"{path}/moves", data={"counter": "1", "move": "3"})
    assert_refused(answer, 403, "you are a new player here")


# --- requests ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.test"},
        {"Origin": "null"},
        {"Origin": "http://thorp.test:8080"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://thorp.test"},
    ],
)
async def test_a_post_from_another_site(server, ada, path, unchanged, headers):
    unchanged()
    form = {"counter": "1", "move": "3", "game": "pebbles", "seats": "2", "name": "Eve"}
    for target in (f"{path}/moves", f"{path}/take-back", f"{path}/again", "/tables", "/me"):
        assert_refused(await ada.post(target, data=form, headers=headers), 403, "from another site")
    unchanged()


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "same-origin"}, {"Origin": "http://thorp.test"}, {}])
async def test_a_post_from_our_own_pages(server, headers):
    assert (await server.client().post("/me", data={"name": "Ada"}, headers=headers)).status_code == 303


async def test_a_body_that_is_too_large(server, ada, path, unchanged):
    unchanged()
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
    unchanged()
