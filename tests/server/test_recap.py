"""What others did since one's own last move: in order, by turns, and without what says no more than "done"."""

import re
from dataclasses import dataclass

import pytest
from markupsafe import Markup

import thorp
from thorp.server.tables.table import Player
from thorp.server.web.recap import recap

pytestmark = pytest.mark.anyio


@dataclass
class Told:
    """A line of a log."""

    seat: int
    family: str
    text: Markup
    followed: tuple[Markup, ...] = ()
    fresh: bool = True


def told(seat: int, words: str, *followed: str, family: str = "place", fresh: bool = True) -> Told:
    return Told(seat, family, Markup(words), tuple(Markup(each) for each in followed), fresh)


def test_turns_follow_each_other():
    old = told(1, "Old.", fresh=False)
    log = [old, told(1, "Ada takes."), told(1, "Ada builds.", "A card comes."), told(2, "Bo takes."), told(1, "Again.")]
    found = recap(log, since=True)
    assert found.turns == (("Ada takes.", "Ada builds.", "A card comes."), ("Bo takes.",), ("Again.",))
    assert (found.since, found.shortened) == (True, False)
    assert recap([old], since=True) is None


def test_that_somebody_is_done_is_told_only_where_nothing_else_is():
    log = [
        told(1, "Ada builds."),
        told(2, "Bo is done.", family="done"),
        told(1, "Ada is done.", "A round begins.", family="done"),
    ]
    assert recap(log, since=False).turns == (("Ada builds.",), ("Bo is done.",), ("A round begins.",))


def test_what_followed_when_the_reader_was_done_comes_first():
    """Who ends a round is told what came of it, though nobody else has done anything."""
    own = told(0, "Eve is done.", "The market is held.", family="done", fresh=False)
    assert recap([own], since=True, own=own).turns == (("The market is held.",),)
    log = [own, told(1, "Ada takes.")]
    assert recap(log, since=True, own=own).turns == (("The market is held.",), ("Ada takes.",))
    # what any other move brings is seen where it is made
    placed = told(0, "Eve places.", "A card comes.", fresh=False)
    assert recap([placed], since=True, own=placed) is None


def test_of_very_much_the_latest_is_told():
    found = recap([told(1, f"{n}.") for n in range(100)], since=True)
    assert found.shortened
    assert found.turns[-1][-1] == "99."
    assert len(found.turns[0]) == 24


@pytest.mark.parametrize("game", ["tiny-towns", "villagers", "valeria"])
async def test_a_page_tells_it_until_the_next_move(server, game):
    ada, ben = await server.person("Ada"), await server.person("Ben")
    clients = {0: ada, 1: ben}
    sitting = [Player(name, person=server.id_of(each)) for name, each in (("Ada", ada), ("Ben", ben))]
    options = {"monuments": "no"} if game == "tiny-towns" else {}
    path = "/tables/" + await server.app.state.tables.create(thorp.game(game), options, sitting, seed=7)

    async def until(asked: int) -> None:
        """Play until one of the two is asked whose turn it was not."""
        for _ in range(60):
            waiting = (await server.at(path)).match.waiting
            if asked in waiting:
                return
            await server.play(clients[waiting[0]], path)
        raise AssertionError("nobody is asked")

    async def told(client) -> str:
        """The recap on a page."""
        found = re.search(r'<p class="recap-told".*?</p>', (await client.get(path)).text)
        return found[0] if found else ""

    first = (await server.at(path)).match.waiting[0]
    assert await told(clients[first]) == ""
    await server.play(clients[first], path)
    assert "So far:" in await told(clients[1 - first])
    assert await told(clients[first]) == ""
    await until(1 - first)
    await server.play(clients[1 - first], path)
    # one's own move is the end of it, and nobody is told of moves of its own
    assert await told(clients[1 - first]) == ""
    name = ("Ada", "Ben")[1 - first]
    words = await told(clients[first])
    assert "Since your move:" in words
    assert name in words
    assert ("Ada", "Ben")[first] + "</span> " not in words
    # who watches has made no move, and on a position there is nothing to be caught up with
    assert "recap-told" not in (await server.client().get(path)).text
    assert 'id="recap"' not in (await clients[first].get(f"{path}/at/1")).text
