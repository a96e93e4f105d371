"""What has to hold of every state of Tiny Towns, and of every building that is built: checked in compiled code."""

from games.tiny_towns.printed import CARDS, number
from thorp.compiling.rule import MoveList, rule, table
from thorp.core.chance import Stream, below
from thorp.core.contract import legal, play, waiting
from thorp.core.generic import Generic, States, copy_state
from thorp.games.tiny_towns.rules.cards import MONUMENT
from thorp.games.tiny_towns.rules.masks import buildings, count, cubes, cubes_on, empty
from thorp.games.tiny_towns.rules.moves import BUILD_MOVE, DONE_MOVE
from thorp.games.tiny_towns.rules.placing import CAVERN_ROOM, WAREHOUSE_ROOM
from thorp.games.tiny_towns.rules.rounds import CARDS_PER_RESOURCE
from thorp.games.tiny_towns.rules.scoring import unbuilt
from thorp.games.tiny_towns.rules.shapes import FOOTPRINT_MASK, FOOTPRINTS, SQUARES
from thorp.games.tiny_towns.rules.state import SOLO, TOWN_HALL, State

BANK, FACTORY, SHED = number("bank"), number("factory"), number("shed")
TRADING_POST, WAREHOUSE = number("trading_post"), number("warehouse")
OBELISK, STATUE = number("obelisk_of_the_crescent"), number("statue_of_the_bondmaker")
UNIVERSITY, WATCH = number("grove_university"), number("opaleyes_watch")
#: [card]: how many cubes its pattern takes, and its shape.
CELL_COUNT = table([len(card.cells) for card in CARDS])
SHAPE = table([card.shape for card in CARDS])

# What may be wrong.
ENDLESS, OVERLAP, HELD, ROOM, CAVERN, DECK, MONUMENTS, COST, SQUARE, CUBES_MOVED, FULL = range(-11, 0)


@rule
def has_built(state: State, seat: int, monument: int) -> bool:
    """Whether the seat has built this monument."""
    return state.towns[seat].monument == monument and state.towns[seat].built[MONUMENT] != 0


@rule
def check_town(state: State, seat: int) -> int:
    """0, or what is wrong with a town."""
    town = state.towns[seat]
    things = 0
    for resource in range(5):
        things += count(town.cubes[resource])
    for type in range(8):
        things += count(town.built[type])
    # every square holds one thing at most
    if things != count(cubes(town) | buildings(town)):
        return OVERLAP
    for square in range(SQUARES):
        n = cubes_on(town, square)
        if n == 0:
            continue
        if town.built[6] >> square & 1:
            card = state.cards[6]
            most = WAREHOUSE_ROOM if card == WAREHOUSE else 1 if card == FACTORY or card == BANK else 0
        elif town.built[0] >> square & 1 and has_built(state, seat, STATUE):
            most = 1
        else:
            most = 0
        if n > most:
            return HELD
    if count(town.built[MONUMENT]) > 1 or (town.built[MONUMENT] and town.monument == 0):
        return MONUMENTS
    if state.cards[6] == BANK and count(town.built[6]) > 5:
        return ROOM
    if town.aside > (CAVERN_ROOM if state.cavern else 0):
        return CAVERN
    # without these cards, a building leaves more squares than it takes: one stays empty
    spare = state.cards[6] == TRADING_POST or town.monument == UNIVERSITY or town.monument == WATCH
    if unbuilt(state, seat) == 0 and not spare:
        return FULL
    return 0


@rule
def check_deck(state: State) -> int:
    """0, or DECK: fifteen resource cards, three of each resource, are never made or lost."""
    cards = 0
    for resource in range(5):
        if state.unseen[resource] < 0 or state.row[resource] < 0:
            return DECK
        cards += state.unseen[resource] + state.row[resource]
    if state.naming == SOLO:
        for index in range(15):
            if state.under[index]:
                cards += 1
        return 0 if cards + (1 if state.named else 0) == 5 * CARDS_PER_RESOURCE else DECK
    if state.naming == TOWN_HALL:
        return 0 if cards == 5 * CARDS_PER_RESOURCE - state.turned else DECK
    return 0


@rule
def check_build(before: State, after: State, seat: int, move: int) -> int:
    """0, or what is wrong with a building just built: its cost, its square, or other cubes."""
    type = (move - BUILD_MOVE) // SQUARES // FOOTPRINTS
    square = (move - BUILD_MOVE) % SQUARES
    card = before.towns[seat].monument if type == MONUMENT else before.cards[type]
    footprint = FOOTPRINT_MASK[SHAPE[card]][(move - BUILD_MOVE) // SQUARES % FOOTPRINTS]
    posts = before.towns[seat].built[6] if before.cards[6] == TRADING_POST else 0
    gone = cubes(before.towns[seat]) & ~cubes(after.towns[seat])
    if gone != footprint & ~posts or count(gone) + count(footprint & posts) != CELL_COUNT[card] or gone == 0:
        return COST
    for resource in range(5):
        if after.towns[seat].cubes[resource] != before.towns[seat].cubes[resource] & ~gone:
            return CUBES_MOVED
    if not after.towns[seat].built[type] >> square & 1 or before.towns[seat].built[type] >> square & 1:
        return SQUARE
    anywhere = (type == 2 and card == SHED) or has_built(before, seat, OBELISK)
    allowed = gone | empty(before.towns[seat]) if anywhere else gone
    return 0 if allowed >> square & 1 else SQUARE


@rule
def buildings_stayed(before: State, after: State, seat: int) -> bool:
    """Whether all buildings of a seat stand where they stood."""
    for type in range(8):
        if before.towns[seat].built[type] & ~after.towns[seat].built[type]:
            return False
    return True


def _checked_game(states: States, moves: MoveList, seats: int, stream: Stream) -> int:
    """Play states[0] to its end by random moves of random seats; how many, or what was wrong. states[1] is used."""
    for plies in range(10_000):
        mask = waiting(states[0])
        for seat in range(seats):
            wrong = check_town(states[0], seat)
            if wrong:
                return wrong
        wrong = check_deck(states[0])
        if wrong or mask == 0:
            return wrong if wrong else plies
        seat = below(stream.chance, seats)
        while not mask >> seat & 1:
            seat = below(stream.chance, seats)
        n = legal(states[0], seat, moves)
        move = moves.at[below(stream.chance, n)]
        copy_state(states, 1, 0)
        play(states[0], seat, move)
        if BUILD_MOVE <= move < DONE_MOVE:
            wrong = check_build(states[1], states[0], seat, move)
            if wrong:
                return wrong
        for other in range(seats):
            if other != seat and not buildings_stayed(states[1], states[0], other):
                return SQUARE
    return ENDLESS


checked_game = Generic(_checked_game)
