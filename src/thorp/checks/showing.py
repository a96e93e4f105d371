"""Checks of the face: words, the score sheet, and the table in the browser."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from thorp.checks.matches import play_randomly, random_match, until_next_look
from thorp.checks.unmade import needing
from thorp.core.game import AnyGame
from thorp.core.match import AnyMatch
from thorp.core.registry import in_a_line
from thorp.core.words import say

if TYPE_CHECKING:
    from thorp.server.tables.table import Table

_VALUE = re.compile(r'="[^"]*"')
_STEPS = re.compile(r'\sdata-step="([^"]*)"')
_ID = re.compile(r'\sid="([^"]*)"')
_TARGET = re.compile(r'\shref="#([^"]*)"')
_DEAD = re.compile(r"\s(?:disabled|hidden)\b")


def _where(match: AnyMatch, seed: int) -> str:
    return f"(random match {seed} of {match.seats} seats, ply {match.ply})"


def the_sheet_adds_up(game: AnyGame, games: int) -> Iterator[str]:
    """The score sheet has the scores and places of the rules, and its rows add up to them."""
    for seed in range(max(4, min(games // 30, 30))):
        match = random_match(game, seed)
        play_randomly(match, random.Random(seed))
        scores, standings, sheet = match.scores, match.standings, match.sheet()
        if sheet.totals != scores or sheet.standings != standings:
            said = f"{sheet.totals} and {sheet.standings}, the rules {scores} and {standings}"
            yield f"The sheet says {said} {_where(match, seed)}"
        for seat in range(match.seats):
            if (total := sum(row.points[seat] for row in sheet.rows)) != scores[seat]:
                yield f"The rows of seat {seat} add up to {total}, not {scores[seat]} {_where(match, seed)}"
        if rival := game.face.rival(match.state):
            for name, given in (("points", rival.points), ("notes", rival.notes or rival.points)):
                if len(given) != len(sheet.rows):
                    said = f"{len(given)} {name} of who has no seat stand in {len(sheet.rows)} rows"
                    yield f"{said} {_where(match, seed)}"
        wanted = tuple(1 + sum(other < mine for other in standings) for mine in standings)
        if standings not in (wanted, (2,)):
            yield f"Places are {standings}, and have to be {wanted} where ties share {_where(match, seed)}"


def moves_can_be_told_apart(game: AnyGame, games: int) -> Iterator[str]:
    """No two moves of a seat are offered with the same words and the same steps; every reader is told every move."""
    for seed in range(max(4, min(games // 50, 15))):
        match = random_match(game, seed)
        rng = random.Random(seed)
        names = [f"Player {seat}" for seat in range(match.seats)]
        while not match.over:
            for seat in match.waiting:
                face = game.face
                seen: dict[tuple[str, tuple[str, ...]], int] = {}
                for move in match.legal(seat):
                    key = say(face.offer(match.state, seat, move), names), face.steps(match.state, seat, move)
                    if key in seen:
                        both = f"{game.moves.decode(seen[key])} and {game.moves.decode(move)}"
                        yield f"{both} are both offered as {key[0]!r} by the steps {key[1]} {_where(match, seed)}"
                        return
                    seen[key] = move
            play_randomly(match, rng, until_next_look(match, 4, rng))


def the_table_shows_what_is_offered(game: AnyGame, games: int) -> Iterator[str]:
    """The table is rendered for seats and for spectators, from the deal to the end.

    Of an offer either all steps are on elements that can be clicked, or none is: then it is chosen from the list.
    """
    # to see that needs no extra
    if not (game.folder / "table.html").is_file():
        yield f"{game.folder} has no table.html: write the template of the table (docs/games.md)"
        return
    with needing("web"):
        from thorp.checks.pages import Pages
    pages = Pages()
    for seed in range(max(2, min(games // 250, 4))):
        match = random_match(game, seed)
        rng = random.Random(seed)
        table = pages.table(match)
        while True:
            # everybody's at the deal and at the end, else one seat's and another reader's
            readers = [None, *range(match.seats)]
            for reader in readers if match.over or not match.ply else (*match.waiting[:1], rng.choice(readers)):
                try:
                    html = pages.fragment(table, reader)
                except Exception as error:
                    yield f"The table cannot be rendered: {in_a_line(error, game.package)} {_where(match, seed)}"
                    return
                shown = clickable(html)
                for move in match.legal(reader) if reader is not None else ():
                    steps = game.face.steps(match.state, reader, move)
                    missing = [step for step in steps if step not in shown]
                    if missing and len(missing) < len(steps):
                        played = game.moves.decode(move)
                        yield f"{played} needs {missing[0]}, which cannot be clicked at the table {_where(match, seed)}"
                        return
            if match.over:
                break
            _play_on(table, rng, until_next_look(match, 10, rng))
    for name in ("table", "cover", "rules"):
        for outside in re.findall(r"(?:^|[\s,}])(:root|html|body)\b", pages.sheet(game, name)):
            yield f"{name}.css says {outside}, which is outside of the game: write & for the element that holds it"
        if re.search(r"\bsymbol\b", pages.sheet(game, name).partition("[data-game=")[2]):
            yield f"{name}.css says symbol, and what a use shows lies outside of the game: write that into drawings.css"


def _play_on(table: Table, rng: random.Random, moves: int) -> None:
    """Play so many random moves at a table, fewer where the match ends."""
    match = table.match
    for _ in range(moves):
        if not match.over:
            seat = rng.choice(match.waiting)
            table.advance(match, [seat], [match.play(seat, rng.choice(match.legal(seat)))], [match.waiting])


def regions_are_made_of_what_they_name(game: AnyGame, games: int) -> Iterator[str]:
    """A region that is kept is the same as one that is rendered anew, and is one element with its name for an id."""
    if not (game.folder / "table.html").is_file():
        return
    with needing("web"):
        from thorp.checks.pages import Pages
        from thorp.server.web.regions import Drawn
    pages = Pages()
    for seed in range(max(2, min(games // 250, 3))):
        match = random_match(game, seed)
        rng = random.Random(seed)
        table = pages.table(match)
        readers = (None, rng.randrange(match.seats))
        kept = {reader: Drawn() for reader in readers}
        while True:
            for reader in readers:
                try:
                    was, new = pages.drawn(table, reader, kept[reader]), pages.drawn(table, reader, Drawn())
                except Exception as error:
                    yield f"The table cannot be rendered: {in_a_line(error, game.package)} {_where(match, seed)}"
                    return
                for name, html in new.regions.items():
                    if was.regions.get(name) != html:
                        yield f"The region {name!r} has changed, and what it names has not {_where(match, seed)}"
                        return
                    if html.startswith("<") and f'id="{name}"' not in html.partition(">")[0]:
                        yield f"The region {name!r} has to be one element with that id {_where(match, seed)}"
                        return
            if match.over:
                break
            _play_on(table, rng, until_next_look(match, 4, rng))


def the_rules_hold_together(game: AnyGame, games: int) -> Iterator[str]:
    """The rules in words, if there are any: links lead somewhere, every card has its place, drawings can be drawn."""
    if (book := game.rulebook()) is None:
        return
    yield from book.faults()
    with needing("web"):
        from thorp.checks.pages import Pages
    try:
        html = Pages().rules(game)
    except Exception as error:
        yield f"The rules cannot be rendered: {in_a_line(error, game.package)}"
        return
    ids = Counter(_ID.findall(html))
    for id, times in ids.items():
        if times > 1:
            yield f"On the page of the rules {times} elements have the id {id!r}"
    for target in dict.fromkeys([*book.anchors(), *_TARGET.findall(html)]):
        if target not in ids:
            yield f"On the page of the rules nothing has the id {target!r}, to which is linked"


def clickable(html: str) -> set[str]:
    """The steps that stand on elements which can be clicked."""
    tags = [tag for tag in html.split("<") if " data-step=" in tag]
    able = [tag for tag in tags if not _DEAD.search(_VALUE.sub("", tag).partition(">")[0])]
    return {step for tag in able for found in _STEPS.findall(tag) for step in found.split()}
