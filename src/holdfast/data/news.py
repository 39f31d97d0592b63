"""Word of changes, for those who follow a namespace: see `data_wake` for why they hold a lock while they listen."""

from __future__ import annotations

from typing import Final

from holdfast.postgres.listening import Channel
from holdfast.postgres.queries import queries

__all__ = ["NEWS"]

_SQL = queries("data")

NEWS: Final = Channel("holdfast_data", begin=_SQL["be_known_to_follow"], end=_SQL["be_known_to_follow_no_more"])
"""The payload is `tenant:namespace`: keys of it have changed."""
