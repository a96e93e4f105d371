"""The table of a game as the server renders it, without a server."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from jinja2 import TemplateNotFound

from thorp.core.game import AnyGame
from thorp.core.match import AnyMatch
from thorp.server.tables.store import SeatRow, TableRow
from thorp.server.tables.table import Table
from thorp.server.web.looks import Looks
from thorp.server.web.regions import Drawn, Fragment, Regions
from thorp.server.web.rulebooks import Rulebooks
from thorp.server.web.shown import show, show_company, standing_of
from thorp.server.web.templates import Assets, environment


class Pages:
    """Renders tables of games that are known in this process."""

    def __init__(self) -> None:
        self._looks = Looks(keep=True)
        self._jinja = environment(Assets(), self._looks)

    def table(self, match: AnyMatch) -> Table:
        """A table at which that match is played by people."""
        moment = datetime.now(UTC)
        row = TableRow(
            id="check",
            game=match.game.id,
            seats=match.seats,
            options=match.options,
            seed=match.seed,
            salt="",
            commitment="",
            rules_version=match.game.rules_version,
            generator_version=0,
            forced=match.forced,
            created=moment,
            started=moment,
        )
        seats = [SeatRow(seat, person=f"person-{seat}", bot=None, name=f"Person {seat}") for seat in range(match.seats)]
        return Table(row, seats, match)

    def fragment(self, table: Table, seat: int | None) -> str:
        """The fragment of a table for a seat, or for a spectator."""
        return self._render(table, seat, {})

    def once(self, table: Table, seat: int | None) -> str:
        """What stands once on the page of a table, beside the fragment; empty where the game has no such thing."""
        try:
            template = self._jinja.get_template(f"{table.row.game}/sprite.html")
        except TemplateNotFound:
            return ""
        return template.render(self._context(table, seat))

    def drawn(self, table: Table, seat: int | None, before: Drawn) -> Fragment:
        """The same in its regions, where the viewer was shown others before."""
        regions = Regions(before)
        return regions.fragment(table.mark, self._render(table, seat, {"region": regions, "part": before.part}))

    def _render(self, table: Table, seat: int | None, more: dict[str, Any]) -> str:
        return self._jinja.get_template("_table.html").render({**self._context(table, seat), **more})

    def _context(self, table: Table, seat: int | None) -> dict[str, Any]:
        company = show_company(table, standing_of(table, "" if seat is None else f"person-{seat}"))
        return {**show(table, seat), "company": company, "levels": (), "notice": "", "nonce": "n"}

    def rules(self, game: AnyGame) -> str:
        """The rules of a game in words, with their drawings; empty where it brings none."""
        shown = Rulebooks(self._jinja, keep=False).of(game)
        return "" if shown is None else f"{shown.drawings}\n{shown.body}"

    def sheet(self, game: AnyGame, name: str) -> str:
        """A style sheet of a game, as it is served."""
        return self._looks.sheet(game.id, name)
