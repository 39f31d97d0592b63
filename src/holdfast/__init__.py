"""holdfast: durable workflows that live in your Postgres.

A public name is imported from where it lives when it is first used: `import holdfast` itself costs nothing, which
every command, every worker and every test that starts a process notices. Type checkers read the plain imports.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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

_HOMES = {
    "holdfast.app": ("Hold", "Holdfast"),
    "holdfast.data": ("Put",),
    "holdfast.errors": (
        "ActorNotFound",
        "AlreadyExists",
        "ChildFailed",
        "Conflict",
        "Forbidden",
        "HoldfastError",
        "InvalidInput",
        "LeaseLost",
        "NotFound",
        "NotSignedIn",
        "OperationalError",
        "RevisionMismatch",
        "TenantNotFound",
        "WaitTimedOut",
    ),
    "holdfast.kernel.actor": ("BUILT_IN_ROLES", "PERMISSIONS", "Actor"),
    "holdfast.kernel.clock": ("FakeClock",),
    "holdfast.runs": ("Child", "Enqueued", "Fail", "NewRun", "Rate", "Retry", "Run", "Snooze"),
    "holdfast.sessions": ("Notify",),
    "holdfast.settings": ("Settings",),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

if not TYPE_CHECKING:  # or a misspelt name would pass the type checker

    def __getattr__(name: str) -> Any:
        if name not in _HOME_OF:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(importlib.import_module(_HOME_OF[name]), name)
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
