"""Sinks that are code of the application: a function, or a class with `send`."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from holdfast.errors import AlreadyExists, InvalidInput
from holdfast.kernel.names import check_name
from holdfast.outbox.model import OutboxEvent
from holdfast.outbox.sinks.protocol import Sink

__all__ = ["Sinks"]

Function = Callable[[OutboxEvent], Any] | Callable[[OutboxEvent], Awaitable[Any]]


class Sinks:
    """The sinks that an application registers, by name. They take events beside those of the settings."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[tuple[str, ...], Callable[[], Sink]]] = {}

    def __len__(self) -> int:
        return len(self._known)

    def add(self, name: str, target: Any, *, types: tuple[str, ...] = ()) -> None:
        """Register a function of one event, plain or asynchronous, or a class whose objects have `send(event)`."""
        check_name("name", name)
        if name in self._known:
            raise AlreadyExists(f"there is a sink {name!r} already", hint="choose another name", field="name")
        if not callable(target):
            raise InvalidInput(f"{target!r} is no sink", hint="give a function or a class with send()", field="sink")
        if inspect.isclass(target) and not callable(getattr(target, "send", None)):
            raise InvalidInput(f"{target.__name__} has no method send(event)", field="sink")
        wanted = tuple(types)
        self._known[name] = (wanted, lambda: _CodeSink(name, target() if inspect.isclass(target) else target, wanted))

    def build(self) -> list[Sink]:
        """New sinks, for one dispatcher."""
        return [make() for _, make in self._known.values()]


class _CodeSink:
    """Calls the application's code; a plain function in a thread, so that it cannot stop the others."""

    def __init__(self, name: str, target: Any, types: tuple[str, ...]) -> None:
        self.name = name
        self.types = types
        self._target = target
        self._call: Callable[[OutboxEvent], Any] = getattr(target, "send", target)
        self._asynchronous = inspect.iscoroutinefunction(self._call) or inspect.iscoroutinefunction(
            getattr(self._call, "__call__", None)  # noqa: B004 - an object whose call is asynchronous
        )

    async def send(self, event: OutboxEvent) -> None:
        if self._asynchronous:
            await self._call(event)
        else:
            await asyncio.to_thread(self._call, event)

    async def close(self) -> None:
        close = getattr(self._target, "close", None)
        if close is not None:
            done = close()
            if inspect.isawaitable(done):
                await done
