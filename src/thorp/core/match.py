"""A match: a game being played, or played. Game, seats, options, seed and moves are all of it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Generic, SupportsIndex, TypeVar, cast, overload

import numpy as np

from thorp.compiling.mode import COMPILED
from thorp.compiling.preparing import Tell
from thorp.core.chance import GENERATOR_VERSION, SEED_BITS
from thorp.core.errors import ContractError, GameError, IllegalMove, MatchFileError, Told, message_of
from thorp.core.face import ScoreSheet
from thorp.core.game import AnyGame, Game, S, V
from thorp.core.given import shown, whole
from thorp.core.registry import game as find_game
from thorp.core.words import Message, Quoted, say

T = TypeVar("T")

#: Of the JSON that `Match.export` writes.
FORMAT_VERSION = 1
#: So long may an export be that is loaded: that of the longest game with a file of cards is a hundredth of it.
MOST_LENGTH = 16 * 1024 * 1024
#: So many digits may a number in it have: a seed has the most, 19.
_MOST_DIGITS = 32


@dataclass(frozen=True)
class Entry:
    """One move of the log. A forced one was the only legal move, and was played by the match itself."""

    seat: int
    move: int
    forced: bool = False


@dataclass(frozen=True)
class Step(Entry):
    """A move as it was played, with the states before and after it, which are not to be changed."""

    # a state as text fills screens
    before: Any = field(default=None, repr=False)
    after: Any = field(default=None, repr=False)


@dataclass(frozen=True)
class Anew:
    """From a position on chance was drawn anew, as a seat went back to it."""

    #: How many moves lie before it.
    ply: int
    seat: int
    #: What is drawn then follows from it.
    seed: int


def by_ply(anew: Iterable[Anew]) -> dict[int, list[Anew]]:
    """Where chance was drawn anew, by how many moves lie before it: who goes through the moves looks there for each."""
    return _grouped((each.ply, each) for each in anew)


@dataclass(frozen=True)
class _Placed(Step):
    """A step, and how many moves lie before it."""

    ply: int = 0


class Match(Generic[S, V]):
    """A game from its deal on.

    `.waiting` are the seats that have something to decide, `.legal(seat)` their legal moves, `.play(seat, move)`
    plays one; `.over`, `.scores` and `.standings` say how it stands. A match can be copied, pickled and written to a
    file. Threads do not share one: each plays and asks a copy of its own (compiled rules let other threads run).
    """

    # of an id no type checker knows the state and the view
    @overload
    def __init__(
        self: Match[Any, Any],
        game: str,
        seats: SupportsIndex,
        options: Mapping[str, str] | None = None,
        seed: SupportsIndex | None = None,
        *,
        forced: bool | np.bool_ = True,
        tell: Tell | None = None,
    ) -> None: ...

    @overload
    def __init__(
        self,
        game: Game[S, V],
        seats: SupportsIndex,
        options: Mapping[str, str] | None = None,
        seed: SupportsIndex | None = None,
        *,
        forced: bool | np.bool_ = True,
        tell: Tell | None = None,
    ) -> None: ...

    def __init__(
        self,
        game: str | Game[S, V],
        seats: SupportsIndex,
        options: Mapping[str, str] | None = None,
        seed: SupportsIndex | None = None,
        *,
        forced: bool | np.bool_ = True,
        tell: Tell | None = None,
    ) -> None:
        """Deal a game. Without a seed, an unpredictable one is drawn.

        `forced`: whether the match plays a move by itself where only one is legal and the game does not ask for it (see
        `asked` in `contract.py`). `tell(done, all, name)` is called while rules are compiled, at their first use.
        Numbers may be NumPy's. Raises GameError for an unknown game and what cannot be a seed or `forced`, OptionError
        for impossible options or seats, TypeError for what is no game and no id.
        """
        if not isinstance(game, str | Game):
            raise TypeError(f"a match is of a game or the id of one, not of {shown(game)}")
        if not isinstance(forced, bool | np.bool_):
            raise GameError(f"forced is True or False, not {shown(forced)}")
        drawn = secrets.randbits(SEED_BITS) if seed is None else checked_seed(seed)
        self.game: Game[S, V] = find_game(game) if isinstance(game, str) else game
        self.seats = self.game.seats_for(seats)
        self.options = self.game.options_for(self.seats, options)
        self.seed = drawn
        self.forced = bool(forced)
        #: How many of its first moves are those of another match, which it goes on from; None: it began by itself.
        self.continued: int | None = None
        #: How often chance was drawn anew in all, also where that was taken back in its turn.
        self.times_anew = 0
        self._held = self.game.held(self.options)
        self.game.prepare(tell)
        self._moves = self.game.move_list()
        self._start()

    def _start(self) -> None:
        self.state: Any = self.game.state()
        self._log: list[Entry] = []
        #: barriers[i]: how many things had happened before entry i that cannot be taken back
        self._barriers: list[int] = []
        self._anew: list[Anew] = []
        self.game.deal(self.state, self.seats, self.game.option_list(self.options), self.seed)
        self._play_forced()

    def __repr__(self) -> str:
        now = "over" if self.over else f"waiting for {', '.join(map(str, self.waiting))}"
        return f"<Match of {self.game.id}, {self.seats} seats, seed {self.seed}, ply {self.ply}, {now}>"

    # --- what is asked -------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.game.over(self.state))

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that have something to decide: several at once where the game is simultaneous."""
        mask = int(self.game.waiting(self.state))
        return tuple(seat for seat in range(self.seats) if mask >> seat & 1)

    def legal(self, seat: int) -> list[int]:
        """The legal moves of a seat, as numbers; empty where it has nothing to decide."""
        return self.game.legal_moves(self.state, self._seat(seat), self._moves)

    # --- playing -------------------------------------------------------------------------------------------

    def play(self, seat: int, move: int) -> tuple[Step, ...]:
        """Play a move, and the forced ones that follow: what was played.

        Raises IllegalMove, and changes nothing.
        """
        return self._push(self._choice(seat, move)), *self._play_forced()

    def replay(self, seat: int, move: int) -> tuple[Step, ...]:
        """Play a move of a record. Moves that were the only ones, and that the record leaves out, come first.

        Which moves a match plays by itself may differ from what it was when the record was made.
        """
        seat = self._seat(seat)
        steps: list[Step] = []
        while self.forced and (seat not in self.waiting or move not in self.legal(seat)):
            if not (single := self._single(ask=False)):
                break
            steps += self._push(single), *self._play_forced()
        return *steps, *self.play(seat, move)

    def _push(self, entry: Entry) -> Step:
        before = self.state
        after = self.game.copy(before)
        self.game.play(after, entry.seat, entry.move)
        self._barriers.append(self._barrier())
        self.state = after
        self._log.append(entry)
        return Step(entry.seat, entry.move, entry.forced, before, after)

    def _barrier(self) -> int:
        return int(self.state["barrier"] if COMPILED else self.state.barrier)

    def _play_forced(self) -> list[Step]:
        steps: list[Step] = []
        while self.forced and (single := self._single(ask=True)):
            steps.append(self._push(single))
        return steps

    def _single(self, ask: bool) -> Entry | None:
        """A move that is the only one of a seat; where `ask`, no such move for which the seat is asked."""
        for seat in self.waiting:
            moves = self.legal(seat)
            if len(moves) == 1 and not (ask and self.game.asked and self.game.asked(self.state, seat, moves[0])):
                return Entry(seat, moves[0], forced=True)
        return None

    def final_moves(self, seat: int) -> frozenset[int]:
        """The legal moves of a seat that it could not take back freely, as far as it can know that beforehand."""
        seat = self._seat(seat)
        # With all that it cannot know dealt again: it learns nothing by it.
        known = self.game.copy(self.state)
        self.game.determinize(known, seat, 0)
        return frozenset(move for move in self.legal(seat) if self._is_final(known, seat, move))

    def _is_final(self, state: Any, seat: int, move: int) -> bool:
        """Whether a legal move, with the forced ones that follow, brings about what cannot be taken back."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.state, twin._log, twin._barriers = state, [], []

        def is_past() -> bool:
            return twin.over or twin._barrier() != twin._barriers[0]

        twin._push(Entry(seat, move))
        # Mostly the move itself tells, and what would follow need not be looked for.
        if is_past():
            return True
        twin._play_forced()
        return is_past()

    # --- taking back ---------------------------------------------------------------------------------------

    def undo(self) -> None:
        """Take back the last move that was not forced, with all forced ones after it.

        For programs: it undoes draws and revealed secrets too. Raises GameError at the start.
        """
        chosen = [index for index, entry in enumerate(self._log) if not entry.forced]
        if not chosen:
            raise GameError("there is no move to undo")
        self._play_again(self._log[: chosen[-1]])
        if self.continued is not None:
            self.continued = min(self.continued, self.ply)

    def can_take_back(self, seat: int) -> bool:
        """Whether a seat may take back its last move freely.

        Free is what changed nothing that others acted on: no chance drawn since, nothing secret shown, and
        no phase ended. The game counts such events in `state.barrier`. What was played in the match that this one
        goes on from stays.
        """
        index = self._last_choice(self._seat(seat))
        if index is None or index < self._first_loose():
            return False
        return self._barriers[index] == self._barrier()

    def take_back(self, seat: int) -> None:
        """Take back a seat's last move, and what it was forced to after it; moves of other seats stay.

        Raises IllegalMove where that is not free.
        """
        seat = self._seat(seat)
        index = self._last_choice(seat)
        if index is None or not self.can_take_back(seat):
            raise IllegalMove("seat {seat} has no move that it may take back now", seat=seat)
        self._play_again([e for i, e in enumerate(self._log) if i < index or e.seat != seat])

    def can_go_back(self, seat: int) -> bool:
        """Whether there is a choice of a seat that could be chosen again, if all agree."""
        index = self._last_choice(self._seat(seat))
        return not self.over and index is not None and index >= (self.continued or 0)

    def go_back(self, seat: int, seed: int) -> None:
        """Go back to just before the last choice of a seat, whatever has happened since; what comes is drawn anew.

        What others chose since is taken back too, and so are choices of others before it, where they were still
        hidden then: or the seat would answer what it has seen by now. From `seed` follows what is drawn from there on,
        so that nothing that was seen since tells what comes. Raises IllegalMove where the seat has no such choice.
        """
        seat, number = self._seat(seat), checked_seed(seed)
        ply = self._back(seat)
        if self.over or ply is None:
            raise IllegalMove("seat {seat} has no move to which the match could go back", seat=seat)
        self._play_again(self._log[:ply])
        self.draw_anew(seat, number)

    def draw_anew(self, seat: int, seed: int) -> None:
        """Draw all chance to come from another seed, and deal again what no seat knows. `seat`: who went back here."""
        self._draw_all_anew([(seat, seed)])

    def _draw_all_anew(self, drawn: Iterable[tuple[int, int]]) -> None:
        anew = [Anew(self.ply, self._seat(seat), checked_seed(seed)) for seat, seed in drawn]
        self._begin_all_anew(anew)
        self.times_anew += len(anew)

    def _begin_all_anew(self, anew: Sequence[Anew]) -> None:
        """Draw anew here, once for each of them."""
        if not anew:
            return
        state = self.game.copy(self.state)
        if self.game.redeal:
            # what is dealt depends on how things lay before
            for each in anew:
                self.game.redeal(state, each.seed)
        elif self.game.chance:
            # the last one decides, as nothing is drawn between them
            (state["chance"] if COMPILED else state.chance)[0] = anew[-1].seed
        self.state = state
        self._anew += (Anew(self.ply, each.seat, each.seed) for each in anew)

    def _back(self, seat: int) -> int | None:
        """The position to which a seat can go back, where it has chosen anything."""
        index = self._last_choice(seat)
        if index is None or index < (self.continued or 0):
            return None
        back, barrier = index, self._barriers[index]
        for step in self._recent(barrier, index):
            if step.seat != seat and not step.forced and self._is_hidden(step):
                back = min(back, step.ply)
        return back

    def _recent(self, barrier: int, before: int) -> Iterable[_Placed]:
        """The moves before one, back to where something happened that cannot be taken back."""
        first = before
        while first > (self.continued or 0) and self._barriers[first - 1] == barrier:
            first -= 1
        past = self.at(first)
        for ply in range(first, before):
            entry = self._log[ply]
            yield _Placed(entry.seat, entry.move, entry.forced, past.state, None, ply)
            past._push(entry)

    def _is_hidden(self, step: Step) -> bool:
        """Whether a move was not told to all as it was made."""
        tell = self.game.face.tell
        own = tell(step.before, step.seat, step.move, step.seat)
        return any(tell(step.before, step.seat, step.move, reader) != own for reader in range(self.seats))

    def _first_loose(self) -> int:
        """Before this one no move can be taken back freely."""
        return max(self.continued or 0, self._anew[-1].ply if self._anew else 0)

    def _last_choice(self, seat: int) -> int | None:
        for index in range(len(self._log) - 1, -1, -1):
            entry = self._log[index]
            if entry.seat == seat and not entry.forced:
                return index
        return None

    def _play_again(self, entries: Sequence[Entry]) -> None:
        """Start again and play the chosen moves of a log; forced ones follow by themselves, where they do."""
        entries = self._chosen(entries)
        anew = self._anew_by_choices()
        self._start()
        for number, entry in enumerate(entries):
            self._begin_all_anew(anew.get(number, ()))
            if entry.forced:
                self._push(entry)
            else:
                self.replay(entry.seat, entry.move)
        self._begin_all_anew(anew.get(len(entries), ()))

    def _chosen(self, entries: Sequence[Entry]) -> list[Entry]:
        """The moves that a match does not play by itself: all of them where it plays none, as what `at` gives."""
        return [entry for entry in entries if not (entry.forced and self.forced)]

    def _anew_by_choices(self) -> dict[int, list[Anew]]:
        """Where chance was drawn anew, by how many choices lie before it; the earliest first."""
        if not self._anew:
            return {}
        choices = list(accumulate((not (entry.forced and self.forced) for entry in self._log), initial=0))
        return _grouped((choices[each.ply], each) for each in self._anew)

    # --- the record of play --------------------------------------------------------------------------------

    def log(self) -> tuple[Entry, ...]:
        """All moves so far, forced ones included."""
        return tuple(self._log)

    @property
    def anew(self) -> tuple[Anew, ...]:
        """Where chance was drawn anew, as a seat went back beyond what can be taken back freely."""
        return tuple(self._anew)

    @property
    def ply(self) -> int:
        """How many moves have been played, forced ones included."""
        return len(self._log)

    def copy(self) -> Match[S, V]:
        """An independent match at the same point."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.state = self.game.copy(self.state)
        twin._log = list(self._log)
        twin._barriers = list(self._barriers)
        twin._anew = list(self._anew)
        twin._moves = self.game.move_list()
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Match[S, V]:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        """What pickle keeps: the game by its id, the state as its bytes."""
        state = self.game.bytes(self.state)
        return {**self.__dict__, "game": self.game.id, "state": state, "_moves": None, "_held": None}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self.game = cast("Game[S, V]", find_game(kept["game"]))
        self.game.prepare()
        record = np.frombuffer(bytearray(kept["state"]), self.game.record.dtype)[0]
        self.state = record if COMPILED else self.game.record.read(record)
        self._moves = self.game.move_list()
        self._held = self.game.held(self.options)

    def at(self, ply: int) -> Match[S, V]:
        """The match as it was after `ply` moves; forced moves are not played on."""
        count = whole(ply)
        if count is None or not 0 <= count <= len(self._log):
            raise GameError(f"this match has plies 0 to {len(self._log)}, not {shown(ply)}")
        # Not a new match: options, which may be files, have been checked already.
        past = self.copy()
        past.forced = False
        past._start()
        anew = by_ply(self._anew)
        for number, entry in enumerate(self._log[:count]):
            past._begin_all_anew(anew.get(number, ()))
            past._push(entry)
        past._begin_all_anew(anew.get(count, ()))
        return past

    def branch(self, ply: int) -> Match[S, V]:
        """A match of its own that goes on from the position after `ply` moves, with the forced ones that follow.

        Deal and chance are the same: whoever knows this match knows what is coming. Its export tells so.
        """
        entries = self.at(ply).log()
        twin = self.copy()
        twin._play_again(entries)
        twin.continued = twin.ply
        return twin

    def steps(self) -> Iterable[Step]:
        """Every move from the deal on, with the states before and after it."""
        past, anew = self.at(0), by_ply(self._anew)
        for number, entry in enumerate(self._log):
            if number:
                past._begin_all_anew(anew.get(number, ()))
            yield past._push(entry)

    def digest(self) -> str:
        """SHA-256 of the state, in hexadecimal: the same for the same moves, on any machine and in either mode."""
        return self.game.digest(self.state)

    # --- showing -------------------------------------------------------------------------------------------

    @property
    def plain(self) -> S:
        """The state as a plain object, with all secrets: for views, words and debugging."""
        return self.game.plain(self.state)

    def view(self, seat: int | None = None) -> V:
        """What a seat may see; None is a spectator."""
        return self.game.face.view(self.state, self._reader(seat))

    def words(self, seat: int, move: int, names: Sequence[str] = ()) -> str:
        """A legal move of a seat, in words. Raises IllegalMove for any other."""
        choice = self._choice(seat, move)
        return say(self.game.face.offer(self.state, choice.seat, choice.move), names)

    def prompt(self, seat: int | None = None) -> Message:
        """What is asked of a seat now, or what it is waiting for."""
        return self.game.face.prompt(self.state, self._reader(seat))

    @property
    def scores(self) -> tuple[int, ...]:
        """Points by seat; before the end, as if it ended now."""
        return tuple(int(self.game.score(self.state, seat)) for seat in range(self.seats))

    @property
    def standings(self) -> tuple[int, ...]:
        """Places by seat after all tie-breaks, from 1; tied seats share a place. A game lost alone has no first."""
        return tuple(int(self.game.standing(self.state, seat)) for seat in range(self.seats))

    def sheet(self) -> ScoreSheet:
        """The score sheet: every seat's points by source, and why."""
        return self.game.face.sheet(self.state)

    # --- files ---------------------------------------------------------------------------------------------

    def export(self) -> str:
        """The match as JSON, its seed included: not for the eyes of players while it runs."""
        data: dict[str, Any] = {
            "format": FORMAT_VERSION,
            "game": self.game.id,
            "rules_version": self.game.rules_version,
            "generator_version": GENERATOR_VERSION,
            "seats": self.seats,
            "options": self.options,
            "seed": self.seed,
            "forced": self.forced,
            "moves": [[entry.seat, entry.move] for entry in self._chosen(self._log)],
            "over": self.over,
            "digest": self.digest(),
        }
        if self.continued is not None:
            data[_CONTINUED] = len(self._chosen(self._log[: self.continued]))
        if self._anew:
            data[_ANEW] = [
                [count, each.seat, each.seed] for count, anew in self._anew_by_choices().items() for each in anew
            ]
        return json.dumps(data, indent=1)

    @classmethod
    def load(cls, text: str | bytes) -> Match[Any, Any]:
        """The match of an export, played again.

        Raises MatchFileError where the file is no export, is of another version, holds an illegal move, or where
        the digest does not fit.
        """
        data = _read(text)
        game: AnyGame | None = None
        try:
            game = find_game(data["game"])
            for key, ours in (("rules_version", game.rules_version), ("generator_version", GENERATOR_VERSION)):
                if data[key] != ours:
                    raise MatchFileError(
                        "{key} is {value}, and this Thorp plays {ours}", key=key, value=shown(data[key]), ours=ours
                    )
            match = cls(game, data["seats"], data["options"], data["seed"], forced=data["forced"])
        except MatchFileError:
            raise
        except (GameError, ContractError) as error:
            raise MatchFileError("{fault}", fault=_told(error, game)) from error
        anew = _grouped((count, (seat, seed)) for count, seat, seed in data.get(_ANEW, ()))
        for number in range(len(data["moves"]) + 1):
            if number == data.get(_CONTINUED):
                match.continued = match.ply
            try:
                match._draw_all_anew(anew.get(number, ()))
                if number < len(data["moves"]):
                    match.replay(*data["moves"][number])
            except GameError as error:
                raise MatchFileError("moves[{number}]: {fault}", number=number, fault=_told(error, game)) from error
        while match.forced and data["over"] and (single := match._single(ask=False)):
            match._push(single)
        if match.over != data["over"] or match.digest() != data["digest"]:
            raise MatchFileError("the digest does not fit: the file was edited, or the rules have changed")
        return match

    @staticmethod
    def exported_game(text: str | bytes) -> str:
        """The id of the game of an export, which need not be installed. Raises MatchFileError as `load`."""
        return str(_read(text)["game"])

    # --- refusals ------------------------------------------------------------------------------------------

    def _seat(self, seat: int) -> int:
        """A seat that is there, as a plain int."""
        number = whole(seat)
        if number is None or not 0 <= number < self.seats:
            raise IllegalMove("there is no seat {seat}; seats are 0 to {last}", seat=shown(seat), last=self.seats - 1)
        return number

    def _reader(self, seat: int | None) -> int | None:
        return None if seat is None else self._seat(seat)

    def _choice(self, seat: int, move: int) -> Entry:
        """A move that is legal now."""
        seat = self._seat(seat)
        number = whole(move)
        if number is None or number not in self.legal(seat):
            raise IllegalMove("move {move} is not legal for seat {seat} now", move=shown(move), seat=seat)
        return Entry(seat, number)


def _told(error: Exception, game: AnyGame | None) -> Message | Quoted:
    """What is said of an error, in the words of the game if there is one."""
    return Quoted(message_of(error), game.words) if game else message_of(error)


def checked_seed(seed: Any) -> int:
    """A seed, as a plain int. Raises GameError."""
    number = whole(seed)
    if number is None or not 0 <= number < 1 << SEED_BITS:
        raise Told("a seed is an integer from 0 to 2**{bits} - 1, not {given}", bits=SEED_BITS, given=shown(seed))
    return number


#: A match of which a type checker need not know the state and the view.
AnyMatch = Match[Any, Any]

_FIELDS: dict[str, type] = {
    "format": int,
    "game": str,
    "rules_version": int,
    "generator_version": int,
    "seats": int,
    "options": dict,
    "seed": int,
    "forced": bool,
    "moves": list,
    "over": bool,
    "digest": str,
}
#: Of a match that goes on from another one: how many of its moves are that one's.
_CONTINUED = "continued"
#: Of a match in which chance was drawn anew: [after how many moves, the seat that went back, the seed].
_ANEW = "anew"
#: So many of them has an export at most. Not as many as it has moves: seats may go back to one position many times, and
#: what is dealt then depends on all of them.
MOST_ANEW = 1000


def _grouped(pairs: Iterable[tuple[int, T]]) -> dict[int, list[T]]:
    """Things by the number that each comes with, in their order."""
    groups: dict[int, list[T]] = {}
    for number, each in pairs:
        groups.setdefault(number, []).append(each)
    return groups


def _read(text: str | bytes) -> dict[str, Any]:
    """The fields of an export, each of its type; raises MatchFileError with the field at fault."""
    if not isinstance(text, str | bytes | bytearray):
        raise TypeError(f"an export is a text, or its bytes, not {shown(text)}")
    if len(text) > MOST_LENGTH:
        raise MatchFileError("this is no export of a match: none is longer than {n} bytes", n=MOST_LENGTH)
    try:
        data = json.loads(text, object_pairs_hook=_object, parse_int=_integer, parse_constant=_constant)
    except UnicodeDecodeError as error:
        raise MatchFileError("this is no UTF-8 text (at byte {place})", place=error.start) from error
    except RecursionError as error:
        raise MatchFileError("this is no exported match: its lists lie too deep in one another") from error
    except json.JSONDecodeError as error:
        raise MatchFileError(
            "this is no JSON (line {line}, column {column})", line=error.lineno, column=error.colno
        ) from error
    if not isinstance(data, dict):
        raise MatchFileError("this is no exported match: an object was expected")
    for key, kind in _FIELDS.items():
        if key not in data:
            raise MatchFileError("{key} is missing", key=key)
        if type(data[key]) is not kind:
            raise MatchFileError(
                "{key} must be of type {kind}, not {given}", key=key, kind=kind.__name__, given=type(data[key]).__name__
            )
    if unknown := data.keys() - _FIELDS.keys() - {_CONTINUED, _ANEW}:
        raise MatchFileError("{key} is no field of an exported match", key=shown(min(unknown)))
    if data["format"] != FORMAT_VERSION:
        raise MatchFileError(
            "format is {value}, and this Thorp reads {ours}", value=shown(data["format"]), ours=FORMAT_VERSION
        )
    if not _are_moves(data["moves"]):
        raise MatchFileError("moves must be a list of [seat, move]")
    continued = data.get(_CONTINUED, 0)
    if type(continued) is not int or not 0 <= continued <= len(data["moves"]):
        raise MatchFileError(
            "{key} must be a number of moves, from 0 to {most}", key=_CONTINUED, most=len(data["moves"])
        )
    anew = data.get(_ANEW, [])
    counts = [each[0] for each in anew] if _are_moves(anew, of=3) and len(anew) <= MOST_ANEW else None
    if counts is None or counts != sorted(counts) or not all(0 <= count <= len(data["moves"]) for count in counts):
        raise MatchFileError(
            "{key} must be a list of at most {most} [number of moves, seat, seed], in order", key=_ANEW, most=MOST_ANEW
        )
    return data


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise MatchFileError("{key} comes twice", key=shown(key))
        found[key] = value
    return found


def _integer(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise MatchFileError(
            "a number has {n} digits; no export has any of more than {most}", n=len(digits), most=_MOST_DIGITS
        )
    return int(digits)


def _constant(name: str) -> None:
    raise MatchFileError("this is no JSON: {value} is no number", value=name)


def _are_moves(moves: Any, of: int = 2) -> bool:
    """Whether something is a list of lists of so many numbers."""
    return isinstance(moves, list) and all(
        isinstance(each, list) and len(each) == of and all(type(number) is int for number in each) for each in moves
    )
