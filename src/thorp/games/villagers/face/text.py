"""A game of Villagers as plain text, for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from thorp.games.villagers.face.view import ChainView, PileView, PlayerView, RoadView, View, VillageCard, view
from thorp.games.villagers.rules.state import State


def text(state: State, seat: int | None, names: Sequence[str] = ()) -> str:
    """The table as `seat` sees it: the Road and the stacks, then all villages."""
    seen = view(state, seat)
    lines = [_head(seen), ""]
    lines.append("Road     " + " | ".join(_road(place) for place in seen.road))
    lines.append("Stacks   " + " | ".join(_pile(pile) for pile in (*seen.stacks, seen.reserve)))
    lines.append("Basic    " + " | ".join(f"{card.name} {left}" for card, left in seen.basics))
    if seen.countess:
        lines.append("Events   " + " | ".join(f"{event.name}: {event.effect}" for event in seen.events if event))
    players = sorted(seen.players, key=lambda player: (player.seat - (seat or 0)) % seen.seats)
    for player in (*players, *([seen.countess] if seen.countess else [])):
        lines += ["", *_player(player, names)]
    return "\n".join(lines)


def _head(seen: View) -> str:
    out = [f"Round {seen.round}", seen.phase]
    if seen.first_market_due:
        out.append("First Market at the end of the round")
    if seen.second_market_due and not seen.over:
        out.append("Second Market at the end of the round")
    return "   ".join(out)


def _road(place: RoadView) -> str:
    if place.card is None:
        return "-"
    return place.card.name + "*" * place.coins


def _pile(pile: PileView) -> str:
    name = "Reserve" if pile.is_reserve else str(pile.index + 1)
    if not pile.height:
        return f"{name}: -"
    top = pile.known.name if pile.known else pile.suit
    return f"{name}: {pile.height} {top}"


def _player(player: PlayerView, names: Sequence[str]) -> list[str]:
    name = names[player.seat] if player.seat < len(names) else f"Seat {player.seat + 1}"
    head = f"{'The Countess' if player.is_countess else name}: {player.score}"
    head += f"   gold {player.gold}   markets {player.income.first}/{player.income.second}"
    head += f"   drafts {player.drafted}/{player.draft_limit}   builds {player.built}/{player.build_limit}"
    known = ", ".join(card.card.name + (f" x{card.count}" if card.count > 1 else "") for card in player.hand)
    backs = ", ".join(f"{count} {suit}" for suit, count in player.backs)
    lines = [head, f"  hand: {backs or '-'}" + (f" ({known})" if known else "")]
    return lines + [f"  {_chain(chain)}" for chain in player.chains]


def _chain(chain: ChainView) -> str:
    if not chain.branches:
        return _card(chain.bottom)
    return " / ".join(" > ".join(_card(card) for card in (chain.bottom, *branch)) for branch in chain.branches)


def _card(card: VillageCard) -> str:
    name = card.card.name if card.covered else card.card.name.upper()
    role = f" ({card.stands_for.name})" if card.stands_for else ""
    return name + role + (f" ${card.coins}" if card.coins else "")
