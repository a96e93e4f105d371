"""Villagers in words: prompts, moves on offer, and the log. All sentences of the game stand here."""

from __future__ import annotations

from collections.abc import Iterator

from thorp.compiling.rule import make_move_list, moves_in
from thorp.core.words import Card as CardWord
from thorp.core.words import Message, Seat, Term
from thorp.games.villagers.face.view import linked, payee, spot_node, spot_roles
from thorp.games.villagers.rules.building import target
from thorp.games.villagers.rules.cards import (
    APPRENTICE,
    BASICS,
    EVENTS,
    FOUNDERS,
    FOUNDERS_FOOD,
    MONK,
    ROLES,
    SMUGGLER,
    SUIT,
    SUITS,
    TINNER,
    UNLOCKERS,
    VILLAGERS,
    Event,
    Villager,
    number,
)
from thorp.games.villagers.rules.events import event_op, picked
from thorp.games.villagers.rules.moves import COUNTESS_SINK, FOOD_SIDE, MOVES
from thorp.games.villagers.rules.playing import legal
from thorp.games.villagers.rules.scoring import score, silver_of
from thorp.games.villagers.rules.state import (
    ARSON,
    BUILD,
    COUNTESS_SEAT,
    DRAFT,
    EVENT,
    GIVE,
    GUARD,
    OVER,
    RATS,
    RESERVE,
    WATCHER,
    State,
)
from thorp.games.villagers.rules.village import ALL_COINS, ANY, tally, villages


def card_word(card: Villager | Event) -> CardWord:
    """A card in a message."""
    return CardWord(card.id, card.name)


def suit_word(suit: str) -> Term:
    """A suit in a message."""
    return Term(suit)


def back_word(suit: str) -> Message:
    """A card in a message of which only the back is seen."""
    return Message("an {suit} card" if suit[0] in "aeio" else "a {suit} card", {"suit": suit_word(suit)})


def owner_word(game: State, seat: int) -> Seat | Term:
    """The owner of a village: in solo play it may be the Countess."""
    return Term("the Countess") if seat >= game.seats else Seat(seat)


def _face_word(face: int) -> CardWord:
    return card_word(VILLAGERS[face])


# --- prompts ----------------------------------------------------------------------------------------------------

_ASKED = {
    DRAFT: "Take a card of the Road, or the top card of a stack ({n} of {limit}).",
    GIVE: "Choose the card of the Road that goes to the Countess.",
    GUARD: "Lay a coin on a card of the Road to keep it there, or lay none.",
    BUILD: "Build a villager, or give a card up for a basic one.",
    RATS: "{card}: draft one card less, or pay the bank {price} gold.",
    ARSON: "{card}: use one build action less, or pay the bank {price} gold.",
    EVENT: "{card}: {effect}",
}

_BUILD = "Build a villager, or end the turn."
_GIVE_UP = "No card of your hand can be built: give cards up for basic villagers, or end the turn."
_BUILT = "All build actions are used: give cards up for basic villagers, or end the turn."
_PLAY = "Play {card}, or end the turn."
_PLAY_EITHER = "Play {card} or {other}, or end the turn."
_NOTHING = "Nothing more can be built or given up: end the turn."
_NO_CARDS = "Your hand is empty: end the turn."


def prompt(state: State, seat: int | None) -> Message:
    """What is asked of a seat now, or what is being waited for."""
    game = State.of(state)
    if game.phase == OVER:
        return Message("The game is over.")
    if seat != game.turn:
        return Message(_AWAITED[game.phase], {"seat": Seat(game.turn)})
    player = game.players[game.turn]
    if game.phase == DRAFT:
        return Message(_ASKED[DRAFT], {"n": player.drafted + 1, "limit": player.draft_limit})
    if game.phase == BUILD:
        if game.locked:
            return Message("Choose the {card} that takes the 2 gold.", {"card": _unlocker_word(game)})
        if game.freed:
            face = game.cards[game.freed - 1].face
            if face == MONK:
                data = {"card": _face_word(face), "apprentice": _face_word(APPRENTICE)}
                if any(game.cards[node].face == APPRENTICE for node in linked(game, player.hand)):
                    text = "Build a card of your hand on the freed {card}, or what the other {apprentice} frees."
                    return Message(text, data)
                return Message("Build a card of your hand on the freed {card}.", data)
            return Message("Choose where the {card} goes.", {"card": _face_word(face)})
        return _to_build(state, game, game.turn)
    if game.phase in (GIVE, GUARD):
        return Message(_ASKED[game.phase])
    event = _event(state, game)
    return Message(_ASKED[game.phase], {"card": card_word(event), "price": event.amount, "effect": Term(event.effect)})


def _to_build(state: State, game: State, seat: int) -> Message:
    """What a seat is asked in its build turn: only what it can do."""
    player = game.players[seat]
    if not player.hand_size:
        return Message(_NO_CARDS)
    moves = make_move_list()
    families = {MOVES.decode(move).family for move in moves_in(moves, legal(state, seat, moves))}
    if "build" in families or "swap" in families:
        return Message(_ASKED[BUILD] if "exchange" in families else _BUILD)
    if "exchange" in families:
        return Message(_GIVE_UP if player.built < player.build_limit else _BUILT)
    tinner, smuggler = _face_word(TINNER), _face_word(SMUGGLER)
    if {"tinner", "smuggler"} <= families:
        return Message(_PLAY_EITHER, {"card": tinner, "other": smuggler})
    if "tinner" in families:
        return Message(_PLAY, {"card": tinner})
    return Message(_PLAY, {"card": smuggler}) if "smuggler" in families else Message(_NOTHING)


_AWAITED = {
    DRAFT: "{seat} drafts a card.",
    GIVE: "{seat} gives a card to the Countess.",
    GUARD: "{seat} may lay a coin on the Road.",
    BUILD: "{seat} builds.",
    RATS: "{seat} meets an event.",
    ARSON: "{seat} meets an event.",
    EVENT: "{seat} meets an event.",
}


def _event(state: State, game: State) -> Event:
    """The event that is asked about."""
    if game.phase == EVENT:
        return EVENTS[game.events[game.event] - 1]
    op = {RATS: "fewer_drafts", ARSON: "fewer_builds"}[game.phase]
    return next(EVENTS[event - 1] for event in game.events if event and EVENTS[event - 1].op == op)


def _unlocker_word(game: State) -> CardWord:
    return card_word(VILLAGERS[number(UNLOCKERS[game.locked - 1])])


# --- moves ------------------------------------------------------------------------------------------------------

#: For every family: as it is offered, and as it is told. Some moves say more, or less to those who may not know.
_WORDS = {
    "draft": ("Take {card}{place}", "{seat} takes {card}."),
    "draft coins": ("Take {card}{place} and {coins} gold", "{seat} takes {card} and {coins} gold."),
    "blind": ("Draw from stack {pile} ({suit})", "{seat} draws {back} from stack {pile}."),
    "blind known": ("Draw {card} from stack {pile}", "{seat} draws {card} from stack {pile}."),
    "give": ("Give {card}{place} to the Countess", "{seat} gives {card} to the Countess."),
    "guard": ("Lay a coin on {card}{place}", "{seat} lays a coin on {card}."),
    "leave": ("Lay no coin", "{seat} lays no coin."),
    "done": ("End the turn", "{seat} ends the turn."),
    "exchange": (
        "Give up {card} for a {basic}, {where}",
        "{seat} gives up {card} for a {basic}, {where}.",
    ),
    "exchange hidden": ("", "{seat} gives up {back} for a {basic}, {where}."),
    "build": ("Build {card}", "{seat} builds {card}."),
    "build on": ("Build {card} {on}", "{seat} builds {card} {on}."),
    "swap": (
        "Let an Apprentice replace {card} of {owner}{which}",
        "{seat} lets an Apprentice replace {card} of {owner}.",
    ),
    "place": ("Place {card} in a chain of its own", "{seat} places {card}."),
    "place on": ("Place {card} {on}", "{seat} places {card} {on}."),
    "place side": ("Place {card}, {side}", "{seat} places {card}, {side}."),
    "tinner": ("Play Tinner", "{seat} plays Tinner."),
    "smuggler": ("Play Smuggler", "{seat} plays Smuggler."),
    "pay": (
        "Pay onto {card} of {owner} (which bears {coins} gold)",
        "{seat} has 2 gold laid on {card} of {owner}.",
    ),
    "free": ("Open it without paying", "{seat} opens the padlock without paying."),
    "jester": ("Discard {card} by the Jester", "{seat} discards {card} by the Jester."),
    "bear": ("Bear it", "{seat} bears {card}."),
    "ransom": ("Pay {price} gold", "{seat} pays {price} gold to be spared {card}."),
    "pick": ("Choose {card}{which}", "{event}: {seat} chooses {card}."),
    "part": ("Discard {card}", "{event}: {seat} discards {card}."),
    "conscript": ("Take it from {where} ({suit})", "{event}: {seat} chooses {where}."),
}


def offer(state: State, seat: int, move: int) -> Message:
    """A legal move, as its player is offered it."""
    game = State.of(state)
    key, data = _said(state, game, seat, move, seat)
    return Message(_WORDS[key][0], data)


def tell(state: State, seat: int, move: int, reader: int | None) -> Message:
    """A move of `seat`, told to `reader`; `state` is as it was before the move."""
    game = State.of(state)
    key, data = _said(state, game, seat, move, reader)
    return Message(_WORDS[key][1], data)


def _said(state: State, game: State, seat: int, move: int, reader: int | None) -> tuple[str, dict[str, object]]:
    """Which words a move has for a reader, and what they may name."""
    name, given = MOVES.decode(move)
    data: dict[str, object] = {"seat": Seat(seat)}
    match name:
        case "draft" | "give" | "guard":
            slot = given["slot"]
            data["card"] = _face_word(game.cards[game.road[slot] - 1].face)
            data["place"] = _road_word(game, slot)
            data["coins"] = game.road_coins[slot]
            if name == "draft" and game.road_coins[slot]:
                return "draft coins", data
        case "blind":
            top = game.cards[game.piles[given["stack"]] - 1]
            data["pile"] = given["stack"] + 1
            if top.knows >> (WATCHER if reader is None else reader) & 1:
                data["card"] = _face_word(top.face)
                return "blind known", data
            data |= {"suit": suit_word(SUITS[SUIT[top.face]]), "back": back_word(SUITS[SUIT[top.face]])}
        case "exchange":
            data["basic"] = card_word(VILLAGERS[number(BASICS[given["basic"]])])
            data["where"] = _sink_word(given["pile"])
            # Serfdom shows the card
            if reader != seat and given["pile"] != COUNTESS_SINK:
                data["back"] = back_word(SUITS[SUIT[given["card"]]])
                return "exchange hidden", data
            data["card"] = _face_word(given["card"])
        case "build":
            data["card"] = _face_word(given["card"])
            return _with_spot("build", state, game, seat, given["card"], given["spot"], data)
        case "place":
            face = game.cards[game.freed - 1].face
            data["card"] = _face_word(face)
            if face in (FOUNDERS, FOUNDERS_FOOD):
                food = given["spot"] == FOOD_SIDE
                data["side"] = Term("the food side up" if food else "the gold side up")
                return "place side", data
            return _with_spot("place", state, game, seat, face, given["spot"], data)
        case "swap":
            node = target(state, given["seat"], given["face"], given["nth"])
            data |= {"card": _face_word(given["face"]), "owner": Seat(given["seat"]), "which": _which(game, node)}
        case "pay":
            card = game.cards[payee(state, seat, given["nth"])]
            data |= {"card": _face_word(card.face), "owner": owner_word(game, card.owner - 1), "coins": card.coins}
        case "jester":
            data["card"] = card_word(EVENTS[game.events[given["slot"]] - 1])
        case "bear" | "ransom":
            event = _event(state, game)
            data |= {"card": card_word(event), "price": event.amount}
        case "pick":
            node = picked(state, event_op(state), given["face"], given["nth"])
            event = _event(state, game)
            data |= {"card": _face_word(given["face"]), "event": card_word(event)}
            if event.op in ("earn_your_silver", "earn_her_silver"):
                n = int(silver_of(state, game.cards[node].owner - 1, given["face"]))
                data["which"] = Message(", which would pay {n} gold", {"n": n})
            else:
                data["which"] = _picked_word(game, node)
        case "part":
            data |= {"card": _face_word(given["card"]), "event": card_word(_event(state, game))}
        case "conscript":
            pile = given["pile"]
            suit = SUITS[SUIT[game.cards[game.piles[pile] - 1].face]]
            data |= {"where": _pile_word(pile), "suit": suit_word(suit), "event": card_word(_event(state, game))}
    return name, data


def _road_word(game: State, slot: int) -> Message:
    """Where on the Road a card lies, if another of its face lies there too."""
    faces = [game.cards[link - 1].face for link in game.road if link]
    if faces.count(game.cards[game.road[slot] - 1].face) == 1:
        return Message("")
    return Message(" (place {n})", {"n": slot + 1})


def _sink_word(pile: int) -> Message:
    """Where a card goes that is given up."""
    if pile == COUNTESS_SINK:
        return Message("into the village of the Countess")
    return Message("onto {pile}", {"pile": _pile_word(pile)})


def _picked_word(game: State, node: int) -> Message:
    """The gold that lies on a card, and whether another stands beside it, as far as it has that."""
    card = game.cards[node]
    parts = []
    if card.coins:
        parts.append(Message("with {n} gold on it", {"n": card.coins}))
    if card.below:
        base = game.cards[card.below - 1]
        words = "alone on {card}" if base.above == 1 else "beside another on {card}"
        parts.append(Message(words, {"card": _face_word(base.face)}))
    return Message(", {parts}", {"parts": parts}) if parts else Message("")


def _pile_word(pile: int) -> Message:
    return Message("the Reserve") if pile == RESERVE else Message("stack {n}", {"n": pile + 1})


def _which(game: State, node: int) -> Message:
    """Of two copies in one village, which one."""
    card = game.cards[node]
    if card.face == MONK:
        role = VILLAGERS[number(ROLES[card.role])]
        return Message(", which stands for {card} and bears {n}", {"card": card_word(role), "n": card.above})
    return Message(", which bears {n}", {"n": card.above})


def _with_spot(
    name: str, state: State, game: State, seat: int, face: int, spot: int, data: dict[str, object]
) -> tuple[str, dict[str, object]]:
    """A card built on something: "on Hayer", "on a Monk on Grazier", "on Hayer, as its second branch"."""
    if spot == 0:
        return name, data
    _, monks = spot_roles(face, spot)
    node = spot_node(state, seat, face, spot)
    parts = []
    for role in monks:
        parts.append(Message("on a Monk (for {card})", {"card": card_word(VILLAGERS[number(ROLES[role])])}))
    if node >= 0:
        base = game.cards[node]
        words = "on {card}, as its second branch" if base.above else "on {card}"
        parts.append(Message(words, {"card": _face_word(base.face)}))
    data["on"] = parts
    return name + " on", data


# --- what happens by itself -------------------------------------------------------------------------------------


def follows(before: State, after: State, reader: int | None) -> tuple[Message, ...]:
    """What happened by itself between two states: the gold that an event moved, and the markets that were held.

    All of it lies open, and every reader is told the same; but which card was drawn is told only to who drew it.
    """
    was, now = State.of(before), State.of(after)
    return (*_drawn(was, now, reader), *_event_gold(before, after, was, now), *_markets(after, was, now))


def _drawn(was: State, now: State, reader: int | None) -> Iterator[Message]:
    """The card that the reader drew from a stack without knowing it before: the move names only its suit."""
    if reader is None or reader != was.turn or was.phase != DRAFT:
        return
    came = set(linked(now, now.players[reader].hand)) - set(linked(was, was.players[reader].hand))
    cards = [card for card in sorted(came) if card + 1 not in was.road and not was.cards[card].knows >> reader & 1]
    if cards:
        # by name, as in all of the log: after the match others read it with the eyes of that seat
        drawn = [_face_word(now.cards[card].face) for card in cards]
        yield Message("{seat} drew {cards}.", {"seat": Seat(reader), "cards": drawn})


def _event_gold(before: State, after: State, was: State, now: State) -> Iterator[Message]:
    """The gold that an event of solo play moved; the Jester keeps one from happening."""
    if was.phase != EVENT or now.jester_used != was.jester_used:
        return
    held = now.first_market != was.first_market
    mine, hers = (
        now.players[who].gold - was.players[who].gold - held * now.players[who].first_income
        for who in (0, COUNTESS_SEAT)
    )
    if mine < 0:
        yield Message("{seat} pays the Countess {n} gold.", {"seat": Seat(0), "n": -mine})
    elif hers > 0:
        yield Message("The Countess takes {n} gold.", {"n": hers})
    if mine > 0:
        yield Message("{seat} takes {n} gold.", {"seat": Seat(0), "n": mine})
    # in both villages, as a villager may change sides with its coins
    laid = sum(
        int(tally(after, who, ALL_COINS, ANY)) - int(tally(before, who, ALL_COINS, ANY)) for who in (0, COUNTESS_SEAT)
    )
    if laid > 0:
        yield Message("The bank lays {n} gold on villagers of the Countess.", {"n": laid})


def _markets(after: State, was: State, now: State) -> Iterator[Message]:
    """What the markets paid that were held (ruling 9: the First one first)."""
    seats = range(villages(after))
    if now.first_market != was.first_market:
        paid = [now.players[seat].first_income for seat in seats]
        yield Message("The First Market is held: {paid}.", {"paid": _paid(now, paid)})
    if now.phase == OVER != was.phase:
        paid = [int(score(after, seat)) - now.players[seat].gold for seat in seats]
        yield Message("The Second Market is held: {paid}.", {"paid": _paid(now, paid)})


def _paid(game: State, paid: list[int]) -> list[Message]:
    """Who takes how much."""
    return [
        Message("{who} takes {n} gold", {"who": owner_word(game, seat), "n": int(gold)})
        for seat, gold in enumerate(paid)
    ]
