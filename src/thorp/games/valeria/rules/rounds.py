"""Turns: who acts, what an action leaves to do, whose turn comes next, and the end."""

from thorp.compiling.rule import rule
from thorp.games.valeria.rules.deck import LANE, TYPE_SHIFT
from thorp.games.valeria.rules.paying import KINDS, LANE_MASK, buildable, cheapest, pay, supply
from thorp.games.valeria.rules.piles import draw_deck, has_cards, put_on_pile
from thorp.games.valeria.rules.powers import ACTIONS
from thorp.games.valeria.rules.state import (
    BUILD,
    DEVELOP,
    DISCARD,
    DRAW,
    FOLLOW,
    LEAD,
    LIMIT,
    OVER,
    PAY,
    PILES,
    POOL,
    POWERS,
    RECRUIT,
    SETUP,
    TAKE,
    State,
)
from thorp.games.valeria.rules.villages import (
    TYPE_MASK,
    act,
    can_recruit,
    can_take,
    has_power,
    hire_price,
    join,
    refill,
    take_coins,
)

TO_HARVEST, TO_DEVELOP, TO_BUILD, TO_RECRUIT, TO_TAX = range(len(ACTIONS))
#: What leading and following draw, and what Develop costs in cards.
HARVEST_LEAD, HARVEST_FOLLOW, TAX_DRAW, BUILD_DRAW = 3, 1, 1, 1
DEVELOP_LEAD, DEVELOP_FOLLOW = 1, 2
TAX_COINS = 1
HAND_LIMIT = 8
#: With few seats a village ends the game with so many buildings and adventurers; with more, with fewer.
SMALL_TABLE = 3
LIMIT_SMALL, LIMIT_LARGE = 12, 10
#: Rounds in which nobody develops, builds or recruits end the game (ruling 9).
IDLE_ROUNDS = 10
#: Solo: cards that are turned.
TURNED = 35


@rule
def waiting(state: State) -> int:
    """The seat that has something to decide, as a bit mask."""
    return 0 if state.phase == OVER else 1 << state.turn


@rule
def over(state: State) -> bool:
    """Whether the game has ended."""
    return state.phase == OVER


@rule
def village_limit(state: State) -> int:
    """How many buildings and adventurers in one village end the game."""
    return LIMIT_SMALL if state.seats <= SMALL_TABLE else LIMIT_LARGE


# --- turns ------------------------------------------------------------------------------------------------------


@rule
def start_turn(state: State) -> None:
    """Begin the turn of the active seat: it takes all coins from its castle and resources, and leads an action."""
    state.round += 1
    state.idle += 1
    state.turn = state.active
    player = state.players[state.active]
    player.coins += player.castle
    player.castle = 0
    for kind in range(KINDS):
        player.coins += player.paid[kind]
        player.paid[kind] = 0
    if state.seats == 1:
        _turn_card(state)
    state.phase = LEAD


@rule(inline=True)
def _turn_card(state: State) -> None:
    """Solo: turn a card onto the lowest pile; the leftmost adventurer who asks for its type leaves the game."""
    state.turned += 1
    state.turned_onto = 0
    state.left = 0
    card = draw_deck(state)
    if card < 0:
        return
    lowest = 0
    for pile in range(PILES):
        if state.heights[pile] < state.heights[lowest]:
            lowest = pile
    put_on_pile(state, card, lowest)
    state.turned_onto = lowest + 1
    type = state.faces[state.cards[card].face].what >> TYPE_SHIFT & TYPE_MASK
    for slot in range(POOL):
        if state.pool[slot] and state.faces[state.pool[slot]].what >> LANE * type & LANE_MASK:
            state.left = state.pool[slot]
            refill(state, slot)
            return


@rule
def can_do(state: State, seat: int, action: int) -> bool:
    """Whether a seat can pay for an action and do it; Harvest and Tax can always be done."""
    player = state.players[seat]
    if action == TO_DEVELOP:
        return player.hand_size > (DEVELOP_LEAD if seat == state.active else DEVELOP_FOLLOW)
    if action == TO_RECRUIT:
        return can_recruit(state, seat)
    if action == TO_BUILD:
        found = supply(state, seat)
        link = player.hand
        while link:
            if buildable(state, seat, found, link - 1):
                return True
            link = state.cards[link - 1].next
        return False
    return True


@rule
def begin(state: State, seat: int) -> None:
    """Let a seat begin the action that it leads or follows: what it costs, and the basic action."""
    leads = seat == state.active
    if state.action == TO_HARVEST:
        state.draws = HARVEST_LEAD if leads else HARVEST_FOLLOW
    elif state.action == TO_DEVELOP:
        state.discards = DEVELOP_LEAD if leads else DEVELOP_FOLLOW
        state.develops = 1
    elif state.action == TO_BUILD:
        state.phase = BUILD
        return
    elif state.action == TO_RECRUIT:
        price = hire_price(state, seat)
        state.players[seat].coins -= price
        state.bank += price
        state.phase = RECRUIT
        return
    else:
        if leads:
            take_coins(state, seat, TAX_COINS)
        state.draws = TAX_DRAW
    settle(state)


@rule
def settle(state: State) -> None:
    """Go on with an action until the seat on turn, or the next, has something to decide.

    Costs come first, then the basic action, then powers, then the hand limit.
    """
    seat = state.turn
    player = state.players[seat]
    while True:
        if state.discards:
            state.phase = DISCARD
            return
        if state.power:
            act(state, seat)
        elif state.develops:
            state.phase = DEVELOP
            return
        elif state.owed:
            if state.automatic == 0:
                state.phase = PAY
                return
            pay(state, seat, cheapest(state, seat))
        elif state.building:
            join(state, seat, state.cards[state.building - 1].face)
            state.building = 0
            state.automatic = 0
            if seat == state.active:
                state.draws = BUILD_DRAW
        elif state.draws:
            if has_cards(state):
                state.phase = DRAW
                return
            state.draws = 0
        elif state.takes:
            if can_take(state, seat):
                state.phase = TAKE
                return
            state.takes = 0
        elif state.done == 0 and has_power(state, seat):
            state.phase = POWERS
            return
        elif player.hand_size > HAND_LIMIT:
            state.done = 1
            state.phase = LIMIT
            return
        else:
            pass_on(state)
            return


@rule
def pass_on(state: State) -> None:
    """The next seat clockwise may follow; after the last one the turn ends.

    What a hand is good for only its owner knows: who has cards is asked about Build and Develop whatever they are
    (ruling 11). Of the other actions all can see who could follow.
    """
    state.barrier += 1
    state.used = 0
    state.done = 0
    state.fresh = 0
    while True:
        state.turn = (state.turn + 1) % state.seats
        if state.turn == state.active:
            _end_turn(state)
            return
        if state.action == TO_BUILD or state.action == TO_DEVELOP:
            asked = state.players[state.turn].hand_size > 0
        else:
            asked = can_do(state, state.turn, state.action)
        if asked:
            state.phase = FOLLOW
            return


@rule(inline=True)
def _end_turn(state: State) -> None:
    """End the game, or begin the turn of the next seat."""
    # a solo game ends with its last card
    ended = state.turned == TURNED if state.seats == 1 else state.idle >= IDLE_ROUNDS * state.seats
    for seat in range(state.seats):
        if state.players[seat].size >= village_limit(state):
            ended = True
    if ended:
        state.phase = OVER
        return
    state.active = (state.active + 1) % state.seats
    start_turn(state)


@rule(inline=True)
def next_setup(state: State) -> None:
    """The next seat develops its first resource; after the last one the first turn begins."""
    state.barrier += 1
    state.turn = (state.turn + 1) % state.seats
    if state.turn == state.first:
        start_turn(state)
    else:
        state.phase = SETUP
