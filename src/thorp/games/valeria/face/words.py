"""Villages of Valeria in words: moves on offer, and the log."""

from __future__ import annotations

from collections.abc import Mapping

from thorp.core.words import Card as CardWord
from thorp.core.words import Message, Noun, Seat, Term
from thorp.games.valeria.decks.known import DECKS
from thorp.games.valeria.face.view import card_view, linked, payee
from thorp.games.valeria.rules.deck import Adventurer, Building
from thorp.games.valeria.rules.moves import MOVES
from thorp.games.valeria.rules.powers import RESOURCES
from thorp.games.valeria.rules.state import DECK, TAKE, WATCHER, State


def card_word(card: Building | Adventurer) -> CardWord:
    """A building or an adventurer in a message."""
    return CardWord(card.id, card.name)


#: What actions are called where they are named.
_ACTIONS: Noun[tuple[str, ...]] = ("Harvest", "Develop", "Build", "Recruit", "Tax")


def action_word(action: int) -> Term:
    """An action in a message."""
    return Term(_ACTIONS[action])


def both_halves(game: State, card: int) -> Message:
    """A building card: its name, and the resource on its lower half."""
    seen = card_view(game, card)
    return Message("{card} ({resource})", {"card": card_word(seen.building), "resource": Term(seen.resource)})


# --- moves ------------------------------------------------------------------------------------------------------

#: For every family: as it is offered, and as it is told.
_WORDS = {
    "lead": ("Lead {action}", "{seat} leads {action}."),
    "follow": ("Follow {action}", "{seat} follows."),
    "decline": ("Do not follow", "{seat} does not follow."),
    "draw": ("Take {card} from pile {pile}", "{seat} takes {card} from pile {pile}."),
    "draw deck": ("Draw from the deck", "{seat} draws from the deck."),
    "discard": ("Discard {card} onto pile {pile}", "{seat} discards {card} onto pile {pile}."),
    "develop": ("Develop {resource} ({card})", "{seat} develops {resource} ({card})."),
    "build": ("Build {card}", "{seat} builds {card}."),
    "pay_own": ("Pay {resource}: a coin on your own", "{seat} lays a coin on own {resource}."),
    "pay_castle": ("Pay {resource}: a coin on your castle", "{seat} lays a coin on the castle, for {resource}."),
    "pay_other": ("Pay {resource}: a coin on that of {owner}", "{seat} lays a coin on {resource} of {owner}."),
    "pay_free": ("Pay {resource}: {power}{which}", "{seat} uses {power} for {resource}."),
    "pay_costly": ("Pay {resource}: {power}{which}, for {price}", "{seat} uses {power} for {resource}."),
    "pay_all": ("Pay all in the cheapest way", "{seat} pays the rest in the cheapest way."),
    "recruit": ("Recruit {card}", "{seat} recruits {card}."),
    "use": ("Use {power}{which}: {effect}", "{seat} uses {power}: {effect}."),
    "done": ("Use no more powers", "{seat} uses no more powers."),
    "take": ("Take a card from {owner}", "{seat} takes a card from the hand of {owner}."),
}


def offer(state: State, seat: int, move: int) -> Message:
    """A legal move, as its player is offered it."""
    key, data = _said(State.of(state), seat, move)
    return Message(_WORDS[key][0], data)


def tell(state: State, seat: int, move: int, reader: int | None) -> Message:
    """A move of `seat`, told to `reader`; `state` is as it was before the move. Nothing in a move is secret.

    What a draw from the deck or from a hand gives is no part of the move.
    """
    key, data = _said(State.of(state), seat, move)
    return Message(_WORDS[key][1], data)


def _said(game: State, seat: int, move: int) -> tuple[str, dict[str, object]]:
    """Which words a move has, and what they name."""
    name, given = MOVES.decode(move)
    data: dict[str, object] = {"seat": Seat(seat)}
    if "resource" in given:
        data["resource"] = Term(RESOURCES[given["resource"]])
    if "place" in given:
        data |= _power_data(game, seat, given)
    match name:
        case "lead":
            data["action"] = action_word(given["action"])
        case "follow":
            data["action"] = action_word(game.action)
        case "draw":
            if given["pile"] == DECK:
                return "draw deck", data
            data |= {"card": both_halves(game, game.piles[given["pile"]] - 1), "pile": given["pile"] + 1}
        case "discard":
            data |= {"card": both_halves(game, given["card"]), "pile": given["pile"] + 1}
        case "develop":
            seen = card_view(game, given["card"])
            data |= {"card": card_word(seen.building), "resource": Term(seen.resource)}
        case "build":
            data["card"] = both_halves(game, given["card"])
        case "pay_other":
            data["owner"] = Seat(payee(game, seat, given))
        case "recruit":
            data["card"] = card_word(DECKS.of_key(game.key).face(game.pool[given["slot"]]))
        case "take":
            data["owner"] = Seat(given["seat"])
    return name, data


def _power_data(game: State, seat: int, given: Mapping[str, int]) -> dict[str, object]:
    """A power of the own village: its card, what it does and costs; which one, where its card has two alike."""
    card = DECKS.of_key(game.key).face(game.players[seat].village[given["place"]])
    power = card.powers[given["row"]]
    twice = card.powers.count(power) > 1
    return {
        "power": card_word(card),
        "effect": power.said,
        "price": power.price,
        "which": Message(", power {n}", {"n": given["row"] + 1}) if twice else Message(""),
    }


# --- what happens by itself -------------------------------------------------------------------------------------


def follows(before: State, after: State, reader: int | None) -> tuple[Message, ...]:
    """The cards that came into the hand of whoever moved, unseen by the others: told only to who knows them.

    What was taken from a pile is told with the move.
    """
    was, now = State.of(before), State.of(after)
    seat, bit = was.turn, WATCHER if reader is None else reader
    came = set(linked(now, now.players[seat].hand)) - set(linked(was, was.players[seat].hand))
    unseen = [card for card in sorted(came) if card + 1 not in was.piles]
    cards = [both_halves(now, card) for card in unseen if now.cards[card].knows >> bit & 1]
    if not cards:
        return ()
    # by name, as in all of the log: after the match others read it with the eyes of that seat
    data = {"seat": Seat(seat), "cards": cards}
    return (Message("{seat} took {cards}.", data) if was.phase == TAKE else Message("{seat} drew {cards}.", data),)
