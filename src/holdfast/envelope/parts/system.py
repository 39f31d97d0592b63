"""Configurations of the skeleton's own nodes, and of the proxies a compile adds.

None of these may appear in a patch, except `policy_gate`, which only makes a process stricter.
"""

from __future__ import annotations

from typing import Literal

from holdfast.envelope.parts.fields import Name, NodeConfig, RoleName, field

__all__ = [
    "AttachmentConfig",
    "EndConfig",
    "LifecycleGateConfig",
    "PolicyGateConfig",
    "StartConfig",
    "StateConfig",
]


class StartConfig(NodeConfig):
    """Where every process begins. A document that amends another may begin elsewhere than a new one."""

    starts: list[Name] = field("Ways to start", "The outcomes this node gives.", factory=lambda: ["created"])
    amends: dict[Name, Name] = field(
        "Amendments", "State to the state in which a document begins that amends one that is in it.", factory=dict
    )
    amend_roles: dict[Name, list[RoleName]] = field(
        "Roles for amending", "State to who may amend a document that is in it; none means who may write.", factory=dict
    )

    def outcomes(self) -> tuple[str, ...]:
        return tuple(self.starts)


class EndConfig(NodeConfig):
    """Where a process is complete."""

    def outcomes(self) -> tuple[str, ...]:
        return ()


class StateConfig(NodeConfig):
    """A lifecycle state: the document's status while the process passes or rests here."""

    state: Name = field("State", "The document status of this state.")
    final: bool = field("Final", "No transition leads onward from here.", default=False)
    waits_for: list[Name] = field(
        "Waits for",
        "The transitions a person chooses from while the process rests here; empty when it flows on.",
        factory=list,
    )
    roles: dict[Name, list[RoleName]] = field(
        "Roles", "Transition to who may choose it; empty means everyone who may write.", factory=dict
    )

    def outcomes(self) -> tuple[str, ...]:
        return tuple(self.waits_for) or ("completed",)

    def waits(self) -> bool:
        return bool(self.waits_for)


class LifecycleGateConfig(NodeConfig):
    """The point where a transition happens, or is refused and leads back."""

    transition: Name = field("Transition", "The transition this gate performs.")
    from_states: list[Name] = field("From", "The states from which it may be performed.")
    to_state: Name = field("To", "The state it leads to.")
    roles: list[RoleName] = field("Roles", "Who may perform it; empty means everyone who may write.", factory=list)
    passes: Name = field("Outcome on passing", "The outcome that leads to the new state.", default="completed")
    refuses: dict[Name, Name] = field(
        "Outcomes on refusal", "Outcome to state: where a refusal leads back to.", factory=dict
    )
    refusal_roles: dict[Name, list[RoleName]] = field(
        "Roles for refusal", "Outcome to who may refuse so by hand.", factory=dict
    )
    consumes_approvals: bool = field(
        "Consumes approvals",
        "The decisions made on the way are used up here: all approved passes, one rejected refuses. "
        "When there are none, a person with one of the roles decides.",
        default=False,
    )

    def outcomes(self) -> tuple[str, ...]:
        return (self.passes, *self.refuses)

    def waits(self) -> bool:
        return self.consumes_approvals


class PolicyGateConfig(NodeConfig):
    """A check that the acting person may do something; it lets pass or gives `denied`."""

    permission: str = field(
        "Permission",
        "The permission that is needed to go on.",
        examples=["invoice.post"],
        min_length=1,
        max_length=128,
    )

    def outcomes(self) -> tuple[str, ...]:
        return ("completed", "denied", "error")

    def must_handle(self) -> tuple[str, ...]:
        return ("completed",)


class AttachmentConfig(NodeConfig):
    """A proxy where a slot or a body begins or ends."""

    side: Literal["in", "out"] = field("Side", "Whether this is the beginning or the end.")

    def outcomes(self) -> tuple[str, ...]:
        return ("completed",)
