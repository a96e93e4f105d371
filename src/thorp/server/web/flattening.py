"""Drawings as they stand on pages, made plain: an SVG whose looks need no style sheets any more, for renderers.

Browsers draw a piece by a `use`, a symbol of the sprite, and style sheets full of variables. Renderers know little of
that. Here every `use` is replaced by what it shows, rules are matched (cssselect2), variables are followed by day or in
the evening, and what is left stands in plain attributes. What only boxes of pages have (`margin`, `grid`, ..) is left
out, and so are rules within `@media` and `@container`.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import cssselect2
import tinycss2
from tinycss2.color4 import parse_color

SVG = "http://www.w3.org/2000/svg"

#: What says how a shape or a word looks; nothing else of a sheet is taken.
_LOOKS = {
    *("color", "display", "fill", "fill-opacity", "fill-rule", "opacity", "paint-order", "visibility"),
    *("stroke", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "stroke-opacity", "stroke-width"),
    *("font-family", "font-size", "font-style", "font-weight", "letter-spacing", "text-anchor"),
}
#: What pages need of an element, and pictures do not.
_PAGES = re.compile(r"(?:data-|aria-|hx-).*|class|id|role|focusable|tabindex")
#: What no XML may hold, and names may.
_NO_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
#: Variables that lead to variables end somewhere; those that lead in a circle do here.
_DEEPEST = 16

_Value = Sequence[Any]


@dataclass(frozen=True)
class Declared:
    """The declarations of a rule, and in which layer it stands: later layers win whatever the selectors say."""

    layer: int
    values: tuple[tuple[str, _Value], ...]


class Sheets:
    """Style sheets, ready to be matched; later ones win over earlier ones. `evening`: which colours are taken."""

    def __init__(self, *texts: str, evening: bool = False) -> None:
        self.matcher = cssselect2.Matcher()
        self._evening = evening
        for layer, text in enumerate(texts):
            self._add(layer, tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True))

    def _add(self, layer: int, rules: Sequence[Any]) -> None:
        for rule in rules:
            if rule.type == "qualified-rule":
                declared = Declared(layer, tuple(_declarations(rule.content, self._evening)))
                # What holds the game is the picture as a whole.
                prelude = re.sub(r"&", ":root", tinycss2.serialize(rule.prelude))
                try:
                    selectors = cssselect2.compile_selector_list(prelude)
                except cssselect2.SelectorError:
                    continue  # states of pages that nobody matches here, such as ::backdrop
                for selector in selectors:
                    if selector.pseudo_element is None:
                        self.matcher.add_selector(selector, declared)
            elif rule.type == "at-rule" and rule.lower_at_keyword == "layer" and rule.content:
                self._add(layer, tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True))


def flat(text: str, sheets: Sheets) -> str:
    """An SVG without style sheets, symbols and words for pages, from one with them. Raises ValueError if it is none."""
    try:
        root = ElementTree.fromstring(_NO_XML.sub("", text))
    except ElementTree.ParseError as error:
        raise ValueError(f"the picture is no SVG: {error}") from error
    by_id = {id: element for element in root.iter() if (id := element.get("id"))}
    _without_sprites(root)
    _expand(root, by_id, 0)
    _look(cssselect2.ElementWrapper.from_xml_root(root), sheets.matcher, {}, root)
    ElementTree.register_namespace("", SVG)
    return ElementTree.tostring(root, encoding="unicode")


def _declarations(content: Sequence[Any], evening: bool) -> Iterator[tuple[str, _Value]]:
    for part in tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True):
        if part.type == "declaration" and (part.name.startswith("--") or part.lower_name in _LOOKS):
            name = part.name if part.name.startswith("--") else part.lower_name
            yield name, _lit(part.value, evening)


def _lit(value: _Value, evening: bool) -> list[Any]:
    """A value without `light-dark`: what it says by day, or in the evening."""
    tokens: list[Any] = []
    for token in value:
        if token.type == "function":
            token = copy.copy(token)
            token.arguments = _lit(token.arguments, evening)
            if token.lower_name == "light-dark":
                tokens += _between_commas(token.arguments)[-1 if evening else 0]
                continue
        tokens.append(token)
    return tokens


def _between_commas(arguments: _Value) -> list[list[Any]]:
    """The arguments of a function, without blanks."""
    parts: list[list[Any]] = [[]]
    for token in arguments:
        if token.type == "literal" and token.value == ",":
            parts.append([])
        elif token.type not in ("whitespace", "comment"):
            parts[-1].append(token)
    return parts


# --- what a `use` shows -----------------------------------------------------------------------------------------


def _without_sprites(root: Element) -> None:
    for parent in list(root.iter()):
        for child in list(parent):
            if _name(child) in ("symbol", "defs") or "sprite" in (child.get("class") or "").split():
                parent.remove(child)


def _expand(element: Element, by_id: Mapping[str, Element], depth: int) -> None:
    """Put what a `use` shows in its place; symbols keep their name, since rules look for it."""
    if _name(element) == "use" and depth < _DEEPEST:
        shown = by_id.get((element.attrib.pop("href", "") or "#")[1:])
        x, y = (float(element.attrib.pop(side, 0)) for side in ("x", "y"))
        width, height = element.attrib.pop("width", None), element.attrib.pop("height", None)
        element.tag = f"{{{SVG}}}g"
        if shown is None:
            return
        shown = copy.deepcopy(shown)
        element.append(shown)
        moved = f"translate({x:g} {y:g})"
        if "viewBox" in shown.attrib:
            left, top, wide, high = (float(side) for side in shown.attrib.pop("viewBox").split())
            w, h = float(width or wide), float(height or high)
            scale = min(w / wide, h / high)
            across, down = x + (w - scale * wide) / 2, y + (h - scale * high) / 2
            moved = f"translate({across - scale * left:g} {down - scale * top:g}) scale({scale:g})"
        element.set("transform", f"{element.get('transform', '')} {moved}".strip())
        depth += 1
    for child in list(element):
        _expand(child, by_id, depth)


def _name(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


# --- looks ------------------------------------------------------------------------------------------------------


def _look(wrapped: Any, matcher: Any, above: Mapping[str, _Value], root: Element) -> None:
    """Write the looks of an element, and of all within it, into their attributes."""
    element: Element = wrapped.etree_element
    found = sorted(matcher.match(wrapped), key=lambda match: (match[3].layer, match[0], match[1]))
    declared = {name: value for *_, rule in found for name, value in rule.values}
    variables = {**above, **{name: value for name, value in declared.items() if name.startswith("--")}}
    for name, value in declared.items():
        if not name.startswith("--") and (plain := _plain(value, variables)):
            element.set(name, plain)
    for child in list(wrapped.iter_children()):
        _look(child, matcher, variables, root)
        inner = child.etree_element
        if inner.get("display") == "none":
            element.remove(inner)
    for name in [name for name in element.attrib if _PAGES.fullmatch(name)]:
        del element.attrib[name]
    if _name(element) == "symbol":
        element.tag = f"{{{SVG}}}g"


def _plain(value: _Value, variables: Mapping[str, _Value]) -> str:
    """A value without variables and functions; empty where a variable in it is not known."""
    tokens = _followed(value, variables, 0)
    if tokens is None:
        return ""
    tokens = [token for token in tokens if token.type not in ("whitespace", "comment")]
    if len(tokens) == 1 and (colour := _colour(tokens[0])):
        return colour
    return " ".join(token.serialize() for token in tokens)


def _followed(value: _Value, variables: Mapping[str, _Value], depth: int) -> list[Any] | None:
    """A value with what its variables stand for; None where one of them stands for nothing."""
    if depth > _DEEPEST:
        return None
    tokens: list[Any] = []
    for token in value:
        if token.type != "function":
            tokens.append(token)
            continue
        if token.lower_name == "var":
            name, _, fallback = _parted(token.arguments)
            known = variables.get(name)
            inner = _followed(fallback if known is None else known, variables, depth + 1)
            if inner is None or (known is None and not fallback):
                return None
            tokens += inner
            continue
        arguments = _followed(token.arguments, variables, depth + 1)
        if arguments is None:
            return None
        token = copy.copy(token)
        token.arguments = arguments
        tokens.append(token)
    return tokens


def _parted(arguments: _Value) -> tuple[str, bool, list[Any]]:
    """The name of a variable, whether a fallback stands after it, and that."""
    name = next((token.value for token in arguments if token.type == "ident"), "")
    for index, token in enumerate(arguments):
        if token.type == "literal" and token.value == ",":
            return name, True, list(arguments[index + 1 :])
    return name, False, []


def _colour(token: Any) -> str:
    """A colour as every renderer knows it; empty where it is no colour."""
    if token.type == "ident" and token.lower_value in ("none", "currentcolor"):
        return {"none": "none", "currentcolor": "currentColor"}[token.lower_value]
    mixed = _rgba(token)
    if mixed is None:
        return ""
    red, green, blue = (round(255 * max(0.0, min(1.0, part))) for part in mixed[:3])
    return f"rgba({red},{green},{blue},{mixed[3]:.3g})" if mixed[3] < 1 else f"#{red:02x}{green:02x}{blue:02x}"


def _rgba(token: Any) -> tuple[float, float, float, float] | None:
    """Red, green, blue and alpha, from 0 to 1."""
    if token.type == "function" and token.lower_name == "color-mix":
        return _mixed(token.arguments)
    colour = parse_color(token)
    if colour is None or isinstance(colour, str):
        return None
    red, green, blue, alpha = (part or 0.0 for part in colour.to("srgb"))
    return red, green, blue, alpha


def _mixed(arguments: _Value) -> tuple[float, float, float, float] | None:
    """Two colours mixed in sRGB: `in srgb, A 40%, B`."""
    parts = _between_commas(arguments)
    if len(parts) != 3:
        return None
    colours, shares = [], []
    for part in parts[1:]:
        colour = next((rgba for token in part if (rgba := _rgba(token))), None)
        if colour is None:
            return None
        colours.append(colour)
        shares.append(next((token.value / 100 for token in part if token.type == "percentage"), None))
    first, second = shares
    share = first if first is not None else 1 - second if second is not None else 0.5
    one, other = colours
    alpha = share * one[3] + (1 - share) * other[3]
    if not alpha:
        return 0.0, 0.0, 0.0, 0.0
    red, green, blue = ((share * one[3] * one[n] + (1 - share) * other[3] * other[n]) / alpha for n in range(3))
    return red, green, blue, alpha
