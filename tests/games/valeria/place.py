"""Positions of Villages of Valeria drawn as text, and moves spelled as text: what the rule tests are written in.

A village is ids of buildings and adventurers: "armory farm knight". A building card is an id, or an id and the resource
on its lower half: "farm" or "farm/food". Resources are kinds, with a star where a coin lies: "food wood* wood". A pile
is cards from the top down, a pool adventurers.

Moves are spelled as `spell` does it: "lead harvest", "draw 0", "draw deck", "discard farm/food 3", "develop inn/wood",
"build inn/wood", "pay_own food", "pay_castle stone", "pay_other 1 food" (1: the seat), "pay_free farm food", "pay_all",
"recruit knight", "use oracle", "take 1", "done".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from thorp.compiling.mode import COMPILED
from thorp.games.valeria import GAME
from thorp.games.valeria.decks.deck_toml import write
from thorp.games.valeria.decks.known import DECKS
from thorp.games.valeria.face.view import PHASES, PlayerView, View, view
from thorp.games.valeria.rules.deck import Deck
from thorp.games.valeria.rules.moves import MOVES
from thorp.games.valeria.rules.powers import ACTIONS, HIRING, RESOURCES, WHEN_MASK, Power
from thorp.games.valeria.rules.state import DECK, EVERYBODY, FIRST_ADVENTURER, PILES, POOL, State

DECK_FILE = Path(__file__).with_name("deck.toml")
#: The deck of the tests: facts of its cards do not change when the Thorp deck is balanced.
RULES_DECK = DECKS.of_value(DECK_FILE.read_text(encoding="utf-8"))


@dataclass
class Seat:
    """What a seat is to have. `known` are cards of the hand that all know."""

    village: str = ""
    hand: str = ""
    resources: str = ""
    coins: int = 3
    castle: bool = False
    known: str = ""


def seat(
    village: str = "", hand: str = "", resources: str = "", coins: int = 3, *, castle: bool = False, known: str = ""
) -> Seat:
    return Seat(village, hand, resources, coins, castle, known)


def with_powers(**powers: Power | Sequence[Power]) -> Deck:
    """The deck of the tests with other powers on some cards; words of ids are parted by _."""
    given = {id.replace("_", "-"): (each,) if isinstance(each, Power) else tuple(each) for id, each in powers.items()}
    assert given.keys() <= {card.id for card in RULES_DECK.every}
    return replace(
        RULES_DECK,
        name="Test deck",
        buildings=tuple(replace(card, powers=given.get(card.id, card.powers)) for card in RULES_DECK.buildings),
        adventurers=tuple(replace(card, powers=given.get(card.id, card.powers)) for card in RULES_DECK.adventurers),
    )


@dataclass
class Maker:
    """Fills a state with cards of a deck; every card is given once."""

    deck: Deck
    made: State = field(default_factory=State)
    left: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        made = GAME.state()
        GAME.deal(made, 2, GAME.option_list({"deck": write(self.deck)}), 1)
        dealt = GAME.plain(made)
        for name in ("key", "names", "cards_in_game", "faces"):
            setattr(self.made, name, getattr(dealt, name))
        for mine, theirs in zip(self.made.cards, dealt.cards):
            mine.face, mine.lower = theirs.face, theirs.lower
        self.left = list(range(len(self.deck.cards)))
        self.made.chance[0] = 7
        self.made.unseen = (1 << len(self.deck.adventurers)) - 1

    def face(self, id: str) -> int:
        """The number of a face, by its id."""
        for building in self.deck.buildings:
            if building.id == id:
                return building.number
        return FIRST_ADVENTURER + next(card.number for card in self.deck.adventurers if card.id == id)

    def card(self, token: str) -> int:
        """A building card that is left, by id and perhaps lower half."""
        id, _, lower = token.partition("/")
        for card in self.left:
            building, resource = self.deck.cards[card]
            if building.id == id and lower in ("", resource):
                self.left.remove(card)
                return card
        raise ValueError(f"no card {token} is left")

    def link(self, cards: Sequence[int]) -> int:
        """Make a list of cards; its head."""
        for one, other in pairwise(cards):
            self.made.cards[one].next = other + 1
        return cards[0] + 1 if cards else 0

    def village(self, owner: int, text: str) -> None:
        """Put buildings and adventurers into a village."""
        player = self.made.players[owner]
        for id in text.split():
            face = self.face(id)
            player.village[player.size] = face
            player.size += 1
            card = self.deck.face(face)
            if face < FIRST_ADVENTURER:
                self.card(id)
                player.types[("worker", "soldier", "shadow", "holy").index(card.type)] += 1  # type: ignore[union-attr]
            else:
                player.adventurers += 1
                self.made.unseen &= ~(1 << face - FIRST_ADVENTURER)
            for power in card.powers:
                player.whens |= 1 << (power.code & WHEN_MASK)
                if power.code & WHEN_MASK == HIRING:
                    player.cheaper += power.amount

    def resource(self, owner: int, token: str) -> None:
        """Develop a resource: any card that is left and gives it."""
        kind = RESOURCES.index(token.strip("*"))
        card = next(card for card in reversed(self.left) if self.made.cards[card].lower == kind)
        self.left.remove(card)
        self.made.players[owner].resources[kind] += 1
        self.made.players[owner].paid[kind] += "*" in token


def table(
    *seats: Seat,
    phase: str = "lead",
    action: str = "",
    turn: int = 0,
    active: int | None = None,
    piles: Sequence[str] | None = None,
    pool: str = "",
    unseen: bool = True,
    deck: Deck = RULES_DECK,
    cards: int | None = None,
    bank: int = 5,
    **fields: int,
) -> Table:
    """A table in the middle of a game.

    Piles that are not given have one card each, the pool what is named; `cards` are left in the deck (all others are
    out of the game), by default all that are not somewhere else. Further fields are those of the record.
    """
    GAME.prepare()
    maker = Maker(deck)
    made = maker.made
    made.seats, made.turn, made.bank, made.round = len(seats), turn, bank, 9
    made.active = turn if active is None else active
    made.phase = PHASES.index(phase)
    made.action = ACTIONS.index(action) if action else 0
    for owner, each in enumerate(seats):
        player = made.players[owner]
        player.coins, player.castle = each.coins, int(each.castle)
        maker.village(owner, each.village)
        hand = [(maker.card(token), 1 << owner) for token in each.hand.split()]
        hand += [(maker.card(token), EVERYBODY) for token in each.known.split()]
        for card, knows in hand:
            made.cards[card].knows = knows
        player.hand, player.hand_size = maker.link(sorted(card for card, _ in hand)), len(hand)
    for slot, id in enumerate(pool.split()):
        made.pool[slot] = maker.face(id)
        made.unseen &= ~(1 << made.pool[slot] - FIRST_ADVENTURER)
    if not unseen:
        made.unseen = 0
    named = None if piles is None else [[maker.card(token) for token in each.split()] for each in piles]
    for owner, each in enumerate(seats):
        for token in each.resources.split():
            maker.resource(owner, token)
    for pile in range(PILES):
        laid = [maker.left.pop()] if named is None else named[pile] if pile < len(named) else []
        made.piles[pile], made.heights[pile] = maker.link(laid), len(laid)
        for card in laid:
            made.cards[card].knows = EVERYBODY
    made.deck_size = len(maker.left) if cards is None else cards
    for place, card in enumerate(maker.left[: made.deck_size]):
        made.deck[place] = card
    for name, value in fields.items():
        setattr(made, name, value)
    return again(made)


def again(made: State) -> Table:
    """A table of a state that is given as an object."""
    return Table(made.write()[0] if COMPILED else made)


def dealt(seats: int, seed: int = 1, deck: Deck = RULES_DECK) -> Table:
    """A game just dealt."""
    GAME.prepare()
    made = GAME.state()
    GAME.deal(made, seats, GAME.option_list({"deck": write(deck)}), seed)
    return Table(made)


class Table:
    """A state of the mode that the tests run in, to be looked at and played on with."""

    def __init__(self, made: Any) -> None:
        self.state = made

    def copy(self) -> Table:
        return Table(GAME.copy(self.state))

    # --- looking ---------------------------------------------------------------------------------------------

    @property
    def plain(self) -> State:
        return State.of(self.state)

    @property
    def deck(self) -> Deck:
        return DECKS.of_key(self.plain.key)

    @property
    def over(self) -> bool:
        return bool(GAME.over(self.state))

    @property
    def turn(self) -> int:
        # asked at every step: not worth reading the whole state for
        return int(self.state["turn"] if COMPILED else self.state.turn)

    @property
    def bank(self) -> int:
        return self.plain.bank

    def view(self, reader: int | None = 0) -> View:
        return view(self.state, reader)

    @property
    def phase(self) -> str:
        return self.view(None).phase

    def player(self, seat: int = 0, reader: int | None = None) -> PlayerView:
        return self.view(seat if reader is None else reader).players[seat]

    def coins(self, seat: int = 0) -> int:
        """Coins in the supply."""
        return self.plain.players[seat].coins

    def hand(self, seat: int = 0) -> list[str]:
        """The cards of a hand, sorted."""
        return sorted(
            f"{own.card.building.id}/{own.card.resource}" for own in self.player(seat).hand for _ in range(own.count)
        )

    def hand_size(self, seat: int = 0) -> int:
        return self.plain.players[seat].hand_size

    def village(self, seat: int = 0) -> str:
        return " ".join(own.card.id for own in self.player(seat).village)

    def resources(self, seat: int = 0) -> str:
        """Developed resources as they are drawn."""
        return " ".join(
            own.kind + ("*" if n < own.coins else "") for own in self.player(seat).resources for n in range(own.count)
        )

    def pile(self, index: int) -> list[str]:
        return [f"{card.building.id}/{card.resource}" for card in self.view(None).piles[index].cards]

    def pool(self) -> list[str]:
        return [place.card.id if place.card else "" for place in self.view(None).adventurers]

    def scores(self) -> tuple[int, ...]:
        return tuple(int(GAME.score(self.state, seat)) for seat in range(self.plain.seats))

    def standings(self) -> tuple[int, ...]:
        return tuple(int(GAME.standing(self.state, seat)) for seat in range(self.plain.seats))

    # --- playing ---------------------------------------------------------------------------------------------

    def numbers(self, seat: int | None = None) -> list[int]:
        seat = self.turn if seat is None else seat
        return GAME.legal_moves(self.state, seat)

    def legal(self, *start: str, seat: int | None = None) -> list[str]:
        """The legal moves spelled, of the seat on turn; those that begin so."""
        plain = self.plain
        moves = [self.spell(move, plain) for move in self.numbers(seat)]
        return sorted(move for move in moves if not start or f"{move} ".startswith(tuple(f"{s} " for s in start)))

    def play(self, *moves: str) -> Table:
        """Play legal moves, spelled, each by the seat on turn; the lower half may be left out where one card fits."""
        for move in moves:
            plain = self.plain
            legal = {self.spell(number, plain): number for number in self.numbers()}
            short = [re.sub(r"/\w+", "", spelled) for spelled in legal]
            legal |= {each: legal[full] for each, full in zip(short, list(legal)) if short.count(each) == 1}
            if move not in legal:
                raise ValueError(f"{move!r} is not legal; seat {self.turn} may: {', '.join(legal) or 'nothing'}")
            GAME.play(self.state, self.turn, legal[move])
        return self

    def spell(self, move: int, game: State | None = None) -> str:
        """A move of the seat on turn as text: its family, then what it names."""
        family, given = MOVES.decode(move)
        game = game or self.plain
        words = [family]
        for name, value in given.items():
            if name == "action":
                words.append(ACTIONS[value])
            elif name == "card":
                building, resource = self.deck.cards[value]
                words.append(f"{building.id}/{resource}")
            elif name == "place":
                words.append(self.deck.face(game.players[game.turn].village[value]).id)
            elif name == "row":
                words += [str(value)] if value else []
            elif name == "resource":
                words.append(RESOURCES[value])
            elif name == "clockwise":
                words.append(str((game.turn + value + 1) % game.seats))
            elif name == "slot":
                words.append(self.deck.adventurers[game.pool[value] - FIRST_ADVENTURER].id)
            elif name == "pile":
                words.append("deck" if value == DECK else str(value))
            else:
                words.append(str(value))
        return " ".join(words)


assert POOL == PILES
