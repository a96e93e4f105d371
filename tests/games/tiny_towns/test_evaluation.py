"""What `evaluate` leaves out to be fast is what changes nothing: held against itself with nothing left out."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

import thorp
from thorp.compiling.mode import COMPILED
from thorp.games.tiny_towns.rules import evaluation, scoring
from thorp.games.tiny_towns.rules.building import supply
from thorp.games.tiny_towns.rules.masks import buildings, cubes, empty
from thorp.games.tiny_towns.rules.state import State, Town
from thorp.players import choose

GAME = thorp.game("tiny-towns")
SQUARES = [1 << square for square in range(16)]
EVERYWHERE = (1 << 16) - 1
MONUMENT = 7
FACTORY = 6


def called(rule: Callable[..., int], state: State, *given: int) -> int:
    return int(rule(state.write()[0] if COMPILED else state, *given))


def of_town(rule: Callable[..., int], town: Town) -> int:
    return int(rule(town.write()[0] if COMPILED else town))


def positions(seats: int, seed: int, naming: str) -> Iterator[tuple[State, int]]:
    """What comes up where most moves are good ones, and some are not; of one seat."""
    chance = random.Random(seed)
    match = thorp.Match(GAME, seats, {"naming": naming} if naming else {}, seed)
    while not match.over:
        seat = match.waiting[0]
        good = chance.random() < 0.9
        match.play(seat, choose("greedy", match, seat, match.ply) if good else chance.choice(match.legal(seat)))
        if chance.random() < 0.06:
            yield GAME.plain(match.state), chance.randrange(seats)


def settled(state: State, seat: int) -> int:
    return 100 * called(scoring.score, state, seat) + called(evaluation._prospects, state, seat)


def gain(state: State, seat: int, type: int, before: int) -> tuple[int, int]:
    """What one more building gains at most, put on every square, and where it does."""
    town = state.towns[seat]
    taken = of_town(buildings, town)
    gains = {}
    for square in SQUARES:
        if not taken & square:
            town.built[type] |= square
            if type == MONUMENT:
                town.shrine = bin(taken).count("1") + 1
            gains[square] = settled(state, seat) - before
            town.built[type] ^= square
    if type == MONUMENT:
        town.shrine = 0
    most = max(0, *gains.values())
    return most, sum(square for square, each in gains.items() if each == most > 0)


def hope(state: State, seat: int, gains: list[int]) -> int:
    """The best of all squares for the cube in hand."""
    town = state.towns[seat]
    values = []
    for square in [s for s in SQUARES if s & of_town(empty, town)] if town.hand else [0]:
        town.cubes[max(town.hand - 1, 0)] ^= square
        have, free = of_town(cubes, town), of_town(empty, town)
        best = [called(evaluation._best_pattern, state, seat, n, each, have, free) for n, each in enumerate(gains)]
        first = max(best)
        have, free = have & ~first, free & ~first
        second = max(called(evaluation._best_pattern, state, seat, n, each, have, free) for n, each in enumerate(gains))
        others = sum(each >> 16 for each in best) - (first >> 16)
        shares = (first >> 16) * evaluation.SHARE[0] + others * evaluation.OTHERS + (second >> 16) * evaluation.SHARE[1]
        lost = have & ~second
        open_sides = sum(
            not (lost | of_town(buildings, town)) & (one | other)
            for at, one in enumerate(SQUARES)
            for other in (SQUARES[at + 1 : at + 2] if at % 4 < 3 else []) + SQUARES[at + 4 : at + 5]
        )
        values.append(int(shares) // 100 - evaluation.DEAD * bin(lost).count("1") + evaluation.NEIGHBOURS * open_sides)
        town.cubes[max(town.hand - 1, 0)] ^= square
    return max(values)


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_nothing_is_lost_by_what_is_left_out(seats: int) -> None:
    for seed in range(4):
        for state, seat in positions(seats, seed, "town_hall" if seats > 1 and seed % 3 == 0 else ""):
            town = state.towns[seat]
            eaters, points = called(scoring.fed, state, seat), called(scoring.score, state, seat)
            before = settled(state, seat)
            if town.completed:
                assert called(evaluation.evaluate, state, seat) == before
                continue
            types = called(supply, state, seat)
            if town.monument and not town.built[MONUMENT]:
                types |= 1 << MONUMENT
            gains = [0] * 8
            for type in range(8):
                if types >> type & 1:
                    found = called(evaluation._gain, state, seat, type, before, points, eaters)
                    assert (found >> 16, found & EVERYWHERE) == gain(state, seat, type, before), (seed, type)
                    gains[type] = found
            # what a Factory or Bank, a Watch and a monument just kept add is not left out anywhere
            if state.round >= 2 and not town.built[FACTORY] and not town.watch:
                assert called(evaluation.evaluate, state, seat) == before + hope(state, seat, gains), seed
