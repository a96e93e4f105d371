"""Many games in compiled code: the same by any number of threads, and by the very players that sit at tables."""

import threading
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace

import numpy as np
import pytest
from conformance.all_games import GAMES
from toy import GAME as PEBBLES

import thorp
from arena.lots import GAME as LOTS
from thorp import Game, GameError, OptionError
from thorp.arena import many, whole_games, work
from thorp.arena.many import Played, play_many
from thorp.compiling.mode import COMPILED
from thorp.core.chance import SEED_BITS, below, stream
from thorp.players import names
from thorp.players.lessons import is_known
from thorp.players.players import choose_in

ARRAYS = ("choices", "leaders", "rounds", "scores", "standings", "counts")
FEW = 24 if COMPILED else 3


def assert_same(one: Played, other: Played) -> None:
    for name in ARRAYS:
        assert np.array_equal(getattr(one, name), getattr(other, name)), name


@pytest.mark.parametrize("game", [*GAMES, LOTS], ids=lambda game: game.id)
def test_threads_and_blocks_do_not_change_the_games(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    seats = min(3, game.seats[-1])
    one = play_many(game, seats, games=FEW, seed=5, threads=1)
    monkeypatch.setattr(many, "BLOCK", 7)
    assert_same(one, play_many(game, seats, games=FEW, seed=5, threads=4))
    later = play_many(game, seats, games=1, seed=5 + FEW - 1)
    assert np.array_equal(later.scores[0], one.scores[-1])
    assert np.array_equal(later.counts[0], one.counts[-1])


def _drawn_seat(waiting: int, luck: object) -> int:
    seats = [seat for seat in range(32) if waiting >> seat & 1]
    return seats[int(below(_chance(luck), len(seats)))] if len(seats) > 1 else seats[0]


def _chance(luck: object) -> object:
    return luck["chance"] if COMPILED else luck.chance  # type: ignore[index, attr-defined]


@pytest.mark.parametrize("level", whole_games.LEVELS)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_who_plays_is_the_player_that_sits_at_tables(
    game: Game, level: str, short_lessons: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each move is what `players.choose_in` chooses with the same seed."""
    # other processes would not know that lessons are short
    monkeypatch.setattr(many, "pool_for", lambda *_, **__: ThreadPoolExecutor(1))
    seats = min(3, game.seats[-1])
    options = game.options_for(seats)
    for seed in range(2):
        played = play_many(game, seats, games=1, seed=seed, level=level)
        luck = stream(seed ^ whole_games.PLAYERS_STREAM)
        state, choices = game.state(), 0
        game.deal(state, seats, game.option_list(options), seed)
        assert level != "learned" or is_known(game, state, seats), "greedy would stand in on both sides"
        while waiting := int(game.waiting(state)):
            seat = _drawn_seat(waiting, luck)
            move, *others = game.legal_moves(state, seat)
            if others:
                move = choose_in(level, game, state, seat, int(below(_chance(luck), whole_games.SEEDS)))
                choices += 1
            game.play(state, seat, move)
        assert played.scores[0].tolist() == [int(game.score(state, seat)) for seat in range(seats)]
        assert played.standings[0].tolist() == [int(game.standing(state, seat)) for seat in range(seats)]
        assert played.choices[0] == choices


def test_the_levels_are_players() -> None:
    assert names()[: len(whole_games.LEVELS)] == whole_games.LEVELS


def test_generic_code_says_how_it_is_called() -> None:
    with pytest.raises(TypeError, match=r"_one_of is generic code: call it through .of\(game\)"):
        whole_games.one_of(1, stream(0))


def test_the_leader_is_who_first_decides_alone() -> None:
    played = play_many(LOTS, 4, games=20)
    for seed in range(20):
        state = LOTS.state()
        LOTS.deal(state, 4, LOTS.option_list({}), seed + 1)
        assert played.leaders[seed] == LOTS.plain(state).first


def test_the_last_to_answer_together_is_not_alone() -> None:
    """In Pebbles all choose first, and then seat 0 takes first."""
    assert set(play_many(PEBBLES, 3, games=20).leaders.tolist()) == {0}


def test_a_game_that_tells_of_no_cards_or_rounds() -> None:
    played = play_many(PEBBLES, 3, games=5)
    assert played.cards == ()
    assert played.counts.shape == (5, 3, 0)
    assert set(played.rounds if played.rounds is not None else ()) == {3}
    assert play_many(LOTS, 2, games=5).rounds is None


def test_options_are_played_with() -> None:
    assert set(play_many(PEBBLES, 3, {"rounds": "6"}, games=5).rounds) == {6}  # type: ignore[arg-type]


@pytest.mark.parametrize("game", ["tiny-towns", "villagers"])
def test_every_card_that_is_had_is_counted_once(game: str) -> None:
    """As many as stand there, by the state at the end."""
    rules = thorp.game(game)
    ids = [card.id for card in rules.cards(rules.options_for(3))]
    assert len(set(ids)) == len(ids)
    for seed in range(3):
        match = thorp.Match(game, 3, seed=seed)
        while not match.over:
            seat = match.waiting[0]
            match.play(seat, match.legal(seat)[match.ply % len(match.legal(seat))])
        state = rules.plain(match.state)
        for seat in range(3):
            counts = np.zeros(len(ids), np.int32) if COMPILED else [0] * len(ids)
            rules.owned(match.state, seat, counts)  # type: ignore[misc]
            if game == "villagers":
                assert sum(counts) == state.players[seat].village_size - 1, "all but the Founders"
            else:
                assert sum(counts) == sum(mask.bit_count() for mask in state.towns[seat].built)


def test_an_interruption_stops_the_threads() -> None:
    def tell(done: int, all_games: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_many(LOTS, 2, games=1000, threads=2, tell=tell)
    assert not [thread for thread in threading.enumerate() if "ThreadPool" in thread.name]


@pytest.mark.skipif(not COMPILED, reason="what is put in its place cannot be sent to a process")
def test_a_process_that_is_killed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_: object) -> object:
        raise BrokenProcessPool

    monkeypatch.setattr(many, "_block", killed)
    with pytest.raises(GameError, match=r"was killed, and nothing is written.*a script of your own needs `if __name__"):
        play_many(LOTS, 2, games=20)


def test_a_level_may_think_for_another_time() -> None:
    played = play_many(LOTS, 2, games=2, level="strong@0.001", threads=1)
    assert played.level == "strong@0.001"
    assert sorted(played.standings[0].tolist()) in ([1, 1], [1, 2])
    assert (played.choices > 0).all()


def test_progress_is_told_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    play_many(LOTS, 2, games=120, tell=lambda done, all_games: told.append((done, all_games)))
    assert (told[0], told[-1]) == ((0, 120), (120, 120))
    assert sorted(told) == told


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"games": 0}, "games is 1 or more"),
        ({"games": 10**15}, "no room in memory"),
        ({"games": 5, "seed": -1}, "a seed is an integer from 0"),
        ({"games": 5, "seed": (1 << SEED_BITS) - 4}, "a seed is an integer from 0"),
        ({"games": 5, "threads": 0}, "threads is 1 or more"),
        ({"games": 5, "level": "oracle"}, "there is no player 'oracle'"),
    ],
    ids=str,
)
def test_impossible_arguments_are_refused(wrong: dict[str, int], said: str) -> None:
    with pytest.raises(GameError, match=said):
        play_many(LOTS, 2, **wrong)  # type: ignore[arg-type]


def test_impossible_seats_are_refused() -> None:
    with pytest.raises(OptionError, match="1 to 4 seats"):
        play_many(LOTS, 5, games=1)


def test_a_game_without_end_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    game = replace(LOTS, name="Endless")
    monkeypatch.setattr(work, "whole_games", _Endless)
    with pytest.raises(GameError, match="one of the games 1 to 4 of Endless does not end"):
        play_many(game, 2, games=4)


class _Endless:
    @staticmethod
    def of(game: Game) -> object:
        return lambda *_: -1
