"""A game of Villages of Valeria as plain text, for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from thorp.games.valeria.face.view import AdventurerView, HandCard, PileView, PlayerView, View, VillageCard, view
from thorp.games.valeria.rules.powers import TYPES
from thorp.games.valeria.rules.state import State


def text(state: State, seat: int | None, names: Sequence[str] = ()) -> str:
    """The table as `seat` sees it: piles and adventurers, then all villages."""
    seen = view(state, seat)
    lines = [_head(seen, names), ""]
    lines.append(f"Deck {seen.deck}   Bank {seen.bank}")
    lines.append("Piles        " + " | ".join(_pile(pile) for pile in seen.piles))
    lines.append("Adventurers  " + " | ".join(_adventurer(place) for place in seen.adventurers))
    players = sorted(seen.players, key=lambda player: (player.seat - (seat or 0)) % seen.seats)
    for player in players:
        lines += ["", *_player(player, names)]
    return "\n".join(lines)


def _head(seen: View, names: Sequence[str]) -> str:
    out = [f"Turn {seen.round}", seen.phase]
    if seen.action:
        out.append(f"{_name(seen.active, names)} leads {seen.action}")
    if seen.building:
        out.append(f"building {seen.building.building.name}, owed: {', '.join(seen.owed) or 'nothing'}")
    if seen.turned_limit:
        out.append(f"{seen.turned} of {seen.turned_limit} cards turned")
    return "   ".join(out)


def _name(seat: int, names: Sequence[str]) -> str:
    return names[seat] if seat < len(names) else f"Seat {seat + 1}"


def _pile(pile: PileView) -> str:
    if pile.top is None:
        return f"{pile.index + 1}: -"
    below = f" +{len(pile.cards) - 1}" if len(pile.cards) > 1 else ""
    return f"{pile.index + 1}: {pile.top.building.name} ({pile.top.resource}){below}"


def _adventurer(place: AdventurerView) -> str:
    if place.card is None:
        return "-"
    return f"{place.card.name} {place.card.points} ({', '.join(place.card.types)})"


def _player(player: PlayerView, names: Sequence[str]) -> list[str]:
    head = f"{_name(player.seat, names)}: {player.score}   coins {player.coins}"
    castle = "castle *" if player.castle_coin else "castle"
    resources = ", ".join(f"{own.count} {own.kind}{'*' * own.coins}" for own in player.resources if own.count)
    lines = [head, f"  {castle}, {resources}" if resources else f"  {castle}"]
    for type in TYPES:
        if player.of_type(type):
            lines.append(f"  {type}: " + ", ".join(_card(own) for own in player.of_type(type)))
    if player.adventurers:
        lines.append("  adventurers: " + ", ".join(_card(own) for own in player.adventurers))
    known = ", ".join(_in_hand(card) for card in player.hand)
    lines.append(f"  hand: {player.hand_size}" + (f" ({known})" if known else ""))
    return lines


def _card(own: VillageCard) -> str:
    effect = f" [{own.card.effect}]" if own.card.effect else ""
    return f"{own.card.name} {own.card.points + own.bonus}{effect}"


def _in_hand(held: HandCard) -> str:
    building = held.card.building
    times = f" x{held.count}" if held.count > 1 else ""
    return f"{building.name} {building.points}: {' '.join(building.costs)} / {held.card.resource}{times}"
