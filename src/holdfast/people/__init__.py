"""People: who is asked, what they decide, and what waits for them."""

from holdfast.people.approvals import Approvals
from holdfast.people.chains import Chain, ChainInfo, Chains, ChainStage
from holdfast.people.delegations import Delegation, Delegations
from holdfast.people.inbox import Inbox
from holdfast.people.model import (
    Assignee,
    Cause,
    Decided,
    Decision,
    HeadlineField,
    InboxCounts,
    InboxItem,
    InboxView,
    Quorum,
    Request,
    RequestDetail,
)
from holdfast.people.observer import PeopleObserver, Voiding, settlement_of, void_instance
from holdfast.people.org import OrgChart
from holdfast.people.tending import Tending

__all__ = [
    "Approvals",
    "Assignee",
    "Cause",
    "Chain",
    "ChainInfo",
    "ChainStage",
    "Chains",
    "Decided",
    "Decision",
    "Delegation",
    "Delegations",
    "HeadlineField",
    "Inbox",
    "InboxCounts",
    "InboxItem",
    "InboxView",
    "OrgChart",
    "PeopleObserver",
    "Quorum",
    "Request",
    "RequestDetail",
    "Tending",
    "Voiding",
    "settlement_of",
    "void_instance",
]
