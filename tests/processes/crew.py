"""A worker in a process of its own, for tests that kill it: advances processes and sends effects until SIGTERM."""

from __future__ import annotations

import asyncio
import signal
import sys
from typing import Any

from holdfast import Holdfast
from holdfast.actions import Call
from holdfast.envelope import Contract
from holdfast.kernel import loops

CONTRACT = Contract(
    entity_type="parcel",
    document={"type": "object", "properties": {"number": {"type": "string"}, "owner": {"type": "string"}}},
)
PATCHES: dict[str, Any] = {
    "slot:submitted_to_approved": {
        "nodes": [
            {"id": "go", "type": "wait_event", "config": {"event_key": "go:{entity.number}"}},
            {"id": "split", "type": "parallel_split"},
            {"id": "load", "type": "action", "config": {"action": "parcel.work"}},
            {
                "id": "tell",
                "type": "notification",
                "config": {
                    "channel": "in_app",
                    "to": [{"kind": "user", "user": "ana"}],
                    "subject": "parcel {entity.number}",
                    "body": "is on its way",
                    "wait": True,
                },
            },
            {"id": "join", "type": "parallel_join"},
            {"id": "nap", "type": "wait_timer", "config": {"duration": "1s"}},
            {"id": "close", "type": "action", "config": {"action": "parcel.work"}},
            {"id": "pass", "type": "action", "config": {"action": "process.approve"}},
        ],
        "edges": [
            {"source": "in", "target": "go"},
            {"source": "go", "target": "split"},
            {"source": "split", "target": "load"},
            {"source": "split", "target": "tell"},
            {"source": "load", "target": "join"},
            {"source": "tell", "target": "join"},
            {"source": "join", "target": "nap"},
            {"source": "nap", "target": "close"},
            {"source": "close", "target": "pass"},
            {"source": "pass", "target": "out"},
        ],
    }
}


def equip(app: Holdfast) -> Holdfast:
    """Give an application the document type and its action."""
    app.contracts.add(CONTRACT)

    async def work(call: Call, given: Any) -> None:
        await call.tx.connection.execute(
            "INSERT INTO public.work (instance, step) VALUES (%s, %s)", [call.instance_id, call.step]
        )

    app.action("parcel.work", output={}, permission="documents:read")(work)
    return app


async def main(dsn: str) -> None:
    async with equip(Holdfast(dsn=dsn, worker_poll_interval=0.1, effects_timeout=1)) as app:
        workers = (app.engine_worker(lease=1.5, batch=20), app.effects_worker())
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, lambda: [worker.stop() for worker in workers])
        sys.stdout.write("working\n")
        sys.stdout.flush()
        await asyncio.gather(*(worker.run() for worker in workers))


if __name__ == "__main__":
    loops.run(main(sys.argv[1]))
