"""Why something cannot be chosen now in Tiny Towns: by the rules' own functions, and by what the seat sees."""

from __future__ import annotations

from dataclasses import dataclass

from thorp.core.words import Message, Term
from thorp.games.tiny_towns.face.view import SquareView, TownView, card_of, square_name, view
from thorp.games.tiny_towns.face.words import card_word, resource_word
from thorp.games.tiny_towns.rules.building import banned, supply
from thorp.games.tiny_towns.rules.cards import (
    COTTAGE_TYPE,
    FACTORY_TYPE,
    LETTERS,
    MONUMENT,
    RESOURCES,
    SHELTERS,
    STANDS_IN,
    STORES,
    SUBSTITUTES,
    Card,
)
from thorp.games.tiny_towns.rules.masks import has_built
from thorp.games.tiny_towns.rules.placing import WAREHOUSE_ROOM, named_by_another
from thorp.games.tiny_towns.rules.shapes import SQUARES
from thorp.games.tiny_towns.rules.state import (
    BUILD,
    GRANT,
    MARK,
    MOVE_SHED,
    NAME,
    PICK,
    PLACE,
    REPLACE,
    REVEAL,
    SOLO,
    STOCK,
    State,
)


@dataclass(frozen=True)
class _Asked:
    """A seat that is asked something, and what it has chosen of its answer."""

    state: State
    game: State
    seat: int
    town: TownView
    task: int
    chosen: tuple[str, ...]

    def card(self, type: int) -> Card:
        """What a type stands for at this seat."""
        return card_of(self.game, self.seat, type)

    def chosen_card(self) -> Card | None:
        """The card that is chosen, if one is."""
        types = [_number(step) for step in self.chosen if step.startswith("card-")]
        return self.card(types[0]) if types else None

    def chosen_square(self) -> int | None:
        """The square that is chosen, if one is."""
        return next((_number(step) for step in self.chosen if step.startswith("square-")), None)


def why_not(state: State, seat: int, thing: str, chosen: tuple[str, ...]) -> Message | None:
    """Why a seat that is asked something cannot choose what stands for this step."""
    game = State.of(state)
    town = view(state, seat).towns[seat]
    asked = _Asked(state, game, seat, town, game.towns[seat].task, chosen)
    kind, _, rest = thing.partition("-")
    if kind == "town" and rest.isdecimal():
        return Message("Everybody builds in their own town.")
    if kind == "square" and rest.isdecimal() and int(rest) < SQUARES:
        return _square(asked, town.squares[int(rest)])
    if kind == "card" and rest.isdecimal() and int(rest) <= MONUMENT:
        return _card(asked, int(rest))
    if kind in ("resource", "open") and rest.isdecimal() and int(rest) < len(RESOURCES):
        return _resource(asked, int(rest))
    if thing == "hand":
        return Message("This is the {resource} in your hand: choose a square for it.", {"resource": Term(town.hand)})
    return None


def _number(step: str) -> int:
    return int(step.split("-")[1])


# --- squares ----------------------------------------------------------------------------------------------------


def _square(asked: _Asked, square: SquareView) -> Message | None:
    if asked.task in (PLACE, MOVE_SHED, GRANT, REVEAL):
        return _taken(asked, square)
    if asked.task == BUILD:
        return _not_built_on(asked, square)
    if asked.task == REPLACE:
        return _not_replaced(square)
    return None


def _taken(asked: _Asked, square: SquareView) -> Message:
    """Why nothing is put on a square: it is taken; and what is on it takes no cube either."""
    if square.building is None:
        return Message("{where} is occupied by {what}.", {"where": square.name, "what": Term(square.cube)})
    data: dict[str, object] = {"card": card_word(square.building)}
    if asked.task == PLACE and not asked.chosen:
        type = square.building.type
        takes = type == FACTORY_TYPE and square.building.deed == STORES
        shelters = type == COTTAGE_TYPE and has_built(asked.state, asked.seat, SHELTERS)
        if (takes or shelters) and not named_by_another(asked.state, asked.seat):
            return Message("{card} takes only a resource that another player has named.", data)
        if takes and len(square.held) >= WAREHOUSE_ROOM:
            return Message("{card} is full: it holds {n} cubes.", {**data, "n": WAREHOUSE_ROOM})
        if shelters and square.held:
            return Message("A cube lies on this {card} already.", data)
    return Message("{where} is occupied by {what}.", {"where": square.name, "what": data["card"]})


def _not_built_on(asked: _Asked, square: SquareView) -> Message:
    """Why no building goes on a square, or why none that is chosen does."""
    card, where = asked.chosen_card(), square.name
    if square.building is not None:
        return Message("{where} is occupied by {what}.", {"where": where, "what": card_word(square.building)})
    if any(step.startswith("foot-") for step in asked.chosen) and card:
        return Message("{where} is not one of the squares that you have chosen.", {"where": where})
    data: dict[str, object] = {"where": where, "resource": Term(square.cube)}
    if card:
        data["card"] = card_word(card)
        if square.cube:
            return Message("The {resource} on {where} is in no pattern of {card}.", data)
        return Message("{where} is empty: {card} goes where cubes of its pattern lie.", data)
    if square.cube:
        return Message("The {resource} on {where} is in no pattern that you can build now.", data)
    return Message("{where} is empty: a building goes where cubes of its pattern lie.", data)


def _not_replaced(square: SquareView) -> Message:
    if square.building is None:
        return Message("No building stands on {where}.", {"where": square.name})
    if square.building.is_monument:
        return Message("A monument stays where it is: only other buildings are replaced.")
    return Message("Step back to replace {card} instead.", {"card": card_word(square.building)})


# --- cards ------------------------------------------------------------------------------------------------------


def _card(asked: _Asked, type: int) -> Message | None:
    card = asked.card(type)
    data: dict[str, object] = {"card": card_word(card)}
    if asked.task == PLACE:
        hand = {"resource": resource_word(asked.game.towns[asked.seat].hand - 1)}
        return Message("Place the {resource} first; then you may build.", hand)
    if asked.task == BUILD:
        return _not_built(asked, type, card)
    if asked.task == STOCK:
        if type == MONUMENT:
            return Message("Only buildings of the seven types are put there, no monument.")
        watch = card_word(asked.card(MONUMENT))
        return Message("{card} lies on {watch} already.", {**data, "watch": watch})
    if asked.task in (GRANT, REPLACE, REVEAL):
        return _not_put(asked, type, data)
    return None


def _not_built(asked: _Asked, type: int, card: Card) -> Message:
    """Why a card cannot be built, or not where it has been pointed at."""
    data: dict[str, object] = {"card": card_word(card)}
    if type == MONUMENT and asked.town.monument_built:
        return Message("{card} stands in your town already.", data)
    if refused := _no_more(asked, type):
        return refused
    lacks = _lacks(asked.town, card) if not _stands_in(asked) else []
    if lacks:
        return Message("You lack {lacks} for {card}.", {**data, "lacks": lacks})
    square = asked.chosen_square()
    if square is not None:
        return Message("{card} cannot be built on {where}.", {**data, "where": square_name(square)})
    return Message("Your cubes do not lie in the pattern of {card}.", data)


def _stands_in(asked: _Asked) -> bool:
    """Whether a building of the town stands in for any resource."""
    return any(square.building and square.building.deed == STANDS_IN for square in asked.town.squares)


def _lacks(town: TownView, card: Card) -> list[Message]:
    """The resources of which a town has fewer cubes than a card takes."""
    cubes = [square.cube for square in town.squares]
    asks = "".join(card.pattern)
    found = []
    for name, letter in zip(RESOURCES, LETTERS, strict=True):
        have, of = cubes.count(name), asks.count(letter)
        if have < of:
            found.append(Message("{resource} ({n} of {of})", {"resource": Term(name), "n": have, "of": of}))
    return found


def _no_more(asked: _Asked, type: int) -> Message | None:
    """Why the supply gives no more of a type: all resources lie on Banks."""
    if type == MONUMENT or int(supply(asked.state, asked.seat)) >> type & 1:
        return None
    data = {"card": card_word(asked.card(type))}
    return Message("Every resource lies on a {card} of yours: there can be no more of them.", data)


def _not_put(asked: _Asked, type: int, data: dict[str, object]) -> Message | None:
    """Why a monument of the owner does not put a building down."""
    if type == MONUMENT:
        return Message("Only buildings of the seven types come by it, no monument.")
    if refused := _no_more(asked, type):
        return refused
    if asked.task == REVEAL:
        if not asked.game.towns[asked.seat].watch >> type & 1:
            return Message("{card} does not lie on {watch}.", {**data, "watch": card_word(asked.card(MONUMENT))})
        return Message("No neighbour has built {card} in this round.", data)
    if asked.task == REPLACE:
        return Message("{card} stands there: choose another type.", data)
    return None


# --- resources --------------------------------------------------------------------------------------------------


def _resource(asked: _Asked, resource: int) -> Message | None:
    data: dict[str, object] = {"resource": resource_word(resource)}
    lies_there = int(banned(asked.state, asked.seat)) >> resource & 1
    if asked.task == NAME:
        if asked.game.naming == SOLO and not asked.game.row[resource]:
            return Message("No open card shows {resource}.", data)
        if lies_there:
            data["card"] = card_word(asked.card(FACTORY_TYPE))
            return Message("You cannot name {resource}: it lies on a {card} of yours.", data)
    if asked.task in (PICK, MARK) and lies_there:
        data["card"] = card_word(asked.card(FACTORY_TYPE))
        words = "You cannot take {resource}: it lies on a {card} of yours."
        if asked.task == MARK:
            words = "Each {card} needs a resource of its own: {resource} lies on another one."
        return Message(words, data)
    if asked.task == PLACE:
        return _not_instead(asked, resource, data)
    if asked.task == BUILD:
        return Message("The resource of this round is placed: build, or say that you are done.")
    return None


def _not_instead(asked: _Asked, resource: int, data: dict[str, object]) -> Message:
    """Why another resource cannot be placed than the one in hand."""
    town = asked.game.towns[asked.seat]
    named = town.hand - 1
    if resource == named:
        return Message("The {resource} is in your hand: choose a square for it.", data)
    data = {"named": resource_word(named), "card": card_word(asked.card(FACTORY_TYPE))}
    if asked.card(FACTORY_TYPE).deed == SUBSTITUTES and town.built[FACTORY_TYPE]:
        if not named_by_another(asked.state, asked.seat):
            return Message("You have chosen {named} yourself: {card} helps when another player has.", data)
        if not any(RESOURCES[named] in square.held for square in asked.town.squares):
            return Message("No {card} of yours holds {named}, so you place {named}.", data)
    return Message("You place the {named} of this round.", data)
