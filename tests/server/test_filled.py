"""Sentences of pages with data in them are kept, and what is marked up stays apart from the same text that is not."""

from markupsafe import Markup

from thorp.server.web.templates import _said


def test_the_same_text_is_escaped_where_it_is_not_marked_up() -> None:
    for _ in range(2):
        assert _said("%(name)s has won", name=Markup("<b>Ann</b>")) == Markup("<b>Ann</b> has won")
        assert _said("%(name)s has won", name="<b>Ann</b>") == Markup("&lt;b&gt;Ann&lt;/b&gt; has won")
    assert _said("%(n)s of them", n=1) == _said("%(n)s of them", n="1") == "1 of them"
    assert _said("%(n)s of them", n=True) == "True of them"
    assert _said("%(said)s has won", said="Ann") == "Ann has won"
