"""What goes wrong with Postgres, in our words: every psycopg error is translated here, once.

Our own functions and triggers raise SQLSTATEs of class `HF`; connection trouble becomes `DatabaseUnreachable` with the
address but never the password; a value of a tenant's that Postgres cannot hold is `InvalidInput`. Anything else stays a
psycopg error: it is a bug, and should look like one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors as pg
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import PoolClosed, PoolTimeout, TooManyRequests

from holdfast.errors import (
    Conflict,
    DatabaseUnreachable,
    DatabaseUnsupported,
    Forbidden,
    HoldfastError,
    InvalidInput,
    LeaseLost,
    ProjectionBehind,
    StaleApproval,
    VersionConflict,
)

__all__ = ["address", "in_our_words", "is_passing", "translated", "undone", "unreachable"]

_PASSING = ("40", "55P03")
"""Deadlocks, serialization failures, locks that were not to be had."""
_TOO_LARGE = {"22003": "the number is too large", "22008": "the time is too far away"}
_OURS: dict[str, type[HoldfastError]] = {
    "HF001": Conflict,
    "HF002": Forbidden,
    "HF003": StaleApproval,
    "HF010": ProjectionBehind,
    "HF011": VersionConflict,
    "HF012": LeaseLost,
}


def address(conninfo: str) -> str:
    """Where a connection string leads, for messages: host, port and database, no user, no password."""
    known = conninfo_to_dict(conninfo)
    host = known.get("host") or known.get("hostaddr") or "the local socket"
    port = f":{known['port']}" if "port" in known else ""
    return f"{host}{port}/{known.get('dbname') or known.get('user') or ''}".removesuffix("/")


def unreachable(conninfo: str, error: BaseException) -> DatabaseUnreachable:
    """A connection could not be made: say where to, why, and what to check."""
    reason = " ".join(str(error).split()) or type(error).__name__
    secret = conninfo_to_dict(conninfo).get("password")
    if secret:
        reason = reason.replace(str(secret), "***")
    return DatabaseUnreachable(
        f"no connection to Postgres at {address(conninfo)}: {reason}",
        hint="check HOLDFAST_DSN, that the server runs and that it accepts this login",
    )


@contextmanager
def translated(conninfo: str = "", *, for_tenant: bool = False) -> Iterator[None]:
    """Run a block that talks to Postgres; what it raises is translated.

    In what it does for a tenant, a value that Postgres cannot hold is somebody's input. Elsewhere it is for the caller
    to find out whose it was.
    """
    try:
        yield
    except (PoolTimeout, TooManyRequests) as error:
        raise DatabaseUnreachable(
            f"no free connection to Postgres: {error}",
            # All that the pool knows is that none came in time.
            hint="check that the server runs; if it does, raise HOLDFAST_POOL_MAX, or shorten transactions",
        ) from error
    except PoolClosed as error:
        raise DatabaseUnreachable("the connection pool is closed", hint="open the application first") from error
    except pg.InsufficientPrivilege as error:
        # What our own roles are refused is a bug; a login that is not granted them gets no further than this.
        if any(words in str(error).lower() for words in ("set role", "for schema holdfast")):
            raise DatabaseUnsupported(
                "the login of this connection may not act for holdfast",
                hint="as an administrator: GRANT holdfast_app, holdfast_worker TO the login of HOLDFAST_DSN",
            ) from error
        raise
    except psycopg.Error as error:
        said = in_our_words(error, values=for_tenant)
        if said is not None:
            raise said from error
        if _connection_lost(error):
            if _being_cancelled():
                # psycopg waits for a statement that is cancelled. If its connection is lost meanwhile, it tells of that
                # instead, and a loop that connects anew would never hear that it was to end.
                raise asyncio.CancelledError from error
            raise DatabaseUnreachable(
                f"the connection to Postgres was lost: {' '.join(str(error).split())}",
                hint="what was not yet committed is undone; try again",
            ) from error
        raise


def in_our_words(error: psycopg.Error, *, values: bool) -> HoldfastError | None:
    """What our own functions and triggers refuse, with `values` what Postgres cannot hold; None for anything else."""
    known = _OURS.get(error.sqlstate or "")
    if known is not None:
        return known(error.diag.message_primary or str(error), hint=error.diag.message_hint)
    if values and (refused := _cannot_hold(error)):
        return InvalidInput(f"a value cannot be stored: {refused}", hint="leave it out, or give another")
    return undone() if isinstance(error, pg.InFailedSqlTransaction) else None


def undone() -> Conflict:
    """Somebody went on after an error, in a transaction that Postgres had given up because of it."""
    return Conflict(
        "the transaction is undone, because a statement in it failed",
        hint="let the error end it, or put what may fail into `async with hold.connection.transaction():`",
    )


def _cannot_hold(error: psycopg.Error) -> str | None:
    """Why Postgres cannot hold a value that somebody gave, whatever it is; None for errors of another kind."""
    if not isinstance(error, psycopg.DataError):
        return None
    if error.sqlstate in ("22P05", "22021") or (error.sqlstate is None and "NUL" in str(error)):
        return "it holds a NUL character"
    return _TOO_LARGE.get(error.sqlstate or "")


def _being_cancelled() -> bool:
    try:
        task = asyncio.current_task()
    except RuntimeError:  # not in an event loop
        return False
    return task is not None and task.cancelling() > 0


def is_passing(error: BaseException) -> bool:
    """Whether the same transaction, tried again, may well succeed: it lost to another one and was undone."""
    return isinstance(error, psycopg.Error) and (error.sqlstate or "").startswith(_PASSING)


def _connection_lost(error: psycopg.Error) -> bool:
    if isinstance(error, pg.IdleInTransactionSessionTimeout):
        return True
    if not isinstance(error, psycopg.OperationalError):
        return False
    state = error.sqlstate
    return state is None or state.startswith(("08", "57P"))
