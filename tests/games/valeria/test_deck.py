"""The Thorp deck: what is known of the printed cards in either edition, and how the second is made up."""

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from statistics import mean

import pytest

from games.valeria.place import dealt, with_powers
from thorp.games.valeria import GAME
from thorp.games.valeria.decks.deck_toml import write
from thorp.games.valeria.decks.known import DECKS, FIRST, SECOND
from thorp.games.valeria.options import cards
from thorp.games.valeria.rules.deck import MOST_NAMES, NUMBERS, Adventurer, Building, Deck
from thorp.games.valeria.rules.powers import ACTIONS, COUNTS, PAYS, RESOURCES, TYPES, WHENS, Power
from thorp.games.valeria.rules.rounds import (
    DEVELOP_FOLLOW,
    DEVELOP_LEAD,
    HAND_LIMIT,
    HARVEST_FOLLOW,
    HARVEST_LEAD,
    IDLE_ROUNDS,
    SMALL_TABLE,
)
from thorp.games.valeria.rules.villages import FOLLOW_PRICE, LEAD_PRICE

THORP = DECKS.standard
#: What a state calls the first edition.
FIRST_KEY = 1199018373
EDITIONS = [DECKS.of_value(SECOND), DECKS.of_value(FIRST)]
POWERS = [power for card in THORP.every for power in card.powers]


# --- known cards ------------------------------------------------------------------------------------------------


def building(deck: Deck, id: str) -> Building:
    return next(each for each in deck.buildings if each.id == id)


def adventurer(deck: Deck, id: str) -> Adventurer:
    return next(each for each in deck.adventurers if each.id == id)


@pytest.mark.parametrize("deck", EDITIONS, ids=[SECOND, FIRST])
class TestKnown:
    """What is known of printed cards holds in every edition."""

    def test_armory(self, deck: Deck) -> None:
        assert building(deck, "armory").costs == ("wood", "stone", "stone")
        assert building(deck, "armory").powers == (Power("build", "draw"),)

    def test_farm(self, deck: Deck) -> None:
        farm = building(deck, "farm")
        assert farm.costs == ("wood", "wood", "stone", "magic")
        assert farm.powers == (Power("paying", "resource", of="food"),)
        assert "food" in farm.copies

    def test_tannery(self, deck: Deck) -> None:
        assert building(deck, "tannery").costs.count("food") == 1

    @pytest.mark.parametrize(
        ("id", "power"),
        [
            ("guard-tower", Power("harvest", "draw")),
            ("barracks", Power("develop", "draw")),
            ("wizards-tower", Power("build", "coins")),
            ("witchs-hut", Power("instant", "coins", pay="1 card")),
        ],
    )
    def test_known_powers(self, deck: Deck, id: str, power: Power) -> None:
        assert building(deck, id).powers == (power,)

    def test_cathedral_and_oracle(self, deck: Deck) -> None:
        cathedral, oracle = building(deck, "cathedral").powers, building(deck, "oracle").powers
        both = (*cathedral, *oracle)
        assert all(power.when == "tax" and not power.pay for power in both)
        assert sum(power.amount for power in both if power.do == "draw") == 2
        assert sum(power.amount for power in both if power.do == "coins") == 1
        assert cathedral
        assert oracle

    def test_hideout(self, deck: Deck) -> None:
        hideout = building(deck, "hideout")
        assert (hideout.costs, hideout.points) == (("wood",), 1)
        assert "food" in hideout.copies

    def test_knight(self, deck: Deck) -> None:
        (power,) = adventurer(deck, "knight").powers
        assert (power.when, power.amount, power.per) == ("scoring", 1, 1)
        assert power.of in TYPES

    def test_paladin(self, deck: Deck) -> None:
        assert len(adventurer(deck, "paladin").types) == len(set(adventurer(deck, "paladin").types)) == 2


# --- how it is made up ------------------------------------------------------------------------------------------


def test_42_buildings_with_two_cards_each_whose_lower_halves_differ() -> None:
    assert len(THORP.buildings) == 42
    assert len(THORP.cards) == 84
    assert all(len(set(building.copies)) == len(building.copies) == 2 for building in THORP.buildings)


def test_21_cards_give_each_resource() -> None:
    assert Counter(resource for _, resource in THORP.cards) == dict.fromkeys(RESOURCES, 21)


def test_10_or_11_names_of_each_type() -> None:
    types = Counter(building.type for building in THORP.buildings)
    assert types.keys() == set(TYPES)
    assert set(types.values()) <= {10, 11}


def test_costs_are_1_to_5_the_most_2_to_4_and_resources_are_asked_for_about_equally() -> None:
    totals = Counter(len(building.costs) for building in THORP.buildings)
    assert totals.keys() == {1, 2, 3, 4, 5}
    assert totals[2] + totals[3] + totals[4] >= 30
    asked = Counter(resource for building in THORP.buildings for resource in building.costs)
    assert max(asked.values()) - min(asked.values()) <= sum(asked.values()) / 20


def test_points_grow_with_the_cost() -> None:
    """By what is printed: what cards score beside it is theirs on top."""
    means = [mean(b.points for b in THORP.buildings if len(b.costs) == cost) for cost in range(1, 6)]
    assert all(lower < higher for lower, higher in pairwise(means))
    assert 1 <= means[0] < 2.5
    assert means[4] - means[0] >= 3


def test_the_types_are_at_par() -> None:
    """A resource of the cost brings about as many printed points in every type, of holy and shadow ones a little fewer.

    Those score the most besides.
    """
    for type in TYPES:
        own = [b for b in THORP.buildings if b.type == type]
        worth = sum(b.points for b in own) / sum(len(b.costs) for b in own)
        assert 1.15 <= worth <= 1.56


def test_every_type_scores_in_a_way_of_its_own_and_most_holy_cards_do_nothing_else() -> None:
    counted: dict[str, set[str]] = {type: set() for type in TYPES}
    only = dict.fromkeys(TYPES, 0)
    for building in THORP.buildings:
        counted[building.type] |= {power.of for power in building.powers if power.when == "scoring"}
        only[building.type] += {power.when for power in building.powers} == {"scoring"}
    for type, own in counted.items():
        assert type in own
        assert own - set().union(*(others for other, others in counted.items() if other != type))
    assert max(only, key=lambda type: only[type]) == "holy"
    assert only["holy"] > sum(building.type == "holy" for building in THORP.buildings) / 2


def test_16_adventurers_13_ask_for_two_buildings_3_for_three_some_twice_the_same() -> None:
    assert Counter(len(adventurer.types) for adventurer in THORP.adventurers) == {2: 13, 3: 3}
    assert any(max(adventurer.needs) == 2 and len(adventurer.types) == 3 for adventurer in THORP.adventurers)
    asked = Counter(type for adventurer in THORP.adventurers for type in adventurer.types)
    assert max(asked.values()) - min(asked.values()) <= 2
    assert len({adventurer.name for adventurer in THORP.adventurers}) == 16


def test_no_two_adventurers_have_the_same_power() -> None:
    powers = [adventurer.powers for adventurer in THORP.adventurers]
    assert all(powers)
    assert len(set(powers)) == len(powers) == 16


def test_the_first_edition_is_as_it_was() -> None:
    """Matches that were recorded with it replay: a state knows its deck by this number."""
    first = DECKS.of_value(FIRST)
    assert first.key == FIRST_KEY
    assert [card.name for card in first.every] == [card.name for card in THORP.every]


def test_adventurers_have_2_to_5_points_and_four_or_five_score() -> None:
    assert {adventurer.points for adventurer in THORP.adventurers} == {2, 3, 4, 5}
    scoring = [a for a in THORP.adventurers if any(power.when == "scoring" for power in a.powers)]
    assert len(scoring) in (4, 5)


def test_there_are_powers_of_every_kind_but_what_makes_hiring_cheaper() -> None:
    """Who paid less for Recruit, or was paid for it, won ten to twenty games of 100 more in every form tried."""
    assert {power.when for power in POWERS} == set(WHENS[1:]) - {"hiring"}
    for action in ACTIONS:
        does = {power.do for power in POWERS if power.when == action}
        assert "draw" in does
        assert ("coins" in does) == (action != "recruit")
    first = [power for card in DECKS.of_value(FIRST).every for power in card.powers]
    assert {power.when for power in first} == set(WHENS[1:])
    assert {power.pay for power in POWERS if power.do == "resource"} == {"", "1 card", "1 coin"}
    assert any(power.do == "take" for power in POWERS)
    assert any(power.when == "instant" and power.pay for power in POWERS)
    counted = {power.of for power in POWERS if power.do == "score"}
    assert {"resources", "adventurers", "coins", "types"} <= counted
    assert counted & set(TYPES)


# --- decks as data ----------------------------------------------------------------------------------------------


def test_every_power_has_a_number_and_a_line_of_its_own() -> None:
    powers = [
        *(
            Power(when, do, amount, pay=pay)
            for when in ("instant", *ACTIONS)
            for do in ("draw", "coins", "take")
            for amount in range(1, 5)
            for pay in PAYS
        ),
        *(
            Power("paying", "resource", of=of, pay=pay)
            for of in (*RESOURCES, "any")
            for pay in ("", "1 card", "1 coin")
        ),
        *(Power("hiring", "cheaper", amount) for amount in range(1, 5)),
        *(Power("scoring", "score", amount, of, per) for amount in range(1, 5) for of in COUNTS for per in range(1, 8)),
    ]
    assert len({power.code for power in powers}) == len({power.text for power in powers}) == len(powers)
    assert all(0 < power.code < 1 << 15 for power in powers)


@pytest.mark.parametrize(
    ("power", "text"),
    [
        (Power("harvest", "draw", 2), "Harvest: draw 2 cards"),
        (Power("instant", "coins", pay="1 card"), "At once: discard 1 card: take 1 coin from the bank"),
        (Power("tax", "take", pay="2 coins"), "Tax: pay 2 coins: take 1 card from an opponent's hand"),
        (Power("paying", "resource", of="food"), "Paying a building: 1 food"),
        (Power("paying", "resource", of="any", pay="1 coin"), "Paying a building: pay 1 coin: 1 resource of any kind"),
        (Power("hiring", "cheaper", 2), "Paying for Recruit: 2 coins less"),
        (Power("scoring", "score", of="holy"), "At the end: 1 point for each holy building of yours"),
        (Power("scoring", "score", 2, "coins", 3), "At the end: 2 points for every 3 coins"),
    ],
)
def test_powers_in_words(power: Power, text: str) -> None:
    assert power.text == text


def test_a_deck_is_always_as_many_numbers() -> None:
    small = replace(THORP, buildings=THORP.buildings[:40], adventurers=THORP.adventurers[:5])
    assert len(THORP.numbers) == len(small.numbers) == NUMBERS
    assert THORP.key != small.key


def test_faces_are_found_by_their_numbers() -> None:
    for card in THORP.every:
        number = card.number if isinstance(card, Building) else MOST_NAMES + card.number
        assert THORP.face(number) is card
    assert isinstance(THORP.face(MOST_NAMES), Adventurer)


def test_a_deck_that_is_read_is_known_by_its_key() -> None:
    deck = with_powers(bakery=Power("tax", "coins", 3))
    DECKS.numbers(write(deck))
    assert DECKS.of_key(deck.key) == deck
    DECKS.numbers(SECOND)
    assert DECKS.of_key(THORP.key) == THORP


def test_cards_are_counted_in_the_order_of_the_deck() -> None:
    named = cards({"deck": SECOND})
    assert [card.name for card in named] == [card.name for card in THORP.every]


def test_the_game_says_that_the_deck_is_thorps_own() -> None:
    (option,) = GAME.options
    assert "own" in option.help
    assert option.default == SECOND
    assert option.label_of(SECOND) == "Thorp deck, second edition"
    assert option.label_of(FIRST) == "Thorp deck, first edition"


# --- the rules page ---------------------------------------------------------------------------------------------

PAGE = " ".join((Path(__file__).parents[3] / "docs" / "valeria.md").read_text("utf-8").split())


def test_the_rules_page_tells_how_many_cards_the_deck_has() -> None:
    copies = {len(building.copies) for building in THORP.buildings}
    assert copies == {2}
    assert f"{len(THORP.buildings)} buildings with two cards each" in PAGE
    assert f"and {len(THORP.adventurers)} adventurers" in PAGE
    costs = [len(building.costs) for building in THORP.buildings]
    assert f"a cost of {min(costs)} to {max(costs)} resources" in PAGE
    known = PAGE.partition("what is known of ")[2].partition(";")[0].replace(" and ", ", ").split(", ")
    assert len(known) == 12
    assert set(known) <= {card.name for card in THORP.every}


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_rules_page_tells_the_coins_hands_and_limits(seats: int) -> None:
    seen = dealt(seats).view()
    coins = seen.bank + sum(player.all_coins for player in seen.players)
    told = [int(number) for number in re.findall(r"\d+", PAGE.partition("There are ")[2].partition(" coins for")[0])]
    assert coins == dict(zip((2, 3, 4, 5), told, strict=True))[max(2, seats)]
    assert f"Everyone has {seen.players[0].coins} of them" in PAGE
    assert f"a hand of {seen.players[0].hand_size} building cards" in PAGE
    first, second = re.findall(r"has (\d+) buildings and adventurers together \(.*?\), or (\d+) \(", PAGE)[0]
    assert seen.limit == int(first if seats <= SMALL_TABLE else second)
    assert f"discards down to {HAND_LIMIT} cards in the end" in PAGE
    assert IDLE_ROUNDS == 10
    assert "Ten rounds in which nobody develops, builds or recruits end the game" in PAGE
    if seats == 1:
        assert f"or the {seen.turned_limit}th card was turned" in PAGE
        assert f"Solo: there are {coins} coins, {seen.players[0].coins} of them yours" in PAGE


def test_the_rules_page_tells_what_actions_give_and_cost() -> None:
    assert f"| [Recruit](#recruit) | pays {LEAD_PRICE} coin and takes an adventurer of the pool |" in PAGE
    assert f"| pays {FOLLOW_PRICE} coins and takes an adventurer |" in PAGE
    assert f"| [Harvest](#harvest) | draws {HARVEST_LEAD} cards | draws {HARVEST_FOLLOW} card |" in PAGE
    assert f"discards {DEVELOP_LEAD} card, then develops another | discards {DEVELOP_FOLLOW} cards" in PAGE
