"""Padlocks: what opening one costs, who pays, and onto which villager."""

from thorp.compiling.rule import MoveList, rule
from thorp.games.villagers.rules.cards import EVENTS, LOCK, OPS
from thorp.games.villagers.rules.moves import FREE_MOVE, PAY_MOVE
from thorp.games.villagers.rules.state import COUNTESS_SEAT, State
from thorp.games.villagers.rules.turned import has_event
from thorp.games.villagers.rules.village import FIRST_KEY, unlocker

#: What opening a padlock costs; solo, while the event The Countess Bank is open, the bank takes more.
PRICE = 2
BANK_PRICE = OPS.index("bank_price")
DEAR_PRICE = next(event.amount for event in EVENTS if event.op == "bank_price")


@rule
def bank_price(state: State) -> int:
    """What opening a padlock at the bank costs."""
    return DEAR_PRICE if has_event(state, BANK_PRICE) else PRICE


@rule
def can_unlock(state: State, seat: int, summed: int, face: int) -> bool:
    """Whether the seat can open the padlock of a card: it has none, a Tinner or its own unlocker, or the gold."""
    lock = LOCK[face]
    if lock < 0 or state.players[seat].tinner or summed >> (FIRST_KEY + lock) & 1:
        return True
    price = PRICE
    if state.seats == 1 and unlocker(state, COUNTESS_SEAT, lock, True, 0) < 0:
        price = bank_price(state)
    return state.players[seat].gold >= price


@rule
def unlock(state: State, seat: int, face: int) -> None:
    """Open the padlock of a card; where its payer has a choice, that is asked next."""
    lock = LOCK[face]
    if lock < 0:
        return
    own = unlocker(state, seat, lock, True, 0) >= 0
    if state.players[seat].tinner:
        if own:
            state.locked = lock + 1
        return
    if not own and unlocker(state, seat, lock, False, 0) < 0:
        state.players[seat].gold -= bank_price(state)
    elif _differ(state, seat, lock, own):
        state.locked = lock + 1
    else:
        _pay(state, seat, lock, own, 0)


@rule
def _differ(state: State, seat: int, lock: int, own: bool) -> bool:
    """Whether it makes a difference which of two unlockers is paid: they lie in two villages, or under other coins."""
    other = unlocker(state, seat, lock, own, 1)
    if other < 0:
        return False
    one = state.cards[unlocker(state, seat, lock, own, 0)]
    return one.owner != state.cards[other].owner or one.coins != state.cards[other].coins


@rule
def _pay(state: State, seat: int, lock: int, own: bool, nth: int) -> None:
    """Lay 2 gold on the unlocker: the bank's on one's own, one's own on another's."""
    state.cards[unlocker(state, seat, lock, own, nth)].coins += PRICE
    if not own:
        state.players[seat].gold -= PRICE


@rule(inline=True)
def legal_pays(state: State, seat: int, moves: MoveList) -> int:
    """Who can be paid; nobody, where a Tinner was played."""
    lock = state.locked - 1
    own = unlocker(state, seat, lock, True, 0) >= 0
    moves.at[0] = PAY_MOVE
    n = 1
    if _differ(state, seat, lock, own):
        moves.at[1] = PAY_MOVE + 1
        n = 2
    if state.players[seat].tinner:
        moves.at[n] = FREE_MOVE
        n += 1
    return n


@rule(inline=True)
def play_pay(state: State, seat: int, move: int) -> None:
    """Pay the one chosen, or nobody."""
    if move != FREE_MOVE:
        lock = state.locked - 1
        _pay(state, seat, lock, unlocker(state, seat, lock, True, 0) >= 0, move - PAY_MOVE)
    state.locked = 0
