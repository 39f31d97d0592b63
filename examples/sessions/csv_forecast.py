"""Reads a CSV text, asks a person about outliers in one of its columns, and forecasts it.

The forecast is Holt's double exponential smoothing, its smoothing factors found by trying a grid; outliers are values
whose distance to a moving median is large beside the usual distance. Plain Python: no library, no model.
"""

from __future__ import annotations

import csv
import io
import statistics
from typing import Any, TypedDict

from langgraph.config import get_stream_writer
from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt
from pydantic import BaseModel, Field

__all__ = ["Request", "build"]

_WINDOW = 5
_FAR = 4.0
_GRID = [place / 10 for place in range(1, 10)]


class Request(BaseModel):
    """What to forecast."""

    csv: str = Field(title="CSV text", description="with a header line")
    forecast_column: str = Field(title="Column to forecast")
    forecast_periods: int = Field(5, ge=1, le=365, title="Periods to forecast")
    confidence_interval: float = Field(0.95, ge=0.01, le=0.99, title="Confidence interval")


class State(TypedDict, total=False):
    """What is known so far."""

    csv: str
    forecast_column: str
    forecast_periods: int
    confidence_interval: float
    values: list[float]
    outliers: list[dict[str, Any]]
    decision: str
    model: dict[str, float]
    forecast: list[dict[str, float]]


def load(state: State) -> State:
    """Read the column."""
    get_stream_writer()({"step": "load", "progress": 0.25, "message": "Reading the CSV"})
    rows = list(csv.DictReader(io.StringIO(state["csv"])))
    column = state["forecast_column"]
    if not rows or column not in rows[0]:
        known = ", ".join(rows[0]) if rows else "nothing"
        raise ValueError(f"there is no column {column!r}; the CSV has {known}")
    values = [float(row[column]) for row in rows]
    if len(values) < 4:
        raise ValueError(f"{len(values)} values are too few to forecast")
    return {"values": values}


def find_outliers(state: State) -> State:
    """Values far from the median of their neighbours."""
    values = state["values"]
    middles = [statistics.median(values[max(0, place - _WINDOW) : place + _WINDOW + 1]) for place in range(len(values))]
    distances = [abs(value - middle) for value, middle in zip(values, middles, strict=True)]
    usual = statistics.median(distances) or max(1e-9, statistics.fmean(distances))
    return {
        "outliers": [
            {"row": place + 1, "value": values[place], "expected": middles[place]}
            for place, distance in enumerate(distances)
            if distance > _FAR * usual
        ]
    }


def ask(state: State) -> State:
    """A person decides; without outliers there is nothing to decide."""
    outliers = state["outliers"]
    if not outliers:
        return {"decision": "none found"}
    many = f"{len(outliers)} statistical outlier" + ("s" if len(outliers) > 1 else "")
    said = interrupt({"prompt": f"Found {many}. Remove?", "options": ["approve", "reject"], "outliers": outliers})
    if said == "reject":
        return {"decision": "kept"}
    values = list(state["values"])
    for outlier in outliers:
        values[outlier["row"] - 1] = outlier["expected"]
    return {"decision": "replaced", "values": values}


def forecast(state: State) -> State:
    """Smooth, and go on in a straight line; the band widens with the distance."""
    get_stream_writer()({"step": "forecast", "progress": 0.75, "message": "Generating the forecast"})
    values = state["values"]
    error, alpha, beta = min((_fit(values, alpha, beta)[0], alpha, beta) for alpha in _GRID for beta in _GRID)
    _, level, trend, misses = _fit(values, alpha, beta)
    spread = statistics.pstdev(misses) if len(misses) > 1 else 0.0
    wide = statistics.NormalDist().inv_cdf(0.5 + state["confidence_interval"] / 2) * spread
    return {
        "model": {"alpha": alpha, "beta": beta, "rmse": (error / max(1, len(misses))) ** 0.5},
        "forecast": [
            {
                "period": period,
                "predicted": round(level + period * trend, 4),
                "ci_lower": round(level + period * trend - wide * period**0.5, 4),
                "ci_upper": round(level + period * trend + wide * period**0.5, 4),
            }
            for period in range(1, state["forecast_periods"] + 1)
        ],
    }


def _fit(values: list[float], alpha: float, beta: float) -> tuple[float, float, float, list[float]]:
    level, trend = values[0], values[1] - values[0]
    misses = []
    for value in values[1:]:
        misses.append(value - (level + trend))
        before, level = level, alpha * value + (1 - alpha) * (level + trend)
        trend = beta * (level - before) + (1 - beta) * trend
    return sum(miss * miss for miss in misses), level, trend, misses


def build() -> StateGraph[Any]:
    """load → find outliers → ask → forecast."""
    graph = StateGraph(State)
    before = START
    for node in (load, find_outliers, ask, forecast):
        graph.add_node(node.__name__, node)
        graph.add_edge(before, node.__name__)
        before = node.__name__
    graph.add_edge(before, END)
    return graph
