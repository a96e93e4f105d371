"""What a card says, in sentences made of its numbers: for cards that bring no words of their own."""

from __future__ import annotations

from collections.abc import Iterator

from thorp.core.words import Many, Message, Said, Term
from thorp.games.tiny_towns.rules.cards import (
    ALL,
    ANYWHERE,
    BARS,
    BUILDINGS,
    BUILT_TYPES,
    COTTAGES,
    CUBES,
    FED,
    FED_COTTAGES,
    FEEDS_COTTAGES,
    FEEDS_GROUPS,
    FEEDS_WHERE,
    FORGIVES,
    GRANTS,
    LARGEST_GROUP,
    LOOKING,
    MISSING_TYPES,
    MONUMENT,
    MORE_THAN_RIGHT,
    NEVER_NAMES,
    NO_DEED,
    NOTHING,
    OF_TYPES,
    PLACE_COMPLETED,
    REBUILDS,
    SHELTERS,
    STANDS_IN,
    STORES,
    SUBSTITUTES,
    SUPPLY_TYPES,
    TYPES,
    UNFED_COTTAGES,
    WATCHES,
    WHEN_BUILT,
    Card,
)
from thorp.games.tiny_towns.rules.shapes import AROUND, BESIDE, CENTRE, CORNER, LINE, LINES, TOWN

_WHERE = {
    BESIDE: "next to it",
    AROUND: "on the 8 squares around it",
    LINES: "in its row and column",
    LINE: "in its row or in its column, whichever is more",
    CORNER: "in the corners of your town",
    CENTRE: "on the 4 centre squares of your town",
    TOWN: "in your town",
}
#: What is counted, one of it: points are given for each.
_EACH = {
    COTTAGES: "for each Cottage {where}, fed or unfed",
    FED_COTTAGES: "for each fed Cottage {where}",
    UNFED_COTTAGES: "for each unfed Cottage {where}",
    BUILDINGS: "for each building {where} of: {types}",
    BUILT_TYPES: "for each type {where} of: {types}",
    MISSING_TYPES: "for each type that is not {where}, of: {types}",
    LARGEST_GROUP: "for each building in your largest group of one type",
    CUBES: "for each cube on it",
    WHEN_BUILT: "for each building in your town when it is built",
}
#: The same in numbers: points are given by how many there are.
_MANY = {
    COTTAGES: "Cottages {where}, fed or unfed",
    FED_COTTAGES: "fed Cottages {where}",
    UNFED_COTTAGES: "unfed Cottages {where}",
    BUILDINGS: "buildings {where} of: {types}",
    BUILT_TYPES: "types {where} of: {types}",
    MISSING_TYPES: "types that are not {where}, of: {types}",
    LARGEST_GROUP: "buildings in your largest group of one type",
    CUBES: "cubes on it",
    WHEN_BUILT: "buildings in your town when it is built",
}
#: What a card does by a rule of its own.
DEED_WORDS = {
    SUBSTITUTES: "Holds a resource. When another player names it, you may place a different one instead.",
    BARS: "Holds a resource that you may no longer name.",
    STANDS_IN: "May stand in for any one resource when you build, and stays in your town.",
    STORES: "Stores up to 3 cubes that others named, or swaps them.",
    REBUILDS: "When built: replace up to 2 of your other buildings from the supply.",
    GRANTS: "When built: put down any building in play on an empty square, for free.",
    WATCHES: "When built: put 3 types on the card. When a neighbour builds one, it goes to your town.",
    NEVER_NAMES: "You are no longer Master Builder, unless you are the last in the game.",
    FORGIVES: "Your empty squares cost nothing.",
    SHELTERS: "A cube that another player named may go on one of your Cottages, 1 on each.",
}
_SUPPLY = (1 << SUPPLY_TYPES) - 1
_ANYWHERE_SUPPLY = "When built, it may go on any empty square of your town."
_ANYWHERE_MONUMENT = "From now on, each building that you build may go on any empty square of your town."


def described(card: Card) -> tuple[Message, ...]:
    """What a card scores and does, sentence by sentence."""
    return (*_points(card), *_feeding(card), *_besides(card))


def deed_words(card: Card) -> str:
    """What a card does by a rule of its own; empty where it does nothing so."""
    if card.deed == ANYWHERE:
        return _ANYWHERE_MONUMENT if card.type == MONUMENT else _ANYWHERE_SUPPLY
    return "" if card.deed == NO_DEED else DEED_WORDS[card.deed]


def _n(n: int) -> str:
    """A number with the sign for minus that stands in texts."""
    return str(n).replace("-", "−")


def _number_of(n: int, one: Said[str], many: Many[str]) -> Message:
    return Message(one, {"n": abs(n), "points": _n(n)}, many)


def _points(card: Card) -> Iterator[Message]:
    numbers = [_n(card.base + points) for points in card.points]
    if card.count == NOTHING:
        if card.base:
            yield _number_of(card.base, "{points} point.", "{points} points.")
    elif card.count == FED:
        yield Message("{fed} points if it is fed, else {unfed}.", {"fed": numbers[1], "unfed": numbers[0]})
    elif card.count == MORE_THAN_RIGHT:
        text = "{less} points, or {more} if you have more of them than the player on your right."
        yield Message(text, {"less": numbers[0], "more": numbers[1]})
    elif card.count == ALL:
        text = "Points for all of them together, for 1, 2, 3 and so on: {numbers}."
        yield Message(text, {"numbers": numbers[1:]})
    elif card.count == PLACE_COMPLETED:
        text = "Points if your town is completed 1st, 2nd, 3rd and so on: {numbers}."
        yield Message(text, {"numbers": numbers[1:]})
    elif card.points and len(card.points) == 2 and "0" in numbers:
        if numbers[1] != "0":
            text, given = "{points} points if there are any {what}.", numbers[1]
        else:
            text, given = "{points} points unless there are {what}.", numbers[0]
        yield Message(text, {"points": given, "what": Message(_MANY[card.count], _data(card))})
    elif card.points:
        text = "Points by how many there are, from 0 on: {numbers}; counted are {what}."
        yield Message(text, {"numbers": numbers, "what": Message(_MANY[card.count], _data(card))})
    else:
        if card.base:
            yield _number_of(card.base, "{points} point, and:", "{points} points, and:")
        what = Message(_EACH[card.count], _data(card))
        data = {"n": abs(card.each), "points": _n(card.each), "what": what}
        yield Message("{points} point {what}.", data, "{points} points {what}.")


def _data(card: Card) -> dict[str, object]:
    """What a sentence about counting may name."""
    data: dict[str, object] = {}
    if card.count in LOOKING:
        data["where"] = Term(_WHERE[card.where])
    if card.count in OF_TYPES:
        types = [Term(type.name) for number, type in enumerate(TYPES) if card.types >> number & 1]
        data["types"] = Term("the seven types in play") if card.types == _SUPPLY else types
    return data


def _feeding(card: Card) -> Iterator[Message]:
    n = {"n": card.portion}
    if card.feeds == FEEDS_COTTAGES:
        yield Message(
            "Feeds up to {n} Cottage anywhere in your town.", n, "Feeds up to {n} Cottages anywhere in your town."
        )
    elif card.feeds == FEEDS_GROUPS:
        yield Message(
            "Feeds {n} group of Cottages that are next to each other, anywhere in your town.",
            n,
            "Feeds {n} groups of Cottages that are next to each other, anywhere in your town.",
        )
    elif card.feeds == FEEDS_WHERE:
        yield Message("Feeds every Cottage {where}.", {"where": Term(_WHERE[card.portion])})


def _besides(card: Card) -> Iterator[Message]:
    if card.cottages:
        yield Message("Counts as {n} Cottage.", {"n": card.cottages}, "Counts as {n} Cottages.")
    if card.deed != NO_DEED:
        yield Message(deed_words(card))
