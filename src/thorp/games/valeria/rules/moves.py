"""The moves of Villages of Valeria.

Cards are named by their numbers in the deck; of cards that are alike in both halves, by the first in the hand. A place
is one in the village, a row one of the powers of the card there. The ways to pay stand in the order in which `pay_all`
takes them: "the cheapest way".
"""

from thorp.core.moves import MoveSpace
from thorp.games.valeria.rules.deck import MOST_CARDS, MOST_POWERS
from thorp.games.valeria.rules.powers import ACTIONS, RESOURCES
from thorp.games.valeria.rules.state import DECK, MAX_SEATS, PILES, POOL, VILLAGE

_KINDS = len(RESOURCES)

MOVES = MoveSpace(
    # the action of a turn; and whether to follow it
    lead={"action": len(ACTIONS)},
    follow={},
    decline={},
    # the top card of a pile, or of the deck
    draw={"pile": DECK + 1},
    discard={"card": MOST_CARDS, "pile": PILES},
    develop={"card": MOST_CARDS},
    build={"card": MOST_CARDS},
    # pay one resource: by a power that costs nothing, a coin on an own resource, a coin on the castle
    pay_free={"place": VILLAGE, "row": MOST_POWERS, "resource": _KINDS},
    pay_own={"resource": _KINDS},
    pay_castle={"resource": _KINDS},
    # by a power that costs a card or a coin; by a coin on a resource of the seat so many places clockwise, less one
    pay_costly={"place": VILLAGE, "row": MOST_POWERS, "resource": _KINDS},
    pay_other={"clockwise": MAX_SEATS - 1, "resource": _KINDS},
    # pay all that is left, each time the first way of these with which the rest can still be paid
    pay_all={},
    recruit={"slot": POOL},
    use={"place": VILLAGE, "row": MOST_POWERS},
    done={},
    # a card from the hand of a seat
    take={"seat": MAX_SEATS},
)

LEAD_MOVE = MOVES["lead"].first
FOLLOW_MOVE = MOVES["follow"].first
DECLINE_MOVE = MOVES["decline"].first
DRAW_MOVE = MOVES["draw"].first
DISCARD_MOVE = MOVES["discard"].first
DEVELOP_MOVE = MOVES["develop"].first
BUILD_MOVE = MOVES["build"].first
FREE_MOVE = MOVES["pay_free"].first
OWN_MOVE = MOVES["pay_own"].first
CASTLE_MOVE = MOVES["pay_castle"].first
COSTLY_MOVE = MOVES["pay_costly"].first
OTHER_MOVE = MOVES["pay_other"].first
ALL_MOVE = MOVES["pay_all"].first
RECRUIT_MOVE = MOVES["recruit"].first
USE_MOVE = MOVES["use"].first
DONE_MOVE = MOVES["done"].first
TAKE_MOVE = MOVES["take"].first
