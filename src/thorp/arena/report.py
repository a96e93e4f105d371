"""A report of balance as files: a page for people, tables for programs."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

import thorp
from thorp.arena.figures import FEWEST_GAMES, FIRST_LIMIT, CardFigures, Estimate, Figures
from thorp.arena.heterogeneity import Heterogeneity, figures_apart
from thorp.arena.many import Played
from thorp.arena.plots import BAR_HEIGHT, effects_scale, histogram

PAGE = "report.html"
CARDS, SEATS, SPREADS, FIGURES = "cards.csv", "seats.csv", "spreads.csv", "figures.json"


@dataclass(frozen=True)
class About:
    """What was played."""

    id: str
    name: str
    rules_version: int
    thorp: str
    games: int
    seats: int
    level: str
    seed: int
    #: Options that are not as they are by default, in words.
    options: dict[str, str]


def about(played: Played) -> About:
    """What was played, as the report says it."""
    game = played.game
    return About(
        id=game.id,
        name=game.name,
        rules_version=game.rules_version,
        thorp=thorp.__version__,
        games=len(played.scores),
        seats=played.seats,
        level=played.level,
        seed=played.seed,
        options={
            option.label: option.label_of(played.options[option.id])
            for option in game.options
            if played.options[option.id] != option.default
        },
    )


def write_report(folder: Path, of: About, figures: Figures) -> Path:
    """Write all files into a folder that exists, over those of an earlier report; the path of the page.

    The same figures give the same bytes. Nothing takes its place before everything is written.
    """
    files = {
        CARDS: _csv(_CARD_COLUMNS, (_card_row(card) for card in figures.cards)),
        SEATS: _csv(_SEAT_COLUMNS, _seat_rows(figures)),
        SPREADS: _csv(("number", "value", "times"), _spread_rows(figures)),
        FIGURES: json.dumps(_as_data(of, figures), indent=1) + "\n",
        PAGE: page(of, figures),
    }
    write_files(folder, files)
    return folder / PAGE


def write_files(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write files into a folder: all of them, or none. Raises OSError."""
    partial = {name: folder / f".{name}.partial" for name in files}
    try:
        for name, content in files.items():
            if isinstance(content, bytes):
                partial[name].write_bytes(content)
            else:
                partial[name].write_text(content, "utf-8", newline="\n")
        for name in files:
            os.replace(partial[name], folder / name)
    finally:
        for path in partial.values():
            path.unlink(missing_ok=True)


def templates() -> Environment:
    """The pages of reports, and what they write numbers with."""
    jinja = Environment(
        loader=PackageLoader("thorp.arena", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    jinja.filters |= {"percent": percent, "points": points, "number": number, "ordinal": ordinal, "count": count}
    return jinja


def page(of: About, figures: Figures) -> str:
    """The page: it needs no other file and nothing from the network."""
    told = [card for card in figures.cards if card.plain.known]
    effects = [estimate for card in told for estimate in (card.plain, card.adjusted)]
    even = 1 / figures.seats
    spreads = figures.spreads
    html = (
        templates()
        .get_template(PAGE)
        .render(
            of=of,
            figures=figures,
            told=told,
            apart=figures_apart(figures),
            rare=[card for card in figures.cards if not card.plain.known and card.seats > 0],
            never=[card for card in figures.cards if card.seats == 0],
            even=even,
            places=[_less(place.share, even) for place in figures.places],
            place_scale=effects_scale([_less(place.share, even) for place in figures.places], 2 * FIRST_LIMIT),
            effect_scale=effects_scale(effects, 1.5 * figures.card_limit),
            most_seats=max((card.seats for card in told), default=1.0),
            scores=histogram(spreads["score"], spreads["winning score"]),
            histograms={
                name: histogram(spreads[name]) for name in ("margin", "rounds", "choices") if name in figures.spreads
            },
            bar_height=BAR_HEIGHT,
            card_limit=figures.card_limit,
            first_limit=FIRST_LIMIT,
            fewest_games=FEWEST_GAMES,
            files=(CARDS, SEATS, SPREADS, FIGURES),
        )
    )
    return html.strip() + "\n"


def _less(estimate: Estimate, by: float) -> Estimate:
    return Estimate(estimate.value - by, estimate.error)


def percent(share: float) -> str:
    """A share in percent: "24.7"."""
    return f"{100 * share:.1f}"


def points(share: float) -> str:
    """A difference of shares in points, with its sign: "+2.1", "−0.3"."""
    text = f"{100 * share:+.1f}"
    return "0.0" if text in ("+0.0", "-0.0") else text.replace("-", "−")


def number(value: float) -> str:
    """A count with thousands apart; another number with one place."""
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}".replace("-", "−")


def count(n: int, what: str) -> str:
    """A number of things: "1 point", "3 points"."""
    return f"{number(n)} {what}{'' if n == 1 else 's'}"


def ordinal(place: int) -> str:
    """A place in words: "first" for 0."""
    words = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
    return words[place] if place < len(words) else f"{place + 1}th"


_CARD_COLUMNS = (
    *("id", "name", "seats", "games", "each", "telling_games"),
    *("plain", "plain_low", "plain_high", "adjusted", "adjusted_low", "adjusted_high"),
)
_SEAT_COLUMNS = ("by", "place", "share", "share_low", "share_high", "score", "score_low", "score_high")


def _card_row(card: CardFigures) -> tuple[Any, ...]:
    told = (card.id, card.name, card.seats, card.games, card.each, card.telling)
    return (*told, *_three(card.plain), *_three(card.adjusted))


def _seat_rows(figures: Figures) -> Iterable[tuple[Any, ...]]:
    for by, places in (("turn", figures.turns or ()), ("seat", figures.by_seat)):
        for place, figure in enumerate(places):
            yield (by, place + 1, *_three(figure.share), *_three(figure.score))


def _spread_rows(figures: Figures) -> Iterable[tuple[Any, ...]]:
    for name, spread in figures.spreads.items():
        for value, times in zip(spread.values, spread.times):
            yield name, value, times


def _three(estimate: Estimate) -> tuple[float | None, ...]:
    """A figure and its interval; nothing where it is not known."""
    if not estimate.known:
        return None, None, None
    return estimate.value, estimate.low, estimate.high


def _csv(columns: Iterable[str], rows: Iterable[tuple[Any, ...]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([f"{cell:.6f}" if isinstance(cell, float) else cell for cell in row] for row in rows)
    return out.getvalue()


def _as_data(of: About, figures: Figures) -> dict[str, Any]:
    """Everything, for programs; shares as numbers from 0 to 1, what is not known as null."""
    return {
        "about": vars(of),
        "limits": {"card": figures.card_limit, "first": FIRST_LIMIT},
        "first": _estimate(figures.first),
        "cards_beyond": [card.id for card in figures.cards_beyond],
        "heterogeneity": _heterogeneity(figures_apart(figures)),
        "shared": _estimate(figures.shared),
        "turns": figures.turns
        and [{"share": _estimate(place.share), "score": _estimate(place.score)} for place in figures.turns],
        "seats": [{"share": _estimate(place.share), "score": _estimate(place.score)} for place in figures.by_seat],
        "cards": [
            {
                "id": card.id,
                "name": card.name,
                "seats": round(card.seats, 6),
                "games": round(card.games, 6),
                "each": round(card.each, 6),
                "telling_games": card.telling,
                "plain": _estimate(card.plain),
                "adjusted": _estimate(card.adjusted),
            }
            for card in figures.cards
        ],
        "spreads": {
            name: {
                "mean": round(spread.mean, 6),
                "deviation": round(spread.deviation, 6),
                "quantiles": {str(share): spread.quantile(share / 100) for share in (5, 25, 50, 75, 95)},
            }
            for name, spread in figures.spreads.items()
        },
    }


def _heterogeneity(apart: Heterogeneity | None) -> dict[str, Any] | None:
    if not apart:
        return None
    ends = {"value": apart.likeliest, "low": apart.low, "high": apart.high}
    return {
        "q": round(apart.q, 3),
        "cards": apart.figures,
        "deviation": {name: round(each.deviation, 6) for name, each in ends.items()},
        "truly_beyond": dict(zip(ends, (round(each, 2) for each in apart.beyond), strict=True)),
        "beyond_by_chance": round(apart.by_chance, 2),
    }


def _estimate(estimate: Estimate) -> dict[str, float] | None:
    if not estimate.known:
        return None
    return {"value": round(estimate.value, 6), "low": round(estimate.low, 6), "high": round(estimate.high, 6)}
