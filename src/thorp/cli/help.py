"""The help of commands in the language that is spoken.

What argparse says by itself and lets nobody else say, which is how it refuses a command line, stays English.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import Any

from thorp.core.language import ENGLISH, spoken
from thorp.core.words import Message, Said, say

_USAGE = "usage: "
#: Headings that argparse writes by itself, each in a line of its own.
_HEADING = re.compile(r"^(positional arguments|options):$", re.MULTILINE)


def told(text: Said[str], **data: Any) -> str:
    """A text of the help in the language that is spoken, with what its braces name."""
    return say(Message(text, data))


def asks_for_help(words: Sequence[str]) -> bool:
    """Whether a command line asks for help, however short it says so."""
    return any(word == "-h" or (len(word) > 2 and "--help".startswith(word)) for word in words)


def language_in(words: Sequence[str]) -> str:
    """What a command line gives as --language; "" where it gives none, or not as it should."""
    parser = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    parser.add_argument("--language", default="")
    try:
        return str(parser.parse_known_args(words)[0].language)
    except argparse.ArgumentError:
        return ""


class Parser(argparse.ArgumentParser):
    """A parser that helps in the language that is spoken when it is made; so do the parsers of its commands."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given, add_help=False)
        if spoken().tag != ENGLISH.tag:
            # from Python 3.14 on, what is replaced below would be coloured
            self.color = False
        self.add_argument("-h", "--help", action="help", help=told("show this help and exit"))

    def format_help(self) -> str:
        """The help, with the words of argparse in the language, too."""
        headings = {"positional arguments": told("arguments"), "options": told("options")}
        text = _HEADING.sub(lambda found: f"{headings[found[1]]}:", super().format_help())
        return f"{told('usage')}: {text.removeprefix(_USAGE)}" if text.startswith(_USAGE) else text
