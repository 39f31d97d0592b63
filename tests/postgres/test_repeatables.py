"""What `functions/` says is what the database has: a changed file is applied again, a removed one is taken away."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

from holdfast import Holdfast
from holdfast.errors import MigrationError, SchemaOutdated
from holdfast.postgres import migrate as module
from holdfast.postgres.migrate import migrate
from holdfast.postgres.schema_files import Repeatable, migrations, repeatables

ROOT = Path(__file__).parents[2]
Superuser = psycopg.Connection[Any]
Files = Callable[..., None]

ADD = "CREATE OR REPLACE FUNCTION holdfast.sum_up({}) RETURNS {} LANGUAGE sql AS $$ SELECT {} $$;"


def file(path: str, sql: str) -> Repeatable:
    return Repeatable(path, sql, hashlib.sha256(sql.encode()).hexdigest())


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> Files:
    known = repeatables()

    def use(*more: Repeatable) -> None:
        replaced = {one.path for one in more}
        there = (*(one for one in known if one.path not in replaced), *more)
        monkeypatch.setattr(module, "repeatables", lambda: there)

    return use


def answers(superuser: Superuser, call: str) -> Any:
    row = superuser.execute(f"SELECT {call} AS it").fetchone()
    assert row is not None
    return row["it"]


def called(superuser: Superuser, name: str) -> int:
    return int(answers(superuser, f"(SELECT count(*) FROM pg_proc WHERE proname = '{name}')"))


async def test_a_changed_file_is_applied_again(holdfast_dsn: str, superuser: Superuser, files: Files) -> None:
    files(file("kernel/sum_up", ADD.format("a int", "int", "a + 1")))
    with pytest.raises(SchemaOutdated, match="another definition of kernel/sum_up"):
        await Holdfast(dsn=holdfast_dsn).open()
    await migrate(holdfast_dsn)
    assert answers(superuser, "holdfast.sum_up(1)") == 2
    files(file("kernel/sum_up", ADD.format("a int", "int", "a + 2")))
    await migrate(holdfast_dsn)
    assert answers(superuser, "holdfast.sum_up(1)") == 3
    async with Holdfast(dsn=holdfast_dsn):
        pass


@pytest.mark.parametrize(
    ("arguments", "answer", "call"),
    [("a int, b int", "int", "holdfast.sum_up(1, 2)"), ("a int", "text", "holdfast.sum_up(1)")],
)
async def test_a_name_means_one_function_whatever_it_took_or_gave_before(
    holdfast_dsn: str, superuser: Superuser, files: Files, arguments: str, answer: str, call: str
) -> None:
    files(file("kernel/sum_up", ADD.format("a int", "int", "a")))
    await migrate(holdfast_dsn)
    files(file("kernel/sum_up", ADD.format(arguments, answer, f"7::{answer}")))
    await migrate(holdfast_dsn)
    assert str(answers(superuser, call)) == "7"
    assert called(superuser, "sum_up") == 1


async def test_what_has_no_file_any_more_is_taken_away(holdfast_dsn: str, superuser: Superuser, files: Files) -> None:
    guard = "CREATE TRIGGER none BEFORE DELETE ON holdfast.org_chart FOR EACH ROW EXECUTE FUNCTION holdfast.sum_up();"
    function = "CREATE OR REPLACE FUNCTION holdfast.sum_up() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN END $$;"
    view = "CREATE OR REPLACE VIEW holdfast.sums AS SELECT 1 AS one;"
    files(file("people/sum_up", function), file("people/sums", view), file("people/on_org_chart", guard))
    await migrate(holdfast_dsn)
    assert answers(superuser, "(SELECT one FROM holdfast.sums)") == 1
    triggers = "(SELECT count(*) FROM pg_trigger WHERE tgname = 'none')"
    assert answers(superuser, triggers) == 1
    files()
    await migrate(holdfast_dsn)
    assert called(superuser, "sum_up") == 0
    assert answers(superuser, triggers) == 0
    assert answers(superuser, "to_regclass('holdfast.sums')") is None


async def test_a_file_that_fails_leaves_everything_as_it_was(
    holdfast_dsn: str, superuser: Superuser, files: Files
) -> None:
    files(file("kernel/sum_up", ADD.format("a int", "int", "a")), file("runs/broken", "CREATE FUNCTION nonsense"))
    with pytest.raises(MigrationError, match="runs/broken failed and was undone"):
        await migrate(holdfast_dsn)
    assert called(superuser, "sum_up") == 0


async def test_a_new_table_is_closed_without_anybody_saying_so(
    holdfast_dsn: str, superuser: Superuser, monkeypatch: pytest.MonkeyPatch
) -> None:
    sql = "CREATE TABLE holdfast.forgotten (tenant uuid NOT NULL, id uuid NOT NULL, PRIMARY KEY (tenant, id));"
    more = type(migrations()[0])(len(migrations()) + 1, "forgotten", sql, "x", in_transaction=True)
    monkeypatch.setattr(module, "migrations", lambda: (*migrations(), more))
    await migrate(holdfast_dsn)
    assert answers(superuser, "(SELECT relforcerowsecurity FROM pg_class WHERE relname = 'forgotten')") is True
    assert answers(superuser, "(SELECT count(*) FROM pg_policies WHERE tablename = 'forgotten')") == 2


def test_each_file_defines_what_its_name_says() -> None:
    for one in repeatables():
        name = one.path.partition("/")[2]
        if one.table is not None:
            tables = re.findall(
                r"^CREATE (?:CONSTRAINT )?TRIGGER .*?\bON holdfast\.(\w+)", one.sql, re.MULTILINE | re.DOTALL
            )
            assert set(tables) == {one.table}, one.path
        else:
            made = re.findall(r"^CREATE OR REPLACE (?:FUNCTION|VIEW) holdfast\.(\w+)", one.sql, re.MULTILINE)
            assert made == [name], one.path


def test_no_table_is_made_of_partitions_of_partitions(superuser: Superuser) -> None:
    nested = superuser.execute(
        "SELECT c.oid::regclass::text AS name FROM pg_partitioned_table p JOIN pg_class c ON c.oid = p.partrelid "
        "WHERE c.relispartition"
    ).fetchall()
    assert nested == []


def test_the_dumped_schema_and_its_page_are_what_a_fresh_database_is() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "schema.py", "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
