"""Numbers of payloads and results arrive as they were sent."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import psycopg
import pytest
from pydantic import BaseModel, ConfigDict, Field

from holdfast import Holdfast
from holdfast.errors import Conflict
from holdfast.runs import Retry, Run
from runs.conftest import TYPE, finished, working

SENT = {
    "amount": Decimal("12500.10"),
    "rate": Decimal("0.1"),
    "long": Decimal("0.12345678901234567890123456789"),
    "share": 0.1,
    "tiny": 1e-7,
    "large": 1e23,
    "count": 7,
    "huge": 2**80,
    "nested": [{"price": Decimal("9.90")}],
}


class Invoice(BaseModel):
    amount: Decimal
    rest: dict[str, Any]
    share: float
    due: date = Field(alias="due-date")


class StrictInvoice(Invoice):
    model_config = ConfigDict(strict=True)


async def test_a_decimal_survives_a_payload_a_step_and_a_result(live: Holdfast) -> None:
    seen: list[Any] = []

    @live.handler(TYPE, retry=Retry(max_attempts=2, base=0.01))
    async def work(run: Run, payload: Any) -> Any:
        seen.append(payload)
        seen.append(await run.step("look", lambda: payload))
        if run.attempt == 1:
            raise ConnectionError
        return payload

    async with working(live):
        (run,) = await finished(live, (await live.enqueue("acme", TYPE, SENT)).id)
    assert [run.payload, run.result, *seen] == [SENT] * 6
    assert [type(seen[0][name]) for name in ("amount", "rate", "share", "tiny")] == [Decimal, Decimal, float, float]
    assert str(seen[0]["amount"]) == "12500.10"


@pytest.mark.parametrize("kind", [Invoice, StrictInvoice])
async def test_a_typed_payload_has_every_digit(live: Holdfast, kind: type[Invoice]) -> None:
    seen: list[Any] = []

    async def work(run: Run, invoice: Any) -> None:
        seen.append(invoice)

    work.__annotations__["invoice"] = kind
    live.handler(TYPE)(work)
    sent = kind.model_validate(
        {
            "amount": Decimal("0.12345678901234567890"),
            "rest": {"n": 1},
            "share": 0.25,
            "due-date": date(2030, 1, 2),
        }
    )
    async with working(live):
        await finished(live, (await live.enqueue("acme", TYPE, sent)).id)
    assert seen == [sent]


async def test_a_retried_run_has_the_payload_of_the_first(app: Holdfast) -> None:
    made = await app.enqueue("acme", TYPE, SENT)
    async with app.tenant("acme") as hold:
        await hold.runs.cancel(made.id)
        again = await hold.runs.retry(made.id)
        assert (await hold.runs.get(again.id)).payload == SENT


async def test_payloads_that_differ_in_a_late_digit_differ(app: Holdfast) -> None:
    await app.enqueue("acme", TYPE, {"n": Decimal("0.12345678901234567890")}, key="k")
    assert not (await app.enqueue("acme", TYPE, {"n": Decimal("0.1234567890123456789")}, key="k")).created
    with pytest.raises(Conflict, match="other content"):
        await app.enqueue("acme", TYPE, {"n": Decimal("0.12345678901234567891")}, key="k")


async def test_a_joined_connection_keeps_the_callers_own_reading(app: Holdfast, holdfast_dsn: str) -> None:
    async with await psycopg.AsyncConnection.connect(holdfast_dsn) as mine:
        async with app.tenant("acme", connection=mine) as hold:
            made = await hold.runs.enqueue(TYPE, SENT)
            assert (await hold.runs.get(made.id)).payload == SENT
        row = await (await mine.execute("""SELECT '{"n": 12.50}'::jsonb""")).fetchone()
        assert row == ({"n": 12.5},)
