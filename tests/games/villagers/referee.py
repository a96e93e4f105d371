"""The step referee of Villagers: a slow, plain model of the game, written from docs/villagers.md.

It shares nothing with the rules but the facts in cards.toml and the words of the interface (state.py, moves.py).
Cards are called by the number of their node, villagers by their id.
"""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from refereeing import Move, Referee

import thorp.games.villagers as villagers_package

# --- the facts of the cards -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Silver:
    """What the Second Market pays for a villager: `times` gold for every `per` of what it counts."""

    counts: str
    times: int
    per: int
    suit: str = ""


@dataclass(frozen=True)
class Facts:
    """A villager, as it is printed."""

    id: str
    suit: str
    symbols: int
    copies: int
    food: int
    builder: int
    gold: int
    predecessor: str
    successors: int
    padlock: str
    keyring: int
    four_plus: bool
    silver: Silver | None


@dataclass(frozen=True)
class Event:
    """An event of solo play."""

    id: str
    deck: str
    phase: str


def _read_facts() -> tuple[list[Facts], list[Event]]:
    assert villagers_package.__file__
    with (Path(villagers_package.__file__).parent / "cards.toml").open("rb") as file:
        tables = tomllib.load(file)
    villagers = [
        Facts(
            id=card["id"],
            suit=card["suit"],
            symbols=card.get("symbols", 1),
            copies=card["copies"],
            food=card.get("food", 0),
            builder=card.get("builder", 0),
            gold=card.get("gold", 0),
            predecessor=card.get("predecessor", ""),
            successors=card.get("successors", 0),
            padlock=card.get("padlock", ""),
            keyring=card.get("keyring", 0),
            four_plus=card.get("four_plus", False),
            silver=Silver(**card["silver"]) if "silver" in card else None,
        )
        for card in tables["villager"]
    ]
    return villagers, [Event(event["id"], event["deck"], event["phase"]) for event in tables["event"]]


FACES, EVENTS = _read_facts()
FACTS = {facts.id: facts for facts in FACES}
PLACE = {facts.id: place for place, facts in enumerate(FACES)}
EVENT = {event.id: event for event in EVENTS}

BASICS = ("hayer", "lumberjack", "miner")
FOUNDERS = ("founders", "founders_food")

# --- the words of the interface (state.py and moves.py) ---------------------------------------------------------------

DRAFT, GIVE, GUARD, BUILD, RATS, ARSON, EVENT_PHASE, OVER = range(8)
RESERVE = 6
COUNTESS_SINK = 7
COUNTESS = 1
EVERYBODY = 0b111111
FOOD_SIDE = 15


def links(state: Any, link: int) -> list[int]:
    """The nodes of a list of the state."""
    nodes = []
    while link:
        nodes.append(link - 1)
        link = state.cards[link - 1].next
    return nodes


# --- villages ---------------------------------------------------------------------------------------------------------


@dataclass
class Villager:
    """A card in a village: what it stands on, what it stands for, the gold on it."""

    node: int
    id: str
    below: int | None = None
    role: str = ""
    coins: int = 0


Village = list[Villager]


def own_role(id: str) -> str:
    """What a villager is for those that stand on it: the Founders are the Founders on either side."""
    if not FACTS[id].successors:
        return ""
    return "founders" if id in FOUNDERS else id


def role_in(village: Village, villager: Villager) -> str:
    """What a villager is for those that stand on it; a Monk and an Apprentice are what those are built on."""
    if FACTS[villager.id].suit != "special":
        return own_role(villager.id)
    above = next(other for other in village if other.below == villager.node)
    return FACTS[role_in(village, above) or above.id].predecessor


def predecessor_of(villager: Villager) -> str:
    """What a villager has to stand on; a Monk what it stands for would."""
    return FACTS[villager.role if villager.id == "monk" else villager.id].predecessor


def burdens(village: Village) -> Counter[int]:
    """How many villagers every villager bears."""
    return Counter(villager.below for villager in village if villager.below is not None)


def tops(village: Village) -> list[Villager]:
    """The villagers on which nothing stands: only these show food, builders, gold and silver."""
    covered = {villager.below for villager in village}
    return [villager for villager in village if villager.node not in covered]


def food(village: Village) -> int:
    """The food that a village shows."""
    return sum(FACTS[villager.id].food for villager in tops(village))


def builders(village: Village) -> int:
    """The builders that a village shows."""
    return sum(FACTS[villager.id].builder for villager in tops(village))


def gold_symbols(village: Village) -> int:
    """How many gold symbols a village shows, whatever they are worth."""
    return sum(1 for villager in tops(village) if FACTS[villager.id].gold)


def shown_gold(village: Village, suit: str = "") -> int:
    """The gold that a village shows (of a suit)."""
    return sum(FACTS[v.id].gold for v in tops(village) if not suit or FACTS[v.id].suit == suit)


def best_printed_gold(village: Village) -> int:
    """Ruling 16: the best gold printed on any villager of a village, covered ones too."""
    return max((FACTS[villager.id].gold for villager in village), default=0)


def coins_on(village: Village) -> int:
    """The gold that lies on the villagers of a village."""
    return sum(villager.coins for villager in village)


def counted(village: Village, silver: Silver) -> int:
    """How many there are of what a silver villager counts, in its own village only."""
    match silver.counts:
        case "gold_symbols":
            return gold_symbols(village)
        case "suit_symbols":
            return sum(FACTS[v.id].symbols for v in village if FACTS[v.id].suit == silver.suit)
        case "padlocks":
            return sum(1 for v in village if FACTS[v.id].padlock)
        case "food":
            return food(village)
        case "builders":
            return builders(village)
        case "gold_of_suit":
            return shown_gold(village, silver.suit)
        case "coins":
            return max((v.coins for v in village), default=0)
    raise AssertionError(f"silver that counts {silver.counts}")


def silver_of(village: Village, villager: Villager) -> int:
    """What one silver villager pays: so much for every so many, rounded down."""
    silver = FACTS[villager.id].silver
    assert silver
    return counted(village, silver) // silver.per * silver.times


def silver_villagers(village: Village) -> list[Villager]:
    """The silver villagers on top."""
    return [villager for villager in tops(village) if FACTS[villager.id].silver]


def silver_sum(village: Village) -> int:
    """What all silver villagers on top pay; two copies are both paid."""
    return sum(silver_of(village, villager) for villager in silver_villagers(village))


def first_market(village: Village) -> int:
    """The gold that shows on top villagers, and as much again as lies on villagers; that stays where it lies."""
    return shown_gold(village) + coins_on(village)


def second_market(village: Village) -> int:
    """The gold that shows, then what silver villagers are paid, then the gold that lies on villagers."""
    return shown_gold(village) + silver_sum(village) + coins_on(village)


# --- bases ------------------------------------------------------------------------------------------------------------


def base_of(villager: Villager, bears: int) -> int | None:
    """Which kind of base a villager is for one more on it (moves.py); None where there is no room.

    Those that begin chains bear two branches, any other one; a Monk or an Apprentice bears what its role does.
    """
    if not villager.role or bears >= FACTS[villager.role].successors:
        return None
    if villager.id == "monk":
        return 3 if bears == 1 else None
    if villager.id == "apprentice":
        return 4 if bears == 1 else None
    return 1 + bears


def bases(village: Village, wanted: str) -> dict[int, set[int]]:
    """The nodes that a villager can be built on that needs `wanted` below it, by kind of base."""
    found: dict[int, set[int]] = {}
    covered = burdens(village)
    for villager in village:
        if villager.role == wanted:
            kind = base_of(villager, covered[villager.node])
            if kind is not None:
                found.setdefault(kind, set()).add(villager.node)
    return found


def spots(village: Village, card: str, fewest: int, most: int) -> set[tuple[int, int]]:
    """Where a card can be built: with how many Monks below it (from `fewest` to `most`), and on which base.

    Each Monk stands for the villager that the one on it is built on.
    """
    found = set()
    if FACTS[card].suit == "special":
        return set()
    lowest = card
    for monks in range(most + 1):
        below = FACTS[lowest].predecessor
        if monks >= fewest:
            if not below:
                found.add((monks, 0))
            else:
                found |= {(monks, kind) for kind in bases(village, below)}
        if not below:
            break
        lowest = below
    return found


# --- the game ---------------------------------------------------------------------------------------------------------


@dataclass
class Seat:
    """What a seat has; in solo play the Countess is the second one."""

    gold: int
    hand: list[int]
    village: Village
    draft_limit: int = 0
    drafted: int = 0
    build_limit: int = 0
    built: int = 0
    exchanged: int = 0
    tinner: int = 0
    first_income: int = 0


@dataclass
class Payment:
    """A padlock whose payment has to be chosen."""

    unlocker: str
    #: Who can be paid, seat and node; more than one only where they differ.
    payees: list[tuple[int, int]]
    #: Whether the bank pays (for the own unlocker), and whether nobody may be paid (Tinner).
    bank_pays: bool
    may_be_free: bool


@dataclass
class Freed:
    """A villager that an Apprentice has freed."""

    node: int
    id: str


class GameReferee(Referee):
    """A game of Villagers in progress."""

    #: Which villager a role number of the state stands for, as found out.
    roles: ClassVar[dict[int, str]] = {}
    unlockers: ClassVar[dict[int, str]] = {}

    def __init__(self, seats: int, options: Mapping[str, str], dealt: Any) -> None:
        self.people = seats
        self.solo = seats == 1
        self.exchange_limit = {"any": 0, "three": 3}[options["exchange"]]
        self.face = {node: FACES[dealt.cards[node].face].id for node in range(136)}
        self.knows = {node: dealt.cards[node].knows for node in range(136)}
        self.road: list[int | None] = [link - 1 if link else None for link in dealt.road]
        self.road_coins = list(dealt.road_coins)
        self.piles = [links(dealt, link) for link in dealt.piles]
        self.seen: set[int] = set()
        self.shuffled: set[int] = set()
        self._look_at_backs()
        self.discards = links(dealt, dealt.discards)
        self.basics = list(dealt.basics)
        self.table = [self._seat_as_dealt(dealt, seat) for seat in range(2 if self.solo else seats)]
        self.round = 1
        self.first = dealt.first
        self.turn = self.first
        self.ended = 0
        self.phase = DRAFT
        self.first_market_held = bool(dealt.first_market)
        self.payment: Payment | None = None
        self.freed: list[Freed] = []
        self.events: list[str | None] = [EVENTS[event - 1].id if event else None for event in dealt.events]
        self.unseen = {event.id for place, event in enumerate(EVENTS) if dealt.unseen_events >> place & 1}
        self.event_slot = 0
        self.jester_used = False
        #: The event that Mood Swing brings.
        self.guess = ""
        self._check_deal(options)
        self._begin_draft()

    @classmethod
    def rig(cls, dealt: Any, rng: random.Random) -> None:
        """What is rare happens: special cards, chains in villages, short piles, little gold, events running out."""
        Rigged(dealt, rng).rig()

    # --- the deal -----------------------------------------------------------------------------------------------------

    def _seat_as_dealt(self, dealt: Any, seat: int) -> Seat:
        player = dealt.players[seat]
        village = [
            Villager(
                node,
                self.face[node],
                below=dealt.cards[node].below - 1 if dealt.cards[node].below else None,
                coins=dealt.cards[node].coins,
            )
            for node in links(dealt, player.village)
        ]
        for villager in village:
            villager.role = role_in(village, villager)
        return Seat(player.gold, links(dealt, player.hand), village)

    def _check_deal(self, options: Mapping[str, str]) -> None:
        """Setup, as far as it holds for deals that were rigged too."""
        dealt_cards = Counter(
            self.face[node]
            for node in [
                *(node for node in self.road if node is not None),
                *(node for pile in self.piles for node in pile),
                *(node for seat in self.table for node in seat.hand),
                *self.discards,
                *(villager.node for seat in self.table for villager in seat.village if villager.node < 100),
            ]
        )
        assert dealt_cards == Counter({id: FACTS[id].copies for id in deck_of(self.people)}), "the cards of the deck"
        road = [self.face[node] for node in self.road if node is not None]
        assert len(set(road)) == 6, "the Road has six different cards"
        for slot, id in enumerate(road):
            assert options[f"road_{slot + 1}"] in ("random", id), f"Road card {slot + 1} was chosen"
        assert 0 <= self.first < self.people
        for seat in range(self.people):
            assert self.table[seat].village[-1].id in FOUNDERS
        if self.solo:
            side = {"gold": "countess", "beginner": "countess_beginner"}[options["countess"]]
            assert self.table[COUNTESS].village[-1].id == side
            assert not self.table[COUNTESS].hand
            deck = "winter" if self.first_market_held else "summer"
            assert {EVENT[event].deck for event in self.events if event} == {deck}
            assert not self.unseen & set(self.events)

    # --- piles and the Road -------------------------------------------------------------------------------------------

    def _look_at_backs(self) -> None:
        """Ruling 12: the suit of the top card of every pile is open to all."""
        for pile in self.piles:
            if pile:
                self.seen.add(pile[0])

    def _take_top(self, pile: int) -> int:
        node = self.piles[pile].pop(0)
        self.seen.discard(node)
        self.shuffled.discard(node)
        self._look_at_backs()
        return node

    def _make_reserve(self, order: Sequence[int], after: Any) -> None:
        """Ruling 2: the discards are shuffled into a new Reserve. Their order is chance, taken over from the rules.

        `order` is the nodes from the top; which of the cards each of them is, is drawn. Nobody knows it.
        """
        assert not self.piles[RESERVE]
        assert sorted(order) == sorted(self.discards), "the new Reserve has as many cards as there were discards"
        drawn = {node: FACES[after.cards[node].face].id for node in order}
        assert Counter(drawn.values()) == Counter(self.face[node] for node in order), "the discards are shuffled"
        self.face.update(drawn)
        self.piles[RESERVE] = list(order)
        self.discards = []
        for node in order:
            self.knows[node] = 0
            self.shuffled.add(node)
        self._look_at_backs()

    def _fill_road(self, after: Any, from_stacks: bool) -> None:
        """New cards come from the leftmost stack that has cards (in the draft), otherwise from the Reserve."""
        empty = [slot for slot in range(6) if self.road[slot] is None]
        for done, slot in enumerate(empty):
            pile = next((pile for pile in range(6) if from_stacks and self.piles[pile]), RESERVE)
            if not self.piles[pile] and self.discards:
                # What is drawn now, what the end of the draft draws with the same move, and what is left.
                slots = sorted(range(6), key=lambda slot, now=tuple(empty[done:]): (slot not in now, slot))
                road = [after.road[slot] - 1 for slot in slots]
                order = [node for node in road + links(after, after.piles[RESERVE]) if node in self.discards]
                self._make_reserve(order, after)
            if self.piles[pile]:
                node = self._take_top(pile)
                self.knows[node] = EVERYBODY
                self.road[slot] = node

    def _discard(self, node: int) -> None:
        self.knows[node] = EVERYBODY
        self.discards.append(node)

    # --- whose turn ---------------------------------------------------------------------------------------------------

    def waiting(self) -> set[int]:
        """One seat decides at a time; nobody when the game is over."""
        return set() if self.phase == OVER else {self.turn}

    def _seats_from(self, seat: int) -> list[int]:
        return [(seat + step) % self.people for step in range(self.people)]

    # --- the draft ----------------------------------------------------------------------------------------------------

    def _begin_draft(self) -> None:
        """You draft 2 cards and one more for each food that your village shows, at most 5."""
        for seat in self.table[: self.people]:
            seat.draft_limit = min(5, 2 + food(seat.village))
            seat.drafted = 0
            seat.build_limit = seat.built = seat.exchanged = seat.tinner = 0
        self.turn = self.first
        self.ended = 0
        self.phase = DRAFT
        self._ask_about("rats", RATS)

    def _next_draft(self, after: Any) -> None:
        """Each takes one card in turn until all have theirs. Ruling 3: without any card the draft ends."""
        self.phase = DRAFT
        cards = any(node is not None for node in self.road) or any(self.piles[pile] for pile in range(6))
        if cards:
            for seat in self._seats_from(self.turn + 1):
                if self.table[seat].drafted < self.table[seat].draft_limit:
                    self.turn = seat
                    return
        self._end_draft(after)

    def _drafted(self, node: int, after: Any) -> None:
        """A card comes to the hand; solo, a card of the Road is given to the Countess before the Road is filled."""
        seat = self.table[self.turn]
        seat.hand.append(node)
        seat.drafted += 1
        if self.solo and any(card is not None for card in self.road):
            self.phase = GIVE
        else:
            self._fill_road(after, from_stacks=True)
            self._next_draft(after)

    def _play_draft(self, slot: int, after: Any) -> None:
        """A card of the Road, with the coins on it."""
        node = self.road[slot]
        assert node is not None
        self.table[self.turn].gold += self.road_coins[slot]
        self.road[slot] = None
        self.road_coins[slot] = 0
        self._drafted(node, after)

    def _play_blind(self, stack: int, after: Any) -> None:
        """The top card of any stack, unseen."""
        node = self._take_top(stack)
        self.knows[node] |= 1 << self.turn
        self._drafted(node, after)

    def _play_give(self, slot: int, after: Any) -> None:
        """Solo: a card of the Road, with the coins on it (ruling 20), into the village of the Countess."""
        node = self.road[slot]
        assert node is not None
        self.table[COUNTESS].gold += self.road_coins[slot]
        self.road[slot] = None
        self.road_coins[slot] = 0
        self._to_countess(node)
        self._fill_road(after, from_stacks=True)
        self._next_draft(after)

    def _to_countess(self, node: int, coins: int = 0) -> None:
        """Her villagers need no chain and no padlock opened; all of them are on top."""
        self.knows[node] = EVERYBODY
        villager = Villager(node, self.face[node], role=own_role(self.face[node]), coins=coins)
        self.table[COUNTESS].village.insert(0, villager)

    def _end_draft(self, after: Any) -> None:
        self.ended = 0
        if self.people > 2 or all(node is None for node in self.road):
            self._renew_road(after)
        else:
            self.phase = GUARD
            self.turn = (self.first - 1) % self.people

    def _play_guard(self, slot: int | None, after: Any) -> None:
        """Two players each may lay a coin of the bank on a card of the Road, the last player first."""
        if slot is not None:
            self.road_coins[slot] += 1
        self.ended += 1
        if self.ended < self.people:
            self.turn = (self.turn - 1) % self.people
        else:
            self._renew_road(after)

    def _renew_road(self, after: Any) -> None:
        """One or two players: all cards without a coin are discarded. More: all with one, then each gets a coin."""
        for slot in range(6):
            node = self.road[slot]
            if node is not None and (self.road_coins[slot] > 0) == (self.people > 2):
                self.road[slot] = None
                self.road_coins[slot] = 0
                self._discard(node)
        self._fill_road(after, from_stacks=False)
        if self.people > 2:
            for slot in range(6):
                self.road_coins[slot] = 1 if self.road[slot] is not None else 0
        self._begin_build()

    # --- building -----------------------------------------------------------------------------------------------------

    def _begin_build(self) -> None:
        """You have 2 build actions and one more for each builder shown as the phase begins, at most 5."""
        for seat in self.table[: self.people]:
            seat.build_limit = min(5, 2 + builders(seat.village))
        self.phase = BUILD
        self.turn = self.first
        self.ended = 0
        self._ask_about("arson", ARSON)

    def _bank_price(self) -> int:
        """2 gold; 3 while The Countess Bank is open."""
        return 3 if "the_countess_bank" in self.events else 2

    def _own_unlockers(self, seat: int, unlocker: str) -> list[tuple[int, int]]:
        return [(seat, villager.node) for villager in self.table[seat].village if villager.id == unlocker]

    def _other_unlockers(self, seat: int, unlocker: str) -> list[tuple[int, int]]:
        others = (other for other in range(len(self.table)) if other != seat)
        return [payee for other in others for payee in self._own_unlockers(other, unlocker)]

    def _can_open(self, seat: int, card: str) -> bool:
        """Ruling 7: with too little gold for its padlock, a card cannot be built."""
        unlocker = FACTS[card].padlock
        if not unlocker or self.table[seat].tinner or self._own_unlockers(seat, unlocker):
            return True
        price = 2 if self._other_unlockers(seat, unlocker) else self._bank_price()
        return self.table[seat].gold >= price

    def _coins_of(self, payee: tuple[int, int]) -> int:
        return self._villager(*payee).coins

    def _villager(self, seat: int, node: int) -> Villager:
        return next(villager for villager in self.table[seat].village if villager.node == node)

    def _open_padlock(self, seat: int, card: str) -> None:
        """Open a padlock for 2 gold: the bank onto the own unlocker, else you onto another's, else you to the bank.

        Ruling 7: who is paid is asked where there are several that are not alike. Ruling 15: with a Tinner you pay
        nobody, except that the bank still pays the own unlocker if you like.
        """
        unlocker = FACTS[card].padlock
        if not unlocker:
            return
        own = self._own_unlockers(seat, unlocker)
        tinner = bool(self.table[seat].tinner)
        payees = own
        if not own and not tinner:
            payees = self._other_unlockers(seat, unlocker)
        if len({(payee[0], self._coins_of(payee)) for payee in payees}) == 1:
            payees = payees[:1]
        if len(payees) > 1 or (own and tinner):
            self.payment = Payment(unlocker, payees, bank_pays=bool(own), may_be_free=tinner)
        elif payees:
            self._pay(seat, payees[0], bank_pays=bool(own))
        elif not tinner:
            self.table[seat].gold -= self._bank_price()

    def _pay(self, seat: int, payee: tuple[int, int], bank_pays: bool) -> None:
        self._villager(*payee).coins += 2
        if not bank_pays:
            self.table[seat].gold -= 2

    def _hand_ids(self, seat: int) -> Counter[str]:
        return Counter(self.face[node] for node in self.table[seat].hand)

    def _actions(self, seat: int) -> int:
        return self.table[seat].build_limit - self.table[seat].built

    def _placings(
        self, seat: int, village: Village, hand: Counter[str], actions: int, freed: Sequence[str]
    ) -> set[tuple[str, int]]:
        """What can be built, or how what is freed can be placed: the card and the spot (Monks and base).

        Freed Monks have to go below it and cost nothing; Monks of the hand take an action each, and so does the card,
        unless it was freed.
        """
        if freed and freed[0] != "monk":
            cards, waiting_monks, cost = [freed[0]], len(freed) - 1, 0
        else:
            cards, waiting_monks, cost = [card for card in hand if hand[card]], len(freed), 1
        found = set()
        if actions >= cost:
            most = waiting_monks + min(hand["monk"], actions - cost)
            for card in cards:
                if self._can_open(seat, card):
                    for monks, base in spots(village, card, waiting_monks, min(2, most)):
                        found.add((card, 5 * monks + base))
                        if card in FOUNDERS:
                            found.add((card, FOOD_SIDE))
        return found

    def _kinds(self, village: Village, id: str) -> list[list[Villager]]:
        """The covered villagers of one face: those alike to the first in the list, then the others."""
        covered = burdens(village)
        kinds: dict[tuple[int, str], list[Villager]] = {}
        for villager in village:
            if villager.id == id and covered[villager.node]:
                kinds.setdefault((covered[villager.node], villager.role), []).append(villager)
        assert len(kinds) <= 2, f"more than two kinds of {id}"
        return list(kinds.values())

    def _swaps(
        self, seat: int, villages: list[Village], hand: Counter[str], actions: int, freed: Sequence[str]
    ) -> set[tuple[int, str, int]]:
        """Whose place an Apprentice can take: any covered villager that can join the own village at once.

        Not the Founders of others; not an Apprentice (ruling 14).
        """
        found: set[tuple[int, str, int]] = set()
        if not hand["apprentice"] or actions < 1:
            return found
        for other, village in enumerate(villages):
            for id in {villager.id for villager in village}:
                if id == "apprentice" or (id in FOUNDERS and other != seat):
                    continue
                for nth, kind in enumerate(self._kinds(village, id)):
                    if self._swap_completes(seat, villages, hand, actions, freed, other, kind[0]):
                        found.add((other, id, nth))
        return found

    def _swap_completes(
        self,
        seat: int,
        villages: list[Village],
        hand: Counter[str],
        actions: int,
        freed: Sequence[str],
        other: int,
        villager: Villager,
    ) -> bool:
        """Whether what a swap frees could be placed (a Monk: below a card of the hand, or by a second Apprentice)."""
        left = [list(village) for village in villages]
        place = left[other].index(villager)
        left[other][place] = replace(villager, id="apprentice")
        hand = hand - Counter(["apprentice"])
        freed = [villager.id, *freed]
        if self._placings(seat, left[seat], hand, actions - 1, freed):
            return True
        return villager.id == "monk" and bool(self._swaps(seat, left, hand, actions - 1, freed))

    def _legal_building(self, seat: int) -> set[Move]:
        if self.payment:
            return self._legal_payment(self.payment)
        me = self.table[seat]
        hand = self._hand_ids(seat)
        actions = self._actions(seat)
        freed = [card.id for card in self.freed]
        moves: set[Move] = set()
        for card, spot in self._placings(seat, me.village, hand, actions, freed):
            if freed and freed[0] != "monk":
                moves.add(("place", (spot,)))
            else:
                moves.add(("build", (PLACE[card], spot)))
        if not freed or freed[0] == "monk":
            villages = [other.village for other in self.table]
            for other, id, nth in self._swaps(seat, villages, hand, actions, freed):
                moves.add(("swap", (other, PLACE[id], nth)))
        if not freed:
            moves.add(("done", ()))
            moves |= self._legal_free_moves(seat, hand)
        return moves

    def _legal_payment(self, payment: Payment) -> set[Move]:
        moves: set[Move] = {("pay", (nth,)) for nth in range(len(payment.payees))}
        if payment.may_be_free:
            moves.add(("free", ()))
        return moves

    def _legal_free_moves(self, seat: int, hand: Counter[str]) -> set[Move]:
        """What takes no build action: cards given up, Tinner, Smuggler; solo: the Jester."""
        moves: set[Move] = set()
        if not self.exchange_limit or self.table[seat].exchanged < self.exchange_limit:
            for card in hand:
                for basic in range(3):
                    if self.basics[basic]:
                        moves |= {("exchange", (PLACE[card], basic, pile)) for pile in self._sinks()}
        if hand["tinner"] and not self.table[seat].tinner:
            moves.add(("tinner", ()))
        if hand["smuggler"] and self._can_open(seat, "smuggler"):
            moves.add(("smuggler", ()))
        return moves | self._legal_jester()

    def _sinks(self) -> list[int]:
        """A stack that has cards, of your choice; if all are empty, the Reserve. Serfdom: the Countess's village."""
        if "serfdom" in self.events:
            return [COUNTESS_SINK]
        return [pile for pile in range(6) if self.piles[pile]] or [RESERVE]

    def _leave_hand(self, seat: int, id: str, count: int, after: Any) -> list[int]:
        """Cards of that face leave a hand. Which of two copies it was makes no difference: taken over from the rules.

        Others cannot tell which of two copies it was: they are sure of the one that stays only if they knew both.
        """
        if not count:
            return []
        hand = self.table[seat].hand
        left = set(links(after, after.players[seat].hand))
        copies = [node for node in hand if self.face[node] == id]
        gone = [node for node in copies if node not in left]
        assert len(gone) == count, f"{count} times {id} leave the hand of seat {seat}, not {len(gone)}"
        common = EVERYBODY
        for node in copies:
            common &= self.knows[node]
        for node in copies:
            if node in gone:
                hand.remove(node)
            else:
                self.knows[node] = common
        return gone

    def _order_village(self, seat: int, before: Sequence[int], after: Any) -> None:
        """Villagers that are new in a village are first in its list; in which order, the rules say."""
        order = links(after, after.players[seat].village)
        here = {villager.node: villager for villager in self.table[seat].village}
        assert set(order) == set(here), f"the village of seat {seat}"
        new = len(order) - len([node for node in before if node in here])
        assert order[new:] == [node for node in before if node in here], f"the order of the village of seat {seat}"
        self.table[seat].village = [here[node] for node in order]

    def _settle(self, seat: int, node: int, card: str, spot: int, monks: Sequence[int], after: Any) -> None:
        """Put a card into a village, on Monks, on a base. On which of those that are alike, the rules say."""
        height, base = (0, 0) if spot == FOOD_SIDE else divmod(spot, 5)
        village = self.table[seat].village
        before = [villager.node for villager in village]
        chain = [Villager(node, card, role=own_role(card))]
        for _ in range(height):
            below = after.cards[chain[-1].node].below - 1
            assert below in monks, "the villager stands on Monks"
            chain[-1].below = below
            chain.append(Villager(below, "monk", role=predecessor_of(chain[-1])))
        assert len({villager.node for villager in chain}) == height + 1 == len(monks) + 1
        wanted = predecessor_of(chain[-1])
        if base:
            below = after.cards[chain[-1].node].below - 1
            assert below in bases(village, wanted)[base], f"the villager stands on a base of kind {base}"
            chain[-1].below = below
        else:
            assert not wanted, "a chain of its own begins with what begins chains"
        for villager in chain:
            self.knows[villager.node] = EVERYBODY
        village.extend(chain)
        self._order_village(seat, before, after)

    def _play_build(self, face: int, spot: int, after: Any) -> None:
        """An action builds one card of the hand; each Monk of the hand below it takes one more."""
        seat, card = self.turn, FACES[face].id
        monks = [freed.node for freed in self.freed]
        of_hand = spot // 5 - len(monks)
        (node,) = self._leave_hand(seat, card, 1, after)
        monks += self._leave_hand(seat, "monk", of_hand, after)
        self.table[seat].built += 1 + of_hand
        self.freed = []
        self._settle(seat, node, card, spot, monks, after)
        self._open_padlock(seat, card)

    def _play_swap(self, other: int, face: int, nth: int, after: Any) -> None:
        """An Apprentice takes the place of a covered villager, which then has to join the own village."""
        village = self.table[other].village
        before = [villager.node for villager in village]
        kind = self._kinds(village, FACES[face].id)[nth]
        (apprentice,) = self._leave_hand(self.turn, "apprentice", 1, after)
        self.table[self.turn].built += 1
        freed = next((villager for villager in kind if villager.node == after.freed - 1), None)
        assert freed, "one of those that are alike is freed"
        self.knows[apprentice] = EVERYBODY
        village.remove(freed)
        for villager in village:
            if villager.below == freed.node:
                villager.below = apprentice
        village.append(Villager(apprentice, "apprentice", freed.below, freed.role))
        self.freed.insert(0, Freed(freed.node, freed.id))
        self._order_village(other, before, after)

    def _play_place(self, spot: int, after: Any) -> None:
        """The villager that is freed joins the own village; its padlock is opened again (ruling 6)."""
        seat = self.turn
        freed, *below = self.freed
        monks = [monk.node for monk in below]
        of_hand = 0 if spot == FOOD_SIDE else spot // 5 - len(monks)
        monks += self._leave_hand(seat, "monk", of_hand, after)
        self.table[seat].built += of_hand
        self.freed = []
        if freed.id in FOUNDERS:
            self.face[freed.node] = freed.id = "founders_food" if spot == FOOD_SIDE else "founders"
        self._settle(seat, freed.node, freed.id, spot, monks, after)
        self._open_padlock(seat, freed.id)

    def _play_exchange(self, face: int, basic: int, pile: int, after: Any) -> None:
        """Give up a card for a basic villager, which joins the village at once."""
        seat = self.turn
        me = self.table[seat]
        (node,) = self._leave_hand_unseen(seat, FACES[face].id, after, open=pile == COUNTESS_SINK)
        if pile == COUNTESS_SINK:
            before = [villager.node for villager in self.table[COUNTESS].village]
            self._to_countess(node)
            self._order_village(COUNTESS, before, after)
        else:
            self.piles[pile].insert(0, node)
            self._look_at_backs()
        before = [villager.node for villager in me.village]
        joined = links(after, after.players[seat].village)[0]
        assert joined not in before
        assert self.face[joined] == BASICS[basic], "the basic villager that was asked for"
        self.basics[basic] -= 1
        me.exchanged += 1
        me.village.insert(0, Villager(joined, BASICS[basic], role=BASICS[basic]))
        self.knows[joined] = EVERYBODY

    def _leave_hand_unseen(self, seat: int, id: str, after: Any, open: bool) -> list[int]:
        """A card leaves a hand, and others see its suit only (ruling 17).

        From then on they are sure of no card of that suit in that hand, nor of the one given up, unless all of that
        suit in that hand were known copies of one card.
        """
        if open:
            return self._leave_hand(seat, id, 1, after)
        hand = list(self.table[seat].hand)
        knew = {node: self.knows[node] for node in hand}
        gone = self._leave_hand(seat, id, 1, after)
        same_suit = [node for node in hand if FACTS[self.face[node]].suit == FACTS[id].suit]
        sure = EVERYBODY if len({self.face[node] for node in same_suit}) == 1 else 1 << seat
        for node in same_suit:
            sure &= knew[node] | 1 << seat
        for node in same_suit:
            self.knows[node] = knew[node] & (sure | 1 << seat)
        return gone

    def _play_tinner(self, after: Any) -> None:
        """Discard it: until the end of your turn you may open padlocks without paying."""
        (node,) = self._leave_hand(self.turn, "tinner", 1, after)
        self._discard(node)
        self.table[self.turn].tinner = 1

    def _play_smuggler(self, after: Any) -> None:
        """Discard it: half of the best gold value that is printed on one of your villagers, rounded up."""
        (node,) = self._leave_hand(self.turn, "smuggler", 1, after)
        self._discard(node)
        self._open_padlock(self.turn, "smuggler")
        self.table[self.turn].gold += (best_printed_gold(self.table[self.turn].village) + 1) // 2

    def _play_pay(self, nth: int) -> None:
        assert self.payment
        self._pay(self.turn, self.payment.payees[nth], self.payment.bank_pays)
        self.payment = None

    def _play_free(self) -> None:
        self.payment = None

    def _play_done(self, after: Any) -> None:
        """The players take whole turns, from the first player on."""
        self.ended += 1
        if self.ended < self.people:
            self.turn = (self.turn + 1) % self.people
        elif self.solo:
            self.event_slot = 0
            self._go_on_with_events(after)
        else:
            self._end_round(after)

    # --- events -------------------------------------------------------------------------------------------------------

    def _legal_jester(self) -> set[Move]:
        """The Jester discards one open event, once in the game."""
        if not self.solo or self.jester_used:
            return set()
        return {("jester", (slot,)) for slot in range(2) if self.events[slot]}

    def _ask_about(self, event: str, phase: int) -> None:
        """Rats and Arson: where they lie open, you bear them or pay before the phase begins."""
        if event in self.events:
            self.phase = phase
            self.event_slot = self.events.index(event)

    def _turn_event(self, slot: int, deck: str, turned: str, leave_out: Sequence[str] = ()) -> None:
        """Turn an event of a deck. A deck that is used up is shuffled again, without those that lie open."""
        if not any(EVENT[event].deck == deck for event in self.unseen):
            out = {*self.events, *leave_out}
            self.unseen |= {event.id for event in EVENTS if event.deck == deck and event.id not in out}
        assert EVENT[turned].deck == deck, f"the event is one of {deck}"
        assert turned in self.unseen, f"{turned} could not be turned"
        self.unseen.remove(turned)
        self.events[slot] = turned

    def _turn_events(self, after: Any) -> None:
        """At the beginning of each round an event is turned: one of summer, and after the First Market of winter."""
        self.events = [None, None]
        deck = "winter" if self.first_market_held else "summer"
        turned = [EVENTS[event - 1].id for event in after.events if event]
        if len(turned) == 2:
            self._turn_event(0, deck, "dark_mood")
            self.events[0] = None
            for slot in range(2):
                self._turn_event(slot, deck, turned[slot], ["dark_mood"])
        else:
            self._turn_event(0, deck, turned[0])

    def _go_on_with_events(self, after: Any) -> None:
        """What the open events do after the build phase, one after the other; then the round ends.

        Each of them waits for its player: to choose what it asks, to bear it, or to use the Jester. Events for another
        phase do nothing here, nor does It Was You! once the Jester is used.
        """
        self.phase = EVENT_PHASE
        while self.event_slot < 2:
            event = self._event()
            if event and EVENT[event].phase == "event" and not (event == "it_was_you" and self.jester_used):
                return
            self.event_slot += 1
        self._end_round(after)

    def _event(self) -> str | None:
        return self.events[self.event_slot]

    def _legal_event(self) -> set[Move]:
        """What the event that happens lets you choose; with nothing to choose you bear it."""
        if self._event() == "it_was_you":
            return self._legal_jester()
        moves: set[Move] = set()
        match self._event():
            case "abduction":
                moves = {("part", (PLACE[card],)) for card in self._hand_ids(0)}
            case "conscription":
                moves = {("conscript", (pile,)) for pile in range(7) if self.piles[pile]}
        _, choice = self._choice()
        moves |= {("pick", (PLACE[id], nth)) for id, nth in self._pick_groups(choice)}
        return (moves or {("bear", ())}) | self._legal_jester()

    def _pick_groups(self, choice: list[Villager]) -> dict[tuple[str, int], list[Villager]]:
        """The villagers to pick from, by face and place among those of the face that differ."""
        groups: dict[tuple[str, int], list[Villager]] = {}
        for id in {villager.id for villager in choice}:
            alike: dict[Any, list[Villager]] = {}
            for villager in choice:
                if villager.id == id:
                    leaves = self._uncovers(villager) if self._event() in ("betrayer", "arrest") else None
                    alike.setdefault((villager.coins, leaves), []).append(villager)
            for nth, group in enumerate(alike.values()):
                groups[id, nth] = group
        return groups

    def _uncovers(self, villager: Villager) -> tuple[str, int] | None:
        """What a villager that leaves would uncover, and how much that bears; which of those it is does not matter."""
        if villager.below is None:
            return None
        below = self._villager(0, villager.below)
        return (below.id, burdens(self.table[0].village)[below.node])

    def _choice(self) -> tuple[int, list[Villager]]:
        """The villagers, and whose they are, that the event that happens is about."""
        me, her = self.table[0].village, self.table[COUNTESS].village
        match self._event():
            case "betrayer" | "arrest":
                return 0, [v for v in tops(me) if v.id not in BASICS and v.id not in FOUNDERS]
            case "bribes":
                return COUNTESS, [v for v in her if FACTS[v.id].keyring]
            case "protection_money":
                return 0, [v for v in me if v.coins]
            case "spy_network":
                return 0, silver_villagers(me)
            case "trade_network":
                return COUNTESS, silver_villagers(her)
        return 0, []

    def _pay_her(self, amount: int) -> None:
        """Ruling 20: a payment to her takes no more than you have."""
        paid = min(amount, self.table[0].gold)
        self.table[0].gold -= paid
        self.table[COUNTESS].gold += paid

    def _happen(self) -> None:
        """An event that asks nothing, or nothing any more."""
        me, her = self.table[0], self.table[COUNTESS]
        match self._event():
            case "black_market":
                me.gold += silver_sum(me.village)
                her.gold += silver_sum(her.village)
            case "customs":
                self._pay_her(max(Counter(FACTS[v.id].suit for v in me.village).values()))
            case "guild_conspiracy":
                for villager in her.village:
                    if FACTS[villager.id].keyring:
                        villager.coins += 2
            case "land_claim":
                self._pay_her(2 * sum(1 for v in me.village if v.id in BASICS))
            case "sinister_banquet":
                her.gold += 2 * food(her.village)
            case "temporary_employment":
                her.gold += 2 * len({FACTS[self.face[node]].suit for node in me.hand})
            case "value_added_tax":
                self._pay_her(gold_symbols(me.village))
            case "blackmail":
                her.gold += best_printed_gold(me.village)
            case "tribute":
                self._pay_her(len(me.hand))

    def _play_pick(self, face: int, nth: int, after: Any) -> None:
        """The villager that the event is about. Of those that are alike the rules say which one it is."""
        seat, choice = self._choice()
        group = self._pick_groups(choice)[FACES[face].id, nth]
        her = self.table[COUNTESS]
        match self._event():
            case "betrayer":
                villager = self._leave_village(group, after)
                before = [other.node for other in her.village]
                self._to_countess(villager.node, villager.coins)
                self._order_village(COUNTESS, before, after)
            case "arrest":
                self._discard(self._leave_village(group, after).node)
            case "bribes":
                given = FACTS[group[0].id].keyring
                villager = next(v for v in group if after.cards[v.node].coins == v.coins + given)
                villager.coins += given
            case "protection_money":
                self._pay_her(group[0].coins)
            case "spy_network" | "trade_network":
                her.gold += silver_of(self.table[seat].village, group[0])
        self.event_slot += 1
        self._go_on_with_events(after)

    def _leave_village(self, group: list[Villager], after: Any) -> Villager:
        """One of those that are alike leaves the village of the player."""
        left = links(after, after.players[0].village)
        gone = [villager for villager in group if villager.node not in left]
        assert len(gone) == 1, "one villager leaves the village"
        self.table[0].village.remove(gone[0])
        return gone[0]

    def _play_part(self, face: int, after: Any) -> None:
        """Abduction: discard a card of the hand."""
        (node,) = self._leave_hand(0, FACES[face].id, 1, after)
        self._discard(node)
        self.event_slot += 1
        self._go_on_with_events(after)

    def _play_conscript(self, pile: int, after: Any) -> None:
        """Conscription: the Countess takes the top card of a stack or of the Reserve."""
        self._to_countess(self._take_top(pile))
        self.event_slot += 1
        self._go_on_with_events(after)

    def _play_bear(self, after: Any) -> None:
        """Bear what an event does. Rats: one card less in the draft; Arson: one build action less."""
        if self.phase == EVENT_PHASE:
            if self._event() == "mood_swing":
                self._turn_event(self.event_slot, "summer", self.guess)
            else:
                self._happen()
                self.event_slot += 1
            self._go_on_with_events(after)
        elif self.phase == RATS:
            self.table[0].draft_limit -= 1
            self.phase = DRAFT
        else:
            self.table[0].build_limit -= 1
            self.phase = BUILD

    def _play_ransom(self) -> None:
        """Rats, Arson: pay 3 gold to the bank instead."""
        self.table[0].gold -= 3
        self.phase = DRAFT if self.phase == RATS else BUILD

    def _play_jester(self, slot: int, after: Any) -> None:
        """Discard an open event. One that has begun to ask goes on asking if it is the other one."""
        self.jester_used = True
        self.events[slot] = None
        if self.phase == EVENT_PHASE:
            self._go_on_with_events(after)
        elif self.phase in (RATS, ARSON) and slot == self.event_slot:
            self.phase = DRAFT if self.phase == RATS else BUILD

    # --- the end of a round -------------------------------------------------------------------------------------------

    def _end_round(self, after: Any) -> None:
        """Who shows no food turns the Founders; the next player is the first; markets that are due are held."""
        for seat in self.table[: self.people]:
            if not food(seat.village):
                for villager in seat.village:
                    if villager.id == "founders":
                        villager.id = self.face[villager.node] = "founders_food"
        self.first = (self.first + 1) % self.people
        if not self.first_market_held and not self.piles[0] and not self.piles[1]:
            self.first_market_held = True
            for seat in self.table:
                seat.first_income = first_market(seat.village)
                seat.gold += seat.first_income
        if not any(self.piles[pile] for pile in range(6)):
            self.phase = OVER
            return
        self.round += 1
        if self.solo:
            self._turn_events(after)
        self._begin_draft()

    def scores(self) -> list[int]:
        """The gold, after the Second Market."""
        return [self._total(seat) for seat in self.table[: self.people]]

    def _total(self, seat: Seat) -> int:
        return seat.gold + second_market(seat.village)

    def standings(self) -> list[int]:
        """Ruling 10: most gold, then fewest cards in the village, then shared. Ruling 22: solo."""
        if self.solo:
            return [1 if self._total(self.table[0]) > self._total(self.table[COUNTESS]) else 2]
        ranks = [(-self._total(seat), len(seat.village)) for seat in self.table]
        return [1 + sum(1 for other in ranks if other < rank) for rank in ranks]

    # --- moves --------------------------------------------------------------------------------------------------------

    def legal(self, seat: int) -> set[Move]:
        """All legal moves of the seat that decides."""
        cards = {slot for slot in range(6) if self.road[slot] is not None}
        match self.phase:
            case 0:  # draft
                stacks = {("blind", (pile,)) for pile in range(6) if self.piles[pile]}
                return {("draft", (slot,)) for slot in cards} | stacks
            case 1:  # give
                return {("give", (slot,)) for slot in cards}
            case 2:  # guard
                return {("guard", (slot,)) for slot in cards} | {("leave", ())}
            case 3:  # build
                return self._legal_building(seat)
            case 4 | 5:  # rats, arson
                moves: set[Move] = {("bear", ())}
                if self.table[seat].gold >= 3:
                    moves.add(("ransom", ()))
                return moves | self._legal_jester()
        return self._legal_event()

    def play(self, seat: int, move: Move, after: Any) -> None:
        """Play a legal move. The event that Mood Swing brings need not show in what follows: all are tried."""
        assert seat == self.turn
        if move[0] == "bear" and self.phase == EVENT_PHASE and self._event() == "mood_swing":
            self._play_mood_swing(move, after)
        else:
            self._play(move, after)

    def _play_mood_swing(self, move: Move, after: Any) -> None:
        """Another event of its deck takes its place and happens now: the one with which the rules go on as we do."""
        faults = []
        for event in EVENTS:
            tried = deepcopy(self)
            tried.guess = event.id
            try:
                tried._play(move, after)
                tried.compare(after)
            except AssertionError as fault:
                faults.append(f"with {event.id}: {fault}")
            else:
                self.__dict__.update(tried.__dict__)
                return
        raise AssertionError(f"after Mood Swing: {faults}")

    def _play(self, move: Move, after: Any) -> None:
        family, arguments = move
        match family:
            case "draft":
                self._play_draft(*arguments, after)
            case "blind":
                self._play_blind(*arguments, after)
            case "give":
                self._play_give(*arguments, after)
            case "guard":
                self._play_guard(*arguments, after)
            case "leave":
                self._play_guard(None, after)
            case "done":
                self._play_done(after)
            case "exchange":
                self._play_exchange(*arguments, after)
            case "build":
                self._play_build(*arguments, after)
            case "swap":
                self._play_swap(*arguments, after)
            case "place":
                self._play_place(*arguments, after)
            case "tinner":
                self._play_tinner(after)
            case "smuggler":
                self._play_smuggler(after)
            case "pay":
                self._play_pay(*arguments)
            case "free":
                self._play_free()
            case "jester":
                self._play_jester(*arguments, after)
            case "bear":
                self._play_bear(after)
            case "ransom":
                self._play_ransom()
            case "pick":
                self._play_pick(*arguments, after)
            case "part":
                self._play_part(*arguments, after)
            case "conscript":
                self._play_conscript(*arguments, after)

    # --- comparing ----------------------------------------------------------------------------------------------------

    def compare(self, state: Any) -> None:
        """Whether a plain state is as it has to be."""
        for what, theirs, ours in self._differences(state):
            assert theirs == ours, f"{what}: the rules {theirs}, the referee {ours}"

    def _differences(self, state: Any) -> Iterator[tuple[str, Any, Any]]:
        yield "bag", state.bag, [0] * 50
        yield "seats", state.seats, self.people
        yield "exchange limit", state.exchange_limit, self.exchange_limit
        yield "phase", state.phase, self.phase
        yield "round", state.round, self.round
        yield "first", state.first, self.first
        if self.phase != OVER:
            yield "turn", state.turn, self.turn
        if self.phase in (GUARD, BUILD):
            yield "ended", state.ended, self.ended
        yield "first market", state.first_market, int(self.first_market_held)
        unlocker = self.payment.unlocker if self.payment else ""
        yield "locked", self._unlocker(state.locked, unlocker), unlocker
        yield "freed", links(state, state.freed), [freed.node for freed in self.freed]
        yield "road", state.road, [0 if node is None else node + 1 for node in self.road]
        yield "coins on the road", state.road_coins, self.road_coins
        yield "basics", state.basics, self.basics
        yield "discards", sorted(links(state, state.discards)), sorted(self.discards)
        yield from self._pile_differences(state)
        yield from self._solo_differences(state)
        for number, seat in enumerate(self.table):
            yield from self._seat_differences(state, number, seat)

    def _pile_differences(self, state: Any) -> Iterator[tuple[str, Any, Any]]:
        yield "heights", state.heights, [len(pile) for pile in self.piles]
        for number, pile in enumerate(self.piles):
            nodes = links(state, state.piles[number])
            yield f"pile {number}", nodes, pile
            cards = [state.cards[node] for node in nodes]
            theirs = [(FACES[card.face].id, card.knows, card.seen, card.shuffled) for card in cards]
            ours = [(self.face[node], self.knows[node], node in self.seen, node in self.shuffled) for node in nodes]
            yield f"face, knowers, back seen, shuffled of {nodes} in pile {number}", theirs, ours
        for node in (node for node in [*self.road, *self.discards] if node is not None):
            card = state.cards[node]
            yield (
                f"face, knowers of {node} that lies open",
                (FACES[card.face].id, card.knows),
                (
                    self.face[node],
                    EVERYBODY,
                ),
            )
        housed = {villager.node for seat in self.table for villager in seat.village}
        burdened = [node for node, card in enumerate(state.cards) if (card.owner or card.coins) and node not in housed]
        yield "cards in no village that have an owner or coins", burdened, []

    def _solo_differences(self, state: Any) -> Iterator[tuple[str, Any, Any]]:
        if self.solo:
            yield "events", [EVENTS[event - 1].id if event else None for event in state.events], self.events
            bits = sum(1 << place for place, event in enumerate(EVENTS) if event.id in self.unseen)
            yield "unseen events", state.unseen_events, bits
            yield "jester", state.jester_used, int(self.jester_used)
            if self.phase == EVENT_PHASE:
                yield "event", state.event, self.event_slot

    def _seat_differences(self, state: Any, number: int, seat: Seat) -> Iterator[tuple[str, Any, Any]]:
        player = state.players[number]
        yield f"gold of {number}", player.gold, seat.gold
        names = ("draft_limit", "drafted", "build_limit", "built", "exchanged", "tinner", "first_income")
        for name in names:
            yield f"{name} of {number}", getattr(player, name), getattr(seat, name)
        hand = links(state, player.hand)
        yield f"hand of {number}", sorted(hand), sorted(seat.hand)
        yield f"hand size of {number}", player.hand_size, len(seat.hand)
        held = [(FACES[card.face].id, card.knows) for card in map(state.cards.__getitem__, hand)]
        yield f"face, knowers of {hand} in hand {number}", held, [(self.face[node], self.knows[node]) for node in hand]
        yield f"village of {number}", links(state, player.village), [villager.node for villager in seat.village]
        yield f"village size of {number}", player.village_size, len(seat.village)
        covered = burdens(seat.village)
        for villager in seat.village:
            card = state.cards[villager.node]
            theirs = (FACES[card.face].id, card.owner, card.below, card.above, card.coins, card.knows)
            below = 0 if villager.below is None else villager.below + 1
            ours = (villager.id, number + 1, below, covered[villager.node], villager.coins, EVERYBODY)
            name = f"of {villager.id} ({villager.node}) in village {number}"
            yield f"face, owner, below, above, coins, knowers {name}", theirs, ours
            yield f"role {name}", self._role(card.role, villager.role), villager.role

    def _role(self, number: int, expected: str) -> str:
        """Which villager a role number stands for."""
        return "" if number == -1 else self._found_out(self.roles, number, expected)

    def _unlocker(self, number: int, expected: str) -> str:
        """Which unlocker a number (plus 1) stands for."""
        return "" if number == 0 else self._found_out(self.unlockers, number, expected)

    def _found_out(self, names: dict[int, str], number: int, expected: str) -> str:
        """The villager that a number of the rules stands for: found out when first met, one to one."""
        if number not in names and expected and expected not in names.values():
            names[number] = expected
        return names.get(number, f"number {number}")


def deck_of(people: int) -> list[str]:
    """Which cards take part: wool and leather with four or more only, special cards not alone."""
    deck = [facts.id for facts in FACES[:50]]
    if people < 4:
        deck = [id for id in deck if not FACTS[id].four_plus]
    if people == 1:
        deck = [id for id in deck if FACTS[id].suit != "special"]
    return deck


def stack_height(people: int) -> int:
    """Twice as many cards as there are players; alone 5."""
    return 5 if people == 1 else 2 * people


# --- rigged deals -----------------------------------------------------------------------------------------------------

#: The numbers of roles, as states show them; the comparison finds out by itself what they stand for.
ROLES_IN_ORDER = (
    *("graper", "tanner", "shepherd", "hayer", "lumberjack", "miner", "founders", "swineherd"),
    *("grazier", "milk_maid", "seeker", "spelunker", "wheeler", "vintner", "spinner", "weaver"),
)
ROLE_NUMBERS = {id: number for number, id in enumerate(ROLES_IN_ORDER)}

#: Chains that may stand in a village from the beginning. The first card stands alone, or on a villager that is there.
CHAINS = (
    "hayer grazier milk_maid fromager",
    "hayer grazier milk_maid",
    "hayer grazier",
    "hayer thatcher",
    "hayer peddler",
    "hayer monk milk_maid",
    "hayer apprentice milk_maid",
    "monk thatcher",
    "monk bed_builder",
    "monk monk milk_maid",
    "apprentice horse_trader",
    "lumberjack carpenter",
    "lumberjack cooper",
    "lumberjack shipwright",
    "lumberjack wheeler cartwright",
    "lumberjack monk cartwright",
    "monk cooper",
    "miner blacksmith",
    "miner mason",
    "miner seeker spelunker",
    "miner seeker spelunker jeweler",
    "miner glass_blower",
    "miner seeker monk jeweler",
    "monk seeker monk jeweler",
    "swineherd",
    "swineherd truffler",
    "monk truffler",
    "brewer",
    "graper",
    "graper vintner",
    "graper vintner wine_trader",
    "apprentice vintner",
    "graper monk wine_trader",
    "tanner cobbler",
    "tanner",
    "shepherd spinner weaver tailor",
    "shepherd spinner",
    "monk spinner weaver",
    "wattler",
    "harvester",
    "hunter",
    "chandler",
    "fisher",
    "agent",
    "grocer",
    "freemason",
    "priest",
)

#: Cards that a hand may be dealt together.
WISHES = (
    "monk monk",
    "apprentice apprentice",
    "monk apprentice",
    "monk monk apprentice apprentice",
    "tinner smuggler",
    "smuggler smuggler tinner tinner",
    "milk_maid fromager grazier",
    "seeker spelunker jeweler",
    "swineherd truffler brewer poulterer",
    "graper vintner wine_trader",
    "shepherd spinner weaver tailor",
    "tanner saddler cobbler",
    "wheeler cartwright carpenter cooper",
    "carpenter carpenter cooper cooper",
    "chandler chandler blacksmith blacksmith",
    "bed_builder bed_builder beekeeper beekeeper weaver poulterer",
    "vintner milk_maid brewer",
    "priest priest spelunker",
    "locksmith glass_blower glass_blower jeweler",
    "wattler wattler harvester hunter",
    "truffler grocer fisher",
)


@dataclass(frozen=True)
class Recipe:
    """Cards of a hand, and chains in the own village and in those of others, among which something rare happens."""

    hand: str
    own: tuple[str, ...]
    others: tuple[str, ...]


RECIPES = (
    # What an Apprentice frees goes on Monks of the hand.
    Recipe(
        "apprentice monk monk",
        ("wattler", "wattler"),
        ("hayer grazier milk_maid fromager", "miner seeker spelunker jeweler", "shepherd spinner weaver tailor"),
    ),
    # Freed Monks, below cards of the hand.
    Recipe(
        "apprentice apprentice fromager jeweler cartwright truffler milk_maid thatcher",
        ("wattler", "wattler", "hunter"),
        ("monk thatcher", "hayer monk milk_maid", "miner seeker monk jeweler", "monk cooper", "monk truffler"),
    ),
    Recipe(
        "apprentice apprentice fromager jeweler",
        ("wattler", "hayer monk milk_maid", "monk truffler"),
        ("hayer thatcher", "miner blacksmith"),
    ),
    # A freed Monk below the villager that the second Apprentice frees.
    Recipe(
        "apprentice apprentice monk",
        ("wattler", "wattler", "hayer"),
        ("monk thatcher", "hayer grazier milk_maid fromager", "miner seeker spelunker jeweler"),
    ),
    Recipe(
        "apprentice apprentice",
        ("wattler", "miner"),
        ("monk bed_builder", "hayer grazier milk_maid", "miner seeker spelunker", "shepherd spinner weaver"),
    ),
    # What is freed goes on a Monk or an Apprentice that bears one.
    Recipe(
        "apprentice horse_trader peddler",
        ("wattler", "monk thatcher"),
        ("hayer grazier milk_maid", "hayer grazier milk_maid"),
    ),
    Recipe(
        "apprentice ore_muler grazier monk",
        ("wattler", "apprentice horse_trader"),
        ("hayer grazier milk_maid", "hayer thatcher"),
    ),
    Recipe("monk seeker mason", ("wattler", "apprentice glass_blower"), ("miner seeker spelunker",)),
    # Own unlockers that differ, and a Tinner.
    Recipe(
        "tinner smuggler bed_builder beekeeper poulterer",
        ("lumberjack carpenter", "lumberjack carpenter", "hayer", "wattler", "lumberjack shipwright"),
        ("lumberjack shipwright",),
    ),
    Recipe(
        "tinner cooper glass_blower jeweler locksmith",
        ("miner blacksmith", "miner blacksmith", "lumberjack", "miner seeker spelunker", "wattler"),
        ("miner blacksmith",),
    ),
)

#: Solo: pairs of villagers of which an event may take the one or the other.
PAIRS = (
    ("hayer thatcher", "hayer thatcher", "hayer horse_trader"),
    ("lumberjack carpenter", "lumberjack carpenter", "lumberjack wood_carver"),
    ("miner blacksmith", "miner blacksmith", "miner mason"),
    ("lumberjack wheeler", "lumberjack wheeler cartwright", "lumberjack wheeler"),
    ("swineherd", "swineherd truffler", "chandler", "chandler"),
    ("brewer", "brewer", "harvester", "harvester"),
    ("lumberjack cooper", "lumberjack cooper", "hunter", "hunter"),
)


class Rigged:
    """A deal while it is changed: piles, hands and villages as lists of nodes."""

    def __init__(self, dealt: Any, rng: random.Random) -> None:
        self.state = dealt
        self.rng = rng
        self.piles = [links(dealt, link) for link in dealt.piles]
        self.tables = range(2 if dealt.seats == 1 else dealt.seats)
        self.hands = [links(dealt, dealt.players[seat].hand) for seat in self.tables]
        self.villages = [links(dealt, dealt.players[seat].village) for seat in self.tables]
        self.discards: list[int] = []

    def id(self, node: int) -> str:
        """Which villager a node is."""
        return FACES[self.state.cards[node].face].id

    def chance(self, probability: float) -> bool:
        """Whether something happens in this deal."""
        return self.rng.random() < probability

    def rig(self) -> None:
        """Change what chance decides to change."""
        rng = self.rng
        if self.state.seats == 1 and self.chance(0.4):
            for chain in rng.choice(PAIRS):
                self.found_chain(rng.choice((0, 0, 1)), chain.split())
        special = self.state.seats > 1 and self.chance(0.6)
        if special:
            self.deal_specials()
        for seat in self.tables:
            if self.chance(0.2) and seat < self.state.seats:
                self.state.cards[self.villages[seat][-1]].face = PLACE["founders_food"]
            if self.chance(0.2 if special else 0.6):
                for chain in rng.sample(CHAINS, rng.randint(1, 7)):
                    self.found_chain(seat, chain.split())
            if seat < self.state.seats:
                if self.chance(0.3 if special else 0.8):
                    for wish in rng.sample(WISHES, rng.randint(1, 3)):
                        self.deal_cards(seat, wish.split())
                if self.chance(0.3):
                    self.state.players[seat].gold = rng.choice((0, 1, 2, 3, 5, 30))
        if self.chance(0.7):
            self.shorten_piles()
        if self.chance(0.3):
            for basic in range(3):
                self.state.basics[basic] = min(self.state.basics[basic], rng.randint(0, 4))
        if self.state.seats == 1:
            self.choose_events()
        self.write()

    def fetch(self, id: str) -> int | None:
        """A node out of the Reserve, made that card by an exchange of faces within the piles; None if there is none."""
        found = [node for pile in self.piles for node in pile if self.id(node) == id]
        if not found or not self.piles[RESERVE]:
            return None
        cards = self.state.cards
        node = self.piles[RESERVE].pop()
        cards[node].face, cards[found[0]].face = cards[found[0]].face, cards[node].face
        return node

    def deal_cards(self, seat: int, ids: Sequence[str]) -> None:
        """Cards more in a hand."""
        for id in ids:
            node = self.fetch(id)
            if node is not None:
                self.state.cards[node].knows = 1 << seat
                self.hands[seat].insert(0, node)

    def deal_specials(self) -> None:
        """Special cards in a hand, and villages in which they find much to do."""
        recipe = self.rng.choice(RECIPES)
        seat = self.rng.randrange(self.state.seats)
        others = [other for other in self.tables if other != seat]
        if self.chance(0.6):
            self.piles[RESERVE] += self.hands[seat]
            self.hands[seat] = []
        for chain in recipe.own:
            self.found_chain(seat, chain.split())
        for chain in self.rng.sample(recipe.others, min(self.rng.randint(2, 3), len(recipe.others))):
            self.found_chain(self.rng.choice(others), chain.split())
        self.deal_cards(seat, recipe.hand.split())

    def found_chain(self, seat: int, chain: Sequence[str]) -> None:
        """A chain more in a village, on what is there where it can (hers need no chain, and are all on top)."""
        if not self.there_are(chain):
            return
        hers = self.state.seats == 1 and seat == COUNTESS
        if hers:
            chain = [id for id in chain if id not in BASICS]
        roles = list(chain)
        for place in reversed(range(len(chain) - 1)):
            roles[place] = FACTS[roles[place + 1]].predecessor
        if FACTS[roles[-1]].successors == 0:
            roles[-1] = ""
        wanted = FACTS[roles[0] or chain[0]].predecessor
        below = 0
        if wanted and not hers:
            below = next((node + 1 for node in self.villages[seat] if self.room(node) == wanted), 0)
            if not below:
                return
        for id, role in zip(chain, roles, strict=True):
            node = self.fetch_basic(BASICS.index(id)) if id in BASICS else self.fetch(id)
            assert node is not None
            self.settle(seat, node, 0 if hers else below, role)
            below = node + 1

    def there_are(self, ids: Sequence[str]) -> bool:
        """Whether the piles have all those cards."""
        left = Counter(self.id(node) for pile in self.piles for node in pile)
        left.update({id: self.state.basics[basic] for basic, id in enumerate(BASICS)})
        return Counter(ids) <= left and len(ids) <= len(self.piles[RESERVE])

    def room(self, node: int) -> str:
        """The role of a villager that has room for one more."""
        card = self.state.cards[node]
        role = next((id for id, number in ROLE_NUMBERS.items() if number == card.role), "")
        return role if role and card.above < FACTS[role].successors else ""

    def fetch_basic(self, basic: int) -> int | None:
        """The next basic villager of its pile."""
        if not self.state.basics[basic]:
            return None
        self.state.basics[basic] -= 1
        return 100 + 10 * basic + self.state.basics[basic]  # type: ignore[no-any-return]

    def settle(self, seat: int, node: int, below: int, role: str) -> None:
        """A villager more in a village."""
        card = self.state.cards[node]
        card.owner = seat + 1
        card.below = below
        card.above = 0
        card.role = ROLE_NUMBERS[role] if role else -1
        card.knows = EVERYBODY
        if below:
            self.state.cards[below - 1].above += 1
        if self.chance(0.4) and FACTS[self.id(node)].keyring:
            card.coins = 2
        self.villages[seat].insert(0, node)

    def shorten_piles(self) -> None:
        """Shorter stacks and Reserve: the rest goes below the Reserve, to the discards, or into hands."""
        rng = self.rng
        rest: list[int] = []
        most = rng.choice((0, 1, 1, 2, 3))
        for pile in range(6):
            height = rng.randint(0, most) if self.chance(0.8) else len(self.piles[pile])
            rest += self.piles[pile][height:]
            self.piles[pile] = self.piles[pile][:height]
        if not any(self.piles[:6]):
            self.piles[5] = [rest.pop()]
        reserve = rng.choice((0, 1, 3, 8, 99))
        rest += self.piles[RESERVE][reserve:]
        self.piles[RESERVE] = self.piles[RESERVE][:reserve]
        rng.shuffle(rest)
        way = rng.choice(("reserve", "discards", "hands", "both"))
        for number, node in enumerate(rest):
            card = self.state.cards[node]
            seat = number % self.state.seats
            if way == "reserve":
                self.piles[RESERVE].append(node)
            elif way == "discards" or (way == "both" and number % 2) or len(self.hands[seat]) > 50:
                card.knows = EVERYBODY
                self.discards.append(node)
            else:
                card.knows = 1 << seat
                self.hands[seat].append(node)

    def choose_events(self) -> None:
        """Solo: few events left in the decks, any of them open, at the beginning or after the First Market."""
        state, rng = self.state, self.rng
        decks = {
            deck: [place for place, event in enumerate(EVENTS) if event.deck == deck] for deck in ("summer", "winter")
        }
        places = {event.id: place for place, event in enumerate(EVENTS)}
        left = {*decks["summer"], *decks["winter"]}
        if self.chance(0.5):
            state.first_market = 1
            self.piles[RESERVE] += self.piles[0] + self.piles[1]
            self.piles[0], self.piles[1] = [], []
            open_events = rng.sample([place for place in decks["winter"] if place != places["dark_mood"]], 2)
            if self.chance(0.4):
                open_events.pop()
            else:
                left.remove(places["dark_mood"])
            if places["rats"] in open_events:
                state.phase = RATS
                state.event = 2
        else:
            open_events = [rng.choice(decks["summer"])]
        for slot in range(2):
            state.events[slot] = open_events[slot] + 1 if slot < len(open_events) else 0
        if self.chance(0.7):
            left -= set(rng.sample(decks["summer"], rng.choice((6, 10, 11, 12))))
            left -= set(rng.sample(decks["winter"], rng.choice((6, 9, 10, 11, 12))))
            if self.chance(0.4):
                left.add(places["dark_mood"])
        left -= set(open_events)
        state.unseen_events = sum(1 << place for place in left)

    def write(self) -> None:
        """Put the lists and what follows from them into the state."""
        state = self.state
        state.discards = self.link(self.discards)
        for number, pile in enumerate(self.piles):
            state.piles[number] = self.link(pile)
            state.heights[number] = len(pile)
            for node in pile:
                state.cards[node].knows = 0
                state.cards[node].seen = int(node == pile[0])
        for seat in self.tables:
            player = state.players[seat]
            player.hand = self.link(self.hands[seat])
            player.hand_size = len(self.hands[seat])
            player.village = self.link(self.villages[seat])
            player.village_size = len(self.villages[seat])
            if seat < state.seats:
                shown = sum(FACTS[self.id(node)].food for node in self.villages[seat] if not state.cards[node].above)
                player.draft_limit = min(5, 2 + shown)

    def link(self, nodes: Sequence[int]) -> int:
        """A list of the state."""
        first = 0
        for node in reversed(nodes):
            self.state.cards[node].next = first
            first = node + 1
        return first
