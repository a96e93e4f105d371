"""What notices say: the game, who plays, and where; nothing of a match, since anybody may see a screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from thorp.core.errors import GameError
from thorp.core.registry import game as find_game
from thorp.core.words import Message, Said, say
from thorp.server.notices.rows import ASKED, BEGUN, LATE, OVER, TURN

#: By kind: what a single notice is called.
_TITLES: Said[dict[str, str]] = {
    TURN: "It is your turn in {game}",
    BEGUN: "Your match of {game} has begun",
    OVER: "Your match of {game} is over",
    ASKED: "Somebody asks for a seat in {game}",
    LATE: "A bot plays for you in {game}",
}


@dataclass(frozen=True)
class Notice:
    """What is said: a title, and for each table a line with its address. `address`: where a click leads."""

    title: str
    lines: tuple[tuple[str, str], ...]
    address: str

    @property
    def text(self) -> str:
        """All lines as plain text, without addresses."""
        return "\n".join(line for line, _ in self.lines)

    @property
    def letter(self) -> str:
        """All lines as plain text, each with its address."""
        return "\n\n".join(f"{line}\n{address}" for line, address in self.lines)


def notice_of(content: Sequence[Sequence[str]], base: str) -> Notice:
    """The words of a letter, in the language that is spoken; `base`: what addresses here begin with."""
    lines = []
    for kind, game, names, table in content:
        title = say(Message(_TITLES[kind], {"game": _name(game)}))
        lines.append((title, names, f"{base}tables/{table}"))
    if len(lines) == 1:
        title, names, address = lines[0]
        return Notice(title, ((names, address),), address)
    said = tuple((f"{title} ({names})", address) for title, names, address in lines)
    several = Message("{n} of your tables has news", {"n": len(lines)}, "{n} of your tables have news")
    return Notice(say(several), said, base)


def test_notice(base: str) -> Notice:
    """What a test says."""
    title = say(Message("A test from Thorp"))
    return Notice(title, ((say(Message("This is how you are told when it is your turn.")), base),), base)


def _name(game: str) -> str:
    try:
        return find_game(game).name
    except GameError:
        # one that is no longer installed
        return game
