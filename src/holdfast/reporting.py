"""Telling Sentry of what nobody foresaw, when an installation wants that: `HOLDFAST_SENTRY_DSN`.

What is logged as an error is sent, with its traceback and without content: no local variables, no bodies and headers of
requests, no statements' values. Traces go to OpenTelemetry, not there.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from holdfast.errors import ExtraMissing
from holdfast.settings import Settings

__all__ = ["report_errors"]


def report_errors(settings: Settings, role: str, *, transport: Any = None) -> bool:
    """Begin to tell, if the settings say where; whether they do. `role` is what this process is: serve, worker."""
    if settings.sentry_dsn is None:
        return False
    try:
        import sentry_sdk
    except ModuleNotFoundError as error:
        raise ExtraMissing("the library of Sentry is not installed", hint="pip install 'holdfast[sentry]'") from error
    sentry_sdk.init(
        dsn=settings.sentry_dsn.get_secret_value(),
        release=f"holdfast@{version('holdfast')}",
        transport=transport,
        traces_sample_rate=None,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        auto_enabling_integrations=False,
        server_name="",
        before_send=_without_content,
    )
    sentry_sdk.set_tag("role", role)
    return True


def _without_content(event: Any, _: Any) -> Any:
    """An event without what may quote content: requests, and what an exception says beside its name."""
    event.pop("request", None)
    for each in event.get("exception", {}).get("values", []):
        each["value"] = ""
    if "logentry" in event:
        # The sentence as it stands in the code, without what was put into it.
        event["logentry"] = {"message": event["logentry"].get("message")}
    return event
