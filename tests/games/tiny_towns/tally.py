"""The points of a town, counted a second time: slowly, from the printed tables, on pictures instead of masks.

Nothing here is taken from the engine but the reading of pictures; the numbers are those of the rules page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from games.tiny_towns.town import tokens

FARMS = ("Far", "Gra", "Gre", "Orc")
WELLS = ("Wel", "Fou", "Mil", "She")
CHAPELS = ("Cha", "Abb", "Clo", "Tem")
TAVERNS = ("Tav", "Alm", "Fea", "Inn")
THEATERS = ("The", "Bak", "Mar", "Tai")
FACTORIES = ("Fac", "Ban", "Tra", "War")
TYPES = (("Cot",), FARMS, WELLS, CHAPELS, TAVERNS, THEATERS, FACTORIES)

CORNERS = (0, 3, 12, 15)
CENTRE = (5, 6, 9, 10)
SQUARES = range(16)


def next_to(square: int) -> list[int]:
    return [o for o in SQUARES if abs(o // 4 - square // 4) + abs(o % 4 - square % 4) == 1]


def around(square: int) -> list[int]:
    return [o for o in SQUARES if o != square and abs(o // 4 - square // 4) <= 1 and abs(o % 4 - square % 4) <= 1]


def row(square: int) -> list[int]:
    return [o for o in SQUARES if o != square and o // 4 == square // 4]


def column(square: int) -> list[int]:
    return [o for o in SQUARES if o != square and o % 4 == square % 4]


def groups(among: Iterable[int]) -> list[set[int]]:
    """Squares by what is connected."""
    left = set(among)
    found = []
    while left:
        group, edge = set(), {min(left)}
        while edge:
            group |= edge
            edge = {o for square in edge for o in next_to(square) if o in left} - group
        found.append(group)
        left -= group
    return found


class Tally:
    """The points of one town.

    `place`: the place of its completion; `shrine`: buildings when the Shrine was built; `right`: Feast Halls of the
    player on the right.
    """

    def __init__(self, picture: str, monument: str = "", *, place: int = 1, shrine: int = 0, right: int = 0) -> None:
        self.on = [token.partition(":")[0] for token in tokens(picture)]
        self.held = [len(token.partition(":")[2]) for token in tokens(picture)]
        self.monument = monument if "Mon" in self.on else ""
        self.castle = monument == "barrett_castle"
        self.place, self.shrine, self.right = place, shrine, right

    def where(self, *names: str) -> list[int]:
        return [square for square in SQUARES if self.on[square] in names]

    def cottages(self, among: Iterable[int]) -> int:
        """Barrett Castle counts as two."""
        return sum(1 if self.on[s] == "Cot" else 2 for s in among if self.feedable(s))

    def feedable(self, square: int) -> bool:
        return self.on[square] == "Cot" or (self.castle and self.on[square] == "Mon")

    def ways_to_feed(self) -> Iterator[set[int]]:
        """Every set of squares that may be fed."""
        hungry = [s for s in SQUARES if self.feedable(s)]
        if self.where("Far"):
            for n in range(min(len(hungry), 4 * len(self.where("Far"))) + 1):
                yield from map(set, combinations(hungry, n))
        elif self.where("Gre"):
            all_groups = groups(hungry)
            for n in range(min(len(all_groups), len(self.where("Gre"))) + 1):
                for chosen in combinations(all_groups, n):
                    yield set().union(*chosen)
        else:
            reached = {o for s in self.where("Gra") for o in around(s)}
            reached |= {o for s in self.where("Orc") for o in row(s) + column(s)}
            yield {s for s in hungry if s in reached}

    def best(self) -> tuple[int, list[set[int]]]:
        """The highest total, and the ways to feed that reach it."""
        still = self.unfed_points()
        by_points: dict[int, list[set[int]]] = {}
        for fed in self.ways_to_feed():
            by_points.setdefault(still + self.fed_points(fed), []).append(fed)
        return max(by_points), by_points[max(by_points)]

    def fed_points(self, fed: set[int]) -> int:
        """What depends on who is fed."""
        cottages = self.where("Cot")
        points = 3 * sum(s in fed for s in cottages)
        points += len(self.where("Cha")) * self.cottages(fed)
        points += sum(4 for s in self.where("Tem") if self.cottages(fed & set(next_to(s))) >= 2)
        if self.monument == "grand_mausoleum_of_the_rodina":
            points += 3 * sum(s not in fed for s in cottages)
        if self.monument == "barrett_castle":
            points += 5 * any(self.on[s] == "Mon" for s in fed)
        return points

    def unfed_points(self) -> int:
        """What does not."""
        return sum(self.of(name) for type in TYPES[2:] for name in type) + self.of_monument() + self.of_squares()

    def of(self, name: str) -> int:
        """All buildings of a card, other than Cottages, farms, Chapels and Temples."""
        here = self.where(name)
        n = len(here)
        if name == "Tav":
            return [0, 2, 5, 9, 14, 20][min(n, 5)]
        if name == "Alm":
            return [0, -1, 5, -3, 15, -5, 26][min(n, 6)]
        if name == "Fea":
            return n * (3 if n > self.right else 2)
        return sum(self.at(name, square) for square in here)

    def at(self, name: str, square: int) -> int:
        beside = next_to(square)
        cross = row(square) + column(square)
        match name:
            case "Wel":
                return self.cottages(beside)
            case "Fou":
                return 2 * any(self.on[s] == "Fou" for s in beside)
            case "Mil":
                return 2 * any(self.on[s] in FARMS + THEATERS for s in beside)
            case "She" | "Tra":
                return 1
            case "Abb":
                return 0 if any(self.on[s] in TAVERNS + THEATERS + FACTORIES for s in beside) else 3
            case "Clo":
                return sum(s in CORNERS for s in self.where("Clo"))
            case "Inn":
                return 0 if any(self.on[s] == "Inn" for s in cross) else 3
            case "The":
                return self.types(cross, monument=True) - any(self.on[s] == "The" for s in cross)
            case "Bak":
                return 3 * any(self.on[s] in FARMS + FACTORIES for s in beside)
            case "Mar":
                return 1 + max(sum(self.on[s] == "Mar" for s in line) for line in (row(square), column(square)))
            case "Tai":
                return 1 + sum(s in CENTRE for s in self.where("Tai"))
            case "Ban":
                return 4
            case "War":
                return -self.held[square]
        return 0

    def types(self, among: Iterable[int], monument: bool = False) -> int:
        """Different types on some squares; for a Theater the monument is one, and Barrett Castle a Cottage."""
        found = {type[0] for s in among for type in TYPES if self.on[s] in type}
        if monument and any(self.on[s] == "Mon" for s in among):
            found.add("Cot" if self.castle else "Mon")
        return len(found)

    def of_monument(self) -> int:
        """The monument, without what depends on who is fed."""
        match self.monument:
            case "architects_guild":
                return 1
            case "archive_of_the_second_age":
                return self.types(SQUARES)
            case "cathedral_of_caterina":
                return 2
            case "fort_ironweed":
                return 7
            case "grove_university":
                return 3
            case "mandras_palace":
                return 2 * self.types(next_to(self.on.index("Mon")))
            case "shrine_of_the_elder_tree":
                return [0, 1, 2, 3, 4, 5, 8][min(self.shrine, 6)]
            case "silva_forum":
                kinds = [group for type in (*TYPES, ("Mon",)) for group in groups(self.where(*type))]
                return 1 + max(len(group) for group in kinds)
            case "the_sky_baths":
                return 2 * (7 - self.types(SQUARES))
            case "the_starloom":
                return [6, 3, 2, 0][min(self.place, 4) - 1]
        return 0

    def of_squares(self) -> int:
        """-1 for each square without a building, but for the Cathedral's owner."""
        if self.monument == "cathedral_of_caterina":
            return 0
        return -sum(len(token) < 3 for token in self.on)
