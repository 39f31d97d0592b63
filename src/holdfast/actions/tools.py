"""Actions as tools of a LangGraph agent; needs langchain-core, which the extra `langgraph` brings.

Each call of a tool is a transaction of its own, and is done once. LangGraph executes a node again when its worker died,
when it is tried again, and when somebody answers what it asked; its task then has the same thread and the same id. The
idempotency key of a call is made of these, and of the id the model gave it or, for a call the node makes by itself, of
which call it is: so the action is not done again, and a node that comes by once more in a loop does do it again.
Outside of a graph with checkpoints only the id of the tool call is left for a key.
"""

from __future__ import annotations

import hashlib
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from holdfast.actions.model import Action
from holdfast.errors import Forbidden, HoldfastError, InvalidInput, OperationalError
from holdfast.kernel.json import canonical_json, plain

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

__all__ = ["make_tools", "tenant_of_tools", "tool_name"]

CallAction = Callable[[str, Any, str | None], Awaitable[Any]]
"""Calls an action by name, with an input and perhaps an idempotency key."""

_MOST_NODES = 10_000
_place: ContextVar[_Place | None] = ContextVar("holdfast_tool_place", default=None)


def tool_name(action: str) -> str:
    """The name of a tool: models accept letters, digits, _ and - only."""
    return action.replace(".", "_")


def tenant_of_tools(named: str | None, executing: str | None) -> str:
    """The tenant in which a tool acts: that of the session which calls it, or the one that was named."""
    if named is None and executing is None:
        raise InvalidInput(
            "the tools are called outside of a session and of no tenant",
            hint='name it: app.as_tools("acme")',
            field="tenant",
        )
    if named is not None and executing is not None and named != executing:
        raise Forbidden(
            f"the tools act in the tenant {named!r}, and the session is another tenant's",
            hint="leave the tenant out: tools then act in that of the session",
            tenant=named,
        )
    return named or executing or ""


def make_tools(actions: Iterable[Action], call: CallAction) -> list[BaseTool]:
    """A tool for each action. What an action refuses is told to the model, which may then do better."""
    try:
        from langchain_core.runnables import RunnableConfig, ensure_config
        from langchain_core.tools import StructuredTool, ToolException
    except ImportError:
        raise OperationalError(
            "langchain-core is not installed", hint="pip install 'holdfast[langgraph]'", module="langchain_core"
        ) from None

    calls = _Calls()

    class ActionTool(StructuredTool):
        """A structured tool that knows from where it is called."""

        async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:  # noqa: A002
            called = input.get("id") if isinstance(input, dict) and input.get("type") == "tool_call" else None
            token = _place.set(_Place.of(ensure_config(config), called))
            try:
                return await super().ainvoke(input, config, **kwargs)
            finally:
                _place.reset(token)

    def make(action: Action) -> BaseTool:
        async def run(**arguments: Any) -> str:
            place = _place.get()
            key = calls.key(place, action.name, arguments) if action.side_effect and place is not None else None
            try:
                output = await call(action.name, arguments, key)
            except HoldfastError as error:
                raise ToolException(str(error)) from error
            return canonical_json(plain(output)).decode()

        return ActionTool(
            name=tool_name(action.name),
            description=action.description or action.label,
            args_schema=action.input.schema,
            coroutine=run,
            handle_tool_error=True,
            metadata={"action": action.name, "side_effect": action.side_effect},
        )

    return [make(action) for action in actions]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a tool is called: in which task of which thread, by which execution of its node, as which call."""

    thread: str | None
    task: str | None
    node: str | None
    call: str | None

    @classmethod
    def of(cls, config: Mapping[str, Any], call: str | None) -> _Place:
        inside = config.get("configurable") or {}
        # The namespace of a task ends with its id, which LangGraph makes of the checkpoint, the step and the node.
        thread, task = inside.get("thread_id"), inside.get("checkpoint_ns")
        started_by = getattr(config.get("callbacks"), "parent_run_id", None)
        return cls(thread and str(thread), task and str(task), started_by and str(started_by), call)


class _Calls:
    """Tells the calls of one execution of a node apart."""

    def __init__(self) -> None:
        self._made: OrderedDict[str, Counter[str]] = OrderedDict()

    def key(self, place: _Place, action: str, arguments: Any) -> str | None:
        """The idempotency key of a call; None where nothing tells it from another one."""
        if not (place.thread and place.task):
            return place.call and f"tool:{place.call}"
        where = [place.thread, place.task, action]
        if place.call is not None:
            return _digest([*where, "call", place.call])
        if place.node is None:
            return None
        what = _digest([*where, plain(arguments)])
        made = self._made.setdefault(place.node, Counter())
        self._made.move_to_end(place.node)
        if len(self._made) > _MOST_NODES:
            self._made.popitem(last=False)
        made[what] += 1
        return _digest([what, "nth", made[what]])


def _digest(parts: list[Any]) -> str:
    return f"graph:{hashlib.sha256(canonical_json(parts)).hexdigest()}"
