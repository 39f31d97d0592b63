"""One tenant's hostile load, from a process of its own: `python -m harness.hostile` with its orders as JSON on stdin.

Fifty connections at most, twenty a second of each kind: bodies that never come to their end, readers who stop reading,
bodies that blow up, wrong tokens. `harmless` sends as many requests of the same tenant that do nothing wrong, to
compare with. All of it goes to 127.0.0.1, for as long as it is told to; then it ends and says what it did.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections import Counter
from dataclasses import dataclass
from typing import Any

from holdfast.access.token_form import make_secret, tenant_in

__all__ = ["A_SECOND", "KINDS", "NO_CONNECTION", "Orders"]

KINDS = ("slow bodies", "slow readers", "bombs", "wrong tokens")
A_SECOND = 20
CONNECTIONS = 50
_BOMB = b'{"namespace":"n","keys":[' + b"1," * 99_000 + b"1]}"
NO_CONNECTION = "no connection left"
"""What becomes of a request for which all connections are taken: it is not sent."""
_HELD_SECONDS = 0.6
"""How long a slow one stays: twenty a second of two kinds then hold about half of the connections."""


@dataclass(frozen=True, slots=True)
class Orders:
    """What to do."""

    port: int
    token: str
    seconds: float
    harmless: bool


async def attack(orders: Orders) -> Counter[str]:
    """Send it all; how the requests ended."""
    done: Counter[str] = Counter()
    places = asyncio.Semaphore(CONNECTIONS)
    loop = asyncio.get_running_loop()
    began = loop.time()
    async with asyncio.TaskGroup() as group:
        for number in range(int(orders.seconds * A_SECOND)):
            await asyncio.sleep(max(0.0, began + number / A_SECOND - loop.time()))  # time itself: it is a rate
            for kind in KINDS:
                if places.locked():
                    done[f"{kind}: {NO_CONNECTION}"] += 1
                    continue
                group.create_task(_one(orders, kind, number, places, done))
    return done


async def _one(orders: Orders, kind: str, number: int, places: asyncio.Semaphore, done: Counter[str]) -> None:
    async with places:
        try:
            async with asyncio.timeout(30):
                done[f"{kind}: {await _send(orders, kind, number)}"] += 1
        except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
            done[f"{kind}: {type(error).__name__}"] += 1


async def _send(orders: Orders, kind: str, number: int) -> str:
    reader, writer = await asyncio.open_connection("127.0.0.1", orders.port, limit=4096)
    try:
        if orders.harmless:
            return await _ask(reader, writer, "GET", "data/entry?namespace=n&key=k", orders.token)
        match kind:
            case "slow bodies":
                writer.write(_head("POST", "data/get", orders.token, length=1000) + b"{")
                await asyncio.sleep(_HELD_SECONDS)  # time itself: a client that is slow
                return "left"
            case "slow readers":
                writer.write(_head("GET", "data/export", orders.token))
                await asyncio.sleep(_HELD_SECONDS)  # time itself: a client that is slow
                return "left"
            case "bombs":
                return await _ask(reader, writer, "POST", "data/get", orders.token, _BOMB)
            case _:
                # Of the form of right ones, with their checksum: nobody knows without looking.
                tenant = tenant_in(orders.token)
                assert tenant is not None
                wrong = make_secret(tenant)
                return await _ask(reader, writer, "GET", "data/entry?namespace=n&key=k", wrong)
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


async def _ask(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, method: str, path: str, token: str, body: bytes = b""
) -> str:
    writer.write(_head(method, path, token, length=len(body)) + body)
    await writer.drain()
    return (await reader.readline()).decode().split()[1]


def _head(method: str, path: str, token: str, length: int = 0) -> bytes:
    return (
        f"{method} /v1/acme/{path} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    ).encode()


def main() -> None:
    """Run as a process: on one core, if the machine has more."""
    given: dict[str, Any] = json.loads(sys.stdin.readline())
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    sys.stdout.write(json.dumps(asyncio.run(attack(Orders(**given)))))


if __name__ == "__main__":
    main()
