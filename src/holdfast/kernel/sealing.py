"""Payloads, results, inputs and outputs as they are stored: as they are, or under the keyring.

A sealed value is still JSON, an object with one member, so that everything that only passes it on need not know:

    {"$sealed": "‹id of the key›:‹base64›"}

It opens in its own tenant alone. What was written in clear is read in clear, whatever is set now.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from holdfast.errors import InvalidInput, KeyMissing
from holdfast.kernel.json import decode, decode_sent, dump

if TYPE_CHECKING:
    from holdfast.kernel.keyring import Keyring

__all__ = ["IN_CLEAR", "LOOKS_SEALED", "Sealing"]

_SEALED: Final = re.compile(r'\{"\$sealed": ?"([A-Za-z0-9_.-]{1,64}):([A-Za-z0-9+/]+=*)"\}')
LOOKS_SEALED: Final = '{"$sealed"'
"""How such a text begins."""
_OURS: Final = ("session.execute.v1.", "session.expire.v1", "session.discard.v1", "session.retain.v1")
"""Runs of holdfast's own: their payloads are ids that the database itself reads."""


class Sealing:
    """How one application stores values. Opening needs the keyring only when a value is sealed."""

    def __init__(self, keyring: Callable[[], Keyring] | None = None, *, encrypt: bool = False) -> None:
        self._keyring = keyring
        self.encrypts = encrypt

    def seal(self, tenant: UUID | str, text: str) -> str:
        """The JSON text to store."""
        if not self.encrypts or self._keyring is None:
            if text.startswith(LOOKS_SEALED) and _SEALED.fullmatch(text):
                # Kept as it is, it would be taken for a value of ours: nobody could open it, or any list it is in.
                raise InvalidInput(
                    "the value is an object with the one member $sealed, and nothing here has sealed it",
                    hint="give the member another name",
                    field="$sealed",
                )
            return text
        key, ciphertext = self._keyring().seal(text.encode(), _context(tenant))
        return f'{{"$sealed":"{key}:{base64.b64encode(ciphertext).decode()}"}}'

    def seal_payload(self, tenant: UUID | str, type_: str, text: str) -> str:
        """The same for the payload of a run of a type."""
        return text if type_.startswith(_OURS) else self.seal(tenant, text)

    def open(self, tenant: UUID | str, text: str) -> str:
        """The JSON text that was given, of one that was stored."""
        found = _SEALED.fullmatch(text) if text.startswith(LOOKS_SEALED) else None
        if found is None:
            return text
        if self._keyring is None:
            raise KeyMissing(f"the key {found[1]!r} is needed, and there is no keyring here", key=found[1])
        try:
            ciphertext = base64.b64decode(found[2], validate=True)
        except binascii.Error:
            return text
        return self._keyring().open(found[1], ciphertext, _context(tenant)).decode()

    def opened(self, tenant: UUID | str, value: Any) -> Any:
        """The same for a value that was read already, as it was sent."""
        text = _sealed_text(value)
        return value if text is None else decode_sent(self.open(tenant, text))

    def decoded(self, tenant: UUID | str, text: str | None) -> Any:
        """The value of a stored text, numbers exact; None of none."""
        return decode(None if text is None else self.open(tenant, text))

    def seal_parts(self, tenant: UUID | str, value: dict[str, Any], clear: Iterable[str] = ()) -> dict[str, Any]:
        """The object to store for one of which some members are read by the database, or by who counts errors."""
        if not self.encrypts:
            return value
        kept = {name: value[name] for name in clear if name in value}
        rest = {name: inner for name, inner in value.items() if name not in kept}
        sealed: dict[str, Any] = decode_sent(self.seal(tenant, dump(rest)))
        return kept | sealed

    def open_parts(self, tenant: UUID | str, value: Any) -> Any:
        """The object that was given, of one that was stored, whatever was added to it meanwhile."""
        if not isinstance(value, dict) or not isinstance(text := value.get("$sealed"), str):
            return value
        rest = {name: inner for name, inner in value.items() if name != "$sealed"}
        inner = decode_sent(self.open(tenant, f'{{"$sealed":"{text}"}}'))
        return inner | rest if isinstance(inner, dict) else value


IN_CLEAR: Final = Sealing()
"""For whoever has no keys, and stores nothing that needs them."""


def _sealed_text(value: Any) -> str | None:
    if not isinstance(value, dict) or len(value) != 1 or not isinstance(text := value.get("$sealed"), str):
        return None
    return f'{{"$sealed":"{text}"}}'


def _context(tenant: UUID | str) -> str:
    return f"payload:{tenant}"
