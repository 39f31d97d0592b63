"""Runs: durable units of work, enqueued in your transaction, executed by leased and fenced workers."""

from holdfast.runs.model import Enqueued, Run, RunInfo
from holdfast.runs.queue import NewRun, RunPage, Runs
from holdfast.runs.registry import Handler, Handlers
from holdfast.runs.signals import Fail, Retry, Snooze
from holdfast.runs.worker import Worker

__all__ = [
    "Enqueued",
    "Fail",
    "Handler",
    "Handlers",
    "NewRun",
    "Retry",
    "Run",
    "RunInfo",
    "RunPage",
    "Runs",
    "Snooze",
    "Worker",
]
