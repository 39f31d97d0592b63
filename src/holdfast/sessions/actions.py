"""Sessions as actions: `sessions.start` and `sessions.answer`.

A session that is started exists, and is executed, if and only if the transaction of the call commits. A step that must
wait for the end of a session is a `session` node.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any
from uuid import UUID

from pydantic import BaseModel

from holdfast.actions import ActionRegistry, Call, shown
from holdfast.kernel.given import Given
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx
from holdfast.sessions.model import SessionInfo
from holdfast.sessions.node import json_numbers

__all__ = ["register_sessions"]

_SQL = queries("sessions")


class Start(Given):
    """A session to start."""

    workflow: Annotated[
        str, shown("Definition", "what to start", widget="combobox", suggestions="sessions.definitions")
    ]
    input: Annotated[dict[str, Any], shown("Input", "what the graph is given", widget="json", default_factory=dict)]
    name: Annotated[str | None, shown("Name", "by default one is made up", widget="expression", advanced=True)] = None
    timeout_seconds: Annotated[
        float | None, shown("Timeout in seconds", "for the whole session, waiting included", advanced=True, gt=0)
    ] = None


class AnswerPrompt(Given):
    """An answer to what a session asks."""

    name: Annotated[str, shown("Session", "its name", widget="expression")]
    answer: Annotated[Any, shown("Answer", "what the prompt's schema allows", widget="json")]
    prompt_id: Annotated[str, shown("Prompt", "the id of the prompt that is answered", widget="expression")]


class SessionOut(BaseModel):
    """The session as it is now."""

    session_id: UUID
    name: str
    status: str


async def start(call: Call, wanted: Start) -> Any:
    """Start a session of a registered graph, without waiting for it."""
    return _answer(
        await call.hold.sessions.start(
            wanted.workflow, json_numbers(wanted.input), name=wanted.name, timeout=wanted.timeout_seconds
        )
    )


async def answer(call: Call, wanted: AnswerPrompt) -> Any:
    """Answer a prompt of a session that waits; it goes on. A prompt is answered once."""
    return _answer(
        await call.hold.sessions.answer(wanted.name, json_numbers(wanted.answer), prompt_id=wanted.prompt_id)
    )


def register_sessions(registry: ActionRegistry) -> None:
    """Register the actions of sessions."""
    for name, function, given, label in (
        ("sessions.start", start, Start, "Start a session"),
        ("sessions.answer", answer, AnswerPrompt, "Answer a session"),
    ):
        registry.add(
            name,
            function,
            input=given,
            output=SessionOut,
            permission="sessions:write",
            label=label,
            group="Sessions",
        )

    async def definitions(tx: TenantTx, namespace: str | None, prefix: str) -> Sequence[str]:
        return [row["name"] for row in await tx.rows(_SQL["definitions_for_tenants"], name=None, tag=None)]

    registry.suggests("sessions.definitions", in_use=definitions, permission="sessions:read")


def _answer(session: SessionInfo) -> dict[str, Any]:
    return {"session_id": session.id, "name": session.session_name, "status": session.status}
