"""`thorp train` of a game that is learned table by table."""

from pathlib import Path

import pytest

import thorp
from thorp.cli.main import main
from thorp.players import lessons

GAME = "tiny-towns"


@pytest.mark.usefixtures("nothing_learned")
def test_who_learns_anew_for_a_table_is_told_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All players of that table go by what was learned last; another table has nothing to lose."""
    monkeypatch.setattr(lessons, "ROUNDS", ((len(lessons.WAYS), 2), (1, 1)))
    said = []
    for table, seed in ((8, 1), (8, 9), (9, 9)):
        (file := tmp_path / f"{table}.json").write_text(thorp.Match(GAME, 2, seed=table).export())
        assert main(["train", GAME, "--match", str(file), "--seed", str(seed)]) == 0
        said.append("This table has learned already" in capsys.readouterr().out)
    assert said == [False, True, False]
