"""Games between players, many at a time: who is stronger, and how much a seat or a card is worth."""

from thorp.arena.matches import play_games

__all__ = ["play_games"]
