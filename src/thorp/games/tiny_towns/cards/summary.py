"""What is in a file of cards: for designers of cards."""

from __future__ import annotations

from collections.abc import Iterable

from thorp.core.words import say
from thorp.games.tiny_towns.cards.describing import described
from thorp.games.tiny_towns.rules.cards import TYPES, CardSet


def summary(cards: CardSet) -> Iterable[str]:
    """Every card of the file's own with what was understood of it; and which types stay as printed."""
    own = [card for card in cards.cards if not card.printed]
    yield f"{cards.name}: the file is sound."
    for card in own:
        words = " ".join(say(part) for part in described(card))
        solo = "" if card.in_solo else " Not in solo play."
        yield f"{TYPES[card.type].name}: {card.name} ({' / '.join(card.pattern)}). {words}{solo}"
    if cards.printed:
        yield f"Printed cards beside them: {', '.join(cards.printed)}"
    types = {card.type for card in cards.cards if not card.printed or card.id in cards.printed}
    rest = [type.name for number, type in enumerate(TYPES) if number not in types]
    if rest:
        yield f"All printed cards of: {', '.join(rest)}"
