"""Who one is: cookies that are never lost to another server or to a clock, and private links that lead back."""

import html
import re

import pytest

from thorp.server.tables.table import Player
from thorp.server.web import people
from thorp.server.web.people import FORMER_COOKIE, RENEW, YEAR, Cookies, Visitor, clean_name

from .conftest import GAME, HTMX, replace, running
from .test_bad_input import assert_refused

pytestmark = pytest.mark.anyio


@pytest.fixture
def cookies():
    return Cookies("key", "store")


@pytest.fixture
def wait(monkeypatch):
    """Let time pass, or go back."""
    now = people.time.time()

    def go(seconds):
        monkeypatch.setattr(people.time, "time", lambda: now + seconds)

    return go


def private_link(page):
    """The private link that a page shows."""
    return re.search(r'id="private-link" value="([^"]+)"', html.unescape(page.text))[1]


# --- cookies -----------------------------------------------------------------------------------------------


def test_an_old_cookie_is_renewed(cookies, wait):
    value = cookies.write(Visitor("id", "Ada"))
    assert not cookies.read(value).stale
    wait(RENEW + 60)
    visitor = cookies.read(value)
    assert (visitor.id, visitor.name, visitor.stale, visitor.known) == ("id", "Ada", True, True)
    wait(YEAR + 60)
    assert cookies.read(value) is None


def test_a_clock_that_goes_back_takes_no_seat_away(cookies, wait):
    value = cookies.write(Visitor("id", "Ada"))
    for seconds, stale in ((-2, False), (-3600, False), (-RENEW - 60, True)):
        wait(seconds)
        visitor = cookies.visitor({cookies.name: value})
        assert (visitor.id, visitor.stale) == ("id", stale)


def test_a_person_of_before_is_carried_over(cookies):
    value = cookies.write(Visitor("id", "Ada"))
    visitor = cookies.visitor({FORMER_COOKIE: value})
    assert (visitor.id, visitor.stale, visitor.known) == ("id", True, True)
    # what is newer wins, and what another server wrote there says nothing
    newer = cookies.write(Visitor("other", "Eve"))
    assert cookies.visitor({FORMER_COOKIE: value, cookies.name: newer}).id == "other"
    visitor = cookies.visitor({FORMER_COOKIE: Cookies("another key", "").write(Visitor("id", "Ada"))})
    assert (visitor.known, visitor.unread, visitor.stale) == (False, False, True)


def test_a_key_is_no_cookie_and_a_cookie_no_key(cookies):
    ada = Visitor("id", "Ada")
    assert cookies.read(cookies.write_key(ada)) is None
    assert cookies.read_key(cookies.write(ada)) is None
    assert cookies.read_key(cookies.write_key(ada)).visitor.id == "id"


async def test_servers_on_one_host_leave_each_other_s_people_alone(settings, tmp_path):
    (tmp_path / "other").mkdir()
    async with running(settings) as one, running(replace(settings, data_dir=tmp_path / "other")) as two:
        assert one.cookie_name != two.cookie_name
        ada = await one.person("Ada")
        path = await one.shared_table(ada, await one.person("Bo"))
        # cookies know no ports: the same browser goes to the other server, and comes back
        elsewhere = two.client()
        elsewhere.cookies = ada.cookies
        assert (await elsewhere.post("/me", data={"name": "Eve"})).status_code == 303
        ada.cookies = elsewhere.cookies
        assert two.cookie_name in ada.cookies
        assert (await one.play(ada, path)).status_code == 200


async def test_servers_on_one_store_share_their_people(settings):
    async with running(settings) as one, running(settings) as two:
        assert one.cookie_name == two.cookie_name
        assert two.visitor(await one.person("Ada")).name == "Ada"


async def test_a_cookie_of_before_is_left_where_it_is(server):
    ada = server.client()
    former = server.app.state.cookies.write(Visitor("ada", "Ada"))
    ada.cookies.set(FORMER_COOKIE, former)
    players = [Player("Ada", person="ada"), Player("Eve", person="eve")]
    path = "/tables/" + await server.app.state.tables.create(GAME, {}, players)
    assert 'id="moves-form"' in (await ada.get(path)).text
    assert server.visitor(ada).name == "Ada"
    assert ada.cookies[FORMER_COOKIE] == former


# --- private links -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", " ", "\u202e", "\u3164", "\u115f\u2800", "\ufe0f", "\u034f", "\u0301" * 3])
async def test_a_name_that_cannot_be_seen_is_none(server, name):
    answer = await server.client().post("/me", data={"name": name})
    assert_refused(answer, 400, "at least one letter")


async def test_names_in_all_letters_and_pictures_are_taken(server):
    for name in ("Åsa", "髙橋", "שלום", "\U0001f469\u200d\U0001f33e", "7", "e\u0301"):
        assert (await server.client().post("/me", data={"name": name})).status_code == 303
    covered = clean_name("z" + "\u0336" * 30)
    assert covered == "z" + "\u0336" * 4


def test_who_has_a_name_that_is_not_taken_any_more_stays_who_it_is(cookies):
    value = cookies.write(Visitor("somebody", "\u3164"))
    assert cookies.read(value).id == "somebody"


async def test_a_private_link_leads_back_to_one_s_seats(server):
    ada = await server.person("Ada")
    path = await server.shared_table(ada, await server.person("Eve"))
    page = await ada.get("/me")
    assert 'href="/me"' in page.text
    link = private_link(page)
    assert link.startswith("http://thorp.test/me#")
    for text in (link, link.partition("#")[2], f"  {link}\n"):
        browser = server.client()
        await browser.get("/")
        answer = await browser.post("/me/link", data={"link": text})
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        assert (server.visitor(browser).id, server.visitor(browser).name) == (server.id_of(ada), "Ada")
        assert path in (await browser.get("/")).text
    assert (await server.play(browser, path)).status_code == 200


async def test_a_private_link_never_runs_out(cookies, wait):
    key = cookies.write_key(Visitor("id", "Ada"))
    wait(50 * YEAR)
    assert cookies.read_key(key).visitor.id == "id"


async def test_who_has_tables_is_asked_before_becoming_somebody_else(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    link, hers = private_link(await eve.get("/me")), private_link(await ada.get("/me"))
    await server.shared_table(ada, eve)
    before = server.cookie_of(ada)
    answer = await ada.post("/me/link", data={"link": link})
    assert answer.status_code == 200
    assert "Become Eve" in answer.text
    assert private_link(answer) == hers
    assert server.cookie_of(ada) == before
    form = dict(re.findall(r'name="(link|sure)" value="([^"]+)"', answer.text))
    assert (await ada.post("/me/link", data=form)).status_code == 303
    assert server.id_of(ada) == server.id_of(eve)
    # one's own link asks nothing
    assert (await eve.post("/me/link", data={"link": link})).status_code == 303


async def test_a_passer_by_comes_back_or_starts_as_somebody_new(server):
    ada = await server.person("Ada")
    path = await server.shared_table(ada, await server.person("Eve"))
    link, id = private_link(await ada.get("/me")), server.id_of(ada)
    lost = server.client("damaged")
    page = await lost.get("/me")
    assert 'id="private-link"' not in page.text
    assert 'action="/me/new"' in page.text
    assert (await lost.post("/me/link", data={"link": link})).status_code == 303
    assert server.id_of(lost) == id
    assert (await server.play(lost, path)).status_code == 200
    lost = server.client("damaged")
    assert (await lost.post("/me/new", headers=HTMX)).headers["hx-redirect"] == "/me"
    new = server.id_of(lost)
    assert new != id
    assert "cannot be read" not in (await lost.get(path)).text
    # pressed twice, or by somebody who is known: nobody is lost
    assert (await lost.post("/me/new")).status_code == 303
    assert server.id_of(lost) == new


async def test_a_server_whose_key_has_changed_writes_nobody_over(settings):
    async with running(settings) as server:
        ada = await server.person("Ada")
        name, key = server.cookie_name, server.app.state.cookies
        server.app.state.cookies = Cookies("another key", await server.app.state.store.secret("id"))
        assert server.cookie_name == name
        assert "set-cookie" not in (await ada.get("/")).headers
        server.app.state.cookies = key
        assert "set-cookie" not in (await ada.get("/")).headers
        assert server.visitor(ada).name == "Ada"
