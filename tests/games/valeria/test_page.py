"""What the rules of Villages of Valeria in words show as examples is what the rules give."""

from __future__ import annotations

import re

import pytest

from games.recorded import recorded
from games.valeria.place import seat, table
from thorp import Match
from thorp.checks.pages import Pages
from thorp.games.valeria import GAME
from thorp.games.valeria.decks.known import DECKS, FILES, FIRST
from thorp.games.valeria.rules.powers import RESOURCES, TYPES, Power

BOOK = GAME.rulebook()
assert BOOK
IDS = {card.name: card.id for card in BOOK.cards}
THORP = DECKS.standard


def section(title: str) -> str:
    """The text below a heading, up to the next one."""
    return re.split(r"\n#{2,3} ", BOOK.text.partition(f"# {title}\n")[2])[0]  # type: ignore[union-attr]


def block(title: str, kind: str) -> list[str]:
    """The lines between fences of that kind in a section."""
    (found,) = re.findall(rf"```{kind}\n(.*?)\n```", section(title), re.DOTALL)
    return str(found).splitlines()


def test_the_example_of_the_end_is_counted_so() -> None:
    village = " ".join(IDS[name] for name in block("An example", "village"))
    supply, castle = map(int, re.findall(r"(\d) coins in her supply and (\d) on her castle", section("An example"))[0])
    game = table(seat(village, coins=supply, castle=castle == 1), seat(), deck=THORP)
    rows = re.findall(r"^\| \**(.*?)\** \| \**(\d+)\** \|$", section("An example"), re.MULTILINE)
    assert int(GAME.score(game.state, 0)) == int(dict(rows)["Total"])
    assert sum(int(points) for _, points in rows[:-1]) == int(rows[-1][1])
    sheet = GAME.face.sheet(game.state)
    parts = sorted(int(row.points[0]) for row in sheet.rows if row.points[0])
    powers = sum(int(points) for words, points in rows if words.startswith("The "))
    plain = [int(points) for words, points in rows[:-1] if not words.startswith("The ")]
    assert parts == sorted([*plain, powers])


def test_the_example_of_paying_is_paid_so() -> None:
    owners = dict(line.split(": ") for line in block("Build", "slots"))
    resources = [
        " ".join(kind.rstrip("*") for kind in what.split(", ") if not kind.startswith("castle"))
        for what in owners.values()
    ]
    ada, ben = (seat("", "armory", resources[0]), seat("", "", resources[1]))
    game = table(ada, ben, deck=THORP).play("lead build")
    build = next(move for move in game.legal() if move.startswith("build armory"))
    game.play(build, "pay_own wood", "pay_castle stone", "pay_other 1 stone")
    paid = [
        [f"{own.kind}*" for own in game.player(number).resources for _ in range(own.coins)]
        + ["castle*"] * bool(game.player(number).castle_coin)
        for number in (0, 1)
    ]
    told = [[kind for kind in what.split(", ") if kind.endswith("*")] for what in owners.values()]
    assert list(map(sorted, paid)) == list(map(sorted, told))


def test_the_example_of_the_hand_limit_is_played_so() -> None:
    words = " ".join(section("Powers").split())
    assert "Ben has 7 cards and a Guard Tower, and follows Harvest." in words
    hand = "farm/food inn/wood market/food mill/wood smithy/food keep/food chapel/wood"
    game = table(seat(), seat("guard-tower", hand), deck=THORP)
    game.play("lead harvest", "draw deck", "draw deck", "draw deck")
    game.play("follow", "draw deck")
    game.play(next(move for move in game.legal() if move.startswith("use guard-tower")), "draw deck")
    assert game.hand_size(1) == 9
    game.play(next(move for move in game.legal() if move.startswith("discard")))
    assert game.hand_size(1) == 8


def deck_word(deck: str) -> str:
    """What the table says about its deck."""
    pages = Pages()
    page = pages.fragment(pages.table(Match(GAME, 2, {"deck": deck}, seed=1)), 0)
    (found,) = re.findall(r'<p class="va-deck-word">(.*?)</p>', page)
    return str(found)


@pytest.mark.parametrize("deck", FILES)
def test_the_table_says_of_each_deck_that_comes_with_thorp_that_it_is_our_own_design(deck: str) -> None:
    assert deck_word(deck) == f"{DECKS.of_value(deck).name}: our own design, not the printed cards"


def test_the_table_says_nothing_about_who_designed_a_deck_of_somebody_else() -> None:
    theirs = FILES[FIRST].read_text("utf-8").replace('name = "Thorp deck', 'name = "My deck', 1)
    assert deck_word(theirs) == f"The deck of this table: {DECKS.of_value(theirs).name}"


def test_villages_count_all_coins_at_the_end_as_the_score_sheet_does() -> None:
    ended = recorded("valeria", "two-seats")
    pages, row = Pages(), next(row for row in ended.sheet().rows if row.label.text == "Coins")
    before = ended.at(ended.ply - 1)
    for match in (ended, before):
        page = pages.fragment(pages.table(match), 0)
        shown = [int(coins) for coins in re.findall(r'<span class="va-purse"[^>]*>.*?<b>(\d+)</b>', page, re.DOTALL)]
        players = match.view(None).players
        assert shown == [player.all_coins if match.over else player.coins for player in players]
        assert ("all coins, those on castle and resources included" in page) == match.over
    assert [player.all_coins for player in ended.view(None).players] == [int(points) for points in row.points]
    assert [player.coins for player in ended.view(None).players] != [int(points) for points in row.points]


def test_what_the_rules_say_of_the_types_of_buildings_is_so() -> None:
    def powers(type: str) -> list[Power]:
        return [power for building in THORP.buildings if building.type == type for power in building.powers]

    told = {
        "worker": {*RESOURCES, "resources"},
        "soldier": {"soldier", "adventurers"},
        "shadow": {"coins", "shadow"},
        "holy": {"holy", "types"},
    }
    assert set(told) == set(TYPES)
    for type, mostly in told.items():
        of_type = [building for building in THORP.buildings if building.type == type]
        scoring = [power.of for power in powers(type) if power.do == "score"]
        assert abs(len(scoring) - len(of_type) / 2) <= 2
        assert len([of for of in scoring if of in mostly]) > len(scoring) / 2
        assert any(power.do == "draw" for power in powers(type))
        assert any(power.do == "take" for power in powers(type)) == (type == "shadow")
        assert any(power.when == "tax" for power in powers(type)) == (type == "holy")
    assert {power.of for power in powers("soldier") if power.do == "score"} == told["soldier"]
    assert len({card.powers for card in THORP.adventurers}) == len(THORP.adventurers) == 16
    assert len(THORP.buildings) == 42
