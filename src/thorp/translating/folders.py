"""The folders of catalogues: of the house, and of every game; kept in step with what is said.

`locale/words.pot` lists all ids, `locale/<tag>/words.po` has what a language says for them. What a language says for an
id stays as long as the id does; its header and the comments of translators stay, too.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import PoFileError, read_po, write_po

from thorp.core.catalogue import CLASS, FILE, FOLDER, RULES, TEMPLATE, CatalogueError, plural_rule, read
from thorp.core.language import FORM, HOUSE
from thorp.translating import facts, pages, python, rulebooks
from thorp.translating.ids import Gathered, Wanted, together

#: The house, and the folder of its games, which have catalogues of their own.
_HOUSE = HOUSE.parent
_GAMES = _HOUSE / "games"
_PAGES = (".html", ".svg")
#: Built files.
_NOT_OURS = "static"
_NEW_HEADER = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: {plurals}\\n"
"""
_PLURALS = "nplurals=2; plural=(n != 1);"


@dataclass(frozen=True)
class Domain:
    """Whose words lie in one folder: those of the house, or of a game. `name`: as it is shown; `root`: of its files."""

    name: str
    root: Path

    @property
    def folder(self) -> Path:
        """Where its catalogues lie."""
        return self.root / FOLDER

    def files(self, *endings: str) -> list[tuple[str, Path]]:
        """Its files with such endings, each by its place in the package."""
        found = (path for path in sorted(self.root.rglob("*")) if path.suffix in endings)
        mine = [path for path in found if _NOT_OURS not in path.parts and not self._is_of_game(path)]
        return [(path.relative_to(self.root).as_posix(), path) for path in mine]

    def _is_of_game(self, path: Path) -> bool:
        return self.root == _HOUSE and path.is_relative_to(_GAMES)

    def tags(self) -> list[str]:
        """The languages that have a folder in the house or here."""
        folders = [path.name for root in (HOUSE, self.folder) for path in root.glob("*/") if path.is_dir()]
        return sorted(set(folders))


def house() -> Domain:
    """The words of the house."""
    return Domain("thorp", _HOUSE)


def domain_of(package: str) -> Domain:
    """The words of a game's package. Raises ModuleNotFoundError where there is none."""
    found = find_spec(package)
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError(f"there is no package {package}")
    return Domain(package, Path(found.submodule_search_locations[0]))


def gather(domain: Domain) -> Gathered:
    """All ids of a domain, and what cannot be translated as it is written."""
    known = [] if domain.root == _HOUSE else house().files(".py")
    found = python.gather(domain.files(".py"), known)
    found.add(pages.gather(domain.files(*_PAGES)))
    if domain.root != _HOUSE:
        found.add(facts.gather(domain.files(".toml")))
        found.add(rulebooks.gather(each for each in domain.files(".md") if each[0] == RULES))
    return found


def wanted(domain: Domain, gathered: Gathered) -> list[Wanted]:
    """The ids of a domain, each once. A game has those of the house too, where it says something else for them."""
    return list(together(gathered.ids))


def texts(domain: Domain, ids: Sequence[Wanted]) -> Iterator[tuple[Path, str]]:
    """The files of a domain as they are to be: the list of all ids, and the catalogue of every language.

    Raises CatalogueError for a file that is none.
    """
    head = _NEW_HEADER.format(plurals=_PLURALS)
    yield domain.folder / TEMPLATE, head + "\n" + _written(2, (_message(each) for each in ids))
    for tag in domain.tags():
        path = domain.folder / tag / FILE
        yield path, _catalogue(path, tag, ids)


def _catalogue(path: Path, tag: str, ids: Sequence[Wanted]) -> str:
    old = Catalog(locale=None)
    house, own = read(HOUSE / tag / FILE).header, read(path).header
    # a game that is begun has the plurals of its language
    head = _NEW_HEADER.format(plurals=house.get("Plural-Forms", _PLURALS))
    if path.is_file():
        text = path.read_text("utf-8")
        head = text.partition("\n\n")[0] + "\n"
        try:
            old = read_po(io.BytesIO(text.encode()))
        except (ValueError, LookupError, PoFileError) as error:
            raise CatalogueError(f"{path} cannot be read: {error}") from error
    header = {**house, **own}
    try:
        count = plural_rule(header.get("Plural-Forms", ""))[0]
    except ValueError as error:
        raise CatalogueError(f"{path}: the header says {error}") from error
    nouns = [each for each in ids if each.noun] if any(key.startswith(FORM) for key in header) else []
    messages = [_kept(each, old, count) for each in ids]
    messages += [_kept(Wanted(each.text, "", each.places, True), old, count, CLASS) for each in nouns]
    return head + "\n" + _written(count, messages)


def _kept(each: Wanted, old: Catalog, count: int, context: str | None = None) -> Message:
    """A message with what the old catalogue says for it."""
    message = _message(each, count, context)
    before = old.get(each.text, context)
    if before is None or before.fuzzy:
        return message
    message.user_comments = before.user_comments
    said: Any = before.string
    was: tuple[str, ...] = tuple(said) if isinstance(said, (list, tuple)) else (said,)
    if each.plural and len(was) == count:
        message.string = was
    elif not each.plural:
        message.string = was[0]
    return message


def _message(each: Wanted, count: int = 2, context: str | None = None) -> Message:
    id = (each.text, each.plural) if each.plural else each.text
    said = ("",) * count if each.plural else ""
    places: list[Any] = [(place, None) for place in each.places]
    return Message(id, said, locations=places, context=context)


def _written(count: int, messages: Iterable[Message]) -> str:
    new = Catalog()
    # only the number of plurals tells in what is written
    new.mime_headers = [("Plural-Forms", f"nplurals={count}; plural=0;")]
    for message in messages:
        new[message.id] = message
    out = io.BytesIO()
    write_po(out, new, width=120, omit_header=True, include_lineno=False)
    return out.getvalue().decode()
