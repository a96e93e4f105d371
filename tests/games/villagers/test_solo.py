"""Solo play against the Countess: her draft, her village, and all 24 events."""

import random

import pytest

from games.villagers.place import Table, again, dealt, seat, table
from thorp import Match
from thorp.checks.matches import play_randomly
from thorp.core.words import say
from thorp.games.villagers import GAME
from thorp.games.villagers.rules.cards import EVENTS
from thorp.games.villagers.rules.scoring import score
from thorp.games.villagers.rules.state import COUNTESS_SEAT


def happens(event: str, you: str = "founders; hunter", hers: str = "countess", hand: str = "", **more: object) -> Table:
    """A table after the build phase, at that event; the Jester is used, so only the event itself asks."""
    gold = int(more.pop("gold", 8))  # type: ignore[call-overload]
    asked = table(seat(you, hand, gold), countess=hers, events=event, jester=False, countess_gold=0, **more)  # type: ignore[arg-type]
    asked.play("done")
    return asked


def both(game: Table) -> tuple[int, int]:
    return game.gold(0), game.gold(1)


# --- the draft --------------------------------------------------------------------------------------------------


def test_after_each_draft_a_road_card_goes_to_the_countess_before_the_road_is_filled() -> None:
    game = table(
        seat(),
        phase="draft",
        road="peddler thatcher mason seeker wheeler agent",
        stacks=["brewer hunter", 2, 2, 2, 2, 2],
    )
    game.play("draft 0")
    assert game.legal() == [f"give {slot}" for slot in range(1, 6)]
    game.play("give 4")
    assert game.village(1) == "countess; wheeler"
    assert game.road() == ["brewer", "thatcher", "mason", "seeker", "hunter", "agent"]


def test_she_gets_a_card_after_a_blind_draw_too_and_the_coins_on_it() -> None:
    game = table(seat(), phase="draft", road_coins=(0, 2), countess_gold=1).play("blind 3", "give 1")
    assert both(game) == (8, 3)


def test_you_may_lay_a_coin_and_she_does_not() -> None:
    game = table(seat(drafted=1), phase="draft").play("draft 0", "give 1")
    assert game.phase == "guard"
    game.play("guard 2")
    assert game.phase == "build"
    assert len(game.discards()) == 5


def test_she_is_paid_for_unlocking_when_she_has_the_unlocker() -> None:
    game = table(seat(hand="beekeeper"), countess="countess; carpenter").play("build beekeeper new")
    assert (game.gold(), game.village(1)) == (6, "countess; carpenter:2")


def test_both_markets_pay_her_too() -> None:
    game = table(seat(), countess="countess; chandler:2; priest", stacks=[0] * 6, events="serfdom").play("done")
    assert game.over
    # 1 gold; 4 + 3 gold and 2 coins at both markets, and 3 silver at the second
    assert game.player(1).score == 1 + 9 + 9 + 3


def test_you_win_with_more_gold_than_she_has() -> None:
    won = table(seat(gold=30), phase="over")
    assert "you win" in say(GAME.face.sheet(won.state).remarks[0])
    # 8 and the Founders; 1 + 9 and her card: not more than she has
    even = table(seat("", gold=5), phase="over", countess_gold=1)
    assert "she wins" in say(GAME.face.sheet(even.state).remarks[0])


def test_a_lost_match_has_no_first_place() -> None:
    assert table(seat(gold=30), phase="over").standings() == (1,)
    assert table(seat("", gold=5), phase="over", countess_gold=1).standings() == (2,)


def test_winter_begins_after_the_first_market() -> None:
    game = table(seat("founders; hunter"), events="serfdom", jester=False, stacks=[0, 0, 2, 2, 2, 2]).play("done")
    assert {event.deck for event in game.view().events if event} == {"winter"}
    game = table(seat("founders; hunter"), events="serfdom", jester=False).play("done")
    assert {event.deck for event in game.view().events if event} == {"summer"}


def test_your_own_unlocker_comes_before_hers() -> None:
    game = table(seat("lumberjack > carpenter", "beekeeper"), countess="countess; carpenter")
    game.play("build beekeeper new")
    assert (game.gold(), game.village(0), game.village(1)) == (
        *(8, "lumberjack > carpenter:2; beekeeper"),
        "countess; carpenter",
    )


def test_of_two_unlockers_of_hers_you_choose() -> None:
    game = table(seat(hand="beekeeper"), countess="countess; carpenter:2; carpenter").play("build beekeeper new")
    assert game.legal() == ["pay 0", "pay 1"]
    assert {game.copy().play(move).village(1) for move in game.legal()} == {
        "countess; carpenter:4; carpenter",
        "countess; carpenter:2; carpenter:2",
    }


def test_all_her_villagers_are_on_top() -> None:
    hers = table(seat(), countess="countess; hunter; brewer; spelunker; jeweler").player(1)
    assert (hers.food, hers.builders, hers.income.gold) == (2, 1, 34)


def test_her_card_counts_for_her_peddler() -> None:
    hers = table(seat(), countess="countess; peddler; chandler").player(1)
    assert hers.income.silver == 3


def test_she_gets_nothing_when_the_road_is_empty() -> None:
    game = table(seat(), phase="draft", road="hunter", stacks=[0] * 6, reserve=0)
    plain = game.plain
    plain.road[1:] = [0] * 5
    plain.discards = 0
    game = again(plain).play("draft 0")
    assert (game.phase, game.village(1)) == ("build", "countess")


# --- the Jester -------------------------------------------------------------------------------------------------


def test_the_jester_discards_one_event_once() -> None:
    game = table(seat("founders; hayer"), events="land_claim").play("done")
    assert game.legal() == ["bear", "jester 0"]
    game.play("jester 0")
    assert game.gold() == 8
    assert not game.view().jester
    assert not [move for move in game.legal() if move.startswith("jester")]


def test_the_jester_may_be_used_while_building() -> None:
    game = table(seat(hand="hunter"), events="serfdom")
    assert {move.split()[-1] for move in game.legal("exchange")} == {"countess"}
    game.play("jester 0")
    assert "countess" not in {move.split()[-1] for move in game.legal("exchange")}


def test_the_jester_cannot_be_taken_back_once_the_next_event_is_turned() -> None:
    game = table(seat(), events="tribute").play("done")
    before = game.plain.barrier
    game.play("jester 0")
    assert game.plain.round == 4
    assert game.plain.barrier > before


@pytest.mark.parametrize("event", [event.id for event in EVENTS if event.phase == "event" and event.id != "it_was_you"])
def test_an_event_cannot_be_taken_back(event: str) -> None:
    game = happens(event, "founders; hunter:2", "countess; carpenter", "mason")
    before = game.plain.barrier
    assert game.play(game.legal()[0]).plain.barrier > before


def test_the_jester_in_the_build_turn_can_be_taken_back() -> None:
    game = table(seat(hand="hunter"), events="serfdom")
    before = game.plain.barrier
    assert game.play("jester 0").plain.barrier == before


def test_the_jester_spares_you_arson() -> None:
    game = table(seat(drafted=1), phase="draft", events="arson").play("draft 0", "give 1", "leave")
    assert game.legal() == ["bear", "jester 0", "ransom"]
    game.play("jester 0")
    assert (game.phase, game.player().build_limit, game.gold()) == ("build", 2, 8)


def test_the_jester_against_another_event_leaves_rats_to_be_answered() -> None:
    game = table(seat(), phase="rats", events="rats tribute").play("jester 1")
    assert (game.phase, game.legal()) == ("rats", ["bear", "ransom"])
    game = table(seat(), phase="arson", events="tribute arson").play("jester 0")
    assert (game.phase, game.legal()) == ("arson", ["bear", "ransom"])


# --- events -----------------------------------------------------------------------------------------------------


def test_betrayer_moves_a_top_villager_that_is_not_basic() -> None:
    game = happens("betrayer", "founders; hayer; miner > blacksmith:4; hunter")
    assert game.legal() == ["pick blacksmith 0", "pick hunter 0"]
    game.play("pick blacksmith 0")
    assert (game.village(0), game.village(1)) == ("founders; hayer; miner; hunter", "countess; blacksmith:4")


def test_betrayer_without_such_a_villager_does_nothing() -> None:
    assert happens("betrayer", "founders; hayer").legal() == ["bear"]


def test_betrayer_and_arrest_choose_among_copies_that_differ() -> None:
    yours = "founders; hayer > thatcher | ore_muler; hayer > thatcher"
    for event in ("betrayer", "arrest"):
        game = happens(event, yours)
        assert [move for move in game.legal() if "thatcher" in move] == ["pick thatcher 0", "pick thatcher 1"]
        left = {game.copy().play(move).village(0) for move in game.legal("pick thatcher")}
        assert {village.removeprefix("founders_food; ").removeprefix("founders; ") for village in left} == {
            "hayer > ore_muler; hayer > thatcher",
            "hayer > thatcher | ore_muler; hayer",
        }
        # alike: both stand by themselves
        assert happens(event, "founders; hayer > thatcher; hayer > thatcher").legal() == ["pick thatcher 0"]
    assert happens("betrayer", "founders; hunter:2; hunter").legal() == ["pick hunter 0", "pick hunter 1"]


def test_betrayer_uncovers_what_stood_below() -> None:
    game = happens("betrayer", "founders; hayer > grazier > milk_maid")
    # the Grazier is covered
    assert game.legal() == ["pick milk_maid 0"]
    game.play("pick milk_maid 0")
    assert game.village(0) == "founders; hayer > grazier"
    assert game.player(0).food == 1


def test_black_market_pays_silver_to_both() -> None:
    assert both(happens("black_market", "priest", "grocer; hunter").play("bear")) == (8 + 0, 3)
    assert both(happens("black_market", "priest; chandler", "grocer").play("bear")) == (11, 0)


def test_bribes_lays_coins_on_one_of_her_unlockers() -> None:
    game = happens("bribes", hers="countess; blacksmith; harvester")
    assert game.legal() == ["pick blacksmith 0", "pick harvester 0"]
    assert game.play("pick blacksmith 0").village(1) == "countess; blacksmith:10; harvester"


def test_customs_counts_the_suit_of_which_you_have_most() -> None:
    assert both(happens("customs", "founders; hayer > grazier > milk_maid; hunter").play("bear")) == (5, 3)


def test_customs_counts_cards_not_symbols() -> None:
    assert both(happens("customs", "founders; hayer > bed_builder; chandler").play("bear")) == (6, 2)


def test_guild_conspiracy_lays_coins_on_all_her_unlockers() -> None:
    game = happens("guild_conspiracy", hers="countess; blacksmith; harvester:2; agent").play("bear")
    assert game.village(1) == "countess; blacksmith:2; harvester:4; agent"


def test_land_claim_counts_basic_villagers() -> None:
    assert both(happens("land_claim", "founders; hayer > thatcher; miner").play("bear")) == (4, 4)


def test_a_payment_takes_no_more_than_there_is() -> None:
    assert both(happens("land_claim", "hayer; hayer; hayer; hayer", gold=3).play("bear")) == (0, 3)


def test_land_claim_does_not_count_the_founders_nor_a_graper() -> None:
    assert both(happens("land_claim", "founders; graper; lumberjack").play("bear")) == (6, 2)


def test_mood_swing_brings_another_event_that_happens_now() -> None:
    seen = set()
    for other in range(40):
        # chance is in the state: another card at hand makes another game
        game = happens("mood_swing", round=other)
        chance = game.plain
        chance.chance[0] = other * 7919
        game = again(chance).play("bear")
        assert game.phase in ("event", "draft", "rats")
        if game.phase == "event":
            seen |= {event.id for event in game.view().events if event}
    assert len(seen) > 4
    assert "mood_swing" not in seen


def test_serfdom_sends_cards_given_up_to_the_countess() -> None:
    game = table(seat(hand="peddler"), events="serfdom").play("exchange peddler hayer countess")
    assert (game.village(0), game.village(1)) == ("founders; hayer", "countess; peddler")


def test_sinister_banquet_pays_her_food() -> None:
    assert both(happens("sinister_banquet", hers="milk_maid; hunter").play("bear")) == (8, 6)


def test_temporary_employment_pays_the_suits_of_your_hand() -> None:
    assert both(happens("temporary_employment", hand="hunter agent peddler mason").play("bear")) == (8, 6)


def test_the_countess_bank_makes_unlocking_at_the_bank_dearer() -> None:
    game = table(seat(hand="beekeeper", gold=3), events="the_countess_bank").play("build beekeeper new")
    assert game.gold() == 0
    assert table(seat(hand="beekeeper", gold=2), events="the_countess_bank").legal("build") == []
    hers = table(seat(hand="beekeeper", gold=2), events="the_countess_bank", countess="carpenter")
    assert hers.play("build beekeeper new").gold() == 0


def test_value_added_tax_counts_gold_symbols() -> None:
    assert both(happens("value_added_tax", "founders; chandler; hayer > thatcher; hunter").play("bear")) == (5, 3)


def test_value_added_tax_counts_on_top_only() -> None:
    assert both(happens("value_added_tax", "founders > swineherd > truffler").play("bear")) == (7, 1)


def test_abduction_discards_a_card_of_the_hand() -> None:
    game = happens("abduction", hand="hunter peddler")
    assert game.legal() == ["part hunter", "part peddler"]
    game.play("part peddler")
    assert (game.hand(), game.discards()) == (["hunter"], ["peddler"])
    assert happens("abduction").legal() == ["bear"]


def test_arrest_discards_a_top_villager_that_is_not_basic() -> None:
    game = happens("arrest", "founders; hayer > thatcher; miner").play("pick thatcher 0")
    assert (game.village(), game.discards()) == ("founders_food; hayer; miner", ["thatcher"])
    # coins on it go to the bank
    game = happens("arrest", "founders; miner > blacksmith:4").play("pick blacksmith 0")
    assert sum(card.coins for card in game.plain.cards) == 0


def test_arson_takes_an_action_or_three_gold() -> None:
    for move, gold, limit in (("bear", 8, 1), ("ransom", 5, 2)):
        game = table(seat(drafted=1), phase="draft", events="arson", jester=False).play("draft 0", "give 1", "leave")
        assert game.phase == "arson"
        game.play(move)
        assert (game.gold(), game.player().build_limit, game.phase) == (gold, limit, "build")
    poor = table(seat(drafted=1, gold=2), phase="draft", events="arson", jester=False)
    assert poor.play("draft 0", "give 1", "leave").legal() == ["bear"]


def test_blackmail_pays_the_best_gold_of_your_village() -> None:
    assert both(happens("blackmail", "founders; miner > seeker > spelunker; chandler").play("bear")) == (8, 10)
    # printed gold counts where it is covered too
    assert both(happens("blackmail", "founders > brewer; miner").play("bear")) == (8, 2)


def test_conscription_takes_a_card_of_a_pile_for_her() -> None:
    game = happens("conscription", stacks=[0, "brewer", 1, 0, 0, 0], market=True)
    assert game.legal() == ["conscript 1", "conscript 2", "conscript reserve"]
    assert game.play("conscript 1").village(1) == "countess; brewer"


def test_dark_mood_brings_two_events_instead() -> None:
    found = set()
    for seed in range(60):
        plain = table(seat(), events="serfdom", jester=False, market=True).plain
        plain.chance[0] = seed
        game = again(plain).play("done")
        found.add(tuple(event.id for event in game.view().events if event))
    assert not [events for events in found if "dark_mood" in events]
    assert {len(events) for events in found} == {1, 2}


def test_a_deck_of_events_that_is_used_up_is_shuffled_again_without_dark_mood() -> None:
    winter = (1 << 24) - (1 << 12)
    dark = 1 << next(event.number for event in EVENTS if event.id == "dark_mood")
    other = 1 << next(event.number for event in EVENTS if event.id == "tribute")
    for seed in range(120):
        plain = table(seat(), events="serfdom", jester=False, market=True).plain
        plain.chance[0], plain.unseen_events = seed, dark | other
        game = again(plain).play("done")
        open_now = [event.id for event in game.view().events if event]
        assert "dark_mood" not in open_now
        assert len(set(open_now)) == len(open_now)
        if len(open_now) == 2:
            # the other one, then one of the new deck
            assert open_now[0] == "tribute"
            assert (game.plain.unseen_events & winter).bit_count() == 9
            assert not game.plain.unseen_events & (dark | other)


def test_a_used_up_deck_is_shuffled_again() -> None:
    plain = table(seat(), events="serfdom", jester=False).plain
    plain.unseen_events = (1 << 24) - (1 << 12)
    game = again(plain).play("done")
    # the one that was open in the last round is in the new deck too
    assert game.plain.unseen_events.bit_count() == 12 + 11
    assert {event.deck for event in game.view().events if event} == {"summer"}


def test_conscription_can_bring_a_market() -> None:
    game = happens("conscription", stacks=[0, "brewer", 1, 1, 1, 1]).play("conscript 1")
    assert game.view().first_market_held
    # with nothing to take, nothing happens
    assert happens("conscription", stacks=[0] * 6, reserve=0).legal() == ["bear"]


def test_events_happen_in_every_round() -> None:
    plain = table(seat("founders; hunter"), events="tribute", jester=False).plain
    # as the last round left it
    plain.event = 2
    assert again(plain).play("done").phase == "event"


def test_two_events_both_happen() -> None:
    game = happens("tribute blackmail", hand="hunter agent", you="founders")
    assert game.view().event == 0
    game.play("bear")
    assert (both(game), game.view().event) == ((6, 2), 1)
    assert both(game.play("bear")) == (6, 4)


def test_it_was_you_makes_you_use_the_jester() -> None:
    game = table(seat(), events="it_was_you tribute").play("done")
    assert game.legal() == ["jester 0", "jester 1"]
    assert happens("it_was_you").phase in ("draft", "rats")
    # it may be turned on It Was You! itself
    game = table(seat(), events="it_was_you").play("done")
    assert game.legal() == ["jester 0"]
    assert game.play("jester 0").plain.round == 4


def test_protection_money_pays_the_coins_on_one_of_your_villagers() -> None:
    game = happens("protection_money", "founders; chandler:4; hunter:2; agent")
    assert game.legal() == ["pick chandler 0", "pick hunter 0"]
    game.play("pick hunter 0")
    assert both(game) == (6, 2)
    assert "hunter:2" in game.village()


def test_protection_money_takes_no_more_than_there_is() -> None:
    game = happens("protection_money", "founders; chandler:4", gold=1).play("pick chandler 0")
    assert both(game) == (0, 1)
    assert happens("protection_money", "founders; chandler").legal() == ["bear"]


def test_protection_money_asks_for_an_amount_not_for_a_place() -> None:
    game = happens("protection_money", "founders; lumberjack > carpenter:2 | cartwright; lumberjack > carpenter:2")
    assert game.legal() == ["pick carpenter 0"]


def test_rats_come_before_the_draft() -> None:
    plain = table(seat(), events="serfdom", jester=False, market=True).plain
    plain.unseen_events = 1 << next(event.number for event in EVENTS if event.id == "rats")
    game = again(plain).play("done")
    assert (game.phase, game.player().draft_limit) == ("rats", 3)
    game.play("bear")
    assert (game.phase, game.player().draft_limit, game.player().drafted) == ("draft", 2, 0)


def test_rats_take_a_card_of_the_draft_or_three_gold() -> None:
    for move, gold, limit in (("bear", 8, 1), ("ransom", 5, 2)):
        game = table(seat(), phase="rats", events="rats", jester=False).play(move)
        assert (game.gold(), game.player().draft_limit, game.phase) == (gold, limit, "draft")
    game = table(seat(), phase="rats", events="rats").play("jester 0")
    assert (game.gold(), game.player().draft_limit, game.phase) == (8, 2, "draft")


@pytest.mark.parametrize("phase", ["rats", "arson"])
def test_with_three_gold_you_can_pay_and_with_two_you_cannot(phase: str) -> None:
    assert table(seat(gold=3), phase=phase, events=phase, jester=False).legal() == ["bear", "ransom"]
    assert table(seat(gold=3), phase=phase, events=phase, jester=False).play("ransom").gold() == 0
    assert table(seat(gold=2), phase=phase, events=phase, jester=False).legal() == ["bear"]


def test_spy_network_pays_her_what_you_choose_of_your_silver() -> None:
    game = happens("spy_network", "priest; chandler; grocer; grocer; hunter; harvester", hers="freemason; wattler")
    # two copies pay the same: they are one choice
    assert game.legal() == ["pick grocer 0", "pick priest 0"]
    assert both(game.copy().play("pick priest 0")) == (8, 9)
    assert both(game.play("pick grocer 0")) == (8, 6)
    assert both(happens("spy_network", "hunter", hers="grocer; hunter").play("bear")) == (8, 0)


def test_trade_network_pays_her_what_you_choose_of_her_silver() -> None:
    game = happens("trade_network", "freemason; wattler", hers="grocer; hunter; harvester; priest; agent")
    assert game.legal() == ["pick agent 0", "pick grocer 0", "pick priest 0"]
    assert both(game.copy().play("pick grocer 0")) == (8, 6)
    # nothing lies on her villagers
    assert both(game.play("pick agent 0")) == (8, 0)


def test_what_a_silver_villager_would_pay_is_said() -> None:
    game = happens("spy_network", "priest; chandler; grocer; hunter; harvester")
    offered = {say(GAME.face.offer(game.state, 0, move)) for move in game.numbers()}
    assert offered == {"Choose Grocer, which would pay 6 gold", "Choose Priest, which would pay 9 gold"}


def test_tribute_counts_the_cards_of_your_hand() -> None:
    assert both(happens("tribute", hand="hunter agent peddler").play("bear")) == (5, 3)


def test_every_event_can_happen_in_play() -> None:
    seen: set[str] = set()
    for seed in range(60):
        game = dealt(1, seed)
        while not game.over:
            seen |= {event.id for event in game.view().events if event}
            game.play(game.legal()[0])
    assert seen == {event.id for event in EVENTS} - {"dark_mood"}


@pytest.mark.parametrize("id", ["brewer", "jeweler"])
def test_her_villagers_ignore_chains_and_padlocks(id: str) -> None:
    game = table(seat(), phase="draft", road=f"{id} agent mason wattler hunter seeker").play("draft 5", "give 0")
    assert game.village(1) == f"countess; {id}"
    assert game.gold(1) == 1


# --- the end ----------------------------------------------------------------------------------------------------


def test_her_column_has_what_the_rules_count_for_her_and_nobody_has_one_elsewhere() -> None:
    for seed in range(8):
        match = Match(GAME, 1 + seed % 2, {}, seed)
        play_randomly(match, random.Random(seed))
        rival = GAME.face.rival(match.state)
        if match.seats > 1:
            assert rival is None
        else:
            assert rival is not None
            assert rival.total == score(match.state, COUNTESS_SEAT)
            assert match.standings == ((1,) if match.scores[0] > rival.total else (2,))


def test_her_points_have_the_notes_that_those_of_a_player_with_her_village_have() -> None:
    hers = GAME.face.rival(table(seat(), countess="chandler:2; priest", phase="over").state)
    assert hers is not None
    mine = GAME.face.sheet(table(seat("chandler:2; priest"), phase="over").state).rows
    assert hers.notes[1:] == tuple(row.notes[0] for row in mine[1:])
    assert [say(note) for note in hers.notes if note] == ["1 gold symbol", "Priest 3", "on 1 villager"]
