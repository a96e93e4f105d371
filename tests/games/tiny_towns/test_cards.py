"""The 25 buildings and 15 monuments: their patterns, and building each of them wherever its cubes lie."""

import ast
from functools import cache
from pathlib import Path

import pytest

from games.tiny_towns.printed import CARDS, cards_of, number
from games.tiny_towns.town import FIRST_GAME, Table, table, town
from thorp.games.tiny_towns.rules.cards import LETTERS, TYPES, Card
from thorp.games.tiny_towns.rules.moves import MOVES
from thorp.games.tiny_towns.rules.shapes import FOOTPRINT_MASK, SQUARES

each_card = pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)

Lying = dict[int, str]

#: The tables of the rules page: pattern, orientations, placements on the grid.
PRINTED = [
    ("cottage", ".T / BG", 8, 72),
    ("farm", "TT / WW", 4, 36),
    ("granary", "TT / WB", 8, 72),
    ("greenhouse", "TG / WW", 8, 72),
    ("orchard", "ST / TW", 4, 36),
    ("well", "WS", 4, 48),
    ("fountain", "WS", 4, 48),
    ("millstone", "WS", 4, 48),
    ("shed", "WS", 4, 48),
    ("chapel", "..G / SGS", 8, 48),
    ("abbey", "..G / BSS", 8, 48),
    ("cloister", "..G / WBS", 8, 48),
    ("temple", "..G / BBS", 8, 48),
    ("tavern", "BBG", 4, 32),
    ("almshouse", "SSG", 4, 32),
    ("feast_hall", "WWG", 4, 32),
    ("inn", "TSG", 4, 32),
    ("theater", ".S. / WGW", 4, 24),
    ("bakery", ".T. / BGB", 4, 24),
    ("market", ".W. / SGS", 4, 24),
    ("tailor", ".T. / SGS", 4, 24),
    ("factory", "W... / BSSB", 8, 24),
    ("bank", "TT. / WGB", 8, 48),
    ("trading_post", "SW. / SWB", 8, 48),
    ("warehouse", "TWT / B.B", 4, 24),
    ("architects_guild", "..G / .TS / WB.", 8, 32),
    ("archive_of_the_second_age", "TT / BG", 8, 72),
    ("barrett_castle", "T..S / WGGB", 8, 24),
    ("cathedral_of_caterina", ".T / SG", 8, 72),
    ("fort_ironweed", "T.B / SWS", 8, 48),
    ("grand_mausoleum_of_the_rodina", "WW / BS", 8, 72),
    ("grove_university", ".B. / SGS", 4, 24),
    ("mandras_palace", "TG / BW", 8, 72),
    ("obelisk_of_the_crescent", "T.. / BGB", 8, 48),
    ("opaleyes_watch", "W... / BGTT / S...", 8, 16),
    ("shrine_of_the_elder_tree", "BTS / WGW", 8, 48),
    ("silva_forum", "..T. / BBSW", 8, 24),
    ("the_sky_baths", ".T. / SGW / B.B", 8, 32),
    ("the_starloom", "GG / WT", 8, 72),
    ("statue_of_the_bondmaker", "WSSG / T...", 8, 24),
]


def turned_and_mirrored(pattern: tuple[str, ...]) -> set[tuple[str, ...]]:
    """A pattern in all its orientations, as rows of letters."""
    found = set()
    for _ in range(4):
        pattern = tuple("".join(column) for column in zip(*pattern[::-1]))
        found |= {pattern, tuple(row[::-1] for row in pattern)}
    return found


def ways_to_lie(card: Card) -> list[Lying]:
    """Every way in which the cubes of a card can lie in a town: square to letter."""
    ways = []
    for rows in sorted(turned_and_mirrored(card.pattern)):
        for top in range(5 - len(rows)):
            for left in range(5 - len(rows[0])):
                ways.append(
                    {
                        4 * (top + r) + left + c: letter
                        for r, row in enumerate(rows)
                        for c, letter in enumerate(row)
                        if letter != "."
                    }
                )
    return ways


def ready(card: Card) -> Table:
    """A table with an empty town whose owner may build the card."""
    monument = card.id if card.is_monument else ""
    return table(town(monument=monument), cards="" if card.is_monument else card.id)


def masks(cubes: Lying) -> list[int]:
    """For every resource, the squares of its cubes."""
    return [sum(1 << square for square, lying in cubes.items() if lying == letter) for letter in LETTERS]


def offered(game: Table, card: Card) -> dict[tuple[int, int], int]:
    """How the card may be built: (mask of the squares whose cubes are taken, square of the building) to the move."""
    found = {}
    for move in game.numbers():
        family, given = MOVES.decode(move)
        if family == "build" and given["type"] == card.type:
            found[int(FOOTPRINT_MASK[card.shape][given["footprint"]]), given["square"]] = move
    return found


# --- what there is --------------------------------------------------------------------------------------------


def test_there_are_a_cottage_six_types_of_four_cards_and_15_monuments() -> None:
    assert [len(cards_of(type)) for type in range(len(TYPES))] == [1, 4, 4, 4, 4, 4, 4, 15]
    assert len(CARDS) == 40
    assert len({card.name for card in CARDS}) == 40


@pytest.mark.parametrize(("id", "pattern", "turns", "ways"), PRINTED, ids=[id for id, *_ in PRINTED])
def test_the_pattern_is_the_printed_one(id: str, pattern: str, turns: int, ways: int) -> None:
    card = CARDS[number(id)]
    assert " / ".join(card.pattern) == pattern
    assert (len(card.turns), card.placements) == (turns, ways)


@each_card
def test_turns_and_placements_are_as_many_as_there_are_different_ones(card: Card) -> None:
    assert len(turned_and_mirrored(card.pattern)) == len(card.turns)
    assert len(ways_to_lie(card)) == card.placements


@pytest.mark.parametrize(
    ("id", "cubes"),
    [("cottage", 3), ("farm", 4), ("well", 2), ("chapel", 4), ("tavern", 3), ("theater", 4), ("factory", 5)],
)
def test_all_buildings_of_a_type_cost_equally_many_cubes(id: str, cubes: int) -> None:
    same_type = cards_of(FIRST_GAME.index(id))
    assert {len(card.cells) for card in same_type} == {cubes}


# --- building them --------------------------------------------------------------------------------------------


@each_card
def test_it_is_offered_wherever_its_cubes_lie_on_any_of_their_squares(card: Card) -> None:
    game = ready(card)
    for cubes in ways_to_lie(card):
        game.lay(masks(cubes))
        # only a Shed may go on other squares too
        on = range(SQUARES) if card.id == "shed" else cubes
        assert set(offered(game, card)) == {(sum(masks(cubes)), square) for square in on}


@each_card
def test_it_is_not_offered_with_a_cube_missing(card: Card) -> None:
    game = ready(card)
    for cubes in ways_to_lie(card):
        for missing in cubes:
            game.lay(masks({square: letter for square, letter in cubes.items() if square != missing}))
            assert not offered(game, card), game.picture()


@each_card
def test_it_is_not_offered_with_a_cube_of_another_resource(card: Card) -> None:
    game = ready(card)
    for cubes in ways_to_lie(card):
        for square, letter in cubes.items():
            for wrong in LETTERS.replace(letter, ""):
                game.lay(masks(cubes | {square: wrong}))
                assert not offered(game, card), game.picture()


@each_card
def test_it_is_not_offered_with_a_cube_out_of_place(card: Card) -> None:
    game = ready(card)
    ways = ways_to_lie(card)
    for cubes in ways:
        for square, letter in cubes.items():
            for other in set(range(SQUARES)) - set(cubes):
                moved = {s: c for s, c in cubes.items() if s != square} | {other: letter}
                if moved not in ways:
                    game.lay(masks(moved))
                    assert not offered(game, card), game.picture()


@each_card
def test_building_it_takes_just_the_cubes_of_its_pattern(card: Card) -> None:
    nothing = ready(card)
    for index, cubes in enumerate(ways_to_lie(card)):
        game = nothing.copy()
        # the town is full of cubes, so that some could go that should not
        full = dict.fromkeys(range(SQUARES), LETTERS[index % 5]) | cubes
        game.lay(masks(full))
        on = sorted(cubes)[index % len(cubes)]
        game.play_number(0, offered(game, card)[sum(masks(cubes)), on])
        left = {square: letter for square, letter in full.items() if square not in cubes}
        assert game.town().cubes == masks(left)
        assert game.town().built == [1 << on if type == card.type else 0 for type in range(len(TYPES))]


# --- every one of them is tested ------------------------------------------------------------------------------


@cache
def names_of_tests() -> set[str]:
    """The names of all tests in this folder."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in Path(__file__).parent.glob("test_*.py")]
    return {node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@each_card
def test_every_card_has_a_test_named_after_it(card: Card) -> None:
    assert [name for name in names_of_tests() if name.startswith(f"test_{card.id}_")]
