"""Rounds: who names, which cards are turned, when towns are complete and when the game ends."""

from thorp.compiling.rule import MoveList, rule
from thorp.core.chance import below
from thorp.games.tiny_towns.rules.building import ALL_RESOURCES, banned
from thorp.games.tiny_towns.rules.cards import NEVER_NAMES
from thorp.games.tiny_towns.rules.effects import reveal
from thorp.games.tiny_towns.rules.masks import empty, has_built, list_moves
from thorp.games.tiny_towns.rules.moves import NAME_MOVE, PICK_MOVE
from thorp.games.tiny_towns.rules.state import (
    BUILD,
    MASTER_BUILDER,
    NAME,
    PICK,
    PLACE,
    SOLO,
    WAIT,
    State,
)

#: The resource deck: cards of each resource, and how many Town Hall turns before shuffling (15 less 5 discarded).
CARDS_PER_RESOURCE = 3
TURNED_PER_SHUFFLE = 10
#: In Town Hall every third round is a free pick.
HALL_ROUNDS = 3


@rule
def waiting(state: State) -> int:
    """The seats that have something to decide, as a bit mask."""
    mask = 0
    for seat in range(state.seats):
        if state.towns[seat].task != WAIT:
            mask |= 1 << seat
    return mask


@rule
def in_game(state: State, seat: int) -> bool:
    """Whether the seat's town is not complete yet."""
    return state.towns[seat].completed == 0


@rule
def seats_in_game(state: State) -> int:
    """How many towns are not complete."""
    n = 0
    for seat in range(state.seats):
        if in_game(state, seat):
            n += 1
    return n


@rule
def may_choose(state: State, seat: int) -> bool:
    """Whether a seat may name a resource as Master Builder, or pick one freely in Town Hall.

    Not the owner of Fort Ironweed, unless it is the last one in the game; nor who has all five resources on Banks.
    """
    if not in_game(state, seat) or banned(state, seat) == ALL_RESOURCES:
        return False
    return not has_built(state, seat, NEVER_NAMES) or seats_in_game(state) == 1


@rule
def start_round(state: State) -> None:
    """Begin the next round, or end the game when every town is complete."""
    state.barrier += 1
    if seats_in_game(state) == 0:
        state.ended = 1
        return
    state.round += 1
    for seat in range(state.seats):
        state.towns[seat].constructed = 0
    if state.naming == MASTER_BUILDER:
        state.named = 0
        _pass_hammer(state)
    elif state.naming == SOLO:
        _refill_row(state)
        state.named = 0
        state.towns[0].task = NAME
    elif state.round % HALL_ROUNDS == 0:
        state.named = 0
        for seat in range(state.seats):
            if may_choose(state, seat):
                state.towns[seat].task = PICK
            elif in_game(state, seat):
                # takes nothing, and may still build (ruling 21)
                state.towns[seat].task = BUILD
    else:
        hand_out(state, turn_card(state))


@rule
def _pass_hammer(state: State) -> None:
    """Give the hammer to the next seat that may name; the first one of the game was drawn."""
    first = state.builder if state.round == 1 else state.builder + 1
    for step in range(state.seats):
        seat = (first + step) % state.seats
        if may_choose(state, seat):
            state.builder = seat
            state.towns[seat].task = NAME
            return
    # nobody can ever take a cube again: the towns are complete as they stand (ruling 15)
    for seat in range(state.seats):
        if in_game(state, seat):
            state.towns[seat].completed = state.round
    state.ended = 1


@rule
def hand_out(state: State, resource: int) -> None:
    """Give everybody in the game a cube of the resource, to be placed."""
    state.named = resource + 1
    for seat in range(state.seats):
        if in_game(state, seat):
            state.towns[seat].hand = resource + 1
            state.towns[seat].task = PLACE


@rule
def draw_unseen(state: State, cards: int) -> int:
    """Draw one of `cards` unseen resource cards."""
    index = below(state.chance, cards)
    for resource in range(5):
        index -= state.unseen[resource]
        if index < 0:
            state.unseen[resource] -= 1
            return resource
    return -1


@rule
def turn_card(state: State) -> int:
    """Town Hall: the resource of the next card; after ten, all fifteen are shuffled again."""
    if state.turned == TURNED_PER_SHUFFLE:
        state.turned = 0
        for resource in range(5):
            state.unseen[resource] = CARDS_PER_RESOURCE
    resource = draw_unseen(state, 5 * CARDS_PER_RESOURCE - state.turned)
    state.turned += 1
    return resource


@rule
def _refill_row(state: State) -> None:
    """Solo: put the card chosen last under the pile, and open the top card instead."""
    if state.named == 0:
        return
    end = 0
    while state.under[end]:
        end += 1
    state.under[end] = state.named
    unseen = 0
    for resource in range(5):
        unseen += state.unseen[resource]
    if unseen:
        state.row[draw_unseen(state, unseen)] += 1
    else:
        # only cards whose order is known are left in the pile
        state.row[state.under[0] - 1] += 1
        for index in range(end):
            state.under[index] = state.under[index + 1]
        state.under[end] = 0


@rule(inline=True)
def legal_names(state: State, seat: int, moves: MoveList) -> int:
    """The resources that a Master Builder may name; solo: those of the open cards."""
    possible = ALL_RESOURCES & ~banned(state, seat)
    if state.naming == SOLO:
        for resource in range(5):
            if state.row[resource] == 0:
                possible &= ~(1 << resource)
    return list_moves(moves, 0, NAME_MOVE, possible)


@rule(inline=True)
def play_name(state: State, seat: int, move: int) -> None:
    """Name a resource: everybody takes a cube of it."""
    resource = move - NAME_MOVE
    if state.naming == SOLO:
        state.row[resource] -= 1
    else:
        # others act on it at once
        state.barrier += 1
        state.towns[seat].turns += 1
    hand_out(state, resource)


@rule(inline=True)
def legal_picks(state: State, seat: int, moves: MoveList) -> int:
    """The resources that a seat may take in a free round of Town Hall."""
    return list_moves(moves, 0, PICK_MOVE, ALL_RESOURCES & ~banned(state, seat))


@rule(inline=True)
def play_pick(state: State, seat: int, move: int) -> None:
    """Take a cube of it."""
    state.towns[seat].hand = move - PICK_MOVE + 1
    state.towns[seat].task = PLACE


@rule(inline=True)
def advance(state: State) -> None:
    """Go on when nobody has anything left to decide: Opaleye's Watch, completed towns, the next round."""
    if state.round:
        if reveal(state):
            # the seats that are done have acted: nothing before this can be taken back
            state.barrier += 1
            return
        for seat in range(state.seats):
            if in_game(state, seat) and empty(state.towns[seat]) == 0:
                state.towns[seat].completed = state.round
    start_round(state)
