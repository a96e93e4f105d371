"""The table as it is rendered: whatever is offered can be clicked, at every ply of whole matches.

Recorded matches of all games are played again, and others of Tiny Towns in which the cards of the Factory's type ask
for more than squares and cards. What stands on every page (squares, the piles of Villagers and Valeria) makes no new
question. A question is rendered where it has something to click that the match had not asked for before, or where such
kinds of things had not been asked for together.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from thorp.checks.pages import Pages
from thorp.checks.showing import clickable
from thorp.core.game import AnyGame
from thorp.core.match import Match
from thorp.core.registry import register
from thorp.games import tiny_towns, valeria, villagers
from thorp.games.tiny_towns.face.view import View
from thorp.games.tiny_towns.rules.cards import FACTORY_TYPE, RESOURCES
from thorp.server.tables.store import SeatRow
from thorp.server.tables.table import Table
from thorp.server.web.regions import Drawn
from thorp.server.web.shown import Offer, show

MATCHES = Path(__file__).parents[1] / "matches"
RECORDED = sorted(
    path for folder in ("tiny_towns", "valeria", "villagers") for path in (MATCHES / folder).glob("*.json")
)
#: Steps that are on every page of a game.
ALWAYS = ("square-", "basic-", "pile-")
#: What the cards of the Factory's type let one do with a cube.
WANTED = ("substitute", "swap", "store")

_HULL = re.compile(r'\sid="hull-(foot-[^"]*)"')

GAME = tiny_towns.GAME

for game in (tiny_towns.GAME, valeria.GAME, villagers.GAME):
    register(game)


@cache
def pages() -> Pages:
    return Pages()


def check(table: Table, seat: int, offers: tuple[Offer, ...]) -> None:
    """Whatever is offered to a seat stands on its page."""
    html = pages().fragment(table, seat)
    asked = {step for offer in offers for step in offer.steps}
    families = {offer.family for offer in offers}
    assert asked - clickable(html) == set(), f"ply {table.match.ply}, seat {seat}: {families} cannot be chosen"
    assert {step for step in asked if step.startswith("foot-")} == set(_HULL.findall(html))


def walk(table: Table) -> Iterator[None]:
    """Check every seat that is asked something else than before; then wait for a move."""
    known: set[str] = set()
    together: set[frozenset[str]] = set()
    while not table.match.over:
        for seat in table.match.waiting:
            steps = table.match.game.face.steps
            asked = {step for move in table.match.legal(seat) for step in steps(table.match.state, seat, move)}
            question = {step for step in asked if not step.startswith(ALWAYS)}
            kinds = frozenset(step.rpartition("-")[0] for step in question)
            if not question <= known or kinds not in together:
                check(table, seat, show(table, seat)["offers"])
                known |= question
                together.add(kinds)
        yield


def play(table: Table, seat: int, move: int) -> None:
    """As the server does: the match at the table is replaced as a whole."""
    match = table.match.copy()
    table.advance(match, [seat], [match.replay(seat, move)], [match.waiting])


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_recorded_matches_offer_nothing_that_cannot_be_clicked(path: Path) -> None:
    recorded = Match.load(path.read_text(encoding="utf-8"))
    chosen = [entry for entry in recorded.log() if not entry.forced]
    match = Match(recorded.game, recorded.seats, recorded.options, recorded.seed, forced=recorded.forced)
    table = pages().table(match)
    for entry, _ in zip(chosen, walk(table), strict=False):
        play(table, entry.seat, entry.move)
    assert table.match.digest() == recorded.digest()


@pytest.mark.parametrize("game", [tiny_towns.GAME, valeria.GAME, villagers.GAME], ids=lambda game: game.id)
def test_others_are_seen_to_be_bots_and_to_be_away(game: AnyGame) -> None:
    table, drawn = pages().table(Match(game, 3, seed=1)), Drawn()
    people = table.seats

    def marks(second: SeatRow, third: SeatRow) -> list[str]:
        table.furnish(table.row, [people[0], second, third])
        # what is kept of the regions is rendered again where a seat is another's
        regions = pages().drawn(table, 0, drawn).regions
        return re.findall(r'(?:bot|away)-mark">(.*?)<', regions["other-1"] + regions["other-2"])

    assert marks(people[1], people[2]) == []
    bot = SeatRow(1, None, "casual", "Person 1")
    away = SeatRow(2, None, "casual", "Person 2", away="person-2")
    assert marks(bot, people[2]) == ["bot"]
    assert marks(bot, away) == ["bot", "away: a bot plays"]
    assert marks(people[1], away) == ["away: a bot plays"]
    assert marks(people[1], people[2]) == []


#: How each game tells who watches, and others, of somebody: the region of the large village, and what stands there.
TOLD = {
    "tiny-towns": ("town", r'(thinking-word">.*?<|\d+ built<|its-monument">|bot-mark|away-mark)'),
    "valeria": ("valeria-village", r'(va-thinking">.*?<|\d+</b> cards?<|\d+ cards? in hand<|bot-mark|away-mark)'),
    "villagers": ("vi-village", r'(vi-thinking">.*?<|vi-did">.*?<|vi-backed hue-\w-\w+|bot-mark|away-mark)'),
}


@pytest.mark.parametrize("game", [tiny_towns.GAME, valeria.GAME, villagers.GAME], ids=lambda game: game.id)
def test_who_watches_is_told_of_the_first_seat_what_others_are_told_of_it(game: AnyGame) -> None:
    match = next(match for match in (Match(game, 3, seed=seed) for seed in range(50)) if 0 in match.waiting)
    table, watching, facing = pages().table(match), Drawn(), Drawn()
    people = table.seats
    region, told = TOLD[game.id]

    def facts(page: str) -> set[str]:
        # the number of cards stands in a sentence or in a sign
        return {re.sub(r"</b>|(?: in hand)?<$", "", fact) for fact in re.findall(told, page)}

    bot = SeatRow(0, None, "casual", "Person 0")
    away = SeatRow(0, None, "casual", "Person 0", away="person-0")
    for first, marks in ((people[0], set()), (bot, {"bot-mark"}), (away, {"away-mark"})):
        table.furnish(table.row, [first, *people[1:]])
        # what is kept of the regions is rendered again where the seat is another's
        large = facts(pages().drawn(table, None, watching).regions[region])
        assert large == facts(pages().drawn(table, 1, facing).regions["other-0"])
        assert large >= marks
        assert len(large - {"bot-mark", "away-mark"}) >= 2
    # who sits there knows it
    assert not facts(pages().drawn(table, 0, Drawn()).regions[region]) & {"bot-mark", "away-mark"}


@pytest.mark.parametrize(
    ("factory", "seats", "families"),
    [
        ("factory", 1, {"mark", "substitute"}),
        ("factory", 2, {"mark", "substitute"}),
        ("warehouse", 1, {"store", "swap"}),
        ("warehouse", 3, {"store", "swap"}),
        ("trading_post", 1, {"build"}),
        ("trading_post", 2, {"build"}),
        ("bank", 2, {"mark"}),
        ("bank", 4, {"mark"}),
    ],
)
def test_factories_and_their_like_can_be_played(factory: str, seats: int, families: set[str]) -> None:
    """A random game in which everybody builds that card first."""
    rng = random.Random(f"{factory} {seats}")
    options = {"factory": factory, "monuments": "no", "cavern": rng.choice(("yes", "no"))}
    table = pages().table(Match(GAME, seats, options, rng.getrandbits(63), forced=rng.random() < 0.5))
    met: set[str] = set()
    for _ in walk(table):
        seat = rng.choice(table.match.waiting)
        offers = show(table, seat)["offers"]
        met |= {offer.family for offer in offers}
        play(table, seat, rng.choice(preferred(table.match.view(seat), offers)).move)
    assert families <= met, f"{families - met} were never offered: choose another seed"


def preferred(view: View, offers: tuple[Offer, ...]) -> list[Offer]:
    """What leads to the card of the Factory's type, its pattern in the top left corner; then what it lets one do."""
    town, card = view.towns[view.seat or 0], view.cards[FACTORY_TYPE]
    cells = [(4 * y + x, letter) for y, row in enumerate(card.pattern) for x, letter in enumerate(row) if letter != "."]
    plan = {square: RESOURCES["WTBGS".index(letter)] for square, letter in cells}
    free = {square: name for square, name in plan.items() if not town.squares[square].cube}
    if any(square.building is card for square in town.squares):
        first = [offer for offer in offers if offer.family in WANTED]
    elif offers[0].family in ("name", "pick"):
        first = [offer for offer in offers if RESOURCES[int(offer.steps[0][-1])] in free.values()]
    elif offers[0].family == "place":
        first = [offer for offer in offers if offer.steps in [(f"square-{n}",) for n in free if free[n] == town.hand]]
        first = first or [offer for offer in offers if offer.steps not in [(f"square-{n}",) for n in plan]]
    else:
        first = [offer for offer in offers if offer.steps[0] == f"card-{FACTORY_TYPE}"]
        first = first or [offer for offer in offers if offer.family == "done"]
    return first or list(offers)
