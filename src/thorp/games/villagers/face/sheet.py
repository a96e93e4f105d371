"""The score sheet of Villagers: every seat's gold by source, and why."""

from __future__ import annotations

from collections.abc import Callable

from thorp.core.face import Rival, ScoreRow, ScoreSheet
from thorp.core.words import Many, Message, Said
from thorp.games.villagers.face.view import PlayerView, view
from thorp.games.villagers.face.words import card_word
from thorp.games.villagers.rules.scoring import score, standing
from thorp.games.villagers.rules.state import State


def sheet(state: State) -> ScoreSheet:
    """The score sheet; before the end, as if the Second Market were held now."""
    seen = view(state, None)
    players = seen.players
    rows = tuple(ScoreRow.of(label, players, points, note) for label, points, note in _SOURCES)
    totals = tuple(int(score(state, seat)) for seat in range(seen.seats))
    remarks: tuple[Message, ...] = ()
    if seen.countess:
        if totals[0] > seen.countess.score:
            text = "You have {points} gold, the Countess {hers}: you win."
        else:
            text = "You have {points} gold, the Countess {hers}: she wins."
        remarks = (Message(text, {"points": totals[0], "hers": seen.countess.score}),)
    elif len(set(totals)) < len(totals):
        remarks = (Message("Ties are settled by fewer cards in the village; who ties still shares the place."),)
    return ScoreSheet(
        rows=rows,
        totals=totals,
        standings=tuple(int(standing(state, seat)) for seat in range(seen.seats)),
        remarks=remarks,
        unit="{n} gold",
        units="{n} gold",
        counts="Gold",
    )


def rival(state: State) -> Rival | None:
    """The Countess in solo play."""
    countess = view(state, None).countess
    if countess is None:
        return None
    rows = [ScoreRow.of(label, (countess,), points, note) for label, points, note in _SOURCES]
    return Rival(Message("The Countess"), tuple(row.points[0] for row in rows), tuple(row.notes[0] for row in rows))


def _counted(n: int, one: Said[str], many: Many[str]) -> Message | None:
    """A number of things; None for none."""
    return Message(one, {"n": n}, many) if n else None


def _first_market(player: PlayerView) -> Message | None:
    """The First Market has been paid into the supply, from where it may have been spent again."""
    n = player.first_income
    return Message("the First Market paid {n} into it", {"n": n}) if n else None


def _golds(player: PlayerView) -> Message | None:
    n = sum(top.card.gold > 0 for chain in player.chains for top in chain.tops)
    return _counted(n, "{n} gold symbol", "{n} gold symbols")


def _silvers(player: PlayerView) -> Message | None:
    shown = [
        Message("{card} {n}", {"card": card_word(top.card), "n": top.silver})
        for chain in player.chains
        for top in chain.tops
        if top.card.silver
    ]
    return Message("{cards}", {"cards": shown}) if shown else None


def _coins(player: PlayerView) -> Message | None:
    n = sum(top.coins > 0 for chain in player.chains for top in chain.tops)
    return _counted(n, "on {n} villager", "on {n} villagers")


#: Where gold comes from: what it is called, how much of it a player has, and why.
_SOURCES: tuple[tuple[Said[str], Callable[[PlayerView], int], Callable[[PlayerView], Message | None]], ...] = (
    ("Supply", lambda player: player.gold, _first_market),
    ("Second Market: gold", lambda player: player.income.gold, _golds),
    ("Second Market: silver", lambda player: player.income.silver, _silvers),
    ("Second Market: coins on villagers", lambda player: player.income.coins, _coins),
)
