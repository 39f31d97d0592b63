"""The doctor finds what is wrong, says it in plain words, and says what to do."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import psycopg
import pytest

from holdfast import Settings
from holdfast.doctor import Finding, examine
from holdfast.kernel.keyring import new_key
from holdfast.testing import Databases

Row = dict[str, Any]


async def findings(dsn: str, **settings: Any) -> dict[str, Finding]:
    found = {}
    async for finding in examine(Settings.load({}, dsn=dsn, **settings)):
        found[finding.check] = finding
    return found


async def test_a_healthy_installation_has_no_complaints(holdfast_dsn: str) -> None:
    found = await findings(holdfast_dsn)
    assert {name for name, finding in found.items() if finding.verdict == "failed"} == set()
    assert {
        "connection",
        "Postgres version",
        "roles",
        "migrations",
        "row-level security",
        "partitions",
        "clock",
    } <= set(found)


async def test_a_superuser_login_is_a_warning(holdfast_dsn: str) -> None:
    assert (await findings(holdfast_dsn))["login"].verdict == "warning"


async def test_without_keys_nothing_of_the_trail_is_dropped_and_the_doctor_says_so(holdfast_dsn: str) -> None:
    found = (await findings(holdfast_dsn, audit_retention={"plain": 90}))["keys"]
    assert (found.verdict, "plain after 90 days" in found.detail) == ("warning", True)
    assert "holdfast keys new" in str(found.fix)
    assert (await findings(holdfast_dsn, keys=new_key()))["keys"].verdict == "ok"


@pytest.mark.parametrize(
    ("damage", "check", "told"),
    [
        ("ALTER TABLE holdfast.users DISABLE ROW LEVEL SECURITY", "row-level security", "holdfast.users"),
        ("ALTER TABLE holdfast.users NO FORCE ROW LEVEL SECURITY", "row-level security", "holdfast.users"),
        (
            "ALTER TABLE holdfast_langgraph.checkpoints DISABLE ROW LEVEL SECURITY",
            "row-level security",
            "holdfast_langgraph.checkpoints",
        ),
        ("CREATE POLICY open ON holdfast.users USING (true)", "row-level security", "open ON holdfast.users"),
        ("GRANT UPDATE ON holdfast.workflow_event_plain TO holdfast_app", "history", "holdfast.workflow_event_plain"),
    ],
)
async def test_what_weakens_isolation_is_found_and_the_fix_mends_it(
    holdfast_dsn: str, superuser: psycopg.Connection[Row], damage: str, check: str, told: str
) -> None:
    superuser.execute(damage)
    finding = (await findings(holdfast_dsn))[check]
    assert finding.verdict == "failed"
    assert told in finding.detail
    superuser.execute(finding.fix or "")
    assert (await findings(holdfast_dsn))[check].verdict == "ok"


@pytest.mark.parametrize(
    ("damage", "check", "fix"),
    [
        ("DELETE FROM holdfast.schema_migrations", "migrations", "holdfast migrate"),
        ("UPDATE holdfast.schema_migrations SET checksum = 'x'", "migrations", "begin with a new database"),
    ],
)
async def test_damage_is_found(
    holdfast_dsn: str, superuser: psycopg.Connection[Row], damage: str, check: str, fix: str
) -> None:
    superuser.execute(damage)
    finding = (await findings(holdfast_dsn))[check]
    assert finding.verdict == "failed"
    assert fix in (finding.fix or "")


async def test_missing_partitions_are_a_warning(holdfast_dsn: str, superuser: psycopg.Connection[Row]) -> None:
    superuser.execute("SELECT holdfast.create_partitions(now(), 3)")
    row = superuser.execute("SELECT to_char(now() + interval '1 month', 'YYYY_MM') AS month").fetchone()
    assert row is not None
    superuser.execute(f"DROP TABLE holdfast.workflow_event_plain_{row['month']}")
    finding = (await findings(holdfast_dsn))["partitions"]
    assert finding.verdict == "warning"
    assert "workflow_event_plain" in finding.detail


async def test_an_unreachable_server_ends_the_examination() -> None:
    found = await findings("host=127.0.0.1 port=1", connect_timeout=2)
    (finding,) = found.values()
    assert finding.verdict == "failed"
    assert "HOLDFAST_DSN" in (finding.fix or "")


async def test_an_empty_database_is_told_to_migrate(holdfast_databases: Databases) -> None:
    with holdfast_databases.empty() as name:
        found = await findings(holdfast_databases.dsn(name))
    assert found["migrations"].verdict == "failed"
    assert found["migrations"].fix == "run `holdfast migrate`"


async def test_a_clock_that_is_off_is_a_warning(holdfast_dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import holdfast.doctor as module

    class Late(module.datetime):  # type: ignore[misc,name-defined]
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return super().now(tz) + timedelta(hours=1)

    monkeypatch.setattr(module, "datetime", Late)
    finding = (await findings(holdfast_dsn))["clock"]
    assert finding.verdict == "warning"
    assert "3600 s" in finding.detail
