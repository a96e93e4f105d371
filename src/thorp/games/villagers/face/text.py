"""A game of Villagers as plain text, for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from thorp.core.columns import padded, width
from thorp.core.language import spoken
from thorp.core.words import Message, Seat, say, series
from thorp.games.villagers.face.view import ChainView, PileView, PlayerView, RoadView, View, VillageCard, view
from thorp.games.villagers.rules.state import State

#: What the phases are called in the line above the table.
_PHASES = {
    "draft": Message("draft"),
    "give": Message("give to the Countess"),
    "guard": Message("coins on the Road"),
    "build": Message("build"),
    "rats": Message("rats"),
    "arson": Message("arson"),
    "event": Message("event"),
    "over": Message("over"),
}


def text(state: State, seat: int | None, names: Sequence[str] = ()) -> str:
    """The table as `seat` sees it: the Road and the stacks, then all villages."""
    seen = view(state, seat)
    rows = [
        (Message("Road"), [_road(place) for place in seen.road]),
        (Message("Stacks"), [_pile(pile) for pile in (*seen.stacks, seen.reserve)]),
        (Message("Basic"), [f"{_name(card.name)} {left}" for card, left in seen.basics]),
    ]
    if seen.countess:
        events = [f"{_name(event.name)}: {spoken().text(event.effect)}" for event in seen.events if event]
        rows.append((Message("Events"), events))
    room = max(width(say(head)) for head, _ in rows) + 3
    lines = [_head(seen), "", *(padded(say(head), room) + " | ".join(cells) for head, cells in rows)]
    players = sorted(seen.players, key=lambda player: (player.seat - (seat or 0)) % seen.seats)
    for player in (*players, *([seen.countess] if seen.countess else [])):
        lines += ["", *_player(player, names)]
    return "\n".join(lines)


def _name(name: str) -> str:
    return spoken().text(name)


def _head(seen: View) -> str:
    out = [Message("Round {n}", {"n": seen.round}), _PHASES[seen.phase]]
    if seen.first_market_due:
        out.append(Message("First Market at the end of the round"))
    if seen.second_market_due and not seen.over:
        out.append(Message("Second Market at the end of the round"))
    return "   ".join(map(say, out))


def _road(place: RoadView) -> str:
    if place.card is None:
        return "-"
    return _name(place.card.name) + "*" * place.coins


def _pile(pile: PileView) -> str:
    name = say(Message("Reserve")) if pile.is_reserve else str(pile.index + 1)
    if not pile.height:
        return f"{name}: -"
    return f"{name}: {pile.height} {_name(pile.known.name if pile.known else pile.suit)}"


def _player(player: PlayerView, names: Sequence[str]) -> list[str]:
    who = Message("The Countess") if player.is_countess else Seat(player.seat)
    income = {"first": player.income.first, "second": player.income.second}
    head = (
        Message("{who}: {n}", {"who": who, "n": player.score}),
        Message("gold {n}", {"n": player.gold}),
        Message("markets {first}/{second}", income),
        Message("drafts {n}/{limit}", {"n": player.drafted, "limit": player.draft_limit}),
        Message("builds {n}/{limit}", {"n": player.built, "limit": player.build_limit}),
    )
    known = series(_name(held.card.name) + (f" x{held.count}" if held.count > 1 else "") for held in player.hand)
    backs = series(f"{count} {_name(suit)}" for suit, count in player.backs)
    hand = say(Message("hand: {cards}", {"cards": backs or "-"})) + (f" ({known})" if known else "")
    return [
        "   ".join(say(each, names) for each in head),
        f"  {hand}",
        *(f"  {_chain(each)}" for each in player.chains),
    ]


def _chain(chain: ChainView) -> str:
    if not chain.branches:
        return _card(chain.bottom)
    return " / ".join(" > ".join(_card(card) for card in (chain.bottom, *branch)) for branch in chain.branches)


def _card(card: VillageCard) -> str:
    name = _name(card.card.name)
    if not card.covered:
        name = name.upper()
    elif name.upper() == name:  # a script without capitals, such as Japanese
        name = f"[{name}]"
    role = f" ({_name(card.stands_for.name)})" if card.stands_for else ""
    return name + role + (f" ${card.coins}" if card.coins else "")
