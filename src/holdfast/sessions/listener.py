"""Hears what models say inside a graph: their tokens as they come, and messages that nodes return without a model.

LangGraph's own stream mode for this looks at every character of every text that a node returns, on the event loop: half
a minute for a hundred megabytes. This one looks at values and at members of lists, as it does otherwise.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping
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


class Listener(BaseCallbackHandler):
    """Passes on what is said in the graph and in those it runs, each message once; what comes in pieces, in pieces.

    What people said is told when they say it: `known` are their words, which are not told again when a node adds them
    to the conversation.
    """

    run_inline = True
    """Called where the model is, so that order is kept."""

    def __init__(
        self,
        hear: Callable[[BaseMessage, Facts, bool], None],
        done: Callable[[str], None],
        known: Collection[str] = (),
    ) -> None:
        self._hear = hear
        self._done = done
        self._known = known
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._facts: dict[UUID, Facts] = {}
        self._heard: set[str] = set()
        self._speaking: dict[UUID, str] = {}
        # Messages without an id, which nodes were given. They are held, so that no other takes their address.
        self._given: dict[int, BaseMessage] = {}
        self._repeatable: dict[UUID, Counter[tuple[str, str]]] = {}

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
        if metadata and "langgraph_node" in metadata and TAG_NOSTREAM not in (tags or ()):
            self._facts[run_id] = metadata

    def on_llm_new_token(self, token: str | list[Any], *, chunk: Any = None, run_id: UUID, **rest: Any) -> None:
        if isinstance(chunk, ChatGenerationChunk) and (facts := self._facts.get(run_id)) is not None:
            self._pass_on(chunk.message, facts, piece=True)
            self._speaking[run_id] = str(chunk.message.id)

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **rest: Any) -> None:
        facts = self._facts.pop(run_id, None)
        if facts is not None and response.generations and response.generations[0]:
            said = response.generations[0][0]
            if isinstance(said, ChatGeneration):
                self._pass_on(said.message, facts)
        self._finish(run_id)

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **rest: Any) -> None:
        self._facts.pop(run_id, None)
        self._finish(run_id)

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
        self._facts[run_id] = metadata
        # What a node was given has been said before. Copies of messages without an id are known by their words; but not
        # those of models, which may well say the same again.
        repeatable = self._repeatable[run_id] = Counter()
        for message in _messages(inputs):
            if message.id is not None:
                self._heard.add(message.id)
            else:
                self._given[id(message)] = message
                if message.type != "ai":
                    repeatable[_words(message)] += 1

    def on_chain_end(self, outputs: Any, *, run_id: UUID, **rest: Any) -> None:
        facts = self._facts.pop(run_id, None)
        repeatable = self._repeatable.pop(run_id, Counter())
        if facts is None:
            return
        for message in _messages(outputs):
            if message.id is None and (id(message) in self._given or repeatable[_words(message)] > 0):
                repeatable[_words(message)] -= 1
                continue
            self._pass_on(message, facts)

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **rest: Any) -> None:
        self._facts.pop(run_id, None)
        self._repeatable.pop(run_id, None)

    # ----------------------------------------------------------------------------------------------------------- inside

    def _pass_on(self, message: BaseMessage, facts: Facts, *, piece: bool = False) -> None:
        if message.id is None:
            message.id = str(uuid4())
        if message.id in self._heard and not piece:
            return
        self._heard.add(message.id)
        if message.type == "human" and isinstance(message.content, str) and message.content in self._known:
            return
        self._call(self._hear, message, facts, piece)

    def _finish(self, run_id: UUID) -> None:
        """A model has said what it had to say."""
        name = self._speaking.pop(run_id, None)
        if name is not None:
            self._call(self._done, name)

    def _call(self, function: Callable[..., None], *given: Any) -> None:
        if threading.get_ident() == self._thread:
            function(*given)
        else:
            self._loop.call_soon_threadsafe(function, *given)


def _words(message: BaseMessage) -> tuple[str, str]:
    return message.type, str(message.content)


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
