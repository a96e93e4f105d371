"""Checks of reasons: whatever a table shows and cannot be chosen says why, and gives no secret away by it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from html import unescape
from typing import TYPE_CHECKING

from thorp.checks.matches import random_match, until_next_look
from thorp.checks.secrets import _SEEDS, _dealt_again, _where
from thorp.checks.showing import _play_on
from thorp.checks.unmade import needing
from thorp.core.face import no_reason
from thorp.core.game import AnyGame
from thorp.core.why import why_not
from thorp.core.words import say

if TYPE_CHECKING:
    from thorp.checks.pages import Pages
    from thorp.server.tables.table import Table

#: What an element stands for: steps, or something that only has an answer.
_THINGS = re.compile(r'\sdata-(?:step|why)="([^"]*)"')
#: Of every table, and answered by the server.
_OF_THE_HOUSE = {("take-back",)}
#: So many choices half made are looked at in a position, and with each of them so many things.
_HALFWAY, _SOME = 2, 10


def what_cannot_be_chosen_says_why(game: AnyGame, games: int) -> Iterator[str]:
    """In a game that gives reasons each thing on the table that leads to no move has one, and no other thing has.

    At first, and when a part of a move is chosen. Where things of a kind are asked for, the game itself says why one of
    them cannot be chosen. A reason is the same whatever the seat cannot know.
    """
    if game.face.why_not is no_reason:
        return
    with needing("web"):
        from thorp.checks.pages import Pages
    pages = Pages()
    for seed in range(max(3, min(games // 2500, 12))):
        match = random_match(game, seed)
        rng = random.Random(seed)
        table = pages.table(match)
        while not match.over:
            # of those who wait all are told the same, but what their own pages show
            for seat in {rng.choice(match.waiting), rng.randrange(match.seats)}:
                for fault in _faults(pages, table, seat, rng):
                    yield f"{fault} {_where(match, seed, seat)}"
                    return
            _play_on(table, rng, until_next_look(match, 12, rng))


def _faults(pages: Pages, table: Table, seat: int, rng: random.Random) -> Iterator[str]:
    match = table.match
    game, state = match.game, match.state
    things = things_on(pages.fragment(table, seat))
    offered = [game.face.steps(state, seat, move) for move in match.legal(seat)]
    hidden = _dealt_again(match, seat, rng.randrange(_SEEDS))
    for chosen in ((), *_halfway(offered, rng)):
        left = [steps for steps in offered if set(chosen) <= set(steps)]
        kinds = {_kind(step) for steps in left for step in steps if step not in chosen}
        some = rng.sample(things, min(len(things), _SOME))
        for thing in some if chosen else things:
            reason = why_not(game, state, seat, thing, chosen, offered)
            said = None if reason is None else say(reason)
            if any(step in chosen or any(step in steps for steps in left) for step in thing):
                if said is not None:
                    yield f"{thing[0]} can be chosen, and a reason is given: {said!r}"
                    return
                continue
            if not said or not said.strip():
                yield f"{thing[0]} cannot be chosen, and no reason is given"
                return
            is_asked = _kind(thing[0]) in kinds and not any(step in steps for step in thing for steps in offered)
            if is_asked and game.face.why_not(state, seat, thing[0], chosen) is None:
                yield f"{thing[0]} cannot be chosen after {chosen}, others like it can, and why_not does not say why"
                return
            again = why_not(game, hidden, seat, thing, chosen, offered) if thing in some else reason
            if again is None or say(again) != said:
                yield f"Why {thing[0]} cannot be chosen depends on what the seat cannot know"
                return


def things_on(html: str) -> list[tuple[str, ...]]:
    """What the elements of a page stand for, each once."""
    found = (tuple(unescape(said).split()) for said in _THINGS.findall(html))
    return [thing for thing in dict.fromkeys(found) if thing and thing not in _OF_THE_HOUSE]


def _kind(step: str) -> str:
    """The word before the number: where squares are asked for, each of the others says why it is none of them."""
    return step.partition("-")[0]


def _halfway(offered: list[tuple[str, ...]], rng: random.Random) -> list[tuple[str, ...]]:
    """Some parts of moves, from their beginnings."""
    parts = list(dict.fromkeys(steps[:n] for steps in offered for n in range(1, len(steps))))
    return rng.sample(parts, min(len(parts), _HALFWAY))
