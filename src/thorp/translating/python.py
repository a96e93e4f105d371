"""Ids in Python: literals that reach a parameter, a field, a name or a result of the types `Said`, `Many` and `Noun`.

A literal need not stand in the call: names, tables and functions are followed, within a module and to those that it
imports from the same package or from the house. What comes from elsewhere, such as a file of facts, is gathered there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from thorp.translating.ids import Gathered, Id

_KINDS = ("Said", "Many", "Noun")
#: So far are names and functions followed.
_DEPTH = 4

_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass
class _Module:
    """A module, and what stands in it by name."""

    place: str
    tree: ast.Module
    values: dict[str, list[ast.expr]] = field(default_factory=dict)
    functions: dict[str, _Function] = field(default_factory=dict)
    imported: set[str] = field(default_factory=set)
    #: Of what can be called, by the name that calls it: the parameters by place, each with its kind, if any.
    calls: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    bases: dict[str, tuple[str, ...]] = field(default_factory=dict)


def gather(files: Iterable[tuple[str, Path]], known: Iterable[tuple[str, Path]] = ()) -> Gathered:
    """The ids in these files, by place and path; `known` are files whose declarations count, as those of the house."""
    own = [_module(place, path.read_text("utf-8"), str(path)) for place, path in files]
    others = [_module(place, path.read_text("utf-8"), str(path)) for place, path in known]
    found = Gathered()
    reader = _Reader([*others, *own], found)
    for module in own:
        reader.read(module)
    return found


@lru_cache(maxsize=1024)  # the modules of the house are gone through for every game
def _module(place: str, text: str, name: str) -> _Module:
    module = _Module(place, ast.parse(text, name))
    for node in module.tree.body:
        for name, value in _assigned(node):
            module.values.setdefault(name, []).append(value)
    for each in ast.walk(module.tree):
        if isinstance(each, ast.ImportFrom):
            module.imported |= {alias.asname or alias.name for alias in each.names}
        elif isinstance(each, ast.ClassDef):
            _declare_class(module, each)
        elif isinstance(each, _Function):
            module.functions.setdefault(each.name, each)
            module.calls.setdefault(each.name, _parameters(each))
    return module


def _declare_class(module: _Module, node: ast.ClassDef) -> None:
    fields: list[tuple[str, str]] = []
    for each in node.body:
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            fields.append((each.target.id, _kind(each.annotation)))
        elif isinstance(each, _Function):
            parameters = _parameters(each)[1:]
            if each.name == "__init__":
                fields = list(parameters)
            else:
                module.calls[f"{node.name}.{each.name}"] = parameters
    if fields:
        module.calls[node.name] = tuple(fields)
    module.bases[node.name] = tuple(base.id for base in node.bases if isinstance(base, ast.Name))


def _parameters(node: _Function) -> tuple[tuple[str, str], ...]:
    given = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
    return tuple((each.arg, _kind(each.annotation)) for each in given)


def _kind(annotation: ast.expr | None) -> str:
    """The kind that an annotation names, "" for none; a mapping whose keys are ids is "keys"."""
    if isinstance(annotation, ast.Subscript) and isinstance(annotation.value, ast.Name):
        if annotation.value.id in _KINDS:
            return annotation.value.id
        inner = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
        if annotation.value.id in ("Mapping", "dict"):
            return "keys" if _kind(inner[0]) else ""
        if annotation.value.id in ("tuple", "list", "Sequence"):
            return next(filter(None, map(_kind, inner)), "")
    return ""


def _assigned(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """Names and what a statement assigns to them."""
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
        yield node.target.id, node.value
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Name):
                yield target.id, node.value
            elif isinstance(target, ast.Tuple):
                values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value] * len(target.elts)
                pairs = zip(target.elts, values)
                yield from ((name.id, value) for name, value in pairs if isinstance(name, ast.Name))


class _Reader:
    """Reads modules, following what stands in others."""

    def __init__(self, modules: Iterable[_Module], found: Gathered) -> None:
        self._found = found
        #: The class that is read: what `self` is.
        self._class = ""
        self._calls: dict[str, tuple[tuple[str, str], ...]] = {}
        self._bases: dict[str, tuple[str, ...]] = {}
        self._values: dict[str, tuple[_Module, list[ast.expr]]] = {}
        self._functions: dict[str, tuple[_Module, _Function]] = {}
        for module in modules:
            self._bases |= module.bases
            self._calls |= {name: each for name, each in module.calls.items() if any(kind for _, kind in each)}
            self._values |= {name: (module, values) for name, values in module.values.items()}
            self._functions |= {name: (module, each) for name, each in module.functions.items()}

    def read(self, module: _Module) -> None:
        """Gather what stands in a module."""
        self._within(module, module.tree, {})

    def _within(self, module: _Module, node: ast.AST, local: Mapping[str, list[ast.expr]]) -> None:
        """Go through a module or a function, with what its names stand for."""
        if isinstance(node, _Function):
            names: dict[str, list[ast.expr]] = {}
            for each in ast.walk(node):
                if isinstance(each, ast.stmt):
                    for name, value in _assigned(each):
                        names.setdefault(name, []).append(value)
            local = {**local, **names}
            if kind := _kind(node.returns):
                self._take(module, kind, _returned(node), local)
        elif isinstance(node, ast.ClassDef):
            self._fields(module, node)
            around, self._class = self._class, node.name
            for each in node.body:
                if not isinstance(each, ast.AnnAssign):
                    self._within(module, each, local)
            self._class = around
            return
        elif isinstance(node, ast.AnnAssign) and node.value and (kind := _kind(node.annotation)):
            if kind == "keys":
                keys = node.value.keys if isinstance(node.value, ast.Dict) else ()
                self._take(module, kind, [key for key in keys if key], local)
            else:
                self._take(module, kind, [node.value], local)
        elif isinstance(node, ast.Call):
            self._call(module, node, local)
        for child in ast.iter_child_nodes(node):
            self._within(module, child, local)

    def _fields(self, module: _Module, node: ast.ClassDef) -> None:
        """What the fields of a class are where nothing else is said."""
        before: ast.expr | None = None
        for each in node.body:
            if isinstance(each, ast.AnnAssign) and each.value:
                kind = _kind(each.annotation)
                if kind == "Many" and before:
                    self._pair(module, before, each.value, {})
                elif kind == "Said" and before is not None:
                    self._take(module, "Said", [before], {})
                before = each.value if kind == "Said" else None if kind == "Many" else before
        if before is not None:
            self._take(module, "Said", [before], {})

    def _call(self, module: _Module, node: ast.Call, local: Mapping[str, list[ast.expr]]) -> None:
        parameters = self._declared(module, node.func)
        fields: tuple[tuple[str, str], ...] = ()
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            # what makes an object of a class may be given any of its fields by name
            fields = self._calls.get(node.func.value.id, ())
        given = dict(zip((name for name, _ in parameters), node.args))
        given |= {word.arg: word.value for word in node.keywords if word.arg}
        before = ""
        for name, kind in dict((*fields, *parameters)).items():
            if kind == "Many" and name in given and before in given:
                self._pair(module, given.pop(before), given[name], local)
            elif kind == "Many" and name in given:
                self._fault(module, node, "a plural needs the text before it")
            before = name if kind == "Said" else before
        for name, kind in dict((*fields, *parameters)).items():
            if kind and kind != "Many" and name in given:
                self._take(module, kind, [given[name]], local)

    def _pair(self, module: _Module, one: ast.expr, many: ast.expr, local: Mapping[str, list[ast.expr]]) -> None:
        """A text and its plural. Neither may be there, where both are data of who calls."""
        texts = [list(self._texts(module, value, local)) for value in (one, many)]
        if not any(texts[1]):
            self._take(module, "Said", [one], local)
        elif len(texts[0]) == len(texts[1]) == 1:
            self._found.ids.append(Id(texts[0][0], module.place, texts[1][0]))
        else:
            self._fault(module, one, "one text and one plural belong together: write both as they are")

    def _declared(self, module: _Module, called: ast.expr) -> tuple[tuple[str, str], ...]:
        """The parameters of what is called, each with its kind."""
        if isinstance(called, ast.Attribute):
            owner = called.value.id if isinstance(called.value, ast.Name) else ""
            name: str | None = self._class if owner == "self" else owner
            while name:
                if found := self._calls.get(f"{name}.{called.attr}"):
                    return found
                name = next(iter(self._bases.get(name, ())), None)
            return ()
        if not isinstance(called, ast.Name):
            return ()
        name = called.id
        if name in module.calls:
            return module.calls[called.id] if any(kind for _, kind in module.calls[called.id]) else ()
        while name:
            if name in self._calls:
                return self._calls[name]
            name = next(iter(self._bases.get(name, ())), None)
        return ()

    def _take(
        self, module: _Module, kind: str, values: Iterable[ast.expr], local: Mapping[str, list[ast.expr]]
    ) -> None:
        for value in values:
            for text in self._texts(module, value, local):
                self._found.ids.append(Id(text, module.place, noun=kind == "Noun"))

    def _texts(
        self, module: _Module, node: ast.expr, local: Mapping[str, list[ast.expr]], depth: int = 0
    ) -> Iterator[str]:
        """The texts that an expression may have, as far as they stand in code."""
        match node:
            case ast.Constant(value=str() as text):
                yield text
            case ast.JoinedStr():
                self._fault(module, node, "a text is put together: write a template with braces, and data for them")
            case ast.BinOp(op=ast.Add(), left=left, right=right) if _is_text(left) or _is_text(right):
                self._fault(module, node, "a text is put together: write it as a whole")
            case ast.IfExp(body=body, orelse=other):
                yield from self._texts(module, body, local, depth)
                yield from self._texts(module, other, local, depth)
            case ast.BoolOp(values=values) | ast.Tuple(elts=values) | ast.List(elts=values) | ast.Set(elts=values):
                for each in values:
                    yield from self._texts(module, each, local, depth)
            case ast.Dict(values=values):
                for each in values:
                    yield from self._texts(module, each, local, depth)
            case ast.Starred(value=value) | ast.Subscript(value=value) if depth < _DEPTH:
                yield from self._texts(module, value, local, depth)
            case ast.Call(func=ast.Attribute(value=value, attr="get"), args=args) if depth < _DEPTH:
                yield from self._texts(module, value, local, depth)
                for each in args[1:]:
                    yield from self._texts(module, each, local, depth)
            case ast.Call(func=ast.Name(id=name)) if depth < _DEPTH:
                where, function = self._functions.get(name, (None, None))
                if where and function and (where is module or name in module.imported):
                    for each in _returned(function):
                        yield from self._texts(where, each, {}, depth + 1)
            case ast.Name(id=name) if depth < _DEPTH:
                yield from self._named(module, name, local, depth)

    def _named(self, module: _Module, name: str, local: Mapping[str, list[ast.expr]], depth: int) -> Iterator[str]:
        if name in local:
            # without the name itself, which may be assigned from itself
            rest = {other: values for other, values in local.items() if other != name}
            for value in local[name]:
                yield from self._texts(module, value, rest, depth + 1)
        elif name in module.values:
            for value in module.values[name]:
                yield from self._texts(module, value, {}, depth + 1)
        elif name in module.imported and name in self._values:
            where, values = self._values[name]
            for value in values:
                yield from self._texts(where, value, {}, depth + 1)

    def _fault(self, module: _Module, node: ast.expr, words: str) -> None:
        self._found.faults.append(f"{module.place}:{node.lineno}: {words}.")


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _returned(node: _Function) -> list[ast.expr]:
    """What a function returns or yields."""
    found = (each.value for each in ast.walk(node) if isinstance(each, (ast.Return, ast.Yield)))
    return [value for value in found if value is not None]
