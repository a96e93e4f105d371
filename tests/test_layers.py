"""Imports point one way: compiling <- core <- cardfiles <- games <- players <- arena <- server <- command line.

Training stands beside the arena, on players.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src"
THORP = SOURCE / "thorp"
GAMES = sorted(path.name for path in (THORP / "games").iterdir() if path.is_dir() and path.name[0] != "_")
MODULES = sorted(THORP.rglob("*.py"))

# What a layer may import of the house, besides itself.
ALLOWED: dict[str, set[str]] = {
    "__init__": {"core", "players"},
    "compiling": set(),
    "core": {"compiling"},
    "cardfiles": {"compiling", "core"},
    "games": {"compiling", "core", "cardfiles"},
    "players": {"compiling", "core", "games"},
    "training": {"compiling", "core", "games", "players"},
    "arena": {"compiling", "core", "games", "players"},
    "server": {"compiling", "core", "games", "players", "arena"},
    "checks": {"compiling", "core", "players", "server"},
    "translating": {"core"},
    "cli": {"compiling", "core", "games", "players", "training", "arena", "server", "checks", "translating"},
    "__main__": {"cli"},
}
# What the library may import from elsewhere, the standard library aside.
PACKAGES = {
    "compiling": {"numpy", "numba"},
    "core": {"numpy", "numba"},
    "cardfiles": set(),
    "games": {"numpy"},
    "players": {"numpy", "numba"},
    "training": {"numpy", "numba", "jax", "optax"},
    "arena": {"numpy", "numba", "jinja2", "choix", "arro3", "ray"},
    "translating": {"babel", "jinja2"},
}
# Where no game may be known by its name.
GENERAL = ("compiling", "core", "cardfiles", "players", "training", "arena", "server", "checks", "translating", "cli")
TEXTS = {".py", ".html", ".css", ".ts", ".svg", ".toml", ".txt", ".po", ".pot", ".sql", ".mako"}


def layer(path: Path) -> str:
    return path.relative_to(THORP).with_suffix("").parts[0]


def imports(path: Path) -> Iterator[str]:
    """The full name of all that a module imports, wherever in it; `from a import b` gives a.b."""
    package = path.relative_to(SOURCE).with_suffix("").parts[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            yield from (".".join((*above, *filter(None, [node.module]), alias.name)) for alias in node.names)


def name(path: Path) -> str:
    return str(path.relative_to(THORP))


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_arrows_point_one_way(path: Path) -> None:
    here = layer(path)
    assert here in ALLOWED, "a new layer: say above what it may import"
    imported = {full.split(".")[1] for full in imports(path) if full.startswith("thorp.")}
    assert imported & set(ALLOWED) <= ALLOWED[here] | {here}


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_only_a_game_itself_imports_a_game(path: Path) -> None:
    parts = path.relative_to(THORP).parts
    itself = parts[1] if parts[0] == "games" and len(parts) > 2 else None
    imported = {full.split(".")[2] for full in imports(path) if full.startswith("thorp.games.")}
    assert imported & set(GAMES) <= {itself}


@pytest.mark.parametrize("path", [path for path in MODULES if layer(path) in PACKAGES], ids=name)
def test_the_library_needs_numpy_and_numba_only(path: Path) -> None:
    packages = {imported.split(".")[0] for imported in imports(path)} - sys.stdlib_module_names - {"thorp"}
    assert packages <= PACKAGES[layer(path)]


@pytest.mark.parametrize("game", GAMES)
def test_general_code_names_no_game(game: str) -> None:
    words = game.split("_")
    spellings = {"_".join(words), "-".join(words), " ".join(words), "".join(words)}
    naming = [
        f"{name(path)}: {spelling}"
        for part in GENERAL
        for path in (THORP / part).rglob("*")
        if path.suffix in TEXTS and "static" not in path.relative_to(THORP).parts
        for spelling in spellings
        if spelling in path.read_text(encoding="utf-8").casefold()
    ]
    assert naming == []


@pytest.mark.parametrize("path", sorted((THORP / "server").rglob("*.py")), ids=name)
def test_tables_know_no_http_and_pages_no_sql(path: Path) -> None:
    forbidden = {"tables": {"starlette", "uvicorn", "jinja2"}, "web": {"sqlalchemy", "alembic", "sqlite3"}}
    imported = {full.split(".")[0] for full in imports(path)}
    assert not imported & forbidden.get(path.relative_to(THORP).parts[1], set())
