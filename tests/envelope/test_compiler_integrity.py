"""The skeleton comes out whole (WF-08), and a workflow is what its hash says (WF-07)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from envelope.patches import ASK, INVOICE, SLOT, SPLIT, WAIT, compiled, each, edges, nodes, patch
from holdfast.envelope import STANDARD, CompiledWorkflow, Skeleton, analyse, verify
from holdfast.envelope.compiler.integrity import check_effective
from holdfast.envelope.problems import Problems
from holdfast.errors import CompileError
from holdfast.kernel.json import canonical_hash, parse_json


def altered(**changes: Any) -> Skeleton:
    return INVOICE.model_copy(update=changes)


def test_a_skeleton_without_one_of_its_nodes_is_refused_even_when_resealed() -> None:
    without = altered(nodes=[node for node in INVOICE.nodes if node.id != "sys:gate:approve"])
    assert {each.code for each in analyse(without, {}).errors} == {"integrity.altered", "integrity.missing"}
    assert {each.code for each in analyse(without.sealed(), {}).errors} == {"integrity.missing"}


def test_a_skeleton_whose_gates_are_reordered_is_refused() -> None:
    back = [edge.model_copy(update={"returns": False}) for edge in INVOICE.edges]
    assert {each.code for each in analyse(altered(edges=back).sealed(), {}).errors} == {"integrity.order"}
    cut = [edge for edge in INVOICE.edges if edge.source != "sys:start"]
    assert "integrity.order" in {each.code for each in analyse(altered(edges=cut).sealed(), {}).errors}


def test_an_effective_workflow_that_lost_or_changed_a_gate_is_noticed() -> None:
    workflow = compiled(patch(nodes(a=WAIT)))

    def codes(**changes: Any) -> set[str]:
        content = {**{name: getattr(workflow, name) for name in PARTS}, **changes}
        found = Problems()
        check_effective(
            INVOICE,
            content["nodes_by_id"],
            content["edges_by_id"],
            content["edit_windows"],
            content["topological_order"],
            STANDARD,
            found,
        )
        return {each.code for each in found}

    assert codes() == set()
    lost = {key: node for key, node in workflow.nodes_by_id.items() if key != "sys:gate:approve"}
    assert codes(nodes_by_id=lost) == {"integrity.missing"}
    assert codes(edit_windows={**workflow.edit_windows, "sys:state:active": "editable"}) == {"integrity.altered"}
    assert codes(topological_order=tuple(reversed(workflow.topological_order))) == {"integrity.order"}
    cut = {key: edge for key, edge in workflow.edges_by_id.items() if edge.target != f"sys:{SLOT}:in"}
    assert codes(edges_by_id=cut) == {"integrity.missing"}


PARTS = ("nodes_by_id", "edges_by_id", "edit_windows", "topological_order")


def test_a_workflow_of_another_compiler_is_genuine_but_not_current() -> None:
    older = replace(compiled(patch(nodes(a=WAIT))), compiler_version="0.9.0").sealed()
    answer = verify(older, INVOICE)
    assert answer.genuine
    assert not answer.current
    assert not answer.ok
    assert answer.to_json()["ok"] is False


def test_verification_says_what_was_changed() -> None:
    workflow = compiled(patch(nodes(a=WAIT)))
    content = {**workflow.content(), "hash": workflow.hash}
    content["topological_order"].reverse()
    answer = verify(CompiledWorkflow.from_json(content))
    assert answer.differences == ("topological_order does not follow from the nodes and edges",)
    content = {**workflow.content(), "hash": workflow.hash}
    content["nodes_by_id"][f"usr:{SLOT}:a"]["config"]["duration"] = "9h"
    answer = verify(CompiledWorkflow.from_json(content))
    assert not answer.genuine
    assert answer.differences == ("the content is consistent in itself but is not the content that was hashed",)


def test_what_is_no_compiled_workflow_is_refused() -> None:
    for text in ("{}", '{"nodes_by_id": []}', "[]", '"x"'):
        with pytest.raises(CompileError, match="not a compiled workflow"):
            CompiledWorkflow.from_json(text)


# Tampering: whoever changes a workflow can also compute a new hash


FIRST = {"type": "parallel_join", "config": {"mode": "any"}}


def busy() -> CompiledWorkflow:
    return compiled(
        patch(
            nodes(
                s=SPLIT,
                a=WAIT,
                e=each(patch(nodes(z=WAIT))),
                j={"type": "parallel_join", "config": {"mode": "any"}},
                q=ASK,
            ),
            edges("s>a", "s>e", "a>j", "e>j", "j>q", "q[approved]>out", "q[rejected]>out"),
            exit_edge_mode="join",
        )
    )


def tampered(workflow: CompiledWorkflow, place: tuple[str, ...], value: Any) -> CompiledWorkflow:
    """The workflow with one value changed and the hash computed anew."""
    content = parse_json(workflow.to_json())
    here = content
    for step in place[:-1]:
        here = here[step]
    here[place[-1]] = value
    del content["hash"]
    return CompiledWorkflow.from_json({**content, "hash": canonical_hash(content)})


IN, OUT = f"sys:{SLOT}:in", f"sys:{SLOT}:out"
TAMPERINGS: list[tuple[tuple[str, ...], Any]] = [
    (("nodes_by_id", "sys:gate:approve", "config", "consumes_approvals"), False),
    (("nodes_by_id", "sys:gate:cancel", "config", "roles"), ["everyone"]),
    (("nodes_by_id", "sys:state:draft", "config", "waits_for"), ["submit", "skip"]),
    (("nodes_by_id", "sys:gate:submit", "name"), "Approve"),
    (("nodes_by_id", f"usr:{SLOT}:q", "outcomes"), ["approved"]),
    (("nodes_by_id", f"usr:{SLOT}:q", "waits"), False),
    (("nodes_by_id", f"usr:{SLOT}:a", "type"), "lifecycle_gate"),
    (("nodes_by_id", f"usr:{SLOT}:a", "provenance"), "envelope"),
    (("edit_windows", f"usr:{SLOT}:a"), "editable"),
    (("edit_windows", "sys:state:active"), "editable"),
    (("slots", SLOT, "default_edit_window"), "editable"),
    (("slots", SLOT, "stable_region"), False),
    (("slots", "slot:draft_to_submit", "filled"), True),
    (("stable_region_nodes",), []),
    (("interrupts", "cancel", "from_states"), ["active"]),
    (("interrupts",), {}),
    (("join_requirements", f"usr:{SLOT}:j", "required_token_count"), 2),
    (("join_requirements",), {}),
    (("edges_by_id", f"{OUT}->sys:gate:approve", "target"), "sys:state:active"),
    (("edges_by_id", f"usr:{SLOT}:j->q", "target"), "sys:state:active"),
    (("edges_by_id", f"usr:{SLOT}:j->q", "condition"), "entity.total >"),
    (("edges_by_id", f"usr:{SLOT}:q[approved]->out", "outcome"), "signed"),
    (("edges_by_id", f"usr:{SLOT}:j->q", "priority"), "first"),
    (("edges_by_id", f"usr:{SLOT}:j->q", "provenance"), "envelope"),
    (("system_gate_integrity", "present_gates"), []),
    (("entity_type",), "order"),
    (("topological_order",), [1, None]),
    (("bodies", f"usr:{SLOT}:e", "entry"), ["x"]),
    (("end",), "sys:state:active"),
]


@pytest.mark.parametrize(("place", "value"), TAMPERINGS, ids=[".".join(place) for place, _ in TAMPERINGS])
def test_a_tampered_workflow_is_noticed_though_its_hash_is_right(place: tuple[str, ...], value: Any) -> None:
    assert verify(busy(), INVOICE).ok
    changed = tampered(busy(), place, value)
    assert changed.hash == changed.computed_hash()
    answer = verify(changed, INVOICE)
    assert not answer.ok
    assert answer.differences


def test_whatever_a_workflow_is_changed_to_verification_answers() -> None:
    """No value in any place makes it fail, and nothing that is not the organisation's own to write passes."""
    workflow = busy()
    for place in leaves(parse_json(workflow.to_json())):
        try:
            changed = tampered(workflow, place, 7)
        except CompileError:
            continue
        if changed.content() != workflow.content():
            assert not verify(changed, INVOICE).ok or place[-1] in ("max_items", "priority", "required"), place


def leaves(value: Any, place: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for key, inner in value.items():
        if key == "hash" or key.startswith(("sys:state:", "sys:start", "sys:end")):
            continue
        yield (*place, key)
        if isinstance(inner, dict):
            yield from leaves(inner, (*place, key))
