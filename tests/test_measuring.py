"""Scripts that measure players and decks: what they play by default, and what they say of a slip."""

import re
from pathlib import Path
from types import ModuleType

import calibration
import deck
import learned
import pytest
import solo
import strength
import toy
import ways

import thorp
from thorp.arena import play_games
from thorp.compiling.mode import COMPILED

TINY_TOWNS = "tiny-towns"
needs_compiled = pytest.mark.skipif(not COMPILED, reason="whole games take compiled rules")


def test_players_that_think_or_learn_for_each_table_play_where_they_are_named() -> None:
    assert strength.players_for(thorp.game("villagers")) == ("random", "greedy", "learned")
    assert strength.players_for(thorp.game(TINY_TOWNS)) == ("random", "greedy")


@needs_compiled
def test_who_is_left_out_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    strength.main(["--games", "2"])
    first, *others = capsys.readouterr().out.splitlines()
    assert first.startswith("learned is left out: Tiny Towns is learned for each table")
    assert [line.split(", ")[2].split()[0] for line in others] == ["random", "greedy"] * 2


@needs_compiled
def test_what_is_learned_for_a_table_is_learned_before_it_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    monkeypatch.setattr(strength, "known_or_learned", lambda game, state, seats: order.append(f"learn for {seats}"))

    def play(game: thorp.Game, players: list[str], options: None, seeds: list[int]) -> object:
        order.append(f"play {seeds[0]}")
        return play_games(game, ["greedy"] * len(players), options, seeds)

    monkeypatch.setattr(strength, "play_games", play)
    assert strength.scores_of(thorp.game(TINY_TOWNS), "learned", 1, 2).shape == (2, 1)
    assert order == ["learn for 1", "play 0", "learn for 1", "play 1"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--game", "chess"], "there is no game 'chess'"),
        (["--player", "oracle"], "there is no player 'oracle'"),
        (["--games", "0"], "the number of games is 1 or more"),
    ],
)
def test_slips_of_strength_are_a_line(arguments: list[str], said: str) -> None:
    with pytest.raises(SystemExit, match=said):
        strength.main(arguments)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["none.toml"], "none.toml cannot be read"),
        (["faulty.toml"], "the deck cannot be used: "),
        (["second", "--seats", "9"], "is for 1 to 5 seats, not 9"),
        (["second", "--players", "none.weights"], "the weights none.weights of Villages of Valeria cannot be read"),
        (["second", "--games", "0"], "the number of games is 1 or more"),
    ],
)
def test_slips_of_deck_are_a_line(
    arguments: list[str], said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("faulty.toml").write_text("no deck")
    with pytest.raises(SystemExit, match=said):
        deck.main(arguments)


@needs_compiled
def test_figures_that_too_few_games_tell_are_left_out(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    few = ["second", "--seats", "2", "--games", "3", "--players", "greedy"]
    deck.main(few)
    said = capsys.readouterr().out
    assert "nan" not in said
    assert "Bakery" in said
    deck.main([*few, "--csv", str(tmp_path / "deck.csv")])
    row = (tmp_path / "deck.csv").read_text().splitlines()[1]
    assert row.startswith("Bakery,worker,1,3,")
    assert row.endswith(",,")


@pytest.mark.parametrize(
    ("game", "seats", "games", "way", "said"),
    [
        ("chess", 2, 1, "greedy", "there is no game 'chess'"),
        ("valeria", 9, 1, "greedy", "is for 1 to 5 seats, not 9"),
        ("valeria", 2, 0, "greedy", "the number of games is 1 or more"),
        ("valeria", 2, 1, "oracle", "oracle is neither a player nor a way to search"),
    ],
)
def test_slips_of_ways_are_a_line(game: str, seats: int, games: int, way: str, said: str) -> None:
    with pytest.raises(SystemExit, match=said):
        ways.main(game, seats, games, "greedy", way, first_seed=1, one=False)


@needs_compiled
def test_a_deck_is_told_how_many_cards_are_truly_too_strong(capsys: pytest.CaptureFixture[str]) -> None:
    deck.main(["standard", "--seats", "2", "--games", "150", "--players", "greedy"])
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "by chance alone" in line]
    told = re.fullmatch(
        r"  (\d+) of (\d+) cards beyond 6%, truly about (\d+) \((\d+) to (\d+)\), by chance alone (\d+); "
        r"they lie \d+\.\d% apart \(one standard deviation\)",
        line,
    )
    assert told, line
    seen, cards, truly, low, high, _ = map(int, told.groups())
    assert 0 < seen <= cards <= 58
    assert low <= truly <= high <= cards


def test_of_one_way_alone_is_told_what_who_leads_wins() -> None:
    """In Pebbles all choose first, the last of them alone, and then seat 0 takes first."""
    for seed in range(5):
        assert ways.played(toy.GAME, ["greedy"] * 3, seed)[2] == 0


@pytest.mark.parametrize(
    ("script", "arguments", "said"),
    [
        (learned, ["tiny-towns"], "Tiny Towns is learned for each table: there is no file of weights"),
        (learned, ["valeria", "--seats", "2", "--games", "1"], "the number of games is 2 or more, one from each seat"),
        (learned, ["valeria", "--seats", "9"], "is for 1 to 5 seats, not 9"),
        (learned, ["chess"], "there is no game 'chess'"),
        (solo, ["villagers", "--games", "0"], "the number of games is 1 or more, not 0"),
        (solo, ["villagers", "--option", "nonsense=1"], "has no option"),
    ],
)
def test_slips_of_learned_and_solo_are_a_line(
    monkeypatch: pytest.MonkeyPatch, script: ModuleType, arguments: list[str], said: str
) -> None:
    monkeypatch.setattr("sys.argv", ["script", *arguments])
    with pytest.raises(SystemExit, match=said):
        script.main()


def told(seed: int, gone: float, chance: float, came: float) -> calibration.Told:
    return calibration.Told(seed, ply=0, seat=0, gone=gone, chance=chance, error=0.1, came=came)


def test_what_was_told_is_held_against_what_came(capsys: pytest.CaptureFixture[str]) -> None:
    calibration.print_told([told(1, 0.1, 0.3, 0), told(1, 0.5, 0.3, 0), told(2, 0.5, 0.3, 1), told(2, 0.9, 1, 1)])
    everything, few, sure, first, *_ = capsys.readouterr().out.splitlines()
    # 0.09 twice, 0.49 and nothing; -log2 of 0.7 twice, of 0.3, and of 0.999, as nothing is told to be surer
    assert everything == "all: 4 decisions, Brier 0.1675, 0.6919 bits"
    # both of the first game missed together: by 0.3 - 1/30 each, as 0.7 + 1/30 in the other; over 3
    assert few == "  told  20 to  40 %:  30.0 %, came  33.3 ± 31.4 %, 3 decisions"
    assert sure == "  told  95 to 100 %: 100.0 %, came 100.0 ± 0.0 %, 1 decisions"
    assert first.startswith("first third: 1 decisions")


@needs_compiled
def test_decisions_of_whole_games_are_judged_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = tmp_path / "told.csv"
    quick = ["--games", "2", "--level", "casual", "--decisions", "3", "--seconds", "0.01"]
    calibration.main(["villagers", "2", *quick, "--first", "7", "--csv", str(written)])
    assert capsys.readouterr().out.startswith("all: 6 decisions")
    rows = [line.split(",") for line in written.read_text().splitlines()]
    assert rows[0][:3] == ["seed", "ply", "seat"]
    assert [row[0] for row in rows[1:]] == ["7"] * 3 + ["8"] * 3
    # who had the first place at the end had it in each of its decisions
    ended = {(row[0], row[2]): row[-1] for row in rows[1:]}
    assert all(ended[row[0], row[2]] == row[-1] for row in rows[1:])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chess", "2"], "there is no game 'chess'"),
        (["valeria", "9"], "is for 1 to 5 seats, not 9"),
        (["valeria", "2", "--level", "oracle"], "oracle is no player"),
        (["valeria", "2", "--games", "0"], "are 1 or more"),
        (["tiny-towns", "1"], "alone Tiny Towns is played for points"),
    ],
)
def test_slips_of_calibration_are_a_line(arguments: list[str], said: str) -> None:
    with pytest.raises(SystemExit, match=said):
        calibration.main(arguments)
