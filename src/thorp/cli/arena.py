"""`thorp arena balance`: many games between equal players, and a report of what seats and cards are worth."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

from thorp.arena.figures import CARD_LIMIT, FIRST_LIMIT, Figures, check_limit, figures_of
from thorp.arena.heterogeneity import figures_apart
from thorp.arena.many import play_many
from thorp.cli.extras import missing
from thorp.cli.interrupts import quietly_interruptible
from thorp.cli.options import read_options
from thorp.compiling.preparing import show_progress
from thorp.core.errors import GameError
from thorp.core.registry import game as find_game

#: Seats where none are asked for, as far as the game allows.
USUAL_SEATS = 4


def balance(
    id: str,
    games: int,
    seats: int | None,
    options: Sequence[str],
    seed: int,
    level: str,
    threads: int | None,
    out: Path | None,
    points: float | None,
) -> int:
    """Play, write the report into a folder, and say where it is and what it comes to.

    `points`: how much a card may move its owner's share of wins, in points of a hundred.
    """
    card_limit = CARD_LIMIT if points is None else points / 100
    check_limit(card_limit)
    try:
        with quietly_interruptible():
            from thorp.arena.report import about, write_report
    except ImportError as error:
        raise missing("reports need", "arena", error) from error
    game = find_game(id)
    at_table = min(max(USUAL_SEATS, game.seats[0]), game.seats[-1]) if seats is None else seats
    chosen = game.options_for(at_table, read_options(game, options))
    if at_table < 2:
        raise GameError("balance is between seats: play with 2 or more")
    folder, made = report_folder(out or Path(f"balance-{game.id}-{at_table}"))
    try:
        game.prepare(show_progress)
        progress = Progress()
        progress.show("Preparing players")
        played = play_many(
            game, at_table, chosen, games=games, seed=seed, level=level, threads=threads, tell=progress.tell
        )
        figures = figures_of(played, card_limit)
        try:
            page = write_report(folder, about(played), figures)
        except OSError as error:
            raise GameError(f"the report cannot be written to {folder}: {error.strerror}") from error
    except BaseException:
        if made:
            folder.rmdir()
        raise
    for line in (*_summary(figures), page):
        print(line)
    return 0


def report_folder(folder: Path) -> tuple[Path, bool]:
    """The folder of the report, made before anything is played; and whether it had to be made."""
    if folder.exists() and not folder.is_dir():
        raise GameError(f"{folder} is not a folder; name another one with --out")
    try:
        made = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise GameError(f"{folder} cannot be made: {error.strerror}") from error
    return folder, made


def _summary(figures: Figures) -> list[str]:
    lines = []
    if figures.first.known:
        said = figures.first.against(FIRST_LIMIT)
        word = "not known yet whether within" if said == "unclear" else said
        value, margin = 100 * figures.first.value, 100 * (figures.first.high - figures.first.value)
        lines.append(f"First place: {value:+.1f} ± {margin:.1f} points, {word} {100 * FIRST_LIMIT:.0f}.")
    told = sum(card.plain.known for card in figures.cards)
    beyond = figures.cards_beyond
    if told:
        named = "; ".join(f"{card.name} {100 * card.plain.value:+.1f}" for card in beyond)
        lines.append(
            f"Cards: {len(beyond)} of {told} move their owner's share of wins by more than "
            f"{100 * figures.card_limit:g} points{': ' + named if named else ''}."
        )
    if apart := figures_apart(figures):
        likeliest, fewest, most = apart.beyond
        lines.append(
            f"Truly about {likeliest:.0f} ({fewest:.0f} to {most:.0f}) do, as far "
            f"as these games tell; chance alone would put {apart.by_chance:.0f} there."
        )
    return lines or ["Too few games to say."]


class Progress:
    """How far it is, on standard error: one line that is written over, or elsewhere than at a terminal, ten lines."""

    def __init__(self, what: str = "games") -> None:
        self._what = what
        self._began: float | None = None
        #: What had been played when this began.
        self._before = 0
        self._tenths = 0

    def tell(self, done: int, games: int) -> None:
        """`done` of `games` have been played."""
        if self._began is None:
            self._began, self._before = time.monotonic(), done
        passed = max(time.monotonic() - self._began, 1e-9)
        played = done - self._before
        left = round(passed * (games - done) / max(played, 1))
        text = f"Played {done:,} of {games:,} {self._what}"
        if played:
            text += f", {played / passed:,.1f} a second, {left // 60}:{left % 60:02} left"
        if sys.stderr.isatty() or done * 10 // games > self._tenths:
            self._tenths = done * 10 // games
            self.show(text, last=done == games)

    def show(self, text: str, last: bool = False) -> None:
        """Say something in the one line, or in a line of its own."""
        if sys.stderr.isatty():
            print(f"\r\033[K{text}", end="\n" if last else "", file=sys.stderr, flush=True)
        else:
            print(text, file=sys.stderr, flush=True)
