"""Fixtures of tests of effects."""

from processes.conftest import shop

__all__ = ["shop"]
