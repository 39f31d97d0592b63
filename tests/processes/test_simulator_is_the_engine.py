"""The simulator and the engine, told the same, come to the same: whoever is asked, whatever is edited, and when.

Hypothesis draws a workflow and a script. Every act is played to the simulator and done to a real document on a real
Postgres; after each, both must have accepted or refused it, and stand at the same tokens, decisions and variables.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from typing import Any
from uuid import UUID

from hypothesis import given, note, settings

from envelope.bills import BILL, CHAINS, PEOPLE, SCRIPT, SLOT, exact, slots_of
from holdfast import Holdfast
from holdfast.envelope import compile_effective, generate_skeleton
from holdfast.envelope.simulate import (
    Act,
    Arrive,
    Choose,
    Decide,
    Edit,
    Fill,
    Interrupt,
    Pass,
    Retry,
    Simulation,
    Stop,
    World,
)
from holdfast.envelope.tokens import Position
from holdfast.errors import HoldfastError
from holdfast.testing import FakeClock
from processes.shop import Shop


@dataclass
class Real:
    """The same document in the real product."""

    shop: Shop
    clock: FakeClock
    document: UUID

    async def play(self, act: Act, at: str | None) -> bool:
        """Do it; whether it was accepted."""
        try:
            await self._do(act, at)
        except HoldfastError as error:
            note(f"engine: {error.code}: {error.message}")
            return False
        finally:
            await self.shop.worker.drain()
        return True

    async def _do(self, act: Act, at: str | None) -> None:
        by = getattr(act, "by", None)
        async with self.shop.app.tenant("acme", actor=by or "ana") as hold:
            match act:
                case Choose() | Interrupt():
                    await hold.documents.transition(self.document, act.transition, expected_version=None)
                case Decide():
                    await hold.approvals.decide(await self._request(hold, at), act.decision, reason=act.reason)
                case Fill():
                    await hold.approvals.complete(await self._request(hold, at), act.answer)
                case Arrive():
                    await hold.processes.tell(act.key, act.payload)
                case Pass():
                    self.clock.advance(timedelta(hours=1))
                case Edit():
                    self.document = (await hold.documents.update(self.document, act.changes)).id
                case Retry():
                    await hold.processes.retry_step(await self.instance(), token=at)
                case Stop():
                    await hold.processes.cancel(await self.instance(), reason=act.reason)

    async def _request(self, hold: Any, at: str | None) -> UUID:
        listed = (await hold.approvals.list(instance_id=await self.instance())).items
        [request] = [each for each in listed if each.status == "open" and each.token_id == at]
        return UUID(str(request.id))

    async def instance(self) -> UUID:
        async with self.shop.app.tenant("acme") as hold:
            return (await hold.processes.of_document(self.document)).id

    async def stands(self) -> dict[str, Any]:
        position = await self.shop.position(await self.instance())
        async with self.shop.app.tenant("acme") as hold:
            document = await hold.documents.get(self.document)
        told = shown(position)
        assert document.doc_status == told["doc_status"]
        return {**told, "version": document.entity_version, "amount": document.data["amount"]}


def shown(position: Position) -> dict[str, Any]:
    """What must be alike."""
    return {
        "status": position.status,
        "reason": position.reason,
        "doc_status": position.doc_status,
        "tokens": {
            token.id: (token.node, token.state, (token.step.error or {}).get("code") if token.step else None)
            for token in position.tokens.values()
        },
        "decisions": [(each.node, each.decision, each.by, each.reason) for each in position.decisions],
        "context": dict(position.context),
    }


_NUMBERS = count(1)


class Pair:
    """A simulation and the real thing."""

    def __init__(self, simulated: Simulation, real: Real) -> None:
        self.simulated = simulated
        self.real = real

    async def play(self, drawn: Act, which: int) -> None:
        act = exact(self.simulated, drawn, which)
        if act is None:
            return
        note(f"{act}")
        try:
            refusal = self.simulated.play(act)
            accepted = refusal is None
            if refusal is not None:
                note(f"simulator: {refusal.code}: {refusal.message}")
        except HoldfastError as error:
            note(f"simulator: {error.message}")
            accepted = False
        assert await self.real.play(act, getattr(act, "at", None)) == accepted
        played = self.simulated
        mine = {**shown(played.position), "version": played.entity_version, "amount": played.document["amount"]}
        assert await self.real.stands() == mine


async def pair(shop: Shop, clock: FakeClock, slots: dict[str, Any]) -> Pair:
    """A bill of 10 by ana, in both."""
    skeleton = generate_skeleton(BILL)
    number = f"B-{next(_NUMBERS)}"
    await shop.publish(slots, "bill")
    async with shop.app.tenant("acme", actor="ana") as hold:
        made = await hold.documents.create("bill", {"number": number, "amount": 10})
    await shop.worker.drain()
    world = World(people=PEOPLE, chains=CHAINS, requester="ana", start=clock.now())
    document = {"number": number, "amount": 10}
    simulated = Simulation(compile_effective(skeleton, slots), document, world=world, scope=skeleton.scope())
    return Pair(simulated, Real(shop, clock, made.id))


async def staffed(shop: Shop) -> None:
    """The people of the world, in the tenant, if they are not there yet."""
    app: Holdfast = shop.app
    if app.contracts.declared("bill") is not None:
        return
    app.contracts.add(BILL)
    async with app.tenant("acme") as hold:
        for role in ("boss", "clerk", "nobody"):
            await hold.roles.define(role, [])
        for name, person in PEOPLE.items():
            if name != "ana":
                await hold.users.create(name, roles=["admin"])
            for role in person.roles:
                await hold.users.grant(name, role)
        for name, person in PEOPLE.items():
            if person.manager is not None:
                await hold.org.set_manager(name, person.manager)
        for name, stages in CHAINS.items():
            await hold.chains.define(name, stages)


@settings(max_examples=40)
@given(before=SLOT, asking=SLOT, leaving=SLOT, script=SCRIPT)
async def test_the_simulator_and_the_engine_come_to_the_same(
    shop: Shop, holdfast_clock: FakeClock, before: Any, asking: Any, leaving: Any, script: Any
) -> None:
    await staffed(shop)
    both = await pair(
        shop, holdfast_clock, slots_of({"slot:before": before, "slot:asking": asking, "slot:leaving": leaving})
    )
    for act, which in [(Choose("submit", by="ana"), 0), *script]:
        await both.play(act, which)
