"""A fuzzer over HTTP: a real server, persons who play at random and send what is broken, restarts, kills, full disks.

A book that is kept apart from the server holds what was acknowledged. After every round, and after every start of the
server, the rows of the database are held against it, played again by the library, and compared with what pages and
exports show. No answer may be a 500, no traceback may stand in the server's log, nobody may lose a seat, and nobody may
be sent what is secret. What persons do follows from the seed; when it arrives is up to the machine.

    python tests/fuzzing.py --minutes 60 --seed 7
    python tests/fuzzing.py --kills 20
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import re
import secrets
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path

import httpx2
from fuzz.book import Account, Book, Database
from fuzz.persons import BUSY, DEEDS, HTMX, PATIENCE, Person, Watch
from serving import CAN_FILL, Server

import thorp
from thorp.checks.matches import random_options
from thorp.server.app import DATABASE, create_app
from thorp.server.settings import Settings
from thorp.server.tables.table import Player

NAMES = ("Ada", "Ben", "Cleo", "Dan")
#: How much a person does in a round.
DEEDS_A_ROUND = 12
#: How many rounds are played at most for what is to be done and has not been.
MOST_ROUNDS = 40


class NoServer(Exception):
    """The server does not start."""


class Fuzzer:
    """One server in a folder of its own, and the persons who play there."""

    def __init__(self, folder: Path, seed: int, say: Callable[[str], None] = lambda text: None) -> None:
        self.seed = seed
        self.say = say
        self.rng = random.Random(seed)
        folder.mkdir(mode=0o700, parents=True)
        self.server = Server(folder, more=("unlimited",), log=folder.with_name("server.log"))
        self.book = Book(Database(folder / DATABASE))
        self.watch = Watch(self.book)
        self.persons = [Person(name, self.server.address, self.watch) for name in NAMES]
        self.rounds = self.kills = self.stops = self.full = 0
        #: How much of the log has been read, and how many faults have been told.
        self._read = self._told = 0

    async def run(self, goes_on: Callable[[Fuzzer], bool], *, kill: bool) -> list[str]:
        """Play rounds; all faults. `kill`: the server is killed in every round, and nothing broken is sent."""
        try:
            await self._start()
            for person in self.persons:
                person.others = [other for other in self.persons if other is not person]
                await person.arrive()
            home = await self.persons[0].ask("GET", "/")
            assert home is not None
            self.watch.games = sorted(set(re.findall(r'/games/([a-z-]+)"', home.text)))
            self.watch.secrets = self.book.database.secrets()
            while goes_on(self) and self.server.runs:
                await self._round(kill)
            if self.server.runs:
                await self.persons[0].finish()
            self._look_at_everything()
        except NoServer as error:
            self.watch.fault(str(error))
        finally:
            self._tell()
            for person in self.persons:
                await person.leave()
                await person.client.aclose()
            if self.server.runs:
                self.server.kill()
        return self.watch.faults

    async def _round(self, kill: bool) -> None:
        self.rounds += 1
        known = len(self.watch.faults)
        rng = random.Random(f"{self.seed} {self.rounds}")
        end = "kill" if kill else rng.choice(("", "", "", "", "", "stop", "kill", "full" if CAN_FILL else ""))
        if rng.random() < 0.5:
            await self._share(rng)
        deeds = BUSY if kill else DEEDS
        ending = asyncio.create_task(self._end(end, rng)) if end else None
        await asyncio.gather(*(self._live(person, deeds) for person in self.persons))
        if ending:
            # the persons may have had fewer answers than were waited for
            self.watch.answers += 10**9
            self.watch.answered.set()
            await ending
            self.watch.answers -= 10**9
        for person in self.persons:
            await person.leave()
        if end == "full":
            self.server.empty_disk()
        elif ending:
            await self._start()
        await self._look(everything=bool(ending))
        self.watch.faults[known:] = [f"seed {self.seed}, round {self.rounds}: {f}" for f in self.watch.faults[known:]]
        self._tell()
        self.watch.unawaited.clear()

    def _tell(self) -> None:
        """Tell the faults that were found since, in a round or after the last one."""
        for fault in self.watch.faults[self._told :]:
            self.say(fault)
        self._told = len(self.watch.faults)

    async def _live(self, person: Person, deeds: Mapping[Callable[[Person], Awaitable[None]], int]) -> None:
        person.rng = random.Random(f"{self.seed} {self.rounds} {person.name}")
        for deed in person.rng.choices(list(deeds), list(deeds.values()), k=DEEDS_A_ROUND):
            if self.watch.stopping:
                return
            await deed(person)

    # --- the server ------------------------------------------------------------------------------------------------

    async def _start(self) -> None:
        # another start draws other seeds than those that were shown at the ends of matches
        self.server.chance = self.rng.getrandbits(60)
        try:
            await asyncio.to_thread(self.server.start)
        except AssertionError as error:
            assert self.server.log
            told = self.server.log.read_text(errors="replace")[-1000:]
            raise NoServer(f"seed {self.seed}, round {self.rounds}: the server does not start:\n{told}") from error
        self.watch.stopping = False
        async with httpx2.AsyncClient(base_url=self.server.address, timeout=PATIENCE) as client:
            while (await client.get("/healthz")).json() != {"status": "ok"}:
                await asyncio.sleep(0.1)

    async def _end(self, end: str, rng: random.Random) -> None:
        """End the server while it is at work, after so many answers; or let its disk be full from then on."""
        until = self.watch.answers + rng.randrange(5, len(self.persons) * DEEDS_A_ROUND)
        while self.watch.answers < until:
            self.watch.answered.clear()
            await self.watch.answered.wait()
        if end == "full":
            self.full += 1
            self.server.fill_disk()
            return
        self.watch.stopping = True
        if end == "kill":
            self.kills += 1
            self.server.kill()
        else:
            self.stops += 1
            if status := await asyncio.to_thread(self.server.stop):
                self.watch.fault(f"the server stopped with status {status}")

    async def _share(self, rng: random.Random) -> None:
        """A table at which several persons sit, made by another server on the same database."""
        if sum(len(person.mine()) for person in self.persons) > 4 * len(self.persons):
            return
        game = thorp.game(rng.choice(self.watch.games))
        persons = rng.sample(self.persons, rng.randint(2, len(self.persons)))
        players = [Player(person.name, person=person.id) for person in persons]
        app = create_app(Settings(self.server.data, random_bits=random.Random(rng.getrandbits(60)).getrandbits))
        try:
            await app.state.store.open()
            await app.state.readiness.prepare()
            options = random_options(game, len(players), rng)
            self.book.add(await app.state.tables.create(game, options, players))
        finally:
            await app.state.store.close()

    # --- looking ---------------------------------------------------------------------------------------------------

    async def _look(self, *, everything: bool) -> None:
        """Hold all that there is against the book."""
        if not self.server.runs:
            self.watch.fault("the server has died")
        self._read_log()
        active = [account for account in self.book.tables.values() if everything or account.touched]
        self.watch.note(self.book.faults(everything=everything))
        running = [account for account in active if not account.broken]
        await self._wait_for_bots([account for account in running if not account.finished])
        for account in running:
            person = next(person for person in self.persons if person.id in account.persons)
            await person.compare(account)

    async def _wait_for_bots(self, accounts: Sequence[Account]) -> None:
        deadline = time.monotonic() + PATIENCE
        for account in accounts:
            while any(account.persons[seat] is None for seat in account.match.waiting) and not account.broken:
                if time.monotonic() > deadline:
                    self.watch.fault(f"the bots of table {account.id} do not move")
                    return
                # bots go on when somebody looks, or after a while where the disk was full
                await asyncio.sleep(0.05)
                await self.persons[0].ask("GET", f"/tables/{account.id}/fragment", headers=HTMX)
                account.touched = True
                self.watch.note(self.book.faults())

    def _look_at_everything(self) -> None:
        self._read_log()
        self.watch.note(self.book.faults(everything=True))
        if (verdict := self.book.database.sound()) != "ok":
            self.watch.fault(f"the database is not sound: {verdict}")

    def _read_log(self) -> None:
        """What the server has told since the last look: warnings it may tell, errors not."""
        assert self.server.log
        text = self.server.log.read_bytes()[self._read :].decode(errors="replace")
        self._read += len(text.encode())
        for trace in re.findall(r"^Traceback .*(?:\n(?:  .*|))*\n.*", text, re.MULTILINE):
            frames = re.findall(r'File "(.*)", line (\d+)', trace) or [("?", "?")]
            error = trace.rpartition("\n")[2][:300]
            among = "".join(f"\n    {what}" for what in self.watch.unawaited[-8:])
            self.watch.fault(f"a traceback in the log: {error} at {':'.join(frames[-1])}", f", perhaps of{among}")
        for line in re.findall(r"^.*?\b(?:ERROR|CRITICAL): .*", text, re.MULTILINE):
            if not line.endswith("Exception in ASGI application"):
                self.watch.fault(f"an error in the log: {line[:300]}")

    def done(self) -> Counter[str]:
        """How often everything was done."""
        ends = {"restarts": self.stops, "kills": self.kills, "full disks": self.full, "rounds": self.rounds}
        return Counter({**self.watch.done, **ends})

    def summary(self) -> str:
        """What was done, in lines."""
        told = self.done()
        assert self.server.log
        slow = "\n".join(f"  {seconds:.2f} s  {what}" for seconds, what in self.watch.slow)
        return (
            f"{', '.join(f'{count} {name}' for name, count in told.items())}\n"
            f"answers: {', '.join(f'{status}: {count}' for status, count in sorted(self.watch.statuses.items()))}\n"
            f"the server's log has {self.server.log.stat().st_size} bytes; the longest answers:\n{slow}\n"
            f"{len(self.watch.faults)} faults"
        )


async def fuzz(
    folder: Path,
    seed: int,
    *,
    rounds: int = 0,
    minutes: float = 0.0,
    kills: int = 0,
    until: Sequence[str] = (),
    say: Callable[[str], None] = lambda text: None,
) -> Fuzzer:
    """Fuzz for so many rounds, minutes, or kills; the fuzzer, which knows the faults.

    `until`: beyond that, until each of these has been done once (MOST_ROUNDS at most), since what comes of a round
    depends on how fast the machine is.
    """
    deadline = time.monotonic() + 60 * minutes

    def goes_on(fuzzer: Fuzzer) -> bool:
        if fuzzer.kills < kills or fuzzer.rounds < rounds or time.monotonic() < deadline:
            return True
        done = fuzzer.done()
        return fuzzer.rounds < MOST_ROUNDS and not all(done[what] for what in until)

    fuzzer = Fuzzer(folder, seed, say)
    await fuzzer.run(goes_on, kill=bool(kills))
    return fuzzer


def main() -> int:
    """Fuzz as long as is wanted; 1 where a fault was found."""
    parser = argparse.ArgumentParser(
        description="Play, break and kill a real server, and look whether anything is lost."
    )
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--minutes", type=float, help="how long (default: 1)")
    length.add_argument("--rounds", type=int, default=0, help="or so many rounds")
    length.add_argument("--kills", type=int, default=0, help="or only play, and kill the server so many times")
    parser.add_argument("--seed", type=int, help="of all that is done (default: any)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where the database and the log stay")
    given = parser.parse_args()
    seed = secrets.randbits(32) if given.seed is None else given.seed
    minutes = 1.0 if given.minutes is None and not given.rounds and not given.kills else given.minutes or 0.0
    print(f"seed {seed}", flush=True)
    with contextlib.ExitStack() as stack:
        folder = given.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        run = fuzz(
            folder / "data",
            seed,
            rounds=given.rounds,
            minutes=minutes,
            kills=given.kills,
            say=lambda fault: print(fault, flush=True),
        )
        fuzzer = asyncio.run(run)
        print(fuzzer.summary())
    return 1 if fuzzer.watch.faults else 0


if __name__ == "__main__":
    sys.exit(main())
