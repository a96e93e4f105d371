"""The rules of games as pages: the Markdown of a rulebook, with the game's own drawings in their places."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from jinja2 import Environment, TemplateNotFound
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from markupsafe import Markup, escape

from thorp.core.blocks import ids, is_said, joined
from thorp.core.errors import GameError
from thorp.core.game import AnyGame
from thorp.core.language import ENGLISH, Language, speaking, spoken
from thorp.core.registry import game as find_game
from thorp.core.rulebook import CARDS, RULINGS, Rulebook, RuleCard, slug

#: Comments are for whoever writes the rules.
_COMMENT = re.compile(r"<!--.*?-->\n*", re.DOTALL)


@dataclass(frozen=True)
class Entry:
    """A line of the contents."""

    anchor: str
    words: str
    #: 2 for a chapter, 3 for a part of one.
    depth: int
    #: Whether it stands in the language of the page; else it is English.
    said: bool


@dataclass(frozen=True)
class RulesShown:
    """The rules of a game, rendered."""

    contents: tuple[Entry, ...]
    body: Markup
    #: What stands once on the page, for the drawings to refer to.
    drawings: Markup
    #: All cards by name.
    cards: tuple[RuleCard, ...]
    #: Whether all of it is said in the language in which it was asked for; what is not stands there in English.
    whole: bool


def rules_address(game: str, card: object = None) -> str:
    """Where the rules of a game stand, or a card in them; empty where they are not told, or not of that very card.

    A card from a file of somebody's own is not told of, whatever its name is.
    """
    try:
        found = find_game(game)
    except GameError:
        return ""
    if found.rules_file is None:
        return ""
    if card is None:
        return f"/games/{game}/rules"
    anchor = _anchors(found).get(card)
    return f"/games/{game}/rules#{anchor}" if anchor else ""


@lru_cache(maxsize=64)
def _anchors(game: AnyGame) -> dict[object, str]:
    """Where the cards of a game stand in its rules."""
    return {entry.card: entry.anchor for entry in game.face.rule_cards()}


class Rulebooks:
    """The rules of all games, each rendered in a language when it is first asked for in that."""

    def __init__(self, jinja: Environment, *, keep: bool) -> None:
        self._jinja = jinja
        self._keep = keep
        # a language is an object that stays: they are as many as there are catalogues
        self._shown: dict[tuple[str, Language], RulesShown] = {}

    def of(self, game: AnyGame) -> RulesShown | None:
        """The rules of a game in the language that is spoken; None where it brings none."""
        key = (game.id, spoken())
        if key not in self._shown or not self._keep:
            book = game.rulebook()
            if book is None:
                return None
            self._shown[key] = self._render(game, book)
        return self._shown[key]

    def _render(self, game: AnyGame, book: Rulebook) -> RulesShown:
        drawn = self._drawn(game, book)
        entry = self._jinja.get_template("_rule_card.html")

        def place(words: str, lines: Sequence[str]) -> str:
            """What stands in a place of the text; empty where it is to stand as it is written."""
            kind, _, rest = words.partition(" ")
            if kind == CARDS:
                return "".join(entry.render(card=card, drawn=drawn("card", card.card)) for card in book.of_group(rest))
            return drawn(kind, tuple(lines))

        contents, tokens = _read(book.text)
        return RulesShown(
            whole=all(map(_in_english_or_said, ids(book.text))),
            contents=contents,
            body=Markup(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {"place": place})),
            drawings=Markup(drawn("drawings")),
            cards=tuple(sorted(book.cards, key=lambda card: card.name)),
        )

    def _drawn(self, game: AnyGame, book: Rulebook) -> Callable[..., str]:
        """Calls the macros of the game's `rules.html` by name; empty where there is none of that name."""
        try:
            template = self._jinja.get_template(f"{game.id}/rules.html")
        except TemplateNotFound:
            return lambda name, *given: ""
        macros = template.make_module({**game.face.tools, "cards": _by_english_name(game)})

        def drawn(name: str, *given: Any) -> str:
            macro = getattr(macros, name, None)
            return str(macro(*given)) if callable(macro) else ""

        return drawn


def _by_english_name(game: AnyGame) -> dict[str, Any]:
    """The cards of a game as the text calls them, which is English."""
    with speaking(ENGLISH):
        return {card.name: card.card for card in game.face.rule_cards()}


def _in_english_or_said(id: str) -> bool:
    return spoken().tag == ENGLISH.tag or spoken().says(id)


# --- Markdown ---------------------------------------------------------------------------------------------------


def _fence(_: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any) -> str:
    """A block between fences: what the game draws there, or its lines as they are written."""
    token = tokens[at]
    lines = token.content.rstrip("\n").split("\n")
    drawn = env["place"](token.info.strip(), lines)
    kind = escape(token.info.strip().partition(" ")[0])
    if drawn and kind == CARDS:
        return f'<div class="rule-cards">{drawn}</div>\n'
    if drawn:
        return f'<figure class="rules-figure rules-{kind}">{drawn}</figure>\n'
    return f'<pre class="rules-lines">{escape(token.content)}</pre>\n'


def _table_open(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any) -> str:
    return '<div class="rules-wide" tabindex="0"><table>\n'


def _table_close(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any) -> str:
    return "</table></div>\n"


#: No markup of HTML passes: what looks like it is shown as it is written.
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
for _name, _rule in (("fence", _fence), ("table_open", _table_open), ("table_close", _table_close)):
    _MARKDOWN.add_render_rule(_name, _rule)


def _read(text: str) -> tuple[tuple[Entry, ...], list[Token]]:
    """The contents of the rules, and what is to be rendered: places that links lead to have their ids.

    The English text is parsed, and its blocks are what the language that is spoken says for them. So what a block is,
    and how a link leads to it, follows from no translation.
    """
    tokens = _MARKDOWN.parse(_COMMENT.sub("", text))
    contents: list[Entry] = []
    out: list[Token] = []
    chapter = ""
    title = False
    #: What is open around a token and can be seen.
    around: list[Token] = []
    for token, following in zip(tokens, [*tokens[1:], None]):
        if token.nesting > 0 and not token.hidden:
            around.append(token)
        elif token.nesting < 0 and not token.hidden:
            around.pop()
        if token.type in ("heading_open", "heading_close") and token.tag == "h1":
            # the page has a heading of its own
            title = token.type == "heading_open"
            continue
        if title:
            continue
        if token.type == "heading_open" and following is not None:
            depth, words = int(token.tag[1]), following.content
            token.attrSet("id", slug(words))
            if depth <= 2:
                chapter = words
            if depth <= 3:
                id = joined(words)
                contents.append(Entry(slug(words), spoken().text(id), depth, _in_english_or_said(id)))
        elif token.type == "list_item_open" and chapter == RULINGS and token.level == 1 and token.info:
            token.attrSet("id", f"ruling-{token.info}")
        elif token.type == "inline":
            _say(token, around[-1])
            token.children = _here(token.children or [])
        out.append(token)
    return tuple(contents), out


def _say(token: Token, around: Token) -> None:
    """Put what is said for a block in its place; where nothing is, it is marked as English."""
    id = joined(token.content)
    if spoken().says(id):
        token.children = _MARKDOWN.parseInline(joined(spoken().text(id)))[0].children
    elif is_said(id) and not _in_english_or_said(id):
        around.attrSet("lang", ENGLISH.tag)


def _here(tokens: list[Token]) -> list[Token]:
    """Words without the links to other files: those are beside the page of docs/, not beside this one."""
    kept: list[Token] = []
    open_links: list[bool] = []
    for token in tokens:
        if token.type == "link_open":
            open_links.append(bool(re.match(r"#|https?://", str(token.attrGet("href")))))
            if not open_links[-1]:
                continue
        elif token.type == "link_close" and not open_links.pop():
            continue
        kept.append(token)
    return kept
