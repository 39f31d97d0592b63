"""The graphs that this process has in its code: what to execute, and how to describe it in the registry."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Literal

from pydantic import TypeAdapter

from holdfast.errors import DefinitionError, ExtraMissing, InvalidInput
from holdfast.runs.signals import seconds
from holdfast.sessions.definitions import check_spec
from holdfast.sessions.library import check_langgraph

__all__ = ["Graph", "Graphs", "load_target"]

Durability = Literal["sync", "async", "exit"]


@dataclass(frozen=True, slots=True)
class Graph:
    """A graph of this process: a `StateGraph`, a compiled graph, a function that makes one, or `module:name` of it."""

    name: str
    target: Any
    spec: dict[str, Any]
    types: tuple[type, ...] = ()
    """Classes that may come back out of checkpoints, besides those that the graph's schemas name."""

    durability: Durability = "sync"
    recursion_limit: int = 10_000
    prompt_lifetime: timedelta | None = None
    made: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def built(self) -> Any:
        """The graph as its author gave it, made once."""
        if "graph" not in self.made:
            found = load_target(self.target) if isinstance(self.target, str) else self.target
            if not _is_graph(found):
                found = found() if callable(found) else found
            if not _is_graph(found):
                raise DefinitionError(
                    f"the graph {self.name!r} is a {type(found).__name__}",
                    hint="give a StateGraph, a compiled graph, or a function that makes one",
                    field="target",
                )
            self.made["graph"] = found
        return self.made["graph"]


class Graphs:
    """The graphs of an application, by the name of their definition."""

    def __init__(self) -> None:
        self._known: dict[str, Graph] = {}
        self.unpublished: set[str] = set()

    def add(
        self,
        name: str,
        target: Any,
        *,
        input: Any = None,  # noqa: A002 - it is the input
        display_name: str | None = None,
        description: str | None = None,
        version: str | None = None,
        tags: Sequence[str] = (),
        concurrent_input: Literal["reject", "enqueue", "interrupt"] = "reject",
        timeout: float | timedelta | None = None,
        types: Sequence[type] = (),
        durability: Durability = "sync",
        recursion_limit: int = 10_000,
        prompt_lifetime: float | timedelta | None = None,
    ) -> Graph:
        """Register a graph under the name of its definition."""
        check_langgraph()
        if isinstance(target, str):
            _parts(target)
        if name in self._known:
            raise InvalidInput(f"there is already a graph {name!r}", hint="one graph a name", field="name")
        spec = {
            "name": name,
            "displayName": display_name or re.sub(r"[-]+", " ", name).capitalize(),
            "description": description or None,
            "inputSchema": _schema_of(input),
            "version": version,
            "tags": list(tags),
            "concurrentInput": concurrent_input,
            "timeoutSeconds": None if timeout is None else seconds("timeout", timeout).total_seconds(),
        }
        graph = Graph(
            name,
            target,
            check_spec(spec, (), image_needed=False),
            tuple(types),
            durability,
            recursion_limit,
            None if prompt_lifetime is None else seconds("prompt_lifetime", prompt_lifetime),
        )
        self._known[name] = graph
        self.unpublished.add(name)
        return graph

    def find(self, name: str) -> Graph | None:
        return self._known.get(name)

    def __iter__(self) -> Iterator[Graph]:
        return iter(self._known.values())

    def __len__(self) -> int:
        return len(self._known)


def load_target(path: str) -> Any:
    """What `module:name` names."""
    module, name = _parts(path)
    try:
        return getattr(importlib.import_module(module), name)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("lang"):
            raise ExtraMissing("LangGraph is not installed", hint="pip install 'holdfast[langgraph]'") from error
        raise DefinitionError(
            f"there is no module {error.name!r}", hint="install it, or start where it is", field="target"
        ) from error
    except AttributeError:
        raise DefinitionError(f"{module!r} has no {name!r}", hint="name the graph in it", field="target") from None


def _parts(path: str) -> tuple[str, str]:
    module, _, name = path.partition(":")
    if not module or not name:
        raise DefinitionError(
            f"the graph {path!r} is not module:name", hint="such as shop.graphs:triage", field="target"
        )
    return module, name


def _is_graph(found: Any) -> bool:
    return hasattr(found, "astream") or hasattr(found, "compile")


def _schema_of(kind: Any) -> dict[str, Any]:
    if kind is None:
        return {"type": "object"}
    if isinstance(kind, Mapping):
        return dict(kind)
    return TypeAdapter(kind).json_schema()
