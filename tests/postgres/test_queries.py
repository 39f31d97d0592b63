"""Every named query is SQL that Postgres accepts on our schema."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from holdfast.postgres.queries import Query, all_queries, queries
from holdfast.testing import Databases

# Utility statements cannot be PREPAREd; those of citus need the extension.
NOT_PREPARABLE = ("DO ", "SET ", "RESET ", "GRANT ", "CREATE OR REPLACE FUNCTION ")
ONLY_WITH_CITUS = {"create_roles_on_nodes", "distributed_tables", "distribute_table", "empty_old_place"}

EVERY = all_queries()


@pytest.fixture(scope="module")
def connection(holdfast_databases: Databases) -> Iterator[psycopg.Connection[Any]]:
    with (
        holdfast_databases.clone() as name,
        psycopg.connect(holdfast_databases.dsn(name), autocommit=True) as connection,
    ):
        yield connection


@pytest.mark.parametrize("query", EVERY, ids=[f"{query.slice}.{query.name}" for query in EVERY])
def test_postgres_accepts(query: Query, connection: psycopg.Connection[Any]) -> None:
    if query.text.startswith(NOT_PREPARABLE) or query.name in ONLY_WITH_CITUS:
        return
    names: list[str] = []

    def number(match: re.Match[str]) -> str:
        if match[1] not in names:
            names.append(match[1])
        return f"${names.index(match[1]) + 1}"

    text = re.sub(r"%\((\w+)\)s", number, query.text).replace("%%", "%")
    connection.execute(f"PREPARE it AS {text}")
    connection.execute("DEALLOCATE it")


def test_every_query_says_which_tenant() -> None:
    """The slices of a tenant scope every statement themselves too: for the index, and as a second lock on the door."""
    for part in ("access", "audit"):
        for name, text in queries(part).items():
            # Which of the tokens of open streams have ended is asked for all tenants of a server at once.
            assert "%(tenant)s" in text or name == "ended_tokens", f"{part}.{name}"


def test_an_unknown_query_fails_at_once() -> None:
    with pytest.raises(KeyError):
        queries("access")["no_such_query"]
