"""Why something cannot be chosen now in Villages of Valeria: by the rules' own functions, and by what the seat sees."""

from __future__ import annotations

from dataclasses import dataclass

from thorp.core.words import Message, Seat, Term
from thorp.games.valeria.face.view import AdventurerView, CardView, PowerView, ResourceView, View, VillageCard, view
from thorp.games.valeria.face.words import action_word, card_word
from thorp.games.valeria.rules.deck import LANE
from thorp.games.valeria.rules.paying import CARD, COIN, FREE, KINDS, LANE_MASK, can_build, payable, supply
from thorp.games.valeria.rules.powers import ACTIONS, RESOURCES, TYPES, Power
from thorp.games.valeria.rules.rounds import DEVELOP_FOLLOW, DEVELOP_LEAD, TO_BUILD, TO_DEVELOP, TO_RECRUIT, can_do
from thorp.games.valeria.rules.state import (
    BUILD,
    DISCARD,
    DRAW,
    FOLLOW,
    LEAD,
    LIMIT,
    PAY,
    PILES,
    POOL,
    POWERS,
    TAKE,
    State,
)
from thorp.games.valeria.rules.villages import hire_price, meets

#: More coins than a cost can ask for.
_PLENTY = 99


@dataclass(frozen=True)
class _Asked:
    """A seat that is asked something, and what it sees."""

    state: State
    game: State
    seat: int
    seen: View

    @property
    def coins(self) -> int:
        """What the seat has to spend."""
        return self.seen.players[self.seat].coins


def why_not(state: State, seat: int, thing: str, chosen: tuple[str, ...]) -> Message | None:
    """Why a seat that is asked something cannot choose what stands for this step."""
    asked = _Asked(state, State.of(state), seat, view(state, seat))
    if chosen and asked.game.phase == PAY:
        # all that fits the next step leads on
        return None
    kind, *rest = thing.split("-")
    numbers = [int(word) for word in rest if word.isdecimal()]
    match kind, rest:
        case "action", [name] if name in ACTIONS:
            return _action(asked, ACTIONS.index(name))
        case "pile", [_] if numbers and numbers[0] < PILES:
            return _pile(asked, numbers[0])
        case "deck", []:
            return _deck(asked)
        case "adventurer", [_] if numbers and numbers[0] < POOL:
            return _adventurer(asked, asked.seen.adventurers[numbers[0]])
        case "hand", [_] if numbers:
            return _hand(asked, numbers[0])
        case "resource", [_, kind] if numbers and kind in RESOURCES and numbers[0] < asked.seen.seats:
            return _resource(asked, numbers[0], RESOURCES.index(kind))
        case "castle", []:
            return _castle(asked)
        case "castle", [_]:
            return Message("A castle serves nobody but its owner.")
        case "power", [_, _] if len(numbers) == 2:
            return _power(asked, *numbers)
        case "seat", [_] if numbers and numbers[0] < asked.seen.seats:
            return _hand_of(asked, numbers[0])
        case "bank", []:
            return Message("Coins come from the bank by themselves: Tax and some powers bring them.")
    return None


# --- actions ----------------------------------------------------------------------------------------------------


def _action(asked: _Asked, action: int) -> Message | None:
    if asked.game.phase == FOLLOW:
        return None
    if asked.game.phase != LEAD:
        return (
            Message("{action} is led: that comes first.", {"action": action_word(asked.game.action)})
            if (asked.seen.action)
            else None
        )
    return _not_done(asked, action, DEVELOP_LEAD)


def cannot_follow(state: State, seat: int) -> Message | None:
    """Why a seat that is asked if it follows cannot: what its hand is good for only it knows, so it is asked anyway."""
    game = State.of(state)
    if bool(can_do(state, seat, game.action)):
        return None
    return _not_done(_Asked(state, game, seat, view(state, seat)), game.action, DEVELOP_FOLLOW)


def _not_done(asked: _Asked, action: int, discards: int) -> Message | None:
    """Why an action cannot be done; Develop costs so many discards."""
    if action == TO_DEVELOP:
        n = asked.seen.players[asked.seat].hand_size
        data = {"action": action_word(action), "needs": discards + 1, "n": n}
        return Message("{action} takes {needs} cards of your hand: you have {n}.", data)
    if action == TO_RECRUIT:
        return _too_dear(asked) or Message("No adventurer would come: each asks for buildings that you lack.")
    if action == TO_BUILD:
        return _nothing_to_build(asked)
    return None


def _too_dear(asked: _Asked) -> Message | None:
    """That Recruit cannot be paid for now."""
    price = int(hire_price(asked.state, asked.seat))
    if asked.coins >= price:
        return None
    data = {"action": action_word(TO_RECRUIT), "n": price - asked.coins}
    return Message("{action} needs {n} coin more.", data, "{action} needs {n} coins more.")


def _nothing_to_build(asked: _Asked) -> Message:
    hand = asked.seen.players[asked.seat].hand
    if not hand:
        return Message("Your hand is empty: there is nothing to build.")
    if len(hand) == 1:
        return _not_built(asked, hand[0].card)
    if all(held.is_built for held in hand):
        return Message("You have built one of each of these already.")
    return Message("You cannot pay for any card of your hand.")


# --- piles, the deck, adventurers, hands ------------------------------------------------------------------------


def _pile(asked: _Asked, pile: int) -> Message | None:
    if asked.game.phase in (DRAW, DISCARD, LIMIT) and asked.seen.piles[pile].top is None:
        return Message("Pile {n} is empty.", {"n": pile + 1})
    return _draws(asked)


def _deck(asked: _Asked) -> Message | None:
    if asked.game.phase in (DISCARD, LIMIT):
        return Message("Cards are discarded onto the piles, not onto the deck.")
    if asked.game.phase == DRAW:
        return Message("The deck is empty, and the piles hold nothing to shuffle.")
    return _draws(asked)


def _draws(asked: _Asked) -> Message | None:
    if asked.game.phase == LEAD:
        return Message("Lead an action that draws cards: Harvest, Tax or Build.")
    return None


def _adventurer(asked: _Asked, place: AdventurerView) -> Message | None:
    if place.card is None:
        return Message("No adventurer is left to come here.")
    if lacks := _types_lacking(asked, place):
        return lacks
    if asked.game.phase == LEAD:
        return _too_dear(asked) or Message(
            "{card} would come: lead {action}.", {"card": card_word(place.card), "action": action_word(TO_RECRUIT)}
        )
    return None


def _types_lacking(asked: _Asked, place: AdventurerView) -> Message | None:
    """The buildings that an adventurer asks for and the village lacks."""
    if meets(asked.state, asked.seat, place.slot) or place.card is None:
        return None
    has = asked.game.players[asked.seat].types
    lacks = [
        Message("{type}: {n} of {of}", {"type": Term(type), "n": has[index], "of": place.card.needs[index]})
        for index, type in enumerate(TYPES)
        if has[index] < place.card.needs[index]
    ]
    return Message("You lack {lacks}.", {"lacks": lacks})


def _hand_of(asked: _Asked, seat: int) -> Message | None:
    if asked.game.phase == TAKE:
        return Message("{seat} has no card in hand.", {"seat": Seat(seat)})
    return Message("Cards are taken from a hand only by powers that say so.")


def _hand(asked: _Asked, card: int) -> Message | None:
    held = next((held for held in asked.seen.players[asked.seat].hand if held.card.number == card), None)
    if held is None:
        return None
    if asked.game.phase == BUILD:
        return _not_built(asked, held.card)
    if asked.game.phase == LEAD:
        if can_build(asked.state, asked.seat, card):
            return Message(
                "You could build {card}: lead {action}.",
                {"card": card_word(held.card.building), "action": action_word(TO_BUILD)},
            )
        return _not_built(asked, held.card)
    return None


def _not_built(asked: _Asked, card: CardView) -> Message:
    """Why a card of the hand cannot be built: its name stands already, or something is missing to pay it with."""
    building, me = card.building, asked.seen.players[asked.seat]
    data: dict[str, object] = {"card": card_word(building)}
    if any(own.card == building for own in me.village):
        return Message("You have {card} already, and no two of one name.", data)
    found, cards = int(supply(asked.state, asked.seat)), me.hand_size - 1
    owed = sum(n << LANE * kind for kind, n in enumerate(building.cost))
    if payable(found, owed, _PLENTY, cards):
        more = next(n for n in range(1, _PLENTY) if payable(found, owed, me.coins + n, cards))
        data["n"] = more
        return Message("You need {n} coin more to pay for {card}.", data, "You need {n} coins more to pay for {card}.")
    lacks = _resources_lacking(found, building.cost, cards)
    if not lacks:
        return Message("You have too few cards in hand for the powers that would pay for {card}.", data)
    return Message("You lack {lacks} for {card}.", {**data, "lacks": lacks})


def _resources_lacking(found: int, cost: tuple[int, ...], cards: int) -> list[Message]:
    """The kinds of which less can be paid than is owed: what the castle and some powers give is any kind."""
    lacks = []
    for kind in range(KINDS):
        lane = LANE * kind
        free, coin, card = (found >> first + lane & LANE_MASK for first in (FREE, COIN, CARD))
        have = free + coin + min(card, cards)
        if have < cost[kind]:
            data = {"resource": Term(RESOURCES[kind]), "n": have, "of": cost[kind]}
            lacks.append(Message("{resource}: {n} of {of}", data))
    return lacks


# --- paying -----------------------------------------------------------------------------------------------------


def _resource(asked: _Asked, owner: int, kind: int) -> Message | None:
    own: ResourceView = asked.seen.players[owner].resources[kind]
    data: dict[str, object] = {"resource": Term(own.kind), "owner": Seat(owner)}
    if asked.game.phase != PAY:
        if not own.count and owner == asked.seat:
            return Message("You have no {resource}: develop a card that gives it.", data)
        if owner == asked.seat:
            return Message("You pay with your {resource} when you build.", data)
        if not own.count:
            return Message("There is no {resource} here.", data)
        return Message("You can pay with this {resource} when you build; the coin becomes that of {owner}.", data)
    if own.kind not in asked.seen.owed:
        return Message("No {resource} is owed.", data)
    if not own.count:
        return Message("There is no {resource} here.", data)
    if not own.free:
        return Message("A coin lies on each {resource} here already.", data)
    return _cannot_pay(asked)


def _cannot_pay(asked: _Asked) -> Message:
    """Why a way to pay is not open that would fit: no coin, or what is left could not be paid then."""
    if not asked.coins:
        return Message("You have no coin left to lay on it.")
    return Message("Then the rest could not be paid.")


def _castle(asked: _Asked) -> Message | None:
    if asked.seen.players[asked.seat].castle_coin:
        return Message("A coin lies on your castle until your next turn.")
    if asked.game.phase != PAY:
        return Message("You pay with your castle when you build: it stands for any resource.")
    return _cannot_pay(asked)


def _power(asked: _Asked, place: int, row: int) -> Message | None:
    me = asked.seen.players[asked.seat]
    if place >= len(me.village) or row >= len(me.village[place].powers):
        return None
    own, shown = me.village[place], me.village[place].powers[row]
    power, phase = shown.power, asked.game.phase
    if power.when == "scoring":
        return Message("This power scores at the end.")
    if power.when == "hiring":
        return Message("This power makes {action} cheaper by itself.", {"action": action_word(TO_RECRUIT)})
    if shown.used:
        return Message("This power has been used in this action.")
    if phase == PAY and power.when == "paying":
        return _pays_not(asked, power)
    if power.when == "paying":
        return Message("This power pays a resource when you build.")
    if phase == POWERS:
        return _does_nothing(asked, own, shown)
    if power.when == "instant":
        return Message("This power acts once, in the action in which its card comes.")
    return Message("This power acts after {action}.", {"action": action_word(ACTIONS.index(power.when))})


def _pays_not(asked: _Asked, power: Power) -> Message:
    if power.of in RESOURCES and power.of not in asked.seen.owed:
        return Message("No {resource} is owed.", {"resource": Term(power.of)})
    if refused := _price_missing(asked, power):
        return refused
    return Message("Then the rest could not be paid.")


def _price_missing(asked: _Asked, power: Power) -> Message | None:
    """That the price of a power cannot be paid, in cards or in coins."""
    price = int(power.pay[0]) if power.pay else 0
    in_cards = "card" in power.pay
    have = asked.seen.players[asked.seat].hand_size if in_cards else asked.coins
    if have >= price:
        return None
    return Message("It costs {price}: you have {n}.", {"price": Term(power.pay), "n": have})


def _does_nothing(asked: _Asked, own: VillageCard, shown: PowerView) -> Message:
    """Why a power cannot be used now, when the seat is asked about powers."""
    power = shown.power
    if own.fresh and power.when != "instant":
        return Message("{card} has just come: this power acts from the next action on.", {"card": card_word(own.card)})
    if power.when == "instant" and not own.fresh:
        return Message("This power acts once, in the action in which its card comes.")
    if power.when != "instant" and power.when != ACTIONS[asked.game.action]:
        return Message("This power acts after {action}.", {"action": action_word(ACTIONS.index(power.when))})
    if refused := _price_missing(asked, power):
        return refused
    if power.do == "coins":
        return Message("The bank is empty.")
    if power.do == "take":
        return Message("No opponent has a card in hand.")
    return Message("There is no card to draw.")
