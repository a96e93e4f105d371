"""The numbers on the rules page are those of the rules."""

import random
import re
from pathlib import Path

import pytest

from games.tiny_towns.printed import CARDS
from games.tiny_towns.test_scoring_totals import EXAMPLE
from games.tiny_towns.town import drawn, squares, table, tokens
from thorp import Match
from thorp.checks.pages import Pages
from thorp.core.match import AnyMatch
from thorp.games.tiny_towns import GAME
from thorp.games.tiny_towns.face.sheet import LOWEST_RANK, RANKS, rank
from thorp.games.tiny_towns.rules.cards import TYPES
from thorp.games.tiny_towns.rules.deal import OPEN_CARDS
from thorp.games.tiny_towns.rules.placing import CAVERN_ROOM
from thorp.games.tiny_towns.rules.rounds import CARDS_PER_RESOURCE, TURNED_PER_SHUFFLE

ALL_SQUARES = squares((1 << 16) - 1).split()
PAGE = (Path(__file__).parents[3] / "docs" / "tiny-towns.md").read_text("utf-8")


def section(title: str) -> str:
    """The text below a heading, up to the next one of its rank."""
    return re.split(r"\n#{2,3} ", PAGE.partition(f"# {title}\n")[2])[0]


def rows(title: str) -> list[list[str]]:
    """The rows of the table of a section, without its head."""
    lines = [line for line in section(title).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_the_table_of_ranks() -> None:
    told = []
    for words, name in rows("Solo"):
        numbers = [int(number) for number in re.findall(r"\d+", words)]
        # "38 or more", "32 to 37", "9 or less"
        assert {rank(points) for points in numbers} == {name}
        if "less" in words:
            assert (name, rank(-20)) == (LOWEST_RANK, LOWEST_RANK)
            assert rank(numbers[0] + 1) != name
        else:
            assert rank(numbers[0] - 1) != name
            assert rank(numbers[-1] + 1) != name or "more" in words
            told.append((numbers[0], name))
    assert told == list(RANKS)


def blocks(title: str, kind: str) -> list[str]:
    """What stands between fences of that kind in a section."""
    return re.findall(rf"```{kind}\n(.*?)\n```", section(title), re.DOTALL)


def drawings(block: str) -> list[str]:
    """The towns of a block as pictures: "Cot", "War:WTB"; marked squares keep their star."""
    shorts = {card.name: card.name[:3] for card in CARDS}
    pictures = []
    for town in block.split("\n\n"):
        cells = [cell.strip() for line in town.splitlines() for cell in line.split("|")]
        words = [cell.rstrip("*").partition(":") for cell in cells]
        told = [shorts.get(name, name) + mark + held.replace(" ", "") for name, mark, held in words]
        stars = ["*" if cell.endswith("*") else "" for cell in cells]
        rows = [" ".join(a + b for a, b in list(zip(told, stars))[row : row + 4]) for row in range(0, 16, 4)]
        pictures.append(" / ".join(rows))
    return pictures


def marked(picture: str) -> str:
    """The squares with a star: "A1 B2"."""
    return squares(sum(1 << at for at, token in enumerate(tokens(picture)) if token.endswith("*")))


def test_the_example_is_the_one_that_is_tested() -> None:
    (block,) = blocks("An example", "town")
    (picture,) = drawings(block)
    assert tokens(picture) == tokens(EXAMPLE)
    game = table(picture)
    sources = {"Empty squares": "squares"} | {card.name: card.id for card in CARDS}
    told = [(what, int(points.strip("*").replace("−", "-"))) for what, _, points in rows("An example")]
    for what, points in told[:-1]:
        assert game.points(sources[what]) == points, what
    assert told[-1] == ("**Total**", game.scores()[0])
    assert sum(points for _, points in told[:-1]) == told[-1][1]


def test_those_cottages_are_fed_that_are_marked() -> None:
    pictures = drawings(blocks("Feeding", "towns")[0])
    assert len(pictures) == 3
    for picture in pictures:
        assert marked(picture)
        assert table(picture.replace("*", "")).fed() == marked(picture)


def test_the_cottage_is_built_as_it_is_drawn() -> None:
    before, after = drawings(blocks("Building", "town")[0])
    game, from_ = table(before.replace("*", "")), marked(before)
    # on any of the squares that are marked
    assert game.legal(0, "build") == [f"build cottage {square} from {from_}" for square in from_.split()]
    (built,) = (square for square, token in zip(ALL_SQUARES, tokens(after)) if token == "Cot")
    assert game.play(0, f"build cottage {built} from {from_}").picture() == drawn(after)


def test_all_ways_to_turn_the_cottage_are_drawn() -> None:
    (block,) = blocks("Building", "patterns")
    told = [tuple(row.replace(" ", "") for row in line.split("/")) for line in block.splitlines()]
    ways = []
    for way in (CARDS[0].pattern, tuple(row[::-1] for row in CARDS[0].pattern)):
        for _ in range(4):
            way = tuple("".join(column) for column in zip(*way[::-1]))
            ways.append(way)
    assert sorted(told) == sorted(ways)


@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("Tiny Towns", f"for {GAME.seats[0]} to {GAME.seats[-1]} players"),
        ("Town Hall", f"There are {5 * CARDS_PER_RESOURCE} resource cards, {CARDS_PER_RESOURCE} for each resource."),
        ("Town Hall", f"the top {5 * CARDS_PER_RESOURCE - TURNED_PER_SHUFFLE} are laid"),
        ("Solo", f"The {5 * CARDS_PER_RESOURCE} resource cards are shuffled."),
        ("Solo", f"the other {5 * CARDS_PER_RESOURCE - OPEN_CARDS} are the pile"),
        ("Solo", f"after {5 * CARDS_PER_RESOURCE - OPEN_CARDS} more have been drawn"),
        ("The Cavern rule", f"up to {CAVERN_ROOM} cubes"),
        (
            "Cards",
            f"{sum(not card.is_monument for card in CARDS)} buildings and"
            f" {sum(card.is_monument for card in CARDS)} monuments",
        ),
    ],
)
def test_numbers_in_sentences(title: str, words: str) -> None:
    assert words in " ".join(section(title).split())


def test_all_types_are_named() -> None:
    for type in TYPES:
        assert type.name in section("Cards and buildings")


def test_every_piece_in_the_town_of_another_has_a_place_that_moves_are_told_by() -> None:
    """Also the one on A1, whose number is 0."""
    pages, rng, seen = Pages(), random.Random(4), set()
    for seed in range(6):
        match: AnyMatch = Match(GAME, 3, seed=seed)
        for _ in range(60):
            seat = rng.choice(match.waiting)
            match.play(seat, rng.choice(match.legal(seat)))
        html = pages.fragment(pages.table(match), 0)
        for town in GAME.face.view(match.state, 0).towns[1:]:
            shown = html.partition(f'id="other-{town.seat}"')[2].partition("</article>")[0]
            places = set(map(int, re.findall(r'data-at="(\d+)"', shown)))
            assert places == {square.index for square in town.squares if square.cube or square.building}
            seen |= places
    assert seen == set(range(16))


def test_patterns_to_build_from_are_called_by_their_squares_as_in_the_list_of_moves() -> None:
    game = table("S W S", "", cards="well")
    match: AnyMatch = Match(GAME, 2, seed=1)
    match.state = game.state
    pages = Pages()
    html = pages.fragment(pages.table(match), 0)
    patterns = re.findall(r'class="footprint"[^>]*aria-label="([^"]*)"', html)
    assert patterns == ["Pattern A1 B1", "Pattern B1 C1"]
    assert "Build Well on A1 from A1 B1" in html
