"""The JSON Schema of a whole definition, in which a node's `type` decides what its `config` must look like.

The models alone cannot say this, because the set of node types is open. Editors get this schema; the compiler
checks the same models, so what passes the one passes the other as far as shape goes.
"""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import models_json_schema

from holdfast.envelope.parts.graph import OrgWorkflowDefinition
from holdfast.envelope.parts.registry import STANDARD, NodeTypes

__all__ = ["definition_schema"]


def definition_schema(types: NodeTypes = STANDARD) -> dict[str, Any]:
    """JSON Schema (2020-12) of an `OrgWorkflowDefinition` that may use `types`."""
    usable = [each for each in types.values() if each.placement == "slot"]
    references, shared = models_json_schema(
        [(OrgWorkflowDefinition, "validation"), *((each.config, "validation") for each in usable)]
    )
    definitions: dict[str, Any] = shared["$defs"]
    node = definitions["Node"]
    node["properties"]["type"]["enum"] = sorted(each.name for each in usable)
    node["allOf"] = [
        {
            "if": {"properties": {"type": {"const": each.name}}},
            "then": {
                "properties": {"config": references[each.config, "validation"]},
                **_needs_config(each.config),
            },
        }
        for each in sorted(usable, key=lambda each: each.name)
    ]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Workflow definition",
        **references[OrgWorkflowDefinition, "validation"],
        "$defs": definitions,
    }


def _needs_config(config: Any) -> dict[str, Any]:
    required = any(each.is_required() for each in config.model_fields.values())
    return {"required": ["config"]} if required else {}
