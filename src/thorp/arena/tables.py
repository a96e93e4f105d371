"""One game between any players, move by move: how it came out, and how long they thought."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from thorp.arena.entrants import Entrant
from thorp.arena.pipes import Lost, Pipe
from thorp.arena.questions import ending, opening, question
from thorp.arena.whole_games import MOST_MOVES, PLAYERS_STREAM, SEEDS
from thorp.compiling.mode import COMPILED
from thorp.core.chance import below, stream
from thorp.core.errors import GameError
from thorp.core.game import AnyGame
from thorp.core.match import AnyMatch, Match
from thorp.players import Plan, choose, goes_by_lessons
from thorp.players.lessons import beginning_of, known_or_learned
from thorp.players.turns import draw_seat

#: So long may a process take until it is ready for its first game, in seconds: it may have much to load.
READY_WITHIN = 60.0
#: So many processes of players are kept from game to game, or as many as two tables have seats.
KEPT = 6


@dataclass(frozen=True)
class Outcome:
    """How a game came out; lists are by seat."""

    scores: list[int]
    standings: list[int]
    #: Moves with something to choose, of all seats together.
    choices: int
    #: The first seat that had to decide alone; -1 where all always decided at once.
    leader: int
    rounds: int | None
    #: The seat that could not go on, and why: see `standings_without`.
    lost: tuple[int, str] | None = None
    #: By seat, where somebody looked at the clock: choices, how long they took together, and the longest, in seconds.
    asked: list[int] | None = None
    seconds: list[float] | None = None
    longest: list[float] | None = None
    #: All moves in their order, see `moves_in`; None of a game in compiled code, which can be played again.
    moves: str | None = None


def moves_in(text: str) -> Iterator[tuple[int, int]]:
    """The seat and the move of each that an outcome has: "0:17 1:4"."""
    for each in text.split():
        seat, _, move = each.partition(":")
        yield int(seat), int(move)


class FirstAlone:
    """Who first has to decide alone, told of every move of a game: the same seat as `whole_games` finds."""

    def __init__(self) -> None:
        #: -1 where all always decided at once, so far.
        self.seat = -1
        # who else waited before the last move, and so need not be alone now
        self._others = 0

    def moves(self, waiting: int, seat: int) -> None:
        """A seat of those who wait moves next."""
        if self.seat < 0 and waiting == 1 << seat and waiting != self._others:
            self.seat = seat
        self._others = waiting ^ 1 << seat


class Chairs:
    """The processes of players of somebody else's, one for each seat, kept from game to game.

    Two seats of one player are two processes: what one knows the other must not. Of many players those are ended that
    have not played for longest.
    """

    def __init__(self) -> None:
        #: The one that has played last comes last.
        self._pipes: dict[tuple[Entrant, int], Pipe] = {}

    def pipe(self, entrant: Entrant, match: AnyMatch, seat: int, seconds: float) -> Pipe:
        """The process of a seat, told which game begins.

        Raises GameError where a new one cannot be started or does not get ready: no fault of its play, since this
        machine may not have it, and would lose every deal here. Raises Lost where one that has played before fails.
        """
        if known := self._pipes.pop((entrant, seat), None):
            self._pipes[entrant, seat] = known
            return _ready(known, match, seat, seconds)
        while len(self._pipes) >= max(KEPT, 2 * match.seats):
            # no table has as many
            self._pipes.pop(next(iter(self._pipes))).end()
        try:
            self._pipes[entrant, seat] = Pipe(entrant.process())
            return _ready(self._pipes[entrant, seat], match, seat, seconds)
        except Lost as lost:
            self.drop(entrant, seat)
            raise GameError(
                f"{entrant.name} does not get ready on {socket.gethostname()}: {lost}; "
                f"mend it, or what is given as --player ({entrant.given}), and run it again"
            ) from lost

    def drop(self, entrant: Entrant, seat: int) -> None:
        """Kill a process that could not go on: the next game begins with a new one."""
        if pipe := self._pipes.pop((entrant, seat), None):
            pipe.kill()

    def end(self) -> None:
        """End all processes."""
        while self._pipes:
            self._pipes.popitem()[1].end()


def play_game(
    game: AnyGame,
    options: Mapping[str, str],
    seed: int,
    seating: Sequence[Entrant],
    chairs: Chairs,
    seconds: float,
    keep: Callable[[Any], None] | None = None,
) -> Outcome:
    """Play a game to its end: the same as `whole_games` plays, where it knows the players.

    `seating` says who sits at each seat; players of somebody else's may take `seconds` for a choice. `keep` is given
    the state at the end. Raises GameError where a game does not end, or a new process of a player does not get ready.
    """
    match: AnyMatch = Match(game, len(seating), options, seed, forced=False)
    table = _Table(match, seating, chairs, seconds)
    outcome = table.play(stream(seed ^ PLAYERS_STREAM))
    if keep:
        keep(match.state)
    return outcome


class _Table:
    def __init__(self, match: AnyMatch, seating: Sequence[Entrant], chairs: Chairs, seconds: float) -> None:
        self._match = match
        self._seating = seating
        self._chairs = chairs
        self._limit = seconds
        self._choices = [0] * match.seats
        self._seconds = [0.0] * match.seats
        self._longest = [0.0] * match.seats
        self._first = FirstAlone()
        self._pipes: dict[int, Pipe] = {}
        self._plans = [Plan() for _ in seating]

    def play(self, luck: Any) -> Outcome:
        seat = 0
        try:
            for seat, entrant in enumerate(self._seating):
                if entrant.foreign:
                    self._pipes[seat] = self._chairs.pipe(entrant, self._match, seat, self._limit)
            if self._go_by_lessons():
                # as at tables that people sit at, but nobody has to wait for it, and it is nobody's time to think
                known_or_learned(self._match.game, beginning_of(self._match), self._match.seats)
            for seat in self._turns(luck):
                self._move(seat, luck)
        except Lost as lost:
            self._chairs.drop(self._seating[seat], seat)
            standings = standings_without(seat, [each.name for each in self._seating])
            return self._outcome(standings, (seat, str(lost)))
        return self._outcome(list(self._match.standings), None)

    def _go_by_lessons(self) -> bool:
        """Whether anybody here goes by what is learned for a table: of somebody else's, who says so."""
        if any(pipe.learns for pipe in self._pipes.values()):
            return True
        return any(not entrant.foreign and goes_by_lessons(entrant.player) for entrant in self._seating)

    def _turns(self, luck: Any) -> Any:
        """Who moves next, until nobody has to: any of those who wait."""
        for _ in range(MOST_MOVES):
            mask = int(self._match.game.waiting(self._match.state))
            if not mask:
                return
            seat = draw_seat(mask, luck)
            self._first.moves(mask, seat)
            yield seat
        raise GameError(f"the game {self._match.seed} of {self._match.game.name} does not end")

    def _move(self, seat: int, luck: Any) -> None:
        match = self._match
        legal = match.legal(seat)
        if len(legal) == 1:
            match.play(seat, legal[0])
            return
        seed = int(below(luck["chance"] if COMPILED else luck.chance, SEEDS))
        began = time.perf_counter()
        if pipe := self._pipes.get(seat):
            move = _answer(pipe.ask(question(match, seat, seed, self._limit), self._limit), legal)
        else:
            player = self._seating[seat]
            weights = player.learned(match.game)
            move = choose(player.player, match, seat, seed, self._plans[seat], weights=weights)
        passed = time.perf_counter() - began
        self._choices[seat] += 1
        self._seconds[seat] += passed
        self._longest[seat] = max(self._longest[seat], passed)
        match.play(seat, move)

    def _outcome(self, standings: list[int], lost: tuple[int, str] | None) -> Outcome:
        match = self._match
        scores = list(match.scores)
        for seat, pipe in self._pipes.items():
            if not lost or seat != lost[0]:
                with contextlib.suppress(Lost):
                    pipe.tell(ending(scores, standings))
        return Outcome(
            scores=scores,
            standings=standings,
            choices=sum(self._choices),
            asked=self._choices,
            seconds=[round(each, 6) for each in self._seconds],
            longest=[round(each, 6) for each in self._longest],
            leader=self._first.seat,
            rounds=rounds_of(match.game, match.state),
            lost=lost,
            moves=" ".join(f"{entry.seat}:{entry.move}" for entry in match.log()),
        )


def standings_without(seat: int, seating: Sequence[str]) -> list[int]:
    """How a game is settled in which a seat could not go on.

    All seats of that player lose, or it would win by its own copies, and the others share the win. Where no other
    player sits there nobody has beaten anybody: all seats come in alike, but alone it loses to whoever could go on.
    """
    others = sum(name != seating[seat] for name in seating)
    if not others and len(seating) > 1:
        return [1] * len(seating)
    return [max(2, 1 + others) if name == seating[seat] else 1 for name in seating]


def rounds_of(game: AnyGame, state: Any) -> int | None:
    """The round in which a game ended; None where it does not count them."""
    if "round" not in (game.record.dtype.names or ()):
        return None
    return int(state["round"] if COMPILED else state.round)


def _ready(pipe: Pipe, match: AnyMatch, seat: int, seconds: float) -> Pipe:
    """The process, when it is ready for a game. Raises Lost where it does not get ready."""
    answer = pipe.ask(opening(match, seat, seconds), max(seconds, READY_WITHIN))
    if answer.get("ready") is not True:
        raise Lost(f'it is not ready: it answered {str(answer)[:80]}, not {{"ready": true}}')
    pipe.learns = answer.get("learns") is True
    return pipe


def _answer(answer: dict[str, Any], legal: Sequence[int]) -> int:
    """The move of an answer. Raises Lost where it has none, or none of those that are legal."""
    move = answer.get("move")
    if not isinstance(move, int) or isinstance(move, bool):
        raise Lost(f'it answered {str(answer)[:80]}, not {{"move": NUMBER}}')
    if move not in legal:
        raise Lost(f"it chose the move {move}, which is not legal")
    return move
