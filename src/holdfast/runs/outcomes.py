"""What became of an attempt, and many of them as the columns of one statement."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from operator import attrgetter
from typing import Any, Literal, NamedTuple

from holdfast.kernel.json import encode
from holdfast.runs.model import Run
from holdfast.runs.signals import Fail, Retry, Snooze

__all__ = [
    "Outcome",
    "after_error",
    "columns",
    "given_back",
    "no_handler",
    "not_stored",
    "succeeded",
    "summary",
    "suspended",
]

_NOW = timedelta(0)
_TRACE_LIMIT = 8000
_ERROR_LIMIT = 1024 * 1024


class Outcome(NamedTuple):
    """Where a run goes from here; for `pending`, after `delay`."""

    run: Run
    status: Literal["succeeded", "failed", "pending"]
    event: str | None = None
    result: str | None = None
    error: dict[str, Any] | None = None
    last_error: str | None = None
    delay: timedelta = _NOW
    attempt_back: bool = False
    waiting_for: str | None = None

    @property
    def name(self) -> str:
        """In one word: succeeded, failed, retried, snoozed, slept, waited or released."""
        return self.status if self.event is None else self.event.removeprefix("run.")


def succeeded(run: Run, result: str | None) -> Outcome:
    """The handler returned."""
    return Outcome(run, "succeeded", None, result)


def given_back(run: Run) -> Outcome:
    """The worker stops before the run is finished: somebody else takes it at once, and the attempt does not count."""
    return Outcome(run, "pending", "run.released", attempt_back=True)


def suspended(run: Run, delay: timedelta, waiting_for: str | None) -> Outcome:
    """The handler sleeps or waits: the run comes back by itself, and the attempt does not count."""
    event = "run.slept" if waiting_for is None else "run.waited"
    return Outcome(run, "pending", event, delay=delay, attempt_back=True, waiting_for=waiting_for)


def no_handler(run: Run, hint: str | None) -> Outcome:
    """Nobody here knows the type: fail at once, visibly, instead of trying for ever."""
    error = {"code": "no_handler_registered", "message": f"no handler is registered for {run.type}", "hint": hint}
    return Outcome(run, "failed", "run.failed", error=error, last_error="no_handler_registered")


def not_stored(run: Run, error: Exception) -> Outcome:
    """Postgres would not take the outcome itself; the run fails with the reason."""
    told = {"code": "outcome_refused", "message": _clean(str(error))[:2000]}
    return Outcome(run, "failed", None, error=told, last_error="outcome_refused")


def after_error(run: Run, error: BaseException, policy: Retry) -> Outcome:
    """The handler raised."""
    if isinstance(error, Snooze):
        return Outcome(run, "pending", "run.snoozed", delay=error.after, attempt_back=True)
    told = _describe(error)
    short = summary(told)
    wanted = error.after if isinstance(error, Retry) else None
    delay = policy.backoff.after_failure(run.attempt, run.max_attempts, final=isinstance(error, Fail), wanted=wanted)
    if delay is None:
        return Outcome(run, "failed", "run.failed", error=told, last_error=short)
    return Outcome(run, "pending", "run.retried", error=told, last_error=short, delay=delay)


def summary(told: Mapping[str, Any]) -> str:
    """An error in a line."""
    return f"{told['type']}: {told['message']}"[:1000] if told.get("message") else str(told["type"])


def columns(outcomes: list[Outcome]) -> dict[str, Any]:
    """The arguments of the statement that settles them.

    An empty array stands for a column of NULLs. Where `tenants`, `epochs` or `statuses` hold one value, it is that of
    every row: mostly it is, and reading the same value hundreds of times would be a good part of what a run costs.
    """
    plain = all(outcome.status == "succeeded" for outcome in outcomes)
    runs = [outcome.run for outcome in outcomes]
    return {
        "tenants": _shared([run.tenant_text for run in runs]),
        "ids": _literal(run.id_text for run in runs),
        "epochs": _shared([str(run.epoch) for run in runs]),
        "addresses": _literal(f'"{run.address}"' for run in runs) if plain else [],
        "statuses": _shared([outcome.status for outcome in outcomes]),
        "results": [outcome.result for outcome in outcomes] if any(outcome.result for outcome in outcomes) else [],
        "errors": [] if plain else [_error(outcome) for outcome in outcomes],
        "last_errors": [] if plain else [outcome.last_error for outcome in outcomes],
        "delays": [] if plain else [outcome.delay for outcome in outcomes],
        "attempts_back": [] if plain else [int(outcome.attempt_back) for outcome in outcomes],
        "events": [] if plain else [outcome.event for outcome in outcomes],
        "waits": [] if plain else [outcome.waiting_for for outcome in outcomes],
        "keys": [run.concurrency_key for run in runs] if any(run.concurrency_key for run in runs) else [],
    }


def _error(outcome: Outcome) -> str | None:
    # What is told of an error has bounds of its own; a small limit for payloads must not keep a run from failing.
    return None if outcome.error is None else encode("error", outcome.error, limit=_ERROR_LIMIT)


def _literal(words: Iterable[str]) -> str:
    """An array of words without special characters, as Postgres writes it."""
    return "{" + ",".join(words) + "}"


def _shared(words: list[str]) -> str:
    """The array, or the one value that all of it has."""
    return _literal(words[:1] if words and words.count(words[0]) == len(words) else words)


def _describe(error: BaseException) -> dict[str, Any]:
    trace = "".join(traceback.format_exception(error))
    described = {
        "type": _clean(type(error).__name__)[:200],
        "message": _clean(_ask(error, str) or "")[:2000],
        "traceback": _clean(trace)[-_TRACE_LIMIT:],
    }
    code = _ask(error, attrgetter("code"))
    return described | ({"code": _clean(code)[:200]} if isinstance(code, str) else {})


def _ask(error: BaseException, question: Callable[[BaseException], Any]) -> Any:
    """What an exception says, if it can; some raise when they are asked."""
    try:
        return question(error)
    except Exception:
        return None


def _clean(text: str) -> str:
    """Text that Postgres can store, whatever an exception says."""
    return text.replace("\0", "␀").encode("utf-8", "replace").decode()
