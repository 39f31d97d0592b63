"""The guard against requests that an organisation's definition could make our server send to our own network.

A host is resolved once, every address is judged, and the request goes to that very address: a name that resolves to
something else a moment later gains nothing. Only addresses of the public internet pass, unless the operator names a
network or a host. Addresses that carry another one inside (mapped, translated, tunnelled) are judged by that one.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

from holdfast.effects.model import Undelivered

__all__ = ["Allowed", "is_public", "pin"]

Address = IPv4Address | IPv6Address

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
# What older versions of `ipaddress` take for global: site-local, documentation, and what never leaves a network; and
# the address at which every machine of Azure finds its host.
_NOT_PUBLIC = tuple(
    map(ipaddress.ip_network, ("fec0::/10", "3fff::/20", "5f00::/16", "192.0.0.0/24", "168.63.129.16/32"))
)


@dataclass(frozen=True, slots=True)
class Allowed:
    """What the operator lets through although it is not public: networks, and hosts by name."""

    networks: tuple[IPv4Network | IPv6Network, ...] = ()
    hosts: frozenset[str] = frozenset()

    @classmethod
    def parse(cls, words: Sequence[str]) -> Allowed:
        """Read `10.1.0.0/16` and `hooks.internal`; raises ValueError for what is neither."""
        networks: list[IPv4Network | IPv6Network] = []
        hosts: set[str] = set()
        for word in words:
            try:
                networks.append(ipaddress.ip_network(word))
            except ValueError:
                if "/" in word or not word or word[0].isdigit() or ":" in word:
                    raise ValueError(f"{word!r} is neither a network such as 10.1.0.0/16 nor a host name") from None
                hosts.add(word.lower().rstrip("."))
        return cls(tuple(networks), frozenset(hosts))

    def permits(self, host: str, address: Address) -> bool:
        """Whether a request for the host may go to the address."""
        inner = _inner(address)
        if host.lower().rstrip(".") in self.hosts or is_public(address):
            return True
        return any(each.version == network.version and each in network for network in self.networks for each in inner)


async def pin(host: str, port: int, allowed: Allowed) -> Address:
    """The address to which a request for the host goes."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "not a host name"
        raise Undelivered("host_unknown", f"{host} has no address: {reason}", again=True) from None
    addresses = [ipaddress.ip_address(str(sockaddr[0]).partition("%")[0]) for *_, sockaddr in found]
    for address in addresses:
        if allowed.permits(host, address):
            return address
    raise Undelivered(
        "address_refused",
        f"{host} leads to {addresses[0]}, which is not a public address; "
        "an operator may allow it with HOLDFAST_EFFECTS_ALLOWED_NETWORKS",
        again=False,
        evidence={"host": host, "address": str(addresses[0])},
    )


def is_public(address: Address) -> bool:
    """Whether the address, and every address it carries inside, belongs to the public internet."""
    return all(
        each.is_global
        and not each.is_multicast
        and not each.is_reserved
        and not any(each in net for net in _NOT_PUBLIC)
        for each in _inner(address)
    )


def _inner(address: Address) -> list[Address]:
    """The addresses that a packet to this one may end up at."""
    if isinstance(address, IPv4Address):
        return [address]
    if address.ipv4_mapped is not None:
        return [address.ipv4_mapped]
    if address in _NAT64:
        return [IPv4Address(int(address) & 0xFFFF_FFFF)]
    if address.sixtofour is not None:
        return [address, address.sixtofour]
    if address.teredo is not None:
        return [address, *address.teredo]
    return [address]
