"""One frozen `Settings`, from `HOLDFAST_*` environment variables or from arguments; arguments win.

A variable or argument that is not a setting is refused by name, so a misspelt one never passes silently. Connection
strings may carry passwords: they are held as secrets and never printed.
"""

from __future__ import annotations

import base64
import ipaddress
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import parse_qsl, urlsplit

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
)

from holdfast.errors import SettingsError
from holdfast.kernel.names import did_you_mean

__all__ = ["CHAINED_KINDS", "PLAIN_KINDS", "PREFIX", "Settings", "default_data_dir"]

PREFIX = "HOLDFAST_"

CHAINED_KINDS = ("access", "definition", "document", "instance")
"""The kinds of object whose events are a chain, each naming the one before it: the class `chained` of retention."""

PLAIN_KINDS = ("action", "data", "outbox", "read", "run", "schedule", "session")
"""The kinds of object whose events stand alone: the class `plain` of retention."""


def default_data_dir() -> Path:
    """Where the embedded Postgres keeps its data when nobody says."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        # Postgres refuses to run as root, and the user it runs as cannot look into root's home.
        return Path("/var/lib/holdfast")
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "holdfast"


def _retention(value: object) -> object:
    """Read `plain=90,chained=3650` into a mapping."""
    if not isinstance(value, str):
        return value
    pairs = [part.split("=", 1) for part in value.replace(" ", "").split(",") if part]
    if any(len(pair) != 2 for pair in pairs):
        raise ValueError("write it as class=days, separated by commas: plain=90,chained=3650")
    return dict(pairs)


def _pairs(value: object) -> object:
    """Read `billing-team=approver,it=operator` into a mapping."""
    if not isinstance(value, str):
        return value
    pairs = [part.rsplit("=", 1) for part in value.split(",") if part.strip()]
    if any(len(pair) != 2 for pair in pairs):
        raise ValueError("write it as group=role, separated by commas: billing-team=approver,it=operator")
    return {group.strip(): role.strip() for group, role in pairs}


def _words(value: object) -> object:
    """Read `billing.,media.` into a tuple."""
    return tuple(word.strip() for word in value.split(",") if word.strip()) if isinstance(value, str) else value


class Settings(BaseModel):
    """Everything that can be set, with its default. Field `x_y` is the variable `HOLDFAST_X_Y`.

    For example:

        app = Holdfast(Settings.load(dsn="postgresql://…", pool_max=20))
    """

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    dsn: SecretStr | None = Field(None, description="Postgres to use; none starts the embedded one")
    admin_dsn: SecretStr | None = Field(None, description="Postgres login for migrations; the default is the DSN")
    listen_dsn: SecretStr | None = Field(
        None, description="direct connection for LISTEN when the DSN leads through a transaction pooler"
    )
    app: str | None = Field(
        None, description="module:name of the application whose contracts, actions and handlers every command knows"
    )
    data_dir: Path = Field(default_factory=default_data_dir, description="directory of the embedded Postgres")
    postgres_version: Literal[16, 18] = Field(18, description="version of a newly created embedded Postgres")
    migrate: Literal["auto", "always", "never"] = Field(
        "auto", description="apply migrations when opening: auto means only on the embedded Postgres"
    )
    pool_min: int = Field(1, ge=0, le=1000, description="connections kept open")
    pool_max: int = Field(10, ge=1, le=1000, description="connections opened at most")
    pool_max_lifetime: float = Field(
        3600.0, ge=1, le=604_800, description="seconds after which a connection of the pool is replaced by a new one"
    )
    pool_max_idle: float = Field(
        600.0, ge=1, le=604_800, description="seconds after which a connection beyond those kept open is closed, unused"
    )
    connect_timeout: float = Field(10.0, gt=0, le=300, description="seconds to wait for a connection")
    idle_transaction_timeout: float = Field(
        300.0,
        ge=0,
        le=86_400,
        description="seconds that a transaction may do nothing before Postgres ends it; 0: never",
    )
    statement_timeout: float = Field(
        60.0,
        ge=0,
        le=86_400,
        description="seconds that a statement of a request may take before Postgres ends it; 0: any",
    )
    share_wait: float = Field(
        5.0, gt=0, le=300, description="seconds that a request waits when its tenant or token keeps its share busy"
    )
    body_timeout: float = Field(30.0, gt=0, le=3600, description="seconds that the body of a request may take to come")
    header_timeout: float = Field(
        10.0, gt=0, le=3600, description="seconds that the head of a request may take to come, on a new connection too"
    )
    connections_per_address: int = Field(
        0, ge=0, le=100_000, description="connections that one address may have open; 0: any number, as a proxy needs"
    )
    sign_in_failures: int = Field(
        20, ge=1, le=100_000, description="failed sign-ins a minute from one address, and ten times that for a tenant"
    )
    rate_token: float = Field(
        1000.0, ge=0, le=1_000_000, description="requests a second that one credential may make; 0: any number"
    )
    rate_tenant: float = Field(
        5000.0, ge=0, le=1_000_000, description="requests a second that one tenant may make; 0: any number"
    )
    public_url: str | None = Field(
        None,
        pattern=r"^https?://[^/?#\s]+$",
        description="address at which people reach the console, as https://holdfast.example; sign-ins lead back to it",
    )
    sign_in_hours: float = Field(12.0, gt=0, le=720, description="hours that a browser stays signed in")
    oidc_issuer: str | None = Field(
        None, pattern=r"^https?://[^?#\s]+$", description="OpenID provider to sign in with, as https://login.example"
    )
    oidc_client_id: str | None = Field(None, min_length=1, description="who this server is to the OpenID provider")
    oidc_client_secret: SecretStr | None = Field(
        None, description="its secret there; none when the provider knows it as a public client"
    )
    oidc_label: str = Field(
        "OpenID", min_length=1, max_length=60, description="the provider's name on the sign-in page"
    )
    oidc_scopes: str = Field("openid profile email", description="what the provider is asked for")
    oidc_audience: str | None = Field(
        None, description="`aud` that bearer tokens of the provider must have; the client id by default"
    )
    oidc_tenant: str | None = Field(None, description="slug of the tenant whose people the provider knows")
    oidc_tenant_claim: str | None = Field(None, description="claim that holds the tenant's slug, instead")
    oidc_person_claim: str = Field("preferred_username", description="claim that holds the name of the user")
    oidc_roles_claim: str | None = Field(None, description="claim that lists groups; see HOLDFAST_OIDC_ROLES")
    oidc_roles: Annotated[dict[str, str], BeforeValidator(_pairs)] = Field(
        {}, description="role that each group has, as billing-team=approver,it=operator: given and taken at sign-in"
    )
    oidc_create_users: bool = Field(False, description="add whoever the provider knows and we do not")
    host: str = Field("127.0.0.1", min_length=1, description="address the HTTP server listens on")
    port: int = Field(8400, ge=0, le=65535, description="port the HTTP server listens on; 0 takes a free one")
    audit_retention: Annotated[dict[str, int], BeforeValidator(_retention)] = Field(
        {"plain": 365},
        description="days that events are kept, by class, as plain=90,chained=3650; a class not named is kept for ever",
    )
    audit_anchors: SecretStr | None = Field(
        None,
        description="where the heads of the audit chains are sent, separated by commas: file:///var/anchors.jsonl, "
        "https://…, s3://bucket/prefix?region=…&endpoint=https://…",
    )
    audit_anchors_key: SecretStr | None = Field(
        None,
        description="access key of that bucket, as id:secret; none leaves it to AWS_* variables or the machine's role",
    )
    audit_anchor_interval: float = Field(
        3600.0, ge=1, description="seconds between two anchors; the janitor sends them"
    )
    audit_months_ahead: int = Field(3, ge=1, le=24, description="monthly partitions made in advance")
    run_events: Literal["exceptions", "outcomes", "all"] = Field(
        "exceptions", description="which events of runs are kept: what went wrong, every outcome, or every step"
    )
    run_publishes: Literal["nothing", "failures", "outcomes"] = Field(
        "nothing", description="which ends of runs become outbox events: none, all but successes, or every one"
    )
    run_retention: int = Field(90, ge=1, description="days that finished runs are kept; whole months are dropped")
    process_retention: int = Field(
        90, ge=1, description="days that receipts of finished processes and delivered events and effects are kept"
    )
    payload_limit: int = Field(1024 * 1024, ge=1024, description="bytes that a payload or a result may have")
    outbox_sinks: SecretStr | None = Field(
        None, description="where outbox events go, separated by commas: stdout, https://…#mode=binary, nats://…/prefix"
    )
    outbox_secret: SecretStr | None = Field(
        None, description="whsec_… that HTTP sinks sign with; several, separated by commas, while one is replaced"
    )
    outbox_source: str = Field(
        "/holdfast", pattern=r"^[!-~]{1,512}$", description="source of CloudEvents; the tenant's slug is appended"
    )
    outbox_max_attempts: int = Field(100, ge=1, le=10_000, description="attempts before an event is a dead letter")
    outbox_backoff_base: float = Field(1.0, ge=0, le=86_400, description="seconds before an event's second attempt")
    outbox_backoff_cap: float = Field(900.0, ge=0, le=86_400, description="seconds between attempts at most")
    outbox_dead_letters: Literal["hold", "skip"] = Field(
        "hold", description="what follows a dead event of the same aggregate: hold it back, or skip the dead one"
    )
    outbox_timeout: float = Field(10.0, gt=0, le=300, description="seconds that a sink gets to take an event")
    outbox_lease: float = Field(30.0, ge=1, le=3600, description="seconds after which a dead dispatcher is replaced")
    outbox_concurrency: int = Field(64, ge=1, le=10_000, description="aggregates a dispatcher sends for at a time")
    outbox_retention: int = Field(90, ge=1, description="days that published events are kept; whole months are dropped")
    data_value_limit: int = Field(
        256 * 1024, ge=1024, le=16 * 1024 * 1024, description="bytes that a key's value may have"
    )
    data_change_retention: int = Field(30, ge=1, description="days that changes of keys can be followed; whole months")
    receipt_retention: int = Field(
        30, ge=1, description="days that answers of actions with an idempotency key are kept"
    )
    process_rate: int = Field(
        50,
        ge=1,
        le=100_000,
        description="decisions, transitions and cancellations of processes that one person or program may ask for over "
        "HTTP in a second, on average of ten",
    )
    document_limit: int = Field(
        8 * 1024 * 1024, ge=1024, le=128 * 1024 * 1024, description="bytes that the content of a document may have"
    )
    worker_type_prefixes: Annotated[tuple[str, ...], BeforeValidator(_words)] = Field(
        (), description="prefixes of the types a worker executes, separated by commas; the default is what it handles"
    )
    worker_concurrency: int = Field(100, ge=1, le=10_000, description="runs a worker executes at a time")
    worker_threads: int = Field(16, ge=1, le=1000, description="threads for handlers that are plain functions")
    worker_poll_interval: float = Field(1.0, gt=0, description="seconds between looks when no notification comes")
    worker_shutdown_timeout: float = Field(20.0, ge=0, description="seconds that running handlers get to finish")
    schedule_grace: float = Field(
        60.0, ge=1, le=600, description="seconds that a schedule may fire late before the fire counts as missed"
    )
    allowed_registries: Annotated[tuple[str, ...], BeforeValidator(_words)] = Field(
        (), description="registries that images of workflow definitions may come from, as quay.io,ghcr.io/acme"
    )
    checkpoint_retention_days: int = Field(
        30, ge=1, description="days that checkpoints are kept; the latest of a session that waits stays"
    )
    keys: SecretStr | None = Field(
        None,
        description="keys that encrypt and sign, as id=base64,id=base64; the first one is current, the others open; "
        "the embedded Postgres comes with one",
    )
    encrypt_payloads: bool = Field(
        False,
        description="encrypt payloads, results and errors of runs, inputs, outputs, messages and checkpoints of "
        "sessions, what effects send, messages to people, and answers kept for an idempotency key",
    )
    session_outputs: str | None = Field(
        None,
        description="where outputs of 100 MB and more go: a directory, or s3://bucket/prefix?region=…&endpoint=https://…",
    )
    session_outputs_key: SecretStr | None = Field(
        None,
        description="access key of that bucket, as id:secret; none leaves it to AWS_* variables or the machine's role",
    )
    effects_concurrency: int = Field(20, ge=1, le=1000, description="effects a worker sends at a time")
    effects_max_attempts: int = Field(
        16, ge=1, le=50, description="attempts to send an effect that does not say how many; 16 last for five hours"
    )
    effects_timeout: float = Field(30.0, gt=0, le=600, description="seconds that one attempt to send may take in all")
    effects_response_limit: int = Field(
        64 * 1024, ge=0, le=1024 * 1024, description="bytes of an answer to a webhook that are read and kept"
    )
    effects_allowed_networks: Annotated[tuple[str, ...], BeforeValidator(_words)] = Field(
        (),
        description="networks and hosts, separated by commas, that webhooks may reach although they are not public",
    )
    smtp_url: SecretStr | None = Field(
        None, description="mail server, as smtp://host:25, smtp+starttls://user:password@host:587 or smtps://…"
    )
    mail_from: str | None = Field(None, min_length=3, max_length=320, description="sender of e-mail")
    janitor_interval: float = Field(3600.0, ge=1, description="seconds between two rounds of the janitor")
    metrics_token: SecretStr | None = Field(
        None, min_length=16, description="bearer token for /metrics; none gives them to this machine only"
    )
    trace_url: str | None = Field(
        None,
        max_length=1000,
        description="where a trace is looked at, as https://traces.example/trace/{trace}; the console links to it",
    )
    sentry_dsn: SecretStr | None = Field(
        None, description="where unexpected errors are told, a DSN of Sentry; needs holdfast[sentry]"
    )
    metrics_tenant_label: bool = Field(False, description="tell the tenants apart in metrics: many more series")
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="how much is logged")

    @field_validator("dsn", "admin_dsn", "listen_dsn")
    @classmethod
    def _is_conninfo(cls, value: SecretStr | None) -> SecretStr | None:
        if value is None:
            return None
        text = value.get_secret_value()
        try:
            known = conninfo_to_dict(text)
        except ProgrammingError:
            # libpq quotes the text it could not read, and that may hold the password.
            raise ValueError("not a Postgres connection string, such as postgresql://user@host:5432/db") from None
        if not text.strip() or not known:
            raise ValueError("empty; leave it unset to use the embedded Postgres")
        return value

    @field_validator("effects_allowed_networks")
    @classmethod
    def _are_networks(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for word in value:
            if "/" in word or ":" in word or word[:1].isdigit():
                try:
                    ipaddress.ip_network(word)
                except ValueError:
                    raise ValueError(f"{word!r} is not a network, such as 10.1.0.0/16") from None
        return value

    @field_validator("keys")
    @classmethod
    def _are_keys(cls, value: SecretStr | None) -> SecretStr | None:
        # Not quoted back. Found when a process starts, and not by the first session it executes.
        for key in value.get_secret_value().split(",") if value is not None else ():
            name, _, text = key.strip().partition("=")
            try:
                size = len(base64.b64decode(text.replace("-", "+").replace("_", "/"), validate=True))
            except ValueError:
                size = 0
            if not name or size != 32:
                raise ValueError("write id=base64 of 32 random bytes, several separated by commas")
        return value

    @field_validator("session_outputs")
    @classmethod
    def _is_place(cls, value: str | None) -> str | None:
        if value is None:
            return None
        parts = urlsplit(value)
        options = dict(parse_qsl(parts.query, keep_blank_values=True))
        if parts.scheme not in ("", "file", "s3") or "@" in parts.netloc or (parts.scheme == "file" and parts.netloc):
            raise ValueError("write a directory, or s3://bucket/prefix; the key has a setting of its own")
        if parts.scheme == "s3" and (not parts.netloc or set(options) - {"region", "endpoint"}):
            raise ValueError(
                "write s3://bucket/prefix, with region=… and endpoint=https://… after a ? and nothing else"
            )
        return value

    @field_validator("audit_anchors")
    @classmethod
    def _are_anchors(cls, value: SecretStr | None) -> SecretStr | None:
        # Not quoted back: it may hold a password.
        for place in value.get_secret_value().split(",") if value is not None else ():
            parts = urlsplit(place.strip())
            if parts.scheme not in ("file", "https", "http", "s3") or not (parts.netloc or parts.scheme == "file"):
                raise ValueError("write file:///path, https://… or s3://bucket/prefix, several separated by commas")
            if parts.scheme == "http" and parts.hostname not in ("127.0.0.1", "::1", "localhost"):
                raise ValueError("http:// is for this machine only; write https://…")
        return value

    @field_validator("session_outputs_key", "audit_anchors_key")
    @classmethod
    def _is_key(cls, value: SecretStr | None) -> SecretStr | None:
        # Not quoted back.
        if value is not None and not all(value.get_secret_value().partition(":")):
            raise ValueError("write it as id:secret")
        return value

    @field_validator("trace_url")
    @classmethod
    def _leads_to_a_trace(cls, value: str | None) -> str | None:
        if value is not None and not (value.startswith(("https://", "http://")) and value.count("{trace}") == 1):
            raise ValueError("write it as https://traces.example/trace/{trace}: {trace} stands for the id of one")
        return value

    @field_validator("smtp_url")
    @classmethod
    def _is_mail_server(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None:
            # Not quoted back: it may hold a password.
            scheme, _, rest = value.get_secret_value().partition("://")
            if scheme not in ("smtp", "smtp+starttls", "smtps") or not rest.strip("/"):
                raise ValueError("write it as smtp://host:25, smtp+starttls://user:password@host:587 or smtps://host")
        return value

    @field_validator("audit_retention")
    @classmethod
    def _known_classes(cls, value: dict[str, int]) -> dict[str, int]:
        for retained, days in value.items():
            if retained not in ("chained", "plain"):
                raise ValueError(
                    f"{retained!r} is neither chained ({', '.join(CHAINED_KINDS)}) nor plain ({', '.join(PLAIN_KINDS)})"
                )
            if days < 1:
                raise ValueError(f"{retained} events must be kept for at least one day")
        return value

    @field_validator("outbox_backoff_cap")
    @classmethod
    def _not_below_base(cls, value: float, info: ValidationInfo) -> float:
        if value < info.data.get("outbox_backoff_base", 0):
            raise ValueError("it is less than the backoff's base")
        return value

    @classmethod
    def load(cls, environ: Mapping[str, str] | None = None, **arguments: Any) -> Self:
        """Read the environment (the process's unless one is given), then the arguments over it."""
        source = os.environ if environ is None else environ
        # The customary names without our prefix, which other tools of this kind use too.
        customary = ("WORKER_TYPE_PREFIXES", "ALLOWED_REGISTRIES", "CHECKPOINT_RETENTION_DAYS")
        found: dict[str, Any] = {name.lower(): source[name] for name in customary if source.get(name)}
        for variable in sorted(source):
            if not variable.startswith(PREFIX):
                continue
            name = variable.removeprefix(PREFIX).lower()
            if name not in cls.model_fields:
                hint = did_you_mean(variable, (PREFIX + field.upper() for field in cls.model_fields))
                raise SettingsError(
                    f"there is no setting {variable}",
                    hint=hint or "`holdfast settings` lists them",
                    setting=variable,
                )
            if source[variable] != "":
                found[name] = source[variable]
        for name in arguments:
            if name not in cls.model_fields:
                raise SettingsError(
                    f"there is no setting {name!r}",
                    hint=did_you_mean(name, cls.model_fields) or "`holdfast settings` lists them",
                    setting=name,
                )
        try:
            return cls(**(found | arguments))
        except ValidationError as error:
            raise _readable(error, source, arguments) from None

    @property
    def embedded(self) -> bool:
        """Whether holdfast brings its own Postgres."""
        return self.dsn is None

    def shown(self) -> dict[str, str]:
        """Each setting as text for people, secrets masked."""
        return {name: str(getattr(self, name)) for name in type(self).model_fields}


def _readable(error: ValidationError, environ: Mapping[str, str], arguments: Mapping[str, Any]) -> SettingsError:
    first = error.errors(include_url=False, include_input=False)[0]
    field = str(first["loc"][0])
    variable = PREFIX + field.upper()
    named = field if field in arguments or variable not in environ else variable
    problem = first["msg"].removeprefix("Value error, ")
    return SettingsError(f"the setting {named} is not valid: {problem}", setting=named)
