"""The queue as a state machine: several holders, some of whom do not know that they lost, do everything in any order.

Each holder keeps every lease it ever had and may use it at any time, long after somebody else took the run. What the
database accepted is read back from `workflow_event` alone, and must be a history in which no two holders' effects were
ever both accepted.

What is drawn never depends on what the database answered: a rule draws a number and takes that one of the leases there
are, or does nothing where there are none. Ids and times are new in every example and would make them differ.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, datetime, timedelta
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
from psycopg.rows import dict_row

from holdfast.kernel.ids import uuid7

TYPE = "machine.work.v1"
LEASE = timedelta(seconds=30)
WORKERS = ["ann", "bob", "cyd"]
workers = st.sampled_from(WORKERS)
picks = st.integers(0, 999)
LIVE_END = {"run.retried", "run.released", "run.slept", "run.waited", "run.lease_expired"}
END = {"run.succeeded", "run.failed", "run.cancelled"}


class Queue(RuleBasedStateMachine):
    """One tenant, a few runs, three workers, a clock that only this machine moves."""

    connection: psycopg.Connection[dict[str, Any]]

    def __init__(self) -> None:
        super().__init__()
        self.tenant = uuid7()
        self.now = datetime.now(UTC)
        self.runs: list[UUID] = []
        self.leases: dict[str, list[tuple[UUID, int]]] = defaultdict(list)
        self.addresses: dict[tuple[UUID, int], str] = {}
        self.mark: str | None = None
        self.current: dict[UUID, tuple[str, int]] = {}
        self.ended: set[UUID] = set()
        self.deleted: set[UUID] = set()

    @initialize()
    def begin(self) -> None:
        self.ask("SELECT holdfast.create_tenant(%s, %s, 'x', 'test', %s)", self.tenant, f"t{self.tenant.hex}", self.now)

    # ------------------------------------------------------------------------------------------------------------ rules

    @rule(count=st.integers(1, 3), tries=st.integers(1, 3), key=st.sampled_from([None, None, "k"]))
    def enqueue(self, count: int, tries: int, key: str | None) -> None:
        made = [uuid7() for _ in range(count)]
        self.ask(
            "SELECT * FROM holdfast.enqueue_runs_for("
            "%s, %s, %s, %s, '{}', '{}', %s, '{}', '{}', '{}', %s, %s, 't', 'all', %s)",
            self.tenant,
            made,
            [TYPE],
            "[" + ",".join(["{}"] * count) + "]",
            [tries],
            [key] * count if key else [],
            [1] * count if key else [],
            self.now,
        )
        self.runs += made

    @rule(worker=workers, quota=st.integers(1, 3), by_age=st.booleans(), quietly=st.booleans(), marked=st.booleans())
    def claim(self, worker: str, quota: int, by_age: bool, quietly: bool, marked: bool) -> None:
        """As workers do that want every event, or `quietly` as they usually do: then this machine tells instead."""
        self.ask("SELECT * FROM holdfast.tend_runs('all', 'nothing', %s)", self.now)
        mark = self.mark if marked else None
        if quietly:
            rows = self.ask(
                "SELECT * FROM holdfast.claim_lane(%s, %s, %s, %s, %s, %s, %s, %s::holdfast.run_mark)",
                worker,
                self.tenant,
                TYPE,
                quota,
                LEASE,
                by_age,
                self.now,
                mark,
            )
            for row in rows:
                self.tell(row["id"], "run.leased", row["lease_epoch"])
        else:
            rows = self.ask(
                "SELECT * FROM holdfast.claim_runs("
                "%s, %s, %s, %s, %s, %s, 'all', %s, '{false}', ARRAY[%s::holdfast.run_mark])",
                worker,
                [self.tenant],
                [TYPE],
                [quota],
                [LEASE],
                by_age,
                self.now,
                mark,
            )
        for row in rows:
            holder = self.current.get(row["id"])
            assert row["id"] not in self.ended | self.deleted, "a finished or deleted run was claimed"
            assert holder is None or holder[1] < row["lease_epoch"], "an epoch was given out twice"
            self.current[row["id"]] = (worker, row["lease_epoch"])
            self.leases[worker].append((row["id"], row["lease_epoch"]))
            self.addresses[row["id"], row["lease_epoch"]] = row["address"]
            self.mark = row["next_mark"] or self.mark

    @rule(
        pick=picks,
        status=st.sampled_from(["succeeded", "failed", "pending"]),
        delay=st.sampled_from([timedelta(0), timedelta(seconds=5)]),
        back=st.booleans(),
    )
    def settle(self, pick: int, status: str, delay: timedelta, back: bool) -> None:
        if lease := self.some_lease(pick):
            self.settle_as(lease, status, delay, back)

    @rule(pick=picks)
    def succeed_quietly(self, pick: int) -> None:
        """As workers usually settle: where the run lay when it was claimed, without an event."""
        if lease := self.some_lease(pick):
            self.settle_quietly(lease)

    def settle_quietly(self, lease: tuple[str, UUID, int]) -> None:
        worker, run, epoch = lease
        self.now += timedelta(microseconds=1)
        lost = self.ask(
            "SELECT * FROM holdfast.settle_runs("
            "%s, %s, %s, %s, '{succeeded}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', %s, 'exceptions', 'nothing', %s, "
            "%s::tid[])",
            worker,
            [self.tenant],
            [run],
            [epoch],
            self.keys(run),
            self.now,
            [self.addresses[run, epoch]],
        )
        if not lost:
            self.tell(run, "run.succeeded", epoch)
        self.settled(lease, "succeeded", lost)

    def settle_as(self, lease: tuple[str, UUID, int], status: str, delay: timedelta, back: bool) -> None:
        worker, run, epoch = lease
        # Settling twice at the very same instant is taken for one call repeated after a broken connection.
        self.now += timedelta(microseconds=1)
        event = {"pending": "run.released" if back else "run.retried", "failed": "run.failed"}.get(status)
        lost = self.ask(
            "SELECT * FROM holdfast.settle_runs("
            "%s, %s, %s, %s, %s, '{}', '{}', '{}', %s, %s, %s, '{}', %s, 'all', 'nothing', %s)",
            worker,
            [self.tenant],
            [run],
            [epoch],
            [status],
            [delay],
            [int(back)],
            [event],
            self.keys(run),
            self.now,
        )
        self.settled(lease, status, lost)

    def settled(self, lease: tuple[str, UUID, int], status: str, lost: list[dict[str, Any]]) -> None:
        worker, run, epoch = lease
        held = self.current.get(run) == (worker, epoch)
        assert bool(lost) != held, "accepted from somebody who lost it, or refused to its holder"
        if held:
            del self.current[run]
            if status != "pending":
                self.ended.add(run)

    @rule(pick=picks)
    def heartbeat(self, pick: int) -> None:
        if not (lease := self.some_lease(pick)):
            return
        worker, run, epoch = lease
        lost = self.ask(
            "SELECT * FROM holdfast.heartbeat_runs(%s, %s, %s, %s, %s)",
            [self.tenant],
            [run],
            [epoch],
            [LEASE],
            self.now,
        )
        assert bool(lost) == (self.current.get(run) != (worker, epoch))

    @rule(pick=picks, name=st.uuids())
    def step(self, pick: int, name: UUID) -> None:
        if not (lease := self.some_lease(pick)):
            return
        worker, run, epoch = lease
        stored = self.ask(
            "SELECT * FROM holdfast.record_steps(%s, %s, %s, %s, '{1}', %s)",
            [self.tenant],
            [run],
            [epoch],
            [str(name)],
            self.now,
        )
        assert bool(stored) == (self.current.get(run) == (worker, epoch))

    @rule(pick=picks)
    def cancel(self, pick: int) -> None:
        if not self.runs:
            return
        run = self.runs[pick % len(self.runs)]
        with self.connection.transaction():
            self.ask("SELECT set_config('holdfast.tenant', %s, true)", str(self.tenant))
            done = self.ask("SELECT * FROM holdfast.cancel_run(%s, 'test', 'test', 'nothing', %s)", run, self.now)
            if done:
                self.ask(
                    "INSERT INTO holdfast.workflow_event_plain (tenant, object_kind, object_id, event_type, actor, "
                    "created_at) VALUES (%s, 'run', %s, 'run.cancelled', 'test', %s)",
                    self.tenant,
                    run,
                    self.now,
                )
        assert bool(done) == (run not in self.ended)
        self.ended.add(run)
        self.current.pop(run, None)

    @rule(pick=picks)
    def delete(self, pick: int) -> None:
        if not self.runs:
            return
        run = self.runs[pick % len(self.runs)]
        with self.connection.transaction():
            self.ask("SELECT set_config('holdfast.tenant', %s, true)", str(self.tenant))
            self.ask("SELECT holdfast.delete_run(%s, 'test', %s)", run, self.now)
        self.deleted.add(run)

    @rule(seconds=st.sampled_from([1, 10, 31]))
    def pass_time(self, seconds: int) -> None:
        self.now += timedelta(seconds=seconds)
        self.ask("SELECT * FROM holdfast.tend_runs('all', 'nothing', %s)", self.now)
        for row in self.ask(
            "SELECT id, status, done FROM holdfast.workflow_run WHERE tenant = %s AND status <> 'leased'", self.tenant
        ):
            self.current.pop(row["id"], None)
            if row["done"]:
                self.ended.add(row["id"])

    @rule(worker=workers, quietly=st.booleans(), marked=st.booleans())
    def take_over(self, worker: str, quietly: bool, marked: bool) -> None:
        """Everything expires, and somebody takes it, while the holders believe that they still have it."""
        self.pass_time(31)
        self.pass_time(10)
        self.claim(worker, 3, by_age=False, quietly=quietly, marked=marked)

    @rule(pick=picks, status=st.sampled_from(["succeeded", "failed", "pending", "succeeded quietly"]))
    def believe_in_vain(self, pick: int, status: str) -> None:
        """Somebody who lost a run that another one holds settles it."""
        if zombies := self.zombies():
            zombie = zombies[pick % len(zombies)]
            if status == "succeeded quietly":
                self.settle_quietly(zombie)
            else:
                self.settle_as(zombie, status, timedelta(0), back=False)

    # --------------------------------------------------------------------------------------------------------- checking

    @invariant()
    def no_key_is_held_twice(self) -> None:
        rows = self.ask(
            "SELECT count(*) AS held FROM holdfast.workflow_run WHERE tenant = %s AND status = 'leased' "
            "AND concurrency_key = 'k'",
            self.tenant,
        )
        assert rows[0]["held"] <= 1

    def teardown(self) -> None:
        events = self.ask(
            "SELECT object_id, event_type, data FROM holdfast.workflow_event WHERE tenant = %s AND object_kind = 'run' "
            "ORDER BY id",
            self.tenant,
        )
        history: dict[UUID, list[dict[str, Any]]] = defaultdict(list)
        for event in events:
            history[event["object_id"]].append(event)
        for story in history.values():
            check(story)

    # ---------------------------------------------------------------------------------------------------------- helping

    def zombies(self) -> list[tuple[str, UUID, int]]:
        return [
            (worker, run, epoch)
            for worker, leases in self.leases.items()
            for run, epoch in leases
            if run in self.current and self.current[run] != (worker, epoch)
        ]

    def some_lease(self, pick: int) -> tuple[str, UUID, int] | None:
        leases = [(worker, run, epoch) for worker in WORKERS for run, epoch in self.leases[worker]]
        return leases[pick % len(leases)] if leases else None

    def keys(self, run: UUID) -> list[str]:
        rows = self.ask(
            "SELECT concurrency_key AS key FROM holdfast.workflow_run WHERE tenant = %s AND id = %s", self.tenant, run
        )
        return [row["key"] for row in rows if row["key"]]

    def tell(self, run: UUID, event: str, epoch: int) -> None:
        self.ask(
            "INSERT INTO holdfast.workflow_event_plain "
            "(tenant, object_kind, object_id, event_type, actor, data, created_at) "
            "VALUES (%s, 'run', %s, %s, 'machine', jsonb_build_object('epoch', %s::bigint), %s)",
            self.tenant,
            run,
            event,
            epoch,
            self.now,
        )

    def ask(self, query: Any, *values: Any) -> list[dict[str, Any]]:
        cursor = self.connection.execute(query, values)
        return cursor.fetchall() if cursor.description else []


def check(story: list[dict[str, Any]]) -> None:
    """A run's events: each lease has a greater epoch than the one before, and at most one end, before the next."""
    epoch, open_lease, over = 0, False, False
    for event in story:
        kind, told = event["event_type"], event["data"].get("epoch")
        if kind in ("run.created", "run.deleted"):
            continue
        assert not over, f"{kind} after the end"
        if kind == "run.leased":
            assert not open_lease, "leased to somebody else before the holder was done with"
            assert told > epoch, "an epoch that was there before"
            epoch, open_lease = told, True
        elif kind in LIVE_END | END:
            if kind != "run.cancelled":
                assert open_lease, f"{kind} without a lease"
                assert told == epoch, f"{kind} of the holder of epoch {told}, while {epoch} held it"
            open_lease = False
            over = kind in END
        else:
            raise AssertionError(f"unexpected {kind}")


@pytest.mark.hypothesis
@pytest.mark.timeout(300)
def test_no_two_holders_effects_are_ever_both_accepted(holdfast_dsn: str) -> None:
    with psycopg.connect(holdfast_dsn, autocommit=True, row_factory=dict_row) as connection:
        Queue.connection = connection
        run_state_machine_as_test(
            Queue,
            settings=settings(
                max_examples=150,
                stateful_step_count=40,
                phases=(Phase.generate,),
                deadline=None,
                suppress_health_check=list(HealthCheck),
            ),
        )


def test_the_checker_notices_a_history_with_two_holders() -> None:
    def event(kind: str, epoch: int) -> dict[str, Any]:
        return {"event_type": kind, "data": {"epoch": epoch}}

    for story in (
        [event("run.leased", 1), event("run.leased", 2), event("run.succeeded", 1)],
        [event("run.leased", 1), event("run.lease_expired", 1), event("run.leased", 2), event("run.succeeded", 1)],
        [event("run.leased", 1), event("run.succeeded", 1), event("run.succeeded", 1)],
        [event("run.leased", 1), event("run.released", 1), event("run.leased", 1)],
    ):
        with pytest.raises(AssertionError):
            check(story)
