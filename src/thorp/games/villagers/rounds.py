"""Rounds: whose turn it is, what follows the last one, the markets and the end."""

from thorp.core.rule import entry, rule
from thorp.games.villagers.cards import FOUNDERS_FOOD
from thorp.games.villagers.drafting import GUARDED_SEATS, road_is_empty, update_road
from thorp.games.villagers.events import FEWER_BUILDS, FEWER_DRAFTS, ask_event
from thorp.games.villagers.piles import first_stack
from thorp.games.villagers.scoring import hold_first_market
from thorp.games.villagers.state import (
    ARSON,
    BUILD,
    DRAFT,
    FIRST_FOUNDERS,
    GUARD,
    OVER,
    RATS,
    STACKS,
    State,
)
from thorp.games.villagers.turned import has_event, turn_events
from thorp.games.villagers.village import BUILDERS, FOOD, tally

#: What everybody may draft and build, and how far food and builders raise that.
LEAST = 2
MOST = 5


@entry
def waiting(state: State) -> int:
    """The seat that has something to decide, as a bit mask."""
    return 0 if state.phase == OVER else 1 << state.turn


@entry
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
        player.draft_limit = min(MOST, LEAST + tally(state, seat, FOOD, 0))
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


@rule
def next_draft(state: State) -> None:
    """Let the next seat draft that has not reached its limit; or end the draft."""
    state.phase = DRAFT
    if first_stack(state) < STACKS or not road_is_empty(state):
        for step in range(1, state.seats + 1):
            seat = (state.turn + step) % state.seats
            if state.players[seat].drafted < state.players[seat].draft_limit:
                state.turn = seat
                return
    if state.seats > GUARDED_SEATS or road_is_empty(state):
        _end_draft(state)
    else:
        # coins are laid in reverse order
        state.phase = GUARD
        state.ended = 0
        state.turn = (state.first + state.seats - 1) % state.seats


@rule
def next_guard(state: State) -> None:
    """Let the seat before lay a coin; or end the draft."""
    state.ended += 1
    if state.ended < state.seats:
        state.turn = (state.turn + state.seats - 1) % state.seats
    else:
        _end_draft(state)


@rule
def _end_draft(state: State) -> None:
    """Bring the Road up to date and begin the build phase: builders count as they show now."""
    update_road(state)
    for seat in range(state.seats):
        state.players[seat].build_limit = min(MOST, LEAST + tally(state, seat, BUILDERS, 0))
    state.turn = state.first
    state.ended = 0
    state.phase = BUILD
    if state.seats == 1 and has_event(state, FEWER_BUILDS):
        state.phase = ARSON


@rule
def next_build(state: State) -> None:
    """End a build turn: the next seat builds, or the round ends; in solo play after its events."""
    state.barrier += 1
    state.ended += 1
    state.turn = (state.turn + 1) % state.seats
    if state.ended == state.seats:
        state.event = 0
        next_event(state)


@rule
def next_event(state: State) -> None:
    """Let the next event happen, or end the round."""
    if state.seats > 1 or not ask_event(state):
        _end_round(state)


@rule
def _end_round(state: State) -> None:
    """Turn Founders, pass the first turn on, hold the markets that are due (ruling 9)."""
    for seat in range(state.seats):
        if tally(state, seat, FOOD, 0) == 0:
            state.cards[FIRST_FOUNDERS + seat].face = FOUNDERS_FOOD
    state.first = (state.first + 1) % state.seats
    if state.first_market == 0 and state.piles[0] == 0 and state.piles[1] == 0:
        hold_first_market(state)
    if first_stack(state) == STACKS:
        state.phase = OVER
    else:
        start_round(state)
