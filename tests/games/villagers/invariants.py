"""What has to hold of every state of Villagers: checked in compiled code, at every step of random games."""

from thorp.compiling.rule import MoveList, rule
from thorp.core.chance import Stream, below
from thorp.core.contract import legal, play, waiting
from thorp.core.generic import Generic, States, copy_state
from thorp.games.villagers.rules.cards import APPRENTICE, DECK_FACES, KEY, MONK, ON_ROLE, ROLE, STARTERS
from thorp.games.villagers.rules.moves import DONE_MOVE, EXCHANGE_MOVE, PAY_MOVE, PICK_MOVE
from thorp.games.villagers.rules.state import BUILD, FIRST_BASIC, NODES, State

# What may be wrong.
ENDLESS, CARDS, SIZE, CHAIN, COVER, COINS, GOLD, LIMIT, KNOWN, BAG, MADE, HANDS = range(-12, 0)


@rule
def length(state: State, link: int, owner: int) -> int:
    """How many cards a list has; SIZE where one of them is said to be in another village."""
    n = 0
    while link:
        if state.cards[link - 1].owner != owner:
            return SIZE
        n += 1
        if n > NODES:
            return SIZE
        link = state.cards[link - 1].next
    return n


@rule
def count_cards(state: State) -> int:
    """How many cards there are, wherever they lie; or what is wrong."""
    total = 0
    for seat in range(5):
        player = state.players[seat]
        hand = length(state, player.hand, 0)
        village = length(state, player.village, seat + 1)
        if hand != player.hand_size or village != player.village_size:
            return SIZE
        total += hand + village
    for pile in range(7):
        height = length(state, state.piles[pile], 0)
        if height != state.heights[pile]:
            return SIZE
        total += height
    for slot in range(6):
        if state.road[slot]:
            total += 1
        elif state.road_coins[slot]:
            return COINS
    for basic in range(3):
        total += state.basics[basic]
    return total + length(state, state.discards, 0) + length(state, state.freed, 0)


@rule
def gold_in_play(state: State) -> int:
    """All gold in supplies, on villagers and on the Road."""
    total = 0
    for seat in range(5):
        total += state.players[seat].gold
    for node in range(NODES):
        total += state.cards[node].coins
    for slot in range(6):
        total += state.road_coins[slot]
    return total


@rule
def check_faces(state: State) -> int:
    """0, or MADE: there are never more than two cards of a face of the deck."""
    for face in range(DECK_FACES):
        if state.bag[face]:
            return BAG
        n = 0
        for node in range(FIRST_BASIC):
            if state.cards[node].face == face:
                n += 1
        # cards that take no part have face 0
        if face and n > 2:
            return MADE
    return 0


@rule
def check_village(state: State, seat: int) -> int:
    """0, or what is wrong with a village: what stands on what, and where coins lie."""
    link = state.players[seat].village
    while link:
        node = link - 1
        card = state.cards[node]
        link = card.next
        above = 0
        other = state.players[seat].village
        while other:
            if state.cards[other - 1].below == node + 1:
                above += 1
            other = state.cards[other - 1].next
        if above != card.above:
            return CHAIN
        most = 0 if card.role < 0 else 2 if card.role < STARTERS else 1
        if above > most:
            return COVER
        stands_in = card.face == MONK or card.face == APPRENTICE
        if stands_in and above == 0 and not state.freed:
            return COVER
        if not stands_in and card.role != ROLE[card.face]:
            return CHAIN
        if card.below:
            below = state.cards[card.below - 1]
            if below.owner != seat + 1:
                return CHAIN
            if not stands_in and ON_ROLE[card.face] != below.role:
                return CHAIN
        elif not stands_in and ON_ROLE[card.face] >= 0 and not (state.seats == 1 and seat == 1):
            return CHAIN
        if card.coins < 0 or (card.coins and (above or KEY[card.face] < 0)):
            return COINS
    return 0


@rule
def check_state(state: State, cards: int) -> int:
    """0, or what is wrong."""
    if count_cards(state) != cards:
        return CARDS
    for seat in range(state.seats + (1 if state.seats == 1 else 0)):
        wrong = check_village(state, seat)
        if wrong:
            return wrong
        player = state.players[seat]
        if player.gold < 0:
            return GOLD
        if player.built > player.build_limit and state.phase == BUILD:
            return LIMIT
        if player.build_limit > 5 or player.draft_limit > 5 or player.drafted > player.draft_limit:
            return LIMIT
        link = player.hand
        while link:
            if not state.cards[link - 1].knows >> seat & 1:
                return KNOWN
            link = state.cards[link - 1].next
    return check_faces(state)


@rule
def check_move(before: State, after: State, seat: int, move: int) -> int:
    """0, or what is wrong with a move of a build turn: gold comes and goes by twos and to the bank."""
    if move == DONE_MOVE or move < EXCHANGE_MOVE or move >= PICK_MOVE or before.seats == 1:
        return 0
    for other in range(before.seats):
        if other != seat and after.players[other].gold != before.players[other].gold:
            return GOLD
        if other != seat and after.players[other].hand_size != before.players[other].hand_size:
            return HANDS
    gained = gold_in_play(after) - gold_in_play(before)
    paid = before.players[seat].gold - after.players[seat].gold
    if move >= PAY_MOVE or before.locked:
        # onto an unlocker: by the bank, or by the payer; or nobody
        return 0 if (gained == 2 and paid == 0) or (gained == 0 and (paid == 2 or paid == 0)) else GOLD
    return 0 if gained >= -2 else GOLD


def _checked_game(states: States, moves: MoveList, seats: int, stream: Stream) -> int:
    """Play states[0] to its end by random moves; how many, or what was wrong. states[1] is used."""
    cards = count_cards(states[0])
    for plies in range(10_000):
        wrong = check_state(states[0], cards)
        if wrong or waiting(states[0]) == 0:
            return wrong if wrong else plies
        seat = states[0].turn
        n = legal(states[0], seat, moves)
        move = moves.at[below(stream.chance, n)]
        # giving cards up is the most of what can be done: build now and then
        if move >= EXCHANGE_MOVE and below(stream.chance, 3):
            move = moves.at[below(stream.chance, n)]
        copy_state(states, 1, 0)
        play(states[0], seat, move)
        wrong = check_move(states[1], states[0], seat, move)
        if wrong:
            return wrong
        if states[0].barrier < states[1].barrier:
            return LIMIT
    return ENDLESS


checked_game = Generic(_checked_game)
