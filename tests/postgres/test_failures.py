"""Whatever Postgres says, whatever is called: who catches `HoldfastError` has caught it.

The public calls are walked through, each with a fault at its first, second and third statement. The faults are real:
in the place of the statement one is sent that raises the SQLSTATE, or the connection is closed under it.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import operator
import types
import typing
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest
from psycopg import AsyncConnection, AsyncCursor, AsyncServerCursor

from harness.waiting import until
from holdfast import Holdfast, errors
from holdfast.access.token_form import make_secret
from holdfast.app.hold import Hold
from holdfast.cli.logs import Sparing
from holdfast.doctor import examine
from holdfast.errors import (
    Conflict,
    DatabaseFailed,
    DatabaseFull,
    DatabaseOverloaded,
    DatabaseUnreachable,
    DatabaseUnsupported,
    HoldfastError,
    InvalidInput,
    TransactionAborted,
)
from holdfast.http import build
from holdfast.kernel.ids import uuid7
from holdfast.postgres.deferred import DeferredConnection
from holdfast.postgres.room import try_room
from holdfast.postgres.wire import Wire
from holdfast.runs import NewRun
from holdfast.settings import Settings

STATES: dict[str, type[HoldfastError]] = {
    "40P01": TransactionAborted,  # deadlock
    "40001": TransactionAborted,  # serialization
    "55P03": TransactionAborted,  # lock timeout
    "53100": DatabaseFull,
    "53200": DatabaseOverloaded,  # memory
    "53300": DatabaseOverloaded,  # connections
    "57014": DatabaseOverloaded,  # statement timeout
    "25006": DatabaseUnsupported,  # a standby
    "57P01": DatabaseUnreachable,  # shut down by an administrator
    "08006": DatabaseUnreachable,
    "22021": InvalidInput,
    "23514": DatabaseFailed,
    "42P01": DatabaseFailed,
    "58030": DatabaseFailed,
    "XX000": DatabaseFailed,
}
WAYS = (0, 1, 2)


class Faults:
    """Counts statements, and lets one of them fail."""

    def __init__(self) -> None:
        self.armed: str | None = None
        self.left = 0
        self.hit = 0

    @contextmanager
    def at(self, state: str, statement: int) -> Iterator[None]:
        self.armed, self.left, self.hit = state, statement, 0
        try:
            yield
        finally:
            self.armed = None

    def due(self) -> str | None:
        """The statement to send instead, if this is the one."""
        if self.armed is None:
            return None
        self.left -= 1
        if self.left >= 0:
            return None
        self.hit += 1
        return f"DO $$ BEGIN RAISE EXCEPTION 'on purpose' USING ERRCODE = '{self.armed}'; END $$"


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> Faults:
    faults = Faults()
    execute, execute_named, answer, run = (
        AsyncCursor.execute,
        AsyncServerCursor.execute,
        DeferredConnection.answer,
        Wire.run,
    )

    async def on_cursor(self: Any, query: Any, params: Any = None, **options: Any) -> Any:
        told = faults.due()
        return await (execute(self, query, params, **options) if told is None else execute(self, told))

    async def on_named(self: Any, query: Any, params: Any = None, **options: Any) -> Any:
        told = faults.due()
        if told is not None:
            await execute(AsyncCursor(self._conn), told)
        return await execute_named(self, query, params, **options)

    async def on_answer(self: Any, query: Any, values: Any) -> Any:
        told: Any = faults.due()
        return await (answer(self, query, values) if told is None else answer(self, told, {}))

    async def on_wire(self: Any, query: Any, values: Any) -> Any:
        told: Any = faults.due()
        return await (run(self, query, values) if told is None else run(self, told, {}))

    monkeypatch.setattr(AsyncCursor, "execute", on_cursor)
    monkeypatch.setattr(AsyncServerCursor, "execute", on_named)
    monkeypatch.setattr(DeferredConnection, "answer", on_answer)
    monkeypatch.setattr(Wire, "run", on_wire)
    return faults


# ---------------------------------------------------------------------------------------------------- what to call


def value_for(name: str, kind: Any, text: str) -> Any:
    """Something of the kind that a parameter takes."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        return value_for(name, next(each for each in inner if each is not type(None)), text)
    if origin is typing.Literal:
        return inner[0]
    if origin is typing.Annotated:
        return value_for(name, inner[0], text)
    named = {"entity_type": "invoice", "run_type": "a.b.v1", "type": "a.b.v1", "cron": "0 0 * * *", "role": "viewer"}
    if kind is str:
        return text if "\0" in text else named.get(name, text)
    if kind is UUID:
        return uuid7()
    if kind is bool:
        return True
    if kind in (int, float):
        return 3
    if kind is datetime:
        return datetime.now(UTC) + timedelta(days=1)
    if kind is timedelta:
        return timedelta(hours=1)
    if origin in (Mapping, dict) or kind is dict:
        return {"a": text}
    if origin in (Sequence, list, tuple, set, frozenset) or origin is typing.get_origin(typing.Iterable[int]):
        return [value_for(name, inner[0], text)] if inner else [text]
    return {"a": text} if kind is Any or kind is object else text


def arguments(function: Callable[..., Any], text: str) -> dict[str, Any]:
    """An argument for every parameter that needs one, and for filters, which are optional, too."""
    try:
        hints = typing.get_type_hints(function, include_extras=True)
    except NameError:
        hints = {}
    given = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if name == "self" or parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        optional_text = parameter.default is None and hints.get(name) == (str | None)
        if parameter.default is parameter.empty or (optional_text and name != "cursor"):
            given[name] = value_for(name, hints.get(name, str), text)
    return given


def slices() -> list[str]:
    return sorted(name for name, value in vars(Hold).items() if isinstance(value, cached_property))


def verbs(part: object) -> list[str]:
    return sorted(
        name
        for name in dir(type(part))
        if not name.startswith("_") and inspect.isfunction(inspect.getattr_static(type(part), name))
    )


async def finish(called: Any) -> None:
    if inspect.isasyncgen(called) or isinstance(called, AsyncIterator):
        async for _ in called:
            pass
    elif inspect.isawaitable(called):
        await called


Call = tuple[str, Callable[[Hold], Any]]


def sound_calls() -> list[Call]:
    """Some that get far, because what they are given makes sense."""
    return [
        ("users.create", lambda hold: hold.users.create(f"u{uuid7().hex}", roles=["viewer"])),
        ("users.grant", lambda hold: hold.users.grant("ana", "viewer")),
        ("tokens.create", lambda hold: hold.tokens.create("ana", f"t{uuid7().hex}")),
        ("runs.enqueue", lambda hold: hold.runs.enqueue("a.b.v1", {"n": 1})),
        ("runs.list", lambda hold: hold.runs.list()),
        ("outbox.publish", lambda hold: hold.outbox.publish("a.b.v1", {"n": 1})),
        ("data.set", lambda hold: hold.data.set("a", "b", 1)),
        ("actions.call", lambda hold: hold.actions.call("notify", {"users": ["ana"], "subject": "s"})),
        ("documents.create", lambda hold: hold.documents.create("invoice", {"number": "1"})),
        ("org.set_manager", lambda hold: hold.org.set_manager("ana", "ana")),
        ("info", lambda hold: hold.info()),
        ("configure", lambda hold: hold.configure(name="Acme")),
        ("inspect_run", lambda hold: hold.inspect_run(uuid7())),
        ("export_data", lambda hold: hold.export_data()),
        ("import_data", lambda hold: hold.import_data([])),
    ]


def every_call(hold: Hold, text: str) -> list[Call]:
    """Every public method of every slice."""

    found: list[Call] = []
    for part in [*slices(), "processes.repair"]:
        read = operator.attrgetter(part)
        found += [(f"{part}.{verb}", calling(read, verb, text)) for verb in verbs(read(hold))]
    return found


def calling(part: Callable[[Hold], Any], verb: str, text: str) -> Callable[[Hold], Any]:
    def call(hold: Hold) -> Any:
        method = getattr(part(hold), verb)
        return method(**arguments(method, text))

    return call


def leaked(error: BaseException | None) -> bool:
    """Whether somebody who catches `HoldfastError` would not have caught it. A slip of the caller's is no fault."""
    if error is None or isinstance(error, HoldfastError):
        return False
    return isinstance(error, psycopg.Error | UnicodeError | OSError) or type(error).__module__.startswith("psycopg")


async def attempt(app: Holdfast, call: Callable[[Hold], Any]) -> tuple[BaseException | None, BaseException | None]:
    """What is raised where it is called, and what comes out of the transaction."""
    inside: BaseException | None = None
    try:
        async with app.tenant("acme") as hold:
            try:
                await finish(call(hold))
            except Exception as error:
                inside = error
                raise
    except Exception as error:
        return inside, error
    return None, None


# ---------------------------------------------------------------------------------------------------------- promises


@pytest.mark.parametrize("state", STATES)
async def test_every_call_in_a_tenants_transaction_fails_in_our_words(
    app: Holdfast, faults: Faults, state: str
) -> None:
    async with app.tenant("acme") as hold:
        calls = [*sound_calls(), *every_call(hold, "x")]
    assert len(calls) > 120
    leaks, hit = [], 0
    for name, call in calls:
        for statement in WAYS:
            with faults.at(state, statement):
                inside, outside = await attempt(app, call)
            if not faults.hit:
                break
            hit += 1
            if leaked(inside) or leaked(outside):
                leaks.append(f"{name} at statement {statement}: {inside!r}, {outside!r}")
            elif inside is not None and isinstance(inside, STATES[state]):
                assert (inside.code, inside.hint is not None) == (STATES[state].code, True)
    assert not leaks, "\n".join(leaks)
    assert hit > 150, "the faults are not where the calls are"


@pytest.mark.parametrize("state", STATES)
async def test_every_call_of_the_application_fails_in_our_words(app: Holdfast, faults: Faults, state: str) -> None:
    calls: dict[str, Callable[[], Any]] = {
        "tenant": lambda: finish(app.tenant("nobody").__aenter__()),
        "tenants.create": lambda: app.tenants.create(f"t{uuid7().hex[:20]}"),
        "tenants.list": lambda: app.tenants.list(),
        "authenticate": lambda: app.authenticate(make_secret(uuid7())),
        "enqueue": lambda: app.enqueue("acme", "a.b.v1", {"n": 1}),
        "enqueue in a tenant": lambda: app.enqueue("globex", "a.b.v1"),
        "enqueue_many": lambda: app.enqueue_many("acme", [NewRun("a.b.v1", {"n": 1})]),
        "data.set": lambda: app.data("acme").set("a", "b", 1),
        "data.get": lambda: app.data("acme").get("a", "b"),
        "links.list": lambda: app.links("acme").list("a"),
        "session_definitions": lambda: app.session_definitions.list(),
        "publish_graphs": lambda: app.publish_graphs(),
        "tidy": lambda: app.tidy(),
        "worker": lambda: app.effects_worker().drain(),
        "engine": lambda: app.engine_worker().drain(),
    }
    leaks, hit = [], set()
    for name, call in calls.items():
        for statement in WAYS:
            error: BaseException | None = None
            with faults.at(state, statement):
                try:
                    await finish(call())
                except Exception as raised:
                    error = raised
            if not faults.hit:
                break
            hit.add(name)
            if leaked(error):
                leaks.append(f"{name} at statement {statement}: {error!r}")
    assert not leaks, "\n".join(leaks)
    assert len(hit) >= len(calls) - 4, set(calls) - hit


@pytest.mark.parametrize("text", ["a\0b", "a\ud800b", "\0"])
async def test_a_text_that_postgres_cannot_hold_is_refused_in_our_words_whatever_it_is_given_to(
    app: Holdfast, text: str
) -> None:
    async with app.tenant("acme") as hold:
        calls = every_call(hold, text)
    leaks = []
    for name, call in calls:
        inside, outside = await attempt(app, call)
        if leaked(inside) or leaked(outside):
            leaks.append(f"{name}: {inside!r}, {outside!r}")
    others: dict[str, Callable[[], Any]] = {
        "tenant": lambda: app.tenants.create(text),
        "enqueue": lambda: app.enqueue("acme", text),
        "enqueue payload": lambda: app.enqueue("acme", "a.b.v1", {"a": text}),
        "enqueue key": lambda: app.enqueue("acme", "a.b.v1", key=text),
        "enqueue for": lambda: app.enqueue(text, "a.b.v1"),
        "authenticate": lambda: app.authenticate(text),
        "data": lambda: app.data("acme").get(text, text),
        "data set": lambda: app.data("acme").set("a", text, text),
        "session definition": lambda: app.session_definitions.get(text),
    }
    for what, called in others.items():
        try:
            await finish(called())
        except Exception as error:
            if leaked(error):
                leaks.append(f"{what}: {error!r}")
    assert not leaks, "\n".join(leaks)


async def test_what_psycopg_calls_it_can_still_be_asked_for(app: Holdfast, faults: Faults) -> None:
    """Code that knows Postgres loses nothing: the error is also the one that psycopg would have raised."""
    with faults.at("40P01", 1), pytest.raises(psycopg.errors.DeadlockDetected) as caught:
        async with app.tenant("acme") as hold:
            await hold.users.create("ben")
    error = caught.value
    assert isinstance(error, TransactionAborted)
    assert (error.sqlstate, error.diag.message_primary, error.status) == ("40P01", "on purpose", 503)
    assert isinstance(error.__cause__, psycopg.errors.DeadlockDetected)
    assert "DO $$" not in str(error)


async def test_two_that_wait_for_each_other_are_told_to_try_again(app: Holdfast) -> None:
    """A real deadlock, in the user's own statements, comes out of the block in our words."""
    ready = [asyncio.Event(), asyncio.Event()]

    async def lock(mine: int) -> None:
        async with app.tenant("acme") as hold:
            await hold.connection.execute("SELECT pg_advisory_xact_lock(%s)", [mine])
            ready[mine].set()
            await ready[1 - mine].wait()
            await hold.connection.execute("SELECT pg_advisory_xact_lock(%s)", [1 - mine])

    done = await asyncio.gather(lock(0), lock(1), return_exceptions=True)
    (lost,) = [each for each in done if each is not None]
    assert isinstance(lost, TransactionAborted), lost
    assert "try again" in str(lost)


async def test_a_users_own_mistake_stays_what_it_is(app: Holdfast) -> None:
    with pytest.raises(psycopg.errors.UndefinedTable):
        async with app.tenant("acme") as hold:
            await hold.connection.execute("SELECT * FROM no_such_table")


# ------------------------------------------------------------------------------------------------ a connection given


async def test_what_is_no_connection_of_ours_is_refused(app: Holdfast, holdfast_dsn: str) -> None:
    class Asyncpg:
        """Looks a little like one."""

        async def execute(self, query: str) -> str:
            return query

    with psycopg.connect(holdfast_dsn) as plain:
        for given in (plain, Asyncpg(), "postgresql://", 7):
            with pytest.raises(InvalidInput) as caught:
                async with app.tenant("acme", connection=given):  # type: ignore[arg-type]
                    pytest.fail("it was taken")
            assert caught.value.details["field"] == "connection"
            assert "psycopg.AsyncConnection" in str(caught.value)
    closed = await AsyncConnection.connect(holdfast_dsn)
    await closed.close()
    with pytest.raises(InvalidInput, match="closed"):
        async with app.tenant("acme", connection=closed):
            pytest.fail("it was taken")


async def test_a_connection_to_a_database_without_holdfast_is_refused(app: Holdfast, holdfast_dsn: str) -> None:
    elsewhere = psycopg.conninfo.make_conninfo(holdfast_dsn, dbname="template1")
    async with await AsyncConnection.connect(elsewhere) as other:
        with pytest.raises(HoldfastError):
            async with app.tenant("acme", connection=other) as hold:
                await hold.users.list()


async def test_a_connection_whose_transaction_has_failed_is_refused(app: Holdfast, holdfast_dsn: str) -> None:
    async with await AsyncConnection.connect(holdfast_dsn) as own:
        with pytest.raises(psycopg.errors.DivisionByZero):
            await own.execute("SELECT 1 / 0")
        with pytest.raises(Conflict):
            async with app.tenant("acme", connection=own):
                pytest.fail("it was taken")
        await own.rollback()


def test_the_errors_are_public() -> None:
    assert {each.__name__ for each in set(STATES.values())} <= set(errors.__all__)


# -------------------------------------------------------------------------------------------------------- a full disk


def fill(superuser: psycopg.Connection[Any], table: str) -> None:
    """Nothing can be written to a table any more, for the reason of a full disk."""
    superuser.execute(
        "CREATE FUNCTION public.no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "RAISE EXCEPTION 'could not extend file \"base/5/1\": No space left on device' USING ERRCODE = '53100'; END $$"
    )
    superuser.execute(f"CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON {table} EXECUTE FUNCTION public.no_room()")


async def ready(app: Holdfast) -> tuple[int, str]:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(build(app)), base_url="http://here") as client:
        answer = await client.get("/readyz")
        return answer.status_code, answer.json().get("code", "ok")


async def test_a_full_disk_shows_in_readyz_until_there_is_room(
    app: Holdfast, superuser: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await ready(app) == (200, "ok")
    fill(superuser, "holdfast.users")
    with pytest.raises(DatabaseFull, match="the disk of Postgres is full: could not extend file"):
        async with app.tenant("acme") as hold:
            await hold.users.create("ben")
    assert await ready(app) == (503, "database_full")
    monkeypatch.setattr("holdfast.postgres.database._FULL_SECONDS", 0.0)
    assert await ready(app) == (200, "ok")


async def test_a_full_disk_shows_in_readyz_although_nobody_has_written_yet(app: Holdfast, faults: Faults) -> None:
    with faults.at("53100", 2):
        assert await ready(app) == (503, "database_full")


async def test_a_full_disk_is_answered_with_503_and_a_stable_code(
    app: Holdfast, superuser: psycopg.Connection[Any]
) -> None:
    async with app.tenant("acme") as hold:
        token = (await hold.tokens.create("ana", "test")).secret
    fill(superuser, "holdfast.users")
    transport = httpx.ASGITransport(build(app))
    async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
        headers = {"Authorization": f"Bearer {token}"}
        answer = await client.post("/v1/acme/users", json={"name": "ben"}, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (503, "database_full")
    assert "make room" in answer.json()["hint"]


async def test_the_trial_of_room_writes_to_the_disk_and_leaves_nothing(
    holdfast_dsn: str, superuser: psycopg.Connection[Any]
) -> None:
    async with await AsyncConnection.connect(holdfast_dsn, autocommit=True) as connection:
        await try_room(connection)
        kept = await (await connection.execute("SHOW work_mem")).fetchone()
    assert kept != ("64kB",)
    with superuser.transaction():
        superuser.execute("SET LOCAL work_mem = '64kB'")
        plan = superuser.execute(
            "EXPLAIN (ANALYZE, BUFFERS) SELECT count(*) FROM generate_series(1, 60000) n"
        ).fetchall()
    assert "temp read" in str(plan)
    assert "written" in str(plan)


async def test_the_doctor_finds_a_full_disk(holdfast_dsn: str, faults: Faults) -> None:
    found = {}
    settings = Settings.load({}, dsn=holdfast_dsn)
    async for finding in examine(settings):
        found[finding.check] = finding
        if finding.check == "clock":
            faults.armed, faults.left = "53100", 1
        elif finding.check == "disk":
            faults.armed = None
    assert (found["disk"].verdict, "the disk of Postgres is full" in found["disk"].detail) == ("failed", True)
    assert "make room" in (found["disk"].fix or "")


async def test_a_full_disk_is_one_line_a_minute_without_a_statement(
    app: Holdfast, superuser: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app.tenant("acme") as hold:
        await hold.actions.call("notify", {"users": ["ana"], "subject": "s"})
    fill(superuser, "holdfast.workflow_side_effects_outbox")
    lines: list[str] = []
    everything: list[logging.LogRecord] = []
    now = [0.0]

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(self.format(record))

    class All(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            everything.append(record)

    keep, rest = Keep(logging.WARNING), All(logging.WARNING)
    keep.addFilter(Sparing(lambda: now[0]))
    logger = logging.getLogger("holdfast")
    logger.addHandler(keep)
    logger.addHandler(rest)
    worker = app.effects_worker()
    monkeypatch.setattr("holdfast.postgres.database._PAUSE", 0)  # it tries again at once
    task = asyncio.create_task(worker.run())
    try:
        await until(lambda: len(everything) >= 20)
        now[0] = 61.0
        seen = len(everything)
        await until(lambda: len(everything) >= seen + 5)
    finally:
        worker.stop()
        await task
        logger.removeHandler(keep)
        logger.removeHandler(rest)
    assert len(lines) == 2, lines
    for line in lines:
        assert "the disk of Postgres is full: could not extend file" in line
        assert "\n" not in line
        assert "SELECT" not in line
        assert "PL/pgSQL" not in line


def test_a_lasting_trouble_is_told_once_a_minute_whoever_tells_it() -> None:
    now = [0.0]
    sparing = Sparing(lambda: now[0])

    def record(message: str, error: Exception | None = None) -> logging.LogRecord:
        info = (type(error), error, None) if error else None
        return logging.LogRecord("x", logging.ERROR, "x.py", 1, message, None, info)

    full = DatabaseFull("the disk of Postgres is full: no space left")
    first = record("it could not be stored", full)
    assert sparing.filter(first)
    assert (first.getMessage(), first.exc_info) == (
        "it could not be stored: the disk of Postgres is full: no space left",
        None,
    )
    assert not sparing.filter(record(f"again: {full}"))
    assert not sparing.filter(record('listening failed: could not extend file "base/1": No space left on device'))
    assert sparing.filter(record("something else"))
    now[0] = 60.0
    assert sparing.filter(record(f"again: {full}"))
