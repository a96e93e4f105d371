"""The checks of play find what is wrong with rules: faults are written into Pebbles, which has none."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module, invalidate_caches
from pathlib import Path
from typing import Any

import pytest
import toy
import toy.rules

from thorp import OptionError
from thorp.checks import faults, playing
from thorp.checks.matches import random_options
from thorp.checks.playing import (
    asking_changes_nothing,
    both_modes_agree,
    facts_are_true,
    games_end,
    listed_moves_can_be_played,
    moves_decide,
    what_is_taken_back_is_gone,
)
from thorp.checks.secrets import (
    secret_moves_stay_secret,
    what_is_hidden_is_not_shown,
    what_others_know_is_dealt_again,
)
from thorp.compiling.mode import COMPILED
from thorp.core import registry
from thorp.core.game import AnyGame
from thorp.core.options import Option

#: Gives Pebbles in a package of that name, which does not make it known; (file, text, what stands there instead).
Broken = Callable[[str, Sequence[tuple[str, str, str]]], AnyGame]


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Broken:
    monkeypatch.setattr(registry, "_registry", {**registry._registry})
    monkeypatch.syspath_prepend(tmp_path)

    def make(package: str, changes: Sequence[tuple[str, str, str]]) -> AnyGame:
        folder = tmp_path / package
        shutil.copytree(Path(toy.__file__).parent, folder, ignore=shutil.ignore_patterns("__pycache__"))
        own_name = [
            (file.name, "from toy.", f"from {package}.") for file in folder.glob("*.py") if file.stem != "rules"
        ]
        own_id = ("__init__.py", '"pebbles"', f'"{package.replace("_", "-")}"')
        for name, old, new in (*own_name, own_id, ("__init__.py", "register(GAME)", ""), *changes):
            text = (folder / name).read_text()
            assert old in text, f"{name} has no {old!r}"
            (folder / name).write_text(text.replace(old, new))
        invalidate_caches()
        game: AnyGame = import_module(package).GAME
        return game

    return make


#: Rules that Pebbles does not have, which do nothing.
_MORE = {
    "redeal": "redeal(state: State, seed: int) -> None:\n    pass",
    "asked": "asked(state: State, seat: int, move: int) -> bool:\n    return False",
    "owned": "owned(state: State, seat: int, counts: Counts) -> None:\n    pass",
}


def beginning_with(rule: str, line: str) -> list[tuple[str, str, str]]:
    """What is to be changed so that a rule, which Pebbles may not even have, begins with this line."""
    if rule not in _MORE:
        head = re.search(rf"def {rule}\(.*:\n", Path(toy.rules.__file__).read_text())
        assert head
        return [("rules.py", head[0], f"{head[0]}    {line}\n")]
    head, body = _MORE[rule].split("\n")
    written = f"@rule\ndef {head}\n    {line}\n{body}\n\n\n@rule\ndef evaluate("
    return [
        ("rules.py", "import MoveList", "import Counts, MoveList"),
        ("rules.py", "@rule\ndef evaluate(", written),
        *(_COUNTED if rule == "owned" else ()),
    ]


#: Where cards are counted there are cards.
_COUNTED = (
    ("options.py", "import Said", "import Card, Said"),
    ("options.py", "WORTH =", 'def cards(options):\n    return (Card("flint", "Flint"),)\n\n\nWORTH ='),
)


def test_a_seat_that_is_not_at_the_table_may_not_wait(broken: Broken) -> None:
    """Where the turn goes on beyond the last seat; who looked for a seat that waits would look for ever."""
    changes = [
        ("rules.py", "    state.points[seat] += taken", "    state.points[min(seat, 3)] += taken"),
        ("rules.py", "if state.turn == state.seats", "if state.turn > state.seats"),
    ]
    game = broken("pebbles_beyond", changes)
    for check in (games_end, listed_moves_can_be_played):
        found = faults(game, 3, (check,))
        assert len(found) == 3
        assert all(fault.startswith("a seat waits that is not at the table (random game") for fault in found)
    # one check tells of it, and what was played until then is the same
    assert faults(game, 3, (moves_decide,)) == []


def test_a_level_that_is_none_is_told() -> None:
    (fault,) = faults(replace(toy.GAME, overlooks={"skilled": 9, "stong": 2}), 20, (facts_are_true,))
    assert fault.startswith("overlooks tells of 'stong', and there is no such level: there are friendly, casual, ")


def test_options_that_are_all_refused_are_told() -> None:
    def refuse(seats: int, options: object) -> None:
        if seats > 1:
            raise OptionError("nothing goes with so many seats")

    (fault,) = faults(replace(toy.GAME, check=refuse), 20, (games_end,))
    assert fault == "This check cannot go on: OptionError: nothing goes with so many seats"


def test_options_of_which_only_the_usual_ones_go_together_are_found() -> None:
    usual = {"length": "0", "width": "0", "height": "0"}

    def refuse(seats: int, options: object) -> None:
        if options != usual:
            raise OptionError("as usual, or not at all")

    numbers = tuple(map(str, range(99)))
    game = replace(toy.GAME, check=refuse, options=tuple(Option(id, id, numbers, numbers) for id in usual))
    assert random_options(game, 2, random.Random(1)) == usual


def test_moves_that_are_shown_and_could_not_be_known_are_told() -> None:
    """The list of one state is the beginning of that of the other."""
    face = toy.GAME.face
    last = toy.rules.MOVES["pick"].first + toy.rules.STONES - 1

    def steps(state: Any, seat: int, move: int) -> tuple[str, ...]:
        clicks = max(toy.rules.State.of(state).secret) % 7 if move == last else 0
        return (*face.steps(state, seat, move), *["click"] * clicks)

    (fault,) = faults(replace(toy.GAME, face=replace(face, steps=steps)), 20, (what_is_hidden_is_not_shown,))
    assert fault.startswith("What is hidden is shown: ")
    assert "'click'" in fault


def test_a_package_need_not_make_its_game_known(broken: Broken) -> None:
    game = broken("pebbles_unknown", [])
    assert game.id not in registry._registry
    assert faults(game, 20, (both_modes_agree,)) == []


#: A division by zero, which compiled rules pass over, on the turn of the first seat.
_BY_TURN = "state.heap += 0 * (7 // state.turn)"


@pytest.mark.skipif(not COMPILED, reason="plain rules fail here")
def test_a_rule_that_is_another_as_plain_python_is_told(broken: Broken) -> None:
    game = broken("pebbles_divided", beginning_with("evaluate", _BY_TURN))
    (fault,) = faults(game, 20, (both_modes_agree,))
    assert fault.startswith("as plain Python, the rules fail: ZeroDivisionError")
    assert re.search(r"\(pebbles_divided/rules\.py, line \d+\)$", fault)


@pytest.mark.skipif(not COMPILED, reason="nothing but plain rules is there")
@pytest.mark.parametrize(
    ("package", "change", "said"),
    [
        ("pebbles_beyond", "state.points[seat + 4] = 1", r"IndexError: .* \(pebbles_beyond/rules\.py, line \d+\)"),
        (
            "pebbles_endless",
            "while state.turn < 9: state.heap = 0",
            r"a random game does not end within 3 s, in play \(pebbles_endless.rules\.py, line \d+\)",
        ),
    ],
)
def test_what_compiled_rules_would_break_or_hang_by_is_told_first_and_ends_it(
    package: str, change: str, said: str, broken: Broken, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playing, "LONGEST", 3.0)
    (fault,) = faults(broken(package, beginning_with("play", change)), 20)
    assert re.fullmatch(f"as plain Python, the rules fail: {said}", fault), fault


@pytest.mark.parametrize("rule", ["standing", "evaluate", "determinize", "redeal", "asked", "owned"])
def test_every_rule_is_compared(rule: str, broken: Broken) -> None:
    """Each is asked while random matches are played: so one that fails as plain Python is found."""
    game = broken(f"pebbles_compared_{rule}", beginning_with(rule, _BY_TURN))
    done = subprocess.run(
        [sys.executable, "-m", "thorp.checks.trace", game.package, game.id, "60", "300"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "THORP_JIT": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    rules = (game.folder / "rules.py").read_text().splitlines()
    (line,) = [number for number, text in enumerate(rules, 1) if _BY_TURN in text]
    assert re.search(rf"^ZeroDivisionError: .* \({game.package}/rules\.py, line {line}\)\n\Z", done.stderr, re.M)


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ("waiting", "state.worth[0] = 5"),
        ("legal", "state.worth[0] = 5"),
        ("over", "state.worth[0] = 5"),
        ("score", "state.worth[0] = 5"),
        ("standing", "state.worth[0] = 5"),
        ("evaluate", "state.points[seat] = 0"),
        ("asked", "state.worth[0] = 5"),
        ("owned", "state.worth[0] = 5"),
    ],
)
def test_a_rule_that_asks_may_not_write(rule: str, line: str, broken: Broken) -> None:
    game = broken(f"pebbles_writing_{rule}", beginning_with(rule, line))
    (fault,) = faults(game, 20, (asking_changes_nothing,))
    assert fault.startswith(f"{rule} changes the state, and may only read it (random match ")


def test_chance_that_can_be_taken_back_is_told(broken: Broken) -> None:
    """The heap is drawn when the last seat has chosen, and that seat could choose again."""
    draw = "    state.heap = below(state.chance, 3 * state.seats)\n"
    game = broken("pebbles_drawn", [("rules.py", f"{draw}    state.barrier += 1\n", draw)])
    (fault,) = faults(game, 20, (what_is_taken_back_is_gone,))
    assert fault.startswith("a move draws by chance and could be taken back: write state.barrier += 1 at ply ")


@pytest.mark.parametrize(
    ("package", "dealt", "readers"),
    [
        ("pebbles_kept_for_seats", "seat < 0", {"seat"}),
        ("pebbles_kept_for_spectators", "seat >= 0", {"spectator"}),
        ("pebbles_kept", "seat < -1", {"seat", "spectator"}),
    ],
)
def test_what_a_reader_would_know_of_seats_is_told(package: str, dealt: str, readers: set[str], broken: Broken) -> None:
    game = broken(package, [("rules.py", "if other != seat", f"if {dealt}")])
    found = faults(game, 100, (what_others_know_is_dealt_again,))
    assert len(found) == len(readers)
    told = [
        re.search(r"^determinize never changes what another .*, (?:a )?(seat|spectator)\b[^,]*$", each)
        for each in found
    ]
    assert {each[1] for each in told if each} == readers


def test_of_two_who_hold_all_that_was_dealt_each_knows_what_the_other_has(broken: Broken) -> None:
    """Only for who watches there is something to be dealt again."""
    draw = "100_000 + below(state.chance, 900_000)"
    rest = f"1_100_000 - state.secret[0] if {{}} else {draw}"
    changes = [
        ("__init__.py", "range(1, MAX_SEATS + 1)", "range(2, 3)"),
        ("rules.py", f"    state.secret[seat] = {draw}", f"    state.secret[seat] = {rest.format('seat')}"),
        ("rules.py", f"state.secret[other] = {draw}", f"state.secret[other] = {rest.format('other')}"),
        ("rules.py", "if other != seat:", "if seat < 0:"),
        # what is chosen lies open
        ("rules.py", "and state.picks[other] != 0", "and False"),
        ("face.py", "state.turn >= 0 or state.ended or other == seat for", "True for"),
    ]
    assert faults(broken("pebbles_for_two", changes), 100, (what_others_know_is_dealt_again,)) == []


@pytest.mark.parametrize(
    ("package", "file", "old", "new", "said"),
    [
        (
            "pebbles_telling",
            "face.py",
            "    if reader == seat:\n",
            "    if True:\n",
            "What is hidden is told: ['Seat {} chooses {}.'] or ['Seat {} chooses {}.'] (random match ",
        ),
        (
            "pebbles_keeping",
            "rules.py",
            "and state.picks[other] != 0",
            "and False",
            "determinize keeps what is hidden, whether pick(stone={}) or pick(stone={}) was played (random match ",
        ),
    ],
)
def test_moves_that_nobody_sees_are_secret_too(
    package: str, file: str, old: str, new: str, said: str, broken: Broken
) -> None:
    (found,) = faults(broken(package, [(file, old, new)]), 100, (secret_moves_stay_secret,))
    assert re.match(re.escape(said).replace(r"\{\}", r"\w+"), found), found


def test_of_moves_that_are_seen_nothing_is_said(broken: Broken) -> None:
    """Where all that is chosen lies open, it is told, and stays as it is."""
    changes = [
        ("face.py", "    if reader == seat:\n", "    if True:\n"),
        ("face.py", "state.turn >= 0 or state.ended or other == seat for", "True for"),
        ("rules.py", "and state.picks[other] != 0", "and False"),
    ]
    assert faults(broken("pebbles_open", changes), 100, (secret_moves_stay_secret,)) == []
