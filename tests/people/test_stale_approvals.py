"""A stale approval never opens a gate: whatever is edited, decided, advanced, amended, in whatever order.

Hypothesis drives a real database. The machine keeps its own book: which content each decision was about. Whenever a
document has passed its gate, the content it has must be the content that was approved, by decisions used once.

What is drawn never depends on what the database answered. Every example ends on the straight way to the gate, so that
each shows something. Three guards stand in the way of a stale approval, each enough by itself; a test takes all of them
away and sees that the machine notices.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import psycopg
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from holdfast import Holdfast
from holdfast.documents.model import DocumentChange
from holdfast.envelope import Contract
from holdfast.envelope.tokens import Settled, StepRecord
from holdfast.envelope.tokens.board import Board
from holdfast.errors import Conflict, Forbidden, HoldfastError
from holdfast.people.observer import Voiding
from holdfast.postgres.tenant import TenantTx
from holdfast.processes.worker import EngineWorker
from holdfast.testing import Databases, FakeClock
from people.office import FINANCE, SLOT
from processes.shop import INVOICE, nodes, ways

PEOPLE = ("ben", "cat")

# An invoice that is edited while people decide is amended. A memo may be edited: the process goes on, and asks again.
MEMO = Contract.from_yaml("""
entity_type: memo
document: {type: object, properties: {number: {type: string}, grand_total: {type: string}, vendor: {type: string}}}
states:
  - {name: draft, edit_window: editable}
  - {name: review, edit_window: editable}
  - {name: active, edit_window: locked}
transitions:
  - {name: submit, from: draft, to: review, edit_window: editable}
  - {name: approve, from: review, to: active, trigger: automatic, outcome: approved, edit_window: editable}
  - {name: refuse, from: review, to: draft, kind: return}
slots:
  - {name: checks, after: state:review, before: gate:approve}
""")
SLOTS = {"invoice": SLOT, "memo": "slot:checks"}


@dataclass
class World:
    """One database and loop for all examples; each example has an invoice of its own."""

    app: Holdfast
    worker: EngineWorker
    loop: asyncio.AbstractEventLoop
    number: int = 0
    passed: int = 0
    """How often something was seen to have passed; a test in which nothing does shows nothing."""

    def run(self, work: Any) -> Any:
        return self.loop.run_until_complete(work)


@pytest.fixture
def world(holdfast_databases: Databases) -> Iterator[World]:
    loop = asyncio.new_event_loop()
    with holdfast_databases.clone() as name:
        app = Holdfast(dsn=holdfast_databases.dsn(name), clock=FakeClock(datetime.now(UTC)))
        loop.run_until_complete(_furnish(app))
        yield World(app, app.engine_worker(), loop)
        loop.run_until_complete(app.close())
    loop.close()


async def _furnish(app: Holdfast) -> None:
    await app.open()
    await app.tenants.create("acme")
    async with app.tenant("acme") as hold:
        await hold.users.create("ana", roles=["admin"])
        await hold.roles.define("finance_manager", [])
        for name in PEOPLE:
            await hold.users.create(name, roles=["approver", "finance_manager"])
    step = ("ask", "approval", {**FINANCE, "required": 2})
    # Between the decisions and the gate there is a pause, in which documents are edited as well.
    wait = ("wait", "wait_event", {"event_key": "go:{entity.number}"})
    edges = ways("in -> ask", "ask -approved-> wait", "ask -rejected-> out", "wait -completed-> out")
    patch = {"nodes": nodes(step, wait), "edges": edges, "exit_edge_mode": "join"}
    for contract in (INVOICE, MEMO):
        app.contracts.add(contract)
        async with app.tenant("acme", actor="ana") as hold:
            await hold.definitions.register(contract)
            draft = await hold.definitions.create_draft(contract.entity_type, {SLOTS[contract.entity_type]: patch})
            await hold.definitions.publish(draft.id)


class Approving(RuleBasedStateMachine):
    """People edit, decide, withdraw and press on; workers come by, or do not."""

    world: World

    @initialize(kind=st.sampled_from(sorted(SLOTS)), stale=st.booleans())
    def begin(self, kind: str, stale: bool) -> None:
        self.world.number += 1
        self.total = 0
        self.documents: list[UUID] = []
        self.approved: dict[UUID, set[str]] = {}
        """Content hashes that somebody voted for, by request."""

        async def make() -> None:
            async with self.world.app.tenant("acme", actor="ana") as hold:
                made = await hold.documents.create(kind, self._content())
                self.documents.append(made.id)
            await self.world.worker.drain()

        self.world.run(make())
        if stale:
            self.everybody_agrees_and_then_somebody_edits(1, goes_on=True)

    def teardown(self) -> None:
        """Whatever has happened: from here on all goes well, as far as it can."""
        if hasattr(self, "documents"):
            self.all_goes_well(8)
            self.a_worker_comes_by()
            self.what_passed_the_gate_is_what_was_approved()

    @property
    def document(self) -> UUID:
        return self.documents[-1]

    def _content(self) -> dict[str, Any]:
        self.total += 1
        return {"number": str(self.world.number), "grand_total": f"{self.total}.00", "vendor": "v"}

    @rule()
    def submit(self) -> None:
        async def work() -> None:
            async with self.world.app.tenant("acme", actor="ana") as hold:
                await hold.documents.transition(self.document, "submit")

        self._try(work())

    @rule()
    def edit(self) -> None:
        async def work() -> None:
            async with self.world.app.tenant("acme", actor="ana") as hold:
                now = await hold.documents.update(self.document, {"grand_total": self._content()["grand_total"]})
            if now.id != self.document:
                self.documents.append(now.id)

        self._try(work())

    @rule(name=st.sampled_from(PEOPLE), decision=st.sampled_from(["approved", "approved", "approved", "rejected"]))
    def decide(self, name: str, decision: Any) -> None:
        self._try(self._vote(name, decision))

    async def _vote(self, name: str, decision: Any) -> None:
        async with self.world.app.tenant("acme", actor=name) as hold:
            for item in (await hold.inbox.list(limit=200)).items:
                if item.document_id not in self.documents:
                    continue
                detail = await hold.approvals.get(item.id)
                await hold.approvals.decide(item.id, decision, reason="because")
                if decision == "approved":
                    assert detail.request.content_hash is not None
                    self.approved.setdefault(item.id, set()).add(detail.request.content_hash)

    @rule(name=st.sampled_from(PEOPLE), pick=st.integers(0, 99))
    def decide_on_anything_ever_asked(self, name: str, pick: int) -> None:
        async def work() -> None:
            async with self.world.app.tenant("acme") as hold:
                asked = [
                    request
                    for document in self.documents
                    for request in (await hold.approvals.list(document_id=document)).items
                ]
            if not asked:
                return
            request = asked[pick % len(asked)]
            async with self.world.app.tenant("acme", actor=name) as hold:
                await hold.approvals.decide(request.id, "approved")
                assert request.content_hash is not None
                self.approved.setdefault(request.id, set()).add(request.content_hash)

        self._try(work())

    @rule(times=st.integers(1, 4))
    def all_goes_well(self, times: int) -> None:
        """The next steps on the way to the gate, whatever they are from here."""

        async def work() -> None:
            for _ in range(times):
                await self.world.worker.drain()
                async with self.world.app.tenant("acme") as hold:
                    status = (await hold.documents.get(self.document)).doc_status
                    asked = (await hold.approvals.list(document_id=self.document)).items
                    decided = [
                        {each.seat for each in (await hold.approvals.get(request.id)).decisions}
                        for request in asked
                        if request.status == "open"
                    ]
                if status in ("draft", "amended"):
                    async with self.world.app.tenant("acme", actor="ana") as hold:
                        await hold.documents.transition(self.document, "submit")
                elif decided:
                    await self._vote(next(name for name in PEOPLE if name not in decided[0]), "approved")
                else:
                    async with self.world.app.tenant("acme", actor="ana") as hold:
                        await hold.processes.tell(f"go:{self.world.number}")

        self._try(work())

    @rule(edits=st.integers(1, 2), goes_on=st.booleans())
    def everybody_agrees_and_then_somebody_edits(self, edits: int, goes_on: bool) -> None:
        self.all_goes_well(3)
        self.a_worker_comes_by()
        for _ in range(edits):
            self.edit()
        if goes_on:
            self.the_event_comes()
            self.a_worker_comes_by()

    @rule()
    def a_worker_comes_by(self) -> None:
        self.world.run(self.world.worker.drain())

    @rule()
    def the_event_comes(self) -> None:
        async def work() -> None:
            async with self.world.app.tenant("acme", actor="ana") as hold:
                await hold.processes.tell(f"go:{self.world.number}")

        self._try(work())

    @rule(outcome=st.sampled_from(["approved", "rejected"]), now=st.booleans())
    def somebody_presses_on_without_a_decision(self, outcome: str, now: bool) -> None:
        async def work() -> None:
            async with self.world.app.tenant("acme", actor="ana") as hold:
                instance = await hold.processes.of_document(self.document)
                happening = Settled("main", outcome, reason="pressed")
                await self.world.app.assembly.engine.happen(hold._tx, instance.id, happening, now=now)

        self._try(work())

    @rule()
    def an_edit_and_a_worker_at_once(self) -> None:
        async def edit() -> None:
            async with self.world.app.tenant("acme", actor="ana") as hold:
                now = await hold.documents.update(self.document, {"grand_total": self._content()["grand_total"]})
            if now.id != self.document:
                self.documents.append(now.id)

        async def both() -> None:
            await asyncio.gather(edit(), self.world.worker.drain(), return_exceptions=True)

        self.world.run(both())

    @rule()
    def an_edit_of_what_was_replaced_is_refused(self) -> None:
        if len(self.documents) == 1:
            return

        async def work() -> None:
            async with self.world.app.tenant("acme", actor="ana") as hold:
                await hold.documents.update(self.documents[0], {"grand_total": "7.77"})

        with pytest.raises(HoldfastError):
            self.world.run(work())

    def _try(self, work: Any) -> None:
        try:
            self.world.run(work)
        except (Conflict, Forbidden, HoldfastError):
            return

    @invariant()
    def what_passed_the_gate_is_what_was_approved(self) -> None:
        async def check() -> None:
            async with self.world.app.tenant("acme") as hold:
                for document_id in self.documents:
                    document = await hold.documents.get(document_id)
                    requests = (await hold.approvals.list(document_id=document_id, limit=200)).items
                    used = []
                    for request in requests:
                        detail = await hold.approvals.get(request.id)
                        applied = [each for each in detail.decisions if each.applied]
                        assert all(each.voided_at is None for each in applied)
                        if applied and detail.request.status == "approved":
                            used.append(detail.request)
                            in_favour = [each for each in applied if each.decision == "approved"]
                            assert len(in_favour) >= (2 if request.passes is None else 1)
                            assert {each.content_hash for each in in_favour} == {request.content_hash}
                    if document.doc_status == "active":
                        self.world.passed += 1
                        assert len(used) == 1
                        assert used[0].content_hash == document.content_hash
                        assert document.content_hash in self.approved[used[0].id]

        self.world.run(check())


def test_an_approval_of_what_was_edited_afterwards_is_asked_for_again(world: World) -> None:
    """Where a document may be edited on the way: the gate finds no decision that still stands, and asks."""

    class Here(Approving):
        pass

    Here.world = world
    here = Here()
    here.begin("memo", stale=False)
    here.all_goes_well(3)
    here.a_worker_comes_by()
    here.edit()
    here.the_event_comes()
    here.a_worker_comes_by()
    here.what_passed_the_gate_is_what_was_approved()
    assert not world.passed
    here.all_goes_well(4)
    here.a_worker_comes_by()
    here.what_passed_the_gate_is_what_was_approved()
    assert world.passed


USUAL = settings(max_examples=20, stateful_step_count=15, deadline=None, suppress_health_check=list(HealthCheck))


def test_a_stale_approval_never_opens_a_gate(world: World) -> None:
    class Here(Approving):
        pass

    Here.world = world
    run_state_machine_as_test(Here, settings=USUAL)
    assert world.passed


def test_without_its_guards_a_stale_approval_is_noticed(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine above is worth something: the same number of examples finds a gate that lets anything pass."""
    count_edits = Board.apply

    def keep_decisions(board: Board, record: StepRecord) -> None:
        board.entity_version = max(board.entity_version, record.entity_version)
        count_edits(board, record)

    async def void_nothing(voiding: Voiding, tx: TenantTx, change: DocumentChange) -> None:
        return

    monkeypatch.setattr(Board, "apply", keep_decisions)
    monkeypatch.setattr(Voiding, "document_changed", void_nothing)
    dsn = world.app.settings.dsn
    assert dsn is not None
    with psycopg.connect(dsn.get_secret_value(), autocommit=True) as superuser:
        superuser.execute(
            "CREATE OR REPLACE FUNCTION holdfast.still_stands(own_tenant uuid, document uuid, decided_version integer, "
            "decided_hash text, own_instance uuid) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RETURN true; END'"
        )

    class Here(Approving):
        pass

    Here.world = world
    always_the_same = settings(
        USUAL, phases=[Phase.generate], derandomize=True, database=None, report_multiple_bugs=False
    )
    with pytest.raises(AssertionError) as noticed:
        run_state_machine_as_test(Here, settings=always_the_same)
    assert "content_hash == document.content_hash" in str(noticed.traceback[-1].statement)


@pytest.mark.soak
def test_a_stale_approval_never_opens_a_gate_however_long_one_tries(world: World) -> None:
    class Here(Approving):
        pass

    Here.world = world
    run_state_machine_as_test(
        Here,
        settings=settings(
            max_examples=300, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
    assert world.passed
