"""The referee of Villages of Valeria: docs/valeria.md and docs/decks.md once more, as a slow and plain model.

What cards do is read from the deck file by its words alone. A village is a list of cards, a pile and a hand are lists
of numbers, and who knows what of a hand is a count for each reader and each kind of card: of cards alike in both halves
nobody can tell one from another.
"""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from refereeing import Move, Referee

from games.valeria import random_deck
from thorp.core.game import Game
from thorp.games.valeria.rules import state as interface
from thorp.games.valeria.rules.state import (
    BUILD,
    DECK,
    DEVELOP,
    DISCARD,
    DRAW,
    FIRST_ADVENTURER,
    FOLLOW,
    LEAD,
    LIMIT,
    OVER,
    PAY,
    PILES,
    POOL,
    POWERS,
    RECRUIT,
    SETUP,
    TAKE,
    WATCHER,
)

RESOURCES = ("food", "wood", "stone", "magic")
TYPES = ("worker", "soldier", "shadow", "holy")
ACTIONS = ("harvest", "develop", "build", "recruit", "tax")
#: The order in which `Player.whens` has its bits, the first being bit 1: not on the page, seen in states.
WHENS = (*ACTIONS, "instant", "paying", "hiring", "scoring")
DECKS = Path(interface.__file__).parent.parent / "decks"
#: Decks that come with the game, by the value of the option.
THORP_DECKS = {"second": DECKS / "second.toml", "standard": DECKS / "thorp.toml"}

COINS_IN_GAME = {1: 14, 2: 14, 3: 20, 4: 25, 5: 30}
FULL_VILLAGE = {1: 12, 2: 12, 3: 12, 4: 10, 5: 10}
COINS_AT_START = 3
HAND_AT_START = 6
HAND_LIMIT = 8
IDLE_ROUNDS = 10
SOLO_CARDS = 35

Four = tuple[int, int, int, int]
#: What of a building card can be seen: which building it is, and the resource on its lower half.
Kind = tuple[int, int]


# --- the deck -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Power:
    """A power, in the words of a deck file."""

    when: str
    do: str
    amount: int = 1
    of: str = ""
    per: int = 1
    #: What its use costs.
    cards: int = 0
    coins: int = 0


@dataclass(frozen=True)
class Building:
    """A building; its face is its place in the file."""

    face: int
    name: str
    type: str
    cost: Four
    points: int
    powers: tuple[Power, ...]


@dataclass(frozen=True)
class Adventurer:
    """An adventurer; its face is its place in the file, after FIRST_ADVENTURER."""

    face: int
    name: str
    needs: Four
    points: int
    powers: tuple[Power, ...]


@dataclass(frozen=True)
class Deck:
    """A deck file; `cards` says of each building card which building it is, and its lower half."""

    buildings: tuple[Building, ...]
    adventurers: tuple[Adventurer, ...]
    cards: tuple[Kind, ...]

    def face(self, face: int) -> Building | Adventurer:
        """What a face shows."""
        return self.adventurers[face - FIRST_ADVENTURER] if face >= FIRST_ADVENTURER else self.buildings[face]


def read_power(table: Mapping[str, Any]) -> Power:
    """A power from its table: "`amount` and `per` are 1 where they are left out"."""
    price, unit = str(table.get("pay", "0 coins")).split()
    return Power(
        when=table["when"],
        do=table["do"],
        amount=table.get("amount", 1),
        of=table.get("of", ""),
        per=table.get("per", 1),
        cards=int(price) if unit.startswith("card") else 0,
        coins=int(price) if unit.startswith("coin") else 0,
    )


def _four(table: Mapping[str, int], names: tuple[str, ...]) -> Four:
    first, second, third, fourth = (table.get(name, 0) for name in names)
    return first, second, third, fourth


@lru_cache(maxsize=64)
def read_deck(text: str) -> Deck:
    """A deck from the text of its file."""
    file = tomllib.loads(text)
    buildings = []
    cards = []
    for place, table in enumerate(file["building"]):
        powers = tuple(read_power(power) for power in table.get("powers", ()))
        cost = _four(table["cost"], RESOURCES)
        buildings.append(Building(place, table["name"], table["type"], cost, table["points"], powers))
        cards += [(place, lower) for lower in sorted(RESOURCES.index(resource) for resource in table["copies"])]
    adventurers = []
    for place, table in enumerate(file["adventurer"]):
        powers = tuple(read_power(power) for power in table.get("powers", ()))
        needs = _four(table["needs"], TYPES)
        adventurers.append(Adventurer(FIRST_ADVENTURER + place, table["name"], needs, table["points"], powers))
    return Deck(tuple(buildings), tuple(adventurers), tuple(cards))


def deck_of(options: Mapping[str, str]) -> Deck:
    """The deck that a table plays with."""
    chosen = options["deck"]
    return read_deck(THORP_DECKS[chosen].read_text(encoding="utf-8") if chosen in THORP_DECKS else chosen)


# --- seats --------------------------------------------------------------------------------------------------------


@dataclass
class Seat:
    """What one player has."""

    coins: int = 0
    castle: int = 0
    resources: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    paid: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    hand: list[int] = field(default_factory=list)
    village: list[Building | Adventurer] = field(default_factory=list)
    #: How many cards of a kind each of the others, and who watches, know to be in the hand.
    known: dict[int, Counter[Kind]] = field(default_factory=dict)

    def buildings(self) -> list[Building]:
        """The buildings of the village."""
        return [card for card in self.village if isinstance(card, Building)]

    def types(self) -> list[int]:
        """How many buildings of each type stand in the village."""
        types = [building.type for building in self.buildings()]
        return [types.count(type) for type in TYPES]

    def adventurers(self) -> int:
        """How many adventurers live in the village."""
        return len(self.village) - len(self.buildings())

    def all_coins(self) -> int:
        """Coins in the supply, on the castle and on resources."""
        return self.coins + self.castle + sum(self.paid)

    def has_room_for(self, adventurer: Adventurer) -> bool:
        """Whether the types that the adventurer asks for stand in the village."""
        return all(have >= need for have, need in zip(self.types(), adventurer.needs))

    def powers(self) -> Iterator[tuple[int, int, Power]]:
        """All powers with their place in the village and their row on the card."""
        for place, card in enumerate(self.village):
            for row, power in enumerate(card.powers):
                yield place, row, power

    def whens(self) -> int:
        """At which times powers of the village act, as the bits of `Player.whens`."""
        whens = {power.when for *_, power in self.powers()}
        bits = sum(2 << place for place, when in enumerate(WHENS) if when in whens)
        # A row without a power sets the lowest bit.
        return bits + any(len(card.powers) < 2 for card in self.village)

    def cheaper(self) -> int:
        """How many coins Recruit costs less."""
        return sum(power.amount for _, _, power in self.powers() if power.do == "cheaper")


def counted(seat: Seat, what: str) -> int:
    """How many there are of what a power scores for."""
    if what in TYPES:
        return seat.types()[TYPES.index(what)]
    if what in RESOURCES:
        return seat.resources[RESOURCES.index(what)]
    if what == "resources":
        return sum(seat.resources)
    if what == "buildings":
        return len(seat.buildings())
    if what == "adventurers":
        return seat.adventurers()
    if what == "coins":
        return seat.all_coins()
    assert what == "types", what
    return sum(count > 0 for count in seat.types())


def points(seat: Seat) -> int:
    """Count "the points of buildings and adventurers, powers that score at the end, and 1 point for each coin"."""
    total = sum(card.points for card in seat.village) + seat.all_coins()
    for _, _, power in seat.powers():
        if power.do == "score":
            total += power.amount * (counted(seat, power.of) // power.per)
    return total


def rank(seat: Seat) -> tuple[int, int, int, int]:
    """What places are by: points, "more buildings and adventurers, then more coins, then more developed resources"."""
    return points(seat), len(seat.village), seat.all_coins(), sum(seat.resources)


# --- paying -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Purse:
    """All that a building can be paid with."""

    coins: int
    #: Cards in hand.
    cards: int
    #: Resources that bear no coin: one's own by kind, those of all others together, the castle.
    own: Four
    others: Four
    castle: bool
    #: Resource powers not used yet: of which kind (or "any"), and what one costs in cards and coins.
    powers: tuple[tuple[str, int, int], ...]


def _less(four: Four, place: int) -> Four:
    changed = list(four)
    changed[place] -= 1
    return changed[0], changed[1], changed[2], changed[3]


def purses_after(purse: Purse, kind: int) -> Iterator[Purse]:
    """The purse after each way in which one resource of a kind can be paid."""
    for place, (of, cards, coins) in enumerate(purse.powers):
        if of in ("any", RESOURCES[kind]) and cards <= purse.cards and coins <= purse.coins:
            rest = purse.powers[:place] + purse.powers[place + 1 :]
            yield replace(purse, powers=rest, cards=purse.cards - cards, coins=purse.coins - coins)
    if purse.coins:
        poorer = replace(purse, coins=purse.coins - 1)
        if purse.own[kind]:
            yield replace(poorer, own=_less(purse.own, kind))
        if purse.castle:
            yield replace(poorer, castle=False)
        if purse.others[kind]:
            yield replace(poorer, others=_less(purse.others, kind))


@lru_cache(maxsize=100_000)
def payable(owed: Four, purse: Purse) -> bool:
    """Whether all that is owed can be paid: every way of paying it is tried."""
    for kind, count in enumerate(owed):
        if count:
            return any(payable(_less(owed, kind), after) for after in purses_after(purse, kind))
    return True


# --- the game -----------------------------------------------------------------------------------------------------


class GameReferee(Referee):
    """A game of Villages of Valeria."""

    @classmethod
    def options(cls, game: Game, seats: int, rng: random.Random) -> dict[str, str]:
        """Now and then the Thorp deck, mostly a deck like no other."""
        return game.options_for(seats, {} if rng.random() < 0.3 else {"deck": random_deck.deck_text(rng)})

    @classmethod
    def rig_with(cls, dealt: Any, options: Mapping[str, str], rng: random.Random) -> None:
        """Change a deal so that what is rare happens."""
        from games.valeria.rigging import rig  # it builds on this module

        rig(deck_of(options), dealt, rng)

    def __init__(self, seats: int, options: Mapping[str, str], dealt: Any) -> None:
        self.deck_file = deck_of(options)
        self.readers = [*range(seats), WATCHER]
        self.seats = [self._seat(dealt, seat) for seat in range(seats)]
        self.bank: int = dealt.bank
        self.deck = set(dealt.deck[: dealt.deck_size])
        self.shuffles: int = dealt.origin
        self.piles = [_linked(dealt, dealt.piles[pile]) for pile in range(PILES)]
        self.pool: list[int] = list(dealt.pool)
        self.unseen = {
            FIRST_ADVENTURER + place for place in range(len(self.deck_file.adventurers)) if dealt.unseen >> place & 1
        }
        #: Which deck each card in a hand or on a pile came from.
        self.origins = {card: dealt.cards[card].origin for card in self._cards_in_sight()}
        self.first: int = dealt.first
        self.active = self.turn = self.first
        self.phase = SETUP
        self.round = 0
        self.idle = 0
        self.action = 0
        self.turned: int = dealt.turned
        self.turned_onto = 0
        self.left = 0
        #: Ruling 18: what cannot be taken back.
        self.barrier: int = dealt.barrier
        self._nothing_begun()
        self._check_deal(dealt)

    def _nothing_begun(self) -> None:
        """The seat on turn has nothing to do, and has used nothing."""
        #: RECRUIT or BUILD where the card has still to be chosen.
        self.choice = 0
        self.discards = self.draws = self.takes = self.develops = 0
        self.building: int | None = None
        self.owed: Four = (0, 0, 0, 0)
        self.automatic = False
        #: The power that is being paid for in cards.
        self.price: Power | None = None
        self.used: set[tuple[int, int]] = set()
        self.done = False
        #: The place in the village of the card that came in this action.
        self.fresh: int | None = None

    def _seat(self, dealt: Any, seat: int) -> Seat:
        player = dealt.players[seat]
        hand = _linked(dealt, player.hand)
        known: dict[int, Counter[Kind]] = {reader: Counter() for reader in self.readers if reader != seat}
        for reader, kinds in known.items():
            kinds.update(self._kind(card) for card in hand if dealt.cards[card].knows >> reader & 1)
        return Seat(
            coins=player.coins,
            castle=player.castle,
            resources=list(player.resources),
            paid=list(player.paid),
            hand=hand,
            village=[self.deck_file.face(face) for face in player.village[: player.size]],
            known=known,
        )

    def _check_deal(self, dealt: Any) -> None:
        """Every card and coin is somewhere, once. Rigged deals keep to that too."""
        seen = self._cards_in_sight()
        assert len(seen) == len(set(seen)), "a card lies in two places"
        assert not self.deck & set(seen), "a card of the deck lies elsewhere too"
        assert dealt.phase == SETUP, "a game begins with the first resources"
        for seat in self.seats:
            assert seat.hand == sorted(seat.hand), "a hand is in order of its cards"
        for card, kind in enumerate(self.deck_file.cards):
            assert (dealt.cards[card].face, dealt.cards[card].lower) == kind, f"card {card} is another"
        gone = len(self.deck_file.cards) - len(seen) - len(self.deck)
        laid = sum(sum(seat.resources) + len(seat.buildings()) for seat in self.seats)
        assert gone == laid, f"{gone} cards are in villages, {laid} can be seen there"
        coins = self.bank + sum(seat.all_coins() for seat in self.seats)
        assert coins == COINS_IN_GAME[len(self.seats)], f"there are {coins} coins"
        open_ones = [face for face in self.pool if face] + [
            card.face for seat in self.seats for card in seat.village if isinstance(card, Adventurer)
        ]
        assert len(open_ones) == len(set(open_ones)), "an adventurer is in two places"
        assert not self.unseen & set(open_ones), "an unseen adventurer can be seen"

    def check_untouched(self) -> None:
        """Setup, where nothing was rigged: 6 cards and 3 coins each, five piles of one card, five adventurers."""
        for seat in self.seats:
            assert (seat.coins, seat.castle, len(seat.hand), seat.village) == (COINS_AT_START, 0, HAND_AT_START, [])
            assert sum(seat.resources) == 0
            assert not any(kinds.total() for kinds in seat.known.values()), "somebody knows another hand"
        assert [len(pile) for pile in self.piles] == [1] * PILES
        assert all(self.pool)
        assert len(self.unseen) == len(self.deck_file.adventurers) - POOL
        assert len(self.deck) == len(self.deck_file.cards) - HAND_AT_START * len(self.seats) - PILES
        assert set(self.origins.values()) == {0}

    # --- cards ---

    def _kind(self, card: int) -> Kind:
        return self.deck_file.cards[card]

    def _building(self, card: int) -> Building:
        return self.deck_file.buildings[self._kind(card)[0]]

    def _cards_in_sight(self) -> list[int]:
        """The cards of all hands and piles."""
        return [card for seat in self.seats for card in seat.hand] + [card for pile in self.piles for card in pile]

    def _named_cards(self, seat: int) -> list[int]:
        """The cards of a hand as moves name them: of cards alike in both halves the first."""
        named: dict[Kind, int] = {}
        for card in self.seats[seat].hand:
            named.setdefault(self._kind(card), card)
        return list(named.values())

    def _mix_origins(self, hand: list[int], card: int, after: Any) -> None:
        """A card has left a hand: of cards alike nobody can tell which came from which deck."""
        alike = [other for other in hand if self._kind(other) == self._kind(card)]
        before = {self.origins[other] for other in [card, *alike]}
        for other in alike:
            self.origins[other] = after.cards[other].origin
            assert self.origins[other] in before, f"card {other} came from deck {self.origins[other]}"

    def _play_from_hand(self, card: int, after: Any) -> None:
        """A card leaves the hand before all eyes. Ruling 10: "who knew of some knows of one less"."""
        seat = self.seats[self.turn]
        seat.hand.remove(card)
        for kinds in seat.known.values():
            kinds[self._kind(card)] = max(0, kinds[self._kind(card)] - 1)
        self._mix_origins(seat.hand, card, after)

    def _shuffle_if_needed(self) -> None:
        """Ruling 1: the top card of each pile stays, the cards below are shuffled into a new deck."""
        below = {card for pile in self.piles for card in pile[1:]}
        if not self.deck:
            self.deck = below
            for card in below:
                del self.origins[card]
            self.piles = [pile[:1] for pile in self.piles]
            # It counts where there was nothing to shuffle, too.
            self.shuffles += 1

    def _can_draw_from(self, pile: int) -> bool:
        if pile == DECK:
            return bool(self.deck) or any(len(pile) > 1 for pile in self.piles)
        return bool(self.piles[pile])

    def _can_draw(self) -> bool:
        return any(self._can_draw_from(pile) for pile in range(PILES + 1))

    def _leave_deck(self, card: int) -> None:
        """Chance: that card came from the deck."""
        assert card in self.deck, f"card {card} came from the deck, but was not in it"
        self.deck.remove(card)
        self.origins[card] = self.shuffles
        self.barrier += 1

    def _new_adventurer(self, slot: int, face: int) -> None:
        """Chance: a place in the pool "is filled at once, as long as there are adventurers"."""
        self.pool[slot] = 0
        if self.unseen:
            assert face in self.unseen, f"adventurer {face} came into the pool, but was not among the unseen"
            self.unseen.remove(face)
            self.pool[slot] = face
            self.barrier += 1

    # --- what is possible ---

    def _next_seat(self, seat: int) -> int:
        return (seat + 1) % len(self.seats)

    def _leads(self) -> bool:
        return self.turn == self.active

    def _can_build(self, seat: int, card: int) -> bool:
        """Whether a card can be built: "never two buildings of one name", and the cost has to be paid."""
        building = self._building(card)
        if building in self.seats[seat].village:
            return False
        return payable(building.cost, self._purse(seat, len(self.seats[seat].hand) - 1))

    def _recruit_cost(self, seat: int) -> int:
        """Who leads pays 1 coin, who follows 2; ruling 14: "never cheaper than nothing"."""
        return max(0, (1 if seat == self.active else 2) - self.seats[seat].cheaper())

    def _welcome(self, seat: int) -> list[int]:
        """The places of the pool whose adventurers would come."""
        mine = self.seats[seat]
        found = []
        for slot, face in enumerate(self.pool):
            if face:
                adventurer = self.deck_file.face(face)
                assert isinstance(adventurer, Adventurer)
                if mine.has_room_for(adventurer):
                    found.append(slot)
        return found

    def _can_act(self, seat: int, action: str) -> bool:
        """Whether a seat can lead the action, or follow it: "who cannot pay can neither lead nor follow it"."""
        mine = self.seats[seat]
        if action == "develop":
            return len(mine.hand) >= (2 if seat == self.active else 3)
        if action == "build":
            return any(self._can_build(seat, card) for card in mine.hand)
        if action == "recruit":
            return mine.coins >= self._recruit_cost(seat) and bool(self._welcome(seat))
        return True

    def _is_asked(self, seat: int, action: str) -> bool:
        """Ruling 11: "who has cards in hand is asked about following Build and Develop, whatever they are"."""
        if action in ("build", "develop"):
            return bool(self.seats[seat].hand)
        return self._can_act(seat, action)

    # --- powers ---

    def _acts_now(self, place: int, power: Power) -> bool:
        """Instant powers only in the action in which the card came, powers of the action only in later ones."""
        if place == self.fresh:
            return power.when == "instant"
        return power.when == ACTIONS[self.action]

    def _does_something(self, power: Power) -> bool:
        """Ruling 3: "a power that could do nothing is not offered"; ruling 13 on discarded cards."""
        if power.do == "draw":
            return power.cards > 0 or self._can_draw()
        if power.do == "coins":
            return self.bank > 0
        assert power.do == "take", power
        return any(seat.hand for place, seat in enumerate(self.seats) if place != self.turn)

    def usable(self) -> list[tuple[int, int]]:
        """The powers that the seat on turn can use after the basic action, by place and row."""
        mine = self.seats[self.turn]
        return [
            (place, row)
            for place, row, power in mine.powers()
            if (place, row) not in self.used
            and self._acts_now(place, power)
            and power.cards <= len(mine.hand)
            and power.coins <= mine.coins
            and self._does_something(power)
        ]

    # --- paying ---

    def _purse(self, seat: int, cards: int) -> Purse:
        """What a seat can pay with that would have so many cards left in hand."""
        mine = self.seats[seat]
        own = _four_of(have - paid for have, paid in zip(mine.resources, mine.paid))
        theirs = [other for place, other in enumerate(self.seats) if place != seat]
        others = _four_of(sum(other.resources[kind] - other.paid[kind] for other in theirs) for kind in range(4))
        used = self.used if seat == self.turn else set()
        powers = [
            (power.of, power.cards, power.coins)
            for place, row, power in mine.powers()
            if power.when == "paying" and (place, row) not in used
        ]
        return Purse(mine.coins, cards, own, others, not mine.castle, tuple(sorted(powers)))

    def _purse_after(self, move: Move) -> Purse | None:
        """The purse of the seat on turn after a payment; None where it cannot be made."""
        family, arguments = move
        mine = self.seats[self.turn]
        purse = self._purse(self.turn, len(mine.hand))
        kind = arguments[-1]
        if family in ("pay_free", "pay_costly"):
            place, row, _ = arguments
            power = mine.village[place].powers[row]
            costly = power.cards + power.coins > 0
            if power.when != "paying" or (place, row) in self.used or costly != (family == "pay_costly"):
                return None
            if power.of not in ("any", RESOURCES[kind]) or power.cards > purse.cards or power.coins > purse.coins:
                return None
            powers = list(purse.powers)
            powers.remove((power.of, power.cards, power.coins))
            return replace(
                purse,
                powers=tuple(powers),
                cards=purse.cards - power.cards,
                coins=purse.coins - power.coins,
            )
        if not mine.coins:
            return None
        poorer = replace(purse, coins=purse.coins - 1)
        if family == "pay_own":
            return replace(poorer, own=_less(purse.own, kind)) if purse.own[kind] else None
        if family == "pay_castle":
            return None if mine.castle else replace(poorer, castle=False)
        clockwise, _ = arguments
        other = self.seats[(self.turn + 1 + clockwise) % len(self.seats)]
        if other.resources[kind] == other.paid[kind]:
            return None
        return replace(poorer, others=_less(purse.others, kind))

    def payments(self) -> list[Move]:
        """The ways to pay one resource after which the rest can still be paid, in the order of ruling 12."""
        mine = self.seats[self.turn]
        powers = [(place, row) for place, row, _ in mine.powers()]
        kinds = [kind for kind in range(4) if self.owed[kind]]
        ways: list[Move] = [("pay_free", (place, row, kind)) for place, row in powers for kind in kinds]
        ways += [("pay_own", (kind,)) for kind in kinds]
        ways += [("pay_castle", (kind,)) for kind in kinds]
        ways += [("pay_costly", (place, row, kind)) for place, row in powers for kind in kinds]
        ways += [("pay_other", (clockwise, kind)) for clockwise in range(len(self.seats) - 1) for kind in kinds]
        legal = []
        for way in ways:
            after = self._purse_after(way)
            if after is not None and payable(_less(self.owed, way[1][-1]), after):
                legal.append(way)
        return legal

    def _lack(self, kind: int) -> int:
        """How many of a kind are lacked: owed, less own resources and powers of that kind that cost no coin."""
        mine = self.seats[self.turn]
        have = mine.resources[kind] - mine.paid[kind]
        for place, row, power in mine.powers():
            if power.of == RESOURCES[kind] and power.when == "paying" and not power.coins:
                have += (place, row) not in self.used
        return self.owed[kind] - have

    def cheapest(self) -> Move:
        """Ruling 12. Among ways of one sort the kind that is lacked most goes first, then the card that came first;
        so exactly is not on the page.
        """
        ways = self.payments()
        sort = _sort(ways[0])
        return max((way for way in ways if _sort(way) == sort), key=lambda way: self._lack(way[1][-1]))

    def _pay(self, move: Move) -> None:
        """Pay one resource. Ruling 15: the coin of a power goes to the bank, its card onto a pile."""
        family, arguments = move
        kind = arguments[-1]
        mine = self.seats[self.turn]
        self.owed = _less(self.owed, kind)
        if family in ("pay_free", "pay_costly"):
            place, row, _ = arguments
            self._pay_for_power(place, row)
            return
        mine.coins -= 1
        if family == "pay_own":
            mine.paid[kind] += 1
        elif family == "pay_castle":
            mine.castle = 1
        else:
            self.seats[(self.turn + 1 + arguments[0]) % len(self.seats)].paid[kind] += 1

    def _pay_for_power(self, place: int, row: int) -> None:
        """Use a power: "what it costs is paid when it is used", coins at once, cards one by one; then its effect."""
        mine = self.seats[self.turn]
        power = mine.village[place].powers[row]
        self.used.add((place, row))
        mine.coins -= power.coins
        self.bank += power.coins
        if power.cards:
            self.price = power
            self.discards = power.cards
        else:
            self._effect(power)

    def _effect(self, power: Power) -> None:
        """What a power does when its price is paid; ruling 13 on what is not there."""
        if power.do == "draw":
            self.draws = power.amount
        elif power.do == "take":
            self.takes = power.amount
        elif power.do == "coins":
            self._take_coins(power.amount)

    def _take_coins(self, amount: int) -> None:
        taken = min(amount, self.bank)
        self.bank -= taken
        self.seats[self.turn].coins += taken

    # --- the order of play ---

    def _go_on(self, after: Any) -> None:
        """What the seat on turn has to decide next; where nothing, on to the next seat or turn."""
        while True:
            if self.discards:
                self.phase = DISCARD
            elif self.choice:
                self.phase = self.choice
            elif self.building is not None:
                if any(self.owed) and self.automatic:
                    self._pay(self.cheapest())
                    continue
                if not any(self.owed):
                    self._finish_building()
                    continue
                self.phase = PAY
            elif self.develops:
                self.phase = DEVELOP
            elif self.draws and self._can_draw():
                self.phase = DRAW
            elif self.draws:
                self.draws = 0
                continue
            elif self.takes and self._victims():
                self.phase = TAKE
            elif self.takes:
                self.takes = 0
                continue
            elif not self.done and self.usable():
                self.phase = POWERS
            elif len(self.seats[self.turn].hand) > HAND_LIMIT:
                self.done = True
                self.phase = LIMIT
            else:
                self._finish_action(after)
            return

    def _finish_building(self) -> None:
        """The card is paid for: it comes into the village; who leads then draws 1."""
        assert self.building is not None
        mine = self.seats[self.turn]
        mine.village.append(self._building(self.building))
        self.fresh = len(mine.village) - 1
        self.building = None
        self.automatic = False
        self.idle = 0
        if self._leads():
            self.draws = 1

    def _finish_action(self, after: Any) -> None:
        """A seat has led or followed: "then the others, clockwise, may each follow it once"."""
        self._nothing_begun()
        seat = self._next_seat(self.turn)
        while seat != self.active:
            if self._is_asked(seat, ACTIONS[self.action]):
                self._pass_on(seat)
                self.phase = FOLLOW
                return
            seat = self._next_seat(seat)
        self._end_turn(after)

    def _end_turn(self, after: Any) -> None:
        """The end: a full village, ruling 9, and what ends a solo game."""
        many = len(self.seats)
        full = any(len(seat.village) >= FULL_VILLAGE[many] for seat in self.seats)
        if many == 1:
            over = full or self.turned >= SOLO_CARDS
        else:
            over = full or self.idle >= IDLE_ROUNDS * many
        if over:
            self.phase = OVER
            self._pass_on(self.active)
            return
        self.begin_turn(self._next_seat(self.active), after)

    def _pass_on(self, seat: int) -> None:
        """Another move of another player, or another turn: ruling 18."""
        self.turn = seat
        self.barrier += 1

    def begin_turn(self, seat: int, after: Any) -> None:
        """Begin a turn, and replenish: "all coins from your castle and your resources, whoever laid them there"."""
        self.active = seat
        self._pass_on(seat)
        self.phase = LEAD
        self.round += 1
        self.idle += 1
        if len(self.seats) == 1:
            self._turn_card(after)
        mine = self.seats[seat]
        mine.coins = mine.all_coins()
        mine.castle = 0
        mine.paid = [0, 0, 0, 0]

    def _turn_card(self, after: Any) -> None:
        """Solo: a card is turned onto the pile with the fewest; an adventurer who asks for its type leaves."""
        self.turned += 1
        self.turned_onto = self.left = 0
        self._shuffle_if_needed()
        if not self.deck:
            return
        pile = min(range(PILES), key=lambda pile: len(self.piles[pile]))
        card = _linked(after, after.piles[pile])[0]
        self._leave_deck(card)
        self.piles[pile].insert(0, card)
        self.turned_onto = pile + 1
        type = TYPES.index(self._building(card).type)
        for slot, face in enumerate(self.pool):
            adventurer = self.deck_file.face(face) if face else None
            if isinstance(adventurer, Adventurer) and adventurer.needs[type]:
                self.left = face
                self._new_adventurer(slot, after.pool[slot])
                return

    # --- moves ---

    def waiting(self) -> set[int]:
        return set() if self.phase == OVER else {self.turn}

    def legal(self, seat: int) -> set[Move]:
        assert seat == self.turn
        moves: dict[int, Any] = {
            SETUP: self._legal_develop,
            LEAD: self._legal_lead,
            FOLLOW: self._legal_follow,
            DRAW: self._legal_draw,
            DISCARD: self._legal_discard,
            DEVELOP: self._legal_develop,
            BUILD: self._legal_build,
            PAY: self._legal_pay,
            RECRUIT: self._legal_recruit,
            POWERS: self._legal_use,
            TAKE: self._legal_take,
            LIMIT: self._legal_discard,
        }
        found: set[Move] = moves[self.phase]()
        return found

    def _legal_lead(self) -> set[Move]:
        return {("lead", (place,)) for place, action in enumerate(ACTIONS) if self._can_act(self.turn, action)}

    def _legal_follow(self) -> set[Move]:
        moves: set[Move] = {("decline", ())}
        if self._can_act(self.turn, ACTIONS[self.action]):
            moves.add(("follow", ()))
        return moves

    def _legal_draw(self) -> set[Move]:
        return {("draw", (pile,)) for pile in range(PILES + 1) if self._can_draw_from(pile)}

    def _legal_discard(self) -> set[Move]:
        return {("discard", (card, pile)) for card in self._named_cards(self.turn) for pile in range(PILES)}

    def _legal_develop(self) -> set[Move]:
        return {("develop", (card,)) for card in self._named_cards(self.turn)}

    def _legal_build(self) -> set[Move]:
        return {("build", (card,)) for card in self._named_cards(self.turn) if self._can_build(self.turn, card)}

    def _legal_pay(self) -> set[Move]:
        moves = set(self.payments())
        if sum(self.owed) > 1:
            moves.add(("pay_all", ()))
        return moves

    def _legal_recruit(self) -> set[Move]:
        return {("recruit", (slot,)) for slot in self._welcome(self.turn)}

    def _legal_use(self) -> set[Move]:
        return {("use", power) for power in self.usable()} | {("done", ())}

    def _victims(self) -> list[int]:
        """The opponents who have cards in hand."""
        return [seat for seat, player in enumerate(self.seats) if seat != self.turn and player.hand]

    def _legal_take(self) -> set[Move]:
        return {("take", (seat,)) for seat in self._victims()}

    def play(self, seat: int, move: Move, after: Any) -> None:
        assert seat == self.turn
        family, arguments = move
        if family in ("pay_free", "pay_own", "pay_castle", "pay_costly", "pay_other"):
            self._pay(move)
        elif family == "pay_all":
            self.automatic = True
        elif family in ("draw", "discard", "develop", "build", "recruit", "take"):
            getattr(self, f"_play_{family}")(*arguments, after)
        elif family == "decline":
            self._finish_action(after)
            return
        else:
            getattr(self, f"_play_{family}")(*arguments)
        if self.phase == SETUP:
            seat = self._next_seat(self.turn)
            if seat == self.first:
                self.begin_turn(seat, after)
            else:
                self._pass_on(seat)
            return
        self._go_on(after)

    def _play_lead(self, action: int) -> None:
        self.action = action
        self._act()

    def _play_follow(self) -> None:
        self._act()

    def _act(self) -> None:
        """The table of actions, for who leads and who follows."""
        leads = self._leads()
        action = ACTIONS[self.action]
        if action == "harvest":
            self.draws = 3 if leads else 1
        elif action == "develop":
            self.discards = 1 if leads else 2
            self.develops = 1
        elif action == "build":
            self.choice = BUILD
        elif action == "recruit":
            cost = self._recruit_cost(self.turn)
            self.seats[self.turn].coins -= cost
            self.bank += cost
            self.choice = RECRUIT
        else:
            if leads:
                self._take_coins(1)
            self.draws = 1

    def _play_draw(self, pile: int, after: Any) -> None:
        """Draw one card: "a pile that is emptied gets the top card of the deck at once"; rulings 1 and 6."""
        mine = self.seats[self.turn]
        self.draws -= 1
        if pile == DECK:
            self._shuffle_if_needed()
            new = set(_linked(after, after.players[self.turn].hand)) - set(mine.hand)
            assert len(new) == 1, f"one card was drawn, and the hand has {sorted(new)} more"
            card = new.pop()
            self._leave_deck(card)
        else:
            card = self.piles[pile].pop(0)
            if not self.piles[pile]:
                self._shuffle_if_needed()
                if self.deck:
                    filler = _linked(after, after.piles[pile])[-1]
                    self._leave_deck(filler)
                    self.piles[pile].append(filler)
            for kinds in mine.known.values():
                kinds[self._kind(card)] += 1
        mine.hand = sorted([*mine.hand, card])

    def _play_discard(self, card: int, pile: int, after: Any) -> None:
        """Discard one card, "face up on any pile"."""
        self._play_from_hand(card, after)
        self.piles[pile].insert(0, card)
        if self.phase == LIMIT:
            return
        self.discards -= 1
        if not self.discards and self.price:
            power, self.price = self.price, None
            self._effect(power)

    def _play_develop(self, card: int, after: Any) -> None:
        """Develop a card: "lay it down as a resource, for good"."""
        self._play_from_hand(card, after)
        del self.origins[card]
        self.seats[self.turn].resources[self._kind(card)[1]] += 1
        self.develops = 0
        self.idle = 0

    def _play_build(self, card: int, after: Any) -> None:
        self._play_from_hand(card, after)
        del self.origins[card]
        self.choice = 0
        self.building = card
        self.owed = self._building(card).cost

    def _play_recruit(self, slot: int, after: Any) -> None:
        mine = self.seats[self.turn]
        mine.village.append(self.deck_file.face(self.pool[slot]))
        self.fresh = len(mine.village) - 1
        self.choice = 0
        self.idle = 0
        # Solo, the next turn may have begun, and who just came into the pool may have left it again.
        self._new_adventurer(slot, after.left if after.left in self.unseen else after.pool[slot])

    def _play_use(self, place: int, row: int) -> None:
        self._pay_for_power(place, row)

    def _play_done(self) -> None:
        self.done = True

    def _play_take(self, seat: int, after: Any) -> None:
        """Ruling 8: a random card, face down; only the two know it, and only they are still sure of that hand."""
        mine, theirs = self.seats[self.turn], self.seats[seat]
        self.takes -= 1
        self.barrier += 1
        gone = set(theirs.hand) - set(_linked(after, after.players[seat].hand))
        assert len(gone) == 1, f"one card was taken, and the hand has {sorted(gone)} less"
        card = gone.pop()
        kind = self._kind(card)
        for reader, kinds in theirs.known.items():
            if reader != self.turn:
                if len(theirs.hand) == 1:
                    mine_known = mine.known.get(reader)
                    assert mine_known is not None
                    mine_known[kind] += kinds[kind]
                kinds.clear()
        theirs.known[self.turn][kind] = max(0, theirs.known[self.turn][kind] - 1)
        mine.known[seat][kind] += 1
        theirs.hand.remove(card)
        mine.hand = sorted([*mine.hand, card])

    # --- comparing ---

    def scores(self) -> list[int]:
        return [points(seat) for seat in self.seats]

    def standings(self) -> list[int]:
        ranks = [rank(seat) for seat in self.seats]
        return [1 + sum(other > mine for other in ranks) for mine in ranks]

    def compare(self, state: Any) -> None:
        ours: dict[str, Any] = {}
        theirs: dict[str, Any] = {}
        for name, value in self._table().items():
            ours[name] = value
            theirs[name] = getattr(state, name)
        priced = self.price is not None and self.price.do != "resource"
        ours["power"], theirs["power"] = priced, bool(state.power)
        ours["deck"], theirs["deck"] = sorted(self.deck), sorted(state.deck[: state.deck_size])
        for pile in range(PILES):
            ours[f"pile {pile}"], theirs[f"pile {pile}"] = self.piles[pile], _linked(state, state.piles[pile])
        ours["origins of cards"] = self.origins
        theirs["origins of cards"] = {card: state.cards[card].origin for card in self.origins}
        for place, seat in enumerate(self.seats):
            for name, value in self._of_seat(seat).items():
                ours[f"{name} of seat {place}"] = value
                theirs[f"{name} of seat {place}"] = getattr(state.players[place], name)
            hand = _linked(state, state.players[place].hand)
            ours[f"hand of seat {place}"], theirs[f"hand of seat {place}"] = seat.hand, hand
            ours[f"known of seat {place}"] = self._known(place)
            theirs[f"known of seat {place}"] = self._known_in(state, hand)
        for name, value in ours.items():
            assert value == theirs[name], f"{name}: the rules {theirs[name]}, the referee {value}"

    def _table(self) -> dict[str, Any]:
        """What lies between the players, and where the game stands."""
        return {
            "names": len(self.deck_file.buildings),
            "cards_in_game": len(self.deck_file.cards),
            "seats": len(self.seats),
            "round": self.round,
            "phase": self.phase,
            "active": self.active,
            "turn": self.turn,
            "first": self.first,
            "action": self.action,
            "discards": self.discards,
            "draws": self.draws,
            "takes": self.takes,
            "develops": self.develops,
            "building": 0 if self.building is None else self.building + 1,
            "owed": sum(count << 4 * kind for kind, count in enumerate(self.owed)),
            "automatic": int(self.automatic),
            "used": sum(1 << 2 * place + row for place, row in self.used),
            "done": int(self.done),
            "fresh": 0 if self.fresh is None else self.fresh + 1,
            "bank": self.bank,
            "idle": self.idle,
            "turned": self.turned,
            "turned_onto": self.turned_onto,
            "left": self.left,
            "deck_size": len(self.deck),
            "origin": self.shuffles,
            "heights": [len(pile) for pile in self.piles],
            "pool": self.pool,
            "barrier": self.barrier,
            "unseen": sum(1 << face - FIRST_ADVENTURER for face in self.unseen),
        }

    @staticmethod
    def _of_seat(seat: Seat) -> dict[str, Any]:
        village = [card.face for card in seat.village]
        return {
            "coins": seat.coins,
            "castle": seat.castle,
            "resources": seat.resources,
            "paid": seat.paid,
            "hand_size": len(seat.hand),
            "village": village + [0] * (12 - len(village)),
            "size": len(village),
            "types": seat.types(),
            "adventurers": seat.adventurers(),
            "cheaper": seat.cheaper(),
            "whens": seat.whens(),
        }

    def _known(self, owner: int) -> dict[int, list[Kind]]:
        """What each reader knows to be in a hand, one entry for each card; the owner knows all of it."""
        seat = self.seats[owner]
        known = {reader: sorted(kinds.elements()) for reader, kinds in seat.known.items()}
        return {**known, owner: sorted(self._kind(card) for card in seat.hand)}

    def _known_in(self, state: Any, hand: list[int]) -> dict[int, list[Kind]]:
        held = sorted((self._kind(card), state.cards[card].knows) for card in hand)
        return {reader: [kind for kind, knows in held if knows >> reader & 1] for reader in self.readers}


def _sort(payment: Move) -> tuple[str, int]:
    """The sort of a payment: what of the list in ruling 12 it is."""
    family, arguments = payment
    return family, arguments[0] if family == "pay_other" else 0


def _linked(state: Any, link: int) -> list[int]:
    """The cards of a list that hangs together by `next`."""
    cards = []
    while link:
        cards.append(link - 1)
        assert len(cards) <= len(state.cards), "a list of cards has no end"
        link = state.cards[link - 1].next
    return cards


def _four_of(numbers: Iterator[int]) -> Four:
    first, second, third, fourth = numbers
    return first, second, third, fourth
