"""How channel values become bytes: msgpack that only rebuilds classes it was told of, optionally encrypted.

A checkpoint names the classes of its objects. LangGraph, left to itself, would import and call whatever is named there;
here only plain values, LangChain's messages and the classes of the graph's own schemas come back as objects.

With keys, every value is encrypted with AES-256-GCM, small ones too. A value carries the id of its key: the first key
of the list encrypts, all of them decrypt. A new key is put in front; the old one stays until its values are gone.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
from collections import deque
from collections.abc import Collection, Iterable
from dataclasses import is_dataclass
from enum import Enum
from itertools import islice
from typing import Any

from pydantic import BaseModel

from holdfast.errors import ExtraMissing, SettingsError

try:
    from langgraph.checkpoint.serde._msgpack import SAFE_MSGPACK_TYPES
    from langgraph.checkpoint.serde.base import CipherProtocol, SerializerProtocol
    from langgraph.checkpoint.serde.encrypted import EncryptedSerializer
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
except ModuleNotFoundError as error:
    raise ExtraMissing("LangGraph is not installed", hint="pip install 'holdfast[langgraph]'") from error

__all__ = ["Keyring", "encrypts", "serializer", "strangers", "types_of"]

_KEY = re.compile(r"(?P<id>[A-Za-z0-9_.-]{1,64})=(?P<key>[A-Za-z0-9+/_-]+=*)")
_CIPHER = "aesgcm"
_NONCE = 12
_PLAIN = frozenset({str, int, float, bool, bytes, type(None)})
_MOST_LOOKED_AT = 2000


def serializer(keys: str | None, allowed: Iterable[tuple[str, ...]] = ()) -> SerializerProtocol:
    """The serializer for checkpoints; `allowed` are (module, name) of classes that may be rebuilt."""
    modules = tuple(allowed) or None
    if keys is None:
        return _Keyless(allowed_msgpack_modules=modules)
    return EncryptedSerializer(Keyring(keys), JsonPlusSerializer(allowed_msgpack_modules=modules))


def encrypts(serde: SerializerProtocol) -> bool:
    """Whether no value may be stored beside it."""
    return isinstance(serde, EncryptedSerializer)


def types_of(graph: Any, extra: Iterable[type]) -> set[tuple[str, ...]]:
    """The classes that the schemas of a graph name, and those its author added."""
    from langgraph._internal import _serde

    builder = getattr(graph, "builder", graph)
    schemas = [getattr(builder, name, None) for name in ("state_schema", "input_schema", "output_schema")]
    nodes = getattr(builder, "nodes", {})
    schemas += [getattr(node, "input_schema", None) for node in nodes.values()]
    found = _serde.collect_allowlist_from_schemas(
        schemas=[schema for schema in schemas if isinstance(schema, type)],
        channels=getattr(builder, "channels", None),
    )
    return found | {(kind.__module__, kind.__name__) for kind in extra}


def strangers(value: Any, allowed: Collection[tuple[str, ...]]) -> set[type]:
    """The classes in a value that would come back as plain data: objects that are not among those that may be rebuilt.

    Only so much of a large value is looked at; it is a warning, and must not cost more than the work.
    """
    found: set[type] = set()
    waiting, left = [value], _MOST_LOOKED_AT
    while waiting and left > 0:
        left -= 1
        one = waiting.pop()
        kind = type(one)
        if kind in _PLAIN:
            continue
        if isinstance(one, dict):
            waiting += list(islice(one.values(), left))
        elif kind in (list, tuple, set, frozenset, deque):
            waiting += list(islice(one, left))
        elif _is_rebuilt(one) and (kind.__module__, kind.__name__) not in allowed and not _is_safe(kind):
            found.add(kind)
    return found


def _is_rebuilt(value: Any) -> bool:
    """Whether a value is stored with the name of its class, and made of it again."""
    return (is_dataclass(value) and not isinstance(value, type)) or (
        isinstance(value, Enum | BaseModel) or (isinstance(value, tuple) and hasattr(value, "_fields"))
    )


def _is_safe(kind: type) -> bool:
    return (kind.__module__, kind.__name__) in SAFE_MSGPACK_TYPES


class _Keyless(JsonPlusSerializer):
    """The serializer of a process without keys."""

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        _, encrypted, cipher = data[0].partition("+")
        if encrypted:
            raise _no_key(cipher.partition(":")[2], "but HOLDFAST_SESSION_KEYS is not set")
        return super().loads_typed(data)


class Keyring(CipherProtocol):
    """The keys of an installation, by id."""

    def __init__(self, text: str) -> None:
        try:
            from cryptography.exceptions import InvalidTag
            from cryptography.hazmat.primitives.ciphers.aead import AESGCM
        except ModuleNotFoundError as error:
            raise ExtraMissing(
                "HOLDFAST_SESSION_KEYS is set, but cryptography is not installed",
                hint="pip install 'holdfast[encryption]'",
            ) from error
        self._wrong_key = InvalidTag
        self._keys: dict[str, AESGCM] = {}
        for part in (part.strip() for part in text.split(",")):
            if match := _KEY.fullmatch(part):
                self._keys[match["id"]] = AESGCM(_decoded(match["key"]))
            elif part:
                raise _bad("a key is not written as id=base64")
        if not self._keys:
            raise _bad("there is no key in it")
        self._first = next(iter(self._keys))

    def encrypt(self, plaintext: bytes) -> tuple[str, bytes]:
        nonce = os.urandom(_NONCE)
        name = f"{_CIPHER}:{self._first}"
        return name, nonce + self._keys[self._first].encrypt(nonce, plaintext, name.encode())

    def decrypt(self, ciphername: str, ciphertext: bytes) -> bytes:
        cipher, _, key = ciphername.partition(":")
        if cipher != _CIPHER or key not in self._keys:
            raise _no_key(key, "which is not among HOLDFAST_SESSION_KEYS")
        try:
            plaintext: bytes = self._keys[key].decrypt(ciphertext[:_NONCE], ciphertext[_NONCE:], ciphername.encode())
        except self._wrong_key:
            raise _no_key(key, "but not with the one of that name here, or it was changed") from None
        return plaintext


def _no_key(key: str, why: str) -> SettingsError:
    return SettingsError(
        f"a checkpoint is encrypted with the key {key!r}, {why}",
        hint="keep old keys behind the new one until nothing needs them",
        setting="HOLDFAST_SESSION_KEYS",
    )


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
        f"the setting HOLDFAST_SESSION_KEYS is not valid: {why}",
        hint="write id=base64 of 32 random bytes, several separated by commas",
        setting="HOLDFAST_SESSION_KEYS",
    )
