"""Every operation reads the rows it is about and nothing else, however large the namespace is."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg
import pytest

from holdfast import Holdfast
from holdfast.postgres.queries import queries

MANY = 30_000
FEW_PAGES = 120  # the keys alone fill about five hundred
DATA, LINKS = queries("data"), queries("links")


@pytest.fixture
async def crowded(app: Holdfast, superuser: psycopg.Connection[Any]) -> UUID:
    """A tenant with a large namespace and a long history, analysed so that the planner knows."""
    async with app.tenant("acme") as hold:
        tenant = hold.tenant.id
        await hold.data.set("big", "counter", 1)
    superuser.execute(
        "INSERT INTO holdfast.workflow_data_store "
        "(tenant, store_id, namespace, key, value, value_type, revision, size) "
        "SELECT %s, gen_random_uuid(), 'big', 'key-' || lpad(n::text, 8, '0'), to_jsonb(n), 'number', "
        "nextval('holdfast.data_revision'), 8 FROM generate_series(1, %s) n",
        [tenant, MANY],
    )
    superuser.execute(
        "INSERT INTO holdfast.workflow_entity_links "
        "(tenant, link_id, namespace, left_type, left_id, right_type, right_id) "
        "SELECT %s, gen_random_uuid(), 'big', 'task', n::text, 'ticket', (n / 3)::text FROM generate_series(1, %s) n",
        [tenant, MANY],
    )
    superuser.execute(
        "INSERT INTO holdfast.workflow_data_change (tenant, namespace, xid, id, op, key, revision, created_at) "
        "SELECT %s, 'big', '3', n, 'set', 'key', n, now() FROM generate_series(1, %s) n",
        [tenant, MANY],
    )
    superuser.execute(
        "VACUUM ANALYZE holdfast.workflow_data_store, holdfast.workflow_entity_links, holdfast.workflow_data_change"
    )
    return tenant


def pages(superuser: psycopg.Connection[Any], statement: str, **values: Any) -> int:
    """How many pages a statement touches, the catalogue's included when it is planned; at most of the later calls.

    The first calls read the catalogue; later ones are past the point at which Postgres would change the plan.
    """
    counted = []
    for _ in range(8):
        row = superuser.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement}", values).fetchone()
        assert row is not None
        plan = row["QUERY PLAN"][0]["Plan"]
        counted.append(int(plan["Shared Hit Blocks"]) + int(plan["Shared Read Blocks"]))
    return max(counted[2:])


def test_nothing_scans_a_large_namespace(crowded: UUID, superuser: psycopg.Connection[Any]) -> None:
    superuser.execute("SELECT set_config('holdfast.tenant', %s, false)", [str(crowded)])
    common: dict[str, Any] = {"tenant": crowded, "namespace": "big", "now": None}
    written = common | {"actor": "x", "origin": "{}", "step": None, "checked": 0, "ttl": None}
    key, new = "key-00015000", "00000000-0000-0000-0000-000000000001"
    looked = {"of_type": "ticket", "of_id": "5000", "relation": None, "other_type": None, "limit": 51}
    after = dict.fromkeys(("after_type", "after_id", "after_relation", "after_link"))
    here = superuser.execute("SELECT pg_current_snapshot()::text AS it").fetchone()
    assert here is not None
    nothing_known = {"seen": "3:3:", "by": "0"}
    statements: dict[str, tuple[str, dict[str, Any]]] = {
        "get": (DATA["get"], common | {"key": key}),
        "get_for": (DATA["get_for"], common | {"key": key}),
        "set": (
            DATA["set"],
            written | {"key": key, "id": new, "value": "1", "value_type": "number", "if_revision": None},
        ),
        "create": (
            DATA["set"],
            written | {"key": key, "id": new, "value": "1", "value_type": "number", "if_revision": 0},
        ),
        "increment": (DATA["increment"], written | {"key": key, "id": new, "by": 1, "initial": 0, "allowed": None}),
        "list": (DATA["list"], common | {"low": "key-0001", "high": "key-0002", "after": key, "limit": 51}),
        "list from the start": (DATA["list"], common | {"low": "", "high": "\U0010ffff", "after": "", "limit": 51}),
        "list_for": (DATA["list_for"], common | {"low": "key-0001", "high": "key-0002", "after": key, "limit": 51}),
        "names": (DATA["namespace_names"], common | {"low": "", "high": "\U0010ffff", "limit": 50}),
        "changes": (
            DATA["changes"],
            common | {"since": here["it"], "upto": here["it"], "after": 0, "above": 0, **nothing_known, "limit": 51},
        ),
        "changes from the start": (
            DATA["more_changes"],
            common | {"since": "3:3:", "upto": here["it"], "after": 0, "above": 0, **nothing_known, "limit": 11},
        ),
        "changes in the midst": (
            DATA["more_changes"],
            common
            | {"since": "3:3:", "upto": here["it"], "after": MANY // 2, "above": 0, **nothing_known, "limit": 11},
        ),
        "sweep": (DATA["sweep"], common | {"limit": 1000, "actor": "x"}),
        "upsert": (
            LINKS["upsert"],
            written
            | {"id": new, "from_type": "task", "from_id": "7", "to_type": "ticket", "to_id": "2"}
            | {"relation": "related", "attributes": None},
        ),
        "lookup": (LINKS["lookup"], common | looked | after | {"forward": True, "reverse": True}),
        "links": (
            LINKS["list"],
            common
            | dict.fromkeys(("left_type", "right_type", "relation"))
            | {"after_left_type": "task", "after_left_id": "5", "after_right_type": "", "after_right_id": ""}
            | {"after_relation": "", "limit": 51},
        ),
        "types": (LINKS["types_in_use"], common | {"low": "", "high": "\U0010ffff", "limit": 50}),
        "export": (
            DATA["export"],
            common | {"after_namespace": "big", "after_key": key, "upto": "big", "limit": 51, "bytes": 2**20},
        ),
        "export of little": (
            DATA["export"],
            common | {"after_namespace": "a", "after_key": "", "upto": "a", "limit": 51, "bytes": 2**20},
        ),
        "export of links": (
            LINKS["export"],
            common
            | {"after_namespace": "big", "after_left_type": "task", "after_left_id": "5", "after_right_type": ""}
            | {"after_right_id": "", "after_relation": "", "upto": "big", "limit": 51, "bytes": 2**20},
        ),
    }
    found = {name: pages(superuser, text, **values) for name, (text, values) in statements.items()}
    assert {name: count for name, count in found.items() if count > FEW_PAGES} == {}


def test_a_prefix_is_a_range_of_the_index(crowded: UUID, superuser: psycopg.Connection[Any]) -> None:
    values = {"tenant": crowded, "namespace": "big", "low": "key-00015", "high": "key-00016", "after": "", "limit": 51}
    row = superuser.execute(f"EXPLAIN (FORMAT JSON) {DATA['list']}", values | {"now": None}).fetchone()
    assert row is not None
    scan = row["QUERY PLAN"][0]["Plan"]["Plans"][0]
    assert scan["Index Name"] == "workflow_data_store_key"
    for part in ("key >= 'key-00015'", "key < 'key-00016'", "namespace = 'big'"):
        assert part in scan["Index Cond"]
