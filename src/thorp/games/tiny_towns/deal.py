"""Dealing a game, and dealing again what a seat cannot know."""

from thorp.core.chance import below, seed_chance
from thorp.core.rule import OptionList, entry, rule
from thorp.games.tiny_towns.building import BANK, WATCH
from thorp.games.tiny_towns.cards import CARDS, FIRST_MONUMENT, MONUMENT, SUPPLY_TYPES, cards_of, number
from thorp.games.tiny_towns.rounds import CARDS_PER_RESOURCE, FORT, draw_unseen, start_round
from thorp.games.tiny_towns.scoring import INN
from thorp.games.tiny_towns.state import KEEP, MASTER_BUILDER, SOLO, TOWN_HALL, State

# Where options stand in the list: six types of cards, then these.
OPTION_MONUMENTS = 6
OPTION_CAVERN = 7
OPTION_NAMING = 8

#: Cards of a type to choose from; the Cottage alone has no alternative.
ALTERNATIVES = 4
OPEN_CARDS = 3

_ALL_CARDS = len(CARDS)
_FIRST_OF_TYPE_1 = 1
assert all(cards_of(type)[0].number == _FIRST_OF_TYPE_1 + ALTERNATIVES * (type - 1) for type in range(1, SUPPLY_TYPES))
assert number("cottage") == 0


@entry
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
        state.cards[type] = _choose_card(state, type, options[type - 1])
    for resource in range(5):
        state.unseen[resource] = CARDS_PER_RESOURCE
    if state.naming == MASTER_BUILDER:
        state.builder = below(state.chance, seats)
    elif state.naming == SOLO:
        for drawn in range(OPEN_CARDS):
            state.row[draw_unseen(state, 5 * CARDS_PER_RESOURCE - drawn)] += 1
    if state.monuments:
        pool = _monuments_in_game(state)
        for seat in range(seats):
            for index in range(2):
                card = _draw(state, pool)
                pool &= ~(1 << (card - FIRST_MONUMENT))
                state.towns[seat].dealt[index] = card
            state.towns[seat].task = KEEP
    else:
        start_round(state)


@rule
def _choose_card(state: State, type: int, option: int) -> int:
    """The card of a type: the chosen one, or any; solo play leaves Inn and Bank out."""
    first = _FIRST_OF_TYPE_1 + ALTERNATIVES * (type - 1)
    if option:
        return first + option - 1
    card = first + below(state.chance, ALTERNATIVES)
    while state.naming == SOLO and (card == INN or card == BANK):
        card = first + below(state.chance, ALTERNATIVES)
    return card


@rule
def _monuments_in_game(state: State) -> int:
    """The monument cards that may be dealt, as a mask from the first one; solo play leaves two out."""
    pool = (1 << (_ALL_CARDS - FIRST_MONUMENT)) - 1
    if state.naming == SOLO:
        pool &= ~(1 << (FORT - FIRST_MONUMENT) | 1 << (WATCH - FIRST_MONUMENT))
    return pool


@rule
def _draw(state: State, pool: int) -> int:
    """A random card of a mask of monuments."""
    n = 0
    for index in range(_ALL_CARDS - FIRST_MONUMENT):
        n += pool >> index & 1
    nth = below(state.chance, n)
    for index in range(_ALL_CARDS - FIRST_MONUMENT):
        if pool >> index & 1:
            if nth == 0:
                return FIRST_MONUMENT + index
            nth -= 1
    return -1


@entry
def determinize(state: State, seat: int, seed: int) -> None:
    """Deal again all that `seat` cannot know: others' monuments that are not built, and all chance to come.

    A spectator is seat -1.
    """
    seed_chance(state.chance, seed)
    if state.monuments == 0:
        return
    pool = _monuments_in_game(state)
    for other in range(state.seats):
        town = state.towns[other]
        if other == seat:
            for card in (town.dealt[0], town.dealt[1], town.monument, town.returned):
                if card:
                    pool &= ~(1 << (card - FIRST_MONUMENT))
        elif town.built[MONUMENT]:
            pool &= ~(1 << (town.monument - FIRST_MONUMENT))
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
            pool &= ~(1 << (card - FIRST_MONUMENT))
            town.dealt[index] = card
        return pool
    if town.built[MONUMENT] == 0:
        town.monument = _draw(state, pool)
        pool &= ~(1 << (town.monument - FIRST_MONUMENT))
    town.returned = _draw(state, pool)
    return pool & ~(1 << (town.returned - FIRST_MONUMENT))
