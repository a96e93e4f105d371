"""What a village has of every card, for reports of balance."""

from collections.abc import Mapping

from thorp.core.rule import Counts, entry
from thorp.core.words import Card
from thorp.games.valeria import decks
from thorp.games.valeria.state import FIRST_ADVENTURER, State


def cards(options: Mapping[str, str]) -> tuple[Card, ...]:
    """The buildings by name, then the adventurers of the deck."""
    return tuple(Card(card.id, card.name) for card in decks.of_value(options["deck"]).every)


@entry
def owned(state: State, seat: int, counts: Counts) -> None:
    """Count the buildings and adventurers of a village."""
    player = state.players[seat]
    for place in range(player.size):
        face = player.village[place]
        counts[face if face < FIRST_ADVENTURER else state.names + face - FIRST_ADVENTURER] += 1
