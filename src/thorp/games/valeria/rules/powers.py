"""Powers as data: when one acts, what it does, how much of it, and what its use costs.

In a deck file a power is a small table of words; in the state it is one number, which the rules take apart by shifts.
This file is the one place that says which words and numbers there are.
"""

from __future__ import annotations

from dataclasses import dataclass

RESOURCES = ("food", "wood", "stone", "magic")
TYPES = ("worker", "soldier", "shadow", "holy")
ACTIONS = ("harvest", "develop", "build", "recruit", "tax")

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

    @property
    def text(self) -> str:
        """The power in one line, as a card says it."""
        head = f"{_HEADS[self.when]}: "
        if self.do == "score":
            each = _EACH[self.of] if self.per == 1 else f"{self.per} {_MANY[self.of]}"
            return f"{head}{_count(self.amount, 'point')} for {'each' if self.per == 1 else 'every'} {each}"
        if self.do == "cheaper":
            return f"{head}{_count(self.amount, 'coin')} less"
        price = f"{'discard' if 'card' in self.pay else 'pay'} {self.pay}: " if self.pay else ""
        gain = {
            "draw": f"draw {_count(self.amount, 'card')}",
            "coins": f"take {_count(self.amount, 'coin')} from the bank",
            "take": f"take {_count(self.amount, 'card')} from an opponent's hand",
            "resource": "1 resource of any kind" if self.of == "any" else f"1 {self.of}",
        }[self.do]
        return head + price + gain


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
_EACH = {
    **{type: f"{type} building of yours" for type in TYPES},
    **{resource: f"{resource} developed" for resource in RESOURCES},
    "resources": "developed resource",
    "buildings": "building",
    "adventurers": "adventurer",
    "coins": "coin",
    "types": "type of building that you have",
}
_MANY = {
    **{type: f"{type} buildings of yours" for type in TYPES},
    **{resource: f"{resource} developed" for resource in RESOURCES},
    "resources": "developed resources",
    "buildings": "buildings",
    "adventurers": "adventurers",
    "coins": "coins",
    "types": "types of buildings that you have",
}


def _count(n: int, thing: str) -> str:
    return f"{n} {thing}" if n == 1 else f"{n} {thing}s"
