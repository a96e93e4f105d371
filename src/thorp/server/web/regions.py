"""The fragment of a table in regions: what is not new is not rendered again, and only what is new is sent.

In a template: `{% call region('town', town, steps) %}<section id="town">...</section>{% endcall %}`. A region is one
element with the id that names it; what follows the name is all that it is made of. It is rendered where that is not
what it was made of before, for the same viewer of the same table. A region lies in no other. It may also stand in the
tag of an element that is none: then it is all the `data-` attributes of that, and bears its id.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

#: Stands for the nonce in fragments that are kept. Nobody can write it into a name.
ANY_NONCE = secrets.token_urlsafe(16)
#: The element that brings what is new in tags.
NEWS = "table-news"

_PLACE = secrets.token_urlsafe(16)
_PLACES = re.compile(f"{_PLACE}:([^:]*):")

#: So many parts of a table are kept for a viewer.
_MOST_PARTS = 256


class Drawn:
    """What the regions of a table were made of when a viewer saw them last, and what came of it; and the parts."""

    def __init__(self) -> None:
        self.regions: dict[str, tuple[tuple[Any, ...], str]] = {}
        self.parts: dict[tuple[Hashable, ...], str] = {}

    def part(self, *key: Hashable, caller: Callable[[], str]) -> str:
        """`part` in a template: something small in a region that outlasts it, such as a line. The key names it all."""
        if key not in self.parts:
            if len(self.parts) >= _MOST_PARTS:
                self.parts.clear()
            self.parts[key] = caller()
        return self.parts[key]


def whole(*seen: Any, caller: Callable[[], str]) -> str:
    """`region` and `part` for templates that are rendered as a whole."""
    return caller()


@dataclass(frozen=True, eq=False)
class Fragment:
    """A rendered fragment: text, a region, text, ..."""

    mark: str
    #: One text more than there are regions.
    texts: tuple[str, ...]
    regions: dict[str, str]

    @property
    def text(self) -> str:
        """All of it."""
        parts = [self.texts[0]]
        for region, text in zip(self.regions.values(), self.texts[1:], strict=True):
            parts += (region, text)
        return "".join(parts)

    def since(self, sent: Fragment | None) -> str:
        """What a page needs that was sent another fragment before: the regions that are new, or all."""
        if sent is None or not self.regions or list(sent.regions) != list(self.regions) or sent.texts != self.texts:
            return self.text
        new = {name: html for name, html in self.regions.items() if html != sent.regions[name]}
        tags = "".join(f'<i data-of="{name}" {html}></i>' for name, html in new.items() if _is_tag(html))
        news = f'<i id="{NEWS}" hidden data-base="{sent.mark}">{tags}</i>'
        return "\n".join(
            [_partial(NEWS, news), *(_partial(name, html) for name, html in new.items() if not _is_tag(html))]
        )


def _is_tag(html: str) -> bool:
    return not html.startswith("<")


def _partial(id: str, html: str) -> str:
    # Outside of the table, a drawing may have that id, too.
    return f'<hx-partial hx-target="#table #{id}" hx-swap="outerMorph">{html}</hx-partial>'


class Regions:
    """`region` for a viewer of a table, in one rendering."""

    def __init__(self, kept: Drawn) -> None:
        self._kept = kept
        self._html: dict[str, str] = {}
        self._inside = ""

    def __call__(self, name: str, *seen: Any, caller: Callable[[], str]) -> Markup:
        """A place for the region, which is rendered where it has to be."""
        if self._inside or name in self._html:
            raise ValueError(f"the region {name!r} lies in {self._inside!r}, or comes twice")
        before = self._kept.regions.get(name)
        if before is None or before[0] != seen:
            self._inside = name
            self._kept.regions[name] = before = seen, str(caller()).strip()
            self._inside = ""
        self._html[name] = before[1]
        return Markup(f"{_PLACE}:{name}:")

    def fragment(self, mark: str, text: str) -> Fragment:
        """The fragment that the rendered text is."""
        texts = _PLACES.split(text)
        names = texts[1::2]
        # What was rendered and not put anywhere is none; else the order is that of the text.
        for name in self._kept.regions.keys() - set(names):
            del self._kept.regions[name]
        return Fragment(mark, tuple(texts[::2]), {name: self._html[name] for name in names})
