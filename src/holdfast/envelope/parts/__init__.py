"""The parts of a definition: nodes, edges, patches, and the node types with their configurations.

Every part is a frozen pydantic model, so each has a JSON Schema; `definition_schema` gives the one of a whole
definition, with each node's configuration tied to its type.
"""

from __future__ import annotations

from holdfast.envelope.parts.fields import Duration, NodeConfig, Part, expression, field, payload, template
from holdfast.envelope.parts.flow import (
    ConditionConfig,
    ParallelJoinConfig,
    ParallelSplitConfig,
    RuleConfig,
    ScriptConfig,
    WaitEventConfig,
    WaitTimerConfig,
)
from holdfast.envelope.parts.graph import (
    BaseRef,
    BodyPatch,
    Edge,
    Node,
    OrgWorkflowDefinition,
    Position,
    RunAs,
    SlotGraphPatch,
)
from holdfast.envelope.parts.people import (
    ApprovalConfig,
    ByManager,
    ByRole,
    ByRule,
    ByUser,
    NotificationConfig,
    People,
    TaskConfig,
)
from holdfast.envelope.parts.registry import STANDARD, NodeType, NodeTypes
from holdfast.envelope.parts.schemas import definition_schema
from holdfast.envelope.parts.system import (
    AttachmentConfig,
    EndConfig,
    LifecycleGateConfig,
    PolicyGateConfig,
    StartConfig,
    StateConfig,
)
from holdfast.envelope.parts.work import (
    ActionConfig,
    ForEachConfig,
    RunConfig,
    SessionConfig,
    WebhookOutConfig,
)

__all__ = [
    "STANDARD",
    "ActionConfig",
    "ApprovalConfig",
    "AttachmentConfig",
    "BaseRef",
    "BodyPatch",
    "ByManager",
    "ByRole",
    "ByRule",
    "ByUser",
    "ConditionConfig",
    "Duration",
    "Edge",
    "EndConfig",
    "ForEachConfig",
    "LifecycleGateConfig",
    "Node",
    "NodeConfig",
    "NodeType",
    "NodeTypes",
    "NotificationConfig",
    "OrgWorkflowDefinition",
    "ParallelJoinConfig",
    "ParallelSplitConfig",
    "Part",
    "People",
    "PolicyGateConfig",
    "Position",
    "RuleConfig",
    "RunAs",
    "RunConfig",
    "ScriptConfig",
    "SessionConfig",
    "SlotGraphPatch",
    "StartConfig",
    "StateConfig",
    "TaskConfig",
    "WaitEventConfig",
    "WaitTimerConfig",
    "WebhookOutConfig",
    "definition_schema",
    "expression",
    "field",
    "payload",
    "template",
]
