"""Every error holdfast raises, in one tree. Each has a stable `code` and one HTTP `status`.

    HoldfastError
    ├── InvalidInput                      422  the caller sent something we cannot accept
    │   ├── CanonicalError                     a value has no canonical JSON
    │   ├── SettingsError                      a setting is unknown or malformed
    │   ├── ContractError                      a contract that cannot describe a lifecycle
    │   ├── CompileError                       a definition that does not compile; lists every problem
    │   ├── ExpressionError                    an expression that does not parse, check or evaluate
    │   ├── SchemaViolation                    a value its namespace's JSON Schema does not allow
    │   ├── DefinitionError               400  a workflow definition that cannot be registered
    │   ├── SessionInputError             400  an input or an answer that its schema does not allow
    │   ├── OutputTooLarge                400  the output of a session exceeds 100 MB
    │   ├── InvalidDocument                    content that does not fit its contract; lists every problem
    │   ├── DocumentTooLarge              413  content above the limit
    │   └── RuleRejected                       a rule of the organisation refuses the change
    ├── VersionMissing                    428  a change that does not say which version it is about
    ├── RequestTooSlow                    408  the body of a request did not come in time
    ├── ShareUsedUp                       429  the tenant or the token keeps its share of the server busy
    ├── SignInLimited                     429  too many sign-ins have failed from there
    ├── NotSignedIn                       401  no credential, or one that is unknown, expired or revoked
    │   └── SignatureInvalid                   a webhook that is not signed, or not by us, or too old
    ├── Forbidden                         403  the actor lacks a permission
    ├── NotFound                          404  no such object in this tenant
    │   ├── TenantNotFound
    │   ├── ActorNotFound
    │   └── ActionNotFound
    ├── Conflict                          409  the object changed, or already exists
    │   ├── AlreadyExists
    │   ├── LeaseLost                          the worker no longer holds the run
    │   ├── WaitTimedOut                       the event a run waited for did not happen in time
    │   ├── ChildFailed                        a run that another waited for did not succeed
    │   ├── IdempotencyMismatch                the idempotency key belongs to a call with other input
    │   ├── PositionLost                       what followed that position is no longer kept
    │   ├── QuotaExceeded                      the namespace is full
    │   ├── RevisionMismatch                   the key has another revision
    │   ├── PromptClosed                       the prompt was answered, has expired or was withdrawn
    │   ├── VersionConflict                    it has another version than the caller saw
    │   ├── DraftInUse                         somebody else edits the draft
    │   ├── StillUsed                          it is named by definitions that would break
    │   ├── CasesFailed                        the draft does not do what its test cases expect
    │   ├── EditLocked                         the document cannot be edited where its process stands
    │   ├── StaleApproval                      the decision is not on what the document has become
    │   └── ProjectionBehind                   where the process stands does not fit what it has done
    ├── DatabaseFailed                    500  Postgres refused a statement that it should not refuse
    └── OperationalError                  503  the installation needs its operator
        ├── TransactionAborted                 another transaction was in the way; try again
        ├── DatabaseFull                       the disk of Postgres is full
        ├── DatabaseOverloaded                 Postgres lacks memory, connections or time
        ├── DatabaseUnreachable
        ├── DatabaseUnsupported                too old a Postgres, or missing rights
        ├── EmbeddedServerError                the embedded Postgres could not start or stop
        ├── MigrationError                     a migration failed or was edited after it was applied
        ├── SchemaOutdated                     the database is older than the code
        ├── SchemaTooNew                       the database is newer than the code
        ├── AlreadyRunning
        ├── ExtraMissing                       an optional library is not installed
        ├── KeyMissing                         a key that this needs is not among the installation's
        ├── CompilerStale                      compiled by another version of the compiler
        ├── DefinitionTampered                 a compiled workflow is not what was published
        └── AuditBroken                        the audit chain does not verify

A message says what is wrong and, in `hint`, what to do about it. Secrets never appear in either.
"""

from __future__ import annotations

from typing import Any, ClassVar

__all__ = [
    "ActionNotFound",
    "ActorNotFound",
    "AlreadyExists",
    "AlreadyRunning",
    "AuditBroken",
    "CanonicalError",
    "CasesFailed",
    "ChildFailed",
    "CompileError",
    "CompilerStale",
    "Conflict",
    "ContractError",
    "DatabaseFailed",
    "DatabaseFull",
    "DatabaseOverloaded",
    "DatabaseUnreachable",
    "DatabaseUnsupported",
    "DefinitionError",
    "DefinitionTampered",
    "DocumentTooLarge",
    "DraftInUse",
    "EditLocked",
    "EmbeddedServerError",
    "ExpressionError",
    "ExtraMissing",
    "Forbidden",
    "HoldfastError",
    "IdempotencyMismatch",
    "InvalidDocument",
    "InvalidInput",
    "KeyMissing",
    "LeaseLost",
    "MigrationError",
    "NotFound",
    "NotSignedIn",
    "OperationalError",
    "OutputTooLarge",
    "PositionLost",
    "ProjectionBehind",
    "PromptClosed",
    "QuotaExceeded",
    "RequestTooSlow",
    "RevisionMismatch",
    "RuleRejected",
    "SchemaOutdated",
    "SchemaTooNew",
    "SchemaViolation",
    "SessionInputError",
    "SettingsError",
    "ShareUsedUp",
    "SignInLimited",
    "SignatureInvalid",
    "StaleApproval",
    "StillUsed",
    "TenantNotFound",
    "TransactionAborted",
    "VersionConflict",
    "VersionMissing",
    "WaitTimedOut",
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


class SchemaViolation(InvalidInput):
    """A value that the JSON Schema of its namespace does not allow; `details["path"]` says where."""

    code = "schema_violation"


class DefinitionError(InvalidInput):
    """A workflow definition that cannot be registered; `details["field"]` names what is wrong with it."""

    code = "invalid_definition"
    status = 400


class SessionInputError(InvalidInput):
    """An input or an answer that its JSON Schema does not allow; `details["errors"]` lists what."""

    code = "invalid_session_input"
    status = 400


class OutputTooLarge(InvalidInput):
    """The output of a session is larger than a session may store."""

    code = "output_too_large"
    status = 400


class VersionMissing(HoldfastError):
    """A change of a document, a draft or an instance must say which version was seen; nothing was changed."""

    code = "version_missing"
    status = 428


class RequestTooSlow(HoldfastError):
    """The body of a request did not come in time; nothing was changed."""

    code = "request_too_slow"
    status = 408


class ShareUsedUp(HoldfastError):
    """A tenant or a token has as much of the server in use as it may have at a time; nothing was changed."""

    code = "share_used_up"
    status = 429


class SignInLimited(HoldfastError):
    """Too many sign-ins have failed from an address or for a tenant; the token was not looked at."""

    code = "sign_in_limited"
    status = 429


class NotSignedIn(HoldfastError):
    """No credential was given, or it is unknown, expired or revoked."""

    code = "not_signed_in"
    status = 401


class SignatureInvalid(NotSignedIn):
    """A webhook is not signed, was changed, is signed with another secret, or is too old: do not believe it."""

    code = "invalid_signature"


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


class ActionNotFound(NotFound):
    """No action of that name is registered."""

    code = "action_not_found"


class Conflict(HoldfastError):
    """The object is not in the state the caller assumed; nothing was changed."""

    code = "conflict"
    status = 409


class AlreadyExists(Conflict):
    """An object with that name exists."""

    code = "already_exists"


class IdempotencyMismatch(Conflict):
    """The idempotency key belongs to a call of another action, or with other input."""

    code = "idempotency_mismatch"


class VersionConflict(Conflict):
    """The object has another version than the caller saw; nothing was written. Read it again and decide anew."""

    code = "version_conflict"


class DraftInUse(Conflict):
    """Somebody else edits the draft, or the same person in another window; `details["editor"]` names them."""

    code = "draft_in_use"


class StillUsed(Conflict):
    """Steps of definitions name it and would break; `details["used_by"]` lists them. Nothing was deleted."""

    code = "still_used"


class CasesFailed(Conflict):
    """A draft does not do what its test cases expect; `details["cases"]` says in which way. Nothing was published."""

    code = "test_cases_failed"


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


class WaitTimedOut(Conflict, TimeoutError):
    """The event that a run waited for did not happen in time. It stays so for this run, whatever happens later."""

    code = "wait_timed_out"


class ChildFailed(Conflict):
    """A run that another one started and waited for failed, was cancelled or was deleted; `details` say which."""

    code = "child_failed"


class PositionLost(Conflict):
    """What followed that position is no longer kept: read the namespace anew, and follow from there."""

    code = "position_lost"


class QuotaExceeded(Conflict):
    """The namespace is full; `details` has the quota that stands in the way."""

    code = "quota_exceeded"


class RevisionMismatch(Conflict):
    """The key has another revision than the caller assumed: `details["revision"]`, 0 when there is no such key."""

    code = "revision_mismatch"


class PromptClosed(Conflict):
    """The prompt takes no answer any more: it was answered, has expired or was withdrawn."""

    code = "prompt_closed"


class DatabaseFailed(HoldfastError):
    """Postgres refused a statement that it should not refuse: a mistake in a program, or something is broken."""

    code = "database_failed"
    status = 500


class OperationalError(HoldfastError):
    """The installation needs attention from its operator."""

    code = "operational_error"
    status = 503


class TransactionAborted(OperationalError):
    """Another transaction was in the way: a deadlock, a conflict, a lock. Nothing was written; try again."""

    code = "transaction_aborted"


class DatabaseFull(OperationalError):
    """The disk of Postgres is full. Nothing that was not committed is kept."""

    code = "database_full"


class DatabaseOverloaded(OperationalError):
    """Postgres has no memory or no connection left, or broke off a statement that took too long."""

    code = "database_overloaded"


class DatabaseUnreachable(OperationalError):
    """No connection to Postgres could be made, or it was lost."""

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


class ExtraMissing(OperationalError):
    """An optional library that this needs is not installed."""

    code = "extra_missing"


class KeyMissing(OperationalError):
    """A key that this needs is not among the installation's, or is another one; `details` may name it."""

    code = "key_missing"


class CompilerStale(OperationalError):
    """The workflow was compiled by another version of the compiler; an administrator must recompile it."""

    code = "WORKFLOW_COMPILER_STALE"


class DefinitionTampered(OperationalError):
    """A compiled workflow, or the skeleton under it, is not what was published. Nothing is run from it."""

    code = "WORKFLOW_HASH_MISMATCH"


class AuditBroken(OperationalError):
    """The audit chain does not verify; `details` names the first broken link."""

    code = "audit_broken"
