"""Handlers by the type of run they execute."""

from __future__ import annotations

import functools
import inspect
import logging
import re
import typing
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

from pydantic import TypeAdapter

from holdfast.errors import InvalidInput
from holdfast.kernel.names import did_you_mean
from holdfast.kernel.sealing import IN_CLEAR, Sealing
from holdfast.runs.codec import adapter
from holdfast.runs.model import Run
from holdfast.runs.signals import Rate, Retry, seconds

__all__ = ["Handler", "Handlers", "check_type"]

_log = logging.getLogger(__name__)
_TYPE = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*")

Function = Callable[..., Any] | Callable[..., Awaitable[Any]]


def check_type(value: str) -> str:
    """A type of run: dotted names, as billing.invoice_charge.v1, at most 256 characters."""
    if not isinstance(value, str) or len(value) > 256 or not _TYPE.fullmatch(value):
        raise InvalidInput(
            f"type {value!r} is not valid",
            hint="use dotted names of letters, digits, _ and -, such as billing.invoice_charge.v1",
            field="type",
        )
    return value


@dataclass(frozen=True, slots=True)
class Handler:
    """A function and how its runs are leased, limited and retried."""

    type: str
    function: Function
    asynchronous: bool
    takes_payload: bool
    payload: TypeAdapter[Any] | None
    retry: Retry
    lease: timedelta
    timeout: timedelta | None
    concurrency: int | None
    rate: Rate | None
    housekeeping: bool

    def call(self, run: Run, payload: Any) -> Any:
        """Call the function; a coroutine when it is asynchronous."""
        return self.function(run, payload) if self.takes_payload else self.function(run)


class Handlers:
    """The handlers of an application."""

    def __init__(self, sealing: Sealing = IN_CLEAR) -> None:
        self._known: dict[str, Handler] = {}
        self.sealing = sealing
        """How payloads and results are stored."""

    def add(
        self,
        type: str,  # noqa: A002 - it is the type
        function: Function,
        *,
        retry: Retry | None = None,
        lease: float | timedelta = 30.0,
        timeout: float | timedelta | None = None,
        concurrency: int | None = None,
        rate: Rate | None = None,
        housekeeping: bool = False,
    ) -> Handler:
        """Register a function; one a type. `housekeeping` marks those of holdfast's own that any worker may have."""
        check_type(type)
        if type in self._known:
            raise InvalidInput(f"there is already a handler for {type!r}", hint="one handler a type", field="type")
        span = seconds("lease", lease)
        if span < timedelta(seconds=1):
            raise InvalidInput(f"lease is {span}", hint="use at least one second", field="lease")
        if concurrency is not None and (not isinstance(concurrency, int) or concurrency < 1):
            raise InvalidInput(f"concurrency is {concurrency!r}", hint="use 1 or more", field="concurrency")
        limit = None if timeout is None else seconds("timeout", timeout)
        if limit == timedelta(0):
            raise InvalidInput(f"timeout is {timeout!r}", hint="use more than 0 seconds", field="timeout")
        for field, value, kind in (("retry", retry, Retry), ("rate", rate, Rate)):
            # A worker would find out when it has the first run to execute, and end.
            if value is not None and not isinstance(value, kind):
                raise InvalidInput(f"{field} is {value!r}", hint=f"use {kind.__name__}(…)", field=field)
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise InvalidInput(f"the handler of {type!r} is a generator", hint="return the result instead of yielding")
        parameters = _positional(type, function)
        if not 1 <= len(parameters) <= 2:
            raise InvalidInput(
                f"the handler of {type!r} takes {len(parameters)} arguments", hint="write (run) or (run, payload)"
            )
        handler = Handler(
            type,
            function,
            _is_asynchronous(function),
            len(parameters) == 2,
            _payload_adapter(type, function, parameters[1]) if len(parameters) == 2 else None,
            retry or Retry(),
            span,
            limit,
            concurrency,
            rate,
            housekeeping,
        )
        self._known[type] = handler
        return handler

    def find(self, type: str) -> Handler | None:  # noqa: A002 - it is the type
        return self._known.get(type)

    def suggestion(self, type: str) -> str | None:  # noqa: A002 - it is the type
        """A hint for a type nobody handles."""
        return did_you_mean(type, self._known)

    def __iter__(self) -> Iterator[Handler]:
        return iter(self._known.values())

    def __len__(self) -> int:
        return len(self._known)


def _positional(type_: str, function: Function) -> list[inspect.Parameter]:
    """What it can be called with; a wrapper's `*args, **kwargs` stands for a run and its payload."""
    parameters = list(inspect.signature(function).parameters.values())
    for parameter in parameters:
        if parameter.kind is parameter.KEYWORD_ONLY:
            raise InvalidInput(
                f"the handler of {type_!r} takes {parameter.name!r} by name only", hint="write (run) or (run, payload)"
            )
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters):
        return parameters
    return [parameter for parameter in parameters if parameter.kind is not parameter.VAR_KEYWORD]


def _is_asynchronous(function: Function) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(_code_of(function))


def _code_of(function: Function) -> Any:
    """The function behind what is called: a partial's own, an object's `__call__`."""
    while isinstance(function, functools.partial):
        function = function.func
    return function if inspect.isroutine(function) else type(function).__call__


def _payload_adapter(type_: str, function: Function, parameter: inspect.Parameter) -> TypeAdapter[Any] | None:
    wanted = parameter.annotation
    if isinstance(wanted, str):
        # This one only: that of the run, or of what is returned, may exist for the type checker alone.
        alone = SimpleNamespace(__annotations__={parameter.name: wanted})
        try:
            names = getattr(inspect.unwrap(_code_of(function)), "__globals__", {})
            wanted = typing.get_type_hints(alone, globalns=names)[parameter.name]
        except NameError as error:
            _log.warning("the payload of %s is not converted, it comes as plain JSON: %s", type_, error)
            return None
    return None if wanted in (Any, object, dict, list, inspect.Parameter.empty) else adapter(wanted)
