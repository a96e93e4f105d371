"""`thorp rules GAME`: the rules of a game in words, with every card; `make docs` writes the pages of docs/ by it."""

from __future__ import annotations

from thorp.core.errors import GameError
from thorp.core.registry import game as find_game


def rules(id: str) -> int:
    """Print the rules as Markdown."""
    game = find_game(id)
    book = game.rulebook()
    if book is None:
        raise GameError(f"{game.name} brings no rules in words: its package has no rules.md")
    print(book.markdown(), end="")
    return 0
