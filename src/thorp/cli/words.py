"""`thorp words [PACKAGE ...]`: gathers what is said, writes the catalogues anew, and counts what is missing."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from thorp.cli.check import is_package
from thorp.core.catalogue import FILE, CatalogueError, read
from thorp.core.errors import ContractError, GameError
from thorp.core.registry import UnusableGame, game_ids, game_in, usable
from thorp.translating import folders
from thorp.translating.checking import faults_of
from thorp.translating.folders import Domain


def words(packages: Sequence[str], check: bool) -> int:
    """Of these packages of games, or of the house and its own games; `check`: write nothing, and fail where it had to.

    The exit status: 1 where something is wrong with a catalogue, or is not up to date and was only checked.
    """
    try:
        wrong = _gather(_domains(packages), check)
    except CatalogueError as error:
        raise GameError(f"{error}; mend the file, or take it away to begin anew") from error
    for each in wrong:
        print(f"thorp: {each}", file=sys.stderr)
    return 1 if wrong else 0


def _gather(domains: Sequence[Domain], check: bool) -> list[str]:
    """Write the catalogues of these, and count what is missing; all that is wrong with them."""
    wrong: list[str] = []
    for domain in domains:
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
    return wrong


def _domains(packages: Sequence[str]) -> list[Domain]:
    if packages:
        # a package that is being written lies where the command is given
        sys.path.append(str(Path.cwd()))
        return [_domain_of(package) for package in packages]
    own = (game.package for game in usable(game_ids()))
    return [folders.house(), *(folders.domain_of(package) for package in own if package.startswith("thorp."))]


def _domain_of(package: str) -> Domain:
    """The words of a game's package, or of the house. Raises GameError for any other: nothing is written there."""
    if package == folders.house().name:
        return folders.house()
    try:
        if not is_package(package):
            raise ModuleNotFoundError(f"there is no package {package}")
        if not _is_game(package):
            raise GameError(f"the GAME of {package} is that of another package: name that one")
        return folders.domain_of(package)
    except ModuleNotFoundError as error:
        raise GameError(f"{error}: name the package of a game, as it is imported") from error


def _is_game(package: str) -> bool:
    """Whether it is the package of its GAME. Raises UnusableGame where it has none."""
    try:
        return game_in(package).package == package
    except UnusableGame as error:
        if isinstance(error.__cause__, ContractError):
            # one that is being written has words, too
            return True
        raise


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    except OSError as error:
        raise GameError(f"{path} cannot be written: {error.strerror}") from error
