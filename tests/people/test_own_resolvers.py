"""Resolvers of an application: `@app.resolver` says who is asked, and only a worker that has it calls it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from holdfast import FakeClock, InvalidInput
from holdfast.steps import Ask
from people.office import Office

ON_CALL = {"approvers": [{"kind": "resolver", "resolver": "on_call"}]}


async def test_a_function_says_who_is_asked_and_a_worker_calls_it(office: Office) -> None:
    seen: list[Ask] = []

    @office.app.resolver("on_call")
    async def on_call(ask: Ask) -> list[str]:
        seen.append(ask)
        return ["eve"] if ask.facts.entity["vendor"] == "acme" else ["role:finance_manager"]

    await office.publish(ON_CALL)
    document = await office.shop.invoice()
    instance = await office.shop.submit(document, work=False)
    assert seen == []
    assert await office.requests(instance) == []
    await office.shop.worker.drain()
    request = await office.open_request(instance)
    async with office.acting("eve") as hold:
        assert [each.id for each in (await hold.inbox.list()).items] == [request.id]
    await office.decide("eve", request)
    assert await office.status(document) == "active"
    _, _, other = await office.asked(vendor="globex")
    async with office.acting("ana") as hold:
        assert [each.principal for each in (await hold.approvals.get(other.id)).assignees] == ["role:finance_manager"]


async def test_without_its_code_the_step_waits_and_says_so(office: Office, holdfast_clock: FakeClock) -> None:
    await office.publish(ON_CALL)
    instance = await office.shop.submit(await office.shop.invoice())
    assert await office.requests(instance) == []
    holdfast_clock.advance(timedelta(hours=1))
    async with office.acting("ana") as hold:
        [stuck] = await hold.processes.repair.stuck()
    assert "resolver:on_call" in stuck.why

    @office.app.resolver("on_call")
    def on_call(ask: Ask) -> list[str]:
        return ["ben"]

    await office.app.engine_worker().drain()
    await office.decide("ben", await office.open_request(instance))


@pytest.mark.parametrize("named", [[], ["nobody"], ["ana"]])
async def test_who_names_nobody_asks_nobody(office: Office, named: list[str]) -> None:
    @office.app.resolver("on_call")
    def on_call(ask: Ask) -> list[str]:
        return named

    await office.publish(ON_CALL)
    instance = await office.shop.submit(await office.shop.invoice())
    [step] = [each for each in await office.shop.steps(instance) if each.node_id.endswith(":ask")]
    assert step.error is not None
    assert step.error["code"] == "NOBODY_TO_ASK"


async def test_a_name_is_registered_once(office: Office) -> None:
    office.app.resolver("on_call")(lambda ask: ["ben"])
    with pytest.raises(InvalidInput, match="registered already"):
        office.app.resolver("on_call")(lambda ask: ["ben"])
