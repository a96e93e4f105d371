"""Villagers in words, and what is clicked: every move and every moment has its own, and no sentence tells a secret."""

import random
import re
from collections.abc import Iterator
from itertools import pairwise

import pytest

from games.villagers.place import Table, again, dealt, seat, spell, table
from thorp.compiling.mode import COMPILED
from thorp.core.words import Message, say
from thorp.games.villagers import GAME
from thorp.games.villagers.face.view import opening
from thorp.games.villagers.rules.cards import VILLAGERS, number
from thorp.games.villagers.rules.moves import MOVES
from thorp.games.villagers.rules.state import BUILD

NAMES = ("Ada", "Ben", "Cy", "Dee", "Eve")
GAMES = 15 if COMPILED else 5
#: "1 cards", "1 more types": one thing that is counted as many.
ONE_OF_MANY = re.compile(r"(?<!-)\b1 (?:more )?[A-Za-z]+[^\Ws]s\b")


def moments(every: int = 12) -> Iterator[Table]:
    """Moments of random games in which much is built."""
    for seed in range(GAMES):
        game = dealt(1 + seed % 5, seed)
        chance = random.Random(seed)
        ply = 0
        while not game.over:
            if ply % every == 0:
                yield game
            moves = game.numbers()
            rare = [move for move in moves if MOVES.decode(move).family in ("build", "swap", "place", "tinner")]
            GAME.play(game.state, game.turn, chance.choice(rare if rare and chance.random() < 0.7 else moves))
            ply += 1
        yield game


def said(message: Message) -> str:
    text = say(message, NAMES)
    assert text
    assert not set("{}") & set(text)
    assert not ONE_OF_MANY.search(text), text
    return text


def test_every_move_is_offered_in_words_of_its_own() -> None:
    for game in moments():
        offers = [said(GAME.face.offer(game.state, game.turn, move)) for move in game.numbers()]
        assert len(set(offers)) == len(offers), sorted(offers)


def test_who_has_no_cards_left_is_told_to_end_the_turn() -> None:
    """Nothing else can be done then: all cards are given up for basic villagers."""
    game = dealt(2, 0)
    while game.plain.phase != BUILD or game.plain.players[game.turn].hand_size:
        assert "empty" not in said(GAME.face.prompt(game.state, game.turn))
        moves = game.numbers()
        given_up = [move for move in moves if MOVES.decode(move).family == "exchange"]
        GAME.play(game.state, game.turn, (given_up or moves)[0])
    assert said(GAME.face.prompt(game.state, game.turn)) == "Your hand is empty: end the turn."
    assert [MOVES.decode(move).family for move in game.numbers()] == ["done"]


def test_the_prompt_invites_only_to_what_can_be_done() -> None:
    def asked(hand: str, village: str = "founders; hayer", **fields: int) -> str:
        return said(GAME.face.prompt(table(seat(village, hand, **fields), seat(), limit=2, exchange_limit=3).state, 0))

    give_up = "give cards up for basic villagers, or end the turn."
    assert asked("grazier") == "Build a villager, or give a card up for a basic one."
    assert asked("grazier", exchanged=3) == "Build a villager, or end the turn."
    assert asked("apprentice", "hayer > thatcher", exchanged=3) == "Build a villager, or end the turn."
    assert asked("grazier", built=2) == f"All build actions are used: {give_up}"
    assert asked("milk_maid") == f"No card of your hand can be built: {give_up}"
    assert asked("milk_maid tinner", exchanged=3) == "Play Tinner, or end the turn."
    assert asked("grazier tinner smuggler", built=2, exchanged=3) == "Play Tinner or Smuggler, or end the turn."
    none = "Nothing more can be built or given up: end the turn."
    assert asked("grazier", built=2, exchanged=3) == none
    assert asked("milk_maid tinner", exchanged=3, tinner=1) == none


def test_with_no_basic_villager_left_nothing_is_given_up() -> None:
    taken = ("; ".join([basic] * 10) for basic in ("hayer", "lumberjack", "miner"))
    first, *others = (f"founders; {village}" for village in taken)
    at = table(seat(first, "milk_maid"), *(seat(village) for village in others))
    assert [spell(move) for move in at.numbers()] == ["done"]
    assert said(GAME.face.prompt(at.state, 0)) == "Nothing more can be built or given up: end the turn."


def test_every_move_is_told_to_every_reader() -> None:
    for game in moments():
        for move in game.numbers():
            for reader in (None, game.turn, (game.turn + 1) % game.plain.seats):
                assert NAMES[game.turn] in said(GAME.face.tell(game.state, game.turn, move, reader))


def test_every_move_has_things_to_click_that_lead_to_no_other_move() -> None:
    for game in moments():
        steps = sorted(GAME.face.steps(game.state, game.turn, move) for move in game.numbers())
        assert all(steps)
        for first, second in pairwise(steps):
            assert second[: len(first)] != first


def test_there_is_a_prompt_and_a_text_for_every_reader_at_all_times() -> None:
    for game in moments():
        for reader in (None, *range(game.plain.seats)):
            assert (said(GAME.face.prompt(game.state, reader)) == "The game is over.") == game.over
            text = GAME.face.text(game.state, reader)
            assert all(f"Seat {seat + 1}: {gold}" in text for seat, gold in enumerate(game.scores()))


def test_the_score_sheet_says_everything_in_words() -> None:
    for game in moments(20):
        sheet = GAME.face.sheet(game.state)
        assert sheet.totals == game.scores()
        assert tuple(map(sum, zip(*(row.points for row in sheet.rows)))) == sheet.totals
        for row in sheet.rows:
            said(row.label)
            for note in row.notes:
                said(note or row.label)
        for remark in sheet.remarks:
            said(remark)


def test_the_score_sheet_breaks_the_second_market_down() -> None:
    game = table(seat("chandler:4; priest; hunter", gold=20, first_income=7), seat(), market=True, phase="over")
    rows = {said(row.label): row.points[0] for row in GAME.face.sheet(game.state).rows}
    assert rows == {
        "Supply": 20,
        "Second Market: gold": 3,
        "Second Market: silver": 6,
        "Second Market: coins on villagers": 4,
    }
    notes = {said(row.label): [note and said(note) for note in row.notes] for row in GAME.face.sheet(game.state).rows}
    assert notes == {
        "Supply": ["the First Market paid 7 into it", None],
        "Second Market: gold": ["1 gold symbol", "1 gold symbol"],
        "Second Market: silver": ["Priest 6", None],
        "Second Market: coins on villagers": ["on 1 villager", None],
    }


def test_no_row_of_the_score_sheet_is_less_than_nothing() -> None:
    game = table(seat("chandler", gold=0, first_income=12), seat(), market=True, phase="over")
    assert min(points for row in GAME.face.sheet(game.state).rows for points in row.points) == 0


def test_a_card_given_up_is_told_by_its_suit_to_others() -> None:
    game = table(seat(hand="peddler"), seat())
    move = next(move for move in game.numbers() if spell(move) == "exchange peddler hayer 2")
    assert said(GAME.face.tell(game.state, 0, move, 0)) == "Ada gives up Peddler for a Hayer, onto stack 3."
    for reader in (1, None):
        told = GAME.face.tell(game.state, 0, move, reader)
        assert said(told) == "Ada gives up a hay card for a Hayer, onto stack 3."
        assert "card" not in (told.data or {})


def test_an_ore_card_and_a_hay_card() -> None:
    game = table(seat(hand="mason"), seat(), phase="draft", stacks=["mason", "brewer", 1, 1, 1, 1])
    told = {spell(move): said(GAME.face.tell(game.state, 0, move, 1)) for move in game.numbers()}
    assert told["blind 0"] == "Ada draws an ore card from stack 1."
    assert told["blind 1"] == "Ada draws a grain card from stack 2."
    game = table(seat(hand="mason"), seat())
    move = next(move for move in game.numbers() if spell(move) == "exchange mason hayer 2")
    assert said(GAME.face.tell(game.state, 0, move, 1)) == "Ada gives up an ore card for a Hayer, onto stack 3."


def test_a_card_given_up_under_serfdom_goes_into_her_village() -> None:
    game = table(seat(hand="mason"), events="serfdom")
    move = next(move for move in game.numbers() if spell(move) == "exchange mason hayer countess")
    told = said(GAME.face.tell(game.state, 0, move, None))
    assert told == "Ada gives up Mason for a Hayer, into the village of the Countess."


def told_last(game: Table, *moves: str) -> list[str]:
    """What is told of the last of these moves: the move, and what followed from it, to every reader the same."""
    game.play(*moves[:-1])
    before, seat = game.copy(), game.turn
    move = next(move for move in game.numbers() if spell(move) == moves[-1])
    game.play(moves[-1])
    told = {
        (
            said(GAME.face.tell(before.state, seat, move, reader)),
            *(said(message) for message in GAME.face.follows(before.state, game.state, reader)),
        )
        for reader in (None, *range(game.plain.seats))
    }
    (same,) = told
    return list(same)


def test_markets_are_told_with_what_they_pay() -> None:
    first = table(seat("chandler:2"), seat("founders; hunter"), stacks=[0, 0, 1, 1, 1, 1])
    assert told_last(first.copy(), "done") == ["Ada ends the turn."]
    assert told_last(first, "done", "done") == [
        "Ben ends the turn.",
        "The First Market is held: Ada takes 5 gold, Ben takes 2 gold.",
    ]
    second = table(seat("chandler:2; priest"), seat("founders; hunter"), stacks=[0] * 6, market=True)
    assert told_last(second, "done", "done") == [
        "Ben ends the turn.",
        "The Second Market is held: Ada takes 8 gold, Ben takes 2 gold.",
    ]
    both = table(seat("chandler"), seat("founders; hunter"), stacks=[0] * 6)
    assert told_last(both, "done", "done") == [
        "Ben ends the turn.",
        "The First Market is held: Ada takes 3 gold, Ben takes 2 gold.",
        "The Second Market is held: Ada takes 3 gold, Ben takes 2 gold.",
    ]
    solo = table(seat("founders; hunter"), events="tribute", jester=False, stacks=[0, 0, 1, 1, 1, 1])
    assert told_last(solo, "done", "bear") == [
        "Ada bears Tribute.",
        "The First Market is held: Ada takes 2 gold, the Countess takes 4 gold.",
    ]


def test_the_gold_that_an_event_moves_is_told() -> None:
    paid = table(seat("founders; hayer; hayer; miner", gold=5), events="land_claim", jester=False)
    assert told_last(paid, "done", "bear") == ["Ada bears Land Claim.", "Ada pays the Countess 5 gold."]
    earned = table(seat(), events="sinister_banquet", jester=False, countess="countess; hunter")
    assert told_last(earned, "done", "bear") == ["Ada bears Sinister Banquet.", "The Countess takes 2 gold."]
    both = table(seat("priest; chandler"), events="black_market", jester=False, countess="countess; grocer; hunter")
    assert told_last(both, "done", "bear") == [
        "Ada bears Black Market.",
        "The Countess takes 3 gold.",
        "Ada takes 3 gold.",
    ]
    laid = table(seat(), events="guild_conspiracy", jester=False, countess="countess; cooper")
    assert told_last(laid, "done", "bear") == [
        "Ada bears Guild Conspiracy.",
        "The bank lays 2 gold on villagers of the Countess.",
    ]


def test_an_event_that_the_jester_discards_moves_no_gold() -> None:
    game = table(seat("founders; hayer; hunter"), events="land_claim", stacks=[0, 0, 1, 1, 1, 1])
    told = told_last(game, "done", "jester 0")
    assert told == [
        "Ada discards Land Claim by the Jester.",
        "The First Market is held: Ada takes 2 gold, the Countess takes 4 gold.",
    ]


def test_gold_of_an_event_and_of_a_market_are_told_apart() -> None:
    game = table(seat("founders; hayer; hunter"), events="land_claim", jester=False, stacks=[0, 0, 1, 1, 1, 1])
    assert told_last(game, "done", "bear") == [
        "Ada bears Land Claim.",
        "Ada pays the Countess 2 gold.",
        "The First Market is held: Ada takes 2 gold, the Countess takes 4 gold.",
    ]


def test_villagers_that_an_event_asks_for_are_told_apart() -> None:
    yours = "founders; hayer > thatcher | ore_muler; hayer > thatcher; miner > blacksmith:2; hunter"
    game = table(seat(yours), events="arrest", jester=False).play("done")
    offers = {spell(move): said(GAME.face.offer(game.state, 0, move)) for move in game.numbers()}
    assert sorted(offers.values()) == [
        "Choose Blacksmith, with 2 gold on it, alone on Miner",
        "Choose Hunter",
        "Choose Ore Muler, beside another on Hayer",
        "Choose Thatcher, alone on Hayer",
        "Choose Thatcher, beside another on Hayer",
    ]


def test_a_blind_draw_is_told_by_its_suit() -> None:
    game = table(seat(), seat(), phase="draft", stacks=["brewer", 1, 1, 1, 1, 1])
    move = next(move for move in game.numbers() if spell(move) == "blind 0")
    for reader in (0, 1, None):
        assert said(GAME.face.tell(game.state, 0, move, reader)) == "Ada draws a grain card from stack 1."


def test_who_draws_from_a_stack_alone_is_told_which_card_it_was() -> None:
    game = table(seat(), seat(), seat(), phase="draft", stacks=["brewer", 1, 1, 1, 1, 1])
    before = game.copy()
    game.play("blind 0")
    told = {reader: GAME.face.follows(before.state, game.state, reader) for reader in (None, 0, 1, 2)}
    assert [said(message) for message in told.pop(0)] == ["Ada drew Brewer."]
    assert set(told.values()) == {()}


def test_a_card_that_was_told_with_the_move_is_not_told_again() -> None:
    for move in ("draft 0", "draft 5"):
        game = table(seat(), seat(), phase="draft", road="brewer mason hayer miner cooper thatcher")
        before = game.copy()
        game.play(move)
        for reader in (None, 0, 1):
            assert GAME.face.follows(before.state, game.state, reader) == ()
    # who has put a card onto a stack knows it
    made = table(seat(), seat(), phase="draft", stacks=["brewer", 1, 1, 1, 1, 1]).plain
    made.cards[made.piles[0] - 1].knows = 0b1
    game = again(made)
    assert "Draw Brewer from stack 1" in [said(GAME.face.offer(game.state, 0, move)) for move in game.numbers()]
    before = game.copy()
    game.play("blind 0")
    assert GAME.face.follows(before.state, game.state, 0) == ()


def test_nobody_else_is_told_which_card_was_drawn() -> None:
    drawn = 0
    for seed in range(GAMES):
        game = dealt(1 + seed % 5, seed)
        chance = random.Random(seed)
        while not game.over:
            before, turn = game.copy(), game.turn
            move = chance.choice(game.numbers())
            GAME.play(game.state, turn, move)
            for reader in (None, *range(game.plain.seats)):
                told = [said(each) for each in GAME.face.follows(before.state, game.state, reader)]
                found = [each for each in told if " drew " in each]
                if found:
                    assert reader == turn
                    assert MOVES.decode(move).family == "blind"
                    drawn += 1
    assert drawn


def test_sentences() -> None:
    game = table(seat("hayer > thatcher", "monk monk fromager peddler"), seat())
    offers = {spell(move): said(GAME.face.offer(game.state, 0, move)) for move in game.numbers()}
    assert offers["build fromager monk+monk+second"] == (
        "Build Fromager on a Monk (for Milk Maid), on a Monk (for Grazier), on Hayer, as its second branch"
    )
    assert offers["build peddler second"] == "Build Peddler on Hayer, as its second branch"
    assert offers["done"] == "End the turn"


def test_steps() -> None:
    game = table(seat("hayer > thatcher", "monk monk fromager peddler"), seat())
    steps = {spell(move): GAME.face.steps(game.state, 0, move) for move in game.numbers()}
    hayer = f"card-{game.player().chains[0].bottom.id}"
    monk, fromager, peddler = (f"hand-{number(id)}" for id in ("monk", "fromager", "peddler"))
    assert steps["build fromager monk+monk+second"] == (fromager, monk, monk, hayer)
    assert steps["build peddler second"] == (peddler, hayer)
    assert steps["exchange peddler miner 3"] == (peddler, "basic-2", "stack-3")


def test_the_view_says_what_opening_a_padlock_takes() -> None:
    game = table(seat("lumberjack > carpenter"), seat("miner > blacksmith"), seat("lumberjack > carpenter"))
    seen = game.view(1)
    card = {id: VILLAGERS[number(id)] for id in ("beekeeper", "hunter", "jeweler", "priest")}
    assert opening(seen, 1, card["hunter"]) is None
    found = opening(seen, 1, card["beekeeper"])
    assert found
    assert (found.unlocker.id, found.own, found.seats, found.price) == ("carpenter", False, (0, 2), 2)
    found = opening(seen, 1, card["jeweler"])
    assert found
    assert (found.own, found.seats, found.price) == (True, (), 0)
    found = opening(seen, 1, card["priest"])
    assert found
    assert (found.own, found.seats, found.price) == (False, (), 2)


def test_the_view_says_what_the_bank_takes() -> None:
    beekeeper = VILLAGERS[number("beekeeper")]
    for events, price in (("serfdom", 2), ("the_countess_bank", 3), ("serfdom the_countess_bank", 3)):
        found = opening(table(seat(), events=events).view(), 0, beekeeper)
        assert found
        assert found.price == price
    hers = opening(table(seat(), events="the_countess_bank", countess="carpenter").view(), 0, beekeeper)
    assert hers
    assert (hers.price, hers.seats) == (2, (1,))


def test_after_a_tinner_the_view_says_that_nothing_is_paid() -> None:
    villages = seat("lumberjack > carpenter", "tinner"), seat("miner > blacksmith"), seat("lumberjack > carpenter")
    game = table(*villages)
    card = {id: VILLAGERS[number(id)] for id in ("beekeeper", "jeweler", "priest", "hunter")}

    def found(reader: int) -> list[tuple[bool, tuple[int, ...], int] | None]:
        seen = [opening(game.view(reader), 0, each) for each in card.values()]
        return [(each.own, each.seats, each.price) if each else None for each in seen]

    # the bank pays onto the own Carpenter, the Blacksmith of the second seat is paid, the bank is, no padlock
    assert found(0) == [(True, (), 0), (False, (1,), 2), (False, (), 2), None]
    game.play("tinner")
    # the own Carpenter can still be paid by the bank; nobody else gets anything
    assert found(0) == [(True, (), 0), (False, (), 0), (False, (), 0), None]
    # all can see it, and nobody else is freed from paying
    assert found(1) == found(0)
    others = opening(game.view(1), 2, card["jeweler"])
    assert others
    assert (others.seats, others.price) == ((1,), 2)
    # it works until the end of the turn
    game.play("done")
    assert found(0)[1] == (False, (1,), 2)
    assert not game.player(0).tinner


def test_the_gold_goes_where_the_view_says() -> None:
    """What opening costs, and whose gold grows, before and after a Tinner."""
    for tinner, paid, theirs in ((0, 2, 2), (1, 0, 0)):
        game = table(seat("miner > seeker > spelunker", "jeweler", tinner=tinner), seat("miner > blacksmith"))
        found = opening(game.view(), 0, VILLAGERS[number("jeweler")])
        assert found
        assert (found.price, found.seats) == (paid, () if tinner else (1,))
        game.play("build jeweler fresh")
        assert game.gold(0) == 8 - paid
        assert game.player(1).income.coins == theirs


def test_the_view_has_the_gold_of_the_countess() -> None:
    game = table(seat(gold=9), countess="countess; hunter; blacksmith:2", countess_gold=6)
    hers = game.view().countess
    assert hers
    assert (hers.gold, hers.income.gold, hers.income.coins, hers.income.silver) == (6, 6, 2, 0)
    assert (hers.income.first, hers.income.second, hers.score) == (8, 8, 14)
    beginner = table(seat(gold=9), countess="countess_beginner", countess_gold=6).view().countess
    assert beginner
    assert (beginner.income.first, beginner.score) == (0, 6)
    (remark,) = GAME.face.sheet(game.state).remarks
    assert said(remark) == "You have 11 gold, the Countess 14: she wins."
    level = table(seat(gold=12), countess="countess; hunter; blacksmith:2", countess_gold=6)
    assert said(GAME.face.sheet(level.state).remarks[0]) == "You have 14 gold, the Countess 14: she wins."
    more = table(seat(gold=13), countess="countess; hunter; blacksmith:2", countess_gold=6)
    assert said(GAME.face.sheet(more.state).remarks[0]) == "You have 15 gold, the Countess 14: you win."
    assert "The Countess: 14   gold 6   markets 8/8" in GAME.face.text(game.state, 0)


def test_the_view_shows_chains_coins_and_what_is_covered() -> None:
    game = table(seat("founders; monk=hayer > grazier > milk_maid | thatcher; lumberjack > carpenter:4"), seat())
    chains = game.view(1).players[0].chains
    assert [chain.suit for chain in chains] == ["grain", "hay", "wood"]
    assert [[card.card.id for card in branch] for branch in chains[1].branches] == [
        ["grazier", "milk_maid"],
        ["thatcher"],
    ]
    assert [top.card.id for top in chains[1].tops] == ["milk_maid", "thatcher"]
    assert (chains[1].bottom.covered, chains[1].bottom.stands_for) == (True, VILLAGERS[number("hayer")])
    assert chains[2].tops[0].coins == 4


def test_the_view_tallies_what_the_markets_would_pay() -> None:
    income = table(seat("chandler:4; priest"), seat()).player().income
    assert (income.first, income.second, income.gold, income.coins, income.silver) == (7, 10, 3, 4, 3)


def test_the_own_hand_is_sorted_by_suit() -> None:
    hand = table(seat(hand="hunter mason brewer monk peddler mason"), seat()).player().hand
    assert [(card.card.id, card.count) for card in hand] == [
        ("brewer", 1),
        ("peddler", 1),
        ("mason", 2),
        ("hunter", 1),
        ("monk", 1),
    ]


@pytest.mark.parametrize(
    ("village", "card", "points"),
    [
        # it counts itself: suit symbols and padlocks; and what is there of food, builders, gold and coins
        ("hayer", "horse_trader", 3),
        ("hayer", "ore_muler", 0),
        ("hayer; miner > glass_blower", "ore_muler", 3),
        ("lumberjack", "log_rafter", 3),
        ("lumberjack > cooper", "wood_carver", 4),
        ("miner > glass_blower", "locksmith", 4),
        ("hayer; chandler; beekeeper", "peddler", 3),
        ("hunter; harvester", "grocer", 6),
        ("wattler", "freemason", 3),
        ("chandler", "priest", 3),
        ("chandler:4; hunter:2", "agent", 4),
        ("hunter", "mason", 0),
    ],
)
def test_a_card_of_the_hand_tells_what_its_silver_would_pay_in_the_village(
    village: str, card: str, points: int
) -> None:
    game = table(seat(village, card, tinner=1), seat())
    assert [held.silver for held in game.player().hand] == [points]
    build = game.legal("build")
    if build and points:
        # as soon as it is built, that is what it pays
        assert game.play(build[0]).player().income.silver == points
