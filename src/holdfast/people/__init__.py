"""People: who is asked, what they decide, and what waits for them."""

from holdfast.people.approvals import Approvals
from holdfast.people.chains import Chain, ChainInfo, Chains, ChainStage
from holdfast.people.delegations import Delegation, Delegations
from holdfast.people.inbox import Inbox
from holdfast.people.model import (
    Assignee,
    Decided,
    Decision,
    InboxItem,
    Request,
    RequestDetail,
)
from holdfast.people.observer import PeopleObserver, Voiding, void_instance
from holdfast.people.org import OrgChart
from holdfast.people.tending import Tending

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
    "OrgChart",
    "PeopleObserver",
    "Request",
    "RequestDetail",
    "Tending",
    "Voiding",
    "void_instance",
]
