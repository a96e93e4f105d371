"""Games under the eyes of the referee; and examples of the rules page, which show that the referee itself is right."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from refereeing import PLAYERS, Move, hold, hold_many

import thorp
from games.villagers.referee import (
    BUILD,
    DRAFT,
    EVENTS,
    EVERYBODY,
    FACES,
    FACTS,
    GUARD,
    RESERVE,
    GameReferee,
    Silver,
    Village,
    Villager,
    best_printed_gold,
    builders,
    deck_of,
    first_market,
    food,
    links,
    own_role,
    role_in,
    second_market,
    shown_gold,
    silver_of,
    silver_sum,
    spots,
    stack_height,
)
from thorp.checks.matches import random_options
from thorp.compiling.mode import COMPILED

GAME = thorp.game("villagers")

# Games.


@pytest.mark.parametrize("seats", GAME.seats if COMPILED else [1, 2, 3])
def test_games_are_as_the_referee_has_them(seats: int) -> None:
    assert hold_many(GAME, GameReferee, 30 if COMPILED else 1, 1000 * seats, seats)


class Counting(GameReferee):
    """A referee that counts the families of the moves that were played."""

    families: Counter[str]

    def play(self, seat: int, move: Move, after: Any) -> None:
        self.families[move[0]] += 1
        super().play(seat, move, after)


ALWAYS = {"draft", "blind", "done", "exchange", "build"}
SPECIAL = {"swap", "place", "tinner", "smuggler", "pay", "free"}
SOLO = {"give", "guard", "leave", "jester", "bear", "ransom", "pick", "part", "conscript"}


@pytest.mark.parametrize(
    ("seats", "first"), [(1, 0), (1, 500), (1, 1000), (2, 0), (3, 0), (4, 0), (5, 0)] if COMPILED else [(1, 0), (3, 0)]
)
def test_rare_things_are_as_the_referee_has_them(seats: int, first: int) -> None:
    families: Counter[str] = Counter()
    referee = type("Referee", (Counting,), {"families": families})
    for seed in range(first, first + (56 if COMPILED else 1)):
        options = random_options(GAME, seats, random.Random(seed))
        hold(GAME, referee, seats, options, seed, sorted(PLAYERS)[seed % len(PLAYERS)], rigged=True)
    if COMPILED:
        assert families.keys() >= ALWAYS | (SOLO if seats == 1 else SPECIAL)


# The referee sees what is wrong.


def _dealt(seats: int, seed: int = 0) -> Any:
    state = GAME.state()
    GAME.deal(state, seats, GAME.option_list(GAME.options_for(seats)), seed)
    return GAME.plain(state).copy()


def _referee(seats: int, seed: int = 0) -> GameReferee:
    return GameReferee(seats, GAME.options_for(seats), _dealt(seats, seed))


@pytest.mark.parametrize("field", ["phase", "round", "first", "turn", "locked", "freed", "discards", "first_market"])
def test_a_wrong_state_is_seen(field: str) -> None:
    dealt = _dealt(4)
    referee = _referee(4)
    referee.compare(dealt)
    setattr(dealt, field, getattr(dealt, field) + 1)
    with pytest.raises(AssertionError):
        referee.compare(dealt)


@pytest.mark.parametrize("field", ["gold", "hand", "village", "draft_limit", "drafted", "build_limit", "exchanged"])
def test_a_wrong_player_is_seen(field: str) -> None:
    dealt = _dealt(4)
    player = dealt.players[2]
    setattr(player, field, getattr(player, field) + 1)
    with pytest.raises(AssertionError):
        _referee(4).compare(dealt)


def test_whoever_knows_too_much_is_seen() -> None:
    dealt = _dealt(4)
    dealt.cards[links(dealt, dealt.piles[3])[1]].knows = 1
    with pytest.raises(AssertionError, match="face, knowers"):
        _referee(4).compare(dealt)


# The facts of the cards: the tables of the rules page.

TABLE = """
grain | Founders | 1 | Founders (begins) | 5 | 1 (back) |  | 2 (front) |  |
grain | Brewer | 1 | Founders > Brewer | 2 | 1 | 1 |  | Cooper | 2 (Freemason)
grain | Poulterer | 1 | Founders > Poulterer | 2 | 1 |  | 3 | Carpenter |
grain | Swineherd | 1 | Founders > Swineherd | 2 | 1 |  | 2 |  |
grain | Truffler | 1 | Founders > Swineherd > Truffler | 2 | 1 |  | 8 | Hunter |
hay | Hayer | 1 | Hayer (begins) | 10 |  |  |  |  |
hay | Thatcher | 1 | Hayer > Thatcher | 2 |  | 1 | 2 |  |
hay | Bed Builder | 2 | Hayer > Bed Builder | 2 |  |  | 4 | Carpenter |
hay | Grazier | 1 | Hayer > Grazier | 2 | 1 |  |  |  |
hay | Milk Maid | 1 | Hayer > Grazier > Milk Maid | 2 | 2 |  |  | Cooper |
hay | Fromager | 1 | Hayer > Grazier > Milk Maid > Fromager | 2 | 1 |  | 15 |  |
hay | Peddler | 1 | Hayer > Peddler | 2 |  |  |  | Cartwright |
hay | Horse Trader | 1 | Hayer > Horse Trader | 2 |  |  |  |  |
hay | Ore Muler | 1 | Hayer > Ore Muler | 2 |  |  |  |  |
ore | Miner | 1 | Miner (begins) | 10 |  |  |  |  |
ore | Blacksmith | 1 | Miner > Blacksmith | 2 |  |  | 2 |  | 10 (Glass Blower, Jeweler, Locksmith, Cooper, Cobbler)
ore | Glass Blower | 2 | Miner > Glass Blower | 2 |  |  | 4 | Blacksmith | 2 (Wine Trader)
ore | Mason | 1 | Miner > Mason | 2 |  | 1 | 2 |  |
ore | Seeker | 1 | Miner > Seeker | 2 |  |  |  |  |
ore | Spelunker | 1 | Miner > Seeker > Spelunker | 2 |  |  | 10 | Chandler |
ore | Jeweler | 1 | Miner > Seeker > Spelunker > Jeweler | 2 |  |  | 20 | Blacksmith |
ore | Locksmith | 1 | Miner > Locksmith | 2 |  |  |  | Blacksmith |
wood | Lumberjack | 1 | Lumberjack (begins) | 10 |  |  |  |  |
wood | Carpenter | 1 | Lumberjack > Carpenter | 2 |  | 1 |  |  | 8 (Poulterer, Bed Builder, Weaver, Beekeeper)
wood | Cooper | 1 | Lumberjack > Cooper | 2 |  |  | 4 | Blacksmith | 6 (Brewer, Milk Maid, Vintner)
wood | Shipwright | 1 | Lumberjack > Shipwright | 2 |  | 1 | 2 |  | 4 (Fisher, Smuggler)
wood | Wheeler | 1 | Lumberjack > Wheeler | 2 |  |  | 3 |  |
wood | Cartwright | 1 | Lumberjack > Wheeler > Cartwright | 2 |  |  | 9 |  | 2 (Peddler)
wood | Log Rafter | 2 | Lumberjack > Log Rafter | 2 |  |  |  |  |
wood | Wood Carver | 1 | Lumberjack > Wood Carver | 2 |  |  |  |  |
grape | Graper | 1 | Graper (begins) | 2 | 1 |  |  |  |
grape | Vintner | 1 | Graper > Vintner | 2 |  |  | 5 | Cooper |
grape | Wine Trader | 1 | Graper > Vintner > Wine Trader | 2 |  |  | 14 | Glass Blower |
leather | Tanner (4+) | 1 | Tanner (begins) | 2 |  |  | 2 |  |
leather | Saddler (4+) | 1 | Tanner > Saddler | 2 |  |  | 5 |  |
leather | Cobbler (4+) | 1 | Tanner > Cobbler | 2 |  |  | 6 | Blacksmith |
wool | Shepherd (4+) | 1 | Shepherd (begins) | 2 | 1 |  |  |  |
wool | Spinner (4+) | 1 | Shepherd > Spinner | 2 |  |  | 4 |  |
wool | Weaver (4+) | 1 | Shepherd > Spinner > Weaver | 2 |  |  | 12 | Carpenter |
wool | Tailor (4+) | 1 | Shepherd > Spinner > Weaver > Tailor | 2 |  |  | 24 |  |
solitary | Harvester | 1 | - | 2 | 1 |  |  |  | 2 (Grocer)
solitary | Hunter | 1 | - | 2 | 1 |  |  |  | 2 (Truffler)
solitary | Chandler | 2 | - | 2 |  |  | 3 |  | 4 (Spelunker, Priest)
solitary | Wattler | 1 | - | 2 |  | 1 |  |  |
solitary | Fisher | 1 | - | 2 | 1 |  | 3 | Shipwright |
solitary | Beekeeper | 1 | - | 2 |  |  | 4 | Carpenter |
solitary | Grocer | 1 | - | 2 |  |  |  | Harvester |
solitary | Freemason | 1 | - | 2 |  |  |  | Brewer |
solitary | Priest | 1 | - | 2 |  |  |  | Chandler |
solitary | Agent | 1 | - | 2 |  |  |  |  |
special | Monk | 1 | - | 2 |  |  |  |  |
special | Apprentice | 1 | - | 2 |  |  |  |  |
special | Tinner | 1 | - | 2 |  |  |  |  |
special | Smuggler | 1 | - | 2 |  |  |  | Shipwright |
"""

SILVER = {
    "Peddler": Silver("gold_symbols", 3, 2),
    "Horse Trader": Silver("suit_symbols", 3, 2, "hay"),
    "Ore Muler": Silver("suit_symbols", 3, 2, "ore"),
    "Locksmith": Silver("padlocks", 2, 1),
    "Log Rafter": Silver("suit_symbols", 1, 1, "wood"),
    "Wood Carver": Silver("gold_of_suit", 1, 1, "wood"),
    "Grocer": Silver("food", 3, 1),
    "Freemason": Silver("builders", 3, 1),
    "Priest": Silver("suit_symbols", 3, 2, "solitary"),
    "Agent": Silver("coins", 1, 1),
}


def _id(name: str) -> str:
    return name.lower().replace(" ", "_")


def _rows() -> list[list[str]]:
    """The cells of the table; those that a line leaves out at its end are empty."""
    rows = [[cell.strip() for cell in line.split("|")] for line in TABLE.strip().splitlines()]
    return [row + [""] * (10 - len(row)) for row in rows]


def _successors(name: str, chain: str) -> int:
    """Two on what begins a chain, a Monk or an Apprentice; one on what another stands on."""
    if "begins" in chain or name in ("Monk", "Apprentice"):
        return 2
    return int(any(f" > {name} > " in other[3] for other in _rows()))


@pytest.mark.parametrize("row", _rows(), ids=lambda row: row[1])
def test_the_facts_of_a_card_are_those_of_the_rules_page(row: list[str]) -> None:
    suit, title, symbols, chain, copies, shows_food, builder, gold, padlock, keyring = row
    name = title.removesuffix(" (4+)")
    facts = FACTS[_id(name)]
    steps = chain.split(" > ")
    assert (facts.suit, facts.symbols, facts.copies) == (suit, int(symbols), int(copies))
    assert facts.four_plus == (name != title)
    assert facts.predecessor == (_id(steps[-2]) if len(steps) > 1 else "")
    assert facts.successors == _successors(name, chain)
    assert facts.food == (0 if name == "Founders" else int(shows_food or 0))
    assert facts.builder == int(builder or 0)
    assert facts.gold == int(gold.removesuffix(" (front)") or 0)
    assert facts.padlock == _id(padlock)
    assert facts.keyring == int(keyring.split()[0] if keyring else 0)
    assert facts.silver == SILVER.get(name)
    if keyring:
        opens = {_id(locked.strip()) for locked in keyring.partition("(")[2].strip(")").split(",")}
        assert opens == {other.id for other in FACES if other.padlock == facts.id}


def test_the_table_has_all_cards() -> None:
    names = {_id(row[1].removesuffix(" (4+)")) for row in _rows()}
    assert names | {"founders_food", "countess", "countess_beginner"} == set(FACTS)
    assert (FACTS["founders_food"].food, FACTS["founders_food"].gold) == (1, 0)
    assert (FACTS["countess"].gold, FACTS["countess_beginner"].gold) == (4, 0)


def test_a_keyring_says_how_many_cards_it_is_for() -> None:
    for facts in FACES:
        if facts.keyring:
            assert facts.keyring == sum(other.copies for other in FACES if other.padlock == facts.id)


def test_there_are_24_events_in_two_decks() -> None:
    assert Counter(event.deck for event in EVENTS) == {"summer": 12, "winter": 12}
    assert {event.id for event in EVENTS if event.phase == "build"} == {"serfdom", "the_countess_bank", "arson"}
    assert {event.id for event in EVENTS if event.phase in ("draft", "reveal")} == {"rats", "dark_mood"}


# The deal.


@pytest.mark.parametrize(("seats", "stack", "reserve"), [(1, 5, 37), (2, 4, 46), (3, 6, 29), (4, 8, 26), (5, 10, 9)])
def test_a_deal_is_as_the_table_says(seats: int, stack: int, reserve: int) -> None:
    assert stack_height(seats) == stack
    firsts = set()
    for seed in range(40):
        dealt = _dealt(seats, seed)
        GameReferee(seats, GAME.options_for(seats), dealt).compare(dealt)
        assert dealt.heights == [stack] * 6 + [reserve]
        assert dealt.basics == [10, 10, 10]
        assert [dealt.players[seat].gold for seat in range(seats)] == [8] * seats
        assert [dealt.players[seat].hand_size for seat in range(seats)] == [5] * seats
        assert all(dealt.cards[link - 1].knows == EVERYBODY for link in dealt.road)
        assert all(dealt.cards[node].knows == 0 for pile in dealt.piles for node in links(dealt, pile))
        for seat in range(seats):
            assert {dealt.cards[node].knows for node in links(dealt, dealt.players[seat].hand)} == {1 << seat}
        firsts.add(dealt.first)
        if seats == 1:
            assert dealt.players[1].gold == 1
            opened = [event for event in dealt.events if event]
            assert len(opened) == 1
            assert EVENTS[opened[0] - 1].deck == "summer"
            assert dealt.unseen_events == (1 << 24) - 1 - (1 << opened[0] - 1)
    assert firsts == set(range(seats))


def test_the_deck_has_80_cards_for_two_and_94_for_four() -> None:
    assert [2 * len(deck_of(seats)) - 6 for seats in (1, 2, 3, 4, 5)] == [72, 80, 80, 94, 94]


# Villages.


def _village(*chains: str, coins: dict[str, int] | None = None) -> Village:
    """A village of chains, each from the lowest card up; one that begins with + stands on the first villager."""
    village: Village = []
    for chain in chains:
        below = 0 if chain.startswith("+") else None
        for id in chain.removeprefix("+").split():
            village.append(Villager(len(village), id, below, coins=(coins or {}).get(id, 0)))
            below = len(village) - 1
    for villager in village:
        villager.role = role_in(village, villager)
    return village


def _pays(village: Village, id: str) -> int:
    return silver_of(village, next(villager for villager in village if villager.id == id))


def test_the_wood_carver_counts_a_cartwright_and_a_cooper_but_not_the_wheeler_below() -> None:
    village = _village("lumberjack wheeler cartwright", "+cooper", "lumberjack wood_carver")
    assert _pays(village, "wood_carver") == 13


def test_the_peddler_counts_gold_symbols_not_values() -> None:
    village = _village("miner seeker spelunker jeweler", "+seeker spelunker jeweler", "hayer peddler")
    assert _pays(village, "peddler") == 3


def test_the_countess_is_a_gold_symbol_for_her_peddler() -> None:
    her = [Villager(0, "countess"), Villager(1, "peddler"), Villager(2, "mason")]
    assert _pays(her, "peddler") == 3
    assert _pays([Villager(0, "countess_beginner"), *her[1:]], "peddler") == 0


def test_suit_symbols_count_on_covered_cards_too_and_double_ones_twice() -> None:
    village = _village("hayer horse_trader", "+bed_builder", "hayer ore_muler", "miner glass_blower")
    assert _pays(village, "horse_trader") == 9  # 2 Hayers, itself, 2 of the Bed Builder, the Ore Muler: 6
    assert _pays(village, "ore_muler") == 3  # the Miner and 2 of the Glass Blower
    assert _pays(_village("lumberjack log_rafter", "+cooper"), "log_rafter") == 4
    assert _pays(_village("priest", "chandler"), "priest") == 3


def test_the_locksmith_counts_padlocks_of_covered_cards_and_its_own() -> None:
    village = _village("miner locksmith", "+seeker spelunker jeweler", "hunter", "beekeeper")
    assert _pays(village, "locksmith") == 8


def test_food_and_builders_count_on_top_only() -> None:
    village = _village("founders_food brewer", "hayer grazier milk_maid fromager", "grocer", "freemason")
    assert (food(village), builders(village)) == (2, 1)
    assert _pays(village, "grocer") == 6
    assert _pays(village, "freemason") == 3


def test_the_agent_takes_the_best_coins_and_they_are_not_used_up() -> None:
    village = _village("agent", "agent", "hunter", "lumberjack cooper", coins={"hunter": 2, "cooper": 4})
    assert _pays(village, "agent") == 4
    assert silver_sum(village) == 8
    assert first_market(village) == 4 + 6
    assert second_market(village) == 4 + 8 + 6


def test_founders_that_are_covered_show_nothing() -> None:
    assert (shown_gold(_village("founders")), food(_village("founders_food"))) == (2, 1)
    assert shown_gold(_village("founders brewer")) == 0


def test_the_smuggler_looks_at_printed_gold_and_covered_cards_too() -> None:
    vintner = _village("graper vintner", "hayer thatcher", coins={"thatcher": 9})
    assert (best_printed_gold(vintner) + 1) // 2 == 3
    assert best_printed_gold(_village("founders brewer")) == 2


# Where cards can be built.


def test_a_card_is_built_on_its_predecessor_or_on_a_monk() -> None:
    village = _village("founders", "hayer thatcher", "hayer")
    assert spots(village, "grazier", 0, 0) == {(0, 1), (0, 2)}
    assert spots(village, "grazier", 0, 2) == {(0, 1), (0, 2), (1, 0)}
    assert spots(village, "milk_maid", 0, 2) == {(1, 1), (1, 2), (2, 0)}
    assert spots(village, "truffler", 0, 1) == {(1, 1)}
    assert spots(village, "graper", 0, 2) == {(0, 0)}
    assert spots(village, "monk", 0, 2) == set()


def test_a_monk_bears_two_branches_as_the_beginning_of_a_chain_and_one_elsewhere() -> None:
    assert spots(_village("monk thatcher"), "grazier", 0, 0) == {(0, 3)}
    assert spots(_village("monk thatcher", "+bed_builder"), "grazier", 0, 0) == set()
    assert spots(_village("hayer monk milk_maid"), "milk_maid", 0, 0) == set()
    assert spots(_village("monk thatcher"), "mason", 0, 0) == set()
    assert spots(_village("apprentice vintner"), "vintner", 0, 0) == {(0, 4)}


def test_freed_monks_have_to_go_below() -> None:
    assert spots(_village("hayer"), "milk_maid", 1, 1) == {(1, 1)}
    assert spots(_village("hayer"), "thatcher", 2, 2) == set()
    assert spots(_village(), "jeweler", 2, 2) == set()
    assert spots(_village("miner"), "jeweler", 2, 2) == {(2, 1)}


# Turns.


def _building(hand: str, *chains: str, actions: int = 2) -> tuple[GameReferee, int]:
    """A referee in the build turn of its first seat, with that hand and village."""
    referee = _referee(3)
    seat = referee.first
    referee.phase = BUILD
    referee.turn = seat
    me = referee.table[seat]
    me.hand = list(range(len(hand.split())))
    referee.face.update(enumerate(hand.split()))
    referee.knows.update(dict.fromkeys(me.hand, 1 << seat))
    me.village = [
        Villager(v.node + 50, v.id, None if v.below is None else v.below + 50, v.role) for v in _village(*chains)
    ]
    me.build_limit = actions
    return referee, seat


def _families(referee: GameReferee, seat: int) -> set[str]:
    return {family for family, _ in referee.legal(seat)}


def _spots_of(referee: GameReferee, seat: int, id: str) -> set[int]:
    return {move[1][1] for move in referee.legal(seat) if move[0] == "build" and FACES[move[1][0]].id == id}


def test_a_padlock_needs_two_gold_or_an_own_unlocker_or_a_tinner() -> None:
    referee, seat = _building("beekeeper", "founders")
    assert _spots_of(referee, seat, "beekeeper") == {0}
    referee.table[seat].gold = 1
    assert _spots_of(referee, seat, "beekeeper") == set()
    referee.table[seat].tinner = 1
    assert _spots_of(referee, seat, "beekeeper") == {0}
    referee, seat = _building("beekeeper", "founders", "lumberjack carpenter")
    referee.table[seat].gold = 0
    assert _spots_of(referee, seat, "beekeeper") == {0}


def test_the_own_unlocker_is_paid_by_the_bank_even_if_others_have_it() -> None:
    referee, seat = _building("beekeeper", "founders", "lumberjack carpenter")
    other = (seat + 1) % 3
    referee.table[other].village.insert(0, Villager(90, "carpenter"))
    referee._open_padlock(seat, "beekeeper")
    assert not referee.payment
    assert referee.table[seat].gold == 8
    assert [v.coins for v in referee.table[seat].village if v.id == "carpenter"] == [2]
    referee.table[seat].village = _village("founders")
    referee._open_padlock(seat, "beekeeper")
    assert referee.table[seat].gold == 6
    assert referee.table[other].village[0].coins == 2


def test_of_several_payees_the_payer_chooses() -> None:
    referee, seat = _building("beekeeper", "founders")
    for other in (seat + 1) % 3, (seat + 2) % 3:
        referee.table[other].village.insert(0, Villager(90 + other, "carpenter"))
    referee._open_padlock(seat, "beekeeper")
    assert referee.legal(seat) == {("pay", (0,)), ("pay", (1,))}


def test_with_a_tinner_the_bank_may_still_pay_the_own_unlocker() -> None:
    referee, seat = _building("beekeeper", "founders", "lumberjack carpenter")
    referee.table[seat].tinner = 1
    referee._open_padlock(seat, "beekeeper")
    assert referee.legal(seat) == {("pay", (0,)), ("free", ())}


def test_a_monk_needs_an_action_more() -> None:
    assert _spots_of(*_building("thatcher monk", "founders", actions=1), "thatcher") == set()
    assert _spots_of(*_building("thatcher monk", "founders", actions=2), "thatcher") == {5}


def test_an_apprentice_frees_what_can_be_placed_at_once() -> None:
    referee, seat = _building("apprentice", "founders swineherd", "hayer grazier milk_maid", actions=1)
    swaps = {FACES[move[1][1]].id for move in referee.legal(seat) if move[0] == "swap"}
    # The Grazier has no other Hayer, but the Hayer below the Apprentice bears one only.
    assert swaps == {"founders", "hayer", "grazier"}
    referee, seat = _building("apprentice", "founders", "hayer monk milk_maid", actions=1)
    assert "monk" not in {FACES[move[1][1]].id for move in referee.legal(seat) if move[0] == "swap"}
    referee, seat = _building("apprentice thatcher", "founders", "hayer monk milk_maid", actions=2)
    assert "monk" in {FACES[move[1][1]].id for move in referee.legal(seat) if move[0] == "swap"}


def test_an_apprentice_takes_neither_an_apprentice_nor_the_founders_of_others() -> None:
    referee, seat = _building("apprentice", "founders", "apprentice vintner")
    other = (seat + 1) % 3
    referee.table[other].village = [Villager(90, "brewer", 91), Villager(91, "founders", role=own_role("founders"))]
    assert "swap" not in _families(referee, seat)


def test_a_card_given_up_goes_on_a_stack_that_has_cards_else_on_the_reserve() -> None:
    referee, seat = _building("hunter", "founders")
    referee.basics[1] = 0
    referee.piles[2] = []
    given = {move[1][1:] for move in referee.legal(seat) if move[0] == "exchange"}
    assert given == {(basic, pile) for basic in (0, 2) for pile in (0, 1, 3, 4, 5)}
    referee.piles[:6] = [[], [], [], [], [], []]
    assert {move[1][2] for move in referee.legal(seat) if move[0] == "exchange"} == {RESERVE}
    referee.exchange_limit = referee.table[seat].exchanged = 3
    assert "exchange" not in _families(referee, seat)


def _after_giving_up(hand: dict[str, int], given: str) -> dict[str, int]:
    """Who knows the cards of the hand of a first seat, after one was given up."""
    referee, seat = _building(" ".join(hand), "founders")
    me = referee.table[seat]
    referee.knows.update({node: known | 1 << seat for node, known in zip(me.hand, hand.values(), strict=True)})
    after = _dealt(3)
    left = [node for node in me.hand if referee.face[node] != given]
    after.players[seat].hand = left[0] + 1
    for node, following in zip(left, [*left[1:], -1], strict=True):
        after.cards[node].next = following + 1
    nodes = list(me.hand)
    referee._leave_hand_unseen(seat, given, after, open=False)
    return {referee.face[node]: referee.knows[node] & ~(1 << seat) for node in nodes}


def test_a_card_given_up_leaves_others_unsure_of_its_suit() -> None:
    seat = _referee(3).first
    others = EVERYBODY & ~(1 << seat)
    known = _after_giving_up({"hunter": others, "chandler": others, "thatcher": others}, "hunter")
    assert known == {"hunter": 0, "chandler": 0, "thatcher": others}
    assert _after_giving_up({"hunter": others, "thatcher": others}, "hunter")["hunter"] == others


def test_the_road_of_three_loses_cards_with_a_coin_and_that_of_two_those_without() -> None:
    for seats in (2, 3):
        referee = _referee(seats)
        referee.phase = GUARD if seats == 2 else DRAFT
        before = list(referee.road)
        referee.road_coins = [1, 0, 1, 0, 0, 0]
        referee._renew_road(_dealt(seats))
        kept = [slot for slot in range(6) if referee.road[slot] == before[slot]]
        assert kept == ([0, 2] if seats == 2 else [1, 3, 4, 5])
        assert referee.road_coins == ([1, 0, 1, 0, 0, 0] if seats == 2 else [1] * 6)


def test_ties_are_settled_by_fewer_cards_in_the_village_and_then_shared() -> None:
    referee = _referee(4)
    for seat, (gold, cards) in enumerate([(9, 2), (10, 3), (10, 2), (10, 2)]):
        referee.table[seat].gold = gold
        referee.table[seat].village = _village("founders_food", *["hayer"] * (cards - 1))
    assert referee.standings() == [4, 3, 1, 1]


def test_alone_you_need_more_gold_than_the_countess() -> None:
    referee = _referee(1)
    me, her = referee.table
    her.gold = referee._total(me) - second_market(her.village)
    assert referee.standings() == [2]
    me.gold += 1
    assert referee.standings() == [1]


def test_a_payment_to_the_countess_takes_no_more_than_you_have() -> None:
    referee = _referee(1)
    referee.table[0].gold = 3
    referee._pay_her(5)
    assert [seat.gold for seat in referee.table] == [0, 4]


def test_customs_counts_cards_not_symbols() -> None:
    referee = _referee(1)
    referee.events = ["customs", None]
    referee.table[0].village = _village("hayer bed_builder", "miner mason", "+seeker", "founders")
    referee._happen()
    assert referee.table[0].gold == 8 - 3
