"""What a village has of every card, for reports of balance."""

from collections.abc import Mapping

from thorp.core.rule import Counts, entry
from thorp.core.words import Card
from thorp.games.villagers.cards import FOUNDERS, VILLAGERS
from thorp.games.villagers.state import State


def cards(options: Mapping[str, str]) -> tuple[Card, ...]:
    """The villagers of the deck and the basic ones; the Founders are in every village."""
    return tuple(Card(villager.id, villager.name) for villager in VILLAGERS[:FOUNDERS])


@entry
def owned(state: State, seat: int, counts: Counts) -> None:
    """Count the villagers of a village by face, covered ones too."""
    link = state.players[seat].village
    while link:
        card = state.cards[link - 1]
        if card.face < FOUNDERS:
            counts[card.face] += 1
        link = card.next
