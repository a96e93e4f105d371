"""Requests to addresses that people have given: to public ones only, and to what their names lead to just then."""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from thorp.server.web.addresses import Network

#: Seconds for a connection, and for each part of the answer.
TIME = 10.0
#: Seconds for all of it.
LONGEST = 30.0
#: So much of an answer is read.
_MOST = 4096

#: Of IPv6 all that has been given out for the net at large; the rest is for sites, or stands for addresses of IPv4.
_GIVEN_OUT = IPv6Network("2000::/3")
#: Tunnels within it, which end at an address of IPv4: Teredo and 6to4. No service is reached by them.
_TUNNELS = (IPv6Network("2001::/32"), IPv6Network("2002::/16"))
#: By which a network without IPv4 reaches addresses of it (NAT64): the last 32 bits are the address.
_TRANSLATED = IPv6Network("64:ff9b::/96")


class Inside(Exception):
    """An address that does not lead out, or cannot be one."""


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    body: bytes


def public_addresses(host: str, port: int, allowed: Sequence[Network] = ()) -> list[str]:
    """The addresses of a host. Raises Inside where any is not public and none of those allowed, OSError for no host."""
    found = [str(each[4][0]) for each in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    for each in found:
        address = _reached(ip_address(each.partition("%")[0]))
        if not any(address in network for network in allowed) and not _is_public(address):
            raise Inside(f"{host} is not a public host")
    return found


def _reached(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """What is reached by an address: of those of IPv6 that only stand for one of IPv4, that one."""
    if isinstance(address, IPv4Address):
        return address
    if address in _TRANSLATED:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    if isinstance(address, IPv6Address) and (
        address not in _GIVEN_OUT or any(address in network for network in _TUNNELS)
    ):
        return False
    return address.is_global and not address.is_multicast


def check(address: str, allowed: Sequence[Network] = ()) -> None:
    """Raise Inside where an address is not https, or is not one at all. Its host is looked up when it is used."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError as error:
        raise Inside("that is no address") from error
    if not parts.hostname or parts.username is not None or parts.fragment or not address.isascii():
        raise Inside("that is no address")
    if port is not None and not 0 < port < 65536:
        raise Inside("that is no address")
    if parts.scheme != "https" and not (parts.scheme == "http" and allowed):
        raise Inside("the address does not begin with https")


def post(address: str, body: bytes, headers: Mapping[str, str], allowed: Sequence[Network] = ()) -> Answer:
    """Post something, in a thread. Nothing is followed anywhere. Raises Inside, or OSError where nobody answers.

    The name is looked up once, and the connection goes to what was looked at: it cannot be another host by then.
    """
    check(address, allowed)
    parts = urlsplit(address)
    host = parts.hostname or ""
    secure = parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    addresses = public_addresses(host, port, allowed)
    if not secure and not all(any(ip_address(each) in network for network in allowed) for each in addresses):
        raise Inside("the address does not begin with https")
    connection = http.client.HTTPConnection(host, port, timeout=TIME)
    connection.sock = _connected(addresses, port)
    # Whoever answers a sign at a time would keep the thread for hours.
    end = threading.Timer(LONGEST, lambda: _cut(connection.sock))
    end.daemon = True
    end.start()
    try:
        if secure:
            context = ssl.create_default_context()
            connection.sock = context.wrap_socket(connection.sock, server_hostname=host, do_handshake_on_connect=False)
            connection.sock.do_handshake()
        path = parts.path or "/"
        connection.request("POST", f"{path}?{parts.query}" if parts.query else path, body, dict(headers))
        answer = connection.getresponse()
        return Answer(answer.status, answer.read(_MOST))
    except (http.client.HTTPException, ValueError) as error:
        raise OSError(str(error)) from error
    finally:
        end.cancel()
        connection.close()


def _cut(sock: socket.socket | None) -> None:
    if sock is not None:
        with contextlib.suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)


def _connected(addresses: Sequence[str], port: int) -> socket.socket:
    failure: OSError = OSError("there is no such host")
    for each in addresses[:3]:
        try:
            return socket.create_connection((each, port), TIME)
        except OSError as error:
            failure = error
    raise failure
