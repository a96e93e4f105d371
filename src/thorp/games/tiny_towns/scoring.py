"""Scoring: feeding, the points of every card, and who wins a tie."""

from thorp.core.rule import entry, rule
from thorp.games.tiny_towns.building import SHRINE
from thorp.games.tiny_towns.cards import (
    ALL_SQUARES,
    AROUND,
    CENTRE_SQUARES,
    CHAPEL_TYPE,
    COLUMN,
    CORNER_SQUARES,
    COTTAGE_TYPE,
    FACTORY_TYPE,
    FARM_TYPE,
    MAX_POINTS,
    MONUMENT,
    NEXT_TO,
    POINTS,
    ROW,
    SUPPLY_TYPES,
    TAVERN_TYPE,
    THEATER_TYPE,
    WELL_TYPE,
    number,
)
from thorp.games.tiny_towns.masks import buildings, count, cubes_on, group, has_built, lowest
from thorp.games.tiny_towns.placing import WAREHOUSE
from thorp.games.tiny_towns.state import MASTER_BUILDER, State

FARM = number("farm")
GRANARY = number("granary")
GREENHOUSE = number("greenhouse")
ORCHARD = number("orchard")
WELL = number("well")
FOUNTAIN = number("fountain")
MILLSTONE = number("millstone")
CHAPEL = number("chapel")
ABBEY = number("abbey")
CLOISTER = number("cloister")
TEMPLE = number("temple")
TAVERN = number("tavern")
ALMSHOUSE = number("almshouse")
FEAST_HALL = number("feast_hall")
INN = number("inn")
THEATER = number("theater")
BAKERY = number("bakery")
MARKET = number("market")
TAILOR = number("tailor")
ARCHIVE = number("archive_of_the_second_age")
CASTLE = number("barrett_castle")
CATHEDRAL = number("cathedral_of_caterina")
MAUSOLEUM = number("grand_mausoleum_of_the_rodina")
PALACE = number("mandras_palace")
SILVA = number("silva_forum")
BATHS = number("the_sky_baths")
STARLOOM = number("the_starloom")

#: Feedable buildings that one Farm feeds, and fed Cottages that a Temple wants.
FARM_FEEDS = 4
TEMPLE_WANTS = 2


# --- feeding ----------------------------------------------------------------------------------------------------


@rule
def castle(state: State, seat: int) -> int:
    """The square of the seat's Barrett Castle as a mask; 0 without one."""
    return state.towns[seat].built[MONUMENT] if has_built(state, seat, CASTLE) else 0


@entry
def cottages(state: State, seat: int, squares: int) -> int:
    """How many Cottages stand on some squares; Barrett Castle counts as two (ruling 2)."""
    return count(state.towns[seat].built[COTTAGE_TYPE] & squares) + 2 * count(castle(state, seat) & squares)


@entry
def fed(state: State, seat: int) -> int:
    """The squares whose Cottage or Barrett Castle is fed, chosen so that the seat's points are highest."""
    town = state.towns[seat]
    hungry = town.built[COTTAGE_TYPE] | castle(state, seat)
    card = state.cards[FARM_TYPE]
    feeders = town.built[FARM_TYPE]
    if hungry == 0 or feeders == 0:
        return 0
    if card == GRANARY or card == ORCHARD:
        reached = 0
        while feeders:
            square = lowest(feeders)
            feeders &= feeders - 1
            reached |= AROUND[square] if card == GRANARY else ROW[square] | COLUMN[square]
        return hungry & reached
    portions = count(feeders) * (FARM_FEEDS if card == FARM else 1)
    if _portions_of(card, hungry) <= portions:
        return hungry
    if card == FARM and (state.cards[CHAPEL_TYPE] != TEMPLE or town.built[CHAPEL_TYPE] == 0):
        return _first_fed(hungry, castle(state, seat), portions)
    return _best_fed(state, seat, card, hungry, portions)


@rule
def _portion(card: int, hungry: int) -> int:
    """What is fed at one go, of those still hungry: one building by a Farm, a whole group by a Greenhouse."""
    return group(hungry, lowest(hungry)) if card == GREENHOUSE else hungry & -hungry


@rule
def _portions_of(card: int, hungry: int) -> int:
    """Into how many portions the hungry fall."""
    n = 0
    while hungry:
        hungry &= ~_portion(card, hungry)
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
def _best_fed(state: State, seat: int, card: int, hungry: int, portions: int) -> int:
    """Try every choice of so many portions."""
    best = 0
    most = -1
    for choice in range(1 << _portions_of(card, hungry)):
        if count(choice) != portions:
            continue
        chosen = 0
        rest = hungry
        index = 0
        while rest:
            portion = _portion(card, rest)
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
    for type in (COTTAGE_TYPE, CHAPEL_TYPE):
        points += type_points(state, seat, type, fed)
    return points


# --- buildings --------------------------------------------------------------------------------------------------


@rule
def points_at(card: int, index: int) -> int:
    """The card's points for a number, the last one going on for ever."""
    return POINTS[card][min(index, MAX_POINTS - 1)]


@entry
def type_points(state: State, seat: int, type: int, fed: int) -> int:
    """The points of all buildings of a type, when the squares `fed` are fed."""
    town = state.towns[seat]
    here = town.built[type]
    card = state.cards[type]
    one = POINTS[card][0]
    if type == COTTAGE_TYPE:
        return one * count(here & fed)
    if here == 0:
        return 0
    if card == TAVERN or card == ALMSHOUSE:
        return points_at(card, count(here))
    if card == FEAST_HALL:
        return count(here) * points_at(card, 1 if has_more_halls(state, seat) else 0)
    if card == CHAPEL:
        return one * count(here) * cottages(state, seat, fed)
    if card == CLOISTER:
        return one * count(here) * count(here & CORNER_SQUARES)
    if card == TAILOR:
        return one * count(here) * (1 + count(here & CENTRE_SQUARES))
    points = 0
    squares = here
    while squares:
        square = lowest(squares)
        squares &= squares - 1
        points += one * _times(state, seat, card, square, fed)
    return points


@entry
def has_more_halls(state: State, seat: int) -> bool:
    """Whether the seat has more Feast Halls than its right-hand neighbour, who is nobody in solo play (ruling 1)."""
    mine = count(state.towns[seat].built[TAVERN_TYPE])
    if state.seats == 1:
        return mine > 0
    return mine > count(state.towns[(seat + state.seats - 1) % state.seats].built[TAVERN_TYPE])


@rule
def _times(state: State, seat: int, card: int, square: int, fed: int) -> int:
    """How many times the building on a square gives its card's points."""
    town = state.towns[seat]
    beside = NEXT_TO[square]
    if card == WELL:
        return cottages(state, seat, beside)
    if card == FOUNTAIN:
        return 1 if town.built[WELL_TYPE] & beside else 0
    if card == MILLSTONE:
        return 1 if (town.built[FARM_TYPE] | town.built[THEATER_TYPE]) & beside else 0
    if card == ABBEY:
        return 0 if (town.built[FACTORY_TYPE] | town.built[TAVERN_TYPE] | town.built[THEATER_TYPE]) & beside else 1
    if card == TEMPLE:
        return 1 if cottages(state, seat, fed & beside) >= TEMPLE_WANTS else 0
    if card == INN:
        return 0 if town.built[TAVERN_TYPE] & (ROW[square] | COLUMN[square]) else 1
    if card == THEATER:
        return _types_seen(state, seat, ROW[square] | COLUMN[square])
    if card == BAKERY:
        return 1 if (town.built[FARM_TYPE] | town.built[FACTORY_TYPE]) & beside else 0
    if card == MARKET:
        return 1 + max(count(town.built[THEATER_TYPE] & ROW[square]), count(town.built[THEATER_TYPE] & COLUMN[square]))
    if card == WAREHOUSE:
        return cubes_on(town, square)
    # SHED, BANK, TRADING_POST: each; FACTORY and the farms: nothing
    return 1


@rule
def _types_seen(state: State, seat: int, squares: int) -> int:
    """Types other than the Theater's on some squares; Barrett Castle is of the Cottage type (ruling 2)."""
    town = state.towns[seat]
    own_castle = castle(state, seat)
    n = 1 if (town.built[COTTAGE_TYPE] | own_castle) & squares else 0
    for type in range(1, SUPPLY_TYPES):
        if type != THEATER_TYPE and town.built[type] & squares:
            n += 1
    return n + (1 if town.built[MONUMENT] & ~own_castle & squares else 0)


# --- monuments and empty squares --------------------------------------------------------------------------------


@entry
def monument_points(state: State, seat: int, fed: int) -> int:
    """The points of the seat's monument, once it is built."""
    town = state.towns[seat]
    card = town.monument
    here = town.built[MONUMENT]
    if here == 0:
        return 0
    one = POINTS[card][0]
    if card == ARCHIVE:
        return one * types_built(state, seat, ALL_SQUARES)
    if card == CASTLE:
        return one if here & fed else 0
    if card == MAUSOLEUM:
        return one * count(town.built[COTTAGE_TYPE] & ~fed)
    if card == PALACE:
        return one * types_built(state, seat, NEXT_TO[lowest(here)])
    if card == SHRINE:
        return points_at(card, town.shrine)
    if card == SILVA:
        return one + largest_group(state, seat)
    if card == BATHS:
        return one * (SUPPLY_TYPES - types_built(state, seat, ALL_SQUARES))
    if card == STARLOOM:
        return points_at(card, place_of_completion(state, seat))
    return one


@rule
def types_built(state: State, seat: int, squares: int) -> int:
    """How many of the seven types stand on some squares."""
    n = 0
    for type in range(SUPPLY_TYPES):
        if state.towns[seat].built[type] & squares:
            n += 1
    return n


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


@entry
def place_of_completion(state: State, seat: int) -> int:
    """1 + the towns completed in an earlier round (ruling 3); a town still in the game comes after them all."""
    mine = state.towns[seat].completed
    place = 1
    for other in range(state.seats):
        theirs = state.towns[other].completed
        if theirs and (mine == 0 or theirs < mine):
            place += 1
    return place


@entry
def unbuilt(state: State, seat: int) -> int:
    """Squares without a building."""
    return count(ALL_SQUARES ^ buildings(state.towns[seat]))


@entry
def empty_points(state: State, seat: int) -> int:
    """-1 for every square without a building, unless the Cathedral of Caterina stands."""
    return 0 if has_built(state, seat, CATHEDRAL) else -unbuilt(state, seat)


@entry
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


@entry
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
