"""The post: one task in each server, which finds what there is to tell, and sends it by the ways that people chose."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Coroutine
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy.exc import IntegrityError

from thorp.core.language import Language, language, speaking
from thorp.server.notices import hooks, push, rows
from thorp.server.notices.hooks import Hooks
from thorp.server.notices.mail import Mail
from thorp.server.notices.push import Push
from thorp.server.notices.rows import Letter, Way
from thorp.server.notices.sending import GONE, LATER, SENT, Outcome
from thorp.server.notices.words import Notice, notice_of, test_notice
from thorp.server.settings import Settings
from thorp.server.tables.live import Live
from thorp.server.tables.preferences import Preferences
from thorp.server.tables.store import Store, Unavailable
from thorp.server.threads import Threads
from thorp.server.web.addresses import networks

log = logging.getLogger(__name__)

#: Seconds between looks.
LOOK = 10.0
#: Seconds in which something is sent, whatever it waits for.
TIME = 45.0
_HOUR = timedelta(hours=1)


class Post:
    """Tells people by the ways that this server has. Where it has none, it does nothing."""

    def __init__(self, settings: Settings, store: Store, live: Live) -> None:
        self.settings = settings
        self.store = store
        self.mail = Mail(settings)
        self._live = live
        self._threads = Threads(4, "post")
        self.push: Push | None = None
        self.hooks: Hooks | None = None
        self._task: asyncio.Task[None] | None = None
        self._tidied: datetime | None = None

    async def start(self) -> None:
        """Open the ways that have been set, and begin."""
        allowed = networks(self.settings.notice_networks)
        if self.settings.contact:
            if push.is_installed():
                self.push = Push(await self.store.secret("vapid"), self.settings.contact, self._threads, allowed)
            else:
                log.warning("nobody is told in a browser: that needs more packages; install thorp[push]")
        if self.settings.webhooks:
            if hooks.is_installed():
                self.hooks = Hooks(self._threads, self.settings.webhook_hosts)
            else:
                log.warning("nobody is told in a chat: that needs more packages; install thorp[webhooks]")
        if bool(self.settings.smtp_host) != bool(self.settings.smtp_from):
            log.warning("nobody is told by e-mail: that needs smtp_host and smtp_from")
        if self.kinds:
            self._task = asyncio.create_task(self._run())

    @property
    def kinds(self) -> tuple[str, ...]:
        """The ways that this server has."""
        there = {"push": self.push is not None, "mail": self.mail.is_set, "hook": self.hooks is not None}
        return tuple(kind for kind, is_there in there.items() if is_there)

    async def close(self) -> None:
        """Stop. What is being sent is tried again after the next start, unless it is known to have been taken."""
        if self._task:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def tick(self) -> None:
        """Find what is new, write letters, and send those whose time has come. Raises Unavailable."""
        now = self.settings.clock()
        if self._tidied is None or now - self._tidied > _HOUR:
            await self.store.write(partial(rows.tidy, moment=now))
            self._tidied = now
        if not await self.store.read(rows.is_any_way):
            return
        found = await self.store.read(partial(rows.news, moment=now))
        looking = {
            (each.table, each.person): self._live.asked(each.table, each.person)
            for each in found
            if self._live.is_present(each.table, each.person)
        }
        if await self.store.read(partial(rows.is_news, found=found, looking=looking, moment=now)):
            # Where another server has noted the same at the same moment, the next look takes the rest.
            with contextlib.suppress(IntegrityError):
                await self.store.write(partial(rows.take_note, found=found, looking=looking, moment=now))
            if not await self.store.write(partial(rows.write_letters, moment=now)):
                log.error("%d notices wait to be sent: no more are written until some are", rows.MOST_LETTERS)
        closing = self._live.closing
        while not closing.is_set() and await self.store.read(partial(rows.is_letter, moment=now)):
            # sending takes its time
            found = await self.store.read(partial(rows.news, moment=now))
            letters = await self.store.write(partial(rows.claim, found=found, moment=now))
            await asyncio.gather(*map(self._deliver, letters))

    async def test(self, way: Way) -> Outcome:
        """Send a test, and say what came of it."""
        outcome = await self._send(way, test_notice(way.base))
        await self.store.write(partial(rows.tried, way=way.id, outcome=outcome, moment=self.settings.clock()))
        return outcome

    async def ask_to_confirm(self, way: Way) -> Outcome:
        """Ask at an address whether notices are wanted there."""
        return await self._bounded(self.mail.confirm(way.address, way.base, link_of(way)), way.kind)

    async def _language(self, person: str) -> Language:
        """What a person is told in: the language that it has chosen."""
        return language((await Preferences(self.store).of(person))["language"])

    async def _deliver(self, letter: Letter) -> None:
        with speaking(await self._language(letter.way.person)):
            outcome = await self._send(letter.way, notice_of(letter.content, letter.way.base))
        if outcome == LATER and self._live.closing.is_set():
            # It may not be its fault. It is tried again after the next start.
            return
        now = self.settings.clock()
        if outcome == GONE and letter.way.kind == "push":
            await self.store.write(partial(rows.forget, way=letter.way.id))
            return
        await self.store.write(partial(rows.settle, letter=letter, outcome=outcome, moment=now, ended=outcome != LATER))

    async def _send(self, way: Way, notice: Notice) -> Outcome:
        if way.kind == "push" and self.push:
            return await self._bounded(self.push.tell(way.address, notice), way.kind)
        if way.kind == "mail" and self.mail.is_set:
            return await self._bounded(self.mail.tell(way.address, notice, way.base, link_of(way)), way.kind)
        if way.kind == "hook" and self.hooks:
            return await self._bounded(self.hooks.tell(way.address, notice), way.kind)
        return LATER

    async def _bounded(self, sending: Coroutine[Any, Any, Outcome], kind: str) -> Outcome:
        """Send in a bounded time. Whatever fails is noted by its kind only: addresses are secrets."""
        try:
            async with asyncio.timeout(TIME):
                outcome = await self._unless_closing(sending)
        except TimeoutError:
            outcome = LATER
        except Exception as error:
            log.warning("a notice by %s failed (%s)", kind, type(error).__name__)
            return LATER
        if outcome != SENT:
            log.warning("a notice by %s was not taken (%s)", kind, outcome)
        return outcome

    async def _unless_closing(self, sending: Coroutine[Any, Any, Outcome]) -> Outcome:
        """What comes of sending something; LATER as soon as the server is about to stop, which waits for answers."""
        work = asyncio.create_task(sending)
        closing = asyncio.create_task(self._live.closing.wait())
        try:
            await asyncio.wait((work, closing), return_when=asyncio.FIRST_COMPLETED)
            return work.result() if work.done() else LATER
        finally:
            work.cancel()
            closing.cancel()

    async def _run(self) -> None:
        while True:
            try:
                await self.tick()
            except Unavailable as error:
                log.warning("notices cannot be read or written (%s)", error)
            except Exception:
                log.exception("notices could not be sent")
            await asyncio.sleep(LOOK)


def link_of(way: Way) -> str:
    """Where whoever reads what is sent there says that it is wanted, or is not any more."""
    return f"{way.base}me/notices/link/{way.token}"
