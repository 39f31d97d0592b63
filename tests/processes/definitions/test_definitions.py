"""Definitions: drafted, reviewed, published and frozen; verified whenever they are run."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import errors as pg

from holdfast import Conflict, Forbidden, Holdfast, NotFound
from holdfast.envelope import CURRENT_COMPILER_VERSION, Contract
from holdfast.errors import (
    AlreadyExists,
    CompileError,
    CompilerStale,
    ContractError,
    DefinitionTampered,
    InvalidInput,
    VersionConflict,
)
from holdfast.kernel.json import canonical_json, parse_json
from holdfast.processes.definitions import Library, Loaded

SLOT = "slot:submitted_to_approved"
DOCUMENT = {"type": "object", "properties": {"total": {"type": "number"}}}


def contract(version: int = 1, **changes: Any) -> Contract:
    return Contract(**{"entity_type": "note", "version": version, "document": DOCUMENT, **changes})


def review(name: str = "check", **config: Any) -> dict[str, Any]:
    """A patch with one approval."""
    node = {"id": name, "type": "approval", "config": {"approvers": [{"kind": "role", "role": "admin"}], **config}}
    edges = [
        {"source": name, "target": "out", "outcome": "approved"},
        {"source": name, "target": "out", "outcome": "rejected"},
        {"source": name, "target": "out", "outcome": "error"},
    ]
    return {SLOT: {"nodes": [node], "edges": edges, "exit_edge_mode": "join"}}


@pytest.fixture
async def notes(app: Holdfast) -> Holdfast:
    app.contracts.add(contract())
    return app


async def publish(app: Holdfast, patches: dict[str, Any]) -> Any:
    async with app.tenant("acme", actor="ana") as hold:
        draft = await hold.definitions.create_draft("note", patches)
        return await hold.definitions.publish(draft.id)


async def load(app: Holdfast, definition_id: UUID, version: int, library: Library | None = None) -> Loaded:
    async with app.tenant("acme") as hold:
        used = library or Library(app.contracts)
        return await used.load(hold._tx, definition_id, version)


# ------------------------------------------------------------------------------------------------------- contracts


async def test_every_document_type_has_a_workflow_from_its_first_use(notes: Holdfast) -> None:
    async with notes.tenant("acme", actor="ana") as hold:
        found = await hold.definitions.find("note")
        kinds = [each.definition_kind for each in (await hold.definitions.list(entity_type="note")).items]
    assert (found.definition_kind, found.status, found.version, found.source_definition_id) == (
        "effective",
        "published",
        1,
        None,
    )
    assert sorted(kinds) == ["effective", "envelope"]
    loaded = await load(notes, found.id, 1)
    assert loaded.workflow.start == "sys:start"
    assert "sys:gate:approve" in loaded.workflow.nodes_by_id


async def test_an_installation_that_was_undone_leaves_nothing_in_memory(notes: Holdfast, holdfast_dsn: str) -> None:
    with pytest.raises(RuntimeError):
        async with notes.tenant("acme", actor="ana") as hold:
            await hold.documents.create("note", {})
            await hold.documents.create("note", {})
            raise RuntimeError
    # Meanwhile another process stores a contract of the same version that says something else.
    async with Holdfast(dsn=holdfast_dsn) as other, other.tenant("acme", actor="ana") as hold:
        await hold.definitions.register(contract(document={"type": "object", "required": ["total"]}))
    with pytest.raises(ContractError):
        async with notes.tenant("acme", actor="ana") as hold:
            await hold.documents.create("note", {})


async def test_two_who_use_a_type_first_install_it_once(notes: Holdfast) -> None:
    async def use() -> None:
        async with notes.tenant("acme", actor="ana") as hold:
            await hold.documents.create("note", {})

    await asyncio.gather(*(use() for _ in range(5)))
    async with notes.tenant("acme") as hold:
        assert len((await hold.definitions.list(entity_type="note")).items) == 2


async def test_tenants_have_contracts_of_their_own(notes: Holdfast) -> None:
    async with notes.tenant("acme", actor="ana") as hold:
        await hold.definitions.register(contract(entity_type="secret"))
    async with notes.tenant("globex", actor="ana") as hold:
        assert await hold.definitions.contracts() == []
        with pytest.raises(NotFound):
            await hold.definitions.contract("secret")


async def test_a_contract_that_changed_needs_a_higher_version(notes: Holdfast) -> None:
    changed = {"type": "object", "properties": {"total": {"type": "string"}}}
    async with notes.tenant("acme", actor="ana") as hold:
        first = await hold.definitions.register(contract())
        assert await hold.definitions.register(contract()) == first
    with pytest.raises(ContractError, match="version 2"):
        async with notes.tenant("acme", actor="ana") as hold:
            await hold.definitions.register(contract(document=changed))
    async with notes.tenant("acme", actor="ana") as hold:
        await hold.definitions.register(contract(2, document=changed))
        assert [each.version for each in await hold.definitions.contracts("note")] == [2, 1]


async def test_code_whose_contract_differs_from_the_stored_one_is_refused(notes: Holdfast, holdfast_dsn: str) -> None:
    async with notes.tenant("acme", actor="ana") as hold:
        await hold.documents.create("note", {})
    async with Holdfast(dsn=holdfast_dsn) as other:
        other.contracts.add(contract(title="changed under the same version"))
        with pytest.raises(ContractError):
            async with other.tenant("acme", actor="ana") as hold:
                await hold.documents.create("note", {})


async def test_an_older_release_goes_on_beside_a_newer_one(notes: Holdfast, holdfast_dsn: str) -> None:
    async with Holdfast(dsn=holdfast_dsn) as newer:
        newer.contracts.add(contract(2, title="newer"))
        async with newer.tenant("acme", actor="ana") as hold:
            assert (await hold.documents.create("note", {})).contract_version == 2
    async with notes.tenant("acme", actor="ana") as hold:
        assert (await hold.documents.create("note", {})).contract_version == 2


async def test_new_documents_follow_a_new_contract_and_old_ones_keep_theirs(notes: Holdfast) -> None:
    async with notes.tenant("acme", actor="ana") as hold:
        old = await hold.documents.create("note", {"total": 1})
    stricter = {"type": "object", "properties": {"total": {"type": "number", "minimum": 10}}}
    notes.contracts.add(contract(2, document=stricter))
    async with notes.tenant("acme", actor="ana") as hold:
        new = await hold.documents.create("note", {"total": 10})
        assert (new.contract_version, (await hold.definitions.find("note")).base_version) == (2, 2)
        assert (await hold.documents.update(old.id, {"total": 2})).contract_version == 1


async def test_an_organisation_with_patches_moves_on_when_it_rebases(notes: Holdfast) -> None:
    mine = await publish(notes, review())
    notes.contracts.add(contract(2, title="newer"))
    async with notes.tenant("acme", actor="ana") as hold:
        assert (await hold.documents.create("note", {})).contract_version == 1
        moved = await hold.definitions.rebase(mine.source_definition_id)
        assert moved.rebase.clean
        assert moved.draft.base_version == 2
        await hold.definitions.publish(moved.draft.id)
        assert (await hold.documents.create("note", {})).contract_version == 2


# ---------------------------------------------------------------------------------------------- drafts, publishing


async def test_a_draft_may_be_unfinished_and_says_what_is_missing(notes: Holdfast) -> None:
    broken = {SLOT: {"nodes": [{"id": "check", "type": "approval", "config": {}}]}}
    async with notes.tenant("acme", actor="ana") as hold:
        draft = await hold.definitions.create_draft("note", broken)
        found = await hold.definitions.review(draft.id)
        assert not found.ok
        assert found.compiled_hash is None
        assert {problem.code for problem in found.problems} >= {"config.invalid"}
    with pytest.raises(CompileError):
        async with notes.tenant("acme", actor="ana") as hold:
            await hold.definitions.publish(draft.id)
    async with notes.tenant("acme", actor="ana") as hold:
        fixed = await hold.definitions.update_draft(draft.id, review(), revision=draft.revision, note="fixed")
        assert (fixed.revision, fixed.note) == (2, "fixed")
        assert (await hold.definitions.review(draft.id)).ok
        assert (await hold.definitions.publish(draft.id)).version == 2


async def test_a_misshapen_draft_is_not_stored(notes: Holdfast) -> None:
    shapes: tuple[dict[str, Any], ...] = ({SLOT: {"nodez": []}}, {SLOT: []}, {SLOT: {"nodes": [{"id": "a"}]}})
    for patches in shapes:
        with pytest.raises(CompileError):
            async with notes.tenant("acme", actor="ana") as hold:
                await hold.definitions.create_draft("note", patches)


async def test_of_two_editors_the_second_is_told(notes: Holdfast) -> None:
    async with notes.tenant("acme", actor="ana") as hold:
        draft = await hold.definitions.create_draft("note", {})
        await hold.definitions.update_draft(draft.id, review("mine"), revision=1)
    for attempt in ("update", "publish"):
        with pytest.raises(VersionConflict):
            async with notes.tenant("acme", actor="ana") as hold:
                if attempt == "update":
                    await hold.definitions.update_draft(draft.id, review("yours"), revision=1)
                else:
                    await hold.definitions.publish(draft.id, revision=1)


async def test_publishing_freezes_the_draft_and_archives_what_was_in_force(notes: Holdfast) -> None:
    first = await publish(notes, review())
    second = await publish(notes, review("again"))
    async with notes.tenant("acme", actor="ana") as hold:
        assert (await hold.definitions.get(first.id)).status == "archived"
        assert (await hold.definitions.find("note")).id == second.id
        source = await hold.definitions.get(second.source_definition_id)
        assert source.status == "published"
        for attempt in (
            hold.definitions.update_draft(source.id, {}, revision=source.revision),
            hold.definitions.publish(source.id),
            hold.definitions.delete_draft(source.id),
        ):
            with pytest.raises(Conflict, match="is published"):
                await attempt
    # What is archived still runs: instances are pinned to it.
    assert (await load(notes, first.id, first.version)).compiled_hash == first.compiled_hash


async def test_two_who_publish_at_once_get_two_versions(notes: Holdfast) -> None:
    async with notes.tenant("acme", actor="ana") as hold:
        drafts = [await hold.definitions.create_draft("note", review(f"n{n}")) for n in range(3)]

    async def go(definition_id: UUID) -> int:
        async with notes.tenant("acme", actor="ana") as hold:
            return int((await hold.definitions.publish(definition_id)).version)

    assert sorted(await asyncio.gather(*(go(draft.id) for draft in drafts))) == [2, 3, 4]
    async with notes.tenant("acme") as hold:
        published = await hold.definitions.list(entity_type="note", kind="effective", status="published")
        assert len(published.items) == 1


async def test_a_draft_is_published_once(notes: Holdfast) -> None:
    async with notes.tenant("acme", actor="ana") as hold:
        draft = await hold.definitions.create_draft("note", review())

    async def go() -> str:
        try:
            async with notes.tenant("acme", actor="ana") as hold:
                await hold.definitions.publish(draft.id)
        except Conflict:
            return "refused"
        return "published"

    assert sorted(await asyncio.gather(go(), go())) == ["published", "refused"]


async def test_rolling_back_publishes_an_older_version_again(notes: Holdfast) -> None:
    first = await publish(notes, review("old"))
    await publish(notes, review("new"))
    async with notes.tenant("acme", actor="ana") as hold:
        back = await hold.definitions.roll_back("note", first.version)
        assert (back.version, back.compiled_hash) == (4, first.compiled_hash)
        assert (await hold.definitions.find("note")).id == back.id
        bare = await hold.definitions.roll_back("note", 1)
        assert bare.source_definition_id is None
        assert not await hold.definitions.customisation(bare.id)
    with pytest.raises(NotFound):
        async with notes.tenant("acme", actor="ana") as hold:
            await hold.definitions.roll_back("note", 99)


async def test_archiving_leaves_the_skeleton_alone_in_force(notes: Holdfast) -> None:
    mine = await publish(notes, review())
    async with notes.tenant("acme", actor="ana") as hold:
        bare = await hold.definitions.archive("note")
        assert bare is not None
        assert (bare.source_definition_id, bare.status) == (None, "published")
        assert (await hold.definitions.get(mine.id)).status == "archived"
        with pytest.raises(Conflict, match="nothing to take out of use"):
            await hold.definitions.archive("note")


async def test_differences_are_shown_between_versions_and_beside_the_skeleton(notes: Holdfast) -> None:
    first = await publish(notes, review("one"))
    second = await publish(notes, review("two"))
    async with notes.tenant("acme", actor="ana") as hold:
        shown = (await hold.definitions.diff(first.id, second.id)).to_text()
        assert "usr:slot:submitted_to_approved:one" in shown
        assert "usr:slot:submitted_to_approved:two" in shown
        assert await hold.definitions.customisation(first.id)
        draft = await hold.definitions.create_draft("note", review("three"))
        assert await hold.definitions.diff(second.id, draft.id)


async def test_every_publication_is_in_the_audit_trail(notes: Holdfast) -> None:
    mine = await publish(notes, review())
    async with notes.tenant("acme", actor="ana") as hold:
        events = (await hold.audit.list(object_kind="definition")).items
        assert {event.event_type for event in events} == {
            "contract.registered",
            "definition.drafted",
            "definition.published",
        }
        told = next(event for event in events if event.object_id == mine.id)
        assert told.data["compiled_hash"] == mine.compiled_hash
        assert told.actor == "user:ana"
        assert (await hold.audit.verify()).ok


async def test_who_may_not_design_cannot(notes: Holdfast) -> None:
    async with notes.tenant("acme") as hold:
        await hold.users.create("vera", roles=["viewer"])
        await hold.users.create("otto", roles=["operator"])
        draft = await hold.definitions.create_draft("note", review())
    for attempt in ("create", "publish", "archive", "rollback", "register", "delete"):
        with pytest.raises(Forbidden):
            async with notes.tenant("acme", actor="vera") as hold:
                match attempt:
                    case "create":
                        await hold.definitions.create_draft("note", {})
                    case "publish":
                        await hold.definitions.publish(draft.id)
                    case "archive":
                        await hold.definitions.archive("note")
                    case "rollback":
                        await hold.definitions.roll_back("note", 1)
                    case "register":
                        await hold.definitions.register(contract())
                    case "delete":
                        await hold.definitions.delete_draft(draft.id)
    with pytest.raises(Forbidden):
        async with notes.tenant("acme", actor="vera") as hold:
            await hold.definitions.recompile("note")


async def test_an_automation_is_a_definition_too(notes: Holdfast) -> None:
    patch = {"nodes": [{"id": "s", "type": "script", "config": {"assign": {"n": "payload.amount"}}}]}
    payload = {"type": "object", "properties": {"amount": {"type": "number"}}}
    async with notes.tenant("acme", actor="ana") as hold:
        draft = await hold.definitions.create_automation("mirror", patch, payload=payload)
        made = await hold.definitions.publish(draft.id)
        assert made.automation
        loaded = await Library(notes.contracts).effective(hold._tx, "mirror")
        assert loaded.automation
        assert "usr:slot:main:s" in loaded.workflow.nodes_by_id
        again = await hold.definitions.create_automation("mirror", patch, payload=payload)
        assert (again.version, again.base_version) == (2, 1)
        wider = await hold.definitions.create_automation("mirror", patch)
        assert wider.base_version == 2
        await hold.definitions.archive("mirror")
        with pytest.raises(NotFound):
            await Library(notes.contracts).effective(hold._tx, "mirror")


async def test_an_automation_and_a_document_type_cannot_share_a_name(notes: Holdfast) -> None:
    with pytest.raises(AlreadyExists):
        async with notes.tenant("acme", actor="ana") as hold:
            await hold.definitions.find("note")
            await hold.definitions.create_automation("note", {})
    with pytest.raises(InvalidInput, match="name of an automation"):
        async with notes.tenant("acme", actor="ana") as hold:
            await hold.definitions.create_automation("mirror", {})
            await hold.definitions.register(contract(entity_type="mirror"))


async def test_unknown_types_and_definitions_are_not_found(notes: Holdfast) -> None:
    for attempt in ("draft", "get", "find", "publish"):
        with pytest.raises(NotFound):
            async with notes.tenant("acme", actor="ana") as hold:
                match attempt:
                    case "draft":
                        await hold.definitions.create_draft("nothing", {})
                    case "get":
                        await hold.definitions.get(uuid4())
                    case "find":
                        await hold.definitions.find("note", 42)
                    case "publish":
                        await hold.definitions.publish(uuid4())


async def test_another_tenants_definition_is_not_found(notes: Holdfast) -> None:
    mine = await publish(notes, review())
    library = Library(notes.contracts)
    await load(notes, mine.id, mine.version, library)
    async with notes.tenant("globex", actor="ana") as hold:
        with pytest.raises(NotFound):
            await hold.definitions.get(mine.id)
        with pytest.raises(NotFound):
            # Although this process has it in its memory.
            await library.load(hold._tx, mine.id, mine.version)


# ------------------------------------------------------------------------------------------------------ invariants


async def test_wf04_published_definitions_cannot_be_changed(notes: Holdfast) -> None:
    mine = await publish(notes, review())
    for statement in (
        "UPDATE holdfast.workflow_definitions SET body_patches_json = '{}' WHERE id = %s",
        "UPDATE holdfast.workflow_definitions SET name = 'x', revision = 7 WHERE id = %s",
        "DELETE FROM holdfast.workflow_definitions WHERE id = %s",
    ):
        with pytest.raises(Conflict, match="published"):
            async with notes.tenant("acme") as hold:
                await hold.connection.execute(statement, [mine.source_definition_id])
    with pytest.raises(pg.InsufficientPrivilege):
        async with notes.tenant("acme") as hold:
            await hold.connection.execute(
                "UPDATE holdfast.workflow_definitions SET compiled_json = '{}' WHERE id = %s", [mine.id]
            )


async def test_wf06_patches_stay_in_their_slots(notes: Holdfast) -> None:
    attacks: dict[str, dict[str, Any]] = {
        "slot.unknown": {"slot:nowhere": {"nodes": [{"id": "a", "type": "script", "config": {"assign": {"x": "1"}}}]}},
        "scope.node_id": {SLOT: {"nodes": [{"id": "sys:gate:approve", "type": "condition", "config": {}}]}},
        "scope.edge_endpoint": {
            SLOT: {
                "nodes": [{"id": "a", "type": "script", "config": {"assign": {"x": "1"}}}],
                "edges": [{"source": "a", "target": "sys:state:active"}],
            }
        },
        "scope.system_type": {SLOT: {"nodes": [{"id": "a", "type": "lifecycle_gate", "config": {}}]}},
        "window.looser": {SLOT: {"edit_window_override": "editable"}},
    }
    for code, patches in attacks.items():
        async with notes.tenant("acme", actor="ana") as hold:
            draft = await hold.definitions.create_draft("note", patches)
        with pytest.raises(CompileError) as caught:
            async with notes.tenant("acme", actor="ana") as hold:
                await hold.definitions.publish(draft.id)
        assert code in {problem["code"] for problem in caught.value.details["problems"]}
    async with notes.tenant("acme", actor="ana") as hold:
        assert (await hold.definitions.find("note")).version == 1


def _rewrite(superuser: psycopg.Connection[Any], definition_id: UUID, change: Any) -> None:
    """What somebody with every right could do: change the compiled workflow behind the trigger's back."""
    row = superuser.execute(
        "SELECT compiled_json::text AS text FROM holdfast.workflow_definitions WHERE id = %s", [definition_id]
    ).fetchone()
    assert row is not None
    compiled = parse_json(row["text"])
    change(compiled)
    superuser.execute("SET session_replication_role = replica")
    superuser.execute(
        "UPDATE holdfast.workflow_definitions SET compiled_json = %s::jsonb, compiled_hash = %s, compiler_version = %s "
        "WHERE id = %s",
        [canonical_json(compiled).decode(), compiled["hash"], compiled["compiler_version"], definition_id],
    )
    superuser.execute("SET session_replication_role = origin")


async def test_wf07_a_changed_workflow_is_never_run(notes: Holdfast, superuser: psycopg.Connection[Any]) -> None:
    mine = await publish(notes, review())

    def remove_an_edge(compiled: dict[str, Any]) -> None:
        compiled["edges_by_id"].pop(min(compiled["edges_by_id"]))

    _rewrite(superuser, mine.id, remove_an_edge)
    with pytest.raises(DefinitionTampered, match="not what was published") as caught:
        await load(notes, mine.id, mine.version)
    assert caught.value.code == "WORKFLOW_HASH_MISMATCH"


async def test_wf07_nor_one_whose_hash_was_recomputed(notes: Holdfast, superuser: psycopg.Connection[Any]) -> None:
    from holdfast.kernel.json import canonical_hash

    mine = await publish(notes, review())

    def open_the_gate(compiled: dict[str, Any]) -> None:
        compiled["nodes_by_id"]["sys:gate:approve"]["config"]["roles"] = []
        compiled["nodes_by_id"]["sys:gate:approve"]["type"] = "condition"
        compiled["hash"] = canonical_hash({key: value for key, value in compiled.items() if key != "hash"})

    _rewrite(superuser, mine.id, open_the_gate)
    with pytest.raises(DefinitionTampered):
        await load(notes, mine.id, mine.version)


async def test_wf07_an_instance_runs_only_the_workflow_it_began_with(notes: Holdfast) -> None:
    mine = await publish(notes, review())
    async with notes.tenant("acme") as hold:
        library = Library(notes.contracts)
        assert await library.load(hold._tx, mine.id, mine.version, compiled_hash=mine.compiled_hash)
        with pytest.raises(DefinitionTampered):
            await library.load(hold._tx, mine.id, mine.version, compiled_hash="ab" * 32)


async def test_wf07_a_workflow_of_another_compiler_is_refused_until_it_is_recompiled(
    notes: Holdfast, superuser: psycopg.Connection[Any]
) -> None:
    mine = await publish(notes, review())

    def age(compiled: dict[str, Any]) -> None:
        compiled["compiler_version"] = "0.9.0"

    _rewrite(superuser, mine.id, age)
    with pytest.raises(CompilerStale) as caught:
        await load(notes, mine.id, mine.version)
    assert caught.value.code == "WORKFLOW_COMPILER_STALE"
    async with notes.tenant("acme", actor="ana") as hold:
        assert await hold.definitions.stale() == ["note"]
        fresh = await hold.definitions.recompile("note")
        assert await hold.definitions.stale() == []
        assert (fresh.compiler_version, fresh.compiled_hash) == (CURRENT_COMPILER_VERSION, mine.compiled_hash)
        assert await hold.definitions.recompile("note") == fresh
    assert (await load(notes, fresh.id, fresh.version)).compiled_hash == mine.compiled_hash


async def test_wf07_only_what_is_compiled_can_be_run(notes: Holdfast) -> None:
    async with notes.tenant("acme", actor="ana") as hold:
        draft = await hold.definitions.create_draft("note", review())
        envelope = (await hold.definitions.list(entity_type="note", kind="envelope")).items[0]
    for raw in (draft, envelope):
        with pytest.raises(NotFound, match="no compiled definition"):
            await load(notes, raw.id, raw.version)


async def test_wf08_a_workflow_without_a_gate_of_its_skeleton_is_never_run(
    notes: Holdfast, superuser: psycopg.Connection[Any]
) -> None:
    from holdfast.kernel.json import canonical_hash

    mine = await publish(notes, review())

    def drop_the_gate(compiled: dict[str, Any]) -> None:
        gate = "sys:gate:approve"
        compiled["nodes_by_id"].pop(gate)
        compiled["topological_order"].remove(gate)
        compiled["system_gate_integrity"]["present_gates"].remove(gate)
        compiled["system_gate_integrity"]["required_gates"].remove(gate)
        compiled["hash"] = canonical_hash({key: value for key, value in compiled.items() if key != "hash"})

    _rewrite(superuser, mine.id, drop_the_gate)
    with pytest.raises(DefinitionTampered):
        await load(notes, mine.id, mine.version)


async def test_wf08_a_skeleton_that_was_changed_is_noticed(notes: Holdfast, superuser: psycopg.Connection[Any]) -> None:
    mine = await publish(notes, review())
    superuser.execute("SET session_replication_role = replica")
    superuser.execute(
        "UPDATE holdfast.workflow_definitions SET contract_json = jsonb_set(contract_json, '{states}', "
        """'[{"name": "draft", "edit_window": "editable"}, {"name": "active", "edit_window": "locked"}]')"""
        """ || '{"transitions": [{"name": "submit", "from": ["draft"], "to": "active"}], "slots": []}'"""
        " WHERE entity_type = 'note' AND definition_kind = 'envelope'"
    )
    superuser.execute("SET session_replication_role = origin")
    with pytest.raises(DefinitionTampered):
        await load(notes, mine.id, mine.version)


async def test_wf12_the_same_definition_compiles_to_the_same_hash_everywhere(notes: Holdfast) -> None:
    patch = review()[SLOT]
    turned = {SLOT: {**patch, "edges": list(reversed(patch["edges"]))}}
    first = await publish(notes, review())
    second = await publish(notes, turned)
    async with notes.tenant("globex", actor="ana") as hold:
        draft = await hold.definitions.create_draft("note", turned)
        elsewhere = await hold.definitions.publish(draft.id)
    assert first.compiled_hash == second.compiled_hash == elsewhere.compiled_hash


async def test_wf13_the_order_of_nodes_survives_the_database(notes: Holdfast) -> None:
    nodes = [
        {"id": name, "type": "script", "config": {"assign": {name: "entity.total"}}}
        for name in ("zeta", "beta", "alfa")
    ]
    split = {"id": "split", "type": "parallel_split", "config": {}}
    join = {"id": "join", "type": "parallel_join", "config": {}}
    edges = [
        *({"source": "split", "target": node["id"]} for node in nodes),
        *({"source": node["id"], "target": "join"} for node in nodes),
        *({"source": node["id"], "target": "join", "outcome": "error"} for node in nodes),
    ]
    mine = await publish(notes, {SLOT: {"nodes": [*nodes, split, join], "edges": edges}})
    order = (await load(notes, mine.id, mine.version)).workflow.topological_order
    own = [node.rpartition(":")[2] for node in order if node.startswith("usr:")]
    assert own == ["split", "alfa", "beta", "zeta", "join"]


# ----------------------------------------------------------------------------------------------------------- cache


async def test_a_workflow_is_read_once_and_again_after_a_while(
    notes: Holdfast, superuser: psycopg.Connection[Any]
) -> None:
    mine = await publish(notes, review())
    now = [0.0]
    library = Library(notes.contracts, clock=lambda: now[0])
    first = await load(notes, mine.id, mine.version, library)
    assert await load(notes, mine.id, mine.version, library) is first
    _rewrite(superuser, mine.id, lambda compiled: compiled["edges_by_id"].clear())
    assert await load(notes, mine.id, mine.version, library) is first
    now[0] = 301.0
    with pytest.raises(DefinitionTampered):
        await load(notes, mine.id, mine.version, library)


async def test_a_node_type_of_the_users_own_compiles_and_verifies(notes: Holdfast) -> None:
    from holdfast.processes.nodes import Ask, Waiting

    @notes.node("acme.ask")
    async def ask(given: Ask) -> Waiting:
        return Waiting()

    patch = {SLOT: {"nodes": [{"id": "a", "type": "acme.ask", "config": {}}]}}
    mine = await publish(notes, patch)
    async with notes.tenant("acme", actor="ana") as hold:
        assert (await hold.definitions.find("note")).id == mine.id


async def test_an_unknown_node_type_is_a_problem_and_not_a_crash(notes: Holdfast) -> None:
    async with notes.tenant("acme", actor="ana") as hold:
        found = await hold.definitions.validate(
            "note", {SLOT: {"nodes": [{"id": "a", "type": "teleport", "config": {}}]}}
        )
    assert "node.unknown_type" in {problem.code for problem in found.problems}


async def test_a_definition_for_another_version_of_the_contract_does_not_compile_silently(notes: Holdfast) -> None:
    mine = await publish(notes, review())
    notes.contracts.add(contract(2, title="newer"))
    async with notes.tenant("acme", actor="ana") as hold:
        await hold.definitions.register(contract(2, title="newer"))
        old = await hold.definitions.create_draft("note", review("late"), base_version=1)
        assert old.base_version == 1
        assert (await hold.definitions.publish(old.id)).base_version == 1
        with pytest.raises(NotFound):
            await hold.definitions.create_draft("note", review(), base_version=7)
    assert mine.base_version == 1


async def test_notes_and_names_that_cannot_be_kept_are_refused_by_name(notes: Holdfast) -> None:
    async with notes.tenant("acme", actor="ana") as hold:
        draft = await hold.definitions.create_draft("note", {}, note="x" * 4000)
        for note in ("x" * 4001, "a\0b"):
            with pytest.raises(InvalidInput, match="note"):
                await hold.definitions.create_draft("note", {}, note=note)
            with pytest.raises(InvalidInput, match="note"):
                await hold.definitions.update_draft(draft.id, {}, revision=1, note=note)
            with pytest.raises(InvalidInput, match="note"):
                await hold.definitions.publish(draft.id, note=note)
        for name in ("Bad Name", "x" * 65, "", "1st", "a\n"):
            with pytest.raises(InvalidInput) as caught:
                await hold.definitions.create_automation(name, {"nodes": [], "edges": []})
            assert caught.value.details["field"] == "name"
