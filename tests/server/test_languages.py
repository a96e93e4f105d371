"""Languages: who is answered in which, and that no page says what is in no catalogue."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from wrapped import NAMES, bare, wrapped

from thorp.core.catalogue import FILE, Catalogue, read
from thorp.core.language import ENGLISH, HOUSE, Language, language, translated
from thorp.core.offered import complete
from thorp.core.registry import game
from thorp.core.words import UNNAMED
from thorp.server.tables.table import RECORDED
from thorp.server.web import languages

from .conftest import Server, page_open

pytestmark = pytest.mark.anyio

_NONCE = re.compile(r'hx-nonce="[^"]*"')
SPANISH = {"Accept-Language": "es-MX,es;q=0.9,en;q=0.5"}


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> list[Language]:
    """The languages that can be chosen: Spanish, as far as it goes, and one that wraps all it knows."""
    there = [ENGLISH, language("es"), wrapped()]
    monkeypatch.setattr(languages, "_complete", lambda games: tuple(there))
    return there


async def test_nobody_is_offered_what_is_not_complete(server: Server) -> None:
    for each in complete(server.app.state.readiness.games):
        assert not read(HOUSE / each.tag / FILE).missing
    for tag in set(translated()) - {each.tag for each in complete(server.app.state.readiness.games)}:
        answer = await server.client().get("/", headers={"Accept-Language": tag})
        assert '<html lang="en"' in answer.text


async def test_who_played_the_match_of_a_file_is_a_seat_in_the_language_of_now(
    server: Server, offered: list[Language]
) -> None:
    ada = await server.person()
    path = await server.table(ada)
    await server.play_out(path, ada)
    saved = (await ada.get(f"{path}/export.json")).text
    shared = "/tables/" + await server.app.state.tables.take_in(saved, server.id_of(ada))
    for accepted, here in ((SPANISH, language("es")), ({}, ENGLISH)):
        page = (await server.client().get(shared, headers=accepted)).text
        for seat in (1, 2):
            assert here.text(UNNAMED).format(n=seat) in page
            assert (UNNAMED.format(n=seat) in page) == (here is ENGLISH)
        # nor is it a bot of any level
        assert RECORDED not in page


async def test_the_browser_is_answered_in_its_language(server: Server, offered: list[Language]) -> None:
    client = server.client()
    assert '<html lang="es"' in (await client.get("/", headers=SPANISH)).text
    assert '<html lang="en"' in (await client.get("/", headers={"Accept-Language": "fr, de;q=0.5"})).text
    assert '<html lang="en"' in (await client.get("/")).text
    # who shows a link in a messenger wants no language: it gets that of the link
    assert '<html lang="es"' in (await client.get("/?language=es")).text
    assert 'hreflang="es"' in (await client.get("/")).text


async def test_what_was_chosen_goes_before_the_browser(server: Server, offered: list[Language]) -> None:
    ada = await server.person()
    answer = await ada.post("/me/language", data={"language": "es", "back": "/credits"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/credits")
    assert '<html lang="es"' in (await ada.get("/", headers={"Accept-Language": "en"})).text
    # on another device, which has no cookie but that of the person
    other = server.client(server.cookie_of(ada))
    assert '<html lang="es"' in (await other.get("/")).text
    assert other.cookies["thorp_language"] == "es"
    # who is nobody yet chooses for the browser
    guest = server.client()
    await guest.post("/me/language", data={"language": "es"})
    assert '<html lang="es"' in (await guest.get("/")).text


async def test_only_what_is_offered_can_be_chosen(server: Server, offered: list[Language]) -> None:
    ada = await server.person()
    assert (await ada.post("/me/language", data={"language": "xx"})).status_code == 422
    guest = server.client()
    await guest.post("/me/language", data={"language": "../es"})
    assert "thorp_language" not in guest.cookies


async def test_two_at_a_table_are_each_told_in_their_own(server: Server, offered: list[Language]) -> None:
    ada, berta = await server.person("Ada"), await server.person("Berta")
    path = await server.shared_table(ada, berta)
    own = {"Accept-Language": "en-x-wrapped"}
    async with page_open(server, berta, await server.shown(path), **own) as page:
        plain = _NONCE.sub("", (await ada.get(f"{path}/fragment")).text)
        assert "⟦" not in plain
        assert "⟦" in (await berta.get(f"{path}/fragment", headers=own)).text
        assert "⟦" in (await server.client().get(f"{path}/fragment", headers=own)).text
        assert _NONCE.sub("", (await ada.get(f"{path}/fragment")).text) == plain
        assert "⟦" not in (await server.play(ada, path)).text
        assert "⟦" in (await page.event()).data


async def test_a_refusal_is_said_in_the_language_of_who_asked(server: Server, offered: list[Language]) -> None:
    answer = await server.client().get("/nothing", headers={"Accept-Language": "en-x-wrapped"})
    assert answer.status_code == 404
    assert "⟦There is no such page. Check the address, or go back to the start.⟧" in answer.text


async def test_no_page_says_what_is_in_no_catalogue(server: Server, offered: list[Language]) -> None:
    ada, berta = await server.person("Ada"), await server.person("Berta")
    for client in (ada, berta):
        client.headers["Accept-Language"] = "en-x-wrapped"
    running = await server.table(ada)
    await server.play(ada, running)
    over = await server.shared_table(ada, berta)
    await server.play_out(over, ada, berta)
    gathering = await server.table(ada, **{"seat.1": "link"})
    pages = ("/", "/games/pebbles", "/me", "/me/statistics", "/me/notices", "/credits", "/nothing")
    tables = (running, over, f"{over}/at/1", f"{running}/at/1", gathering)
    games = [game(id) for id in server.app.state.readiness.games]
    known = (*NAMES, *(each.name for each in games))
    missed: dict[str, str] = {}
    for who in (ada, berta, server.client()):
        who.headers["Accept-Language"] = "en-x-wrapped"
        for path in (*pages, *tables):
            for text in bare((await who.get(path)).text, *known):
                missed.setdefault(text, path)
    assert missed == {}, "\n".join(f"{path}: {text}" for text, path in missed.items())


async def test_a_game_of_another_package_brings_words_of_its_own(
    server: Server, offered: list[Language], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = tmp_path / "es" / FILE
    words.parent.mkdir()
    words.write_text('msgid "Heap: %(n)s"\nmsgstr "Montón: %(n)s"\n', "utf-8")
    pebbles = game("pebbles")
    monkeypatch.setattr(type(pebbles), "words", property(lambda each: tmp_path if each is pebbles else each.folder))
    # what Spanish was kept as, in games, is another test's
    monkeypatch.setattr(offered[1], "_within", {})
    ada = await server.person("Ada")
    table = await server.table(ada)
    assert "Heap: " in (await ada.get(table)).text
    shown = (await ada.get(table, headers=SPANISH)).text
    assert "Montón: " in shown
    assert "Heap: " not in shown
    # who begins to translate a game and does not end keeps a language from being offered, and no other game
    assert language("es") in complete(["pebbles"])
    words.write_text(words.read_text("utf-8") + '\nmsgid "stone"\nmsgstr ""\n', "utf-8")
    assert language("es") not in complete(["pebbles"])
    assert language("es") in complete(["valeria"])


async def test_who_has_given_no_name_is_a_guest_in_the_language_of_now(server: Server, offered: list[Language]) -> None:
    guest, page = server.client(), re.compile(r'class="bar-me"[^>]*>([^<]*)<')

    async def called() -> str:
        found = page.search((await guest.get("/")).text)
        assert found
        return found[1]

    assert await called() == "Guest"
    table = await server.table(guest, **{"seat.1": "link"})
    await guest.post("/me/language", data={"language": "es"})
    assert await called() == "Invitado"
    # at the tables that are not over too
    assert "Invitado" in (await guest.get(table)).text
    # the form shows what one is called: sent back, it is no name that one has given
    await guest.post("/me", data={"name": "Invitado"})
    await guest.post("/me/language", data={"language": "en"})
    assert await called() == "Guest"
    await guest.post("/me", data={"name": "Ada"})
    await guest.post("/me/language", data={"language": "es"})
    assert await called() == "Ada"


async def test_numbers_with_decimals_are_written_as_the_language_does(server: Server, offered: list[Language]) -> None:
    ada, berta = await server.person("Ada"), await server.person("Berta")
    await server.play_out(await server.shared_table(ada, berta), ada, berta)
    mean = re.compile(r"<dt>(?:Mean|Media)</dt><dd>([^<]*)<")
    assert re.fullmatch(r"\d+\.\d", mean.findall((await ada.get("/me/statistics")).text)[0])
    await ada.post("/me/language", data={"language": "es"})
    spanish = (await ada.get("/me/statistics")).text
    assert re.fullmatch(r"\d+,\d", mean.findall(spanish)[0])
    # no number stands at the end of a line without its sign
    assert "\u00a0%" in html.unescape(spanish)
    assert not re.search(r"\d %", spanish)


async def test_a_link_is_shown_in_the_language_of_who_shares_it(server: Server) -> None:
    ada = await server.person("Ada")
    await ada.post("/me/language", data={"language": "es"})
    path = await server.table(ada, **{"seat.1": "link"})
    shared = re.search(r'value="http://thorp\.test(/tables/[^"]*)"', html.unescape((await ada.get(path)).text))
    assert shared
    assert shared[1] == f"{path}?language=es"
    # a messenger, which wants no language
    card = (await server.client().get(shared[1])).text
    title = re.search(r'<meta property="og:title" content="([^"]*)"', card)
    assert title
    assert title[1] == language("es").text("%(game)s: come and play") % {"game": "Pebbles"}
    picture = re.search(r'<meta property="og:image" content="([^"]*)"', card)
    assert picture is None or picture[1].endswith("language=es")
    # whoever follows the link reads it in a language of their own
    assert '<html lang="ja"' in (await server.client().get(shared[1], headers={"Accept-Language": "ja"})).text


async def test_two_at_a_table_and_who_watches_have_three_languages(server: Server) -> None:
    ada, berta = await server.person("Ada"), await server.person("Berta")
    path = await server.shared_table(ada, berta)
    wanted = {"es": ada, "ja": berta, "pt": server.client()}
    for tag, who in wanted.items():
        who.headers["Accept-Language"] = tag
        shown = (await who.get(path)).text
        assert f'<html lang="{tag}">' in shown
        assert language(tag).text("What happened") in shown
        for other in ("en", *wanted):
            assert f'hreflang="{other}"' in shown
            assert other == tag or language(other).text("What happened") not in shown


async def test_a_page_is_laid_out_as_its_language_is_written(server: Server, offered: list[Language]) -> None:
    offered.append(Language("ar", [Catalogue({"X-Direction": "rtl"})]))
    assert '<html lang="ar" dir="rtl"' in (await server.client().get("/", headers={"Accept-Language": "ar"})).text
