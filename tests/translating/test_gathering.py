"""Gathering: what is found in code, templates and facts, and what is refused as it cannot be translated."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from thorp.translating import facts, folders, pages, python
from thorp.translating.folders import Domain
from thorp.translating.ids import Gathered, Id, together

DECLARED = '''
class Message:
    text: Said[str]
    data: object = None
    plural: Many[str] = ""

class Refusal(Exception):
    def __init__(self, sentence: Said[str], **data): ...

class Stale(Refusal):
    """Another one."""

class Option:
    id: str
    labels: Said[tuple[str, ...]]

class Sheet:
    unit: Said[str] = "{n} point"
    units: Many[str] = "{n} points"
'''


def gather(tmp_path: Path, code: str) -> Gathered:
    (tmp_path / "declared.py").write_text(DECLARED)
    (tmp_path / "code.py").write_text(dedent(code))
    return python.gather([("code.py", tmp_path / "code.py")], [("declared.py", tmp_path / "declared.py")])


@pytest.mark.parametrize(
    ("code", "texts"),
    [
        ('Message("At once")', ["At once"]),
        ('Message(text="By name")', ["By name"]),
        ('raise Stale("Of a class below")', ["Of a class below"]),
        ('Option("id", ("One", "Two"))', ["One", "Two"]),
        ('Message("yes" if x else "no")', ["yes", "no"]),
        ('ASKED = {1: "One", 2: ("Two", "Three")}\ndef f(x): return Message(ASKED[x][0])', ["One", "Two", "Three"]),
        ('ASKED = {1: "One"}\nMessage(ASKED.get(x, "Else"))', ["One", "Else"]),
        ('def f():\n    text = "Before"\n    return Message(text, {})', ["Before"]),
        ('def f():\n    first, second = TABLE[1]\n    return Message(first)\nTABLE = [("a b", "c d")]', ["a b", "c d"]),
        ('def name(): return "Returned"\nMessage(name())', ["Returned"]),
        ('def f(x) -> Said[str]:\n    return "Of a function"', ["Of a function"]),
        ('NAMES: Said[tuple[str, ...]] = ("Jan", "Feb")', ["Jan", "Feb"]),
        ('SETS: Mapping[Said[str], dict[str, str]] = {"First game": {"farm": "granary"}}', ["First game"]),
        ('def own(words: Said[str]): ...\nown("To a function")', ["To a function"]),
        ('print("to nobody"); Option("an id", ())', []),
    ],
)
def test_literals_are_followed_to_where_they_are_said(tmp_path: Path, code: str, texts: list[str]) -> None:
    found = gather(tmp_path, code)
    assert [each.text for each in found.ids] == texts
    assert found.faults == []


def test_a_plural_belongs_to_the_text_before_it(tmp_path: Path) -> None:
    code = 'Message("{n} card", {"n": n}, "{n} cards")\nSheet(unit="{n} gold piece", units="{n} gold pieces")'
    assert gather(tmp_path, code).ids == [
        Id("{n} card", "code.py", "{n} cards"),
        Id("{n} gold piece", "code.py", "{n} gold pieces"),
    ]
    (tmp_path / "declared.py").write_text(DECLARED)
    own = python.gather([("declared.py", tmp_path / "declared.py")])
    assert Id("{n} point", "declared.py", "{n} points") in own.ids


@pytest.mark.parametrize("code", ['Message(f"{n} cards")', 'Message("a " + word)', 'Message(one, {}, "{n} cards")'])
def test_what_is_put_together_is_refused(tmp_path: Path, code: str) -> None:
    assert len(gather(tmp_path, code).faults) == 1


def test_templates(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("{{ _('One') }}{{ _n('%(n)s card', '%(n)s cards', n=2) }}{{ _('a' if x else 'b') }}{{ _(name) }}")
    assert {(each.text, each.plural) for each in pages.gather([("page.html", path)]).ids} == {
        ("One", ""),
        ("%(n)s card", "%(n)s cards"),
        ("a", ""),
        ("b", ""),
    }


def test_facts(tmp_path: Path) -> None:
    path = tmp_path / "cards.toml"
    path.write_text('[[card]]\nid = "well"\nname = "Well"\neffect = "1 point."\nrulings = ["Fed\\nor not."]')
    found = facts.gather([("cards.toml", path)]).ids
    assert [(each.text, each.noun) for each in found] == [("Well", True), ("1 point.", False), ("Fed or not.", False)]


def test_rules_in_words(tmp_path: Path) -> None:
    (tmp_path / "rules.md").write_text("# A game\n\nOne\npiece.\n\n| 1 | two |\n")
    (tmp_path / "README.md").write_text("# About it\n")
    found = folders.gather(Domain("test", tmp_path)).ids
    assert [(each.text, each.place) for each in found] == [(text, "rules.md") for text in ("One piece.", "two")]


def test_an_id_stands_once_with_its_plural_and_all_its_places() -> None:
    (found,) = together([Id("a", "x.py"), Id("a", "y.py", "as"), Id("a", "x.py", noun=True)])
    assert (found.plural, found.places, found.noun) == ("as", ("x.py", "y.py"), True)
