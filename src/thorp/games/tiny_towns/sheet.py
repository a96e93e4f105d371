"""The score sheet of Tiny Towns: every seat's points card by card, and why."""

from __future__ import annotations

from thorp.core.game import ScoreRow, ScoreSheet
from thorp.core.words import Message
from thorp.games.tiny_towns.cards import (
    CARDS,
    COTTAGE_TYPE,
    MONUMENT,
    SUPPLY_TYPES,
)
from thorp.games.tiny_towns.scoring import (
    cottages,
    empty_points,
    fed,
    has_more_halls,
    monument_points,
    place_of_completion,
    score,
    standing,
    type_points,
    unbuilt,
)
from thorp.games.tiny_towns.state import MASTER_BUILDER, SOLO, State
from thorp.games.tiny_towns.words import card_word

#: Ranks of solo play: the points from which each is reached.
RANKS = (
    (38, "Master Architect"),
    (32, "Town Planner"),
    (25, "Engineer"),
    (18, "Carpenter"),
    (10, "Builder's Apprentice"),
)
LOWEST_RANK = "Aspiring Architect"


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
            label=Message("{card}", {"card": card_word(CARDS[game.cards[type]])}),
            points=tuple(type_points(state, seat, type, eaters[seat]) for seat in seats),
            notes=tuple(_note(state, game, seat, type, eaters[seat]) for seat in seats),
            card=CARDS[game.cards[type]].id,
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
            notes=tuple(Message("{n} squares", {"n": unbuilt(state, seat)}) for seat in seats),
        )
    )
    totals = tuple(score(state, seat) for seat in seats)
    return ScoreSheet(
        rows=tuple(rows),
        totals=totals,
        standings=tuple(standing(state, seat) for seat in seats),
        remarks=_remarks(game, totals),
    )


def _note(state: State, game: State, seat: int, type: int, eaters: int) -> Message | None:
    """Why a type gives its points: how many there are, and what its card counts besides."""
    here = game.towns[seat].built[type]
    n = here.bit_count()
    if n == 0:
        return None
    card = CARDS[game.cards[type]]
    if type == COTTAGE_TYPE:
        return Message("{fed} of {n} fed", {"fed": (here & eaters).bit_count(), "n": n})
    if card.id == "chapel":
        return Message("{n} built, {fed} Cottages fed", {"n": n, "fed": cottages(state, seat, eaters)})
    if card.id == "feast_hall":
        if has_more_halls(state, seat):
            return Message("{n} built, more than the neighbour", {"n": n})
        return Message("{n} built, no more than the neighbour", {"n": n})
    if card.id == "warehouse":
        cubes = -type_points(state, seat, type, eaters)
        return Message("{cubes} cubes on {n} built", {"cubes": cubes, "n": n})
    return Message("{n} built", {"n": n})


def _monument_note(state: State, game: State, seat: int) -> Message:
    town = game.towns[seat]
    if not town.built[MONUMENT]:
        return Message("not built")
    card = CARDS[town.monument]
    if card.id == "the_starloom":
        place = place_of_completion(state, seat)
        return Message("{card}, completed as number {place}", {"card": card_word(card), "place": place})
    if card.id == "shrine_of_the_elder_tree":
        return Message("{card}, {n} buildings", {"card": card_word(card), "n": town.shrine})
    return Message("{card}", {"card": card_word(card)})


def _remarks(game: State, totals: tuple[int, ...]) -> tuple[Message, ...]:
    if game.naming == SOLO:
        return (Message("{rank}: {points} points", {"rank": Message(rank(totals[0])), "points": totals[0]}),)
    if len(set(totals)) == len(totals):
        return ()
    order = "fewer squares without a building, more Cottages"
    if game.naming == MASTER_BUILDER:
        order = "fewer turns as Master Builder, " + order
    return (Message("Ties are settled by " + order + "; who ties still shares the place."),)
