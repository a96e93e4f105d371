"""The sets of cards that this process has seen, the printed one first."""

from __future__ import annotations

from thorp.cardfiles.known import Known
from thorp.games.tiny_towns.cards.card_toml import check, printed, write

#: The value of the option that stands for the printed cards.
PRINTED = "printed"

CARD_SETS = Known("file of cards", {PRINTED: printed}, check, write)
