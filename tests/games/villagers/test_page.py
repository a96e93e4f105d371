"""What the rules of Villagers in words show as examples is what the rules give."""

from __future__ import annotations

import re

from games.recorded import recorded
from games.villagers.place import seat, table
from thorp.checks.pages import Pages
from thorp.core.words import say
from thorp.games.villagers import GAME

BOOK = GAME.rulebook()
assert BOOK
IDS = {card.name: card.id for card in BOOK.cards}


def section(title: str) -> str:
    """The text below a heading, up to the next one."""
    return re.split(r"\n#{2,3} ", BOOK.text.partition(f"# {title}\n")[2])[0]  # type: ignore[union-attr]


def block(title: str, kind: str) -> list[str]:
    """The lines between fences of that kind in a section."""
    (found,) = re.findall(rf"```{kind}\n(.*?)\n```", section(title), re.DOTALL)
    return str(found).splitlines()


def with_ids(line: str) -> str:
    """A chain in the spelling of `place.py`."""
    return re.sub(r"[^>|]+", lambda found: _id(found[0].strip()), line).replace(">", " > ").replace("|", " | ")


def _id(token: str) -> str:
    name, _, coins = token.partition(": ")
    return IDS[name] + (f":{coins}" if coins else "")


def test_the_example_of_the_markets_is_paid_so() -> None:
    village = "; ".join(map(with_ids, block("An example", "village")))
    income = table(seat(village), seat("")).player().income
    rows = re.findall(r"^\| (First|Second) \| (.*) \|$", section("An example"), re.MULTILINE)
    told = {name: cells.split(" | ") for name, cells in rows}
    assert told["First"] == [str(income.gold), "–", str(income.coins), str(income.first)]
    assert told["Second"] == [str(income.gold), str(income.silver), str(income.coins), str(income.second)]


def test_the_chain_that_is_drawn_can_be_built() -> None:
    first, *others = (IDS[name] for name in block("Chains", "chain")[0].split(" > "))
    game = table(seat(f"founders; {first}; lumberjack > cooper", " ".join(others)), seat("founders"))
    for id in others:
        (move,) = (move for move in game.legal(f"build {id}") if move.endswith("fresh"))
        game.play(move)
    assert game.village().split("; ")[1] == " > ".join((first, *others))
    shows = game.player().chains[1].tops[0].card
    assert f"with {shows.gold} gold and {shows.food} food" in " ".join(section("Chains").split())


def test_the_end_tells_what_the_gold_of_the_countess_is_for() -> None:
    ended, pages = recorded("villagers", "solo-lost"), Pages()
    hers = GAME.face.rival(ended.state)
    assert hers is not None
    page = pages.fragment(pages.table(ended), 0)
    rows = re.findall(r'<tr class="line line-\d+">(.*?)</tr>', page, re.DOTALL)
    columns = [re.findall(r"<td>(.*?)</td>", row, re.DOTALL)[-1] for row in rows[: len(hers.points)]]
    shown = [re.sub(r"<.*?>", "", "".join(re.findall(r"<small>(.*?)</small>", column))) for column in columns]
    assert shown == [say(note) if note else "" for note in hers.notes]
    assert any(shown)
