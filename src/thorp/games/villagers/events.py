"""Solo: what events do, and the Jester that discards one."""

from thorp.core.rule import MoveList, entry, rule
from thorp.games.villagers.building import list_bits
from thorp.games.villagers.cards import (
    DECK_FACES,
    EVENT_AMOUNT,
    EVENT_COUNT,
    EVENT_COUNTS,
    EVENT_OP,
    EVENT_PHASE,
    KEY,
    KEYRING,
    OPS,
    PHASES,
    SUIT,
    SUITS,
)
from thorp.games.villagers.moves import (
    BEAR_MOVE,
    CONSCRIPT_MOVE,
    JESTER_MOVE,
    PART_MOVE,
    PICK_MOVE,
    RANSOM_MOVE,
)
from thorp.games.villagers.piles import discard, draw, from_hand
from thorp.games.villagers.scoring import silver
from thorp.games.villagers.state import ARSON, COUNTESS_SEAT, EVENT, OPEN_EVENTS, RATS, STACKS, State
from thorp.games.villagers.turned import turn_event
from thorp.games.villagers.village import (
    BASIC_VILLAGERS,
    BEST_GOLD,
    CARDS_OF_SUIT,
    FOOD,
    GOLD_SYMBOLS,
    add,
    take_out,
    tally,
)

_EVENT_PHASE = PHASES.index("event")
PAY, EARN, BOTH_EARN = OPS.index("pay"), OPS.index("earn"), OPS.index("both_earn")
BRIBE, COINS_ON_ALL, PAY_COINS = OPS.index("bribe"), OPS.index("coins_on_all"), OPS.index("pay_coins")
MOVE_VILLAGER, DISCARD_VILLAGER = OPS.index("move_villager"), OPS.index("discard_villager")
DISCARD_CARD, CONSCRIPT, REPLACE = OPS.index("discard_card"), OPS.index("conscript"), OPS.index("replace")
MUST_JESTER = OPS.index("must_jester")
FEWER_DRAFTS, FEWER_BUILDS = OPS.index("fewer_drafts"), OPS.index("fewer_builds")

_LARGEST_SUIT, _BASICS = EVENT_COUNTS.index("largest_suit"), EVENT_COUNTS.index("basics")
_HER_FOOD = EVENT_COUNTS.index("her_food")
_GOLD_SYMBOLS, _BEST_GOLD = EVENT_COUNTS.index("gold_symbols"), EVENT_COUNTS.index("best_gold")
_YOUR_BEST_SILVER = EVENT_COUNTS.index("your_best_silver")
_HER_BEST_SILVER, _HAND = EVENT_COUNTS.index("her_best_silver"), EVENT_COUNTS.index("hand")


@rule
def ask_event(state: State) -> bool:
    """Go to the next open event that happens in the event phase; says whether there is one."""
    while state.event < OPEN_EVENTS:
        event = state.events[state.event] - 1
        if (
            event >= 0
            and EVENT_PHASE[event] == _EVENT_PHASE
            and not (EVENT_OP[event] == MUST_JESTER and state.jester_used)
        ):
            state.phase = EVENT
            return True
        state.event += 1
    return False


@entry
def event_op(state: State) -> int:
    """What is asked about now: what the open event does."""
    if state.phase == RATS:
        return FEWER_DRAFTS
    if state.phase == ARSON:
        return FEWER_BUILDS
    return EVENT_OP[state.events[state.event] - 1]


@rule
def event_amount(state: State, op: int) -> int:
    """The amount of the open event that does this."""
    for slot in range(OPEN_EVENTS):
        if state.events[slot] and EVENT_OP[state.events[slot] - 1] == op:
            return EVENT_AMOUNT[state.events[slot] - 1]
    return 0


@rule
def legal_events(state: State, moves: MoveList) -> int:
    """The choices that an event leaves, and the Jester against any open event."""
    op = event_op(state)
    n = 0
    if op == CONSCRIPT:
        for pile in range(STACKS + 1):
            if state.piles[pile]:
                moves[n] = CONSCRIPT_MOVE + pile
                n += 1
    elif op == DISCARD_CARD:
        held = 0
        link = state.players[0].hand
        while link:
            held |= 1 << state.cards[link - 1].face
            link = state.cards[link - 1].next
        n = list_bits(moves, 0, PART_MOVE, held)
    else:
        n = _legal_picks(state, op, moves)
    if n == 0 and op != MUST_JESTER:
        moves[0] = BEAR_MOVE
        n = 1
    if (op == FEWER_DRAFTS or op == FEWER_BUILDS) and state.players[0].gold >= event_amount(state, op):
        moves[n] = RANSOM_MOVE
        n += 1
    return legal_jesters(state, moves, n)


@rule
def legal_jesters(state: State, moves: MoveList, n: int) -> int:
    """The Jester against any open event, while it is not used."""
    if state.jester_used == 0:
        for slot in range(OPEN_EVENTS):
            if state.events[slot]:
                moves[n] = JESTER_MOVE + slot
                n += 1
    return n


@rule
def _about(state: State, op: int, node: int) -> bool:
    """Whether an event that does this can be about a card of the village that it looks at."""
    card = state.cards[node]
    if op == BRIBE:
        return KEY[card.face] >= 0
    if op == PAY_COINS:
        return card.coins > 0
    return (op == MOVE_VILLAGER or op == DISCARD_VILLAGER) and card.above == 0 and card.face < DECK_FACES


@rule
def _nth(state: State, op: int, node: int) -> int:
    """0 for the first card of its face in the list of the village, or one under as many coins; 1 for the other."""
    card = state.cards[node]
    link = state.players[card.owner - 1].village
    while link:
        other = state.cards[link - 1]
        if other.face == card.face and _about(state, op, link - 1):
            return 0 if link - 1 == node or other.coins == card.coins else 1
        link = other.next
    return 0


@entry
def picked(state: State, op: int, face: int, nth: int) -> int:
    """The card that a pick names; -1 where there is none."""
    link = state.players[COUNTESS_SEAT if op == BRIBE else 0].village
    while link:
        node = link - 1
        link = state.cards[node].next
        if state.cards[node].face == face and _about(state, op, node) and _nth(state, op, node) == nth:
            return node
    return -1


@rule
def _legal_picks(state: State, op: int, moves: MoveList) -> int:
    n = 0
    link = state.players[COUNTESS_SEAT if op == BRIBE else 0].village
    while link:
        node = link - 1
        face = state.cards[node].face
        link = state.cards[node].next
        if _about(state, op, node):
            nth = _nth(state, op, node)
            if picked(state, op, face, nth) == node:
                moves[n] = PICK_MOVE + face * 2 + nth
                n += 1
    return n


@rule
def play_jester(state: State, move: int) -> None:
    """Discard an open event."""
    state.events[move - JESTER_MOVE] = 0
    state.jester_used = 1


@rule
def play_event(state: State, move: int) -> None:
    """Let the event happen, by the choice made; a new one in place of Mood Swing is asked about next."""
    state.barrier += 1
    op = event_op(state)
    amount = event_amount(state, op)
    state.event += 1
    if move >= CONSCRIPT_MOVE:
        add(state, COUNTESS_SEAT, draw(state, move - CONSCRIPT_MOVE), -1)
    elif move >= PART_MOVE:
        discard(state, from_hand(state, 0, move - PART_MOVE))
    elif move >= PICK_MOVE:
        _happen_to(state, op, picked(state, op, (move - PICK_MOVE) // 2, (move - PICK_MOVE) % 2))
    elif op == REPLACE:
        state.event -= 1
        turn_event(state, state.event)
    elif op == PAY:
        _pay_countess(state, amount * _count(state, EVENT_COUNT[state.events[state.event - 1] - 1]))
    elif op == EARN:
        count = EVENT_COUNT[state.events[state.event - 1] - 1]
        state.players[COUNTESS_SEAT].gold += amount * _count(state, count)
    elif op == BOTH_EARN:
        for seat in range(2):
            state.players[seat].gold += silver(state, seat, False)
    elif op == COINS_ON_ALL:
        link = state.players[COUNTESS_SEAT].village
        while link:
            if KEY[state.cards[link - 1].face] >= 0:
                state.cards[link - 1].coins += amount
            link = state.cards[link - 1].next


@rule
def _happen_to(state: State, op: int, node: int) -> None:
    card = state.cards[node]
    if op == BRIBE:
        card.coins += KEYRING[card.face]
    elif op == PAY_COINS:
        _pay_countess(state, card.coins)
    else:
        take_out(state, node)
        if op == MOVE_VILLAGER:
            add(state, COUNTESS_SEAT, node, -1)
        else:
            discard(state, node)


@rule
def _pay_countess(state: State, due: int) -> None:
    """Pay the Countess, as far as the supply goes."""
    paid = min(due, state.players[0].gold)
    state.players[0].gold -= paid
    state.players[COUNTESS_SEAT].gold += paid


@rule
def _count(state: State, counts: int) -> int:
    """What an event counts."""
    if counts == _HER_FOOD:
        return tally(state, COUNTESS_SEAT, FOOD, 0)
    if counts == _HER_BEST_SILVER:
        return silver(state, COUNTESS_SEAT, True)
    if counts == _YOUR_BEST_SILVER:
        return silver(state, 0, True)
    if counts == _HAND:
        return state.players[0].hand_size
    if counts == _BEST_GOLD or counts == _BASICS or counts == _GOLD_SYMBOLS:
        what = BEST_GOLD if counts == _BEST_GOLD else BASIC_VILLAGERS if counts == _BASICS else GOLD_SYMBOLS
        return tally(state, 0, what, 0)
    n = 0
    if counts == _LARGEST_SUIT:
        for suit in range(len(SUITS)):
            n = max(n, tally(state, 0, CARDS_OF_SUIT, suit))
        return n
    suits = 0
    link = state.players[0].hand
    while link:
        card = state.cards[link - 1]
        link = card.next
        n += 1 - (suits >> SUIT[card.face] & 1)
        suits |= 1 << SUIT[card.face]
    return n
