"""What a town looks up, held against groups of squares counted by hand and against turned and mirrored towns."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest

import thorp
from thorp.compiling.mode import COMPILED
from thorp.games.tiny_towns.rules.learned import NET
from thorp.games.tiny_towns.rules.state import State, Town

GAME = thorp.game("tiny-towns")
WEIGHTS = np.random.default_rng(1).normal(size=NET.learned).astype(np.float32)
SQUARES = range(16)
VIEWS = {
    "turned": lambda row, column: (column, 3 - row),
    "mirrored": lambda row, column: (row, 3 - column),
    "turned over": lambda row, column: (3 - column, 3 - row),
}


def asked(state: State) -> tuple[float, list[int]]:
    """What a state is worth, and which weights it looked up."""
    row = NET.row(WEIGHTS)
    worth = GAME.value(state.write()[0] if COMPILED else state, 0, row)
    return worth, [int(number) for number in row[1 : 1 + int(row[0])]]


def is_connected(group: tuple[int, ...]) -> bool:
    reached = {group[0]}
    for _ in group:
        reached |= {s for s in group for r in reached if abs(s // 4 - r // 4) + abs(s % 4 - r % 4) == 1}
    return len(reached) == len(group)


def sides(group: tuple[int, ...]) -> tuple[set[int], set[int]]:
    """The rows and the columns that it lies in."""
    return {square // 4 for square in group}, {square % 4 for square in group}


def moved(mask: int, view: str) -> int:
    """Squares, seen that way."""
    cells = (VIEWS[view](*divmod(square, 4)) for square in SQUARES if mask >> square & 1)
    return sum(1 << 4 * row + column for row, column in cells)


def positions(seed: int) -> Iterator[State]:
    match = thorp.Match(GAME, 1, {"monuments": "no"}, seed)
    while not match.over:
        legal = match.legal(0)
        match.play(0, legal[(match.ply * 7 + seed) % len(legal)])
        if not match.over:
            yield GAME.plain(match.state)


def in_groups(state: State) -> float:
    return float(WEIGHTS[asked(state)[1][:113]].sum())


def hand(town: Town) -> int:
    held, town.hand = town.hand, 0
    return held


@pytest.mark.parametrize("seed", range(1, 7))
def test_a_town_is_worth_its_points_and_the_weights_that_it_looks_up(seed: int) -> None:
    groups = sum(is_connected(group) for group in combinations(SQUARES, 4))
    assert groups == 113
    for state in positions(seed):
        worth, looked_up = asked(state)
        assert len(looked_up) == groups + 28 + 1
        points = GAME.score(state.write()[0] if COMPILED else state, 0)
        assert worth == pytest.approx(points + float(WEIGHTS[looked_up].sum()), abs=1e-3)


@pytest.mark.parametrize("view", VIEWS)
def test_it_does_not_matter_from_where_one_looks_at_a_town(view: str) -> None:
    """But for lines and blocks, which lie on themselves when they are turned: there is no telling where they begin."""
    groups = [group for group in combinations(SQUARES, 4) if is_connected(group)]
    bent = [number for number, group in enumerate(groups) if sorted(map(len, sides(group))) not in ([1, 4], [2, 2])]
    assert len(bent) == 113 - 8 - 9
    for state in positions(3):
        town = state.towns[0]
        hand(town)
        before = asked(state)[1]
        town.cubes = [moved(mask, view) for mask in town.cubes]
        town.built = [moved(mask, view) for mask in town.built]
        after = asked(state)[1]
        assert sorted(after[number] for number in bent) == sorted(before[number] for number in bent)


def test_what_lies_on_a_square_changes_what_its_groups_look_up_and_no_other() -> None:
    changed = 0
    for state in positions(5):
        town = state.towns[0]
        hand(town)
        _, before = asked(state)
        for square in SQUARES:
            on = [resource for resource in range(5) if town.cubes[resource] >> square & 1]
            if not on:
                continue
            # another cube there
            town.cubes[on[0]] ^= 1 << square
            town.cubes[(on[0] + 1) % 5] ^= 1 << square
            _, after = asked(state)
            town.cubes[(on[0] + 1) % 5] ^= 1 << square
            town.cubes[on[0]] ^= 1 << square
            differ = sum(one != other for one, other in zip(before, after, strict=True))
            assert differ == sum(square in group for group in combinations(SQUARES, 4) if is_connected(group))
            changed += 1
    assert changed > 20


def test_a_cube_in_hand_goes_where_it_is_worth_most() -> None:
    tried = 0
    for state in positions(2):
        town = state.towns[0]
        worth, _ = asked(state)
        if not (resource := hand(town)):
            continue
        without, _ = asked(state)
        before, each = in_groups(state), []
        for square in SQUARES:
            if not (sum(town.cubes) | sum(town.built)) >> square & 1:
                town.cubes[resource - 1] ^= 1 << square
                each.append(in_groups(state) - before)
                town.cubes[resource - 1] ^= 1 << square
        assert worth == pytest.approx(without + max(each), abs=1e-3)
        tried += 1
    assert tried > 5
