"""What is wrong with a catalogue: data that a translation leaves out or makes up, plurals, forms, markup, links."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from string import Formatter

from thorp.core.blocks import beginning
from thorp.core.catalogue import CLASS, Catalogue, Entry, plural_rule
from thorp.core.language import FORM, TURN, forms, turn

#: Data in templates of pages: %(name)s.
_PERCENT = re.compile(r"%\((\w+)\)s|%(?!%)")
_TAGS = re.compile(r"[<>]")
#: Where a link of the rules in words leads, and what is marked up in them.
_LINK = re.compile(r"\]\(([^)\s]*)\)")
_MARKS = ("**", "*", "`")
_MARKED = re.compile(r"\*\*|\*|`")


def faults_of(catalogue: Catalogue) -> Iterator[str]:
    """A sentence for each fault of what is said; what is not said yet is none."""
    known = {name.removeprefix(FORM): forms(value) for name, value in catalogue.header.items() if name.startswith(FORM)}
    classes = {name for form in known.values() for name in form}
    try:
        count = plural_rule(catalogue.header.get("Plural-Forms", ""))[0]
    except ValueError as error:
        yield f"the header says {error}"
        return
    for name, words in catalogue.header.items():
        if name.startswith(TURN):
            try:
                turn(name, words)
            except ValueError as error:
                yield f"the header says {error}"
    for entry in catalogue.entries:
        said = [text for text in entry.texts if text]
        if not said:
            continue
        if len(said) < len(entry.texts) or len(entry.texts) != (count if entry.plural else 1):
            yield f"{entry.id!r} has {len(said)} forms, and needs {count if entry.plural else 1}"
        if entry.context == CLASS:
            if classes and said[0] not in classes:
                yield f"{entry.id!r} is of the class {said[0]!r}, and the header knows {', '.join(sorted(classes))}"
            continue
        for text in said:
            yield from _faults_of_text(entry, text)


def _faults_of_text(entry: Entry, text: str) -> Iterator[str]:
    try:
        names, wanted = _data(text), _data(entry.id) | _data(entry.plural)
    except ValueError:
        yield f"{text!r}: the braces or signs for data do not fit"
        return
    # where there is one thing a language may leave its number out
    optional = {"n"} if entry.plural else set()
    for name in sorted(wanted - names - optional):
        yield f"{text!r} leaves out {name!r}"
    for name in sorted(names - wanted):
        yield f"{text!r} has {name!r}, which is nothing that {entry.id!r} knows"
    if _TAGS.search(text) and not _TAGS.search(entry.id):
        yield f"{text!r} has a < or >, which pages would take for markup"
    yield from _faults_of_markdown(entry.id, text)


def _faults_of_markdown(id: str, text: str) -> Iterator[str]:
    """What the rules in words mark up has to be marked up in every language, and lead to the same places."""
    if sorted(_LINK.findall(text)) != sorted(_LINK.findall(id)):
        yield f"{text!r} has links to {_LINK.findall(text)}, and {id!r} to {_LINK.findall(id)}"
    said, wanted = Counter(_MARKED.findall(text)), Counter(_MARKED.findall(id))
    for mark in _MARKS:
        if said[mark] != wanted[mark]:
            yield f"{text!r} has {said[mark]} times {mark}, and {id!r} {wanted[mark]} times"
    if beginning(text).strip() != beginning(id).strip():
        yield f"{text!r} begins as a heading, an item or a quotation would"


def _data(text: str) -> set[str]:
    """What a template names, of either kind."""
    percent = {found[1] or "%" for found in _PERCENT.finditer(text)} if "%(" in text else set()
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None} | percent
