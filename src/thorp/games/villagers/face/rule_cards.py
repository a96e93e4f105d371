"""The villagers and events of Villagers as its rules list them."""

from __future__ import annotations

from collections.abc import Iterator

from thorp.core.language import spoken
from thorp.core.rulebook import RuleCard
from thorp.core.words import Card, Message, say
from thorp.games.villagers.rules.cards import EVENTS, VILLAGERS, Event, Villager, number


def rule_cards() -> tuple[RuleCard, ...]:
    """The villagers, each in the list of its suit, and the events, each in that of its season."""
    return (*map(_villager, VILLAGERS), *map(_event, EVENTS))


def _villager(v: Villager) -> RuleCard:
    text = spoken().text
    return RuleCard(v.id, _name(v), v.suit, tuple(_facts(v)), text(v.effect), tuple(map(text, v.rulings)), v)


def _event(e: Event) -> RuleCard:
    text = spoken().text
    facts = ((say(Message("Acts")), say(_PHASES[e.phase])),)
    return RuleCard(e.id, text(e.name), e.deck, facts, text(e.effect), tuple(map(text, e.rulings)), e)


#: When an event acts.
_PHASES = {
    "draft": Message("in the draft"),
    "build": Message("while you build"),
    "event": Message("after the build phase"),
    "reveal": Message("as soon as it is turned"),
}


def _name(villager: Villager) -> str:
    """The name of a card; of one with two sides, which side it is."""
    if sum(each.name == villager.name for each in VILLAGERS) == 1:
        return spoken().text(villager.name)
    side = Message("gold side" if villager.gold else "food side" if villager.food else "empty side")
    return say(Message("{card}, {side}", {"card": _card(villager), "side": side}))


def _card(villager: Villager) -> Card:
    return Card(villager.id, villager.name)


def _facts(villager: Villager) -> Iterator[tuple[str, str]]:
    if villager.symbols > 1:
        yield say(Message("Suit symbols")), str(villager.symbols)
    if villager.predecessor:
        yield say(Message("Built on")), spoken().text(VILLAGERS[number(villager.predecessor)].name)
    if villager.successors and villager.suit not in ("special", "none"):
        yield say(Message("Bears")), say(Message("two branches" if villager.successors > 1 else "one villager"))
    if villager.padlock:
        opener = _card(VILLAGERS[number(villager.padlock)])
        yield say(Message("Padlock")), say(Message("opened by {card}", {"card": opener}))
    if villager.keyring:
        yield say(Message("Keyring")), str(villager.keyring)
    if villager.four_plus:
        yield say(Message("Players")), say(Message("4 or 5"))
