"""Every error holdfast raises, in one tree. Each has a stable `code` and one HTTP `status`.

    HoldfastError
    ├── InvalidInput                      422  the caller sent something we cannot accept
    │   ├── CanonicalError                     a value has no canonical JSON
    │   ├── SettingsError                      a setting is unknown or malformed
    │   ├── ContractError                      a contract that cannot describe a lifecycle
    │   ├── CompileError                       a definition that does not compile; lists every problem
    │   ├── InvalidDocument                    content that does not fit its contract; lists every problem
    │   ├── DocumentTooLarge              413  content above the limit
    │   ├── RuleRejected                       a rule of the organisation refuses the change
    │   └── ExpressionError                    an expression that does not parse, check or evaluate
    ├── NotSignedIn                       401  no credential, or one that is unknown, expired or revoked
    ├── Forbidden                         403  the actor lacks a permission
    ├── NotFound                          404  no such object in this tenant
    │   ├── TenantNotFound
    │   └── ActorNotFound
    ├── Conflict                          409  the object changed, or already exists
    │   ├── AlreadyExists
    │   ├── VersionConflict                    it has another version than the caller saw
    │   ├── EditLocked                         the document cannot be edited where its process stands
    │   ├── StaleApproval                      the decision is not on what the document has become
    │   ├── ProjectionBehind                   where the process stands does not fit what it has done
    │   └── LeaseLost                          the worker no longer holds the run
    └── OperationalError                  503  the installation needs its operator
        ├── DatabaseUnreachable
        ├── DatabaseUnsupported                too old a Postgres, or missing rights
        ├── EmbeddedServerError                the embedded Postgres could not start or stop
        ├── MigrationError                     a migration failed or was edited after it was applied
        ├── SchemaOutdated                     the database is older than the code
        ├── SchemaTooNew                       the database is newer than the code
        ├── AlreadyRunning
        ├── CompilerStale                      compiled by another version of the compiler
        ├── DefinitionTampered                 a compiled workflow is not what was published
        └── AuditBroken                        the audit chain does not verify

A message says what is wrong and, in `hint`, what to do about it. Secrets never appear in either.
"""

from __future__ import annotations

from typing import Any, ClassVar

__all__ = [
    "ActorNotFound",
    "AlreadyExists",
    "AlreadyRunning",
    "AuditBroken",
    "CanonicalError",
    "CompileError",
    "CompilerStale",
    "Conflict",
    "ContractError",
    "DatabaseUnreachable",
    "DatabaseUnsupported",
    "DefinitionTampered",
    "DocumentTooLarge",
    "EditLocked",
    "EmbeddedServerError",
    "ExpressionError",
    "Forbidden",
    "HoldfastError",
    "InvalidDocument",
    "InvalidInput",
    "LeaseLost",
    "MigrationError",
    "NotFound",
    "NotSignedIn",
    "OperationalError",
    "ProjectionBehind",
    "RuleRejected",
    "SchemaOutdated",
    "SchemaTooNew",
    "SettingsError",
    "StaleApproval",
    "TenantNotFound",
    "VersionConflict",
]


class HoldfastError(Exception):
    """The root of every error we raise. `details` holds machine-readable facts such as the offending field."""

    code: ClassVar[str] = "holdfast_error"
    status: ClassVar[int] = 500

    def __init__(self, message: str, *, hint: str | None = None, **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details = details

    def __str__(self) -> str:
        return f"{self.message}. {self.hint}" if self.hint else self.message


class InvalidInput(HoldfastError):
    """The caller sent something we cannot accept; nothing was changed."""

    code = "invalid_input"
    status = 422


class CanonicalError(InvalidInput):
    """A value that has no canonical JSON text."""

    code = "not_canonical"


class SettingsError(InvalidInput):
    """A setting is unknown, malformed or contradicts another."""

    code = "invalid_setting"


class ContractError(InvalidInput):
    """A contract that cannot describe a lifecycle."""

    code = "invalid_contract"


class CompileError(InvalidInput):
    """A definition that does not compile; `details["problems"]` lists every problem found."""

    code = "compile_failed"


class InvalidDocument(InvalidInput):
    """Content that does not fit its contract; `details["problems"]` lists every problem found."""

    code = "invalid_document"


class DocumentTooLarge(InvalidInput):
    """Content above the limit (`HOLDFAST_DOCUMENT_LIMIT`)."""

    code = "document_too_large"
    status = 413


class RuleRejected(InvalidInput):
    """A rule of the organisation refuses the change; `details["rule"]` names it."""

    code = "rule_rejected"


class ExpressionError(InvalidInput):
    """An expression that does not parse, does not check against the contract, or failed on its data."""

    code = "invalid_expression"


class NotSignedIn(HoldfastError):
    """No credential was given, or it is unknown, expired or revoked."""

    code = "not_signed_in"
    status = 401


class Forbidden(HoldfastError):
    """The actor lacks the permission; `details["permission"]` names it."""

    code = "forbidden"
    status = 403


class NotFound(HoldfastError):
    """No such object in this tenant. An object of another tenant gives the same answer."""

    code = "not_found"
    status = 404


class TenantNotFound(NotFound):
    """No tenant of that name, or none that this credential may see."""

    code = "tenant_not_found"


class ActorNotFound(NotFound):
    """No user of that name in the tenant."""

    code = "actor_not_found"


class Conflict(HoldfastError):
    """The object is not in the state the caller assumed; nothing was changed."""

    code = "conflict"
    status = 409


class AlreadyExists(Conflict):
    """An object with that name exists."""

    code = "already_exists"


class VersionConflict(Conflict):
    """The object has another version than the caller saw; nothing was written. Read it again and decide anew."""

    code = "version_conflict"


class EditLocked(Conflict):
    """The document cannot be edited where its process stands."""

    code = "WORKFLOW_EDIT_LOCKED"


class StaleApproval(Conflict):
    """The decision is void, used up, or not on what the document has become; nothing was written. Ask again."""

    code = "WORKFLOW_STALE_APPROVAL"


class ProjectionBehind(Conflict):
    """Where the process is said to stand does not fit the steps it has done; nothing was written. Rebuild it."""

    code = "WORKFLOW_PROJECTION_BEHIND"


class LeaseLost(Conflict):
    """The worker no longer holds the run: it was taken over or cancelled. Nothing was written; stop."""

    code = "lease_lost"


class OperationalError(HoldfastError):
    """The installation needs attention from its operator."""

    code = "operational_error"
    status = 503


class DatabaseUnreachable(OperationalError):
    """No connection to Postgres could be made."""

    code = "database_unreachable"


class DatabaseUnsupported(OperationalError):
    """The server is too old, or the connecting role lacks a right that is needed."""

    code = "database_unsupported"


class EmbeddedServerError(OperationalError):
    """The embedded Postgres could not be initialised, started or stopped."""

    code = "embedded_server"


class MigrationError(OperationalError):
    """A migration failed, or an applied one was edited afterwards."""

    code = "migration_failed"


class SchemaOutdated(OperationalError):
    """The database lacks migrations that this version of the code needs."""

    code = "schema_outdated"


class SchemaTooNew(OperationalError):
    """The database has migrations that this version of the code does not know."""

    code = "schema_too_new"


class AlreadyRunning(OperationalError):
    """The product is already running on this data directory."""

    code = "already_running"


class CompilerStale(OperationalError):
    """The workflow was compiled by another version of the compiler; an administrator must recompile it."""

    code = "WORKFLOW_COMPILER_STALE"


class DefinitionTampered(OperationalError):
    """A compiled workflow, or the skeleton under it, is not what was published. Nothing is run from it."""

    code = "WORKFLOW_HASH_MISMATCH"


class AuditBroken(OperationalError):
    """The audit chain does not verify; `details` names the first broken link."""

    code = "audit_broken"
