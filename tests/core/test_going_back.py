"""Going back by consent: to the last own choice, whatever has happened since; what comes is drawn anew."""

from __future__ import annotations

import json
from typing import Any

import pytest
import toy

import thorp
from thorp.core.errors import GameError, IllegalMove, MatchFileError
from thorp.core.game import Game
from thorp.core.match import MOST_ANEW, Anew, Match, by_ply

PICK, TAKE = toy.GAME.moves["pick"].first, toy.GAME.moves["take"].first


def _match(seed: int = 4, seats: int = 3) -> Match[Any, Any]:
    return Match(toy.GAME, seats, {}, seed)


def _picked(match: Match[Any, Any], *stones: int) -> None:
    for seat, stone in enumerate(stones):
        match.play(seat, PICK + stone)


def _played(match: Match[Any, Any]) -> list[tuple[int, int]]:
    return [(entry.seat, entry.move) for entry in match.log()]


def test_the_match_goes_back_to_the_last_own_choice() -> None:
    match = _match()
    _picked(match, 0, 1, 2)
    match.play(0, TAKE)
    match.play(1, TAKE)
    before = _played(match)[:3]
    assert not match.can_take_back(0)
    assert match.can_go_back(0)
    match.go_back(0, 77)
    assert _played(match) == before
    assert match.waiting == (0,)


def test_hidden_choices_of_others_are_chosen_again() -> None:
    """Seat 2 has seen what the others chose: it must not answer that."""
    match = _match()
    _picked(match, 0, 1, 2)
    match.go_back(2, 77)
    assert _played(match) == []
    assert match.waiting == (0, 1, 2)


def test_open_choices_of_others_stay() -> None:
    match = _match()
    _picked(match, 0, 1, 2)
    for seat in range(3):
        match.play(seat, TAKE)
    match.go_back(2, 77)
    assert len(_played(match)) == 5


def test_what_comes_is_drawn_anew() -> None:
    heaps = set()
    for seed in range(30):
        match = _match()
        _picked(match, 0, 1, 2)
        match.go_back(2, seed)
        _picked(match, 0, 1, 2)
        heaps.add(int(match.plain.heap))
    assert len(heaps) > 5


def test_the_same_seed_brings_the_same() -> None:
    matches = []
    for _ in range(2):
        match = _match()
        _picked(match, 0, 1, 2)
        match.go_back(1, 5)
        _picked(match, 2, 2, 2)
        matches.append(match)
    assert matches[0].digest() == matches[1].digest()


def test_it_is_played_again_exactly() -> None:
    match = _match()
    _picked(match, 0, 1, 2)
    match.play(0, TAKE)
    match.go_back(0, 11)
    match.play(0, TAKE)
    match.play(1, TAKE)
    match.go_back(1, 12)
    match.go_back(0, 13)
    match.play(0, TAKE)
    assert [(each.ply, each.seat, each.seed) for each in match.anew] == [(3, 0, 11), (3, 0, 13)]
    assert match.times_anew == 3
    for other in (match.at(match.ply), match.branch(match.ply), match.copy(), Match.load(match.export())):
        assert other.digest() == match.digest()
        assert other.anew == match.anew
    assert list(match.steps())[-1].after is not None
    assert match.game.digest(list(match.steps())[-1].after) == match.digest()
    # earlier positions are those of before chance was drawn anew
    assert match.at(2).anew == ()


def test_what_lies_before_it_is_not_taken_back_freely() -> None:
    match = _match(seats=2)
    match.play(0, PICK)
    match.play(1, PICK)
    match.go_back(1, 3)
    match.play(0, PICK)
    assert match.can_take_back(0)
    match.take_back(0)
    match.draw_anew(0, 4)
    assert not match.can_take_back(0)
    match.play(0, PICK + 1)
    match.take_back(0)
    assert [each.seed for each in match.anew] == [3, 4]


def test_a_choice_made_before_chance_was_drawn_anew_is_not_taken_back_freely() -> None:
    match = _match(seats=2)
    match.play(0, PICK)
    assert match.can_take_back(0)
    match.draw_anew(0, 4)
    assert not match.can_take_back(0)
    with pytest.raises(IllegalMove, match="no move that it may take back"):
        match.take_back(0)


def test_what_is_drawn_anew_in_a_copy_is_not_in_the_match() -> None:
    match = _match()
    match.draw_anew(0, 3)
    twin = match.copy()
    twin.draw_anew(0, 4)
    assert [each.seed for each in match.anew] == [3]
    assert [each.seed for each in twin.anew] == [3, 4]
    assert Match.load(match.export()).digest() == match.digest() != twin.digest()


def test_undo_goes_through_it() -> None:
    match = _match()
    start = match.digest()
    _picked(match, 0, 1, 2)
    match.play(0, TAKE)
    match.go_back(0, 11)
    match.play(0, TAKE)
    match.undo()
    assert len(match.anew) == 1
    match.undo()
    assert match.anew == ()
    for _ in range(2):
        match.undo()
    assert match.digest() == start


def test_who_has_chosen_nothing_cannot_go_back() -> None:
    match = _match()
    assert not match.can_go_back(0)
    with pytest.raises(IllegalMove, match="could go back"):
        match.go_back(0, 1)
    _picked(match, 0, 1, 2)
    for seed in (-1, 1 << 63, "7", True):
        with pytest.raises(GameError, match="a seed is"):
            match.go_back(0, seed)  # type: ignore[arg-type]


def test_nobody_goes_back_when_the_game_is_over() -> None:
    match = _match(seats=1)
    while not match.over:
        match.play(0, match.legal(0)[0])
    before = match.export()
    assert not match.can_go_back(0)
    with pytest.raises(IllegalMove, match="could go back"):
        match.go_back(0, 1)
    assert match.export() == before


def test_not_into_the_match_that_it_goes_on_from() -> None:
    match = _match()
    _picked(match, 0, 1, 2)
    on = match.branch(3)
    assert not any(on.can_go_back(seat) for seat in range(3))
    on.play(0, TAKE)
    on.go_back(0, 5)
    assert on.ply == 3


@pytest.mark.parametrize(
    "anew",
    [
        7,
        [7],
        [[0, 0]],
        [[0, 0, 1.5]],
        [[9, 0, 1]],
        [[1, 0, 1], [0, 0, 1]],
        [[0, 9, 1]],
        [[0, 0, -1]],
        [[0, 0, 1]] * (MOST_ANEW + 1),
    ],
)
def test_a_file_with_impossible_ones_is_refused(anew: Any) -> None:
    match = _match()
    _picked(match, 0, 1, 2)
    data = {**json.loads(match.export()), "anew": anew}
    with pytest.raises(MatchFileError):
        Match.load(json.dumps(data))


@pytest.mark.parametrize("game", [toy.GAME, thorp.game("villagers")])
def test_whoever_goes_back_to_one_position_many_times_has_a_file_that_can_be_loaded(game: Any) -> None:
    """Each time brings something else, where things lie in order by what was drawn before: so all are kept."""
    match = Match(game, 2, {}, 5)
    for seed in range(40):
        seat = match.waiting[0]
        match.play(seat, match.legal(seat)[0])
        match.go_back(seat, seed)
    assert {each.ply for each in match.anew} == {0}
    seat = match.waiting[0]
    match.play(seat, match.legal(seat)[0])
    assert len(match.anew) == 40 > match.ply
    for other in (Match.load(match.export()), match.at(match.ply), match.branch(match.ply)):
        assert other.digest() == match.digest()
        assert other.anew == match.anew
    assert Match.load(match.export()).times_anew == 40


def test_what_was_drawn_anew_is_not_looked_through_for_each_move() -> None:
    """A small file may have a thousand of them: whoever looks at a position would wait for moves times redraws."""
    looked: list[int] = []

    class Noted(Anew):
        def __getattribute__(self, name: str) -> Any:
            if name == "ply":
                looked.append(1)
            return super().__getattribute__(name)

    match = _match(seats=4)
    while not match.over:
        for seed in range(20):
            match.draw_anew(0, seed)
        match.play(match.waiting[0], match.legal(match.waiting[0])[-1])
    assert match.ply > 10
    match._anew = [Noted(each.ply, each.seat, each.seed) for each in match.anew]
    for use in (
        lambda: match.at(match.ply),
        lambda: match.branch(match.ply),
        lambda: list(match.steps()),
        match.export,
        match.copy().undo,
        lambda: by_ply(match.anew),
    ):
        looked.clear()
        use()
        assert len(looked) <= 3 * len(match.anew)


def test_of_what_is_drawn_anew_at_one_position_only_the_last_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing is dealt again, nobody draws from the others."""
    match = _match()
    for seed in range(50):
        match.draw_anew(0, seed)
    assert not match.game.redeal
    copies: list[Any] = []
    copy = Game.copy

    def noted(game: Any, state: Any) -> Any:
        copies.append(state)
        return copy(game, state)

    monkeypatch.setattr(Game, "copy", noted)
    past = match.at(0)
    assert len(copies) == 2
    assert past.digest() == match.digest()
    assert past.anew == match.anew


def test_villagers_deals_stacks_anew() -> None:
    """There the cards of the stacks lie in order from the deal on: who has seen the next one has no use of it."""
    game = thorp.game("villagers")
    seen = set()
    for seed in range(12):
        match = Match(game, 2, {}, 5)
        view = repr(match.view(0)), repr(match.view(1))
        match.draw_anew(0, seed)
        assert (repr(match.view(0)), repr(match.view(1))) == view
        state = match.plain
        seen.add(tuple(int(card.face) for card in state.cards))
        faces = [int(card.face) for card in state.cards]
        assert sorted(faces) == sorted(int(card.face) for card in Match(game, 2, {}, 5).plain.cards)
    assert len(seen) == 12
