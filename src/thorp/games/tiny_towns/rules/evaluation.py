"""How promising a town is, for players that look one move ahead.

A town is worth what stands in it (its points, and what they may still grow to), and a share of what the patterns would
add that its cubes have begun.
"""

from thorp.compiling.rule import rule, table
from thorp.games.tiny_towns.rules.building import free_choice, supply, trading_posts
from thorp.games.tiny_towns.rules.cards import (
    BARS,
    COTTAGE_TYPE,
    COTTAGES,
    COUNT_BITS,
    COUNT_GUARD,
    CUBES,
    FACTORY_TYPE,
    FARM_TYPE,
    FED,
    FED_COTTAGES,
    FEEDS_COTTAGES,
    FEEDS_NOTHING,
    LARGEST_GROUP,
    LOOKING,
    MONUMENT,
    OF_TYPES,
    RESOURCE_BITS,
    RESOURCE_MASK,
    SHAPE_BITS,
    SHAPE_MASK,
    SUBSTITUTES,
    SUPPLY_TYPES,
    TURN_BITS,
    TURN_MASK,
    TURNS_SHIFT,
    UNFED_COTTAGES,
)
from thorp.games.tiny_towns.rules.masks import buildings, count, cubes, empty, lowest, resources_on, row_of
from thorp.games.tiny_towns.rules.scoring import empty_points, fed, monument_points, type_points
from thorp.games.tiny_towns.rules.shapes import (
    ALL_SQUARES,
    CELL_OFFSET,
    CELLS,
    CORNERS,
    FOOTPRINT_AT,
    FOOTPRINT_MASK,
    MOST_CELLS,
    SQUARES,
    TOWN,
)
from thorp.games.tiny_towns.rules.state import BUILD, Row, State

# All numbers below, and what cards promise (`Card.promise`), are tuned, by an evolution strategy over some 1,000
# games: solo, at two and at four seats, with and without monuments. scripts/strength.py measures what they are good
# for. None of them is a fact of a card.

#: [cubes missing][squares left when it is done]: the chance in percent that a begun pattern is completed
_CHANCES = [
    [82, 89, 88, 84, 92],
    [19, 42, 65, 69, 73],
    [16, 31, 55, 55, 58],
    [9, 30, 28, 38, 39],
    [18, 32, 27, 34, 3],
]
CHANCE = table(_CHANCES)
MOST_CHANCE = max(map(max, _CHANCES))
#: Percent of its hope for the best pattern, for the best one beside it, and for all others
SHARE = table([100, 17])
OTHERS = 2
#: Percent of its hope for a pattern whose building could not go where it gains most
ELSEWHERE = 23
#: Hundredths of a point: a cube in no pattern (lost); two free squares side by side; a square without a building,
#: and that squared; a place at a Farm that nobody takes; a cube set aside
DEAD = 51
NEIGHBOURS = 8
ROOM = 4
ROOM_SQUARED = -16
SPARE = 71
ASIDE = 80
#: So many Cottages are thought to eat from one Farm, whichever it is
FED_BY_FARM = 4
#: Percent of its gain for a type that lies on Opaleye's Watch
STOCKED = 30
#: With so many squares without a building left, what buildings may grow to begins to fade
LAST = 6

_NOT_LAST_COLUMN = 0x7777
#: Stands for the 17th square, where the cube goes that nobody holds
_NOWHERE = 1 << SQUARES
#: All types, and the monument.
_BUILT = (1 << SUPPLY_TYPES + 1) - 1


@rule
def evaluate(state: State, seat: int) -> int:
    """How promising the position is for a seat, in hundredths of a point. A cube in hand goes where it helps most."""
    town = state.towns[seat]
    eaters = fed(state, seat)
    points = _points(state, seat, _BUILT, eaters) + empty_points(state, seat)
    settled = 100 * points + _prospects(state, seat)
    if town.completed:
        return settled
    # nothing is built yet: what the monument just kept is worth
    if state.round < 2 and town.task != BUILD and cubes(town) == 0:
        settled += state.rows[row_of(state, seat, MONUMENT)].kept if town.monument else 0
    gains = (0, 0, 0, 0, 0, 0, 0, 0)
    extra = 0
    marked = 0
    deed = state.rows[FACTORY_TYPE].deed
    if deed == SUBSTITUTES or deed == BARS:
        marked = resources_on(town, town.built[FACTORY_TYPE])
    types = supply(state, seat)
    if town.monument and town.built[MONUMENT] == 0:
        types |= 1 << MONUMENT
    for type in range(SUPPLY_TYPES + 1):
        gain = _gain(state, seat, type, settled, points, eaters) if types >> type & 1 else 0
        gains = gains[1:] + (gain,)
        most = gain >> SQUARES
        if town.watch >> type & 1:
            extra += most * STOCKED // 100
        # a resource on a Factory or Bank comes less often: better one that is little needed
        for resource in range(5):
            if marked >> resource & 1:
                needs = state.rows[row_of(state, seat, type)].needs
                wanted = needs >> resource * COUNT_BITS & COUNT_GUARD - 1
                extra -= most * wanted // 20
    resource = max(town.hand - 1, 0)
    squares = empty(town) if town.hand else _NOWHERE
    sides = _sides(buildings(town))
    value = -1_000_000
    while squares:
        square = squares & -squares & ALL_SQUARES
        squares &= squares - 1
        town.cubes[resource] ^= square
        have = cubes(town)
        free = empty(town)
        # the most hopeful pattern, and the most hopeful one of the cubes that it leaves
        first = 0
        all = 0
        for type in range(SUPPLY_TYPES + 1):
            pattern = _best_pattern(state, seat, type, gains[type], have, free)
            first = max(first, pattern)
            all += pattern >> SQUARES
        most = first >> SQUARES
        hope = most * SHARE[0] + (all - most) * OTHERS
        have &= ~first
        # at best the second promises as much as the first, and leaves none of the cubes
        dead = max(0, count(have) - MOST_CELLS)
        if (hope + most * SHARE[1]) // 100 - DEAD * dead + NEIGHBOURS * sides > value:
            second = 0
            for type in range(SUPPLY_TYPES + 1):
                if (gains[type] >> SQUARES) * MOST_CHANCE // 100 >= second >> SQUARES:
                    second = max(second, _best_pattern(state, seat, type, gains[type], have, free & ~first))
            hope += (second >> SQUARES) * SHARE[1]
            lost = have & ~second
            here = hope // 100 - DEAD * count(lost) + NEIGHBOURS * _sides(buildings(town) | lost)
            value = max(value, here)
        town.cubes[resource] ^= square
    return settled + extra + value


@rule
def _sides(taken: int) -> int:
    """How often two squares lie side by side that are both not taken."""
    free = ALL_SQUARES ^ taken
    return count(free & free >> 4) + count(free & free >> 1 & _NOT_LAST_COLUMN)


@rule
def _points(state: State, seat: int, types: int, eaters: int) -> int:
    """The points of all buildings of some types, a mask, when `eaters` are fed."""
    points = monument_points(state, seat, eaters) if types >> MONUMENT & 1 else 0
    for type in range(SUPPLY_TYPES):
        if types >> type & 1:
            points += type_points(state, seat, type, eaters)
    return points


@rule
def _prospects(state: State, seat: int) -> int:
    """What the buildings of a town may grow to, and the squares still to be built on."""
    town = state.towns[seat]
    room = 0 if town.completed else SQUARES - count(buildings(town))
    later = -ASIDE * town.aside
    spare = FED_BY_FARM * count(town.built[FARM_TYPE]) - count(town.built[COTTAGE_TYPE])
    later += SPARE * max(0, min(FED_BY_FARM, spare))
    for type in range(SUPPLY_TYPES + 1):
        if town.built[type]:
            later += state.rows[row_of(state, seat, type)].promise * count(town.built[type])
    return later * min(room, LAST) // LAST + room * (ROOM + ROOM_SQUARED * room)


@rule
def _gain(state: State, seat: int, type: int, settled: int, points: int, eaters: int) -> int:
    """What one more building of a type gains at most, and below it on which squares, as a mask.

    `settled` and `points` are what the town has without it, `eaters` who is fed.
    """
    town = state.towns[seat]
    feeds = type == COTTAGE_TYPE or type == FARM_TYPE or type == MONUMENT or _by_feeding(state.rows[type].count)
    # only those buildings are counted again whose points it can change
    changed = 1 << type
    alike = True
    for other in range(SUPPLY_TYPES + 1):
        if other == type or town.built[other]:
            row = state.rows[row_of(state, seat, other)]
            if type == MONUMENT or _changes(row, type, feeds):
                changed |= 1 << other
            if changed >> other & 1:
                alike = alike and _is_alike(row)
    if feeds:
        alike = alike and (
            state.rows[FARM_TYPE].feeds == FEEDS_NOTHING or state.rows[FARM_TYPE].feeds == FEEDS_COTTAGES
        )
    points -= _points(state, seat, changed, eaters) + empty_points(state, seat)
    squares = ALL_SQUARES ^ buildings(town)
    # where it does not matter where it stands, one square speaks for all
    tried = squares & -squares if alike else squares
    most = 0
    best = 0
    prospects = 0
    while tried:
        square = tried & -tried
        tried ^= square
        town.built[type] ^= square
        if prospects == 0:
            prospects = _prospects(state, seat) - settled
        if type == MONUMENT:
            town.shrine = count(buildings(town))
        fed_then = fed(state, seat) if feeds else eaters
        then = points + _points(state, seat, changed, fed_then) + empty_points(state, seat)
        town.built[type] ^= square
        gain = 100 * then + prospects
        if gain > most:
            most = gain
            best = 0
        if gain == most:
            best |= square
    if type == MONUMENT:
        town.shrine = 0
    return most << SQUARES | (squares if alike and best else best)


@rule
def _by_feeding(count: int) -> bool:
    """Whether what a card counts depends on who is fed."""
    return count == FED or count == FED_COTTAGES or count == UNFED_COTTAGES


@rule
def _changes(row: Row, type: int, feeds: bool) -> bool:
    """Whether one more building of a type can change the points of others, of the card `row`."""
    if _by_feeding(row.count):
        return feeds
    if row.count == COTTAGES:
        return type == COTTAGE_TYPE
    if row.count in OF_TYPES:
        return row.types >> type & 1 != 0
    return row.count == LARGEST_GROUP


@rule
def _is_alike(row: Row) -> bool:
    """Whether the points of a card's buildings have nothing to do with where buildings stand, but for feeding."""
    if row.count == CUBES or row.count == LARGEST_GROUP:
        return False
    return row.count not in LOOKING or row.where == TOWN


@rule
def _best_pattern(state: State, seat: int, type: int, gain: int, have: int, free: int) -> int:
    """The hope for the best begun pattern of a type, and below it the mask of its squares.

    `gain` is what the building gains at most, and below it on which squares; the pattern may have the cubes on the
    squares `have`, and needs no other squares than those that are `free`.
    """
    if gain < 1 << SQUARES:
        return 0
    town = state.towns[seat]
    row = state.rows[row_of(state, seat, type)]
    shape = row.pattern & SHAPE_MASK
    wild = trading_posts(state, seat)
    free |= wild
    anywhere = free_choice(state, seat, type)
    room = count(empty(town))
    found = 0
    for way in range(row.turns >> TURNS_SHIFT):
        turn = row.turns >> TURN_BITS * way & TURN_MASK
        # a corner's bits in ones, twos and fours are the number of cubes that the pattern there has already
        corners = CORNERS[shape][turn]
        resources = row.pattern >> SHAPE_BITS
        ones = 0
        twos = 0
        fours = 0
        for cell in range(CELLS[shape]):
            offset = CELL_OFFSET[shape][turn][cell]
            mine = town.cubes[resources & RESOURCE_MASK] & have
            resources >>= RESOURCE_BITS
            corners &= (mine | free) >> offset
            mine >>= offset
            fours |= ones & twos & mine
            twos ^= ones & mine
            ones ^= mine
        if corners & (ones | twos | fours) == 0:
            continue
        if corners & fours:
            corners &= fours
        if corners & twos:
            corners &= twos
        if corners & ones:
            corners &= ones
        while corners:
            squares = FOOTPRINT_MASK[shape][FOOTPRINT_AT[shape][turn][lowest(corners)]]
            corners &= corners - 1
            missing = count(squares & free & ~wild)
            hope = (gain >> SQUARES) * CHANCE[min(missing, 4)][min(room - missing, 4)] // 100
            if (squares & ~wild | anywhere) & gain == 0:
                hope = hope * ELSEWHERE // 100
            found = max(found, hope << SQUARES | squares)
    return found
