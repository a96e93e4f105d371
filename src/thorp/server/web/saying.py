"""What templates say: their English is looked up in the language that is spoken while they are rendered.

`{{ _('Hand in') }}` says a text, `{{ _('%(name)s waits', name=...) }}` puts data into it, escaped, and
`{{ _n('%(n)s move', '%(n)s moves', n=...) }}` says it of a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from typing import Any

from jinja2 import Environment, pass_context
from jinja2.ext import Extension
from jinja2.lexer import (
    TOKEN_COMMA,
    TOKEN_LBRACE,
    TOKEN_LBRACKET,
    TOKEN_LPAREN,
    TOKEN_NAME,
    TOKEN_PIPE,
    TOKEN_RBRACE,
    TOKEN_RBRACKET,
    TOKEN_RPAREN,
    Token,
    TokenStream,
)
from jinja2.runtime import Context
from markupsafe import Markup, escape

from thorp.core.language import Language, spoken
from thorp.core.registry import game as find_game
from thorp.core.words import apart, beside, either, series

_OPENING = frozenset({TOKEN_LPAREN, TOKEN_LBRACKET, TOKEN_LBRACE})
_CLOSING = frozenset({TOKEN_RPAREN, TOKEN_RBRACKET, TOKEN_RBRACE})

#: Sentences are kept with what was put into them only where that says the same every time.
_SAME_ALWAYS = frozenset({str, Markup, int})


class Saying(Extension):
    """Makes filters of `_(...)` and `_n(...)`: a page has hundreds of them, and Jinja calls functions slowly."""

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        filters = environment.filters
        filters["_"] = _said
        filters["_n"] = _counted
        filters["said"] = _plainly
        filters["said_by"] = _said_by
        for joining in (series, either, beside, apart):
            filters[joining.__name__] = pass_context(partial(_joined, joining))

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        """`_(text, data)` as `((text)|_(data))`."""
        # of each bracket that is open: what it says, and whether its data have begun
        brackets: list[tuple[str, bool]] = []
        for token in stream:
            line = token.lineno
            if token.type == TOKEN_NAME and token.value in ("_", "_n") and stream.current.type == TOKEN_LPAREN:
                next(stream)
                brackets.append((token.value, False))
                yield from _tokens(line, "((")
            elif token.type in _OPENING:
                brackets.append(("", False))
                yield token
            elif token.type == TOKEN_COMMA and brackets and brackets[-1][0] and not brackets[-1][1]:
                brackets[-1] = (brackets[-1][0], True)
                yield from _tokens(line, ")|", brackets[-1][0], "(")
            elif token.type in _CLOSING and brackets:
                name, has_data = brackets.pop()
                yield from _tokens(line, "))") if has_data else _tokens(line, ")|", name, ")") if name else [token]
            else:
                yield token


_SIGNS = {"(": TOKEN_LPAREN, ")": TOKEN_RPAREN, "|": TOKEN_PIPE}


def _tokens(line: int, *parts: str) -> Iterator[Token]:
    for part in parts:
        if part[0] in _SIGNS:
            yield from (Token(line, _SIGNS[sign], sign) for sign in part)
        else:
            yield Token(line, TOKEN_NAME, part)


# All have the context, though none needs it: otherwise Jinja says what is constant once, while it compiles a template.


@pass_context
def _said(context: Context, text: str, /, **data: Any) -> Markup:
    said = _marked(spoken(), text)
    if not data:
        return said
    return _filled(said, **data) if _SAME_ALWAYS.issuperset(map(type, data.values())) else said % data


@pass_context
def _counted(context: Context, one: str, many: str, /, *, n: int, **data: Any) -> Markup:
    return Markup(spoken().number(one, many, n)) % {"n": n, **data}


@lru_cache(maxsize=8192)  # names of people's own cards come through here too
def _marked(language: Language, text: str) -> Markup:
    return Markup(language.text(text))


@lru_cache(maxsize=8192, typed=True)  # by types too: what is marked up equals the same text that is not
def _filled(said: Markup, /, **data: Any) -> Markup:
    return said % data


def _joined(joining: Callable[[Iterable[str]], str], context: Context, texts: Iterable[str]) -> Markup:
    """Texts joined as the language does; those that are marked up stay so, and empty ones are none."""
    return _row(joining, spoken(), *texts)


@lru_cache(maxsize=8192, typed=True)  # as above
def _row(joining: Callable[[Iterable[str]], str], language: Language, *texts: str) -> Markup:
    """The same. `language`: that is spoken, as what is kept is of one."""
    return Markup(joining([escape(text) for text in texts if text]))


@pass_context
def _plainly(context: Context, text: str) -> str:
    """A text that may be of somebody's own file, as `_` says it, and escaped like any other."""
    return spoken().text(text)


@pass_context
def _said_by(context: Context, text: str, id: str) -> str:
    """A text of a game, on a page that is of several."""
    return spoken().within(find_game(id).words).text(text)
