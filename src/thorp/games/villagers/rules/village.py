"""Villages: chains of cards, what shows in them, and where a card may be built.

A village is a list of nodes, the newest first; `below` makes chains of them. A card is on top while nothing stands on
it, and only then shows its gold, food, builder and silver.
"""

from thorp.compiling.rule import rule
from thorp.games.villagers.rules.cards import (
    APPRENTICE,
    COUNTS,
    KEY,
    MONK,
    ON_ROLE,
    ROLE,
    ROLE_ON_ROLE,
    ROLES,
    SHOWN,
    STARTERS,
    SUIT,
    UNLOCKERS,
)
from thorp.games.villagers.rules.moves import BASES
from thorp.games.villagers.rules.piles import show
from thorp.games.villagers.rules.state import COUNTESS_SEAT, State

# What `tally` counts: on top villagers, on all, gold that lies on villagers.
GOLD_SYMBOLS, FOOD, BUILDERS, GOLD = map(COUNTS.index, ("gold_symbols", "food", "builders", "gold"))
BEST_GOLD, SUIT_SYMBOLS, PADLOCKS, CARDS = map(COUNTS.index, ("best_gold", "suit_symbols", "padlocks", "cards"))
COINS, ALL_COINS = COUNTS.index("coins"), COUNTS.index("all_coins")
#: Of any suit.
ANY = -1

# The bases of spots (see moves.py).
OWN, FRESH, SECOND, ON_MONK, ON_APPRENTICE = range(BASES)

# Where things are in a summary of a village (see `summary`), after a bit for each role.
_BRANCHED = len(ROLES)
FIRST_KEY = _BRANCHED + (BASES - SECOND) * STARTERS
assert FIRST_KEY + len(UNLOCKERS) < 63


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


@rule(inline=True)
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
def base_of(face: int, above: int) -> int:
    """The base that a villager with a role is for what may be built on it, by how many stand on it; OWN for none."""
    if above == 0:
        return FRESH
    if above > 1:
        return OWN
    return ON_MONK if face == MONK else ON_APPRENTICE if face == APPRENTICE else SECOND


@rule
def summary(state: State, seat: int) -> int:
    """What a village offers those who build, in one number.

    One bit for each role of which a card bears nothing; one for each role that begins chains of which a card bears one
    branch, and the same for the Monks and the Apprentices that have such a role; then one for each unlocker.
    """
    found = 0
    link = state.players[seat].village
    while link:
        card = state.cards[link - 1]
        link = card.next
        if KEY[card.face] >= 0:
            found |= 1 << (FIRST_KEY + KEY[card.face])
        elif card.role >= 0:
            base = base_of(card.face, card.above)
            if base == FRESH:
                found |= 1 << card.role
            elif base != OWN and card.role < STARTERS:
                found |= 1 << (_BRANCHED + STARTERS * (base - SECOND) + card.role)
    return found


@rule
def bases(summed: int, role: int) -> int:
    """The bases (as bits) for a card that is built on a role, or for -1 on nothing."""
    if role < 0:
        return 1 << OWN
    found = (summed >> role & 1) << FRESH
    if role < STARTERS:
        for base in range(SECOND, BASES):
            found |= (summed >> (_BRANCHED + STARTERS * (base - SECOND) + role) & 1) << base
    return found


@rule
def spots(summed: int, face: int, monks: int) -> int:
    """The spots (as bits, see moves.py) where a card may be built, with up to so many Monks below it."""
    found = 0
    role = ON_ROLE[face]
    for below in range(min(monks, 2) + 1):
        found |= bases(summed, role) << BASES * below
        if role < 0:
            break
        role = ROLE_ON_ROLE[role]
    return found


@rule(inline=True)
def base_node(state: State, seat: int, role: int, base: int) -> int:
    """The card that a base means, for a card that is built on a role; -1 for a chain of its own."""
    link = state.players[seat].village if base != OWN else 0
    while link:
        card = state.cards[link - 1]
        if card.role == role and base_of(card.face, card.above) == base:
            return link - 1
        link = card.next
    return -1


@rule
def tally(state: State, seat: int, counts: int, suit: int) -> int:
    """How much a village has of what COUNTS names, on villagers of a suit or of ANY.

    Suit symbols, padlocks and cards count on all cards of the village; gold, food, builders on top villagers.
    """
    n = 0
    link = state.players[seat].village
    while link:
        card = state.cards[link - 1]
        link = card.next
        if (card.above == 0 or counts >= SUIT_SYMBOLS) and (suit == ANY or SUIT[card.face] == suit):
            one = card.coins if counts >= COINS else SHOWN[counts][card.face]
            n = max(n, one) if counts == BEST_GOLD or counts == COINS else n + one
    return n


@rule
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
