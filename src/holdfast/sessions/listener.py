"""Hears what models say inside a graph: their tokens as they come, and messages that nodes return without a model.

LangGraph's own stream mode for this looks at every character of every text that a node returns, on the event loop: half
a minute for a hundred megabytes. This one looks at values and at members of lists, as it does otherwise.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar
from uuid import UUID, uuid4

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, LLMResult
from langgraph.constants import TAG_HIDDEN, TAG_NOSTREAM
from langgraph.types import Command
from pydantic import BaseModel

__all__ = ["Listener"]

T = TypeVar("T")
Facts = Mapping[str, Any]
_DEEPER = "|"


class Listener(BaseCallbackHandler):
    """Passes on what is said in the graph itself, each message once; what a model says in pieces, in pieces."""

    run_inline = True
    """Called where the model is, so that order is kept."""

    def __init__(self, hear: Callable[[BaseMessage, Facts], None]) -> None:
        self._hear = hear
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._facts: dict[UUID, Facts] = {}
        self._heard: set[str] = set()

    # Chat models answer in pieces when a handler has these two.

    def tap_output_aiter(self, run_id: UUID, output: AsyncIterator[T]) -> AsyncIterator[T]:
        return output

    def tap_output_iter(self, run_id: UUID, output: Iterator[T]) -> Iterator[T]:
        return output

    # ----------------------------------------------------------------------------------------------------------- models

    def on_chat_model_start(
        self,
        serialized: dict[str, Any],
        messages: list[list[BaseMessage]],
        *,
        run_id: UUID,
        tags: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        **rest: Any,
    ) -> None:
        if metadata and _is_ours(metadata) and TAG_NOSTREAM not in (tags or ()):
            self._facts[run_id] = metadata

    def on_llm_new_token(self, token: str | list[Any], *, chunk: Any = None, run_id: UUID, **rest: Any) -> None:
        if isinstance(chunk, ChatGenerationChunk) and (facts := self._facts.get(run_id)) is not None:
            self._pass_on(chunk.message, facts, piece=True)

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **rest: Any) -> None:
        facts = self._facts.pop(run_id, None)
        if facts is not None and response.generations and response.generations[0]:
            said = response.generations[0][0]
            if isinstance(said, ChatGeneration):
                self._pass_on(said.message, facts)

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **rest: Any) -> None:
        self._facts.pop(run_id, None)

    # ------------------------------------------------------------------------------------------------------------ nodes

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
        if _is_ours(metadata):
            self._facts[run_id] = metadata
            # What a node was given has been said before.
            self._heard.update(message.id for message in _messages(inputs) if message.id is not None)

    def on_chain_end(self, outputs: Any, *, run_id: UUID, **rest: Any) -> None:
        facts = self._facts.pop(run_id, None)
        if facts is not None:
            for message in _messages(outputs):
                self._pass_on(message, facts)

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **rest: Any) -> None:
        self._facts.pop(run_id, None)

    # ----------------------------------------------------------------------------------------------------------- inside

    def _pass_on(self, message: BaseMessage, facts: Facts, *, piece: bool = False) -> None:
        if message.id is None:
            message.id = str(uuid4())
        if message.id in self._heard and not piece:
            return
        self._heard.add(message.id)
        if threading.get_ident() == self._thread:
            self._hear(message, facts)
        else:
            self._loop.call_soon_threadsafe(self._hear, message, facts)


def _is_ours(metadata: Facts) -> bool:
    """Whether it happens in the session's graph, and not in one that a node of it runs."""
    return _DEEPER not in str(metadata.get("langgraph_checkpoint_ns", ""))


def _messages(given: Any) -> Iterator[BaseMessage]:
    """The messages in what a node takes or returns: it itself, the values of a state, and the members of those."""
    if isinstance(given, BaseMessage):
        yield given
    elif isinstance(given, Command):
        yield from _messages(given.update)
    elif isinstance(given, list | tuple):
        for one in given:
            if isinstance(one, BaseMessage):
                yield one
            elif isinstance(one, Command):
                yield from _messages(one.update)
    else:
        for value in _values(given):
            if isinstance(value, BaseMessage):
                yield value
            elif isinstance(value, list | tuple):
                yield from (one for one in value if isinstance(one, BaseMessage))


def _values(state: Any) -> list[Any]:
    if isinstance(state, dict):
        return list(state.values())
    if isinstance(state, BaseModel):
        return [getattr(state, name) for name in type(state).model_fields]
    if is_dataclass(state) and not isinstance(state, type):
        return [getattr(state, field.name) for field in fields(state)]
    return []
