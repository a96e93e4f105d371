"""Options on the command line."""

from pathlib import Path

import pytest
import toy

from thorp.cli.options import read_options
from thorp.core.errors import OptionError


def test_options_are_names_with_values(tmp_path: Path) -> None:
    file = tmp_path / "worth.txt"
    file.write_text("4 5 6", "utf-8")
    assert read_options(toy.GAME, ["rounds=6", f"worth={file}"]) == {"rounds": "6", "worth": "4 5 6"}
    assert read_options(toy.GAME, ["worth=usual"]) == {"worth": "usual"}


@pytest.mark.parametrize(
    ("given", "sentence"),
    [("worth=nowhere.txt", "nowhere.txt cannot be read: No such file"), ("worth", "NAME=VALUE")],
)
def test_options_that_cannot_be_read(given: str, sentence: str) -> None:
    with pytest.raises(OptionError, match=sentence):
        read_options(toy.GAME, [given])


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(OptionError, match="not text in UTF-8"):
        read_options(toy.GAME, [f"worth={tmp_path / 'binary'}"])


def test_the_mark_at_the_beginning_of_a_file_is_not_of_its_text(tmp_path: Path) -> None:
    (tmp_path / "worth.txt").write_text("4 5 6", "utf-8-sig")
    assert read_options(toy.GAME, [f"worth={tmp_path / 'worth.txt'}"]) == {"worth": "4 5 6"}
