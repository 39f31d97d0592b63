"""DBOS: workflows of twenty durable steps, started from a queue, one process.

Run as `dbos_steps.py DSN N`: prints one JSON object of figures.
"""

# mypy: disable-error-code="import-not-found,untyped-decorator"

from __future__ import annotations

import json
import sys
import time

from dbos import DBOS

STEPS = 20
WARM = 40


@DBOS.step()
def step(k: int) -> int:
    return k


@DBOS.workflow()
def straight() -> int:
    return sum(step(k) for k in range(STEPS))


def main(dsn: str, n: int) -> None:
    DBOS(config={"name": "bench", "system_database_url": dsn, "application_version": "1", "log_level": "ERROR"})
    DBOS.launch()
    passed = 0.0
    for workflows in (WARM, n):
        began = time.perf_counter()
        handles = [DBOS.start_workflow(straight) for _ in range(workflows)]
        for handle in handles:
            handle.get_result()
        passed = time.perf_counter() - began
    DBOS.destroy()
    sys.stdout.write(json.dumps({"steps_per_s": n * STEPS / passed}) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
