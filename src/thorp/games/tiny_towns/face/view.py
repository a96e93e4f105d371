"""What a seat may see of a game of Tiny Towns: an allow-list, never the record itself."""

from __future__ import annotations

from dataclasses import dataclass

from thorp.games.tiny_towns.cards.known import CARD_SETS
from thorp.games.tiny_towns.rules.cards import COTTAGE_TYPE, MONUMENT, RESOURCES, SUPPLY_TYPES, Card
from thorp.games.tiny_towns.rules.moves import MOVES
from thorp.games.tiny_towns.rules.rounds import HALL_ROUNDS, waiting
from thorp.games.tiny_towns.rules.scoring import castle, fed, place_of_completion, score
from thorp.games.tiny_towns.rules.shapes import FOOTPRINT_MASK, SIDE, SQUARES
from thorp.games.tiny_towns.rules.state import State

NAMINGS = ("master_builder", "town_hall", "solo")


def square_name(square: int) -> str:
    """Column letter and row number: A1 is the top left square, D4 the bottom right one."""
    return f"{'ABCD'[square % SIDE]}{square // SIDE + 1}"


@dataclass(frozen=True)
class SquareView:
    """One of the 16 squares of a town: empty, or with a cube, or with a building."""

    index: int
    #: The resource of the cube here, or "".
    cube: str = ""
    #: The card of the building here, or None.
    building: Card | None = None
    #: The cubes that lie on the building, as resources.
    held: tuple[str, ...] = ()
    #: Whether a Cottage or Barrett Castle stands here, and whether it would be fed if the game ended now.
    eats: bool = False
    fed: bool = False

    @property
    def name(self) -> str:
        """Column letter and row number."""
        return square_name(self.index)


@dataclass(frozen=True)
class TownView:
    """One town, as the viewer may see it."""

    seat: int
    squares: tuple[SquareView, ...]
    #: The monument where the viewer knows it (own, or built), else None; and what may be said of it.
    monument: Card | None
    has_monument: bool
    monument_built: bool
    #: The two monuments dealt, for their owner while it chooses.
    dealt: tuple[Card, ...]
    #: The resource in hand, to be placed, or "".
    hand: str
    aside: int
    turns: int
    #: The place in the order of completed towns (1 first), 0 while the town is not complete.
    completed: int
    #: Types on Opaleye's Watch, as cards.
    watch: tuple[Card, ...]
    #: Whether this seat has something to decide now.
    waiting: bool
    #: Points as if the game ended now; unbuilt monuments give none.
    points: int
    buildings: int


@dataclass(frozen=True)
class View:
    """A game of Tiny Towns as a seat sees it; seat None is a spectator."""

    seat: int | None
    #: 0 while monuments are chosen.
    round: int
    #: "master_builder", "town_hall" or "solo".
    naming: str
    cavern: bool
    monuments: bool
    #: The cards of the seven types in this game.
    cards: tuple[Card, ...]
    #: The seat with the hammer, or None.
    builder: int | None
    #: The resource of this round, or "".
    named: str
    #: Town Hall: 0 and 1 in the two card rounds, 2 in the free one. Otherwise 0.
    hall_step: int
    #: Solo: the open cards as resources, and the cards that lie under the pile, the next one first.
    row: tuple[str, ...]
    under: tuple[str, ...]
    #: Cards that nobody has seen since the last shuffle, by resource: everybody can count them.
    unseen: tuple[int, ...]
    towns: tuple[TownView, ...]
    over: bool


def cards_in(game: State) -> tuple[Card, ...]:
    """All cards of the set that a table plays with, by number."""
    return CARD_SETS.of_key(game.key).cards


def card_of(game: State, seat: int, type: int) -> Card:
    """What a type stands for: the card on the table, or the seat's own monument."""
    return cards_in(game)[game.towns[seat].monument if type == MONUMENT else game.cards[type]]


def view(state: State, seat: int | None) -> View:
    """What `seat` may see; None is a spectator."""
    game = State.of(state)
    asked = waiting(state)
    cards = cards_in(game)
    return View(
        seat=seat,
        round=game.round,
        naming=NAMINGS[game.naming],
        cavern=bool(game.cavern),
        monuments=bool(game.monuments),
        cards=tuple(cards[card] for card in game.cards),
        builder=game.builder if game.builder >= 0 and game.round else None,
        named=RESOURCES[game.named - 1] if game.named else "",
        hall_step=(game.round - 1) % HALL_ROUNDS if NAMINGS[game.naming] == "town_hall" and game.round else 0,
        row=tuple(name for resource, name in enumerate(RESOURCES) for _ in range(game.row[resource])),
        under=tuple(RESOURCES[card - 1] for card in game.under if card),
        unseen=tuple(game.unseen),
        towns=tuple(
            _town(state, game, other, own=other == seat, asked=bool(asked >> other & 1)) for other in range(game.seats)
        ),
        over=bool(game.ended),
    )


def _town(state: State, game: State, seat: int, own: bool, asked: bool) -> TownView:
    town = game.towns[seat]
    built = bool(town.built[MONUMENT])
    hungry = town.built[COTTAGE_TYPE] | castle(state, seat)
    eaters = fed(state, seat)
    cards = cards_in(game)
    watch = tuple(cards[game.cards[type]] for type in range(SUPPLY_TYPES) if town.watch >> type & 1)
    return TownView(
        seat=seat,
        squares=tuple(_square(game, seat, square, hungry, eaters) for square in range(SQUARES)),
        monument=cards[town.monument] if town.monument and (own or built) else None,
        has_monument=bool(game.monuments),
        monument_built=built,
        dealt=tuple(cards[card] for card in town.dealt if card) if own else (),
        hand=RESOURCES[town.hand - 1] if town.hand else "",
        aside=town.aside,
        turns=town.turns,
        completed=place_of_completion(state, seat) if town.completed else 0,
        watch=watch,
        waiting=asked,
        points=score(state, seat),
        buildings=sum(mask.bit_count() for mask in town.built),
    )


def _square(game: State, seat: int, square: int, hungry: int, eaters: int) -> SquareView:
    town = game.towns[seat]
    cube = next((name for resource, name in enumerate(RESOURCES) if town.cubes[resource] >> square & 1), "")
    type = next((type for type in range(SUPPLY_TYPES + 1) if town.built[type] >> square & 1), None)
    held = town.held[square]
    return SquareView(
        index=square,
        cube=cube,
        building=None if type is None else card_of(game, seat, type),
        held=tuple(name for resource, name in enumerate(RESOURCES) for _ in range(held >> 2 * resource & 3)),
        eats=bool(hungry >> square & 1),
        fed=bool(eaters >> square & 1),
    )


def steps(state: State, seat: int, move: int) -> tuple[str, ...]:
    """What to click for a move, in order: ids of elements on the table."""
    name, given = MOVES.decode(move)
    match name:
        case "keep":
            return (f"monument-{given['card']}",)
        case "name" | "pick" | "mark":
            return (f"resource-{given['resource']}",)
        case "place" | "move_shed":
            return (f"square-{given['square']}",)
        case "substitute":
            return (f"resource-{given['resource']}", f"square-{given['square']}")
        case "store":
            return (f"store-{given['warehouse']}",)
        case "swap":
            return (f"cube-{given['warehouse']}-{given['resource']}", f"square-{given['square']}")
        case "shelter":
            return (f"shelter-{given['cottage']}",)
        case "set_aside":
            return ("aside",)
        case "build":
            type, footprint = given["type"], given["footprint"]
            return (f"card-{type}", f"foot-{type}-{footprint}", f"square-{given['square']}")
        case "stock":
            return (f"card-{given['type']}",)
        case "put":
            return (f"card-{given['type']}", f"square-{given['square']}")
        case "replace":
            return (f"square-{given['square']}", f"card-{given['type']}")
    return ("done",)


def footprint_squares(card: Card, footprint: int) -> tuple[int, ...]:
    """The squares of a footprint of a card, for drawing it."""
    mask = int(FOOTPRINT_MASK[card.shape][footprint])
    return tuple(square for square in range(SQUARES) if mask >> square & 1)


def footprint_name(card: Card, footprint: int) -> str:
    """The names of the squares of a footprint of a card, such as "A1 B1"."""
    return " ".join(map(square_name, footprint_squares(card, footprint)))


def neighbour(seat: int, other: int, seats: int) -> str:
    """How another seat sits beside a seat: "left", "right", "both" (of two players), or "".

    The hammer goes to the left; a Feast Hall looks to the right.
    """
    sides = {"left": (seat + 1) % seats, "right": (seat + seats - 1) % seats}
    found = [side for side, sitting in sides.items() if sitting == other != seat]
    return "both" if len(found) > 1 else "".join(found)
