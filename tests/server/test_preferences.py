"""What a person prefers: kept with the person, and true on all devices; what waits until it is confirmed."""

import re

import pytest

from thorp.core.match import Match
from thorp.server.tables.links import Links
from thorp.server.tables.preferences import Preferences

from .conftest import GAME, running

pytestmark = pytest.mark.anyio


def confirms(page):
    """Whether a page holds back what cannot be taken back."""
    return re.search(r'id="own" hidden( data-confirm)?>', page.text)[1] is not None


@pytest.mark.any_store
async def test_it_is_a_setting_of_the_person(settings):
    async with running(settings) as server:
        ada, ben = await server.person("Ada"), await server.person("Ben")
        shared, alone = await server.shared_table(ada, ben), await server.table(ada)
        for choice, expected in (("", (True, False)), ("always", (True, True)), ("never", (False, False))):
            if choice:
                answer = await ada.post("/me/settings", data={"confirm": choice})
                assert (answer.status_code, answer.headers["location"]) == (303, "/me#settings")
                assert re.search(rf'value="{choice}" checked', (await ada.get("/me")).text)
            assert tuple([confirms(await ada.get(path)) for path in (shared, alone)]) == expected
            # nobody else's
            assert confirms(await ben.get(shared))
    async with running(settings) as again:
        assert (await Preferences(again.app.state.store).of(server.id_of(ada)))["confirm"] == "never"
        assert not confirms(await again.client(server.cookie_of(ada)).get(shared))


async def test_what_cannot_be_chosen_is_refused(server):
    ada = await server.person("Ada")
    before = await server.rows()
    assert (await ada.post("/me/settings", data={"confirm": "perhaps"})).status_code == 422
    # what is no setting is not kept
    assert (await ada.post("/me/settings", data={"colour": "red"})).status_code == 303
    assert (await server.client("damaged").post("/me/settings", data={"confirm": "never"})).status_code == 403
    assert await server.rows() == before


async def test_who_brings_no_cookie_leaves_no_rows(server):
    before = await server.rows()
    for path, data in (("/me/settings", {"confirm": "never"}), ("/me/call-back", {})):
        assert (await server.client().post(path, data=data)).status_code == 303
        assert await server.rows() == before
    # a browser has a cookie from the page with the form, and nothing is known of it besides
    browser = server.client()
    await browser.get("/me")
    assert (await browser.post("/me/settings", data={"confirm": "never"})).status_code == 303
    assert (await Preferences(server.app.state.store).of(server.id_of(browser)))["confirm"] == "never"
    assert (await browser.post("/me/call-back")).status_code == 303
    assert await Links(server.app.state.store).generation(server.id_of(browser)) == 1


async def test_who_watches_confirms_nothing(server):
    ada, eve = await server.person("Ada"), await server.person("Eve")
    path = await server.shared_table(ada, await server.person("Ben"))
    assert not confirms(await eve.get(path))
    assert not confirms(await server.client().get(path))


def test_moves_that_cannot_be_taken_back_are_told():
    """The last of those who choose at the same time ends the phase; and to take is final at once."""
    match = Match(GAME, 2, {}, 4)
    assert match.final_moves(0) == frozenset()
    match.play(0, match.legal(0)[0])
    assert match.final_moves(1) == frozenset(match.legal(1))
    match.play(1, match.legal(1)[0])
    assert match.final_moves(0) == frozenset(match.legal(0))
    assert match.final_moves(1) == frozenset()
    while not match.over:
        seat = match.waiting[0]
        final = match.final_moves(seat)
        for move in match.legal(seat):
            after = match.copy()
            after.play(seat, move)
            assert (move in final) == (after.over or not after.can_take_back(seat))
        match.play(seat, match.legal(seat)[-1])


async def test_the_page_tells_which_moves_these_are(server):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    path = await server.shared_table(ada, ben)
    assert " data-final" not in (await ada.get(path)).text
    await server.play(ada, path)
    assert (await ben.get(path)).text.count(" data-final") == 3
