"""Records the matches in tests/matches/valeria anew: `python tests/matches/make_valeria.py`.

To be run whenever `rules_version` or `generator_version` goes up, or the bytes of a state change. It plays with fixed
seeds until a match shows what its name says, and writes how all of them ended into results.toml.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from thorp.core.match import Match
from thorp.games.valeria import GAME
from thorp.games.valeria.decks.deck_toml import write
from thorp.games.valeria.decks.known import DECKS, FIRST
from thorp.games.valeria.rules.deck import Deck
from thorp.games.valeria.rules.moves import MOVES
from thorp.games.valeria.rules.powers import Power
from thorp.games.valeria.rules.rounds import IDLE_ROUNDS, TURNED
from thorp.players.players import choose

FOLDER = Path(__file__).parent / "valeria"
#: No match is looked for longer than this.
MOST_SEEDS = 3_000

#: [move]: its family
FAMILY = [family.name for family in MOVES for _ in range(family.size)]


def at_random(match: Match, seat: int, chance: random.Random) -> int:
    """Any legal move."""
    return chance.choice(match.legal(seat))


def greedily(match: Match, seat: int, chance: random.Random) -> int:
    """The move of the greedy player."""
    return choose("greedy", match, seat, chance.getrandbits(60))


def idly(match: Match, seat: int, chance: random.Random) -> int:
    """Lead Harvest and Tax only, and follow those."""
    moves = match.legal(seat)
    harvest, tax = MOVES.encode("lead", action=0), MOVES.encode("lead", action=4)
    return chance.choice([move for move in moves if move in (harvest, tax)] or moves)


def eagerly(match: Match, seat: int, chance: random.Random) -> int:
    """Build and use powers when that can be done, and pay resource by resource; else anything."""
    moves = match.legal(seat)
    eager = [move for move in moves if FAMILY[move] in ("pay_costly", "pay_free", "use", "take")]
    if eager and chance.random() < 0.8:
        return chance.choice(eager)
    return chance.choice(moves)


Player = Callable[[Match, int, random.Random], int]


@dataclass(frozen=True)
class Recording:
    """A match to be recorded: the first seed on which it shows something."""

    name: str
    seats: int
    shows: Callable[[Match], bool] = lambda match: True
    player: Player = at_random
    deck: Deck | None = None

    def record(self) -> Match:
        """Play matches until one shows it."""
        options = {"deck": write(self.deck) if self.deck else FIRST}
        for seed in range(MOST_SEEDS):
            match = Match(GAME, self.seats, options, seed)
            chance = random.Random(seed)
            while not match.over:
                seat = match.waiting[0]
                match.play(seat, self.player(match, seat, chance))
            if self.shows(match):
                return match
        raise RuntimeError(f"{self.name}: no match shows it")


def uses(*wanted: str) -> Callable[[Match], bool]:
    """Whether all these families of moves were played."""
    return lambda match: {FAMILY[entry.move] for entry in match.log()} >= set(wanted)


def a_tie_is_settled(match: Match) -> bool:
    return match.scores.count(max(match.scores)) > 1 and match.standings.count(1) == 1


def shuffled(match: Match) -> bool:
    """Whether a deck was made of the piles."""
    return int(match.plain.origin) > 0


def full_village(match: Match) -> bool:
    return max(player.size for player in match.plain.players) == (12 if match.seats <= 3 else 10)


def timed_out(match: Match) -> bool:
    return int(match.plain.turned) == TURNED and not full_village(match)


def idle(match: Match) -> bool:
    return int(match.plain.idle) >= IDLE_ROUNDS * match.seats


def other_deck() -> Deck:
    """The Thorp deck with fewer names, cards alike in both halves, and dearer powers."""
    standard = DECKS.of_value(FIRST)
    buildings = tuple(
        replace(
            building,
            copies=(building.copies[number % 2],) * 2,
            powers=(Power("harvest", "take", 2, pay="1 coin"),) if number % 5 == 0 else building.powers,
        )
        for number, building in enumerate(standard.buildings)
    )
    return replace(standard, name="Recorded deck", buildings=buildings, adventurers=standard.adventurers[:8])


MATCHES = (
    Recording("solo-full-village", 1, full_village, greedily),
    Recording("solo-35-cards", 1, timed_out),
    Recording("two-seats", 2, full_village, greedily),
    Recording("two-idle", 2, idle, idly),
    Recording("three-seats", 3, uses("pay_free", "pay_costly"), eagerly),
    Recording("three-shuffled", 3, shuffled),
    Recording("four-seats", 4, full_village, greedily),
    Recording("four-take", 4, uses("take", "use", "pay_all"), eagerly),
    Recording("five-seats", 5, full_village, greedily),
    Recording("five-shuffled", 5, shuffled),
    Recording("deck-file", 4, uses("take", "recruit"), at_random, other_deck()),
    Recording("tie-settled", 3, a_tie_is_settled),
)


def main() -> None:
    """Write all matches, and how they ended."""
    FOLDER.mkdir(exist_ok=True)
    results = ["# How the recorded matches ended: points and places by seat. Written by make_valeria.py."]
    for recording in sorted(MATCHES, key=lambda recording: recording.name):
        match = recording.record()
        (FOLDER / f"{recording.name}.json").write_text(match.export() + "\n", encoding="utf-8")
        results += ["", f"[{recording.name}]", f"scores = {list(match.scores)}", f"standings = {list(match.standings)}"]
        print(
            f"{recording.name}: {len(match.log())} moves, {match.plain.round} turns, {match.scores}, seed {match.seed}",
            flush=True,
        )
    (FOLDER / "results.toml").write_text("\n".join(results) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
