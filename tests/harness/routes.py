"""Every route of the server, and a request for each that is well formed and finds nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fastapi.routing import APIRoute

from holdfast import Holdfast
from holdfast.http import build

__all__ = ["NOBODY", "body_schema", "example", "path_of", "routes", "v1_routes", "whole_body"]

NOBODY = "00000000-0000-0000-0000-000000000000"


def routes(app: Holdfast) -> list[APIRoute]:
    """Every route, those of included routers too."""
    parts = [getattr(part, "original_router", part) for part in build(app).routes]
    found = [route for part in parts for route in getattr(part, "routes", [part])]
    return [route for route in found if isinstance(route, APIRoute)]


def v1_routes(app: Holdfast) -> Iterator[tuple[str, APIRoute]]:
    """Those under `/v1`, each with its method and path as its name."""
    for route in routes(app):
        if route.path.startswith("/v1"):
            for method in sorted(route.methods or ()):
                yield f"{method} {route.path}", route


def path_of(route: APIRoute, tenant: str = "acme") -> str:
    """A path that fits it, of something that is not there."""
    known = {"tenant": tenant, "version": "1"}
    ids = {field.alias: "x" for field in route.dependant.path_params} | known
    ids |= {name: NOBODY for name in ids if name.endswith("_id") or name in ("before", "after")}
    return route.path.format(**ids)


def body_schema(route: APIRoute) -> dict[str, Any] | None:
    """What its body must be, if it has one that OpenAPI describes."""
    extra = (route.openapi_extra or {}).get("requestBody", {}).get("content", {}).get("application/json", {})
    schema: dict[str, Any] | None = extra.get("schema")
    if route.body_field is not None:
        model: Any = route.body_field.field_info.annotation
        schema = model.model_json_schema() if hasattr(model, "model_json_schema") else {"type": "object"}
    return schema


def whole_body(route: APIRoute) -> Any:
    """A body with every member it may have, or None."""
    schema = body_schema(route)
    if schema is None:
        return None
    defs = schema.get("$defs", {})
    return {name: example(field, defs) for name, field in schema.get("properties", {}).items()}


def example(field: dict[str, Any], defs: dict[str, Any]) -> Any:
    """A value that fits a schema, more or less."""
    for one in field.get("anyOf", [field]):
        shape = defs.get(one.get("$ref", "").rpartition("/")[2], one)
        if "default" in field:
            return field["default"]
        if "enum" in shape or "const" in shape:
            return shape.get("const", shape.get("enum", [None])[0])
        if shape.get("format") == "uuid":
            return NOBODY
        if shape.get("format") == "date-time":
            return "2030-01-01T00:00:00Z"
        kind = shape.get("type")
        if kind == "object":
            return {name: example(inner, defs) for name, inner in shape.get("properties", {}).items()}
        if kind == "array":
            return [example(shape.get("items", {}), defs)] * shape.get("minItems", 0)
        return {"string": "x", "integer": 1, "number": 1, "boolean": False}.get(kind or "", 1)
    return None
