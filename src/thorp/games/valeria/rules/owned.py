"""What a village has of every card, for reports of balance."""

from thorp.compiling.rule import Counts, rule
from thorp.games.valeria.rules.state import FIRST_ADVENTURER, State


@rule
def owned(state: State, seat: int, counts: Counts) -> None:
    """Count the buildings and adventurers of a village."""
    player = state.players[seat]
    for place in range(player.size):
        face = player.village[place]
        counts[face if face < FIRST_ADVENTURER else state.names + face - FIRST_ADVENTURER] += 1
