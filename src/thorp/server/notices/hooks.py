"""Notices to chats, by the library apprise: only to services at hosts that it knows, or that the host has named."""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Sequence
from urllib.parse import urlsplit

from thorp.server.notices.sending import LATER, REFUSED, SENT, Outcome
from thorp.server.notices.words import Notice
from thorp.server.threads import Threads

#: Services that are reached at hosts of their own, whatever the address says.
FIXED = ("discord", "slack", "tgram", "gchat", "pover", "pbul", "ntfy", "join", "line", "guilded", "prowl")
#: Those at whatever host the address names: only at hosts that whoever runs this server has named.
NAMED = (
    *("ntfy", "ntfys", "gotify", "gotifys", "mmost", "mmosts"),
    *("matrix", "matrixs", "rocket", "rockets", "json", "jsons"),
)


def is_installed() -> bool:
    """Whether the library is there: the extra `thorp[webhooks]`."""
    return importlib.util.find_spec("apprise") is not None


def is_allowed(address: str, hosts: Sequence[str] = ()) -> bool:
    """Whether an address is of a service that this server may send to."""
    if len(address) > 500 or not address.isascii() or not address.isprintable() or " " in address:
        return False
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return False
    # What follows ? can name templates in files, and turn off the check of certificates.
    if parts.query or parts.fragment or "?" in address or "%3f" in address.casefold():
        return False
    if parts.scheme in NAMED and parts.netloc.rpartition("@")[2] in hosts:
        return True
    if parts.scheme == "ntfy":
        # Only a topic: at the host that the library knows.
        return not parts.path.strip("/") and "." not in host and "@" not in address and ":" not in parts.netloc
    return parts.scheme in FIXED


class Hooks:
    """Sends to chats."""

    def __init__(self, threads: Threads, hosts: Sequence[str] = ()) -> None:
        self.threads = threads
        self.hosts = hosts

    async def tell(self, address: str, notice: Notice) -> Outcome:
        """Send a notice to a chat."""
        return await self.threads.run(lambda: self._tell(address, notice))

    def _tell(self, address: str, notice: Notice) -> Outcome:
        from apprise import Apprise, NotifyFormat

        # It would write addresses, which are secrets, into the log.
        logging.getLogger("apprise").setLevel(logging.CRITICAL + 1)
        if not is_allowed(address, self.hosts):
            return REFUSED
        to = Apprise()
        if not to.add(address):
            return REFUSED
        told = to.notify(body=notice.letter, title=notice.title, body_format=NotifyFormat.TEXT)
        return SENT if told else LATER


def is_known(address: str) -> bool:
    """Whether the library can make anything of an address."""
    from apprise import Apprise

    return bool(Apprise().add(address))
