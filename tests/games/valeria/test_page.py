"""What the rules of Villages of Valeria in words show as examples is what the rules give."""

from __future__ import annotations

import re

from games.valeria.place import seat, table
from thorp.games.valeria import GAME
from thorp.games.valeria.decks.known import DECKS

BOOK = GAME.rulebook()
assert BOOK
IDS = {card.name: card.id for card in BOOK.cards}
THORP = DECKS.standard


def section(title: str) -> str:
    """The text below a heading, up to the next one."""
    return re.split(r"\n#{2,3} ", BOOK.text.partition(f"# {title}\n")[2])[0]  # type: ignore[union-attr]


def block(title: str, kind: str) -> list[str]:
    """The lines between fences of that kind in a section."""
    (found,) = re.findall(rf"```{kind}\n(.*?)\n```", section(title), re.DOTALL)
    return str(found).splitlines()


def test_the_example_of_the_end_is_counted_so() -> None:
    village = " ".join(IDS[name] for name in block("An example", "village"))
    supply, castle = map(int, re.findall(r"(\d) coins in her supply and (\d) on her castle", section("An example"))[0])
    game = table(seat(village, coins=supply, castle=castle == 1), seat(), deck=THORP)
    rows = re.findall(r"^\| \**(.*?)\** \| \**(\d+)\** \|$", section("An example"), re.MULTILINE)
    assert int(GAME.score(game.state, 0)) == int(dict(rows)["Total"])
    assert sum(int(points) for _, points in rows[:-1]) == int(rows[-1][1])
    sheet = GAME.face.sheet(game.state)
    parts = sorted(int(row.points[0]) for row in sheet.rows if row.points[0])
    powers = sum(int(points) for words, points in rows if words.startswith("The "))
    plain = [int(points) for words, points in rows[:-1] if not words.startswith("The ")]
    assert parts == sorted([*plain, powers])


def test_the_example_of_paying_is_paid_so() -> None:
    owners = dict(line.split(": ") for line in block("Build", "slots"))
    resources = [
        " ".join(kind.rstrip("*") for kind in what.split(", ") if not kind.startswith("castle"))
        for what in owners.values()
    ]
    ada, ben = (seat("", "armory", resources[0]), seat("", "", resources[1]))
    game = table(ada, ben, deck=THORP).play("lead build")
    build = next(move for move in game.legal() if move.startswith("build armory"))
    game.play(build, "pay_own wood", "pay_castle stone", "pay_other 1 stone")
    paid = [
        [f"{own.kind}*" for own in game.player(number).resources for _ in range(own.coins)]
        + ["castle*"] * bool(game.player(number).castle_coin)
        for number in (0, 1)
    ]
    told = [[kind for kind in what.split(", ") if kind.endswith("*")] for what in owners.values()]
    assert list(map(sorted, paid)) == list(map(sorted, told))


def test_the_example_of_the_hand_limit_is_played_so() -> None:
    words = " ".join(section("Powers").split())
    assert "Ben has 7 cards and a Guard Tower, and follows Harvest." in words
    hand = "farm/food inn/wood market/food mill/wood smithy/food keep/food chapel/wood"
    game = table(seat(), seat("guard-tower", hand), deck=THORP)
    game.play("lead harvest", "draw deck", "draw deck", "draw deck")
    game.play("follow", "draw deck")
    game.play(next(move for move in game.legal() if move.startswith("use guard-tower")), "draw deck")
    assert game.hand_size(1) == 9
    game.play(next(move for move in game.legal() if move.startswith("discard")))
    assert game.hand_size(1) == 8
