"""What there is at a server, found by its own description: for each address with names in it, some that are there.

`/v1/{tenant}/runs/{run_id}` is asked for with ids that `/v1/{tenant}/runs` lists, and so on down the path.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

import httpx

__all__ = ["Addresses", "schemathesis_settings"]

_PART = re.compile(r"\{(\w+)\}")
_MOST = 4
_OTHERS = {
    "definition_id": "/v1/{tenant}/definitions",
    "draft_id": "/v1/{tenant}/definitions",
    "before": "/v1/{tenant}/definitions",
    "after": "/v1/{tenant}/definitions",
    "entity_type": "/v1/{tenant}/contracts",
    "role": "/v1/{tenant}/roles",
    "event_id": "/v1/{tenant}/outbox",
}
"""Where else they are listed, for names that the list above them does not have."""


class Addresses:
    """What each name in a path may be, so that something is there. `never` is left out."""

    def __init__(self, client: httpx.AsyncClient, description: Mapping[str, Any], never: frozenset[str]) -> None:
        self._client = client
        self._paths: Mapping[str, Any] = description["paths"]
        self._never = never
        self._found: dict[tuple[str, ...], list[str]] = {}

    async def of(self, path: str, known: Mapping[str, str]) -> dict[str, list[str]]:
        """Values for each name in a path; those that are known are given."""
        chosen, found = dict(known), {}
        for name in _PART.findall(path):
            if name not in chosen:
                above = path[: path.index(f"{{{name}}}")].rstrip("/")
                values = await self._listed(above, name, chosen)
                if not values and name in _OTHERS:
                    values = await self._listed(_OTHERS[name], name, chosen)
                if not values:
                    return {}
                chosen[name], found[name] = values[0], values
        return found

    async def _listed(self, path: str, name: str, chosen: Mapping[str, str]) -> list[str]:
        operation = self._paths.get(path, {}).get("get")
        if operation is None:
            return []
        address = _PART.sub(lambda part: quote(chosen.get(part[1], "-"), safe=""), path)
        if (address, name) not in self._found:
            needed = {each["name"] for each in operation.get("parameters", ()) if each.get("required")}
            query = {"entity_type": "invoice"} if "entity_type" in needed - _names(path) else {}
            answer = await self._client.get(address, params=query)
            self._found[address, name] = list(self._of_items(answer.json(), name)) if answer.is_success else []
        return self._found[address, name]

    def _of_items(self, told: Any, name: str) -> Iterator[str]:
        items = told.get("items", []) if isinstance(told, dict) else told
        left = _MOST
        for each in items:
            keys = (name, "id", "name", "entity_type", "slug", "prefix", "user")
            value = next((each[key] for key in keys if isinstance(each, dict) and each.get(key) is not None), None)
            if value is not None and str(value) not in self._never and left:
                left -= 1
                yield str(value)


def _names(path: str) -> set[str]:
    return set(_PART.findall(path))


def schemathesis_settings(
    found: Mapping[str, Mapping[str, list[Any]]], common: Mapping[str, list[Any]], tenant: str
) -> str:
    """A configuration in which what is there is asked for mostly, and something else now and then."""
    dictionaries: dict[str, list[Any]] = {}

    def bound(values: list[Any]) -> str:
        name = next((each for each, known in dictionaries.items() if known == values), f"values{len(dictionaries)}")
        dictionaries[name] = values
        return f'{{ dictionary = "{name}", probability = 0.85 }}'

    lines = ["[parameters]", f'"path.tenant" = "{tenant}"']
    lines += [f'"{name}" = {bound(values)}' for name, values in common.items()]
    for path, names in found.items():
        if not names:
            continue
        lines += ["", "[[operations]]", f"include-path = {json.dumps(path)}", "[operations.parameters]"]
        lines += [f'"path.{name}" = {bound(values)}' for name, values in names.items()]
    for name, values in dictionaries.items():
        lines += ["", f"[dictionaries.{name}]", f"values = {json.dumps(values)}"]
    return "\n".join(lines)
