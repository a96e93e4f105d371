"""Positions of Villagers drawn as text, and moves spelled as text: what the rule tests are written in.

A village is chains with "; " between them; a chain is ids with " > " between them, from below; " | " begins its second
branch. `monk=hayer` is a Monk that stands for a Hayer, `cooper:4` a Cooper with 4 gold on it:

    founders; hayer > grazier > milk_maid | thatcher; monk=miner > blacksmith:2

Moves are spelled as `spell` does it: "build thatcher fresh", "exchange peddler hayer 3", "draft 0", "done".
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from thorp.compiling.mode import COMPILED
from thorp.games.villagers import GAME
from thorp.games.villagers.face.view import PlayerView, View, view
from thorp.games.villagers.rules import state
from thorp.games.villagers.rules.cards import (
    BASICS,
    COPIES,
    DECK_FACES,
    EVENTS,
    FOUNDERS,
    FOUNDERS_FOOD,
    HAYER,
    ROLE,
    ROLES,
    VILLAGERS,
    number,
)
from thorp.games.villagers.rules.moves import BASES, COUNTESS_SINK, FOOD_SIDE, MOVES
from thorp.games.villagers.rules.state import EVERYBODY, RESERVE, ROAD, State

BASE_NAMES = ("new", "fresh", "second", "monk", "apprentice")
EVENT_NUMBERS = {event.id: event.number for event in EVENTS}


@dataclass
class Seat:
    """What a seat is to have. Further fields are those of the record: built, tinner, exchanged, drafted ..."""

    village: str = "founders"
    hand: str = ""
    gold: int = 8
    fields: dict[str, int] | None = None


def seat(village: str = "founders", hand: str = "", gold: int = 8, **fields: int) -> Seat:
    return Seat(village, hand, gold, fields)


class Maker:
    """Fills a state: every card of the deck gets a node when it is first named."""

    def __init__(self) -> None:
        self.made = State()
        self.node = 0
        self.left = [COPIES] * DECK_FACES
        for basic in range(3):
            self.made.basics[basic] = 10
            for index in range(10):
                self.made.cards[state.FIRST_BASIC + 10 * basic + index].face = HAYER + basic

    def card(self, id: str, owner: int = 0) -> int:
        """A node with that face."""
        face = number(id)
        if face in (FOUNDERS, FOUNDERS_FOOD):
            node = state.FIRST_FOUNDERS + owner
        elif id in BASICS:
            basic = BASICS.index(id)
            self.made.basics[basic] -= 1
            return state.FIRST_BASIC + 10 * basic + self.made.basics[basic]
        elif face >= DECK_FACES:
            node = state.COUNTESS_NODE
        else:
            if not self.left[face]:
                raise ValueError(f"there are only two of {id}")
            self.left[face] -= 1
            node = self.node
            self.node += 1
        self.made.cards[node].face = face
        return node

    def chain(self, nodes: Sequence[int]) -> int:
        """Link nodes to a list, the first one on top; its head."""
        for one, other in itertools.pairwise(nodes):
            self.made.cards[one].next = other + 1
        return nodes[0] + 1 if nodes else 0

    def village(self, owner: int, text: str) -> None:
        nodes: list[int] = []
        for chain in filter(None, (part.strip() for part in text.split(";"))):
            bottom = -1
            for branch in chain.split("|"):
                below = bottom
                for token in branch.split(">"):
                    below = self.stand(owner, token.strip(), below)
                    nodes.append(below)
                    bottom = below if bottom < 0 else bottom
        self.made.players[owner].village = self.chain(nodes[::-1])
        self.made.players[owner].village_size = len(nodes)

    def stand(self, owner: int, token: str, below: int) -> int:
        name, _, coins = token.partition(":")
        name, _, role = name.partition("=")
        node = self.card(name, owner)
        card = self.made.cards[node]
        card.owner, card.below, card.coins, card.knows = owner + 1, below + 1, int(coins or 0), EVERYBODY
        card.role = ROLES.index(role) if role else ROLE[card.face]
        if below >= 0:
            self.made.cards[below].above += 1
        return node

    def rest(self, seats: int) -> list[int]:
        """Nodes of all cards of the deck that were not named and take part."""
        nodes = []
        for villager in VILLAGERS[:DECK_FACES]:
            if (villager.four_plus and seats < 4) or (villager.suit == "special" and seats == 1):
                continue
            nodes += [self.card(villager.id) for _ in range(self.left[villager.number])]
        return nodes


def table(
    *seats: Seat,
    phase: str = "build",
    turn: int = 0,
    first: int | None = None,
    limit: int = 5,
    round: int = 3,
    road: str | None = None,
    road_coins: Sequence[int] = (),
    stacks: Sequence[str | int] = (2, 2, 2, 2, 2, 2),
    reserve: int | None = None,
    market: bool = False,
    countess: str = "countess",
    countess_gold: int = 1,
    events: str = "",
    jester: bool = True,
    exchange_limit: int = 0,
) -> Table:
    """A table in the middle of a game. The Road, stacks (ids from the top, or heights) and Reserve get other cards."""
    maker = Maker()
    made = maker.made
    made.seats, made.turn, made.round = len(seats), turn, round
    made.first = turn if first is None else first
    made.phase = ("draft", "give", "guard", "build", "rats", "arson", "event", "over").index(phase)
    made.first_market = int(market)
    made.exchange_limit = exchange_limit
    made.ended = (turn - made.first) % len(seats)
    for index, each in enumerate(seats):
        player = made.players[index]
        maker.village(index, each.village)
        hand = [maker.card(id) for id in each.hand.split()]
        for node in hand:
            made.cards[node].knows = 1 << index
        player.hand, player.hand_size = maker.chain(hand), len(hand)
        player.gold, player.build_limit, player.draft_limit = each.gold, limit, 2
        for name, value in (each.fields or {}).items():
            setattr(player, name, value)
    if len(seats) == 1:
        maker.village(1, countess)
        made.players[1].gold = countess_gold
        made.jester_used = int(not jester)
        made.unseen_events = (1 << 24) - 1
        for slot, id in enumerate(events.split()):
            made.events[slot] = EVENT_NUMBERS[id] + 1
            made.unseen_events &= ~(1 << EVENT_NUMBERS[id])
    named_road = None if road is None else [maker.card(id) for id in road.split()]
    named = [[maker.card(id) for id in each.split()] if isinstance(each, str) else each for each in stacks]
    rest = maker.rest(len(seats))
    on_road = named_road if named_road is not None else [rest.pop() for _ in range(ROAD)]
    for slot, node in enumerate(on_road):
        made.road[slot] = node + 1
        made.cards[node].knows = EVERYBODY
    for slot, coins in enumerate(road_coins):
        made.road_coins[slot] = coins
    piles = [each if isinstance(each, list) else [rest.pop() for _ in range(each)] for each in named]
    piles.append([rest.pop() for _ in range(len(rest) if reserve is None else reserve)])
    for pile, nodes in enumerate(piles):
        made.piles[pile], made.heights[pile] = maker.chain(nodes), len(nodes)
        if nodes:
            made.cards[nodes[0]].seen = 1
    for node in rest:
        made.cards[node].knows = EVERYBODY
    made.discards = maker.chain(rest)
    return again(made)


def again(made: State) -> Table:
    """A table of a state that is given as an object."""
    GAME.prepare()
    return Table(made.write()[0] if COMPILED else made)


def dealt(seats: int, seed: int = 1, **options: str) -> Table:
    """A game just dealt."""
    GAME.prepare()
    made = GAME.state()
    GAME.deal(made, seats, GAME.option_list(GAME.options_for(seats, options)), seed)
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
    def bytes(self) -> bytes:
        return GAME.bytes(self.state)

    @property
    def over(self) -> bool:
        return bool(GAME.over(self.state))

    @property
    def turn(self) -> int:
        return self.plain.turn

    def view(self, reader: int | None = 0) -> View:
        return view(self.state, reader)

    @property
    def phase(self) -> str:
        return self.view(None).phase

    def player(self, seat: int = 0, reader: int | None = None) -> PlayerView:
        seen = self.view(seat if reader is None else reader)
        return seen.countess if seen.countess and seat else seen.players[seat]  # type: ignore[return-value]

    def gold(self, seat: int = 0) -> int:
        return self.plain.players[seat].gold

    def hand(self, seat: int = 0) -> list[str]:
        """The ids of the cards of a hand, sorted."""
        return sorted(card.card.id for card in self.player(seat).hand for _ in range(card.count))

    def village(self, seat: int = 0) -> str:
        """A village as it is drawn."""
        return "; ".join(map(_drawn, self.player(seat).chains))

    def faces(self, link: int) -> list[str]:
        """The ids of the cards of a list."""
        found = []
        while link:
            card = self.plain.cards[link - 1]
            found.append(VILLAGERS[card.face].id)
            link = card.next
        return found

    def pile(self, index: int) -> list[str]:
        return self.faces(self.plain.piles[index])

    def discards(self) -> list[str]:
        return sorted(self.faces(self.plain.discards))

    def road(self) -> list[str]:
        return [VILLAGERS[self.plain.cards[link - 1].face].id if link else "" for link in self.plain.road]

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
        moves = [spell(move) for move in self.numbers(seat)]
        return sorted(move for move in moves if not start or f"{move} ".startswith(tuple(f"{s} " for s in start)))

    def play(self, *moves: str) -> Table:
        """Play legal moves, spelled, each by the seat on turn."""
        for move in moves:
            legal = {spell(number): number for number in self.numbers()}
            if move not in legal:
                raise ValueError(f"{move!r} is not legal; seat {self.turn} may: {', '.join(legal) or 'nothing'}")
            GAME.play(self.state, self.turn, legal[move])
        return self


def spell(move: int) -> str:
    """A move as text: its family, then what it names."""
    family, given = MOVES.decode(move)
    words = [family]
    for name, value in given.items():
        if name in ("card", "face"):
            words.append(VILLAGERS[value].id)
        elif name == "basic":
            words.append(BASICS[value])
        elif name == "spot":
            words.append("food" if value == FOOD_SIDE else "monk+" * (value // BASES) + BASE_NAMES[value % BASES])
        elif name == "pile":
            words.append({RESERVE: "reserve", COUNTESS_SINK: "countess"}.get(value, str(value)))
        else:
            words.append(str(value))
    return " ".join(words)


def _drawn(chain: Any) -> str:
    branches = [" > ".join(map(_token, branch)) for branch in chain.branches]
    return _token(chain.bottom) + (" > " + " | ".join(branches) if branches else "")


def _token(card: Any) -> str:
    role = f"={card.stands_for.id}" if card.stands_for else ""
    return card.card.id + role + (f":{card.coins}" if card.coins else "")
