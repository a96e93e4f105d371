"""The score sheet of Villages of Valeria: every seat's points by source, and why."""

from __future__ import annotations

from thorp.core.face import ScoreRow, ScoreSheet, next_rank
from thorp.core.words import Message, Term
from thorp.games.valeria.face.ranks import rank_of, ranks_of
from thorp.games.valeria.face.view import PlayerView, VillageCard, view
from thorp.games.valeria.face.words import card_word
from thorp.games.valeria.rules.scoring import score, standing
from thorp.games.valeria.rules.state import State


def sheet(state: State) -> ScoreSheet:
    """The score sheet; before the end, as if the game ended now."""
    seen = view(state, None)
    players = seen.players
    rows = (
        ScoreRow.of("Buildings", players, _building_points, _building_names),
        ScoreRow.of("Adventurers", players, _adventurer_points, _adventurer_names),
        ScoreRow.of("Powers that score", players, _bonus, _bonuses),
        ScoreRow.of("Coins", players, lambda player: player.all_coins, _where_coins_lie),
    )
    totals = tuple(int(score(state, seat)) for seat in range(seen.seats))
    remarks: tuple[Message, ...] = ()
    key = State.of(state).key
    if seen.seats == 1:
        rank = rank_of(totals[0], key)
        remarks = (
            Message("{n} point: {rank}.", {"n": totals[0], "rank": Term(rank.name)}, "{n} points: {rank}."),
            # the first one has no threshold
            *next_rank(totals[0], ((rank.points, rank.name) for rank in ranks_of(key)[1:])),
        )
    elif len(set(totals)) < len(totals):
        text = "Ties are settled by buildings and adventurers, then coins, then developed resources."
        remarks = (Message(text),)
    return ScoreSheet(
        rows=rows,
        totals=totals,
        standings=tuple(int(standing(state, seat)) for seat in range(seen.seats)),
        remarks=remarks,
        rank=Message(rank_of(totals[0], key).name) if seen.seats == 1 else None,
    )


def _buildings(player: PlayerView) -> tuple[VillageCard, ...]:
    return tuple(own for own in player.village if not own.is_adventurer)


def _building_points(player: PlayerView) -> int:
    return sum(own.card.points for own in _buildings(player))


def _building_names(player: PlayerView) -> Message | None:
    return _names(_buildings(player))


def _adventurer_points(player: PlayerView) -> int:
    return sum(own.card.points for own in player.adventurers)


def _adventurer_names(player: PlayerView) -> Message | None:
    return _names(player.adventurers)


def _names(cards: tuple[VillageCard, ...]) -> Message | None:
    shown = [Message("{card} {n}", {"card": card_word(own.card), "n": own.card.points}) for own in cards]
    return Message("{cards}", {"cards": shown}) if shown else None


def _bonus(player: PlayerView) -> int:
    return sum(own.bonus for own in player.village)


def _bonuses(player: PlayerView) -> Message | None:
    shown = [
        Message("{card} {n}", {"card": card_word(own.card), "n": own.bonus}) for own in player.village if own.bonus
    ]
    return Message("{cards}", {"cards": shown}) if shown else None


def _where_coins_lie(player: PlayerView) -> Message | None:
    """Said where not all of them are among those that a village shows as its own to spend."""
    lying = player.all_coins - player.coins
    return Message("{n} on castle and resources", {"n": lying}) if lying else None
