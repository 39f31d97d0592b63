"""holdfast: durable workflows that live in your Postgres."""

from holdfast.app import Hold, Holdfast
from holdfast.data import Put
from holdfast.errors import (
    ActorNotFound,
    AlreadyExists,
    ChildFailed,
    Conflict,
    Forbidden,
    HoldfastError,
    InvalidInput,
    LeaseLost,
    NotFound,
    NotSignedIn,
    OperationalError,
    RevisionMismatch,
    TenantNotFound,
    WaitTimedOut,
)
from holdfast.kernel.actor import BUILT_IN_ROLES, PERMISSIONS, Actor
from holdfast.kernel.clock import FakeClock
from holdfast.runs import Child, Enqueued, Fail, NewRun, Rate, Retry, Run, Snooze
from holdfast.sessions import Notify
from holdfast.settings import Settings

__all__ = [
    "BUILT_IN_ROLES",
    "PERMISSIONS",
    "Actor",
    "ActorNotFound",
    "AlreadyExists",
    "Child",
    "ChildFailed",
    "Conflict",
    "Enqueued",
    "Fail",
    "FakeClock",
    "Forbidden",
    "Hold",
    "Holdfast",
    "HoldfastError",
    "InvalidInput",
    "LeaseLost",
    "NewRun",
    "NotFound",
    "NotSignedIn",
    "Notify",
    "OperationalError",
    "Put",
    "Rate",
    "Retry",
    "RevisionMismatch",
    "Run",
    "Settings",
    "Snooze",
    "TenantNotFound",
    "WaitTimedOut",
]
