"""Measure a deck of Villages of Valeria: what places and cards do to the share of wins, and what villages are made of.

    python scripts/deck.py second --seats 2 3 4 5 --games 6000 --csv deck.csv
    python scripts/deck.py standard --seats 1 --games 4000
    python scripts/deck.py my-deck.toml --players greedy
    python scripts/deck.py second --players learned greedy learned/valeria.weights

All seats are played in compiled code, one move ahead: by the learned player, with the weights that come with the game
or those of a file, or by the greedy one. Of several players one is drawn for each seat of each game, so that figures
hang less on the habits of one. A game depends on its seed only. How figures are reckoned is told in docs/arena.md: a
share is that of owners less an even one, of games in which some have the card and others do not, with an interval of 95
percent.
"""

from __future__ import annotations

import argparse
import csv
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from thorp.arena.figures import NORMAL_95, Estimate, even_errors, mean_of, plain_effects, win_shares
from thorp.arena.heterogeneity import heterogeneity
from thorp.arena.workers import pool_for
from thorp.cli.options import read_options
from thorp.compiling.mode import COMPILED
from thorp.compiling.rule import Counts, MoveList, OptionList, Weights
from thorp.core.chance import Stream, below, seed_chance, stream
from thorp.core.contract import deal, determinize, legal, owned, play, score, standing, waiting
from thorp.core.errors import GameError
from thorp.core.generic import Generic, States, copy_state, make_states
from thorp.core.weights import read_weights, room
from thorp.games.valeria import GAME
from thorp.games.valeria.decks.known import DECKS, FILES
from thorp.games.valeria.rules.deck import POINTS_SHIFT, Building, Deck
from thorp.games.valeria.rules.powers import TYPES
from thorp.games.valeria.rules.state import FIRST_ADVENTURER
from thorp.players.ahead import learned_move

#: Players that need no file.
LEARNED, GREEDY = "learned", "greedy"
#: The option of the game that is measured.
DECK = "deck"
#: Games that a process plays in one go.
BLOCK = 100
MOST_MOVES = 100_000
#: What is written of a seat before its cards: points and standing.
POINTS, STANDING, CARDS_FROM = range(3)
#: So many adventurers are many.
MANY = 4
#: So much a card of the second edition was meant to move its owner's share of wins, at most.
CARD_LIMIT = 0.06
#: Hundredths of solo scores that begin ranks.
RANKS = (20, 40, 60, 80, 95)


def _games(
    states: States,
    moves: MoveList,
    options: OptionList,
    weights: Weights,
    out: Counts,
    counts: Counts,
    dice: Stream,
    luck: Stream,
    players: int,
    seats: int,
    cards: int,
    first: int,
    games: int,
) -> int:
    """Play a game for each of `games` seeds in a row; they end in states[3] and after; 0, or -1 where one does not.

    `weights` has a room for each of so many players, one after the other; for every game it is drawn which of them a
    seat is. Into `out` go, for every seat of every game, its points, its standing, and how many it has of each card.
    """
    each = len(weights) // players
    for nth in range(games):
        game = 3 + nth
        copy_state(states, game, 2)
        deal(states[game], seats, options, first + nth)
        seed_chance(luck.chance, (first + nth) * 2 + 1)
        who = 0
        if players > 1:
            who = below(luck.chance, players**seats)
        mask = waiting(states[game])
        played = 0
        while mask:
            seat = 0
            while not mask >> seat & 1:
                seat += 1
            if legal(states[game], seat, moves) == 1:
                move = moves.at[0]
            else:
                seed = below(luck.chance, 1 << 28)
                seed_chance(dice.chance, seed)
                copy_state(states, 0, game)
                determinize(states[0], seat, seed)
                at = who // players**seat % players * each
                move = learned_move(states, seat, moves, weights[at : at + each], dice)
            play(states[game], seat, move)
            played += 1
            if played > MOST_MOVES:
                return -1
            mask = waiting(states[game])
        for seat in range(seats):
            at = (nth * seats + seat) * (CARDS_FROM + cards)
            out[at + POINTS] = score(states[game], seat)
            out[at + STANDING] = standing(states[game], seat)
            for card in range(cards):
                counts[card] = 0
            owned(states[game], seat, counts)
            for card in range(cards):
                out[at + CARDS_FROM + card] = counts[card]
    return 0


play_games = Generic(_games)


@dataclass(frozen=True)
class Measured:
    """Games of one deck with so many seats: arrays by game and seat, and the states in which the games ended."""

    deck: Deck
    points: Any
    shares: Any
    counts: Any
    ends: Any

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return int(self.points.shape[1])

    @property
    def first(self) -> Estimate:
        """How much the first place moves its share of wins."""
        return self.places[0]

    @property
    def places(self) -> tuple[Estimate, ...]:
        """How much each place, in the order of turns, moves its share of wins."""
        games = np.arange(len(self.shares))
        begun = self.ends["first"].astype(int)
        return tuple(
            mean_of(self.shares[games, (begun + place) % self.seats] - 1 / self.seats) for place in range(self.seats)
        )

    @property
    def sources(self) -> tuple[float, ...]:
        """Mean points of buildings, adventurers, scoring powers and coins of a village."""
        players = self.ends["players"][:, : self.seats]
        there = np.arange(players["village"].shape[-1]) < players["size"][..., None]
        printed = np.where(there, (self.ends["faces"]["what"][0] >> POINTS_SHIFT)[players["village"]], 0)
        hired = players["village"] >= FIRST_ADVENTURER
        built, joined = printed[~hired].sum() / self.points.size, printed[hired].sum() / self.points.size
        coins = (players["coins"] + players["castle"] + players["paid"].sum(-1)).mean()
        return built, joined, self.points.mean() - built - joined - coins, coins

    @property
    def types(self) -> tuple[float, ...]:
        """What share of all buildings each type has."""
        built = self.ends["players"]["types"][:, : self.seats].sum((0, 1))
        return tuple(built / built.sum())

    @property
    def plans(self) -> tuple[tuple[str, float, Estimate], ...]:
        """What villages are mostly made of, how many of them are, and how much more they win than an even share.

        Of the four types the one of which most was built; none of them, where two are level; and besides, whether
        there are many adventurers.
        """
        players = self.ends["players"][:, : self.seats]
        types, adventurers = players["types"], players["adventurers"]
        most = (types == types.max(-1, keepdims=True)) & ((types == types.max(-1, keepdims=True)).sum(-1) == 1)[
            ..., None
        ]
        kinds = np.concatenate([most, ~most.any(-1, keepdims=True), (adventurers >= MANY)[..., None]], -1)
        names = (*TYPES, "no type", f"{MANY} adventurers or more")
        effects = plain_effects(self.shares, kinds.astype(np.int16))
        return tuple(zip(names, kinds.mean((0, 1)).tolist(), effects, strict=True))


def _learned(player: str) -> Any:
    """What a player goes by: nothing where it is greedy, since `value` of a net of zeros is what `evaluate` says."""
    if player == GREEDY:
        return None
    return read_weights(GAME, None if player == LEARNED else Path(player))[0]


def _block(text: str, seats: int, learned: list[Any], first: int, games: int) -> tuple[Any, Any]:
    cards = len(DECKS.of_value(text).every)
    states = make_states(GAME, 3 + games)
    out = np.zeros(games * seats * (CARDS_FROM + cards), np.int32)
    weights = np.concatenate([room(GAME, each) for each in learned])
    options = np.array(DECKS.numbers(text), np.int32)
    counts = np.zeros(cards + 1, np.int32)
    ended = play_games.of(GAME)(
        states, GAME.move_list(), options, weights, out, counts, stream(0), stream(0),
        len(learned), seats, cards, first, games,
    )  # fmt: skip
    if ended < 0:
        raise SystemExit(f"one of the games {first} to {first + games - 1} does not end")
    return out.reshape(games, seats, -1), states[3:].copy()


def measure(text: str, seats: int, games: int, seed: int, players: Sequence[str] = (LEARNED,)) -> Measured:
    """Play that many games with a deck (its value, or its text), on all processors."""
    learned = [_learned(player) for player in players]
    play_games.of(GAME)
    firsts = range(seed, seed + games, BLOCK)
    sizes = [min(BLOCK, seed + games - first) for first in firsts]
    with pool_for(os.cpu_count() or 1, compiled=COMPILED) as pool:
        outs, ends = zip(*pool.map(partial(_block, text, seats, learned), firsts, sizes), strict=True)
    out = np.concatenate(outs)
    return Measured(
        DECKS.of_value(text),
        out[:, :, POINTS],
        win_shares(out[:, :, STANDING]),
        out[:, :, CARDS_FROM:].astype(np.int16),
        np.concatenate(ends),
    )


def tell(of: Measured) -> None:
    """Print what games of so many seats say of the deck as a whole."""
    built, joined, scored, coins = of.sources
    print(
        f"{of.deck.name}, {of.seats} seats, {len(of.points)} games: points {of.points.mean():.1f} = "
        f"buildings {built:.1f} + adventurers {joined:.1f} + scoring {scored:.1f} + coins {coins:.1f}, "
        f"turns {of.ends['round'].mean():.1f}"
    )
    print(
        "  buildings by type: " + ", ".join(f"{type} {share:.0%}" for type, share in zip(TYPES, of.types, strict=True))
    )
    if of.seats == 1:
        print("  hundredths: " + ", ".join(f"{at}th {np.percentile(of.points, at):.0f}" for at in RANKS))
    else:
        places = ", ".join(f"{place.value:+.1%}" for place in of.places)
        plans = (f"{name} {had:.0%} {_moved(*_figures(one)).strip()}".rstrip() for name, had, one in of.plans)
        print("  villages mostly of: " + ", ".join(plans))
        first = f", the first +- {NORMAL_95 * of.first.error:.1%}" if of.first.known else ""
        print(f"  places in the order of turns {places}{first}")
        if apart := heterogeneity(plain_effects(of.shares, of.counts), CARD_LIMIT, even_errors(of.counts)):
            likeliest, fewest, most = apart.beyond
            truly = f"truly about {likeliest:.0f} ({fewest:.0f} to {most:.0f})"
            print(
                f"  {apart.seen} of {apart.figures} cards beyond {CARD_LIMIT:.0%}, {truly}, by chance alone "
                f"{apart.by_chance:.0f}; they lie {apart.likeliest.deviation:.1%} apart (one standard deviation)"
            )


def _figures(of: Estimate) -> tuple[float | None, float | None]:
    """A figure and how wide its interval is to each side; None where too few games tell it."""
    value, interval = of.value, NORMAL_95 * of.error
    return (None if np.isnan(value) else round(value, 4)), (None if np.isnan(interval) else round(interval, 4))


def _moved(value: float | None, interval: float | None) -> str:
    """What is known of a figure, as people read it."""
    return ("" if value is None else f"{value:+6.1%}") + ("" if interval is None else f" +- {interval:.1%}")


def rows(all: list[Measured]) -> list[list[Any]]:
    """A row a card: what it is, and for each number of seats how many have it, its share, and the interval."""
    effects = [plain_effects(of.shares, of.counts) for of in all]
    table = []
    for nth, card in enumerate(all[0].deck.every):
        kind, cost = (card.type, len(card.costs)) if isinstance(card, Building) else ("adventurer", len(card.types))
        row: list[Any] = [card.name, kind, cost, card.points]
        for of, effect in zip(all, effects, strict=True):
            row += [round(float((of.counts[:, :, nth] > 0).mean()), 4), *_figures(effect[nth])]
        table.append(row)
    return table


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure a deck with some numbers of seats."""
    parser = argparse.ArgumentParser(description="Measure a deck of Villages of Valeria.")
    parser.add_argument("deck", help=f"{' or '.join(FILES)}, or a deck file")
    parser.add_argument("--seats", type=int, nargs="+", default=[2, 3, 4, 5])
    parser.add_argument("--games", type=int, default=1000, help="for each number of seats")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--players", nargs="+", default=[LEARNED], help=f"{LEARNED}, {GREEDY}, or files of weights (default: {LEARNED})"
    )
    parser.add_argument("--csv", type=Path, help="write a row for each card into this file")
    given = parser.parse_args(arguments)
    if given.games < 1:
        raise SystemExit(f"the number of games is 1 or more, not {given.games}")
    if given.csv and max(given.seats) == 1:
        parser.error("cards are told apart by who wins: --csv needs two seats or more")
    try:
        chosen = read_options(GAME, [f"{DECK}={given.deck}"])
        texts = [GAME.options_for(seats, chosen)[DECK] for seats in given.seats]
        played = []
        for seats, text in zip(given.seats, texts, strict=True):
            played.append(measure(text, seats, given.games, given.seed, given.players))
            tell(played[-1])
    except GameError as error:
        raise SystemExit(str(error)) from error
    several = [of for of in played if of.seats > 1]
    if not several:
        return
    table = rows(several)
    if given.csv:
        try:
            _write(given.csv, several, table)
        except OSError as error:
            raise SystemExit(f"{given.csv} cannot be written: {error.strerror}") from error
        return
    for name, kind, cost, points, *figures in table:
        each = zip(*[iter(figures)] * 3, strict=True)
        told = "   ".join(f"{had:5.1%} {_moved(value, interval):15}" for had, value, interval in each)
        print(f"{name:17} {kind:10} {cost} {points}  {told}".rstrip())


def _write(path: Path, several: list[Measured], table: list[list[Any]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        told = (f"{what}_{of.seats}" for of in several for what in ("had", "share", "interval"))
        writer.writerow(("card", "kind", "cost", "points", *told))
        writer.writerows(table)


if __name__ == "__main__":
    main()
