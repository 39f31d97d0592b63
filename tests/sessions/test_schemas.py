"""Schemas of inputs and answers: what could never be checked is refused when it comes, formats are checked."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.errors import DefinitionError, SessionInputError
from holdfast.sessions.definitions import check_spec
from holdfast.sessions.schemas import check_schema, check_value
from sessions.test_definitions import GOOD, REGISTRIES


@pytest.mark.parametrize(
    ("schema", "place"),
    [
        ({"$ref": "https://example.com/order.json"}, "inputSchema.$ref"),
        ({"properties": {"order": {"$ref": "order.json"}}}, "inputSchema.properties.order.$ref"),
        ({"allOf": [{}, {"items": {"$ref": "#/$defs/none"}}]}, "inputSchema.allOf.1.items.$ref"),
        ({"$defs": {"a": {"$dynamicRef": "#nowhere"}}}, "inputSchema.$defs.a.$dynamicRef"),
        ({"$id": "https://a.example/x", "if": {"$ref": "y"}}, "inputSchema.if.$ref"),
        ({"$ref": "#"}, "inputSchema"),
        (
            {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"},
            "inputSchema.$defs.a",
        ),
    ],
)
def test_a_reference_that_leads_nowhere_is_refused_with_its_place(schema: dict[str, Any], place: str) -> None:
    with pytest.raises(DefinitionError) as caught:
        check_spec(GOOD | {"inputSchema": schema}, REGISTRIES, image_needed=True)
    assert caught.value.details["place"] == place
    assert caught.value.details["field"] == "inputSchema"
    assert caught.value.hint


@pytest.mark.parametrize(
    "schema",
    [
        {"$defs": {"a": {"type": "string"}}, "properties": {"x": {"$ref": "#/$defs/a"}}},
        {"$defs": {"a": {"$anchor": "here"}}, "items": {"$ref": "#here"}},
        {"$id": "https://a.example/x", "$defs": {"b": {"$id": "y"}}, "not": {"$ref": "y"}},
        {"properties": {"tree": {"$ref": "#"}, "$ref": {"type": "string"}}},
        {"enum": [{"$ref": "https://example.com"}], "default": {"$ref": "x"}},
        {"$ref": "https://json-schema.org/draft/2020-12/schema"},
    ],
)
def test_references_within_a_schema_are_followed(schema: dict[str, Any]) -> None:
    assert check_schema("inputSchema", schema) == schema


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        (
            "uri",
            ["https://example.com/a%20b?x=1#y", "urn:isbn:0451450523", "mailto:a@b.c", "http://[::1]:80/"],
            [
                "example.com/a.csv",
                "/a",
                "",
                "http://a b",
                "http://[::1",
                "http://a:port/",
                "https://x/%zz",
                "ht!tp://x",
            ],
        ),
        (
            "date-time",
            ["2026-06-04T10:00:00Z", "2026-06-04t10:00:00.123456789+02:00", "2016-12-31T23:59:60Z"],
            [
                "2026-06-04",
                "2026-06-04T10:00:00",
                "2026-06-31T10:00:00Z",
                "2026-06-04 10:00:00Z",
                "tomorrow",
                "2026-06-04T25:00:00Z",
                "2026-06-04T10:00:00+25:00",
                "2026-06-04T10:00:0٣Z",
            ],
        ),
        ("time", ["10:00:00Z", "23:59:60Z", "10:00:00.5-03:30"], ["10:00", "10:00:00", "24:00:00Z", "10:61:00Z"]),
        ("date", ["2026-06-04"], ["2026-6-4", "x"]),
        ("email", ["a@example.com"], ["nobody"]),
        ("uuid", ["550e8400-e29b-41d4-a716-446655440000"], ["550e"]),
    ],
)
async def test_formats_are_checked(name: str, good: list[str], bad: list[str]) -> None:
    schema = {"properties": {"x": {"type": "string", "format": name}}}
    for value in good:
        await check_value("input", {"x": value}, schema)
    for value in bad:
        with pytest.raises(SessionInputError, match=f"is not a '{name}'"):
            await check_value("input", {"x": value}, schema)
    await check_value("input", {"x": 5}, {"properties": {"x": {"format": name}}})
