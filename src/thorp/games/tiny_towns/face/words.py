"""Tiny Towns in words: prompts, moves on offer, and the log. All sentences of the game stand here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from thorp.compiling.rule import make_move_list, moves_in
from thorp.core.words import Card as CardWord
from thorp.core.words import Message, Said, Seat, Term
from thorp.games.tiny_towns.face.view import card_of, cards_in, footprint_name, square_name
from thorp.games.tiny_towns.rules.cards import COTTAGE_TYPE, FACTORY_TYPE, MONUMENT, RESOURCES, Card
from thorp.games.tiny_towns.rules.moves import MOVES
from thorp.games.tiny_towns.rules.playing import legal
from thorp.games.tiny_towns.rules.rounds import HALL_ROUNDS, may_choose, seats_in_game, waiting
from thorp.games.tiny_towns.rules.state import (
    BUILD,
    GRANT,
    KEEP,
    MARK,
    MASTER_BUILDER,
    MOVE_SHED,
    NAME,
    PICK,
    PLACE,
    REPLACE,
    REVEAL,
    SOLO,
    STOCK,
    TOWN_HALL,
    State,
)

#: The letters of resources as people see them: a language may have those of its own words. Files of cards keep those
#: of `LETTERS`.
SIGNS: Said[tuple[str, ...]] = ("W", "T", "B", "G", "S")


def card_word(card: Card) -> CardWord:
    """A card in a message."""
    return CardWord(card.id, card.name)


def resource_word(resource: int) -> Term:
    """A resource in a message."""
    return Term(RESOURCES[resource])


def _seats(seats: Iterable[int]) -> dict[str, object]:
    """Seats in a message, with their number for the plural."""
    named = [Seat(seat) for seat in seats]
    return {"seats": named, "n": len(named)}


# --- prompts ----------------------------------------------------------------------------------------------------

_ASKED = {
    KEEP: "Keep one of your two monuments.",
    NAME: "Name a resource: everybody places one.",
    PICK: "Take a resource of your choice.",
    PLACE: "Place the {resource}.",
    BUILD: "You can build: {cards}. Or be done.",
    MARK: "Choose the cube that goes on the {card}.",
    MOVE_SHED: "Choose a square for the {card}.",
    GRANT: "{card}: put any building on an empty square.",
    REPLACE: "{card}: replace a building, or say that you are done.",
    REVEAL: "{card}: put the building down that a neighbour has built.",
}


def prompt(state: State, seat: int | None) -> Message:
    """What is asked of a seat now, or what is being waited for."""
    game = State.of(state)
    if game.ended:
        return Message("The game is over.")
    if seat is None or not waiting(state) >> seat & 1:
        return _waiting_for(state, game, seat)
    town = game.towns[seat]
    if town.task == NAME and game.naming == SOLO:
        return Message("Choose one of the open cards.")
    data: dict[str, object] = {}
    if town.task == BUILD:
        data["cards"] = [card_word(card_of(game, seat, type)) for type in _buildable(state, seat)]
        if not data["cards"]:
            return Message("Nothing to build: say that you are done.")
    if town.task == PLACE:
        data["resource"] = resource_word(town.hand - 1)
    if town.task == MARK:
        data["card"] = card_word(card_of(game, seat, FACTORY_TYPE))
    if town.task == MOVE_SHED:
        data["card"] = card_word(card_of(game, seat, town.at))
    if town.task in (STOCK, GRANT, REPLACE, REVEAL):
        data["card"] = card_word(card_of(game, seat, MONUMENT))
    if town.task == STOCK:
        many = "Put {n} more types of building on {card}."
        return Message("Put {n} more type of building on {card}.", {**data, "n": town.watch_room}, many)
    return Message(_ASKED[town.task], data)


def _buildable(state: State, seat: int) -> list[int]:
    """The types that a seat can build now."""
    moves = make_move_list()
    offered = (MOVES.decode(move) for move in moves_in(moves, legal(state, seat, moves)))
    return sorted({given["type"] for name, given in offered if name == "build"})


def _waiting_for(state: State, game: State, seat: int | None) -> Message:
    if seat is not None and game.towns[seat].completed and seats_in_game(state):
        data = _seats(other for other in range(game.seats) if not game.towns[other].completed)
        return Message("Your town is complete. {seats} goes on.", data, "Your town is complete. {seats} go on.")
    asked = waiting(state)
    seats = [other for other in range(game.seats) if asked >> other & 1]
    first = game.towns[seats[0]].task if seats else 0
    if first == KEEP:
        return Message("{seats} still chooses a monument.", _seats(seats), "{seats} still choose a monument.")
    if first == NAME:
        return Message("{seat} names a resource.", {"seat": Seat(seats[0])})
    return Message("Waiting for {seats}.", _seats(seats))


# --- moves ------------------------------------------------------------------------------------------------------

#: For every family: as it is offered, and as it is told.
_WORDS = {
    "keep": ("Keep {card}", "{seat} keeps {card}."),
    "name": ("Name {resource}", "{seat} names {resource}."),
    "pick": ("Take {resource}", "{seat} takes {resource}."),
    "place": ("Place {resource} on {square}", "{seat} places {resource} on {square}."),
    "substitute": (
        "Place {other} on {square} instead of {resource} ({by})",
        "{seat} places {other} on {square} instead of {resource}: {by}.",
    ),
    "store": ("Put {resource} on the {by} on {where}", "{seat} puts {resource} on the {by} on {where}."),
    "swap": (
        "Put {resource} on the {by} on {where}, and its {other} on {square}",
        "{seat} puts {resource} on the {by} on {where}, and its {other} on {square}.",
    ),
    "shelter": ("Put {resource} on the {by} on {where}", "{seat} puts {resource} on the {by} on {where}."),
    "set_aside": ("Set {resource} aside (Cavern rule)", "{seat} sets {resource} aside."),
    "build": ("Build {card} on {square} from {from}", "{seat} builds {card} on {square}."),
    "done": ("Done", "{seat} is done."),
    "mark": ("Put {resource} on the {card}", "{seat} puts {resource} on the {card}."),
    "move_shed": ("Put the {card} on {square}", "{seat} puts the {card} on {square}."),
    "stock": ("Put {card} on {by}", "{seat} puts {card} on {by}."),
    "put": ("Put {card} on {square}", "{seat} puts {card} on {square}."),
    "replace": ("Replace {old} on {square} by {card}", "{seat} replaces {old} on {square} by {card}."),
}


def offer(state: State, seat: int, move: int) -> Message:
    """A legal move, as its player is offered it."""
    game = State.of(state)
    name, _ = MOVES.decode(move)
    if name == "name" and game.naming == SOLO:
        return Message("Take {resource}", _data(game, seat, move))
    return Message(_WORDS[name][0], _data(game, seat, move))


def tell(state: State, seat: int, move: int, reader: int | None) -> Message:
    """A move of `seat`, told to `reader`; `state` is as it was before the move."""
    game = State.of(state)
    name, _ = MOVES.decode(move)
    if name == "keep" and reader != seat:
        return Message("{seat} keeps a monument.", {"seat": Seat(seat)})
    if name == "name" and game.naming == SOLO:
        return Message("{seat} takes the card of {resource}.", _data(game, seat, move))
    return Message(_WORDS[name][1], _data(game, seat, move))


#: Families whose sentences name the card that allows them, by its type.
_BY = {
    "substitute": FACTORY_TYPE,
    "store": FACTORY_TYPE,
    "swap": FACTORY_TYPE,
    "shelter": COTTAGE_TYPE,
    "stock": MONUMENT,
}


def _data(game: State, seat: int, move: int) -> dict[str, object]:
    """What the sentences about a move may name."""
    name, given = MOVES.decode(move)
    town = game.towns[seat]
    data: dict[str, object] = {"seat": Seat(seat)}
    if town.hand:
        data["resource"] = resource_word(town.hand - 1)
    if "square" in given:
        data["square"] = square_name(given["square"])
    if "resource" in given:
        data["other" if name in ("substitute", "swap") else "resource"] = resource_word(given["resource"])
    if "type" in given:
        data["card"] = card_word(card_of(game, seat, given["type"]))
    if name == "build":
        card = card_of(game, seat, given["type"])
        data["from"] = footprint_name(card, given["footprint"])
    elif name == "keep":
        data["card"] = card_word(cards_in(game)[town.dealt[given["card"]]])
    elif name in ("store", "swap"):
        data["where"] = square_name(given["warehouse"])
    elif name == "shelter":
        data["where"] = square_name(given["cottage"])
    elif name == "mark":
        data["card"] = card_word(card_of(game, seat, FACTORY_TYPE))
    elif name == "move_shed":
        data["card"] = card_word(card_of(game, seat, town.at))
    elif name == "replace":
        old = next(type for type in range(MONUMENT) if town.built[type] >> given["square"] & 1)
        data["old"] = card_word(card_of(game, seat, old))
    if name in _BY:
        data["by"] = card_word(card_of(game, seat, _BY[name]))
    return data


# --- what happens by itself -------------------------------------------------------------------------------------


def follows(before: State, after: State, reader: int | None) -> tuple[Message, ...]:
    """What happened by itself between two states: towns completed, cards turned, a hammer that passes somebody by.

    All of it lies open: every reader is told the same.
    """
    was, now = State.of(before), State.of(after)
    if now.round == was.round and now.ended == was.ended:
        return ()
    told = [*_completed(was, now)]
    if now.round > was.round:
        if now.naming == MASTER_BUILDER:
            told += _hammer(after, was, now)
        elif now.naming == TOWN_HALL:
            told += _turned(after, was, now)
        else:
            told += _opened(was, now)
    return tuple(told)


def _completed(was: State, now: State) -> Iterator[Message]:
    """The towns that are complete since the round that has ended."""
    data = _seats(
        seat for seat in range(now.seats) if now.towns[seat].completed == was.round and not was.towns[seat].completed
    )
    if data["n"] and was.round:
        yield Message("The town of {seats} is complete.", data, "The towns of {seats} are complete.")


def _hammer(after: State, was: State, now: State) -> Iterator[Message]:
    """Who was passed by, as they can name no resource; or that nobody can (ruling 15)."""
    if now.ended:
        data = _seats(seat for seat in range(now.seats) if now.towns[seat].completed == now.round)
        one = "Nobody can name a resource any more: the town of {seats} counts as complete."
        yield Message(one, data, "Nobody can name a resource any more: the towns of {seats} count as complete.")
    elif was.round:
        between = (now.builder - was.builder - 1) % now.seats
        on_the_way = [(was.builder + 1 + step) % now.seats for step in range(between)]
        data = _seats(seat for seat in on_the_way if not now.towns[seat].completed)
        if data["n"]:
            yield Message(
                "{seats} can name no resource: the hammer goes on to {builder}.",
                {**data, "builder": Seat(now.builder)},
            )


def _turned(after: State, was: State, now: State) -> Iterator[Message]:
    """Town Hall: the card that was turned; or the free pick, and who takes nothing."""
    if now.round % HALL_ROUNDS == 0:
        yield Message("The free pick: take a resource of your choice.")
        data = _seats(
            seat for seat in range(now.seats) if not now.towns[seat].completed and not may_choose(after, seat)
        )
        if data["n"]:
            yield Message("{seats} takes no resource.", data, "{seats} take no resource.")
        return
    if now.turned < was.turned:
        yield Message("All resource cards are shuffled again.")
    yield Message("A card is turned: {resource}.", {"resource": resource_word(now.named - 1)})


def _opened(was: State, now: State) -> Iterator[Message]:
    """Solo: the card of the pile that took the place of the one chosen."""
    for resource in range(len(RESOURCES)):
        if now.row[resource] > was.row[resource]:
            yield Message("The next card is opened: {resource}.", {"resource": resource_word(resource)})
