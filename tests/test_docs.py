"""The programs in the pages about players and the arena run as they stand there."""

import random
import re
from pathlib import Path

import pytest

import thorp
from thorp.checks.matches import play_randomly

DOCS = Path(__file__).parents[1] / "docs"
PROGRAMS = [
    pytest.param(program, id=f"{page}-{number}")
    for page in ("players", "arena")
    for number, program in enumerate(re.findall(r"```python\n(.*?)```", (DOCS / f"{page}.md").read_text("utf-8"), re.S))
]


def test_there_are_programs() -> None:
    assert len(PROGRAMS) == 4


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
    names: dict[str, object] = {"__name__": "program"}
    exec(compile(program, "docs", "exec"), names)
    if "class First" in program:
        # what stands there as a player is one
        question = type("Question", (), {"legal": {7: "seven", 8: "eight"}})
        assert names["First"](None, 0, 2, {}).choose(question) == 7  # type: ignore[operator]
    else:
        assert capsys.readouterr().out
