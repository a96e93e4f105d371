"""Drawing the record of a match that is over: words and numbers as data, boards as HTML with the look of their time.

What is in a record, as JSON has it (`FORMAT` tells which of these it is):

- `format`, `ending` (a name of `Ending`), `game` {`id`, `name`}, `versions` {`played`, `drawn`}: of the rules;
- `names` by seat, `options` [[label, value in words]], `round_word`: what the log calls a round;
- `log` [{`text`, `followed` [..], `round`}]: in plain words, for all to read;
- `boards` [{`round` (null: the end), `points` by seat, `html`}]: as a spectator saw them at the end of each round;
- `sheet` {`rows` [{`label`, `points`, `notes`}], `totals`, `standings`, `remarks`}, or null where there was no end;
- `export`: the match as a file, seed included, as every match that is over gives it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from thorp.core.face import ScoreSheet
from thorp.core.language import ENGLISH, speaking
from thorp.core.match import AnyMatch, by_ply
from thorp.core.words import Message, say
from thorp.server.tables.archive import Record
from thorp.server.tables.records import Ending, Over
from thorp.server.tables.story import went_back
from thorp.server.tables.table import Table
from thorp.server.web.looks import Looks
from thorp.server.web.naming import names_at
from thorp.server.web.shown import board
from thorp.server.web.templates import STATIC, Assets, environment

#: Of what is written here; `record.html` reads it.
FORMAT = 1

#: What records say, they say in one language for all.
KEPT = ENGLISH

#: What a built sheet refers to lies beside it.
_BESIDE = re.compile(r"""url\((["']?)\./""")


class Recorder:
    """Draws records, with templates of its own: it works in a thread beside the pages."""

    def __init__(self) -> None:
        self._assets = Assets()
        self._looks = Looks(keep=True)
        self._jinja = environment(self._assets, self._looks)

    def draw(self, over: Over) -> Record:
        """The record of a match."""
        with speaking(KEPT):
            return self._draw(over)

    def _draw(self, over: Over) -> Record:
        # The match alone: its story is told anew, and what is open at the end stands in the views of the end.
        table = Table(over.row, over.seats, over.match)
        game = table.game
        # Nobody wins where newer rules came to an end of their own.
        has_end = over.match.over and over.ending in (Ending.PLAYED, Ending.REPLAYED)
        content = {
            "format": FORMAT,
            "ending": str(over.ending),
            "game": {"id": game.id, "name": game.name},
            "versions": {"played": over.row.rules_version, "drawn": game.rules_version},
            "names": names_at(table),
            "options": [[option.label, option.label_of(over.match.options[option.id])] for option in game.options],
            "round_word": game.round_word,
            "log": list(_log(table)),
            "boards": list(self._boards(table)),
            "sheet": _sheet(over.match.sheet(), names_at(table)) if has_end else None,
            "export": over.match.export(),
        }
        drawings = self._jinja.get_template("_recorded_drawings.html").render(board(table))
        return Record(content, self._sheet_of(game.id), drawings)

    def _boards(self, table: Table) -> Iterator[dict[str, Any]]:
        """The boards at the end of every round that was followed by another, and that of the end."""
        starts = [line for line in table.story.lines if line.round]
        for before, after in pairwise(starts):
            past = table.match.at(after.ply)
            yield self._board(table, past, before.round, after.scores)
        yield self._board(table, table.match, None, table.match.scores)

    def _board(self, table: Table, match: AnyMatch, round: int | None, points: tuple[int, ...]) -> dict[str, Any]:
        # What a table that goes on keeps secret is no part of a past board; the file tells it.
        past = Table(table.row, table.seats, match)
        html = self._jinja.get_template("_recorded_board.html").render(board(past))
        return {"round": round, "points": points, "html": html}

    def _sheet_of(self, game: str) -> str:
        """The house's style sheet and the game's, as they are now."""
        path = STATIC / self._assets.address("main.css").rpartition("/")[2]
        house = path.read_text("utf-8") if path.is_file() else ""
        return _BESIDE.sub(r"url(\1/static/", house) + self._looks.sheet(game, "table")


def _log(table: Table) -> Iterator[dict[str, Any]]:
    anew = by_ply(table.match.anew)
    for told in table.story.told(None):
        for each in anew.get(told.line.ply, ()):
            yield {"text": say(went_back(each.seat), names_at(table)), "followed": [], "round": None}
        yield {
            "text": say(told.text, names_at(table)),
            "followed": [say(each, names_at(table)) for each in told.followed],
            "round": told.line.round,
        }


def _sheet(sheet: ScoreSheet, names: list[str]) -> dict[str, Any]:
    def words(message: Message | None) -> str:
        return say(message, names) if message else ""

    return {
        "rows": [
            {"label": words(row.label), "points": row.points, "notes": [words(note) for note in row.notes]}
            for row in sheet.rows
        ],
        "totals": sheet.totals,
        "standings": sheet.standings,
        "remarks": [words(remark) for remark in sheet.remarks],
    }
