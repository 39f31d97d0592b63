"""How channel values become bytes: msgpack that only rebuilds classes it was told of, optionally encrypted.

A checkpoint names the classes of its objects. LangGraph, left to itself, would import and call whatever is named there;
here only plain values, LangChain's messages and the classes of the graph's own schemas come back as objects.

With `encrypt_payloads`, every value is encrypted with the installation's keyring, small ones too. A value carries the
id of its key; it is opened whether or not new ones are encrypted, and the key stays until its values are gone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable
from dataclasses import is_dataclass
from enum import Enum
from itertools import islice
from typing import Any

from pydantic import BaseModel

from holdfast.errors import ExtraMissing
from holdfast.kernel.keyring import Keyring

try:
    from langgraph.checkpoint.serde._msgpack import SAFE_MSGPACK_TYPES
    from langgraph.checkpoint.serde.base import CipherProtocol, SerializerProtocol
    from langgraph.checkpoint.serde.encrypted import EncryptedSerializer
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
except ModuleNotFoundError as error:
    raise ExtraMissing("LangGraph is not installed", hint="pip install 'holdfast[langgraph]'") from error

__all__ = ["encrypts", "serializer", "strangers", "types_of"]

_CIPHER = "aesgcm"
_CONTEXT = "session checkpoint"
_PLAIN = frozenset({str, int, float, bool, bytes, type(None)})
_MOST_LOOKED_AT = 2000


def serializer(
    keyring: Keyring, allowed: Iterable[tuple[str, ...]] = (), *, encrypt: bool = False
) -> SerializerProtocol:
    """The serializer for checkpoints; `allowed` are (module, name) of classes that may be rebuilt."""
    modules = tuple(allowed) or None
    if not encrypt:
        return _Opening(_Cipher(keyring), modules)
    return EncryptedSerializer(_Cipher(keyring), JsonPlusSerializer(allowed_msgpack_modules=modules))


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


class _Opening(JsonPlusSerializer):
    """Writes values as they are, and opens those that were encrypted before."""

    def __init__(self, cipher: _Cipher, allowed: Iterable[tuple[str, ...]] | None) -> None:
        super().__init__(allowed_msgpack_modules=allowed)
        self._opening = cipher

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        kind, encrypted, cipher = data[0].partition("+")
        return super().loads_typed((kind, self._opening.decrypt(cipher, data[1])) if encrypted else data)


class _Cipher(CipherProtocol):
    """The installation's keys, as LangGraph wants them. The id of the key goes with each value."""

    def __init__(self, keyring: Keyring) -> None:
        self._keyring = keyring

    def encrypt(self, plaintext: bytes) -> tuple[str, bytes]:
        key, ciphertext = self._keyring.seal(plaintext, _CONTEXT)
        return f"{_CIPHER}:{key}", ciphertext

    def decrypt(self, ciphername: str, ciphertext: bytes) -> bytes:
        return self._keyring.open(ciphername.partition(":")[2], ciphertext, _CONTEXT)
