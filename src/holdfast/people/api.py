"""What `hold.approvals`, `.inbox`, `.delegations`, `.chains` and `.org` are; each has a module of its own."""

from holdfast.people.approvals import Approvals
from holdfast.people.chains import Chains
from holdfast.people.delegations import Delegations
from holdfast.people.inbox import Inbox
from holdfast.people.org import OrgChart

__all__ = ["Approvals", "Chains", "Delegations", "Inbox", "OrgChart"]
