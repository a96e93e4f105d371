"""Files of weights that come with a game: what is said where they are not there."""

from dataclasses import replace
from pathlib import Path

import pytest

import thorp
from thorp.core import weights
from thorp.core.weights import WeightsError, read_weights


def test_weights_that_are_missing_are_told_with_their_folder_and_a_mend_that_works(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What `thorp train` writes elsewhere nobody plays by."""
    game, there = thorp.game("villagers"), tmp_path / weights.FILE
    shipped = weights.file_of(game)
    monkeypatch.setattr(weights, "file_of", lambda game: there)
    with pytest.raises(WeightsError) as said:
        read_weights(game)
    assert str(said.value) == (
        f"the weights {there} of Villagers are missing; "
        "install Thorp anew, or copy the weights that thorp train villagers writes there"
    )
    with pytest.raises(WeightsError, match=r"are missing; install somebody\.elses anew, or copy"):
        read_weights(replace(game, package="somebody.elses"))
    there.mkdir()
    with pytest.raises(WeightsError, match=f"the weights {there} of Villagers cannot be read; install Thorp anew"):
        read_weights(game)
    there.rmdir()
    there.write_bytes(shipped.read_bytes())
    assert (read_weights(game)[0] == read_weights(game, shipped)[0]).all()


def test_weights_that_somebody_names_are_learned_anew(tmp_path: Path) -> None:
    file = tmp_path / "mine.weights"
    with pytest.raises(
        WeightsError, match=f"{file} of Villagers cannot be read; learn anew with thorp train villagers"
    ):
        read_weights(thorp.game("villagers"), file)
