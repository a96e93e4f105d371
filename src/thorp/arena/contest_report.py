"""A report of a contest as files: a page for people, tables for programs."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping
from math import isinf
from pathlib import Path
from typing import Any

from arro3.core import Array, DataType, Table
from arro3.io import write_parquet

from thorp.arena.contest import Course, shares
from thorp.arena.figures import FIRST_LIMIT, UNKNOWN, Estimate
from thorp.arena.plots import BAR_HEIGHT, Scale, effects_scale, histogram
from thorp.arena.ratings import FAR
from thorp.arena.report import templates, write_files
from thorp.arena.strength import Loss, Meeting, Strength
from thorp.core.game import AnyGame

PAGE, GAMES, FIGURES = "contest.html", "games.parquet", "contest.json"
#: A scale of ratings reaches at least so far, in points.
_LEAST_RATING = 100.0


def write_contest(
    folder: Path, about: Mapping[str, Any], game: AnyGame, courses: list[Course], found: Strength
) -> Path:
    """Write the files of a report into a folder; the page. Raises OSError."""
    files: dict[str, str | bytes] = {
        GAMES: parquet(about, courses),
        FIGURES: json.dumps(as_data(about, found), indent=1) + "\n",
        PAGE: page(about, game, courses, found),
    }
    write_files(folder, files)
    return folder / PAGE


def page(about: Mapping[str, Any], game: AnyGame, courses: list[Course], found: Strength) -> str:
    """The page: it needs no other file and nothing from the network."""
    jinja = templates()
    jinja.filters |= {"strength": strength, "seconds": seconds, "plain_number": plain_number}
    rated = [player for player in found.players if player.rating.value == player.rating.value]
    values = [player.rating.value for player in rated]
    firsts = [player.first for player in found.players if player.first.known]
    scores = {player.name: player.score for player in found.players if player.score}
    low = min((spread.values[0] for spread in scores.values()), default=0)
    high = max((spread.values[-1] for spread in scores.values()), default=0)
    html = jinja.get_template(PAGE).render(
        about=about,
        game=game,
        found=found,
        courses=courses,
        rated=rated,
        losses=grouped(found.losses),
        lead=found.ahead[rated[1].name] if len(rated) > 1 else UNKNOWN,
        names=[player.name for player in found.players],
        far=max(values, default=0.0) - min(values, default=0.0) > FAR,
        far_from=FAR,
        rating_scale=rating_scale([player.rating for player in rated]),
        even=1 / max(found.seats, 1),
        first_scale=effects_scale([*firsts, found.first], 2 * FIRST_LIMIT),
        first_limit=FIRST_LIMIT,
        firsts_named=[
            (name, first)
            for name, first in [("All", found.first), *((each.name, each.first) for each in found.players)]
            if first.known
        ],
        scores={name: histogram(spread, within=(low, high)) for name, spread in scores.items()},
        histograms={name: histogram(spread) for name, spread in found.spreads.items()},
        options={
            option.label: option.label_of(about["options"][option.id])
            for option in game.options
            if about["options"].get(option.id, option.default) != option.default
        },
        bar_height=BAR_HEIGHT,
        files=(GAMES, FIGURES),
    )
    return html.strip() + "\n"


def grouped(losses: Iterable[Loss]) -> list[tuple[Loss, int]]:
    """The first of all games that a player lost for one reason, and how many there are: the most frequent first."""
    found: dict[tuple[str, str], list[Loss]] = {}
    for loss in losses:
        found.setdefault((loss.player, loss.why), []).append(loss)
    return sorted(((alike[0], len(alike)) for alike in found.values()), key=lambda group: -group[1])


def rating_scale(ratings: Iterable[Estimate]) -> Scale:
    """A scale for ratings and their intervals."""
    ends = [end for each in ratings for end in ((each.low, each.high) if each.known else (each.value, each.value))]
    low, high = min(ends, default=0.0), max(ends, default=0.0)
    spare = max(_LEAST_RATING - (high - low), 0) / 2
    return Scale(low - spare, high + spare)


def strength(points: float) -> str:
    """Points of strength with their sign: "+120"; more than all, or less, as "all" and "none"."""
    if isinf(points):
        return "all" if points > 0 else "none"
    return plain_number(round(points), signed=True)


def plain_number(value: float, signed: bool = False) -> str:
    """A round number, with its sign where it is asked for, and below 0."""
    text = f"{round(value):+,}" if signed and round(value) else f"{round(value):,}"
    return text.replace("-", "−")


def seconds(time: float | None) -> str:
    """A time as people say it: "3 ms", "1.2 s"; a dash where nobody looked at the clock."""
    if time is None:
        return "–"
    if time < 1:
        return f"{1000 * time:.{1 if time < 0.01 else 0}f} ms"
    return f"{time:.1f} s"


def parquet(about: Mapping[str, Any], courses: Iterable[Course]) -> bytes:
    """Every game that counts, a row for each seat, as Parquet, which says in its metadata what was played."""
    rows = [
        {
            "lineup": " | ".join(course.lineup.players),
            "seed": deal.seed,
            "game": number,
            "seat": seat,
            "player": player,
            "score": game.scores[seat],
            "standing": game.standings[seat],
            "share": float(share),
            "place": (seat - game.leader) % len(seating) if game.leader >= 0 else None,
            "rounds": game.rounds,
            "choices": game.asked[seat] if game.asked else None,
            "seconds": game.seconds[seat] if game.seconds else None,
            "longest": game.longest[seat] if game.longest else None,
            "lost": game.lost[1] if game.lost and game.lost[0] == seat else None,
        }
        for course in courses
        for deal in course.counted
        for number, (seating, game) in enumerate(zip(deal.lineup.seatings, deal.games))
        for seat, (player, share) in enumerate(zip(seating, shares(game)))
    ]
    columns: dict[str, Any] = {name: Array([row[name] for row in rows], kind()) for name, kind in _COLUMNS.items()}
    # whoever comes upon the file alone has to know what it is of: text there, and options as JSON
    told = {name: about[name] for name in ("game", "rules", "thorp", "seats", "seed")}
    metadata = {name: str(value) for name, value in told.items()} | {"options": json.dumps(dict(about["options"]))}
    table = Table.from_pydict(columns, metadata=metadata)
    file = io.BytesIO()
    write_parquet(table, file)
    return file.getvalue()


_COLUMNS = {
    "lineup": DataType.utf8,
    "seed": DataType.int64,
    "game": DataType.int16,
    "seat": DataType.int8,
    "player": DataType.utf8,
    "score": DataType.int32,
    "standing": DataType.int8,
    "share": DataType.float64,
    "place": DataType.int8,
    "rounds": DataType.int32,
    "choices": DataType.int32,
    "seconds": DataType.float64,
    "longest": DataType.float64,
    "lost": DataType.utf8,
}


def as_data(about: Mapping[str, Any], found: Strength) -> dict[str, Any]:
    """All figures, for programs; shares as numbers from 0 to 1, what is not known as null."""
    return {
        "about": dict(about),
        "games": found.games,
        "deals": found.deals,
        "players": [
            {
                "name": player.name,
                "rating": _estimate(player.rating),
                "games": player.games,
                "share": _estimate(player.share),
                "score": round(player.score.mean, 4) if player.score else None,
                "first": _estimate(player.first),
                "seconds": player.mean_time,
                "longest": player.longest_time,
                "lost": player.lost,
            }
            for player in found.players
        ],
        "meetings": [_meeting(meeting) for meeting in found.meetings],
        "ahead": {name: _estimate(by) for name, by in found.ahead.items()},
        "first": _estimate(found.first),
        "spreads": {
            name: {str(value): times for value, times in zip(spread.values, spread.times)}
            for name, spread in found.spreads.items()
        },
        "losses": [
            {"player": loss.player, "lineup": loss.lineup.players, "seed": loss.seed, "why": loss.why}
            for loss in found.losses
        ],
    }


def _meeting(meeting: Meeting) -> dict[str, Any]:
    return {
        "one": meeting.one,
        "other": meeting.other,
        "deals": meeting.deals,
        "games": meeting.games,
        "share": _estimate(meeting.share),
        "points": None if isinf(meeting.points) else round(meeting.points, 2),
        "scores": dict(meeting.scores),
        "ratio": meeting.ratio,
        "stronger": meeting.verdict,
    }


def _estimate(estimate: Estimate) -> dict[str, float | None] | None:
    if estimate.value != estimate.value:
        return None
    low, high = (round(estimate.low, 6), round(estimate.high, 6)) if estimate.known else (None, None)
    return {"value": round(estimate.value, 6), "low": low, "high": high}
