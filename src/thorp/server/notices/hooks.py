"""Notices to chats, by the library apprise: only to services at hosts that it knows, or that the host has named."""

from __future__ import annotations

import importlib.util
import logging
import re
from collections.abc import Sequence
from typing import Any
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

#: What an address is written with. What follows ? can name templates in files, and turn off the check of certificates;
#: a comma or semicolon parts several addresses; and what \ and # part is read in more than one way.
_ADDRESS = re.compile(r"[A-Za-z]+://(?:[A-Za-z0-9._~:/@!$&'()*+=\[\]-]|%[0-9A-Fa-f]{2})+", re.ASCII)
#: What means the same as those signs, or nothing that can be seen; or is a % that would be read once more.
_HIDDEN = re.compile(r"%(?:[01].|2[5c]|3[bf]|5c|7f)", re.IGNORECASE)
#: What leads to another path than the one that stands there.
_CLIMBS = re.compile(r"\.\.|%2[ef]", re.IGNORECASE)


def is_installed() -> bool:
    """Whether the library is there: the extra `thorp[webhooks]`."""
    return importlib.util.find_spec("apprise") is not None


def is_allowed(address: str, hosts: Sequence[str] = ()) -> bool:
    """Whether an address is one of a service that this server may send to, and only one."""
    if len(address) > 500 or not _ADDRESS.fullmatch(address) or _HIDDEN.search(address):
        return False
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return False
    user, _, place = parts.netloc.rpartition("@")
    if parts.scheme in NAMED and place in hosts:
        # With a second @ the library would take another host. What is before the only one may have a / written as %2F.
        return "@" not in user and "@" not in parts.path and not _CLIMBS.search(parts.path)
    if _CLIMBS.search(address):
        return False
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
        # Also what is stored is looked at: it may be from before, or the host names other hosts by now.
        service = _service(address, self.hosts)
        if service is None:
            return REFUSED
        to = Apprise()
        to.add(service)
        told = to.notify(body=notice.letter, title=notice.title, body_format=NotifyFormat.TEXT)
        return SENT if told else LATER


def is_known(address: str, hosts: Sequence[str] = ()) -> bool:
    """Whether the library can make anything of an address that is allowed."""
    return _service(address, hosts) is not None


def _service(address: str, hosts: Sequence[str]) -> Any:
    """The one service that the library makes of an address; None where it is not allowed, or leads elsewhere."""
    from apprise import Apprise, AppriseAsset

    if not is_allowed(address, hosts):
        return None
    # A host that is named, or known, is no reason to go where it leads.
    service = Apprise.instantiate(address, asset=AppriseAsset(http_redirects=False))
    scheme = urlsplit(address).scheme
    if service is None or scheme not in NAMED or (scheme == "ntfy" and getattr(service, "mode", "") == "cloud"):
        return service
    # Each service reads addresses in its own way: what counts is the host that it has found.
    place = service.host if service.port is None else f"{service.host}:{service.port}"
    return service if place in hosts else None
