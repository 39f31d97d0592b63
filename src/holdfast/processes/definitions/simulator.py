"""Simulating a draft or a published workflow: what a script of acts leads to, moment by moment, and why.

Nothing is stored and nothing is sent. The answer has one `Frame` for each act, the first for the beginning, so that an
editor goes forward and back through them; to go on, it sends the script with one more act. A `Prepared` simulation
holds all that it needs: it is computed without a database, on any thread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from holdfast.documents.facts import org_facts
from holdfast.envelope import CompiledWorkflow
from holdfast.envelope.expressions import Scope
from holdfast.envelope.simulate import Entry, Simulation, World, act_from_data
from holdfast.envelope.tokens import Option, Reason, Refusal, Wait, options, reasons, waits
from holdfast.errors import InvalidInput
from holdfast.kernel.actor import BUILT_IN_ROLES
from holdfast.kernel.json import decode, dump
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx
from holdfast.processes.definitions.budget import MAX_ACTS, BoundedMachine, Budget, check_size, computed

__all__ = [
    "Frame",
    "FrameEffect",
    "FrameStep",
    "FrameToken",
    "FrameWait",
    "PreparedSimulation",
    "Simulated",
    "Simulator",
]

_SQL = queries("definitions")
_PEOPLE = queries("people")
_MOST_PEOPLE = 1000


@dataclass(frozen=True, slots=True)
class FrameStep:
    """A step that an act led to: opened, or ended with an outcome along edges."""

    seq: int
    node: str
    node_type: str
    token: str
    status: str
    outcome: str | None
    edges: tuple[str, ...]
    error: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class FrameToken:
    """Where a token stands, and the edge it came along."""

    id: str
    node: str
    state: str
    via: str | None


@dataclass(frozen=True, slots=True)
class FrameWait:
    """What a token waits for; `people` are those who are asked."""

    wait: Wait
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FrameEffect:
    """What would have been called or sent."""

    kind: str
    node: str
    token: str
    payload: Mapping[str, Any]
    awaited: bool


@dataclass(frozen=True, slots=True)
class Frame:
    """One act, what came of it, and how everything stands after it. The first frame is the beginning."""

    index: int
    line: Any
    """The line of the script; None for the beginning."""
    act: str
    at: datetime
    actor: str
    refusal: Refusal | None
    instance: str
    status: str
    doc_status: str | None
    entity_version: int
    edit_window: str
    document: Mapping[str, Any]
    context: Mapping[str, Any]
    steps: tuple[FrameStep, ...]
    reasons: tuple[Reason, ...]
    """Why each edge was taken."""
    tokens: tuple[FrameToken, ...]
    waiting: tuple[FrameWait, ...]
    options: tuple[Option, ...]
    effects: tuple[FrameEffect, ...]


@dataclass(frozen=True, slots=True)
class Simulated:
    """A simulation as far as its script goes. `path` and `text` are of the whole of it."""

    compiled_hash: str
    status: str
    doc_status: str | None
    path: tuple[str, ...]
    frames: tuple[Frame, ...]
    text: str


@dataclass(frozen=True, slots=True)
class PreparedSimulation:
    """Everything a simulation needs."""

    workflow: CompiledWorkflow
    scope: Scope
    document: Mapping[str, Any]
    world: World
    script: Sequence[Any]
    payload: Any = None
    first: int = 0
    budget: Budget = field(default_factory=Budget)

    def run(self) -> Simulated:
        """Play the script. Raises `InvalidInput` naming the line that cannot be played."""
        machine = BoundedMachine(self.workflow, self.scope, self.budget)
        simulation = Simulation(self.workflow, self.document, world=self.world, payload=self.payload, machine=machine)
        frames = self._frames(simulation, None, 0)
        for index, line in enumerate(self.script):
            try:
                simulation.play(act_from_data(line, tuple(self.workflow.interrupts)))
            except InvalidInput as error:
                where = f"script[{index}]"
                raise InvalidInput(f"{where}: {error.message}", hint=error.hint, field=where, line=index) from None
            frames += self._frames(simulation, line, index + 1)
        trace = simulation.trace()
        return Simulated(self.workflow.hash, trace.status, trace.doc_status, trace.path, tuple(frames), trace.render())

    def _frames(self, simulation: Simulation, line: Any, number: int) -> list[Frame]:
        """The frame after an act, if it is asked for and there is room for it."""
        if number < self.first:
            return []
        entry = simulation.entries[-1]
        self.budget.tell(simulation.document, simulation.position.context, [each.payload for each in entry.effects])
        return [self._frame(simulation, line)]

    def _frame(self, simulation: Simulation, line: Any) -> Frame:
        entries = simulation.entries
        entry, position = entries[-1], simulation.position
        return Frame(
            index=len(entries) - 1,
            line=line,
            act=entry.act,
            at=entry.at,
            actor=entry.actor,
            refusal=entry.refusal,
            instance=entry.instance,
            status=position.status,
            doc_status=position.doc_status,
            entity_version=entry.entity_version,
            edit_window=entry.window,
            document=dict(simulation.document),
            context=decode(dump(dict(position.context))),
            steps=_steps(entry),
            reasons=tuple(reasons(self.workflow, entry.steps)),
            tokens=tuple(FrameToken(each.id, each.node, each.state, each.via) for each in position.tokens.values()),
            waiting=self._waiting(simulation),
            options=tuple(options(self.workflow, position)),
            effects=tuple(
                FrameEffect(each.kind, each.node, each.token, each.payload, each.awaited) for each in entry.effects
            ),
        )

    def _waiting(self, simulation: Simulation) -> tuple[FrameWait, ...]:
        position = simulation.position
        found = []
        for wait in waits(self.workflow, position):
            step = position.tokens[wait.token].step
            found.append(FrameWait(wait, simulation.people_asked(step.key) if step is not None else ()))
        return tuple(found)


class Simulator:
    """Simulations of one tenant's workflows, `hold.definitions.simulator`."""

    def __init__(self, tx: TenantTx) -> None:
        self._tx = tx

    async def prepare(
        self,
        workflow: CompiledWorkflow,
        scope: Scope,
        document: Mapping[str, Any],
        script: Sequence[Any] = (),
        *,
        world: Mapping[str, Any] | None = None,
        payload: Any = None,
        first: int = 0,
    ) -> PreparedSimulation:
        """Read what a simulation needs. A `world` without people or chains has those of the tenant."""
        self._tx.require("processes:read")
        if len(script) > MAX_ACTS:
            raise InvalidInput(f"the script has {len(script)} acts", hint=f"at most {MAX_ACTS}", field="script")
        for name, value in (("document", document), ("world", world), ("script", list(script)), ("payload", payload)):
            check_size(name, value)
        return PreparedSimulation(
            workflow, scope, document, await self._world(world or {}, workflow), script, payload, max(0, first)
        )

    async def run(self, prepared: PreparedSimulation) -> Simulated:
        """Play it, on a thread."""
        return await computed(prepared.run)

    async def _world(self, given: Mapping[str, Any], workflow: CompiledWorkflow) -> World:
        wanted = dict(given)
        if "chains" not in wanted:
            wanted["chains"] = await self._chains(workflow)
        if "people" not in wanted:
            wanted["people"] = await self._people() if self._tx.actor.may("users:read") else {}
        wanted["org"] = {**org_facts(self._tx.tenant), **wanted.get("org", {})}
        return World.from_data(wanted)

    async def _chains(self, workflow: CompiledWorkflow) -> dict[str, list[Mapping[str, Any]]]:
        """The tenant's approval chains that a workflow names."""
        nodes = workflow.nodes_by_id.values()
        names = sorted({node.config["chain"] for node in nodes if node.type == "approval" and node.config.get("chain")})
        found: dict[str, list[Mapping[str, Any]]] = {}
        for row in await self._tx.rows(_PEOPLE["chain_stages"], names=names) if names else ():
            found.setdefault(row["chain"], []).append(row)
        return found

    async def _people(self) -> dict[str, Any]:
        rows = await self._tx.rows(_SQL["people_to_play"], most=_MOST_PEOPLE)
        return {
            row["name"]: {
                "roles": row["roles"],
                "manager": row["manager"],
                "permissions": sorted(
                    {*row["own_permissions"]}.union(*(BUILT_IN_ROLES.get(role, ()) for role in row["roles"]))
                ),
            }
            for row in rows
        }


def _steps(entry: Entry) -> tuple[FrameStep, ...]:
    return tuple(
        FrameStep(
            step.seq,
            step.node,
            step.node_type,
            step.token,
            step.status,
            step.outcome,
            step.chosen_edge_ids,
            step.error,
        )
        for step in entry.steps
        if step.node_type != "attachment" or step.chosen_edge_ids
    )
