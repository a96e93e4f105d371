"""The code of players of somebody else's, as far as it is plain where it lies: so that a changed one is noticed.

That is the file of a class's module, or all files of Python's in it where it is a package, and the script that a
command names. What these load in turn is not looked at.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import re
import sys
from collections.abc import Iterable, Sequence
from importlib.machinery import PathFinder
from itertools import takewhile
from pathlib import Path

#: What a program is called that runs a script: where a command begins with one of these, the first file is that.
_INTERPRETER = re.compile(
    r"(python|pypy|node|deno|bun|ruby|perl|lua|java|php|bash|sh|env)[\d.]*w?(\.exe)?", re.IGNORECASE
)
#: What comes behind these words, a module or a text, is in no file that is named; other files are what it reads.
_UNNAMED = ("-m", "-c", "-e")
#: How a script ends behind any other program: what else is a file there may be what a player keeps in mind.
_SCRIPTS = frozenset(
    (".cjs", ".jar", ".jl", ".js", ".lua", ".mjs", ".php", ".pl", ".py", ".pyz", ".r", ".rb", ".sh", ".ts")
)


def code_of_class(given: str) -> str:
    """What the code of `module:Class` is at this moment, as a digest; "" where no file of it is found."""
    return _digest(_of_module(given.partition(":")[0]))


def code_of_command(words: Sequence[str]) -> str:
    """What the script, or the program, is that a command names, as a digest; "" where it names none."""
    return _digest(_of_command(*words))


def _of_command(program: str, *rest: str) -> list[Path]:
    if _INTERPRETER.fullmatch(Path(program).name):
        named = list(takewhile(lambda word: word not in _UNNAMED, rest))
        return [Path(word) for word in named if os.path.isfile(word)][:1]
    if scripts := [Path(word) for word in rest if Path(word).suffix.lower() in _SCRIPTS and os.path.isfile(word)]:
        return scripts[:1]
    # a program that is named without its folder is an installed one
    return [Path(program)] if Path(program).name != program and os.path.isfile(program) else []


def _of_module(module: str) -> list[Path]:
    """The files of a module, which is not imported: nothing of a player runs in this process."""
    importlib.invalidate_caches()
    # as it is found by who plays it
    folders: Sequence[str] = [os.getcwd(), *sys.path]
    spec = None
    for name in module.split("."):
        spec = PathFinder.find_spec(name, folders)
        if not spec:
            return []
        folders = list(spec.submodule_search_locations or ())
    if folders:
        return sorted(path for folder in folders for path in Path(folder).rglob("*.py") if path.is_file())
    return [Path(spec.origin)] if spec and spec.origin and spec.has_location else []


def _digest(files: Iterable[Path]) -> str:
    found = hashlib.sha256()
    try:
        texts = [path.read_bytes() for path in files]
    except OSError:
        return ""
    for text in texts:
        found.update(hashlib.sha256(text).digest())
    return found.hexdigest()[:12] if texts else ""
