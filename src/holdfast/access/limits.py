"""What an installation is set up to keep and to take, told to those who work in it: settings, none of them secret."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from holdfast.settings import Settings

__all__ = ["Limit", "limits_in_force"]

Unit = Literal["days", "bytes", "per_second", "times"]


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit that is in force; None is for ever, or any number."""

    setting: str
    """Which setting says so: `run_retention` is `HOLDFAST_RUN_RETENTION`."""

    value: int | float | None
    unit: Unit


_TOLD: Final[dict[str, Unit]] = {
    "run_retention": "days",
    "process_retention": "days",
    "outbox_retention": "days",
    "data_change_retention": "days",
    "receipt_retention": "days",
    "checkpoint_retention_days": "days",
    "payload_limit": "bytes",
    "document_limit": "bytes",
    "data_value_limit": "bytes",
    "rate_token": "per_second",
    "rate_tenant": "per_second",
    "process_rate": "per_second",
    "effects_max_attempts": "times",
    "outbox_max_attempts": "times",
}


def limits_in_force(settings: Settings) -> list[Limit]:
    """Each of them: how long things are kept, how large they may be, how often somebody may ask."""
    kept = [
        Limit(f"audit_retention_{name}", settings.audit_retention.get(name), "days") for name in ("plain", "chained")
    ]
    # Of rates, nothing is "any number".
    return [Limit(name, getattr(settings, name) or None, unit) for name, unit in _TOLD.items()] + kept
