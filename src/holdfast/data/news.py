"""Word of changes, for those who follow a namespace: see `data_wake` for why they hold a lock while they listen."""

from __future__ import annotations

from holdfast.postgres.bell import Bell
from holdfast.postgres.queries import queries

__all__ = ["data_bell"]

_SQL = queries("data")


def data_bell(conninfo: str) -> Bell:
    """Rings for `tenant:namespace` when keys of it have changed."""
    return Bell(conninfo, "LISTEN holdfast_data", _SQL["be_known_to_follow"])
