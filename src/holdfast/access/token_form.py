"""What a token looks like, so that everybody recognises one: people, programs and scanners for leaked secrets.

    holdfast_‹tenant: 32 hex digits›_‹secret: 43 letters and digits›‹checksum: 6 letters and digits›

The tenant makes finding it a look-up inside that tenant. The secret is 256 random bits, which make a slow hash
pointless. The checksum is the CRC-32 of everything before it: whoever finds such a string knows without asking anybody
that it is a token and not an accident, and what was mistyped is refused before a database is asked.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import string
import zlib
from uuid import UUID

__all__ = ["PREFIX", "digest_of", "make_secret", "tenant_in"]

PREFIX = "holdfast_"
_FORM = re.compile(rf"{PREFIX}(?P<tenant>[0-9a-f]{{32}})_[0-9A-Za-z]{{43}}(?P<checksum>[0-9A-Za-z]{{6}})")
_DIGITS = string.digits + string.ascii_uppercase + string.ascii_lowercase
_RANDOM = 43
"""As many digits of base 62 as hold 256 bits."""


def make_secret(tenant: UUID) -> str:
    """A new token of a tenant."""
    rest = f"{PREFIX}{tenant.hex}_{''.join(secrets.choice(_DIGITS) for _ in range(_RANDOM))}"
    return rest + _checksum(rest)


def tenant_in(secret: str) -> UUID | None:
    """The tenant a token claims to be of; None for what is no token, or a mistyped one."""
    match = _FORM.fullmatch(secret)
    if match is None or _checksum(secret[: match.start("checksum")]) != match["checksum"]:
        return None
    return UUID(match["tenant"])


def digest_of(secret: str) -> bytes:
    """What is stored of it."""
    return hashlib.sha256(secret.encode()).digest()


def _checksum(rest: str) -> str:
    number = zlib.crc32(rest.encode())
    digits = []
    for _ in range(6):
        number, digit = divmod(number, len(_DIGITS))
        digits.append(_DIGITS[digit])
    return "".join(reversed(digits))
