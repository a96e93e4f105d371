"""Rows of the latest rounds, to be learned from again."""

from pathlib import Path

import numpy as np
import pytest

from thorp.core.weights import WeightsError
from thorp.training.replay import KEPT, ROWS, Replay

WIDTH = 3


def of_round(number: int, size: int = 2) -> "np.ndarray[tuple[int, int], np.dtype[np.float32]]":
    """Rows that say which round they are of, and which row of it."""
    rows = np.full((size, WIDTH), number, np.float32)
    rows[:, 1] = np.arange(size)
    return rows


def rounds_in(replay: Replay, count: int = 20_000) -> set[int]:
    return set(replay.sample(count, np.random.default_rng(1))[:, 0].astype(int))


def filled(rounds: int) -> Replay:
    replay = Replay(WIDTH)
    for number in range(rounds):
        replay.add(of_round(number))
    return replay


def test_rows_are_drawn_evenly_from_all_rounds_however_long_these_are() -> None:
    replay = Replay(WIDTH)
    for number, size in enumerate((1, 3, 6)):
        replay.add(of_round(number, size))
    drawn = replay.sample(10_000, np.random.default_rng(2))
    assert drawn.shape == (10_000, WIDTH)
    assert drawn.dtype == np.float16
    # each of ten rows a thousand times, give or take four standard deviations
    rows, times = np.unique(drawn[:, :2], axis=0, return_counts=True)
    assert rows.tolist() == [[0, 0], [1, 0], [1, 1], [1, 2], *([2, row] for row in range(6))]
    assert abs(times - 1000).max() < 120


def test_the_oldest_rounds_give_way() -> None:
    assert rounds_in(filled(KEPT)) == set(range(KEPT))
    assert rounds_in(filled(3 * KEPT + 7)) == set(range(2 * KEPT + 7, 3 * KEPT + 7))


def test_of_a_round_that_is_too_long_the_first_rows_are_kept() -> None:
    replay = Replay(WIDTH)
    replay.add(np.repeat([[1.0, 0, 0], [2.0, 0, 0]], ROWS, axis=0))
    assert rounds_in(replay) == {1}


@pytest.mark.parametrize("rounds", [1, 5, KEPT + 50])
def test_what_was_saved_is_taken_up(tmp_path: Path, rounds: int) -> None:
    replay = filled(rounds)
    again = Replay(WIDTH)
    again.load(tmp_path / "rows", replay.save(tmp_path / "rows"))
    for each in (replay, again):
        each.add(of_round(1000))
    luck = [np.random.default_rng(3) for _ in range(2)]
    assert np.array_equal(replay.sample(5000, luck[0]), again.sample(5000, luck[1]))


def test_who_is_stopped_while_saving_goes_on_from_what_was_saved_before(tmp_path: Path) -> None:
    replay = filled(2 * KEPT)
    before = rounds_in(replay)
    kept = {name: np.copy(each) for name, each in replay.save(tmp_path / "rows").items()}
    for number in range(60):
        replay.add(of_round(5000 + number))
    # these are in the file, but what is kept beside it is of before
    replay.save(tmp_path / "rows")
    again = Replay(WIDTH)
    again.load(tmp_path / "rows", kept)
    assert rounds_in(again) == before


@pytest.mark.parametrize("name", ["elsewhere", "rows"])
def test_a_file_that_is_new_gets_all_rounds(tmp_path: Path, name: str) -> None:
    """One of another name, and one in place of a file that was taken away."""
    replay = filled(2 * KEPT)
    replay.save(tmp_path / "rows")
    replay.add(of_round(5000))
    (tmp_path / "rows").unlink()
    again = Replay(WIDTH)
    again.load(tmp_path / name, replay.save(tmp_path / name))
    assert rounds_in(again) == {*range(KEPT + 1, 2 * KEPT), 5000}


def test_a_file_that_is_missing_cut_or_changed_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "rows"
    kept = filled(3).save(file)
    whole = file.read_bytes()
    for raw in (whole[:-1], whole[:-9] + b"\1" + whole[-8:], b""):
        file.write_bytes(raw)
        with pytest.raises(WeightsError, match="rows, the games of the run, is missing or damaged"):
            Replay(WIDTH).load(file, kept)
    file.unlink()
    with pytest.raises(WeightsError, match="missing"):
        Replay(WIDTH).load(file, kept)
