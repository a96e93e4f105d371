"""The cards that Tiny Towns is played with: the printed ones, and files of one's own (docs/town-cards.md)."""
