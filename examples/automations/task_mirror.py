"""Tasks of one project mirrored in another: three automations, the data store, and nothing else.

`task_link` hears of a new task. When its project is mirrored it makes the counterpart and links the two. `task_mirror`
hears of a change and carries it to every counterpart; `task_mirror_back` does the same the other way. A task without a
link is left alone. What the mirror itself writes, as the service user `mirror`, starts nothing: there is no echo. Every
change has a stamp that goes with it, and the latest wins, so that both sides end alike in whatever order they are told.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field

import holdfast as hf
from holdfast import Call, Contract, Document, VersionConflict
from holdfast.kernel.ids import uuid7
from holdfast.testing import Databases, drain

TASK = Contract.from_yaml("""
entity_type: project_task
document:
  type: object
  required: [project, title, state, stamp]
  properties: {project: {type: string}, title: {type: string}, state: {type: string}, stamp: {type: string}}
""")
LINKS = "project-task-mirror"
CREATED, UPDATED = "PROJECT_TASK_CREATED", "PROJECT_TASK_UPDATED"
NOT_AN_ECHO = 'payload.payload.by != "mirror"'
CARRIED = {name: {"$expr": f"payload.payload.{name}"} for name in ("title", "state", "stamp")}
THIS_TASK = {"type": "project_task", "id": {"$expr": "payload.payload.task"}}


def action(name: str, action: str, payload: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A node that calls a registered action as the tenant's service account."""
    config = {"action": action, "payload": payload, **more}
    return {"id": name, "type": "action", "config": config, "run_as": "service_account"}


LINK_SETUP = {
    "nodes": [
        action(
            "pair",
            "store.get",
            {"namespace": "mirrored-projects", "key": {"$expr": "payload.payload.project"}},
            save_as="pair",
        ),
        {"id": "mirrored", "type": "condition", "config": {"expression": "context.pair.found == true"}},
        action(
            "create",
            "projects.create_task",
            {
                "project": {"$expr": "context.pair.value"},
                **CARRIED,
            },
            save_as="made",
        ),
        action(
            "link",
            "links.upsert",
            {
                "namespace": LINKS,
                "from": THIS_TASK,
                "to": {"type": "project_task", "id": {"$expr": "context.made.id"}},
                "relation": "mirrors",
                "attributes": {"fields": ["title", "state"]},
            },
        ),
    ],
    "edges": [
        {"source": "in", "target": "pair"},
        {"source": "pair", "target": "mirrored"},
        {"source": "mirrored", "target": "create", "outcome": "true"},
        {"source": "mirrored", "target": "out", "outcome": "false"},
        {"source": "create", "target": "link"},
        {"source": "link", "target": "out"},
    ],
    "exit_edge_mode": "join",
}


def mirror(direction: Literal["forward", "reverse"]) -> dict[str, Any]:
    """Look up the counterparts of a task, and give each what was told of it."""
    lookup = {"namespace": LINKS, "from": THIS_TASK, "direction": direction, "relation": "mirrors"}
    body = {
        "nodes": [action("update", "projects.update_task", {"task": {"$expr": "item.id"}, **CARRIED})],
        "edges": [{"source": "in", "target": "update"}, {"source": "update", "target": "out"}],
    }
    return {
        "nodes": [
            action("lookup", "links.lookup", lookup, save_as="links"),
            {"id": "each", "type": "for_each", "config": {"items": "context.links.matches", "body": body}},
        ],
        "edges": [
            {"source": "in", "target": "lookup"},
            {"source": "lookup", "target": "each"},
            {"source": "each", "target": "out"},
        ],
    }


AUTOMATIONS = {
    "task_link": (CREATED, LINK_SETUP),
    "task_mirror": (UPDATED, mirror("forward")),
    "task_mirror_back": (UPDATED, mirror("reverse")),
}


class NewTask(BaseModel):
    """A task to make."""

    project: str
    title: str
    state: str = "open"
    stamp: str = Field(default_factory=lambda: str(uuid7()))


class TaskChange(BaseModel):
    """What to change of a task."""

    task: UUID
    title: str | None = None
    state: str | None = None
    stamp: str | None = None


class TaskOut(BaseModel):
    """A task as it is now."""

    id: UUID
    title: str
    state: str


def register(app: hf.Holdfast) -> None:
    """The projects' own verbs. Each tells what it did, in the same transaction."""
    app.contracts.add(TASK)

    async def told(call: Call, event: str, task: Document) -> dict[str, Any]:
        about = {"task": str(task.id), "by": call.actor.name, **task.data}
        await call.hold.processes.tell(event, about)
        return {"id": task.id, **task.data}

    @app.action("projects.create_task", input=NewTask, output=TaskOut, permission="documents:write")
    async def create(call: Call, new: NewTask) -> dict[str, Any]:
        """Make a task."""
        return await told(call, CREATED, await call.hold.documents.create("project_task", new.model_dump()))

    @app.action("projects.update_task", input=TaskChange, output=TaskOut, permission="documents:write")
    async def update(call: Call, change: TaskChange) -> dict[str, Any]:
        """Change a task. Where something later was told already, or nothing changes, nothing is done."""
        wanted = change.model_dump(include={"title", "state"}, exclude_none=True)
        stamp = change.stamp or str(uuid7())
        while True:
            task = await call.hold.documents.get(change.task)
            # What was carried here keeps its stamp even when it changes nothing else: something older may still come.
            idle = change.stamp is None and wanted.items() <= task.data.items()
            if idle or stamp <= task.data["stamp"]:
                return {"id": task.id, **task.data}
            try:
                task = await call.hold.documents.update(
                    task.id, {**wanted, "stamp": stamp}, expected_version=task.entity_version
                )
            except VersionConflict:
                continue  # Somebody was faster; whether this is still the latest is to be seen.
            return await told(call, UPDATED, task)


async def install(app: hf.Holdfast, tenant: str) -> None:
    """The mirror's user, its automations and what starts them."""
    async with app.tenant(tenant) as hold:
        await hold.users.create("mirror", kind="service", roles=["author"])
        await hold.configure(settings={"service_account": "mirror"})
        await hold.data.set("mirrored-projects", "A", "B")
        for name, (event, patch) in AUTOMATIONS.items():
            draft = await hold.definitions.create_automation(name, patch)
            await hold.definitions.publish(draft.id)
            await hold.triggers.create(name, name, "on_event", event_key=event, condition=NOT_AN_ECHO)


async def call(app: hf.Holdfast, name: str, given: dict[str, Any]) -> Any:
    """Pia calls an action; then everything that follows from it is done."""
    async with app.tenant("acme", actor="pia") as hold:
        answer = await hold.actions.call(name, given)
    await drain(app)
    return answer


async def play(app: hf.Holdfast) -> None:
    """A task in A appears in B and follows; a change in B comes back to A; a task of C is nobody's."""
    register(app)
    await app.tenants.create("acme")
    async with app.tenant("acme") as hold:
        await hold.users.create("pia", roles=["author"])
    await install(app, "acme")

    async def tasks(project: str) -> list[tuple[str, str, int]]:
        async with app.tenant("acme", actor="pia") as hold:
            found = (await hold.documents.list("project_task")).items
            return [
                (one.data["title"], one.data["state"], one.entity_version)
                for one in found
                if one.data["project"] == project
            ]

    async def started() -> int:
        async with app.tenant("acme") as hold:
            done = [one for name in AUTOMATIONS for one in (await hold.processes.list(workflow_id=name)).items]
            assert all(one.status == "completed" for one in done)
            return len(done)

    first = await call(app, "projects.create_task", {"project": "A", "title": "paint"})
    assert await tasks("B") == [("paint", "open", 1)]
    assert await started() == 1  # the counterpart told of itself, and nothing started

    await call(app, "projects.update_task", {"task": first["id"], "state": "done"})
    assert await tasks("B") == [("paint", "done", 2)]
    assert await started() == 3  # both directions looked; one found something

    async with app.tenant("acme", actor="pia") as hold:
        (match,) = (await hold.links.lookup(LINKS, ("project_task", first["id"]))).matches
    await call(app, "projects.update_task", {"task": match.id, "title": "paint twice"})
    assert await tasks("A") == [("paint twice", "done", 3)]
    assert await tasks("B") == [("paint twice", "done", 3)]

    other = await call(app, "projects.create_task", {"project": "C", "title": "sand"})
    await call(app, "projects.update_task", {"task": other["id"], "state": "done"})
    assert await tasks("C") == [("sand", "done", 2)]
    assert len(await tasks("A")) == len(await tasks("B")) == 1
    before = await started()
    await call(app, "projects.update_task", {"task": other["id"], "state": "done"})
    assert await started() == before  # nothing changed, nothing was told
    for project in "ABC":
        print(project, await tasks(project))


async def main() -> None:
    """Play on a database of its own, because time is moved there; afterwards it is gone."""
    with Databases() as databases, databases.clone() as name:
        async with hf.Holdfast(dsn=databases.dsn(name), clock=hf.FakeClock(datetime.now(UTC))) as app:
            await play(app)


if __name__ == "__main__":
    asyncio.run(main())
