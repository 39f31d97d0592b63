"""The contract of a document type: its schema, its states, who may move it between them, and where slots sit.

A contract is a value. It can be written in Python, YAML or JSON, and it either describes a lifecycle that can
work or raises `ContractError` listing everything that is wrong. Left to itself it has the standard lifecycle
draft → submitted → active, with cancelling and amending.

`version` is declared and only ever grows; `fingerprint` is derived from the content. A registry keeps both:
the same fingerprint is the same contract, and another fingerprint needs a higher version (`succeeding` gives
it). The skeleton's version is the contract's.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, field_validator, model_validator

from holdfast.envelope.contract_checks import contract_error, contract_problems
from holdfast.envelope.expressions import Scope
from holdfast.envelope.parts.fields import Name, Part, RoleName, field
from holdfast.envelope.problems import Path, Problems, shape_problems
from holdfast.envelope.text import dump_yaml, parse_yaml
from holdfast.envelope.windows import EditWindow
from holdfast.kernel.json import canonical_hash, canonical_json, exact, parse_json

__all__ = ["Contract", "SlotPlace", "State", "Transition", "TransitionKind"]

TransitionKind = Literal["forward", "return", "cancel", "amend"]
EntityType = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$", max_length=64)]


class State(Part):
    """A state a document can be in, and what may be done to its content there."""

    name: Name = field("Name", "The document status.")
    edit_window: EditWindow | None = field("Edit window", "Whether the document may be edited.", default=None)
    title: str | None = field("Title", "What people call it.", default=None, max_length=200)
    initial: bool = field("Initial", "New documents begin here.", default=False)


class Transition(Part):
    """A move between states.

    `forward` is the way onward; `return` leads back through the gate of the forward transition from the same
    state; `cancel` may interrupt a process in any of its states; `amend` says which documents may be replaced
    by an amended one, whose process begins in the target state.
    """

    model_config = ConfigDict(populate_by_name=True)

    name: Name = field("Name", "The verb.", examples=["submit"])
    from_states: list[Name] = field("From", "The states it leaves.", alias="from", min_length=1)
    to_state: Name = field("To", "The state it leads to.", alias="to")
    kind: TransitionKind = field("Kind", "Onward, back, out, or to an amendment.", default="forward")
    roles: list[RoleName] = field("Roles", "Who may; empty means everyone who may write.", factory=list)
    trigger: Literal["person", "automatic"] = field(
        "Trigger",
        "A person asks for it while the process rests in the state; or the process comes to it by itself, and "
        "the gate decides by the approvals made on the way.",
        default="person",
    )
    outcome: Name | None = field(
        "Outcome", "The gate's outcome: by default `completed`, and `rejected` for a return.", default=None
    )
    edit_window: EditWindow | None = field(
        "Edit window", "At the gate; by default `amend_only`, and `locked` for cancelling.", default=None
    )

    @field_validator("from_states", mode="before")
    @classmethod
    def _one_or_several(cls, value: Any) -> Any:
        return [value] if isinstance(value, str) else value

    @property
    def gate_outcome(self) -> str:
        """The outcome at the gate that means this transition."""
        return self.outcome or ("rejected" if self.kind == "return" else "completed")


class SlotPlace(Part):
    """A slot, sitting between two neighbours such as `state:draft` and `gate:submit`."""

    name: Name = field("Name", "Without the prefix `slot:`.")
    after: str = field("After", "`state:‹name›` or `gate:‹name›`.", pattern=r"^(state|gate):\w+$")
    before: str = field("Before", "`state:‹name›` or `gate:‹name›`.", pattern=r"^(state|gate):\w+$")
    edit_window: EditWindow | None = field(
        "Edit window", "By default that of the state next to the slot.", default=None
    )
    stable: bool | None = field(
        "Stable region",
        "Whether a change of the document leads to an amendment; by default if the window is amend_only.",
        default=None,
    )


class Contract(Part):
    """A document type's promise; what is not said has defaults.

    For example:

        app.contracts.add(Contract(entity_type="invoice", document=Invoice))
    """

    entity_type: EntityType = field("Entity type", "The document type.", examples=["invoice"])
    version: Annotated[int, Field(ge=1)] = field("Version", "Higher for every change.", default=1)
    title: str | None = field("Title", "What people call it.", default=None, max_length=200)
    document: dict[str, Any] = field("Document", "JSON Schema (2020-12) of the document, or a pydantic model.")
    context: dict[str, Any] | None = field(
        "Context", "JSON Schema of the process variables; without it any may be used.", default=None
    )
    states: list[State] = field("States", "Every state.", factory=list)
    transitions: list[Transition] = field("Transitions", "Every transition.", factory=list)
    slots: list[SlotPlace] | None = field(
        "Slots", "Where organisations may add steps; by default on every way to or from a gate.", default=None
    )

    def __init__(self, **data: Any) -> None:
        try:
            super().__init__(**data)
        except ValidationError as error:
            raise contract_error(data.get("entity_type"), shape_problems(error, "contract.shape")) from None
        problems = contract_problems(self)
        if problems.has_errors():
            raise contract_error(self.entity_type, problems)

    @model_validator(mode="before")
    @classmethod
    def _standard_lifecycle(cls, data: Any) -> Any:
        if isinstance(data, Mapping) and not data.get("states") and not data.get("transitions"):
            return {
                "slots": STANDARD_SLOTS,
                **data,
                "states": STANDARD_STATES,
                "transitions": STANDARD_TRANSITIONS,
            }
        return data

    @field_validator("document", "context", mode="before")
    @classmethod
    def _schema_of_model(cls, value: Any) -> Any:
        if isinstance(value, type) and issubclass(value, BaseModel):
            value = value.model_json_schema()
        try:
            return exact(value)
        except RecursionError:
            raise ValueError("the schema is nested too deeply") from None

    @cached_property
    def fingerprint(self) -> str:
        """The hash of everything but the version."""
        return canonical_hash({key: value for key, value in self.to_data().items() if key != "version"})

    @cached_property
    def initial_state(self) -> str:
        """The state new documents begin in."""
        return next(state.name for state in self.states if self.is_initial(state))

    def is_initial(self, state: State) -> bool:
        """Whether a state is marked initial or, where none is, is led to by nothing but returns."""
        if any(each.initial for each in self.states):
            return state.initial
        return all(state.name != each.to_state or each.kind == "return" for each in self.transitions)

    def amendment(self, state: str) -> Transition | None:
        """The transition by which a document that is in a state may be replaced by a new one."""
        return next((each for each in self.transitions if each.kind == "amend" and state in each.from_states), None)

    def scope(self) -> Scope:
        """What expressions of a definition for this contract may read."""
        return Scope.of(entity=self.document, context=self.context)

    def succeeding(self, previous: Contract | None) -> Contract:
        """This contract with the version it must carry after `previous`: the same if nothing changed, or one
        more.
        """
        if previous is None:
            return self
        same = self.fingerprint == previous.fingerprint
        return self.model_copy(update={"version": previous.version if same else previous.version + 1})

    def check_succession(self, previous: Contract) -> None:
        """Raise `ContractError` when this could not be registered after `previous` without a higher version."""
        if self.entity_type == previous.entity_type and (
            self.version > previous.version
            or (self.version == previous.version and self.fingerprint == previous.fingerprint)
        ):
            return
        problems = Problems()
        if self.entity_type != previous.entity_type:
            message = f"this is a contract of {self.entity_type}, not of {previous.entity_type}"
        else:
            message = f"version {self.version} differs from version {previous.version} but does not come after it"
        problems.add("contract.version", Path("version"), message, f"Give it version {previous.version + 1}")
        raise contract_error(self.entity_type, problems)

    def to_data(self) -> dict[str, Any]:
        """The contract as JSON values, without defaults."""
        return self.model_dump(exclude_defaults=True, by_alias=True)

    def to_json(self) -> bytes:
        """Canonical JSON text."""
        return canonical_json(self.to_data())

    def to_yaml(self) -> str:
        """YAML text, in the order the contract is read."""
        return dump_yaml(self.to_data())

    @classmethod
    def from_data(cls, data: Any) -> Self:
        """Read JSON values."""
        if not isinstance(data, Mapping):
            problems = Problems()
            problems.add("contract.shape", Path(), "a contract is an object with entity_type and document")
            raise contract_error(None, problems)
        return cls(**{str(key): value for key, value in data.items()})

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Read JSON text."""
        return cls.from_data(parse_json(text))

    @classmethod
    def from_yaml(cls, text: str | bytes) -> Self:
        """Read YAML text."""
        return cls.from_data(parse_yaml(text))


STANDARD_STATES: list[dict[str, Any]] = [
    {"name": "draft", "edit_window": "editable"},
    {"name": "submitted", "edit_window": "amend_only"},
    {"name": "active", "edit_window": "locked"},
    {"name": "cancelled", "edit_window": "locked"},
    {"name": "amended", "edit_window": "editable"},
]

STANDARD_TRANSITIONS: list[dict[str, Any]] = [
    {"name": "submit", "from": ["draft", "amended"], "to": "submitted"},
    {"name": "approve", "from": ["submitted"], "to": "active", "trigger": "automatic", "outcome": "approved"},
    {"name": "reject", "from": ["submitted"], "to": "draft", "kind": "return"},
    {"name": "cancel", "from": ["draft", "submitted", "active"], "to": "cancelled", "kind": "cancel"},
    {"name": "amend", "from": ["submitted", "active"], "to": "amended", "kind": "amend"},
]

STANDARD_SLOTS: list[dict[str, Any]] = [
    {"name": "draft_to_submit", "after": "state:draft", "before": "gate:submit"},
    {"name": "submitted_to_approved", "after": "state:submitted", "before": "gate:approve"},
    {"name": "approved_to_active", "after": "gate:approve", "before": "state:active"},
    {"name": "amendment_cycle", "after": "state:amended", "before": "gate:submit"},
]
