"""`thorp words [PACKAGE ...]`: gathers what is said, writes the catalogues anew, and counts what is missing."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from thorp.core.catalogue import FILE, read
from thorp.core.errors import GameError
from thorp.core.registry import game, game_ids
from thorp.translating import folders
from thorp.translating.checking import faults_of
from thorp.translating.folders import Domain


def words(packages: Sequence[str], check: bool) -> int:
    """Of these packages of games, or of the house and its own games; `check`: write nothing, and fail where it had to.

    The exit status: 1 where something is wrong with a catalogue, or is not up to date and was only checked.
    """
    wrong: list[str] = []
    for domain in _domains(packages):
        gathered = folders.gather(domain)
        wrong += [f"{domain.name}: {fault}" for fault in gathered.faults]
        for path, text in folders.texts(domain, folders.wanted(domain, gathered)):
            if check and (not path.is_file() or path.read_text("utf-8") != text):
                wrong.append(f"{path} is not up to date: thorp words writes it")
            elif not check:
                _write(path, text)
        for tag in domain.tags():
            catalogue = read(domain.folder / tag / FILE)
            wrong += [f"{domain.name}, {tag}: {fault}" for fault in faults_of(catalogue)]
            count, missing = len(catalogue.entries), len(catalogue.missing)
            rules = missing - len(catalogue.missing_in_play)
            where = f" ({rules} of them in the rules alone)" if rules else ""
            print(f"{domain.name:28} {tag:6} {count - missing:5} of {count:5} said, {missing} missing{where}")
    for each in wrong:
        print(f"thorp: {each}", file=sys.stderr)
    return 1 if wrong else 0


def _domains(packages: Sequence[str]) -> list[Domain]:
    if packages:
        try:
            return [folders.domain_of(package) for package in packages]
        except ModuleNotFoundError as error:
            raise GameError(f"{error}: name the package of a game, as it is imported") from error
    own = (game(id).package for id in game_ids())
    return [folders.house(), *(folders.domain_of(package) for package in own if package.startswith("thorp."))]


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    except OSError as error:
        raise GameError(f"{path} cannot be written: {error.strerror}") from error
