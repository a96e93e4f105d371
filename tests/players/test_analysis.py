"""Analysis: a decision costs what the best move is worth beyond it, from what the seat knew; the rest is luck."""

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from statistics import NormalDist
from typing import Any

import connect_four
import numpy as np
import pytest
import toy
from toy.rules import PICK_MOVE, TAKE_MOVE

import thorp
from thorp import GameError, IllegalMove, Match
from thorp.core.net import Net
from thorp.games.villagers.rules.state import BUILD, STACKS
from thorp.players import (
    Analysis,
    Effort,
    Expected,
    Judged,
    Stop,
    Thought,
    Way,
    analyse,
    analysis,
    balance,
    carry_back,
    choose,
    doubtful,
    judge,
    learn_for,
    lessons,
    review,
)
from thorp.players.analysis import Balance
from thorp.players.chances import TELLING, Chance, Chances, Spread
from thorp.players.learned import learned_for_search
from thorp.players.levels import LEVELS
from thorp.players.playouts import FINE
from thorp.players.search import UNTRIED

FOUR, PEBBLES = connect_four.GAME, toy.GAME


def played(game, seats: int, moves: Sequence[int] = (), seed: int = 1) -> Match:
    match = Match(game, seats, seed=seed)
    for move in moves:
        match.play(match.waiting[0], move)
    return match


def until(name: str, family: str, ply: int) -> Match:
    """A match between two, played by chance, at its first decision after so many moves that has moves of a family."""
    match, rng = Match(name, 2, seed=5), random.Random(3)
    while not match.over:
        (seat, *_) = match.waiting
        legal = match.legal(seat)
        if match.ply >= ply and sum(match.game.moves.decode(move).family == family for move in legal) > 24:
            return match
        match.play(seat, rng.choice(legal))
    raise AssertionError(f"no decision with moves of {family}")


def test_a_mate_that_was_missed_cost_the_game() -> None:
    # the first has three in a column and plays elsewhere; the second then wins with its own column
    match = played(FOUR, 2, (0, 1, 0, 1, 0, 1, 3, 1))
    assert match.over
    assert match.standings == (2, 1)
    missed = thorp.analyse(match, 0, 6, Effort(playouts=400))
    assert missed.best.move == 0
    assert missed.best.chance == 1
    assert missed.best.chance_error == 0
    assert missed.played is not None
    assert (missed.played.move, missed.seat, missed.ply) == (3, 0, 6)
    # by random looking ahead the second does not always find its answer, mostly it does
    assert missed.cost == missed.best.chance - missed.played.chance > 0.5
    taken = thorp.analyse(match, 1, 7, Effort(playouts=400))
    assert taken.played == taken.best
    assert taken.cost == 0


def test_begin_and_luck_less_cost_is_the_result() -> None:
    match = played(FOUR, 2, (0, 1, 0, 1, 0, 1, 3, 1))
    for seat, result in ((0, 0), (1, 1)):
        judged = tuple(review(match, seat, Effort(playouts=100)))
        assert [each.ply for each in judged] == list(range(seat, 8, 2))
        whole = balance(match, seat, judged)
        assert whole.result == result
        assert not whole.by_points
        assert whole.begin + whole.luck - whole.cost == pytest.approx(result)
        assert len(whole.gifts) == len(judged)
    dearest = balance(match, 0, tuple(review(match, 0, Effort(playouts=100)))).dearest(2)
    assert dearest[0].ply == 6
    assert all(one.cost >= other.cost > 0 for one, other in pairwise(dearest))


def test_what_the_last_one_to_build_comes_to_is_not_known_for_certain() -> None:
    """Villagers: nobody else decides any more, so all games are the same, and better ones may be there all the same."""
    match, dice = Match("villagers", 2, seed=122), random.Random(122)

    def is_last() -> bool:
        state = match.state
        return state["phase"] == BUILD and state["ended"] == 1 and not state["piles"][:STACKS].any()

    while not is_last():
        match.play(seat := match.waiting[0], choose("learned", match, seat, dice.getrandbits(31)))
    judged = analyse(match, match.waiting[0], effort=Effort(playouts=400))
    assert len(judged.moves) > 1
    last = match.copy()
    last.play(last.waiting[0], judged.best.move)
    assert not last.over
    assert judged.best.points_error == UNTRIED


def test_alone_the_result_is_the_points() -> None:
    match = Match(PEBBLES, 1, seed=2)
    while not match.over:
        match.play(0, match.legal(0)[-1])
    whole = balance(match, 0, ())
    assert (whole.by_points, whole.result, whole.begin, whole.luck) == (True, match.scores[0], match.scores[0], 0)


def test_of_a_tie_each_has_a_part_of_the_win() -> None:
    match = played(FOUR, 2, [int(column) for column in "54506245504110456531122626636203033431421"])
    assert match.standings == (1, 1)
    assert [balance(match, seat, ()).result for seat in (0, 1)] == [0.5, 0.5]
    # and so it is where games are played on: here there is one column left, and nobody can win by it
    last = analyse(match, match.log()[-1].seat, match.ply - 1, Effort(playouts=20))
    assert [(each.chance, each.chance_error) for each in last.moves] == [(0.5, 0.0)]


def test_what_was_found_is_compared_in_other_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """In those that made a move look best it is too good."""
    seeds: list[int] = []

    think = analysis._Study._think

    def noting(study: Any, way: Way, part: float, seed: int, seen: Sequence[int]) -> tuple[Judged, ...]:
        seeds.append(seed)
        return think(study, way, part, seed, seen)

    monkeypatch.setattr(analysis._Study, "_think", noting)
    for match in (played(FOUR, 2, (3,)), Match("valeria", 2, seed=3), Match("villagers", 3, seed=3)):
        seeds.clear()
        analyse(match, match.waiting[0], effort=Effort(playouts=40))
        assert len(seeds) >= 2
        assert seeds[0] not in seeds[1:]


def test_what_a_seat_chose_beside_others_is_its_own_choice() -> None:
    """All decide at once: the move that comes next in the record is that of another seat."""
    match = Match(PEBBLES, 3, seed=4)
    stones = (2, 0, 1)
    for seat, stone in enumerate(stones):
        match.play(seat, PICK_MOVE + stone)
    judged = [analyse(match, seat, 0, Effort(playouts=20)) for seat in range(3)]
    assert [each.played and each.played.move - PICK_MOVE for each in judged] == [*stones]


def test_no_move_costs_less_than_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the one with the better chance promises fewer points, so that a search likes another one better."""
    chance = Judged(3, 20, 5_100.0, 90.0, 0.6, 0.1, 1.0, 0.2)
    points = Judged(2, 20, 5_900.0, 90.0, 0.5, 0.1, 9.0, 0.2)
    clear = replace(chance, first=0.9)
    for other, order in ((chance, [2, 3]), (clear, [3, 2])):
        # `other` is there when this is called, and not later
        monkeypatch.setattr(Thought, "think", lambda *_, other=other, **more: (points, other))
        judged = thorp.analyse(played(FOUR, 2, (3,)), 0, 0)
        assert [each.move for each in judged.moves] == order
        assert judged.cost == 0
        assert judged.settled().worth_after == other.first
    cheap = thorp.analyse(played(FOUR, 2, (2,)), 0, 0)
    assert cheap.best.move == 3
    assert cheap.cost == pytest.approx(0.4)
    assert cheap.worth_after == 0.5


def test_a_game_alone_is_judged_by_points() -> None:
    match = played("tiny-towns", 1)
    seat = match.waiting[0]
    judged = thorp.analyse(match, seat, effort=Effort(playouts=6))
    assert judged.by_points
    assert judged.played is None
    assert judged.cost == 0
    assert judged.worth(judged.best) == judged.best.points != 0
    # against the Countess it is the chance to win that counts
    alone = played("villagers", 1)
    assert not thorp.analyse(alone, 0, effort=Effort(playouts=2)).by_points


def test_what_is_hidden_has_no_part_in_it() -> None:
    for seats in PEBBLES.seats:
        match = played(PEBBLES, seats, seed=seats)
        while not match.over:
            seat = match.waiting[-1]
            asked = thorp.analyse(match, seat, effort=Effort(playouts=30))
            other = match.copy()
            PEBBLES.determinize(other.state, seat, 3)
            others = Analysis(*_by_state(other, seat, 30))
            assert others.moves == asked.moves
            match.play(seat, match.legal(seat)[-1])


def _by_state(match: Match, seat: int, playouts: int) -> tuple:
    judged = judge(match.game, match.state, match.seats, seat, match.ply, None, Effort(playouts=playouts))
    return judged.seat, judged.ply, judged.moves, None, judged.by_points


def test_the_same_seed_says_the_same_and_every_game_is_played() -> None:
    match = played(FOUR, 2, (3, 3))
    once, again = (thorp.analyse(match, 0, effort=Effort(playouts=300, seed=4)) for _ in range(2))
    assert once == again
    assert once != thorp.analyse(match, 0, effort=Effort(playouts=300, seed=5))
    assert {each.move for each in once.moves} == set(match.legal(0))
    # half of the games finds the best three, the other half compares them
    assert sorted(each.games for each in once.moves)[-3:] == [50, 50, 50]
    last = played(FOUR, 2, (0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1))
    assert sum(each.games for each in thorp.analyse(last, 0, effort=Effort(playouts=100)).moves) >= 50


def test_a_review_can_be_stopped() -> None:
    match = played(FOUR, 2, (0, 1, 0, 1, 0, 1, 3, 1))
    stop = Stop()
    found = review(match, 0, Effort(playouts=20), stop=stop)
    next(found)
    stop()
    assert list(found) == []


def test_stopped_while_the_best_are_compared_it_tells_what_was_found() -> None:
    class Late(Stop):
        thoughts = 0

        def ends(self, thought: Thought) -> None:
            self.thoughts += 1
            if self.thoughts == 2:
                thought.stop()
            super().ends(thought)

    match = played(FOUR, 2, (0, 1, 0, 1, 0, 1, 3, 1))
    found = thorp.analyse(match, 0, 6, Effort(playouts=200), stop=Late())
    assert all(each.games for each in found.moves)
    assert found.best.move == 0
    assert found.best.chance == 1.0
    assert found.cost > 0


def test_nothing_is_surer_than_so_few_games_can_make_it() -> None:
    """One game more could have come out otherwise, also where all have come to the same; but for what ends it."""
    match = played(FOUR, 2, (0, 1, 0, 1, 0, 1))
    for playouts in (8, 60):
        others = [each for each in thorp.analyse(match, 0, effort=Effort(playouts=playouts)).moves if each.move]
        agreed = [each for each in others if each.chance in (0.0, 1.0)]
        assert agreed
        for each in agreed:
            assert each.chance_error == pytest.approx(1 / (each.games + 1))
    thought = Thought(PEBBLES, Match(PEBBLES, 1).state, 1, 0, 1, Way(candidates=1))
    one = Expected.of(thought.think(playouts=1, to_the_end=True)[0])
    assert one.games == 1
    assert one.points_error == one.points > 0


@pytest.mark.parametrize(
    ("seat", "ply", "effort", "said"),
    [
        (0, 99, {}, "plies 0 to 2, not 99"),
        (0, True, {}, "plies 0 to 2, not True"),
        (1, 0, {}, "seat 1 has nothing to decide after 0 moves"),
        (7, 0, {}, "there is no seat 7; seats are 0 to 1"),
        ("a", 0, {}, "there is no seat 'a'"),
        (0, 0, {"seconds": "x"}, "not in 'x'"),
        (0, 0, {"playouts": 0}, "1 to 10000000 games, not by 0"),
        (0, 0, {"playouts": 10**30}, "1 to 10000000 games, not by 10"),
        (0, 0, {"seconds": 0.0}, "in more than 0 and up to 3600 seconds, not in 0.0"),
        (0, 0, {"seconds": float("nan")}, "not in nan"),
        (0, 0, {"seed": -1}, "a seed of judging"),
    ],
)
def test_what_is_impossible_is_refused(seat: Any, ply: int, effort: dict, said: str) -> None:
    with pytest.raises(GameError, match=said):
        thorp.analyse(played(FOUR, 2, (3, 3)), seat, ply, Effort(**effort))


@pytest.mark.parametrize("seat", [2, -1, "a", None, 1.0, True])
def test_a_seat_that_is_not_there_is_refused_by_all(seat: Any) -> None:
    match = played(FOUR, 2, (0, 1, 0, 1, 0, 1, 3, 1))
    for asked in (
        lambda: balance(match, seat, ()),
        lambda: carry_back(match, seat, ()),
        lambda: review(match, seat),
        lambda: analyse(match, seat, 0),
        lambda: judge(FOUR, match.at(0).state, 2, seat, 0),
    ):
        with pytest.raises(IllegalMove, match="there is no seat"):
            asked()


def test_decisions_of_another_seat_are_refused() -> None:
    """Their luck and costs would add up to the result all the same, and say nothing."""
    match = played(FOUR, 2, (0, 1, 0, 1, 0, 1, 3, 1))
    judged = tuple(review(match, 0, Effort(playouts=20)))
    for asked in (lambda: balance(match, 1, judged), lambda: carry_back(match, 1, judged)):
        with pytest.raises(GameError, match="the decision after 0 moves is one of seat 0, not of seat 1"):
            asked()


def test_what_is_no_effort_is_refused() -> None:
    match = played(FOUR, 2, (3, 3))
    nothing: Any = None
    for asked in (lambda: analyse(match, 0, effort=nothing), lambda: review(match, 0, nothing)):
        with pytest.raises(GameError, match="an Effort, not None"):
            asked()


def test_what_was_not_decided_is_not_settled() -> None:
    undecided = thorp.analyse(played(FOUR, 2, (3,)), 1, effort=Effort(playouts=20))
    with pytest.raises(GameError, match="seat 1 has not played after 1 moves"):
        undecided.settled()


def test_luck_is_told_at_the_end_only() -> None:
    with pytest.raises(GameError, match="when a match is over"):
        balance(played(FOUR, 2), 0, ())


@pytest.mark.parametrize(("name", "by_net"), [("valeria", True), ("villagers", False)])
def test_games_are_played_to_their_end_by_a_net_that_chooses(
    name: str, by_net: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = Match(name, 2, seed=3)
    seat = match.waiting[0]
    # nobody stops short of the end
    monkeypatch.setattr(analysis, "_ALL_SHORT", Way(learned=False))
    judged = analyse(match, seat, effort=Effort(playouts=100))
    assert all(each.points > 0 for each in judged.moves)
    monkeypatch.setattr(analysis, "learned_for_search", lambda *_: None)
    assert (analyse(match, seat, effort=Effort(playouts=100)) != judged) == by_net


@pytest.mark.parametrize("name", ["valeria", "villagers"])
def test_the_strongest_player_says_which_moves_are_best(name: str) -> None:
    """What stops short of the end says how likely they win, games to the end to how many points they come."""
    match, strongest, looked = Match(name, 2, seed=3), LEVELS[-1].way, 0
    learned = learned_for_search(match.game, match.state, 2, strongest)
    while looked < 3:
        seat = match.waiting[0]
        legal = match.legal(seat)
        if len(legal) < 4:
            match.play(seat, legal[0])
            continue
        judged = analyse(match, seat, effort=Effort(playouts=400))
        thought = Thought(match.game, match.state, 2, seat, match.ply << 2, strongest, learned)
        best = thought.think(playouts=200, to_the_end=True)
        compared = judged.moves[:3]
        assert {each.move for each in compared} == {each.move for each in best[:3]}
        assert [each.games for each in compared] == [27] * 3
        assert all(each.points > 0 for each in judged.moves)
        # to their end 27 games tell a chance to within 10 of 100
        assert all(0 < each.chance < 1 and each.chance_error < 0.075 for each in compared)
        match.play(seat, judged.best.move)
        looked += 1


@pytest.mark.parametrize("name", ["valeria", "villagers"])
@pytest.mark.parametrize("seats", [2, 4])
def test_the_last_decision_is_worth_what_it_came_to(name: str, seats: int) -> None:
    match, dice = Match(name, seats, seed=6), random.Random(6)
    while not match.over:
        seat = match.waiting[0]
        match.play(seat, choose("learned", match, seat, seed=dice.getrandbits(30)))
    steps = list(match.steps())
    ply = max(ply for ply, step in enumerate(steps) if len(match.game.legal_moves(step.before, step.seat)) > 1)
    seat = steps[ply].seat
    judged = analyse(match, seat, ply, Effort(playouts=200))
    assert judged.played
    assert judged.played.chance == pytest.approx(float(match.standings[seat] == 1), abs=0.05)
    assert judged.played.points == pytest.approx(match.scores[seat], abs=3)
    # of a move that ends the match nothing is estimated
    assert (judged.played.chance_error == 0) == (ply + 1 == len(steps))


def said(mean: float, error: float, games: int = 400, move: int = 1) -> Judged:
    return Judged(move, games, mean, error, 0.0, 0.0, 0.0, 0.0)


def test_of_moves_that_differ_in_nothing_that_a_net_sees_the_best_is_compared() -> None:
    """Onto which stack a card is given up in Villagers, or onto which pile one is discarded in Valeria."""
    for name, family, ply in (("villagers", "exchange", 20), ("valeria", "discard", 4)):
        match = until(name, family, ply)
        seat = match.waiting[0]
        steps = partial(match.game.face.steps, match.state, seat)
        assert len(match.legal(seat)) > 24
        judged = analyse(match, seat, effort=Effort(playouts=300))
        compared = judged.foremost(3)
        assert len(compared) > 1
        assert len({steps(each.move)[:-1] or steps(each.move) for each in compared}) == len(compared)
        # what was played is compared as well, also where only the stack is another one
        best = judged.best.move
        other = next(move for move in match.legal(seat) if move != best and steps(move)[:-1] == steps(best)[:-1])
        again = judge(match.game, match.state, 2, seat, match.ply, other, Effort(playouts=300))
        assert again.played
        assert again.played.games == again.best.games


def test_where_a_net_sees_no_difference_at_all_moves_are_compared_all_the_same() -> None:
    alike = tuple(replace(said(9.0 - move, 1.0, move=move), promise=7) for move in range(4))
    assert analysis._unlike(alike) == alike
    other = replace(alike[3], promise=6)
    assert analysis._unlike((*alike[:3], other)) == [alike[0], other]
    # by `evaluate` moves that are worth the same may be anything
    rough = tuple(replace(each, promise=None) for each in alike)
    assert analysis._unlike(rough) == [*rough]


def test_games_to_the_end_tell_how_far_they_lie_apart() -> None:
    # two moves, in four games each 8 points more or less than 5, and than 9
    spread = Spread.of([said(mean * TELLING, 8 * TELLING / 2, games=4) for mean in (5, 9)])
    assert spread.points == pytest.approx((8 * 8 * 8 / 6) ** 0.5)
    assert spread.error == pytest.approx((1 / 12) ** 0.5), "of six games beyond the first"
    # of one game each around 7: 4 and 4 squared, by one less than there are
    assert Spread.of([said(mean * TELLING, 0, games=1) for mean in (3, 7, 11)]).points == pytest.approx(4)
    assert Spread.of([said(5 * TELLING, 0, games=1)]) == Spread.of([]) == Spread(0.0, 0.0)
    # with one other it is that of a difference; the best of several is less spread than one
    assert Spread(10.0, 0.1).of_one(2) == pytest.approx(10 / 2**0.5)
    dice = np.random.default_rng(1)
    for seats in (3, 4, 5, 6):
        points = dice.normal(size=(200_000, seats))
        ahead = points[:, 0] - points[:, 1:].max(axis=1)
        assert Spread(float(ahead.std()), 0.1).of_one(seats) == pytest.approx(1, abs=0.01)


def test_how_far_one_is_ahead_tells_the_chance() -> None:
    def chance_of(judged: Judged, beside: bool, points: float = 20, error: float = 0.0) -> Chance:
        return Chances([judged], {}, Spread(points, error), 100, beside=beside).of(judged)

    # of the normal distribution as tables have it: half, and 84.13 of 100 at one standard deviation
    for ahead, chance in ((0, 0.5), (20, 0.8413), (-20, 0.1587), (40, 0.9772)):
        points = chance_of(said(ahead * FINE, 0.2 * FINE), beside=False)
        both = chance_of(said(10_000 * chance + 100 * ahead, 10), beside=True)
        assert points.chance == pytest.approx(chance, abs=2e-4)
        assert both.chance == pytest.approx(chance, abs=2e-4)
    # 0.3989 / 20 is what a point more is worth where both are level: 2 of them 4 of 100
    assert chance_of(said(0, 2 * FINE), beside=False).error == pytest.approx(0.0397, abs=2e-4)
    # and with 100 for a point in the same number that is 299.5 for a point more
    assert chance_of(said(5000, 299.5), beside=True).error == pytest.approx(0.01995, abs=2e-4)
    assert chance_of(said(500 * FINE, 0), beside=False).error > 0, "nothing is sure"
    # who is not sure how far ahead one is cannot be sure of the game; and no error is more than a half
    unsure = chance_of(said(-4 * FINE, 2 * FINE), beside=False, points=0.9)
    assert 0.02 < unsure.chance < 0.05 < unsure.error < 0.2
    assert chance_of(said(0, 9 * FINE), beside=False, points=0.9).error <= 0.5
    # a tenth more or less of the spread is a tenth of what one is ahead by, for all moves alike
    for ahead, apart in ((20, -0.1 * 0.2420), (0, 0.0), (-20, 0.1 * 0.2420)):
        assert chance_of(said(ahead * FINE, 0.2 * FINE), beside=False, error=0.1).apart == pytest.approx(
            apart, abs=1e-3
        )


def test_few_games_tell_nothing_for_certain() -> None:
    """One game that ends forty points ahead does not tell that the next one is won."""

    def chance(games: int, error: float) -> Chance:
        compared = [said(40 * FINE, 0, games, move) for move in (1, 2)]
        ended = {each.move: said(40 * TELLING, 0, games, each.move) for each in compared}
        return Chances(compared, ended, Spread(5.0, error), 100, beside=False).of(compared[0])

    few, many = chance(1, 0.7), chance(400, 0.025)
    assert 0.9 < few.chance < 0.999 < many.chance
    assert few.error > 0.05 > 0.002 > many.error > 0
    # Student's distribution of five degrees of freedom has 1.29 times the width
    wide = Chances([said(5 * FINE, 0)], {}, Spread(5.0, 0.1**0.5), 100, beside=False).of(said(5 * FINE, 0, 10**9))
    assert wide.chance == pytest.approx(NormalDist().cdf(1 / (5 / 3) ** 0.5), abs=0.002)


def test_what_moves_have_in_common_of_their_errors_tells_them_apart_by_what_differs() -> None:
    one, other = Expected(1, 9, 0.5, 0.13, 9.0, 1.0, 0.12, 0.0), Expected(2, 9, 0.9, 0.13, 9.0, 1.0, 0.04, -0.03)
    own = (0.13**2 - 0.12**2, 0.13**2 - 0.04**2 - 0.03**2)
    assert one.apart_error(other) == pytest.approx((sum(own) + 0.08**2 + 0.03**2) ** 0.5)
    assert one.apart_error(one) == pytest.approx((2 * own[0]) ** 0.5)
    assert one.apart_error(other, by_points=True) == pytest.approx(2**0.5)
    assert one.by_itself(2).apart_error(other.by_itself(1)) == pytest.approx(0.13 * 2**0.5)


def test_few_games_that_stop_short_tell_as_much_as_they_do() -> None:
    """Of five games a move the error of each move is nearly left to chance: how far they lie apart is told by all."""
    compared = [said(ahead * FINE, error * FINE, 5, move) for move, ahead, error in ((1, 0, 0.2), (2, 1, 1.8))]
    chances = Chances(compared, {}, Spread(20.0, 0.0), 100, beside=False)
    one, other = map(chances.of, compared)
    apart = ((0.2**2 + 1.8**2) * 25 / 8) ** 0.5 / 5**0.5
    assert one.error == pytest.approx(0.3989 * apart / 20, abs=1e-3) == pytest.approx(other.error, abs=1e-3)


def test_where_games_to_the_end_come_to_something_else_the_net_is_not_believed() -> None:
    def chance(ahead: float, end: float, points: float, games: int = 16) -> Chance:
        compared = said(ahead * FINE, 0.1 * FINE)
        ended = {1: said(end * TELLING, points * TELLING / games**0.5, games)}
        return Chances([compared], ended, Spread(points, 0.0), 100, beside=False, wrong_by=6.0).of(compared)

    # games that hardly differ any more all end well, where a net has thought the seat behind
    late = chance(-4.4, 2.8, 0.9, games=11)
    assert late.chance > 0.9
    # of games that lie far apart a few come to anything: what the net says stands, and is the less sure
    early = chance(-4.4, 8.8, 30)
    assert abs(early.chance - chance(-4.4, -4.4, 30).chance) < 0.08
    assert early.error > early.ahead > 0.02
    # and all of it is for all moves alike
    moves = [said(ahead * FINE, 0.1 * FINE, move=move) for move, ahead in ((1, 0.0), (2, 1.0))]
    ended = {each.move: said(8 * TELLING, 3 * TELLING, 4, each.move) for each in moves}
    both = [Chances(moves, ended, Spread(6.0, 0.0), 100, beside=False, wrong_by=6.0).of(each) for each in moves]
    alone = [Chances(moves, {}, Spread(6.0, 0.0), 100, beside=False, wrong_by=6.0).of(each) for each in moves]
    surely = [Chances(moves, ended, Spread(6.0, 0.0), 100, beside=False).of(each) for each in moves]
    assert surely[0].chance == pytest.approx(0.5), "of a net that is never wrong nothing is put down to it"
    assert both[0].chance > alone[0].chance + 0.1
    assert both[1].chance > both[0].chance


def test_where_games_to_the_end_tell_each_move_otherwise_each_is_moved_by_its_own() -> None:
    """One number for all would lift the best by what a net has thought too little of the others."""
    aheads, ends = (-7.3, -28.8, -30.2), (-13.0, -14.9, -14.9)
    moves = [said(ahead * FINE, FINE, 800, move) for move, ahead in enumerate(aheads)]

    def told(ends: tuple[float, ...], games: int = 320) -> list[Chance]:
        ended = {move: said(end * TELLING, 4 * TELLING / games**0.5, games, move) for move, end in enumerate(ends)}
        return [*map(Chances(moves, ended, Spread(4.0, 0.02), 100, beside=False, wrong_by=1.6).of, moves)]

    best, *others = told(ends)
    assert best.chance < 0.01
    assert all(other.chance < best.chance for other in others)
    # as if a net had said just that, and as sure as so many games are
    assert best.chance == pytest.approx(NormalDist().cdf(-13 / 4), abs=0.001)
    # where all come to as much more than it says, as far as chance goes, it is right about how far they lie apart
    alike = told((-3.3, -24.7, -26.4))
    assert alike[0].chance == pytest.approx(NormalDist().cdf(-3.4 / 4), abs=0.02)
    # and few games tell no move from another
    few = told((-7.3, -26.0, -33.0), games=4)
    assert few[0].chance == pytest.approx(NormalDist().cdf(-7.3 / 4), abs=0.03)


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_where_players_see_more_than_a_net_chances_are_nearer_to_an_even_one(seats: int) -> None:
    def told(ahead: float, wider: float) -> Chance:
        compared = said(ahead * FINE, 0.1 * FINE)
        return Chances([compared], {}, Spread(20.0, 0.0), 100, beside=False, wider=wider, seats=seats).of(compared)

    normal = NormalDist()
    even = normal.inv_cdf(1 / seats)
    assert told(20 * even, 0.7).chance == pytest.approx(1 / seats, abs=1e-3), "who is as good as all others"
    for ahead in (-45, -10, 0, 10, 45):
        one, other = told(20 * even + ahead, 0.0), told(20 * even + ahead, 1.0)
        assert one.chance == pytest.approx(normal.cdf(even + ahead / 20), abs=1e-3)
        assert abs(other.chance - 1 / seats) <= abs(one.chance - 1 / seats) + 1e-6
        # half a point more ahead is less to either
        assert told(20 * even + ahead + 0.5, 1.0).chance > other.chance
        # and both are told to be unsure by how far one may be ahead
        assert other.error > 0


@pytest.mark.parametrize(("value", "chance"), [(0.0, 0.5), (1.638, 0.9), (2.353, 0.95), (3.182, 0.975), (5.841, 0.995)])
def test_what_turns_a_game_that_seemed_decided_is_told_by_heavier_tails(value: float, chance: float) -> None:
    """Tables of Student's distribution: between two, of whom one is ahead by twice as many standard deviations."""
    compared = said(value * 2 * 20 * FINE, 0.001 * FINE, games=10**6)
    for sign in (1, -1):
        judged = replace(compared, mean=sign * compared.mean)
        chances = Chances([judged], {}, Spread(20.0, 0.0), 100, beside=False, wider=1.0, seats=2)
        assert chances.of(judged).chance == pytest.approx(0.5 + sign * (chance - 0.5), abs=2e-4)


@pytest.mark.parametrize("name", ["valeria", "villagers"])
def test_what_is_known_of_a_net_counts_where_chances_are_told(name: str) -> None:
    """How far it is wrong, and how much farther apart games of players who search lie (`Net`)."""
    match = Match(name, 2, seed=5)
    while match.ply < 60 or len(match.legal(match.waiting[0])) < 3:
        seat = match.waiting[0]
        match.play(seat, choose("learned" if seat else "random", match, seat, seed=match.ply))
    seat, effort = match.waiting[0], Effort(playouts=200)
    net = match.game.net
    assert isinstance(net, Net)

    def best(**facts: float) -> Expected:
        before = {fact: getattr(net, fact) for fact in facts}
        try:
            # what is frozen; a game and its net are the same for all tests
            for fact, value in facts.items():
                object.__setattr__(net, fact, value)
            return analyse(match, seat, effort=effort).best
        finally:
            for fact, value in before.items():
                object.__setattr__(net, fact, value)

    as_it_is = best()
    assert (best(wider=0.0) != as_it_is) == (net.wider > 0)
    assert abs(best(wider=net.wider + 1).chance - 0.5) < abs(as_it_is.chance - 0.5)
    assert best(wrong_by=0.0).chance != as_it_is.chance


def test_what_was_only_looked_at_is_told_beside_what_was_compared() -> None:
    """Another search looks further, or less far: what lies between its figures and those that count is made up for."""
    found = [said(ahead * FINE, 0.1 * FINE, move=move) for move, ahead in ((1, 10.0), (2, 8.0), (3, 4.0))]
    compared = [said(ahead * FINE, 0.1 * FINE, move=move) for move, ahead in ((1, 0.0), (2, -2.0))]
    chances = Chances(compared, {}, Spread(20.0, 0.0), 100, beside=False)
    assert chances.beside(found[2], found).chance == pytest.approx(chances.of(said(-6 * FINE, 0.1)).chance)


def test_the_best_of_several_others_is_better_than_what_a_net_says_of_any() -> None:
    """Where next to nothing is known of them, the best of three others comes to 0.846 standard deviations more."""
    learned = learned_for_search(thorp.game("villagers"), Match("villagers", 4).state, 4, LEVELS[-1].way)

    def ahead(seats: int, unsure: float) -> float:
        match = Match("villagers", seats, seed=11)
        way = Way(candidates=1, peers=True, unsure=unsure)
        thought = Thought(match.game, match.state, seats, match.waiting[0], 1, way, learned)
        return thought.think(playouts=20, to_the_end=True)[0].mean / FINE

    # the means of the largest of so many normally distributed ones, as tables have them
    for seats, larger in ((2, 0.0), (3, 0.564), (4, 0.846), (5, 1.029)):
        assert ahead(seats, 0.0) - ahead(seats, 1000.0) == pytest.approx(1000 * larger, abs=25)
    assert 2 < ahead(4, 0.0) - ahead(4, 20.0) < 17


def first_looks(match: Match, playouts: int) -> list[Analysis]:
    """Every seat's first decision, judged; by some way the match comes to all of them."""
    found: dict[int, Analysis] = {}
    while len(found) < match.seats:
        seat = match.waiting[0]
        legal = match.legal(seat)
        if len(legal) > 1 and seat not in found:
            found[seat] = analyse(match, seat, effort=Effort(playouts=playouts))
        match.play(seat, choose("learned", match, seat, seed=match.ply) if len(legal) > 1 else legal[0])
    return list(found.values())


@pytest.mark.parametrize("name", ["valeria", "villagers"])
def test_chances_of_all_at_a_table_come_to_one_win(name: str) -> None:
    found = first_looks(Match(name, 4, seed=11), 200)
    assert sum(each.best.chance for each in found) == pytest.approx(1, abs=0.3)


@pytest.mark.usefixtures("nothing_learned")
def test_chances_of_all_at_a_table_that_has_learned_for_itself_come_to_one_win(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lessons, "ROUNDS", ((1, 1500),))
    match = Match("tiny-towns", 4, {"monuments": "no"}, seed=11)
    learn_for(match)
    found = first_looks(match, 800)
    assert sum(each.best.chance for each in found) == pytest.approx(1, abs=0.3)
    # those too that were not compared are told by the same measure
    others = [move.chance for each in found for move in each.moves[3:]]
    assert len(others) > 20
    assert sum(others) / len(others) == pytest.approx(0.25, abs=0.15)
    assert all(move.games for each in found for move in each.moves)


def test_the_strongest_player_is_not_followed_against_all_that_is_known() -> None:
    def expected(move: int, chance: float) -> Expected:
        return Expected(move, 100, chance, 0.05, 10.0 + move, 1.0)

    first, second, third = expected(1, 0.6), expected(2, 0.5), expected(3, 0.4)
    in_order = partial(analysis._in_order, [third, second, first], by_points=False)
    assert in_order(liked=1) == [first, second, third]
    assert in_order(liked=2) == [second, first, third], "0.1 may be chance"
    assert in_order(liked=3) == [first, second, third], "0.2 is more than twice 0.07"
    judged = Analysis(0, 0, tuple(in_order(liked=2)), first, by_points=False)
    assert (judged.cost, judged.noticed) == (0.0, False), "what was better has cost nothing"
    assert analysis._in_order([third, second, first], liked=2, by_points=True) == [third, second, first]


def test_the_foremost_are_of_those_that_were_compared_in_the_same_games() -> None:
    moves = tuple(Expected(move, games, 0.5, 0.05, 10.0, 1.0) for move, games in enumerate((50, 12, 50, 50)))
    judged = Analysis(0, 0, moves, None, by_points=False)
    assert [each.move for each in judged.foremost(3)] == [0, 2]
    assert [each.move for each in judged.foremost(4)] == [0, 2, 3]


def test_what_is_told_to_be_worse_in_all_is_not_told_first() -> None:
    """Not more sure than by chance, but what a strong player likes about it nobody is told."""

    def expected(move: int, chance: float, points: float) -> Expected:
        return Expected(move, 100, chance, 0.025, points, 1.0)

    def is_first(other: Expected) -> bool:
        liked, third = expected(1, 0.29, 5.0), expected(3, 0.2, 4.0)
        found = analysis._in_order([other, liked, third], 1, by_points=False)
        assert found[2] == third
        return found[0] == other

    assert is_first(expected(2, 0.34, 7.0))
    assert is_first(expected(2, 0.34, 5.0))
    assert is_first(expected(2, 0.294, 7.0))
    assert not is_first(expected(2, 0.34, 4.0)), "points speak for what is liked"
    assert not is_first(expected(2, 0.28, 8.0)), "chances do"
    assert not is_first(expected(2, 0.32, 5.5)), "that is less than errors are"


def test_what_is_lost_whatever_is_played_is_ordered_by_points() -> None:
    """Nobody is told to play what is worth twenty points less because a strong player looks at chances alone."""

    def lost(move: int, points: float, chance: float = 0.001, error: float = 1.0) -> Expected:
        return Expected(move, 100, chance, 0.001, points, error)

    liked, more, most = lost(1, 31.0, 0.004), lost(2, 49.0, 0.002), lost(3, 50.0, 0.0)
    in_order = partial(analysis._in_order, liked=1, by_points=False)
    assert in_order([liked, more, most]) == [most, more, liked]
    # one that is behind by no more than chance may make stays in front
    near = lost(1, 48.8, 0.004)
    assert in_order([near, more, most]) == [near, most, more]
    # what is won is no other case; and where one of them may still win, that is what counts
    won = [lost(each.move, each.points, 0.999) for each in (liked, more, most)]
    assert in_order(won) == [won[2], won[1], won[0]]
    assert in_order([liked, more, lost(3, 20.0, 0.3)])[0].move == 3


def test_what_people_are_told_adds_up() -> None:
    """By chances 42.6 and 2.2 less 45.6 is -0.8 of a hundred; rounded each by itself, the sum is -1."""
    moves = (Expected(1, 50, 0.426, 0.01, 0.0, 1.0), Expected(2, 50, 0.0, 0.01, 0.0, 1.0))
    decision = Analysis(0, 0, moves, moves[1], by_points=False)
    for by_points, result, told in ((False, 0.0, (0.43, 0.0, 0.43, 0.0)), (True, -10.0, (33.3, 62.6, 105.9, -10.0))):
        made = Balance(0, (decision,), by_points, result, 0.426)
        if by_points:
            dear = (Expected(1, 9, 0.0, 0.0, 33.26, 0.1), Expected(2, 9, 0.0, 0.0, -72.61, 0.1))
            made = Balance(0, (Analysis(0, 0, dear, dear[1], by_points=True),), by_points, result, 33.26)
        assert made.told == told
        begin, luck, cost, end = made.told
        assert round(begin + luck - cost, 1) == end


def _judged(best: float, played: float, error: float, ply: int = 0) -> Analysis:
    moves = tuple(Expected(move, 50, chance, error, 10.0, 1.0) for move, chance in ((1, best), (2, played)))
    return Analysis(0, ply, moves, moves[1], by_points=False)


def test_what_a_move_led_to_tells_what_it_was_worth() -> None:
    """Where nobody else moves and nothing is drawn, two looks at one position are one; elsewhere they stay."""
    match = Match(PEBBLES, 1, seed=2)
    while not match.over:
        match.play(0, match.legal(0)[-1])
    judged = list(review(match, 0, Effort(playouts=40)))
    found = carry_back(match, 0, judged)
    assert [each.ply for each in found] == [each.ply for each in judged]
    gifts = balance(match, 0, tuple(found)).gifts
    # who has chosen a stone learns how many pebbles there are; who takes some knows what is left.
    takes = [number for number, each in enumerate(found) if each.played and each.played.move >= TAKE_MOVE]
    assert len(takes) > 1
    for number in takes[:-1]:
        assert gifts[number] == 0, "nothing was drawn"
        assert found[number].played == replace(found[number + 1].settled().best, move=judged[number].played.move)
    for number in {*range(len(found))} - {*takes}:
        assert gifts[number] != 0
        assert found[number] == judged[number]
    # what was dealt face down is told at the end
    assert found[-1] == judged[-1]


@pytest.mark.parametrize(("found", "cost"), [(0.9, 0.0), (0.6, 0.1), (0.5, 0.2), (0.3, 0.2)])
def test_a_later_look_makes_no_decision_cost_more(found: float, cost: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """A move is thought to be worth 0.5, where 0.7 were to be had; the position that it leads to, so much."""
    match = Match(PEBBLES, 1, seed=4)
    while not match.over:
        match.play(0, match.legal(0)[-1])
    # the later decision is looked at first, and leads to something that is drawn
    foreseen = iter((False, True))
    monkeypatch.setattr(analysis, "_is_foreseen", lambda *_: next(foreseen))
    before, after = carry_back(match, 0, [_judged(0.7, 0.5, 0.01, ply=0), _judged(found, found, 0.01, ply=1)])
    assert before.played
    assert before.played.chance == found == after.worth_before
    assert before.cost == pytest.approx(cost)


@pytest.mark.parametrize(("found", "cost"), [(13.0, 0.0), (11.0, 1.0), (10.0, 2.0), (4.0, 2.0)])
def test_nor_more_points(found: float, cost: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same alone: a move is thought to bring 10 points, where 12 were to be had."""
    match = Match(PEBBLES, 1, seed=4)
    while not match.over:
        match.play(0, match.legal(0)[-1])
    foreseen = iter((False, True))
    monkeypatch.setattr(analysis, "_is_foreseen", lambda *_: next(foreseen))
    moves = [Expected(move, 50, 0.5, 0.1, points, 0.1) for move, points in ((1, 12.0), (2, 10.0), (3, found))]
    first = Analysis(0, 0, (moves[0], moves[1]), moves[1], by_points=True)
    before, after = carry_back(match, 0, [first, Analysis(0, 1, (moves[2],), moves[2], by_points=True)])
    assert before.played
    assert before.played.points == found == after.worth_before
    assert before.cost == pytest.approx(cost)


def test_a_later_look_makes_no_chance_less_than_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """All moves are thought too much of alike; but what was worth next to nothing is not worth less."""
    match = Match(PEBBLES, 1, seed=4)
    while not match.over:
        match.play(0, match.legal(0)[-1])
    foreseen = iter((False, True))
    monkeypatch.setattr(analysis, "_is_foreseen", lambda *_: next(foreseen))
    first = _judged(0.7, 0.5, 0.01)
    first = replace(first, moves=(*first.moves, Expected(3, 50, 0.1, 0.01, 10.0, 1.0)))
    before, _ = carry_back(match, 0, [first, _judged(0.2, 0.2, 0.01, ply=1)])
    assert [each.chance for each in before.moves] == [pytest.approx(0.4), 0.2, 0.0]


def test_of_a_match_that_runs_the_last_decision_is_not_worth_how_it_stands() -> None:
    """Though nothing was drawn since, and nobody else has moved: more is to come."""
    match = Match(PEBBLES, 1, seed=2)
    for _ in range(2):
        match.play(0, match.legal(0)[-1])
    assert not match.over
    judged = [_judged(0.7, 0.5, 0.01, ply=1)]
    assert carry_back(match, 0, judged) == judged


def test_a_later_look_leaves_what_a_strong_player_likes_in_front(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was played was liked best, though another won a little more often: that it cost nothing stands."""
    match = Match(PEBBLES, 1, seed=4)
    while not match.over:
        match.play(0, match.legal(0)[-1])
    foreseen = iter((False, True))
    monkeypatch.setattr(analysis, "_is_foreseen", lambda *_: next(foreseen))
    liked, other = Expected(2, 50, 0.5, 0.05, 10.0, 1.0), Expected(1, 50, 0.61, 0.03, 10.0, 1.0)
    first = Analysis(0, 0, (liked, other), liked, by_points=False)
    assert first.cost == 0
    before, _ = carry_back(match, 0, [first, _judged(0.5, 0.5, 0.001, ply=1)])
    assert before.best == before.played
    assert (before.cost, before.settled().cost) == (0, 0)


def test_a_move_that_wins_is_worth_the_game() -> None:
    match = played(FOUR, 2, (0, 1, 0, 1, 0, 1, 3, 1))
    worse = [replace(each, played=replace(each.moves[0], chance=0.3)) for each in review(match, 1, Effort(playouts=20))]
    *_, last = carry_back(match, 1, worse)
    assert (last.played.chance, last.played.chance_error, last.cost) == (1.0, 0.0, 0.0)
    assert carry_back(match, 1, worse)[:-1] == worse[:-1], "the other moved in between"


def test_a_cost_within_twice_its_error_counts_for_nothing() -> None:
    noticed, hidden = _judged(0.6, 0.4, 0.06), _judged(0.6, 0.4, 0.08)
    assert noticed.cost_error == pytest.approx(0.06 * 2**0.5)
    assert (noticed.noticed, hidden.noticed) == (True, False)
    assert noticed.settled().cost == noticed.cost == pytest.approx(0.2)
    assert (hidden.settled().cost, hidden.settled().worth_before) == (0, 0.4)
    # what was not played has cost nothing
    assert not Analysis(0, 0, hidden.moves, None, by_points=False).noticed


def test_the_dearest_are_judged_once_more() -> None:
    costs = [0.1, 0.0, 0.3, 0.2, 0.05, 0.4, 0.15]
    judged = [_judged(0.5, 0.5 - cost, 0.1) for cost in costs]
    assert doubtful(judged) == [5, 2, 3, 6, 0]
    assert doubtful([judged[1]]) == []


def test_what_is_told_instead_is_judged_once_more_as_well() -> None:
    costs = [0.1, 0.0, 0.3, 0.2, 0.05, 0.4, 0.15, 0.04]
    judged = [_judged(0.5, 0.5 - cost, 0.01) for cost in costs]
    again = {5, 2, 3, 6, 0}
    assert doubtful(judged, again) == []
    # three of them cost less than it seemed: of the three dearest one was judged once only
    for number in (5, 2, 3):
        judged[number] = _judged(0.5, 0.48, 0.001)
    assert doubtful(judged, again) == [4]
    # what is within twice its error is not told, and not doubted
    judged[4] = _judged(0.5, 0.45, 0.05)
    assert doubtful(judged, again) == [7]
    assert doubtful(judged, range(15)) == []


def test_where_no_line_was_found_none_is_told() -> None:
    """Not even that which was played: cards are still drawn there."""
    match = Match("valeria", 1, seed=2)
    while not match.over:
        match.play(0, match.legal(0)[-1])
    assert thorp.analyse(match, 0, 0, Effort(playouts=20)).line == ()
