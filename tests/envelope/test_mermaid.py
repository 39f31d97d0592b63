"""Mermaid: any workflow can be drawn, and no name can break the drawing."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envelope.strategies import cases
from holdfast.envelope import (
    OrgWorkflowDefinition,
    Skeleton,
    SlotGraphPatch,
    automation_skeleton,
    compile_effective,
    to_mermaid,
)

LINE = re.compile(
    r"""  (?:\ \ )*(?:
      n\d+(?:\(\[|\(\(|\(|\{\{|\{|\[\[|\[/|\[\\|\[)"[^"\n]*"(?:\]\)|\)\)|\)|\}\}|\}|\]\]|\\\]|/\]|\])
    | n\d+\ (?:-->|-\.->)(?:\|(?:"[^"\n]*"|each\ item)\|)?\ n\d+
    | subgraph\ gn\d+\["[^"\n]*"\]
    | end
    | classDef\ system\ [\w:#,]+
    | class\ n\d+(?:,n\d+)*\ system
    )""",
    re.VERBOSE,
)


@settings(max_examples=40, deadline=None)
@given(cases())
def test_every_workflow_is_drawn_completely(case: tuple[Skeleton, OrgWorkflowDefinition]) -> None:
    compiled = compile_effective(*case)
    first, *lines = to_mermaid(compiled).splitlines()
    assert first == "flowchart TD"
    assert [line for line in lines if not LINE.fullmatch(line)] == []
    arrows = [line for line in lines if "->" in line]
    assert len(arrows) == len(compiled.edges_by_id) + len(compiled.bodies)
    drawn = [line for line in lines if re.match(r"\s+n\d+[(\[{]", line)]
    assert len(drawn) == len(compiled.nodes_by_id)
    frames = sum(slot.filled for slot in compiled.slots.values()) + len(compiled.bodies)
    assert sum(line.strip() == "end" for line in lines) == frames


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=60), st.text(max_size=60))
def test_no_name_breaks_out_of_its_label(name: str, label: str) -> None:
    patch = SlotGraphPatch.model_validate(
        {
            "nodes": [{"id": "a", "type": "wait_timer", "name": name, "config": {"duration": "1h"}}],
            "edges": [{"source": "a", "target": "out", "label": label}],
        }
    )
    try:
        name.encode()
        label.encode()
    except UnicodeEncodeError:
        return
    _, *lines = to_mermaid(compile_effective(automation_skeleton(), {"slot:main": patch})).splitlines()
    assert [line for line in lines if not LINE.fullmatch(line)] == []


def test_an_automation_looks_like_this() -> None:
    patch = SlotGraphPatch.model_validate(
        {
            "nodes": [
                {"id": "check", "type": "condition", "config": {"expression": "payload.total > 10"}},
                {
                    "id": "ask",
                    "name": 'Ask "Ana"',
                    "type": "approval",
                    "config": {"approvers": [{"kind": "user", "user": "ana"}]},
                },
            ],
            "edges": [
                {"source": "check", "target": "ask", "outcome": "true"},
                {"source": "check", "target": "out"},
                {"source": "ask", "target": "out", "outcome": "approved"},
                {"source": "ask", "target": "check", "outcome": "rejected", "returns": True},
            ],
            "exit_edge_mode": "join",
        }
    )
    compiled = compile_effective(automation_skeleton(), {"slot:main": patch})
    assert to_mermaid(compiled, direction="LR") == (
        "flowchart LR\n"
        '  n0(["Start"])\n'
        '  n5(["End"])\n'
        '  subgraph gn1["slot:main · editable"]\n'
        '    n1(("in"))\n'
        '    n2{"Check<br/>condition"}\n'
        '    n3["Ask #34;Ana#34;<br/>approval"]\n'
        '    n4(("out"))\n'
        "  end\n"
        "  n4 --> n5\n"
        '  n0 -->|"created"| n1\n'
        '  n3 -->|"approved"| n4\n'
        '  n3 -.->|"rejected"| n2\n'
        "  n2 --> n4\n"
        '  n2 -->|"true"| n3\n'
        "  n1 --> n2\n"
        "  classDef system fill:#eef2f7,stroke:#64748b,color:#0f172a\n"
        "  class n0,n5 system\n"
    )
    with pytest.raises(ValueError, match="UP"):
        to_mermaid(compiled, direction="UP")
