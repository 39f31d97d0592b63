"""State machines: a simple model beside the real store, many writers at once, and time that passes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from holdfast import FakeClock
from holdfast.data import Keys, Links, Put, Ref
from holdfast.errors import HoldfastError, InvalidInput, RevisionMismatch
from holdfast.kernel.json import canonical_json

T = TypeVar("T")
Run = Callable[[Coroutine[Any, Any, Any]], Any]

NAMES = st.sampled_from(["a_", "aX", "ü"])  # few, so that much happens to each
SPACES = st.sampled_from(["x", "y"])
NUMBERS = st.one_of(
    st.integers(-(10**20), 10**20), st.decimals(-1000, 1000, places=3, allow_nan=False, allow_infinity=False)
)
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    NUMBERS,
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=5),
    st.lists(NUMBERS, max_size=2),
    st.dictionaries(st.sampled_from("pq"), NUMBERS, max_size=2),
)
TTLS = st.one_of(st.none(), st.integers(1, 3))


@dataclass
class Kept:
    value: Any
    revision: int
    ends: int | None


def same(one: Any, other: Any) -> bool:
    return canonical_json(one) == canonical_json(other)


class KeysMachine(RuleBasedStateMachine):
    """Every answer of the store is what the model says; revisions never repeat; the changes tell all that happened."""

    def __init__(self, run: Run, keys: Keys, clock: FakeClock) -> None:
        super().__init__()
        self.run, self.keys, self.clock = run, keys, clock
        self.kept: dict[tuple[str, str], Kept] = {}
        self.time = 0
        self.revisions: set[int] = set()
        self.followed: list[tuple[str, str, int]] = []
        self.written: list[tuple[str, str, int]] = []
        self.position: str | None = None

    @initialize()
    def follow(self) -> None:
        self.position = self.run(self.keys.changes("x")).position

    def alive(self, space: str, key: str) -> Kept | None:
        kept = self.kept.get((space, key))
        return None if kept is None or (kept.ends is not None and kept.ends <= self.time) else kept

    def wrote(self, space: str, key: str, revision: int, value: Any, ends: int | None) -> None:
        assert revision not in self.revisions
        self.revisions.add(revision)
        self.kept[space, key] = Kept(value, revision, ends)
        if space == "x":
            self.written.append((key, "set", revision))

    @rule(space=SPACES, key=NAMES, value=VALUES, ttl=TTLS, expect=st.sampled_from(["any", "absent", "right", "old"]))
    def set(self, space: str, key: str, value: Any, ttl: int | None, expect: str) -> None:
        alive = self.alive(space, key)
        old = max((r for r in self.revisions if alive is None or r != alive.revision), default=10**9)
        expected = {"any": None, "absent": 0, "right": alive.revision if alive else 0, "old": old}[expect]
        works = expected is None or expected == (alive.revision if alive else 0)
        try:
            made = self.run(self.keys.set(space, key, value, ttl=ttl, if_revision=expected))
        except RevisionMismatch as error:
            assert not works
            assert error.details["revision"] == (alive.revision if alive else 0)  # noqa: PT017 - either may happen
            return
        assert works
        assert made.created == (alive is None)
        self.wrote(space, key, made.revision, value, None if ttl is None else self.time + ttl)

    @rule(space=SPACES, values=st.dictionaries(NAMES, VALUES, max_size=4), create=st.booleans())
    def set_many(self, space: str, values: dict[str, Any], create: bool) -> None:
        puts = [Put(key, value, if_revision=0 if create else None) for key, value in values.items()]
        taken = [key for key in values if self.alive(space, key)] if create else []
        try:
            made = self.run(self.keys.set_many(space, puts))
        except RevisionMismatch as error:
            assert error.details["key"] in taken  # noqa: PT017 - either may happen
            return
        assert not taken
        for put, one in sorted(zip(puts, made, strict=True), key=lambda pair: pair[1].revision):
            self.wrote(space, put.key, one.revision, put.value, None)

    @rule(space=SPACES, key=NAMES, by=NUMBERS, initial=NUMBERS, ttl=TTLS)
    def increment(self, space: str, key: str, by: Any, initial: Any, ttl: int | None) -> None:
        alive = self.alive(space, key)
        number = alive is None or (isinstance(alive.value, int | Decimal) and not isinstance(alive.value, bool))
        try:
            made = self.run(self.keys.increment(space, key, by, initial=initial, ttl=ttl))
        except InvalidInput:
            assert not number
            return
        assert number
        assert same(made.value, (alive.value if alive else initial) + by)
        ends = alive.ends if alive else None if ttl is None else self.time + ttl
        self.wrote(space, key, made.revision, made.value, ends)

    @rule(space=SPACES, key=NAMES)
    def delete(self, space: str, key: str) -> None:
        alive = self.alive(space, key)
        assert self.run(self.keys.delete(space, key)) == (alive is not None)
        self.forget(space, [key], "deleted" if alive else "expired")

    def forget(self, space: str, keys: list[str], op: str) -> None:
        for key in keys:
            if self.kept.pop((space, key), None) is not None and space == "x":
                self.written.append((key, op, 0))

    @rule(seconds=st.integers(1, 3))
    def wait(self, seconds: int) -> None:
        self.time += seconds
        self.clock.advance(seconds)

    @rule(space=SPACES, key=NAMES)
    def leave_an_expired_row(self, space: str, key: str) -> None:
        made = self.run(self.keys.set(space, key, "gone", ttl=1))
        self.wrote(space, key, made.revision, "gone", self.time + 1)
        self.wait(1)

    @rule()
    def sweep(self) -> None:
        over = [pair for pair in self.kept if self.alive(*pair) is None]
        assert self.run(self.keys.delete_expired()) == len(over)
        told = sorted(key for space, key in over if space == "x")
        for space, key in over:
            del self.kept[space, key]
        self.written += [(key, "expired", 0) for key in told]

    @rule(space=SPACES, key=NAMES, writers=st.integers(2, 8))
    def create_at_once(self, space: str, key: str, writers: int) -> None:
        alive = self.alive(space, key)
        made = self.run(gathered(self.keys.set(space, key, n, if_revision=0) for n in range(writers)))
        won = [(number, one) for number, one in enumerate(made) if not isinstance(one, HoldfastError)]
        assert len(won) == (0 if alive else 1)
        assert all(isinstance(one, RevisionMismatch) for one in made if isinstance(one, HoldfastError))
        for number, one in won:
            self.wrote(space, key, one.revision, number, None)

    @rule(space=SPACES, key=NAMES, writers=st.integers(2, 8))
    def compare_and_set_at_once(self, space: str, key: str, writers: int) -> None:
        alive = self.alive(space, key)
        seen = alive.revision if alive else 0
        made = self.run(gathered(self.keys.set(space, key, n, if_revision=seen) for n in range(writers)))
        ((number, one),) = [(n, one) for n, one in enumerate(made) if not isinstance(one, HoldfastError)]
        self.wrote(space, key, one.revision, number, None)

    @rule(space=SPACES, writers=st.integers(2, 8))
    def increment_at_once(self, space: str, writers: int) -> None:
        alive = self.alive(space, "counter")
        made = self.run(gathered(self.keys.increment(space, "counter", Decimal("0.1")) for _ in range(writers)))
        start = alive.value if alive else Decimal(0)
        assert {Decimal(one.value) for one in made} == {start + Decimal("0.1") * n for n in range(1, writers + 1)}
        for one in sorted(made, key=lambda one: one.value):
            self.wrote(space, "counter", one.revision, Decimal(one.value), None)

    @invariant()
    def what_is_there_is_what_the_model_says(self) -> None:
        for space in ("x", "y"):
            page = self.run(self.keys.list(space))
            wanted = sorted((key for s, key in self.kept if s == space and self.alive(s, key)), key=str.encode)
            assert [entry.key for entry in page.items] == wanted
            for entry in page.items:
                kept = self.kept[space, entry.key]
                assert same(entry.value, kept.value)
                assert entry.revision == kept.revision

    @rule(limit=st.integers(1, 5))
    def catch_up(self, limit: int) -> None:
        while True:
            page = self.run(self.keys.changes("x", after=self.position, limit=limit))
            self.followed += [(change.key, change.op, change.revision) for change in page.items]
            self.position = page.position
            if not page.more:
                break
        assert [tuple(one) for one in self.followed if one[1] == "set"] == [
            one for one in sorted(self.written, key=lambda one: one[2]) if one[1] == "set"
        ]
        for key in {key for key, _, _ in self.written}:
            told = [op for name, op, _ in self.followed if name == key]
            assert told == [op for name, op, _ in self.written if name == key]


class LinksMachine(RuleBasedStateMachine):
    """Every answer about links is what a plain dictionary of edges says."""

    def __init__(self, run: Run, links: Links) -> None:
        super().__init__()
        self.run, self.links = run, links
        self.edges: dict[tuple[Ref, Ref, str], dict[str, Any]] = {}

    REFS = st.builds(Ref, st.sampled_from(["t", "u"]), st.sampled_from(["1", "_"]))
    RELATIONS = st.sampled_from(["related", "mirrors"])

    @rule(
        left=REFS,
        right=REFS,
        relation=RELATIONS,
        attributes=st.one_of(st.none(), st.dictionaries(st.sampled_from("pq"), NUMBERS)),
    )
    def upsert(self, left: Ref, right: Ref, relation: str, attributes: dict[str, Any] | None) -> None:
        edge = (left, right, relation)
        made = self.run(self.links.upsert("n", left, right, relation=relation, attributes=attributes))
        assert made.created == (edge not in self.edges)
        if attributes is not None or made.created:
            self.edges[edge] = attributes or {}

    @rule(left=REFS, right=REFS, writers=st.integers(2, 6))
    def upsert_at_once(self, left: Ref, right: Ref, writers: int) -> None:
        edge = (left, right, "related")
        made = self.run(gathered(self.links.upsert("n", left, right) for _ in range(writers)))
        assert len({one.link_id for one in made}) == 1
        assert sum(one.created for one in made) == (edge not in self.edges)
        self.edges.setdefault(edge, {})

    @rule(left=st.one_of(st.none(), REFS), right=st.one_of(st.none(), REFS), relation=st.one_of(st.none(), RELATIONS))
    def delete(self, left: Ref | None, right: Ref | None, relation: str | None) -> None:
        gone = [
            edge
            for edge in self.edges
            if left in (None, edge[0]) and right in (None, edge[1]) and relation in (None, edge[2])
        ]
        try:
            assert self.run(self.links.delete("n", left, right, relation=relation)) == len(gone)
        except InvalidInput:
            assert left is None
            assert right is None
            return
        for edge in gone:
            del self.edges[edge]

    @rule(
        of=REFS,
        direction=st.sampled_from(["forward", "reverse", "either"]),
        relation=st.one_of(st.none(), RELATIONS),
        other=st.one_of(st.none(), st.sampled_from(["t", "u"])),
        limit=st.integers(1, 4),
    )
    def lookup(self, of: Ref, direction: str, relation: str | None, other: str | None, limit: int) -> None:
        wanted = []
        for (left, right, kind), attributes in self.edges.items():
            ends = []
            if direction != "reverse" and left == of:
                ends.append(right)
            elif direction != "forward" and right == of:
                ends.append(left)
            wanted += [
                (end.type, end.id, kind, canonical_json(attributes))
                for end in ends
                if relation in (None, kind) and other in (None, end.type)
            ]
        found: list[tuple[str, str, str, bytes]] = []
        cursor = None
        while True:
            page = self.run(
                self.links.lookup(
                    "n", of, direction=direction, relation=relation, right_type=other, limit=limit, cursor=cursor
                )
            )
            found += [(m.type, m.id, m.relation, canonical_json(m.attributes)) for m in page.matches]
            cursor = page.next_cursor
            if cursor is None:
                break
        assert sorted(found) == sorted(wanted)
        assert [one[:3] for one in found] == sorted(one[:3] for one in wanted)

    @invariant()
    def the_list_is_what_the_model_says(self) -> None:
        found = {
            (Ref(link.left_type, link.left_id), Ref(link.right_type, link.right_id), link.relation): link.attributes
            for link in self.run(self.links.list("n", limit=200)).items
        }
        assert found.keys() == self.edges.keys()
        assert all(same(found[edge], attributes) for edge, attributes in self.edges.items())


async def gathered(calls: Any) -> list[Any]:
    """Everything at once; our errors are answers too."""

    async def answer(call: Awaitable[T]) -> T | HoldfastError:
        try:
            return await call
        except HoldfastError as error:
            return error

    return list(await asyncio.gather(*map(answer, calls)))
