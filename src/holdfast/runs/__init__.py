"""Runs: durable units of work, enqueued in your transaction, executed by leased and fenced workers."""

from holdfast.runs.api import Runs
from holdfast.runs.enqueue import NewRun
from holdfast.runs.model import Child, Enqueued, Run, RunInfo
from holdfast.runs.registry import Handler, Handlers
from holdfast.runs.schedule import Schedule
from holdfast.runs.scheduler import Scheduler
from holdfast.runs.schedules import Schedules
from holdfast.runs.signals import Fail, Rate, Retry, Snooze
from holdfast.runs.worker import Worker

__all__ = [
    "Child",
    "Enqueued",
    "Fail",
    "Handler",
    "Handlers",
    "NewRun",
    "Rate",
    "Retry",
    "Run",
    "RunInfo",
    "Runs",
    "Schedule",
    "Scheduler",
    "Schedules",
    "Snooze",
    "Worker",
]
