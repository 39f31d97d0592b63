"""What happens in a tenant, for those who look at it while it happens."""

from holdfast.live.api import Live
from holdfast.live.model import TOPICS, LiveEvent

__all__ = ["TOPICS", "Live", "LiveEvent"]
