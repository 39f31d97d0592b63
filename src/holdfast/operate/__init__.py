"""Operate: how the queues of a tenant are doing, who works on them, and what is done to many things at once."""

from holdfast.operate.api import Operate
from holdfast.operate.model import Health, Incident, InHand, Matching, Point, QueueHealth, QueueType, Series, WorkerInfo

__all__ = [
    "Health",
    "InHand",
    "Incident",
    "Matching",
    "Operate",
    "Point",
    "QueueHealth",
    "QueueType",
    "Series",
    "WorkerInfo",
]
