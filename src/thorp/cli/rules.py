"""`thorp rules GAME`: the rules of a game in words, with every card; `make docs` writes the pages of docs/ by it."""

from __future__ import annotations

from thorp.core.errors import Told
from thorp.core.language import turn_to
from thorp.core.registry import game as find_game


def rules(id: str) -> int:
    """Print the rules as Markdown, in the language that is spoken."""
    game = find_game(id)
    turn_to(game.words)
    book = game.rulebook()
    if book is None:
        raise Told("{game} brings no rules in words: its package has no rules.md", game=game.name)
    print(book.markdown(), end="")
    return 0
