"""Files of cards (docs/town-cards.md): reading them, with every fault told by card and field, and writing them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from thorp.cardfiles import reader
from thorp.cardfiles.reader import Checked, Reader, id_of, quoted
from thorp.core.given import shown
from thorp.games.tiny_towns.rules.cards import (
    ALL,
    ANYWHERE,
    COTTAGE_TYPE,
    COUNTS,
    CUBES,
    DEEDS,
    FACTORY_DEEDS,
    FACTORY_TYPE,
    FARM_TYPE,
    FED,
    FEEDS,
    FEEDS_NOTHING,
    FEEDS_WHERE,
    LETTERS,
    LOOKING,
    MONUMENT,
    MONUMENT_DEEDS,
    MORE_THAN_RIGHT,
    NO_DEED,
    NOTHING,
    OF_TYPES,
    PLACE_COMPLETED,
    TYPES,
    WHEN_BUILT,
    Card,
    CardSet,
)
from thorp.games.tiny_towns.rules.shapes import LEAST_CELLS, LINE, MOST_CELLS, SIDE, TOWN, WHERES, is_connected
from thorp.games.tiny_towns.rules.state import MOST_ALTERNATIVES, MOST_MONUMENTS, MOST_NUMBERS

PRINTED_FILE = Path(__file__).parent / "printed.toml"

# Bounds of a card.
MOST_POINTS = 9
LEAST_BY_NUMBER, MOST_BY_NUMBER = -20, 30
MOST_PORTION = {"cottages": 8, "groups": 4}
MOST_COTTAGES = 4

TYPE_IDS = tuple(type.id for type in TYPES)
_NEEDED = ("name", "type", "pattern", "points")
_ALLOWED = ("count", "of", "where", "base", "feeds", "does", "cottages", "solo")
_PRINTED_ONLY = ("id", "effect", "rulings", "promise", "kept")


@cache
def printed() -> CardSet:
    """The printed cards."""
    own = _CardReader(of_printed=True)
    found, faults = reader.check(PRINTED_FILE.read_bytes(), "file of cards", own, own.all_printed)
    assert found, faults
    return found


def check(data: bytes) -> Checked[CardSet]:
    """The set of cards of a file and no faults, or None and all that is wrong with it."""
    own = _CardReader(of_printed=False)
    return reader.check(data, "file of cards", own, own.card_set)


def write(cards: CardSet) -> str:
    """A set of cards as a file: the same text for every file that means the same."""
    lines = [f"name = {quoted(cards.name)}"]
    # where there are no cards of one's own, a file has to name some printed ones
    kept = cards.printed or ([] if any(not card.printed for card in cards.cards) else [card.id for card in cards.cards])
    if kept:
        lines.append(f"printed = {_quoted_all(kept)}")
    for card in cards.cards:
        if not card.printed:
            lines += ["", "[[card]]", *_lines(card)]
    return "\n".join(lines) + "\n"


def _lines(card: Card) -> list[str]:
    lines = [
        f"name = {quoted(card.name)}",
        f"type = {quoted(TYPE_IDS[card.type])}",
        f"pattern = {_quoted_all(card.pattern)}",
    ]
    if card.points:
        lines.append(f"points = [{', '.join(map(str, card.points))}]")
    else:
        lines.append(f"points = {card.base if card.count == NOTHING else card.each}")
    if card.count != NOTHING:
        lines.append(f"count = {quoted(COUNTS[card.count])}")
        if card.types:
            lines.append(f"of = {_quoted_all([id for type, id in enumerate(TYPE_IDS) if card.types >> type & 1])}")
        if card.where != TOWN:
            lines.append(f"where = {quoted(WHERES[card.where])}")
        if card.base:
            lines.append(f"base = {card.base}")
    if card.feeds != FEEDS_NOTHING:
        how = quoted(WHERES[card.portion]) if card.feeds == FEEDS_WHERE else str(card.portion)
        lines.append(f"feeds = {{ {FEEDS[card.feeds]} = {how} }}")
    if card.deed != NO_DEED:
        lines.append(f"does = {quoted(DEEDS[card.deed])}")
    if card.cottages:
        lines.append(f"cottages = {card.cottages}")
    if not card.solo:
        lines.append("solo = false")
    return lines


def _quoted_all(texts: Sequence[str]) -> str:
    return f"[{', '.join(map(quoted, texts))}]"


class _CardReader(Reader):
    def __init__(self, of_printed: bool) -> None:
        super().__init__()
        self.of_printed = of_printed

    # --- the whole set -----------------------------------------------------------------------------------------

    def all_printed(self, table: dict[str, Any]) -> CardSet:
        """The printed cards."""
        cards = [self.read_card(number, entry) for number, entry in enumerate(self.entries(table, "card"))]
        return CardSet(self.name(table), _numbered(cards), standard=True)

    def card_set(self, table: dict[str, Any]) -> CardSet:
        """The cards of a file, with the printed ones where it has none of its own; and what is wrong in the whole."""
        self.keys(table, ("name",), ("printed", "card"))
        name = self.name(table)
        kept = self.printed_ids(table)
        own = [self.read_card(number, entry) for number, entry in enumerate(self.entries(table, "card"))]
        self.card = ""
        if not own and not kept:
            self.fault("card", "the file has no cards: write each as a table headed [[card]]")
        said = [*own, *(card for card in printed().cards if card.id in kept)]
        types = {card.type for card in said}
        cards = _numbered([*said, *(card for card in printed().cards if card.type not in types)])
        if cards == printed().cards:
            return printed()
        # all printed cards of a type, and no others, are what stays where a type is not named
        partly = {card.type for card in own} | {card.type for card in printed().cards if card.id not in kept}
        made = CardSet(name, cards, tuple(card.id for card in cards if card.id in kept and card.type in partly))
        if not self.faults:
            self.whole(made)
        return made

    def printed_ids(self, table: dict[str, Any]) -> frozenset[str]:
        """Which printed cards take part beside those of the file."""
        ids = table.get("printed", [])
        known = {card.id for card in printed().cards}
        if not isinstance(ids, list):
            self.fault("printed", "list the ids of printed cards, not {given}", given=shown(ids))
            return frozenset()
        for id in ids:
            if not isinstance(id, str) or id not in known:
                self.fault(
                    "printed",
                    "no printed card has the id {given}; there are {known}",
                    given=shown(id),
                    known=tuple(sorted(known)),
                )
        return frozenset(id for id in ids if isinstance(id, str) and id in known)

    def whole(self, made: CardSet) -> None:
        """Faults between cards: too many of a type, none for solo play, names that come twice."""
        for type, known in enumerate(TYPES):
            cards = made.of_type(type)
            most = 1 if type == COTTAGE_TYPE else MOST_MONUMENTS if type == MONUMENT else MOST_ALTERNATIVES
            if len(cards) > most:
                self.fault(
                    "card",
                    "{n} cards are of the type {type}; at most {most} can take part",
                    n=len(cards),
                    type=known.id,
                    most=most,
                )
            if not any(card.in_solo for card in cards):
                self.fault("card", "no card of the type {type} takes part in solo play; one has to", type=known.id)
        for id, n in Counter(card.id for card in made.cards).items():
            if n > 1:
                self.card = next(card.name for card in made.cards if card.id == id)
                self.fault("name", "{n} cards have this name; each card has one of its own", n=n)

    # --- a card ------------------------------------------------------------------------------------------------

    def read_card(self, number: int, table: dict[str, Any]) -> Card:
        """One card."""
        self.begin("card", number, table)
        self.keys(table, _NEEDED, _ALLOWED + (_PRINTED_ONLY if self.of_printed else ()))
        name = self.name(table)
        type = TYPE_IDS.index(self.one_of(table, "type", TYPE_IDS, "type of building"))
        card = Card(
            number=number,
            id=str(table.get("id", id_of(name, "_"))),
            name=name,
            type=type,
            pattern=self.pattern(table),
            solo=self.flag(table, "solo", True),
        )
        card = self.with_points(card, table)
        card = self.with_effects(card, table)
        if self.of_printed:
            rulings = tuple(table.get("rulings", ()))
            card = replace(card, effect=table["effect"], rulings=rulings, printed=True)
            card = replace(card, promise=table["promise"], kept=table.get("kept", card.kept))
        return card

    def pattern(self, table: dict[str, Any]) -> tuple[str, ...]:
        """The rows of a pattern, without empty rows and columns at its edges."""
        harmless = ("WS",)
        rows = table.get("pattern", list(harmless))
        if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows) or not rows:
            self.fault("pattern", "list its rows, as {example}", example='["..G", "SGS"]')
            return harmless
        strange = sorted(set("".join(rows)) - set(LETTERS) - {"."})
        if strange:
            self.fault(
                "pattern",
                "has {given}; there are {letters} for cubes, and . for none",
                given=shown(strange[0]),
                letters=tuple(LETTERS),
            )
            return harmless
        cells = [(r, c) for r, row in enumerate(rows) for c, letter in enumerate(row) if letter != "."]
        if not LEAST_CELLS <= len(cells) <= MOST_CELLS:
            self.fault(
                "pattern",
                "has {n} cubes, and must have {least} to {most}",
                n=len(cells),
                least=LEAST_CELLS,
                most=MOST_CELLS,
            )
            return harmless
        (top, bottom), (left, right) = ((min(line), max(line) + 1) for line in zip(*cells, strict=True))
        if max(bottom - top, right - left) > SIDE:
            self.fault("pattern", "does not fit into a town of {n} rows and {n} columns", n=SIDE)
        elif not is_connected(tuple(cells)):
            self.fault("pattern", "falls apart: its cubes have to be connected by sides")
        else:
            # without the rest, which may be any number of empty rows and columns
            return tuple(row[left:right].ljust(right - left, ".") for row in rows[top:bottom])
        return harmless

    def with_points(self, card: Card, table: dict[str, Any]) -> Card:
        """What it scores: `points`, and what they depend on."""
        count = COUNTS.index(self.one_of(table, "count", COUNTS, "thing to count"))
        where = TOWN
        if "where" in table:
            where = WHERES.index(self.one_of(table, "where", WHERES, "place"))
            if count not in LOOKING:
                self.fault(
                    "where", "goes only with a count of {counts}", counts=tuple(COUNTS[each] for each in LOOKING)
                )
        card = replace(card, count=count, where=where, types=self.types(table, count))
        self.count_fits(card, table)
        points = table.get("points", 0)
        if isinstance(points, list):
            return replace(card, points=self.by_number(points, count), base=self.base(table))
        value = self.integer(table, "points", -MOST_POINTS, MOST_POINTS)
        if count == NOTHING:
            if "base" in table:
                self.fault("base", "goes only with a count: without one, `points` says it all")
            return replace(card, base=value)
        if count in (FED, ALL, MORE_THAN_RIGHT, PLACE_COMPLETED):
            self.fault(
                "points",
                "are a list with a count of {count}: the points for 0, for 1, and so on",
                count=repr(COUNTS[count]),
            )
        return replace(card, each=value, base=self.base(table))

    def base(self, table: dict[str, Any]) -> int:
        """Points whatever is counted."""
        return self.integer(table, "base", -MOST_POINTS, MOST_POINTS) if "base" in table else 0

    def by_number(self, points: list[Any], count: int) -> tuple[int, ...]:
        """Points by number, without repeating the last."""
        if count == NOTHING:
            self.fault("points", "are one number, unless `count` says what they depend on")
        if not 2 <= len(points) <= MOST_NUMBERS or not all(
            type(each) is int and LEAST_BY_NUMBER <= each <= MOST_BY_NUMBER for each in points
        ):
            self.fault(
                "points",
                "must be one whole number, or a list of 2 to {n} of them from {least} to {most}, not {given}",
                n=MOST_NUMBERS,
                least=LEAST_BY_NUMBER,
                most=MOST_BY_NUMBER,
                given=shown(points),
            )
            return (0, 0)
        while len(points) > 2 and points[-1] == points[-2]:
            points = points[:-1]
        return tuple(points)

    def types(self, table: dict[str, Any], count: int) -> int:
        """The types at which it looks, as a mask."""
        if count not in OF_TYPES:
            if "of" in table:
                self.fault("of", "goes only with a count of {counts}", counts=tuple(COUNTS[each] for each in OF_TYPES))
            return 0
        of = table.get("of")
        if not isinstance(of, list) or not of:
            self.fault("of", "list the types that are counted, of {types}", types=tuple(TYPE_IDS))
            return 1
        return sum({1 << TYPE_IDS.index(self.one_of({"of": each}, "of", TYPE_IDS, "type")) for each in of})

    def count_fits(self, card: Card, table: dict[str, Any]) -> None:
        """Some things can be counted by some types only."""
        count = card.count
        if count == FED and card.type != COTTAGE_TYPE and "cottages" not in table:
            self.fault("count", "only a Cottage can be fed, or a monument that counts as `cottages`")
        if count in (ALL, MORE_THAN_RIGHT) and card.type == MONUMENT:
            self.fault("count", "a player has one monument, which cannot count {count}", count=repr(COUNTS[count]))
        if count in (PLACE_COMPLETED, WHEN_BUILT) and card.type != MONUMENT:
            self.fault("count", "only a monument can count {count}", count=repr(COUNTS[count]))
        if count == CUBES and card.type != FACTORY_TYPE:
            self.fault("count", "only cards of the type factory hold cubes")

    def with_effects(self, card: Card, table: dict[str, Any]) -> Card:
        """What it does besides: feeding, its deed, and counting as Cottages."""
        deed = DEEDS.index(self.one_of(table, "does", DEEDS[1:], "deed")) if "does" in table else NO_DEED
        possible = (
            NO_DEED,
            *(MONUMENT_DEEDS if card.type == MONUMENT else (ANYWHERE,)),
            *(FACTORY_DEEDS if card.type == FACTORY_TYPE else ()),
        )
        if deed not in possible:
            there = tuple(DEEDS[each] for each in possible if each)
            self.fault(
                "does",
                "a card of the type {type} cannot do {deed}; there are {known}",
                type=TYPE_IDS[card.type],
                deed=repr(DEEDS[deed]),
                known=there,
            )
        cottages = self.integer(table, "cottages", 1, MOST_COTTAGES) if "cottages" in table else 0
        if cottages and card.type != MONUMENT:
            self.fault("cottages", "only a monument counts as Cottages")
        feeds, portion = self.feeding(table) if "feeds" in table else (FEEDS_NOTHING, 0)
        if feeds and card.type != FARM_TYPE:
            self.fault("feeds", "only a card of the type farm feeds")
        return replace(card, deed=deed, cottages=cottages, feeds=feeds, portion=portion)

    def feeding(self, table: dict[str, Any]) -> tuple[int, int]:
        """How it feeds, and how many or where."""
        given = table["feeds"]
        if not isinstance(given, dict) or len(given) != 1 or next(iter(given)) not in FEEDS[1:]:
            self.fault(
                "feeds",
                "must be {cottages}, {groups} or {where}, not {given}",
                cottages="{ cottages = 4 }",
                groups="{ groups = 1 }",
                where="{ where = ... }",
                given=shown(given),
            )
            return FEEDS_NOTHING, 0
        (how,) = given
        if how == "where":
            places = tuple(place for place in WHERES if place != WHERES[LINE])
            return FEEDS_WHERE, WHERES.index(self.one_of(given, "where", places, "place", "feeds.where"))
        return FEEDS.index(how), self.integer(given, how, 1, MOST_PORTION[how], f"feeds.{how}")


def _numbered(cards: Sequence[Card]) -> tuple[Card, ...]:
    """Cards in the order of their types, each with its number."""
    ordered = sorted(cards, key=lambda card: card.type)
    return tuple(replace(card, number=number) for number, card in enumerate(ordered))
