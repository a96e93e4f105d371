"""Taking oneself to another device: a link that holds once, for ten minutes, and private ones that are called back."""

import asyncio
import html
import re
from datetime import timedelta

import pytest

from thorp.server.tables import links
from thorp.server.tables.links import Link, Links

from .conftest import running
from .test_people import private_link

pytestmark = pytest.mark.anyio


def once_link(page):
    """The link that holds once, as the page shows it."""
    return re.search(r'id="once-link" value="([^"]+)"', html.unescape(page.text))[1]


@pytest.fixture
def wait(server, monkeypatch):
    """Let time pass for links."""
    store = server.app.state.store
    real = store.now

    def go(**time):
        monkeypatch.setattr(store, "now", lambda: real() + timedelta(**time))

    return go


@pytest.mark.any_store
async def test_a_link_takes_a_person_to_one_device(server):
    ada = await server.person("Ada")
    path = await server.shared_table(ada, await server.person("Eve"))
    page = await ada.post("/me/once")
    assert page.status_code == 200
    assert '<div class="share-code"' in page.text
    link = once_link(page)
    assert link.startswith("http://thorp.test/me#once-")
    phone, other = server.client(), server.client()
    answer = await phone.post("/me/link", data={"link": link})
    assert (answer.status_code, server.id_of(phone)) == (303, server.id_of(ada))
    assert server.visitor(phone).name == "Ada"
    assert (await server.play(phone, path)).status_code == 200
    late = await other.post("/me/link", data={"link": link})
    assert late.status_code == 410
    assert "used already" in late.text
    assert server.id_of(other) != server.id_of(ada)


async def test_only_a_digest_is_kept(server):
    ada = await server.person("Ada")
    key = once_link(await ada.post("/me/once")).partition("#once-")[2]
    rows = str(await server.rows())
    assert links.digest_of(key) in rows
    assert key not in rows


async def test_after_ten_minutes_it_holds_no_more(server, wait):
    ada, phone = await server.person("Ada"), server.client()
    link = once_link(await ada.post("/me/once"))
    wait(minutes=10, seconds=1)
    answer = await phone.post("/me/link", data={"link": link})
    assert answer.status_code == 410
    assert "ten minutes" in answer.text
    assert server.id_of(phone) != server.id_of(ada)
    # and not for who confirms too late either
    link = once_link(await ada.post("/me/once"))
    wait(minutes=20, seconds=2)
    assert (await phone.post("/me/link", data={"link": link, "sure": "yes"})).status_code == 410
    # what is of another day is not kept
    wait(days=2)
    await (await server.person("Eve")).post("/me/once")
    assert "Ada" not in str(dict(await server.rows())["once_link"])


async def test_a_new_link_takes_the_place_of_the_old_one(server):
    ada, phone = await server.person("Ada"), server.client()
    first, second = once_link(await ada.post("/me/once")), once_link(await ada.post("/me/once"))
    answer = await phone.post("/me/link", data={"link": first})
    assert answer.status_code == 410
    assert "newer one" in answer.text
    assert (await phone.post("/me/link", data={"link": second})).status_code == 303


async def test_who_has_tables_confirms_before_the_link_is_used(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    await server.shared_table(eve, ada)
    link = once_link(await ada.post("/me/once"))
    before = server.id_of(eve)
    answer = await eve.post("/me/link", data={"link": link})
    assert "Become Ada" in answer.text
    assert server.id_of(eve) == before
    form = dict(re.findall(r'name="(link|sure)" value="([^"]+)"', answer.text))
    assert (await eve.post("/me/link", data=form)).status_code == 303
    assert server.id_of(eve) == server.id_of(ada)


async def test_one_s_own_browser_does_not_use_the_link_up(server):
    ada, phone = await server.person("Ada"), server.client()
    link = once_link(await ada.post("/me/once"))
    assert (await ada.post("/me/link", data={"link": link, "sure": "yes"})).status_code == 303
    assert (await phone.post("/me/link", data={"link": link})).status_code == 303
    assert server.id_of(phone) == server.id_of(ada)


@pytest.mark.any_store
async def test_of_two_devices_one_gets_it_at_any_server(settings):
    async with running(settings) as one, running(settings) as two:
        key = await Links(one.app.state.store).draw("ada", "Ada")
        asked = (Links(each.app.state.store).use(key) for each in (one, two) * 4)
        found = [each.link for each in await asyncio.gather(*asked)]
        assert sorted(found) == [Link.HOLDS] + [Link.USED] * 7


async def test_a_passer_by_makes_no_links(server):
    lost = server.client("damaged")
    assert (await lost.post("/me/once")).status_code == 403
    assert (await lost.post("/me/call-back")).status_code == 403


@pytest.mark.any_store
async def test_a_private_link_is_called_back(server):
    ada, phone = await server.person("Ada"), server.client()
    old = private_link(await ada.get("/me"))
    once = once_link(await ada.post("/me/once"))
    for _ in range(2):
        assert (await ada.post("/me/call-back")).status_code == 303
        for link in (old, once):
            answer = await phone.post("/me/link", data={"link": link})
            assert answer.status_code == 410
            assert server.id_of(phone) != server.id_of(ada)
        assert "called back" in (await phone.post("/me/link", data={"link": old})).text
        new = private_link(await ada.get("/me"))
        assert new != old
        old = new
    # its own browser stays who it is, and the newest link holds
    assert (await phone.post("/me/link", data={"link": old})).status_code == 303
    assert server.id_of(phone) == server.id_of(ada)
