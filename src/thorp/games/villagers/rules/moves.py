"""The moves of Villagers.

Cards of a hand are named by their face, since copies do the same. A spot says where a card is built: 5 * Monks + base.
`Monks` (0 to 2) are Monks of the hand that are built below it with the same move, since none may stand uncovered. The
base is where the lowest of them goes:

    0  a chain of its own
    1  on its predecessor, one that bears nothing
    2  on its predecessor, one that bears one branch
    3  on a Monk that stands for its predecessor and bears one branch
    4  on an Apprentice that stands for its predecessor and bears one branch

Villagers that are one base are alike: on which of them the card goes makes no difference.
"""

from thorp.core.moves import MoveSpace
from thorp.games.villagers.rules.cards import DECK_FACES, FACES
from thorp.games.villagers.rules.state import MAX_SEATS, OPEN_EVENTS, ROAD, STACKS

BASES = 5
SPOTS = 3 * BASES
#: The Founders that an Apprentice has freed, put down with the food side up.
FOOD_SIDE = SPOTS
#: Where a card given up may go: a stack, the Reserve; solo: the village of the Countess.
SINKS = STACKS + 2
COUNTESS_SINK = STACKS + 1

MOVES = MoveSpace(
    # take a card of the Road, with the coins on it; or the top card of a stack
    draft={"slot": ROAD},
    blind={"stack": STACKS},
    # solo: put a card of the Road into the village of the Countess
    give={"slot": ROAD},
    # lay a coin on a card of the Road, or do not
    guard={"slot": ROAD},
    leave={},
    # end the build turn
    done={},
    # give up a card of the hand for a basic villager
    exchange={"card": DECK_FACES, "basic": 3, "pile": SINKS},
    # build a card of the hand, on top of so many Monks
    build={"card": DECK_FACES, "spot": SPOTS},
    # build an Apprentice: it takes the place of the nth covered villager of that face in the village of a seat
    swap={"seat": MAX_SEATS, "face": FACES, "nth": 2},
    # place the villager that it has freed
    place={"spot": SPOTS + 1},
    # play a card that is discarded
    tinner={},
    smuggler={},
    # who is paid for opening a padlock: the first or second of those that can be; or nobody, by the Tinner
    pay={"nth": 2},
    free={},
    # solo: discard an event; bear what it does, or pay the bank instead
    jester={"slot": OPEN_EVENTS},
    bear={},
    ransom={},
    # solo: the top villager that an event is about, the card of the hand, the pile
    pick={"face": FACES, "nth": 2},
    part={"card": DECK_FACES},
    conscript={"pile": STACKS + 1},
)

DRAFT_MOVE = MOVES["draft"].first
BLIND_MOVE = MOVES["blind"].first
GIVE_MOVE = MOVES["give"].first
GUARD_MOVE = MOVES["guard"].first
LEAVE_MOVE = MOVES["leave"].first
DONE_MOVE = MOVES["done"].first
EXCHANGE_MOVE = MOVES["exchange"].first
BUILD_MOVE = MOVES["build"].first
SWAP_MOVE = MOVES["swap"].first
PLACE_MOVE = MOVES["place"].first
TINNER_MOVE = MOVES["tinner"].first
SMUGGLER_MOVE = MOVES["smuggler"].first
PAY_MOVE = MOVES["pay"].first
FREE_MOVE = MOVES["free"].first
JESTER_MOVE = MOVES["jester"].first
BEAR_MOVE = MOVES["bear"].first
RANSOM_MOVE = MOVES["ransom"].first
PICK_MOVE = MOVES["pick"].first
PART_MOVE = MOVES["part"].first
CONSCRIPT_MOVE = MOVES["conscript"].first
