"""What templates say, in the language that is spoken while they are rendered."""

from __future__ import annotations

from typing import Any

import pytest
from jinja2 import Environment
from markupsafe import Markup

from thorp.core.language import Language, language, speaking
from thorp.server.web.saying import Saying


def said(template: str, **data: Any) -> str:
    return Environment(autoescape=True, extensions=[Saying]).from_string(template).render(data)


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("{{ _('Yes & no') }}", "Yes & no"),
        ("{{ _(text) }}", "Card"),
        ("{{ _('Card' if text else 'None') }}", "Card"),
        ("{{ _(texts['b']) }}", "B"),
        ("{{ _('a') ~ _('b') }}", "ab"),
        ("{{ _('abc')|upper }}", "ABC"),
        ("{{ _('abc').upper() }}", "ABC"),
        ("{{ 'x' if not _('') else _('y') }}", "x"),
        ("{{ [_('a'), _('b')]|join(' ') }}", "a b"),
        ("{{ dict(name=_('a'))['name'] }}", "a"),
        ("{{ _('%(x)s!', x=[1, 2][1]) }}", "2!"),
        ("{{ _('%(x)s and %(y)s', x=_('%(z)s', z=(3, 4)[0]), y=range(0, 2)|list|length) }}", "3 and 2"),
        ("{{ _n('%(n)s card', '%(n)s cards', n=1) }} {{ _n('%(n)s card', '%(n)s cards', n=2) }}", "1 card 2 cards"),
        ("{% macro m(x) %}{{ _(x) }}{% endmacro %}{{ m(_('a')) }}", "a"),
        ("{% set _x = (1, 2) %}{{ _x[0] }}", "1"),
    ],
)
def test_a_text_may_stand_wherever_a_value_may(template: str, words: str) -> None:
    assert said(template, text="Card", texts={"b": "B"}) == words


def test_a_page_is_compiled_once_and_says_it_in_each_language() -> None:
    page = Environment(autoescape=True, extensions=[Saying]).from_string(
        "{{ _('Yes') }} {{ 'No'|said }} {{ ['a', 'b']|either }}"
    )
    spanish = language("es")
    with speaking(spanish):
        assert page.render() == f"{spanish.text('Yes')} {spanish.text('No')} a o b"
    assert page.render() == "Yes No a or b"
    with speaking(Language("x")):
        assert page.render() == "Yes No a or b"


def test_the_same_text_is_escaped_where_it_is_not_marked_up() -> None:
    for _ in range(2):
        assert said("{{ _('%(name)s has won', name=it) }}", it=Markup("<b>Ann</b>")) == "<b>Ann</b> has won"
        assert said("{{ _('%(name)s has won', name=it) }}", it="<b>Ann</b>") == "&lt;b&gt;Ann&lt;/b&gt; has won"
        assert said("{{ [it, 'x']|series }}", it=Markup("<b>Ann</b>")) == "<b>Ann</b>, x"
        assert said("{{ [it, 'x']|series }}", it="<b>Ann</b>") == "&lt;b&gt;Ann&lt;/b&gt;, x"
    assert said("{{ _('%(n)s of them', n=it) }}", it=1) == said("{{ _('%(n)s of them', n=it) }}", it="1") == "1 of them"
    assert said("{{ _('%(n)s of them', n=it) }}", it=True) == "True of them"


@pytest.mark.parametrize("name", ["said", "text", "context", "one", "many"])
def test_data_may_have_any_name(name: str) -> None:
    assert said(f"{{{{ _('%({name})s has won', {name}='Ann') }}}}") == "Ann has won"
    assert said(f"{{{{ _n('%({name})s %(n)s', '', n=1, {name}='Ann') }}}}") == "Ann 1"
