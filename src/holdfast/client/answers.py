"""What both clients share: how a request is written, an answer read, and a problem raised as the error it was."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar, cast
from urllib.parse import quote

import httpx
from pydantic import TypeAdapter

from holdfast import errors
from holdfast.errors import HoldfastError
from holdfast.kernel.json import dump, parse_json

__all__ = ["headers_of", "part", "query_of", "read", "wanted_body"]

T = TypeVar("T")


def part(text: object) -> str:
    """Something as a part of a path."""
    return quote(str(text), safe="")


def headers_of(
    *, idempotency_key: str | None = None, if_match: int | str | None = None, body: bool = False
) -> dict[str, str]:
    """The headers of a request; a version is sent as the tag that it is."""
    told = {"Content-Type": "application/json"} if body else {}
    if idempotency_key is not None:
        told["Idempotency-Key"] = idempotency_key
    if if_match is not None:
        told["If-Match"] = if_match if isinstance(if_match, str) else f'"{if_match}"'
    return told


def query_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """What is said of a query; None says nothing. Objects are JSON, moments ISO 8601, truths true and false."""
    return {name: _word(value) for name, value in given.items() if value is not None}


def _word(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return dump(dict(value))
    return value.isoformat() if hasattr(value, "isoformat") else value


def wanted_body(body: Any) -> bytes | None:
    """A body, numbers exact; None is none."""
    return None if body is None else dump(body).encode()


def read(answer: httpx.Response, shape: type[T]) -> T:
    """What an answer says, as the model it was made of; a problem is raised as the error that the server had."""
    if not answer.is_success:
        raise _problem(answer)
    if shape is type(None):
        return None  # the only value of its type
    if not answer.headers.get("content-type", "").startswith("application/json"):
        raise _foreign(answer)
    return cast("T", _adapter(cast("Any", shape)).validate_python(parse_json(answer.text)))


@cache
def _adapter(shape: Any) -> TypeAdapter[Any]:
    return TypeAdapter(shape)


@cache
def _errors() -> dict[str, type[HoldfastError]]:
    found = [getattr(errors, name) for name in errors.__all__]
    return {each.code: each for each in found if isinstance(each, type) and issubclass(each, HoldfastError)}


def _foreign(answer: httpx.Response) -> HoldfastError:
    """What something else than a holdfast says: a proxy, or a page of a sign-in before it."""
    return HoldfastError(
        f"{answer.url} answered {answer.status_code}, and not as holdfast does",
        hint=f"it leads to {answer.headers['location']}" if answer.has_redirect_location else "check the address",
        http_status=answer.status_code,
    )


def _problem(answer: httpx.Response) -> HoldfastError:
    if not answer.is_error:
        return _foreign(answer)
    try:
        told = answer.json()
    except ValueError:
        told = {}
    if not isinstance(told, dict):
        told = {}
    known = ("type", "title", "status", "code", "detail", "hint")
    details = {name: value for name, value in told.items() if name not in known}
    kind = _errors().get(told.get("code", ""), HoldfastError)
    message = told.get("detail") or told.get("title") or f"the server answered {answer.status_code}"
    return kind(message, hint=told.get("hint"), **details | {"http_status": answer.status_code})
