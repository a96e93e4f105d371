"""Commands that a game brings to the command line: `COMMANDS` in the module `commands` of its package."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from thorp.core.errors import GameError
from thorp.core.options import MOST_BYTES, OptionFile
from thorp.core.words import Message, Said, say

#: What is said where a file is to come by standard input, and that is closed.
NO_INPUT = "there is no standard input to read a file from"


@dataclass(frozen=True)
class Command:
    """A command: `thorp NAME ...`."""

    name: str
    #: What it is for, in some words; {name} in them is its name.
    help: Said[str]
    #: Adds its arguments to a parser.
    arguments: Callable[[ArgumentParser], None]
    #: Runs it: the exit status.
    run: Callable[[Namespace], int]


def file_command(name: str, option: OptionFile) -> Command:
    """`thorp NAME check FILE`: says what is in a file for an option, or all that is wrong with it."""

    def arguments(parser: ArgumentParser) -> None:
        checks = parser.add_subparsers(required=True, metavar="WHAT")
        check = checks.add_parser("check", help=say(Message("check a file")))
        check.add_argument("file", type=Path, help=say(Message("a {name} file; - for standard input", {"name": name})))

    return Command(name, "work on {name} files", arguments, lambda given: _check(given.file, name, option))


def _check(file: Path, name: str, option: OptionFile) -> int:
    if str(file) == "-" and sys.stdin is None:
        raise GameError(NO_INPUT)
    try:
        with nullcontext(sys.stdin.buffer) if str(file) == "-" else file.open("rb") as source:
            data = source.read(MOST_BYTES + 1)
    except OSError as error:
        raise GameError(f"{file} cannot be read: {error.strerror}") from error
    assert option.report
    summary, faults = option.report(data)
    for fault in faults:
        print(f"{file}: {fault}", file=sys.stderr)
    if faults:
        print(f"{len(faults)} fault{'s' * (len(faults) > 1)}: the {name} cannot be used.", file=sys.stderr)
        return 1
    print("\n".join(summary))
    return 0
