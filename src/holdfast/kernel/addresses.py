"""Addresses as they are written in URLs: an IPv6 address stands in brackets, or its colons would be the port's."""

from __future__ import annotations

__all__ = ["authority"]


def authority(host: str, port: int) -> str:
    """`host:port`, or `[host]:port` of IPv6."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
