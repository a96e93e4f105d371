"""`thorp play GAME`: a game in the terminal against simple players."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from thorp import players
from thorp.cli.lessons import LessonBeside
from thorp.cli.options import read_options
from thorp.cli.replay import print_result, seat_name
from thorp.compiling.preparing import show_progress
from thorp.core.chance import SEED_BITS
from thorp.core.errors import GameError, Told
from thorp.core.language import spoken, turn_to
from thorp.core.match import AnyMatch, Entry, Match
from thorp.core.registry import game as find_game
from thorp.core.words import Message, Said, say

#: The seat of the person at the terminal.
ME = 0
#: What goes into a hint, and how many moves it tells.
HINT = players.Effort(seconds=1.5)
HINTS = 3

_HELP: Said[str] = (
    "Type the number of a move. Of a long list only a part is shown: type words from a move to see those that hold\n"
    "them all. Also: h gives a hint, u takes back, b shows the table, q leaves the game."
)


def play(game: str, seats: int, level: str, seed: int | None, options: Sequence[str], save: Path | None) -> int:
    """Play to the end; 0, or 1 where the game was left before."""
    if not players.is_player(level):
        raise GameError(players.no_player(level))
    if save:
        _try_to_write(save)
    found = find_game(game)
    turn_to(found.words)
    match: AnyMatch = Match(found, seats, read_options(found, options), seed, tell=_show_progress)
    names = (say(Message("Seat 1 (you)")), *(seat_name(seat) for seat in range(1, seats)))
    data = {"game": found.name, "n": seats, "level": spoken().text(players.called(level)), "seed": match.seed}
    if seats > 1:
        many = "{game}, {n} seats, you are seat 1; bots: {level}; seed {seed}"
        print(say(Message("{game}, {n} seat, you are seat 1; bots: {level}; seed {seed}", data, many)))
    else:
        print(say(Message("{game}, you play alone, seed {seed}", data)))
    print(say(Message(_HELP)))
    table = Terminal(match, names, level)
    try:
        finished = table.play()
        if finished:
            print(f"\n{match.game.face.text(match.state, ME)}\n")
            print_result(match, names)
    finally:
        # also where it is left by Ctrl-C
        if save:
            _write(match, save)
    return 0 if finished else 1


def _show_progress(done: int, total: int, name: str) -> None:
    """A bar in the language that is spoken."""
    ready = say(Message("{n} rule is ready.", {"n": total}, "{n} rules are ready."))
    show_progress(done, total, name, say(Message("Preparing rules")), ready)


def _write(match: AnyMatch, save: Path) -> None:
    try:
        save.write_text(match.export(), "utf-8")
    except OSError as error:
        raise _unwritten(save, error) from error
    print(say(Message("The match is in {file}.", {"file": save})))


def _try_to_write(file: Path) -> None:
    """Raise GameError where a file cannot be written: its match would be lost. Nothing is left or emptied."""
    try:
        try:
            file.open("xb").close()
        except FileExistsError:
            file.open("ab").close()
        else:
            file.unlink()
    except OSError as error:
        raise _unwritten(file, error) from error


def _unwritten(file: Path, error: OSError) -> GameError:
    return Told("{file} cannot be written: {error}", file=file, error=error.strerror)


def _read(prompt: str) -> str:
    """What is typed. Raises EOFError where nothing more can be."""
    if sys.stdin is None:
        raise EOFError
    try:
        return input(prompt)
    except UnicodeDecodeError:
        # no text: it is asked again
        return ""


class Terminal:
    """One person at seat 0, the others played by a simple player."""

    def __init__(
        self, match: AnyMatch, names: tuple[str, ...], level: str, ask: Callable[[str], str] | None = None
    ) -> None:
        self.match = match
        self._names = names
        self._level = level
        self._ask = ask or _read
        self._told: list[Entry] = []
        #: The line of the last hint: whoever follows hints alone is told of no worse.
        self._line: tuple[int, ...] = ()
        self._lesson = LessonBeside(match)

    def play(self) -> bool:
        """Play until the match is over (True) or the person leaves (False)."""
        if self.match.seats > 1 and players.goes_by_lessons(self._level):
            self._lesson.begin()
        try:
            return self._play()
        finally:
            self._lesson.end()

    def _play(self) -> bool:
        while not self.match.over:
            self._let_others_play()
            self._tell()
            if ME in self.match.waiting and not self._my_move():
                return False
        # what ended it
        self._tell()
        return True

    def _let_others_play(self) -> None:
        while others := [seat for seat in self.match.waiting if seat != ME]:
            seat = others[0]
            where = self.match.game, self.match.state, seat, secrets.randbits(SEED_BITS)
            self.match.play(seat, players.choose_in(self._level, *where, seats=self.match.seats))

    def _tell(self) -> None:
        """Print what has happened since the last time."""
        log = self.match.log()
        same = 0
        while same < min(len(log), len(self._told)) and log[same] == self._told[same]:
            same += 1
        past = self.match.at(same)
        print()
        face = self.match.game.face
        for entry in log[same:]:
            print(say(face.tell(past.state, entry.seat, entry.move, ME), self._names))
            step = past.play(entry.seat, entry.move)[0]
            for followed in face.follows(step.before, step.after, ME):
                print(f"  {say(followed, self._names)}")
        self._told = list(log)

    def _my_move(self) -> bool:
        """Ask for a move and play it; False where the person leaves."""
        match = self.match
        print(f"\n{match.game.face.text(match.state, ME)}\n\n{say(match.prompt(ME), self._names)}")
        offers = [(move, match.words(ME, move, self._names)) for move in match.legal(ME)]
        shown = offers
        while True:
            self._list(shown, len(offers))
            try:
                answer = self._ask("> ").strip().casefold()
            except EOFError:
                return False
            if answer == "q":
                return False
            if answer == "b":
                print(f"\n{match.game.face.text(match.state, ME)}\n")
            elif answer == "u":
                if match.can_take_back(ME):
                    match.take_back(ME)
                    return True
                print(say(Message("There is nothing that you may take back now.")))
            elif answer == "h":
                shown = self._hint()
            elif answer.isdecimal():
                # no list is so long, and of thousands of digits no number is made
                if len(answer) < 10 and 1 <= int(answer) <= len(shown):
                    match.play(ME, shown[int(answer) - 1][0])
                    return True
                print(say(Message("Type a number from 1 to {n}.", {"n": len(shown)})))
            else:
                words = answer.split()
                shown = [offer for offer in offers if all(word in offer[1].casefold() for word in words)] or offers

    def _hint(self) -> list[tuple[int, str]]:
        """The best moves, to be chosen among, each with what it is expected to bring."""
        match = self.match
        # one hint could not be compared with the next, were one told before and one after
        self._lesson.begin()
        self._lesson.finish()
        where = match.game, match.state, match.seats, ME, match.ply
        judged = players.judge(*where, effort=HINT, course=self._line)
        self._line = judged.line
        print(say(Message("What a strong player would think of, the best first:")))
        hints = []
        for each in judged.foremost(HINTS):
            worth = match.sheet().so_many(round(each.points, 1) if judged.by_points else round(each.points))
            if not judged.by_points:
                worth = Message("{n} % to win, {points}", {"n": round(100 * each.chance), "points": say(worth)})
            hints.append((each.move, f"{match.words(ME, each.move, self._names)} ({say(worth)})"))
        return hints

    @staticmethod
    def _list(offers: Sequence[tuple[int, str]], total: int, most: int = 24) -> None:
        for number, (_, words) in enumerate(offers[:most], 1):
            print(f"{number:4}  {words}")
        if len(offers) > most:
            more = {"left": len(offers) - most, "total": total}
            print(say(Message("      and {left} more of {total}: type words to choose among them", more)))
        sys.stdout.flush()
