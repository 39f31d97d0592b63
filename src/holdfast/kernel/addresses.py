"""Addresses: as they are written in URLs, and whether they are of this machine alone."""

from __future__ import annotations

import ipaddress
from urllib.parse import SplitResult, urlsplit

__all__ = ["authority", "is_loopback", "split_address"]


def authority(host: str, port: int) -> str:
    """`host:port`, or `[host]:port` of IPv6, whose colons would otherwise be the port's."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def split_address(text: str) -> SplitResult | None:
    """The parts of an address that somebody sent; None for what is none, such as `http://[`."""
    try:
        found = urlsplit(text)
        _ = found.port
    except ValueError:
        return None
    return found


def is_loopback(host: str) -> bool:
    """Whether a host, given as `localhost` or an address, is this machine and nobody else can reach it."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
