"""The trail as somebody may see it: what people and receivers wrote about a document is for those who see all of it.

Events tell what happened, who did it and when, to everybody with `audit:read`. Only their free texts may quote content:
reasons, headlines, messages of errors. The hash chain is checked on what is stored, not on what is shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from holdfast.audit import AuditEvent
from holdfast.documents.access import Access

__all__ = ["redact_events"]

_TEXTS: Final = ("reason", "title", "message")


async def redact_events(access: Access, events: Sequence[AuditEvent]) -> list[AuditEvent]:
    """Events; those about what the actor does not see without their texts, which `redacted` in `data` says."""
    seen = await access.documents_seen({each.object_id for each in events if each.object_kind == "document"})
    await access.note_read(seen, "trail")
    seen |= await access.instances_seen({each.object_id for each in events if each.object_kind == "instance"}, "trail")
    return [
        each
        if each.object_kind not in ("document", "instance") or each.object_id in seen
        else replace(each, data=_without_texts(each.data))
        for each in events
    ]


def _without_texts(data: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in data.items() if name not in _TEXTS}
    if isinstance(kept.get("steps"), list):
        kept["steps"] = [_step(step) for step in kept["steps"]]
    return {**kept, "redacted": True} if kept != data else kept


def _step(step: Any) -> Any:
    return {name: value for name, value in step.items() if name not in _TEXTS} if isinstance(step, Mapping) else step
