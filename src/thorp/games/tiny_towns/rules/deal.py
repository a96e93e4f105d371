"""Dealing a game, and dealing again what a seat cannot know."""

from thorp.compiling.rule import OptionList, rule
from thorp.core.chance import below, seed_chance
from thorp.games.tiny_towns.rules.cards import FIRSTS, KEY, MONUMENT, PER_ROW, ROWS, SUPPLY_TYPES
from thorp.games.tiny_towns.rules.rounds import CARDS_PER_RESOURCE, draw_unseen, start_round
from thorp.games.tiny_towns.rules.state import (
    KEEP,
    MASTER_BUILDER,
    MOST_MONUMENTS,
    MOST_NUMBERS,
    SOLO,
    TOWN_HALL,
    Row,
    State,
)

# Where options stand in the list: six types of cards, then these; the last is a set of cards, of many numbers.
OPTION_MONUMENTS = 6
OPTION_CAVERN = 7
OPTION_NAMING = 8
OPTION_CARDS = 9

OPEN_CARDS = 3


@rule
def deal(state: State, seats: int, options: OptionList, seed: int) -> None:
    """Start a game in a zeroed state."""
    seed_chance(state.chance, seed)
    state.seats = seats
    state.cavern = options[OPTION_CAVERN]
    state.monuments = 1 - options[OPTION_MONUMENTS]
    state.builder = -1
    if seats == 1:
        state.naming = SOLO
    elif options[OPTION_NAMING]:
        state.naming = TOWN_HALL
    for type in range(1, SUPPLY_TYPES):
        state.cards[type] = _choose_card(state, type, options)
    lay_out(state, options)
    for resource in range(5):
        state.unseen[resource] = CARDS_PER_RESOURCE
    if state.naming == MASTER_BUILDER:
        state.builder = below(state.chance, seats)
    elif state.naming == SOLO:
        for drawn in range(OPEN_CARDS):
            state.row[draw_unseen(state, 5 * CARDS_PER_RESOURCE - drawn)] += 1
    if state.monuments:
        pool = state.pool
        for seat in range(seats):
            for index in range(2):
                card = _draw(state, pool)
                pool &= ~(1 << (card - state.first_monument))
                state.towns[seat].dealt[index] = card
            state.towns[seat].task = KEEP
    else:
        start_round(state)


@rule
def _choose_card(state: State, type: int, options: OptionList) -> int:
    """The card of a type: the chosen one, or any that takes part."""
    first = options[OPTION_CARDS + FIRSTS + type]
    if options[type - 1]:
        return first + options[type - 1] - 1
    count = options[OPTION_CARDS + FIRSTS + type + 1] - first
    card = first + below(state.chance, count)
    while not _takes_part(state, card, options):
        card = first + below(state.chance, count)
    return card


@rule
def _takes_part(state: State, card: int, options: OptionList) -> bool:
    """Whether a card is not left out, as some are in solo play."""
    _read_row(state.rows[0], card, options)
    return state.naming != SOLO or state.rows[0].solo == 1


@rule
def lay_out(state: State, options: OptionList) -> None:
    """Copy into the state what its cards say: those of the seven types, and all monuments that may be dealt."""
    state.key = options[OPTION_CARDS + KEY]
    state.first_monument = options[OPTION_CARDS + FIRSTS + MONUMENT]
    state.pool = 0
    for type in range(SUPPLY_TYPES):
        _read_row(state.rows[type], state.cards[type], options)
    for index in range(options[OPTION_CARDS + FIRSTS + MONUMENT + 1] - state.first_monument):
        row = state.rows[SUPPLY_TYPES + index]
        _read_row(row, state.first_monument + index, options)
        if row.solo or state.naming != SOLO:
            state.pool |= 1 << index


@rule
def _read_row(row: Row, card: int, options: OptionList) -> None:
    """Take what a card says from the options, field by field in the order of the record."""
    first = OPTION_CARDS + ROWS + PER_ROW * card
    row.pattern = options[first]
    row.turns = options[first + 1]
    row.needs = options[first + 2]
    row.types = options[first + 3]
    row.count = options[first + 4]
    row.where = options[first + 5]
    row.base = options[first + 6]
    row.each = options[first + 7]
    for number in range(MOST_NUMBERS):
        row.points[number] = options[first + 8 + number]
    first += 8 + MOST_NUMBERS
    row.feeds = options[first]
    row.portion = options[first + 1]
    row.deed = options[first + 2]
    row.cottages = options[first + 3]
    row.solo = options[first + 4]
    row.promise = options[first + 5]
    row.kept = options[first + 6]


@rule
def _draw(state: State, pool: int) -> int:
    """A random card of a mask of monuments."""
    n = 0
    for index in range(MOST_MONUMENTS):
        n += pool >> index & 1
    nth = below(state.chance, n)
    for index in range(MOST_MONUMENTS):
        if pool >> index & 1:
            if nth == 0:
                return state.first_monument + index
            nth -= 1
    return -1


@rule
def determinize(state: State, seat: int, seed: int) -> None:
    """Deal again all that `seat` cannot know: others' monuments that are not built, and all chance to come.

    A spectator is seat -1.
    """
    seed_chance(state.chance, seed)
    if state.monuments == 0:
        return
    pool = state.pool
    for other in range(state.seats):
        town = state.towns[other]
        if other == seat:
            for card in (town.dealt[0], town.dealt[1], town.monument, town.returned):
                if card:
                    pool &= ~(1 << (card - state.first_monument))
        elif town.built[MONUMENT]:
            pool &= ~(1 << (town.monument - state.first_monument))
    for other in range(state.seats):
        if other != seat:
            pool = _deal_again(state, other, pool)


@rule
def _deal_again(state: State, other: int, pool: int) -> int:
    """Give another seat hidden monuments from the pool; returns what is left of it."""
    town = state.towns[other]
    if town.task == KEEP:
        for index in range(2):
            card = _draw(state, pool)
            pool &= ~(1 << (card - state.first_monument))
            town.dealt[index] = card
        return pool
    if town.built[MONUMENT] == 0:
        town.monument = _draw(state, pool)
        pool &= ~(1 << (town.monument - state.first_monument))
    town.returned = _draw(state, pool)
    return pool & ~(1 << (town.returned - state.first_monument))
