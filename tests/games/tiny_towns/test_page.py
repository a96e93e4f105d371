"""The numbers on the rules page are those of the rules."""

import re
from pathlib import Path

import pytest

from games.tiny_towns.printed import CARDS
from games.tiny_towns.test_scoring_totals import EXAMPLE
from games.tiny_towns.town import table, tokens
from thorp.games.tiny_towns import GAME
from thorp.games.tiny_towns.face.sheet import LOWEST_RANK, RANKS, rank
from thorp.games.tiny_towns.rules.cards import TYPES
from thorp.games.tiny_towns.rules.deal import OPEN_CARDS
from thorp.games.tiny_towns.rules.placing import CAVERN_ROOM
from thorp.games.tiny_towns.rules.rounds import CARDS_PER_RESOURCE, TURNED_PER_SHUFFLE

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


def test_the_example_is_the_one_that_is_tested() -> None:
    shorts = {card.name: card.name[:3] for card in CARDS} | {"empty": "."}
    cells = [cell for row in rows("An example") for cell in row]
    assert len(cells) == 16
    drawn = [token.partition(":")[0] for token in tokens(EXAMPLE)]
    assert [shorts[cell.partition(" with ")[0]] for cell in cells] == drawn
    stored = [int(found) for found in re.findall(r"with (\d) cubes", " ".join(cells))]
    assert stored == [len(token.partition(":")[2]) for token in tokens(EXAMPLE) if ":" in token]
    assert f"The total is **{table(EXAMPLE).scores()[0]} points**" in section("An example")


@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("Tiny Towns", f"for {GAME.seats[0]} to {GAME.seats[-1]} players"),
        ("Town Hall", f"There are {5 * CARDS_PER_RESOURCE} resource cards, {CARDS_PER_RESOURCE} for each resource."),
        ("Town Hall", f"the top {5 * CARDS_PER_RESOURCE - TURNED_PER_SHUFFLE} are laid"),
        ("Solo", f"The {5 * CARDS_PER_RESOURCE} resource cards are shuffled."),
        ("Solo", f"the other {5 * CARDS_PER_RESOURCE - OPEN_CARDS} are the pile"),
        ("Solo", f"after {5 * CARDS_PER_RESOURCE - OPEN_CARDS} more have been drawn"),
        ("Cavern rule", f"up to {CAVERN_ROOM} cubes"),
        (
            "Cards",
            f"the {sum(not card.is_monument for card in CARDS)} buildings and"
            f" {sum(card.is_monument for card in CARDS)} monuments",
        ),
    ],
)
def test_numbers_in_sentences(title: str, words: str) -> None:
    assert words in " ".join(section(title).split())


def test_all_types_are_named() -> None:
    for type in TYPES:
        assert type.name in section("Words")
