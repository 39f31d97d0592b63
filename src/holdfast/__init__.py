"""holdfast: durable workflows that live in your Postgres."""

from holdfast.app import Hold, Holdfast
from holdfast.data import Put
from holdfast.errors import (
    ActorNotFound,
    AlreadyExists,
    Conflict,
    Forbidden,
    HoldfastError,
    InvalidInput,
    NotFound,
    NotSignedIn,
    OperationalError,
    RevisionMismatch,
    TenantNotFound,
)
from holdfast.kernel.actor import BUILT_IN_ROLES, PERMISSIONS, Actor
from holdfast.kernel.clock import FakeClock
from holdfast.runs import Enqueued, Fail, NewRun, Retry, Run, Snooze
from holdfast.settings import Settings

__all__ = [
    "BUILT_IN_ROLES",
    "PERMISSIONS",
    "Actor",
    "ActorNotFound",
    "AlreadyExists",
    "Conflict",
    "Enqueued",
    "Fail",
    "FakeClock",
    "Forbidden",
    "Hold",
    "Holdfast",
    "HoldfastError",
    "InvalidInput",
    "NewRun",
    "NotFound",
    "NotSignedIn",
    "OperationalError",
    "Put",
    "Retry",
    "RevisionMismatch",
    "Run",
    "Settings",
    "Snooze",
    "TenantNotFound",
]
