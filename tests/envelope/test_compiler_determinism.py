"""The same bytes in every process, and time that grows with the size of the definition and no faster."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from holdfast.envelope import (
    CompiledWorkflow,
    Contract,
    OrgWorkflowDefinition,
    compile_effective,
    generate_skeleton,
)

CONTRACT = Contract(
    entity_type="invoice",
    document={
        "type": "object",
        "required": ["total", "number"],
        "properties": {"total": {"type": "number"}, "number": {"type": "string"}, "größe": {"type": "string"}},
    },
)
SKELETON = generate_skeleton(CONTRACT)


def definition(size: int) -> dict[str, Any]:
    """Blocks of a choice, a split, an approval beside an action, and a join: about `size` nodes with expressions."""
    nodes: list[dict[str, Any]] = []
    edges: list[dict[str, Any]] = []
    block = 0
    while len(nodes) < size - 1:
        nodes += [
            {"id": f"c{block}", "type": "condition", "config": {"expression": f"entity.total > {block}"}},
            {"id": f"s{block}", "type": "parallel_split", "name": f"Größe Ⅷ {block}"},
            {
                "id": f"a{block}",
                "type": "approval",
                "config": {"title": "Approve {entity.number}", "approvers": [{"kind": "role", "role": "boss"}]},
            },
            {
                "id": f"w{block}",
                "type": "action",
                "config": {
                    "action": "post",
                    "payload": {"amount": {"$expr": "entity.total"}, "ß": [1, {"z": 1, "a": 2}]},
                },
            },
            {"id": f"j{block}", "type": "parallel_join", "config": {"mode": "all"}},
        ]
        for text in ("c[true]>s", "s>a", "s>w", "a[approved]>j", "a[rejected]>j", "w>j"):
            source, _, target = text.partition(">")
            name, _, outcome = source.rstrip("]").partition("[")
            edge = {"source": f"{name}{block}", "target": f"{target}{block}", "outcome": outcome or None}
            edges.append({**edge, "condition": 'entity.number != "ß"'} if text == "s>w" else edge)
        edges += [
            {"source": f"c{block}", "target": f"c{block + 1}"},
            {"source": f"j{block}", "target": f"c{block + 1}"},
        ]
        block += 1
    nodes.append({"id": f"c{block}", "type": "script", "config": {"assign": {"done": "now"}}})
    base = {"entity_type": "invoice", "envelope_version": 1}
    return {"base_ref": base, "slots": {"slot:submitted_to_approved": {"nodes": nodes, "edges": edges}}}


PROGRAM = """
import locale, sys
try:
    locale.setlocale(locale.LC_ALL, "")
except locale.Error:
    pass
from holdfast.envelope import Contract, OrgWorkflowDefinition, compile_effective, generate_skeleton
contract = Contract.from_json(sys.stdin.buffer.readline())
definition = OrgWorkflowDefinition.from_json(sys.stdin.buffer.readline())
sys.stdout.buffer.write(compile_effective(generate_skeleton(contract), definition).to_json())
"""


@pytest.mark.parametrize(
    ("seed", "locale", "zone"),
    [("0", "C", "UTC"), ("1", "C.UTF-8", "Asia/Tokyo"), ("4242", "tr_TR.UTF-8", "America/Lima")],
)
def test_other_processes_give_the_same_bytes(seed: str, locale: str, zone: str) -> None:
    here = OrgWorkflowDefinition.read(definition(60))
    source = Path(__file__).parents[2] / "src"
    answer = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=CONTRACT.to_json() + b"\n" + here.to_json() + b"\n",
        env={**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale, "TZ": zone, "PYTHONPATH": str(source)},
        capture_output=True,
        check=True,
    )
    assert answer.stdout == compile_effective(SKELETON, here).to_json()


def test_the_bytes_of_this_version_never_change() -> None:
    """The hash is part of what is stored; whoever changes it must raise CURRENT_COMPILER_VERSION."""
    compiled = compile_effective(SKELETON, OrgWorkflowDefinition.read(definition(11)))
    assert compiled.compiler_version == "1.1.0"
    assert compiled.hash == "85f76a0e504965d708929d50fb715645af62be50b159019a77bed01fe35514cb"


def seconds(size: int) -> float:
    written = OrgWorkflowDefinition.read(definition(size))
    best = float("inf")
    for _ in range(3):
        begun = time.process_time()
        compiled = compile_effective(SKELETON, written)
        best = min(best, time.process_time() - begun)
    assert len(compiled.nodes_by_id) >= size
    return best


def test_500_nodes_compile_in_less_than_200_ms_and_growth_is_linear() -> None:
    """Processor time, the best of three, so that a busy machine matters little."""
    small, large = seconds(500), seconds(2000)
    assert small < 0.2
    assert large < small * 4 * 2.5


def test_a_long_chain_and_a_deep_nest_need_no_recursion() -> None:
    chain = [{"id": f"n{index}", "type": "wait_timer", "config": {"duration": "1h"}} for index in range(3000)]
    ways = [{"source": f"n{index}", "target": f"n{index + 1}"} for index in range(2999)]
    deep: list[dict[str, Any]] = []
    nest: list[dict[str, Any]] = []
    for index in range(300):
        deep += [{"id": f"s{index}", "type": "parallel_split"}, {"id": f"j{index}", "type": "parallel_join"}]
        inner = f"s{index + 1}" if index < 299 else "core"
        nest += [{"source": f"s{index}", "target": inner}, {"source": f"s{index}", "target": f"j{index}"}]
        nest.append({"source": f"j{index + 1}" if index < 299 else "core", "target": f"j{index}"})
    deep.append({"id": "core", "type": "wait_timer", "config": {"duration": "1h"}})
    compiled: CompiledWorkflow = compile_effective(
        SKELETON,
        OrgWorkflowDefinition.read(
            {
                "base_ref": {"entity_type": "invoice", "envelope_version": 1},
                "slots": {
                    "slot:draft_to_submit": {"nodes": chain, "edges": ways},
                    "slot:approved_to_active": {"nodes": deep, "edges": nest},
                },
            }
        ),
    )
    assert len(compiled.join_requirements) == 300
