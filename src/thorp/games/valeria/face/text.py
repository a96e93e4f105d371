"""A game of Villages of Valeria as plain text, for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from thorp.core.columns import padded, width
from thorp.core.language import spoken
from thorp.core.words import Message, Seat, Term, apart, say, series
from thorp.games.valeria.face.view import AdventurerView, HandCard, PileView, PlayerView, View, VillageCard, view
from thorp.games.valeria.face.words import card_word
from thorp.games.valeria.rules.powers import TYPES
from thorp.games.valeria.rules.state import State

#: What the phases are called in the line above the table.
_PHASES = {
    "setup": Message("setup"),
    "lead": Message("lead"),
    "follow": Message("follow"),
    "draw": Message("draw"),
    "discard": Message("discard"),
    "develop": Message("develop"),
    "build": Message("build"),
    "pay": Message("pay"),
    "recruit": Message("recruit"),
    "powers": Message("powers"),
    "take": Message("take"),
    "limit": Message("hand limit"),
    "over": Message("over"),
}


def text(state: State, seat: int | None, names: Sequence[str] = ()) -> str:
    """The table as `seat` sees it: piles and adventurers, then all villages."""
    seen = view(state, seat)
    stores = (Message("Deck {n}", {"n": seen.deck}), Message("Bank {n}", {"n": seen.bank}))
    lines = [_head(seen, names), "", "   ".join(map(say, stores))]
    piles, adventurers = say(Message("Piles")), say(Message("Adventurers"))
    room = max(width(piles), width(adventurers)) + 2
    lines.append(padded(piles, room) + " | ".join(_pile(pile) for pile in seen.piles))
    lines.append(padded(adventurers, room) + " | ".join(_adventurer(place) for place in seen.adventurers))
    players = sorted(seen.players, key=lambda player: (player.seat - (seat or 0)) % seen.seats)
    for player in players:
        lines += ["", *_player(player, names)]
    return "\n".join(lines)


def _head(seen: View, names: Sequence[str]) -> str:
    out = [Message("Turn {n}", {"n": seen.round}), _PHASES[seen.phase]]
    if seen.action:
        out.append(Message("{seat} leads {action}", {"seat": Seat(seen.active), "action": Term(seen.action)}))
    if seen.building:
        data = {"card": card_word(seen.building.building), "resources": [Term(each) for each in seen.owed]}
        out.append(Message("building {card}, owed: {resources}" if seen.owed else "building {card}, all paid", data))
    if seen.turned_limit:
        out.append(Message("{n} of {limit} cards turned", {"n": seen.turned, "limit": seen.turned_limit}))
    return "   ".join(say(each, names) for each in out)


def _name(name: str) -> str:
    return spoken().text(name)


def _pile(pile: PileView) -> str:
    if pile.top is None:
        return f"{pile.index + 1}: -"
    below = f" +{len(pile.cards) - 1}" if len(pile.cards) > 1 else ""
    return f"{pile.index + 1}: {_name(pile.top.building.name)} ({_name(pile.top.resource)}){below}"


def _adventurer(place: AdventurerView) -> str:
    if place.card is None:
        return "-"
    return f"{_name(place.card.name)} {place.card.points} ({series(map(_name, place.card.types))})"


def _player(player: PlayerView, names: Sequence[str]) -> list[str]:
    score = Message("{seat}: {n}", {"seat": Seat(player.seat), "n": player.score})
    head = f"{say(score, names)}   {say(Message('coins {n}', {'n': player.coins}))}"
    castle = _name("castle") + (" *" if player.castle_coin else "")
    resources = (f"{own.count} {_name(own.kind)}{'*' * own.coins}" for own in player.resources if own.count)
    lines = [head, f"  {series((castle, *resources))}"]
    for type in TYPES:
        if player.of_type(type):
            lines.append(f"  {_name(type)}: " + series(_card(own) for own in player.of_type(type)))
    if player.adventurers:
        them = series(_card(own) for own in player.adventurers)
        lines.append("  " + say(Message("adventurers: {cards}", {"cards": them})))
    known = series(_in_hand(card) for card in player.hand)
    hand = say(Message("hand: {n}", {"n": player.hand_size}))
    return [*lines, f"  {hand}" + (f" ({known})" if known else "")]


def _card(own: VillageCard) -> str:
    effect = apart(say(power.said) for power in own.card.powers)
    return f"{_name(own.card.name)} {own.card.points + own.bonus}" + (f" [{effect}]" if effect else "")


def _in_hand(held: HandCard) -> str:
    building = held.card.building
    times = f" x{held.count}" if held.count > 1 else ""
    costs = " ".join(map(_name, building.costs))
    return f"{_name(building.name)} {building.points}: {costs} / {_name(held.card.resource)}{times}"
