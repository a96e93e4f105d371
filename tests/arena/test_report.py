"""The files of a report: a page that stands by itself, and tables that say the same."""

import csv
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from toy import GAME as PEBBLES

from arena.lots import GAME as LOTS
from thorp.arena import report
from thorp.arena.figures import Estimate, Figures, figures_of
from thorp.arena.heterogeneity import heterogeneity
from thorp.arena.many import Played, play_many
from thorp.arena.plots import Scale, histogram
from thorp.arena.report import about, count, number, ordinal, percent, points, write_report
from thorp.compiling.mode import COMPILED

VOID = {"meta", "br", "hr", "img", "input", "link"}


@pytest.fixture(scope="module")
def played() -> Played:
    return play_many(LOTS, 4, games=600 if COMPILED else 120)


@pytest.fixture(scope="module")
def found(played: Played) -> Figures:
    return figures_of(played)


@pytest.fixture
def written(tmp_path: Path, played: Played, found: Figures) -> Path:
    assert write_report(tmp_path, about(played), found) == tmp_path / "report.html"
    return tmp_path


class Balanced(HTMLParser):
    """Whether every element is closed, and in order; also all addresses and ids."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.addresses: list[str] = []
        self.ids: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("href", "src", "srcset", "action", "data")]
        self.ids += [value or "" for name, value in attrs if name == "id"]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.words.append(data)


def parsed(page: str) -> Balanced:
    parser = Balanced()
    parser.feed(page)
    parser.close()
    assert parser.open == []
    return parser


def test_the_page_is_well_formed_and_stands_by_itself(written: Path) -> None:
    page = (written / "report.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    parser = parsed(page)
    assert len(set(parser.ids)) == len(parser.ids)
    assert set(parser.addresses) == {"cards.csv", "seats.csv", "spreads.csv", "figures.json"}
    for address in parser.addresses:
        assert (written / address).exists()
    assert not re.search(r"://|@import|url\(|<script|<link|\bnan\b", page)


def test_names_are_escaped(written: Path) -> None:
    page = (written / "report.html").read_text("utf-8")
    assert "Blank &amp; &lt;b&gt;bare" in page
    assert "<b>bare" not in page


def test_the_page_says_what_came_out(written: Path, found: Figures) -> None:
    words = " ".join(" ".join(parsed((written / "report.html").read_text("utf-8")).words).split())
    games = f"{found.games:,}"
    assert f"{games} games between 4 equal greedy players" in words
    assert "Beyond 8 points:" in words
    assert f"Gift {points(found.cards[0].plain.value)}" in words
    assert "Never had at the end of a game: Never." in words
    assert "Too rare to say" in words
    assert "By turn order" in words
    assert "chance alone" not in words, "so few cards do not tell it"


@pytest.mark.parametrize(
    ("moved", "error", "said", "red"),
    [
        (-0.007, 0.025, "−0.7 ± 4.9 points Not known yet whether within 3 points. Who", False),
        (-0.037, 0.0235, "−3.7 ± 4.6 points Not known yet whether within 3 points. Who", False),
        (0.001, 0.01, "+0.1 ± 2.0 points Within 3 points. Who", False),
        (0.08, 0.01, "+8.0 ± 2.0 points Beyond 3 points. Who", True),
    ],
)
def test_whether_the_first_place_is_within_its_limit_is_said_as_far_as_it_is_known(
    moved: float, error: float, said: str, red: bool, played: Played, found: Figures
) -> None:
    """As in words, so in colours."""
    assert found.turns
    place = replace(found.turns[0], share=Estimate(0.25 + moved, error))
    even = [replace(each, share=Estimate(0.25, 0.01)) for each in found.turns[1:]]
    page = report.page(about(played), replace(found, turns=(place, *even), cards=()))
    assert said in " ".join(" ".join(parsed(page).words).split())
    assert ('class="bad"' in page) is red
    assert ('class="plain beyond"' in page) is red


@pytest.mark.parametrize(
    ("value", "error", "said", "red"),
    [
        (0.09, 0.02, "Beyond 8 points: Gift +9.0; none with the whole interval.", False),
        (0.19, 0.02, "Beyond 8 points: Gift +19.0; 1 with the whole interval.", True),
        (
            0.07,
            0.02,
            "Not known yet whether within 8 points. No card moves its owner’s share of wins by",
            False,
        ),
        (0.01, 0.02, "Within 8 points. No card moves its owner’s share of wins by more.", False),
    ],
)
def test_whether_cards_are_within_their_limit_is_said_as_far_as_it_is_known(
    value: float, error: float, said: str, red: bool, played: Played, found: Figures
) -> None:
    card = replace(found.cards[0], plain=Estimate(value, error))
    page = report.page(about(played), replace(found, turns=None, cards=(card,)))
    assert said in " ".join(" ".join(parsed(page).words).split())
    assert ('<tr role="row" class="beyond">' in page) is red


def test_how_far_cards_truly_lie_apart_is_told(tmp_path: Path, played: Played, found: Figures) -> None:
    values = (0.11, 0.09, 0.03, 0.0, -0.02, -0.1)
    cards = [replace(found.cards[0], id=str(value), plain=Estimate(value, 0.03), even_error=0.03) for value in values]
    write_report(tmp_path, about(played), replace(found, cards=tuple(cards)))
    words = " ".join(" ".join(parsed((tmp_path / "report.html").read_text("utf-8")).words).split())
    apart = heterogeneity([Estimate(value, 0.03) for value in values], 0.08)
    assert apart
    about_so_many, fewest, most = map(round, apart.beyond)
    assert f"About {about_so_many} truly are ({fewest} to {most})" in words
    assert f"chance alone would put {round(apart.by_chance)} there" in words
    assert f"beyond chance: by {percent(apart.likeliest.deviation)} points" in words
    told = json.loads((tmp_path / "figures.json").read_text("utf-8"))["heterogeneity"]
    assert told["cards"] == 6
    assert told["deviation"]["value"] == pytest.approx(apart.likeliest.deviation, abs=1e-6)
    assert told["truly_beyond"]["high"] == pytest.approx(max(apart.beyond), abs=0.01)


def test_the_tables_say_the_same(written: Path, found: Figures) -> None:
    with (written / "cards.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert " ".join(rows[0]) == (
        "id name seats games each telling_games plain plain_low plain_high adjusted adjusted_low adjusted_high"
    )
    assert [row["id"] for row in rows] == [card.id for card in found.cards]
    assert float(rows[0]["plain"]) == pytest.approx(found.cards[0].plain.value, abs=1e-6)
    assert rows[-1]["plain"] == ""
    with (written / "seats.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert " ".join(rows[0]) == "by place share share_low share_high score score_low score_high"
    assert [(row["by"], row["place"]) for row in rows] == [(by, str(n)) for by in ("turn", "seat") for n in range(1, 5)]
    with (written / "spreads.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert sum(int(row["times"]) for row in rows if row["number"] == "score") == 4 * found.games
    assert sum(int(row["times"]) for row in rows if row["number"] == "margin") == found.games


def test_the_figures_are_there_for_programs(written: Path, found: Figures) -> None:
    data = json.loads((written / "figures.json").read_text("utf-8"))
    assert data["about"]["id"] == "lots"
    assert data["about"]["games"] == found.games
    assert data["first"]["value"] == pytest.approx(found.first.value, abs=1e-6)
    assert data["cards_beyond"] == [card.id for card in found.cards_beyond]
    assert data["cards"][-1]["plain"] is None
    assert data["heterogeneity"] is None
    assert data["limits"] == {"card": 0.08, "first": 0.03}


def test_the_same_games_give_the_same_bytes(
    written: Path, played: Played, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other")
    again = play_many(LOTS, 4, games=len(played.scores), threads=3)
    write_report(other, about(again), figures_of(again))
    assert sorted(path.name for path in other.iterdir()) == sorted(path.name for path in written.iterdir())
    for path in other.iterdir():
        assert path.read_bytes() == (written / path.name).read_bytes()


def test_nothing_half_takes_the_place_of_an_earlier_report(
    written: Path, played: Played, found: Figures, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {path.name: path.read_bytes() for path in written.iterdir()}

    def broken(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(report, "page", broken)
    with pytest.raises(KeyboardInterrupt):
        write_report(written, about(played), found)
    assert {path.name: path.read_bytes() for path in written.iterdir()} == before


@pytest.mark.parametrize("games", [3, 60])
def test_a_game_that_tells_of_no_cards_has_a_report_too(games: int) -> None:
    played = play_many(PEBBLES, 2, {"rounds": "6"}, games=games, level="random")
    page = report.page(about(played), figures_of(played))
    words = " ".join(" ".join(parsed(page).words).split())
    assert "The game tells of no cards." in words
    assert "Options: Rounds: six." in words
    assert ("Too few games to say." in words) == (games == 3)
    assert "nan" not in words


def test_figures_in_words() -> None:
    assert [points(share) for share in (0.0214, -0.0031, 0.0004, -0.0004)] == ["+2.1", "−0.3", "0.0", "0.0"]
    assert percent(0.24681) == "24.7"
    assert [number(value) for value in (100_000, 12.345, -2.5)] == ["100,000", "12.3", "−2.5"]
    assert [count(1, "point"), count(13, "point")] == ["1 point", "13 points"]
    assert [ordinal(place) for place in (0, 3, 11)] == ["first", "fourth", "12th"]


def test_a_scale_has_round_ticks_within_it() -> None:
    assert Scale(-0.12, 0.12).ticks(6) == [-0.1, -0.05, 0, 0.05, 0.1]
    assert Scale(0, 100).ticks(6) == [0, 20, 40, 60, 80, 100]
    assert Scale(0, 10).at(5) == 50
    assert Scale(0, 10).at(99) == Scale(0, 10).at(10)


def test_a_histogram_counts_everything_once(found: Figures) -> None:
    plot = histogram(found.spreads["score"], found.spreads["winning score"])
    assert sum(bar.times for bar in plot.bars) == 4 * found.games
    assert sum(bar.part_times for bar in plot.bars) == sum(found.spreads["winning score"].times)
    assert all(0 <= bar.part <= bar.height <= 120 for bar in plot.bars)
    assert all(bar.part_times <= bar.times for bar in plot.bars)


def test_a_wide_histogram_joins_values() -> None:
    from thorp.arena.figures import Spread

    plot = histogram(Spread(tuple(range(-100, 101)), (1,) * 201, 0.0, 58.0))
    assert len(plot.bars) <= 45
    assert sum(bar.times for bar in plot.bars) == 201
