"""Test cases of a workflow: simulations that are kept for its type, with what must come of them.

They belong to the document type (or the automation), not to one draft: every draft of it is held to them. A draft whose
cases fail is not published, unless whoever publishes says that it shall be all the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from holdfast.audit import record
from holdfast.envelope import CompiledWorkflow
from holdfast.envelope.expressions import Scope
from holdfast.envelope.simulate import Case, World, script_from_data
from holdfast.errors import CasesFailed, HoldfastError, InvalidInput, NotFound
from holdfast.kernel.json import canonical_json, parse_json
from holdfast.kernel.names import check_text
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx
from holdfast.processes.definitions.budget import MAX_ACTS, BoundedMachine, Budget, check_size, computed
from holdfast.processes.definitions.shelf import Shelf

__all__ = ["MAX_CASES", "CaseOutcome", "TestCase", "TestCases", "require_passing", "run_cases"]

_SQL = queries("definitions")
MAX_CASES: Final = 200
"""Cases of one type."""
_MOST_BYTES: Final = 256 * 1024
_SECONDS: Final = 20.0
"""What all cases of a type may take together."""


@dataclass(frozen=True, slots=True)
class TestCase:
    """A document, the world around it, what happens, and what must come of it."""

    __test__ = False

    entity_type: str
    name: str
    description: str
    document: Mapping[str, Any]
    world: Mapping[str, Any]
    script: Sequence[Any]
    payload: Any
    expect: Mapping[str, Any]
    created_at: datetime
    created_by: str
    updated_at: datetime
    updated_by: str


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """What a case came to. `differences` is empty when everything is as expected; `error` when it could be played."""

    name: str
    passed: bool
    differences: tuple[str, ...] = ()
    error: str | None = None
    status: str | None = None
    doc_status: str | None = None
    path: tuple[str, ...] = field(default=())


class TestCases:
    """The test cases of one tenant's workflows, `hold.definitions.cases`."""

    __test__ = False

    def __init__(self, tx: TenantTx, shelf: Shelf) -> None:
        self._tx = tx
        self._shelf = shelf

    async def list(self, entity_type: str) -> list[TestCase]:
        """Every case of a type, by name."""
        self._tx.require("processes:read")
        return [_read(row) for row in await self._tx.rows(_SQL["test_cases"], entity_type=entity_type, name=None)]

    async def get(self, entity_type: str, name: str) -> TestCase:
        """One case."""
        self._tx.require("processes:read")
        row = await self._tx.row(_SQL["test_cases"], entity_type=entity_type, name=name)
        if row is None:
            raise NotFound(f"there is no test case {name!r} of {entity_type!r}", case=name)
        return _read(row)

    async def keep(
        self,
        entity_type: str,
        name: str,
        *,
        expect: Mapping[str, Any],
        document: Mapping[str, Any] | None = None,
        script: Sequence[Any] = (),
        world: Mapping[str, Any] | None = None,
        payload: Any = None,
        description: str = "",
    ) -> TestCase:
        """Keep a case, or change it. `expect` says what must come of it, as `envelope.simulate.Case` has it."""
        self._tx.require("processes:design")
        check_text("name", name, maximum=200)
        if "/" in name:
            raise InvalidInput(f"the name {name!r} has a slash", hint="leave it out", field="name")
        skeleton = await self._shelf.skeleton(entity_type, None)
        if len(script) > MAX_ACTS:
            raise InvalidInput(f"the script has {len(script)} acts", hint=f"at most {MAX_ACTS}", field="script")
        content = {
            "document": dict(document or {}),
            "world": dict(world or {}),
            "script": list(script),
            "payload": payload,
            "expect": dict(expect),
        }
        check_size("the test case", content, most=_MOST_BYTES)
        World.from_data(content["world"])
        script_from_data(content["script"], [each.outcome or "" for each in skeleton.edges if each.interrupts])
        done = await self._tx.row(
            _SQL["keep_test_case"],
            entity_type=entity_type,
            name=name,
            description=description[:1000],
            content=canonical_json(content).decode(),
            actor=str(self._tx.actor),
            most=MAX_CASES,
        )
        if done is None:
            raise InvalidInput(
                f"{entity_type} has {MAX_CASES} test cases already", hint="delete one first", field="name"
            )
        about = {"entity_type": entity_type, "case": name}
        await record(self._tx, "definition", self._tx.tenant.id, "test_case.kept", about)
        return await self.get(entity_type, name)

    async def forget(self, entity_type: str, name: str) -> None:
        """Delete a case."""
        self._tx.require("processes:design")
        if not await self._tx.run(_SQL["forget_test_case"], entity_type=entity_type, name=name):
            raise NotFound(f"there is no test case {name!r} of {entity_type!r}", case=name)
        about = {"entity_type": entity_type, "case": name}
        await record(self._tx, "definition", self._tx.tenant.id, "test_case.deleted", about)


async def require_passing(kept: Sequence[TestCase], workflow: CompiledWorkflow, scope: Scope) -> None:
    """Raise `CasesFailed` unless a workflow does what every case expects."""
    failed = [each for each in await computed(lambda: run_cases(kept, workflow, scope)) if not each.passed]
    if failed:
        first = failed[0]
        more = f" and {len(failed) - 1} more" if len(failed) > 1 else ""
        raise CasesFailed(
            f"the test case {first.name!r}{more} failed: {first.error or first.differences[0]}",
            hint="mend the draft or the case, or publish it all the same",
            cases=[{"name": each.name, "differences": list(each.differences)} for each in failed],
        )


def run_cases(cases: Sequence[TestCase], workflow: CompiledWorkflow, scope: Scope) -> list[CaseOutcome]:
    """Play every case with a workflow; what cannot be played has failed."""
    machine = BoundedMachine(workflow, scope, Budget(_SECONDS))
    return [_outcome(case, workflow, machine) for case in cases]


def _outcome(kept: TestCase, workflow: CompiledWorkflow, machine: BoundedMachine) -> CaseOutcome:
    case = Case(kept.name, kept.document, kept.script, kept.expect, kept.world, kept.payload)
    try:
        found = case.run(workflow, machine=machine)
    except HoldfastError as error:
        return CaseOutcome(kept.name, False, (error.message,), error.message)
    except (TypeError, AttributeError, KeyError) as error:
        # `expect` is written by people; what has another shape than it needs cannot be compared.
        return CaseOutcome(kept.name, False, (f"expect cannot be compared: {error}",), str(error))
    trace = found.trace
    return CaseOutcome(kept.name, found.passed, found.differences, None, trace.status, trace.doc_status, trace.path)


def _read(row: Mapping[str, Any]) -> TestCase:
    values = dict(row)
    content = parse_json(values.pop("content"))
    return TestCase(**values, **content)
