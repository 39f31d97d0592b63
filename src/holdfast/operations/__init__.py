"""Operations: work over many things at once, done in batches, with progress and what became of each thing."""

from holdfast.operations.api import Operations, drop_operations
from holdfast.operations.executing import OPERATION, Execution
from holdfast.operations.model import Item, Operation, OperationItem, OperationKind, OperationKinds, Progress

__all__ = [
    "OPERATION",
    "Execution",
    "Item",
    "Operation",
    "OperationItem",
    "OperationKind",
    "OperationKinds",
    "Operations",
    "Progress",
    "drop_operations",
]
