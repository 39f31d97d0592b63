"""The envelope: the pure heart of a process. Contract → skeleton → slots → compile, and what follows from it.

Everything here is values in, values out: no clock, no randomness, no database. That is what makes a compile
reproducible, a simulation honest and a projection rebuildable.
"""

from __future__ import annotations

from holdfast.envelope.compiled import (
    CURRENT_COMPILER_VERSION,
    CompiledEdge,
    CompiledNode,
    CompiledSlot,
    CompiledWorkflow,
    JoinRequirement,
)
from holdfast.envelope.compiler import Analysis, Surroundings, Verification, analyse, compile_effective, verify
from holdfast.envelope.contract import Contract, SlotPlace, State, Transition
from holdfast.envelope.diff import WorkflowDiff, diff_from_skeleton, diff_workflows
from holdfast.envelope.mermaid import to_mermaid
from holdfast.envelope.parts import (
    STANDARD,
    Edge,
    Node,
    NodeConfig,
    NodeType,
    NodeTypes,
    OrgWorkflowDefinition,
    SlotGraphPatch,
    definition_schema,
)
from holdfast.envelope.problems import PROBLEM_CODES, Problem
from holdfast.envelope.rebase import Conflict, Rebase, rebase
from holdfast.envelope.simulate import Case, Simulation, Trace, World, simulate
from holdfast.envelope.skeleton import BodySlot, Skeleton, automation_skeleton, generate_skeleton
from holdfast.envelope.templates import load_template, template_names
from holdfast.envelope.tokens import (
    Advance,
    Effect,
    Facts,
    Machine,
    Position,
    StepRecord,
    edit_window,
    fold,
    options,
    reasons,
    waits,
)
from holdfast.envelope.whatif import PastDocument, what_if
from holdfast.envelope.windows import EditWindow

__all__ = [
    "CURRENT_COMPILER_VERSION",
    "PROBLEM_CODES",
    "STANDARD",
    "Advance",
    "Analysis",
    "BodySlot",
    "Case",
    "CompiledEdge",
    "CompiledNode",
    "CompiledSlot",
    "CompiledWorkflow",
    "Conflict",
    "Contract",
    "Edge",
    "EditWindow",
    "Effect",
    "Facts",
    "JoinRequirement",
    "Machine",
    "Node",
    "NodeConfig",
    "NodeType",
    "NodeTypes",
    "OrgWorkflowDefinition",
    "PastDocument",
    "Position",
    "Problem",
    "Rebase",
    "Simulation",
    "Skeleton",
    "SlotGraphPatch",
    "SlotPlace",
    "State",
    "StepRecord",
    "Surroundings",
    "Trace",
    "Transition",
    "Verification",
    "WorkflowDiff",
    "World",
    "analyse",
    "automation_skeleton",
    "compile_effective",
    "definition_schema",
    "diff_from_skeleton",
    "diff_workflows",
    "edit_window",
    "fold",
    "generate_skeleton",
    "load_template",
    "options",
    "reasons",
    "rebase",
    "simulate",
    "template_names",
    "to_mermaid",
    "verify",
    "waits",
    "what_if",
]
