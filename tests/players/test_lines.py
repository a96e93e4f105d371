"""Lines: what is found where nothing is left to chance is as good as trying everything, and is kept in mind."""

import random
from statistics import mean, pstdev

import connect_four
import numpy as np
import pytest

from thorp import Match, players
from thorp.players import Effort, Plan, Thought, Way, search
from thorp.players.fields import get, made
from thorp.players.lines import MOST_LINES, OPEN, Lines, is_new, place_for
from thorp.players.playouts import MOST_CANDIDATES, Tally, note
from thorp.players.search import UNTRIED
from thorp.players.tracker import Tracker

#: Each point of who plays alone, beside the 10,000 for having won against nobody.
POINT, WON = 100, 10_000
#: By then the three open cards and the twelve others of the pile have all been seen.
ALL_SEEN = 13


def alone(seed: int, empty: int = 16) -> Match:
    """Tiny Towns alone, played at random until all cards were seen, and no more than so many squares are empty."""
    match, dice = Match("tiny-towns", 1, seed=seed), random.Random(seed)
    while match.view(0).round < ALL_SEEN or left(match) > empty:
        moves = match.legal(0)
        match.play(0, dice.choice([move for move in moves if "done" not in match.words(0, move)] or moves))
    return match


def left(match: Match) -> int:
    """How many squares are empty."""
    return sum(not square.cube and square.building is None for square in match.view(0).towns[0].squares)


def best_of_all(match: Match, most: int) -> tuple[int, int]:
    """The most points that can still be reached, found by playing everything, and in how many positions.

    Raises RecursionError where there are more than `most`.
    """
    game, known = match.game, {}

    def best(state) -> int:
        legal = game.legal_moves(state, 0)
        if not legal:
            return int(game.score(state, 0))
        here = game.bytes(state)
        if here not in known:
            if len(known) > most:
                raise RecursionError
            ends = []
            for move in legal:
                after = game.copy(state)
                game.play(after, 0, move)
                ends.append(best(after))
            known[here] = max(ends)
        return known[here]

    return best(match.state), len(known)


def think(match: Match, playouts: int, way: Way | None = None, plan: Plan | None = None) -> tuple[players.Judged, ...]:
    """A search of a match that somebody plays alone."""
    return Thought(match.game, match.state, 1, 0, 5, way or Way(candidates=48), plan=plan).think(playouts=playouts)


@pytest.mark.parametrize(("seed", "empty"), [(4, 1), (11, 2), (14, 2), (18, 1), (28, 2), (37, 2), (42, 1), (45, 1)])
def test_enough_lines_find_the_best_end_there_is(seed: int, empty: int) -> None:
    match = alone(seed, empty)
    best, positions = best_of_all(match, most=10_000)
    assert positions > 100
    judged = think(match, 5000)
    assert judged[0].points == best
    assert judged[0].mean == WON + POINT * best


@pytest.mark.parametrize("seed", [0, 19, 27])
def test_there_is_no_more_to_think_about_where_all_was_tried(seed: int) -> None:
    match = alone(seed, empty=2)
    # or this would take weeks
    judged = think(match, 10**10)
    assert 0 < sum(each.games for each in judged) < 1000
    assert judged[0].points == best_of_all(match, most=1000)[0]
    assert judged[0].error == judged[0].points_error == 0


def test_lines_find_more_than_playing_the_same_game_again() -> None:
    found = []
    for seed in range(4):
        match = alone(seed)
        found.append([think(match, 600, Way(lines=lines))[0].points for lines in (0, 4)])
    games, lines = map(mean, zip(*found, strict=True))
    assert all(one <= other for one, other in found)
    assert lines > games + 3


@pytest.mark.parametrize("by_learning", [False, True])
def test_what_is_drawn_later_is_not_known(by_learning: bool) -> None:
    """As long as cards were not seen, games are dealt again, and what lines come to in them differs."""
    match = Match("tiny-towns", 1, {"monuments": "no"}, seed=3)
    game = match.game
    learned = np.random.default_rng(1).normal(size=game.net.learned).astype(np.float32) if by_learning else None

    def judged(state, lines: int = 2) -> tuple[players.Judged, ...]:
        return Thought(game, state, 1, 0, 5, Way(lines=lines), learned).think(playouts=60)

    here = judged(match.state)
    assert here[0].error > 0
    assert sum(each.games for each in here) == pytest.approx(60, abs=3)
    # lines are followed in these games where something was learned
    assert (here != judged(match.state, 0)) == by_learning
    other = game.copy(match.state)
    game.determinize(other, 0, 99)
    assert game.bytes(other) != game.bytes(match.state)
    assert judged(other) == here


def test_where_one_card_is_left_to_be_drawn_lines_are_not_taken_for_certain() -> None:
    """It can be but one, though no search knows that: all games are the same, and others may come to more."""
    match, dice = Match("tiny-towns", 1, seed=5), random.Random(5)
    while sum(match.plain.unseen) > 1 or len(match.legal(0)) < 4:
        moves = match.legal(0)
        match.play(0, dice.choice([move for move in moves if "done" not in match.words(0, move)] or moves))
    assert sum(match.plain.unseen) == 1
    learned = np.zeros(match.game.net.learned, np.float32)
    thought = Thought(match.game, match.state, 1, 0, 3, Way(candidates=4), learned)
    judged = thought.think(playouts=80)
    assert not thought.certain
    assert judged[0].games > 1
    assert all(each.points_error >= UNTRIED for each in judged if each.games > 1)
    assert all(each.error >= POINT * UNTRIED for each in judged if each.games > 1)


def test_a_line_that_was_found_is_kept_in_mind() -> None:
    """With hardly any time for the moves that follow, the game comes to what was found."""
    match, plan = alone(4), Plan()
    found = think(match, 5000, plan=plan)[0]
    assert plan.moves[0] == found.move
    forgetful = match.copy()
    while not match.over:
        seen = think(match, 2, Way(candidates=2), plan)[0]
        assert seen.points >= found.points
        assert seen.move == plan.moves[0]
        match.play(0, seen.move)
    while not forgetful.over:
        forgetful.play(0, think(forgetful, 2, Way(candidates=2))[0].move)
    assert match.scores[0] >= found.points > forgetful.scores[0]


def test_a_plan_that_does_not_fit_does_no_harm() -> None:
    match = alone(4)
    legal = match.legal(0)
    for moves in ((9999, 3), (legal[0],), (legal[0], 9999), tuple(legal) * 30):
        plan = Plan(moves)
        assert think(match, 200, plan=plan)[0].move in legal
        assert plan.moves[0] in legal
    # with others at the table nothing is planned
    table, plan = Match("tiny-towns", 2, {"monuments": "no"}, seed=1), Plan()
    players.choose("skilled", table, table.waiting[0], 1, plan)
    assert plan == Plan()


def test_a_review_knows_how_the_match_went_on() -> None:
    """Of who played alone and knew all, no decision is thought to be worth less than what came of it."""
    match = alone(4)
    ply, plan = match.ply, Plan()
    while not match.over:
        match.play(0, think(match, 100, Way(candidates=6), plan)[0].move)
    judged = players.analyse(match, 0, ply, Effort(playouts=20))
    assert judged.best.points >= judged.played.points >= match.scores[0]
    # a hint tells all moves that were compared
    assert len({each.games for each in judged.moves[:3]}) == 1
    reviewed = [each for each in players.review(match, 0, Effort(playouts=1)) if each.ply >= ply]
    assert len(reviewed) > 20
    assert all(each.best.points >= each.played.points >= match.scores[0] for each in reviewed)


def test_a_review_knows_what_hints_have_found() -> None:
    """Else it would call a mistake what a hint has told to be the best."""
    match, plan = alone(4), Plan()
    found = think(match, 2000, Way(candidates=6), plan)[0]
    line, little = plan.moves, Effort(playouts=1)
    worth = [
        players.judge(match.game, match.state, 1, 0, match.ply, effort=little, lines=lines) for lines in ((), (line,))
    ]
    assert worth[0].best.points < found.points <= worth[1].best.points
    # also further on, and beside lines of another position, as those of hints before something was taken back
    others = (tuple(reversed(line)), line, line[:1])
    for move in line[:3]:
        # what is forced was played by itself
        if move in match.legal(0):
            match.play(0, move)
    here = players.judge(match.game, match.state, 1, 0, match.ply, effort=little, lines=others)
    assert here.best.points >= found.points


def test_only_who_asks_for_it_keeps_a_line_for_each_move() -> None:
    """What the first of several searches has found, the next does not fall short of."""
    match, chooses, judges = alone(4), Plan(), Plan(lines={})
    found = {each.move: each for each in think(match, 2500, plan=judges)}
    assert set(judges.lines) == {move for move, each in found.items() if each.games}
    assert all(line[0] == move for move, line in judges.lines.items())
    again = think(match, 1, Way(candidates=48, halving=False), judges)
    assert all(each.points >= found[each.move].points for each in again if found[each.move].games)
    assert think(match, 100, plan=chooses)
    assert chooses.lines is None


@pytest.mark.parametrize(("seed", "all_tried"), [(0, True), (4, False)])
def test_what_lines_come_to_is_sure_only_where_all_were_tried(seed: int, all_tried: bool) -> None:
    match = alone(seed, empty=2 if all_tried else 16)
    judged = players.analyse(match, 0, effort=Effort(playouts=400))
    assert judged.line, "nothing is left to chance"
    for each in judged.moves:
        assert each.points_error == (0 if all_tried else UNTRIED)


def test_of_each_move_it_is_known_whether_all_its_lines_were_tried() -> None:
    """Also of those that were given up before the others had been tried."""
    match = alone(11, empty=2)
    sure = [each for each in think(match, 5000) if not each.points_error]
    assert sure
    for each in sure:
        after = match.copy()
        after.play(0, each.move)
        assert each.points == best_of_all(after, most=10_000)[0]


def test_a_thought_that_follows_lines_can_be_stopped() -> None:
    match = alone(4)
    thought = Thought(match.game, match.state, 1, 0, 5, Way())
    thought.stop()
    assert thought.think(seconds=1000)[0].move in match.legal(0)


def test_ends_of_lines_are_not_mixed_with_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where something is drawn on the way after all, games are played on as if no line had been followed."""

    def follow(tracker: Tracker, alive: int) -> int:
        note(tracker._hand.tally, alive - 1, 500, 10**6, WON, 10**4)
        return OPEN

    match = alone(4)
    plain = think(match, 60, Way(lines=0))
    monkeypatch.setattr(Tracker, "follow", follow)
    assert think(match, 60, Way()) == plain


def test_games_without_foresight_follow_no_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise AssertionError("lines were followed")

    monkeypatch.setattr(search, "Tracker", refused)
    for name, seats in (("villagers", 1), ("tiny-towns", 2)):
        match = Match(name, seats, seed=1)
        Thought(match.game, match.state, seats, match.waiting[0], 5, Way(candidates=3)).think(playouts=6)
    four = Match(connect_four.GAME, 2, seed=1)
    Thought(four.game, four.state, 2, 0, 5, Way()).think(playouts=20)


@pytest.mark.parametrize("width", [1, 2, 7, 64])
def test_those_are_kept_that_promise_most(width: int) -> None:
    dice, lines = random.Random(width), made(Lines)
    promised = [dice.randrange(-1000, 1000) for _ in range(300)]
    lying: dict[int, int] = {}
    for promise in promised:
        if int(get(lines, "kept")) < width or promise > int(get(lines, "promise")[0]):
            lying[int(place_for(lines, promise, width))] = promise
    assert sorted(lying.values()) == sorted(promised)[-width:]
    assert set(lying) == set(range(width))
    kept = zip(get(lines, "at")[:width], get(lines, "promise")[:width], strict=True)
    assert {int(at): int(promise) for at, promise in kept} == lying


def test_a_position_is_new_once() -> None:
    lines = made(Lines)
    marks = [3, 11, 19, -5, 3 + 8 * MOST_LINES]
    assert [bool(is_new(lines, mark, 64)) for mark in marks] == [True] * 5
    assert [bool(is_new(lines, mark, 64)) for mark in marks] == [False] * 5


@pytest.mark.parametrize("values", [[13300, 13400, 13300], [13300] * 40, [10**8, 10**8 - 1, -(10**8)], [-3, 4, 7, 7]])
def test_errors_are_exact_where_games_hardly_differ(values: list[int]) -> None:
    tally = made(Tally)
    for value in values:
        note(tally, MOST_CANDIDATES - 1, 1, value, 0, 0)
    squares = search.squares_of(tally, MOST_CANDIDATES - 1)
    assert squares == sum(value * value for value in values)
    found, error = search.mean_and_error(sum(values), squares, len(values))
    assert found == pytest.approx(mean(values))
    assert error == pytest.approx(pstdev(values) / len(values) ** 0.5)
    assert int(get(tally, "totals")[MOST_CANDIDATES - 1]) == sum(values)
