"""Patches for tests of the compiler, written briefly, and an invoice's skeleton to put them into."""

from __future__ import annotations

from typing import Any

from holdfast.envelope import (
    CompiledWorkflow,
    Contract,
    Problem,
    Skeleton,
    SlotGraphPatch,
    analyse,
    compile_effective,
    generate_skeleton,
)

DOCUMENT = {
    "type": "object",
    "required": ["total", "lines"],
    "properties": {
        "total": {"type": "number"},
        "owner": {"type": "string"},
        "due": {"type": "string", "format": "date-time"},
        "lines": {"type": "array", "items": {"type": "object", "properties": {"sku": {"type": "string"}}}},
    },
}
INVOICE = generate_skeleton(Contract(entity_type="invoice", document=DOCUMENT))
SLOT = "slot:submitted_to_approved"
WAIT = {"type": "wait_timer", "config": {"duration": "1h"}}
ASK = {"type": "approval", "config": {"approvers": [{"kind": "role", "role": "boss"}]}}
SPLIT, JOIN = {"type": "parallel_split"}, {"type": "parallel_join"}


def nodes(**kinds: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"id": name, **kind} for name, kind in kinds.items()]


def edges(*texts: str, **more: Any) -> list[dict[str, Any]]:
    """`a[approved]>b` is an edge on an outcome, `a<b` one that returns from b to a."""
    found = []
    for text in texts:
        source, mark, target = text.partition("<") if "<" in text else text.partition(">")
        if mark == "<":
            source, target = target, source
        name, _, outcome = source.partition("[")
        edge: dict[str, Any] = {"source": name, "target": target, **more}
        if outcome:
            edge["outcome"] = outcome.rstrip("]")
        if mark == "<":
            edge["returns"] = True
        found.append(edge)
    return found


def patch(
    node_list: list[dict[str, Any]], edge_list: list[dict[str, Any]] | None = None, **more: Any
) -> dict[str, Any]:
    return {"nodes": node_list, "edges": edge_list or [], **more}


def problems(data: dict[str, Any], skeleton: Skeleton = INVOICE, slot: str = SLOT) -> tuple[Problem, ...]:
    return analyse(skeleton, {slot: SlotGraphPatch.model_validate(data)}).problems


def script(text: str) -> dict[str, Any]:
    return {"type": "script", "config": {"assign": {"x": text}}}


def each(body: dict[str, Any], items: str = "entity.lines") -> dict[str, Any]:
    return {"type": "for_each", "config": {"items": items, "body": body}}


def deep(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth):
        value = {"a": value}
    return {"action": "x", "payload": value}


def nested(depth: int) -> dict[str, Any]:
    body = patch(nodes(a=WAIT))
    for _ in range(depth):
        body = patch(nodes(e=each(body, "entity.lines")))
    return body


def compiled(data: dict[str, Any], skeleton: Skeleton = INVOICE, slot: str = SLOT) -> CompiledWorkflow:
    return compile_effective(skeleton, {slot: SlotGraphPatch.model_validate(data)})
