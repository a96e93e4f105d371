"""Rounds: whose turn it is, what follows the last one, the markets and the end."""

from thorp.compiling.rule import rule
from thorp.games.villagers.rules.cards import FOUNDERS_FOOD
from thorp.games.villagers.rules.drafting import GUARDED_SEATS, refill, road_is_empty, update_road
from thorp.games.villagers.rules.events import FEWER_BUILDS, FEWER_DRAFTS, ask_event
from thorp.games.villagers.rules.piles import first_stack
from thorp.games.villagers.rules.scoring import hold_first_market
from thorp.games.villagers.rules.state import (
    ARSON,
    BUILD,
    DRAFT,
    EVENT,
    FIRST_FOUNDERS,
    GUARD,
    OVER,
    RATS,
    STACKS,
    State,
)
from thorp.games.villagers.rules.turned import has_event, turn_events
from thorp.games.villagers.rules.village import ANY, BUILDERS, FOOD, tally

#: What everybody may draft and build, and how far food and builders raise that.
LEAST = 2
MOST = 5


@rule
def waiting(state: State) -> int:
    """The seat that has something to decide, as a bit mask."""
    return 0 if state.phase == OVER else 1 << state.turn


@rule
def over(state: State) -> bool:
    """Whether the Second Market has been held."""
    return state.phase == OVER


@rule
def start_round(state: State) -> None:
    """Begin a round with its draft; in solo play an event is turned."""
    state.round += 1
    state.turn = state.first
    for seat in range(state.seats):
        player = state.players[seat]
        player.draft_limit = min(MOST, LEAST + tally(state, seat, FOOD, ANY))
        player.drafted = 0
        player.build_limit = 0
        player.built = 0
        player.exchanged = 0
        player.tinner = 0
    state.phase = DRAFT
    if state.seats == 1:
        turn_events(state)
        if has_event(state, FEWER_DRAFTS):
            state.phase = RATS


@rule(inline=True)
def advance(state: State) -> None:
    """Go on until somebody has to decide: to the next turn, and from phase to phase."""
    if state.phase == DRAFT:
        refill(state)
    elif state.phase == RATS and not has_event(state, FEWER_DRAFTS):
        state.phase = DRAFT
    elif state.phase == ARSON and not has_event(state, FEWER_BUILDS):
        state.phase = BUILD
    if state.phase == DRAFT:
        if _next_drafter(state):
            return
        # with few seats, coins are laid on the Road, the last one first
        state.phase = GUARD
        state.turn = (state.first + state.seats - 1) % state.seats
        state.ended = state.seats if state.seats > GUARDED_SEATS or road_is_empty(state) else 0
    if state.phase == GUARD and state.ended == state.seats:
        update_road(state)
        _start_building(state)
    elif state.phase == BUILD and state.ended == state.seats:
        state.phase = EVENT
        state.event = 0
    if state.phase == EVENT and (state.seats > 1 or not ask_event(state)):
        _end_round(state)
        if state.phase != OVER:
            start_round(state)


@rule
def _next_drafter(state: State) -> bool:
    """Give the turn to the next seat that has not reached its limit, if there is one and something to draft."""
    if first_stack(state) == STACKS and road_is_empty(state):
        return False
    for step in range(1, state.seats + 1):
        seat = (state.turn + step) % state.seats
        if state.players[seat].drafted < state.players[seat].draft_limit:
            state.turn = seat
            return True
    return False


@rule
def _start_building(state: State) -> None:
    """Begin the build phase: builders count as they show now."""
    for seat in range(state.seats):
        state.players[seat].build_limit = min(MOST, LEAST + tally(state, seat, BUILDERS, ANY))
    state.turn = state.first
    state.ended = 0
    state.phase = BUILD
    if state.seats == 1 and has_event(state, FEWER_BUILDS):
        state.phase = ARSON


@rule
def _end_round(state: State) -> None:
    """Turn Founders, pass the first turn on, hold the markets that are due (ruling 9)."""
    for seat in range(state.seats):
        if tally(state, seat, FOOD, ANY) == 0:
            state.cards[FIRST_FOUNDERS + seat].face = FOUNDERS_FOOD
    state.first = (state.first + 1) % state.seats
    if state.first_market == 0 and state.piles[0] == 0 and state.piles[1] == 0:
        hold_first_market(state)
    if first_stack(state) == STACKS:
        state.phase = OVER
