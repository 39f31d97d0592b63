"""Reads the setting that names the sinks: `stdout,https://erp.example/hook#mode=binary,nats://broker:4222/orders`.

Options stand behind `#`, written like a query: a fragment is never part of what is sent to a server, so it cannot be
confused with the address's own query. What is wrong is said without quoting the address, which may hold a password.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal
from urllib.parse import parse_qsl, urlsplit

import httpx

from holdfast.errors import HoldfastError, SettingsError
from holdfast.kernel.webhooks import signing_key
from holdfast.outbox.sinks.http import HttpSink
from holdfast.outbox.sinks.nats import NatsSink
from holdfast.outbox.sinks.protocol import Sink
from holdfast.outbox.sinks.stdout import StdoutSink
from holdfast.settings import Settings

__all__ = ["build_sinks"]

_SUBJECT = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*")


def build_sinks(settings: Settings) -> list[Sink]:
    """The sinks that the settings name."""
    text = settings.outbox_sinks.get_secret_value() if settings.outbox_sinks else ""
    keys = _keys(settings)
    found = [
        _sink(number, word.strip(), keys, settings.outbox_timeout)
        for number, word in enumerate(text.split(","), 1)
        if word.strip()
    ]
    names = [sink.name for sink in found]
    if len(set(names)) < len(names):
        raise _wrong("one of its sinks stands there twice", "name each address once")
    return found


def _keys(settings: Settings) -> list[bytes]:
    text = settings.outbox_secret.get_secret_value() if settings.outbox_secret else ""
    try:
        return [signing_key(word.strip()) for word in text.split(",") if word.strip()]
    except HoldfastError as error:
        raise SettingsError(
            "the setting outbox_secret is not valid", hint=error.hint, setting="outbox_secret"
        ) from None


def _sink(number: int, word: str, keys: list[bytes], timeout: float) -> Sink:
    which = f"its {number}. sink"
    try:
        parts = urlsplit(word)
        _ = parts.port
        pairs = parse_qsl(parts.fragment, keep_blank_values=True, strict_parsing=bool(parts.fragment))
    except ValueError:
        raise _wrong(f"{which} is not an address", "write it as stdout, https://… or nats://…") from None
    options = {name: value for name, value in pairs if name != "types"}
    types = tuple(value for name, value in pairs if name == "types" and value)
    builders: dict[str, Callable[[], Sink]] = {
        "stdout": lambda: StdoutSink(types=types),
        "http": lambda: _http(which, word, options, keys, timeout, types),
        "https": lambda: _http(which, word, options, keys, timeout, types),
        "nats": lambda: _nats(which, word, options, timeout, types),
        "tls": lambda: _nats(which, word, options, timeout, types),
    }
    kind = parts.scheme or parts.path
    if kind not in builders or (kind != "stdout" and not parts.hostname):
        raise _wrong(f"{which} is none that there is", "write it as stdout, https://… or nats://…")
    made = builders[kind]()
    if options:
        raise _wrong(f"{which} has the unknown option {min(options)!r}", "mode, secret, timeout, types, stream")
    return made


def _http(
    which: str, word: str, options: dict[str, str], keys: list[bytes], timeout: float, types: tuple[str, ...]
) -> Sink:
    mode: Literal["structured", "binary"]
    wanted = options.pop("mode", "structured")
    if wanted == "structured":
        mode = "structured"
    elif wanted == "binary":
        mode = "binary"
    else:
        raise _wrong(f"{which} has an unknown mode", "use mode=structured or mode=binary")
    own = options.pop("secret", None)
    if own is not None:
        try:
            keys = [signing_key(own.replace(" ", "+"))]
        except HoldfastError as error:
            raise _wrong(f"the secret of {which} is not valid", error.hint) from None
    try:
        return HttpSink(word, mode=mode, keys=keys, timeout=_seconds(which, options, timeout), types=types)
    except httpx.InvalidURL:
        raise _wrong(f"{which} is not an address", "write it as https://…, with a host that can be") from None


def _nats(which: str, word: str, options: dict[str, str], timeout: float, types: tuple[str, ...]) -> Sink:
    prefix = urlsplit(word).path.strip("/").replace("/", ".") or "holdfast"
    if not _SUBJECT.fullmatch(prefix):
        raise _wrong(f"the path of {which} is no prefix for subjects", "use letters, digits, _ and -, by dots")
    return NatsSink(
        word,
        prefix=prefix,
        stream=options.pop("stream", None),
        timeout=_seconds(which, options, timeout),
        types=types,
    )


def _seconds(which: str, options: dict[str, str], default: float) -> float:
    text = options.pop("timeout", None)
    if text is None:
        return default
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 300:
        raise _wrong(f"{which} has a timeout that is none", "give seconds, up to 300")
    return value


def _wrong(what: str, hint: str | None) -> SettingsError:
    details: dict[str, Any] = {"setting": "outbox_sinks"}
    return SettingsError(f"the setting outbox_sinks is not valid: {what}", hint=hint, **details)
