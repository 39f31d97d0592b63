"""Answers without a lost digit, and the version that a request is about.

FastAPI would write decimals as texts. Routes that carry people's values answer with `Exact`; how their bodies are read
is in `bodies`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from fastapi import Request, Response

from holdfast.errors import InvalidInput
from holdfast.kernel.json import answer

__all__ = ["MATCH", "Exact", "matched_version"]

MATCH: Final = r'^(\*|(W/)?("[0-9]{1,9}"|[0-9]{1,9}))$'
"""What `If-Match` may be."""
_VERSION: Final = re.compile(r"(?:W/)?(\"?)([0-9]{1,9})\1", re.ASCII)


class Exact(Response):
    """An answer in JSON, numbers exact; `version` becomes its ETag."""

    media_type = "application/json"

    def __init__(
        self,
        content: Any,
        status_code: int = 200,
        *,
        version: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        tag = {} if version is None else {"ETag": f'"{version}"'}
        super().__init__(content, status_code, headers={**(headers or {}), **tag})

    def render(self, content: Any) -> bytes:
        # In one order: what is told again from a receipt is to be the same to the byte.
        return answer(content)


def matched_version(request: Request) -> int | None:
    """The version that `If-Match` names, the one the caller saw; None for `*`, whatever it is now."""
    given = request.headers.get("if-match", "*").strip()
    if given == "*":
        return None
    found = _VERSION.fullmatch(given)
    if found is None:
        raise InvalidInput(f"If-Match is {given!r}", hint='send the ETag you were given, such as "3"', field="If-Match")
    return int(found[2])
