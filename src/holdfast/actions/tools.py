"""Actions as tools of a LangGraph agent; needs langchain-core, which the extra `langgraph` brings.

Each call of a tool is a transaction of its own. A tool call's id is the idempotency key: when a graph is resumed and a
call is made again, the action is not done again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from holdfast.actions.model import Action
from holdfast.errors import HoldfastError, OperationalError
from holdfast.kernel.canonical import canonical_json
from holdfast.kernel.exact import plain

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

__all__ = ["make_tools", "tool_name"]

CallAction = Callable[[str, Any, str | None], Awaitable[Any]]
"""Calls an action by name, with an input and perhaps an idempotency key."""

_tool_call: ContextVar[str | None] = ContextVar("holdfast_tool_call", default=None)


def tool_name(action: str) -> str:
    """The name of a tool: models accept letters, digits, _ and - only."""
    return action.replace(".", "_")


def make_tools(actions: Iterable[Action], call: CallAction) -> list[BaseTool]:
    """A tool for each action. What an action refuses is told to the model, which may then do better."""
    try:
        from langchain_core.runnables import RunnableConfig
        from langchain_core.tools import StructuredTool, ToolException
    except ImportError:
        raise OperationalError(
            "langchain-core is not installed", hint="pip install 'holdfast[langgraph]'", module="langchain_core"
        ) from None

    class ActionTool(StructuredTool):
        """A structured tool that remembers which call it answers."""

        async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:  # noqa: A002
            called = input.get("id") if isinstance(input, dict) and input.get("type") == "tool_call" else None
            token = _tool_call.set(called)
            try:
                return await super().ainvoke(input, config, **kwargs)
            finally:
                _tool_call.reset(token)

    def make(action: Action) -> BaseTool:
        async def run(**arguments: Any) -> str:
            key = _tool_call.get() if action.side_effect else None
            try:
                output = await call(action.name, arguments, key and f"tool:{key}")
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
