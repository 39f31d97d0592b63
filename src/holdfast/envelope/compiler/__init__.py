"""The compiler: a skeleton and the patches of an organisation become one effective workflow, or a list of
problems.

`compile_effective` gives the workflow or raises with every error at once; `analyse` never raises and also
gives the warnings, for editors. Both are pure: the same skeleton and patches give the same bytes in every
process, and the order in which nodes, edges and slots were written never shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from holdfast.envelope.compiled import CompiledWorkflow, JoinRequirement
from holdfast.envelope.compiler.assemble import assemble
from holdfast.envelope.compiler.graph import check_graph
from holdfast.envelope.compiler.guards import check_guards
from holdfast.envelope.compiler.hints import did_you_mean
from holdfast.envelope.compiler.intake import Region, read_patch
from holdfast.envelope.compiler.integrity import check_skeleton
from holdfast.envelope.compiler.joins import pair_joins
from holdfast.envelope.compiler.names import Mentioned, Surroundings, asked_by_chains, check_names, mentioned
from holdfast.envelope.compiler.texts import check_texts, with_saved_variables
from holdfast.envelope.compiler.verification import Verification, verify
from holdfast.envelope.parts.graph import OrgWorkflowDefinition, SlotGraphPatch
from holdfast.envelope.parts.registry import STANDARD, NodeTypes
from holdfast.envelope.problems import Path, Problem, Problems, compile_error, shape_problems
from holdfast.envelope.skeleton import Skeleton
from holdfast.envelope.windows import EditWindow, is_looser

__all__ = [
    "MAX_EDGES",
    "MAX_NODES",
    "Analysis",
    "Mentioned",
    "Surroundings",
    "Verification",
    "analyse",
    "asked_by_chains",
    "compile_effective",
    "mentioned",
    "verify",
]

MAX_NODES: Final = 10_000
MAX_EDGES: Final = 40_000

Patches = OrgWorkflowDefinition | Mapping[str, SlotGraphPatch] | Mapping[str, Mapping[str, Any]]
"""A definition, or patches by slot without a base: as values, or as the JSON they are read from."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a compile found. `compiled` is None when one of the problems is an error."""

    compiled: CompiledWorkflow | None
    problems: tuple[Problem, ...]

    @property
    def errors(self) -> tuple[Problem, ...]:
        """The problems that forbid the definition."""
        return tuple(problem for problem in self.problems if problem.severity == "error")

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """The problems that do not."""
        return tuple(problem for problem in self.problems if problem.severity == "warning")


def compile_effective(
    skeleton: Skeleton, patches: Patches, *, types: NodeTypes = STANDARD, around: Surroundings | None = None
) -> CompiledWorkflow:
    """The effective workflow. Raises `CompileError` whose `details["problems"]` lists every error."""
    analysis = analyse(skeleton, patches, types=types, around=around)
    if analysis.compiled is None:
        raise compile_error(analysis.problems)
    return analysis.compiled


def analyse(
    skeleton: Skeleton, patches: Patches, *, types: NodeTypes = STANDARD, around: Surroundings | None = None
) -> Analysis:
    """Everything that is wrong or doubtful, and the effective workflow when nothing is wrong.

    With `around`, what the patches name is held against what there is.
    """
    problems = Problems()
    check_skeleton(skeleton, types, problems)
    if problems.has_errors():
        return Analysis(None, problems.sorted())
    if isinstance(patches, OrgWorkflowDefinition):
        _check_base(skeleton, patches, problems)
    slots = patches.slots if isinstance(patches, OrgWorkflowDefinition) else _read_slots(patches, problems)
    regions = _regions(skeleton, slots, types, problems)
    joins: dict[str, JoinRequirement] = {}
    for region in regions.values():
        for inner in region.walk():
            order = check_graph(inner, problems)
            check_guards(inner, problems)
            if order is not None:
                joins.update(pair_joins(inner, order, problems))
    scope = with_saved_variables(skeleton.scope(), regions.values())
    for region in regions.values():
        check_texts(region, scope, problems)
        if around is not None:
            check_names(region, around, scope, problems)
    windows = _windows(skeleton, slots, regions, problems)
    if problems.has_errors():
        return Analysis(None, problems.sorted())
    compiled = assemble(skeleton, regions, joins, windows, types, problems)
    return Analysis(None if problems.has_errors() else compiled, problems.sorted())


def _read_slots(
    patches: Mapping[str, SlotGraphPatch] | Mapping[str, Mapping[str, Any]], problems: Problems
) -> dict[str, SlotGraphPatch]:
    slots: dict[str, SlotGraphPatch] = {}
    for slot_id, patch in patches.items():
        try:
            slots[slot_id] = patch if isinstance(patch, SlotGraphPatch) else SlotGraphPatch.model_validate(patch)
        except ValidationError as error:
            problems.extend(shape_problems(error, "shape.invalid", Path("slots").key(slot_id)))
    return slots


def _check_base(skeleton: Skeleton, definition: OrgWorkflowDefinition, problems: Problems) -> None:
    base = definition.base_ref
    path = Path("base_ref")
    if base.entity_type != skeleton.entity_type:
        message = f"the definition is for {base.entity_type!r}, the skeleton for {skeleton.entity_type!r}"
        problems.add("base.entity_type", path.field("entity_type"), message)
    elif base.envelope_version != skeleton.version:
        message = f"the definition is for version {base.envelope_version}, the skeleton is version {skeleton.version}"
        hint = "Rebase the definition onto the skeleton's version"
        problems.add("base.envelope_version", path.field("envelope_version"), message, hint)


def _regions(
    skeleton: Skeleton, patches: Mapping[str, SlotGraphPatch], types: NodeTypes, problems: Problems
) -> dict[str, Region]:
    known = [slot.slot_id for slot in skeleton.slots]
    written = [(len(patch.nodes), len(patch.edges)) for patch in patches.values()]
    if _too_large(written, problems):
        return {}
    regions: dict[str, Region] = {}
    for slot_id in sorted(patches):
        patch = patches[slot_id]
        if slot_id not in known:
            message = f"the skeleton has no slot {slot_id!r}"
            problems.add("slot.unknown", Path("slots").key(slot_id), message, did_you_mean(slot_id, known))
        elif patch.nodes or patch.edges:
            regions[slot_id] = read_patch(slot_id, patch, types, problems)
    # Bodies are inside of configurations, so how large they are is known only now.
    inner = [(len(each.nodes), len(each.edges)) for region in regions.values() for each in region.walk()]
    return {} if _too_large(inner, problems) else regions


def _too_large(counts: Iterable[tuple[int, int]], problems: Problems) -> bool:
    nodes, edges = (sum(column) for column in zip((0, 0), *counts, strict=True))
    if nodes <= MAX_NODES and edges <= MAX_EDGES:
        return False
    message = f"{nodes} nodes and {edges} edges are more than the {MAX_NODES} and {MAX_EDGES} accepted"
    problems.add("limit.size", Path("slots"), message, "Split the work over several processes")
    return True


def _windows(
    skeleton: Skeleton,
    patches: Mapping[str, SlotGraphPatch],
    regions: Mapping[str, Region],
    problems: Problems,
) -> dict[str, EditWindow]:
    """The window in force in each slot, after checking that nobody loosens one."""
    windows: dict[str, EditWindow] = {}
    for slot in skeleton.slots:
        windows[slot.slot_id] = slot.default_edit_window
        patch = patches.get(slot.slot_id)
        if patch is None or patch.edit_window_override is None:
            continue
        path = Path("slots").key(slot.slot_id).field("edit_window_override")
        _check_window(patch.edit_window_override, slot.default_edit_window, path, problems)
        windows[slot.slot_id] = patch.edit_window_override
    for slot_id, region in regions.items():
        _check_node_windows(region, windows[slot_id], problems)
    return windows


def _check_node_windows(region: Region, window: EditWindow, problems: Problems) -> None:
    for node in region.nodes.values():
        own = node.node.edit_window
        if own is not None:
            _check_window(own, window, node.path.field("edit_window"), problems)
        if node.id in region.bodies:
            _check_node_windows(region.bodies[node.id], own or window, problems)


def _check_window(window: EditWindow, around: EditWindow, path: Path, problems: Problems) -> None:
    if is_looser(window, around):
        message = f"{window} is looser than {around}"
        problems.add("window.looser", path, message, f"Use {around} or a stricter window")
