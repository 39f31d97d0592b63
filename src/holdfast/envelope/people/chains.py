"""Chains: which stages of an approval chain a document goes through; decided once, so all are about one version."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from holdfast.envelope.expressions import compile_expression
from holdfast.errors import ExpressionError, InvalidInput

__all__ = ["ChainFailed", "stages_that_apply"]

People = Sequence[Mapping[str, Any]]


class ChainFailed(Exception):
    """A chain cannot be followed."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def stages_that_apply(
    name: str,
    stages: Iterable[Mapping[str, Any]],
    roots: Mapping[str, Any],
    evaluate: Callable[[People, Mapping[str, Any]], People],
) -> list[dict[str, Any]]:
    """The stages whose condition holds, with names in the place of expressions. Raises `ChainFailed`."""
    listed, found = list(stages), []
    if not listed:
        raise ChainFailed("CHAIN_UNKNOWN", f"there is no approval chain {name!r}")
    try:
        for stage in listed:
            condition = stage.get("condition")
            if condition and not compile_expression(condition, expect="boolean").evaluate(roots):
                continue
            escalate = stage.get("escalate_to")
            found.append(
                {
                    **stage,
                    "approvers": evaluate(stage["approvers"], roots),
                    "escalate_to": evaluate(escalate, roots) if escalate else None,
                }
            )
    except (ExpressionError, InvalidInput) as problem:
        message = f"the chain {name!r} cannot be followed: {problem.message}"
        raise ChainFailed("CHAIN_FAILED", message) from None
    if not found:
        raise ChainFailed("CHAIN_EMPTY", f"no stage of the chain {name!r} applies to this document")
    return found
