"""Villages: chains of cards, what shows in them, and where a card may be built.

A village is a list of nodes, the newest first; `below` makes chains of them. A card is on top while nothing stands on
it, and only then shows its gold, food, builder and silver.
"""

from thorp.core.rule import entry, rule
from thorp.games.villagers.cards import (
    APPRENTICE,
    BASICS,
    COUNTS,
    HAYER,
    KEY,
    LOCK,
    MONK,
    ON_ROLE,
    ROLE,
    ROLE_ON_ROLE,
    ROLES,
    STARTERS,
    SUIT,
    SYMBOLS,
    UNLOCKERS,
)
from thorp.games.villagers.cards import BUILDER as BUILDERS_SHOWN
from thorp.games.villagers.cards import FOOD as FOOD_SHOWN
from thorp.games.villagers.cards import GOLD as GOLD_SHOWN
from thorp.games.villagers.piles import show
from thorp.games.villagers.state import COUNTESS_SEAT, State

# What `tally` counts.
GOLD_SYMBOLS, SUIT_SYMBOLS, PADLOCKS = map(COUNTS.index, ("gold_symbols", "suit_symbols", "padlocks"))
FOOD, BUILDERS, GOLD_OF_SUIT, COINS = map(COUNTS.index, ("food", "builders", "gold_of_suit", "coins"))
GOLD, BEST_GOLD, ALL_COINS = map(COUNTS.index, ("gold", "best_gold", "all_coins"))
CARDS_OF_SUIT, BASIC_VILLAGERS = map(COUNTS.index, ("cards_of_suit", "basics"))

# Where things are in a summary of a village (see `summary`).
_HALF = len(ROLES)
_KEYS = _HALF + STARTERS
_SPECIALS = _KEYS + len(UNLOCKERS)
_SPECIAL_BITS = 4
#: Monks and Apprentices in the game.
SPECIALS = 4
assert 2 * STARTERS + 1 < 1 << _SPECIAL_BITS
assert _SPECIALS + _SPECIAL_BITS * SPECIALS < 62

# The bases of spots (see moves.py).
OWN, FRESH, SECOND, ON_SPECIAL = range(4)


@rule
def villages(state: State) -> int:
    """How many villages there are: one a seat, and in solo play that of the Countess."""
    return state.seats + (1 if state.seats == 1 else 0)


@rule
def add(state: State, seat: int, node: int, base: int) -> None:
    """Put a card into a village: on the card `base`, or where that is -1 as a chain of its own."""
    card = state.cards[node]
    player = state.players[seat]
    show(state, node)
    card.owner = seat + 1
    card.above = 0
    card.below = base + 1
    card.role = ROLE[card.face]
    if base >= 0:
        state.cards[base].above += 1
    card.next = player.village
    player.village = node + 1
    player.village_size += 1


@rule
def take_out(state: State, node: int) -> None:
    """Take a card out of its village; what it stood on is one branch poorer."""
    card = state.cards[node]
    player = state.players[card.owner - 1]
    if player.village == node + 1:
        player.village = card.next
    else:
        link = player.village
        while state.cards[link - 1].next != node + 1:
            link = state.cards[link - 1].next
        state.cards[link - 1].next = card.next
    if card.below:
        state.cards[card.below - 1].above -= 1
    player.village_size -= 1
    card.next = 0
    card.owner = 0
    card.below = 0
    card.above = 0


@rule
def replace(state: State, node: int, by: int) -> None:
    """Let the card `by` take the place of a covered card, which leaves the village."""
    old = state.cards[node]
    new = state.cards[by]
    seat = old.owner - 1
    below = old.below
    above = old.above
    role = old.role
    take_out(state, node)
    add(state, seat, by, below - 1)
    new.above = above
    new.role = role
    link = state.players[seat].village
    while link:
        card = state.cards[link - 1]
        if card.below == node + 1:
            card.below = by + 1
        link = card.next


@rule
def special_code(face: int, role: int) -> int:
    """A Monk or Apprentice by the starter that it stands for."""
    return 2 * role + (3 if face == MONK else 2)


@rule
def has_special(summed: int, code: int) -> bool:
    """Whether a summary has a Monk or Apprentice of that code already: two alike are one base."""
    for special in range(SPECIALS):
        if summed >> (_SPECIALS + _SPECIAL_BITS * special) & 15 == code:
            return True
    return False


@rule
def summary(state: State, seat: int) -> int:
    """What a village offers those who build, in one number.

    One bit for each role of which a card bears nothing; one for each starter of which a card bears one branch; one for
    each unlocker; then what each Monk or Apprentice stands for that has room for a second branch (`special_code`).
    """
    found = 0
    specials = 0
    link = state.players[seat].village
    while link:
        card = state.cards[link - 1]
        role = card.role
        if card.above == 0:
            if role >= 0:
                found |= 1 << role
            elif KEY[card.face] >= 0:
                found |= 1 << (_KEYS + KEY[card.face])
        elif card.above == 1 and 0 <= role < STARTERS:
            if card.face == MONK or card.face == APPRENTICE:
                code = special_code(card.face, role)
                if not has_special(found, code):
                    found |= code << (_SPECIALS + _SPECIAL_BITS * specials)
                    specials += 1
            else:
                found |= 1 << (_HALF + role)
        link = card.next
    return found


#: The first bit of the unlockers in a summary.
FIRST_KEY = _KEYS


@rule
def bases(summed: int, role: int) -> int:
    """The bases (as bits) for a card that is built on a role, or for -1 on nothing."""
    if role < 0:
        return 1 << OWN
    found = (summed >> role & 1) << FRESH
    if role < STARTERS:
        found |= (summed >> (_HALF + role) & 1) << SECOND
        for special in range(SPECIALS):
            if (summed >> (_SPECIALS + _SPECIAL_BITS * special) & 15) // 2 == role + 1:
                found |= 1 << (ON_SPECIAL + special)
    return found


@rule
def spots(summed: int, face: int, monks: int) -> int:
    """The spots (as bits, see moves.py) where a card may be built, with up to so many Monks below it."""
    found = 0
    role = ON_ROLE[face]
    for below in range(min(monks, 2) + 1):
        found |= bases(summed, role) << 7 * below
        if role < 0:
            break
        role = ROLE_ON_ROLE[role]
    return found


@entry
def base_node(state: State, seat: int, role: int, base: int) -> int:
    """The card that a base means, for a card that is built on a role; -1 for a chain of its own."""
    wanted = summary(state, seat) >> (_SPECIALS + _SPECIAL_BITS * (base - ON_SPECIAL)) & 15 if base >= ON_SPECIAL else 0
    link = state.players[seat].village
    while link:
        card = state.cards[link - 1]
        if card.face == MONK or card.face == APPRENTICE:
            if card.above == 1 and 0 <= card.role < STARTERS and special_code(card.face, card.role) == wanted:
                return link - 1
        elif card.role == role and ((base == FRESH and card.above == 0) or (base == SECOND and card.above == 1)):
            return link - 1
        link = card.next
    return -1


@rule
def build(state: State, seat: int, node: int, spot: int, first_monk: int, second_monk: int) -> None:
    """Put a card on a spot, with the Monks that the spot asks for below it."""
    role = ON_ROLE[state.cards[node].face]
    if spot < 7:
        add(state, seat, node, base_node(state, seat, role, spot))
        return
    lowest = ROLE_ON_ROLE[role]
    if spot < 14:
        add(state, seat, first_monk, base_node(state, seat, lowest, spot - 7))
    else:
        add(state, seat, second_monk, base_node(state, seat, ROLE_ON_ROLE[lowest], spot - 14))
        state.cards[second_monk].role = lowest
        add(state, seat, first_monk, second_monk)
    state.cards[first_monk].role = role
    add(state, seat, node, first_monk)


@entry
def tally(state: State, seat: int, counts: int, suit: int) -> int:
    """How much a village has of what COUNTS names; `suit` is for those of a suit.

    Suit symbols, padlocks, and cards count on all cards of the village; gold, food, builders on top villagers. `coins`
    is the gold on one villager, the best one.
    """
    n = 0
    link = state.players[seat].village
    while link:
        card = state.cards[link - 1]
        face = card.face
        link = card.next
        if counts == SUIT_SYMBOLS:
            n += SYMBOLS[face] if SUIT[face] == suit else 0
        elif counts == PADLOCKS:
            n += 1 if LOCK[face] >= 0 else 0
        elif counts == COINS:
            n = max(n, card.coins)
        elif counts == ALL_COINS:
            n += card.coins
        elif counts == CARDS_OF_SUIT:
            n += 1 if SUIT[face] == suit else 0
        elif counts == BASIC_VILLAGERS:
            n += 1 if HAYER <= face < HAYER + len(BASICS) else 0
        elif card.above == 0:
            if counts == FOOD:
                n += FOOD_SHOWN[face]
            elif counts == BUILDERS:
                n += BUILDERS_SHOWN[face]
            elif counts == GOLD_SYMBOLS:
                n += 1 if GOLD_SHOWN[face] else 0
            elif counts == BEST_GOLD:
                n = max(n, GOLD_SHOWN[face])
            elif counts == GOLD or SUIT[face] == suit:
                n += GOLD_SHOWN[face]
    return n


@entry
def unlocker(state: State, seat: int, lock: int, own: bool, nth: int) -> int:
    """The nth card that opens a padlock, in the seat's own village or in all others; -1 where there are fewer."""
    for other in range(villages(state)):
        if (other == seat) == own:
            link = state.players[other].village
            while link:
                card = state.cards[link - 1]
                if KEY[card.face] == lock:
                    if nth == 0:
                        return link - 1
                    nth -= 1
                link = card.next
    return -1


assert COUNTESS_SEAT == 1
