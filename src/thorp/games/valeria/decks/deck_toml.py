"""Deck files (docs/decks.md): reading them, with every fault told by card and field, and writing them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from thorp.cardfiles import reader
from thorp.cardfiles.reader import Checked, Reader, id_of, quoted
from thorp.core.given import shown
from thorp.core.words import Message, Noun, Said, Term
from thorp.games.valeria.rules.deck import (
    MOST_ADVENTURERS,
    MOST_CARDS,
    MOST_NAMES,
    MOST_POWERS,
    Adventurer,
    Building,
    Deck,
)
from thorp.games.valeria.rules.drawings import DRAWINGS
from thorp.games.valeria.rules.powers import (
    ACTIONS,
    COUNTS,
    DEEDS,
    GIVES,
    MOST_AMOUNT,
    MOST_PER,
    PAYS,
    RESOURCES,
    TYPES,
    WHENS,
    Power,
)

# Bounds of a deck file. A deck has to serve five players: 30 cards in hands, 5 piles, and a deck to draw from.
LONGEST_NAME = 24
LEAST_NAMES = 20
LEAST_CARDS = 60
LEAST_ADVENTURERS = 5
MOST_COPIES = 4
MOST_COST = 5
MOST_NEEDS = 4
MOST_POINTS = 9

#: Which deeds go with which time, and which fields beside `when` and `do` each takes.
_DEEDS_AT = {
    **dict.fromkeys(("instant", *ACTIONS), DEEDS),
    "paying": ("resource",),
    "hiring": ("cheaper",),
    "scoring": ("score",),
}
_FIELDS_OF = {
    **dict.fromkeys(DEEDS, ("amount", "pay")),
    "resource": ("of", "pay"),
    "cheaper": ("amount",),
    "score": ("amount", "of", "per"),
}
_PAYS_FOR_RESOURCE = ("1 card", "1 coin")


def check(data: bytes) -> Checked[Deck]:
    """The deck of a file and no faults, or None and all that is wrong with it."""
    deck = _DeckReader()
    return reader.check(data, "deck", deck, deck.deck)


def write(deck: Deck) -> str:
    """A deck as a file: the same text for every file that means the same."""
    lines = [f"name = {quoted(deck.name)}"]
    for building in deck.buildings:
        lines += ["", "[[building]]", f"name = {quoted(building.name)}", f"type = {quoted(building.type)}"]
        lines.append(f"cost = {_counts(RESOURCES, building.cost)}")
        lines.append(f"points = {building.points}")
        lines.append(f"copies = [{', '.join(map(quoted, building.copies))}]")
        if building.drawing:
            lines.append(f"drawing = {quoted(building.drawing)}")
        lines += _powers(building.powers)
    for adventurer in deck.adventurers:
        lines += ["", "[[adventurer]]", f"name = {quoted(adventurer.name)}"]
        lines.append(f"needs = {_counts(TYPES, adventurer.needs)}")
        lines.append(f"points = {adventurer.points}")
        lines += _powers(adventurer.powers)
    return "\n".join(lines) + "\n"


def _counts(names: Sequence[str], counts: Sequence[int]) -> str:
    inside = ", ".join(f"{name} = {n}" for name, n in zip(names, counts, strict=True) if n)
    return f"{{ {inside} }}"


def _powers(powers: Sequence[Power]) -> list[str]:
    if not powers:
        return []
    written = []
    for power in powers:
        fields = [f"when = {quoted(power.when)}", f"do = {quoted(power.do)}"]
        if power.of:
            fields.append(f"of = {quoted(power.of)}")
        for name, value in (("amount", power.amount), ("per", power.per)):
            if value != 1:
                fields.append(f"{name} = {value}")
        if power.pay:
            fields.append(f"pay = {quoted(power.pay)}")
        written.append(f"{{ {', '.join(fields)} }}")
    return [f"powers = [{', '.join(written)}]"]


class _DeckReader(Reader):
    longest_name = LONGEST_NAME

    # --- the whole deck ----------------------------------------------------------------------------------------

    def deck(self, table: dict[str, Any]) -> Deck:
        """The deck, and the faults that show only in the whole."""
        self.keys(table, ("name", "building", "adventurer"))
        name = self.name(table)
        buildings = tuple(self.building(n, entry) for n, entry in enumerate(self.entries(table, "building")))
        adventurers = tuple(self.adventurer(n, entry) for n, entry in enumerate(self.entries(table, "adventurer")))
        self.card = ""
        deck = Deck(name, buildings, adventurers)
        self.size("building", len(buildings), LEAST_NAMES, MOST_NAMES, "names of buildings")
        self.size("adventurer", len(adventurers), LEAST_ADVENTURERS, MOST_ADVENTURERS, "adventurers")
        if not self.faults:
            self.size("building", len(deck.cards), LEAST_CARDS, MOST_CARDS, "building cards, all copies counted")
            self.whole(deck)
        return deck

    def size(self, field: str, n: int, least: int, most: int, things: Noun[str]) -> None:
        """There have to be so many of something."""
        if not least <= n <= most:
            self.fault(
                field,
                "the deck has {n} {things}, and must have {least} to {most}",
                n=n,
                things=Term(things),
                least=least,
                most=most,
            )

    def whole(self, deck: Deck) -> None:
        """Faults between cards: names that come twice, and what no card could ever give."""
        for id, n in Counter(card.id for card in deck.every).items():
            if n > 1:
                self.card = next(card.name for card in deck.every if card.id == id)
                self.fault("name", "{n} cards have this name; each card has one of its own", n=n)
        given = {resource for _, resource in deck.cards}
        for building in deck.buildings:
            self.card = building.name
            for resource in dict.fromkeys(building.costs):
                if resource not in given:
                    self.fault("cost", "no card gives {resource} on its lower half", resource=resource)
        types = Counter(building.type for building in deck.buildings)
        for adventurer in deck.adventurers:
            self.card = adventurer.name
            for type, n in zip(TYPES, adventurer.needs, strict=True):
                if n > types[type]:
                    self.fault(
                        "needs",
                        "it asks for {n} {type} buildings, and the deck has {found} such names",
                        n=n,
                        type=type,
                        found=types[type],
                    )

    # --- cards -------------------------------------------------------------------------------------------------

    def building(self, number: int, table: dict[str, Any]) -> Building:
        """A building."""
        self.begin("building", number, table)
        self.keys(table, ("name", "type", "cost", "points", "copies"), ("powers", "drawing"))
        name = self.name(table)
        type = self.one_of(table, "type", TYPES, "type of building")
        cost = self.counts(table, "cost", RESOURCES, "resource", MOST_COST)
        return Building(
            number=number,
            id=id_of(name),
            name=name,
            type=type,
            cost=cost,
            points=self.integer(table, "points", 0, MOST_POINTS),
            copies=self.copies(table),
            powers=self.powers(table),
            drawing=self.one_of(table, "drawing", DRAWINGS, "drawing of a building") if "drawing" in table else "",
        )

    def adventurer(self, number: int, table: dict[str, Any]) -> Adventurer:
        """An adventurer."""
        self.begin("adventurer", number, table)
        self.keys(table, ("name", "needs", "points"), ("powers",))
        name = self.name(table)
        return Adventurer(
            number=number,
            id=id_of(name),
            name=name,
            needs=self.counts(table, "needs", TYPES, "type of building", MOST_NEEDS),
            points=self.integer(table, "points", 0, MOST_POINTS),
            powers=self.powers(table),
        )

    def copies(self, table: dict[str, Any]) -> tuple[str, ...]:
        """The lower halves of a building's cards."""
        copies = table.get("copies", ["food"])
        if not isinstance(copies, list) or not 1 <= len(copies) <= MOST_COPIES:
            self.fault(
                "copies", "list the resource of each copy's lower half, for 1 to {most} copies", most=MOST_COPIES
            )
            return ("food",)
        found = [
            self.one_of({"copies": resource}, "copies", RESOURCES, "resource", f"copies[{index}]")
            for index, resource in enumerate(copies)
        ]
        return tuple(sorted(found, key=RESOURCES.index))

    # --- powers ------------------------------------------------------------------------------------------------

    def powers(self, table: dict[str, Any]) -> tuple[Power, ...]:
        """The powers of a card."""
        entries = table.get("powers", [])
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            self.fault("powers", "list powers as tables: {example}", example="powers = [{ when = ..., do = ... }]")
            return ()
        if len(entries) > MOST_POWERS:
            self.fault("powers", "a card has at most {most} powers, not {n}", most=MOST_POWERS, n=len(entries))
            return ()
        return tuple(self.power(entry, f"powers[{index}]") for index, entry in enumerate(entries))

    def power(self, table: dict[str, Any], field: str) -> Power:
        """One power."""
        when = self.one_of(table, "when", WHENS[1:], "time", f"{field}.when")
        deeds = _DEEDS_AT[when]
        do = self.one_of(table, "do", deeds, "power for {when}", f"{field}.do", when=repr(when))
        fields = _FIELDS_OF[do]
        needed = ("when", "do", *(("of",) if "of" in fields else ()))
        self.keys(table, needed, [key for key in fields if key not in needed], f"{field}.")
        of = ""
        if "of" in fields:
            of = self.one_of(table, "of", GIVES if do == "resource" else COUNTS, "thing", f"{field}.of")
        pays = _PAYS_FOR_RESOURCE if do == "resource" else PAYS[1:]
        return Power(
            when=when,
            do=do,
            amount=self.integer(table, "amount", 1, MOST_AMOUNT, f"{field}.amount") if "amount" in table else 1,
            of=of,
            per=self.integer(table, "per", 1, MOST_PER, f"{field}.per") if "per" in table else 1,
            pay=self.one_of(table, "pay", pays, "price", f"{field}.pay") if "pay" in table else "",
        )

    # --- fields ------------------------------------------------------------------------------------------------

    def counts(
        self, table: dict[str, Any], key: str, names: Sequence[str], thing: Said[str], most: int
    ) -> tuple[int, int, int, int]:
        """How many of each of four things, 1 to `most` in all."""
        counts = [0, 0, 0, 0]
        given = table.get(key, {names[0]: 1})
        if not isinstance(given, dict):
            self.fault(
                key,
                "must be a table such as {example}, not {given}",
                example=f"{{ {names[0]} = 1 }}",
                given=shown(given),
            )
        else:
            for name in given:
                if name not in names:
                    self.fault(
                        f"{key}.{self.key(name)}",
                        "is no {thing}; there are {known}",
                        thing=Message(thing),
                        known=tuple(names),
                    )
                else:
                    counts[names.index(name)] = self.integer(given, name, 1, most, f"{key}.{name}")
            if not 1 <= sum(counts) <= most:
                self.fault(key, "must come to 1 to {most} in all, not {n}", most=most, n=sum(counts))
        return counts[0], counts[1], counts[2], counts[3]
