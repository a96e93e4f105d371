"""What is learned for tables: once for a game, in a process of its own, and only where somebody plays by it."""

import asyncio
from pathlib import Path

import numpy as np
import pytest
from desks import Desk

import thorp
from thorp.core.match import AnyMatch
from thorp.players import Stop, lessons
from thorp.server.tables import studies as studying
from thorp.server.tables.studies import Studies, Study
from thorp.server.tables.thinking import Position, Thinkers

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("short_lessons")]
GAME = thorp.game("tiny-towns")


class Table:
    """As much of a table as studies look at."""

    def __init__(self, id: str, match: AnyMatch) -> None:
        self.id, self.match, self.game = id, match, match.game


def _table(id: str, seats: int = 2, seed: int = 3, game: str = "tiny-towns") -> Table:
    return Table(id, thorp.Match(game, seats, seed=seed))


def _study(match: AnyMatch) -> Study:
    beginning = lessons.beginning_of(match)
    return Study(Position(GAME.id, GAME.bytes(beginning), match.seats, 0))


async def _learned(studies: Studies) -> None:
    async with asyncio.timeout(300):
        while any(lesson.task for lesson in studies._tables.values()):
            await asyncio.sleep(0.01)


async def test_a_table_is_learned_for_once() -> None:
    desk = Desk()
    studies = Studies(desk)  # type: ignore[arg-type]
    table = _table("one")
    studies.see_to(table, ("", ""))
    studies.see_to(table, ("", ""))
    await desk.asked.wait()
    desk.answers.set()
    await _learned(studies)
    assert len(desk.questions) == 1
    state = table.match.state
    assert lessons.known(GAME, state, 2) is not None
    # another table with the same cards has nothing to be learned for any more, one with others has
    studies.see_to(_table("two"), ("", ""))
    await _learned(studies)
    assert len(desk.questions) == 1
    studies.see_to(_table("three", seed=4), ("", ""))
    await _learned(studies)
    assert len(desk.questions) == 2
    await studies.close()


async def test_nothing_is_learned_where_nothing_is_to_be() -> None:
    desk = Desk()
    studies = Studies(desk)  # type: ignore[arg-type]
    studies.see_to(_table("one", game="valeria"), ("", ""))
    Studies(None).see_to(_table("two"), ("", ""))
    assert not studies._tables
    await studies.close()


async def test_a_table_that_is_no_more_needs_no_lesson() -> None:
    desk = Desk()
    studies = Studies(desk)  # type: ignore[arg-type]
    studies.see_to(_table("one"), ("", ""))
    await desk.asked.wait()
    studies.stop("one")
    async with asyncio.timeout(300):
        while not desk.stopped:
            await asyncio.sleep(0)
    # where somebody plays there again it is learned after all
    studies.see_to(_table("one"), ("", ""))
    desk.answers.set()
    await _learned(studies)
    assert len(desk.questions) == 2
    await studies.close()


async def test_what_another_server_learns_is_waited_for_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studying, "LOOK", 0.01)
    desk = Desk()
    studies = Studies(desk)  # type: ignore[arg-type]
    table = _table("one")
    studies.see_to(table, ("", ""))
    await desk.asked.wait()
    assert not await studies.is_done("one", 0.05)
    assert _study(table.match).answer(Stop())
    async with asyncio.timeout(300):
        assert await studies.is_done("one", 60)
        while not desk.stopped:
            await asyncio.sleep(0)
    await studies.close()


async def _waiting() -> tuple[Desk, Studies, asyncio.Task[None]]:
    """A table whose lesson waits until other tables' are done, and a player that waits for it to begin."""
    desk = Desk()
    desk.free.clear()
    studies = Studies(desk)  # type: ignore[arg-type]
    studies.see_to(_table("one"), ("", ""))
    turn = asyncio.create_task(studies.turn("one"))
    await desk.asked.wait()
    await asyncio.sleep(0.05)
    assert not turn.done()
    return desk, studies, turn


async def _ends(turn: asyncio.Task[None]) -> None:
    async with asyncio.timeout(10):
        await turn


async def test_a_player_waits_until_the_lesson_of_its_table_begins_and_no_longer() -> None:
    desk, studies, turn = await _waiting()
    # nothing is learned for others
    await _ends(asyncio.create_task(studies.turn("two")))
    desk.free.set()
    await _ends(turn)
    assert not await studies.is_done("one", 0)
    await _ends(asyncio.create_task(studies.turn("one")))
    await studies.close()


@pytest.mark.parametrize("end", ["gone", "before it began", "dies", "learned elsewhere", "close"])
async def test_a_player_does_not_wait_for_a_lesson_that_has_ended(monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    monkeypatch.setattr(studying, "LOOK", 0.01)
    if end == "before it began":
        studies = Studies(Desk())  # type: ignore[arg-type]
        studies.see_to(_table("one"), ("", ""))
        turn = asyncio.create_task(studies.turn("one"))
        await asyncio.sleep(0)
        studies.stop("one")
        await _ends(turn)
        return
    desk, studies, turn = await _waiting()
    if end == "gone":
        studies.stop("one")
    elif end == "dies":
        desk.dies = True
        desk.free.set()
    elif end == "learned elsewhere":
        assert _study(_table("one").match).answer(Stop())
    else:
        await studies.close()
    await _ends(turn)
    await studies.close()


async def test_a_player_does_not_wait_for_ever_and_once_only(monkeypatch: pytest.MonkeyPatch) -> None:
    desk, studies, turn = await _waiting()
    monkeypatch.setattr(studying, "TURN", 0.0)
    for _ in range(2):
        await _ends(asyncio.create_task(studies.turn("one")))
    assert not turn.done()
    desk.free.set()
    await _ends(turn)
    await studies.close()


async def test_lessons_of_many_tables_begin_one_after_the_other() -> None:
    """With a process as servers have one, and whichever asks first for it: what is known is looked up in threads."""
    studies = Studies(Thinkers(1))
    for number, id in enumerate(("one", "two")):
        studies.see_to(_table(id, seed=number), ("", ""))
    turns = {asyncio.create_task(studies.turn(id)): id for id in ("one", "two")}
    async with asyncio.timeout(300):
        begun, waiting = await asyncio.wait(turns, return_when=asyncio.FIRST_COMPLETED)
        (first,), (second,) = begun, waiting
        assert studies._tables[turns[first]].task
        studies.stop(turns[first])
        await second
    assert studies._tables[turns[second]].task
    await studies.close()


async def test_a_lesson_of_which_processes_die_is_begun_anew_and_not_for_ever(caplog: pytest.LogCaptureFixture) -> None:
    desk = Desk()
    desk.dies = True
    studies = Studies(desk)  # type: ignore[arg-type]
    for _ in range(5):
        studies.see_to(_table("one"), ("", ""))
        await _learned(studies)
    assert len(desk.questions) == studying.LIVES
    assert "nothing could be learned for table one: in the middle of it" in caplog.text
    # who asks for a hint may try it once more; and where all is well it is learned
    desk.dies = False
    desk.answers.set()
    studies.see_to(_table("one"), ("", ""), anew=True)
    await _learned(studies)
    assert len(desk.questions) == studying.LIVES + 1
    assert lessons.known(GAME, _table("one").match.state, 2) is not None
    await studies.close()


async def _one_learned() -> tuple[Desk, Studies, Table]:
    """What was seen to, and is learned."""
    desk, table = Desk(), _table("one")
    desk.answers.set()
    studies = Studies(desk)  # type: ignore[arg-type]
    studies.see_to(table, ("", ""))
    await _learned(studies)
    return desk, studies, table


async def test_what_has_made_room_for_others_is_learned_once_more_for_who_asks(nothing_learned: Path) -> None:
    desk, studies, table = await _one_learned()
    (file,) = nothing_learned.iterdir()
    file.unlink()
    studies.see_to(table, ("", ""))
    assert await studies.is_done("one", 0)
    studies.see_to(table, ("", ""), anew=True)
    studies.see_to(table, ("", ""), anew=True)
    assert not await studies.is_done("one", 0)
    await _learned(studies)
    assert len(desk.questions) == 2
    assert file.exists()
    # there is nothing more to be found
    studies.see_to(table, ("", ""), anew=True)
    await _learned(studies)
    assert len(desk.questions) == 2
    await studies.close()


async def test_what_is_damaged_is_learned_anew(nothing_learned: Path) -> None:
    desk, studies, table = await _one_learned()
    (file,) = nothing_learned.iterdir()
    file.write_bytes(b"damaged")
    lessons._kept.rows.clear()
    studies.see_to(table, ("", ""), anew=True)
    await _learned(studies)
    assert len(desk.questions) == 2
    assert lessons.known(GAME, table.match.state, 2) is not None
    await studies.close()


async def test_what_cannot_be_learned_is_said_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    desk = Desk()
    desk.fails = True
    desk.answers.set()
    studies = Studies(desk)  # type: ignore[arg-type]
    studies.see_to(_table("one"), ("", ""))
    await _learned(studies)
    assert "nothing could be learned for table one" in caplog.text
    # and whoever asks again does not wait for it again
    studies.see_to(_table("one"), ("", ""), anew=True)
    assert await studies.is_done("one", 0)
    assert len(desk.questions) == 1
    await studies.close()


async def test_what_cannot_be_kept_is_learned_once(nothing_learned: Path, caplog: pytest.LogCaptureFixture) -> None:
    nothing_learned.write_text("no folder")
    desk = Desk()
    desk.answers.set()
    studies = Studies(desk)  # type: ignore[arg-type]
    for _ in range(3):
        studies.see_to(_table("one"), ("", ""), anew=True)
        await _learned(studies)
    assert len(desk.questions) == 1
    assert "cannot be kept" in caplog.text
    # another table is tried all the same
    studies.see_to(_table("two"), ("", ""), anew=True)
    await _learned(studies)
    assert len(desk.questions) == 2
    await studies.close()


async def test_a_lesson_is_told_in_another_process() -> None:
    """And stopped there, without an end to the process."""
    match = thorp.Match(GAME, 1, {"monuments": "no"}, 8)
    thinkers = Thinkers(1)
    stopped = asyncio.create_task(thinkers.think(_study(match)))
    async with asyncio.timeout(100):
        while not any(each.busy for each in thinkers._all):
            await asyncio.sleep(0.01)
        stopped.cancel()
        await asyncio.wait({stopped})
        (thinker,) = thinkers._all
        while thinker.busy:
            await asyncio.sleep(0.01)
    assert not thinker.ended
    await thinkers.close()


def test_a_lesson_is_kept_and_can_be_stopped() -> None:
    match = thorp.Match(GAME, 1, {"monuments": "no"}, 8)
    stop = Stop()
    stop()
    assert not _study(match).answer(stop)
    assert lessons.known(GAME, match.state, 1) is None
    assert _study(match).answer(Stop())
    first = lessons.known(GAME, match.state, 1)
    assert np.isfinite(first).all()
    assert not _study(match).answer(Stop())


async def test_a_lesson_tells_nothing_that_is_hidden_at_the_table() -> None:
    """What leaves the server is the same whatever lies hidden."""
    match = thorp.Match(GAME, 3, {"monuments": "yes"}, 5)
    other = thorp.Match(GAME, 3, {"monuments": "yes"}, 5)
    GAME.determinize(other.state, -1, 77)
    assert GAME.bytes(other.state) != GAME.bytes(match.state)
    assert lessons.key_of(GAME, other.state, 3) == lessons.key_of(GAME, match.state, 3)
    beginning = lessons.beginning_of(match)
    assert [list(town.dealt) for town in GAME.plain(beginning).towns[:3]] != [
        list(town.dealt) for town in GAME.plain(match.state).towns[:3]
    ]
