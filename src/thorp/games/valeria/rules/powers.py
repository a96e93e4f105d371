"""Powers as data: when one acts, what it does, how much of it, and what its use costs.

In a deck file a power is a small table of words; in the state it is one number, which the rules take apart by shifts.
This file is the one place that says which words and numbers there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from thorp.core.language import ENGLISH
from thorp.core.words import Message, Noun, Term, say

RESOURCES: Noun[tuple[str, ...]] = ("food", "wood", "stone", "magic")
TYPES: Noun[tuple[str, ...]] = ("worker", "soldier", "shadow", "holy")
ACTIONS: Noun[tuple[str, ...]] = ("harvest", "develop", "build", "recruit", "tax")

#: When a power acts. 0 is no power; action powers stand in the order of the actions.
WHENS = ("", *ACTIONS, "instant", "paying", "hiring", "scoring")
FIRST_ACTION = 1
INSTANT = WHENS.index("instant")
PAYING = WHENS.index("paying")
HIRING = WHENS.index("hiring")
SCORING = WHENS.index("scoring")

#: What instant and action powers do.
DEEDS = ("draw", "coins", "take")
DRAW, COINS, TAKE = range(3)
#: What resource powers give: a resource, or any one.
GIVES = (*RESOURCES, "any")
ANY = GIVES.index("any")
#: What scoring powers count.
COUNTS = (*TYPES, *RESOURCES, "resources", "buildings", "adventurers", "coins", "types")
COUNT_RESOURCE = COUNTS.index("food")
COUNT_RESOURCES, COUNT_BUILDINGS, COUNT_ADVENTURERS, COUNT_COINS, COUNT_TYPES = range(
    COUNTS.index("resources"), len(COUNTS)
)
#: What the use of a power costs: nothing, cards, or coins.
PAYS = ("", "1 card", "2 cards", "3 cards", "1 coin", "2 coins", "3 coins")
#: The dearest in cards; beyond that come coins.
MOST_CARDS = 3

MOST_AMOUNT = 4
MOST_PER = 7

# A power as a number: when | what << 4 | (amount - 1) << 8 | its price, or for scoring `per`, << 10.
WHAT_SHIFT, AMOUNT_SHIFT, PRICE_SHIFT = 4, 8, 10
WHEN_MASK = WHAT_MASK = 15
AMOUNT_MASK = 3
PRICE_MASK = 7


@dataclass(frozen=True)
class Power:
    """A power of a card, in the words of a deck file."""

    when: str
    do: str
    #: How many cards, coins or points, or how much cheaper.
    amount: int = 1
    #: The resource that is given, or what is counted.
    of: str = ""
    #: Points for every so many of what is counted.
    per: int = 1
    #: What its use costs, one of PAYS.
    pay: str = ""

    @property
    def code(self) -> int:
        """The number that the rules read."""
        if self.do in DEEDS:
            what = DEEDS.index(self.do)
        elif self.do == "resource":
            what = GIVES.index(self.of)
        else:
            what = COUNTS.index(self.of) if self.do == "score" else 0
        price = self.per if self.do == "score" else PAYS.index(self.pay)
        return WHENS.index(self.when) | what << WHAT_SHIFT | (self.amount - 1) << AMOUNT_SHIFT | price << PRICE_SHIFT

    @cached_property
    def text(self) -> str:
        """The power in one line, in English."""
        return say(self.said, language=ENGLISH)

    @cached_property
    def said(self) -> Message:
        """The power in one line, as a card says it."""
        return Message("{when}: {what}", {"when": self.time, "what": self.deed})

    @property
    def time(self) -> Message:
        """When it acts."""
        return Message(_HEADS[self.when])

    @property
    def deed(self) -> Message:
        """What it does, and what that costs."""
        if self.do == "score":
            points = Message("{n} point", {"n": self.amount}, "{n} points")
            if self.per == 1:
                return Message("{points} for each {what}", {"points": points, "what": Term(_EACH[self.of])})
            counted = {"points": points, "n": self.per, "what": Term(_MANY[self.of])}
            return Message("{points} for every {n} {what}", counted)
        if self.do == "cheaper":
            return Message("{n} coin less", {"n": self.amount}, "{n} coins less")
        if not self.pay:
            return self._gain
        data = {"n": int(self.pay[0]), "gain": self._gain}
        if "card" in self.pay:
            return Message("discard {n} card: {gain}", data, "discard {n} cards: {gain}")
        return Message("pay {n} coin: {gain}", data, "pay {n} coins: {gain}")

    @property
    def price(self) -> Message:
        """What its use costs; an empty message where that is nothing."""
        n = {"n": int(self.pay[0])} if self.pay else {}
        if "card" in self.pay:
            return Message("{n} card", n, "{n} cards")
        return Message("{n} coin", n, "{n} coins") if self.pay else Message("")

    @property
    def _gain(self) -> Message:
        n = {"n": self.amount}
        if self.do == "draw":
            return Message("draw {n} card", n, "draw {n} cards")
        if self.do == "coins":
            return Message("take {n} coin from the bank", n, "take {n} coins from the bank")
        if self.do == "take":
            return Message("take {n} card from an opponent's hand", n, "take {n} cards from an opponent's hand")
        if self.of == "any":
            return Message("1 resource of any kind")
        return Message("1 {resource}", {"resource": Term(self.of)})


_HEADS = {
    "harvest": "Harvest",
    "develop": "Develop",
    "build": "Build",
    "recruit": "Recruit",
    "tax": "Tax",
    "instant": "At once",
    "paying": "Paying a building",
    "hiring": "Paying for Recruit",
    "scoring": "At the end",
}
#: What is counted, where points are given for each one.
_EACH = {
    "worker": "worker building of yours",
    "soldier": "soldier building of yours",
    "shadow": "shadow building of yours",
    "holy": "holy building of yours",
    "food": "food developed",
    "wood": "wood developed",
    "stone": "stone developed",
    "magic": "magic developed",
    "resources": "developed resource",
    "buildings": "building",
    "adventurers": "adventurer",
    "coins": "coin",
    "types": "type of building that you have",
}
#: The same, where they are given for every so many.
_MANY = {
    "worker": "worker buildings of yours",
    "soldier": "soldier buildings of yours",
    "shadow": "shadow buildings of yours",
    "holy": "holy buildings of yours",
    "food": "food developed",
    "wood": "wood developed",
    "stone": "stone developed",
    "magic": "magic developed",
    "resources": "developed resources",
    "buildings": "buildings",
    "adventurers": "adventurers",
    "coins": "coins",
    "types": "types of buildings that you have",
}
