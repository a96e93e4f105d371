"""Addresses that requests come from: whose they are as far as limits go, and which are proxies of our own."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from starlette.types import Scope

Network = IPv4Network | IPv6Network


def origin_of(scope: Scope) -> str:
    """Where a request comes from, as limits count it. Behind a trusted proxy it is what the proxy tells."""
    client = scope.get("client")
    return counted_as(client[0] if client else "")


def counted_as(address: str) -> str:
    """The name that an address is counted by: of IPv6 the network of 64 bits, which one household has for itself."""
    found = _read(address)
    if isinstance(found, IPv6Address):
        # without the zone that link-local addresses have
        return str(ip_network((int(found), 64), strict=False))
    return str(found) if found else address[:64]


def networks(addresses: Sequence[str]) -> tuple[Network, ...]:
    """Addresses and networks as they are written. Raises ValueError for what is neither."""
    return tuple(ip_network(address, strict=False) for address in addresses)


def is_within(address: str, among: Sequence[Network]) -> bool:
    """Whether an address belongs to one of these networks."""
    found = _read(address)
    return found is not None and any(found in network for network in among)


def also_mapped(among: Sequence[Network]) -> list[str]:
    """Networks as text, those of IPv4 also as they look from an IPv6 socket."""
    mapped = [f"::ffff:{each.network_address}/{96 + each.prefixlen}" for each in among if each.version == 4]
    return [*map(str, among), *mapped]


def _read(address: str) -> IPv4Address | IPv6Address | None:
    """An address, if it is one; an IPv4 address that came to an IPv6 socket is itself again."""
    try:
        found = ip_address(address)
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found
