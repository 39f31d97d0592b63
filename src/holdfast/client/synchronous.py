"""`SyncClient`: `Client` for programs without an event loop. Made by `scripts/sync_client.py`; change the other.

    with SyncClient("https://holdfast.example", "acme", token="holdfast_…") as client:
        made = client.runs.enqueue("billing.charge.v1", {"order": 7}, key="order-7")
        print((client.runs.get(made.id)).run.status)

Answers are the models that `hold` gives in process, and a problem is raised as the same error. What has no method here
is reached by `request`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from types import TracebackType
from typing import Any, Self, TypeVar
from uuid import UUID

import httpx

from holdfast.client.answers import headers_of, part, query_of, read, wanted_body
from holdfast.documents import Document
from holdfast.http.access import Me
from holdfast.http.data import EntryOut, WrittenOut
from holdfast.http.runs import RunDetail, RunSummary
from holdfast.kernel.page import Page
from holdfast.operate import Health, Incident, Matching, QueueType, Series, WorkerInfo
from holdfast.operations import Operation, OperationItem
from holdfast.people import Decided, InboxItem
from holdfast.runs import Enqueued, RunInfo
from holdfast.sessions import Message, Prompt, SessionInfo

__all__ = ["SyncClient"]

T = TypeVar("T")


class SyncClient:
    """One tenant of one server, as whoever the token stands for. `with` closes its connections.

    For example:

        with SyncClient("https://holdfast.example", "acme", token=secret) as client:
            run = client.runs.enqueue("billing.invoice_charge.v1", {"total": "12.50"})
    """

    def __init__(
        self,
        url: str,
        tenant: str,
        *,
        token: str,
        timeout: float = 30.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._http = httpx.Client(
            base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=timeout, transport=transport
        )
        self._tenant = tenant
        self.runs = RunCalls(self)
        self.documents = DocumentCalls(self)
        self.approvals = ApprovalCalls(self)
        self.data = DataCalls(self)
        self.sessions = SessionCalls(self)
        self.operations = OperationCalls(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def request(
        self,
        method: str,
        path: str,
        shape: type[T] = object,  # type: ignore[assignment]  # whatever the answer is
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        idempotency_key: str | None = None,
        if_match: int | str | None = None,
    ) -> T:
        """Any route of the tenant: `request("GET", "/schedules")`. The answer is read as `shape`."""
        answer = self._http.request(
            method,
            f"/v1/{part(self._tenant)}{path}",
            params=query_of(query or {}),
            content=wanted_body(body),
            headers=headers_of(idempotency_key=idempotency_key, if_match=if_match, body=body is not None),
        )
        return read(answer, shape)

    def me(self) -> Me:
        """Who the token stands for."""
        return read(self._http.get("/v1/me"), Me)

    def health(self) -> Health:
        """How each queue is doing."""
        return self.request("GET", "/health", Health)

    def series(self, queue: str, span: str = "1h") -> Series:
        """What a queue did over time: of `5m`, `1h` or `24h`."""
        return self.request("GET", "/health/series", Series, query={"queue": queue, "span": span})

    def incidents(self, *, queue: str | None = None, hours: int = 24) -> list[Incident]:
        """What went wrong, grouped by error."""
        return self.request("GET", "/health/incidents", list[Incident], query={"queue": queue, "hours": hours})

    def workers(self) -> list[WorkerInfo]:
        """Who works, and on what."""
        return self.request("GET", "/workers", list[WorkerInfo])


class RunCalls:
    """Runs, `client.runs`."""

    def __init__(self, client: SyncClient) -> None:
        self._client = client

    def enqueue(
        self,
        type: str,  # noqa: A002 - it is the type
        payload: Any = None,
        *,
        key: str | None = None,
        **options: Any,
    ) -> Enqueued:
        """Enqueue a run; with a key, once. Options are priority, run_at, delay, max_attempts, concurrency_key …"""
        body = {"type": type, "payload": payload, **options}
        return self._client.request("POST", "/runs", Enqueued, body=body, idempotency_key=key)

    def get(self, run_id: UUID) -> RunDetail:
        """One run with its steps and events."""
        return self._client.request("GET", f"/runs/{part(run_id)}", RunDetail)

    def list(
        self,
        *,
        status: str | None = None,
        type: str | None = None,  # noqa: A002 - it is the type
        prefix: str | None = None,
        key: str | None = None,
        error: str | None = None,
        payload: Mapping[str, Any] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[RunSummary]:
        """Runs, newest first."""
        query: dict[str, Any] = {
            "status": status,
            "type": type,
            "prefix": prefix,
            "key": key,
            "error": error,
            "payload": payload,
        }
        query |= {"since": since, "until": until, "limit": limit, "cursor": cursor}
        return self._client.request("GET", "/runs", Page[RunSummary], query=query)

    def every(self, **asked: Any) -> Iterator[RunSummary]:
        """Runs as `list` gives them, page after page."""
        page = self.list(**asked)
        while True:
            yield from page.items
            if page.next_cursor is None:
                return
            page = self.list(**asked | {"cursor": page.next_cursor})

    def cancel(self, run_id: UUID, *, reason: str = "cancelled") -> RunInfo:
        """Cancel a run that is not finished."""
        return self._client.request("POST", f"/runs/{part(run_id)}/cancel", RunInfo, body={"reason": reason})

    def retry(self, run_id: UUID) -> Enqueued:
        """Enqueue a finished run anew, as another run."""
        return self._client.request("POST", f"/runs/{part(run_id)}/retry", Enqueued)

    def types(self) -> Sequence[QueueType]:
        """The queue by type: how many, paused or not, handled or not."""
        return self._client.request("GET", "/run-types", list[QueueType])


class DocumentCalls:
    """Documents, `client.documents`. What changes one names the version that was seen, or "*" for whatever it is."""

    def __init__(self, client: SyncClient) -> None:
        self._client = client

    def create(self, entity_type: str, data: Mapping[str, Any], *, key: str | None = None) -> Document:
        """Make a document; with a key, once."""
        body = {"entity_type": entity_type, "data": dict(data)}
        return self._client.request("POST", "/documents", Document, body=body, idempotency_key=key)

    def get(self, document_id: UUID) -> Document:
        """One document."""
        return self._client.request("GET", f"/documents/{part(document_id)}", Document)

    def update(
        self,
        document_id: UUID,
        changes: Mapping[str, Any],
        *,
        version: int | str,
        remove: Sequence[str] = (),
        reason: str | None = None,
    ) -> Document:
        """Set top-level fields of the version that was seen."""
        body = {"changes": dict(changes), "remove": [*remove], "reason": reason}
        where = f"/documents/{part(document_id)}"
        return self._client.request("PATCH", where, Document, body=body, if_match=version)

    def transition(
        self, document_id: UUID, transition: str, *, version: int | str, reason: str | None = None
    ) -> Document:
        """Ask for a move of the lifecycle, such as `submit`."""
        body = {"transition": transition, "reason": reason}
        where = f"/documents/{part(document_id)}/transitions"
        return self._client.request("POST", where, Document, body=body, if_match=version)


class ApprovalCalls:
    """What waits for a person, `client.approvals`."""

    def __init__(self, client: SyncClient) -> None:
        self._client = client

    def inbox(self, *, limit: int = 50, cursor: str | None = None) -> Page[InboxItem]:
        """What waits for whoever the token stands for, oldest first."""
        return self._client.request("GET", "/inbox", Page[InboxItem], query={"limit": limit, "cursor": cursor})

    def decide(self, request_id: UUID, decision: str, *, entity_version: int, reason: str | None = None) -> Decided:
        """Decide on the version that was seen: approved, rejected, returned or abstained."""
        body = {"decision": decision, "entity_version": entity_version, "reason": reason}
        return self._client.request("POST", f"/approvals/{part(request_id)}/decisions", Decided, body=body)


class DataCalls:
    """Keys, `client.data`."""

    def __init__(self, client: SyncClient) -> None:
        self._client = client

    def get(self, namespace: str, key: str) -> EntryOut:
        """The entry of a key; `NotFound` when it is not there."""
        query = {"namespace": namespace, "key": key}
        return self._client.request("GET", "/data/entry", EntryOut, query=query)

    def set(
        self, namespace: str, key: str, value: Any, *, ttl_seconds: float | None = None, if_revision: int | None = None
    ) -> WrittenOut:
        """Store a value; `if_revision=0` only if the key is not there."""
        body = {"value": value, "ttl_seconds": ttl_seconds, "if_revision": if_revision}
        query = {"namespace": namespace, "key": key}
        return self._client.request("PUT", "/data/entry", WrittenOut, query=query, body=body)

    def delete(self, namespace: str, key: str, *, revision: int | None = None) -> None:
        """Delete a key."""
        query = {"namespace": namespace, "key": key}
        self._client.request("DELETE", "/data/entry", type(None), query=query, if_match=revision)


class SessionCalls:
    """Sessions, `client.sessions`."""

    def __init__(self, client: SyncClient) -> None:
        self._client = client

    def start(self, workflow: str, input: Any = None, *, name: str | None = None) -> SessionInfo:  # noqa: A002
        """Start a session."""
        body = {"workflow": workflow, "input": input, "name": name}
        return self._client.request("POST", "/sessions", SessionInfo, body=body)

    def get(self, name: str) -> SessionInfo:
        """One session, with input and output."""
        return self._client.request("GET", f"/sessions/{part(name)}", SessionInfo)

    def prompts(self, name: str) -> Sequence[Prompt]:
        """The prompts that wait for an answer."""
        return self._client.request("GET", f"/sessions/{part(name)}/prompts", list[Prompt])

    def answer(self, name: str, answer: Any, *, prompt_id: str) -> SessionInfo:
        """Answer a prompt, once: whoever is second gets `PromptClosed`."""
        body = {"answer": answer, "prompt_id": prompt_id}
        return self._client.request("POST", f"/sessions/{part(name)}/answers", SessionInfo, body=body)

    def messages(
        self,
        name: str,
        *,
        after: int = 0,
        type: str | None = None,  # noqa: A002 - it is the type
        limit: int = 200,
    ) -> Sequence[Message]:
        """What happened, in order, after a sequence number."""
        query = {"after": after, "type": type, "limit": limit}
        return self._client.request("GET", f"/sessions/{part(name)}/messages", list[Message], query=query)


class OperationCalls:
    """What is done to many things at once, `client.operations`."""

    def __init__(self, client: SyncClient) -> None:
        self._client = client

    def count(self, kind: str, filter: Mapping[str, Any]) -> Matching:  # noqa: A002 - it is the filter
        """How many things it would be about."""
        body = {"kind": kind, "filter": dict(filter)}
        return self._client.request("POST", "/operations/count", Matching, body=body)

    def start(
        self,
        kind: str,
        filter: Mapping[str, Any],  # noqa: A002 - it is the filter
        *,
        reason: str | None = None,
    ) -> Operation:
        """Do it, as a worker comes to it."""
        body = {"kind": kind, "filter": dict(filter), "reason": reason}
        return self._client.request("POST", "/operations", Operation, body=body)

    def get(self, operation_id: UUID) -> Operation:
        """How far it has come."""
        return self._client.request("GET", f"/operations/{part(operation_id)}", Operation)

    def items(
        self, operation_id: UUID, *, outcome: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> Page[OperationItem]:
        """What became of each thing."""
        query = {"outcome": outcome, "limit": limit, "cursor": cursor}
        where = f"/operations/{part(operation_id)}/items"
        return self._client.request("GET", where, Page[OperationItem], query=query)

    def cancel(self, operation_id: UUID) -> Operation:
        """End it after the batch that is under way."""
        return self._client.request("POST", f"/operations/{part(operation_id)}/cancel", Operation)
