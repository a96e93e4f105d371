"""The draft: cards from the Road and from the tops of stacks, and the Road's cards that go at its end."""

from thorp.compiling.rule import MoveList, rule
from thorp.games.villagers.rules.moves import BLIND_MOVE, DRAFT_MOVE, GIVE_MOVE, GUARD_MOVE, LEAVE_MOVE
from thorp.games.villagers.rules.piles import discard, draw, draw_reserve, first_stack, show, to_hand
from thorp.games.villagers.rules.state import COUNTESS_SEAT, DRAFT, GIVE, ROAD, STACKS, State
from thorp.games.villagers.rules.village import add

#: What a coin that is laid on the Road is worth.
COIN = 1
#: With so many seats or fewer, coins are laid by choice and keep a card on the Road; with more, the bank lays them.
GUARDED_SEATS = 2


@rule
def road_is_empty(state: State) -> bool:
    """Whether no card lies on the Road."""
    for slot in range(ROAD):
        if state.road[slot]:
            return False
    return True


@rule
def list_road(state: State, moves: MoveList, first: int) -> int:
    """The move `first + slot` for every slot of the Road with a card."""
    n = 0
    for slot in range(ROAD):
        if state.road[slot]:
            moves.at[n] = first + slot
            n += 1
    return n


@rule(inline=True)
def legal_drafts(state: State, moves: MoveList) -> int:
    """Any card of the Road, and the top card of any stack."""
    n = list_road(state, moves, DRAFT_MOVE)
    for stack in range(STACKS):
        if state.piles[stack]:
            moves.at[n] = BLIND_MOVE + stack
            n += 1
    return n


@rule(inline=True)
def play_draft(state: State, seat: int, move: int) -> None:
    """Take the card, with the coins on it; then the Road is filled, in solo play after the Countess got hers."""
    state.barrier += 1
    player = state.players[seat]
    player.drafted += 1
    if move < BLIND_MOVE:
        to_hand(state, seat, _from_road(state, seat, move - DRAFT_MOVE))
    else:
        to_hand(state, seat, draw(state, move - BLIND_MOVE))
    if state.seats == 1 and not road_is_empty(state):
        state.phase = GIVE


@rule(inline=True)
def play_give(state: State, move: int) -> None:
    """Put the card of the Road into the village of the Countess, who ignores chains and padlocks."""
    state.barrier += 1
    add(state, COUNTESS_SEAT, _from_road(state, COUNTESS_SEAT, move - GIVE_MOVE), -1)
    state.phase = DRAFT


@rule
def _from_road(state: State, seat: int, slot: int) -> int:
    """Take a card off the Road, and the coins on it into a supply; its node."""
    node = state.road[slot] - 1
    state.road[slot] = 0
    state.players[seat].gold += state.road_coins[slot]
    state.road_coins[slot] = 0
    return node


@rule
def refill(state: State) -> None:
    """Fill the Road from the leftmost stack that has cards, or else from the Reserve (ruling 3)."""
    for slot in range(ROAD):
        if state.road[slot] == 0:
            stack = first_stack(state)
            node = draw(state, stack) if stack < STACKS else draw_reserve(state)
            if node < 0:
                return
            show(state, node)
            state.road[slot] = node + 1


@rule(inline=True)
def legal_guards(state: State, moves: MoveList) -> int:
    """Lay a coin of the bank on a card of the Road, or none."""
    n = list_road(state, moves, GUARD_MOVE)
    moves.at[n] = LEAVE_MOVE
    return n + 1


@rule(inline=True)
def play_guard(state: State, move: int) -> None:
    """Lay the coin, or leave it; coins are laid in reverse order of turns."""
    state.barrier += 1
    if move != LEAVE_MOVE:
        state.road_coins[move - GUARD_MOVE] += COIN
    state.ended += 1
    state.turn = (state.turn + state.seats - 1) % state.seats


@rule
def update_road(state: State) -> None:
    """The end of the draft.

    With one or two seats, cards without a coin are discarded, coins stay. With more, cards with a coin are discarded,
    their coins go to the bank (ruling 8), and one is laid on every card. New cards come from the Reserve.
    """
    guarded = state.seats <= GUARDED_SEATS
    for slot in range(ROAD):
        if state.road[slot] and guarded == (state.road_coins[slot] == 0):
            discard(state, state.road[slot] - 1)
            state.road[slot] = 0
            state.road_coins[slot] = 0
    for slot in range(ROAD):
        if state.road[slot] == 0:
            node = draw_reserve(state)
            if node >= 0:
                show(state, node)
                state.road[slot] = node + 1
        if not guarded and state.road[slot]:
            state.road_coins[slot] = COIN
