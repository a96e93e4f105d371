"""Search and levels: they read nothing hidden, think the same from the same seed, and each beats the one below."""

import random
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import connect_four
import numpy as np
import pytest
import toy

from thorp import GameError, IllegalMove, Match, game, players
from thorp.core import weights
from thorp.players import Effort, Judged, Stop, Thought, Way, analyse, choose, choose_in, search
from thorp.players.fields import get, put, put_at
from thorp.players.learned import learned_for_search
from thorp.players.levels import BY_NAME, PLAIN_TO_SEE, overlooked, seen
from thorp.players.lines import ENDED, OPEN
from thorp.players.playouts import WIN, note
from thorp.players.search import checked_seats, seats_of
from thorp.players.tracker import Tracker

PEBBLES, FOUR = toy.GAME, connect_four.GAME
#: For having won against nobody.
WON = 10_000


def positions(game, seats: int, seed: int, every: int = 1) -> Iterator[tuple[Match, int]]:
    """Positions of a match in which any move is as good as any other, each with a seat that has to decide."""
    match = Match(game, seats, seed=seed)
    while not match.over:
        seat = match.waiting[match.ply % len(match.waiting)]
        if match.ply % every == 0:
            yield match, seat
        legal = match.legal(seat)
        match.play(seat, legal[match.ply * 7 % len(legal)])


@pytest.mark.parametrize("name", players.names())
@pytest.mark.parametrize("seats", PEBBLES.seats)
def test_every_player_plays_with_any_number_of_seats_and_reads_nothing_hidden(name: str, seats: int) -> None:
    for match, seat in positions(PEBBLES, seats, seed=seats):
        chosen = choose_in(name, PEBBLES, match.state, seat, 5, playouts=30)
        assert chosen in match.legal(seat)
        for seed in (1, 2):
            other = PEBBLES.copy(match.state)
            PEBBLES.determinize(other, seat, seed)
            assert choose_in(name, PEBBLES, other, seat, 5, playouts=30) == chosen


@pytest.mark.parametrize("name", ["friendly", "skilled", "master"])
@pytest.mark.parametrize(
    ("game", "seats", "every"), [("tiny-towns", 3, 12), ("tiny-towns", 6, 30), ("villagers", 3, 12), ("valeria", 3, 60)]
)
def test_hidden_cards_of_a_boxed_game_are_not_read(game: str, seats: int, every: int, name: str) -> None:
    """Nor is what is left to chance; and with the same seed, and as many games, the same is chosen."""
    for match, seat in positions(game, seats, seed=4, every=every):
        other = match.game.copy(match.state)
        match.game.determinize(other, seat, 1)
        assert match.game.bytes(other) != match.game.bytes(match.state)
        one, same = (
            choose_in(name, match.game, state, seat, 9, seats=seats, playouts=12) for state in (match.state, other)
        )
        assert one == same
        assert one in match.legal(seat)


def test_the_same_seed_thinks_the_same() -> None:
    match = Match(FOUR, 2, seed=1)

    def judged(seed: int) -> tuple[players.Judged, ...]:
        return Thought(FOUR, match.state, 2, 0, seed, Way()).think(playouts=500)

    assert judged(3) == judged(3)
    assert judged(3) != judged(4)
    # the middle column is the best first move
    assert judged(3)[0].move == 3


def test_the_worse_half_is_given_up_and_the_budget_is_kept() -> None:
    match = Match(FOUR, 2, seed=1)
    tried = Thought(FOUR, match.state, 2, 0, 3, Way(candidates=7)).think(playouts=600)
    games = [each.games for each in tried]
    assert games == sorted(games, reverse=True)
    assert games[0] == games[1] > games[2] > games[4] > 0
    assert sum(games) == pytest.approx(600, abs=12)
    even = Thought(FOUR, match.state, 2, 0, 3, Way(candidates=7, halving=False)).think(playouts=700)
    assert [each.games for each in even] == [100] * 7


def test_a_net_is_asked_where_its_game_says_so_and_somebody_sits_opposite() -> None:
    match = Match("villagers", 2, seed=3)
    game, seat = match.game, match.waiting[0]
    learned = learned_for_search(game, match.state, 2, Way())
    assert learned is not None
    # no game is played to its end, so nothing is said of the first place
    near = Thought(game, match.state, 2, seat, 7, Way(candidates=3), learned).think(playouts=30)
    assert all(each.games and each.first == each.points == 0 for each in near)
    far = Thought(game, match.state, 2, seat, 7, Way(candidates=3, reach=2), learned).think(playouts=30)
    assert {each.move: each.mean for each in near} != {each.move: each.mean for each in far}
    whole = Thought(game, match.state, 2, seat, 7, Way(candidates=3, horizon=1000), learned).think(playouts=6)
    # by then all games are over, and of what is so a net says just that: ten thousand for each point ahead
    assert all(round(each.mean * each.games) % 10_000 == 0 for each in whole)
    assert learned_for_search(game, Match("villagers", 1, seed=3).state, 1, Way()) is None


@pytest.mark.parametrize("seats", [2, 3])
def test_a_net_that_chooses_plays_its_own_seat_and_the_others_in_half_of_the_games(seats: int) -> None:
    match = Match("valeria", seats, seed=3)
    game, seat = match.game, match.waiting[0]
    assert game.net.chooses
    learned = learned_for_search(game, match.state, seats, Way())
    assert learned is not None
    assert learned_for_search(game, Match("valeria", 1, seed=3).state, 1, Way()) is None
    assert learned_for_search(game, match.state, seats, Way(learned=False)) is None
    way = Way(candidates=40, halving=False, reach=0)

    def games(way: Way, learned: object) -> dict[int, tuple[float, ...]]:
        judged = Thought(game, match.state, seats, seat, 7, way, learned).think(playouts=80)
        # games are played to their ends
        assert all(each.games and each.points > 0 for each in judged)
        return {each.move: (each.mean, each.points) for each in judged}

    assert games(way, learned) != games(way, None)
    # where the seat plays by chance what was learned counts for what others do
    by_chance, other = replace(way, own=1), np.random.default_rng(1).normal(size=game.net.learned).astype(np.float32)
    assert games(by_chance, learned) != games(by_chance, other)
    # in half of the games they take the best of a few of their moves, as many as the net says, or the way
    few = game.net.strangers
    assert games(way, learned) == games(replace(way, strangers=few), learned)
    assert games(way, learned) != games(replace(way, strangers=1), learned)


@pytest.mark.parametrize("name", ["valeria", "villagers"])
def test_others_may_be_taken_for_peers_who_go_by_what_was_learned_too(name: str) -> None:
    match = Match(name, 2, seed=3)
    game, seat = match.game, match.waiting[0]
    learned = learned_for_search(game, match.state, 2, Way())
    other = np.random.default_rng(1).normal(size=learned.size).astype(np.float32)

    def games(learned: Any, *, peers: bool, others: int = 3) -> list[tuple[float, float]]:
        # the seat itself plays by chance, so that what was learned counts for what others do alone
        way = Way(candidates=40, own=1, others=others, halving=False, reach=0, peers=peers)
        judged = Thought(game, match.state, 2, seat, 7, way, learned).think(playouts=120)
        assert all(each.games and each.points > 0 for each in judged)
        return [(each.mean, each.points) for each in sorted(judged, key=lambda each: each.move)]

    assert games(learned, peers=True) != games(learned, peers=False)
    assert games(learned, peers=True) != games(other, peers=True)
    # by chance, nobody goes by it
    assert games(learned, peers=True, others=1) == games(other, peers=True, others=1)


@pytest.mark.parametrize("seats", [2, 4])
def test_what_a_net_has_learned_to_expect_stands_for_the_rest_of_a_game(seats: int) -> None:
    match = Match("valeria", seats, seed=3)
    game, seat = match.game, match.waiting[0]
    learned = learned_for_search(game, match.state, seats, Way())
    assert game.net.expects(learned) is not None

    def judged(way: Way, learned: Any, playouts: int = 60) -> tuple[Judged, ...]:
        return Thought(game, match.state, seats, seat, 7, replace(way, candidates=3), learned).think(playouts=playouts)

    near, far = judged(Way(), learned), judged(Way(reach=3), learned)
    assert all(each.games and each.first == each.points == 0 for each in near)
    assert near != far
    # as far as between two in moves of all seats, and no less than the net says
    assert far == judged(Way(horizon=game.net.lookahead * 6 // seats), learned)
    assert judged(Way(reach=2), learned) == judged(Way(horizon=game.net.lookahead * (2 if seats == 2 else 1)), learned)
    # games are told apart by far less chance
    whole = judged(Way(reach=0), learned, 300)
    assert all(each.points > 0 for each in whole)
    each = max(near, key=lambda each: each.games)
    assert each.error * each.games**0.5 < 0.5 * max(each.error * each.games**0.5 for each in whole)
    # who looks so far ahead that all games end by then sees what they come to
    ends, ways = judged(Way(horizon=10_000, halving=False), learned), Way(reach=0, halving=False)
    assert {each.move: each.mean for each in ends} == {each.move: each.mean for each in judged(ways, learned)}
    # where nothing has learned to expect games are played to their ends
    assert judged(Way(), learned[: game.net.learned]) == judged(Way(reach=0), learned)


def test_what_a_net_likes_best_is_left_only_for_what_is_ahead_by_more_than_chance(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = Match("valeria", 2, seed=3)
    learned = learned_for_search(match.game, match.state, 2, Way())

    def judged(seed: int, caution: float, games: int, reach: int = 0) -> tuple[players.Judged, ...]:
        monkeypatch.setattr(search, "CAUTION", caution)
        way = Way(candidates=4, halving=False, reach=reach)
        return Thought(match.game, match.state, 2, match.waiting[0], seed, way, learned).think(playouts=games)

    left = 0
    for seed in range(5):
        liked = judged(seed, 0, 0)[0].move
        assert judged(seed, 1e9, 80)[0].move == judged(seed, 1e9, 80, reach=1)[0].move == liked
        expected = judged(seed, 0, 80, reach=1)
        assert expected[0].mean == max(each.mean for each in expected)
        by_games = judged(seed, 0, 80)
        assert by_games[0].mean == max(each.mean for each in by_games)
        left += by_games[0].move != liked
        # the same games, twenty of each move: winning and losing lie 5,000 to each side of the middle
        own = next(each for each in by_games if each.move == liked)
        ahead = max(each.mean for each in by_games) - own.mean
        assert (judged(seed, 0.5, 80)[0].move != liked) == (ahead > 0.5 * 5000 * (2 / 20) ** 0.5)
    assert left > 2


def test_others_play_what_was_learned_for_a_table_in_half_of_the_games() -> None:
    match = Match("tiny-towns", 2, {"monuments": "no"}, seed=3)
    game, seat = match.game, match.waiting[0]
    # the seat itself plays by chance, so that what was learned counts for what others do alone
    way = Way(candidates=40, own=1, halving=False)

    def means(learned: object, way: Way = way) -> dict[int, float]:
        thought = Thought(game, match.state, 2, seat, 7, way, learned)
        return {each.move: each.mean for each in thought.think(playouts=100)}

    one, other = (np.random.default_rng(seed).normal(size=game.net.learned).astype(np.float32) for seed in (1, 2))
    assert len(means(one)) == len(match.legal(seat))
    assert means(one) != means(other)
    # in the other half by `evaluate`, the best of as many moves in both
    everything = replace(way, peers=True, others=game.net.strangers)
    assert means(one) != means(one, everything)
    assert means(one) == means(one, replace(way, strangers=game.net.strangers))
    # by chance, nobody goes by it
    by_chance = replace(way, strangers=1)
    assert means(one, by_chance) == means(other, by_chance) != means(one)
    assert means(one, replace(by_chance, own=5)) != means(other, replace(by_chance, own=5))


def test_who_misses_some_moves_plays_on_otherwise_where_there_are_enough() -> None:
    match = Match(FOUR, 2, seed=1)

    def means(misses: int) -> list[float]:
        thought = Thought(FOUR, match.state, 2, 0, 7, Way(halving=False, misses=misses))
        return [each.mean for each in sorted(thought.think(playouts=140), key=lambda each: each.move)]

    assert means(4) != means(0)
    # of seven columns nobody misses one of eight
    assert means(8) == means(0)


@pytest.mark.parametrize("seats", [2, 4])
def test_what_was_learned_for_a_table_is_left_only_for_what_is_clearly_ahead(
    seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With others; alone what games come to decides by itself."""
    match = Match("tiny-towns", seats, {"monuments": "no"}, seed=3)
    game, seat = match.game, match.waiting[0]
    learned = np.random.default_rng(1).normal(size=game.net.learned).astype(np.float32)

    def best(caution: float, match: Match = match, playouts: int = 80) -> players.Judged:
        monkeypatch.setattr(search, "CAUTION", caution)
        thought = Thought(game, match.state, match.seats, seat, 9, Way(candidates=4, halving=False, lines=0), learned)
        judged = thought.think(playouts=playouts)
        assert caution or judged[0].mean == max(each.mean for each in judged)
        return judged[0]

    liked = best(0, playouts=0).move
    assert best(0).move != liked
    assert best(1e9).move == liked
    alone = Match("tiny-towns", 1, {"monuments": "no"}, seed=3)
    assert best(1e9, alone) == best(0, alone)
    assert best(0, alone).move != best(0, alone, playouts=0).move


@pytest.mark.parametrize("threads", [2, 3])
def test_several_threads_share_the_games(threads: int) -> None:
    """So many games as one would have played, and the same thoughts from the same seed."""
    match = Match(FOUR, 2, seed=1)

    def judged(seed: int, stop: Stop | None = None) -> tuple[players.Judged, ...]:
        thought = Thought(FOUR, match.state, 2, 0, seed, Way(candidates=7), threads=threads)
        if stop:
            stop.ends(thought)
        return thought.think(playouts=600)

    tried = judged(3)
    assert tried == judged(3)
    assert tried != judged(4)
    assert tried[0].move == 3
    assert sum(each.games for each in tried) == pytest.approx(600, abs=12)
    alone = Thought(FOUR, match.state, 2, 0, 3, Way(candidates=7)).think(playouts=600)
    assert [each.games for each in tried] == [each.games for each in alone]
    best, same = tried[0], next(each for each in alone if each.move == tried[0].move)
    assert best.mean == pytest.approx(same.mean, abs=5 * (best.error + same.error))
    asked = Stop()
    asked()
    assert not any(each.games for each in judged(3, asked))


def test_several_threads_think_the_same_where_others_are_taken_for_this_and_that() -> None:
    """Whom others are taken for changes from game to game: threads must not share it."""
    asked = positions(game("valeria"), 2, seed=3)
    match, seat = next((match, seat) for match, seat in asked if match.ply > 20 and len(match.legal(seat)) > 3)
    learned = learned_for_search(match.game, match.state, 2, Way())

    def judged() -> tuple[players.Judged, ...]:
        way = Way(candidates=4, reach=0)
        return Thought(match.game, match.state, 2, seat, 7, way, learned, threads=3).think(playouts=120)

    once = judged()
    assert all(judged() == once for _ in range(4))


def test_several_threads_have_something_to_do_where_time_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where one game takes longer than it is looked at the clock again."""
    monkeypatch.setattr(search, "LOOK_AGAIN", 0.0)
    tried: list[int] = []
    by_one = Thought._try_by

    def counted(self: Thought, nth: int, alive: int, deals: int) -> int:
        tried.append(nth)
        return by_one(self, nth, alive, deals)

    monkeypatch.setattr(Thought, "_try_by", counted)
    match = Match(FOUR, 2, seed=1)
    Thought(FOUR, match.state, 2, 0, 3, Way(candidates=7), threads=3).think(seconds=0.05, to_the_end=True)
    assert len(tried) % 3 == 0
    assert [tried.count(nth) for nth in range(3)] == [len(tried) // 3] * 3


def test_no_two_threads_play_the_same_games() -> None:
    """Or they would tell nothing that one of them had not told."""
    match, way = Match(PEBBLES, 1, seed=4), Way(candidates=1, lines=0)

    def points(threads: int) -> list[float]:
        thoughts = [Thought(PEBBLES, match.state, 1, 0, seed, way, threads=threads) for seed in range(5)]
        return [thought.think(playouts=threads, to_the_end=True)[0].points for thought in thoughts]

    one, two, three = map(points, (1, 2, 3))
    # one game on each thread: what that of the second came to, and of the third
    second = [round(2 * both - first) for first, both in zip(one, two, strict=True)]
    third = [round(3 * all_ - 2 * both) for both, all_ in zip(two, three, strict=True)]
    assert second != third


def test_errors_of_few_games_are_not_too_small() -> None:
    """Alone, two games a move: answers of many seeds lie apart by about what each says that it may be wrong by."""
    match = Match(PEBBLES, 1, seed=4)
    answers: list[float] = []
    told: list[float] = []
    for seed in range(300):
        thought = Thought(PEBBLES, match.state, 1, 0, seed, Way(candidates=3, halving=False, lines=0))
        judged = {each.move: each for each in thought.think(playouts=6, to_the_end=True)}
        one = judged[min(judged)]
        assert one.games == 2
        answers.append(one.points)
        told.append(one.points_error)
    apart = float(np.std(answers))
    assert apart > 0
    assert float(np.sqrt(np.mean(np.square(told)))) == pytest.approx(apart, rel=0.15)


def test_what_was_stopped_at_once_knows_nothing_for_certain() -> None:
    match = Match("tiny-towns", 1, {"monuments": "no"}, seed=3)
    thought = Thought(match.game, match.state, 1, 0, 1, Way(candidates=4))
    thought.stop()
    judged = thought.think(playouts=50)
    assert not thought.certain
    assert {each.games for each in judged} == {0}


@pytest.mark.parametrize("seats", [0, 1, 5, 40, "2"])
def test_a_wrong_number_of_seats_is_refused(seats: int) -> None:
    match = Match(FOUR, 2, seed=1)
    for ask in (
        lambda: Thought(FOUR, match.state, seats, 0, 1, Way()),
        lambda: choose_in("skilled", FOUR, match.state, 0, 1, seats=seats),
        lambda: players.judge(FOUR, match.state, seats, 0, 0),
    ):
        with pytest.raises(GameError, match="is for 2 to 2 seats"):
            ask()


@pytest.mark.parametrize("name", players.names())
def test_a_wrong_number_of_seats_is_refused_by_every_player(name: str) -> None:
    for rules, said in ((FOUR, "is for 2 to 2 seats, not 4"), (PEBBLES, "of Pebbles has 2 seats, not 4")):
        with pytest.raises(GameError, match=said):
            choose_in(name, rules, Match(rules, 2, seed=1).state, 0, 1, seats=4)


def test_a_number_of_seats_that_the_state_contradicts_is_refused() -> None:
    state = Match(PEBBLES, 2, seed=1).state
    for ask in (lambda: Thought(PEBBLES, state, 3, 0, 1, Way()), lambda: players.judge(PEBBLES, state, 3, 0, 0)):
        with pytest.raises(GameError, match="this state of Pebbles has 2 seats, not 3"):
            ask()


def test_what_is_called_seats_and_is_no_number_says_nothing_of_how_many_there_are() -> None:
    class State(toy.rules.State):
        seats: Annotated[list[int], "i1", 4]  # type: ignore[assignment]

    other = replace(PEBBLES, record=State)
    assert checked_seats(other, other.state(), 3) == 3
    with pytest.raises(GameError, match="does not say how many seats there are: give `seats`"):
        seats_of(other, other.state())


@pytest.mark.parametrize("name", players.names())
@pytest.mark.parametrize("seat", [-1, 1, 7, "0"])
def test_a_seat_with_nothing_to_decide_is_refused(name: str, seat: int) -> None:
    with pytest.raises(IllegalMove, match="has nothing to decide now"):
        choose_in(name, FOUR, Match(FOUR, 2, seed=1).state, seat, 1, seats=2)


def test_a_mate_in_one_is_found_and_averted() -> None:
    # three discs of each in a column: whoever is asked wins there, and would lose there
    for moves, winning in (((0, 1, 0, 1, 0, 1), 0), ((0, 1, 0, 1, 2, 1), 1)):
        match = Match(FOUR, 2, seed=1)
        for move in moves:
            match.play(match.waiting[0], move)
        best = Thought(FOUR, match.state, 2, match.waiting[0], 1, Way(candidates=7)).think(playouts=700)[0]
        assert best.move == winning


def test_thinking_takes_its_time_and_less_where_the_best_is_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    open_, clear = Match(FOUR, 2, seed=1), Match(FOUR, 2, seed=1)
    for move in (0, 1, 0, 1, 0, 1):
        clear.play(clear.waiting[0], move)

    def taken(match: Match, seconds: float, to_the_end: bool = False) -> float:
        thought = Thought(FOUR, match.state, 2, 0, 1, Way(candidates=7))
        thought.think(playouts=1)
        began = time.thread_time()
        thought.think(seconds=seconds, to_the_end=to_the_end)
        return time.thread_time() - began

    assert taken(clear, 30) < 3
    # and so does who wins by either of two moves, in all games alike
    either = Match(FOUR, 2, seed=1)
    for move in (2, 2, 3, 3, 4, 4):
        either.play(either.waiting[0], move)
    assert taken(either, 30) < 3
    # but where it is asked what all are worth, the time is used
    assert 0.05 < taken(clear, 0.1, to_the_end=True) < 0.3
    monkeypatch.setattr(search, "BEYOND_DOUBT", 1e9)
    assert 0.05 < taken(open_, 0.1) < 0.3


@pytest.mark.parametrize("before", [True, False])
def test_a_thought_can_be_stopped(before: bool) -> None:
    match = Match(FOUR, 2, seed=1)
    stop = Stop()
    thought = Thought(FOUR, match.state, 2, 0, 1, Way())
    thought.think(playouts=1)
    if before:
        stop()
        stop.ends(thought)
    else:
        stop.ends(thought)

        def stop_in_the_middle() -> None:
            # before it has as many it does not end by itself
            while not any(int(games) >= search.ENOUGH for games in get(thought._tally, "games")):
                time.sleep(0.001)
            stop()

        threading.Thread(target=stop_in_the_middle, daemon=True).start()
    judged = thought.think(seconds=1000)
    assert judged[0].move in match.legal(0)
    assert sum(each.games for each in judged) > 0 or before


@pytest.mark.parametrize(
    ("id", "seats", "name", "missed"),
    [
        # looked at twice
        ("tiny-towns", 2, "casual", 23),
        # as the game says
        ("tiny-towns", 2, "skilled", 12),
        ("tiny-towns", 4, "strong@0.1", 2),
        # as everywhere
        ("villagers", 4, "skilled", 40),
        ("villagers", 2, "strong", 15),
        ("valeria", 2, "skilled", 48),
        ("valeria", 4, "strong", 22),
        ("valeria", 4, "casual", 48),
    ],
)
def test_levels_overlook_as_much_as_the_game_says(
    id: str, seats: int, name: str, missed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[int] = []
    monkeypatch.setattr(
        sys.modules["thorp.players.levels"], "seen", lambda missed, seed, legal: found.append(missed) or legal
    )
    match = Match(id, seats, seed=3)
    choose_in(name, match.game, match.state, match.waiting[0], 7, seats=seats, playouts=1)
    assert found == [missed]


def test_who_looks_oftener_overlooks_less() -> None:
    casual, twice = BY_NAME["casual"], replace(FOUR, looks=2)
    assert overlooked(casual, FOUR) == casual.overlooks
    # what is missed twice; and who looks less than once misses more
    assert overlooked(casual, twice) == round(casual.overlooks**2 / 100)
    assert overlooked(casual, replace(FOUR, looks=0.5)) > casual.overlooks
    told = replace(twice, overlooks={"casual": 7})
    assert [overlooked(level, told) for level in (casual, BY_NAME["master"])] == [7, 0]


def test_what_is_overlooked_is_another_thing_each_time() -> None:
    missed = BY_NAME["friendly"].overlooks
    share = (100 - missed) / 100
    moves = list(range(1000))
    one, other = (set(seen(missed, seed, moves)) for seed in (7, 8))
    assert one == set(seen(missed, 7, moves))
    assert len(one) == pytest.approx(1000 * share, abs=100)
    assert len(one & other) == pytest.approx(1000 * share * share, abs=75)
    # who overlooks less sees what others see, and more
    assert one < set(seen(missed // 2, 7, moves))
    few = list(range(PLAIN_TO_SEE))
    assert list(seen(missed, 7, few)) == few
    # of a few more so many are seen at least, and never suddenly all
    for n in range(PLAIN_TO_SEE + 1, 20):
        counts = [len(seen(missed, seed, range(n))) for seed in range(200)]
        assert min(counts) == PLAIN_TO_SEE
        assert sum(counts) / 200 < n * share + PLAIN_TO_SEE


def chosen_by(name: str, match: Match, seat: int, luck: int, rate: float) -> int:
    """What a level chooses that may play on so many games for each second it takes at a table (`LEVELS`).

    So a change of the levels is seen, and the same seeds come to the same games on any machine.
    """
    legal = match.legal(seat)
    if len(legal) == 1:
        return legal[0]
    games = round(rate * players.seconds(name))
    return choose_in(name, match.game, match.state, seat, luck, seats=match.seats, playouts=games)


def win_share(game, upper: str, lower: str, deals: int, rate: float = 0, seats: int = 2) -> float:
    """The part of the games that a level wins which sits alone against the other one.

    Between two it has each seat of a deal once, at larger tables another one in each deal. There are as many games as
    there is time for here: they tell of a level that is broken (it wins hardly any), not of one that is somewhat weaker
    than it was, and of six or ten games equal players would win enough one time in three. How strong levels are is
    measured in hundreds of games (`scripts/ways.py`, docs/players.md).
    """
    won, played = 0.0, 0
    for seed in range(deals):
        for alone in range(seats) if seats == 2 else [seed % seats]:
            match = Match(game, seats, seed=seed)
            while not match.over:
                seat = match.waiting[0]
                name = upper if seat == alone else lower
                match.play(seat, chosen_by(name, match, seat, seed * 1000 + match.ply, rate))
            places = match.standings
            won += (places[alone] == 1) / places.count(1)
            played += 1
    return won / played


@pytest.mark.parametrize(("lower", "upper"), [("casual", "skilled"), ("skilled", "strong"), ("strong", "master")])
def test_each_level_that_thinks_beats_the_one_below(lower: str, upper: str) -> None:
    """Up to the strongest: matches of Connect Four are short."""
    assert win_share(FOUR, upper, lower, deals=12, rate=1300) >= 0.65


@pytest.mark.parametrize(
    ("game", "deals", "least"), [("tiny-towns", 12, 0.75), ("villagers", 12, 0.7), ("valeria", 40, 0.57)]
)
def test_casual_beats_friendly(game: str, deals: int, least: float) -> None:
    """In Valeria the step is little, so it takes more games to see."""
    assert win_share(game, "casual", "friendly", deals) >= least


@pytest.mark.parametrize(
    ("game", "lower", "upper", "rate", "deals"),
    [
        ("villagers", "casual", "skilled", 160, 5),
        ("villagers", "skilled", "strong", 80, 3),
        ("valeria", "casual", "skilled", 100, 4),
        ("valeria", "skilled", "strong", 40, 3),
    ],
)
def test_a_level_that_thinks_beats_the_one_below_in_boxed_games(
    game: str, lower: str, upper: str, rate: float, deals: int
) -> None:
    """Few games on are enough, as all go by what was learned. At tables there are more."""
    assert win_share(game, upper, lower, deals, rate) >= 0.65


@pytest.mark.parametrize(
    ("game", "lower", "upper", "rate", "deals", "least"),
    [
        ("tiny-towns", "friendly", "casual", 0, 16, 0.4),
        ("villagers", "friendly", "casual", 0, 24, 0.45),
        ("villagers", "casual", "skilled", 120, 6, 0.6),
        # a step between two neighbours takes hundreds of games to see here
        ("valeria", "friendly", "skilled", 80, 10, 0.4),
    ],
)
def test_a_level_beats_three_of_a_lower_one(
    game: str, lower: str, upper: str, rate: float, deals: int, least: float
) -> None:
    """An even share is a quarter."""
    assert win_share(game, upper, lower, deals, rate, seats=4) >= least


@pytest.mark.usefixtures("nothing_learned")
def test_levels_that_think_have_more_points_alone_in_tiny_towns_also_before_a_lesson() -> None:
    """On the same deals, since what cards lie there matters most."""

    deals = 6

    def points(name: str) -> float:
        total = 0
        for seed in range(deals):
            match = Match("tiny-towns", 1, seed=seed)
            while not match.over:
                match.play(0, chosen_by(name, match, 0, seed * 1000 + match.ply, rate=20))
            total += match.scores[0]
        return total / deals

    casual, skilled, strong = map(points, ("casual", "skilled", "strong"))
    assert skilled > casual + 5
    assert strong > skilled + 2


def test_a_level_thinks_with_another_time_where_one_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert players.seconds("strong@0.002") == 0.002
    assert players.goes_by_lessons("strong@2")
    budgets = []
    think = Thought.think
    monkeypatch.setattr(
        Thought, "think", lambda self, **more: (budgets.append((self.way, more["seconds"])), think(self, **more))[1]
    )
    match = Match(FOUR, 2, seed=1)
    assert players.choose("strong@0.002", match, 0, 5) in match.legal(0)
    players.choose("strong", match, 0, 5)
    assert budgets == [(BY_NAME["strong"].way, 0.002), (BY_NAME["strong"].way, BY_NAME["strong"].seconds)]
    # what answers at once does not think, and nobody thinks for no time or for ever
    for wrong, said in (
        ("casual@1", "casual answers at once, so no time can be given for it"),
        *((f"strong@{told}", "is none: write seconds as in strong@0.1") for told in ("0", "", "9999", "1s", ".1")),
        *((name, "there is no player") for name in ("greedy@1", "oracle@1", "@1")),
    ):
        assert not players.is_player(wrong)
        with pytest.raises(GameError, match=said):
            players.choose(wrong, match, 0, 5)


@pytest.mark.parametrize("seed", [-1, 1 << 63, 1 << 64, "a", 1.5, True, None])
@pytest.mark.parametrize("name", ["random", "greedy", "learned", "casual", "strong@0.002"])
def test_what_cannot_be_a_seed_is_refused_by_every_player(name: str, seed: Any) -> None:
    with pytest.raises(GameError, match="a seed is an integer from 0 to"):
        players.choose(name, Match(FOUR, 2), 0, seed)


def test_the_largest_seed_and_numbers_of_numpy_are_seeds() -> None:
    match = Match(PEBBLES, 2, seed=1)
    for name in ("random", "greedy", "casual"):
        assert players.choose(name, match, match.waiting[0], (1 << 63) - 1) in match.legal(match.waiting[0])
        one, other = (players.choose(name, match, match.waiting[0], seed) for seed in (np.int64(7), 7))
        assert one == other


@pytest.mark.parametrize("name", [None, 3, b"greedy", ["greedy"]])
def test_what_is_no_name_is_no_player(name: Any) -> None:
    assert not players.is_player(name)
    with pytest.raises(GameError, match="there is no player"):
        players.choose(name, Match(FOUR, 2), 0, 1)
    assert players.seconds(name) == 0
    assert not players.goes_by_lessons(name)


@pytest.mark.parametrize(
    ("threads", "thinking", "said"),
    [
        (0, {}, "1 to 256 threads, not on 0"),
        (10**6, {}, "1 to 256 threads, not on 1000000"),
        (1.0, {}, "1 to 256 threads, not on 1.0"),
        (1, {"playouts": -1}, "0 games or more, not -1"),
        (1, {"playouts": 2.5}, "0 games or more, not 2.5"),
        (1, {"seconds": float("nan")}, "0 seconds or more, not for nan"),
        (1, {"seconds": -0.1}, "0 seconds or more, not for -0.1"),
        (1, {"seconds": "1"}, "0 seconds or more, not for '1'"),
    ],
)
def test_a_search_refuses_impossible_numbers(threads: Any, thinking: dict[str, Any], said: str) -> None:
    with pytest.raises(GameError, match=said):
        Thought(FOUR, Match(FOUR, 2).state, 2, 0, 1, Way(), threads=threads).think(**thinking)


@pytest.mark.parametrize("seed", [-1, 1 << 63, 1.5, "a", None])
def test_a_search_refuses_what_cannot_be_a_seed(seed: Any) -> None:
    with pytest.raises(GameError, match="a seed is an integer from 0 to"):
        Thought(FOUR, Match(FOUR, 2).state, 2, 0, seed, Way())


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.uint32, np.int64, np.uint64])
def test_numbers_of_numpy_are_as_good_as_others(kind: Any) -> None:
    match = Match(PEBBLES, 2, seed=1)
    seat = match.waiting[0]
    found = [
        Thought(PEBBLES, match.state, 2, seat, made(101), Way(), threads=made(2)).think(playouts=made(40))
        for made in (int, kind)
    ]
    assert found[0] == found[1]
    seconds = np.float32(0.002)
    assert Thought(PEBBLES, match.state, 2, seat, 1, Way()).think(seconds=seconds)
    for effort in (Effort(playouts=kind(40), seed=kind(101), threads=kind(2)), Effort(seconds=seconds, seed=kind(1))):
        assert analyse(match, seat, effort=effort).moves
        assert {type(each) for each in vars(effort).values()} <= {int, float, type(None)}
    with pytest.raises(GameError, match="not in True"):
        Effort(seconds=True)


@pytest.mark.parametrize("name", ["own", "others", "horizon", "point", "strangers", "misses", "reach", "lines"])
def test_a_way_to_search_refuses_what_is_out_of_range(name: str) -> None:
    wrong: Any
    for wrong in (-1, 10**18, 1.5, "3"):
        with pytest.raises(GameError, match=f"{name} of a way to search is a number from"):
            Way(**{name: wrong})
    with pytest.raises(GameError, match="unsure of a way"):
        Way(unsure=float("nan"))


@pytest.mark.parametrize(
    "name", ["own", "others", "horizon", "point", "strangers", "misses", "reach", "lines", "unsure"]
)
@pytest.mark.parametrize("value", [1, 1_000_000])
def test_a_way_to_search_may_be_whatever_is_within_range(name: str, value: int) -> None:
    match = Match("villagers", 2, seed=1)
    (seat,) = match.waiting
    way = Way(**{name: value})
    thought = Thought(match.game, match.state, 2, seat, 1, way, learned_for_search(match.game, match.state, 2, way))
    assert {each.move for each in thought.think(playouts=2)} <= set(match.legal(seat))


@pytest.mark.parametrize("name", ["greedy", "casual", "skilled"])
def test_what_is_no_number_of_games_is_refused_by_every_player(name: str) -> None:
    wrong: Any
    for wrong in (-1, 2.5, "3"):
        with pytest.raises(GameError, match="a search plays 0 games or more"):
            players.choose_in(name, FOUR, Match(FOUR, 2).state, 0, 1, playouts=wrong)


def test_few_games_that_agree_tell_nothing_for_certain() -> None:
    """They may do so by chance, and may lie as far apart as moves do."""
    match = Match("villagers", 2, seed=3)
    seat = match.waiting[0]
    thought = Thought(match.game, match.state, 2, seat, 5, Way(candidates=2, halving=False, learned=False))
    put(thought._tally, "candidates", 2)
    for index, points in enumerate((136, 122)):
        put_at(thought._tally, "moves", index, match.legal(seat)[index])
        note(thought._tally, index, 2, points * 100, WIN, points)
    told = [(each.games, each.points, each.points_error) for each in thought._judged()]
    assert told == [(2, 136.0, pytest.approx(7 / 2**0.5)), (2, 122.0, pytest.approx(7 / 2**0.5))]


@pytest.mark.parametrize("candidates", [0, -1, 2.5])
def test_a_search_tries_a_move_at_least(candidates: Any) -> None:
    with pytest.raises(GameError, match=f"tries 1 move or more, not {candidates}"):
        Thought(FOUR, Match(FOUR, 2).state, 2, 0, 1, Way(candidates=candidates))


def test_levels_think_longer_the_stronger_they_are() -> None:
    assert players.levels() == tuple(BY_NAME)
    times = [players.seconds(name) for name in players.levels()]
    assert times[:2] == [0, 0]
    # what is gained by less is not seen in play
    assert all(longer >= 3 * time > 0 for time, longer in pairwise(times[2:]))
    assert max(times) <= 2
    assert players.seconds(players.usual()) < 0.3
    assert all(players.called(name) for name in players.names())


def test_who_plays_otherwise_where_weights_are_missing_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    # one that has been read by nobody yet
    villagers = replace(game("villagers"), credit="without weights")
    monkeypatch.setattr(weights, "file_of", lambda game: tmp_path / "learned.weights")
    match = Match(villagers, 2, seed=1)
    assert learned_for_search(villagers, match.state, 2, Way()) is None
    assert choose("learned", match, match.waiting[0], 5) == choose("greedy", match, match.waiting[0], 5)
    (said,) = caplog.messages
    assert f"{tmp_path / 'learned.weights'} of Villagers are missing" in said
    assert said.endswith("greedy plays in place of learned, and levels that think go by evaluate alone")


def test_ends_of_lines_of_candidates_given_up_are_not_mixed_with_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where something is drawn on the way after half of them have been given up."""
    match, dice = Match("tiny-towns", 1, seed=12), random.Random(12)
    # by then all cards have been seen
    while match.view(0).round < 13 or len(match.legal(0)) < 8:
        moves = match.legal(0)
        match.play(0, dice.choice([move for move in moves if "done" not in match.words(0, move)] or moves))
    counts = []

    def follow(tracker: Tracker, alive: int) -> int:
        counts.append(alive)
        if alive < counts[0]:
            return OPEN
        move = int(get(tracker._hand.tally, "moves")[0])
        for index in range(alive):
            note(tracker._hand.tally, index, 500, 10**6, WON, 10**4)
        tracker.found[move] = (move,)
        tracker.followed += 20
        return ENDED

    def think(lines: int) -> dict[int, Judged]:
        judged = Thought(match.game, match.state, 1, 0, 5, Way(lines=lines, halving=True)).think(playouts=60)
        return {each.move: each for each in judged}

    plain = think(0)
    assert len(plain) == len(match.legal(0))
    monkeypatch.setattr(Tracker, "follow", follow)
    mixed = think(16)
    assert counts[1:] == [(counts[0] + 1) // 2]
    assert {move: each.games for move, each in mixed.items()} == {move: each.games for move, each in plain.items()}
    assert max(each.points for each in mixed.values()) < 500
