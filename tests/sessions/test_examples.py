"""The example graphs, from start to end."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from holdfast import Holdfast
from sessions.conftest import ended, messages, reply, settled, working

ROOT = Path(__file__).parents[2]

CSV = "month,revenue\n" + "\n".join(
    f"{month},{100 + 10 * month + (500 if month == 7 else 0)}" for month in range(1, 15)
)


@pytest.fixture
def examples(holdfast_dsn: str, monkeypatch: pytest.MonkeyPatch) -> Holdfast:
    monkeypatch.syspath_prepend(str(ROOT))
    sys.modules.pop("examples", None)
    from examples.sessions import make

    return make(dsn=holdfast_dsn, worker_poll_interval=0.05)


async def test_the_examples(examples: Holdfast) -> None:
    async with examples as app, working(app):
        await app.tenants.create("acme")
        async with app.tenant("acme") as hold:
            given = {"csv": CSV, "forecast_column": "revenue", "forecast_periods": 3}
            await hold.sessions.start("csv-forecast-analyzer", given, name="forecast")
            await hold.sessions.start("csv-forecast-analyzer", given | {"forecast_column": "profit"}, name="wrong")
            await hold.sessions.start("support-triage", {"customer": "Ann", "text": "All is down!"}, name="ticket")
            await hold.sessions.start("long-work", {"parts": 7, "seconds": 0}, name="work")
        await settled(app, "forecast", "waiting_for_input")
        await settled(app, "ticket", "waiting_for_input")
        async with app.tenant("acme") as hold:
            (asked,) = await hold.sessions.prompts("forecast")
            assert [one["row"] for one in asked.content["outliers"]] == [7]
            await reply(hold, "forecast", "approve")
            for prompt in await hold.sessions.prompts("ticket"):
                assert prompt.expires_at is not None
                value = 80 if prompt.content["for"] == "support lead" else "platform"
                await hold.sessions.answer("ticket", value, prompt_id=prompt.prompt_id)
        forecast = (await ended(app, "forecast")).output_data
        assert forecast["decision"] == "replaced"
        assert [one["predicted"] for one in forecast["forecast"]] == pytest.approx([250, 260, 270], abs=6)
        assert (await ended(app, "ticket")).output_data["summary"] == "Ann: urgency 80, for platform"
        assert "no column 'profit'" in str((await ended(app, "wrong")).error_message)
        assert (await ended(app, "work")).output_data["done"] == 7
        shares = [one.content["progress"] for one in await messages(app, "work") if "progress" in one.content]
        assert shares == pytest.approx([part / 7 for part in range(1, 8)])
