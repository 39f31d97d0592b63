"""What holds for every route under `/v1`, and the little that a route says about itself.

A route need say nothing, and then: what it does is done once for an `Idempotency-Key`, or the key is refused; a query
parameter that it does not know is refused by name; and a change of a document, a draft or an instance is refused
without `If-Match`. `GuardedRoute` holds all of it, and OpenAPI tells it.

    @reads                     a POST that changes nothing: it takes no key, and no version
    @without_key("why")        a change that cannot be told again
    @located("runs/{id}")      what is made is there: members of the answer in braces

`@needs` of `route` is the permission.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar
from urllib.parse import quote

from fastapi import Request, Response
from fastapi.routing import APIRoute

from holdfast.errors import InvalidInput, VersionMissing
from holdfast.http.exact import MATCH, matched_version
from holdfast.kernel.json import decode
from holdfast.kernel.names import did_you_mean

__all__ = ["Conventions", "located", "reads", "without_key"]

E = TypeVar("E", bound=Callable[..., Any])

_CHANGES: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_VERSIONED: Final = {"document_id": "document", "definition_id": "draft", "instance_id": "instance"}
"""What has a version that whoever changes it must have seen: by the name it has in the path."""
_LONGEST_KEY: Final = 512
_MEMBER: Final = re.compile(r"\{([a-z_.]+)\}")
_PROBLEM: Final = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}}


def reads(endpoint: E) -> E:
    """Say of a POST that it changes nothing: it can be repeated as it is."""
    endpoint.reads = True  # type: ignore[attr-defined]  # functions take attributes
    return endpoint


def without_key(why: str) -> Callable[[E], E]:
    """Say of a change that it takes no `Idempotency-Key`, and why."""

    def marked(endpoint: E) -> E:
        endpoint.without_key = why  # type: ignore[attr-defined]  # functions take attributes
        return endpoint

    return marked


def located(where: str) -> Callable[[E], E]:
    """Say where below the tenant that is what a route makes: `users/{name}`, from the members of its answer."""

    def marked(endpoint: E) -> E:
        endpoint.located = where  # type: ignore[attr-defined]  # functions take attributes
        return endpoint

    return marked


@dataclass(frozen=True, slots=True)
class Conventions:
    """What holds for one route."""

    changes: bool
    versioned: str | None
    """What must have been seen to be changed, by its name."""
    own_key: bool
    """Whether the route takes the key itself: what it makes is found again by it."""
    refuses_key: str | None
    """Why it takes none."""
    location: str | None
    known: frozenset[str]
    """The query parameters there are."""

    @classmethod
    def of(cls, route: APIRoute) -> Conventions:
        """Those of a route, from what it is and says."""
        says = vars(route.endpoint)
        changes = bool(_CHANGES & (route.methods or set())) and not says.get("reads", False)
        own = any(each.alias.lower() == "idempotency-key" for each in route.dependant.header_params)
        refusal = says.get("without_key")
        if not changes:
            refusal = "this request changes nothing"
        elif refusal is None and "{tenant}" not in route.path:
            refusal = "this request is of no tenant"
        versioned = next((name for part, name in _VERSIONED.items() if f"{{{part}}}" in route.path), None)
        return cls(
            changes,
            versioned if changes else None,
            own,
            None if own else refusal,
            says.get("located"),
            frozenset(each.alias for each in route.dependant.query_params),
        )

    def check(self, request: Request) -> str | None:
        """Refuse what does not hold; the key for which it is to be done once, where the route leaves that to us."""
        for name in request.query_params:
            if name not in self.known:
                takes = f"this address takes {', '.join(sorted(self.known)) or 'none'}"
                hint = did_you_mean(name, self.known) or takes
                raise InvalidInput(f"there is no parameter {name!r} here", hint=hint, field=name)
        if self.versioned is not None:
            # Empty is what a program sends that lost the tag: it has seen nothing.
            if not request.headers.get("if-match", "").strip():
                raise VersionMissing(
                    f"this changes a {self.versioned}: If-Match must say which version you saw",
                    hint="send the ETag you were given, or * for whatever it is now",
                    field="If-Match",
                )
            matched_version(request)
        key = request.headers.get("idempotency-key")
        if key is not None and self.refuses_key is not None:
            raise InvalidInput(
                f"Idempotency-Key is given, but {self.refuses_key}",
                hint="leave it out",
                field="Idempotency-Key",
            )
        if key is not None and not 1 <= len(key) <= _LONGEST_KEY:
            raise InvalidInput(
                "Idempotency-Key is empty" if not key else "Idempotency-Key is too long",
                hint=f"send 1 to {_LONGEST_KEY} characters, other ones for every change",
                field="Idempotency-Key",
            )
        return None if self.own_key else key

    def locate(self, request: Request, answer: Response) -> None:
        """Say of something that was made where it is, unless the route has."""
        if answer.status_code != 201 or "location" in answer.headers:
            return
        if self.location is not None:
            made = decode(bytes(answer.body))
            where = _MEMBER.sub(lambda found: quote(str(_member(made, found[1])), safe=""), self.location)
            answer.headers["Location"] = f"/v1/{quote(request.path_params['tenant'])}/{where}"
        elif request.method == "PUT":
            query = f"?{request.url.query}" if request.url.query else ""
            answer.headers["Location"] = request.url.path + query

    def described(self, extra: dict[str, Any] | None) -> dict[str, Any]:
        """What OpenAPI says of a route, with what its conventions add."""
        told = dict(extra or {})
        headers = list(told.get("parameters", ()))
        answers = dict(told.get("responses", {}))
        if self.changes and not self.own_key and self.refuses_key is None:
            text = "done once for a key: the same request, the same answer"
            headers.append(_header("Idempotency-Key", text, minLength=1, maxLength=_LONGEST_KEY))
        if self.versioned is not None:
            text = f"the version of the {self.versioned} that you saw, as its ETag; * for whatever it is now"
            headers.append(_header("If-Match", text, required=True, pattern=MATCH))
            answers["428"] = {"description": "If-Match is missing; nothing was changed", "content": _PROBLEM}
        if self.location is not None:
            header = {"description": "where it is", "schema": {"type": "string"}}
            answers["201"] = {**answers.get("201", {}), "headers": {"Location": header}}
        return told | ({"parameters": headers} if headers else {}) | ({"responses": answers} if answers else {})


def _header(name: str, text: str, *, required: bool = False, **schema: Any) -> dict[str, Any]:
    schema = {"type": "string", **schema}
    return {"name": name, "in": "header", "required": required, "schema": schema, "description": text}


def _member(told: Any, path: str) -> Any:
    for name in path.split("."):
        told = told[name]
    return told
