"""Actions: verbs with typed input and output that processes, programs, people and agents share."""

from holdfast.actions.api import Actions, CallResult, StepCall, take_steps
from holdfast.actions.model import Action, Call, Suggestion
from holdfast.actions.registry import ActionRegistry
from holdfast.actions.shapes import shown

__all__ = ["Action", "ActionRegistry", "Actions", "Call", "CallResult", "StepCall", "Suggestion", "shown", "take_steps"]
