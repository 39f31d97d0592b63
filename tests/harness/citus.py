"""Databases of a real Citus, for running any of our tests there: `TEST_CITUS_DSN`.

It names a server that preloads the extension, with a superuser's login, and lets connections from itself in without a
password. Tests then get databases that were migrated as on plain Postgres, given the extension and migrated again, with
the shards on that server; or on a second one, when `TEST_CITUS_NODE_DSN` names one.
"""

from __future__ import annotations

import asyncio
import os
from typing import Any

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from holdfast.postgres.migrate import migrate
from holdfast.testing import Databases

__all__ = ["COORDINATOR", "CitusDatabases"]

COORDINATOR = os.environ.get("TEST_CITUS_DSN")
_NODE = os.environ.get("TEST_CITUS_NODE_DSN")


class CitusDatabases(Databases):
    """Like those of plain Postgres, but distributed."""

    def __init__(self) -> None:
        super().__init__(COORDINATOR)

    def _make(self) -> str:
        name = super()._make()
        self.add_citus(name)
        asyncio.run(migrate(self.dsn(name)))
        return name

    def add_citus(self, name: str) -> None:
        """Give a database the extension, and a place for its shards."""
        with psycopg.connect(self.dsn(name), autocommit=True) as connection:
            connection.execute("CREATE EXTENSION citus")
            connection.execute("SELECT citus_set_coordinator_host('localhost', %s)", [connection.info.port])
            # Few, because a test makes and drops them all.
            connection.execute(sql.SQL("ALTER DATABASE {} SET citus.shard_count = 4").format(sql.Identifier(name)))
            if _NODE is None:
                connection.execute(
                    "SELECT citus_set_node_property('localhost', %s, 'shouldhaveshards', true)", [connection.info.port]
                )
            else:
                port = self._add_node(name, _NODE)
                connection.execute("SELECT citus_add_node('localhost', %s)", [port])

    def _add_node(self, name: str, node: str) -> int:
        _execute(node, sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        with psycopg.connect(make_conninfo(node, dbname=name), autocommit=True) as connection:
            connection.execute("CREATE EXTENSION citus")
            return connection.info.port

    def _drop(self, name: str) -> None:
        super()._drop(name)
        if _NODE is not None:
            _execute(_NODE, sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def _execute(dsn: str, statement: sql.Composed) -> None:
    connection: psycopg.Connection[Any]
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(statement)
