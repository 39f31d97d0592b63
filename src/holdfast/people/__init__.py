"""People: who is asked, what they decide, and what waits for them."""

from holdfast.people.approvals import MANY, Approvals
from holdfast.people.chains import Chain, ChainInfo, Chains, ChainStage
from holdfast.people.delegations import Delegation, Delegations
from holdfast.people.inbox import Inbox
from holdfast.people.model import (
    Assignee,
    Cause,
    ChosenRequest,
    Decided,
    DecidedItem,
    Decision,
    HeadlineField,
    InboxCounts,
    InboxItem,
    InboxView,
    Quorum,
    Refused,
    Request,
    RequestDetail,
)
from holdfast.people.observer import PeopleObserver, Voiding, settlement_of, void_instance
from holdfast.people.org import OrgChart
from holdfast.people.tending import Tending

__all__ = [
    "MANY",
    "Approvals",
    "Assignee",
    "Cause",
    "Chain",
    "ChainInfo",
    "ChainStage",
    "Chains",
    "ChosenRequest",
    "Decided",
    "DecidedItem",
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
    "Refused",
    "Request",
    "RequestDetail",
    "Tending",
    "Voiding",
    "settlement_of",
    "void_instance",
]
