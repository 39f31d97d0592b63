"""What `hold.data` and `hold.links` are; each has a module of its own."""

from holdfast.data.keys import Keys
from holdfast.data.links import Links

__all__ = ["Keys", "Links"]
