"""Doing at once what workers would do: for tests and examples, on a clock that obeys."""

from __future__ import annotations

from holdfast.app import Holdfast

__all__ = ["drain"]

_ROUNDS = 1000


async def drain(app: Holdfast) -> int:
    """Execute runs, advance processes and send effects until nothing is due any more; how much was done.

    What is due later, by the application's clock, stays: move the clock and drain again.
    """
    scheduler, engine, effects = app.scheduler(), app.engine_worker(), app.effects_worker()
    done = 0
    try:
        for _ in range(_ROUNDS):
            await scheduler.look()
            moved = await app.worker().drain() + await engine.drain() + await effects.drain()
            if not moved:
                return done
            done += moved
    finally:
        await effects.aclose()
    raise RuntimeError("there is always something more to do: a process or a run goes round and round")
