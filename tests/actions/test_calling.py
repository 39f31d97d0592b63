"""Calling actions: once a key, in the caller's transaction, with the caller's rights, and a line of audit each."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from pydantic import BaseModel

from holdfast import AuditEvent, Conflict, FakeClock, Forbidden, Hold, Holdfast, InvalidInput, Run
from holdfast.actions import Call, StepCall, take_steps
from holdfast.errors import ActionNotFound, IdempotencyMismatch, RevisionMismatch
from holdfast.kernel.ids import uuid7


class Order(BaseModel):
    number: str
    total: Decimal


class Charged(BaseModel):
    receipt: str
    total: Decimal


@pytest.fixture
async def charged(app: Holdfast) -> list[str]:
    """Registers `billing.charge`, and tells which orders it really charged."""
    done: list[str] = []

    @app.action("billing.charge", input=Order, output=Charged, permission="documents:write")
    async def charge(call: Call, order: Order) -> Charged:
        """Charge an order."""
        done.append(order.number)
        await call.hold.data.increment("charged", order.number, order.total)
        if order.number == "broken":
            raise Conflict("the card was refused")
        return Charged(receipt=f"r-{order.number}", total=order.total)

    return done


ORDER = {"number": "7", "total": Decimal("12.50")}


async def test_the_same_key_and_input_answer_what_was_recorded(app: Holdfast, charged: list[str]) -> None:
    for given in (ORDER, {"total": Decimal("12.5"), "number": "7"}):
        async with app.tenant("acme", actor="ana") as hold:
            assert await hold.actions.call("billing.charge", given, key="order-7") == {
                "receipt": "r-7",
                "total": Decimal("12.5"),
            }
    assert charged == ["7"]
    async with app.tenant("acme") as hold:
        entry = await hold.data.get("charged", "7")
        assert entry is not None
        assert entry.value == Decimal("12.5")


async def test_the_same_key_with_other_input_is_an_error(app: Holdfast, charged: list[str]) -> None:
    async with app.tenant("acme") as hold:
        await hold.actions.call("billing.charge", ORDER, key="order-7")
        with pytest.raises(IdempotencyMismatch, match="other input"):
            await hold.actions.call("billing.charge", ORDER | {"total": 13}, key="order-7")
        with pytest.raises(IdempotencyMismatch, match=r"the action 'billing.charge'"):
            await hold.actions.call("store.set", {"namespace": "n", "key": "k", "value": 1}, key="order-7")
        # The transaction goes on.
        await hold.actions.call("billing.charge", ORDER, key="order-8")
    assert charged == ["7", "7"]


async def test_a_key_belongs_to_who_used_it_first(app: Holdfast, charged: list[str]) -> None:
    async with app.tenant("acme", actor="ana") as hold:
        await hold.users.create("ben", roles=["admin"])
        await hold.actions.call("billing.charge", ORDER, key="order-7")
    async with app.tenant("acme", actor="ben") as hold:
        with pytest.raises(IdempotencyMismatch, match="somebody else") as caught:
            await hold.actions.call("billing.charge", ORDER, key="order-7")
        assert "receipt" not in str(caught.value.details)
    async with app.tenant("acme", actor="ana") as hold:
        assert (await hold.actions.answer("billing.charge", ORDER, key="order-7")).repeated
    assert charged == ["7"]


async def test_keys_of_another_tenant_are_others(app: Holdfast, charged: list[str]) -> None:
    for tenant in ("acme", "globex"):
        async with app.tenant(tenant) as hold:
            await hold.actions.call("billing.charge", ORDER, key="order-7")
    assert charged == ["7", "7"]


async def test_a_call_that_fails_leaves_nothing_and_can_be_repeated(app: Holdfast, charged: list[str]) -> None:
    async with app.tenant("acme") as hold:
        for _ in range(2):
            with pytest.raises(Conflict, match="refused"):
                await hold.actions.call("billing.charge", ORDER | {"number": "broken"}, key="b")
        assert await hold.data.get("charged", "broken") is None
        await hold.data.set("n", "after", 1)
        events = (await hold.audit.list(object_kind="action")).items
    assert charged == ["broken", "broken"]
    assert events == []


async def test_two_calls_with_one_key_at_once_are_one(app: Holdfast, charged: list[str]) -> None:
    async def call() -> Any:
        async with app.tenant("acme") as hold:
            return await hold.actions.answer("billing.charge", ORDER, key="order-7")

    answers = await asyncio.gather(*(call() for _ in range(8)))
    assert charged == ["7"]
    assert sum(not answer.repeated for answer in answers) == 1
    assert len({answer.call_id for answer in answers}) == 1


async def test_a_step_that_is_executed_again_does_not_write_twice(app: Holdfast) -> None:
    """A step writes in its own transaction; when that is lost, so is what it wrote."""
    instance = uuid7()

    async def step(crash: bool) -> None:
        async with app.tenant("acme") as hold:
            await hold.actions.call(
                "store.increment",
                {"namespace": "onboarding", "key": "welcome-emails"},
                key=f"{instance}/send",
                instance_id=instance,
                step="send",
            )
            if crash:
                raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await step(crash=True)
    await step(crash=False)
    await step(crash=False)
    async with app.tenant("acme") as hold:
        entry = await hold.data.get("onboarding", "welcome-emails")
        assert entry is not None
        assert entry.value == 1
        timeline = (await hold.audit.list(object_id=instance)).items
        assert [(event.event_type, event.step_id, event.data["action"]) for event in timeline] == [
            ("action.called", "send", "store.increment")
        ]
        (written,) = (await hold.audit.list(object_kind="data")).items
        assert written.data["instance_id"] == str(instance)
        assert written.step_id == "send"


async def test_steps_that_are_taken_together_are_called_once_a_key(app: Holdfast, charged: list[str]) -> None:
    instance, other = uuid7(), uuid7()

    async def take(*steps: tuple[str, str]) -> list[Any]:
        async with app.tenant("acme", actor="ana") as hold:
            calls = [
                StepCall(
                    hold.transaction, "billing.charge", ORDER | {"number": number}, key, of, None, f"step {number}"
                )
                for (key, number), of in zip(steps, (instance, other, other, other), strict=False)
            ]
            return [each["receipt"] for each in await take_steps(app.actions, calls)]

    # Two steps have one key: the second finds what the first has answered, although nothing is committed yet.
    assert await take(("b", "2"), ("a", "1"), ("b", "2")) == ["r-2", "r-1", "r-2"]
    assert charged == ["2", "1"]
    # Taken again together with a new one: only that one is made.
    assert await take(("a", "1"), ("c", "3"), ("b", "2")) == ["r-1", "r-3", "r-2"]
    assert charged == ["2", "1", "3"]
    with pytest.raises(IdempotencyMismatch, match="'a'"):
        await take(("d", "4"), ("a", "other"))
    async with app.tenant("acme", actor="ana") as hold:
        entry = await hold.data.get("charged", "4")
        assert entry is None
        lines = [(each.object_id, each.step_id, each.actor) for each in await every_call(hold)]
    assert sorted(lines) == sorted(
        [(instance, "step 2", "user:ana"), (other, "step 1", "user:ana"), (other, "step 3", "user:ana")]
    )


async def test_of_steps_that_are_taken_together_all_fail_or_none(app: Holdfast, charged: list[str]) -> None:
    async def take(number: str) -> None:
        async with app.tenant("acme", actor="ana") as hold:
            calls = [
                StepCall(hold.transaction, "billing.charge", ORDER | {"number": each}, each, uuid7(), None, each)
                for each in ("5", number)
            ]
            await take_steps(app.actions, calls)

    with pytest.raises(Conflict, match="refused"):
        await take("broken")
    await take("6")
    assert charged == ["5", "broken", "5", "6"]
    async with app.tenant("acme", actor="ana") as hold:
        assert len(await every_call(hold)) == 2


async def every_call(hold: Hold) -> list[AuditEvent]:
    return (await hold.audit.list(object_kind="action")).items


async def test_what_a_run_writes_names_the_run(app: Holdfast) -> None:
    run = uuid7()
    async with app.tenant("acme") as hold:
        await hold.actions.call("store.set", {"namespace": "n", "key": "k", "value": 1}, run_id=run)
        entry = await hold.data.get("n", "k")
        assert entry is not None
        assert entry.created_by_run_id == run
        (event,) = (await hold.audit.list(object_id=run)).items
        assert (event.object_kind, event.data["run_id"]) == ("action", str(run))


async def test_what_a_run_writes_in_its_own_transaction_names_the_run(app: Holdfast, charged: list[str]) -> None:
    @app.handler("billing.note.v1")
    async def note(run: Run, payload: dict[str, Any]) -> None:
        async with run.hold() as hold:
            await hold.data.set("n", "set", 1)
            await hold.data.increment("n", "counted")
            await hold.links.upsert("n", ("a", "1"), ("b", "2"))
            await hold.actions.call("store.set", {"namespace": "n", "key": "called", "value": 1})
            await hold.actions.call("billing.charge", ORDER)
        written.set()

    written = asyncio.Event()
    async with app.tenant("acme") as hold:
        made = await hold.runs.enqueue("billing.note.v1", {})
    worker = app.worker()
    working = asyncio.create_task(worker.run())
    async with asyncio.timeout(20):
        await written.wait()
        worker.stop()
        await working
    async with app.tenant("acme") as hold:
        entries = [*(await hold.data.list("n")).items, *(await hold.data.list("charged")).items]
        (link,) = (await hold.links.list("n")).items
    assert {entry.key: entry.created_by_run_id for entry in entries} == dict.fromkeys(
        ("called", "counted", "set", "7"), made.id
    )
    assert link.created_by_run_id == made.id


async def test_every_call_has_a_line_also_reading(app: Holdfast) -> None:
    async with app.tenant("acme", actor="ana") as hold:
        await hold.actions.call("store.get", {"namespace": "n", "key": "k"})
        (event,) = (await hold.audit.list(object_kind="action")).items
        assert event.data["action"] == "store.get"
        assert event.actor == "user:ana"
        assert UUID(event.data["call_id"]) == event.object_id


async def test_each_action_needs_its_permission_and_the_right_to_call(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        await hold.roles.define("reader", ["data:read", "actions:call"])
        await hold.users.create("rea", roles=["reader"])
        await hold.users.create("vic", roles=["viewer"])
    async with app.tenant("acme", actor="rea") as hold:
        assert await hold.actions.call("store.list_namespaces") == {"namespaces": [], "next_cursor": None}
        with pytest.raises(Forbidden, match="write keys"):
            await hold.actions.call("store.set", {"namespace": "n", "key": "k", "value": 1})
        with pytest.raises(Forbidden):
            await hold.actions.suggestions("runs.types")
    async with app.tenant("acme", actor="vic") as hold:
        with pytest.raises(Forbidden, match="call actions"):
            await hold.actions.call("store.get", {"namespace": "n", "key": "k"})


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("store.set", {"key": "k", "value": 1}, "namespace is missing"),
        ("store.set", {"namespace": "n", "key": "", "value": 1}, "key is empty"),
        ("store.set", {"namespace": "n" * 257, "key": "k", "value": 1}, "namespace has 257 characters"),
        ("store.set", {"namespace": "n", "key": "k", "value": float("nan")}, "NaN"),
        ("store.set", {"namespace": "n", "key": "k", "value": object()}, "not JSON"),
        ("store.set", {"namespace": "n", "key": "k", "value": 1, "ttl": 5}, "ttl"),
        ("store.list", {"namespace": "n", "limit": 201}, "limit is 201"),
        ("store.list", {"namespace": "n", "cursor": "broken"}, "cursor"),
        ("store.increment", {"namespace": "n", "key": "k", "by": True}, "by.*not numbers"),
        ("store.increment", {"namespace": "n", "key": "k", "by": "x"}, "by"),
        ("links.delete", {"namespace": "n"}, "neither from nor to"),
        (
            "links.upsert",
            {"namespace": "n", "from": {"type": "t"}, "to": {"type": "t", "id": "b"}},
            "from.id is missing",
        ),
        (
            "links.upsert",
            {"namespace": "n", "from": {"type": "t", "id": "a"}, "to": {"type": "t", "id": "b"}, "relation": "r" * 257},
            "relation has 257 characters",
        ),
        ("links.lookup", {"namespace": "n", "from": {"type": "t", "id": "a"}, "direction": "up"}, "direction"),
        ("runs.enqueue", {"type": "no type!"}, "type 'no type!' is not valid"),
    ],
)
async def test_bad_input_has_a_clear_error_and_harms_nothing(
    app: Holdfast, name: str, given: dict[str, Any], message: str
) -> None:
    async with app.tenant("acme") as hold:
        with pytest.raises(InvalidInput, match=message):
            await hold.actions.call(name, given)
        await hold.data.set("n", "k", 1)
        for key in ("", "k" * 513, 7, "a\0"):
            with pytest.raises(InvalidInput, match="key is"):
                await hold.actions.call("store.get", {"namespace": "n", "key": "k"}, key=key)  # type: ignore[arg-type]


async def test_increment_of_a_text_and_a_conflict_leave_the_transaction_usable(app: Holdfast) -> None:
    """The dedup flow: a conflict means that it was done already, and the step goes on another way."""
    flag = {"namespace": "invoice-dunning-sent", "key": "inv-1", "value": True, "if_revision": 0}
    async with app.tenant("acme") as hold:
        await hold.actions.call("store.set", flag)
        with pytest.raises(RevisionMismatch):
            await hold.actions.call("store.set", flag)
        with pytest.raises(InvalidInput, match="of type boolean, not a number"):
            await hold.actions.call("store.increment", {"namespace": "invoice-dunning-sent", "key": "inv-1"})
        await hold.actions.call("store.set", {"namespace": "skipped", "key": "inv-1", "value": True})
    async with app.tenant("acme") as hold:
        assert await hold.data.get("skipped", "inv-1") is not None


async def test_an_action_cannot_call_itself_with_its_own_key(app: Holdfast) -> None:
    @app.action("test.again", permission="data:write")
    async def again(call: Call, given: dict[str, Any]) -> dict[str, Any]:
        return {"again": await call.hold.actions.call("test.again", given, key=call.key)}

    async with app.tenant("acme") as hold:
        with pytest.raises(InvalidInput, match="this very transaction"):
            await hold.actions.call("test.again", {}, key="k")


async def test_receipts_are_forgotten_after_their_time(
    app: Holdfast, charged: list[str], holdfast_clock: FakeClock
) -> None:
    for days in (0, 20, 31):
        holdfast_clock.advance(days * 86_400)
        await app.tidy()
        async with app.tenant("acme") as hold:
            await hold.actions.call("billing.charge", ORDER, key="order-7")
    assert charged == ["7", "7"]


async def test_a_receipt_is_written_once(app: Holdfast, charged: list[str]) -> None:
    async with app.tenant("acme") as hold:
        await hold.actions.call("billing.charge", ORDER, key="order-7")
    with pytest.raises(Conflict, match="already written"):
        async with app.tenant("acme") as hold:
            await hold.connection.execute("UPDATE holdfast.workflow_action_receipt SET output = '{}'")


async def test_enqueueing_a_run_is_part_of_the_transaction(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        made = await hold.actions.call(
            "runs.enqueue", {"type": "mail.send.v1", "payload": {"to": "x", "share": Decimal("0.5")}, "key": "m-1"}
        )
        again = await hold.actions.call(
            "runs.enqueue", {"type": "mail.send.v1", "payload": {"to": "x", "share": 0.5}, "key": "m-1"}
        )
        run = await hold.runs.get(UUID(made["run_id"]))
    assert (made["created"], again) == (True, {"run_id": made["run_id"], "created": False})
    assert run.payload == {"to": "x", "share": 0.5}


async def test_unknown_actions_are_named(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        with pytest.raises(ActionNotFound, match=r"did you mean 'store\.set'"):
            await hold.actions.call("store.sett", {})
