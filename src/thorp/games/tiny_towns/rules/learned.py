"""What a town is expected to be worth at the end: what the net reads of it, for any set of cards.

The net is told of every type what one more building would gain now, and how far patterns for it have come, on the
squares where it gains most and elsewhere; then which cubes are asked for, which are lost, and how the free squares lie.
What buildings gain depends on no cube: it is remembered until a building changes.
"""

from thorp.compiling.rule import Weights, rule, table
from thorp.core.net import Net, read_out
from thorp.games.tiny_towns.rules.building import free_choice, supply, trading_posts
from thorp.games.tiny_towns.rules.cards import (
    BARS,
    FACTORY_TYPE,
    MONUMENT,
    RESOURCE_BITS,
    RESOURCE_MASK,
    RESOURCES,
    SHAPE_BITS,
    SHAPE_MASK,
    SUBSTITUTES,
    SUPPLY_TYPES,
    TURN_BITS,
    TURN_MASK,
    TURNS_SHIFT,
    TYPES,
)
from thorp.games.tiny_towns.rules.masks import buildings, count, cubes, empty, lowest, resources_on, row_of
from thorp.games.tiny_towns.rules.scoring import score
from thorp.games.tiny_towns.rules.shapes import ALL_SQUARES, CELL_OFFSET, CELLS, CORNERS, SQUARES
from thorp.games.tiny_towns.rules.state import BUILD, SOLO, TOWN_HALL, State

#: Cubes missing in a pattern, as far as it is looked at, and the chance in hundredths to complete it: only for choosing
#: which patterns could stand side by side.
MISSING = 5
_CHANCE = table([95, 70, 50, 30, 15])
#: Printed cards are known by number, beyond what they say; others are not.
PRINTED_CARDS = 40
#: Patterns side by side that are counted.
BESIDE = 4

_ALL_TYPES = SUPPLY_TYPES + 1

# What the net reads, in its order: first of each type, then of each resource, of each printed card, and of the town.
_OF_TYPE = (
    "built",
    "gain",
    *(f"missing {n}" for n in range(MISSING)),
    *(f"best missing {n}" for n in range(MISSING)),
    *(f"ways {n}" for n in range(MISSING)),
)
_OF_RESOURCE = ("cubes", "open", "wanted", "wanted and open", "wanted after", "marked")
_OF_CARD = ("here", "built")
_OF_TOWN = (
    "free",
    "free squared",
    "unbuilt",
    "unbuilt squared",
    "lost",
    "lost squared",
    "sides",
    "lonely",
    "blocks",
    "corners",
    "edges",
    "may build",
    "alone",
    "hall",
    "more seats",
    "turns until naming",
    "aside",
    "may set aside",
    "on watch",
    *(f"hope {n}" for n in range(BESIDE)),
    "towns complete",
)
_RESOURCES_FROM = len(_OF_TYPE) * _ALL_TYPES
_CARDS_FROM = _RESOURCES_FROM + len(_OF_RESOURCE) * len(RESOURCES)
_TOWN_FROM = _CARDS_FROM + len(_OF_CARD) * PRINTED_CARDS
_PER_TYPE = len(_OF_TYPE)
_PER_RESOURCE = len(_OF_RESOURCE)

# What is remembered: by what the buildings are known, then what each type gains at most, and on which squares.
_KNOWN_BY = _ALL_TYPES + 9

NET = Net(
    features=(
        *(f"{type.id} {name}" for type in TYPES for name in _OF_TYPE),
        *(f"{resource} {name}" for resource in RESOURCES for name in _OF_RESOURCE),
        *(f"card {card} {name}" for card in range(PRINTED_CARDS) for name in _OF_CARD),
        *_OF_TOWN,
    ),
    hidden=32,
    remembered=_KNOWN_BY + 2 * _ALL_TYPES,
)
_FEATURES = len(NET.features)
_HIDDEN = NET.hidden
_FIRST = NET.first
_REMEMBERED = _FEATURES + _HIDDEN
_GAINS = _REMEMBERED + _KNOWN_BY
_SQUARES = _GAINS + _ALL_TYPES

_LEFT_COLUMN = 0x1111
_NOT_LAST_COLUMN = 0x7777
_CORNER_SQUARES = 0x9009
_EDGE_SQUARES = 0x6996
_SEATS_KNOWN = 6


@rule
def value(state: State, seat: int, weights: Weights) -> float:
    """The points that a seat is expected to have at the end. A cube in hand goes where it helps most."""
    town = state.towns[seat]
    points = score(state, seat) * 1.0
    if town.completed or state.ended:
        return points
    _know_gains(state, seat, weights)
    _read_town(state, seat, weights)
    if town.hand == 0:
        return points + _read_patterns(state, seat, weights)
    resource = town.hand - 1
    squares = empty(town)
    best = 0
    most = 0.0
    while squares:
        square = squares & -squares
        squares ^= square
        town.cubes[resource] ^= square
        found = _read_patterns(state, seat, weights)
        town.cubes[resource] ^= square
        if best == 0 or found > most:
            most = found
            best = square
    # what the net has read last is what it was asked about
    town.cubes[resource] ^= best
    most = _read_patterns(state, seat, weights)
    town.cubes[resource] ^= best
    return points + most


@rule
def _know_gains(state: State, seat: int, weights: Weights) -> None:
    """See to it that what each type gains is remembered, for the buildings that stand now."""
    town = state.towns[seat]
    same = True
    for index in range(_KNOWN_BY):
        known = _known_by(state, seat, index)
        if weights[_REMEMBERED + index] != known:
            weights[_REMEMBERED + index] = known
            same = False
    if same:
        return
    points = score(state, seat)
    types = supply(state, seat)
    if town.monument and town.built[MONUMENT] == 0:
        types |= 1 << MONUMENT
    for type in range(_ALL_TYPES):
        most = 0
        best = 0
        squares = ALL_SQUARES ^ buildings(town) if types >> type & 1 else 0
        shrine = town.shrine
        while squares:
            square = squares & -squares
            squares ^= square
            town.built[type] ^= square
            if type == MONUMENT:
                town.shrine = count(buildings(town))
            gain = score(state, seat) - points
            town.built[type] ^= square
            if gain > most:
                most = gain
                best = 0
            if gain == most:
                best |= square
        town.shrine = shrine
        weights[_GAINS + type] = most
        weights[_SQUARES + type] = best if most else 0


@rule
def _known_by(state: State, seat: int, index: int) -> int:
    """By what the gains are known: numbers that a float32 holds."""
    town = state.towns[seat]
    if index < _ALL_TYPES:
        return town.built[index]
    index -= _ALL_TYPES
    if index == 0:
        return town.monument * 32 + town.shrine
    if index == 1:
        return supply(state, seat)
    if index == 2:
        n = 0
        for other in range(state.seats):
            n = 2 * n + (1 if state.towns[other].completed else 0)
        return n
    packed = 0
    if index < 5:
        for type in range(4):
            packed = packed << 6 | state.cards[min((index - 3) * 4 + type, SUPPLY_TYPES - 1)]
    elif index < 7:
        right = state.towns[(seat + state.seats - 1) % state.seats]
        for type in range(4):
            packed = packed << 5 | count(right.built[(index - 5) * 4 + type])
    elif index == 7:
        packed = state.key & 0xFFFF
    else:
        packed = state.key >> 16
    return packed


@rule
def _read_town(state: State, seat: int, weights: Weights) -> None:
    """Write what does not depend on where the cubes lie."""
    town = state.towns[seat]
    for feature in range(_RESOURCES_FROM, _FEATURES):
        weights[feature] = 0
    for type in range(_ALL_TYPES):
        weights[type * _PER_TYPE] = count(town.built[type]) * 0.25
        weights[type * _PER_TYPE + 1] = weights[_GAINS + type] * 0.2
    if state.key == 0:
        for type in range(_ALL_TYPES):
            card = state.cards[min(type, SUPPLY_TYPES - 1)] if type < MONUMENT else town.monument
            if type < MONUMENT or card:
                weights[_CARDS_FROM + 2 * card] = 1
                weights[_CARDS_FROM + 2 * card + 1] = count(town.built[type]) * 0.25
    deed = state.rows[FACTORY_TYPE].deed
    marked = 0
    if deed == SUBSTITUTES or deed == BARS:
        marked = resources_on(town, town.built[FACTORY_TYPE])
    for resource in range(5):
        at = _RESOURCES_FROM + resource * _PER_RESOURCE
        weights[at + 1] = state.row[resource] * 0.5
        weights[at + 5] = marked >> resource & 1
    at = _TOWN_FROM
    weights[at + 12] = 1 if state.naming == SOLO else 0
    weights[at + 13] = 1 if state.naming == TOWN_HALL else 0
    weights[at + 14] = state.seats / _SEATS_KNOWN
    if state.builder >= 0:
        weights[at + 15] = ((seat - state.builder + state.seats) % state.seats) * 1.0 / _SEATS_KNOWN
    weights[at + 16] = town.aside * 0.5
    weights[at + 17] = state.cavern
    weights[at + 18] = count(town.watch) * 0.5
    complete = 0
    for other in range(state.seats):
        if state.towns[other].completed:
            complete += 1
    weights[at + 19 + BESIDE] = complete * 0.5


@rule
def _read_patterns(state: State, seat: int, weights: Weights) -> float:
    """Write what depends on the cubes, and say what the net makes of the town."""
    town = state.towns[seat]
    for resource in range(5):
        at = _RESOURCES_FROM + resource * _PER_RESOURCE
        weights[at] = count(town.cubes[resource]) * 0.25
        weights[at + 2] = 0
        weights[at + 4] = 0
    useful = 0
    # the most hopeful pattern of each type: its hope above its squares
    hopes = (0, 0, 0, 0, 0, 0, 0, 0)
    for type in range(_ALL_TYPES):
        found = 0
        if weights[_GAINS + type] > 0:
            found = _read_type(state, seat, type, weights)
            useful |= found & ALL_SQUARES
            found >>= SQUARES
        else:
            for index in range(2, _PER_TYPE):
                weights[type * _PER_TYPE + index] = 0
        hopes = hopes[1:] + (found,)
    for resource in range(5):
        at = _RESOURCES_FROM + resource * _PER_RESOURCE
        weights[at + 3] = weights[at + 2] if state.row[resource] else 0
    at = _TOWN_FROM
    left = ALL_SQUARES
    for nth in range(BESIDE):
        best = 0
        for type in range(_ALL_TYPES):
            if hopes[type] & ALL_SQUARES & ~left == 0 and hopes[type] > best:
                best = hopes[type]
        left &= ~best
        weights[at + 19 + nth] = (best >> SQUARES) * 0.002
    lost = count(cubes(town) & ~useful)
    free = empty(town)
    unbuilt = SQUARES - count(buildings(town))
    beside = free >> 4 | free << 4 | (free & _NOT_LAST_COLUMN) << 1 | (free & ~_LEFT_COLUMN) >> 1
    down = free & free >> 4
    n = count(free)
    weights[at] = n * 0.125
    weights[at + 1] = n * n * 0.01
    weights[at + 2] = unbuilt * 0.125
    weights[at + 3] = unbuilt * unbuilt * 0.01
    weights[at + 4] = lost * 0.25
    weights[at + 5] = lost * lost * 0.05
    weights[at + 6] = (count(down) + count(free & free >> 1 & _NOT_LAST_COLUMN)) * 0.1
    weights[at + 7] = count(free & ~beside) * 0.25
    weights[at + 8] = count(down & down >> 1 & _NOT_LAST_COLUMN) * 0.2
    weights[at + 9] = count(free & _CORNER_SQUARES) * 0.25
    weights[at + 10] = count(free & _EDGE_SQUARES) * 0.125
    weights[at + 11] = 1 if town.task == BUILD else 0
    return read_out(weights, _FEATURES, _FIRST)


@rule
def _read_type(state: State, seat: int, type: int, weights: Weights) -> int:
    """Write how far patterns of a type have come.

    Returns the hope for its best one, below it the squares of that, below them the cubes that are in any of them.
    """
    town = state.towns[seat]
    row = state.rows[row_of(state, seat, type)]
    shape = row.pattern & SHAPE_MASK
    wild = trading_posts(state, seat)
    free = empty(town) | wild
    gain = weights[_GAINS + type]
    best_squares = int(weights[_SQUARES + type])
    cells = CELLS[shape]
    anywhere = best_squares & free_choice(state, seat, type) != 0
    at = type * _PER_TYPE
    for index in range(2, _PER_TYPE):
        weights[at + index] = 0
    useful = 0
    hope = 0
    squares = 0
    for way in range(row.turns >> TURNS_SHIFT):
        turn = row.turns >> TURN_BITS * way & TURN_MASK
        corners = CORNERS[shape][turn]
        resources = row.pattern >> SHAPE_BITS
        ones = 0
        twos = 0
        fours = 0
        touches = 0
        for cell in range(cells):
            offset = CELL_OFFSET[shape][turn][cell]
            mine = town.cubes[resources & RESOURCE_MASK] | wild
            resources >>= RESOURCE_BITS
            corners &= (mine | free) >> offset
            touches |= best_squares >> offset
            mine >>= offset
            fours |= ones & twos & mine
            twos ^= ones & mine
            ones ^= mine
        if corners == 0:
            continue
        one_missing = 0
        two_missing = 0
        for missing in range(min(MISSING, cells + 1)):
            have = cells - missing
            these = corners & (ones if have & 1 else ~ones) & (twos if have & 2 else ~twos)
            these &= fours if have & 4 else ~fours
            if these == 0:
                continue
            if missing == 1:
                one_missing = these
            elif missing == 2:
                two_missing = these
            weights[at + 2 + missing] = gain * 0.2
            weights[at + 2 + 2 * MISSING + missing] += count(these) * 0.2
            worth = int(gain * _CHANCE[missing])
            if anywhere or these & touches:
                weights[at + 2 + MISSING + missing] = gain * 0.2
                these = these if anywhere else these & touches
            else:
                worth = worth // 2
            if worth > hope and have:
                hope = worth
                corner = lowest(these)
                squares = 0
                for cell in range(cells):
                    squares |= 1 << (CELL_OFFSET[shape][turn][cell] + corner)
        # cubes in a pattern that can still be completed, and what such patterns ask for
        resources = row.pattern >> SHAPE_BITS
        begun = corners & (ones | twos | fours)
        if begun == 0:
            continue
        for cell in range(cells):
            offset = CELL_OFFSET[shape][turn][cell]
            resource = resources & RESOURCE_MASK
            resources >>= RESOURCE_BITS
            mine = town.cubes[resource]
            useful |= mine & begun << offset
            lacking = ~((mine | wild) >> offset)
            to = _RESOURCES_FROM + resource * _PER_RESOURCE
            if one_missing & lacking:
                weights[to + 2] = max(weights[to + 2], gain * 0.2)
            if two_missing & lacking:
                weights[to + 4] = max(weights[to + 4], gain * 0.2)
    return (hope << SQUARES | squares) << SQUARES | useful
