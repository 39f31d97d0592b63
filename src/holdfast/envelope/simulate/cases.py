"""Cases: simulations kept as data beside a definition, with what they must come to.

A case that does not come out as expected says in which way; an organisation can run its cases before every publish.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from holdfast.envelope.compiled import CompiledWorkflow
from holdfast.envelope.expressions import Scope
from holdfast.envelope.simulate.acts import script_from_data
from holdfast.envelope.simulate.simulation import Simulation
from holdfast.envelope.simulate.trace import Trace
from holdfast.envelope.simulate.world import World
from holdfast.envelope.tokens import Machine
from holdfast.errors import InvalidInput

__all__ = ["Case", "CaseResult"]

_KEYS: Final = frozenset({"name", "document", "world", "script", "payload", "expect"})


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What a case came to. `differences` is empty when everything is as expected."""

    trace: Trace
    differences: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether everything is as expected."""
        return not self.differences


@dataclass(frozen=True, slots=True)
class Case:
    """A document, the world around it, what happens, and what must come of it.

    `expect` may name `status`, `doc_status`, `entity_version`, `waiting_at`, `path` (exactly these steps), `passes` and
    `avoids` (some of them), `cancelled`, `effects` (kinds, in order, without calls), `calls` (what was called),
    `refusals` (codes), `context` and `document` (these fields), `amendments` (how many), `because` (step to a part of
    its reason).
    """

    name: str
    document: Mapping[str, Any]
    script: Sequence[Any]
    expect: Mapping[str, Any]
    world: Mapping[str, Any] = field(default_factory=dict)
    payload: Any = None

    @classmethod
    def from_data(cls, data: Mapping[str, Any], world: Mapping[str, Any] | None = None) -> Case:
        """Read JSON values. `world` is what all cases of a definition share; a case may add to it."""
        unknown = set(data) - _KEYS
        if unknown or "name" not in data or "expect" not in data:
            raise InvalidInput(
                f"this is not a case: {min(unknown) if unknown else 'name or expect'}",
                hint=f"A case has {', '.join(sorted(_KEYS))}",
            )
        own = data.get("world", {})
        shared = dict(world or {})
        merged = {**shared, **own}
        for key in ("people", "org", "answers", "chains"):
            merged[key] = {**shared.get(key, {}), **own.get(key, {})}
        return cls(
            name=data["name"],
            document=data.get("document", {}),
            script=data.get("script", []),
            expect=data["expect"],
            world=merged,
            payload=data.get("payload"),
        )

    def run(
        self, workflow: CompiledWorkflow, scope: Scope | None = None, *, machine: Machine | None = None
    ) -> CaseResult:
        """Simulate and compare. A `machine` of the same workflow may be given, instead of its scope."""
        world = World.from_data(self.world)
        simulation = Simulation(
            workflow, self.document, world=world, scope=scope, payload=self.payload, machine=machine
        )
        for act in script_from_data(self.script, tuple(workflow.interrupts)):
            simulation.play(act)
        trace = simulation.trace()
        return CaseResult(trace, tuple(_differences(trace, self.expect)))


def _differences(trace: Trace, expect: Mapping[str, Any]) -> list[str]:
    found: list[str] = []
    for key, wanted in expect.items():
        problem = _difference(trace, key, wanted)
        if problem is not None:
            found.append(problem)
    return found


def _difference(trace: Trace, key: str, wanted: Any) -> str | None:
    match key:
        case "passes":
            missing = [node for node in wanted if node not in trace.path]
            return f"passes: {', '.join(missing)} never ended; the path was {list(trace.path)}" if missing else None
        case "avoids":
            extra = [node for node in wanted if node in trace.path]
            return f"avoids: {', '.join(extra)} was on the path" if extra else None
        case "because":
            for node, text in wanted.items():
                if not any(text in reason for reason in trace.why(node)):
                    return f"because: {node} went on because {trace.why(node)}, not because of {text!r}"
            return None
        case "context" | "document":
            actual = trace.position.context if key == "context" else trace.document
            wrong = {name: actual.get(name) for name, value in wanted.items() if actual.get(name) != value}
            return f"{key}: found {wrong}" if wrong else None
    found = _actual(trace, key)
    return None if found == wanted else f"{key}: expected {wanted!r}, found {found!r}"


def _actual(trace: Trace, key: str) -> Any:
    match key:
        case "status" | "doc_status" | "entity_version":
            return getattr(trace, key)
        case "waiting_at":
            return list(trace.waiting_at())
        case "path":
            return list(trace.path)
        case "cancelled":
            return list(trace.cancelled)
        case "effects":
            return [effect.kind for effect in trace.effects if not effect.immediate]
        case "calls":
            return [_called(effect.payload) for effect in trace.effects if effect.immediate]
        case "refusals":
            return [refusal.code for refusal in trace.refusals]
        case "amendments":
            return len(trace.amended)
    raise InvalidInput(f"a case cannot expect {key!r}")


def _called(payload: Mapping[str, Any]) -> str:
    return str(payload.get("action") or payload.get("rule") or payload.get("permission") or payload.get("type"))
