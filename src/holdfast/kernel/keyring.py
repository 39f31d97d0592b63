"""The keys of an installation: several, each with an id; the first one is current, all of them open what they closed.

One ring does three things, each with a key of its own derived for it, so that none can stand in for another:

- `seal` and `open` encrypt a value with AES-256-GCM. The context, such as the tenant and the name, is authenticated
  with it: a value moved to another row does not open there.
- `wrap` encrypts a value with a data key of its own and that key with the ring's (an envelope). `rewrap` renews only
  the wrapped key: rotating does not touch, or need, the value.
- `sign` and `check` vouch for a text with HMAC-SHA256.

What needs a key that is not there says which (`KeyMissing`), changes nothing, and works again once the key is back.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
from dataclasses import dataclass
from typing import Final

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hmac import HMAC
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand

from holdfast.errors import KeyMissing, SettingsError

__all__ = ["Keyring", "Wrapped", "new_key"]

_KEY: Final = re.compile(r"(?P<id>[A-Za-z0-9_.-]{1,64})=(?P<key>[A-Za-z0-9+/_-]+=*)")
_NONCE: Final = 12


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A value under a data key of its own, and that key under one of the ring's."""

    key_id: str
    wrapped_key: bytes
    ciphertext: bytes


class Keyring:
    """The keys of `HOLDFAST_KEYS`. Without any it still says, of each value, which key is missing."""

    def __init__(self, text: str | None = None) -> None:
        self._keys: dict[str, bytes] = {}
        for part in (part.strip() for part in (text or "").split(",")):
            if match := _KEY.fullmatch(part):
                self._keys[match["id"]] = _decoded(match["key"])
            elif part:
                raise _bad("a key is not written as id=base64")
        if text is not None and not self._keys:
            raise _bad("there is no key in it")

    def __bool__(self) -> bool:
        return bool(self._keys)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the keys, the current one first."""
        return tuple(self._keys)

    @property
    def current(self) -> str:
        """The id of the key that closes."""
        if not self._keys:
            raise KeyMissing(
                "this needs a key, and HOLDFAST_KEYS is not set",
                hint="set it to the line that `holdfast keys new` prints, for every server and worker",
            )
        return next(iter(self._keys))

    def seal(self, plaintext: bytes, context: str) -> tuple[str, bytes]:
        """The id of the current key, and the value under it."""
        key_id = self.current
        return key_id, _closed(self._cipher(key_id, "seal"), plaintext, context)

    def open(self, key_id: str, ciphertext: bytes, context: str) -> bytes:
        """The value that `seal` closed in the same context."""
        return _opened(self._cipher(key_id, "seal"), ciphertext, context, key_id)

    def wrap(self, plaintext: bytes, context: str) -> Wrapped:
        """The value in an envelope."""
        data_key = os.urandom(32)
        key_id = self.current
        wrapped = _closed(self._cipher(key_id, "wrap"), data_key, context)
        return Wrapped(key_id, wrapped, _closed(AESGCM(data_key), plaintext, context))

    def unwrap(self, value: Wrapped, context: str) -> bytes:
        """The value of an envelope that was made in the same context."""
        data_key = _opened(self._cipher(value.key_id, "wrap"), value.wrapped_key, context, value.key_id)
        return _opened(AESGCM(data_key), value.ciphertext, context, value.key_id)

    def rewrap(self, value: Wrapped, context: str) -> Wrapped:
        """The same envelope under the current key."""
        data_key = _opened(self._cipher(value.key_id, "wrap"), value.wrapped_key, context, value.key_id)
        key_id = self.current
        return Wrapped(key_id, _closed(self._cipher(key_id, "wrap"), data_key, context), value.ciphertext)

    def sign(self, text: bytes, purpose: str) -> tuple[str, bytes]:
        """The id of the current key, and its signature."""
        key_id = self.current
        return key_id, self._signing(key_id, text, purpose).finalize()

    def check(self, key_id: str, signature: bytes, text: bytes, purpose: str) -> bool:
        """Whether that key signed the text for that purpose."""
        try:
            self._signing(key_id, text, purpose).verify(signature)
        except InvalidSignature:
            return False
        return True

    def _signing(self, key_id: str, text: bytes, purpose: str) -> HMAC:
        made = HMAC(self._derived(key_id, f"sign:{purpose}"), SHA256())
        made.update(text)
        return made

    def _cipher(self, key_id: str, purpose: str) -> AESGCM:
        return AESGCM(self._derived(key_id, purpose))

    def _derived(self, key_id: str, purpose: str) -> bytes:
        key = self._keys.get(key_id)
        if key is None:
            raise KeyMissing(
                f"the key {key_id!r} is needed, and is not among HOLDFAST_KEYS",
                hint="put it back, behind the current one; nothing is lost",
                key=key_id,
            )
        # A random key of full length needs no extraction.
        return bytes(HKDFExpand(SHA256(), 32, f"holdfast:{purpose}".encode()).derive(key))


def new_key() -> str:
    """A key that nobody else has, as `HOLDFAST_KEYS` takes it; its id says which it is, and nothing about it."""
    return f"k{os.urandom(4).hex()}={base64.b64encode(os.urandom(32)).decode()}"


def _closed(cipher: AESGCM, plaintext: bytes, context: str) -> bytes:
    nonce = os.urandom(_NONCE)
    return nonce + cipher.encrypt(nonce, plaintext, context.encode())


def _opened(cipher: AESGCM, ciphertext: bytes, context: str, key_id: str) -> bytes:
    try:
        return cipher.decrypt(ciphertext[:_NONCE], ciphertext[_NONCE:], context.encode())
    except (InvalidTag, ValueError):
        raise KeyMissing(
            f"a value does not open with the key {key_id!r}: HOLDFAST_KEYS has another key of that name, "
            "or the value was changed or moved",
            hint="give the key its former text back, or write the value anew",
            key=key_id,
        ) from None


def _decoded(text: str) -> bytes:
    try:
        key = base64.b64decode(text.replace("-", "+").replace("_", "/"), validate=True)
    except binascii.Error:
        raise _bad("a key is not base64") from None
    if len(key) != 32:
        raise _bad(f"a key has {len(key)} bytes instead of 32")
    return key


def _bad(why: str) -> SettingsError:
    return SettingsError(
        f"the setting HOLDFAST_KEYS is not valid: {why}",
        hint="write id=base64 of 32 random bytes, several separated by commas",
        setting="HOLDFAST_KEYS",
    )
