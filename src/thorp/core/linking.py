"""How Numba links rules: an inner rule is optimized and made machine code of only within the entries that need it.

By itself Numba does that for every function, each time with all that the function calls: with a hundred rules that
call each other, nearly half of the time of compiling. Here an inner rule stays as it comes out of Numba's front end; an
entry is linked with all that it needs, directly or not, and optimized once. This reaches into Numba's code generation,
which has no public way to say so; `tests/core/test_preparing.py` fails where another version of Numba takes no notice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

from llvmlite import binding  # type: ignore[import-untyped]
from numba.core.bytecode import FunctionIdentity
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target


class RuleLibrary(JITCodeLibrary):
    """The code of one function; of an inner rule, not yet optimized and without what it calls."""

    #: The qualified name of the inner rule that is being compiled or loaded, and the libraries of the rules it calls.
    inner_name: ClassVar[str] = ""
    called: ClassVar[Sequence[Any]] = ()

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.is_inner = name == RuleLibrary.inner_name

    def add_linking_library(self, library: Any) -> None:
        """Note what has to be linked in: with an inner rule, all that it needs itself."""
        needed = library._linking_libraries if getattr(library, "is_inner", False) else ()
        for each in (library, *needed):
            if each not in self._linking_libraries:
                super().add_linking_library(each)

    def finalize(self) -> None:
        """Link, optimize and make machine code; for an inner rule, link only what is no rule."""
        if not self.is_inner:
            self._link_inner_rules()
            super().finalize()
            return
        for library in self._linking_libraries:
            if library not in RuleLibrary.called and not getattr(library, "is_inner", False):
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True

    def _link_inner_rules(self) -> None:
        """Link the inner rules that are called, then those that they call: LLVM takes nothing that is not called."""
        left = {each: each.defined() for each in self._linking_libraries if getattr(each, "is_inner", False)}
        self._linking_libraries = [each for each in self._linking_libraries if each not in left]
        while True:
            undefined = {function.name for function in self._final_module.functions if function.is_declaration}
            called = [library for library, names in left.items() if not names.isdisjoint(undefined)]
            if not called:
                return
            for library in called:
                del left[library]
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)

    def defined(self) -> set[str]:
        """The names of the functions that are defined here."""
        return {function.name for function in self.get_defined_functions()}

    def serialize_using_object_code(self) -> Any:
        """What the cache keeps."""
        if not self.is_inner:
            return super().serialize_using_object_code()
        return self.name, "inner", self._final_module.as_bitcode()

    @classmethod
    def _unserialize(cls, codegen: Any, state: Any) -> Any:
        name, kind, data = state
        if kind != "inner":
            return super()._unserialize(codegen, state)
        self = codegen.create_library(name)
        self._final_module = binding.parse_bitcode(data)
        for library in cls.called:
            self.add_linking_library(library)
        self._finalized = True
        return self


class _Numbers:
    """Numba's numbers of functions, which are part of their symbols; but the first is 0, which Numba never gives.

    So a rule has the same symbol in every process, and what one has put into the cache fits what another has.
    """

    def __init__(self, others: Iterator[int]) -> None:
        self.others = others
        self._given = False

    def __next__(self) -> int:
        if self._given:
            return next(self.others)
        self._given = True
        return 0


@contextmanager
def linking_rule(inner_name: str, called: Sequence[Any]) -> Iterator[None]:
    """While this lasts one rule is compiled or loaded; where it is an inner one, `inner_name` is its qualified name.

    `called` are the libraries of the rules that it calls.
    """
    with linking(inner_name, called):
        numbers = FunctionIdentity._unique_ids
        FunctionIdentity._unique_ids = _Numbers(numbers)  # type: ignore[assignment]
        try:
            yield
        finally:
            FunctionIdentity._unique_ids = numbers


@contextmanager
def linking(inner_name: str = "", called: Sequence[Any] = ()) -> Iterator[None]:
    """While this lasts functions are linked as said above, also such as are no rules but call some."""
    codegen = cpu_target.target_context.codegen()
    with global_compiler_lock:
        codegen._library_class = RuleLibrary
        if inner_name:
            # The environment of a function is for Python objects; an inner rule has none, and its has no address.
            codegen.set_env = lambda name, environment: None
        RuleLibrary.inner_name, RuleLibrary.called = inner_name, called
        try:
            yield
        finally:
            RuleLibrary.inner_name, RuleLibrary.called = "", ()
            del codegen._library_class
            codegen.__dict__.pop("set_env", None)


def is_cached(cache: Any, signature: Any) -> bool:
    """Whether Numba's cache of a function holds it, compiled from the source as it is now."""
    return cache._index_key(signature, cpu_target.target_context.codegen()) in cache._cache_file._load_index()
