"""Villages: cards that come into one, adventurers and what they ask for, and the powers that act in an action."""

from thorp.compiling.rule import rule
from thorp.core.chance import below
from thorp.games.valeria.rules.deck import ADVENTURER, LANE, TYPE_SHIFT
from thorp.games.valeria.rules.paying import LANE_MASK
from thorp.games.valeria.rules.piles import has_cards
from thorp.games.valeria.rules.powers import (
    AMOUNT_MASK,
    AMOUNT_SHIFT,
    COINS,
    DRAW,
    FIRST_ACTION,
    HIRING,
    INSTANT,
    MOST_CARDS,
    PRICE_SHIFT,
    TAKE,
    TYPES,
    WHAT_MASK,
    WHAT_SHIFT,
    WHEN_MASK,
)
from thorp.games.valeria.rules.state import FIRST_ADVENTURER, POOL, State

#: What an adventurer costs who leads Recruit, and who follows it.
LEAD_PRICE = 1
FOLLOW_PRICE = 2
#: The type of a face, where it has been shifted down.
TYPE_MASK = 15


@rule
def join(state: State, seat: int, face: int) -> None:
    """Put a building or an adventurer into a village: it came in this action."""
    player = state.players[seat]
    player.village[player.size] = face
    player.size += 1
    state.fresh = player.size
    state.idle = 0
    type = state.faces[face].what >> TYPE_SHIFT & TYPE_MASK
    if type == ADVENTURER:
        player.adventurers += 1
    else:
        player.types[type] += 1
    for row in range(2):
        power = state.faces[face].powers[row]
        player.whens |= 1 << (power & WHEN_MASK)
        if power & WHEN_MASK == HIRING:
            player.cheaper += 1 + (power >> AMOUNT_SHIFT & AMOUNT_MASK)


# --- adventurers ------------------------------------------------------------------------------------------------


@rule
def refill(state: State, slot: int) -> None:
    """Lay the next adventurer open; with none left the place stays empty."""
    state.pool[slot] = 0
    n = 0
    for face in range(FIRST_ADVENTURER, len(state.faces)):
        n += state.unseen >> (face - FIRST_ADVENTURER) & 1
    if n == 0:
        return
    state.barrier += 1
    index = below(state.chance, n)
    for face in range(FIRST_ADVENTURER, len(state.faces)):
        if state.unseen >> (face - FIRST_ADVENTURER) & 1:
            if index == 0:
                state.pool[slot] = face
                state.unseen ^= 1 << (face - FIRST_ADVENTURER)
                return
            index -= 1


@rule
def meets(state: State, seat: int, slot: int) -> bool:
    """Whether there is an adventurer, and a village has the buildings that it asks for."""
    face = state.pool[slot]
    if face == 0:
        return False
    needs = state.faces[face].what
    for type in range(len(TYPES)):
        if state.players[seat].types[type] < (needs >> LANE * type & LANE_MASK):
            return False
    return True


@rule
def hire_price(state: State, seat: int) -> int:
    """What an adventurer costs a seat now."""
    price = LEAD_PRICE if seat == state.active else FOLLOW_PRICE
    return max(0, price - state.players[seat].cheaper)


@rule(inline=True)
def can_recruit(state: State, seat: int) -> bool:
    """Whether a seat can pay for Recruit, and somebody would come."""
    if state.players[seat].coins < hire_price(state, seat):
        return False
    for slot in range(POOL):
        if meets(state, seat, slot):
            return True
    return False


# --- powers -----------------------------------------------------------------------------------------------------


@rule
def usable(state: State, seat: int, place: int, row: int) -> bool:
    """Whether a power acts in this action, has not been used in it, can be paid for and would do something."""
    player = state.players[seat]
    power = state.faces[player.village[place]].powers[row]
    # in the action in which its card came, an instant power only; later, one of the action's name
    when = INSTANT if place + 1 == state.fresh else FIRST_ACTION + state.action
    if power & WHEN_MASK != when or state.used >> (2 * place + row) & 1:
        return False
    price = power >> PRICE_SHIFT
    if price <= MOST_CARDS:
        if player.hand_size < price:
            return False
    elif player.coins < price - MOST_CARDS:
        return False
    what = power >> WHAT_SHIFT & WHAT_MASK
    if what == DRAW:
        # a card that pays for it can be drawn again
        return 0 < price <= MOST_CARDS or has_cards(state)
    if what == COINS:
        return state.bank > 0
    return can_take(state, seat)


@rule
def can_take(state: State, seat: int) -> bool:
    """Whether an opponent has a card in hand."""
    for other in range(state.seats):
        if other != seat and state.players[other].hand_size:
            return True
    return False


@rule(inline=True)
def has_power(state: State, seat: int) -> bool:
    """Whether any power can be used now."""
    player = state.players[seat]
    if player.whens >> (FIRST_ACTION + state.action) & 1 or state.fresh:
        for place in range(player.size):
            for row in range(2):
                if usable(state, seat, place, row):
                    return True
    return False


@rule(inline=True)
def use(state: State, seat: int, bit: int) -> None:
    """Use a power: its price in coins is paid, its price in cards is asked for, and then it acts."""
    player = state.players[seat]
    state.used |= 1 << bit
    state.power = state.faces[player.village[bit // 2]].powers[bit % 2]
    price = state.power >> PRICE_SHIFT
    if price <= MOST_CARDS:
        state.discards = price
    else:
        player.coins -= price - MOST_CARDS
        state.bank += price - MOST_CARDS


@rule(inline=True)
def act(state: State, seat: int) -> None:
    """Let the power act that has been paid for."""
    what = state.power >> WHAT_SHIFT & WHAT_MASK
    amount = 1 + (state.power >> AMOUNT_SHIFT & AMOUNT_MASK)
    state.power = 0
    if what == DRAW:
        state.draws += amount
    elif what == COINS:
        take_coins(state, seat, amount)
    else:
        state.takes += amount


@rule
def take_coins(state: State, seat: int, amount: int) -> None:
    """Take coins from the bank, as many as there are."""
    amount = min(amount, state.bank)
    state.bank -= amount
    state.players[seat].coins += amount


# The last of them is what is left when it is not one of the others.
assert (DRAW, COINS, TAKE) == (0, 1, 2)
