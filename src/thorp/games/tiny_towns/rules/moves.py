"""The moves of Tiny Towns."""

from thorp.core.moves import MoveSpace
from thorp.games.tiny_towns.rules.cards import RESOURCES, SUPPLY_TYPES
from thorp.games.tiny_towns.rules.shapes import FOOTPRINTS, SQUARES

_R = len(RESOURCES)

MOVES = MoveSpace(
    # keep one of the two monuments dealt
    keep={"card": 2},
    # name a resource as Master Builder; solo: take an open card of it
    name={"resource": _R},
    # Town Hall: take a resource of one's choice
    pick={"resource": _R},
    # put the cube on an empty square
    place={"square": SQUARES},
    # Factory: put another resource there instead
    substitute={"resource": _R, "square": SQUARES},
    # put the cube on a Warehouse
    store={"warehouse": SQUARES},
    # put the cube on a Warehouse, and one from there in the town
    swap={"warehouse": SQUARES, "resource": _R, "square": SQUARES},
    # Statue of the Bondmaker: put the cube on a Cottage
    shelter={"cottage": SQUARES},
    # Cavern rule: put the cube beside the board
    set_aside={},
    # take the cubes of a footprint away, and put the building of that type on a square
    build={"type": SUPPLY_TYPES + 1, "footprint": FOOTPRINTS, "square": SQUARES},
    # no more building in this round; or no more replacements by Architect's Guild
    done={},
    # which cube lies on the Factory or Bank just constructed
    mark={"resource": _R},
    # Architect's Guild put a Shed down: where
    move_shed={"square": SQUARES},
    # put a type of building on Opaleye's Watch
    stock={"type": SUPPLY_TYPES},
    # put a building down (Grove University, Opaleye's Watch)
    put={"type": SUPPLY_TYPES, "square": SQUARES},
    # Architect's Guild: replace the building on a square
    replace={"square": SQUARES, "type": SUPPLY_TYPES},
)

KEEP_MOVE = MOVES["keep"].first
NAME_MOVE = MOVES["name"].first
PICK_MOVE = MOVES["pick"].first
PLACE_MOVE = MOVES["place"].first
SUBSTITUTE_MOVE = MOVES["substitute"].first
STORE_MOVE = MOVES["store"].first
SWAP_MOVE = MOVES["swap"].first
SHELTER_MOVE = MOVES["shelter"].first
SET_ASIDE_MOVE = MOVES["set_aside"].first
BUILD_MOVE = MOVES["build"].first
DONE_MOVE = MOVES["done"].first
MARK_MOVE = MOVES["mark"].first
MOVE_SHED_MOVE = MOVES["move_shed"].first
STOCK_MOVE = MOVES["stock"].first
PUT_MOVE = MOVES["put"].first
REPLACE_MOVE = MOVES["replace"].first
