"""The rules of Villagers as the contract asks for them: legal moves, and playing one."""

from thorp.compiling.rule import MoveList, rule
from thorp.games.villagers.rules.building import (
    legal_builds,
    legal_places,
    play_build,
    play_discarded,
    play_exchange,
    play_swap,
)
from thorp.games.villagers.rules.drafting import (
    legal_drafts,
    legal_guards,
    list_road,
    play_draft,
    play_give,
    play_guard,
)
from thorp.games.villagers.rules.events import legal_events, legal_jesters, play_answer, play_event
from thorp.games.villagers.rules.moves import (
    BEAR_MOVE,
    BUILD_MOVE,
    DONE_MOVE,
    EXCHANGE_MOVE,
    FREE_MOVE,
    GIVE_MOVE,
    GUARD_MOVE,
    JESTER_MOVE,
    PAY_MOVE,
    PLACE_MOVE,
    SMUGGLER_MOVE,
    SWAP_MOVE,
    TINNER_MOVE,
)
from thorp.games.villagers.rules.rounds import advance
from thorp.games.villagers.rules.state import BUILD, DRAFT, EVENT, GIVE, GUARD, OVER, State
from thorp.games.villagers.rules.unlocking import legal_pays, play_pay


@rule
def legal(state: State, seat: int, moves: MoveList) -> int:
    """Write the legal moves of `seat` into `moves`, and say how many there are (0: nothing to decide)."""
    phase = state.phase
    if phase == OVER or seat != state.turn:
        return 0
    if phase == DRAFT:
        return legal_drafts(state, moves)
    if phase == GIVE:
        return list_road(state, moves, GIVE_MOVE)
    if phase == GUARD:
        return legal_guards(state, moves)
    if phase != BUILD:
        return legal_events(state, moves)
    if state.locked:
        return legal_pays(state, seat, moves)
    if state.freed:
        return legal_places(state, seat, moves)
    n = legal_builds(state, seat, moves)
    return legal_jesters(state, moves, n) if state.seats == 1 else n


@rule
def play(state: State, seat: int, move: int) -> None:
    """Play a legal move of `seat`, with all that follows until somebody has to decide."""
    if move >= BEAR_MOVE and state.phase == EVENT:
        play_event(state, move)
    elif move >= JESTER_MOVE:
        play_answer(state, move)
    elif move >= PAY_MOVE:
        play_pay(state, seat, move)
    elif move >= TINNER_MOVE:
        play_discarded(state, seat, move)
    elif SWAP_MOVE <= move < PLACE_MOVE:
        play_swap(state, seat, move)
    elif move >= BUILD_MOVE:
        play_build(state, seat, move)
    elif move >= EXCHANGE_MOVE:
        play_exchange(state, seat, move)
    elif move == DONE_MOVE:
        state.barrier += 1
        state.ended += 1
        state.turn = (state.turn + 1) % state.seats
    elif move >= GUARD_MOVE:
        play_guard(state, move)
    elif move >= GIVE_MOVE:
        play_give(state, move)
    else:
        play_draft(state, seat, move)
    advance(state)


@rule
def asked(state: State, seat: int, move: int) -> bool:
    """A seat ends its build turn itself, and does not show what its hand cannot do: alone there is nobody to see it."""
    if state.phase != BUILD or state.locked:
        return False
    return move == DONE_MOVE or (state.seats > 1 and state.players[seat].hand_size > 0)


# The dispatch above compares in the order of the families.
assert GIVE_MOVE < GUARD_MOVE < DONE_MOVE < EXCHANGE_MOVE < BUILD_MOVE < SWAP_MOVE < PLACE_MOVE < TINNER_MOVE
assert TINNER_MOVE < SMUGGLER_MOVE < PAY_MOVE < FREE_MOVE < JESTER_MOVE < BEAR_MOVE
