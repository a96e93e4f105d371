"""What a village has of every card, for reports of balance."""

from thorp.compiling.rule import Counts, rule
from thorp.games.villagers.rules.cards import FOUNDERS
from thorp.games.villagers.rules.state import State


@rule
def owned(state: State, seat: int, counts: Counts) -> None:
    """Count the villagers of a village by face, covered ones too."""
    link = state.players[seat].village
    while link:
        card = state.cards[link - 1]
        if card.face < FOUNDERS:
            counts[card.face] += 1
        link = card.next
