"""Texts that are kept compressed, with their digest: whoever unpacks them knows that nothing was lost."""

from __future__ import annotations

import hashlib
import zlib

from holdfast.errors import OperationalError

__all__ = ["pack", "unpack"]


def pack(text: str) -> bytes:
    """A text, compressed."""
    return zlib.compress(text.encode(), 9)


def unpack(text: str | None, packed: bytes | None, digest: bytes | None) -> str | None:
    """A text that is kept as it is, or packed. What does not give its SHA-256 is told of, never shown."""
    if packed is None:
        return text
    try:
        found = zlib.decompress(packed)
    except zlib.error:
        found = b""
    if hashlib.sha256(found).digest() != digest:
        raise OperationalError(
            "what a step gave was changed after it was packed",
            hint="somebody with rights over the database did; compare with a backup",
        )
    return found.decode()
