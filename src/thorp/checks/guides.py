"""Checks of a guided first game: that it can be read, speaks of what is there, and comes to its end."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from thorp.checks.unmade import needing
from thorp.core.game import AnyGame
from thorp.core.guide import FILE, Facts, Guide, GuideError, Now, guide_of
from thorp.core.match import AnyMatch, Match

if TYPE_CHECKING:
    from thorp.checks.pages import Pages

#: A person who does not do as it is told plays so many guided games.
STUBBORN = 6

_ID = re.compile(r'\sid="([^"]*)"')
_STEP = re.compile(r'\sdata-step="([^"]*)"')

#: What a person does where its seat is asked: a legal move.
Person = Callable[[AnyMatch, Now], int]


@dataclass(frozen=True)
class Moment:
    """A moment of a guided game: what is said, and what the person does: a move, or it reads on (None)."""

    match: AnyMatch
    now: Now
    move: int | None


def play_guided(game: AnyGame, guide: Guide, person: Person, reads: bool = True) -> Iterator[Moment]:
    """Play a guided game as it is played at a table, until the guide has come to its end, or the match has.

    `reads`: whether the person goes on from what is to be read; else it plays on while the match lasts. Raises
    GuideError where a condition fails.
    """
    from thorp.server.settings import Settings
    from thorp.server.tables.guiding import salt_of
    from thorp.server.tables.table import bot_seed

    match = Match(game, guide.seats, guide.options, guide.seed)
    salt, made, read = salt_of(game, guide), Counter[int](), 0
    while True:
        while bots := [seat for seat in match.waiting if seat != guide.seat]:
            moves = []
            for seat in bots:
                if (move := guide.has_chosen(match, seat)) is None:
                    move = Settings.players.choose(guide.bot, match, seat, bot_seed(salt, seat, made[seat]))
                moves.append((seat, move))
            for seat, move in moves:
                match.play(seat, move)
                made[seat] += 1
        now = guide.now(Facts.of(match, guide.seat), read)
        if now.step is None:
            yield Moment(match, now, None)
            return
        if now.saying and now.step.done is None and (reads or match.over):
            yield Moment(match, now, None)
            read = now.index + 1
        elif match.over:
            # A step that waits for what cannot come any more.
            yield Moment(match, now, None)
            return
        else:
            move = person(match, now)
            yield Moment(match, now, move)
            match.play(guide.seat, move)
            made[guide.seat] += 1


def obedient(guide: Guide, seed: int = 0) -> Person:
    """A person who does what is said, and where it is left to itself plays as the guide's bot would."""
    from thorp.server.settings import Settings

    def choose(match: AnyMatch, now: Now) -> int:
        wanted = now.saying.do if now.saying else ()
        for move in match.legal(guide.seat) if wanted else ():
            if set(wanted) <= set(match.game.face.steps(match.state, guide.seat, move)):
                return move
        return Settings.players.choose(guide.bot, match, guide.seat, seed + match.ply)

    return choose


def stubborn(guide: Guide, rng: random.Random) -> Person:
    """A person who does anything."""
    return lambda match, now: rng.choice(match.legal(guide.seat))


def the_guide_leads_to_its_end(game: AnyGame, games: int) -> Iterator[str]:
    """A guide can be read; who does what it says is told every step, in order; who does not is not left without."""
    try:
        guide = guide_of(game)
    except GuideError as error:
        yield from (f"{FILE}: {fault}" for fault in error.faults)
        return
    if guide is None:
        return
    with needing("web"):
        from thorp.checks.pages import Pages
        from thorp.server.settings import Settings
    if guide.bot not in Settings.players.names():
        yield f"{FILE}: there is no bot {guide.bot!r}; there are {', '.join(Settings.players.names())}"
        return
    pages = Pages()
    try:
        yield from _told_to_the_obedient(game, guide, pages)
        yield from _told_to_the_stubborn(game, guide, max(2, min(games // 150, STUBBORN)))
    except GuideError as error:
        yield from (f"{FILE}: {fault}" for fault in error.faults)


def _told_to_the_obedient(game: AnyGame, guide: Guide, pages: Pages) -> Iterator[str]:
    said: list[int] = []
    placed: set[tuple[int, str]] = set()
    last = None
    for moment in play_guided(game, guide, obedient(guide)):
        now = last = moment.now
        if now.saying is None or now.step is None or (now.index, now.saying.text) in placed:
            continue
        placed.add((now.index, now.saying.text))
        if now.index not in said:
            said.append(now.index)
        there = _places(pages.fragment(pages.table(moment.match), guide.seat))
        at = now.saying.at or now.saying.do[:1]
        if at and not there.intersection(at):
            yield f"{FILE}: step {now.step.id!r} speaks of {' or '.join(at)}, which is not on the table then"
        if missing := [step for step in now.saying.do if step not in there]:
            yield f"{FILE}: step {now.step.id!r} asks to click {missing[0]!r}, which is not on the table then"
    for index, step in enumerate(guide.steps):
        if index not in said:
            yield f"{FILE}: step {step.id!r} is not reached by who does what is said"
    if last is not None and last.step is not None:
        yield f"{FILE}: the match is over, and step {last.step.id!r} still waits"


def _told_to_the_stubborn(game: AnyGame, guide: Guide, games: int) -> Iterator[str]:
    for seed in range(games):
        before, last = -1, None
        for moment in play_guided(game, guide, stubborn(guide, random.Random(seed))):
            last = moment.now
            if last.index < before:
                step = guide.steps[last.index]
                yield f"{FILE}: step {step.id!r} comes back after it was behind (stubborn person {seed})"
                return
            before = last.index
        if last is not None and last.step is not None:
            yield f"{FILE}: who does something else is left at step {last.step.id!r} (stubborn person {seed})"


def _places(html: str) -> set[str]:
    """What a guide can speak of: ids, and steps that stand on elements."""
    return {*_ID.findall(html), *(step for found in _STEP.findall(html) for step in found.split())}
