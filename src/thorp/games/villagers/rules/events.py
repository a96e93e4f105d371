"""Solo: what events do, and the Jester that discards one."""

from thorp.compiling.rule import MoveList, rule, table
from thorp.games.villagers.rules.building import held, list_bits
from thorp.games.villagers.rules.cards import (
    COUNTS,
    DECK_FACES,
    EVENT_AMOUNT,
    EVENT_COUNT,
    EVENT_COUNTS,
    EVENT_OP,
    EVENT_PHASE,
    EVENTS,
    KEY,
    KEYRING,
    OPS,
    PHASES,
    SILVER_COUNTS,
    SUIT,
    SUITS,
)
from thorp.games.villagers.rules.moves import (
    BEAR_MOVE,
    CONSCRIPT_MOVE,
    JESTER_MOVE,
    PART_MOVE,
    PICK_MOVE,
    RANSOM_MOVE,
)
from thorp.games.villagers.rules.piles import discard, draw, from_hand
from thorp.games.villagers.rules.scoring import silver, silver_of
from thorp.games.villagers.rules.state import (
    ARSON,
    BUILD,
    COUNTESS_SEAT,
    DRAFT,
    EVENT,
    OPEN_EVENTS,
    RATS,
    STACKS,
    State,
)
from thorp.games.villagers.rules.turned import turn_event
from thorp.games.villagers.rules.village import ANY, CARDS, add, take_out, tally

_EVENT_PHASE = PHASES.index("event")
PAY, EARN, BOTH_EARN = OPS.index("pay"), OPS.index("earn"), OPS.index("both_earn")
BRIBE, COINS_ON_ALL, PAY_COINS = OPS.index("bribe"), OPS.index("coins_on_all"), OPS.index("pay_coins")
MOVE_VILLAGER, DISCARD_VILLAGER = OPS.index("move_villager"), OPS.index("discard_villager")
EARN_YOUR_SILVER, EARN_HER_SILVER = OPS.index("earn_your_silver"), OPS.index("earn_her_silver")
DISCARD_CARD, CONSCRIPT, REPLACE = OPS.index("discard_card"), OPS.index("conscript"), OPS.index("replace")
MUST_JESTER = OPS.index("must_jester")
FEWER_DRAFTS, FEWER_BUILDS = OPS.index("fewer_drafts"), OPS.index("fewer_builds")

#: What the bank takes instead of a card in the draft or a build action.
RANSOM = next(event.amount for event in EVENTS if event.op == "fewer_drafts")
assert {event.amount for event in EVENTS if event.op in ("fewer_drafts", "fewer_builds")} == {RANSOM}

_LARGEST_SUIT, _HAND = EVENT_COUNTS.index("largest_suit"), EVENT_COUNTS.index("hand")
_HER_FOOD = EVENT_COUNTS.index("her_food")
#: [counts]: what is tallied in a village, of what events count (0: something else)
_TALLIED = table([COUNTS.index(n) if (n := name.removeprefix("her_")) in COUNTS else 0 for name in EVENT_COUNTS])


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


@rule
def event_op(state: State) -> int:
    """What is asked about now: what the open event does."""
    if state.phase == RATS:
        return FEWER_DRAFTS
    if state.phase == ARSON:
        return FEWER_BUILDS
    return EVENT_OP[state.events[state.event] - 1]


@rule(inline=True)
def legal_events(state: State, moves: MoveList) -> int:
    """The choices that an event leaves, and the Jester against any open event."""
    op = event_op(state)
    n = 0
    if op == CONSCRIPT:
        for pile in range(STACKS + 1):
            if state.piles[pile]:
                moves.at[n] = CONSCRIPT_MOVE + pile
                n += 1
    elif op == DISCARD_CARD:
        n = list_bits(moves, 0, PART_MOVE, held(state, 0))
    else:
        n = _legal_picks(state, op, moves)
    if n == 0 and op != MUST_JESTER:
        moves.at[0] = BEAR_MOVE
        n = 1
    if (op == FEWER_DRAFTS or op == FEWER_BUILDS) and state.players[0].gold >= RANSOM:
        moves.at[n] = RANSOM_MOVE
        n += 1
    return legal_jesters(state, moves, n)


@rule
def legal_jesters(state: State, moves: MoveList, n: int) -> int:
    """The Jester against any open event, while it is not used."""
    if state.jester_used == 0:
        for slot in range(OPEN_EVENTS):
            if state.events[slot]:
                moves.at[n] = JESTER_MOVE + slot
                n += 1
    return n


@rule
def _looked_at(op: int) -> int:
    """The seat whose village an event that does this looks at."""
    return COUNTESS_SEAT if op == BRIBE or op == EARN_HER_SILVER else 0


@rule
def _about(state: State, op: int, node: int) -> bool:
    """Whether an event that does this can be about a card of the village that it looks at."""
    card = state.cards[node]
    if op == BRIBE:
        return KEY[card.face] >= 0
    if op == PAY_COINS:
        return card.coins > 0
    if op == EARN_YOUR_SILVER or op == EARN_HER_SILVER:
        return card.above == 0 and SILVER_COUNTS[card.face] > 0
    return (op == MOVE_VILLAGER or op == DISCARD_VILLAGER) and card.above == 0 and card.face < DECK_FACES


@rule
def _nth(state: State, op: int, node: int) -> int:
    """0 for the first card of its face in the list of the village, and for one like it; 1 for the other.

    Those are alike that bear as much gold and, where one leaves the village, are as many on what they stand on; their
    silver is the same.
    """
    card = state.cards[node]
    link = state.players[card.owner - 1].village
    while link:
        other = state.cards[link - 1]
        if other.face == card.face and _about(state, op, link - 1):
            if link - 1 == node:
                return 0
            if op == EARN_YOUR_SILVER or op == EARN_HER_SILVER:
                return 0
            same = op == PAY_COINS or beside(state, link - 1) == beside(state, node)
            return 0 if same and other.coins == card.coins else 1
        link = other.next
    return 0


@rule
def beside(state: State, node: int) -> int:
    """How many villagers there are on what a card stands on; 0 where it stands on nothing."""
    below = state.cards[node].below
    return state.cards[below - 1].above if below else 0


@rule
def picked(state: State, op: int, face: int, nth: int) -> int:
    """The card that a pick names; -1 where there is none."""
    link = state.players[_looked_at(op)].village
    while link:
        node = link - 1
        link = state.cards[node].next
        if state.cards[node].face == face and _about(state, op, node) and _nth(state, op, node) == nth:
            return node
    return -1


@rule
def _legal_picks(state: State, op: int, moves: MoveList) -> int:
    n = 0
    link = state.players[_looked_at(op)].village
    while link:
        node = link - 1
        face = state.cards[node].face
        link = state.cards[node].next
        if _about(state, op, node):
            nth = _nth(state, op, node)
            if picked(state, op, face, nth) == node:
                moves.at[n] = PICK_MOVE + face * 2 + nth
                n += 1
    return n


@rule(inline=True)
def play_answer(state: State, move: int) -> None:
    """Discard an open event by the Jester; bear Rats or Arson, or pay the bank instead."""
    if state.phase != BUILD:
        state.barrier += 1
    if move < BEAR_MOVE:
        state.events[move - JESTER_MOVE] = 0
        state.jester_used = 1
        return
    if move == RANSOM_MOVE:
        state.players[0].gold -= RANSOM
    elif state.phase == RATS:
        state.players[0].draft_limit -= 1
    else:
        state.players[0].build_limit -= 1
    state.phase = DRAFT if state.phase == RATS else BUILD


@rule(inline=True)
def play_event(state: State, move: int) -> None:
    """Let an event of the event phase happen, by the choice made; a new one for Mood Swing is asked about next."""
    state.barrier += 1
    event = state.events[state.event] - 1
    op = EVENT_OP[event]
    amount = EVENT_AMOUNT[event]
    state.event += 1
    if move >= CONSCRIPT_MOVE:
        add(state, COUNTESS_SEAT, draw(state, move - CONSCRIPT_MOVE), -1)
    elif move >= PART_MOVE:
        discard(state, from_hand(state, 0, move - PART_MOVE))
    elif move >= PICK_MOVE:
        node = picked(state, op, (move - PICK_MOVE) // 2, (move - PICK_MOVE) % 2)
        card = state.cards[node]
        if op == BRIBE:
            card.coins += KEYRING[card.face]
        elif op == PAY_COINS:
            _pay_countess(state, card.coins)
        elif op == EARN_YOUR_SILVER or op == EARN_HER_SILVER:
            state.players[COUNTESS_SEAT].gold += silver_of(state, _looked_at(op), card.face)
        else:
            take_out(state, node)
            if op == MOVE_VILLAGER:
                add(state, COUNTESS_SEAT, node, -1)
            else:
                discard(state, node)
    elif op == REPLACE:
        state.event -= 1
        turn_event(state, state.event)
    elif op == PAY:
        _pay_countess(state, amount * _count(state, EVENT_COUNT[event]))
    elif op == EARN:
        state.players[COUNTESS_SEAT].gold += amount * _count(state, EVENT_COUNT[event])
    elif op == BOTH_EARN:
        for seat in range(2):
            state.players[seat].gold += silver(state, seat)
    elif op == COINS_ON_ALL:
        link = state.players[COUNTESS_SEAT].village
        while link:
            card = state.cards[link - 1]
            if KEY[card.face] >= 0:
                card.coins += amount
            link = card.next


@rule
def _pay_countess(state: State, due: int) -> None:
    """Pay the Countess, as far as the supply goes."""
    paid = min(due, state.players[0].gold)
    state.players[0].gold -= paid
    state.players[COUNTESS_SEAT].gold += paid


@rule
def _count(state: State, counts: int) -> int:
    """What an event counts."""
    if _TALLIED[counts]:
        return tally(state, COUNTESS_SEAT if counts == _HER_FOOD else 0, _TALLIED[counts], ANY)
    if counts == _HAND:
        return state.players[0].hand_size
    suits = 0
    link = state.players[0].hand
    while link:
        card = state.cards[link - 1]
        suits |= 1 << SUIT[card.face]
        link = card.next
    n = 0
    for suit in range(len(SUITS)):
        n = max(n, tally(state, 0, CARDS, suit)) if counts == _LARGEST_SUIT else n + (suits >> suit & 1)
    return n
