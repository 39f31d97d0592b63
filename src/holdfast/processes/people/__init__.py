"""People: who is asked, what they decide, and what waits for them."""

from holdfast.processes.people.approvals import Approvals
from holdfast.processes.people.chains import Chain, ChainInfo, Chains, ChainStage
from holdfast.processes.people.delegations import Delegation, Delegations
from holdfast.processes.people.inbox import Inbox
from holdfast.processes.people.model import (
    Assignee,
    Decided,
    Decision,
    InboxItem,
    InboxPage,
    Request,
    RequestDetail,
    RequestPage,
)
from holdfast.processes.people.observer import PeopleObserver, Voiding, void_instance
from holdfast.processes.people.org import OrgChart
from holdfast.processes.people.tending import Tending

__all__ = [
    "Approvals",
    "Assignee",
    "Chain",
    "ChainInfo",
    "ChainStage",
    "Chains",
    "Decided",
    "Decision",
    "Delegation",
    "Delegations",
    "Inbox",
    "InboxItem",
    "InboxPage",
    "OrgChart",
    "PeopleObserver",
    "Request",
    "RequestDetail",
    "RequestPage",
    "Tending",
    "Voiding",
    "void_instance",
]
