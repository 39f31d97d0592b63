"""Simulation: a compiled workflow run in memory against a document, a world and a script.

    trace = simulate(compiled, {"grand_total": "12500.00"}, [Choose("submit", by="ana"), Pass("72h")], world=world)
    trace.status, trace.path, trace.why("size")
    print(trace.render())

A `Case` keeps document, world, script and what is expected of them as data, and runs itself.
"""

from __future__ import annotations

from holdfast.envelope.simulate.acts import (
    Act,
    Arrive,
    Choose,
    Decide,
    Edit,
    Fill,
    Finish,
    Interrupt,
    Pass,
    Retry,
    Stop,
    act_from_data,
    script_from_data,
)
from holdfast.envelope.simulate.cases import Case, CaseResult
from holdfast.envelope.simulate.simulation import EVENT_TTL, Simulation, simulate
from holdfast.envelope.simulate.trace import Entry, Trace
from holdfast.envelope.simulate.world import Person, ScriptedAnswer, World

__all__ = [
    "EVENT_TTL",
    "Act",
    "Arrive",
    "Case",
    "CaseResult",
    "Choose",
    "Decide",
    "Edit",
    "Entry",
    "Fill",
    "Finish",
    "Interrupt",
    "Pass",
    "Person",
    "Retry",
    "ScriptedAnswer",
    "Simulation",
    "Stop",
    "Trace",
    "World",
    "act_from_data",
    "script_from_data",
    "simulate",
]
