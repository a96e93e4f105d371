"""Records the matches in tests/matches/villagers anew: `python tests/matches/make_villagers.py`.

To be run whenever `rules_version` or `generator_version` goes up, or the bytes of a state change. It plays with fixed
seeds until a match shows what its name says, and writes how all of them ended into results.toml.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from thorp.core.chance import stream
from thorp.core.generic import make_states, put_state
from thorp.core.match import Match
from thorp.games.villagers import GAME
from thorp.games.villagers.rules.moves import BASES, MOVES
from thorp.games.villagers.rules.state import DRAFT, EVENT
from thorp.players.greedy import greedy_move

FOLDER = Path(__file__).parent / "villagers"
#: No match is looked for longer than this.
MOST_SEEDS = 5_000

#: [move]: its family
FAMILY = [family.name for family in MOVES for _ in range(family.size)]
#: What a player does rather than other things, when it can.
EAGER = ("build", "swap", "place", "tinner", "smuggler", "pay", "free", "pick", "part", "ransom")


def choose(match: Match, seat: int, chance: random.Random, last_stack_first: bool) -> int:
    """A move with some sense: build what can be built, and give few cards up."""
    moves = match.legal(seat)
    by_family: dict[str, list[int]] = {}
    for move in moves:
        by_family.setdefault(FAMILY[move], []).append(move)
    phase = int(match.state["phase"])
    if phase == DRAFT and last_stack_first and "blind" in by_family:
        return by_family["blind"][-1]
    if phase == EVENT and "jester" in by_family and chance.random() < 0.8:
        by_family.pop("jester") if len(by_family) > 1 else None
    eager = [move for family in EAGER for move in by_family.get(family, [])]
    if eager and chance.random() < 0.9:
        return chance.choice(eager)
    if "exchange" in by_family and chance.random() < 0.8:
        rest = [move for family, some in by_family.items() if family != "exchange" for move in some]
        return chance.choice(rest)
    return chance.choice(moves)


def greedily(match: Match, seat: int, dice: Any) -> int:
    """The move of the greedy player."""
    states = make_states(GAME, 2)
    put_state(states, 0, match.state)
    return greedy_move.of(GAME)(states, seat, GAME.move_list(), dice)


@dataclass(frozen=True)
class Recording:
    """A match to be recorded: the first seed on which it shows something."""

    name: str
    seats: int
    options: Mapping[str, str] = field(default_factory=dict)
    shows: Callable[[Match], bool] = lambda match: True
    #: Whether everybody draws blind from the last stack that has cards.
    last_stack_first: bool = False
    #: Whether everybody plays as the greedy player does.
    greedy: bool = False

    def record(self) -> Match:
        for seed in range(MOST_SEEDS):
            match = Match(GAME, self.seats, self.options, seed)
            chance = random.Random(seed)
            dice = stream(seed)
            while not match.over:
                seat = match.waiting[0]
                if self.greedy:
                    match.play(seat, greedily(match, seat, dice))
                    continue
                match.play(seat, choose(match, seat, chance, self.last_stack_first))
            if self.shows(match):
                return match
        raise RuntimeError(f"{self.name}: no match shows it")


def families(match: Match) -> set[str]:
    """The families of all moves of a match."""
    return {FAMILY[entry.move] for entry in match.log()}


def uses(*wanted: str) -> Callable[[Match], bool]:
    return lambda match: families(match) >= set(wanted)


def first_market_round(match: Match) -> int:
    """The round after which the First Market was held."""
    now = match.at(0)
    for entry in match.log():
        before = now.plain.round
        GAME.play(now.state, entry.seat, entry.move)
        if now.plain.first_market:
            return before
    return 0


def both_markets_at_once(match: Match) -> bool:
    return first_market_round(match) == match.plain.round


def tie(match: Match) -> bool:
    return match.scores.count(max(match.scores)) > 1


def won_alone(match: Match) -> bool:
    return match.scores[0] > match.view(0).countess.score


def reserve_shuffled(match: Match) -> bool:
    return any(card.shuffled for card in match.plain.cards)


def two_monks(match: Match) -> bool:
    return any(
        given["spot"] >= 2 * BASES
        for entry in match.log()
        for name, given in [MOVES.decode(entry.move)]
        if name == "build"
    )


def limit_reached(match: Match) -> bool:
    """Whether somebody has given up three cards in a turn."""
    given_up = 0
    for entry in match.log():
        given_up = given_up + (FAMILY[entry.move] == "exchange") if FAMILY[entry.move] != "done" else 0
        if given_up == 3:
            return True
    return False


MATCHES = (
    Recording("solo-won", 1, shows=won_alone, greedy=True),
    Recording("solo-lost", 1, shows=lambda match: not won_alone(match)),
    Recording("solo-beginner", 1, {"countess": "beginner"}, uses("conscript", "part")),
    Recording("solo-events", 1, shows=uses("jester", "pick", "ransom", "bear")),
    Recording("two-seats", 2, shows=uses("guard", "leave", "smuggler")),
    Recording("both-markets-at-once", 2, shows=both_markets_at_once, last_stack_first=True),
    Recording("three-seats", 3, shows=uses("swap", "place", "tinner", "pay")),
    Recording("three-given-up", 3, {"exchange": "three"}, limit_reached),
    Recording("four-seats", 4, shows=uses("free")),
    Recording("two-monks", 4, shows=two_monks),
    Recording("chosen-road", 4, {"road_1": "carpenter", "road_2": "blacksmith", "road_6": "tailor"}),
    Recording("five-seats", 5, greedy=True),
    Recording("reserve-shuffled", 5, shows=reserve_shuffled),
    Recording("tie-settled", 3, shows=lambda match: tie(match) and match.standings.count(1) == 1),
    Recording("win-shared", 3, shows=lambda match: match.standings.count(1) > 1),
)


def main() -> None:
    """Write all matches, and how they ended."""
    FOLDER.mkdir(exist_ok=True)
    results = ["# How the recorded matches ended: gold and places by seat. Written by make_villagers.py."]
    for name, recording in sorted({recording.name: recording for recording in MATCHES}.items()):
        match = recording.record()
        (FOLDER / f"{name}.json").write_text(match.export() + "\n", encoding="utf-8")
        results += ["", f"[{name}]", f"scores = {list(match.scores)}", f"standings = {list(match.standings)}"]
        print(
            f"{name}: {len(match.log())} moves, {match.plain.round} rounds, {match.scores}, seed {match.seed}",
            flush=True,
        )
    (FOLDER / "results.toml").write_text("\n".join(results) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
