"""Building: finding patterns among a town's cubes, and constructing."""

from thorp.core.rule import MoveList, rule
from thorp.games.tiny_towns.cards import (
    CELL_COUNT,
    CELL_COUNTS,
    CELL_OFFSET,
    CELL_RESOURCE,
    CORNERS,
    COUNT_BITS,
    COUNT_GUARD,
    COUNT_GUARDS,
    FACTORY_TYPE,
    FOOTPRINT_AT,
    FOOTPRINT_MASK,
    FOOTPRINTS,
    MONUMENT,
    ORIENTATION_COUNT,
    SQUARES,
    SUPPLY_TYPES,
    WELL_TYPE,
    number,
)
from thorp.games.tiny_towns.masks import buildings, count, cubes, empty, has_built, list_moves, lowest, resources_on
from thorp.games.tiny_towns.moves import BUILD_MOVE, DONE_MOVE
from thorp.games.tiny_towns.state import BUILD, GRANT, MARK, REPLACE, STOCK, WAIT, State

SHED = number("shed")
FACTORY = number("factory")
BANK = number("bank")
TRADING_POST = number("trading_post")
GUILD = number("architects_guild")
UNIVERSITY = number("grove_university")
OBELISK = number("obelisk_of_the_crescent")
WATCH = number("opaleyes_watch")
SHRINE = number("shrine_of_the_elder_tree")

#: Types on Opaleye's Watch, and buildings that Architect's Guild replaces at most.
WATCH_TYPES = 3
GUILD_REPLACEMENTS = 2

ALL_RESOURCES = 0b11111
ALL_TYPES = (1 << SUPPLY_TYPES) - 1


@rule
def card_of(state: State, seat: int, type: int) -> int:
    """The card that a type stands for: the seat's own monument, or the card on the table."""
    return state.towns[seat].monument if type == MONUMENT else state.cards[type]


@rule
def banned(state: State, seat: int) -> int:
    """The resources that lie on the seat's Banks, as a mask: it may not name or pick them."""
    if state.cards[FACTORY_TYPE] != BANK:
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
    return state.towns[seat].built[FACTORY_TYPE] if state.cards[FACTORY_TYPE] == TRADING_POST else 0


@rule
def free_choice(state: State, seat: int, type: int) -> int:
    """The squares besides those of its cubes on which a building may go: any for a Shed, and with the Obelisk."""
    if (type == WELL_TYPE and state.cards[WELL_TYPE] == SHED) or has_built(state, seat, OBELISK):
        return empty(state.towns[seat])
    return 0


@rule
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
            if types >> type & 1 and (have - CELL_COUNTS[card_of(state, seat, type)]) & COUNT_GUARDS == COUNT_GUARDS:
                n = _legal_of(state, seat, type, moves, n)
    return list_moves(moves, n, DONE_MOVE, 1)


@rule
def _cube_counts(state: State, seat: int) -> int:
    """How many cubes of each resource there are, as CELL_COUNTS has them; more than enough with a Trading Post.

    The guard bits are set: subtracting CELL_COUNTS clears the guard of a resource that is short.
    """
    town = state.towns[seat]
    have = COUNT_GUARDS
    plenty = trading_posts(state, seat)
    for resource in range(5):
        have += (COUNT_GUARD - 1 if plenty else count(town.cubes[resource])) << resource * COUNT_BITS
    return have


@rule
def _legal_of(state: State, seat: int, type: int, moves: MoveList, n: int) -> int:
    """The ways to build one type: a pattern lies where all its cells, moved to a corner square, find their cubes."""
    town = state.towns[seat]
    card = card_of(state, seat, type)
    wild = trading_posts(state, seat)
    anywhere = free_choice(state, seat, type)
    begin = n
    for orientation in range(ORIENTATION_COUNT[card]):
        corners = CORNERS[card][orientation]
        for cell in range(CELL_COUNT[card]):
            found = town.cubes[CELL_RESOURCE[card][orientation][cell]] | wild
            corners &= found >> CELL_OFFSET[card][orientation][cell]
            if not corners:
                break
        while corners:
            footprint = FOOTPRINT_AT[card][orientation][lowest(corners)]
            corners &= corners - 1
            removed = FOOTPRINT_MASK[card][footprint] & ~wild
            # at least one real cube is needed; and what takes the same cubes away is one move (ruling 22)
            if removed == 0 or (wild and _offered(card, removed, wild, moves, begin, n)):
                continue
            first = BUILD_MOVE + (type * FOOTPRINTS + footprint) * SQUARES
            n = list_moves(moves, n, first, removed | anywhere)
    return n


@rule
def _offered(card: int, removed: int, wild: int, moves: MoveList, begin: int, n: int) -> bool:
    """Whether moves[begin:n] already holds a way to build this card from the same cubes."""
    for index in range(begin, n):
        footprint = (moves[index] - BUILD_MOVE) // SQUARES % FOOTPRINTS
        if FOOTPRINT_MASK[card][footprint] & ~wild == removed:
            return True
    return False


@rule
def play_build(state: State, seat: int, move: int) -> None:
    """Take the cubes of the footprint away and construct the building on its square."""
    town = state.towns[seat]
    square = (move - BUILD_MOVE) % SQUARES
    footprint = (move - BUILD_MOVE) // SQUARES % FOOTPRINTS
    type = (move - BUILD_MOVE) // SQUARES // FOOTPRINTS
    keep = ~FOOTPRINT_MASK[card_of(state, seat, type)][footprint]
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
    card = card_of(state, seat, type)
    if card == FACTORY or card == BANK:
        town.at = square
        town.task = MARK
    elif type == MONUMENT:
        # a secret is shown
        state.barrier += 1
        if card == GUILD:
            town.replacements = GUILD_REPLACEMENTS
            town.task = REPLACE
        elif card == UNIVERSITY and empty(town):
            town.task = GRANT
        elif card == WATCH:
            town.watch_room = WATCH_TYPES
            town.watch_since = state.round
            town.task = STOCK
        elif card == SHRINE:
            town.shrine = count(buildings(town))


@rule
def task_after(state: State, seat: int) -> int:
    """What a seat goes on with when an effect is over."""
    if state.towns[seat].replacements:
        return REPLACE
    return WAIT if state.revealing else BUILD
