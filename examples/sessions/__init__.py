"""Sessions that need no model and no key: `holdfast worker --app examples.sessions:app` executes them."""

from typing import Any

from examples.sessions import csv_forecast, long_work, support_triage

from holdfast import Holdfast

__all__ = ["app", "make"]


def make(**settings: Any) -> Holdfast:
    """An application with the three graphs."""
    application = Holdfast(**settings)
    application.graph(
        "csv-forecast-analyzer",
        csv_forecast.build,
        input=csv_forecast.Request,
        display_name="CSV Forecast Analyzer",
        description="Forecasts a column of a CSV file; a person decides about its outliers.",
        version="v1.0.0",
        tags=["data-analysis", "forecasting", "interactive"],
    )
    application.graph(
        "support-triage",
        support_triage.build,
        input=support_triage.Ticket,
        description="Two people are asked at once: how urgent a ticket is, and who shall take it.",
        tags=["interactive"],
        prompt_lifetime=7 * 24 * 3600,
    )
    application.graph(
        "long-work",
        long_work.build,
        input=long_work.Work,
        description="Works through many parts, tells how far it is, and goes on after a crash.",
        tags=["batch"],
    )
    return application


def app() -> Holdfast:
    """For `--app examples.sessions:app`."""
    return make()
