"""Tokens: where a process stands, and what follows from what happens to it.

    machine = Machine(compiled, scope)
    begun = machine.start("instance-1", facts)           # steps to write, effects to send, the new position
    after = machine.advance(begun.position, Settled("main", "submit"), facts)
    fold(compiled, [*begun.steps, *after.steps], instance="instance-1") == after.position      # always

`waits`, `options` and `reasons` answer what each token waits for, what may happen next, and why each edge was taken.
`docs/tokens.md` describes the rules.
"""

from __future__ import annotations

from holdfast.envelope.tokens.answers import Option, Reason, Wait, options, reasons, waits
from holdfast.envelope.tokens.arrivals import EVENT_TTL, awaited_keys, taken_up
from holdfast.envelope.tokens.asking import BUILT_IN_DECISIONS
from holdfast.envelope.tokens.board import fold
from holdfast.envelope.tokens.codes import FAILURE_CODES, REASON_CODES, REFUSAL_CODES, WAIT_CODES
from holdfast.envelope.tokens.duties import Barred, Vote, barred, branches_of, makers_of, side_by_side
from holdfast.envelope.tokens.happenings import (
    Abandoned,
    Cancelled,
    Edited,
    EventArrived,
    Facts,
    Happening,
    Interrupted,
    Retried,
    Settled,
    Started,
    TimePassed,
    happening_from_json,
    happening_to_json,
)
from holdfast.envelope.tokens.keys import effect_key, event_key, join_key, step_key
from holdfast.envelope.tokens.machine import Advance, Amendment, Machine, edit_window
from holdfast.envelope.tokens.position import ROOT, Decision, Fork, Loop, Position, Token, next_round
from holdfast.envelope.tokens.records import (
    IMMEDIATE,
    Effect,
    Move,
    StepRecord,
    StepStatus,
    current_rows,
    history_of_rows,
)
from holdfast.envelope.tokens.settling import Refusal

__all__ = [
    "BUILT_IN_DECISIONS",
    "EVENT_TTL",
    "FAILURE_CODES",
    "IMMEDIATE",
    "REASON_CODES",
    "REFUSAL_CODES",
    "ROOT",
    "WAIT_CODES",
    "Abandoned",
    "Advance",
    "Amendment",
    "Barred",
    "Cancelled",
    "Decision",
    "Edited",
    "Effect",
    "EventArrived",
    "Facts",
    "Fork",
    "Happening",
    "Interrupted",
    "Loop",
    "Machine",
    "Move",
    "Option",
    "Position",
    "Reason",
    "Refusal",
    "Retried",
    "Settled",
    "Started",
    "StepRecord",
    "StepStatus",
    "TimePassed",
    "Token",
    "Vote",
    "Wait",
    "awaited_keys",
    "barred",
    "branches_of",
    "current_rows",
    "edit_window",
    "effect_key",
    "event_key",
    "fold",
    "happening_from_json",
    "happening_to_json",
    "history_of_rows",
    "join_key",
    "makers_of",
    "next_round",
    "options",
    "reasons",
    "side_by_side",
    "step_key",
    "taken_up",
    "waits",
]
