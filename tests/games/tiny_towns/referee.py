"""A step referee for Tiny Towns: a plain model of the game, written from its rules page alone."""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any

from refereeing import Move, Referee

import thorp
from thorp.games.tiny_towns.rules import state as words

# The facts of the cards: only ids, types and patterns. What a card does is written down here.

_FACTS = tomllib.loads(
    (Path(thorp.__file__).parent / "games" / "tiny_towns" / "cards" / "printed.toml").read_text("utf-8")
)
COTTAGE, FARM, WELL, CHAPEL, TAVERN, THEATER, FACTORY, MONUMENT = range(8)
SUPPLY = range(7)
CARD_IDS: list[str] = [card["id"] for card in _FACTS["card"]]
TYPE_IDS = ["cottage", "farm", "well", "chapel", "tavern", "theater", "factory", "monument"]
CARD_TYPES: list[int] = [TYPE_IDS.index(card["type"]) for card in _FACTS["card"]]
PATTERNS: list[list[str]] = [card["pattern"] for card in _FACTS["card"]]
MONUMENT_CARDS = [number for number, type in enumerate(CARD_TYPES) if type == MONUMENT]
RESOURCES = range(5)
LETTERS = "WTBGS"
NOT_SOLO = {"inn", "bank", "fort_ironweed", "opaleyes_watch"}

#: How often each rare thing came up in this process, so that tests can see to it that all do.
happened: Counter[str] = Counter()

# Squares: 4 * row + column.

SQUARES = range(16)
CORNERS = {0, 3, 12, 15}
CENTRE = {5, 6, 9, 10}


def _beside(square: int) -> set[int]:
    row, column = divmod(square, 4)
    around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return {4 * r + c for r, c in around if 0 <= r < 4 and 0 <= c < 4}


def _around(square: int) -> set[int]:
    row, column = divmod(square, 4)
    return {s for s in SQUARES if s != square and abs(s // 4 - row) <= 1 and abs(s % 4 - column) <= 1}


#: "Next to means straight above, below, left or right, never diagonal."
BESIDE = [_beside(square) for square in SQUARES]
#: The up to 8 squares around one, diagonal ones too.
AROUND = [_around(square) for square in SQUARES]
#: The other squares of the same row, and of the same column.
ROW = [{s for s in SQUARES if s // 4 == square // 4 and s != square} for square in SQUARES]
COLUMN = [{s for s in SQUARES if s % 4 == square % 4 and s != square} for square in SQUARES]


def groups(squares: Iterable[int]) -> list[set[int]]:
    """Some squares, as groups of those that are connected by being next to each other."""
    rest = set(squares)
    found: list[set[int]] = []
    while rest:
        group: set[int] = set()
        fringe = {rest.pop()}
        while fringe:
            group |= fringe
            fringe = {near for square in fringe for near in BESIDE[square]} & rest
            rest -= fringe
        found.append(group)
    return found


# Patterns: "You may turn it and mirror it."

#: Where a pattern may lie: the squares, and what has to be on each.
Placement = tuple[tuple[int, int], ...]


def turned(pattern: list[str]) -> list[str]:
    """A pattern, a quarter turn further."""
    return ["".join(row[column] for row in reversed(pattern)) for column in range(len(pattern[0]))]


def orientations(pattern: list[str]) -> list[list[str]]:
    """All distinct ways to turn and mirror a pattern."""
    found: list[list[str]] = []
    for way in (pattern, [row[::-1] for row in pattern]):
        for _ in range(4):
            if way not in found:
                found.append(way)
            way = turned(way)
    return found


def placements(pattern: list[str]) -> list[Placement]:
    """All distinct ways to lay a pattern on the town's grid."""
    found: list[Placement] = []
    for way in orientations(pattern):
        for top in range(4 - len(way) + 1):
            for left in range(4 - len(way[0]) + 1):
                found.append(
                    tuple(
                        (4 * (top + r) + left + c, LETTERS.index(letter))
                        for r, row in enumerate(way)
                        for c, letter in enumerate(row)
                        if letter != "."
                    )
                )
    return found


def mask_of(squares: Iterable[int]) -> int:
    """A set of squares as a number: bit `square` is set."""
    return sum(1 << square for square in squares)


def lying(pattern: list[str]) -> dict[int, list[Placement]]:
    """The placements of a pattern by the set of squares they cover; the sets in ascending order."""
    found: dict[int, list[Placement]] = {}
    for placement in sorted(placements(pattern), key=lambda each: mask_of(square for square, _ in each)):
        found.setdefault(mask_of(square for square, _ in placement), []).append(placement)
    return found


#: For every card, its placements; and by the squares that they cover: a footprint is the place of a set of squares.
PLACEMENTS = [placements(pattern) for pattern in PATTERNS]
FOOTPRINTS = [list(lying(pattern).items()) for pattern in PATTERNS]


# Towns.


@dataclass
class Building:
    """A building on a square, with the resources of the cubes that lie on it."""

    type: int
    cubes: list[int] = field(default_factory=list)


@dataclass
class Town:
    """What one seat has before it, and what it has to decide."""

    task: int = words.WAIT
    dealt: list[int] = field(default_factory=list)
    monument: int = 0
    returned: int = 0
    cubes: dict[int, int] = field(default_factory=dict)
    buildings: dict[int, Building] = field(default_factory=dict)
    hand: int | None = None
    aside: int = 0
    at: int = 0
    turns: int = 0
    completed: int = 0
    shrine: int = 0
    replacements: int = 0
    watch: set[int] = field(default_factory=set)
    watch_room: int = 0
    watch_since: int = 0
    constructed: set[int] = field(default_factory=set)

    def of(self, type: int) -> list[int]:
        """The squares with a building of a type."""
        return [square for square, building in self.buildings.items() if building.type == type]

    def types(self, squares: Iterable[int]) -> set[int]:
        """The types of the buildings on some squares."""
        return {self.buildings[square].type for square in squares if square in self.buildings}

    def empty(self) -> list[int]:
        """The squares that hold neither a cube nor a building."""
        return [square for square in SQUARES if square not in self.cubes and square not in self.buildings]

    def has(self, monument: str) -> bool:
        """Whether that monument stands here."""
        return CARD_IDS[self.monument] == monument and bool(self.of(MONUMENT))

    def castle(self) -> int | None:
        """The square of Barrett Castle, where it stands."""
        return self.of(MONUMENT)[0] if self.has("barrett_castle") else None

    def cottages_on(self, squares: Iterable[int]) -> int:
        """How many Cottages count there: Barrett Castle is two wherever Cottages are counted."""
        wanted = set(squares)
        return len(wanted & set(self.of(COTTAGE))) + (2 if self.castle() in wanted else 0)


# Points: a function for every card. They take the town, a square where one building counts by itself.


def well(town: Town, square: int) -> int:
    """Well: 1 point for each Cottage next to it, fed or unfed."""
    return town.cottages_on(BESIDE[square])


def fountain(town: Town, square: int) -> int:
    """Fountain: 2 points if next to at least one other building of the Well type."""
    return 2 if WELL in town.types(BESIDE[square]) else 0


def millstone(town: Town, square: int) -> int:
    """Millstone: 2 points if next to at least one building of the Farm or Theater type."""
    return 2 if town.types(BESIDE[square]) & {FARM, THEATER} else 0


def shed(town: Town, square: int) -> int:
    """Shed: 1 point."""
    return 1


def abbey(town: Town, square: int) -> int:
    """Abbey: 3 points if no building of the Factory, Tavern or Theater type is next to it."""
    return 0 if town.types(BESIDE[square]) & {FACTORY, TAVERN, THEATER} else 3


def cloister(town: Town, square: int) -> int:
    """Cloister: 1 point for each Cloister in a corner of the town."""
    return len(CORNERS & set(town.of(CHAPEL)))


def inn(town: Town, square: int) -> int:
    """Inn: 3 points if no other Inn is in its row or column."""
    return 0 if (ROW[square] | COLUMN[square]) & set(town.of(TAVERN)) else 3


def theater(town: Town, square: int) -> int:
    """Theater: 1 point for each other type in its row and column; Barrett Castle is of the Cottage type there."""
    lines = ROW[square] | COLUMN[square]
    found = town.types(lines) - {THEATER}
    if town.castle() in lines:
        happened["a Theater with Barrett Castle and a Cottage"] += COTTAGE in found
        found = found - {MONUMENT} | {COTTAGE}
    return len(found)


def bakery(town: Town, square: int) -> int:
    """Bakery: 3 points if next to at least one building of the Farm or Factory type."""
    return 3 if town.types(BESIDE[square]) & {FARM, FACTORY} else 0


def market(town: Town, square: int) -> int:
    """Market: 1 point for each Market in its row or in its column, whichever is more, itself included."""
    others = set(town.of(THEATER))
    return 1 + max(len(ROW[square] & others), len(COLUMN[square] & others))


def tailor(town: Town, square: int) -> int:
    """Tailor: 1 point, and 1 for each Tailor on the four squares in the centre, itself included."""
    return 1 + len(CENTRE & set(town.of(THEATER)))


#: Cards of which each building scores by itself.
EACH: dict[str, Callable[[Town, int], int]] = {
    "well": well,
    "fountain": fountain,
    "millstone": millstone,
    "shed": shed,
    "abbey": abbey,
    "cloister": cloister,
    "inn": inn,
    "theater": theater,
    "bakery": bakery,
    "market": market,
    "tailor": tailor,
    "factory": lambda town, square: 0,
    "bank": lambda town, square: 4,
    "trading_post": lambda town, square: 1,
    "warehouse": lambda town, square: -len(town.buildings[square].cubes),
}
#: Cards of which all buildings score together, by how many there are.
TOGETHER = {"tavern": [0, 2, 5, 9, 14, 20], "almshouse": [0, -1, 5, -3, 15, -5, 26]}
#: Cards that score, or feed, with the fed Cottages.
FEEDING = {"cottage", "farm", "granary", "greenhouse", "orchard", "chapel", "temple"}


def feedings(card: str, farms: frozenset[int], hungry: frozenset[int]) -> Iterator[set[int]]:
    """The sets of squares that the buildings of the Farm type can feed, of those that can be fed.

    "Feeding never hurts, so as many are fed as can be."
    """
    if card == "farm":
        for fed in combinations(sorted(hungry), min(4 * len(farms), len(hungry))):
            yield set(fed)
    elif card == "granary":
        yield {square for square in hungry if AROUND[square] & farms}
    elif card == "orchard":
        yield {square for square in hungry if (ROW[square] | COLUMN[square]) & farms}
    else:
        found = groups(hungry)
        for chosen in combinations(found, min(len(farms), len(found))):
            yield {square for group in chosen for square in group}


@lru_cache(maxsize=1 << 14)
def fed_points(
    farm_card: str,
    chapel_card: str,
    farms: frozenset[int],
    chapels: frozenset[int],
    cottages: frozenset[int],
    castle: int | None,
    mausoleum: bool,
) -> tuple[int, bool]:
    """All points that depend on which Cottages are fed, arranged so that they are as many as possible; and whether
    there was a worse way.

    A fed Cottage is worth 3, and so is an unfed one with the Grand Mausoleum; a fed Barrett Castle 5. A Chapel has 1
    for each fed Cottage in the town. A Temple has 4 if two or more fed Cottages are next to it. Barrett Castle takes
    one place when feeding, and is two fed Cottages.
    """
    hungry = cottages if castle is None else cottages | {castle}
    found: set[int] = set()
    for fed in feedings(farm_card, farms, hungry):
        castle_fed = castle in fed
        points = 3 * len(fed & cottages) + (5 if castle_fed else 0)
        if mausoleum:
            points += 3 * len(cottages - fed)
        for chapel in chapels:
            if chapel_card == "chapel":
                points += len(fed & cottages) + (2 if castle_fed else 0)
            elif chapel_card == "temple":
                near = len(fed & cottages & BESIDE[chapel]) + (2 if castle_fed and castle in BESIDE[chapel] else 0)
                points += 4 if near >= 2 else 0
        found.add(points)
    return max(found), len(found) > 1


def monument_points(town: Town, place: int) -> int:
    """What the monument scores, where it stands, but for feeding and for empty squares."""
    card = CARD_IDS[town.monument]
    others = town.types(SQUARES) - {MONUMENT}
    if card == "architects_guild":
        return 1
    if card == "archive_of_the_second_age":
        return len(others)
    if card == "cathedral_of_caterina":
        return 2
    if card == "fort_ironweed":
        return 7
    if card == "grove_university":
        return 3
    if card == "mandras_palace":
        return 2 * len(town.types(BESIDE[town.of(MONUMENT)[0]]))
    if card == "shrine_of_the_elder_tree":
        return 8 if town.shrine >= 6 else town.shrine
    if card == "silva_forum":
        return 1 + max(len(group) for type in range(8) for group in groups(town.of(type)))
    if card == "the_sky_baths":
        return 2 * (len(SUPPLY) - len(others))
    if card == "the_starloom":
        return {1: 6, 2: 3, 3: 2}.get(place, 0)
    assert card in (
        "barrett_castle",
        "grand_mausoleum_of_the_rodina",
        "obelisk_of_the_crescent",
        "opaleyes_watch",
        "statue_of_the_bondmaker",
    )
    return 0


def points(town: Town, cards: list[str], right_feast_halls: int, place: int) -> int:
    """All points of a town.

    `cards` has the card of each type; `right_feast_halls` is how many Feast Halls the player on the right has;
    `place` is the one that would count for The Starloom.
    """
    total = 0
    for type in SUPPLY:
        card = cards[type]
        squares = town.of(type)
        if card in EACH:
            total += sum(EACH[card](town, square) for square in squares)
        elif card in TOGETHER:
            total += TOGETHER[card][min(len(squares), len(TOGETHER[card]) - 1)]
        elif card == "feast_hall":
            total += (3 if len(squares) > right_feast_halls else 2) * len(squares)
        else:
            assert card in FEEDING, card
    fed, chosen = fed_points(
        cards[FARM],
        cards[CHAPEL],
        frozenset(town.of(FARM)),
        frozenset(town.of(CHAPEL)),
        frozenset(town.of(COTTAGE)),
        town.castle(),
        town.has("grand_mausoleum_of_the_rodina"),
    )
    total += fed
    happened[f"feeding is a choice: {cards[FARM]}, {cards[CHAPEL]}"] += chosen
    if cards[CHAPEL] == "temple" and town.castle() is not None and town.of(FARM):
        beside = [temple for temple in town.of(CHAPEL) if town.castle() in BESIDE[temple]]
        happened["a Temple beside Barrett Castle alone"] += any(
            town.cottages_on(BESIDE[temple]) == 2 for temple in beside
        )
    if town.of(MONUMENT):
        total += monument_points(town, place)
    if not town.has("cathedral_of_caterina"):
        total -= len(SQUARES) - len(town.buildings)
    return total


class GameReferee(Referee):
    """One game of Tiny Towns in progress."""

    def __init__(self, seats: int, options: Mapping[str, str], dealt: Any) -> None:
        self.seats = seats
        self.town_hall = options["naming"] == "town_hall"
        self.solo = seats == 1
        self.master_builder = not self.town_hall and not self.solo
        self.cavern = options["cavern"] == "yes"
        self.monuments = options["monuments"] == "yes"
        self.numbers = list(dealt.cards)
        self.cards = [CARD_IDS[number] for number in self.numbers]
        self._check_cards(options)
        self.round = 0
        self.ended = False
        self.builder = dealt.builder if self.master_builder else -1
        assert self.builder in (range(seats) if self.master_builder else [-1]), "the first Master Builder"
        #: The resource of this round; none before it is named, and in a free pick.
        self.named: int | None = None
        self.revealing = False
        self.unseen = [3] * 5
        self.turned = 0
        self.row = [0] * 5
        self.under: list[int] = []
        self.towns = [self._dealt_town(dealt.towns[seat], dealt.round) for seat in range(seats)]
        # what was worked out since the last move
        self._known: dict[int, set[Move]] = {}
        self._scored: list[int] | None = None
        if self.solo:
            self._open_three(dealt.row)
        if self.monuments and not dealt.round:
            self._deal_monuments(dealt)
        else:
            self._begin_at(dealt)

    @classmethod
    def rig(cls, dealt: Any, rng: random.Random) -> None:
        """Deal the monuments that do most, and lay out towns such as they are in the middle of a game."""
        if dealt.monuments:
            _rig_monuments(dealt, rng)
        twins = rng.random() < 0.15  # equal towns, for ties
        kinds = sorted(_KINDS) if rng.random() < 0.7 else ["rich"]
        for seat in range(dealt.seats):
            town = dealt.towns[seat]
            if dealt.naming == words.MASTER_BUILDER:
                town.turns = rng.choice([0, 1, 15, 16, 17, 31, 32, 33, 70])
            if twins and seat:
                first = dealt.towns[0]
                town.cubes, town.built, town.held = list(first.cubes), list(first.built), list(first.held)
            elif rng.random() < 0.9:
                at_most = 4 if twins or seat == dealt.builder else rng.choice([3, 4, 5, 5, 5])
                suiting = [_SUITING[CARD_IDS[card]] for card in town.dealt if CARD_IDS[card] in _SUITING]
                kind = rng.choice(suiting if suiting and rng.random() < 0.6 else kinds)
                _rig_town(town, list(dealt.cards), at_most, kind, rng)
        if not twins and rng.random() < 0.4:
            _rig_round(dealt, rng)

    @classmethod
    def rig_watches(cls, dealt: Any, rng: random.Random) -> None:
        """Go on to a later round in which most have an Opaleye's Watch: a file of cards may have several."""
        for seat in range(dealt.seats):
            dealt.towns[seat].dealt = [CARD_IDS.index("opaleyes_watch")] * 2
        _rig_round(dealt, rng)

    # The deal.

    def _check_cards(self, options: Mapping[str, str]) -> None:
        """Setup 2: the Cottage and one card of each type, random or picked; solo leaves some out (ruling 1)."""
        assert [CARD_TYPES[number] for number in self.numbers] == list(SUPPLY), "one card of each type"
        for type in SUPPLY:
            wanted = "cottage" if type == COTTAGE else options[TYPE_IDS[type]]
            assert wanted in ("random", self.cards[type]), f"{self.cards[type]} was dealt for {wanted}"
        assert not self.solo or not NOT_SOLO & set(self.cards), "a card that solo play leaves out"

    def _dealt_town(self, dealt: Any, round: int) -> Town:
        """A town as it was dealt: empty; or rigged, such as a town may be at the beginning of a round."""
        town = Town(turns=dealt.turns)
        for resource in RESOURCES:
            for square in SQUARES:
                if dealt.cubes[resource] >> square & 1:
                    assert square not in town.cubes, "two cubes on a square"
                    town.cubes[square] = resource
        for type in range(8):
            for square in SQUARES:
                if dealt.built[type] >> square & 1:
                    assert square in town.empty(), "two things on a square"
                    town.buildings[square] = Building(type, _unpack(dealt.held[square]))
        if round:
            town.monument, town.returned = dealt.monument, dealt.returned
            town.completed, town.shrine = dealt.completed, dealt.shrine
            town.watch = {type for type in SUPPLY if dealt.watch >> type & 1}
            town.watch_since = dealt.watch_since
        self._check_town(town, dealt.held, round)
        return town

    def _check_town(self, town: Town, held: list[int], round: int) -> None:
        for square in SQUARES:
            assert square in town.buildings or not held[square], "cubes held by nothing"
        many = {"factory": [1], "bank": [1], "warehouse": [0, 1, 2, 3]}.get(self.cards[FACTORY], [0])
        for building in town.buildings.values():
            sheltering = building.type == COTTAGE and town.has("statue_of_the_bondmaker")
            can = many if building.type == FACTORY else [0, 1] if sheltering else [0]
            assert len(building.cubes) in can, "cubes held"
        assert len(town.of(MONUMENT)) <= bool(town.monument), "a monument"
        assert bool(town.empty()) != bool(town.completed), "a full town"
        assert not town.completed or town.completed < round, "completed"
        assert not town.watch or (town.has("opaleyes_watch") and 0 < town.watch_since < round), "Opaleye's Watch"

    def _open_three(self, row: list[int]) -> None:
        """Solo: of 15 resource cards three lie open."""
        assert sum(row) == 3, "three open cards"
        assert all(0 <= many <= 3 for many in row), "three cards of a resource"
        self.row = list(row)
        self.unseen = [3 - many for many in row]

    def _deal_monuments(self, dealt: Any) -> None:
        """Setup 3: everyone is dealt two monument cards and looks at both."""
        everyones: list[int] = []
        for seat, town in enumerate(self.towns):
            town.dealt = list(dealt.towns[seat].dealt)
            town.task = words.KEEP
            everyones += town.dealt
        assert len(set(everyones)) == 2 * self.seats, "monuments dealt twice"
        assert set(everyones) <= set(MONUMENT_CARDS), "no monuments"
        assert not self.solo or not NOT_SOLO & {CARD_IDS[card] for card in everyones}, "not for solo play"

    def _begin_at(self, dealt: Any) -> None:
        """Play begins: with the first round, or rigged with a later one."""
        self.round = dealt.round
        assert self.round >= 1, "no round"
        if self.master_builder:
            assert self.builder in self._left(), "a Master Builder whose town is completed"
            assert self._may_choose(self.builder), "a Master Builder who cannot name"
        if self.town_hall:
            cards = self.round - self.round // 3
            self.turned = (cards - 1) % 10
            assert dealt.turned == self.turned + 1, "cards turned"
            self.unseen = [many + (resource == dealt.named - 1) for resource, many in enumerate(dealt.unseen)]
            assert sum(self.unseen) + self.turned == 15, "cards unseen"
            assert max(self.unseen) <= 3, "three cards of a resource"
        self._open_round(dealt)

    # Rounds.

    def _left(self) -> list[int]:
        """The seats still in the game: those whose towns are not completed."""
        return [seat for seat in range(self.seats) if not self.towns[seat].completed]

    def _barred(self, seat: int) -> bool:
        """Fort Ironweed: no turns as Master Builder, and no free pick, unless last in the game."""
        return self.towns[seat].has("fort_ironweed") and len(self._left()) > 1

    def _on_banks(self, seat: int) -> set[int]:
        """The resources that lie on the Banks of a seat."""
        if self.cards[FACTORY] != "bank":
            return set()
        town = self.towns[seat]
        return {cube for square in town.of(FACTORY) for cube in town.buildings[square].cubes}

    def _may_choose(self, seat: int) -> list[int]:
        """The resources a seat may name as Master Builder, or take as a free pick; none for some."""
        if self._barred(seat):
            return []
        return [resource for resource in RESOURCES if resource not in self._on_banks(seat)]

    def _next_builder(self) -> int | None:
        """A round, 4: the hammer goes left to the next player still in the game, past those who cannot name."""
        for step in range(1, self.seats + 1):
            seat = (self.builder + step) % self.seats
            if seat in self._left():
                if self._may_choose(seat):
                    if len(self._left()) == 1:
                        happened["last in the game names"] += 1
                        happened["last in the game names, with Fort Ironweed"] += self.towns[seat].has("fort_ironweed")
                    return seat
                happened["the hammer passes Fort Ironweed"] += self._barred(seat)
                happened["the hammer passes five Banks"] += not self._barred(seat)
        return None

    def _begin_round(self, after: Any) -> None:
        """A new round, or the end of the game."""
        self._known.clear()
        if not self._left():
            self._end()
            return
        if self.solo and self.round:
            self._open_next(after)
        self.round += 1
        self.named = None
        for town in self.towns:
            town.constructed = set()
        if self.master_builder and self.round > 1:
            builder = self._next_builder()
            if builder is None:  # ruling 15: the towns of all who are left count as completed in this round
                happened["nobody can name"] += 1
                happened["nobody can name, The Starloom among them"] += any(
                    self.towns[seat].has("the_starloom") for seat in self._left()
                )
                for seat in self._left():
                    self.towns[seat].completed = self.round
                self._end()
                return
            self.builder = builder
        self._open_round(after)

    def _open_round(self, after: Any) -> None:
        """A round, 1: who names the resource; Town Hall and solo have cards."""
        if self.master_builder:
            self.towns[self.builder].task = words.NAME
        elif self.solo:
            self.towns[0].task = words.NAME
        elif self.round % 3 == 0:
            for seat in self._left():  # Town Hall, 3; ruling 21: who may take nothing may still build
                can = self._may_choose(seat)
                self.towns[seat].task = words.PICK if can else words.BUILD
                if not can:
                    happened[f"no free pick for {'Fort Ironweed' if self._barred(seat) else 'five Banks'}"] += 1
                elif self.towns[seat].has("fort_ironweed"):
                    happened["free pick for Fort Ironweed, last in the game"] += 1
        else:
            self._turn_card(after)

    def _end(self) -> None:
        self.ended = True
        for town in self.towns:
            town.task = words.WAIT

    def _turn_card(self, after: Any) -> None:
        """Town Hall: of 15 cards 5 are laid aside; the top card is turned; with none left, all are shuffled."""
        if self.turned == 10:
            happened["Town Hall: shuffled again"] += 1
            self.turned = 0
            self.unseen = [3] * 5
        resource = after.named - 1
        assert resource in RESOURCES, "no card was turned"
        assert self.unseen[resource], "a card was turned that cannot be on the pile"
        self.unseen[resource] -= 1
        self.turned += 1
        self._hand_out(resource)

    def _open_next(self, after: Any) -> None:
        """Solo: the chosen card goes under the pile, and the top card of the pile takes its place."""
        assert self.named is not None
        self.under.append(self.named)
        if any(self.unseen):
            opened = [resource for resource in RESOURCES if after.row[resource] > self.row[resource]]
            assert len(opened) == 1, "one card is opened"
            resource = opened[0]
            assert self.unseen[resource], "the card opened cannot be on the pile"
            self.unseen[resource] -= 1
        else:
            happened["solo: a card comes back"] += 1
            resource = self.under.pop(0)
        self.row[resource] += 1

    def _hand_out(self, resource: int) -> None:
        """A round, 2: everyone still in the game has a cube of the resource to place."""
        self._known.clear()
        self.named = resource
        for seat in self._left():
            self.towns[seat].hand = resource
            self.towns[seat].task = words.PLACE

    def _by_another(self, seat: int) -> bool:
        """Whether the cube was named by another player; a card turned or chosen counts as that (ruling 12)."""
        return self.named is not None and not (self.master_builder and seat == self.builder)

    def _finish_if_all_done(self, after: Any) -> None:
        """Ruling 11: the round ends when everyone has said done. Then Opaleye's Watch is resolved, and the towns that
        are full are completed: with room on a Warehouse or a Cottage (ruling 7), or by the Watch (ruling 27).
        """
        if any(town.task != words.WAIT for town in self.towns):
            return
        owners = [seat for seat in self._clockwise() if self._brought(seat)]
        if owners:
            happened["Opaleye's Watch: something comes"] += 1
            happened["Opaleye's Watch: with two seats"] += self.seats == 2
            happened["Opaleye's Watch: several owners"] += len(owners) > 1
            happened["Opaleye's Watch: several owners, not by number"] += owners != sorted(owners)
            self.revealing = True
            self.towns[owners[0]].task = words.REVEAL
            return
        self.revealing = False
        for seat in self._left():
            if not self.towns[seat].empty():
                self.towns[seat].completed = self.round
        self._begin_round(after)

    def _clockwise(self) -> list[int]:
        """The seats in the order of their Watches (ruling 5): from the Master Builder, or from the first."""
        first = self.builder if self.master_builder else 0
        return [(first + step) % self.seats for step in range(self.seats)]

    def _brought(self, seat: int) -> set[int]:
        """What Opaleye's Watch brings now: types on it that a neighbour has constructed in this round.

        It works from the round after it was built; with no empty square, the building stays (ruling 5). A Bank obeys
        its limit (ruling 19).
        """
        town = self.towns[seat]
        if not town.watch or town.watch_since >= self.round:
            return set()
        brought = set()
        for neighbour in ((seat + 1) % self.seats, (seat - 1) % self.seats):
            brought |= town.watch & self.towns[neighbour].constructed
        if brought and not town.empty():
            happened["Opaleye's Watch: no empty square"] += 1
            return set()
        coming = {type for type in brought if self._in_supply(seat, type)}
        happened["Opaleye's Watch: a sixth Bank stays"] += coming != brought
        return coming

    def _in_supply(self, seat: int, type: int) -> bool:
        """Ruling 19: a Bank only while some resource lies on none of its owner's Banks."""
        if type == FACTORY and self.cards[FACTORY] == "bank" and len(self._on_banks(seat)) == len(RESOURCES):
            happened["a sixth Bank is refused"] += 1
            return False
        return True

    # What there is to decide.

    def waiting(self) -> set[int]:
        """The seats with a task."""
        return {seat for seat in range(self.seats) if self.towns[seat].task != words.WAIT}

    def legal(self, seat: int) -> set[Move]:
        """By what the seat has to decide."""
        if seat not in self._known:
            moves = {
                words.KEEP: self._keeping,
                words.NAME: self._naming,
                words.PICK: self._picking,
                words.PLACE: self._placing,
                words.BUILD: self._building,
                words.MARK: self._marking,
                words.MOVE_SHED: self._moving_shed,
                words.STOCK: self._stocking,
                words.GRANT: self._granting,
                words.REPLACE: self._replacing,
                words.REVEAL: self._bringing,
            }[self.towns[seat].task](seat)
            self._known[seat] = set(moves)
        return self._known[seat]

    def _keeping(self, seat: int) -> Iterator[Move]:
        """Setup 3: keep one of the two."""
        yield "keep", (0,)
        yield "keep", (1,)

    def _naming(self, seat: int) -> Iterator[Move]:
        """A round, 1. Solo: one of the open cards."""
        for resource in RESOURCES:
            if self.row[resource] if self.solo else resource in self._may_choose(seat):
                yield "name", (resource,)

    def _picking(self, seat: int) -> Iterator[Move]:
        """Town Hall, 3: any resource, but those on Banks of one's own."""
        for resource in self._may_choose(seat):
            yield "pick", (resource,)

    def _placing(self, seat: int) -> Iterator[Move]:
        """Placing: on any empty square; and what cards and the Cavern rule allow with a cube named by another."""
        town = self.towns[seat]
        empty = town.empty()
        for square in empty:
            yield "place", (square,)
        if not self._by_another(seat):
            return
        factories = {square: town.buildings[square].cubes for square in town.of(FACTORY)}
        if self.cards[FACTORY] == "factory" and any(town.hand in cubes for cubes in factories.values()):
            happened["substitute offered, two Factories"] += len(factories) > 1
            for resource in RESOURCES:
                if resource != town.hand:
                    for square in empty:  # ruling 9: never on a Warehouse or a Cottage
                        yield "substitute", (resource, square)
        if self.cards[FACTORY] == "warehouse":
            happened["several Warehouses"] += len(factories) > 1
            for warehouse, cubes in factories.items():
                if len(cubes) < 3:
                    yield "store", (warehouse,)
                for resource in set(cubes) - {town.hand}:  # ruling 16
                    happened["swap offered at a full Warehouse"] += len(cubes) == 3
                    for square in empty:
                        yield "swap", (warehouse, resource, square)
        if town.has("statue_of_the_bondmaker"):
            for cottage in town.of(COTTAGE):
                if not town.buildings[cottage].cubes:  # each Cottage holds at most one
                    yield "shelter", (cottage,)
        if self.cavern and town.aside < 2:
            yield "set_aside", ()

    def _card(self, seat: int, type: int) -> int:
        """The number of the card that a seat builds a type with."""
        return self.towns[seat].monument if type == MONUMENT else self.numbers[type]

    def _posts(self, seat: int) -> set[int]:
        """The squares that stand in for any one resource: Trading Posts."""
        return set(self.towns[seat].of(FACTORY)) if self.cards[FACTORY] == "trading_post" else set()

    def _cubes_of(self, seat: int, placement: Placement, posts: set[int]) -> list[int] | None:
        """The squares whose cubes would be removed for a pattern that lies so; nothing where it does not lie there.

        A Trading Post may stand in for any one; at least one real cube is needed.
        """
        cubes = self.towns[seat].cubes
        real = []
        for square, resource in placement:
            if cubes.get(square) == resource:
                real.append(square)
            elif square not in posts:
                return None
        return real or None

    def _building(self, seat: int) -> Iterator[Move]:
        """Building: the patterns that lie in the town; or done.

        Ruling 22: ways that remove the same cubes are one move. So the second argument here is the set of cubes.
        """
        town = self.towns[seat]
        posts = self._posts(seat)
        yield "done", ()
        for type in range(8):
            if type == MONUMENT and (not town.monument or town.of(MONUMENT)):
                continue
            anywhere = town.has("obelisk_of_the_crescent") or (type == WELL and self.cards[WELL] == "shed")
            ways = PLACEMENTS[self._card(seat, type)]
            if len(ways[0]) > len(town.cubes) + len(posts):
                continue  # no way can have something on each of its squares
            for placement in ways:
                real = self._cubes_of(seat, placement, posts)
                if real is None or not self._in_supply(seat, type):
                    continue
                self._note_build(seat, type, len(placement) - len(real))
                for square in [*real, *town.empty()] if anywhere else real:
                    yield "build", (type, mask_of(real), square)

    def _note_build(self, seat: int, type: int, posts: int) -> None:
        if posts:
            happened[f"build offered with {min(posts, 3)} Trading Posts"] += 1
            happened["monument offered with Trading Posts"] += type == MONUMENT
        if self.towns[seat].has("obelisk_of_the_crescent"):
            happened["build offered with the Obelisk"] += 1

    def _marking(self, seat: int) -> Iterator[Move]:
        """A Factory gets a cube of any resource, a Bank one that lies on no other Bank of its owner."""
        for resource in RESOURCES:
            if resource not in self._on_banks(seat):
                yield "mark", (resource,)

    def _moving_shed(self, seat: int) -> Iterator[Move]:
        """Ruling 18: a Shed of Architect's Guild may go on any empty square, the one just emptied included."""
        for square in self.towns[seat].empty():
            yield "move_shed", (square,)

    def _stocking(self, seat: int) -> Iterator[Move]:
        """Opaleye's Watch: three different types from the supply."""
        for type in SUPPLY:
            if type not in self.towns[seat].watch:
                yield "stock", (type,)

    def _granting(self, seat: int) -> Iterator[Move]:
        """Grove University: any building of the supply on any empty square."""
        for type in SUPPLY:
            if self._in_supply(seat, type):
                for square in self.towns[seat].empty():
                    yield "put", (type, square)

    def _replacing(self, seat: int) -> Iterator[Move]:
        """Architect's Guild: other buildings than itself, by other types, but no monument; or no more."""
        yield "done", ()
        for square, building in self.towns[seat].buildings.items():
            if building.type != MONUMENT:
                for type in SUPPLY:
                    if type != building.type and self._in_supply(seat, type):
                        yield "replace", (square, type)

    def _bringing(self, seat: int) -> Iterator[Move]:
        """Opaleye's Watch: its owner picks the empty square."""
        brought = self._brought(seat)
        happened["Opaleye's Watch: several at once"] += len(brought) > 1
        for type in brought:
            for square in self.towns[seat].empty():
                yield "put", (type, square)

    def same(self, seat: int, move: Move) -> Move:
        """A build of the rules, whose footprint is a number, with the cubes that it removes."""
        family, arguments = move
        if family != "build":
            return move
        type, footprint, square = arguments
        card = self._card(seat, type)
        covered, ways = FOOTPRINTS[card][footprint]
        for placement in ways:
            real = self._cubes_of(seat, placement, self._posts(seat))
            if real:
                return "build", (type, mask_of(real), square)
        raise AssertionError(f"{CARD_IDS[card]} is offered on squares {covered:016b}, where its pattern does not lie")

    # Moves.

    def play(self, seat: int, move: Move, after: Any) -> None:
        """By the family of the move."""
        family, arguments = move
        happened[f"move {family}"] += 1
        self._known.pop(seat, None)
        self._scored = None
        town = self.towns[seat]
        if family == "keep":
            self._keep(town, arguments[0], after)
        elif family == "name":
            if self.solo:
                self.row[arguments[0]] -= 1
            else:
                town.turns += 1
            town.task = words.WAIT
            self._hand_out(arguments[0])
        elif family == "pick":
            town.hand = arguments[0]
            town.task = words.PLACE
        elif family in ("place", "substitute", "store", "swap", "shelter", "set_aside"):
            self._place(town, family, arguments)
        elif family == "build":
            self._build(seat, *arguments)
        elif family == "done":
            self._done(town, after)
        elif family == "mark":
            town.buildings[town.at].cubes.append(arguments[0])
            town.task = words.WAIT
            self._go_on(seat, after)
        elif family == "move_shed":
            town.task = words.WAIT
            self._put_down(seat, WELL, arguments[0])
            self._go_on(seat, after)
        elif family == "stock":
            town.watch.add(arguments[0])
            town.watch_room -= 1
            if not town.watch_room:
                self._go_on(seat, after)
        elif family == "put":
            happened[f"{'brought' if self.revealing else 'granted'}: {self.cards[arguments[0]]}"] += 1
            if self.revealing:
                town.watch.remove(arguments[0])
            self._put_down(seat, *arguments)
            self._go_on(seat, after)
        else:
            assert family == "replace", family
            self._replace(seat, *arguments)
            self._go_on(seat, after)

    def _keep(self, town: Town, kept: int, after: Any) -> None:
        """Setup 3: one is kept, the other put back unseen. When all have kept one, the first round begins."""
        town.monument, town.returned = town.dealt[kept], town.dealt[1 - kept]
        town.dealt = []
        town.task = words.WAIT
        if not self.waiting():
            self._begin_round(after)

    def _place(self, town: Town, family: str, arguments: tuple[int, ...]) -> None:
        """Placing, and what may be done instead."""
        assert town.hand is not None
        if family == "place":
            town.cubes[arguments[0]] = town.hand
        elif family == "substitute":
            resource, square = arguments
            town.cubes[square] = resource
        elif family == "store":
            town.buildings[arguments[0]].cubes.append(town.hand)
        elif family == "swap":
            warehouse, resource, square = arguments
            town.buildings[warehouse].cubes.remove(resource)
            town.buildings[warehouse].cubes.append(town.hand)
            town.cubes[square] = resource
        elif family == "shelter":
            town.buildings[arguments[0]].cubes.append(town.hand)
        else:
            town.aside += 1
        town.hand = None
        town.task = words.BUILD

    def _build(self, seat: int, type: int, real: int, square: int) -> None:
        """Building: the cubes go back to the supply, and the building is put down."""
        town = self.towns[seat]
        happened[f"built: {CARD_IDS[self._card(seat, type)]}"] += 1
        for cube in [cube for cube in town.cubes if real >> cube & 1]:
            del town.cubes[cube]
        self._put_down(seat, type, square)
        if type == MONUMENT:
            self._open_monument(town)

    def _put_down(self, seat: int, type: int, square: int) -> None:
        """A building comes into the town; a Factory or a Bank is to get its cube (ruling 4)."""
        town = self.towns[seat]
        assert square in town.empty(), "put down on something"
        town.buildings[square] = Building(type)
        town.constructed.add(type)
        if type == FACTORY and self.cards[FACTORY] in ("factory", "bank"):
            town.task = words.MARK
            town.at = square
            happened[f"{self.cards[FACTORY]} number {len(town.of(FACTORY))}"] += 1

    def _open_monument(self, town: Town) -> None:
        """Your monument: do at once what it says for that moment."""
        card = CARD_IDS[town.monument]
        if card == "architects_guild":
            town.replacements = 2
            town.task = words.REPLACE
        elif card == "grove_university":
            if town.empty():
                town.task = words.GRANT
            else:  # ruling 17
                happened["Grove University: no empty square"] += 1
        elif card == "opaleyes_watch":
            town.watch_room = 3
            town.watch_since = self.round
            town.task = words.STOCK
        elif card == "shrine_of_the_elder_tree":
            town.shrine = len(town.buildings)  # ruling 26
            happened[f"Shrine number {town.shrine}"] += 1

    def _replace(self, seat: int, square: int, type: int) -> None:
        """Architect's Guild: one building for another; the cubes on it go back to the supply (ruling 18)."""
        town = self.towns[seat]
        old = town.buildings.pop(square)
        happened[f"replaced: {self.cards[old.type]}, by {self.cards[type]}"] += 1
        happened["replaced: what was just put down"] += town.replacements == 1 and square == town.at
        happened["replaced: one with cubes"] += bool(old.cubes)
        town.replacements -= 1
        if type == WELL and self.cards[WELL] == "shed":
            town.task = words.MOVE_SHED
        else:
            town.task = words.REPLACE
            self._put_down(seat, type, square)

    def _go_on(self, seat: int, after: Any) -> None:
        """What a seat decides after an effect, unless the effect has something else to be decided."""
        town = self.towns[seat]
        if town.task in (words.MARK, words.MOVE_SHED):
            return
        if self.revealing:
            town.task = words.WAIT
            self._finish_if_all_done(after)
        else:
            town.task = words.REPLACE if town.replacements else words.BUILD

    def _done(self, town: Town, after: Any) -> None:
        """No more replacements; or no more building."""
        if town.task == words.REPLACE:
            town.replacements = 0
            town.task = words.BUILD
            return
        town.task = words.WAIT
        self._finish_if_all_done(after)

    # What is compared.

    def compare(self, state: Any) -> None:
        """Every field, but for chance and what only counts (`barrier`)."""
        ours = {
            "seats": self.seats,
            "naming": words.TOWN_HALL if self.town_hall else words.SOLO if self.solo else words.MASTER_BUILDER,
            "cavern": int(self.cavern),
            "monuments": int(self.monuments),
            "cards": self.numbers,
            "round": self.round,
            "ended": int(self.ended),
            "builder": self.builder,
            "named": 0 if self.named is None else self.named + 1,
            "revealing": int(self.revealing),
            "unseen": self.unseen,
            "turned": self.turned,
            "row": self.row,
            "under": [resource + 1 for resource in self.under] + [0] * (15 - len(self.under)),
        }
        _same_fields("the game", state, ours)
        for seat, town in enumerate(self.towns):
            _same_fields(f"seat {seat}", state.towns[seat], self._fields_of(town))
        for seat in range(self.seats, words.MAX_SEATS):
            assert state.towns[seat].values() == NOBODYS, f"seat {seat}, where nobody sits, has something"

    def _fields_of(self, town: Town) -> dict[str, Any]:
        cubes, built = [0] * 5, [0] * 8
        for square, resource in town.cubes.items():
            cubes[resource] |= 1 << square
        for square, building in town.buildings.items():
            built[building.type] |= 1 << square
        fields: dict[str, Any] = {
            "task": town.task,
            "dealt": town.dealt or [0, 0],
            "monument": town.monument,
            "returned": town.returned,
            "cubes": cubes,
            "built": built,
            "held": [_packed(town.buildings[s].cubes) if s in town.buildings else 0 for s in SQUARES],
            "hand": 0 if town.hand is None else town.hand + 1,
            "aside": town.aside,
            "turns": town.turns,
            "completed": town.completed,
            "shrine": town.shrine,
            "replacements": town.replacements,
            "watch": mask_of(town.watch),
            "watch_room": town.watch_room,
            "watch_since": town.watch_since,
            "constructed": mask_of(town.constructed),
        }
        if town.task == words.MARK:
            fields["at"] = town.at
        return fields

    def scores(self) -> list[int]:
        """The end, as if it were now. The player on one's right has the seat before one's own; in solo play a Feast
        Hall is compared with 0 (ruling 1)."""
        if self._scored is not None:
            return self._scored
        found = []
        for seat, town in enumerate(self.towns):
            halls = 0 if self.solo else len(self.towns[seat - 1].of(TAVERN))
            if self.cards[TAVERN] == "feast_hall" and town.of(TAVERN):
                more = (len(town.of(TAVERN)) > halls) - (len(town.of(TAVERN)) < halls)
                happened[f"Feast Halls: {['as many', 'more', 'fewer'][more]}, {min(self.seats, 3)} seats"] += 1
            found.append(points(town, self.cards, halls, self._place_of(town)))
        self._scored = found
        return found

    def _place_of(self, town: Town) -> int:
        """Ruling 3: 1 plus the number of players whose towns were completed in an earlier round."""
        mine = town.completed or self.round
        place = 1 + sum(0 < other.completed < mine for other in self.towns)
        if self.ended and town.has("the_starloom"):
            level = sum(other.completed == town.completed for other in self.towns) > 1
            happened[f"The Starloom: place {place}{', shared' if level else ''}"] += 1
        return place

    def standings(self) -> list[int]:
        """Ties: the most points; then the fewest turns as Master Builder, where there is one (ruling 12); then the
        fewest squares without a building; then the most Cottages, Barrett Castle being two. Who is level shares."""
        merits = []
        for score, town in zip(self.scores(), self.towns):
            turns = town.turns if self.master_builder else 0
            merits.append((-score, turns, len(SQUARES) - len(town.buildings), -town.cottages_on(SQUARES)))
        for one, other in combinations(merits, 2):
            level = next((rank for rank in range(4) if one[rank] != other[rank]), 4)
            happened[f"tie-break {level}"] += self.ended
            happened["tie-break by turns, 16 and more"] += level == 1 and max(one[1], other[1]) > 15
        return [1 + sum(other < mine for other in merits) for mine in merits]


# How a plain state has things.

#: The town of a seat where nobody sits.
NOBODYS = words.Town().values()


def _unpack(held: int) -> list[int]:
    """The cubes on a building: two bits a resource."""
    return [resource for resource in RESOURCES for _ in range(held >> 2 * resource & 3)]


def _packed(cubes: list[int]) -> int:
    return sum(1 << 2 * resource for resource in cubes)


def _same_fields(whose: str, state: Any, ours: dict[str, Any]) -> None:
    for name, wanted in ours.items():
        value = getattr(state, name)
        value = list(value) if isinstance(wanted, list) else value
        assert value == wanted, f"{whose}: {name} is {value}, and the referee has {wanted}"


# Rigged deals.


#: The monuments that do more than score.
_DOING = {
    "architects_guild",
    "barrett_castle",
    "fort_ironweed",
    "grove_university",
    "obelisk_of_the_crescent",
    "opaleyes_watch",
    "shrine_of_the_elder_tree",
    "statue_of_the_bondmaker",
    "the_starloom",
}


def _rig_monuments(dealt: Any, rng: random.Random) -> None:
    """Deal the monuments anew, and in most games those that do more than score before all others."""
    allowed = [card for card in MONUMENT_CARDS if dealt.seats > 1 or CARD_IDS[card] not in NOT_SOLO]
    rng.shuffle(allowed)
    if rng.random() < 0.7:
        allowed.sort(key=lambda card: CARD_IDS[card] not in _DOING)
    first = rng.choice(["opaleyes_watch", "architects_guild", "architects_guild", *sorted(_DOING)])
    allowed.sort(key=lambda card: CARD_IDS[card] != first)
    for seat in range(dealt.seats):
        dealt.towns[seat].dealt = allowed[2 * seat : 2 * seat + 2]


def _rig_round(dealt: Any, rng: random.Random) -> None:
    """Go on to the beginning of a later round: monuments are kept, and most of them built; some towns are full."""
    round = 1 if dealt.naming == words.SOLO else rng.choice([2, 4, 5, 14, 29])
    full = {seat for seat in range(dealt.seats) if seat != dealt.builder and rng.random() < 0.2}
    full.discard(rng.randrange(dealt.seats))
    for seat in range(dealt.seats):
        town = dealt.towns[seat]
        if dealt.monuments:
            kept = int(rng.random() < 0.3)
            town.monument, town.returned = town.dealt[kept], town.dealt[1 - kept]
            town.dealt = [0, 0]
            card = CARD_IDS[town.monument]
            at_once = card in ("architects_guild", "grove_university", "shrine_of_the_elder_tree")
            may_stand = card != "fort_ironweed" or seat != dealt.builder
            if may_stand and rng.random() < (0.1 if at_once else 0.8):
                _rig_monument(town, round, rng)
        for square in SQUARES:
            if seat in full and not any(mask >> square & 1 for mask in (*town.cubes, *town.built)):
                town.cubes[rng.choice(RESOURCES)] |= 1 << square
        town.completed = rng.randint(1, round - 1) if seat in full and round > 1 else 0
        town.task = words.WAIT
    for seat in range(dealt.seats):
        neighbour = (seat + 1) % dealt.seats
        if dealt.towns[seat].watch and neighbour not in full:
            watched = [dealt.cards[type] for type in SUPPLY if dealt.towns[seat].watch >> type & 1]
            _rig_patterns(dealt.towns[neighbour], watched, rng)
    dealt.round = round
    left = [dealt.towns[seat] for seat in range(dealt.seats) if seat not in full]
    if dealt.naming == words.TOWN_HALL:
        dealt.turned = (round - round // 3 - 1) % 10 + 1
        turned = rng.sample([resource for resource in RESOURCES for _ in range(3)], dealt.turned)
        dealt.unseen = [3 - turned.count(resource) for resource in RESOURCES]
        dealt.named = turned[-1] + 1
        for town in left:
            town.task, town.hand = words.PLACE, dealt.named
        for seat in full:
            dealt.towns[seat].hand = 0
    elif dealt.naming == words.SOLO:
        dealt.towns[0].task = words.NAME
    else:
        dealt.towns[dealt.builder].task = words.NAME


def _rig_monument(town: Any, round: int, rng: random.Random) -> None:
    """Let the monument stand, on a square that is not empty, if there is one."""
    filled = [square for square in SQUARES if any(mask >> square & 1 for mask in (*town.cubes, *town.built))]
    square = rng.choice(filled or SQUARES)
    town.cubes = [mask & ~(1 << square) for mask in town.cubes]
    town.built = [mask & ~(1 << square) for mask in town.built[:MONUMENT]] + [1 << square]
    town.held[square] = 0
    card = CARD_IDS[town.monument]
    if card == "opaleyes_watch":
        town.watch = mask_of(rng.sample(range(FACTORY), 2)) | 1 << FACTORY
        town.watch_since = rng.randint(1, round - 1)
    elif card == "shrine_of_the_elder_tree":
        town.shrine = rng.randint(1, 9)
    elif card == "statue_of_the_bondmaker":
        for cottage in SQUARES:
            if town.built[COTTAGE] >> cottage & 1 and rng.random() < 0.4:
                town.held[cottage] = _packed([rng.choice(RESOURCES)])


def _rig_patterns(town: Any, cards: list[int], rng: random.Random) -> None:
    """Let nothing lie in a town but patterns ready to be built, and the monument."""
    town.built = [0] * MONUMENT + [town.built[MONUMENT]]
    town.held = [0] * len(SQUARES)
    laid: dict[int, int] = {}
    for card in cards:
        free = [
            where
            for where in PLACEMENTS[card]
            if not any(square in laid or town.built[MONUMENT] >> square & 1 for square, _ in where)
        ]
        laid.update(rng.choice(free) if free else ())
    town.cubes = [mask_of(square for square in laid if laid[square] == resource) for resource in RESOURCES]


#: Kinds of rigged towns: how many buildings of each type there are to one another.
_KINDS = {
    "mixed": [2, 1, 1, 1, 1, 1, 1],
    "fed": [8, 2, 1, 3, 0, 2, 0],
    "hungry": [9, 1, 0, 3, 0, 0, 0],
    "factories": [2, 0, 1, 0, 1, 0, 6],
    "sheds": [1, 1, 5, 0, 0, 1, 1],
    "temples": [2, 2, 0, 5, 0, 2, 0],
    "taverns": [0, 0, 0, 1, 6, 1, 0],
    "theaters": [1, 1, 0, 1, 0, 6, 1],
    "rich": [0, 0, 0, 0, 0, 0, 1],
}


#: Kinds that suit a monument.
_SUITING = {
    "barrett_castle": "temples",
    "grove_university": "rich",
    "opaleyes_watch": "rich",
    "statue_of_the_bondmaker": "hungry",
}


def _rig_town(town: Any, cards: list[int], most_banks: int, kind: str, rng: random.Random) -> None:
    """Put cubes and buildings into an empty town: patterns ready to be built, buildings, and other cubes."""
    cubes: dict[int, int] = {}
    buildings: dict[int, int] = {}
    posts = CARD_IDS[cards[FACTORY]] == "trading_post"
    crowded = kind in ("rich", "fed", "hungry", "temples")

    def lay(card: int) -> None:
        """Lay a pattern where there is room; with Trading Posts, these may stand in for some of it."""
        free = [where for where in PLACEMENTS[card] if not any(s in cubes or s in buildings for s, _ in where)]
        if free and len(cubes) + len(buildings) + len(free[0]) < 16:
            where = list(rng.choice(free))
            rng.shuffle(where)
            standing_in = 0
            if posts and rng.random() < 0.7:
                standing_in = len(where) - 1 if crowded else rng.randint(1, len(where) - 1)
            buildings.update((square, FACTORY) for square, _ in where[:standing_in])
            cubes.update(where[standing_in:])

    if kind == "rich" and rng.random() < 0.5:
        lay(cards[FACTORY])
    for card in town.dealt if any(town.dealt) else []:
        if rng.random() < (0.6 if crowded else 0.9):
            lay(card)
    for _ in range(0 if crowded else rng.choice([0, 1, 2, 4])):
        lay(rng.choice(cards))
    free = [square for square in SQUARES if square not in cubes and square not in buildings]
    rng.shuffle(free)
    free = free[rng.choice([1, 1, 2] if crowded else [1, 1, 2, 3, 5, 7]) :]
    many = min(rng.choice([4, 5, 5]), len(free)) if kind == "rich" else rng.randint(len(free) // 2 * crowded, len(free))
    buildings.update((square, type) for square, type in zip(free[:many], rng.choices(SUPPLY, _KINDS[kind], k=many)))
    cubes.update((square, rng.choice(RESOURCES)) for square in free[many:] if crowded or rng.random() < 0.8)
    banks = rng.sample(RESOURCES, most_banks)
    for square, type in buildings.items():
        held: list[int] = []
        if type == FACTORY and CARD_IDS[cards[FACTORY]] == "bank":
            if not banks:
                type = TAVERN
            else:
                held = [banks.pop()]
        elif type == FACTORY and CARD_IDS[cards[FACTORY]] == "factory":
            held = [rng.choice(RESOURCES)]
        elif type == FACTORY and CARD_IDS[cards[FACTORY]] == "warehouse":
            held = rng.choices(RESOURCES, k=rng.randint(0, 3))
        town.built[type] |= 1 << square
        town.held[square] = _packed(held)
    for square, resource in cubes.items():
        town.cubes[resource] |= 1 << square
