"""How promising a town is, for players that look one move ahead.

A town is worth what stands in it (its points, and what they may still grow to), and a share of what the patterns would
add that its cubes have begun.
"""

from thorp.compiling.rule import rule, table
from thorp.games.tiny_towns.rules.building import free_choice, supply, trading_posts
from thorp.games.tiny_towns.rules.cards import (
    BARS,
    COTTAGE_TYPE,
    COUNT_BITS,
    COUNT_GUARD,
    FACTORY_TYPE,
    FARM_TYPE,
    MONUMENT,
    RESOURCE_BITS,
    RESOURCE_MASK,
    SHAPE_BITS,
    SHAPE_MASK,
    SUBSTITUTES,
    SUPPLY_TYPES,
    TURN_BITS,
    TURN_MASK,
    TURNS_SHIFT,
)
from thorp.games.tiny_towns.rules.masks import buildings, count, cubes, empty, lowest, resources_on, row_of
from thorp.games.tiny_towns.rules.scoring import score
from thorp.games.tiny_towns.rules.shapes import (
    ALL_SQUARES,
    CELL_OFFSET,
    CELLS,
    CORNERS,
    FOOTPRINT_AT,
    FOOTPRINT_MASK,
    SQUARES,
)
from thorp.games.tiny_towns.rules.state import BUILD, State

# All numbers below, and what cards promise (`Card.promise`), are tuned, by an evolution strategy over some 1,000
# games: solo, at two and at four seats, with and without monuments. scripts/strength.py measures what they are good
# for. None of them is a fact of a card.

#: [cubes missing][squares left when it is done]: the chance in percent that a begun pattern is completed
CHANCE = table(
    [
        [82, 89, 88, 84, 92],
        [19, 42, 65, 69, 73],
        [16, 31, 55, 55, 58],
        [9, 30, 28, 38, 39],
        [18, 32, 27, 34, 3],
    ]
)
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


@rule
def evaluate(state: State, seat: int) -> int:
    """How promising the position is for a seat, in hundredths of a point. A cube in hand goes where it helps most."""
    town = state.towns[seat]
    settled = _settled(state, seat)
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
        # put a building of the type on every square in turn: what is gained most, and on which squares
        most = 0
        best = 0
        squares = ALL_SQUARES ^ buildings(town) if types >> type & 1 else 0
        while squares:
            square = squares & -squares
            squares ^= square
            town.built[type] ^= square
            if type == MONUMENT:
                town.shrine = count(buildings(town))
            gain = _settled(state, seat) - settled
            town.built[type] ^= square
            if gain > most:
                most = gain
                best = 0
            if gain == most:
                best |= square
        if type == MONUMENT and types >> type & 1:
            town.shrine = 0
        gains = gains[1:] + (most << SQUARES | best,)
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
    value = -1_000_000
    while squares:
        square = squares & -squares & ALL_SQUARES
        squares &= squares - 1
        town.cubes[resource] ^= square
        # the most hopeful pattern, and the most hopeful one of the cubes that it leaves
        hope = 0
        left = ALL_SQUARES
        for nth in range(2):
            found = 0
            all = 0
            for type in range(SUPPLY_TYPES + 1):
                pattern = _best_pattern(state, seat, type, gains[type], left)
                found = max(found, pattern)
                all += pattern >> SQUARES
            left &= ~found
            hope += (found >> SQUARES) * SHARE[nth]
            if nth == 0:
                hope += (all - (found >> SQUARES)) * OTHERS
        dead = cubes(town) & left
        free = ALL_SQUARES ^ (buildings(town) | dead)
        sides = count(free & free >> 4) + count(free & free >> 1 & _NOT_LAST_COLUMN)
        value = max(value, hope // 100 - DEAD * count(dead) + NEIGHBOURS * sides)
        town.cubes[resource] ^= square
    return settled + extra + value


@rule
def _settled(state: State, seat: int) -> int:
    """What stands in the town: its points, what its buildings may grow to, and the squares still to be built on."""
    town = state.towns[seat]
    room = 0 if town.completed else SQUARES - count(buildings(town))
    later = -ASIDE * town.aside
    spare = FED_BY_FARM * count(town.built[FARM_TYPE]) - count(town.built[COTTAGE_TYPE])
    later += SPARE * max(0, min(FED_BY_FARM, spare))
    for type in range(SUPPLY_TYPES + 1):
        if town.built[type]:
            later += state.rows[row_of(state, seat, type)].promise * count(town.built[type])
    return 100 * score(state, seat) + later * min(room, LAST) // LAST + room * (ROOM + ROOM_SQUARED * room)


@rule
def _best_pattern(state: State, seat: int, type: int, gain: int, left: int) -> int:
    """The hope for the best begun pattern of a type among the squares `left`, and below it the mask of its squares.

    `gain` is what the building gains at most, and below it on which squares.
    """
    if gain < 1 << SQUARES:
        return 0
    town = state.towns[seat]
    row = state.rows[row_of(state, seat, type)]
    shape = row.pattern & SHAPE_MASK
    wild = trading_posts(state, seat)
    have = cubes(town) & left
    free = empty(town) & left | wild
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
            if (squares & ~wild | free_choice(state, seat, type)) & gain == 0:
                hope = hope * ELSEWHERE // 100
            found = max(found, hope << SQUARES | squares)
    return found
