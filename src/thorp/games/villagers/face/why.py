"""Why something cannot be chosen now in Villagers: by the rules' own functions, and by what the seat sees."""

from __future__ import annotations

from dataclasses import dataclass

from thorp.compiling.rule import make_move_list, moves_in
from thorp.core.words import Message
from thorp.games.villagers.face.view import PlayerView, View, VillageCard, opening, steps, view
from thorp.games.villagers.face.words import card_word
from thorp.games.villagers.rules.building import actions
from thorp.games.villagers.rules.cards import (
    APPRENTICE,
    BASICS,
    DECK_FACES,
    MONK,
    ON_ROLE,
    OPS,
    SMUGGLER,
    STARTERS,
    TINNER,
    VILLAGERS,
    Villager,
    number,
)
from thorp.games.villagers.rules.events import event_op
from thorp.games.villagers.rules.playing import legal
from thorp.games.villagers.rules.state import BUILD, DRAFT, EVENT, GIVE, GUARD, RESERVE, ROAD, State
from thorp.games.villagers.rules.unlocking import can_unlock
from thorp.games.villagers.rules.village import OWN, base_of, summary


@dataclass(frozen=True)
class _Asked:
    """A seat that is asked something, what it sees, and what it has chosen of its answer."""

    state: State
    game: State
    seat: int
    seen: View
    chosen: tuple[str, ...]

    @property
    def me(self) -> PlayerView:
        """What lies before the seat."""
        return self.seen.players[self.seat]

    @property
    def card(self) -> Villager | None:
        """The card of the hand that is chosen: the one that Monks go below, where there are any."""
        faces = [_last(step) for step in self.chosen if step.startswith("hand-")]
        return VILLAGERS[next((face for face in faces if face != MONK), faces[0])] if faces else None

    @property
    def left(self) -> int:
        """Build actions that are left."""
        return int(actions(self.state, self.seat))

    def lit(self, chosen: tuple[str, ...]) -> set[str]:
        """What leads on when so much is chosen."""
        moves = make_move_list()
        numbers = moves_in(moves, legal(self.state, self.seat, moves))
        offers = (steps(self.state, self.seat, move) for move in numbers)
        return {step for offer in offers if set(chosen) <= set(offer) for step in offer}


def why_not(state: State, seat: int, thing: str, chosen: tuple[str, ...]) -> Message | None:
    """Why a seat that is asked something cannot choose what stands for this step."""
    asked = _Asked(state, State.of(state), seat, view(state, seat), chosen)
    kind, _, rest = thing.partition("-")
    families = {"road": _road, "stack": _stack, "basic": _basic, "hand": _hand, "card": _villager}
    if kind in families and rest.isdecimal():
        return families[kind](asked, int(rest))
    return _market(asked, rest) if kind == "market" else _jester(asked) if thing == "jester" else None


def _last(step: str) -> int:
    return int(step.rpartition("-")[2])


# --- the Road and the stacks ------------------------------------------------------------------------------------


def _road(asked: _Asked, slot: int) -> Message | None:
    if slot < ROAD and asked.seen.road[slot].card is None:
        return Message("No card lies here.")
    if asked.game.phase == BUILD:
        return Message("Cards of the Road are taken in the draft; now you build.")
    return None


def _stack(asked: _Asked, pile: int) -> Message | None:
    phase = asked.game.phase
    if phase in (GIVE, GUARD):
        return Message("This is about the cards of the Road.")
    if phase == DRAFT and pile == RESERVE:
        return Message("Nobody drafts from the Reserve: it fills the Road when the stacks are empty.")
    if phase == BUILD:
        if asked.game.locked or asked.game.freed:
            return None
        if refused := _gives_up_nothing(asked):
            return refused
        if pile == RESERVE:
            return Message("A card goes onto the Reserve only when all stacks are empty.")
    if pile < len(asked.seen.stacks) and not asked.seen.stacks[pile].height:
        return Message("Stack {n} is empty.", {"n": pile + 1})
    if pile == RESERVE and not asked.seen.reserve.height:
        return Message("The Reserve is empty.")
    if phase == BUILD and not asked.chosen:
        return Message("Under {event} a card that is given up goes to the Countess.", {"event": _serfdom(asked)})
    return None


def _market(asked: _Asked, which: str) -> Message | None:
    """What the sign of a market means, or that one is held soon."""
    if which == "first":
        return Message("The First Market is held when stacks 1 and 2 are empty.")
    if which == "second":
        return Message("The Second Market is held when all stacks are empty; it ends the game.")
    if asked.seen.second_market_due:
        return Message("All stacks are empty: this round ends with the Second Market, and so does the game.")
    if asked.seen.first_market_due:
        return Message("Stacks 1 and 2 are empty: the First Market is held at the end of this round.")
    return None


def _serfdom(asked: _Asked) -> object:
    """The event by which cards given up go to the Countess."""
    return next(card_word(event) for event in asked.seen.events if event and event.op == "serfdom")


def _basic(asked: _Asked, pile: int) -> Message | None:
    if pile >= len(BASICS):
        return None
    basic, left = asked.seen.basics[pile]
    if not left:
        return Message("No {card} is left.", {"card": card_word(basic)})
    if asked.game.phase != BUILD:
        return Message("{card} comes for a card that you give up, when you build.", {"card": card_word(basic)})
    if asked.game.locked or asked.game.freed:
        return None
    return _gives_up_nothing(asked)


def _gives_up_nothing(asked: _Asked) -> Message | None:
    """Why no card can be given up for a basic villager."""
    if not asked.me.hand:
        return Message("Your hand is empty: there is no card to give up.")
    if asked.seen.exchange_limit and asked.me.exchanged >= asked.seen.exchange_limit:
        data = {"n": asked.me.exchanged}
        return Message(
            "You have given up {n} card in this turn: more may not be.",
            data,
            "You have given up {n} cards in this turn: more may not be.",
        )
    if not any(left for _, left in asked.seen.basics):
        return Message("No basic villager is left to give a card up for.")
    return None


# --- the hand ---------------------------------------------------------------------------------------------------


def _hand(asked: _Asked, face: int) -> Message | None:
    if face >= DECK_FACES:
        return None
    phase, card = asked.game.phase, VILLAGERS[face]
    if phase == DRAFT:
        return Message("You draft now; cards of the hand are built later.")
    if phase != BUILD or asked.game.locked:
        return None
    if asked.game.freed:
        freed = VILLAGERS[asked.game.cards[asked.game.freed - 1].face]
        if freed.number != MONK:
            return Message("First {card} needs a place.", {"card": card_word(freed)})
        if card.number == MONK:
            return Message("A {card} is free already: build a card on it.", {"card": card_word(card)})
        if card.number in (TINNER, SMUGGLER):
            return _freed_first(freed)
    return None if asked.chosen else _not_built(asked, card)


def _not_built(asked: _Asked, card: Villager) -> Message:
    """Why a card of the hand can be neither built nor given up."""
    data: dict[str, object] = {"card": card_word(card)}
    if card.number == TINNER and asked.me.tinner:
        return Message("A {card} is at work already in this turn.", data)
    if card.number in (TINNER, SMUGGLER):
        return _locked(asked, card) or Message("{card} cannot be played now.", data)
    if not asked.left:
        return _used(asked)
    if card.number == MONK:
        return Message("A {card} goes below a card that is built with it, and none can be.", data)
    if card.number == APPRENTICE:
        return Message("There is no covered villager whose place {card} could take.", data)
    if asked.game.freed:
        return Message("{card} cannot be built on it.", data)
    return _locked(asked, card) or _missing(card)


def _freed_first(monk: Villager) -> Message:
    """That a Monk which an Apprentice has freed waits (ruling 25)."""
    return Message("The freed {card} needs a card on it first.", {"card": card_word(monk)})


def _missing(card: Villager) -> Message:
    """That a card has nothing to be built on."""
    data = {"card": card_word(card), "base": _predecessor(card)}
    return Message("{card} is built on {base}, and you have none with room for it.", data)


def _predecessor(card: Villager) -> object:
    return card_word(VILLAGERS[number(card.predecessor)]) if card.predecessor else ""


def _used(asked: _Asked) -> Message:
    return Message("All build actions of this round are used: {n} of {n}.", {"n": asked.me.built})


def _locked(asked: _Asked, card: Villager) -> Message | None:
    """Why the padlock of a card stays closed: the gold is missing."""
    if can_unlock(asked.state, asked.seat, summary(asked.state, asked.seat), card.number):
        return None
    found = opening(asked.seen, asked.seat, card)
    price, gold = (found.price if found else 0), asked.me.gold
    data = {"card": card_word(card), "n": price - gold, "price": price, "gold": gold}
    return Message("The padlock of {card} costs {price} gold: you have {gold}.", data)


# --- villages ---------------------------------------------------------------------------------------------------


def _villager(asked: _Asked, node: int) -> Message | None:
    own = next((card for card in _villagers(asked.me) if card.id == node), None)
    if own is None:
        return None
    game = asked.game
    if game.phase == EVENT:
        return _spared(asked, own)
    if game.phase != BUILD:
        return Message("Villagers of your village are chosen when you build.")
    if asked.seen.paying:
        data = {"card": card_word(own.card), "other": card_word(asked.seen.paying)}
        if own.card == asked.seen.paying:
            return Message("It makes no difference which {card} is paid: choose the other one.", data)
        return Message("{other} opens this padlock, not {card}.", data)
    if _is_like_a_lit_one(asked, own):
        return _alike({"card": card_word(own.card)})
    if asked.seen.freed and asked.seen.freed.number != MONK:
        return _bears_not(asked, asked.seen.freed, own)
    if asked.seen.freed and (asked.card is None or asked.card.number != APPRENTICE):
        return None if f"card-{own.id}" in asked.lit(()) else _freed_first(asked.seen.freed)
    if any(step.startswith("basic-") for step in asked.chosen):
        return Message("You give a card up: choose where it goes.")
    if asked.card:
        return _not_on(asked, asked.card, own)
    return _nothing_on(asked, own)


def _villagers(player: PlayerView) -> list[VillageCard]:
    return [card for chain in player.chains for card in (chain.bottom, *sum(chain.branches, ()))]


def _is_like_a_lit_one(asked: _Asked, own: VillageCard) -> bool:
    """Whether another villager can be chosen that is one place with this one (ruling 18)."""
    node, lit = asked.game.cards[own.id], asked.lit(asked.chosen)
    others = (asked.game.cards[card.id] for card in _villagers(asked.me) if f"card-{card.id}" in lit)
    return any((card.face, card.role, card.above) == (node.face, node.role, node.above) for card in others)


def _not_on(asked: _Asked, card: Villager, own: VillageCard) -> Message | None:
    """Why a card of the hand does not go to a villager."""
    data: dict[str, object] = {"card": card_word(card), "other": card_word(own.card)}
    if card.number in (TINNER, SMUGGLER):
        return Message("{card} is played and discarded, not built.", data)
    if not asked.left:
        return _used(asked)
    if card.number == MONK:
        return Message("{card} goes below a card that is built with it: choose that card, too.", data)
    if card.number == APPRENTICE:
        if not own.covered:
            return Message("{card} takes the place of a covered villager, and nothing stands on {other}.", data)
        if own.card.number == APPRENTICE:
            return Message("{card} cannot take the place of another one.", data)
        return _not_freed(asked, own, data)
    return _locked(asked, card) or _bears_not(asked, card, own)


def _not_freed(asked: _Asked, own: VillageCard, data: dict[str, object]) -> Message:
    """Why an Apprentice does not take the place of a covered villager, which would have to be put down anew."""
    if own.card.number == MONK:
        # it needs no place: what is put on it has to have one, and a build action
        return Message("Nothing could then be built on {other}, so {card} cannot take its place.", data)
    if refused := _locked(asked, own.card):
        return refused
    if asked.seen.freed:
        data["monk"] = card_word(asked.seen.freed)
        return Message("{other} cannot go on the freed {monk}, so {card} cannot take its place.", data)
    return Message("{other} would find no new place, so {card} cannot take this one.", data)


def _bears_not(asked: _Asked, card: Villager, own: VillageCard) -> Message | None:
    """Why a villager does not bear a card, which is unlocked or need not be."""
    data: dict[str, object] = {"card": card_word(card), "other": card_word(own.card), "base": _predecessor(card)}
    node = asked.game.cards[own.id]
    if not card.predecessor:
        return Message("{card} is built on no other: it gets a place of its own.", data)
    if node.role != ON_ROLE[card.number]:
        return Message("{card} is built on {base}.", data)
    if _is_full(asked, own):
        return Message("This {other} is covered already.", data)
    return None


def _is_full(asked: _Asked, own: VillageCard) -> bool:
    """Whether a villager bears all that it can: only those that begin a chain bear two branches."""
    node = asked.game.cards[own.id]
    return base_of(node.face, node.above) == OWN or (node.above > 0 and node.role >= STARTERS)


def _nothing_on(asked: _Asked, own: VillageCard) -> Message | None:
    """Why nothing of the hand goes to a villager."""
    data: dict[str, object] = {"other": card_word(own.card)}
    node = asked.game.cards[own.id]
    if not asked.left:
        return _used(asked)
    if node.role < 0:
        return Message("Nothing is built on {other}.", data)
    if _is_full(asked, own):
        return Message("{other} is covered: nothing more goes on it.", data)
    fits = [held.card for held in asked.me.hand if ON_ROLE[held.card.number] == node.role]
    if not fits:
        return Message("No card of your hand is built on {other}.", data)
    locked = [_locked(asked, card) for card in fits]
    return locked[0] if all(locked) else None


# --- events -----------------------------------------------------------------------------------------------------


def _spared(asked: _Asked, own: VillageCard) -> Message | None:
    """Why an event is not about a villager."""
    op = OPS[int(event_op(asked.state))]
    data: dict[str, object] = {"card": card_word(own.card)}
    if op in ("bribe", "earn_her_silver"):
        return Message("The event is about the village of the Countess.")
    if op == "pay_coins":
        return Message("No gold lies on {card}.", data) if not own.coins else _alike(data)
    if own.covered:
        return Message("{card} is covered: the event is about villagers that show.", data)
    if op == "earn_your_silver":
        return Message("{card} has no silver.", data) if not own.card.silver else _alike(data)
    if op in ("move_villager", "discard_villager"):
        return Message("{card} stays: it is no card of the deck.", data) if not own.card.in_deck else _alike(data)
    return None


def _alike(data: dict[str, object]) -> Message:
    return Message("It makes no difference which {card} it is: choose the one that is lit.", data)


def _jester(asked: _Asked) -> Message | None:
    if not asked.seen.jester:
        return Message("The Jester has been sent already: it helps once a game.")
    if not any(asked.seen.events):
        return Message("No event lies open.")
    if asked.game.phase in (DRAFT, GIVE, GUARD):
        return Message("The Jester is sent when you build, or when an event asks.")
    return None
