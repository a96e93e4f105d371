"""What is asked in Villages of Valeria, in words."""

from __future__ import annotations

from thorp.core.words import Message, Seat, Term
from thorp.games.valeria.decks.known import DECKS
from thorp.games.valeria.face.view import card_view, drawn_by, owed_kinds
from thorp.games.valeria.face.why import cannot_follow
from thorp.games.valeria.face.words import action_word, both_halves, card_word
from thorp.games.valeria.rules.rounds import HAND_LIMIT
from thorp.games.valeria.rules.state import (
    BUILD,
    DEVELOP,
    DISCARD,
    DRAW,
    FOLLOW,
    LEAD,
    LIMIT,
    OVER,
    PAY,
    POWERS,
    RECRUIT,
    SETUP,
    TAKE,
    State,
)

#: Drawing where it is not known for which of several powers: the rules do not write down which was used last.
_DRAWS = ("Draw a card from a pile or the deck ({draws} left).", "{seat} draws: {draws} to draw.")

#: By phase: what is asked of the seat on turn, and what the others are told.
_PROMPTS = {
    SETUP: ("Choose a card of your hand: its foot becomes your first resource.", "{seat} chooses a first resource."),
    LEAD: ("Choose the action that you lead.", "{seat} chooses an action."),
    FOLLOW: ("{leader} leads {action}: follow it or not.", "{seat} may follow {action}."),
    DRAW: ("{why}: draw a card from a pile or the deck ({draws} left).", "{seat} draws for {why}: {draws} to draw."),
    DISCARD: ("Discard a card onto a pile: {discards} to discard.", "{seat} discards: {discards} to discard."),
    DEVELOP: ("Choose the card that becomes a resource.", "{seat} develops a resource."),
    BUILD: ("Choose the card that you build.", "{seat} chooses a building."),
    PAY: ("Pay for {card}: {owed}.", "{seat} pays for {card}: {owed}."),
    RECRUIT: ("Choose the adventurer that you recruit.", "{seat} chooses an adventurer."),
    POWERS: ("Use a power, or be done.", "{seat} may use powers."),
    TAKE: ("Choose the opponent from whose hand you take a card.", "{seat} takes a card from a hand."),
    LIMIT: ("You have {hand} cards in hand: discard down to {limit}.", "{seat} discards down to {limit} cards."),
}


def prompt(state: State, seat: int | None) -> Message:
    """What is asked of a seat now, or what is being waited for."""
    game = State.of(state)
    if game.phase == OVER:
        return Message("The game is over.")
    asked, awaited = _PROMPTS[game.phase]
    data: dict[str, object] = {
        "seat": Seat(game.turn),
        "leader": Seat(game.active),
        "action": action_word(game.action),
        "draws": game.draws,
        "discards": game.discards,
        "hand": game.players[game.turn].hand_size,
        "limit": HAND_LIMIT,
    }
    if game.phase == FOLLOW and seat == game.turn and (refused := cannot_follow(state, seat)):
        return Message("{leader} leads {action}: you cannot follow. {why}", {**data, "why": refused})
    if game.phase == DRAW:
        powers = drawn_by(game)
        if len(powers) > 1:
            asked, awaited = _DRAWS
        data["why"] = card_word(powers[0]) if powers else action_word(game.action)
    if game.phase == PAY:
        data["card"] = card_word(card_view(game, game.building - 1).building)
        data["owed"] = [Term(kind) for kind in owed_kinds(game)]
    said = Message(asked if seat == game.turn else awaited, data)
    return _with_turned_card(game, said) if game.phase == LEAD and game.turned_onto else said


def _with_turned_card(game: State, said: Message) -> Message:
    """Solo: what happened before the turn, and then what is asked."""
    pile = game.turned_onto
    turned = game.piles[pile - 1] - 1
    data: dict[str, object] = {"card": both_halves(game, turned), "pile": pile, "said": said}
    if not game.left:
        return Message("{card} was turned onto pile {pile}. {said}", data)
    data["type"] = Term(card_view(game, turned).building.type)
    data["adventurer"] = card_word(DECKS.of_key(game.key).face(game.left))
    return Message("{card} was turned onto pile {pile}: {type}, so the {adventurer} left. {said}", data)
