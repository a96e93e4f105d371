"""Bounds of a file before it is parsed: what the parser would take long for, or lose its way in, is refused at once.

Python's parser of TOML takes time by the square of a key's parts, and calls itself for every list within a list. A file
within these bounds is read in well under a tenth of a second, whatever else is in it.
"""

from __future__ import annotations

import re

from thorp.core.words import Message

#: Parts of a key (a.b.c), lists and tables within one another, digits of a number, and keys and values of a file: each
#: more than any game has a use for.
MOST_PARTS = 8
MOST_DEPTH = 8
MOST_DIGITS = 32
MOST_VALUES = 4096

#: A file piece by piece, as the parser cuts it: strings and comments are passed over as a whole, and of the rest only
#: what the bounds are about has a name. A string without an end ends the search, as the parser stops there too.
_PIECE = re.compile(
    rf'''
      [^\S\n]++ | \#[^\n]*+
    | """(?:[^"\\]++|\\.|"(?!""))*+""""{{0,2}}+ | \'\'\'(?:[^']++|'(?!''))*+\'\'\''{{0,2}}+
    | (?!""")"(?:[^"\\\n]++|\\[^\n])*+" | (?!\'\'\')'[^'\n]*+'
    | (?P<endless>["'])
    | (?P<digits>-?[0-9][\w-]{{{MOST_DIGITS},}}+)
    | [\w-]++
    | (?P<dot>\.)
    | (?P<lines>(?:\n[^\S\n]*+(?:\#[^\n]*+)?+)++)
    | (?P<opened>[\[{{])
    | (?P<closed>[\]}}])
    | (?P<value>[=,])
    | .
    ''',
    re.ASCII | re.DOTALL | re.VERBOSE,
)


def beyond(text: str) -> Message | None:
    """What of a file is beyond the bounds, in a sentence; None where nothing is."""
    dots, depth, values = 0, 0, 0
    for piece in _PIECE.finditer(text):
        kind = piece.lastgroup
        if kind is None:
            continue
        if kind == "endless":
            break
        dots = dots + 1 if kind == "dot" else 0
        depth += (kind == "opened") - (kind == "closed")
        values += kind in ("value", "opened")
        if kind == "digits":
            found = Message("a number in the file has too many digits: {n} are the most", {"n": MOST_DIGITS})
        elif dots >= MOST_PARTS:
            found = Message("a key in the file has too many parts: {n} are the most", {"n": MOST_PARTS})
        elif depth > MOST_DEPTH:
            found = Message(
                "the file is not TOML of cards: lists and tables lie more than {n} deep in one another",
                {"n": MOST_DEPTH},
            )
        elif values > MOST_VALUES:
            found = Message("the file has too many keys and values: {n} are the most", {"n": MOST_VALUES})
        else:
            continue
        line = text.count("\n", 0, piece.start()) + 1
        return Message("{fault} (at line {n})", {"fault": found, "n": line})
    return None
