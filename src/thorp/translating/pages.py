"""Ids in templates: what `_('...')` and `_n('...', '...', n=...)` say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from jinja2 import Environment, nodes

from thorp.translating.ids import Gathered, Id

_JINJA = Environment(trim_blocks=True, lstrip_blocks=True)


def gather(files: Iterable[tuple[str, Path]]) -> Gathered:
    """The ids in these templates, by place and path."""
    found = Gathered()
    for place, path in files:
        for call in _JINJA.parse(path.read_text("utf-8")).find_all(nodes.Call):
            if isinstance(call.node, nodes.Name) and call.node.name == "_" and call.args:
                found.ids += [Id(text, place) for text in _texts(call.args[0])]
                if isinstance(call.args[0], (nodes.Concat, nodes.Add)):
                    found.faults.append(f"{place}:{call.lineno}: a text is put together: write it as a whole.")
            elif isinstance(call.node, nodes.Name) and call.node.name == "_n":
                one, many = (list(_texts(each)) for each in call.args[:2])
                found.ids += [Id(text, place, plural) for text, plural in zip(one, many, strict=True)]
    return found


def _texts(node: nodes.Expr) -> Iterator[str]:
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, nodes.CondExpr):
        yield from _texts(node.expr1)
        if node.expr2:
            yield from _texts(node.expr2)
