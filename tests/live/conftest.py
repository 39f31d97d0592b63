"""Fixtures of tests of the live stream."""

from __future__ import annotations

from people.conftest import office
from processes.conftest import shop

__all__ = ["office", "shop"]
