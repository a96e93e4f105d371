"""What a town looks up, held against groups of squares counted by hand and against turned and mirrored towns."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest

import thorp
from games.tiny_towns.printed import CARDS, number
from games.tiny_towns.referee import PLACEMENTS
from games.tiny_towns.town import table, town
from thorp.compiling.mode import COMPILED
from thorp.games.tiny_towns.rules.learned import NET
from thorp.games.tiny_towns.rules.state import State, Town

GAME = thorp.game("tiny-towns")
WEIGHTS = np.random.default_rng(1).normal(size=NET.learned).astype(np.float32)
SQUARES = range(16)
POST = number("trading_post")
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


def positions(seed: int, monuments: str = "no", seats: int = 1) -> Iterator[State]:
    match = thorp.Match(GAME, seats, {"monuments": monuments}, seed)
    while not match.over:
        seat = match.waiting[0]
        legal = match.legal(seat)
        match.play(seat, legal[(match.ply * 7 + seed) % len(legal)])
        if not match.over:
            yield GAME.plain(match.state)


def where_it_lies(state: State) -> float:
    """What a town looks up for what lies where: in its groups of squares, and for its monument."""
    looked_up = asked(state)[1]
    return float(WEIGHTS[looked_up[:113] + looked_up[-3:]].sum())


def hand(town: Town) -> int:
    held, town.hand = town.hand, 0
    return held


@pytest.mark.parametrize("monuments", ["yes", "no"])
@pytest.mark.parametrize("seed", range(1, 7))
def test_a_town_is_worth_its_points_and_the_weights_that_it_looks_up(seed: int, monuments: str) -> None:
    groups = sum(is_connected(group) for group in combinations(SQUARES, 4))
    assert groups == 113
    for state in positions(seed, monuments):
        worth, looked_up = asked(state)
        assert len(looked_up) == groups + 28 + 1 + 3
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


@pytest.mark.parametrize(("seed", "monuments"), [(2, "no"), *((seed, "yes") for seed in range(1, 9))])
def test_a_cube_in_hand_goes_where_it_is_worth_most(seed: int, monuments: str) -> None:
    tried = 0
    for state in positions(seed, monuments):
        here = state.towns[0]
        worth, looked_up = asked(state)
        if not (resource := hand(here)):
            continue
        without, _ = asked(state)
        before, each = where_it_lies(state), []
        for square in SQUARES:
            if not (sum(here.cubes) | sum(here.built)) >> square & 1:
                here.cubes[resource - 1] ^= 1 << square
                each.append(where_it_lies(state) - before)
                here.cubes[resource - 1] ^= 1 << square
        assert worth == pytest.approx(without + max(each), abs=1e-3)
        assert float(WEIGHTS[looked_up[:113] + looked_up[-3:]].sum()) == pytest.approx(before + max(each), abs=1e-3)
        tried += 1
    assert tried > 5


def come_to(state: State) -> object:
    """How far the monument of the first seat has come, by the placements of the referee."""
    here = state.towns[0]
    if not here.monument:
        return "none"
    if here.built[7]:
        return "built"
    lies = {square: resource for resource in range(5) for square in SQUARES if here.cubes[resource] >> square & 1}
    posts = here.built[CARDS[POST].type] if POST in state.cards else 0
    built = sum(here.built) & ~posts
    counted = [
        sum(square in lies or posts >> square & 1 for square, _ in placement)
        for placement in PLACEMENTS[here.monument]
        if all(not built >> square & 1 and lies.get(square, resource) == resource for square, resource in placement)
    ]
    return max(counted, default="lost")


def test_a_trading_post_stands_in_for_a_cube_of_a_monument() -> None:
    """Archive of the Second Age: wheat, wheat, brick, glass in a block."""
    cubes, post, cottage = (
        table(town(picture, monument="archive_of_the_second_age"), cards="trading_post").plain
        for picture in ("T T / B .", "T Tra / B .", "T Cot / B .")
    )
    assert [come_to(each) for each in (cubes, post, cottage)] == [3, 3, 1]
    assert asked(cubes)[1][-3:] == asked(post)[1][-3:] != asked(cottage)[1][-3:]


def test_a_monument_is_looked_up_by_which_it_is_how_far_it_has_come_and_the_room_for_it() -> None:
    """Each of the three tables tells apart what it is to tell apart, and nothing else."""
    tables: list[dict[object, set[int]]] = [defaultdict(set), defaultdict(set), defaultdict(set)]
    seen = set()
    for seed in range(1, 121):
        for state in positions(seed, "yes" if seed % 10 else "no", 1 + seed % 3):
            here = state.towns[0]
            if here.completed:
                continue
            hand(here)
            step, free = come_to(state), 16 - (sum(here.cubes) | sum(here.built)).bit_count()
            seen.add(step)
            told: list[tuple[object, ...]] = [(here.monument, step), (step, free), (here.monument, step, free)]
            for table_of, key, index in zip(tables, told, asked(state)[1][-3:], strict=True):
                table_of["none" if step == "none" else key].add(index)
    assert seen >= {"none", "built", "lost", 0, 1, 2, 3}
    for table_of in tables:
        assert all(len(each) == 1 for each in table_of.values())
        assert len({next(iter(each)) for each in table_of.values()}) == len(table_of) > 40
