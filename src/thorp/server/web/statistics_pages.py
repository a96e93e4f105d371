"""What a person has played here, in figures: its own page, in short on the first page, and a line at each end."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from thorp.core.errors import GameError
from thorp.core.language import spoken
from thorp.core.registry import game as find_game
from thorp.server.tables.ratings import Rating, Ratings
from thorp.server.tables.results import PEOPLE, Figures, GameFigures, Played, Results
from thorp.server.web.answers import page, render
from thorp.server.web.naming import called_together
from thorp.server.web.people import visitor_of


async def statistics(request: Request) -> Response:
    """All figures of the visitor, and its last matches. Nobody else is told any of it."""
    visitor, results = visitor_of(request.scope), _results(request)
    figures = await results.figures(visitor.id) if visitor.known else ()
    played = await results.last(visitor.id) if visitor.known else ()
    games = {each.game: game_name(each.game) for each in figures}
    ratings = Ratings(request.app.state.store)
    context = {
        "figures": figures,
        "last": [(each, _others(each)) for each in played],
        "games": games,
        "rank_word": rank_word,
        "people": PEOPLE,
        "ratings": await ratings.of(visitor.id) if visitor.known else {},
        "bots": {each.game: await _bots_met(ratings, each) for each in figures},
    }
    return page(request, "statistics.html", context)


def _others(match: Played) -> list[tuple[str, int]]:
    """What the others of a match are called, and their scores."""
    names = called_together(match.names)
    return [(names[seat], score) for seat, score in match.others]


async def _bots_met(ratings: Ratings, figures: GameFigures) -> list[tuple[str, Rating]]:
    """The levels that the visitor has met in a game, with their ratings, the weakest first."""
    met = {each for company, _ in figures.by_company for each in company}
    every = await ratings.levels(figures.game) if met else {}
    return sorted(((name, rating) for name, rating in every.items() if name in met), key=lambda each: each[1].points)


async def best(request: Request) -> Response:
    """What a match that is over was among the visitor's own, in a sentence; nothing where it does not count for it."""
    visitor = visitor_of(request.scope)
    found = await _results(request).best(visitor.id, request.path_params["id"]) if visitor.known else None
    if found is None:
        return Response(status_code=204)
    return PlainTextResponse(render(request, "_best.html", {"best": found}).strip())


async def in_short(request: Request) -> dict[str, Figures]:
    """What the visitor has played, by game."""
    visitor = visitor_of(request.scope)
    return await _results(request).totals(visitor.id) if visitor.known else {}


def game_name(id: str) -> str:
    """What a game is called; one that is no longer installed by its id."""
    try:
        return find_game(id).name
    except GameError:
        return id


def rank_word(game: str, rank: str) -> str:
    """What a rank of a game is called: its words are the game's, and not those of the house."""
    try:
        return spoken().within(find_game(game).words).text(rank)
    except GameError:
        return rank


def _results(request: Request) -> Results:
    return Results(request.app.state.store)
