"""Errors as `application/problem+json` (RFC 9457): our stable `code`, a sentence, and a hint what to do."""

from __future__ import annotations

import logging
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from holdfast.errors import DatabaseFailed, DatabaseUnreachable, HoldfastError
from holdfast.http.methods import allowed_methods

__all__ = [
    "MOST_PROBLEMS",
    "PROBLEMS",
    "SEE",
    "Problem",
    "ProblemDocument",
    "add_problem_handlers",
    "nothing_here",
    "problem",
    "unexpected_problem",
]

_log = logging.getLogger(__name__)
_HEADERS = {
    401: {"WWW-Authenticate": 'Bearer realm="holdfast"'},
    # What comes late would be taken for the next request.
    408: {"Connection": "close"},
    429: {"Retry-After": "1"},
    503: {"Retry-After": "1"},
}
MOST_PROBLEMS = 20
"""Of all that is wrong with a body, so much is told: enough to mend it, and no page for each of a million members."""
SEE = "/docs shows every address and what it takes"
_RESERVED = frozenset({"type", "title", "status", "code", "detail", "hint"})
"""Members with a meaning of their own; a detail of that name does not take their place."""


class ProblemDocument(BaseModel):
    """What every error answer holds; `permission`, `retry_after` and the like come on top where they apply."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    hint: str | None = Field(None, description="what to do about it")
    field: str | None = Field(None, description="what of the request it is about")

    model_config = ConfigDict(extra="allow")


PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {
        "description": text,
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}},
    }
    for status, text in {
        400: "an input or a definition that its schema does not allow, or a request that broke off",
        401: "no valid token",
        403: "the permission is missing",
        404: "no such object in this tenant, or no such tenant",
        408: "the body did not come in time",
        409: "the object is not in the state that was assumed",
        413: "the request, or what it wants to store, is too large",
        422: "the request cannot be accepted; nothing was changed",
        429: "the tenant or the token asks too often or keeps its share of the server busy, or sign-ins failed",
        503: "the server cannot do its work now, or an operator is needed; `Retry-After` says when to try again",
    }.items()
}
"""The error answers of every route, for OpenAPI."""


class Problem(JSONResponse):
    """A response that says what went wrong."""

    media_type = "application/problem+json"


def problem(status: int, code: str, detail: str, *, hint: str | None = None, **extra: Any) -> Problem:
    """Build the answer; members that are None are left out."""
    body = {
        "type": f"urn:holdfast:error:{code}",
        "title": code.replace("_", " "),
        "status": status,
        "code": code,
    }
    body |= {"detail": detail, "hint": hint, **extra}
    headers = dict(_HEADERS.get(status, {}))
    if "retry_after" in extra:
        headers["Retry-After"] = str(extra["retry_after"])
    return Problem({key: value for key, value in body.items() if value is not None}, status, headers=headers)


def nothing_here(request: Request) -> Problem:
    """The answer where nothing is, or something else may be done."""
    path, allowed = request.scope["path"], allowed_methods(request)
    if not allowed:
        return problem(404, "not_found", f"there is no {path}", hint=SEE)
    answer = problem(405, "method_not_allowed", f"{path} takes {', '.join(allowed)}", hint=SEE)
    answer.headers["Allow"] = ", ".join(allowed)
    return answer


def unexpected_problem(method: str, path: str, error: Exception) -> Problem:
    """The answer to what should not have happened; the log has the rest."""
    _log.error("unexpected error in %s %s", method, path, exc_info=error)
    return problem(500, "internal_error", "something went wrong on our side; the log has the details")


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    told = getattr(value, "to_json", None)
    return _plain(told()) if told is not None else str(value)


def _told(item: dict[str, Any]) -> dict[str, str]:
    """What pydantic found wrong, and where."""
    if item["type"] == "json_invalid":
        where = f" at character {item['loc'][1]}" if len(item["loc"]) > 1 else ""
        return {"field": "body", "message": f"it is not JSON: {item.get('ctx', {}).get('error', item['msg'])}{where}"}
    return {"field": ".".join(str(part) for part in item["loc"][1:]) or str(item["loc"][0]), "message": item["msg"]}


def add_problem_handlers(server: FastAPI) -> None:
    """Answer every error with a problem document."""

    @server.exception_handler(HoldfastError)
    async def ours(request: Request, error: HoldfastError) -> Problem:
        if isinstance(error, DatabaseUnreachable):
            # Once, and not for every request until it is back.
            request.app.state.holdfast.database.outage.began(error)
        elif error.status == 429:
            request.app.state.holdfast.metrics.http.refused(error.code)
        elif error.status >= 500:
            _log.error("%s: %s", error.code, error, exc_info=error if error.status == 500 else None)
        if isinstance(error, DatabaseFailed):
            return problem(500, error.code, "something went wrong on our side; the log has the details")
        facts = {
            key: _plain(value)
            for key, value in error.details.items()
            if key not in _RESERVED and isinstance(value, str | int | list | tuple | dict)
        }
        return problem(error.status, error.code, error.message, hint=error.hint, **facts)

    @server.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Problem:
        errors = [_told(item) for item in error.errors()[:MOST_PROBLEMS]]
        first = errors[0]
        # A body that is not said to be JSON is not read as such, as curl's are unless it is told otherwise.
        unread = first["field"] == "body" and "json" not in request.headers.get("content-type", "")
        hint = "send it with Content-Type: application/json" if unread else SEE
        told = f"{first['field']}: {first['message']}"
        return problem(422, "invalid_input", told, hint=hint, field=first["field"], errors=errors)

    @server.exception_handler(HTTPException)
    async def plain(request: Request, error: HTTPException) -> Problem:
        if isinstance(error.__cause__, HoldfastError):
            # FastAPI makes its own of what it meets while it has a body read.
            return await ours(request, error.__cause__)
        if error.status_code == 400 and isinstance(error.__cause__, ValueError | RecursionError):
            # A body that FastAPI could not even begin to read.
            hint = "send it as UTF-8, without thousands of levels or digits"
            return problem(422, "invalid_input", "body: it cannot be read as JSON", hint=hint, field="body")
        if error.status_code in (404, 405):
            return nothing_here(request)
        code = "too_large" if error.status_code == 413 else "http_error"
        answer = problem(error.status_code, code, str(error.detail))
        answer.headers.update(error.headers or {})
        return answer

    @server.exception_handler(ClientDisconnect)
    async def gone(_: Request, error: ClientDisconnect) -> Problem:
        return problem(400, "http_error", "the client left before its request was complete")

    @server.exception_handler(Exception)
    async def unexpected(request: Request, error: Exception) -> Problem:
        return unexpected_problem(request.method, request.url.path, error)
