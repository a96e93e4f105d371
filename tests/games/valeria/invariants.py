"""What has to hold of every state of Villages of Valeria: checked in compiled code, at every step of random games."""

from thorp.compiling.rule import MoveList, rule
from thorp.core.chance import Stream, below
from thorp.core.contract import legal, play, waiting
from thorp.core.generic import Generic, States, copy_state
from thorp.games.valeria.rules.moves import COSTLY_MOVE, FREE_MOVE
from thorp.games.valeria.rules.state import BUILD, DISCARD, FIRST_ADVENTURER, LEAD, LIMIT, PAY, State

# What may be wrong.
ENDLESS, CARDS, SIZES, COINS, NEGATIVE, TWICE, VILLAGE, HAND, ORDER, PILES, KNOWN, STOCK, BARRIER = range(-13, 0)


@rule
def count_list(state: State, link: int, ordered: bool) -> int:
    """How many cards a list has; ORDER where a hand is not in the order of its cards."""
    n = 0
    while link:
        n += 1
        after = state.cards[link - 1].next
        if n > 96 or (ordered and after and after <= link):
            return ORDER
        link = after
    return n


@rule
def count_cards(state: State) -> int:
    """How many building cards there are, wherever they lie; or what is wrong."""
    total = state.deck_size + (1 if state.building else 0)
    for place in range(96):
        if place >= state.deck_size and state.deck[place]:
            return STOCK
    for pile in range(5):
        if count_list(state, state.piles[pile], False) != state.heights[pile]:
            return SIZES
        # after the first deck a pile may stay empty (ruling 1)
        if state.piles[pile] == 0 and state.deck_size and state.origin == 0:
            return PILES
        total += state.heights[pile]
    for seat in range(5):
        player = state.players[seat]
        if count_list(state, player.hand, True) != player.hand_size:
            return SIZES
        total += player.hand_size + player.size - player.adventurers
        for kind in range(4):
            total += player.resources[kind]
    return total


@rule
def count_coins(state: State) -> int:
    """All coins: in the bank, in supplies, on castles and resources; NEGATIVE where some are less than none."""
    total = state.bank
    if state.bank < 0:
        return NEGATIVE
    for seat in range(5):
        player = state.players[seat]
        if player.coins < 0 or player.castle < 0 or player.castle > 1:
            return NEGATIVE
        total += player.coins + player.castle
        for kind in range(4):
            if player.paid[kind] < 0 or player.paid[kind] > player.resources[kind]:
                return NEGATIVE
            total += player.paid[kind]
    return total


@rule
def check_village(state: State, seat: int, limit: int) -> int:
    """0, or what is wrong with a village: no face twice, types and adventurers counted right."""
    player = state.players[seat]
    if player.size > limit:
        return VILLAGE
    buildings = 0
    for type in range(4):
        buildings += player.types[type]
    if buildings + player.adventurers != player.size:
        return VILLAGE
    for place in range(player.size):
        for other in range(place):
            if player.village[place] == player.village[other]:
                return TWICE
        if player.village[place] >= FIRST_ADVENTURER and state.unseen >> (player.village[place] - FIRST_ADVENTURER) & 1:
            return TWICE
    for slot in range(5):
        for other in range(slot):
            if state.pool[slot] and state.pool[slot] == state.pool[other]:
                return TWICE
    return 0


@rule
def check_state(state: State, cards: int, coins: int) -> int:
    """0, or what is wrong."""
    found = count_cards(state)
    if found != cards:
        return found if found < 0 else CARDS
    found = count_coins(state)
    if found != coins:
        return found if found < 0 else COINS
    limit = 12 if state.seats <= 3 else 10
    for seat in range(state.seats):
        wrong = check_village(state, seat, limit)
        if wrong:
            return wrong
        player = state.players[seat]
        # beside its own action nobody has more than the limit
        if (seat != state.turn or state.phase == LEAD) and player.hand_size > 8:
            return HAND
        if state.phase == LIMIT and seat == state.turn and player.hand_size <= 8:
            return HAND
        link = player.hand
        while link:
            if not state.cards[link - 1].knows >> seat & 1 or state.cards[link - 1].origin > state.origin:
                return KNOWN
            link = state.cards[link - 1].next
    # while a building is being paid for its card is in no list
    if (state.phase == PAY) != (state.owed != 0 and state.phase != DISCARD):
        return SIZES
    return 0


def _checked_game(states: States, moves: MoveList, seats: int, cards: int, coins: int, stream: Stream) -> int:
    """Play states[0] to its end by random moves; how many, or what was wrong. states[1] is used."""
    for plies in range(100_000):
        wrong = check_state(states[0], cards, coins)
        if wrong or waiting(states[0]) == 0:
            return wrong if wrong else plies
        seat = states[0].turn
        n = legal(states[0], seat, moves)
        move = moves.at[below(stream.chance, n)]
        copy_state(states, 1, 0)
        play(states[0], seat, move)
        if states[0].barrier < states[1].barrier:
            return BARRIER
        # a player's own coins are not another's business while it pays
        if states[1].phase == BUILD or (FREE_MOVE <= move < COSTLY_MOVE and states[0].phase == PAY):
            for other in range(seats):
                if other != seat and states[0].players[other].coins != states[1].players[other].coins:
                    return COINS
    return ENDLESS


checked_game = Generic(_checked_game)
