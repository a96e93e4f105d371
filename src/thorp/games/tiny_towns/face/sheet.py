"""The score sheet of Tiny Towns: every seat's points card by card, and why."""

from __future__ import annotations

from thorp.core.face import ScoreRow, ScoreSheet, next_rank
from thorp.core.words import Message, Said, Seat
from thorp.games.tiny_towns.face.view import card_of
from thorp.games.tiny_towns.face.words import card_word
from thorp.games.tiny_towns.rules.cards import (
    CUBES,
    FED,
    FED_COTTAGES,
    FORGIVES,
    LOOKING,
    MONUMENT,
    MORE_THAN_RIGHT,
    PLACE_COMPLETED,
    SUPPLY_TYPES,
    WHEN_BUILT,
)
from thorp.games.tiny_towns.rules.masks import has_built
from thorp.games.tiny_towns.rules.scoring import (
    cottages,
    counted,
    empty_points,
    fed,
    has_more,
    monument_points,
    place_of_completion,
    score,
    standing,
    type_points,
    unbuilt,
    with_points,
)
from thorp.games.tiny_towns.rules.shapes import ALL_SQUARES, CORNER, SQUARES
from thorp.games.tiny_towns.rules.state import MASTER_BUILDER, SOLO, State

#: Ranks of solo play: the points from which each is reached.
RANKS: tuple[tuple[int, Said[str]], ...] = (
    (38, "Master Architect"),
    (32, "Town Planner"),
    (25, "Engineer"),
    (18, "Carpenter"),
    (10, "Builder's Apprentice"),
)
LOWEST_RANK: Said[str] = "Aspiring Architect"


def rank(points: int) -> str:
    """The rank that solo points reach."""
    return next((name for least, name in RANKS if points >= least), LOWEST_RANK)


def sheet(state: State) -> ScoreSheet:
    """The score sheet; before the end, as if the game ended now."""
    game = State.of(state)
    seats = range(game.seats)
    eaters = [fed(state, seat) for seat in seats]
    rows = [
        ScoreRow(
            label=Message("{card}", {"card": card_word(card_of(game, 0, type))}),
            points=tuple(type_points(state, seat, type, eaters[seat]) for seat in seats),
            notes=tuple(_note(state, game, seat, type, eaters[seat]) for seat in seats),
            card=card_of(game, 0, type).id,
        )
        for type in range(SUPPLY_TYPES)
    ]
    if game.monuments:
        rows.append(
            ScoreRow(
                label=Message("Monument"),
                points=tuple(monument_points(state, seat, eaters[seat]) for seat in seats),
                notes=tuple(_monument_note(state, game, seat) for seat in seats),
            )
        )
    rows.append(
        ScoreRow(
            label=Message("Squares without a building"),
            points=tuple(empty_points(state, seat) for seat in seats),
            notes=tuple(_empty_note(state, game, seat) for seat in seats),
        )
    )
    totals = tuple(score(state, seat) for seat in seats)
    return ScoreSheet(
        rows=tuple(rows),
        totals=totals,
        standings=tuple(standing(state, seat) for seat in seats),
        remarks=_remarks(state, game, totals),
        rank=Message(rank(totals[0])) if game.naming == SOLO else None,
    )


def _note(state: State, game: State, seat: int, type: int, eaters: int) -> Message | None:
    """Why a type gives its points: how many there are, and what its card counts besides."""
    here = game.towns[seat].built[type]
    n = here.bit_count()
    if n == 0:
        return None
    card = card_of(game, seat, type)
    if card.count == FED:
        return Message("{fed} of {n} fed", {"fed": (here & eaters).bit_count(), "n": n})
    if card.count in LOOKING and card.where < CORNER:
        # each of them looks elsewhere
        scoring = int(with_points(state, seat, type, eaters))
        if scoring < n:
            return Message("{n} built, {scoring} of them with points", {"n": n, "scoring": scoring})
        return Message("{n} built", {"n": n})
    if card.count == FED_COTTAGES:
        eating = cottages(state, seat, eaters)
        who = Message("{n} Cottage fed", {"n": eating}, "{n} Cottages fed")
        return Message("{built} built, {who}", {"built": n, "who": who})
    if card.count == MORE_THAN_RIGHT and game.seats > 1:
        if has_more(state, seat, type):
            return Message("{n} built, more than the neighbour", {"n": n})
        return Message("{n} built, no more than the neighbour", {"n": n})
    if card.count == CUBES:
        cubes = sum(int(counted(state, seat, type, square, eaters)) for square in range(SQUARES) if here >> square & 1)
        on = Message("{n} built", {"n": n})
        return Message("{n} cube on {on}", {"n": cubes, "on": on}, "{n} cubes on {on}")
    return Message("{n} built", {"n": n})


def _monument_note(state: State, game: State, seat: int) -> Message:
    town = game.towns[seat]
    if not town.built[MONUMENT]:
        return Message("not built")
    card = card_of(game, seat, MONUMENT)
    if card.count == PLACE_COMPLETED:
        data = {"card": card_word(card), "place": place_of_completion(state, seat)}
        if town.completed:
            return Message("{card}, completed as number {place}", data)
        return Message("{card}, would now be completed as number {place}", data)
    if card.count == WHEN_BUILT:
        data = {"card": card_word(card), "n": town.shrine}
        return Message("{card}, {n} building", data, "{card}, {n} buildings")
    return Message("{card}", {"card": card_word(card)})


def _empty_note(state: State, game: State, seat: int) -> Message:
    """How many squares are without a building; and the card that waives them, where one stands."""
    n = unbuilt(state, seat)
    if not (n and has_built(state, seat, FORGIVES)):
        return Message("{n} square", {"n": n}, "{n} squares")
    data = {"n": n, "card": card_word(card_of(game, seat, MONUMENT))}
    return Message("{n} square, waived by {card}", data, "{n} squares, waived by {card}")


def _remarks(state: State, game: State, totals: tuple[int, ...]) -> tuple[Message, ...]:
    if game.naming == SOLO:
        data = {"rank": Message(rank(totals[0])), "n": totals[0]}
        return (Message("{rank}: {n} point", data, "{rank}: {n} points"), *next_rank(totals[0], RANKS))
    if len(set(totals)) == len(totals):
        return ()
    if game.naming == MASTER_BUILDER:
        settled = Message(
            "Ties are settled by fewer turns as Master Builder, fewer squares without a building, more Cottages; who "
            "ties still shares the place."
        )
    else:
        settled = Message(
            "Ties are settled by fewer squares without a building, more Cottages; who ties still shares the place."
        )
    return (settled, *(_tie_break(state, game, seat, totals) for seat in _tied(totals)))


def _tied(totals: tuple[int, ...]) -> list[int]:
    """The seats that have as many points as another, the most points first."""
    tied = [seat for seat, points in enumerate(totals) if totals.count(points) > 1]
    return sorted(tied, key=lambda seat: -totals[seat])


def _tie_break(state: State, game: State, seat: int, totals: tuple[int, ...]) -> Message:
    """What a tied seat has of what settles ties, as far as that had to be looked at."""
    rivals = [other for other, points in enumerate(totals) if points == totals[seat] and other != seat]
    mine = _tie_counts(state, game, seat)
    counts: list[Message] = []
    for place, count in enumerate(mine):
        counts.append(count)
        rivals = [other for other in rivals if _tie_counts(state, game, other)[place] == count]
        if not rivals:
            break
    return Message("{seat}: {counts}.", {"seat": Seat(seat), "counts": counts})


def _tie_counts(state: State, game: State, seat: int) -> list[Message]:
    """What settles ties, in order; turns count with a Master Builder only (ruling 12)."""
    turns, free = game.towns[seat].turns, unbuilt(state, seat)
    cottage = cottages(state, seat, ALL_SQUARES)
    counts = [
        Message("{n} turn as Master Builder", {"n": turns}, "{n} turns as Master Builder"),
        Message("{n} square without a building", {"n": free}, "{n} squares without a building"),
        Message("{n} Cottage", {"n": cottage}, "{n} Cottages"),
    ]
    return counts if game.naming == MASTER_BUILDER else counts[1:]
