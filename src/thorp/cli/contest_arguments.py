"""What `thorp arena play`, `report` and `match` take; doing it is in contest.py."""

from __future__ import annotations

import argparse
from pathlib import Path

from thorp.cli.help import told
from thorp.core.registry import game_ids


def add_play(parser: argparse.ArgumentParser) -> None:
    """The arguments of `thorp arena play`."""
    parser.add_argument("game", help=told("the game: {games}", games=", ".join(game_ids())))
    parser.add_argument(
        "--player",
        action="append",
        default=[],
        metavar="PLAYER",
        help=told(
            "who takes part: a player of Thorp's, LEVEL@SECONDS, NAME=COMMAND, module:Class, NAME=module:Class, or "
            "NAME=LEVEL:FILE (by weights of a file); give it for each"
        ),
    )
    parser.add_argument("--seats", type=int, default=2, help=told("seats at the table (default: 2)"))
    parser.add_argument("--deals", type=int, default=100, help=told("deals of each table, at most (default: 100)"))
    parser.add_argument("--against", metavar="NAME", help=told("only tables with this player (a gauntlet)"))
    parser.add_argument("--mixed", action="store_true", help=told("different players at every seat"))
    parser.add_argument("--mirror", action="store_true", help=told("also every player with itself"))
    parser.add_argument(
        "--test",
        nargs=2,
        type=float,
        metavar=("LOW", "HIGH"),
        help=told("stop a table when it is clear whether one is LOW points stronger at most, or HIGH at least"),
    )
    parser.add_argument("--error", type=float, help=told("how often a test may be wrong (default: 0.05)"))
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help=told("an option of the game")
    )
    parser.add_argument("--seed", type=int, default=1, help=told("seed of the first deal (default: 1)"))
    parser.add_argument(
        "--seconds", type=float, default=10.0, help=told("for a choice of your own players (default: 10)")
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--workers", type=int, help=told("processes or threads that play (default: one a processor)"))
    where.add_argument("--ray", metavar="ADDRESS", help=told("play on a Ray cluster; auto is that of this machine"))
    parser.add_argument(
        "--out", type=Path, metavar="FOLDER", help=told("for results and report (default: arena-GAME-SEATS)")
    )


def add_report(parser: argparse.ArgumentParser) -> None:
    """The arguments of `thorp arena report`."""
    parser.add_argument("folder", type=Path, help=told("the folder of `thorp arena play`"))
    parser.add_argument(
        "--test", nargs=2, type=float, metavar=("LOW", "HIGH"), help=told("count up to where this test ends")
    )
    parser.add_argument("--error", type=float, help=told("how often the test may be wrong (default: 0.05)"))


def add_match(parser: argparse.ArgumentParser) -> None:
    """The arguments of `thorp arena match`."""
    parser.add_argument("folder", type=Path, help=told("the folder of `thorp arena play`"))
    parser.add_argument("--seed", type=int, required=True, help=told("the deal, by its seed"))
    parser.add_argument(
        "--game", type=int, default=0, metavar="N", help=told("which seating of the deal, from 0 (default: 0)")
    )
    parser.add_argument(
        "--player",
        action="append",
        default=[],
        metavar="NAME",
        help=told("who sat at the table, in the order of the report; give it for each (default: the only table)"),
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help=told("where it goes (default: standard output)"))
