"""Who plays the deals of a contest: this thread, threads, processes, or a cluster."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Protocol

from thorp.arena.results import Deal
from thorp.arena.work import Work, end_chairs, play_work, try_out
from thorp.core.errors import GameError

#: Pieces of work that wait for each worker, so that none is idle.
_AHEAD = 1


class Workers(Protocol):
    """Plays pieces of work, in any order."""

    def try_out(self, work: Work) -> None:
        """Try the players of a piece of work out, on every machine that plays. Raises GameError as `work.try_out`."""

    def play(self, work: Iterator[Work]) -> Iterator[list[Deal]]:
        """The deals of one piece after the other, as they are finished.

        Pieces are asked for as late as can be, so that who asks may stop when it is clear how it comes out.
        """


class Here:
    """One piece after the other, in this thread."""

    def try_out(self, work: Work) -> None:
        """See `Workers`."""
        try_out(work)

    def play(self, work: Iterator[Work]) -> Iterator[list[Deal]]:
        """See `Workers`."""
        try:
            for piece in work:
                yield play_work(piece)
        finally:
            end_chairs()


class Many:
    """Threads, where all is played in compiled code, which lets other threads run; else processes."""

    def __init__(self, count: int | None = None, *, compiled: bool) -> None:
        """`count`: by default one for each processor. Raises GameError for fewer than one."""
        if count is not None and count < 1:
            raise GameError(f"the number of workers is 1 or more, not {count}")
        self._count = count or os.cpu_count() or 1
        self._compiled = compiled

    def try_out(self, work: Work) -> None:
        """See `Workers`."""
        try_out(work)

    def play(self, work: Iterator[Work]) -> Iterator[list[Deal]]:
        """See `Workers`."""
        if self._count == 1:
            yield from Here().play(work)
            return
        pool = pool_for(self._count, compiled=self._compiled)
        waiting: set[Future[list[Deal]]] = set()
        wrong: BaseException | None = None
        try:
            while True:
                if not wrong:
                    for piece in islice(work, self._count * (1 + _AHEAD) - len(waiting)):
                        waiting.add(pool.submit(play_work, piece))
                if not waiting:
                    break
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    if error := future.exception():
                        wrong = wrong or error
                    else:
                        yield future.result()
                if wrong:
                    # what others are at is played to its end: it may be worth minutes of theirs
                    waiting = {each for each in waiting if not each.cancel()}
            if wrong:
                raise wrong
        except BrokenProcessPool as error:
            raise GameError(
                "a process that plays was killed; what is finished is in the results: run it again to go on"
            ) from error
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def pool_for(count: int, *, compiled: bool) -> Executor:
    """So many threads, or processes where it is Python that plays."""
    if compiled:
        return ThreadPoolExecutor(count)
    # Not forked: compiled code and its threads do not live on in a fork.
    return ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("spawn"), initializer=_begin)


def _begin() -> None:
    """Ctrl-C reaches all processes of a terminal: who began them tells about it, these only end.

    So they do when who began them is killed: nobody else would end them then.
    """
    signal.signal(signal.SIGINT, _end)
    threading.Thread(target=_end_with_parent, args=(threading.get_ident(),), daemon=True).start()


def _end_with_parent(plays: int) -> None:
    parent = multiprocessing.parent_process()
    assert parent
    parent.join()
    if sys.platform == "win32":
        _end()
    else:
        # in the thread that plays: it would begin another player while those that it has are ended
        signal.pthread_kill(plays, signal.SIGINT)


def _end(*_: object) -> None:
    end_chairs()
    os._exit(130)
