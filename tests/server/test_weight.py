"""What the first page weighs on its way: scripts/weight.py measures it in a browser, and this keeps it so."""

from __future__ import annotations

import gzip
import re

import pytest
from server.conftest import Server

from thorp.core.language import ENGLISH, language
from thorp.core.registry import game, register
from thorp.server.app import COMPRESSION
from thorp.server.web import languages
from thorp.server.web.templates import STATIC, Assets, _only_used

pytestmark = pytest.mark.anyio

#: The fonts that a page in English asks for, by the beginnings of their names.
FONTS = ("fraunces-latin-600-normal", "source-sans-3-latin-wght-normal")


async def test_the_first_page_stays_below_a_hundred_kilobytes(server: Server) -> None:
    for id in ("tiny-towns", "villagers", "valeria"):
        register(game(id))
    client = server.client()
    home = await client.get("/", headers={"Accept-Encoding": "gzip"})
    total = int(home.headers.get("content-length") or len(gzip.compress(home.content, COMPRESSION)))
    for look in re.findall(r'href="(/games/[^"]+\.css)"', home.text):
        total += len(gzip.compress((await client.get(look)).content, COMPRESSION))
    for name in ("pages.js", "main.css", "icon.svg"):
        total += len(gzip.compress((STATIC / Assets().address(name).rpartition("/")[2]).read_bytes(), COMPRESSION))
    fonts = [path for path in STATIC.glob("*.woff2") if path.name.startswith(FONTS)]
    assert len(fonts) == 2
    total += sum(path.stat().st_size for path in fonts)
    assert total < 100_000


@pytest.mark.parametrize("path", ["/", "/games/tiny-towns/rules", "/credits"])
async def test_fonts_are_asked_for_before_the_styles_that_name_them(server: Server, path: str) -> None:
    """By the same addresses: by others they would be loaded twice."""
    register(game("tiny-towns"))
    head = (await server.client().get(path)).text.partition("</head>")[0]
    assets = Assets()
    asked = re.findall(r'<link rel="preload" href="([^"]+)" as="font" type="font/woff2" crossorigin>', head)
    assert sorted(asked) == sorted(assets.address(f"{font}.woff2") for font in FONTS)
    main = assets.address("main.css")
    assert max(head.index(each) for each in asked) < head.index(main)
    styles = (STATIC / main.rpartition("/")[2]).read_text("utf-8")
    assert all(each.rpartition("/")[2] in styles for each in asked)


async def test_japanese_has_its_signs_in_three_hundred_kilobytes(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For its own pages alone."""
    monkeypatch.setattr(languages, "_complete", lambda games: (ENGLISH, language("ja"), language("es")))
    linked = {}
    for tag in ("en", "es", "ja"):
        text = (await server.client().get("/", headers={"Accept-Language": tag})).text
        linked[tag] = Assets().address("japanese.css") in text
    assert linked == {"en": False, "es": False, "ja": True}
    assert sum(path.stat().st_size for path in STATIC.glob("japanese-*.woff2")) < 300_000


def test_a_drawing_keeps_the_symbols_that_it_uses_and_no_others() -> None:
    sprite = (
        '<symbol id="a" viewBox="0 0 1 1"><use href="#b"/></symbol>\n<symbol id="b"><path/></symbol>\n'
        '<symbol id="c"><use href="#c"/></symbol>'
    )
    assert _only_used(f'{sprite}<svg><use href="#a"/><use href="#elsewhere"/></svg>') == (
        '<symbol id="a" viewBox="0 0 1 1"><use href="#b"/></symbol>\n<symbol id="b"><path/></symbol>\n'
        '<svg><use href="#a"/><use href="#elsewhere"/></svg>'
    )
