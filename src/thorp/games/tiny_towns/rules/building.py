"""Building: finding patterns among a town's cubes, and constructing."""

from thorp.compiling.rule import MoveList, rule
from thorp.games.tiny_towns.rules.cards import (
    ANYWHERE,
    BARS,
    COUNT_BITS,
    COUNT_GUARD,
    COUNT_GUARDS,
    FACTORY_TYPE,
    GRANTS,
    MONUMENT,
    REBUILDS,
    RESOURCE_BITS,
    RESOURCE_MASK,
    SHAPE_BITS,
    SHAPE_MASK,
    STANDS_IN,
    SUBSTITUTES,
    SUPPLY_TYPES,
    TURN_BITS,
    TURN_MASK,
    TURNS_SHIFT,
    WATCHES,
    WHEN_BUILT,
)
from thorp.games.tiny_towns.rules.masks import (
    buildings,
    count,
    cubes,
    empty,
    has_built,
    list_moves,
    lowest,
    resources_on,
    row_of,
)
from thorp.games.tiny_towns.rules.moves import BUILD_MOVE, DONE_MOVE
from thorp.games.tiny_towns.rules.shapes import (
    CELL_OFFSET,
    CELLS,
    CORNERS,
    FOOTPRINT_AT,
    FOOTPRINT_MASK,
    FOOTPRINTS,
    SQUARES,
)
from thorp.games.tiny_towns.rules.state import BUILD, GRANT, MARK, REPLACE, STOCK, WAIT, State, Town

#: Types on Opaleye's Watch, and buildings that Architect's Guild replaces at most.
WATCH_TYPES = 3
GUILD_REPLACEMENTS = 2

ALL_RESOURCES = 0b11111
ALL_TYPES = (1 << SUPPLY_TYPES) - 1


@rule
def banned(state: State, seat: int) -> int:
    """The resources that lie on the seat's Banks, as a mask: it may not name or pick them."""
    if state.rows[FACTORY_TYPE].deed != BARS:
        return 0
    town = state.towns[seat]
    return resources_on(town, town.built[FACTORY_TYPE])


@rule
def supply(state: State, seat: int) -> int:
    """The types of which the seat may have one more building, as a mask.

    Only a Bank can be refused: a resource that lies on no other of one's Banks must go on it (ruling 19).
    """
    if banned(state, seat) == ALL_RESOURCES:
        return ALL_TYPES & ~(1 << FACTORY_TYPE)
    return ALL_TYPES


@rule
def trading_posts(state: State, seat: int) -> int:
    """The squares that stand in for any resource."""
    return state.towns[seat].built[FACTORY_TYPE] if state.rows[FACTORY_TYPE].deed == STANDS_IN else 0


@rule
def free_choice(state: State, seat: int, type: int) -> int:
    """The squares besides those of its cubes on which a building may go: any for a Shed, and with the Obelisk."""
    if (type < SUPPLY_TYPES and state.rows[type].deed == ANYWHERE) or has_built(state, seat, ANYWHERE):
        return empty(state.towns[seat])
    return 0


@rule(inline=True)
def legal_builds(state: State, seat: int, moves: MoveList) -> int:
    """The buildings that a seat can build now, by footprint and square, and `done`."""
    town = state.towns[seat]
    n = 0
    if cubes(town):
        types = supply(state, seat)
        if town.monument and town.built[MONUMENT] == 0:
            types |= 1 << MONUMENT
        have = _cube_counts(state, seat)
        for type in range(SUPPLY_TYPES + 1):
            if types >> type & 1:
                needs = state.rows[row_of(state, seat, type)].needs
                if (have - needs) & COUNT_GUARDS == COUNT_GUARDS:
                    n = _legal_of(state, seat, type, moves, n)
    return list_moves(moves, n, DONE_MOVE, 1)


@rule(inline=True)
def _cube_counts(state: State, seat: int) -> int:
    """How many cubes of each resource there are, as `Row.needs` has them; more than enough with a Trading Post.

    The guard bits are set: subtracting what is needed clears the guard of a resource that is short.
    """
    town = state.towns[seat]
    have = COUNT_GUARDS
    plenty = trading_posts(state, seat)
    for resource in range(5):
        have += (COUNT_GUARD - 1 if plenty else count(town.cubes[resource])) << resource * COUNT_BITS
    return have


@rule(inline=True)
def _legal_of(state: State, seat: int, type: int, moves: MoveList, n: int) -> int:
    """The ways to build one type: a pattern lies where all its cells, moved to a corner square, find their cubes."""
    town = state.towns[seat]
    row = state.rows[row_of(state, seat, type)]
    shape = row.pattern & SHAPE_MASK
    wild = trading_posts(state, seat)
    anywhere = free_choice(state, seat, type)
    begin = n
    for way in range(row.turns >> TURNS_SHIFT):
        turn = row.turns >> TURN_BITS * way & TURN_MASK
        corners = _corners(town, row.pattern, turn, wild)
        while corners:
            footprint = FOOTPRINT_AT[shape][turn][lowest(corners)]
            corners &= corners - 1
            removed = FOOTPRINT_MASK[shape][footprint] & ~wild
            # at least one real cube is needed; and what takes the same cubes away is one move (ruling 22)
            if removed == 0 or (wild and _offered(shape, removed, wild, moves, begin, n)):
                continue
            first = BUILD_MOVE + (type * FOOTPRINTS + footprint) * SQUARES
            n = list_moves(moves, n, first, removed | anywhere)
    return n


@rule
def _corners(town: Town, pattern: int, turn: int, wild: int) -> int:
    """Where the corner of a turned pattern can lie, so that all its cells find their cubes."""
    shape = pattern & SHAPE_MASK
    corners = CORNERS[shape][turn]
    resources = pattern >> SHAPE_BITS
    for cell in range(CELLS[shape]):
        corners &= (town.cubes[resources & RESOURCE_MASK] | wild) >> CELL_OFFSET[shape][turn][cell]
        if corners == 0:
            return 0
        resources >>= RESOURCE_BITS
    return corners


@rule(inline=True)
def pattern_lies(state: State, seat: int, row: int) -> bool:
    """Whether the cubes of a card lie in a town, so that it could be built."""
    town = state.towns[seat]
    card = state.rows[row]
    shape = card.pattern & SHAPE_MASK
    wild = trading_posts(state, seat)
    for way in range(card.turns >> TURNS_SHIFT):
        turn = card.turns >> TURN_BITS * way & TURN_MASK
        corners = _corners(town, card.pattern, turn, wild)
        while corners:
            if FOOTPRINT_MASK[shape][FOOTPRINT_AT[shape][turn][lowest(corners)]] & ~wild:
                return True
            corners &= corners - 1
    return False


@rule(inline=True)
def _offered(shape: int, removed: int, wild: int, moves: MoveList, begin: int, n: int) -> bool:
    """Whether moves.at[begin:n] already holds a way to build a card of this shape from the same cubes."""
    for index in range(begin, n):
        footprint = (moves.at[index] - BUILD_MOVE) // SQUARES % FOOTPRINTS
        if FOOTPRINT_MASK[shape][footprint] & ~wild == removed:
            return True
    return False


@rule(inline=True)
def play_build(state: State, seat: int, move: int) -> None:
    """Take the cubes of the footprint away and construct the building on its square."""
    town = state.towns[seat]
    square = (move - BUILD_MOVE) % SQUARES
    footprint = (move - BUILD_MOVE) // SQUARES % FOOTPRINTS
    type = (move - BUILD_MOVE) // SQUARES // FOOTPRINTS
    keep = ~FOOTPRINT_MASK[state.rows[row_of(state, seat, type)].pattern & SHAPE_MASK][footprint]
    for resource in range(5):
        town.cubes[resource] &= keep
    construct(state, seat, type, square)


@rule
def construct(state: State, seat: int, type: int, square: int) -> None:
    """Put a building on a square, and begin what it does when constructed."""
    town = state.towns[seat]
    town.built[type] |= 1 << square
    town.constructed |= 1 << type
    town.task = task_after(state, seat)
    row = state.rows[row_of(state, seat, type)]
    if row.deed == SUBSTITUTES or row.deed == BARS:
        town.at = square
        town.task = MARK
    elif type == MONUMENT:
        # a secret is shown
        state.barrier += 1
        if row.count == WHEN_BUILT:
            town.shrine = count(buildings(town))
        if row.deed == REBUILDS:
            town.replacements = GUILD_REPLACEMENTS
            town.task = REPLACE
        elif row.deed == GRANTS and empty(town):
            town.task = GRANT
        elif row.deed == WATCHES:
            town.watch_room = WATCH_TYPES
            town.watch_since = state.round
            town.task = STOCK


@rule
def task_after(state: State, seat: int) -> int:
    """What a seat goes on with when an effect is over."""
    if state.towns[seat].replacements:
        return REPLACE
    return WAIT if state.revealing else BUILD
