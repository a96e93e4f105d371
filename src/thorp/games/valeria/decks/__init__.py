"""Decks: the one that comes with Thorp, and files of one's own."""
