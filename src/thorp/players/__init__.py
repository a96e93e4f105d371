"""Who sits at a seat: players by name, for any game of the contract."""

from thorp.players.analysis import (
    Analysis,
    Balance,
    Effort,
    Expected,
    analyse,
    balance,
    carry_back,
    doubtful,
    judge,
    review,
)
from thorp.players.lessons import learn_for
from thorp.players.looking_through import look_through
from thorp.players.players import (
    called,
    choose,
    choose_in,
    get_player_ready,
    get_ready,
    goes_by_lessons,
    is_player,
    levels,
    names,
    no_player,
    seconds,
    usual,
    way_digest,
)
from thorp.players.search import Judged, Stop, Thought, Way
from thorp.players.tracker import Plan

__all__ = [
    "Analysis",
    "Balance",
    "Effort",
    "Expected",
    "Judged",
    "Plan",
    "Stop",
    "Thought",
    "Way",
    "analyse",
    "balance",
    "called",
    "carry_back",
    "choose",
    "choose_in",
    "doubtful",
    "get_player_ready",
    "get_ready",
    "goes_by_lessons",
    "is_player",
    "judge",
    "learn_for",
    "levels",
    "look_through",
    "names",
    "no_player",
    "review",
    "seconds",
    "usual",
    "way_digest",
]
