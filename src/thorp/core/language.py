"""Languages: what is said is looked up in the one that is spoken just now, and stays English where it says nothing.

Whoever answers a person speaks its language: `with speaking(language): ...`. What is spoken belongs to the task or the
thread (a context variable), so two people are answered in theirs at the same time. Whatever keeps words for several
people keeps them by `spoken()`.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path

from thorp.core.catalogue import CLASS, FILE, FOLDER, Catalogue, plural_rule, read

#: Where the words of the house are: of the server, the core and the commands.
HOUSE = Path(__file__).parents[1] / FOLDER

#: Words of the header: what the language calls itself, which way it is written, forms of nouns ("X-Form-el: ..."), and
#: words that become others before some words: "X-Turn-e: y | h?[ií]" makes an "e" of a "y" before such as "Inés".
NAME, DIRECTION, FORM, TURN = "X-Name", "X-Direction", "X-Form-", "X-Turn-"
#: Of a form: for nouns that are of no class, such as cards of somebody's own.
OTHERS = "*"

_TAG = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*", re.ASCII)
#: What is marked up on a page, and nobody hears.
_MARKED = re.compile(r"<[^>]*>")


class Language:
    """A language: its words by their ids, which are English."""

    def __init__(self, tag: str, catalogues: Iterable[Catalogue] = (), name: str = "") -> None:
        catalogues = tuple(catalogues)
        header: dict[str, str] = {}
        self._texts: dict[str, str] = {}
        self._plurals: dict[str, tuple[str, ...]] = {}
        self._classes: dict[str, str] = {}
        for catalogue in catalogues:
            header |= {key: value for key, value in catalogue.header.items() if value}
            for entry in catalogue.entries:
                if not entry.is_said:
                    continue
                if entry.context == CLASS:
                    self._classes[entry.id] = entry.texts[0]
                    continue
                self._texts[entry.id] = entry.texts[0]
                if entry.plural:
                    self._plurals[entry.id] = entry.texts
        #: As `lang` of a page and Accept-Language have it.
        self.tag = tag
        #: What it calls itself.
        self.name = name or header.get(NAME, tag)
        #: "ltr", or "rtl" where it is written from the right.
        self.direction = header.get(DIRECTION, "ltr")
        self._rule: Callable[[int], int] = plural_rule(header.get("Plural-Forms", ""))[1]
        self._forms = {key.removeprefix(FORM): forms(value) for key, value in header.items() if key.startswith(FORM)}
        self._turns = [turn(key, value) for key, value in header.items() if key.startswith(TURN)]
        self._catalogues = catalogues
        self._within: dict[Path, Language] = {}

    def __repr__(self) -> str:
        return f"<Language {self.tag}>"

    def text(self, id: str) -> str:
        """What it says for an id; the id itself where it says nothing."""
        return self._texts.get(id, id)

    def says(self, id: str) -> bool:
        """Whether it says something for an id."""
        return id in self._texts

    def number(self, one: str, many: str, n: float) -> str:
        """What it says for an id that has a number: `one` is the id, `many` the English for other numbers than one.

        A number that has decimals is said as two is.
        """
        said = self._plurals.get(one)
        if said is None:
            return self._texts.get(one, one) if n == 1 or not many else self._texts.get(many, many)
        return said[self._rule(int(n) if n == int(n) else 2)]

    def noun(self, id: str, form: str) -> str:
        """A noun in a form that the language has for nouns, such as with its article; as it is where it has none."""
        said = self._forms.get(form, {})
        return said.get(self._classes.get(id, OTHERS), said.get(OTHERS, "{}")).replace("{}", self.text(id))

    def turned(self, words: str, after: str) -> str:
        """Words as they are before others: the last of them may become another one. `after` may be marked up."""
        for word, other, before in self._turns:
            if (found := word.search(words)) and before.match(_MARKED.sub("", after)):
                return f"{words[: found.start()]}{other}{found[1]}"
        return words

    def series(self, texts: Iterable[str], between: str, last: str) -> str:
        """Texts in a row."""
        given = list(texts)
        # not the method of what was dressed: markup would escape what is marked up already
        if len(given) < 2:
            return str.join(between, given)
        return str.join(self.turned(last, given[-1]), (str.join(between, given[:-1]), given[-1]))

    def within(self, folder: Path) -> Language:
        """The language as a game speaks it: its words come before those of the house. `folder`: of its catalogues."""
        if folder not in self._within:
            catalogue = read(folder / self.tag / FILE)
            found = Language(self.tag, (*self._catalogues, catalogue), self.name) if catalogue.entries else self
            self._within[folder] = found
        return self._within[folder]


#: What stands in code and in templates.
ENGLISH = Language("en", name="English")

_spoken: ContextVar[Language] = ContextVar("spoken", default=ENGLISH)


def spoken() -> Language:
    """The language that is spoken just now."""
    return _spoken.get()


@contextlib.contextmanager
def speaking(language: Language) -> Iterator[Language]:
    """Speak a language for as long as this lasts."""
    before = _spoken.set(language)
    try:
        yield language
    finally:
        _spoken.reset(before)


def speak(language: Language) -> None:
    """Go on in another language, until whoever began to speak ends."""
    _spoken.set(language)


def turn_to(folder: Path) -> None:
    """Go on in the same language as a game speaks it, until whoever began to speak ends. `folder`: as above."""
    _spoken.set(_spoken.get().within(folder))


def translated() -> tuple[str, ...]:
    """The tags of all languages that have a folder, besides English."""
    return tuple(sorted(path.parent.name for path in HOUSE.glob(f"*/{FILE}")))


@lru_cache
def language(tag: str) -> Language:
    """A language by its tag; English where there is no such one."""
    if not _TAG.fullmatch(tag) or not (HOUSE / tag / FILE).is_file():
        return ENGLISH
    return Language(tag, (read(HOUSE / tag / FILE),))


def forms(words: str) -> Mapping[str, str]:
    """A form of nouns by their classes, as a header tells it: "m el {} | f la {}"."""
    pairs = (each.strip().partition(" ") for each in words.split("|"))
    return {name: form for name, _, form in pairs}


def turn(name: str, words: str) -> tuple[re.Pattern[str], str, re.Pattern[str]]:
    """A word that becomes another one, as a header tells it ("X-Turn-e", "y | h?[ií]"): how it is found at the end of
    other words, what it becomes, and before what. Raises ValueError.
    """
    word, bar, before = words.partition(" | ")
    if not bar or not word.strip() or not before.strip():
        raise ValueError(f"{name} needs a word, and behind a bar a pattern of what follows it")
    try:
        pattern = re.compile(before, re.IGNORECASE)
    except re.error as error:
        raise ValueError(f"{name} has no pattern behind its bar: {error}") from error
    return re.compile(rf"(?<!\S){re.escape(word.strip())}(\s+)$"), name.removeprefix(TURN), pattern


#: No tag is longer (RFC 5646, section 4.4.1); to look for a longer one takes the square of its length.
_LONGEST_TAG = 35


def best(wanted: str, offered: Iterable[str]) -> str:
    """Of the tags that are offered the one that an Accept-Language header wants most; "" for none of them."""
    known = {tag.lower(): tag for tag in offered}
    choices: list[tuple[float, int, str]] = []
    for place, part in enumerate(wanted.split(",")[:32]):
        tag, _, rest = part.strip().partition(";")
        found = re.fullmatch(r"\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*", rest) if rest else None
        weight = float(found[1]) if found else 1.0
        tag = tag.strip().lower()
        if weight and len(tag) <= _LONGEST_TAG and (fitting := _fitting(tag, known)):
            choices.append((-weight, place, fitting))
    return min(choices)[2] if choices else ""


def _fitting(tag: str, known: Mapping[str, str]) -> str:
    """A language by a tag that may be narrower than it: es-MX is es; or wider: pt is pt-BR."""
    while tag:
        if tag in known:
            return known[tag]
        if wider := next((known[each] for each in known if each.startswith(f"{tag}-")), ""):
            return wider
        tag = tag.rpartition("-")[0]
    return ""
