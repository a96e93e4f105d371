"""The rules of Villages of Valeria as the contract asks for them: legal moves, and playing one."""

from thorp.compiling.rule import MoveList, rule
from thorp.core.chance import below
from thorp.games.valeria.rules.deck import LANE
from thorp.games.valeria.rules.moves import (
    ALL_MOVE,
    BUILD_MOVE,
    DECLINE_MOVE,
    DEVELOP_MOVE,
    DISCARD_MOVE,
    DONE_MOVE,
    DRAW_MOVE,
    FOLLOW_MOVE,
    FREE_MOVE,
    LEAD_MOVE,
    RECRUIT_MOVE,
    TAKE_MOVE,
    USE_MOVE,
)
from thorp.games.valeria.rules.paying import COST_MASK, buildable, next_payment, pay, supply
from thorp.games.valeria.rules.piles import (
    alike,
    draw,
    from_hand,
    has_deck,
    put_on_pile,
    show_from_hand,
    to_hand,
)
from thorp.games.valeria.rules.powers import ACTIONS
from thorp.games.valeria.rules.rounds import begin, can_do, next_setup, pass_on, settle
from thorp.games.valeria.rules.state import (
    BUILD,
    DECK,
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
    State,
)
from thorp.games.valeria.rules.state import DEVELOP as DEVELOPING
from thorp.games.valeria.rules.state import DISCARD as DISCARDING
from thorp.games.valeria.rules.state import DRAW as DRAWING
from thorp.games.valeria.rules.villages import join, meets, refill, usable, use


@rule
def legal(state: State, seat: int, moves: MoveList) -> int:
    """Write the legal moves of `seat` into `moves`, and say how many there are (0: nothing to decide)."""
    phase = state.phase
    if phase == OVER or seat != state.turn:
        return 0
    n = 0
    if phase == DRAWING:
        for pile in range(PILES):
            if state.piles[pile]:
                moves.at[n] = DRAW_MOVE + pile
                n += 1
        if has_deck(state):
            moves.at[n] = DRAW_MOVE + DECK
            n += 1
        return n
    if phase == LEAD:
        for action in range(len(ACTIONS)):
            if can_do(state, seat, action):
                moves.at[n] = LEAD_MOVE + action
                n += 1
        return n
    if phase == FOLLOW:
        if can_do(state, seat, state.action):
            moves.at[n] = FOLLOW_MOVE
            n += 1
        moves.at[n] = DECLINE_MOVE
        return n + 1
    if phase == PAY:
        return _legal_payments(state, seat, moves)
    if phase == RECRUIT:
        for slot in range(POOL):
            if meets(state, seat, slot):
                moves.at[n] = RECRUIT_MOVE + slot
                n += 1
        return n
    if phase == POWERS:
        for bit in range(2 * state.players[seat].size):
            if usable(state, seat, bit // 2, bit % 2):
                moves.at[n] = USE_MOVE + bit
                n += 1
        moves.at[n] = DONE_MOVE
        return n + 1
    if phase == SETUP or phase == DEVELOPING or phase == DISCARDING or phase == LIMIT or phase == BUILD:
        return _legal_cards(state, seat, moves)
    for other in range(state.seats):
        if other != seat and state.players[other].hand_size:
            moves.at[n] = TAKE_MOVE + other
            n += 1
    return n


@rule(inline=True)
def _legal_cards(state: State, seat: int, moves: MoveList) -> int:
    """What can be done with each card of the hand, by phase; of cards that are alike with the first."""
    phase = state.phase
    found = supply(state, seat) if phase == BUILD else 0
    n = 0
    link = state.players[seat].hand
    before = 0
    while link:
        card = link - 1
        if not alike(state, before, card):
            if phase == BUILD:
                if buildable(state, seat, found, card):
                    moves.at[n] = BUILD_MOVE + card
                    n += 1
            elif phase == SETUP or phase == DEVELOPING:
                moves.at[n] = DEVELOP_MOVE + card
                n += 1
            else:
                for pile in range(PILES):
                    moves.at[n] = DISCARD_MOVE + card * PILES + pile
                    n += 1
        before = link
        link = state.cards[card].next
    return n


@rule(inline=True)
def _legal_payments(state: State, seat: int, moves: MoveList) -> int:
    """Every way to pay a resource, and to pay them all."""
    found = supply(state, seat)
    n = 0
    move = next_payment(state, seat, found, FREE_MOVE)
    while move < ALL_MOVE:
        moves.at[n] = move
        n += 1
        move = next_payment(state, seat, found, move + 1)
    lane = state.owed
    while lane & ((1 << LANE) - 1) == 0:
        lane >>= LANE
    # where one resource is left, paying all would be paying that one
    if lane > 1:
        moves.at[n] = ALL_MOVE
        n += 1
    return n


@rule
def play(state: State, seat: int, move: int) -> None:
    """Play a legal move of `seat`, with all that follows until somebody has to decide."""
    if move < FOLLOW_MOVE:
        state.action = move - LEAD_MOVE
        begin(state, seat)
        return
    if move == FOLLOW_MOVE:
        begin(state, seat)
        return
    if move == DECLINE_MOVE:
        pass_on(state)
        return
    if move < DISCARD_MOVE:
        state.draws -= 1
        draw(state, seat, move - DRAW_MOVE)
    elif move < DEVELOP_MOVE:
        card = (move - DISCARD_MOVE) // PILES
        show_from_hand(state, seat, card)
        put_on_pile(state, card, (move - DISCARD_MOVE) % PILES)
        if state.discards:
            state.discards -= 1
    elif move < BUILD_MOVE:
        _develop(state, seat, move - DEVELOP_MOVE)
        if state.phase == SETUP:
            next_setup(state)
            return
    elif move < FREE_MOVE:
        card = move - BUILD_MOVE
        show_from_hand(state, seat, card)
        state.building = card + 1
        state.owed = state.faces[state.cards[card].face].what & COST_MASK
    elif move < ALL_MOVE:
        pay(state, seat, move)
    elif move == ALL_MOVE:
        state.automatic = 1
    elif move < USE_MOVE:
        slot = move - RECRUIT_MOVE
        join(state, seat, state.pool[slot])
        refill(state, slot)
    elif move < DONE_MOVE:
        use(state, seat, move - USE_MOVE)
    elif move == DONE_MOVE:
        state.done = 1
    else:
        _take(state, seat, move - TAKE_MOVE)
    settle(state)


@rule(inline=True)
def _develop(state: State, seat: int, card: int) -> None:
    """Turn a card of the hand into a resource, for good."""
    show_from_hand(state, seat, card)
    state.players[seat].resources[state.cards[card].lower] += 1
    state.develops = 0
    state.idle = 0


@rule(inline=True)
def _take(state: State, seat: int, other: int) -> None:
    """Take a random card from a hand, face down: only the two players know which it was (rulings 6 and 8).

    So nobody else is sure any more of a card of that hand, unless it was the only one. Who takes one of several alike
    cannot tell them apart (ruling 10): it is one that he knew, where he knew any.
    """
    state.barrier += 1
    state.takes -= 1
    size = state.players[other].hand_size
    drawn = _nth_of_hand(state, other, below(state.chance, size))
    card = drawn
    link = state.players[other].hand
    while link and state.cards[card].knows >> seat & 1 == 0:
        if alike(state, link, drawn) and state.cards[link - 1].knows >> seat & 1:
            card = link - 1
        link = state.cards[link - 1].next
    both = 1 << seat | 1 << other
    from_hand(state, other, card)
    to_hand(state, seat, card, both if size > 1 else state.cards[card].knows | both)
    link = state.players[other].hand
    while link:
        state.cards[link - 1].knows &= both
        link = state.cards[link - 1].next


@rule(inline=True)
def _nth_of_hand(state: State, seat: int, n: int) -> int:
    """A card of a hand by its place."""
    link = state.players[seat].hand
    for _ in range(n):
        link = state.cards[link - 1].next
    return link - 1


@rule
def asked(state: State, seat: int, move: int) -> bool:
    """A seat does not show by its pace what its hand cannot do: nothing to follow with, or one card only to build."""
    if move == DECLINE_MOVE:
        return True
    return DEVELOP_MOVE <= move < FREE_MOVE and state.players[seat].hand_size > 1


# The dispatch above compares in the order of the families.
assert LEAD_MOVE < FOLLOW_MOVE < DECLINE_MOVE < DRAW_MOVE < DISCARD_MOVE < DEVELOP_MOVE < BUILD_MOVE < FREE_MOVE
assert ALL_MOVE < RECRUIT_MOVE < USE_MOVE < DONE_MOVE < TAKE_MOVE
