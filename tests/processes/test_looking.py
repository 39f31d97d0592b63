"""Looking at processes: what somebody can do and why not; finding instances; what the engine could not take up."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from harness.commands import Commands
from holdfast import Holdfast
from holdfast.envelope.tokens import REASON_CODES, WAIT_CODES
from holdfast.errors import Forbidden, InvalidInput
from holdfast.http import build
from holdfast.processes.possibilities import POSSIBILITY_CODES
from holdfast.processes.repair import STUCK_CODES
from holdfast.testing import FakeClock
from processes.shop import Shop, passing, ways
from processes.test_where_steps_run import allow_steps, refuse_steps

PAGE = Path(__file__).parents[2] / "docs" / "processes.md"
Superuser = psycopg.Connection[dict[str, Any]]


@pytest.mark.parametrize(
    "codes",
    [WAIT_CODES, REASON_CODES, POSSIBILITY_CODES, STUCK_CODES],
    ids=["waits", "reasons", "possibilities", "stuck"],
)
def test_every_code_is_in_the_documentation(codes: dict[str, str]) -> None:
    text = PAGE.read_text()
    assert [code for code, meaning in codes.items() if f"| `{code}` | {meaning} |" not in text] == []


async def judged(app: Holdfast, instance: Any, actor: str) -> dict[str, tuple[bool, str]]:
    async with app.tenant("acme", actor=actor) as hold:
        found = await hold.processes.possibilities(instance)
    assert {each.code for each in found} <= POSSIBILITY_CODES.keys()
    return {each.outcome: (each.open, each.code) for each in found}


async def test_what_one_can_do_another_is_told_why_not(shop: Shop) -> None:
    await shop.publish(
        passing(("ask", "ask", {}), edges=ways("in -> ask", "ask -completed-> pass", "ask -refused-> pass"))
    )
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.users.create("vic", roles=["viewer"])
    document = await shop.invoice()
    async with shop.app.tenant("acme") as hold:
        instance = (await hold.processes.of_document(document.id)).id
    assert (await judged(shop.app, instance, "ana"))["submit"] == (True, "open")
    assert (await judged(shop.app, instance, "vic"))["submit"] == (False, "needs_permission")
    await shop.submit(document)
    await shop.worker.drain()
    assert (await judged(shop.app, instance, "ana"))["completed"] == (False, "happens_by_itself")
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.processes.pause(instance, reason="wait a moment")
    assert {code for _, code in (await judged(shop.app, instance, "ana")).values()} == {"paused"}


async def test_waits_and_reasons_carry_codes_with_parameters(shop: Shop) -> None:
    large = ("large", "condition", {"expression": "entity.grand_total > 10000"})
    edges = ways(
        "in -> large", "large -true-> ask", "large -false-> pass", "ask -completed-> pass", "ask -refused-> pass"
    )
    await shop.publish(passing(large, ("ask", "ask", {}), edges=edges))
    document = await shop.invoice()
    async with shop.app.tenant("acme") as hold:
        instance = (await hold.processes.of_document(document.id)).id
        (wait,) = await hold.processes.waits(instance)
    assert (wait.code, "submit" in wait.params["choices"]) == ("choice", True)
    await shop.submit(document)
    await shop.worker.drain()
    async with shop.app.tenant("acme") as hold:
        waits = await hold.processes.waits(instance)
        reasons = await hold.processes.reasons(instance)
    assert [(each.code, each.params) for each in waits] == [("work", {"type": "ask"})]
    assert {each.code for each in reasons} <= REASON_CODES.keys()
    (condition,) = [each for each in reasons if each.code == "condition"]
    assert condition.params["variables"] == {"entity.grand_total": "12500.00"}
    assert (condition.params["expression"], condition.params["result"]) == ("entity.grand_total > 10000", True)


async def test_instances_are_found_by_state_node_age_and_fields(shop: Shop) -> None:
    one, two = await shop.invoice(vendor="Fabrikam"), await shop.invoice(vendor="Contoso")
    await shop.submit(two)
    await shop.worker.drain()
    later = datetime.now(UTC) + timedelta(hours=1)
    async with shop.app.tenant("acme", actor="ana") as hold:
        at = (await hold.processes.of_document(one.id)).current_nodes[0]
        given: list[tuple[dict[str, Any], list[Any]]] = [
            ({"doc_status": "draft"}, [one.id]),
            ({"node": at}, [one.id]),
            ({"workflow_id": "invoice", "fields": {"vendor": "Contoso"}}, [two.id]),
            ({"workflow_id": "invoice", "fields": {"vendor": "Nobody"}}, []),
            ({"started_before": later}, [two.id, one.id]),
            ({"updated_before": later - timedelta(days=1)}, []),
        ]
        for filters, wanted in given:
            found = (await hold.processes.list(**filters)).items
            assert [each.document_id for each in found] == wanted, filters
        for wrong in ({"fields": {"vendor": "x"}}, {"started_before": datetime(2020, 1, 1)}):  # noqa: DTZ001 - the point
            with pytest.raises(InvalidInput):
                await hold.processes.list(**wrong)
        await hold.roles.define("looker", ["processes:read"])
        await hold.users.create("lou", roles=["looker"])
    async with shop.app.tenant("acme", actor="lou") as hold:
        with pytest.raises(Forbidden):
            await hold.processes.list(workflow_id="invoice", fields={"vendor": "Contoso"})


async def test_a_list_of_processes_says_what_each_is_about_to_those_who_see_the_document(shop: Shop) -> None:
    await shop.submit(await shop.invoice(number="I-0031"))
    async with shop.app.tenant("acme", actor="ana") as hold:
        (told,) = (await hold.processes.list()).items
        await hold.roles.define("looker", ["processes:read"])
        await hold.users.create("lou", roles=["looker"])
    assert "I-0031" in [field.value for field in told.headline]
    async with shop.app.tenant("acme", actor="lou") as hold:
        (hidden,) = (await hold.processes.list()).items
    assert (hidden.redacted, hidden.headline) == (True, ())


async def test_dead_letters_are_listed_and_replayed_together(shop: Shop, superuser: Superuser) -> None:
    for _ in range(3):
        await shop.submit(await shop.invoice())
    superuser.execute("SET session_replication_role = replica")
    superuser.execute(
        "UPDATE holdfast.workflow_events_outbox SET status = 'dead_letter', error = 'no', completed_at = NULL"
    )
    async with shop.app.tenant("acme", actor="ana") as hold:
        first = await hold.processes.inbox.dead_letters(limit=2)
        rest = await hold.processes.inbox.dead_letters(limit=200, cursor=first.next_cursor)
        letters = [*first.items, *rest.items]
        assert len({each.id for each in letters}) == len(letters) >= 3
        assert {each.error for each in letters} == {"no"}
        assert await hold.processes.inbox.replay_all(event_type="nothing.such") == 0
        assert await hold.processes.inbox.replay_all(instance_id=letters[0].instance_id) >= 1
        assert await hold.processes.inbox.replay_all() + 1 <= len(letters)
        assert (await hold.processes.inbox.dead_letters()).items == []


@pytest.mark.parametrize("way", ["http", "command line"])
async def test_a_dead_letter_is_listed_explained_and_replayed_over_http_and_on_the_command_line(
    shop: Shop, superuser: Superuser, holdfast_clock: FakeClock, holdfast_dsn: str, commands: Commands, way: str
) -> None:
    await shop.publish(passing(("paid", "wait_event", {"event_key": "paid"}), edges=ways("in -> paid", "paid -> pass")))
    instance = await shop.submit(await shop.invoice())
    refuse_steps(superuser)
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.processes.tell("paid")
        token = (await hold.tokens.create("ana", "letters")).secret
    for _ in range(6):
        await shop.worker.drain()
        holdfast_clock.advance(timedelta(minutes=10))
    allow_steps(superuser)
    async with shop.app.tenant("acme", actor="ana") as hold:
        (stuck,) = await hold.processes.repair.stuck()
    assert "no steps today" in stuck.why

    if way == "http":
        transport, headers = httpx.ASGITransport(build(shop.app)), {"Authorization": f"Bearer {token}"}
        async with httpx.AsyncClient(transport=transport, base_url="http://test/v1/acme", headers=headers) as client:
            (letter,) = (await client.get("/process-events/dead")).json()["items"]
            assert (await client.post(f"/process-events/{letter['id']}/replay")).status_code == 202
    else:
        listed = commands.run("processes", "dead", "-t", "acme", "--json", HOLDFAST_DSN=holdfast_dsn)
        (letter,) = json.loads(listed.stdout)
        done = commands.run("processes", "replay", "-t", "acme", letter["id"], HOLDFAST_DSN=holdfast_dsn)
        assert done.returncode == 0, done.stderr
    assert (letter["event_type"], letter["instance_id"], letter["attempts"]) == ("on_event", str(instance), 5)
    assert "no steps today" in letter["error"]
    # The command line has no clock of ours.
    holdfast_clock.advance(max(timedelta(0), datetime.now(UTC) - holdfast_clock.now()) + timedelta(minutes=1))
    await shop.worker.drain()
    assert (await shop.instance(instance)).status == "completed"


async def test_events_that_nobody_waited_for_are_listed(shop: Shop, holdfast_dsn: str, commands: Commands) -> None:
    async with shop.app.tenant("acme", actor="ana") as hold:
        await hold.processes.tell("delivery:1", {"secret": "content"})
        await hold.processes.tell("delivery:2", {})
        found = (await hold.processes.inbox.buffered()).items
        (one,) = (await hold.processes.inbox.buffered(event_key="delivery:1")).items
    assert [each.event_key for each in found] == ["delivery:2", "delivery:1"]
    assert one.expires_at > one.received_at
    listed = commands.run("processes", "buffered", "-t", "acme", "--json", HOLDFAST_DSN=holdfast_dsn).stdout
    assert [each["event_key"] for each in json.loads(listed)] == ["delivery:2", "delivery:1"]
    assert "none" in commands.run("processes", "dead", "-t", "acme", HOLDFAST_DSN=holdfast_dsn).stdout


async def test_the_same_over_http(shop: Shop, holdfast_dsn: str, commands: Commands) -> None:
    document = await shop.invoice(vendor="Fabrikam")
    async with shop.app.tenant("acme") as hold:
        secret = (await hold.tokens.create("ana", "test")).secret
        instance = (await hold.processes.of_document(document.id)).id
        await hold.processes.tell("delivery:1", {})
    transport = httpx.ASGITransport(build(shop.app), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://test/v1/acme") as client:
        client.headers["Authorization"] = f"Bearer {secret}"
        found = (await client.get(f"/processes/{instance}/possibilities")).json()
        assert {each["outcome"]: each["open"] for each in found}["submit"] is True
        given = {"workflow_id": "invoice", "fields": '{"vendor": "Fabrikam"}', "doc_status": "draft"}
        assert [each["id"] for each in (await client.get("/processes", params=given)).json()["items"]] == [
            str(instance)
        ]
        wrong_ones: list[dict[str, str]] = [
            {"fields": "no json", "workflow_id": "invoice"},
            {"active": "true", "node": "x"},
        ]
        for wrong in wrong_ones:
            assert (await client.get("/processes", params=wrong)).status_code == 422
        assert (await client.get("/process-events/dead")).json()["items"] == []
        assert (await client.post("/process-events/dead/replay", json={})).json() == {"replayed": 0}
        assert len((await client.get("/process-events/buffered")).json()["items"]) == 1
    shown = commands.run("processes", "possibilities", "-t", "acme", str(instance), HOLDFAST_DSN=holdfast_dsn)
    assert "submit" in shown.stdout
