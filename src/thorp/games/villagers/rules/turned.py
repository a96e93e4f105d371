"""Solo: the events that lie open, and those still in their decks."""

from thorp.compiling.rule import rule
from thorp.core.chance import below
from thorp.games.villagers.rules.cards import DECK_EVENTS, EVENT_OP, OPS
from thorp.games.villagers.rules.state import OPEN_EVENTS, State

_DEAL_TWO = OPS.index("deal_two")
_WHOLE_DECK = (1 << DECK_EVENTS) - 1


@rule
def has_event(state: State, op: int) -> bool:
    """Whether an event lies open that does this."""
    for slot in range(OPEN_EVENTS):
        if state.events[slot] and EVENT_OP[state.events[slot] - 1] == op:
            return True
    return False


@rule
def turn_event(state: State, slot: int) -> None:
    """Turn the next event of the season; a deck used up is shuffled again."""
    season = DECK_EVENTS * state.first_market
    if state.unseen_events >> season & _WHOLE_DECK == 0:
        state.unseen_events |= _WHOLE_DECK << season
        for other in range(OPEN_EVENTS):
            if state.events[other]:
                state.unseen_events &= ~(1 << (state.events[other] - 1))
    event = season + below(state.chance, DECK_EVENTS)
    while not state.unseen_events >> event & 1:
        event = season + below(state.chance, DECK_EVENTS)
    state.unseen_events &= ~(1 << event)
    state.events[slot] = event + 1


@rule
def turn_events(state: State) -> None:
    """Begin a round: the event of the last one is over, the next is turned; Dark Mood brings two instead of itself."""
    for slot in range(OPEN_EVENTS):
        state.events[slot] = 0
    turn_event(state, 0)
    if EVENT_OP[state.events[0] - 1] == _DEAL_TWO:
        # it stays open until both are turned: a deck that is shuffled meanwhile is without it
        state.events[1] = state.events[0]
        turn_event(state, 0)
        turn_event(state, 1)
