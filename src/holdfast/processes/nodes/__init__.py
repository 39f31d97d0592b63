"""What processes do when they do something: one file for each kind of node that needs the world outside the core."""

from holdfast.processes.nodes.action import ActionHandler
from holdfast.processes.nodes.policy_gate import PolicyHandler
from holdfast.processes.nodes.registry import CustomHandler, Nodes
from holdfast.processes.nodes.rule import RuleHandler, RulePort, RuleRegistry
from holdfast.processes.nodes.run import RunHandler
from holdfast.steps import (
    Answer,
    Ask,
    DocumentRef,
    InstanceRef,
    NodeHandler,
    NotHere,
    Reply,
    StepObserver,
    Waiting,
    WrittenSteps,
)

__all__ = [
    "ActionHandler",
    "Answer",
    "Ask",
    "CustomHandler",
    "DocumentRef",
    "InstanceRef",
    "NodeHandler",
    "Nodes",
    "NotHere",
    "PolicyHandler",
    "Reply",
    "RuleHandler",
    "RulePort",
    "RuleRegistry",
    "RunHandler",
    "StepObserver",
    "Waiting",
    "WrittenSteps",
]
