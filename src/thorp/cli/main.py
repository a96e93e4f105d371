"""Reading the command line. What a command needs is imported when it runs: `thorp play` needs no web server."""

from __future__ import annotations

import argparse
import os
import select
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

import thorp
from thorp.cli.actions import add_actions
from thorp.cli.contest_arguments import add_match, add_play, add_report
from thorp.cli.extras import missing
from thorp.cli.help import Parser, asks_for_help, language_in, told
from thorp.cli.interrupts import quietly_interruptible
from thorp.cli.serve import add_arguments, chosen, count, settings_of
from thorp.core.commands import Command
from thorp.core.errors import ContractError, GameError, message_of
from thorp.core.game import AnyGame
from thorp.core.language import ENGLISH, Language, best, language, speaking, spoken, translated
from thorp.core.offered import complete
from thorp.core.registry import in_a_line, usable
from thorp.core.words import Message, say
from thorp.players import Effort, levels, usual
from thorp.players.analysis import SECONDS, TOLD


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit status: 0, 1 where it failed, 2 where the command line is wrong, 130 when interrupted."""
    try:
        for stream in (sys.stdout, sys.stderr):
            # a sign that a terminal has no letters for, such as that of minus, is told by its number
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        try:
            status = _run(sys.argv[1:] if arguments is None else arguments)
            _flush()
            return status
        except SystemExit:
            # argparse has printed, such as the help
            _flush()
            raise
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    except BrokenPipeError:
        unread = [stream for stream in (sys.stdout, sys.stderr) if not _is_read(stream)]
        if not unread:
            # of another pipe: a fault like any other
            raise
        # `head` has read enough
        for stream in unread:
            _silence(stream)
        return 1
    except OSError as error:
        # such as a disk that is full
        for stream in (sys.stdout, sys.stderr):
            if not _is_written(stream):
                _silence(stream)
        print(f"thorp: {error}", file=sys.stderr)
        return 1


def _silence(stream: TextIO) -> None:
    """Let go what cannot be written: Python would try again when it exits, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _is_written(stream: TextIO | None) -> bool:
    """Whether all that was said could be written."""
    try:
        if stream:
            stream.flush()
    except OSError:
        return False
    return True


def _run(words: Sequence[str]) -> int:
    try:
        # catalogues take a while to read: no other command waits for the words of the help
        with speaking(_language_of(language_in(words)) if asks_for_help(words) else ENGLISH):
            given = _parser(with_games=not words or words[0] not in _OWN).parse_args(words)
        run: Callable[[argparse.Namespace], int] = given.run
        named = getattr(given, "game", "")
        with speaking(_language_of(given.language, named) if given.command in _SPOKEN else ENGLISH):
            try:
                return run(given)
            except GameError as error:
                # in the language of the command, and as far as it has come, in the words of its game
                print(f"thorp: {say(message_of(error))}", file=sys.stderr)
                return 1
    except (GameError, ContractError) as error:
        print(f"thorp: {error}", file=sys.stderr)
        return 1


def _flush() -> None:
    """Write what is still to be written while a closed pipe can be told."""
    # a process without standard output has none
    if sys.stdout:
        sys.stdout.flush()


def _is_read(stream: TextIO) -> bool:
    """Whether nothing tells that nobody reads any more what is written there."""
    try:
        poll = select.poll()
        poll.register(stream, 0)
    except (AttributeError, TypeError, ValueError, OSError):
        # no such call on this system, no stream, or one of Python alone
        return True
    return not poll.poll(0)


#: Commands that are for people who play: what they print is in the language of the terminal.
_SPOKEN = ("play", "replay", "rules")


def _language_of(chosen: str, named: str = "") -> Language:
    """The language that was chosen; else that of the environment, where nothing is missing in it.

    `named` is the game that the command is given: it says by itself where that cannot be used.
    """
    if chosen:
        found = language(chosen)
        if found.tag != chosen:
            raise GameError(f"there is no language {chosen!r}; there are {', '.join((ENGLISH.tag, *translated()))}")
        return found
    names = (os.environ.get(name, "") for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"))
    # the first may be several, the one that is wanted most before the others
    several = next(filter(None, names), "").split(":")
    wanted = ",".join(each.partition(".")[0].replace("_", "-") for each in several)
    if not translated():
        return ENGLISH
    games = [game.id for game in usable(thorp.game_ids(), named)]
    return language(best(wanted, (each.tag for each in complete(games))))


#: What can be done without asking the games for commands of theirs.
_OWN = ("serve", "admin", "play", "replay", "analyse", "arena", "train", "rules", "words", "check", "bench")


def _parser(with_games: bool) -> argparse.ArgumentParser:
    games = ", ".join(thorp.game_ids())
    parser = Parser(prog="thorp", description=told("Village-building tabletop games."))
    parser.add_argument(
        "--version", action="version", version=f"thorp {thorp.__version__}", help=told("show the version and exit")
    )
    parser.add_argument(
        "--language",
        default="",
        help=told("the language of play, replay, rules and this help (default: the environment's)"),
    )
    commands = parser.add_subparsers(title=told("commands"), required=True, metavar="COMMAND", dest="command")

    serve = commands.add_parser("serve", help=told("serve the tables, to play in the browser"))
    serve.add_argument("--open", action="store_true", help=told("open the address in a browser"))
    add_arguments(serve)
    serve.set_defaults(run=_serve)

    admin = commands.add_parser(
        "admin", help=told("see to the tables of a server: list, close, delete, back up, restore")
    )
    add_arguments(admin, ("data", "database"))
    add_actions(admin)
    admin.set_defaults(run=_admin)

    play = commands.add_parser("play", help=told("play in the terminal"))
    play.add_argument("game", help=told("the game: {games}", games=games))
    play.add_argument("--seats", type=int, default=2, help=told("seats at the table, yours included (default: 2)"))
    play.add_argument(
        "--level",
        default=usual(),
        help=told(
            "who plays the others: {levels} (default: {usual}), or random, greedy or learned",
            levels=", ".join(levels()),
            usual=usual(),
        ),
    )
    play.add_argument("--seed", type=int, help=told("deal the game of this number"))
    play.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help=told("an option of the game"))
    play.add_argument("--save", type=Path, metavar="FILE", help=told("write the match to a file at the end"))
    play.set_defaults(run=_play)

    replay = commands.add_parser("replay", help=told("play an exported match again, and check it"))
    replay.add_argument("file", type=Path, help=told("a file written by an export; - for standard input"))
    replay.add_argument("--quiet", action="store_true", help=told("only the result"))
    replay.set_defaults(run=_replay)

    analyse = commands.add_parser("analyse", help=told("say which decisions of a match cost most, and what was luck"))
    analyse.add_argument("file", type=Path, help=told("a file written by an export; - for standard input"))
    analyse.add_argument(
        "--seat", type=int, help=told("of this seat only, from 1 (default: of all; with --ply, of who moved next)")
    )
    which = analyse.add_mutually_exclusive_group()
    which.add_argument(
        "--ply",
        type=int,
        metavar="N",
        help=told("only the decision after so many moves, also of a match that runs"),
    )
    # no default: argparse takes a small number that is the default for one that was not given
    which.add_argument("--most", type=int, help=told("so many decisions of each seat (default: 3)"))
    effort = analyse.add_mutually_exclusive_group()
    effort.add_argument(
        "--seconds", type=float, default=SECONDS, help=told("processor time for a decision (default: 1)")
    )
    effort.add_argument("--playouts", type=int, help=told("games for a decision instead: the same seed says the same"))
    analyse.add_argument("--seed", type=int, default=0, help=told("what chance in judging follows from (default: 0)"))
    analyse.add_argument("--threads", type=int, default=1, help=told("threads that judge a decision (default: 1)"))
    analyse.set_defaults(run=_analyse)

    arena = commands.add_parser("arena", help=told("measure a game by playing it many times"))
    measures = arena.add_subparsers(title=told("measures"), required=True, metavar="MEASURE")
    balance = measures.add_parser("balance", help=told("report what seats and cards are worth between equal players"))
    balance.add_argument("game", help=told("the game: {games}", games=games))
    balance.add_argument("--games", type=int, default=10_000, help=told("how many games (default: 10000)"))
    balance.add_argument("--seats", type=int, help=told("seats at the table (default: 4, as far as the game allows)"))
    balance.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help=told("an option of the game")
    )
    balance.add_argument("--seed", type=int, default=1, help=told("seed of the first game (default: 1)"))
    balance.add_argument("--level", default="greedy", help=told("who plays, by name (default: greedy)"))
    balance.add_argument("--threads", type=int, help=told("threads that play (default: one a processor)"))
    balance.add_argument(
        "--out", type=Path, metavar="FOLDER", help=told("where the report goes (default: balance-GAME-SEATS)")
    )
    balance.add_argument(
        "--card-limit",
        type=float,
        metavar="POINTS",
        help=told("how much a card may move its owner's share of wins (default: 8)"),
    )
    balance.set_defaults(run=_balance)
    contest = measures.add_parser(
        "play", help=told("let players meet: who is how strong; goes on where it was stopped")
    )
    add_play(contest)
    contest.set_defaults(run=_contest)
    written = measures.add_parser("report", help=told("write the report of what players have played so far"))
    add_report(written)
    written.set_defaults(run=_written)
    game = measures.add_parser("match", help=told("write a game of a contest as a match, for replay and analyse"))
    add_match(game)
    game.set_defaults(run=_match)

    training = commands.add_parser("train", help=told("learn by self-play what positions of a game are worth"))
    training.add_argument("game", help=told("the game: {games}", games=games))
    training.add_argument("--games", type=int, help=told("games in all (default: 100000, or as the run was begun)"))
    training.add_argument(
        "--seed",
        type=int,
        help=told(
            "the same seed and games learn the same; where a game is learned table by table, it deals the table, too "
            "(default: 1, or as the run was begun)"
        ),
    )
    training.add_argument("--threads", type=int, help=told("threads that play (default: one a processor)"))
    training.add_argument(
        "--out", type=Path, metavar="FOLDER", help=told("the run, its curve and weights (default: learned)")
    )
    training.add_argument(
        "--seats", type=int, help=told("of a game that is learned table by table (default: the fewest)")
    )
    training.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help=told("an option of that table")
    )
    training.add_argument(
        "--match", type=Path, metavar="FILE", help=told("instead of these: the table of a match, written by an export")
    )
    training.add_argument(
        "--expect",
        action="store_true",
        help=told("for what has learned to choose (in that folder, or as it comes with the game): what games come to"),
    )
    training.set_defaults(run=_train)

    rules = commands.add_parser("rules", help=told("print the rules of a game, as Markdown"))
    rules.add_argument("game", help=told("the game: {games}", games=games))
    rules.set_defaults(run=_rules)

    words = commands.add_parser("words", help=told("gather what is said for translators, and count what is missing"))
    words.add_argument(
        "packages", nargs="*", metavar="PACKAGE", help=told("packages of games (default: Thorp and its own)")
    )
    words.add_argument(
        "--check", action="store_true", help=told("write nothing, and fail where something had to be written")
    )
    words.set_defaults(run=_words)

    check = commands.add_parser("check", help=told("check whether a game keeps the contract"))
    check.add_argument("game", help=told("the game, by its id, or as an importable package"))
    check.add_argument(
        "--games", type=count, default=1000, help=told("random games that each check plays (default: 1000)")
    )
    check.set_defaults(run=_check)

    bench = commands.add_parser("bench", help=told("measure moves per second and the time of compiling"))
    bench.add_argument("games", nargs="*", help=told("games to measure (default: all)"))
    bench.add_argument("--seats", type=int, help=told("seats at the table (default: 4, as far as the game allows)"))
    bench.add_argument("--seconds", type=float, default=2.0, help=told("how long each figure is measured (default: 2)"))
    bench.add_argument("--json", action="store_true", help=told("figures as JSON"))
    bench.set_defaults(run=_bench)
    if with_games:
        for name, (command, folder) in _commands_of_games().items():
            with speaking(spoken().within(folder)):
                own = commands.add_parser(name, help=say(Message(command.help, {"name": command.name})))
                command.arguments(own)
            own.set_defaults(run=command.run)
    return parser


def _commands_of_games() -> dict[str, tuple[Command, Path]]:
    """The commands that games bring, and where their words are; the second of one name gets that of its game too."""
    found: dict[str, tuple[Command, Path]] = {}
    for game in usable(thorp.game_ids()):
        for command in _commands_of(game):
            called = f"{game.id}-{command.name}" if command.name in (*_OWN, *found) else command.name
            found[called] = (command, game.words)
    return found


def _commands_of(game: AnyGame) -> tuple[Command, ...]:
    name = f"{game.package}.commands"
    try:
        return tuple(import_module(name).COMMANDS if find_spec(name) else ())
    except Exception as error:
        # one broken package leaves the commands of the others
        print(f"thorp: {name} cannot be used: {in_a_line(error, game.package)}", file=sys.stderr)
        return ()


def _serve(given: argparse.Namespace) -> int:
    try:
        with quietly_interruptible():
            from thorp.server.app import default_data_dir, serve
    except ImportError as error:
        raise missing("serving needs", "web", error) from error
    values = chosen(given)
    values["data"] = values["data"] or default_data_dir()
    serve(settings_of(values), values["host"], values["port"], workers=values["workers"], open_browser=given.open)
    return 0


def _admin(given: argparse.Namespace) -> int:
    try:
        with quietly_interruptible():
            from thorp.cli.admin import run
            from thorp.server.app import default_data_dir
    except ImportError as error:
        raise missing("administration needs", "web", error) from error
    values = chosen(given)
    values["data"] = values["data"] or default_data_dir()
    return run(given, settings_of(values))


def _play(given: argparse.Namespace) -> int:
    from thorp.cli.play import play

    return play(given.game, given.seats, given.level, given.seed, given.option, given.save)


def _replay(given: argparse.Namespace) -> int:
    from thorp.cli.replay import replay

    return replay(given.file, given.quiet)


def _train(given: argparse.Namespace) -> int:
    with quietly_interruptible():
        from thorp.cli.train import learn

    told = given.game, given.games, given.seed, given.out, given.seats, given.option, given.expect
    return learn(*told, given.threads, given.match)


def _rules(given: argparse.Namespace) -> int:
    from thorp.cli.rules import rules

    return rules(given.game)


def _words(given: argparse.Namespace) -> int:
    try:
        from thorp.cli.words import words
    except ImportError as error:
        raise missing("words need", "translating", error) from error
    return words(given.packages, given.check)


def _analyse(given: argparse.Namespace) -> int:
    from thorp.cli.analyse import print_analysis, print_decision

    effort = Effort(given.seconds, given.playouts, given.seed, given.threads)
    if given.ply is not None:
        return print_decision(given.file, given.seat, given.ply, effort)
    return print_analysis(given.file, given.seat, TOLD if given.most is None else given.most, effort)


def _balance(given: argparse.Namespace) -> int:
    with quietly_interruptible():
        from thorp.cli.arena import balance

    where = given.game, given.games, given.seats, given.option, given.seed, given.level
    return balance(*where, given.threads, given.out, given.card_limit)


def _contest(given: argparse.Namespace) -> int:
    with quietly_interruptible():
        from thorp.cli.contest import play

    return play(given)


def _written(given: argparse.Namespace) -> int:
    with quietly_interruptible():
        from thorp.cli.contest import report

    return report(given.folder, given.test, given.error)


def _match(given: argparse.Namespace) -> int:
    with quietly_interruptible():
        from thorp.cli.contest import match

    return match(given.folder, given.player, given.seed, given.game, given.out)


def _check(given: argparse.Namespace) -> int:
    from thorp.cli.check import check

    return check(given.game, given.games)


def _bench(given: argparse.Namespace) -> int:
    from thorp.cli.bench import bench

    return bench(given.games or [game.id for game in usable(thorp.game_ids())], given.seats, given.seconds, given.json)
