"""What is asked of those who read or change documents of a type: values, and how they are written down.

The vendor's code says it in `app.contracts.add(…)`, a tenant in its settings; both in the same words:

    {"document_roles": {"invoice": {
        "read": ["finance", "auditor"],                     # roles that may read
        "update": {"submitted": ["finance"]},               # roles that may edit, by the state the document is in
        "delete": ["controller"],                           # … or in every state
        "readable": "entity.region in actor.roles",         # which of them: an expression over document and person
        "masked": {"salary": ["hr"]},                       # fields that only some roles see
        "involved": false                                   # who made it or was asked about it may not read it for that
    }}}

All that is asked must be met, so a tenant can only be stricter than the vendor. What follows from it, `access` decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from holdfast.documents.model import OPERATIONS
from holdfast.envelope import Contract
from holdfast.envelope.expressions import Compiled, Scope, compile_expression
from holdfast.errors import ExpressionError, InvalidInput
from holdfast.kernel.names import check_name, did_you_mean

__all__ = ["ANY_STATE", "Policy", "declared_policy", "reading_condition", "tenant_policy", "types_in"]

ANY_STATE: Final = "*"
_RIGHTS: Final = ("read", *OPERATIONS)
_STATELESS: Final = ("read", "create")
_WORDS: Final = (*_RIGHTS, "readable", "masked", "involved")
_ABOUT: Final[Mapping[str, Any]] = {
    "type": "object",
    "required": ["status", "version", "created_by", "updated_by"],
    "properties": {
        "status": {"type": "string"},
        "version": {"type": "integer"},
        "created_by": {"type": "string"},
        "updated_by": {"type": "string"},
    },
}
"""What `payload` holds when it is asked who may read: what is known of a document beside its content."""

Roles = Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Policy:
    """What one party, the vendor or a tenant, asks of those who read or change documents of a type."""

    roles: Mapping[str, Roles] = field(default_factory=dict)
    """For a right, and a state or `*`, the roles that have it; what is not named needs no role."""
    readable: str | None = None
    masked: Roles = field(default_factory=dict)
    involved: bool = True

    def wanted(self, right: str, state: str = ANY_STATE) -> frozenset[str] | None:
        """The roles of which one is needed; None when none is."""
        by_state = self.roles.get(right, {})
        return by_state.get(state, by_state.get(ANY_STATE))


NOBODY: Final = Policy({right: {ANY_STATE: frozenset()} for right in _RIGHTS}, involved=False)


def declared_policy(given: Mapping[str, Any], contract: Contract | None, *, field: str) -> Policy:
    """Read a policy that somebody wrote, or refuse it with `InvalidInput`; checked against a known contract."""
    for word in given:
        if word not in _WORDS:
            raise InvalidInput(
                f"{field}: there is no operation {word!r}",
                hint=did_you_mean(str(word), _WORDS) or f"use {', '.join(_WORDS)}",
                field=field,
            )
    policy = Policy(
        {right: _by_state(right, given[right], field) for right in _RIGHTS if given.get(right) is not None},
        _text(given.get("readable"), field),
        _masked(given.get("masked"), field),
        _switch(given.get("involved", True), field),
    )
    if contract is not None:
        _check(policy, contract, field)
    return policy


def tenant_policy(settings: Mapping[str, Any], entity_type: str) -> Policy | None:
    """What a tenant's settings ask for. Something unreadable there must not open a door: it means that nobody may."""
    policies = settings.get("document_roles")
    if policies is None:
        return None
    if not isinstance(policies, dict):
        return NOBODY
    given = policies.get(entity_type)
    if given is None:
        return None
    if not isinstance(given, dict):
        return NOBODY
    try:
        return declared_policy(given, None, field="settings")
    except InvalidInput:
        return NOBODY


def types_in(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """The part of settings that speaks of document types, by type; raises `InvalidInput` when it is no such thing."""
    policies = settings.get("document_roles")
    if policies is None:
        return {}
    if not isinstance(policies, dict) or not all(isinstance(each, dict) for each in policies.values()):
        raise InvalidInput(
            "document_roles is no object of objects",
            hint='write {"document_roles": {"invoice": {"read": ["finance"]}}}',
            field="settings",
        )
    return policies


def reading_condition(text: str, contract: Contract) -> Compiled:
    """The compiled condition by which a document may be read. Raises `ExpressionError`."""
    known = _CONDITIONS.get((contract.fingerprint, text))
    if known is None:
        if len(_CONDITIONS) >= _KEPT_CONDITIONS:
            _CONDITIONS.clear()
        scope = Scope.of(entity=contract.document, payload=_ABOUT).without("item", "context", "now")
        known = compile_expression(text, scope, expect="boolean")
        _CONDITIONS[contract.fingerprint, text] = known
    return known


_CONDITIONS: Final[dict[tuple[str, str], Compiled]] = {}
_KEPT_CONDITIONS: Final = 256


def _check(policy: Policy, contract: Contract, field: str) -> None:
    states = {state.name for state in contract.states}
    for right, by_state in policy.roles.items():
        for state in by_state.keys() - states - {ANY_STATE}:
            raise InvalidInput(
                f"{field}: a document of type {contract.entity_type!r} is never {state!r}",
                hint=did_you_mean(state, states) or f"{right} by state names some of {', '.join(sorted(states))}",
                field=field,
            )
    fields = contract.document.get("properties", {})
    for name in policy.masked.keys() - fields.keys():
        raise InvalidInput(
            f"{field}: documents of type {contract.entity_type!r} have no field {name!r} to mask",
            hint=did_you_mean(name, fields) or "mask fields that the contract names",
            field=field,
        )
    if policy.readable is not None:
        try:
            reading_condition(policy.readable, contract)
        except ExpressionError as error:
            raise InvalidInput(
                f"{field}: readable cannot be decided: {error.message}",
                hint=error.hint,
                field=field,
                problems=error.details.get("problems"),
            ) from None


def _by_state(right: str, given: Any, field: str) -> Roles:
    if isinstance(given, Mapping) and right not in _STATELESS:
        return {str(state): _roles(right, roles, field) for state, roles in given.items()}
    return {ANY_STATE: _roles(right, given, field)}


def _roles(what: str, given: Any, field: str) -> frozenset[str]:
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise InvalidInput(f"{field}: {what} is no list of roles", hint=f'write "{what}": ["finance"]', field=field)
    return frozenset(check_name("role", role) for role in given)


def _text(given: Any, field: str) -> str | None:
    if given is not None and not isinstance(given, str):
        raise InvalidInput(f"{field}: readable is no text", hint="give an expression", field=field)
    return given


def _masked(given: Any, field: str) -> Roles:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise InvalidInput(f"{field}: masked is no object", hint='write "masked": {"salary": ["hr"]}', field=field)
    return {str(name): _roles(str(name), roles, field) for name, roles in given.items()}


def _switch(given: Any, field: str) -> bool:
    if not isinstance(given, bool):
        raise InvalidInput(f"{field}: involved is neither true nor false", hint="give one of them", field=field)
    return given
