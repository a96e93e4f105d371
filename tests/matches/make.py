"""Records the matches in tests/matches/tiny_towns anew: `python tests/matches/make.py`.

To be run whenever `rules_version` or `generator_version` goes up, or the bytes of a state change. It plays with fixed
seeds until a match shows what its name says, and writes how all of them ended into results.toml.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from thorp.core.match import Match
from thorp.games.tiny_towns import GAME
from thorp.games.tiny_towns.rules import state
from thorp.games.tiny_towns.rules.cards import (
    CARDS,
    FOOTPRINT_MASK,
    LETTERS,
    MONUMENT,
    RESOURCES,
    SIDE,
    SQUARES,
    SUPPLY_TYPES,
    number,
    orientations,
    placements,
)
from thorp.games.tiny_towns.rules.moves import MOVES

FOLDER = Path(__file__).parent / "tiny_towns"
#: No match is looked for longer than this.
MOST_SEEDS = 20_000

Cells = dict[int, int]


def lying(card: int) -> list[Cells]:
    """Every way in which the cubes of a card can lie: square to resource."""
    return [
        {corner + SIDE * row + column: resource for row, column, resource in orientations(card)[index]}
        for index, corner, _ in placements(card)
    ]


LYING = [lying(card.number) for card in CARDS]


class Builder:
    """Plays a seat with some sense: keeps a pattern in mind, places cubes for it, and builds what it can."""

    def __init__(self, seed: int, monument: str = "") -> None:
        self.chance = random.Random(seed)
        self.monument = number(monument) if monument else 0

    def choose(self, match: Match, seat: int) -> int:
        game = match.plain
        own = game.towns[seat]
        moves = match.legal(seat)
        wish = self.wish(game, own)
        if own.task == state.KEEP and self.monument in own.dealt:
            return moves[own.dealt.index(self.monument)]
        if own.task in (state.NAME, state.PICK):
            useful = [move for move in moves if MOVES.decode(move).arguments["resource"] in wish.values()]
            return self.chance.choice(useful or moves)
        if own.task == state.PLACE:
            return max(moves, key=lambda move: (self.use(own, wish, move), self.chance.random()))
        if own.task == state.BUILD:
            built = [move for move in moves if MOVES.decode(move).family == "build"]
            monuments = [move for move in built if MOVES.decode(move).arguments["type"] == MONUMENT]
            if built and self.chance.random() < 0.9:
                return self.chance.choice(monuments or built)
            return moves[-1]
        # what effects ask for: rather do something than say done
        return self.chance.choice(moves[:-1] if own.task == state.REPLACE and len(moves) > 1 else moves)

    def wish(self, game: state.State, own: state.Town) -> Cells:
        """The cubes still wanted for a card that could come next: the monument, or what needs the fewest."""
        lies = {s: r for r, mask in enumerate(own.cubes) for s in range(SQUARES) if mask >> s & 1}
        taken = sum(own.built)
        cards = [own.monument] if own.monument and not own.built[MONUMENT] else game.cards
        best: Cells = {}
        for card in cards:
            for cells in LYING[card]:
                if all(lies.get(s, r) == r and not taken >> s & 1 for s, r in cells.items()):
                    wanted = {s: r for s, r in cells.items() if s not in lies}
                    if wanted and (not best or len(wanted) < len(best)):
                        best = wanted
        return best

    def use(self, own: state.Town, wish: Cells, move: int) -> int:
        """How well a way to place the cube serves the wish."""
        family, given = MOVES.decode(move)
        if family == "place":
            resource = own.hand - 1
        elif family in ("substitute", "swap"):
            resource = given["resource"]
        else:
            # out of the way: on a Warehouse or Cottage, or beside the board
            return 2
        wanted = wish.get(given["square"])
        return 3 if wanted == resource else 1 if wanted is None else 0


@dataclass(frozen=True)
class Recording:
    """A match to be recorded: the first seed on which it shows something."""

    name: str
    seats: int
    options: Mapping[str, str] = field(default_factory=dict)
    shows: Callable[[Match], bool] = lambda match: True
    #: A monument that somebody has to be dealt, and keeps.
    monument: str = ""

    def record(self) -> Match:
        for seed in range(MOST_SEEDS):
            match = Match(GAME, self.seats, self.options, seed)
            towns = match.plain.towns
            if self.monument and not any(number(self.monument) in town.dealt for town in towns):
                continue
            builder = Builder(seed, self.monument)
            while not match.over:
                seat = builder.chance.choice(match.waiting)
                match.play(seat, builder.choose(match, seat))
            if self.shows(match):
                return match
        raise RuntimeError(f"{self.name}: no match shows it")


def families(match: Match) -> set[str]:
    """The families of all moves of a match."""
    return {MOVES.decode(entry.move).family for entry in match.log()}


def uses(*wanted: str) -> Callable[[Match], bool]:
    return lambda match: families(match) >= set(wanted)


def completed(match: Match) -> list[int]:
    """The rounds in which towns were completed."""
    return sorted(town.completed for town in match.plain.towns[: match.seats])


def built(match: Match, monument: str) -> int:
    """The seat that built a monument, or -1."""
    for seat, town in enumerate(match.plain.towns):
        if town.built[MONUMENT] and town.monument == number(monument):
            return seat
    return -1


def puts(match: Match, monument: str) -> bool:
    """Whether the owner of a monument put a building down."""
    owner = built(match, monument)
    return any(entry.seat == owner and MOVES.decode(entry.move).family == "put" for entry in match.log())


def posts_stood_in(match: Match) -> bool:
    """Whether a Trading Post stood in for a cube of some building."""
    now = match.at(0)
    for entry in match.log():
        family, given = MOVES.decode(entry.move)
        if family == "build":
            card = (
                match.plain.towns[entry.seat].monument if given["type"] == MONUMENT else now.plain.cards[given["type"]]
            )
            if FOOTPRINT_MASK[card][given["footprint"]] & now.plain.towns[entry.seat].built[SUPPLY_TYPES - 1]:
                return True
        GAME.play(now.state, entry.seat, entry.move)
    return False


def passed_over(match: Match) -> bool:
    """Whether Fort Ironweed was built between two turns or free picks of its owner, others still in the game."""
    seat = built(match, "fort_ironweed")
    kinds = [
        (entry.seat, family, given.get("type"))
        for entry in match.log()
        for family, given in [MOVES.decode(entry.move)]
        if family in ("name", "pick") or (family == "build" and given["type"] == MONUMENT and entry.seat == seat)
    ]
    when = next((i for i, (who, _, type) in enumerate(kinds) if who == seat and type == MONUMENT), 0)
    before, after = kinds[:when], kinds[when + 1 :]
    names = [who for who, family, _ in before if family in ("name", "pick")]
    return seat in names and len([who for who, family, _ in after if family in ("name", "pick")]) > match.seats


def a_tie_is_settled(match: Match) -> bool:
    best = max(match.scores)
    return match.scores.count(best) > 1 and match.standings.count(1) == 1


@dataclass
class Banker:
    """Lays the cubes of three Banks and builds them, then those of two: with five of them, it can name nothing."""

    marks: list[int]
    #: Where the cubes lie, and where the Banks go; what else is named goes on squares that are not used.
    stages = (("WTTW GTTG BTTB .WGB", (0, 3, 9)), (".TT. BGWB ..TG ..TW", (4, 11)))
    banks: int = 0

    def choose(self, match: Match, seat: int) -> int:
        own = match.plain.towns[seat]
        picture, targets = self.stages[self.banks > 2]
        wanted = dict(enumerate(picture.replace(" ", "")))
        empty = [s for s in range(SQUARES) if not any(mask >> s & 1 for mask in own.cubes + own.built)]
        missing = {LETTERS.index(wanted[s]): s for s in empty if wanted[s] != "."}
        moves = match.legal(seat)
        if own.task == state.NAME:
            return next((move for move in moves if MOVES.decode(move).arguments["resource"] in missing), moves[0])
        if own.task == state.PLACE:
            spare = [s for s in empty if wanted[s] == "."]
            return MOVES.encode("place", square=missing.get(own.hand - 1, (spare or empty)[0]))
        if own.task == state.MARK:
            self.banks += 1
            return MOVES.encode("mark", resource=self.marks.pop(0))
        for move in [] if missing and self.banks in (0, 3) else moves:
            family, given = MOVES.decode(move)
            if family == "build" and given["type"] == SUPPLY_TYPES - 1 and given["square"] in targets:
                return move
        return MOVES.encode("done")


def everybody_has_five_banks() -> Match:
    """Two seats build five Banks each, all resources on them: nobody can name one any more (ruling 15)."""
    match = Match(GAME, 2, {"factory": "bank", "monuments": "no"}, 0)
    wood, wheat, brick, glass, stone = range(len(RESOURCES))
    # with three Banks each, one can still name brick and glass, the other wood and wheat
    bankers = Banker([stone, wood, wheat, brick, glass]), Banker([stone, brick, glass, wood, wheat])
    while not match.over:
        seat = match.waiting[0]
        match.play(seat, bankers[seat].choose(match, seat))
    return match


MATCHES = (
    Recording("solo", 1, shows=lambda match: bool(match.plain.towns[0].built[MONUMENT])),
    Recording("solo-cavern", 1, {"cavern": "yes", "factory": "warehouse"}, uses("store", "swap", "set_aside")),
    Recording("first-game", 2, GAME.presets["First game"]),
    Recording("last-player-alone", 3, shows=lambda match: completed(match)[2] > completed(match)[1] + 4),
    Recording("all-at-once", 3, {"monuments": "no"}, lambda match: len(set(completed(match))) == 1),
    Recording("tie-settled", 2, shows=a_tie_is_settled),
    Recording("win-shared", 4, {"monuments": "no"}, lambda match: match.standings.count(1) > 1),
    Recording("factory", 4, {"factory": "factory"}, uses("substitute", "mark")),
    Recording("trading-posts", 4, {"factory": "trading_post"}, posts_stood_in),
    Recording("fort-ironweed", 4, {}, passed_over, "fort_ironweed"),
    Recording("opaleyes-watch", 5, {}, lambda match: puts(match, "opaleyes_watch"), "opaleyes_watch"),
    Recording("grove-university", 3, {}, lambda match: puts(match, "grove_university"), "grove_university"),
    Recording("architects-guild", 3, {"well": "shed"}, uses("replace", "move_shed"), "architects_guild"),
    Recording("statue-of-the-bondmaker", 4, {}, uses("shelter"), "statue_of_the_bondmaker"),
    Recording("six-seats", 6),
    Recording("six-seats-cavern", 6, {"cavern": "yes", "monuments": "no"}, uses("set_aside")),
    Recording("town-hall", 3, {"naming": "town_hall"}, lambda match: match.plain.round > 15),
    Recording("town-hall-cavern", 6, {"naming": "town_hall", "cavern": "yes"}, uses("set_aside")),
    Recording("town-hall-fort-ironweed", 2, {"naming": "town_hall"}, passed_over, "fort_ironweed"),
)


def main() -> None:
    """Write all matches, and how they ended."""
    FOLDER.mkdir(exist_ok=True)
    results = ["# How the recorded matches ended: points and places by seat. Written by make.py."]
    matches = {recording.name: recording.record() for recording in MATCHES}
    matches["nobody-can-name"] = everybody_has_five_banks()
    for name, match in sorted(matches.items()):
        (FOLDER / f"{name}.json").write_text(match.export() + "\n", encoding="utf-8")
        results += ["", f"[{name}]", f"scores = {list(match.scores)}", f"standings = {list(match.standings)}"]
        print(f"{name}: {len(match.log())} moves, {match.plain.round} rounds, {match.scores}, seed {match.seed}")
    (FOLDER / "results.toml").write_text("\n".join(results) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
