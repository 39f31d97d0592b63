"""Counts the nodes that a graph executes; when somebody traces, each has a span below that of the run's attempt."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langgraph.constants import TAG_HIDDEN
from langgraph.errors import GraphBubbleUp
from opentelemetry import context as contexts
from opentelemetry import trace
from opentelemetry.trace import Span, Status, StatusCode

from holdfast.kernel.counts import SESSION_NODES
from holdfast.kernel.traces import recording

__all__ = ["TracedNodes"]


class TracedNodes(BaseCallbackHandler):
    """One execution of a session. What a node is given and returns is not told: it is content."""

    run_inline = True

    def __init__(self, workflow: str, session: str) -> None:
        self._workflow = workflow
        self._session = session
        self._parent = contexts.get_current()
        self._spans: dict[UUID, Span | None] = {}

    def on_chain_start(
        self,
        serialized: dict[str, Any],
        inputs: Any,
        *,
        run_id: UUID,
        tags: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        **rest: Any,
    ) -> None:
        if not metadata or rest.get("name") != metadata.get("langgraph_node") or TAG_HIDDEN in (tags or ()):
            return
        if not recording():
            self._spans[run_id] = None
            return
        about = {"holdfast.session": self._session, "holdfast.workflow": self._workflow}
        name = f"node {metadata['langgraph_node']}"
        self._spans[run_id] = trace.get_tracer("holdfast").start_span(name, self._parent, attributes=about)

    def on_chain_end(self, outputs: Any, *, run_id: UUID, **rest: Any) -> None:
        self._ended(run_id, "completed")

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **rest: Any) -> None:
        # A node that asks somebody leaves by an exception too.
        self._ended(run_id, "interrupted" if isinstance(error, GraphBubbleUp) else "failed", type(error).__name__)

    def _ended(self, run_id: UUID, outcome: str, error: str | None = None) -> None:
        if run_id not in self._spans:
            return
        span = self._spans.pop(run_id)
        SESSION_NODES.add(self._workflow, outcome)
        if span is not None:
            if outcome == "failed":
                span.set_status(Status(StatusCode.ERROR, error))
            span.end()
