"""Intake: from the patches as written to regions with full ids, checked configurations and attachment points.

A region is what lies between an `in` and an `out`: the patch of a slot, or the body of a `for_each` node.
What a region may name is decided here (WF-06); what its graph may look like is decided later, region by
region.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from pydantic import ValidationError

from holdfast.envelope.compiler.hints import did_you_mean
from holdfast.envelope.durations import parse_duration
from holdfast.envelope.ids import Namespace, slot_namespace
from holdfast.envelope.parts.fields import NodeConfig, Part
from holdfast.envelope.parts.graph import BodyPatch, Edge, Node, SlotGraphPatch
from holdfast.envelope.parts.registry import STANDARD, NodeType, NodeTypes
from holdfast.envelope.parts.work import ForEachConfig
from holdfast.envelope.problems import Path, Problems, said

__all__ = ["MAX_BODY_DEPTH", "DraftEdge", "DraftNode", "Region", "read_patch"]

MAX_BODY_DEPTH: Final = 4
"""How deeply `for_each` bodies may be nested."""

MAX_CONFIG_DEPTH: Final = 100
"""How deeply the values of a configuration may be nested."""

MAX_CONFIG_VALUES: Final = 100_000
"""How many values the configuration of one node may hold."""

MAX_DIGITS: Final = 900
"""How many digits a number of a configuration may have."""


@dataclass(slots=True)
class DraftNode:
    """A node with its full id. `kind` and `config` are None when they could not be made sense of."""

    id: str
    node: Node
    path: Path
    kind: NodeType | None
    config: NodeConfig | None


@dataclass(slots=True)
class DraftEdge:
    """An edge with full ids."""

    id: str
    source: str
    target: str
    edge: Edge
    path: Path


@dataclass(slots=True)
class Region:
    """The graph between an `in` and an `out`."""

    namespace: Namespace
    path: Path
    parent: str | None
    branches: bool = False
    """Whether several edges may leave `in`."""
    nodes: dict[str, DraftNode] = field(default_factory=dict)
    edges: dict[str, DraftEdge] = field(default_factory=dict)
    bodies: dict[str, Region] = field(default_factory=dict)

    def walk(self) -> Iterator[Region]:
        """This region and, depth first, every body inside it."""
        yield self
        for body in self.bodies.values():
            yield from body.walk()


def read_patch(slot_id: str, patch: SlotGraphPatch, types: NodeTypes, problems: Problems) -> Region:
    """The region of a slot's patch."""
    path = Path("slots").key(slot_id)
    return _Reader(types, problems).region(patch, slot_namespace(slot_id), path, None, 0)


class _Reader:
    """Reads one patch and its bodies, noting problems."""

    def __init__(self, types: NodeTypes, problems: Problems) -> None:
        self.types = types
        self.problems = problems

    def region(self, patch: BodyPatch, names: Namespace, path: Path, parent: str | None, depth: int) -> Region:
        region = Region(names, path, parent, branches=patch.entry_edge_mode == "branch")
        for index, node in enumerate(patch.nodes):
            self.node(region, node, path.field("nodes").index(index))
        for index, edge in enumerate(patch.edges):
            self.edge(region, edge, path.field("edges").index(index))
        self.attach(region, patch)
        for draft in region.nodes.values():
            if isinstance(draft.config, ForEachConfig):
                self.body(region, draft, draft.config, depth)
        return region

    def body(self, region: Region, draft: DraftNode, config: ForEachConfig, depth: int) -> None:
        path = draft.path.field("config").field("body")
        if depth >= MAX_BODY_DEPTH:
            message = f"for_each nodes are nested more than {MAX_BODY_DEPTH} deep"
            self.problems.add("body.depth", path, message, "Move the inner work into an action or a run")
            return
        names = region.namespace.body(draft.id)
        region.bodies[draft.id] = self.region(config.body, names, path, draft.id, depth + 1)

    def node(self, region: Region, node: Node, path: Path) -> None:
        names = region.namespace
        full = names.node(node.id)
        if not names.owns_node(full):
            self.problems.add(
                "scope.node_id",
                path.field("id"),
                f"{node.id!r} is not a node id of {names.slot_id}",
                f"Use a short name, or {names.prefix}‹name›; letters, digits, `_`, `-`, `.`; not `in` or `out`",
            )
            return
        if full in region.nodes:
            message = f"another node already has the id {node.id!r}"
            self.problems.add("scope.duplicate_node", path.field("id"), message, "Rename one of them")
            return
        kind = self.types.get(node.type)
        config = None
        if kind is None:
            message = f"there is no node type {node.type!r}"
            usable = [each.name for each in self.types.values() if each.placement == "slot"]
            self.problems.add("node.unknown_type", path.field("type"), message, did_you_mean(node.type, usable))
        elif kind.placement != "slot":
            message = f"{node.type!r} belongs to the skeleton and cannot be used in a slot"
            hint = "Gates and states are the contract's; end a slot with an edge to `out`"
            self.problems.add("scope.system_type", path.field("type"), message, hint)
        else:
            config = self.config(kind, node, path.field("config"))
        region.nodes[full] = DraftNode(full, node, path, kind, config)

    def config(self, kind: NodeType, node: Node, path: Path) -> NodeConfig | None:
        if self.unusable(node.config, path):
            return None
        try:
            config = kind.config.model_validate(node.config)
        except ValidationError as error:
            for found in error.errors(include_url=False, include_context=False, include_input=False):
                place = _place(path, node.config, found["loc"])
                self.problems.add("config.invalid", place, *said(found))
            return None
        if kind is STANDARD.get(kind.name):
            return config
        # A model of the user's own may give values, as defaults or when it reads them, that JSON does not have.
        usable = not self.unusable(config.model_dump(), path)
        return config if self.times_out(config, path) and usable else None

    def times_out(self, config: NodeConfig, path: Path) -> bool:
        """Whether the timeout of a type that can end so, if it has one, is a duration."""
        timeout = getattr(config, "timeout", None) if "timeout" in config.outcomes() else None
        try:
            if timeout is not None:
                parse_duration(str(timeout))
        except ValueError as error:
            self.problems.add("config.invalid", path.field("timeout"), str(error), "Give the field the type Duration")
            return False
        return True

    def unusable(self, values: Mapping[str, Any], path: Path) -> bool:
        found = list(_Scan().problems(values, path))
        for code, place, message in found:
            hint = "Write an integer of minor units, a decimal in JSON text, or a string" if "float" in code else ""
            self.problems.add(code, place, message, hint)
        return bool(found)

    def edge(self, region: Region, edge: Edge, path: Path) -> None:
        names = region.namespace
        source, target = names.endpoint(edge.source), names.endpoint(edge.target)
        known = self.endpoint(region, source, names.entry, path.field("source"))
        known &= self.endpoint(region, target, names.exit, path.field("target"))
        if edge.id is None:
            full = names.edge(source, target, edge.outcome, edge.condition)
        else:
            full = names.node(edge.id)
            if not names.owns_edge(full):
                message = f"{edge.id!r} is not an edge id of {names.slot_id}"
                hint = f"Leave it out, use a short name, or {names.prefix}‹name›"
                self.problems.add("scope.edge_id", path.field("id"), message, hint)
                return
        if full in region.edges:
            hint = "Remove one of them, or give them different ids and conditions"
            self.problems.add("scope.duplicate_edge", path, f"another edge already is {names.short(full)!r}", hint)
        elif known:
            region.edges[full] = DraftEdge(full, source, target, edge, path)

    def endpoint(self, region: Region, node_id: str, attachment: str, path: Path) -> bool:
        names = region.namespace
        if node_id in region.nodes or node_id == attachment:
            return True
        if names.owns_node(node_id):
            short = names.short(node_id)
            hint = did_you_mean(short, [names.short(known) for known in region.nodes])
            self.problems.add("edge.unknown_endpoint", path, f"there is no node {short!r} here", hint)
        else:
            hint = "Edges begin at `in` or a node of this patch and end at `out` or a node of this patch"
            self.problems.add("scope.edge_endpoint", path, f"{node_id!r} lies outside of {names.slot_id}", hint)
        return False

    def attach(self, region: Region, patch: BodyPatch) -> None:
        """Connect the patch to `in` and `out` where its author left that to us, and check the modes."""
        names, problems = region.namespace, self.problems
        forward = [edge for edge in region.edges.values() if not edge.edge.returns]
        if not any(edge.source == names.entry for edge in forward):
            entered = {edge.target for edge in forward}
            self.imply(region, [(names.entry, node) for node in region.nodes if node not in entered])
        if not any(edge.target == names.exit for edge in forward):
            left = {edge.source for edge in region.edges.values()}
            self.imply(region, [(node, names.exit) for node in region.nodes if node not in left])
        entries = [edge for edge in region.edges.values() if edge.source == names.entry]
        exits = [edge for edge in region.edges.values() if edge.target == names.exit]
        if not entries:
            problems.add("attach.entry", region.path, "nothing follows `in`", "Add an edge from `in` to the first step")
        elif patch.entry_edge_mode == "serial" and len(entries) > 1:
            message = f"{len(entries)} edges leave `in`, but entry_edge_mode is serial"
            hint = "Use entry_edge_mode: branch to take the first that matches, or begin with a parallel_split"
            problems.add("attach.entry", region.path.field("entry_edge_mode"), message, hint)
        if not exits:
            problems.add(
                "attach.exit", region.path, "nothing leads to `out`", "Add an edge from the last step to `out`"
            )
        elif patch.exit_edge_mode == "single" and len(exits) > 1:
            message = f"{len(exits)} edges enter `out`, but exit_edge_mode is single"
            hint = "Use exit_edge_mode: join when several branches end here"
            problems.add("attach.exit", region.path.field("exit_edge_mode"), message, hint)

    def imply(self, region: Region, ends: Sequence[tuple[str, str]]) -> None:
        names = region.namespace
        for source, target in ends:
            full = names.edge(source, target, None, None)
            edge = Edge(source=source, target=target)
            region.edges.setdefault(full, DraftEdge(full, source, target, edge, region.path.field("edges")))


class _Scan:
    """Looks for what JSON has no exact form for: the code, the place, and what is there."""

    def __init__(self) -> None:
        self.seen = 0

    def problems(self, value: Any, path: Path, depth: int = 0) -> Iterator[tuple[str, Path, str]]:
        self.seen += 1
        if value is None or isinstance(value, str | int | Decimal):
            wrong = _not_exact(value)
            if wrong:
                yield "config.invalid", path, wrong
        elif depth > MAX_CONFIG_DEPTH:
            yield "config.invalid", path, f"this is nested more than {MAX_CONFIG_DEPTH} levels deep"
        elif self.seen > MAX_CONFIG_VALUES:
            # Values made in Python can share parts, or hold themselves, and so be larger than they look.
            if self.seen == MAX_CONFIG_VALUES + 1:
                yield "config.invalid", path, f"the configuration holds more than {MAX_CONFIG_VALUES} values"
        elif isinstance(value, Mapping):
            for key, item in value.items():
                if not isinstance(key, str) or _not_exact(key):
                    yield "config.invalid", path, f"the key {key!r} is not a text"
                else:
                    yield from self.problems(item, path.below([key]), depth + 1)
        elif isinstance(value, list | tuple):
            for index, item in enumerate(value):
                yield from self.problems(item, path.index(index), depth + 1)
        elif isinstance(value, Part):
            yield from self.problems(value.model_dump(), path, depth)
        elif isinstance(value, float):
            yield "config.float", path, f"{value!r} is a binary float, which cannot be hashed"
        else:
            yield "config.invalid", path, f"a {type(value).__name__} is not a JSON value"


def _not_exact(value: str | int | Decimal | None) -> str:
    """Why a single value cannot be hashed; empty when it can."""
    if isinstance(value, str):
        half = not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value)
        return "this holds half a character (a lone surrogate)" if half else ""
    if isinstance(value, Decimal):
        if not value.is_finite():
            return f"{value} is not a number"
        _, digits, exponent = value.as_tuple()
        too_long = len(digits) > MAX_DIGITS or abs(int(exponent)) > MAX_DIGITS
    else:
        too_long = isinstance(value, int) and value.bit_length() > MAX_DIGITS * 3
    return f"this number has more than {MAX_DIGITS} digits" if too_long else ""


def _place(path: Path, data: Any, steps: tuple[str | int, ...]) -> Path:
    """Where in `data` pydantic's location is, leaving out the union members it names on the way."""
    here: Any = data
    passed: Any = None
    for step in steps:
        if isinstance(step, int):
            path = path.index(step)
            here = here[step] if isinstance(here, list | tuple) and step < len(here) else None
        elif isinstance(here, Mapping) and here is not passed and step not in here and here.get("kind") == step:
            passed = here
        elif re.fullmatch(r"\w+", step):
            path = path.field(step)
            here = here.get(step) if isinstance(here, Mapping) else None
    return path
