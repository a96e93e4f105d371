"""The facts of every card, as a table of the printed cards has them, and what follows from them."""

import re
from collections import Counter

import pytest

from games.villagers.place import seat, table
from thorp.games.villagers.rules.cards import (
    EVENTS,
    ROLES,
    STARTERS,
    UNLOCKERS,
    VILLAGERS,
    Event,
    Villager,
    number,
    unlocked_by,
)

# id: suit, symbols, chain (from below), food, builder, gold, padlock, keyring
PRINTED = """
founders grain 1 - 0 0 2 - 0
founders_food grain 1 - 1 0 0 - 0
brewer grain 1 founders 1 1 0 cooper 2
poulterer grain 1 founders 1 0 3 carpenter 0
swineherd grain 1 founders 1 0 2 - 0
truffler grain 1 founders>swineherd 1 0 8 hunter 0
hayer hay 1 - 0 0 0 - 0
thatcher hay 1 hayer 0 1 2 - 0
bed_builder hay 2 hayer 0 0 4 carpenter 0
grazier hay 1 hayer 1 0 0 - 0
milk_maid hay 1 hayer>grazier 2 0 0 cooper 0
fromager hay 1 hayer>grazier>milk_maid 1 0 15 - 0
peddler hay 1 hayer 0 0 0 cartwright 0
horse_trader hay 1 hayer 0 0 0 - 0
ore_muler hay 1 hayer 0 0 0 - 0
miner ore 1 - 0 0 0 - 0
blacksmith ore 1 miner 0 0 2 - 10
glass_blower ore 2 miner 0 0 4 blacksmith 2
mason ore 1 miner 0 1 2 - 0
seeker ore 1 miner 0 0 0 - 0
spelunker ore 1 miner>seeker 0 0 10 chandler 0
jeweler ore 1 miner>seeker>spelunker 0 0 20 blacksmith 0
locksmith ore 1 miner 0 0 0 blacksmith 0
lumberjack wood 1 - 0 0 0 - 0
carpenter wood 1 lumberjack 0 1 0 - 8
cooper wood 1 lumberjack 0 0 4 blacksmith 6
shipwright wood 1 lumberjack 0 1 2 - 4
wheeler wood 1 lumberjack 0 0 3 - 0
cartwright wood 1 lumberjack>wheeler 0 0 9 - 2
log_rafter wood 2 lumberjack 0 0 0 - 0
wood_carver wood 1 lumberjack 0 0 0 - 0
graper grape 1 - 1 0 0 - 0
vintner grape 1 graper 0 0 5 cooper 0
wine_trader grape 1 graper>vintner 0 0 14 glass_blower 0
tanner leather 1 - 0 0 2 - 0
saddler leather 1 tanner 0 0 5 - 0
cobbler leather 1 tanner 0 0 6 blacksmith 0
shepherd wool 1 - 1 0 0 - 0
spinner wool 1 shepherd 0 0 4 - 0
weaver wool 1 shepherd>spinner 0 0 12 carpenter 0
tailor wool 1 shepherd>spinner>weaver 0 0 24 - 0
harvester solitary 1 - 1 0 0 - 2
hunter solitary 1 - 1 0 0 - 2
chandler solitary 2 - 0 0 3 - 4
wattler solitary 1 - 0 1 0 - 0
fisher solitary 1 - 1 0 3 shipwright 0
beekeeper solitary 1 - 0 0 4 carpenter 0
grocer solitary 1 - 0 0 0 harvester 0
freemason solitary 1 - 0 0 0 brewer 0
priest solitary 1 - 0 0 0 chandler 0
agent solitary 1 - 0 0 0 - 0
monk special 1 - 0 0 0 - 0
apprentice special 1 - 0 0 0 - 0
tinner special 1 - 0 0 0 - 0
smuggler special 1 - 0 0 0 shipwright 0
"""
ROWS = [line.split() for line in PRINTED.strip().splitlines()]
CHAIN = {row[0]: [] if row[3] == "-" else row[3].split(">") for row in ROWS}
SHOWN = [row for row in ROWS if row[1] != "special"]


def chain_below(id: str) -> list[str]:
    """What stands below a card, from the bottom."""
    below = VILLAGERS[number(id)].predecessor
    return [*chain_below(below), below] if below else []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_card_is_as_printed(row: list[str]) -> None:
    id, suit, symbols, _, food, builder, gold, padlock, keyring = row
    card = VILLAGERS[number(id)]
    assert (card.suit, card.symbols) == (suit, int(symbols))
    assert (card.food, card.builder, card.gold) == (int(food), int(builder), int(gold))
    assert (card.padlock or "-", card.keyring) == (padlock, int(keyring))
    assert chain_below(id) == CHAIN[id]
    assert card.effect
    # of all others signs and the place in a chain tell it
    assert bool(card.brief) == (suit == "special")


@pytest.mark.parametrize("row", SHOWN, ids=lambda row: row[0])
def test_a_card_on_top_shows_its_food_builder_and_gold(row: list[str]) -> None:
    id, food, builder, gold = row[0], *map(int, row[4:7])
    below = CHAIN[id]
    chain = " > ".join([*below, id])
    village = chain if chain.startswith("founders") else f"founders; {chain}"
    shown = table(seat(village), seat()).player()
    founders = 2 if not chain.startswith("founders") else 0
    assert (shown.food, shown.builders, shown.income.gold) == (food, builder, gold + founders)
    assert shown.cards == len(below) + 1 + (founders > 0)


@pytest.mark.parametrize("row", [row for row in SHOWN if row[0] not in ("hayer", "lumberjack", "miner")][2:])
def test_a_card_is_built_on_its_predecessor_only(row: list[str]) -> None:
    id, below = row[0], CHAIN[row[0]]
    # without it
    bare = table(seat("hayer; miner; lumberjack" if below else "", id, 20), *[seat("")] * 3)
    on_bare = bare.legal("build")
    # with all that it needs
    chains = "; ".join(filter(None, [" > ".join(below)]))
    full = table(seat(chains, id, 20), *[seat("")] * 3)
    if below:
        assert on_bare == (
            [f"build {id} fresh"] if below == [below[0]] and below[0] in ("hayer", "miner", "lumberjack") else []
        )
        assert full.legal("build") == [f"build {id} fresh"]
        full.play(f"build {id} fresh")
        assert full.village() == " > ".join([*below, id])
    else:
        assert full.legal("build") == [f"build {id} new"]
        assert full.play(f"build {id} new").village() == id


def test_the_box_has_100_cards_of_the_deck_30_basic_villagers_and_5_founders() -> None:
    assert sum(card.copies for card in VILLAGERS if card.in_deck) == 100
    assert [VILLAGERS[number(id)].copies for id in ("hayer", "lumberjack", "miner")] == [10, 10, 10]
    assert VILLAGERS[number("founders")].copies == 5
    assert sum(card.copies for card in VILLAGERS if card.four_plus) == 14


def test_every_keyring_is_the_number_of_cards_that_its_villager_unlocks() -> None:
    for id in UNLOCKERS:
        assert VILLAGERS[number(id)].keyring == sum(card.copies for card in unlocked_by(id))
    assert len(UNLOCKERS) == 10
    assert Counter(bool(card.padlock) for card in VILLAGERS)[True] == 21


def test_unlockers_builders_and_silver_are_never_covered() -> None:
    covered = {VILLAGERS[number(id)] for id in ROLES}
    assert not [card.id for card in covered if card.keyring or card.builder or card.silver]


def test_starters_bear_two_branches_and_all_others_one() -> None:
    assert {id: VILLAGERS[number(id)].successors for id in ROLES} == {
        id: 2 if place < STARTERS else 1 for place, id in enumerate(ROLES)
    }
    assert set(ROLES[:STARTERS]) == {"founders", "hayer", "lumberjack", "miner", "graper", "tanner", "shepherd"}


def test_there_are_12_events_of_summer_and_12_of_winter() -> None:
    assert Counter(event.deck for event in EVENTS) == {"summer": 12, "winter": 12}
    assert len({event.id for event in EVENTS}) == 24


# --- what cards say, against their facts -------------------------------------------------------------------------

THINGS = {
    "gold_symbols": "gold symbols that show in your village",
    "padlocks": "padlock of your village, covered ones too",
    "food": "food that shows in your village",
    "builders": "builder that shows in your village",
}


def said_of(card: Villager) -> list[str]:
    """What a card has to say of what it shows, and of what it opens."""
    shows = [
        f"{card.gold} gold at each market" if card.gold else "",
        f"{card.food} card{'s' * (card.food > 1)} more in the draft" if card.food else "",
        f"{card.builder} build action{'s' * (card.builder > 1)} more" if card.builder else "",
    ]
    opened = ", ".join(dict.fromkeys(other.name for other in VILLAGERS if other.padlock == card.id))
    return [part for part in (", ".join(filter(None, shows)), f"Unlocks {opened}" if opened else "") if part]


@pytest.mark.parametrize("card", VILLAGERS, ids=lambda card: card.id)
def test_a_card_says_what_it_shows_and_opens(card: Villager) -> None:
    wanted = said_of(card)
    if card.silver is None and wanted and card.id != "countess":
        assert card.effect == ". ".join(wanted) + "."
    else:
        assert all(part in card.effect for part in wanted)
        assert ("Unlocks" in card.effect) == any("Unlocks" in part for part in wanted)


@pytest.mark.parametrize("card", [card for card in VILLAGERS if card.silver], ids=lambda card: card.id)
def test_a_card_says_what_its_silver_pays(card: Villager) -> None:
    silver = card.silver
    assert silver
    if silver.counts not in ("coins", "gold_of_suit"):
        thing = THINGS.get(silver.counts) or f"{silver.suit} symbol{'s' * (silver.per > 1)} of your village"
        every = f"every {silver.per}" if silver.per > 1 else "every"
        assert card.effect.startswith(f"Second Market: {silver.times} gold for {every} {thing}")
    else:
        assert (silver.times, silver.per) == (1, 1)
        assert not [letter for letter in card.effect if letter.isdigit()]
    if silver.counts == "suit_symbols" and silver.suit != "solitary":
        # solitary villagers are never covered
        assert card.effect.endswith(", covered ones too.")


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.id)
def test_an_event_says_its_number(event: Event) -> None:
    numbers = [int(number) for number in re.findall(r"\d+", event.effect)]
    assert numbers == ([event.amount] if numbers else [])
    # where it says none, one or none at all is meant
    assert numbers or event.amount in (0, 1)
