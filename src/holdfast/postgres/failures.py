"""What goes wrong with Postgres, in our words: every psycopg error is translated here, once.

Our own functions and triggers raise SQLSTATEs of class `HF`; connection trouble becomes `DatabaseUnreachable` with the
address but never the password; a value of a tenant's that Postgres cannot hold is `InvalidInput`; what Postgres lacks
(room, memory, connections) and transactions that lost to others have errors of their own. Anything else that a
statement of ours meets is `DatabaseFailed`: a bug. A user's own statement keeps psycopg's words for it.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import psycopg
from psycopg import errors as pg
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import PoolClosed, PoolTimeout, TooManyRequests

from holdfast.errors import (
    Conflict,
    DatabaseFailed,
    DatabaseFull,
    DatabaseOverloaded,
    DatabaseUnreachable,
    DatabaseUnsupported,
    Forbidden,
    HoldfastError,
    InvalidInput,
    LeaseLost,
    ProjectionBehind,
    StaleApproval,
    TransactionAborted,
    VersionConflict,
)
from holdfast.kernel.loops import being_cancelled

__all__ = [
    "FULL",
    "OVERLOADED",
    "address",
    "half_a_character",
    "in_our_words",
    "is_passing",
    "plainly",
    "translated",
    "undone",
    "unreachable",
]

FULL: Final = "the disk of Postgres is full"
OVERLOADED: Final = "Postgres has not what it takes"
_PASSING = ("40", "55P03")
"""Deadlocks, serialization failures, locks that were not to be had."""
_CONTEXT = re.compile(r"\n(?:DETAIL|CONTEXT|STATEMENT|QUERY|LINE \d+):")
_TOO_LARGE = {"22003": "the number is too large", "22008": "the time is too far away"}
_OURS: dict[str, type[HoldfastError]] = {
    "HF001": Conflict,
    "HF002": Forbidden,
    "HF003": StaleApproval,
    "HF010": ProjectionBehind,
    "HF011": VersionConflict,
    "HF012": LeaseLost,
}


_MADE: dict[tuple[type[HoldfastError], type[psycopg.Error]], type[HoldfastError]] = {}


def address(conninfo: str) -> str:
    """Where a connection string leads, for messages: host, port and database, no user, no password."""
    known = conninfo_to_dict(conninfo)
    host = known.get("host") or known.get("hostaddr") or "the local socket"
    port = f":{known['port']}" if "port" in known else ""
    return f"{host}{port}/{known.get('dbname') or known.get('user') or ''}".removesuffix("/")


def unreachable(conninfo: str, error: BaseException) -> DatabaseUnreachable:
    """A connection could not be made: say where to, why, and what to check."""
    reason = plainly(str(error)) or type(error).__name__
    secret = conninfo_to_dict(conninfo).get("password")
    if secret:
        reason = reason.replace(str(secret), "***")
    return DatabaseUnreachable(
        f"no connection to Postgres at {address(conninfo)}: {reason}",
        hint="check HOLDFAST_DSN, that the server runs and that it accepts this login",
    )


@contextmanager
def translated(conninfo: str = "", *, for_tenant: bool = False, ours: bool = False) -> Iterator[None]:
    """Run a block that talks to Postgres; what it raises is translated.

    In what it does for a tenant, a value that Postgres cannot hold is somebody's input. Elsewhere it is for the caller
    to find out whose it was. With `ours` no statement in it is anybody else's: then nothing is left as psycopg said it.
    """
    try:
        yield
    except HoldfastError:
        # Told already, further in.
        raise
    except (PoolTimeout, TooManyRequests) as error:
        raise DatabaseUnreachable(
            f"no free connection to Postgres: {error}",
            # All that the pool knows is that none came in time.
            hint="check that the server runs; if it does, raise HOLDFAST_POOL_MAX, or shorten transactions",
        ) from error
    except PoolClosed as error:
        raise DatabaseUnreachable("the connection pool is closed", hint="open the application first") from error
    except UnicodeEncodeError:
        if not ours:
            raise
        raise half_a_character() from None
    except psycopg.Error as error:
        said = in_our_words(error, values=for_tenant or ours, whole=ours)
        if said is None:
            raise
        raise said from error


def in_our_words(error: psycopg.Error, *, values: bool, whole: bool = False) -> HoldfastError | None:
    """An error of Postgres's as one of ours, which is also what psycopg calls it: whoever asks for either gets it.

    With `values`, what Postgres cannot hold is somebody's input. What should not happen at all is None, and left as it
    is, unless the `whole` of what Postgres may say is to be ours.
    """
    if isinstance(error, HoldfastError):
        return error
    if _connection_lost(error) and being_cancelled():
        # psycopg waits for a statement that is cancelled. If its connection is lost meanwhile, it tells of that
        # instead, and a loop that connects anew would never hear that it was to end.
        raise asyncio.CancelledError from error
    found = _known(error, values=values)
    if found is None and whole:
        found = (
            DatabaseFailed,
            f"Postgres refuses what it is asked: {_said(error)}",
            "it is a mistake; please report it",
        )
    if found is None:
        return None
    kind, message, hint = found
    told = _both(kind, type(error))(message, hint=hint)
    for name in ("_info", "_encoding", "pgconn"):
        if name in vars(error):
            setattr(told, name, getattr(error, name))
    return told


def half_a_character() -> InvalidInput:
    """A text with half of a pair of code units: no text at all, as far as Postgres is concerned."""
    return InvalidInput(
        "a value cannot be stored: it holds half a character (a lone surrogate)", hint="leave it out, or give another"
    )


def _known(error: psycopg.Error, *, values: bool) -> tuple[type[HoldfastError], str, str | None] | None:
    """What is ours to say of an error: the kind, the message, the hint."""
    state = error.sqlstate or ""
    if state in _OURS:
        return _OURS[state], _said(error), error.diag.message_hint
    if values and (refused := _cannot_hold(error)):
        return InvalidInput, f"a value cannot be stored: {refused}", "leave it out, or give another"
    if isinstance(error, pg.InFailedSqlTransaction):
        given_up = undone()
        return Conflict, given_up.message, given_up.hint
    if isinstance(error, pg.InsufficientPrivilege):
        # What our own roles are refused is a bug; a login that is not granted them gets no further than this.
        if any(words in str(error).lower() for words in ("set role", "for schema holdfast")):
            return (
                DatabaseUnsupported,
                "the login of this connection may not act for holdfast",
                "as an administrator: GRANT holdfast_app, holdfast_worker TO the login of HOLDFAST_DSN",
            )
        return None
    if state.startswith(_PASSING):
        return (
            TransactionAborted,
            f"another transaction was in the way: {_said(error)}",
            "nothing was written; try again",
        )
    if state == "53100":
        return DatabaseFull, f"{FULL}: {_said(error)}", "make room there; what was not committed is undone"
    if state.startswith("53") or state == "57014":
        return DatabaseOverloaded, f"{OVERLOADED}: {_said(error)}", "what was not committed is undone; try again later"
    if state == "25006":
        return DatabaseUnsupported, f"Postgres only reads: {_said(error)}", "connect to the primary, not to a standby"
    if _connection_lost(error):
        message = f"the connection to Postgres was lost: {_said(error)}"
        return DatabaseUnreachable, message, "what was not yet committed is undone; try again"
    return None


def _both(kind: type[HoldfastError], theirs: type[psycopg.Error]) -> type[HoldfastError]:
    made = _MADE.get((kind, theirs))
    if made is None:
        named = {"__module__": kind.__module__, "__doc__": kind.__doc__}
        made = _MADE[kind, theirs] = type(kind.__name__, (kind, theirs), named)
    return made


def _said(error: psycopg.Error) -> str:
    """What Postgres said, without the statement that it quotes."""
    return plainly(error.diag.message_primary or str(error) or type(error).__name__)


def plainly(text: str) -> str:
    """What Postgres said in one line. What it was doing, which may quote statements and values, is left out."""
    return " ".join(_CONTEXT.split(text, maxsplit=1)[0].split())


def undone() -> Conflict:
    """Somebody went on after an error, in a transaction that Postgres had given up because of it."""
    return Conflict(
        "the transaction is undone, because a statement in it failed",
        hint="let the error end it, or put what may fail into `async with hold.connection.transaction():`",
    )


def _cannot_hold(error: psycopg.Error) -> str | None:
    """Why Postgres cannot hold a value that somebody gave, whatever it is; None for errors of another kind."""
    if isinstance(error, psycopg.ProgrammingError) and error.sqlstate is None and "cannot adapt" in str(error):
        return "it is of a type that Postgres does not know"
    if not isinstance(error, psycopg.DataError):
        return None
    if error.sqlstate in ("22P05", "22021") or (error.sqlstate is None and "NUL" in str(error)):
        return "it holds a NUL character"
    return _TOO_LARGE.get(error.sqlstate or "")


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
