"""The page of a game's rules: whole and linked in every language, reached from forms, tables and cards."""

from __future__ import annotations

import gzip
import random
import re
from collections import Counter
from pathlib import Path

import connect_four
import pytest
from markupsafe import escape
from wrapped import bare, wrapped

import thorp
from thorp.checks.matches import play_randomly
from thorp.checks.pages import Pages
from thorp.core.blocks import ids as ids_of
from thorp.core.language import ENGLISH, language, speaking, translated
from thorp.core.match import Match
from thorp.core.registry import register
from thorp.server.app import COMPRESSION
from thorp.server.web import languages
from thorp.server.web.rulebooks import Rulebooks, rules_address
from thorp.server.web.templates import STATIC, Assets

from .conftest import Server

pytestmark = pytest.mark.anyio
TOLD = ("tiny-towns", "villagers", "valeria", "connect-four")


@pytest.fixture(autouse=True)
def games() -> None:
    register(connect_four.GAME)


@pytest.fixture(autouse=True)
def offered(monkeypatch: pytest.MonkeyPatch) -> None:
    """All languages that have a folder can be chosen, and one that wraps all it knows."""
    there = (ENGLISH, *map(language, translated()), wrapped())
    monkeypatch.setattr(languages, "_complete", lambda games: there)


async def page(server: Server, id: str, tag: str = "en") -> str:
    answer = await server.client().get(f"/games/{id}/rules", headers={"Accept-Language": tag})
    assert answer.status_code == 200, answer.text
    return answer.text


@pytest.mark.parametrize("id", TOLD)
async def test_every_card_and_ruling_has_its_place_and_every_link_leads_somewhere(server: Server, id: str) -> None:
    text = await page(server, id)
    book = thorp.game(id).rulebook()
    assert book
    ids = Counter(re.findall(r'\sid="([^"]+)"', text))
    assert [id for id, times in ids.items() if times > 1] == []
    assert set(book.anchors()) <= set(ids)
    assert set(re.findall(r'\shref="#([^"]+)"', text)) <= set(ids)
    for card in book.cards:
        assert f"<h4>{escape(card.name)}</h4>" in text
        assert f'<a href="#{card.anchor}">{escape(card.name)}</a>' in text
        for ruling in card.rulings:
            assert str(escape(ruling)) in text
    assert set(re.findall(r'<use href="#([^"]+)"', text)) <= set(ids), "a drawing that is not on the page"


@pytest.mark.parametrize("id", TOLD)
async def test_contents_tell_all_chapters(server: Server, id: str) -> None:
    text = await page(server, id)
    contents = re.findall(r'class="depth-2"><a href="#([^"]+)"', text)
    book = thorp.game(id).rulebook()
    assert book
    chapters = [line.heading[1] for line in book.lines() if line.heading and line.heading[0] == 2]
    assert len(contents) == len(chapters) + bool(book.cards)


def text_of(page: str) -> str:
    """The rules themselves, without what is around them on the page."""
    return re.split(r"<main[^>]*>|</main>", page)[1]


@pytest.mark.parametrize("id", TOLD[:3])
@pytest.mark.parametrize("tag", translated())
async def test_in_every_language_the_page_is_built_as_in_english(server: Server, id: str, tag: str) -> None:
    english, text = await page(server, id), await page(server, id, tag)
    assert f'<html lang="{tag}"' in text
    # the same places, called the same, and the same ways to them: an address leads there in every language
    assert re.findall(r'\sid="([^"]+)"', text_of(text)) == re.findall(r'\sid="([^"]+)"', text_of(english))
    for kind in (r'\shref="(#[^"]+)"', r"<(h\d|li|td|th|strong|em|code|blockquote|figure|figcaption|pre|dt|dd)\b"):
        assert Counter(re.findall(kind, text_of(text))) == Counter(re.findall(kind, text_of(english)))
    assert re.findall(r'class="depth-.*?href="(#[^"]+)"', text) == re.findall(
        r'class="depth-.*?href="(#[^"]+)"', english
    )


@pytest.mark.parametrize("id", TOLD[:3])
@pytest.mark.parametrize("tag", translated())
async def test_what_is_not_translated_is_marked_as_english(server: Server, id: str, tag: str) -> None:
    game = thorp.game(id)
    book = game.rulebook()
    assert book
    spoken = language(tag).within(game.words)
    missing = [text for text in ids_of(book.text) if not spoken.says(text)]
    text = await page(server, id, tag)
    assert ('class="rules-english"' in text) == bool(missing)
    assert ('lang="en"' in text_of(text)) == bool(missing)
    # what is translated is not there in English
    for block in ids_of(book.text):
        if block not in missing and spoken.text(block) != block and len(block) > 40 and "](" not in block:
            assert str(escape(re.sub(r"[*`]", "", block))) not in re.sub(r"</?(strong|em|code)>", "", text)


@pytest.mark.parametrize("id", TOLD[:3])
async def test_all_of_the_page_is_in_a_catalogue(server: Server, id: str) -> None:
    text = await page(server, id, "en-x-wrapped")
    assert 'lang="en"' not in text_of(text)
    assert bare(text_of(text), thorp.game(id).name, "Ada", "Ben") == []


async def test_a_page_is_made_once_in_each_language(server: Server) -> None:
    books: Rulebooks = server.app.state.rulebooks
    game = thorp.game("valeria")
    english = books.of(game)
    with speaking(language("es").within(game.words)):
        spanish = books.of(game)
        assert books.of(game) is spanish
    assert spanish is not english
    assert books.of(game) is english


async def test_rules_that_no_language_says_are_shown_in_english(server: Server) -> None:
    text = await page(server, "connect-four", "es")
    assert 'class="rules-english"' in text
    assert '<h2 id="a-turn" lang="en">A turn</h2>' in text
    assert '<li id="ruling-1" lang="en">A full column cannot be chosen.</li>' in text
    assert '<li class="depth-2" lang="en"><a href="#a-turn">A turn</a></li>' in text
    assert "rules-english" not in await page(server, "connect-four")


@pytest.mark.parametrize("id", TOLD[:3])
async def test_the_page_is_light(server: Server, id: str) -> None:
    text = await page(server, id)
    total = len(gzip.compress(text.encode(), COMPRESSION))
    for look in re.findall(r'href="(/games/[^"]+\.css)"', text):
        answer = await server.client().get(look)
        assert answer.status_code == 200
        total += len(gzip.compress(answer.content, COMPRESSION))
    total += len(gzip.compress((STATIC / Assets().address("rules.css").rpartition("/")[2]).read_bytes(), COMPRESSION))
    assert total < 60_000


async def test_nothing_in_the_text_is_taken_for_markup(server: Server) -> None:
    text = await page(server, "connect-four")
    assert "&lt;b&gt;both&lt;/b&gt;" in text
    # its drawings have no macro: what is drawn stands there as it is written
    assert '<pre class="rules-lines">. . . .\n. x . .\n. o x .\n</pre>' in text
    assert "<strong>Four of your discs in a line win.</strong>" in text


async def test_comments_and_links_to_other_files_are_for_docs_only(server: Server) -> None:
    for id in TOLD[:3]:
        text = await page(server, id)
        assert "make docs" not in text
        assert not re.search(r'href="[^"]*\.md"', text)
    assert "town-cards.md" in await page(server, "tiny-towns")


async def test_a_game_without_rules_has_no_page_and_no_link(server: Server) -> None:
    client = await server.person()
    answer = await client.get("/games/pebbles/rules")
    assert answer.status_code == 404
    assert "There are no rules of such a game here." in answer.text
    assert (await client.get("/games/nothing/rules")).status_code == 404
    assert rules_address("pebbles") == rules_address("nothing") == ""
    path = await server.table(client)
    for other in ("/games/pebbles", path):
        assert "/rules" not in (await client.get(other)).text


async def test_forms_and_tables_lead_to_the_rules(server: Server) -> None:
    client = await server.person()
    assert 'href="/games/villagers/rules"' in (await client.get("/games/villagers")).text
    path = await server.table(client, game="villagers")
    text = (await client.get(path)).text
    assert re.search(
        r'<a class="bar-button bar-rules" href="/games/villagers/rules" target="[^"]+" data-key="k">', text
    )
    assert "<kbd>K</kbd>" in text
    for card in thorp.game("villagers").face.rule_cards():
        assert f'href="/games/villagers/rules#{card.anchor}"' in text


@pytest.mark.parametrize("game", TOLD[:3])
def test_every_card_of_a_table_leads_to_its_place(game: str) -> None:
    match = Match(thorp.game(game), 2, seed=3)
    pages = Pages()
    table = pages.table(match)
    # the texts of cards stand in the fragment, or once on the page
    html = pages.fragment(table, 0) + pages.once(table, 0)
    leaves = set(re.findall(r'id="about-([^"]+)"', html))
    assert leaves
    assert {f"#card-{id}" for id in leaves} == set(re.findall(rf'href="/games/{game}/rules(#card-[^"]+)"', html))


def test_a_card_of_ones_own_is_not_taken_for_the_printed_one() -> None:
    deck = (Path(__file__).parents[1] / "games" / "valeria" / "deck.toml").read_text("utf-8")
    match = Match(thorp.game("valeria"), 2, options={"deck": deck}, seed=3)
    pages = Pages()
    html = pages.once(pages.table(match), 0)
    linked = set(re.findall(r'/rules#card-([^"]+)"', html))
    own = {card.id: card for card in match.view(0).deck_cards}
    same = {card.id for card in thorp.game("valeria").face.rule_cards() if own.get(card.id) == card.card}
    assert linked == same
    assert same < set(own)


@pytest.mark.parametrize("game", TOLD[:3])
def test_words_of_a_table_lead_to_their_place(game: str) -> None:
    match = Match(thorp.game(game), 2, seed=3)
    # past what comes before the first round
    play_randomly(match, random.Random(1), moves=12)
    pages = Pages()
    table = pages.table(match)
    terms = {
        anchor
        for seat in (0, 1)
        for anchor in re.findall(
            rf'<a href="/games/{game}/rules#([^"]+)"[^>]* class="term', pages.fragment(table, seat)
        )
    }
    assert terms
    book = thorp.game(game).rulebook()
    assert book
    assert terms <= set(book.anchors())
