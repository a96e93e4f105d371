"""Regions: what is kept is true, and what is sent as new makes the page what it would be."""

from __future__ import annotations

import random
import re

import pytest

from thorp.checks.matches import random_match
from thorp.checks.pages import Pages
from thorp.checks.showing import regions_are_made_of_what_they_name
from thorp.core.registry import game as find_game
from thorp.server.web.regions import Drawn, Fragment, Regions

PARTIAL = re.compile(r'<hx-partial hx-target="#table #([^"]+)" hx-swap="outerMorph">(.*?)</hx-partial>', re.DOTALL)
TAG = re.compile(r'<i data-of="([^"]+)" (.*?)></i>', re.DOTALL)


def test_a_region_is_rendered_where_it_is_made_of_something_else():
    drawn = Drawn()
    calls: list[str] = []

    def called(what: str) -> str:
        calls.append(what)
        return f"<p id='a'>{what}</p>"

    for what, expected in (("x", ["x"]), ("x", ["x"]), ("y", ["x", "y"]), ("x", ["x", "y", "x"])):
        regions = Regions(drawn)
        text = f"<main>{regions('a', what, caller=lambda what=what: called(what))}</main>"
        assert regions.fragment("1", text).text == f"<main><p id='a'>{what}</p></main>"
        assert calls == expected


def test_a_region_lies_in_no_other_and_comes_once():
    regions = Regions(Drawn())
    regions("a", caller=lambda: "<p></p>")
    with pytest.raises(ValueError, match="comes twice"):
        regions("a", caller=lambda: "<p></p>")
    regions = Regions(Drawn())
    with pytest.raises(ValueError, match="lies in"):
        regions("a", caller=lambda: regions("b", caller=lambda: "<p></p>"))


def test_parts_outlast_a_region_and_are_not_too_many():
    drawn = Drawn()
    assert [drawn.part("line", 1, caller=lambda n=n: str(n)) for n in range(3)] == ["0", "0", "0"]
    for n in range(10_000):
        drawn.part("line", n, caller=lambda: "")
    assert len(drawn.parts) < 1000


def test_all_is_sent_where_it_is_not_known_what_the_page_has():
    one = Fragment("1", ("<main ", ">", "</main>"), {"table": 'data-mark="1"', "a": '<p id="a">x</p>'})
    other = Fragment("2", ("<main ", "><br>", "</main>"), {"table": 'data-mark="2"', "a": '<p id="a">y</p>'})
    more = Fragment("2", one.texts, {"table": 'data-mark="2"', "b": '<p id="b">y</p>'})
    assert other.since(None) == other.since(one) == other.text
    assert more.since(one) == more.text


def applied(news: str, page: Fragment) -> dict[str, str]:
    """What a page does with what is new: the regions that it has then."""
    regions = dict(page.regions)
    for name, html in PARTIAL.findall(news):
        if name != "table-news":
            regions[name] = html
            continue
        assert f'data-base="{page.mark}"' in html
        regions.update(TAG.findall(html))
    return regions


@pytest.mark.parametrize("game", ["tiny-towns", "villagers", "valeria"])
def test_what_is_new_makes_the_page_what_it_would_be(game: str) -> None:
    pages = Pages()
    match = random_match(find_game(game), 3)
    table, rng = pages.table(match), random.Random(3)
    kept, shown = Drawn(), None
    sizes: list[tuple[int, int]] = []
    while True:
        now = pages.drawn(table, 0, kept)
        if shown is not None and (news := now.since(shown)) != now.text:
            assert applied(news, shown) == now.regions
            sizes.append((len(news), len(now.text)))
        shown = now
        if match.over:
            break
        seat = rng.choice(match.waiting)
        table.advance(match, [seat], [match.play(seat, rng.choice(match.legal(seat)))], [match.waiting])
    # most of what happens is told in part
    assert len(sizes) > 0.8 * match.ply / 2
    assert sum(new for new, _ in sizes) < 0.8 * sum(all for _, all in sizes)


def test_a_region_that_names_too_little_is_found(monkeypatch):
    game = find_game("tiny-towns")
    call = Regions.__call__
    monkeypatch.setattr(Regions, "__call__", lambda self, name, *seen, caller: call(self, name, caller=caller))
    assert any(
        "has changed, and what it names has not" in fault for fault in regions_are_made_of_what_they_name(game, 1)
    )
