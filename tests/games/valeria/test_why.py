"""Why not, in Villages of Valeria: the reasons that its rules give."""

from __future__ import annotations

from typing import Any

import pytest

from games.valeria.place import RULES_DECK, seat, table, with_powers
from thorp.core.why import why_not
from thorp.core.words import say
from thorp.games.valeria import GAME
from thorp.games.valeria.decks.known import DECKS, FILES
from thorp.games.valeria.rules.powers import ACTIONS, Power


def why(at: Any, thing: str, *chosen: str, who: int = 0) -> str:
    """What a seat is told; empty where that can be chosen."""
    offered = [GAME.face.steps(at.state, who, move) for move in GAME.legal_moves(at.state, who)]
    found = why_not(GAME, at.state, who, (thing,), chosen, offered)
    return "" if found is None else say(found, ["Ada", "Birch", "Cedar"])


def hand(at: Any, id: str) -> str:
    """The step of a card in the hand of the first seat."""
    cards = at.view(0).players[0].hand
    return f"hand-{next(held.card.number for held in cards if held.card.building.id == id)}"


def test_actions_that_cannot_be_led() -> None:
    at = table(seat(hand="armory", coins=0), seat())
    assert why(at, "action-harvest") == ""
    assert why(at, "action-develop") == "Develop takes 2 cards of your hand: you have 1."
    assert why(at, "action-recruit") == "Recruit needs 1 coin more."
    # the castle stands for one of them only
    assert why(at, "action-build") == "You lack wood: 0 of 1, stone: 0 of 2 for Armory."
    at = table(seat(coins=3), seat(), pool="knight")
    assert why(at, "action-recruit") == "No adventurer would come: each asks for buildings that you lack."
    assert why(at, "action-build") == "Your hand is empty: there is nothing to build."
    assert why(at, "action-tax", who=1) == "It is not your turn. Ada chooses an action."


def test_adventurers_ask_for_buildings() -> None:
    at = table(seat(), seat(), pool="knight")
    (place,) = [place for place in at.view(0).adventurers if place.card]
    lacks = place.lacks
    assert why(at, "adventurer-0") == f"You lack {', '.join(f'{each}: 0 of 1' for each in dict.fromkeys(lacks))}."
    assert why(at, "adventurer-4") == "No adventurer is left to come here."


def test_what_a_building_costs() -> None:
    at = table(seat(hand="armory", resources="wood stone stone", coins=1), seat(), phase="build", action="build")
    assert why(at, hand(at, "armory")) == "You need 2 coins more to pay for Armory."
    at = table(seat("armory", hand="armory farm", coins=9), seat(), phase="build", action="build")
    assert why(at, hand(at, "armory")) == "You have Armory already, and no two of one name."


def test_what_is_paid_with() -> None:
    at = table(
        seat(hand="armory", resources="wood stone* food", coins=3),
        seat(resources="stone stone"),
        phase="build",
        action="build",
    )
    at.play("build armory/" + at.view(0).players[0].hand[0].card.resource)
    assert at.view(0).phase == "pay"
    assert why(at, "resource-0-wood") == ""
    assert why(at, "resource-1-stone") == ""
    assert why(at, "resource-0-food") == "No food is owed."
    assert why(at, "resource-0-stone") == "A coin lies on each stone here already."
    assert why(at, "resource-1-wood") == "There is no wood here."
    assert why(at, "castle-1") == "A castle serves nobody but its owner."
    assert why(at, "pile-0") == "Not now. Pay for Armory: wood, stone, stone."
    assert why(at, "action-tax") == "Build is led: that comes first."


def test_before_anything_is_paid() -> None:
    at = table(seat(resources="wood", castle=True), seat(resources="food"))
    assert why(at, "castle") == "A coin lies on your castle until your next turn."
    assert why(at, "resource-0-wood") == "You pay with your wood when you build."
    assert why(at, "resource-0-magic") == "You have no magic: develop a card that gives it."
    words = "You can pay with this food when you build; the coin becomes that of Birch."
    assert why(at, "resource-1-food") == words
    assert why(at, "resource-1-wood") == "There is no wood here."
    assert why(at, "seat-1") == "Cards are taken from a hand only by powers that say so."
    assert why(at, "pile-0") == "Lead an action that draws cards: Harvest, Tax or Build."
    assert why(at, "deck") == "Lead an action that draws cards: Harvest, Tax or Build."


def test_powers() -> None:
    at = table(seat("armory", coins=3), seat())
    assert why(at, "power-0-0") == "This power acts after Build."
    at = table(seat("farm", coins=3), seat())
    assert why(at, "power-0-0") == "This power pays a resource when you build."


#: Powers that nobody uses, as they act by themselves; and those of other times: before, while and after they act.
UNUSED = {"scoring": "This power scores at the end.", "hiring": "This power makes Recruit cheaper by itself."}
MOMENTS = [
    ("lead", ACTIONS[0], 0),
    *((phase, action, 0) for phase in ("follow", "draw", "powers") for action in ACTIONS),
    *(("powers", action, 1) for action in ACTIONS),
]
ALL_DECKS = {**{value: DECKS.of_value(value) for value in FILES}, "rules": RULES_DECK}


@pytest.mark.parametrize("deck", ALL_DECKS)
def test_every_power_of_every_deck_has_a_true_reason(deck: str) -> None:
    for card in (each for each in ALL_DECKS[deck].every if each.powers):
        for phase, action, fresh in MOMENTS:
            at = table(seat(card.id), seat(), deck=ALL_DECKS[deck], phase=phase, action=action, fresh=fresh)
            for row, power in enumerate(card.powers):
                told = why(at, f"power-0-{row}")
                if power.when in UNUSED:
                    assert told == UNUSED[power.when], (card.id, phase)
                elif not told:
                    # it can be used
                    assert (phase, power.when) == ("powers", "instant" if fresh else action)


def test_powers_that_nobody_uses_have_their_reasons_while_a_building_is_paid_for() -> None:
    powers = Power("scoring", "score", of="food"), Power("hiring", "cheaper")
    deck = with_powers(farm=powers)
    at = table(seat("farm", "armory", "wood stone", coins=9), seat(), deck=deck, phase="build", action="build")
    at.play(next(move for move in at.legal() if move.startswith("build")))
    assert at.view(0).phase == "pay"
    assert [why(at, f"power-0-{row}") for row in range(2)] == [UNUSED[power.when] for power in powers]


def test_drawing_and_discarding() -> None:
    at = table(seat(), seat(), phase="draw", action="harvest", draws=3, piles=["inn", "", "", "", ""], cards=0)
    assert why(at, "pile-0") == ""
    assert why(at, "pile-3") == "Pile 4 is empty."
    assert why(at, "deck") == "The deck is empty, and the piles hold nothing to shuffle."
    at = table(seat(hand="inn farm"), seat(), phase="discard", action="develop", discards=1)
    assert why(at, "deck") == "Cards are discarded onto the piles, not onto the deck."
