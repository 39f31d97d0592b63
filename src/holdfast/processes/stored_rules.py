"""Rules kept with documents, for `rule` steps of processes: the same conditions, asked at a place of the graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdfast.documents import Contracts, Rules
from holdfast.errors import NotFound
from holdfast.steps import Ask

__all__ = ["StoredRules"]


class StoredRules:
    """Answers for the rules in `workflow_rules`; None when there is none of that name for the document's type."""

    def __init__(self, contracts: Contracts) -> None:
        self._contracts = contracts

    async def decide(self, ask: Ask, name: str) -> tuple[bool, Mapping[str, Any]] | None:
        """Whether the rule's condition holds for the document, and why."""
        if ask.document.document_id is None:
            return None
        try:
            contract = await self._contracts.of_document(ask.tx, ask.document.entity_type, ask.document.document_id)
            return await Rules(ask.tx, self._contracts).matches(name, contract, ask.facts.entity, ask.facts.now)
        except NotFound:
            return None
