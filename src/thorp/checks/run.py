"""All checks, and running them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from thorp.checks import beforehand, going_back, guides, playing, reasons, secrets, showing
from thorp.checks.unmade import NotChecked, NothingMore, warn
from thorp.core.errors import GameError
from thorp.core.game import AnyGame
from thorp.core.given import shown, whole
from thorp.core.registry import in_a_line, register

#: Given a game and how many random games may be played for it: a sentence for every fault. Raises NotChecked.
Check = Callable[[AnyGame, int], Iterator[str]]

CHECKS: tuple[Check, ...] = (
    # first, since plain rules say what is wrong where compiled ones would write beyond the end of a row
    playing.both_modes_agree,
    playing.games_end,
    playing.moves_decide,
    playing.listed_moves_can_be_played,
    playing.asking_changes_nothing,
    playing.exports_load,
    playing.what_is_taken_back_is_gone,
    playing.facts_are_true,
    going_back.who_goes_back_sees_what_was_seen,
    beforehand.what_is_answered_beforehand_tells_nothing,
    secrets.what_is_hidden_is_not_shown,
    secrets.what_is_hidden_is_dealt_again,
    secrets.what_others_know_is_dealt_again,
    secrets.what_is_said_to_be_open_is,
    secrets.readers_are_told_nothing_secret,
    secrets.secret_moves_stay_secret,
    secrets.forced_moves_tell_nothing,
    showing.the_sheet_adds_up,
    showing.moves_can_be_told_apart,
    showing.the_table_shows_what_is_offered,
    showing.regions_are_made_of_what_they_name,
    showing.the_rules_hold_together,
    reasons.what_cannot_be_chosen_says_why,
    guides.the_guide_leads_to_its_end,
)


def faults(
    game: AnyGame,
    games: int = 1000,
    checks: Iterable[Check] = CHECKS,
    tell: Callable[[Check, list[str]], None] = lambda check, found: None,
    unmade: Callable[[Check, str], None] = lambda check, why: warn(check.__name__, why),
) -> list[str]:
    """What is wrong with a game, a sentence for each fault; empty where it keeps all that is asked.

    `games` is how many random games are played for each check that plays many (others play fewer). `tell` is called
    after each check, with what it found; or `unmade`, with what it needs, where a check that found nothing could not be
    made to its end: without it, there is a NotCheckedWarning. Raises GameError where no game is to be played.
    """
    if (whole(games) or 0) < 1:
        raise GameError(f"the number of games is 1 or more, not {shown(games)}")
    register(game)
    everything = []
    for check in checks:
        found, why, ends = _found(check, game, games)
        if why and not found:
            unmade(check, why)
        else:
            tell(check, found)
        everything += found
        if ends:
            break
    return everything


def _found(check: Check, game: AnyGame, games: int) -> tuple[list[str], str, bool]:
    """What a check finds, what it lacks to be made to its end ("": nothing), and whether it has to be the last.

    A game may fail in any way at all: that is a fault, and the other checks go on.
    """
    found = []
    try:
        for fault in check(game, games):
            found.append(fault)
    except NotChecked as lacking:
        return found, str(lacking), False
    except NothingMore as fault:
        return [*found, str(fault)], "", True
    except Exception as error:
        found.append(f"This check cannot go on: {in_a_line(error, game.package)}")
    return found, "", False
