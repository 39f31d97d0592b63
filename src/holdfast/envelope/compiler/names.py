"""Names: what a definition names that lies outside of it, held against what there is.

A role nobody has defined, a chain that is gone, an action that is misspelt or is given the wrong input would fail every
document that comes there. What a compile cannot know by itself it is told as `Surroundings`; without them nothing is
said. What only another program may know (an action of an application that is not loaded here) is a warning.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from holdfast.envelope.compiler.hints import did_you_mean
from holdfast.envelope.compiler.intake import DraftNode, Region
from holdfast.envelope.expressions import Payload, Scope, check, parse
from holdfast.envelope.expressions.payloads import unknown_places
from holdfast.envelope.parts.flow import RuleConfig, WaitEventConfig
from holdfast.envelope.parts.graph import SlotGraphPatch
from holdfast.envelope.parts.people import ApprovalConfig, ByRole, ByUser, NotificationConfig, TaskConfig
from holdfast.envelope.parts.system import PolicyGateConfig
from holdfast.envelope.parts.work import ActionConfig
from holdfast.envelope.people import ANYONE
from holdfast.envelope.problems import Path, Problems, Severity
from holdfast.envelope.tokens.asking import BUILT_IN_DECISIONS
from holdfast.errors import ExpressionError
from holdfast.kernel.schemas import SchemaProblem

__all__ = ["Mentioned", "Surroundings", "asked_by_chains", "check_names", "mentioned"]

_OURS: Final = "process"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What there is around a definition."""

    roles: Collection[str]
    users: Collection[str]
    """Of those that are mentioned, who is there."""
    chains: Mapping[str, Sequence[Mapping[str, Any]]]
    """The stages of chains, by the chain's name."""
    rules: Collection[str]
    permissions: Collection[str]
    actions: Mapping[str, Callable[[Any], Sequence[SchemaProblem]]]
    """What is wrong with an input, by the action's name."""
    own_areas: Collection[str] = ()
    """The first parts of names of actions that nobody but the product gives: there it knows all of them."""
    events: Collection[str] = ()
    """Beginnings of keys of events that the application says it tells. Without any, every key may be told."""


@dataclass(slots=True)
class Mentioned:
    """The names to be looked up for some patches."""

    roles: set[str] = field(default_factory=set)
    users: set[str] = field(default_factory=set)
    chains: set[str] = field(default_factory=set)
    rules: set[str] = field(default_factory=set)


def mentioned(patches: Mapping[str, Any]) -> Mentioned:
    """The names that patches mention, as they were written: whatever else is wrong with them."""
    found = Mentioned()
    for patch in patches.values():
        nodes = [node.model_dump() for node in patch.nodes] if isinstance(patch, SlotGraphPatch) else _nodes(patch)
        for config in _configs(nodes):
            for people in ("approvers", "assignees", "to"):
                for each in _listed(config.get(people)):
                    _add(found.roles, each.get("role"))
                    _add(found.users, each.get("user"))
            _add(found.chains, config.get("chain"))
            _add(found.rules, config.get("rule"))
    return found


def asked_by_chains(chains: Iterable[Iterable[Mapping[str, Any]]]) -> Mentioned:
    """The names of those whom stages of chains ask."""
    found = Mentioned()
    for stage in (stage for stages in chains for stage in stages):
        for each in _people_of(stage):
            _add(found.roles, each.get("role"))
            _add(found.users, each.get("user"))
    return found


def _people_of(stage: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield from _listed(stage.get("approvers"))
    yield from _listed(stage.get("escalate_to"))


def _nodes(patch: Any) -> list[Any]:
    nodes = patch.get("nodes") if isinstance(patch, Mapping) else None
    return nodes if isinstance(nodes, list) else []


def _configs(nodes: Iterable[Any]) -> Iterator[Mapping[str, Any]]:
    for node in nodes:
        config = node.get("config") if isinstance(node, Mapping) else None
        if isinstance(config, Mapping):
            yield config
            yield from _configs(_nodes(config.get("body")))


def _listed(value: Any) -> Iterator[Mapping[str, Any]]:
    return (each for each in value if isinstance(each, Mapping)) if isinstance(value, list) else iter(())


def _add(names: set[str], value: Any) -> None:
    if isinstance(value, str):
        names.add(value)


def check_names(region: Region, around: Surroundings, scope: Scope, problems: Problems) -> None:
    """Check everything that the nodes of a region and of the bodies inside it name."""
    checker = _Checker(around, scope.without("context", "item", "payload"), problems)
    for inner in region.walk():
        for node in inner.nodes.values():
            checker.check(node)


class _Checker:
    def __init__(self, around: Surroundings, scope: Scope, problems: Problems) -> None:
        self._around = around
        self._scope = scope
        self._problems = problems

    def check(self, node: DraftNode) -> None:
        path = node.path.field("config")
        match node.config:
            case ApprovalConfig() as config:
                self._people(config.approvers, path.field("approvers"))
                if config.chain is not None:
                    self._chain(config.chain, path.field("chain"))
            case TaskConfig() as config:
                self._people(config.assignees, path.field("assignees"))
            case NotificationConfig() as config:
                self._people(config.to, path.field("to"))
            case RuleConfig() as config:
                # A rule may be Python code of an application that is not loaded here.
                self._known("rule", config.rule, self._around.rules, path.field("rule"), severity="warning")
            case PolicyGateConfig() as config:
                self._known("permission", config.permission, self._around.permissions, path.field("permission"))
            case ActionConfig() as config:
                self._action(config, path)
            case WaitEventConfig() as config:
                self._event(config.event_key, path.field("event_key"))

    def _known(
        self, kind: str, name: str, known: Collection[str], path: Path, *, severity: Severity = "error", more: str = ""
    ) -> None:
        if name not in known:
            hint = did_you_mean(name, known)
            self._problems.add(f"name.{kind}", path, f"there is no {kind} {name!r}{more}", hint, severity=severity)

    def _people(self, people: Sequence[Any], path: Path) -> None:
        for index, each in enumerate(people):
            if isinstance(each, ByRole) and each.role != ANYONE:
                self._known("role", each.role, self._around.roles, path.index(index).field("role"))
            elif isinstance(each, ByUser) and each.user not in self._around.users:
                message = f"there is no active user {each.user!r}"
                hint = "Name somebody who is there, or a role"
                self._problems.add("name.user", path.index(index).field("user"), message, hint)

    def _chain(self, name: str, path: Path) -> None:
        self._known("chain", name, self._around.chains, path)
        for stage in self._around.chains.get(name, ()):
            by = f", whom the stage {stage['name']!r} of the chain {name!r} asks"
            for each in _people_of(stage):
                if each["kind"] == "role" and each["role"] != ANYONE:
                    self._known("role", each["role"], self._around.roles, path, more=by)
                elif each["kind"] == "user":
                    self._known("user", each["user"], self._around.users, path, more=by)
            for text, wanted in _chain_texts(stage):
                try:
                    found = check(parse(text), self._scope)
                    wrong = [problem.message for problem in found.problems]
                    if not wrong and wanted == "boolean" and found.type.kind.value not in ("boolean", "any"):
                        wrong = [f"this gives a {found.type}, and true or false is needed here"]
                except ExpressionError as error:
                    wrong = [error.message]
                for message in wrong[:1]:
                    said = f"the stage {stage['name']!r} of the chain {name!r} cannot read {text!r}: {message}"
                    hint = "Change the chain, or name one that is made for this type of document"
                    self._problems.add("chain.expression", path, said, hint)

    def _action(self, config: ActionConfig, path: Path) -> None:
        name = config.action
        if name in BUILT_IN_DECISIONS:
            return
        problems_of = self._around.actions.get(name)
        if problems_of is None:
            area = name.partition(".")[0]
            ours = area == _OURS or area in self._around.own_areas
            known = [*self._around.actions, *BUILT_IN_DECISIONS]
            more = "" if ours else " here; a worker must have it"
            severity: Severity = "error" if ours else "warning"
            self._known("action", name, known, path.field("action"), severity=severity, more=more)
            return
        try:
            tree = Payload.parse(config.payload).tree
        except ExpressionError:
            return  # Which has been said.
        value, unknown = unknown_places(tree)
        for problem in problems_of(value):
            if not _blurred(problem, unknown):
                place = path.field("payload").below(problem.path)
                hint = f"The input of {name}: `holdfast actions show {name}`"
                self._problems.add("config.input", place, problem.message, hint)

    def _event(self, key: str, path: Path) -> None:
        declared, literal = self._around.events, key.partition("{")[0]
        if not declared or any(literal.startswith(each) or each.startswith(literal) for each in declared):
            return
        message = f"the application tells no event whose key begins with {literal!r}"
        self._problems.add("name.event", path, message, did_you_mean(literal, declared), severity="warning")


def _chain_texts(stage: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if stage.get("condition"):
        yield stage["condition"], "boolean"
    for each in (*stage["approvers"], *(stage.get("escalate_to") or ())):
        text = each.get("of") if each["kind"] == "manager" else each.get("expression")
        if text:
            yield text, "any"


def _blurred(problem: SchemaProblem, unknown: Collection[tuple[str | int, ...]]) -> bool:
    """Whether what is wrong may come right once expressions have their values."""
    here = problem.path
    return any(
        here[: len(place)] == place or (problem.whole and place[: len(here)] == here)
        for place in unknown
    )  # fmt: skip
