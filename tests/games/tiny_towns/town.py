"""Positions of Tiny Towns drawn as text, and moves spelled as text: what the rule tests are written in.

A town is four rows of four squares, the rows on lines of their own or with " / " between them. What is left out at the
end of a row or of the town is empty.

    .           an empty square
    W T B G S   a cube of wood, wheat, brick, glass or stone
    Cot         a building, by the first three letters of its card; Mon is the monument
    War:WWT     a building with cubes on it

Squares are A1 to D4, column and row; A1 is the top left one. Moves are spelled as `spell` does it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from games.tiny_towns.printed import CARDS, cards_of, number
from thorp.compiling.mode import COMPILED
from thorp.games.tiny_towns import GAME
from thorp.games.tiny_towns.rules import state
from thorp.games.tiny_towns.rules.cards import LETTERS, MONUMENT, RESOURCES, SUPPLY_TYPES, TYPES
from thorp.games.tiny_towns.rules.deal import lay_out
from thorp.games.tiny_towns.rules.moves import MOVES
from thorp.games.tiny_towns.rules.rounds import waiting
from thorp.games.tiny_towns.rules.scoring import empty_points, fed, monument_points, type_points
from thorp.games.tiny_towns.rules.shapes import FOOTPRINT_MASK, SQUARES
from thorp.games.tiny_towns.rules.state import State

FIRST_GAME = ("cottage", "farm", "well", "chapel", "tavern", "theater", "factory")
NAMINGS = {"master_builder": state.MASTER_BUILDER, "town_hall": state.TOWN_HALL, "solo": state.SOLO}
LETTER_OF = dict(zip(RESOURCES, LETTERS))
BY_SHORT = {card.name[:3]: card for card in CARDS if not card.is_monument}


def square(name: str) -> int:
    """The number of a square: A1 is 0, D4 is 15."""
    return "ABCD".index(name[0]) + 4 * "1234".index(name[1])


def squares(mask: int) -> str:
    """The names of the squares of a mask: "A1 B1"."""
    return " ".join(f"{'ABCD'[s % 4]}{s // 4 + 1}" for s in range(SQUARES) if mask >> s & 1)


def tokens(picture: str) -> list[str]:
    """What stands on the 16 squares of a picture."""
    rows = [line.split() for line in picture.replace("/", "\n").splitlines() if line.strip()]
    if len(rows) > 4 or any(len(row) > 4 for row in rows):
        raise ValueError(f"a town has four rows of four squares, not {rows}")
    rows += [[]] * (4 - len(rows))
    return [token for row in rows for token in row + ["."] * (4 - len(row))]


def drawn(picture: str) -> str:
    """A picture in the spelling of `Table.picture`, to be compared with it."""
    found = tokens(picture)
    return " / ".join(" ".join(found[row : row + 4]) for row in range(0, SQUARES, 4))


@dataclass
class Drawing:
    """A town, and the cards that its picture shows to be in play."""

    town: state.Town
    cards: set[str]


def town(
    picture: str = "",
    *,
    monument: str = "",
    hand: str = "",
    task: int | None = None,
    watch: str = "",
    **fields: int,
) -> Drawing:
    """A town of a seat. It may build, or has to place the cube in its hand, unless `task` says otherwise.

    `watch`: cards on Opaleye's Watch. `fields` are those of the record: aside, turns, completed, shrine, watch_since.
    """
    made = state.Town()
    cards = set()
    for here, token in enumerate(tokens(picture)):
        short, _, held = token.partition(":")
        if short in LETTERS:
            made.cubes[LETTERS.index(short)] |= 1 << here
        elif short == "Mon":
            made.built[MONUMENT] |= 1 << here
        elif short != ".":
            made.built[BY_SHORT[short].type] |= 1 << here
            cards.add(BY_SHORT[short].id)
        for letter in held:
            made.held[here] += 1 << 2 * LETTERS.index(letter)
    if made.built[MONUMENT] and not monument:
        raise ValueError("say which monument stands there")
    made.monument = number(monument) if monument else 0
    made.hand = RESOURCES.index(hand) + 1 if hand else 0
    for card in watch.split():
        made.watch |= 1 << CARDS[number(card)].type
        cards.add(card)
    for name, value in fields.items():
        if not hasattr(made, name):
            raise ValueError(f"a town has no {name}")
        setattr(made, name, value)
    made.task = (state.PLACE if hand else state.BUILD) if task is None else task
    if made.completed:
        made.task = state.WAIT
    return Drawing(made, cards)


def table(
    *towns: Drawing | str,
    cards: str = "",
    naming: str = "",
    cavern: bool = False,
    builder: int = 0,
    round: int = 9,
) -> Table:
    """A table in the middle of a game, with these towns from seat 0 on.

    The cards in play are those of the pictures, those named in `cards`, and for the other types those of a first game.
    One town alone is solo play. The resource of the round is the one in the first hand that holds any.
    """
    drawings = [town(each) if isinstance(each, str) else each for each in towns]
    made = State()
    made.seats = len(drawings)
    made.naming = NAMINGS[naming or ("master_builder" if len(drawings) > 1 else "solo")]
    made.cavern = int(cavern)
    made.builder = builder if made.naming == state.MASTER_BUILDER else -1
    made.round = round
    made.cards = [number(card) for card in FIRST_GAME]
    for card in set(cards.split()).union(*(drawing.cards for drawing in drawings)):
        made.cards[CARDS[number(card)].type] = number(card)
    made.unseen = [3] * 5
    if made.naming == state.SOLO:
        made.row, made.unseen = [1, 1, 1, 0, 0], [2, 2, 2, 3, 3]
    for seat, drawing in enumerate(drawings):
        made.towns[seat] = drawing.town.copy()
        made.monuments |= drawing.town.monument > 0
        made.named = made.named or drawing.town.hand
    GAME.prepare()
    filled = made.write()[0] if COMPILED else made
    lay_out(filled, GAME.option_list(GAME.options_for(len(drawings), {})))
    return Table(filled)


def dealt(seats: int, seed: int = 1, **options: str) -> Table:
    """A game just dealt."""
    GAME.prepare()
    made = GAME.state()
    GAME.deal(made, seats, GAME.option_list(GAME.options_for(seats, options)), seed)
    return Table(made)


def midgame(seats: int, seed: int) -> Table:
    """A random table in the middle of a game: in every town lie the cubes of a monument, and some buildings.

    All cards and monuments come up, and so does all that they lead to.
    """
    chance = random.Random(seed)
    play = [cards_of(0)[0], *(chance.choice(cards_of(type)) for type in range(1, SUPPLY_TYPES))]
    towns = []
    for monument in chance.sample(cards_of(MONUMENT), seats):
        on = [letter for row in monument.pattern for letter in row.ljust(4, ".")]
        on += ["."] * (SQUARES - len(on))
        for card in chance.choices([play[0], play[0], play[6], *play], k=5):
            where = chance.choice([here for here in range(SQUARES) if on[here] == "."])
            on[where] = card.name[:3]
            if card.id in ("factory", "warehouse"):
                on[where] += ":" + chance.choice(LETTERS)
        picture = " / ".join(" ".join(on[row : row + 4]) for row in range(0, SQUARES, 4))
        towns.append(town(picture, monument=monument.id))
    naming = "solo" if seats == 1 else chance.choice(["master_builder", "town_hall"])
    cards = " ".join(card.id for card in play)
    return table(*towns, cards=cards, naming=naming, cavern=chance.random() < 0.5, round=1 + chance.randrange(9))


class Table:
    """A state of the mode that the tests run in, to be looked at and played on with."""

    def __init__(self, made: Any) -> None:
        self.state = made

    def copy(self) -> Table:
        """An independent copy."""
        return Table(GAME.copy(self.state))

    # --- looking ---------------------------------------------------------------------------------------------

    @property
    def plain(self) -> State:
        """The state as an object, to be read."""
        return State.of(self.state)

    @property
    def bytes(self) -> bytes:
        """All there is of the state."""
        return GAME.bytes(self.state)

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that have something to decide."""
        return tuple(seat for seat in range(self.plain.seats) if waiting(self.state) >> seat & 1)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(GAME.over(self.state))

    @property
    def cards(self) -> tuple[str, ...]:
        """The ids of the seven cards in play."""
        return tuple(CARDS[card].id for card in self.plain.cards)

    def town(self, seat: int = 0) -> state.Town:
        """A seat's town as an object, to be read."""
        return self.plain.towns[seat]

    def picture(self, seat: int = 0) -> str:
        """A seat's town, drawn in one line."""
        game = self.plain
        return drawn(" / ".join(" ".join(_token(game, seat, s) for s in range(r, r + 4)) for r in range(0, SQUARES, 4)))

    # --- playing ---------------------------------------------------------------------------------------------

    def numbers(self, seat: int = 0) -> list[int]:
        """The legal moves of a seat, as numbers."""
        return GAME.legal_moves(self.state, seat)

    def legal(self, seat: int = 0, family: str = "") -> list[str]:
        """The legal moves of a seat, spelled; of one family only, if it is given."""
        game = self.plain
        spelled = [spell(game, seat, move) for move in self.numbers(seat)]
        return [move for move in spelled if move.split()[0] == family or not family]

    def play(self, seat: int, *moves: str) -> Table:
        """Play legal moves of a seat, spelled."""
        for move in moves:
            legal = dict(zip(self.legal(seat), self.numbers(seat)))
            if move not in legal:
                raise ValueError(f"{move!r} is not legal; seat {seat} may: {', '.join(legal) or 'nothing'}")
            GAME.play(self.state, seat, legal[move])
        return self

    def play_number(self, seat: int, move: int) -> None:
        """Play a legal move of a seat, given as its number."""
        GAME.play(self.state, seat, move)

    def lay(self, cubes: list[int]) -> None:
        """Have just these cubes in the town of seat 0: for every resource, a mask of squares."""
        own = self.state["towns"][0]["cubes"] if COMPILED else self.state.towns[0].cubes
        for resource, mask in enumerate(cubes):
            own[resource] = mask

    def place_anywhere(self, *seats: int) -> Table:
        """Let seats (all that have to, if none is named) place their cubes on their first empty square."""
        for seat in seats or self.waiting:
            if self.legal(seat, "place"):
                self.play(seat, self.legal(seat, "place")[0])
        return self

    def done(self, *seats: int) -> Table:
        """Let seats (all that may build, if none is named) say that they are done."""
        for seat in seats or self.waiting:
            self.play(seat, "done")
        return self

    def whole_round(self, resource: str = "wood") -> Table:
        """Play to the next round: that resource is named, or picked, if it can be; nothing is built.

        Cubes go on the first empty squares.
        """
        round = self.plain.round
        while self.plain.round == round and not self.over:
            seat = self.waiting[0]
            moves = self.legal(seat)
            wanted = [move for move in moves if move in (f"name {resource}", f"pick {resource}", "done")]
            self.play(seat, (wanted or moves)[0])
        return self

    # --- counting --------------------------------------------------------------------------------------------

    def points(self, source: str, seat: int = 0) -> int:
        """Points of a seat by a card in play, by its "monument", or by "squares" without a building."""
        eaters = fed(self.state, seat)
        if source == "monument":
            return int(monument_points(self.state, seat, eaters))
        if source == "squares":
            return int(empty_points(self.state, seat))
        return int(type_points(self.state, seat, self.cards.index(source), eaters))

    def fed(self, seat: int = 0) -> str:
        """The squares whose Cottage or Barrett Castle is fed."""
        return squares(int(fed(self.state, seat)))

    def scores(self) -> tuple[int, ...]:
        """The totals by seat."""
        return tuple(int(GAME.score(self.state, seat)) for seat in range(self.plain.seats))

    def standings(self) -> tuple[int, ...]:
        """The places by seat."""
        return tuple(int(GAME.standing(self.state, seat)) for seat in range(self.plain.seats))


def played(game: Table, chance: random.Random) -> Iterator[tuple[int, int]]:
    """Play a game to its end at random, but mostly build what can be built; gives every move before it is played."""
    done = MOVES["done"].first
    while not game.over:
        seat = chance.choice(game.waiting)
        moves = game.numbers(seat)
        if len(moves) > 1 and moves[-1] == done and chance.random() < 0.8:
            moves.pop()
        move = chance.choice(moves)
        yield seat, move
        game.play_number(seat, move)


def points(picture: str, source: str, monument: str = "", cards: str = "") -> int:
    """What a card, the "monument" or the "squares" without a building give in a town, if the game ended now."""
    return table(town(picture, monument=monument), cards=cards).points(source)


def spell(game: State, seat: int, move: int) -> str:
    """A move as text: its family, then what it names, the square it ends on last.

    place A1, substitute glass A1, store B2, swap B2 glass A1, build well A1 from A1 B1, replace C3 by farm, ...
    """
    family, given = MOVES.decode(move)
    words = [family]
    if family == "keep":
        words.append(CARDS[game.towns[seat].dealt[given["card"]]].id)
    for place in ("warehouse", "cottage"):
        if place in given:
            words.append(squares(1 << given[place]))
    if "resource" in given:
        words.append(RESOURCES[given["resource"]])
    card = None
    if "type" in given:
        card = CARDS[game.towns[seat].monument if given["type"] == MONUMENT else game.cards[given["type"]]]
        words.append(card.id)
    if "square" in given:
        words.append(squares(1 << given["square"]))
    if family == "replace":
        words[1:] = [words[2], "by", words[1]]
    if family == "build" and card is not None:
        words += ["from", squares(int(FOOTPRINT_MASK[card.shape][given["footprint"]]))]
    return " ".join(words)


def _token(game: State, seat: int, here: int) -> str:
    own = game.towns[seat]
    for resource, letter in enumerate(LETTERS):
        if own.cubes[resource] >> here & 1:
            return letter
    held = "".join(letter * (own.held[here] >> 2 * resource & 3) for resource, letter in enumerate(LETTERS))
    for type in range(len(TYPES)):
        if own.built[type] >> here & 1:
            name = "Mon" if type == SUPPLY_TYPES else CARDS[game.cards[type]].name[:3]
            return name + (":" + held if held else "")
    return "."
