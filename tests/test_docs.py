"""The programs in the pages about players and the arena run as they stand there; theirs and the README's are typed."""

import io
import json
import random
import re
import sys
from pathlib import Path

import mypy.api
import pytest

import thorp
from thorp.arena.questions import ending, opening, question
from thorp.checks.matches import play_randomly

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PROGRAMS = [
    pytest.param(program, id=f"{page}-{number}")
    for page in ("players", "arena")
    for number, program in enumerate(re.findall(r"```python\n(.*?)```", (DOCS / f"{page}.md").read_text("utf-8"), re.S))
]
#: Numbers may be NumPy's.
_NUMPYS = """
import numpy as np
import thorp

match = thorp.Match("villagers", np.int64(2), seed=np.int64(3), forced=np.bool_(True))
print(thorp.Match(match.game, np.int8(2), seed=np.uint8(3)).scores)
"""


def test_there_are_programs() -> None:
    assert len(PROGRAMS) == 5


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_of_the_docs_runs(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With less effort than it has there."""
    # where the first seat is not the first to decide
    match = thorp.Match("villagers", 2, seed=2)
    assert match.waiting == (1,)
    play_randomly(match, random.Random(3))
    (tmp_path / "match.json").write_text(match.export(), "utf-8")
    monkeypatch.chdir(tmp_path)
    program = re.sub(r"Effort\(seconds=[\d.]+\)", "Effort(playouts=4)", program).replace("games=200", "games=40")
    asked = question(thorp.Match("valeria", 3, seed=2), 1, 5, 1.0)
    lines = [opening(thorp.Match("valeria", 3, seed=2), 1, 1.0), asked, ending([0, 0, 0], [1, 1, 1])]
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{json.dumps(each)}\n" for each in lines)))
    names: dict[str, object] = {"__name__": "program"}
    exec(compile(program, "docs", "exec"), names)
    if "class First" in program:
        # what stands there as a player is one
        two = type("Question", (), {"legal": {7: "seven", 8: "eight"}})
        assert names["First"](None, 0, 2, {}).choose(two) == 7  # type: ignore[operator]
    elif "sys.stdin" in program:
        # a process that plays
        ready, answer = map(json.loads, capsys.readouterr().out.splitlines())
        assert ready == {"ready": True}
        assert answer["move"] in [each["move"] for each in asked["legal"]]
    else:
        assert capsys.readouterr().out


def test_a_type_checker_takes_every_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Strictly; in one run for all of them, which goes by what `make check` has left in the cache."""
    shown = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.S)
    files = []
    for number, program in enumerate((*shown, *(str(each.values[0]) for each in PROGRAMS), _NUMPYS)):
        files.append(tmp_path / f"program_{number}.py")
        files[-1].write_text(program, "utf-8")
    monkeypatch.chdir(ROOT)
    said, _, status = mypy.api.run(["--strict", *map(str, files)])
    assert status == 0, said
