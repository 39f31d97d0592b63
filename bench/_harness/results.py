"""Figures: one JSON line each as they come, and one table at the end: median, spread and the ratio to a base."""

from __future__ import annotations

import json
import statistics
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Column", "Figures", "table"]

FOLDER = Path(__file__).parents[1] / "results"


@dataclass(frozen=True, slots=True)
class Column:
    """A metric in the table: its name in the results, its heading, and the decimals it deserves."""

    metric: str
    heading: str
    decimals: int = 0


@dataclass(slots=True)
class Figures:
    """All figures of one benchmark; `‹name›.jsonl` always holds the ones measured so far."""

    name: str
    values: dict[tuple[str, str], list[float]] = field(default_factory=dict)
    troubles: dict[tuple[str, str], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        FOLDER.mkdir(parents=True, exist_ok=True)
        self.path.write_text("")

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.name}.jsonl"

    def add(self, subject: str, metric: str, value: float, turn: int) -> None:
        value = round(value, 4)
        self.values.setdefault((subject, metric), []).append(value)
        line = {"subject": subject, "metric": metric, "value": value, "round": turn}
        with self.path.open("a", encoding="utf-8") as results:
            results.write(json.dumps(line) + "\n")

    def trouble(self, subject: str, metric: str, reason: str) -> None:
        """Why a figure is missing; no metric means all of the subject's."""
        self.troubles.setdefault((subject, metric), reason)

    def failed(self, subject: str, metric: str) -> bool:
        return (subject, metric) in self.troubles or (subject, "") in self.troubles

    def median(self, subject: str, metric: str) -> float | None:
        values = self.values.get((subject, metric))
        return statistics.median(values) if values else None


def table(figures: Figures, subjects: list[str], columns: list[Column], base: str) -> str:
    """A Markdown table, aligned for the terminal too: `median ±half the spread, × base`."""
    rows = [["subject", *(column.heading for column in columns)]]
    rows.extend([subject, *(_cell(figures, subject, column, base) for column in columns)] for subject in subjects)
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    rows.insert(1, ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])])
    return "\n".join(
        "| "
        + " | ".join([row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))])
        + " |"
        for row in rows
    )


def _cell(figures: Figures, subject: str, column: Column, base: str) -> str:
    middle = figures.median(subject, column.metric)
    if middle is None:
        return "failed" if figures.failed(subject, column.metric) else "–"
    values = figures.values[subject, column.metric]
    # A subject that does one run in two seconds must not be shown as doing none.
    decimals = column.decimals if middle >= 10 else max(column.decimals, 2)
    text = f"{middle:,.{decimals}f}".replace(",", " ")
    if len(values) > 1 and middle:
        text += f" ±{(max(values) - min(values)) / 2 / middle:.0%}"
    if figures.failed(subject, column.metric):
        # Some rounds failed: the figure stands, but not silently.
        text += f" ({len(values)} only)"
    reference = figures.median(base, column.metric)
    if reference and subject != base:
        text += f" {middle / reference:.2f}×"
    return text
