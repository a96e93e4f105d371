"""`thorp words PACKAGE`."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from thorp.cli import main
from thorp.core.catalogue import FILE, FOLDER, TEMPLATE

TESTS = Path(__file__).parents[1]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which the command is given, with a package of a game and one of something else."""
    game = tmp_path / "five_in_line"
    shutil.copytree(TESTS / "connect_four", game, ignore=shutil.ignore_patterns("__pycache__"))
    for module in game.rglob("*.py"):
        module.write_text(module.read_text().replace("from connect_four", "from five_in_line"))
    (tmp_path / "pantry").mkdir()
    (tmp_path / "pantry" / "__init__.py").write_text("SHELVES = 3\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def words(here: Path, *packages: str) -> subprocess.CompletedProcess[str]:
    # as the command `thorp` begins, which does not look into the folder by itself
    command = [sys.executable, "-P", "-m", "thorp", "words", *packages]
    return subprocess.run(command, cwd=here, capture_output=True, text=True, check=False)


def test_a_game_of_somebody_else_is_found_where_it_lies(here: Path) -> None:
    done = words(here, "five_in_line")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("five_in_line ")
    assert "Drop your first disc into the middle." in (here / "five_in_line" / FOLDER / TEMPLATE).read_text("utf-8")


def test_a_game_that_is_being_written_has_words(here: Path) -> None:
    (here / "five_in_line" / "__init__.py").write_text(
        "from thorp import Game\nGAME = Game.of(__name__, seats=range(2, 3))\n"
    )
    done = words(here, "five_in_line")
    assert done.returncode == 0, done.stderr
    assert (here / "five_in_line" / FOLDER / TEMPLATE).is_file()


@pytest.mark.parametrize(
    ("package", "said"),
    [
        ("pantry", "pantry has no GAME"),
        ("five_in_line.rules", "five_in_line.rules has no GAME"),
        ("thorp.players", "thorp.players has no GAME"),
        ("./five_in_line", "there is no package ./five_in_line: name the package"),
        ("nowhere", "there is no package nowhere: name the package"),
        ("nowhere.at_all", "there is no package nowhere.at_all: name the package"),
    ],
)
def test_what_is_no_game_is_refused_and_nothing_is_written(
    package: str, said: str, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(here))
    written: list[Path] = []
    monkeypatch.setattr("thorp.cli.words._write", lambda path, text: written.append(path))
    assert main(["words", package]) == 1
    assert f"thorp: {said}" in capsys.readouterr().err
    assert written == []


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'msgid "Hand"\nmsgstr "Mano\n', "words.po:2: this is no line of a catalogue"),
        (b'msgstr "Mano"\n', "words.po:2: the entry that ends here has no msgid"),
        (b'msgid "Hand"\nmsgstr "\xff"\n', "words.po is not text in UTF-8"),
        (b'msgid ""\nmsgstr "Plural-Forms: nplurals=two\\n"\n', "words.po cannot be read"),
        (b'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=(m)\\n"\n', "words.po: the header says"),
    ],
)
def test_a_damaged_catalogue_is_told_in_a_sentence_and_stays(content: bytes, said: str, here: Path) -> None:
    file = here / "five_in_line" / FOLDER / "es" / FILE
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    done = words(here, "five_in_line")
    assert done.returncode == 1
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert file.read_bytes() == content


def test_the_house_can_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    main(["words", "thorp", "--check"])
    lines = capsys.readouterr().out.splitlines()
    assert lines
    assert all(line.startswith("thorp ") for line in lines)
