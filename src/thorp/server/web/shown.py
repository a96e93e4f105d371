"""What a viewer is shown of a table: the context of its template. Only here do secrets meet the pages."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from math import ceil, floor
from typing import Any

from markupsafe import Markup

from thorp.core.language import spoken
from thorp.core.match import AnyMatch
from thorp.server.tables import consent, hints
from thorp.server.tables.archive import RulesChange
from thorp.server.tables.eyes import Eyes
from thorp.server.tables.results import why_uncounted
from thorp.server.tables.rooms import AT_ONCE
from thorp.server.tables.story import Line, Story, Told, went_back
from thorp.server.tables.table import RECORDED, Table, can_change_bots, is_watched_by
from thorp.server.web import markup
from thorp.server.web.naming import called_together, names_at
from thorp.server.web.recap import DONE, Recap, recap

#: Puts long stories into words, one after the other: several threads would take as long, and the loop would wait for
#: each of them.
_TELLER = ThreadPoolExecutor(1, thread_name_prefix="story")


@dataclass(frozen=True)
class Named:
    """A game, as templates name it."""

    id: str
    name: str
    #: What one plays for, in one line; "" where the game does not say.
    goal: str


@dataclass(frozen=True)
class SeatShown:
    """A seat and who sits there."""

    number: int
    name: str
    kind: str
    level: str
    you: bool
    waiting: bool
    #: Whether the bot keeps it for a person who is away.
    kept: bool


@dataclass(frozen=True)
class OptionShown:
    """An option of the table, and what was chosen."""

    id: str
    label: str
    value: str
    words: str
    #: Whether it is a file of somebody's own: what that is called is nobody's to translate.
    own: bool


@dataclass(frozen=True)
class DeviceShown:
    """The seats at a device that several people share."""

    seats: tuple[SeatShown, ...]
    #: Which of them is in hand; None behind the curtain.
    held: SeatShown | None
    #: Behind the curtain: who is to decide next, if anybody of them is.
    next: SeatShown | None
    #: Whether they hide anything from each other.
    secret: bool


@dataclass(frozen=True)
class WentBack:
    """A line of the log besides those of moves: after so many moves the match went back to here."""

    ply: int
    text: Markup


@dataclass(frozen=True)
class AskedBack:
    """Somebody asks all others to go back to its last choice."""

    name: str
    #: Whether it is the viewer who asks, and whether the viewer is to answer.
    yours: bool
    to_answer: bool
    #: Who has still to agree, and who has not.
    waiting: tuple[str, ...]
    declined: str


@dataclass(frozen=True)
class TableShown:
    """A table, without the match itself."""

    id: str
    game: Named
    seats: tuple[SeatShown, ...]
    mine: int | None
    counter: int
    version: int
    mark: str
    #: When the match went on by newer rules: `ply`, how many moves it had, and `rules_version`.
    changes: tuple[RulesChange, ...]
    can_take_back: bool
    #: Whether the viewer could go back all the same, if all agree who sit there; and whether nobody has to.
    can_go_back: bool
    asks_nobody: bool
    #: Whether hints are given here, and the viewer's decision about which it can ask; "" where there is none.
    hints: bool
    hint_for: str
    #: Where it went back so: after how many moves, in words.
    went_back: tuple[WentBack, ...]
    over: bool
    options: tuple[OptionShown, ...]
    commitment: str
    seed: int | None
    salt: str | None
    next_table: str | None
    #: Whether it was dealt here, so that the commitment was shown before anybody knew the seed.
    dealt_here: bool
    #: At which position it took over from another match; None: it began by itself.
    continued: int | None
    #: Whether it is known which match that was.
    leads_back: bool
    #: Why it is not among the viewer's results, by a word of `why_uncounted`; "" where it is, or is not over.
    uncounted: str
    #: Whether it would be among the viewer's results if nobody went back further than can be taken back freely.
    counts: bool
    #: The position that is shown, by how many moves lie before it; None for the present.
    at: int | None
    #: What the addresses of positions end with, so that they are seen with the same eyes.
    query: str
    #: Where the viewer has several seats, and passes the device round.
    device: DeviceShown | None = None
    #: What others did since the viewer's own last move, or None.
    recap: Recap | None = None
    #: Whether a bot keeps the viewer's seat.
    kept: bool = False

    @property
    def asking(self) -> tuple[Any, ...]:
        """All that `_ask.html` takes from here."""
        own = (self.id, self.mine, self.counter, self.can_take_back, self.can_go_back, self.asks_nobody, self.hint_for)
        return (*own, self.counts, self.over, self.at, self.device, self.recap, self.kept, self.bots_think)

    @property
    def bots_think(self) -> bool:
        """Whether only bots are waited for."""
        kinds = [seat.kind for seat in self.seats if seat.waiting]
        return bool(kinds) and self.at is None and all(kind == "bot" for kind in kinds)


@dataclass(frozen=True)
class Viewpoint:
    """With whose eyes a position can be looked at, and what its address ends with. None: those of who watches."""

    seat: int | None
    name: str | None
    query: str


@dataclass(frozen=True)
class RoundMark:
    """Where a round begins."""

    round: int
    ply: int


@dataclass(frozen=True)
class PositionShown:
    """A position among all positions of a match."""

    ply: int
    last: int
    rounds: tuple[RoundMark, ...]
    #: With whose eyes it is looked at, and with whose else it can be.
    seat: int | None
    eyes: tuple[Viewpoint, ...]
    #: Whether a new table can go on from here.
    can_play_on: bool


@dataclass(frozen=True)
class Standing:
    """What a person is at a table: of two who are the same, both are shown the same."""

    #: Whose eyes it has, all its seats, the seat that a bot keeps for it, and the one that others have in its place.
    eyes: Eyes
    mine: tuple[int, ...]
    kept: int | None
    lost: int | None
    #: The seat for which it has asked.
    asked: int | None
    #: The seat for which it has asked in vain.
    declined: int | None
    opener: bool
    #: Whether it has opened the table to watch bots.
    watches: bool
    #: Whether it may look at the match.
    sees: bool


@dataclass(frozen=True)
class PlaceShown:
    """A seat, who sits there, and what the viewer may do about it."""

    number: int
    name: str
    #: "person", "bot", or "free".
    kind: str
    level: str
    you: bool
    #: Whether whoever sits there has other seats, too: several people at one device.
    together: bool
    #: Whether a bot keeps the seat for a person, and whether that is the viewer.
    kept: bool
    yours: bool
    #: Who asks for the seat: told to the opener only. And whether the viewer does.
    asker: str
    asking: bool


@dataclass(frozen=True)
class CompanyShown:
    """Who sits at a table, and what the viewer may do about it."""

    places: tuple[PlaceShown, ...]
    #: That of the viewer, who has lost it.
    lost: PlaceShown | None
    #: That for which the viewer has asked in vain.
    declined: PlaceShown | None
    seated: bool
    #: Whether the viewer has several seats: several people at one device.
    together: bool
    opener: bool
    #: Whether the viewer has opened the table to watch bots.
    watches: bool
    #: The name of who has opened the table; "" where that one has no seat.
    host: str
    #: Whether the viewer, who has no seat, may ask for that of a bot.
    may_ask: bool
    #: Whether people share the table, and so whether there is anything to arrange.
    shared: bool
    #: Whether a bot sits there: of what level is told then.
    bots: bool
    free: int
    watchable: bool
    seating: int
    #: What is asked of all who sit there.
    asked_back: AskedBack | None = None


@dataclass(frozen=True)
class Suggested:
    """Bots for the next match: of what level, and whether that is a stronger one."""

    level: str
    stronger: bool


@dataclass(frozen=True)
class Offer:
    """A legal move of the viewer."""

    move: int
    label: str
    steps: tuple[str, ...]
    family: str
    #: Whether it could not be taken back freely.
    final: bool


@dataclass(frozen=True)
class LogLine:
    """A line of the log, in words for the viewer. As long as nothing about it changes, it is the same one."""

    ply: int
    seat: int
    text: Markup
    #: What else happened with it.
    followed: tuple[Markup, ...]
    round: int | None
    #: The round whose last line it is as yet: it stands below the heading of that round.
    heads: RoundMark | None
    forced: bool
    fresh: bool
    #: The family of the move; "" where the viewer may not know the move.
    family: str

    def __hash__(self) -> int:
        # hundreds are looked up for each page, and hardly two of them are of the same move
        return self.ply


@dataclass(frozen=True)
class FreshMove:
    """A move that another seat made since the viewer's own last one; a secret one has no family."""

    seat: int
    family: str
    arguments: Mapping[str, int]
    #: Which move of the match it was, from 0.
    ply: int


def standing_of(table: Table, person: str) -> Standing:
    """What a person is at a table."""
    return Standing(
        table.eyes(person),
        table.seats_of(person),
        table.kept_for(person),
        table.lost_by(person),
        next((seat.seat for seat in table.seats if seat.asker == person), None),
        table.declined.get(person),
        table.row.opener == person,
        is_watched_by(table.row, table.seats, person),
        table.may_be_seen_by(person),
    )


def show_company(table: Table, standing: Standing) -> CompanyShown:
    """Who sits at a table, for whoever stands so."""
    people = [person for seat in table.seats if (person := seat.person or seat.away)]
    shared = len(set(people)) > 1 or any(seat.asker for seat in table.seats)
    stranger = not standing.mine and standing.kept is None
    # Who asks for a seat may be called as somebody who has one.
    called = called_together([*table.names, *(seat.asker_name or "" for seat in table.seats)])
    names, askers = called[: len(table.seats)], called[len(table.seats) :]
    places = tuple(
        PlaceShown(
            number=seat.seat,
            name=names[seat.seat],
            kind="free" if seat.free else "person" if seat.bot is None else "bot",
            level=seat.bot or "",
            you=seat.seat in standing.mine,
            together=seat.person is not None and people.count(seat.person) > 1,
            kept=seat.away is not None,
            yours=seat.seat == standing.kept,
            asker=askers[seat.seat] if standing.opener else "",
            asking=seat.seat == standing.asked,
        )
        for seat in table.seats
    )
    return CompanyShown(
        places=places,
        lost=None if standing.lost is None else places[standing.lost],
        declined=None if standing.declined is None else places[standing.declined],
        seated=bool(standing.mine),
        together=len(standing.mine) > 1,
        opener=standing.opener,
        watches=standing.watches,
        host=next((names[seat.seat] for seat in table.seats if table.row.opener in (seat.person, seat.away)), ""),
        may_ask=stranger and standing.sees,
        shared=shared or stranger,
        bots=any(seat.bot for seat in table.seats),
        free=sum(1 for seat in table.seats if seat.free),
        watchable=table.row.watchable,
        seating=table.row.seating,
        asked_back=_asked_back(table, standing),
    )


def suggest(table: Table, standing: Standing, levels: Sequence[str]) -> Suggested | None:
    """What bots a lone player may want to meet next; None where all sit there again as they are.

    `levels`: those that tables offer, the weakest first.
    """
    met = [seat.bot for seat in table.seats if seat.bot is not None]
    if not table.match.over or not standing.mine or not {*met} <= {*levels} or not can_change_bots(table.seats):
        return None
    won = min(table.match.standings[seat] for seat in standing.mine) == 1
    # of bots of different levels: what is above, or below, all of them together
    mean = sum(levels.index(level) for level in met) / len(met)
    at = floor(mean) + 1 if won else ceil(mean) - 1
    return Suggested(levels[at], won) if 0 <= at < len(levels) else None


def _asked_back(table: Table, standing: Standing) -> AskedBack | None:
    request = consent.holds(table)
    if request is None:
        return None
    people = [seat.person for seat in table.seats]
    me = people[standing.mine[0]] if standing.mine else None
    open_to = [who for who in consent.to_be_asked(table.seats, request.seat) if who not in request.agreed]
    names = names_at(table)
    return AskedBack(
        name=names[request.seat],
        yours=request.seat in standing.mine,
        to_answer=me in open_to and request.declined is None,
        waiting=tuple(names[seat.seat] for seat in table.seats if seat.person in open_to),
        # where nobody has, no bot has: they are no persons
        declined=next((names[seat] for seat, who in enumerate(people) if who and who == request.declined), ""),
    )


def show_gathering(table: Table, standing: Standing) -> dict[str, Any]:
    """The context of the page of a table that gathers. Nothing in it follows from the seed."""
    return {
        "table": {"id": table.id, "game": _named(table), "mark": table.mark},
        "options": _options(table),
        "forced": table.row.forced,
        "company": show_company(table, standing),
    }


async def tell(table: Table, seat: int | None) -> None:
    """Put into words what a viewer has not been told of a match, in a thread where that is much.

    So other tables do not stand still; and what is shown to the viewer next is said already.
    """
    while _is_much(table, seat):
        async with table.telling:
            # who came first may have told it to all
            if not _is_much(table, seat):
                return
            story, said = table.story.ahead(seat), _said_to(table, seat)
            work = partial(copy_context().run, _tell_all, story, said, names_at(table), seat)
            await asyncio.get_running_loop().run_in_executor(_TELLER, work)
            table.story.catch_up(story)


def _is_much(table: Table, seat: int | None) -> bool:
    """Whether much is to be put into words for a viewer, in the language of now."""
    if table.gathering:
        return False
    return max(table.story.untold(seat), table.match.ply - len(_said_to(table, seat))) > AT_ONCE


def _said_to(table: Table, seat: int | None) -> dict[int, _Said]:
    """What has been put into words for a viewer, in the language of now."""
    return table.said.setdefault((seat, spoken()), {})


def _tell_all(story: Story, said: dict[int, _Said], names: Sequence[str], seat: int | None) -> None:
    _log(said, names, story.told(seat), seat)


def show(table: Table, seat: int | None) -> dict[str, Any]:
    """The context of the table's template for a seat, or for a spectator (None)."""
    key = seat, spoken()
    if key not in table.shown:
        table.shown[key] = _context(table, seat)
    return table.shown[key]  # type: ignore[no-any-return]


def show_to(table: Table, standing: Standing) -> dict[str, Any]:
    """The context of the table's template for whoever stands so."""
    eyes = standing.eyes
    context = show(table, eyes.seat)
    shown: TableShown = replace(context["table"], kept=standing.kept is not None)
    if not eyes.device:
        return {**context, "table": shown}
    device = DeviceShown(
        seats=tuple(shown.seats[seat] for seat in eyes.device),
        held=None if eyes.seat is None else shown.seats[eyes.seat],
        next=None if eyes.next is None else shown.seats[eyes.next],
        secret=eyes.secret,
    )
    return {**context, "table": replace(shown, mark=table.mark_for(eyes), device=device)}


def board(table: Table) -> dict[str, Any]:
    """The context of what lies on a table, for its record: for a spectator, with nothing to do and nothing told."""
    nothing = {"offers": (), "log": (), "fresh": (), "recent": (), "course": ()}
    return {**_present(table, None), **nothing, "recorded": True}


def show_position(table: Table, ply: int, seat: int | None, query: str, *, own: bool = True) -> dict[str, Any]:
    """The context of a position for a seat, or for a spectator (None): what it might see then, and nothing later.

    Whether the viewer may look with these eyes is for who calls. `query`: what the address ends with; `own`: whether
    the seat is the viewer's, who is spoken to as such.
    """
    match = table.match
    past = match.at(ply)
    now = replace(
        _table(table, seat, past), counter=0, version=ply, mark=f"at-{ply}", can_take_back=False, at=ply, query=query
    )
    seats = tuple(_as_then(each, own) for each in now.seats)
    now = replace(now, can_go_back=False, hint_for="", seats=seats)
    theirs = ((seat, names_at(table)[seat] if seat is not None else None),)
    everybody = ((None, None), *enumerate(names_at(table))) if match.over else theirs
    told = table.story.told(seat)[:ply]
    log, fresh = _log(_said_to(table, seat), names_at(table), told, seat)
    return {
        **_laid_out(table, past, seat),
        "prompt": _asked(table, past, seat if own else None),
        "log": log,
        "fresh": fresh,
        "recent": _recent(told, seat, own=True),
        "table": now,
        "position": PositionShown(
            ply=ply,
            last=match.ply,
            rounds=tuple(RoundMark(line.round, line.ply) for line in table.story.lines if line.round),
            seat=seat,
            eyes=tuple(Viewpoint(other, name, eyes_query(other) if match.over else query) for other, name in everybody),
            can_play_on=match.over and not past.over,
        ),
        "offers": (),
        "sheet": None,
        "course": (),
    }


def eyes_query(seat: int | None) -> str:
    """What the address of a position ends with, for it to be seen with these eyes; seats count from 1 there."""
    return "?as=watch" if seat is None else f"?as={seat + 1}"


def _context(table: Table, seat: int | None) -> dict[str, Any]:
    told = table.story.told(seat)
    log, fresh = _log(_said_to(table, seat), names_at(table), told, seat)
    present = _present(table, seat)
    if seat is not None and not table.match.over:
        own = next((each for each in reversed(told) if each.line.seat == seat and not each.line.forced), None)
        last = next((line for line in reversed(log) if own and line.ply == own.line.ply), None)
        present["table"] = replace(present["table"], recap=recap(log, own is not None, last))
    return {
        **present,
        "offers": _offers(table, seat),
        "log": log,
        "fresh": fresh,
        "recent": _recent(told, seat),
        "course": table.story.course(table.match) if table.match.over else (),
    }


def _present(table: Table, seat: int | None) -> dict[str, Any]:
    """What is there now, whatever led to it."""
    match = table.match
    return {
        **_laid_out(table, match, seat),
        "table": _table(table, seat, match),
        "sheet": match.sheet() if match.over else None,
        "rival": match.game.face.rival(match.state) if match.over else None,
    }


def _laid_out(table: Table, match: AnyMatch, seat: int | None) -> dict[str, Any]:
    """What lies on the table, now or at an earlier position."""
    assert not table.gathering, "nothing of a match is shown before it has begun"
    return {
        "names": names_at(table),
        "view": match.view(seat),
        "prompt": _asked(table, match, seat),
        "game_template": f"{table.game.id}/table.html",
        "round_word": table.game.round_word,
        **table.game.face.tools,
    }


def _asked(table: Table, match: AnyMatch, seat: int | None) -> Markup:
    return markup.html(match.prompt(seat), names_at(table))


def _as_then(seat: SeatShown, own: bool) -> SeatShown:
    """A seat at an earlier position: nobody was away then, as far as is known."""
    then = replace(seat, kind="person", level="", kept=False) if seat.kept else seat
    return replace(then, you=seat.you and own)


def _table(table: Table, seat: int | None, match: AnyMatch) -> TableShown:
    """A table with its match as it is now, or as it was."""
    row = table.row
    is_open = table.match.over
    waiting, names = match.waiting, names_at(table)
    return TableShown(
        id=row.id,
        game=_named(table),
        seats=tuple(
            SeatShown(
                number=other.seat,
                name=names[other.seat],
                kind="person" if other.bot is None else "bot",
                level=other.bot or "",
                you=other.seat == seat,
                waiting=other.seat in waiting,
                kept=other.away is not None,
            )
            for other in table.seats
        ),
        mine=seat,
        counter=0 if seat is None else table.counters[seat],
        version=table.told,
        mark=table.mark,
        changes=table.changes,
        can_take_back=seat is not None and table.can_take_back(seat),
        can_go_back=seat is not None and table.can_go_back(seat),
        asks_nobody=seat is not None and not consent.to_be_asked(table.seats, seat),
        hints=hints.are_given(table),
        hint_for=_decision(table, seat) if seat is not None and hints.can_ask(table, seat) else "",
        went_back=_went_back(table, match),
        over=match.over,
        options=_options(table),
        commitment=row.commitment,
        # The whole match follows from the seed: coming cards, and what others hide.
        seed=row.seed if is_open else None,
        salt=row.salt if is_open else None,
        next_table=row.next_table,
        dealt_here=table.match.continued is None and all(other.bot != RECORDED for other in table.seats),
        continued=table.match.continued,
        leads_back=table.row.former is not None,
        uncounted=_uncounted(table, seat) if table.match.over else "",
        counts=seat is not None and not table.match.over and not _uncounted(table, seat),
        at=None,
        query="",
    )


def _went_back(table: Table, match: AnyMatch) -> tuple[WentBack, ...]:
    """Where a match went back: often to one position, so the words are made once for each seat."""
    words = {seat: markup.html(went_back(seat), names_at(table)) for seat in {anew.seat for anew in match.anew}}
    return tuple(WentBack(anew.ply, words[anew.seat]) for anew in match.anew)


def _uncounted(table: Table, seat: int | None) -> str:
    """Why a match does not count, or will not, for who has this seat; "" where it does, or nobody has it."""
    person = None if seat is None else table.seats[seat].person
    return why_uncounted(table.row, table.seats, table.match, person) if person else ""


def _decision(table: Table, seat: int) -> str:
    """Which decision of a table a hint is about: at a shared device it may be the next seat's that is as far."""
    return f"{seat}.{table.counters[seat]}.{table.undone}"


def _named(table: Table) -> Named:
    return Named(table.game.id, table.game.name, table.game.goal)


def _options(table: Table) -> tuple[OptionShown, ...]:
    if "options" not in table.fixed:
        chosen = table.match.options
        table.fixed["options"] = tuple(
            OptionShown(
                option.id,
                option.label,
                chosen[option.id],
                option.label_of(chosen[option.id]),
                chosen[option.id] not in option.values,
            )
            for option in table.game.options
            if table.match.seats in option.seats
        )
    return table.fixed["options"]  # type: ignore[no-any-return]


def _offers(table: Table, seat: int | None) -> tuple[Offer, ...]:
    if seat is None:
        return ()
    face, state = table.game.face, table.match.state
    final = table.match.final_moves(seat)
    return tuple(
        Offer(
            move,
            markup.plain(face.offer(state, seat, move), names_at(table)),
            face.steps(state, seat, move),
            table.game.moves.decode(move).family,
            move in final,
        )
        for move in table.match.legal(seat)
    )


#: A line in words, and what was told by it.
_Said = tuple[Told, LogLine]


def _in_words(
    said: dict[int, _Said], names: Sequence[str], told: Told, seat: int | None, heads: RoundMark | None, fresh: bool
) -> LogLine:
    """A line of the story in words, and what followed from it: put into words once."""
    line = told.line
    by, entry = said.get(line.ply, (None, None))
    if entry is None or by is not told:
        entry = LogLine(
            line.ply,
            line.seat,
            markup.html(told.text, names),
            tuple(markup.html(each, names) for each in told.followed),
            line.round,
            heads,
            # of another seat it would tell that nothing could be built, a secret card included
            line.forced and line.seat == seat,
            fresh,
            line.family if told.is_open else "",
        )
    elif (entry.heads, entry.fresh) != (heads, fresh):
        entry = replace(entry, heads=heads, fresh=fresh)
    else:
        return entry
    said[line.ply] = told, entry
    return entry


def _headings(lines: Sequence[Line]) -> Iterator[RoundMark | None]:
    """For every line the round whose last one it is, where it is: newest first, a heading is above that."""
    current: RoundMark | None = None
    for line, after in zip_longest(lines, lines[1:]):
        current = RoundMark(line.round, line.ply) if line.round else current
        yield current if after is None or after.round else None


def _log(
    said: dict[int, _Said], names: Sequence[str], told: Sequence[Told], seat: int | None
) -> tuple[tuple[LogLine, ...], tuple[FreshMove, ...]]:
    """The story as a viewer is told it, and what of it is fresh. `said`: what was put into words before."""
    lines = [each.line for each in told]
    last = next((line.ply for line in reversed(lines) if line.seat == seat and not line.forced), -1)
    if seat is None:
        # A spectator makes no moves: the last one is fresh for it.
        last = len(lines) - 2
    shown = tuple(
        _in_words(said, names, each, seat, heads, each.line.ply > last and each.line.seat != seat)
        for each, heads in zip(told, _headings(lines), strict=True)
    )
    fresh = tuple(
        _as_known(each) for each, entry in zip(told[last + 1 :], shown[last + 1 :], strict=True) if entry.fresh
    )
    return shown, fresh


#: So many moves of others are seen to be made, where several come at once.
_RECENT = 12


def _recent(told: Sequence[Told], seat: int | None, *, own: bool = False) -> tuple[FreshMove, ...]:
    """The latest moves, which a page shows being made where it has not yet: those of others, or where `own` all.

    That somebody is done is nothing to be seen.
    """
    moves = (_as_known(each) for each in told[-_RECENT:] if own or each.line.seat != seat)
    return tuple(move for move in moves if own or move.family != DONE)


def _as_known(told: Told) -> FreshMove:
    line = told.line
    return FreshMove(line.seat, line.family if told.is_open else "", line.arguments if told.is_open else {}, line.ply)
