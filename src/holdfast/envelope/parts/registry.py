"""Node types: the closed set of this product, open for yours.

A `NodeType` names a configuration model and says where the type may be used and what it is for. `NodeTypes`
is a value: `STANDARD.with_types(NodeType("credit_score", CreditScoreConfig, …))` gives a new set, which is
handed to the compiler. The compiled workflow carries everything the engine needs of a type (outcomes, whether
it waits), so running one does not need the registry.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final, Literal

from holdfast.envelope.parts import flow, people, system, work
from holdfast.envelope.parts.fields import NodeConfig
from holdfast.errors import InvalidInput

__all__ = ["STANDARD", "NodeType", "NodeTypes", "Placement"]

Placement = Literal["skeleton", "slot", "compiler"]
"""Who may write nodes of a type: the contract, an organisation, or only a compile."""


@dataclass(frozen=True, slots=True)
class NodeType:
    """A kind of step. `branch` types must record the edges they chose, even when they chose none."""

    name: str
    config: type[NodeConfig]
    title: str
    description: str
    group: str = "Custom"
    icon: str = "puzzle"
    placement: Placement = "slot"
    branch: bool = False

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*", self.name):
            raise InvalidInput(
                f"{self.name!r} is not a name for a node type",
                hint="Use lower-case letters, digits, `_` and `.`",
            )

    def json_schema(self) -> dict[str, Any]:
        """The JSON Schema of the type's configuration, for a form."""
        return self.config.model_json_schema()


class NodeTypes(Mapping[str, NodeType]):
    """An immutable set of node types by name."""

    def __init__(self, types: Iterable[NodeType]) -> None:
        found: dict[str, NodeType] = {}
        for each in types:
            if each.name in found:
                raise InvalidInput(f"the node type {each.name!r} is defined twice")
            found[each.name] = each
        self._types = MappingProxyType(found)

    def __getitem__(self, name: str) -> NodeType:
        return self._types[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._types)

    def __len__(self) -> int:
        return len(self._types)

    def with_types(self, *types: NodeType) -> NodeTypes:
        """This set and the given types. The product's own types cannot be replaced."""
        return NodeTypes([*self._types.values(), *types])

    def with_channels(self, *channels: str) -> NodeTypes:
        """This set, with `notification` going through further channels as well."""
        config = people.notification_through(channels)
        return NodeTypes(
            replace(each, config=config) if each.name == "notification" else each for each in self.values()
        )

    def palette(self) -> list[dict[str, Any]]:
        """What an editor offers: every type an organisation may use, with the schema of its form."""
        return [
            {
                "type": each.name,
                "title": each.title,
                "description": each.description,
                "group": each.group,
                "icon": each.icon,
                "branch": each.branch,
                "schema": each.json_schema(),
            }
            for each in self._types.values()
            if each.placement == "slot"
        ]


def _system(name: str, config: type[NodeConfig], title: str, description: str, icon: str) -> NodeType:
    return NodeType(name, config, title, description, "Lifecycle", icon, "skeleton", branch=name == "lifecycle_gate")


STANDARD: Final = NodeTypes(
    [
        _system("start", system.StartConfig, "Start", "Where the process begins.", "player-play"),
        _system("end", system.EndConfig, "End", "Where the process is complete.", "flag"),
        _system("state", system.StateConfig, "State", "A state of the document.", "circle"),
        _system("lifecycle_gate", system.LifecycleGateConfig, "Gate", "A transition of the document.", "door"),
        NodeType(
            "attachment",
            system.AttachmentConfig,
            "Attachment",
            "Where a slot or a body begins or ends.",
            "Lifecycle",
            "plug",
            "compiler",
        ),
        NodeType(
            "approval",
            people.ApprovalConfig,
            "Approval",
            "People decide on the document as it stands.",
            "People",
            "rubber-stamp",
        ),
        NodeType("task", people.TaskConfig, "Task", "A person fills in a form.", "People", "forms"),
        NodeType(
            "notification",
            people.NotificationConfig,
            "Notification",
            "Sends a message to people.",
            "People",
            "bell",
        ),
        NodeType(
            "condition",
            flow.ConditionConfig,
            "Condition",
            "Goes one way or another.",
            "Flow",
            "arrows-split",
            branch=True,
        ),
        NodeType("rule", flow.RuleConfig, "Rule", "A registered rule decides.", "Flow", "gavel", branch=True),
        NodeType("script", flow.ScriptConfig, "Script", "Sets variables from expressions.", "Flow", "variable"),
        NodeType(
            "parallel_split",
            flow.ParallelSplitConfig,
            "Split",
            "Goes several ways at once.",
            "Flow",
            "git-fork",
        ),
        NodeType(
            "parallel_join",
            flow.ParallelJoinConfig,
            "Join",
            "Brings the ways together again.",
            "Flow",
            "git-merge",
        ),
        NodeType("for_each", work.ForEachConfig, "For each", "Does its body for every item.", "Flow", "repeat"),
        NodeType("wait_timer", flow.WaitTimerConfig, "Wait", "Waits for a time.", "Waits", "clock"),
        NodeType("wait_event", flow.WaitEventConfig, "Wait for event", "Waits for an event.", "Waits", "antenna"),
        NodeType(
            "policy_gate",
            system.PolicyGateConfig,
            "Policy check",
            "Needs a permission to go on.",
            "Work",
            "shield",
        ),
        NodeType("action", work.ActionConfig, "Action", "Calls a registered action.", "Work", "bolt"),
        NodeType("webhook_out", work.WebhookOutConfig, "Webhook", "Calls another system.", "Work", "webhook"),
        NodeType("run", work.RunConfig, "Run", "Enqueues a run and waits for it.", "Work", "stack-push"),
        NodeType("session", work.SessionConfig, "Session", "An agent works and the process waits.", "Work", "robot"),
    ]
)
"""The node types of the product."""
