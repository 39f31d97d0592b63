"""Small definitions for tests, written in YAML, and a driver that keeps the history."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from holdfast.envelope import NodeTypes, OrgWorkflowDefinition, Skeleton, automation_skeleton, compile_effective
from holdfast.envelope.parts import STANDARD
from holdfast.envelope.simulate import Act, Trace, World, script_from_data, simulate
from holdfast.envelope.text import parse_yaml
from holdfast.envelope.tokens import (
    Advance,
    Facts,
    Happening,
    Machine,
    Position,
    Started,
    StepRecord,
    current_rows,
    fold,
)

NOW = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
ANA = {"user_id": "ana", "roles": ["boss"]}


def definition(skeleton: Skeleton, slots: str) -> OrgWorkflowDefinition:
    """A definition for a skeleton from the YAML of its slots."""
    base = {"entity_type": skeleton.entity_type, "envelope_version": skeleton.version}
    return OrgWorkflowDefinition.read({"base_ref": base, "slots": parse_yaml(slots)})


def main_slot(patch: str, *, types: NodeTypes = STANDARD) -> Machine:
    """A machine for an automation whose only slot holds the patch."""
    skeleton = automation_skeleton("flow")
    data = {"base_ref": {"entity_type": "flow", "envelope_version": 1}, "slots": {"slot:main": parse_yaml(patch)}}
    workflow = compile_effective(skeleton, OrgWorkflowDefinition.read(data), types=types)
    return Machine(workflow, skeleton.scope())


def node(name: str) -> str:
    """The full id of a node of the only slot."""
    return f"usr:slot:main:{name}"


class Process:
    """One instance and its history. Every advance checks that a fold gives the same position."""

    def __init__(self, machine: Machine, entity: Mapping[str, Any] | None = None, **start: Any) -> None:
        self.machine = machine
        self.facts = Facts(NOW, entity or {}, 1, ANA, {})
        self.history: list[StepRecord] = []
        self.position = Position("p")
        self.last = self.happen(Started(**start))

    def happen(self, happening: Happening, **facts: Any) -> Advance:
        self.facts = replace(self.facts, **facts)
        done = self.machine.advance(self.position, happening, self.facts)
        self.history.extend(done.steps)
        self.position = done.position
        self.last = done
        assert fold(self.machine.workflow, self.history, instance="p") == self.position
        return done

    @property
    def rows(self) -> list[dict[str, Any]]:
        return current_rows(self.history)

    def status(self) -> str:
        """A method, because type checkers believe that an attribute stays what it was."""
        return self.position.status

    def at(self) -> dict[str, str]:
        """Token to the short name of its node, for tokens whose step is open or failed."""
        return {
            token.id: token.node.rsplit(":", 1)[-1]
            for token in self.position.tokens.values()
            if token.state in ("waiting", "failed")
        }

    def ended(self, name: str) -> list[StepRecord]:
        """The ended steps of a node, by its short name."""
        return [record for record in self.history if record.node.endswith(f":{name}") and not record.is_open]


def play(skeleton: Skeleton, slots: str, document: Mapping[str, Any], world: str, script: str) -> Trace:
    """Compile and simulate; world and script are YAML."""
    workflow = compile_effective(skeleton, definition(skeleton, slots))
    acts: tuple[Act, ...] = script_from_data(parse_yaml(script), tuple(workflow.interrupts))
    return simulate(workflow, document, acts, world=World.from_data(parse_yaml(world)), scope=skeleton.scope())
