"""What a guide says to its person at a table."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import dataclass

from markupsafe import Markup

from thorp.core.game import AnyGame
from thorp.core.guide import Facts, Guide, GuideError, guide_of
from thorp.core.words import Message
from thorp.server.tables.guiding import Guiding
from thorp.server.tables.table import Table
from thorp.server.web import markup
from thorp.server.web.naming import names_at
from thorp.server.web.shown import Standing, show

log = logging.getLogger(__name__)

_NOTHING = Markup()


@dataclass(frozen=True)
class GuideShown:
    """A guide as its person sees it."""

    #: "says" a sentence, is "quiet", has come to its "closing", or "rests".
    stage: str
    #: The step, by its number from 0, and of how many.
    index: int = 0
    steps: int = 0
    words: Markup = _NOTHING
    #: What is spoken of, and what is to be clicked: see `Saying`.
    at: tuple[str, ...] = ()
    do: tuple[str, ...] = ()
    #: Whether it is for reading only: the person says when to go on.
    reads: bool = False


def guide_here(game: AnyGame) -> Guide | None:
    """The guide of a game, where it has one that can be used."""
    try:
        return guide_of(game)
    except GuideError as error:
        log.error("the guide of %s cannot be used: %s", game.id, error)
        return None


def show_guide(table: Table, standing: Standing) -> GuideShown | None:
    """What the guide of a table says now to whoever stands so; None where nobody guides it."""
    guiding = Guiding.of(table.row.guide)
    guide = guide_here(table.game) if guiding else None
    if guiding is None or guide is None or standing.eyes.seat != guide.seat:
        return None
    if guiding.rests:
        return None if table.match.over else GuideShown("rests")
    try:
        now = guide.now(_facts(table, guide.seat), guiding.read)
    except GuideError as error:
        log.error("the guide of %s fails: %s", table.game.id, error)
        return None
    count = len(guide.steps)
    if now.step is None:
        return GuideShown("closing", now.index, count, markup.html(Message(guide.closing), names_at(table)))
    if now.saying is None:
        return GuideShown("quiet", now.index, count)
    return GuideShown(
        stage="says",
        index=now.index,
        steps=count,
        words=markup.html(now.saying.message(guide.rival), names_at(table)),
        at=now.saying.at,
        do=now.saying.do,
        reads=now.step.done is None,
    )


def _facts(table: Table, seat: int) -> Facts:
    shown = show(table, seat)
    return Facts(
        view=shown["view"],
        seat=seat,
        over=table.match.over,
        made=Counter(line.family for line in table.story.lines if line.seat == seat),
        offers=[(offer.family, offer.steps) for offer in shown["offers"]],
    )
