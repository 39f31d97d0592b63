"""What makes a contract impossible, found all at once.

Each check looks at one promise a lifecycle must keep: one beginning, an end, every state reachable, no circle
of forward transitions, ways back that lead back, a window for every state, slots that sit on a real way.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from holdfast.envelope.expressions import type_of_schema
from holdfast.envelope.problems import Path, Problem, Problems, collected
from holdfast.envelope.windows import EditWindow
from holdfast.errors import CanonicalError, ContractError, ExpressionError
from holdfast.kernel.json import canonical_json
from holdfast.kernel.schemas import BadSchema, json_schema

if TYPE_CHECKING:
    from holdfast.envelope.contract import Contract, Transition

__all__ = ["contract_error", "contract_problems", "may_refuse", "refusing_gates", "slot_places", "slot_ways"]

_FAILURES: Final = frozenset({"error", "timeout"})


def contract_error(entity_type: object, problems: Iterable[Problem]) -> ContractError:
    """The error that carries every problem, as text and in `details["problems"]`."""
    found = collected(problems)
    count = "1 problem" if len(found) == 1 else f"{len(found)} problems"
    lines = "\n".join(f"- {problem}" for problem in found)
    of = f" of {entity_type}" if isinstance(entity_type, str) else ""
    return ContractError(
        f"the contract{of} cannot work: {count}\n{lines}", problems=[problem.to_json() for problem in found]
    )


def contract_problems(contract: Contract) -> Problems:
    """Everything that is wrong with a contract whose fields are well-formed."""
    problems = Problems()
    _check_schemas(contract, problems)
    _check_names(contract, problems)
    _check_outcomes(contract, problems)
    _check_windows(contract, problems)
    known = _check_states_known(contract, problems)
    _check_start_and_end(contract, problems)
    if known:
        _check_reachable(contract, problems)
        _check_forward(contract, problems)
        _check_amendments(contract, problems)
        _check_returns(contract, problems)
        _check_slots(contract, problems)
    return problems


def slot_ways(contract: Contract) -> dict[tuple[str, str], Transition]:
    """Every place a slot can sit, as `(after, before)`, with the transition it belongs to."""
    ways: dict[tuple[str, str], Transition] = {}
    for each in contract.transitions:
        if each.kind == "forward":
            for state in each.from_states:
                ways[f"state:{state}", f"gate:{each.name}"] = each
        if each.kind in ("forward", "cancel"):
            ways[f"gate:{each.name}", f"state:{each.to_state}"] = each
        if each.kind == "return":
            for gate in refusing_gates(contract, each):
                ways[f"gate:{gate.name}", f"state:{each.to_state}"] = each
    return ways


def slot_places(contract: Contract) -> list[tuple[str, str, str, EditWindow | None, bool | None]]:
    """Every slot as (name, after, before, edit window, stable): the declared ones, or one on every way."""
    if contract.slots is not None:
        return [(each.name, each.after, each.before, each.edit_window, each.stable) for each in contract.slots]
    return [
        (f"{after.partition(':')[2]}_to_{before.partition(':')[2]}", after, before, None, None)
        for (after, before), transition in slot_ways(contract).items()
        if transition.kind == "forward"
    ]


def refusing_gates(contract: Contract, back: Transition) -> list[Transition]:
    """The automatic gates at which a return may be the decision. Elsewhere a person chooses it in the state."""
    return [gate for gate in contract.transitions if may_refuse(gate, back)]


def may_refuse(gate: Transition, back: Transition) -> bool:
    """Whether a return may be the decision at a gate."""
    automatic = gate.kind == "forward" and gate.trigger == "automatic"
    return automatic and back.kind == "return" and not set(back.from_states).isdisjoint(gate.from_states)


def _check_schemas(contract: Contract, problems: Problems) -> None:
    for name, schema in (("document", contract.document), ("context", contract.context)):
        if schema is None:
            continue
        try:
            canonical_json(schema)
            json_schema(schema)
            kind = type_of_schema(schema).kind
        except BadSchema as error:
            problems.add("contract.schema", Path(name).below(error.path), f"bad JSON Schema: {error.why}", error.hint)
        except CanonicalError as error:
            hint = "Write numbers with a fraction as strings or read the contract from JSON text"
            problems.add("contract.schema", Path(name), str(error), hint)
        except ExpressionError as error:
            problems.add("contract.schema", Path(name), error.message)
        else:
            if kind != "object":
                message = f"the schema describes a {kind}, but a {name} is an object"
                problems.add("contract.schema", Path(name), message, 'Give it "type": "object"')


def _check_names(contract: Contract, problems: Problems) -> None:
    named: dict[str, list[str]] = {
        "states": [state.name for state in contract.states],
        "transitions": [each.name for each in contract.transitions],
        "slots": [name for name, *_ in slot_places(contract)],
    }
    for kind, names in named.items():
        seen: set[str] = set()
        for index, name in enumerate(names):
            if name in seen:
                path = Path(kind).index(index).field("name")
                problems.add("contract.duplicate", path, f"{name!r} is already the name of another of the {kind}")
            seen.add(name)


def _check_outcomes(contract: Contract, problems: Problems) -> None:
    """A way that is named as a failure is would be taken when nobody can be asked, or when time is up."""
    for index, each in enumerate(contract.transitions):
        for field, given in (("name", each.name), ("outcome", each.outcome)):
            if given in _FAILURES:
                message = f"{given!r} is what a step ends with that could not be decided, and no way of a document"
                problems.add("contract.ambiguous", Path("transitions").index(index).field(field), message, "Rename it")


def _check_windows(contract: Contract, problems: Problems) -> None:
    for index, state in enumerate(contract.states):
        if state.edit_window is None:
            problems.add(
                "contract.window_missing",
                Path("states").index(index).field("edit_window"),
                f"the state {state.name!r} does not say whether its documents may be edited",
                "Choose editable, amend_only or locked",
            )


def _check_states_known(contract: Contract, problems: Problems) -> bool:
    names = [state.name for state in contract.states]
    valid = True
    for index, each in enumerate(contract.transitions):
        here = Path("transitions").index(index)
        ends: list[tuple[Path, str]] = [(here.field("to"), each.to_state)]
        ends += [(here.field("from").index(at), name) for at, name in enumerate(each.from_states)]
        for path, name in ends:
            if name not in names:
                valid = False
                hint = f"The states are {', '.join(names)}" if names else "The contract has no states"
                problems.add("contract.unknown_state", path, f"there is no state {name!r}", hint)
    return valid


def _check_start_and_end(contract: Contract, problems: Problems) -> None:
    starts = [state.name for state in contract.states if contract.is_initial(state)]
    if not starts:
        problems.add("contract.no_start", Path("states"), "no state is the initial one", "Mark one with initial: true")
    elif len(starts) > 1:
        problems.add(
            "contract.two_starts",
            Path("states"),
            f"documents could begin in {' or '.join(starts)}",
            "Mark exactly one with initial: true, and see that a transition leads to every other",
        )
    leaving = {name for each in contract.transitions if each.kind == "forward" for name in each.from_states}
    if contract.states and all(state.name in leaving for state in contract.states):
        problems.add(
            "contract.no_end",
            Path("states"),
            "every state leads onward",
            "Add a state that no forward transition leaves",
        )


def _check_reachable(contract: Contract, problems: Problems) -> None:
    starts = [state.name for state in contract.states if contract.is_initial(state)]
    if not starts:
        return
    reach = _Reach(_onward(contract, "forward", "return", "cancel", "amend"))
    reached = set().union(*(reach.of(name) for name in starts))
    for index, state in enumerate(contract.states):
        if state.name not in reached:
            problems.add(
                "contract.unreachable",
                Path("states").index(index),
                f"no transition leads from {starts[0]!r} to the state {state.name!r}",
                "Add a transition to it, or remove it",
            )


def _check_forward(contract: Contract, problems: Problems) -> None:
    # Cancelling leads onward too: a document that came back from it could be cancelled for ever.
    reach = _Reach(_onward(contract, "forward", "cancel"))
    for index, each in enumerate(contract.transitions):
        if each.kind not in ("forward", "cancel"):
            continue
        for name in each.from_states:
            if name in reach.of(each.to_state):
                problems.add(
                    "contract.cycle",
                    Path("transitions").index(index),
                    f"{each.name!r} leads forward from {name!r} to {each.to_state!r}, which leads back there",
                    "Declare the way back with kind: return",
                )
    for state in contract.states:
        leaving = [each for each in contract.transitions if each.kind == "forward" and state.name in each.from_states]
        automatic = [each.name for each in leaving if each.trigger == "automatic"]
        if len(leaving) > 1 and automatic:
            problems.add(
                "contract.ambiguous",
                Path("transitions"),
                f"from {state.name!r} both {' and '.join(each.name for each in leaving)} lead onward, and "
                f"{automatic[0]!r} would happen by itself",
                "Where several ways lead onward, a person chooses: give each trigger: person",
            )


def _check_amendments(contract: Contract, problems: Problems) -> None:
    for index, each in enumerate(contract.transitions):
        if each.kind == "amend" and each.to_state == "created":
            message = "an amended document cannot begin in a state named 'created': so begin new ones"
            problems.add(
                "contract.ambiguous", Path("transitions").index(index).field("to"), message, "Rename the state"
            )
    for state in contract.states:
        ways = [each.name for each in contract.transitions if each.kind == "amend" and state.name in each.from_states]
        if len(ways) > 1:
            message = f"both {' and '.join(ways)} replace a document that is {state.name!r}, and an edit names neither"
            problems.add("contract.ambiguous", Path("transitions"), message, "Keep one of them")


def _check_returns(contract: Contract, problems: Problems) -> None:
    onward = _onward(contract, "forward")
    reach = _Reach(onward)
    returns = [(index, each) for index, each in enumerate(contract.transitions) if each.kind == "return"]
    for index, each in returns:
        path = Path("transitions").index(index)
        for name in each.from_states:
            if name not in onward:
                message = f"{each.name!r} returns from {name!r}, which no forward transition leaves"
                problems.add("contract.return", path, message, "A return is the refusal of a way onward")
            elif name not in reach.of(each.to_state):
                message = f"{each.name!r} does not lead back: {each.to_state!r} does not come before {name!r}"
                problems.add("contract.return", path, message, "Use kind: forward for a way onward")
        for gate in refusing_gates(contract, each):
            _check_refusal(contract, gate, each, path, problems)


def _check_refusal(contract: Contract, gate: Transition, back: Transition, path: Path, problems: Problems) -> None:
    """At a gate every return is open to every document that comes there, and is told by its outcome alone."""
    others = sorted(set(gate.from_states) - set(back.from_states))
    if others:
        message = (
            f"{back.name!r} does not return from {others[0]!r}, but the gate {gate.name!r} takes documents from there"
        )
        hint = f"Let it return from there too, or give {others[0]!r} a transition of its own"
        problems.add("contract.return", path.field("from"), message, hint)
    for other in contract.transitions:
        at_gate = other is gate or (other is not back and may_refuse(gate, other))
        if at_gate and other.gate_outcome == back.gate_outcome:
            message = f"{back.name!r} and {other.name!r} have the same outcome {back.gate_outcome!r}"
            problems.add("contract.ambiguous", path.field("outcome"), message, "Give one another outcome")


def _check_slots(contract: Contract, problems: Problems) -> None:
    ways = slot_ways(contract)
    taken: dict[tuple[str, str], str] = {}
    for index, slot in enumerate(contract.slots or ()):
        path, way = Path("slots").index(index), (slot.after, slot.before)
        if way not in ways:
            near = sorted(f"{after} → {before}" for after, before in ways if after == slot.after)
            hint = f"From there lead: {', '.join(near)}" if near else "Slots sit between a state and a gate"
            problems.add("contract.slot", path, f"no way leads from {slot.after} straight to {slot.before}", hint)
        elif _many(contract, way):
            message = (
                f"several returns lead from {slot.after} to {slot.before}, so the slot would hold only one of them"
            )
            problems.add("contract.slot", path, message, "Leave the slot out, or keep one of the returns")
        elif way in taken:
            message = f"{slot.name!r} and {taken[way]!r} sit on the same way"
            problems.add("contract.slot", path, message, "One slot holds any number of steps")
        taken.setdefault(way, slot.name)


def _many(contract: Contract, way: tuple[str, str]) -> bool:
    """Whether returns with different outcomes share a way, which for a slot is then not one edge."""
    gates = {f"gate:{each.name}": each for each in contract.transitions}
    gate = gates.get(way[0])
    sharing = [each for each in contract.transitions if gate is not None and may_refuse(gate, each)]
    return sum(f"state:{each.to_state}" == way[1] for each in sharing) > 1


def _onward(contract: Contract, *kinds: str) -> dict[str, list[str]]:
    onward: dict[str, list[str]] = {}
    for each in contract.transitions:
        if each.kind in kinds:
            for name in each.from_states:
                onward.setdefault(name, []).append(each.to_state)
    return onward


class _Reach:
    """What can be reached from each state, found once for each."""

    def __init__(self, onward: dict[str, list[str]]) -> None:
        self._onward = onward
        self._known: dict[str, set[str]] = {}

    def of(self, state: str) -> set[str]:
        """The state itself and everything it leads to."""
        if state not in self._known:
            reached: set[str] = set()
            waiting = [state]
            while waiting:
                name = waiting.pop()
                if name not in reached:
                    reached.add(name)
                    waiting.extend(self._onward.get(name, ()))
            self._known[state] = reached
        return self._known[state]
