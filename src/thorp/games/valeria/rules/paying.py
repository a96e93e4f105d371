"""Paying for a building: what there is to pay with, what can be paid, and the cheapest way.

A resource is paid by a coin on a resource of that kind, anybody's, that bears none; by a coin on the own castle, which
is any kind; or by a resource power, which may cost a coin or a card. What a seat could use is counted in lanes of four
bits: for each price five lanes, one a kind and one for any kind.
"""

from thorp.compiling.rule import rule
from thorp.games.valeria.rules.deck import LANE
from thorp.games.valeria.rules.moves import ALL_MOVE, CASTLE_MOVE, COSTLY_MOVE, FREE_MOVE, OTHER_MOVE, OWN_MOVE
from thorp.games.valeria.rules.powers import (
    MOST_CARDS,
    PAYING,
    PRICE_SHIFT,
    RESOURCES,
    WHAT_MASK,
    WHAT_SHIFT,
    WHEN_MASK,
)
from thorp.games.valeria.rules.state import State

KINDS = len(RESOURCES)
# Where the lanes of a price begin: nothing, a coin, a card; and how far behind is the lane for any kind.
FREE, COIN, CARD = 0, 20, 40
WILD = LANE * KINDS
LANE_MASK = 15
#: What a building costs, of what its face says.
COST_MASK = (1 << WILD) - 1
#: More than what a seat has of a kind, or owes.
_ROOM = 128
#: More than this of one thing is never needed.
ENOUGH = 7


@rule
def supply(state: State, seat: int) -> int:
    """What a seat could pay with, as lanes."""
    found = 0
    for kind in range(KINDS):
        n = 0
        for other in range(state.seats):
            n += state.players[other].resources[kind] - state.players[other].paid[kind]
        found += min(n, ENOUGH) << (COIN + LANE * kind)
    player = state.players[seat]
    if player.castle == 0:
        found += 1 << (COIN + WILD)
    if player.whens >> PAYING & 1:
        for place in range(player.size):
            for row in range(2):
                lane = _lane(state, seat, place, row)
                if lane >= 0 and found >> lane & LANE_MASK < ENOUGH:
                    found += 1 << lane
    return found


@rule
def _lane(state: State, seat: int, place: int, row: int) -> int:
    """The lane of a resource power that the seat can still use in this action; -1 where there is none."""
    power = state.faces[state.players[seat].village[place]].powers[row]
    if power & WHEN_MASK != PAYING:
        return -1
    # what is used is said of the seat on turn
    if seat == state.turn and state.used >> (2 * place + row) & 1:
        return -1
    price = power >> PRICE_SHIFT
    kind = power >> WHAT_SHIFT & WHAT_MASK
    return LANE * kind + (FREE if price == 0 else CARD if price <= MOST_CARDS else COIN)


@rule
def payable(found: int, owed: int, coins: int, cards: int) -> bool:
    """Whether all that is owed can be paid with so many coins and cards.

    Powers that cost nothing are used first: that never hurts. What coins on its own kind cannot pay of a resource has
    to come from powers that cost a card, or from what is any kind; and all that costs no card, in the end, a coin.
    """
    due = 0
    short = 0
    own_cards = 0
    all_cards = 0
    for lane in range(0, WILD, LANE):
        n = (owed >> lane & LANE_MASK) - (found >> lane & LANE_MASK)
        if n > 0:
            of_cards = found >> (CARD + lane) & LANE_MASK
            lacking = max(0, n - (found >> (COIN + lane) & LANE_MASK))
            due += n
            short += lacking
            own_cards += min(of_cards, lacking)
            all_cards += min(of_cards, n)
    free = found >> WILD & LANE_MASK
    wild_cards = found >> (CARD + WILD) & LANE_MASK
    if short > free + min(cards, own_cards + wild_cards) + (found >> (COIN + WILD) & LANE_MASK):
        return False
    return due - free - min(cards, all_cards + wild_cards) <= coins


@rule
def buildable(state: State, seat: int, found: int, card: int) -> bool:
    """Whether a card of the hand can be built: no other of its name is in the village, and its cost can be paid."""
    player = state.players[seat]
    face = state.cards[card].face
    for place in range(player.size):
        if player.village[place] == face:
            return False
    return payable(found, state.faces[face].what & COST_MASK, player.coins, player.hand_size - 1)


@rule
def can_build(state: State, seat: int, card: int) -> bool:
    """Whether a seat could build a card of its hand now."""
    return buildable(state, seat, supply(state, seat), card)


@rule
def next_payment(state: State, seat: int, found: int, move: int) -> int:
    """The first way to pay a resource, from `move` on, with which the rest can still be paid; ALL_MOVE: none."""
    player = state.players[seat]
    powers = player.whens >> PAYING & 1
    while move < ALL_MOVE:
        place = -1
        if move < OWN_MOVE:
            place = (move - FREE_MOVE) // (2 * KINDS)
            if powers == 0 or place >= player.size:
                move = OWN_MOVE
                continue
        elif COSTLY_MOVE <= move < OTHER_MOVE:
            place = (move - COSTLY_MOVE) // (2 * KINDS)
            if powers == 0 or place >= player.size:
                move = OTHER_MOVE
                continue
        kind = (move - FREE_MOVE) % KINDS
        lane = -1
        if state.owed >> LANE * kind & LANE_MASK == 0:
            pass
        elif place >= 0:
            lane = _lane(state, seat, place, (move - FREE_MOVE) // KINDS & 1)
            fits = lane % COIN == LANE * kind or lane % COIN == WILD
            if not fits or (lane < COIN) != (move < OWN_MOVE):
                lane = -1
        elif move < CASTLE_MOVE:
            if player.resources[kind] > player.paid[kind]:
                lane = COIN + LANE * kind
        elif move < COSTLY_MOVE:
            if player.castle == 0:
                lane = COIN + WILD
        else:
            clockwise = (move - OTHER_MOVE) // KINDS + 1
            if clockwise < state.seats:
                other = state.players[(seat + clockwise) % state.seats]
                if other.resources[kind] > other.paid[kind]:
                    lane = COIN + LANE * kind
        if lane >= 0:
            coins = player.coins - (1 if COIN <= lane < CARD else 0)
            cards = player.hand_size - (1 if lane >= CARD else 0)
            rest = state.owed - (1 << LANE * kind)
            if coins >= 0 and cards >= 0 and payable(found - (1 << lane), rest, coins, cards):
                return move
        move += 1
    return ALL_MOVE


@rule(inline=True)
def cheapest(state: State, seat: int) -> int:
    """The way to pay a resource that comes first in "the cheapest way" (ruling 12).

    Powers that cost nothing, own resources, the castle, powers that cost a card or a coin, others clockwise. Among
    these it pays the kind of which the seat itself lacks most, so that what is any kind goes where it is needed.
    """
    player = state.players[seat]
    found = supply(state, seat)
    best = ALL_MOVE
    least = 0
    move = next_payment(state, seat, found, FREE_MOVE)
    while move < ALL_MOVE:
        kind = (move - FREE_MOVE) % KINDS
        lane = LANE * kind
        own = player.resources[kind] - player.paid[kind]
        own += (found >> lane & LANE_MASK) + (found >> (CARD + lane) & LANE_MASK)
        rank = _ROOM + own - (state.owed >> lane & LANE_MASK)
        for first in (OWN_MOVE, CASTLE_MOVE, COSTLY_MOVE, OTHER_MOVE):
            if move >= first:
                rank += 2 * _ROOM
        if best == ALL_MOVE or rank < least:
            best = move
            least = rank
        move = next_payment(state, seat, found, move + 1)
    return best


@rule
def pay(state: State, seat: int, move: int) -> None:
    """Pay one resource that way. A coin on a resource or castle stays there until its owner's next turn begins."""
    player = state.players[seat]
    kind = (move - FREE_MOVE) % KINDS
    state.owed -= 1 << LANE * kind
    if move < OWN_MOVE:
        state.used |= 1 << (move - FREE_MOVE) // KINDS
        return
    if move < CASTLE_MOVE:
        player.paid[kind] += 1
    elif move < COSTLY_MOVE:
        player.castle = 1
    elif move < OTHER_MOVE:
        bit = (move - COSTLY_MOVE) // KINDS
        state.used |= 1 << bit
        if state.faces[player.village[bit // 2]].powers[bit % 2] >> PRICE_SHIFT <= MOST_CARDS:
            state.discards = 1
            return
        state.bank += 1
    else:
        state.players[(seat + (move - OTHER_MOVE) // KINDS + 1) % state.seats].paid[kind] += 1
    player.coins -= 1


# The kind is the last argument of all ways to pay, and the row of a power the one before.
assert (COSTLY_MOVE - FREE_MOVE) % (2 * KINDS) == 0
assert all((first - FREE_MOVE) % KINDS == 0 for first in (OWN_MOVE, CASTLE_MOVE, OTHER_MOVE, ALL_MOVE))
