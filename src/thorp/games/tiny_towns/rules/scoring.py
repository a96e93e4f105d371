"""Scoring: feeding, the points of every card, and who wins a tie."""

from thorp.compiling.rule import rule
from thorp.games.tiny_towns.rules.cards import (
    ALL,
    BUILDINGS,
    BUILT_TYPES,
    COTTAGE_TYPE,
    COTTAGES,
    CUBES,
    FARM_TYPE,
    FED,
    FED_COTTAGES,
    FEEDS_GROUPS,
    FEEDS_NOTHING,
    FEEDS_WHERE,
    FORGIVES,
    LARGEST_GROUP,
    MONUMENT,
    MORE_THAN_RIGHT,
    NOTHING,
    PLACE_COMPLETED,
    SUPPLY_TYPES,
    UNFED_COTTAGES,
    WHEN_BUILT,
)
from thorp.games.tiny_towns.rules.masks import buildings, count, cubes_on, group, has_built, lowest, row_of
from thorp.games.tiny_towns.rules.shapes import ALL_SQUARES, COLUMN, CORNER, LINE, ROW, SQUARES_AT, TOWN
from thorp.games.tiny_towns.rules.state import MASTER_BUILDER, MOST_NUMBERS, Row, State

# --- feeding ----------------------------------------------------------------------------------------------------


@rule
def castle(state: State, seat: int) -> int:
    """The square of the seat's monument as a mask, where it counts as Cottages: Barrett Castle."""
    town = state.towns[seat]
    return town.built[MONUMENT] if state.rows[row_of(state, seat, MONUMENT)].cottages else 0


@rule
def cottages(state: State, seat: int, squares: int) -> int:
    """How many Cottages stand on some squares; Barrett Castle counts as two (ruling 2)."""
    n = count(state.towns[seat].built[COTTAGE_TYPE] & squares)
    if castle(state, seat) & squares:
        n += state.rows[row_of(state, seat, MONUMENT)].cottages
    return n


@rule
def fed(state: State, seat: int) -> int:
    """The squares whose Cottage or Barrett Castle is fed, chosen so that the seat's points are highest."""
    town = state.towns[seat]
    own_castle = castle(state, seat)
    hungry = town.built[COTTAGE_TYPE] | own_castle
    row = state.rows[FARM_TYPE]
    feeders = town.built[FARM_TYPE]
    if hungry == 0 or feeders == 0 or row.feeds == FEEDS_NOTHING:
        return 0
    if row.feeds == FEEDS_WHERE:
        reached = 0
        while feeders:
            reached |= SQUARES_AT[row.portion][lowest(feeders)]
            feeders &= feeders - 1
        return hungry & reached
    groups = row.feeds == FEEDS_GROUPS
    portions = count(feeders) * row.portion
    if _portions_of(groups, hungry) <= portions:
        return hungry
    if groups or _is_choosy(state, seat):
        return _best_fed(state, seat, groups, hungry, portions)
    # it does not matter which Cottages, only whether the castle is among them
    chosen = _first_fed(hungry, own_castle, portions)
    if own_castle and count(hungry) > portions:
        others = _first_fed(hungry & ~own_castle, 0, portions)
        if _points_by_feeding(state, seat, others) > _points_by_feeding(state, seat, chosen):
            chosen = others
    return chosen


@rule
def _is_choosy(state: State, seat: int) -> bool:
    """Whether it matters for a building of the town where those stand that are fed."""
    for type in range(SUPPLY_TYPES + 1):
        if state.towns[seat].built[type]:
            row = state.rows[row_of(state, seat, type)]
            if row.where != TOWN and (row.count == FED_COTTAGES or row.count == UNFED_COTTAGES):
                return True
    return False


@rule
def _portion(groups: bool, hungry: int) -> int:
    """What is fed at one go, of those still hungry: one building, or a whole group."""
    return group(hungry, lowest(hungry)) if groups else hungry & -hungry


@rule
def _portions_of(groups: bool, hungry: int) -> int:
    """Into how many portions the hungry fall."""
    if not groups:
        return count(hungry)
    n = 0
    while hungry:
        hungry &= ~_portion(groups, hungry)
        n += 1
    return n


@rule
def _first_fed(hungry: int, first: int, portions: int) -> int:
    """The castle first, then any Cottages: where it does not matter which."""
    chosen = first
    hungry &= ~first
    while count(chosen) < portions:
        chosen |= hungry & -hungry
        hungry &= hungry - 1
    return chosen


@rule
def _best_fed(state: State, seat: int, groups: bool, hungry: int, portions: int) -> int:
    """Try every choice of so many portions."""
    best = 0
    most = -1_000_000
    for choice in range(1 << _portions_of(groups, hungry)):
        if count(choice) != portions:
            continue
        chosen = 0
        rest = hungry
        index = 0
        while rest:
            portion = _portion(groups, rest)
            rest &= ~portion
            if choice >> index & 1:
                chosen |= portion
            index += 1
        points = _points_by_feeding(state, seat, chosen)
        if points > most:
            most = points
            best = chosen
    return best


@rule
def _points_by_feeding(state: State, seat: int, fed: int) -> int:
    """Those points that depend on who is fed."""
    points = monument_points(state, seat, fed)
    for type in range(SUPPLY_TYPES):
        counted = state.rows[type].count
        if counted == FED or counted == FED_COTTAGES or counted == UNFED_COTTAGES:
            points += type_points(state, seat, type, fed)
    return points


# --- buildings --------------------------------------------------------------------------------------------------


@rule
def points_for(row: Row, n: int) -> int:
    """What one building gives for a number: the last of its points by number goes on for ever."""
    return row.base + row.each * n + row.points[min(n, MOST_NUMBERS - 1)]


@rule
def type_points(state: State, seat: int, type: int, fed: int) -> int:
    """The points of all buildings of a type, when the squares `fed` are fed."""
    here = state.towns[seat].built[type]
    if here == 0:
        return 0
    row = state.rows[type]
    if row.count == NOTHING:
        return count(here) * row.base
    if row.count == ALL:
        return points_for(row, count(here))
    if row.count == FED:
        return count(here & fed) * points_for(row, 1) + count(here & ~fed) * points_for(row, 0)
    if row.where >= CORNER and row.count != CUBES:
        # the same for each of them
        return count(here) * points_for(row, counted(state, seat, type, lowest(here), fed))
    points = 0
    while here:
        points += points_for(row, counted(state, seat, type, lowest(here), fed))
        here &= here - 1
    return points


@rule
def with_points(state: State, seat: int, type: int, fed: int) -> int:
    """How many buildings of a type give points, where the points of each depend on its square."""
    here = state.towns[seat].built[type]
    row = state.rows[type]
    found = 0
    while here:
        if points_for(row, counted(state, seat, type, lowest(here), fed)) > 0:
            found += 1
        here &= here - 1
    return found


@rule
def monument_points(state: State, seat: int, fed: int) -> int:
    """The points of the seat's monument, once it is built."""
    here = state.towns[seat].built[MONUMENT]
    if here == 0:
        return 0
    row = state.rows[row_of(state, seat, MONUMENT)]
    if row.count == NOTHING:
        return row.base
    if row.count == FED:
        return points_for(row, 1 if here & fed else 0)
    return points_for(row, counted(state, seat, MONUMENT, lowest(here), fed))


@rule
def counted(state: State, seat: int, type: int, square: int, fed: int) -> int:
    """The number on which the points of the building on a square depend."""
    town = state.towns[seat]
    row = state.rows[row_of(state, seat, type)]
    if row.count == CUBES:
        return cubes_on(town, square)
    if row.count == MORE_THAN_RIGHT:
        return 1 if has_more(state, seat, type) else 0
    if row.count == LARGEST_GROUP:
        return largest_group(state, seat)
    if row.count == WHEN_BUILT:
        return town.shrine
    if row.count == PLACE_COMPLETED:
        return place_of_completion(state, seat)
    if row.where == LINE:
        return max(_seen(state, seat, row, ROW[square], fed), _seen(state, seat, row, COLUMN[square], fed))
    return _seen(state, seat, row, SQUARES_AT[row.where][square], fed)


@rule
def _seen(state: State, seat: int, row: Row, squares: int, fed: int) -> int:
    """What a card counts on some squares."""
    town = state.towns[seat]
    if row.count == COTTAGES:
        return cottages(state, seat, squares)
    if row.count == FED_COTTAGES:
        return cottages(state, seat, squares & fed)
    if row.count == UNFED_COTTAGES:
        return count(town.built[COTTAGE_TYPE] & squares & ~fed)
    if row.count == BUILDINGS:
        found = 0
        for type in range(SUPPLY_TYPES + 1):
            if row.types >> type & 1:
                found |= town.built[type]
        return count(found & squares)
    n = types_on(state, seat, row.types, squares)
    return n if row.count == BUILT_TYPES else count(row.types) - n


@rule
def types_on(state: State, seat: int, types: int, squares: int) -> int:
    """How many of these types stand on some squares; Barrett Castle is of the Cottage type (ruling 2)."""
    town = state.towns[seat]
    own_castle = castle(state, seat)
    n = 0
    for type in range(SUPPLY_TYPES + 1):
        here = town.built[type]
        if type == COTTAGE_TYPE:
            here |= own_castle
        elif type == MONUMENT:
            here &= ~own_castle
        if types >> type & 1 and here & squares:
            n += 1
    return n


@rule
def has_more(state: State, seat: int, type: int) -> bool:
    """Whether the seat has more buildings of a type than its right-hand neighbour, who is nobody in solo play
    (ruling 1).
    """
    mine = count(state.towns[seat].built[type])
    if state.seats == 1:
        return mine > 0
    return mine > count(state.towns[(seat + state.seats - 1) % state.seats].built[type])


@rule
def largest_group(state: State, seat: int) -> int:
    """Buildings in the largest group of one type."""
    most = 0
    for type in range(SUPPLY_TYPES + 1):
        rest = state.towns[seat].built[type]
        while rest:
            found = group(rest, lowest(rest))
            rest &= ~found
            most = max(most, count(found))
    return most


@rule
def place_of_completion(state: State, seat: int) -> int:
    """1 + the towns completed in an earlier round (ruling 3); a town still in the game comes after them all."""
    mine = state.towns[seat].completed
    place = 1
    for other in range(state.seats):
        theirs = state.towns[other].completed
        if theirs and (mine == 0 or theirs < mine):
            place += 1
    return place


@rule
def unbuilt(state: State, seat: int) -> int:
    """Squares without a building."""
    return count(ALL_SQUARES ^ buildings(state.towns[seat]))


@rule
def empty_points(state: State, seat: int) -> int:
    """-1 for every square without a building, unless the Cathedral of Caterina stands."""
    return 0 if has_built(state, seat, FORGIVES) else -unbuilt(state, seat)


@rule
def score(state: State, seat: int) -> int:
    """Points of a seat; before the end, as if the game ended now."""
    eaters = fed(state, seat)
    points = monument_points(state, seat, eaters) + empty_points(state, seat)
    for type in range(SUPPLY_TYPES):
        points += type_points(state, seat, type, eaters)
    return points


# --- standings --------------------------------------------------------------------------------------------------


@rule
def rank(state: State, seat: int) -> int:
    """A number that is higher for who stands before: points, then fewer turns as Master Builder, fewer squares
    without a building, more Cottages. The turns have no meaning without a Master Builder (ruling 12).
    """
    turns = state.towns[seat].turns if state.naming == MASTER_BUILDER else 0
    rank = score(state, seat) * 256 - turns
    rank = rank * 32 - unbuilt(state, seat)
    return rank * 32 + cottages(state, seat, ALL_SQUARES)


@rule
def standing(state: State, seat: int) -> int:
    """The seat's place, from 1; who ties shares it."""
    mine = 0
    place = 1
    for step in range(state.seats):
        theirs = rank(state, (seat + step) % state.seats)
        if step == 0:
            mine = theirs
        elif theirs > mine:
            place += 1
    return place
