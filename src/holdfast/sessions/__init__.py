"""Sessions: LangGraph graphs with people in the loop, checkpointed in Postgres, executed by fenced runs.

Nothing here imports LangGraph until a graph is registered or a checkpoint is read: it is an optional library.
"""

from holdfast.sessions.api import Notify, Sessions
from holdfast.sessions.definitions import Definitions
from holdfast.sessions.graphs import Graph, Graphs
from holdfast.sessions.model import (
    ChannelChange,
    Checkpoint,
    Comparison,
    Drawing,
    GraphEdge,
    Message,
    Prompt,
    SessionDefinition,
    SessionInfo,
    State,
    Storage,
)

__all__ = [
    "ChannelChange",
    "Checkpoint",
    "Comparison",
    "Definitions",
    "Drawing",
    "Graph",
    "GraphEdge",
    "Graphs",
    "Message",
    "Notify",
    "Prompt",
    "SessionDefinition",
    "SessionInfo",
    "Sessions",
    "State",
    "Storage",
]
