"""The rules of Villagers as the contract asks for them: legal moves, and playing one."""

from thorp.core.rule import MoveList, entry, rule
from thorp.games.villagers.building import (
    legal_builds,
    legal_places,
    play_build,
    play_exchange,
    play_place,
    play_smuggler,
    play_swap,
    play_tinner,
)
from thorp.games.villagers.drafting import (
    legal_drafts,
    legal_guards,
    list_road,
    play_draft,
    play_give,
    play_guard,
)
from thorp.games.villagers.events import (
    FEWER_BUILDS,
    FEWER_DRAFTS,
    event_amount,
    event_op,
    legal_events,
    legal_jesters,
    play_event,
    play_jester,
)
from thorp.games.villagers.moves import (
    BEAR_MOVE,
    BUILD_MOVE,
    DONE_MOVE,
    EXCHANGE_MOVE,
    FREE_MOVE,
    GIVE_MOVE,
    GUARD_MOVE,
    JESTER_MOVE,
    PAY_MOVE,
    PICK_MOVE,
    PLACE_MOVE,
    RANSOM_MOVE,
    SMUGGLER_MOVE,
    SWAP_MOVE,
    TINNER_MOVE,
)
from thorp.games.villagers.rounds import next_build, next_draft, next_event, next_guard
from thorp.games.villagers.state import ARSON, BUILD, DRAFT, GIVE, GUARD, OVER, RATS, State
from thorp.games.villagers.turned import has_event
from thorp.games.villagers.unlocking import legal_pays, play_pay


@entry
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


@entry
def play(state: State, seat: int, move: int) -> None:
    """Play a legal move of `seat`, with all that follows until somebody has to decide."""
    if move < DONE_MOVE:
        _play_round(state, seat, move)
    elif move == DONE_MOVE:
        next_build(state)
    elif move >= JESTER_MOVE:
        _play_event(state, move)
    elif move < BUILD_MOVE:
        play_exchange(state, seat, move)
    elif move < SWAP_MOVE:
        play_build(state, seat, move)
    elif move < PLACE_MOVE:
        play_swap(state, seat, move)
    elif move < TINNER_MOVE:
        play_place(state, seat, move)
    elif move >= PAY_MOVE:
        play_pay(state, seat, move)
    elif move == TINNER_MOVE:
        play_tinner(state, seat)
    else:
        play_smuggler(state, seat)


@rule
def _play_round(state: State, seat: int, move: int) -> None:
    """Moves of the draft and its end."""
    if move >= GUARD_MOVE:
        play_guard(state, move)
        next_guard(state)
        return
    if move >= GIVE_MOVE:
        play_give(state, move)
        state.phase = DRAFT
    else:
        play_draft(state, seat, move)
    if state.phase == DRAFT:
        next_draft(state)


@rule
def _play_event(state: State, move: int) -> None:
    """Solo: an event happens, is borne, bought off, or meets the Jester."""
    op = -1 if state.phase == BUILD else event_op(state)
    if move < BEAR_MOVE:
        play_jester(state, move)
    elif op == FEWER_DRAFTS or op == FEWER_BUILDS:
        state.barrier += 1
        if move == RANSOM_MOVE:
            state.players[0].gold -= event_amount(state, op)
        elif op == FEWER_DRAFTS:
            state.players[0].draft_limit -= 1
        else:
            state.players[0].build_limit -= 1
    else:
        play_event(state, move)
    if state.phase == RATS:
        if move >= BEAR_MOVE or not has_event(state, op):
            state.phase = DRAFT
    elif state.phase == ARSON:
        if move >= BEAR_MOVE or not has_event(state, op):
            state.phase = BUILD
    elif state.phase != BUILD:
        next_event(state)


# The dispatch above compares in the order of the families.
assert GUARD_MOVE < DONE_MOVE < EXCHANGE_MOVE < BUILD_MOVE < SWAP_MOVE < PLACE_MOVE < TINNER_MOVE
assert TINNER_MOVE < SMUGGLER_MOVE < PAY_MOVE < FREE_MOVE < JESTER_MOVE < BEAR_MOVE < PICK_MOVE
