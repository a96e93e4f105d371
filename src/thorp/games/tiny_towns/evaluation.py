"""How promising a town is, for players that look one move ahead.

A town is worth what stands in it (its points, and what they may still grow to), and a share of what the patterns would
add that its cubes have begun.
"""

from thorp.core.rule import entry, rule, table
from thorp.games.tiny_towns.building import BANK, FACTORY, card_of, free_choice, supply, trading_posts
from thorp.games.tiny_towns.cards import (
    ALL_SQUARES,
    CARDS,
    CELL_COUNT,
    CELL_COUNTS,
    CELL_OFFSET,
    CELL_RESOURCE,
    CORNERS,
    COTTAGE_TYPE,
    COUNT_BITS,
    COUNT_GUARD,
    FACTORY_TYPE,
    FARM_TYPE,
    FOOTPRINT_AT,
    FOOTPRINT_MASK,
    MONUMENT,
    ORIENTATION_COUNT,
    SQUARES,
    SUPPLY_TYPES,
)
from thorp.games.tiny_towns.masks import buildings, count, cubes, empty, lowest, resources_on
from thorp.games.tiny_towns.scoring import FARM_FEEDS, score
from thorp.games.tiny_towns.state import BUILD, State

# All numbers below are tuned, by an evolution strategy over some 1,000 games: solo, at two and at four seats, with and
# without monuments. scripts/strength.py measures what they are good for. None of them is a fact of a card.

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
#: What a building may still grow to while there is room, in hundredths of a point.
_LATER = {
    "cottage": 174,
    "farm": 113,
    "granary": -33,
    "greenhouse": 323,
    "orchard": 66,
    "well": 25,
    "fountain": -81,
    "millstone": -114,
    "shed": -146,
    "chapel": 313,
    "abbey": 132,
    "cloister": 618,
    "temple": -156,
    "tavern": -86,
    "almshouse": -238,
    "feast_hall": -170,
    "inn": -125,
    "theater": 171,
    "bakery": -268,
    "market": -41,
    "tailor": 120,
    "factory": -275,
    "bank": 318,
    "trading_post": 119,
    "warehouse": 202,
    "architects_guild": 233,
    "archive_of_the_second_age": -8,
    "barrett_castle": -255,
    "cathedral_of_caterina": -115,
    "fort_ironweed": 184,
    "grand_mausoleum_of_the_rodina": 564,
    "grove_university": 335,
    "mandras_palace": 169,
    "obelisk_of_the_crescent": 279,
    "opaleyes_watch": 789,
    "shrine_of_the_elder_tree": -50,
    "silva_forum": -160,
    "the_sky_baths": -28,
    "the_starloom": -103,
    "statue_of_the_bondmaker": 200,
}
#: What a monument is worth when it is chosen, in hundredths of a point: measured by games in which it was kept.
_KEPT = {
    "architects_guild": 450,
    "archive_of_the_second_age": 490,
    "barrett_castle": 440,
    "cathedral_of_caterina": 680,
    "fort_ironweed": 150,
    "grand_mausoleum_of_the_rodina": 530,
    "grove_university": 520,
    "mandras_palace": 570,
    "obelisk_of_the_crescent": 490,
    "opaleyes_watch": 450,
    "shrine_of_the_elder_tree": 470,
    "silva_forum": 440,
    "the_sky_baths": 600,
    "the_starloom": 530,
    "statue_of_the_bondmaker": 500,
}
LATER = table([_LATER[card.id] for card in CARDS])
KEPT = table([_KEPT.get(card.id, 0) for card in CARDS])
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
#: Percent of its gain for a type that lies on Opaleye's Watch
STOCKED = 30
#: With so many squares without a building left, what buildings may grow to begins to fade
LAST = 6

_NOT_LAST_COLUMN = 0x7777
#: Stands for the 17th square, where the cube goes that nobody holds
_NOWHERE = 1 << SQUARES


@entry
def evaluate(state: State, seat: int) -> int:
    """How promising the position is for a seat, in hundredths of a point. A cube in hand goes where it helps most."""
    town = state.towns[seat]
    settled = _settled(state, seat)
    if town.completed:
        return settled
    # nothing is built yet: what the monument just kept is worth
    if state.round < 2 and town.task != BUILD and cubes(town) == 0:
        settled += KEPT[town.monument]
    gains = (0, 0, 0, 0, 0, 0, 0, 0)
    extra = 0
    marked = 0
    if state.cards[FACTORY_TYPE] == FACTORY or state.cards[FACTORY_TYPE] == BANK:
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
                wanted = CELL_COUNTS[card_of(state, seat, type)] >> resource * COUNT_BITS & COUNT_GUARD - 1
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
    later += SPARE * max(
        0, min(FARM_FEEDS, FARM_FEEDS * count(town.built[FARM_TYPE]) - count(town.built[COTTAGE_TYPE]))
    )
    for type in range(SUPPLY_TYPES + 1):
        later += LATER[card_of(state, seat, type)] * count(town.built[type])
    return 100 * score(state, seat) + later * min(room, LAST) // LAST + room * (ROOM + ROOM_SQUARED * room)


@rule
def _best_pattern(state: State, seat: int, type: int, gain: int, left: int) -> int:
    """The hope for the best begun pattern of a type among the squares `left`, and below it the mask of its squares.

    `gain` is what the building gains at most, and below it on which squares.
    """
    if gain < 1 << SQUARES:
        return 0
    town = state.towns[seat]
    card = card_of(state, seat, type)
    wild = trading_posts(state, seat)
    have = cubes(town) & left
    free = empty(town) & left | wild
    room = count(empty(town))
    found = 0
    for orientation in range(ORIENTATION_COUNT[card]):
        # a corner's bits in ones, twos and fours are the number of cubes that the pattern there has already
        corners = CORNERS[card][orientation]
        ones = 0
        twos = 0
        fours = 0
        for cell in range(CELL_COUNT[card]):
            offset = CELL_OFFSET[card][orientation][cell]
            mine = town.cubes[CELL_RESOURCE[card][orientation][cell]] & have
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
            squares = FOOTPRINT_MASK[card][FOOTPRINT_AT[card][orientation][lowest(corners)]]
            corners &= corners - 1
            missing = count(squares & free & ~wild)
            hope = (gain >> SQUARES) * CHANCE[min(missing, 4)][min(room - missing, 4)] // 100
            if (squares & ~wild | free_choice(state, seat, type)) & gain == 0:
                hope = hope * ELSEWHERE // 100
            found = max(found, hope << SQUARES | squares)
    return found
