"""Why not, in Villagers: the reasons that its rules give."""

from __future__ import annotations

from typing import Any

from games.villagers.place import seat, table
from thorp.core.why import why_not
from thorp.core.words import say
from thorp.games.villagers import GAME
from thorp.games.villagers.rules.cards import number


def why(at: Any, thing: str, *chosen: str, who: int = 0) -> str:
    """What a seat is told; empty where that can be chosen."""
    offered = [GAME.face.steps(at.state, who, move) for move in GAME.legal_moves(at.state, who)]
    found = why_not(GAME, at.state, who, (thing,), chosen, offered)
    return "" if found is None else say(found, ["Ada", "Birch", "Cedar"])


def hand(id: str) -> str:
    return f"hand-{number(id)}"


def stands(at: Any, id: str, nth: int = 0) -> str:
    """The step of a villager in the village of the first seat."""
    chains = at.view(0).players[0].chains
    cards = [card for chain in chains for card in (chain.bottom, *sum(chain.branches, ()))]
    return f"card-{[card.id for card in cards if card.card.id == id][nth]}"


def test_the_draft() -> None:
    at = table(seat(hand="cooper"), seat(), phase="draft", road="thatcher peddler", stacks=(0, 2, 2, 2, 2, 2))
    assert why(at, "road-0") == ""
    assert why(at, "road-5") == "No card lies here."
    assert why(at, "stack-0") == "Stack 1 is empty."
    assert why(at, "stack-6") == "Nobody drafts from the Reserve: it fills the Road when the stacks are empty."
    assert why(at, "basic-0") == "Hayer comes for a card that you give up, when you build."
    assert why(at, hand("cooper")) == "You draft now; cards of the hand are built later."
    assert why(at, stands(at, "founders")) == "Villagers of your village are chosen when you build."
    assert why(at, "road-0", who=1) == "It is not your turn. Ada drafts a card."


def test_what_the_signs_of_the_markets_mean() -> None:
    first = "The First Market is held when stacks 1 and 2 are empty."
    second = "The Second Market is held when all stacks are empty; it ends the game."
    at = table(seat(), seat(), phase="draft")
    assert [why(at, f"market-{which}") for which in ("first", "second")] == [first, second]
    at = table(seat(), seat(), phase="draft", stacks=(0, 0, 2, 2, 2, 2))
    assert why(at, "market-due") == "Stacks 1 and 2 are empty: the First Market is held at the end of this round."
    at = table(seat(), seat(), phase="draft", stacks=(0, 0, 0, 0, 0, 0), market=True)
    words = "All stacks are empty: this round ends with the Second Market, and so does the game."
    assert why(at, "market-due") == words


def test_coins_on_the_road() -> None:
    at = table(seat(), seat(), phase="guard", road="thatcher peddler")
    assert why(at, "road-4") == "No card lies here."
    assert why(at, "stack-1") == "This is about the cards of the Road."


def test_where_a_card_goes() -> None:
    at = table(seat("founders; hayer; lumberjack", "grazier peddler thatcher", gold=1), seat())
    assert why(at, stands(at, "lumberjack"), hand("grazier")) == "Grazier is built on Hayer."
    assert why(at, stands(at, "hayer"), hand("grazier")) == ""
    assert why(at, "road-0") == "Cards of the Road are taken in the draft; now you build."
    assert why(at, "stack-6") == "A card goes onto the Reserve only when all stacks are empty."
    assert why(at, hand("thatcher"), hand("grazier")) == "Step back to choose this instead."


def test_build_actions_are_used() -> None:
    at = table(seat("founders; hayer", "grazier", built=2), seat(), limit=2)
    assert why(at, stands(at, "hayer")) == "All build actions of this round are used: 2 of 2."
    assert why(at, stands(at, "hayer"), hand("grazier")) == "All build actions of this round are used: 2 of 2."


def test_gold_for_a_padlock() -> None:
    locked = next(card for card in _locked())
    at = table(seat(f"founders; {locked.predecessor}", locked.id, gold=1), seat())
    words = f"The padlock of {locked.name} costs 2 gold: you have 1."
    assert why(at, stands(at, locked.predecessor), hand(locked.id)) == words
    assert why(at, stands(at, locked.predecessor)) == words
    at = table(seat(f"founders; {locked.predecessor}", locked.id, gold=2), seat())
    assert why(at, stands(at, locked.predecessor)) == ""


def _locked() -> list[Any]:
    from thorp.games.villagers.rules.cards import BASICS, VILLAGERS

    return [card for card in VILLAGERS if card.in_deck and card.padlock and card.predecessor in BASICS]


def test_covered_and_bearing_nothing() -> None:
    at = table(seat("founders; hayer > grazier; lumberjack", "cooper"), seat())
    assert why(at, stands(at, "grazier")) == "No card of your hand is built on Grazier."
    assert why(at, stands(at, "lumberjack")) in ("", "No card of your hand is built on Lumberjack.")


def test_special_villagers() -> None:
    at = table(seat("founders; hayer > grazier", "tinner apprentice monk"), seat())
    assert why(at, stands(at, "founders"), hand("tinner")) == "Tinner is played and discarded, not built."
    words = "Apprentice takes the place of a covered villager, and nothing stands on Grazier."
    assert why(at, stands(at, "grazier"), hand("apprentice")) == words
    words = "Monk goes below a card that is built with it: choose that card, too."
    assert why(at, stands(at, "founders"), hand("monk")) == words


def test_of_villagers_that_are_alike_one_can_be_chosen() -> None:
    """Ruling 18: which of them it is makes no difference."""
    at = table(seat("founders; hayer > grazier; hayer > thatcher", "apprentice"), seat("founders"))
    words = "It makes no difference which Hayer it is: choose the one that is lit."
    told = [why(at, stands(at, "hayer", nth), hand("apprentice")) for nth in (0, 1)]
    assert sorted(told) == ["", words]
    assert sorted(why(at, stands(at, "hayer", nth)) for nth in (0, 1)) == ["", words]
    at = table(seat("founders; hayer; hayer", "grazier"), seat())
    assert sorted(why(at, stands(at, "hayer", nth), hand("grazier")) for nth in (0, 1)) == ["", words]
    # one that bears more is another place
    at = table(seat("founders; hayer; hayer > grazier", "grazier"), seat())
    assert [why(at, stands(at, "hayer", nth), hand("grazier")) for nth in (0, 1)] == ["", ""]


def test_an_apprentice_whose_villager_finds_no_place() -> None:
    words = "Grazier would find no new place, so Apprentice cannot take this one."
    at = table(seat("hayer > grazier > milk_maid | thatcher", "apprentice"), seat())
    assert why(at, stands(at, "grazier"), hand("apprentice")) == words


def test_an_apprentice_that_cannot_take_the_place_of_a_monk() -> None:
    words = "Nothing could then be built on Monk, so Apprentice cannot take its place."
    # the Monk would find a place, but no card goes on it: none is held, or no build action is left for it
    for held, limit in (("apprentice", 5), ("apprentice apprentice", 5), ("apprentice grazier", 1)):
        at = table(seat("founders; monk=hayer > thatcher", held), seat(), limit=limit)
        assert why(at, stands(at, "monk"), hand("apprentice")) == words
    at = table(seat("founders; monk=hayer > thatcher", "apprentice grazier"), seat(), limit=2)
    assert why(at, stands(at, "monk"), hand("apprentice")) == ""


def test_an_apprentice_that_cannot_take_the_place_of_a_villager_whose_padlock_stays_closed() -> None:
    village = "founders; hayer > grazier > milk_maid > fromager; hayer > grazier"
    at = table(seat(village, "apprentice"), seat())
    assert why(at, stands(at, "milk_maid"), hand("apprentice")) == ""
    at = table(seat(village, "apprentice", gold=1), seat())
    words = "The padlock of Milk Maid costs 2 gold: you have 1."
    assert why(at, stands(at, "milk_maid"), hand("apprentice")) == words


def test_a_second_apprentice_while_a_monk_is_free() -> None:
    village = "founders; monk=hayer > thatcher; hayer > grazier > milk_maid"
    at = table(seat(village, "apprentice apprentice grazier"), seat()).play("swap 0 monk 0")
    # that has a place of its own elsewhere
    words = "Hayer cannot go on the freed Monk, so Apprentice cannot take its place."
    assert why(at, stands(at, "hayer"), hand("apprentice")) == words
    assert why(at, stands(at, "grazier"), hand("apprentice")) == ""


def test_an_apprentice_that_has_no_place_to_take() -> None:
    words = "There is no covered villager whose place Apprentice could take."
    for village in ("founders", "founders; monk=hayer > thatcher"):
        at = table(seat(village, "apprentice", exchanged=1), seat(), exchange_limit=1)
        assert why(at, hand("apprentice")) == words


def test_a_freed_monk_needs_a_card_first() -> None:
    held = "apprentice tinner grazier smuggler monk swineherd"
    at = table(seat("founders; monk=hayer > thatcher", held), seat()).play("swap 0 monk 0")
    words = "The freed Monk needs a card on it first."
    assert [why(at, hand(id)) for id in ("tinner", "smuggler")] == [words, words]
    assert why(at, hand("monk")) == "A Monk is free already: build a card on it."
    assert why(at, stands(at, "founders")) == words
    assert why(at, stands(at, "founders"), hand("swineherd")) == words
    assert why(at, stands(at, "thatcher")) == words
    at = table(seat("founders; hayer; monk=hayer > thatcher", "apprentice grazier milk_maid"), seat())
    at.play("swap 0 monk 0")
    assert why(at, stands(at, "hayer"), hand("milk_maid")) == ""
    assert why(at, stands(at, "hayer"), hand("grazier")) == "Step back to choose this instead."


def test_what_a_choice_has_left_behind() -> None:
    """Another villager of the kind is not lit either then: it is no matter of which."""
    at = table(seat("founders; hayer; hayer > grazier", "grazier monk"), seat())
    for nth in (0, 1):
        assert why(at, stands(at, "hayer", nth), hand("grazier"), hand("monk")) == "Step back to choose this instead."
    at = table(seat("founders; hayer", "grazier"), events="rats")
    assert why(at, stands(at, "hayer"), "jester") == "Step back to choose this instead."


def test_a_second_tinner() -> None:
    at = table(seat("founders", "tinner", tinner=1, exchanged=3), seat(), exchange_limit=3)
    assert why(at, hand("tinner")) == "A Tinner is at work already in this turn."


def test_giving_up_is_limited() -> None:
    at = table(seat("founders", "cooper", exchanged=3), seat(), exchange_limit=3)
    assert why(at, "basic-0") == "You have given up 3 cards in this turn: more may not be."
    assert why(at, "stack-2") == "You have given up 3 cards in this turn: more may not be."
    assert why(at, hand("cooper")).startswith("Cooper is built on ")
    at = table(seat("founders", ""), seat())
    assert why(at, "basic-1") == "Your hand is empty: there is no card to give up."


def test_the_jester() -> None:
    at = table(seat("founders", "cooper"), jester=False, events="rats", phase="build")
    assert why(at, "jester") == "The Jester has been sent already: it helps once a game."
    at = table(seat("founders", "cooper"), events="", phase="build")
    assert why(at, "jester") == "No event lies open."
