"""The conformance suite of the data store: what every store of keys and links must do, as tests.

    class TestMyKeys(KeysConformance):
        @pytest.fixture
        def keys(self, clock): ...      # fresh `Keys` on your store, whose time is the clock's

        @pytest.fixture
        def clock(self): ...            # a FakeClock

holdfast runs it over Postgres and over memory; a store of your own that passes can take their place. `memory_data`
gives keys and links in memory for tests of code that uses them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from holdfast.data import Keys, Links, MemoryKeys, MemoryLinks, Put, Ref
from holdfast.data.schemas import Schemas
from holdfast.errors import InvalidInput, QuotaExceeded, RevisionMismatch, SchemaViolation
from holdfast.kernel.actor import SYSTEM
from holdfast.kernel.clock import Clock, FakeClock

__all__ = ["KeysConformance", "LinksConformance", "MemoryData", "memory_data"]


@dataclass(frozen=True, slots=True)
class MemoryData:
    """Keys and links in memory, with the methods of `hold.data` and `hold.links`."""

    data: Keys
    links: Links


def memory_data(clock: Clock) -> MemoryData:
    """A fresh data store in memory."""
    keys = Keys(MemoryKeys(clock), SYSTEM.require, Schemas())
    return MemoryData(keys, Links(MemoryLinks(clock), SYSTEM.require))


BIG = 123456789012345678901234567890


class KeysConformance:
    """What keys promise."""

    async def test_a_value_comes_back_as_it_was(self, keys: Keys) -> None:
        for value in (
            None,
            True,
            0,
            -1,
            BIG,
            Decimal("0.1"),
            "",
            "ü🙂",
            [],
            {},
            {"b": [1, {"a": None}]},
            [Decimal("1.25")],
        ):
            await keys.set("n", "k", value)
            entry = await keys.get("n", "k")
            assert entry is not None
            assert entry.value == value
            assert type(entry.value) is type(value)

    async def test_numbers_are_exact_and_written_in_one_way(self, keys: Keys) -> None:
        for value, stored in (
            (0.1, Decimal("0.1")),
            (Decimal("1.50"), Decimal("1.5")),
            (2.0, 2),
            (Decimal("1E+3"), 1000),
        ):
            await keys.set("n", "k", value)
            entry = await keys.get("n", "k")
            assert entry is not None
            assert (entry.value, type(entry.value)) == (stored, type(stored))

    async def test_the_type_is_told(self, keys: Keys) -> None:
        for value, kind in (("x", "string"), (1, "number"), (False, "boolean"), (None, "json"), ([1], "json")):
            await keys.set("n", "k", value)
            entry = await keys.get("n", "k")
            assert entry is not None
            assert entry.value_type == kind
        await keys.set("n", "k", 1, value_type="json")
        with pytest.raises(InvalidInput, match="value_type is 'number', but the value is a string"):
            await keys.set("n", "k", "1", value_type="number")

    async def test_a_missing_key_is_none(self, keys: Keys) -> None:
        assert await keys.get("n", "k") is None
        assert await keys.get_many("n", ["k"]) == {}
        assert not await keys.delete("n", "k")

    async def test_every_write_has_a_revision_of_its_own(self, keys: Keys) -> None:
        seen = [(await keys.set("n", key, 1)).revision for key in ("a", "b", "a")]
        seen.append((await keys.increment("n", "a")).revision)
        seen.append((await keys.set("m", "a", 1)).revision)
        assert seen == sorted(set(seen))

    async def test_a_recreated_key_never_satisfies_an_old_revision(self, keys: Keys) -> None:
        old = (await keys.set("n", "k", 1)).revision
        await keys.delete("n", "k")
        new = (await keys.set("n", "k", 1)).revision
        assert new > old
        with pytest.raises(RevisionMismatch):
            await keys.set("n", "k", 2, if_revision=old)

    async def test_if_revision(self, keys: Keys) -> None:
        with pytest.raises(RevisionMismatch, match="is not there") as caught:
            await keys.set("n", "k", 1, if_revision=7)
        assert caught.value.details["revision"] == 0
        first = await keys.set("n", "k", 1, if_revision=0)
        assert first.created
        with pytest.raises(RevisionMismatch) as caught:
            await keys.set("n", "k", 2, if_revision=0)
        assert caught.value.details["revision"] == first.revision
        second = await keys.set("n", "k", 2, if_revision=first.revision)
        assert not second.created
        with pytest.raises(RevisionMismatch):
            await keys.delete("n", "k", if_revision=first.revision)
        with pytest.raises(RevisionMismatch):
            await keys.delete("n", "other", if_revision=first.revision)
        assert await keys.delete("n", "k", if_revision=second.revision)

    async def test_an_expired_key_is_absent_everywhere(self, keys: Keys, clock: FakeClock) -> None:
        await keys.set("n", "k", 5, ttl=60)
        await keys.set("n", "other", 1)
        clock.advance(59)
        assert await keys.get("n", "k") is not None
        clock.advance(1)
        assert await keys.get("n", "k") is None
        assert list(await keys.get_many("n", ["k", "other"])) == ["other"]
        assert [entry.key for entry in (await keys.list("n")).items] == ["other"]
        assert [(use.namespace, use.key_count) for use in (await keys.list_namespaces()).namespaces] == [("n", 1)]
        assert not await keys.delete("n", "k")

    async def test_create_only_over_an_expired_key_succeeds(self, keys: Keys, clock: FakeClock) -> None:
        old = (await keys.set("n", "k", 1, ttl=60)).revision
        clock.advance(60)
        with pytest.raises(RevisionMismatch):
            await keys.set("n", "k", 2, if_revision=old)
        made = await keys.set("n", "k", 2, if_revision=0)
        assert made.created
        entry = await keys.get("n", "k")
        assert entry is not None
        assert (entry.value, entry.expires_at, entry.created_at) == (2, None, clock.now())

    async def test_setting_without_a_ttl_takes_the_end_away(self, keys: Keys, clock: FakeClock) -> None:
        await keys.set("n", "k", 1, ttl=timedelta(seconds=60))
        await keys.set("n", "k", 2)
        clock.advance(3600)
        assert await keys.get("n", "k") is not None

    async def test_increment(self, keys: Keys, clock: FakeClock) -> None:
        assert (await keys.increment("n", "k")).value == 1
        assert (await keys.increment("n", "k", 41)).value == 42
        assert (await keys.increment("n", "k", -50)).value == -8
        made = await keys.increment("n", "other", 5, initial=100)
        assert (made.value, made.created) == (105, True)
        assert not (await keys.increment("n", "other", 5, initial=100)).created

    async def test_increments_are_exact(self, keys: Keys) -> None:
        for _ in range(10):
            total = await keys.increment("n", "k", Decimal("0.1"))
        assert total.value == 1
        assert type(total.value) is int
        assert (await keys.increment("n", "k", 0.1)).value == Decimal("1.1")
        assert (await keys.increment("n", "big", BIG, initial=BIG)).value == 2 * BIG

    async def test_increment_of_an_expired_key_starts_from_initial(self, keys: Keys, clock: FakeClock) -> None:
        await keys.set("n", "k", 70, ttl=60)
        assert (await keys.increment("n", "k")).value == 71
        clock.advance(60)
        found = await keys.increment("n", "k", initial=10, ttl=30)
        assert (found.value, found.created) == (11, True)
        clock.advance(30)
        assert await keys.get("n", "k") is None

    async def test_increment_keeps_the_end(self, keys: Keys, clock: FakeClock) -> None:
        await keys.increment("n", "k", ttl=60)
        clock.advance(30)
        await keys.increment("n", "k", ttl=60)
        clock.advance(30)
        assert await keys.get("n", "k") is None

    async def test_only_numbers_can_be_incremented(self, keys: Keys) -> None:
        for value, kind in (("7", "string"), (True, "boolean"), (None, "null"), ([], "array"), ({}, "object")):
            await keys.set("n", "k", value)
            with pytest.raises(InvalidInput, match=f"is of type {kind}, not a number"):
                await keys.increment("n", "k")
        for by in ("1", True, float("nan"), float("inf"), None):
            with pytest.raises(InvalidInput, match="by"):
                await keys.increment("n", "k", by)  # type: ignore[arg-type]

    async def test_prefixes_are_literal(self, keys: Keys) -> None:
        names = ["a", "a_", "a_b", "a%b", "aXb", "a\\b", "b", "A_b", "\U0010ffff", "\U0010ffffx", "\ud7ff", "\ue000"]
        await keys.set_many("n", dict.fromkeys(names, 0))
        for prefix in ("a", "a_", "a%", "a\\", "A", "\U0010ffff", "\ud7ff", "", "zz"):
            found = [entry.key for entry in (await keys.list("n", prefix=prefix)).items]
            assert found == sorted((name for name in names if name.startswith(prefix)), key=str.encode)

    async def test_pages_neither_skip_nor_repeat(self, keys: Keys) -> None:
        names = [f"k{number:02}" for number in range(25)]
        await keys.set_many("n", dict.fromkeys(names, 0))
        found: list[str] = []
        cursor = None
        while True:
            page = await keys.list("n", limit=7, cursor=cursor)
            found += [entry.key for entry in page.items]
            # Between two pages keys come before and after the place, and the very last one seen goes.
            await keys.delete("n", found[-1])
            await keys.set("n", "a-before", 1)
            cursor = page.next_cursor
            if cursor is None:
                break
        assert found == names

    async def test_a_cursor_fits_its_query_only(self, keys: Keys) -> None:
        await keys.set_many("n", {"a1": 1, "a2": 2})
        cursor = (await keys.list("n", prefix="a", limit=1)).next_cursor
        for namespace, prefix in (("m", "a"), ("n", "")):
            with pytest.raises(InvalidInput, match="another query"):
                await keys.list(namespace, prefix=prefix, cursor=cursor)
        with pytest.raises(InvalidInput, match="not one of ours"):
            await keys.list("n", prefix="a", cursor="nonsense!")

    async def test_namespaces_are_apart_and_counted(self, keys: Keys) -> None:
        await keys.set_many("a", {"1": 1, "2": 2})
        await keys.set("b", "1", "other")
        assert [(n.namespace, n.key_count) for n in (await keys.list_namespaces()).namespaces] == [("a", 2), ("b", 1)]
        page = await keys.list_namespaces(limit=1)
        rest = await keys.list_namespaces(cursor=page.next_cursor)
        assert [n.namespace for n in (*page.namespaces, *rest.namespaces)] == ["a", "b"]
        assert await keys.namespace_names("b") == ["b"]

    async def test_many_at_once_or_none(self, keys: Keys) -> None:
        made = await keys.set_many("n", [Put("a", 1), Put("b", 2, ttl=60, if_revision=0)])
        assert [one.created for one in made] == [True, True]
        with pytest.raises(RevisionMismatch, match="'b'"):
            await keys.set_many("n", [Put("a", 9), Put("b", 9, if_revision=0), Put("c", 9)])
        assert {key: entry.value for key, entry in (await keys.get_many("n", ["a", "b", "c"])).items()} == {
            "a": 1,
            "b": 2,
        }
        assert await keys.delete_many("n", ["a", "b", "c"]) == 2
        with pytest.raises(InvalidInput, match="twice"):
            await keys.set_many("n", [Put("a", 1), Put("a", 2)])

    async def test_expired_keys_are_swept(self, keys: Keys, clock: FakeClock) -> None:
        await keys.set_many("n", [Put("a", 1, ttl=1), Put("b", 1, ttl=1), Put("c", 1)])
        assert await keys.delete_expired() == 0
        clock.advance(1)
        assert await keys.delete_expired() == 2
        assert await keys.delete_expired() == 0
        assert [entry.key for entry in (await keys.list("n")).items] == ["c"]

    async def test_those_that_are_over_longest_are_swept_first(self, keys: Keys, clock: FakeClock) -> None:
        start = (await keys.changes("n")).position
        for key, ttl in (("a", 30), ("b", 10), ("c", 20), ("d", 10)):
            await keys.set("n", key, 1, ttl=ttl)
        clock.advance(timedelta(seconds=30))
        assert [await keys.delete_expired(limit=2) for _ in range(3)] == [2, 2, 0]
        told = (await keys.changes("n", after=start)).items
        assert [change.key for change in told if change.op == "expired"] == ["b", "d", "c", "a"]

    async def test_expired_keys_are_swept_by_a_write_only_where_a_quota_is_full(
        self, keys: Keys, clock: FakeClock
    ) -> None:
        start = (await keys.changes("n")).position
        await keys.configure("n", max_keys=3)
        await keys.set("n", "a", 1, ttl=10)
        clock.advance(timedelta(seconds=10))
        for key in ("b", "c"):
            await keys.set("n", key, 1)
        assert "expired" not in [change.op for change in (await keys.changes("n", after=start)).items]
        await keys.delete("n", "b")
        told = [(change.key, change.op) for change in (await keys.changes("n", after=start)).items]
        assert told == [("a", "set"), ("b", "set"), ("c", "set"), ("a", "expired"), ("b", "deleted")]
        await keys.configure("m", schema={"type": "integer"})
        await keys.set("m", "a", 1, ttl=10)
        clock.advance(timedelta(seconds=10))
        await keys.set("m", "b", 1)
        assert await keys.delete_expired() == 1

    async def test_a_namespace_whose_keys_are_over_is_not_suggested(self, keys: Keys, clock: FakeClock) -> None:
        await keys.set("over", "k", 1, ttl=10)
        await keys.set("there", "k", 1)
        clock.advance(timedelta(seconds=10))
        assert await keys.namespace_names() == ["there"]
        assert await keys.namespace_names("o") == []

    async def test_a_counter_has_at_most_a_thousand_digits(self, keys: Keys) -> None:
        small, large = Decimal("1e-1000"), Decimal("1e999")
        assert (await keys.increment("n", "small", small)).value == small
        assert (await keys.increment("n", "large", large)).value == 10**999
        before = {entry.key: entry.revision for entry in (await keys.list("n")).items}
        for key, by in (("small", large), ("large", small), ("large", 9 * large)):
            with pytest.raises(InvalidInput, match="more than 1000 digits"):
                await keys.increment("n", key, by)
        for by, initial in ((large, small), (Decimal("1e1000"), small), (small, Decimal("1." + "1" * 1000))):
            with pytest.raises(InvalidInput, match="more than 1000 digits"):
                await keys.increment("n", "new", by, initial=initial)
        assert {entry.key: entry.revision for entry in (await keys.list("n")).items} == before
        assert (await keys.increment("n", "large", -large)).value == 0

    async def test_a_text_is_no_list_of_keys(self, keys: Keys) -> None:
        await keys.set_many("n", {"x": 1, "y": 2})
        for call in (keys.get_many, keys.delete_many, keys.set_many):
            for given in ("xy", b"xy", 7):
                with pytest.raises(InvalidInput, match="not a list"):
                    await call("n", given)  # type: ignore[arg-type]  # it is what is tested
        with pytest.raises(InvalidInput, match="values holds"):
            await keys.set_many("n", ["x"])  # type: ignore[list-item]  # it is what is tested
        assert len((await keys.list("n")).items) == 2

    async def test_a_namespace_may_have_a_schema(self, keys: Keys) -> None:
        await keys.set("n", "old", "anything")
        await keys.configure("n", schema={"type": "integer", "maximum": 10})
        with pytest.raises(SchemaViolation, match="'x' is not of type 'integer'"):
            await keys.set("n", "k", "x")
        await keys.set("n", "k", 9)
        assert (await keys.increment("n", "k")).value == 10
        with pytest.raises(SchemaViolation, match="greater than the maximum"):
            await keys.increment("n", "k")
        with pytest.raises(SchemaViolation):
            await keys.set_many("n", {"a": 1, "b": 11})
        assert await keys.get("n", "a") is None
        entry = await keys.get("n", "old")
        assert entry is not None
        await keys.configure("n")
        await keys.set("n", "k", "x")
        with pytest.raises(InvalidInput, match="not a JSON Schema"):
            await keys.configure("n", schema={"type": "nonsense"})

    async def test_a_namespace_may_have_quotas(self, keys: Keys, clock: FakeClock) -> None:
        await keys.set("n", "k0", "0123456789")
        rules = await keys.configure("n", max_keys=5)
        assert (rules.keys, rules.bytes) == (1, 12)
        assert [(await keys.set("n", f"k{i}", i)).warning for i in range(1, 3)] == [None, None]
        assert "80 % full" in ((await keys.set("n", "k3", 1)).warning or "")
        await keys.set("n", "k4", 1, ttl=60)
        with pytest.raises(QuotaExceeded, match="its quota is 5 keys"):
            await keys.set("n", "k5", 1)
        with pytest.raises(QuotaExceeded):
            await keys.increment("n", "k5")
        await keys.set("n", "k3", 2)
        clock.advance(60)
        await keys.set("n", "k5", 1)
        await keys.delete("n", "k5")
        assert (await keys.set("n", "k0", 1)).warning is not None
        await keys.delete("n", "k0")
        assert (await keys.set("n", "k1", 1)).warning is None
        assert (await keys.rules("n")).keys == 3
        await keys.configure("n", max_bytes=10)
        with pytest.raises(QuotaExceeded, match="its quota is 10 bytes"):
            await keys.set("n", "k1", "a long text")

    async def test_changes_can_be_followed(self, keys: Keys, clock: FakeClock) -> None:
        first = await keys.set("n", "a", 1)
        start = (await keys.changes("n")).position
        await keys.set("other", "a", 1)
        second = await keys.set("n", "a", 2)
        await keys.increment("n", "b", ttl=60)
        await keys.delete("n", "a")
        found = await keys.changes("n", after=start)
        told = [(change.key, change.op, change.value, change.superseded) for change in found.items]
        assert told == [("a", "set", None, True), ("b", "set", 1, False), ("a", "deleted", None, False)]
        assert found.items[0].revision == second.revision
        assert (await keys.changes("n", after=found.position)).items == []
        assert len((await keys.changes("n", after=0)).items) == 4
        assert [c.revision for c in (await keys.changes("n", after=first.revision)).items] == [
            c.revision for c in found.items
        ]
        clock.advance(60)
        await keys.delete_expired()
        assert [change.op for change in (await keys.changes("n", after=found.position)).items] == ["expired"]

    async def test_following_goes_on_from_every_change(self, keys: Keys) -> None:
        for number in range(7):
            await keys.set("n", f"k{number}", number)
        everything = (await keys.changes("n", after=0)).items
        assert [change.value for change in everything] == list(range(7))
        await keys.set("n", "last", 7)
        for number, change in enumerate(everything):
            rest: list[Any] = []
            position: str = change.position
            while True:
                page = await keys.changes("n", after=position, limit=2)
                rest += [later.value for later in page.items]
                position = page.position
                if not page.items:
                    break
            assert rest == list(range(number + 1, 8))
        with pytest.raises(InvalidInput, match="another query"):
            await keys.changes("m", after=everything[0].position)

    @pytest.mark.parametrize(
        ("namespace", "key", "message"),
        [
            (None, "k", "namespace is missing"),
            ("", "k", "namespace is empty"),
            (7, "k", "namespace is 7, not a text"),
            ("n" * 257, "k", "namespace has 257 characters"),
            ("n", None, "key is missing"),
            ("n", "", "key is empty"),
            ("n", "k" * 513, "key has 513 characters"),
            ("n", "a\0b", "key holds a NUL"),
            ("n", "\ud800", "lone surrogate"),
            ("🙂" * 256, "🙂" * 512, "together have 3072 bytes"),
        ],
    )
    async def test_names_are_checked(self, keys: Keys, namespace: Any, key: Any, message: str) -> None:
        with pytest.raises(InvalidInput, match=message):
            await keys.set(namespace, key, 1)
        with pytest.raises(InvalidInput, match=message):
            await keys.get(namespace, key)

    async def test_the_longest_names_fit(self, keys: Keys) -> None:
        await keys.set("n" * 256, "k" * 512, 1)
        await keys.set("ü" * 256, "ü" * 512, 1)
        assert await keys.get("ü" * 256, "ü" * 512) is not None

    async def test_values_are_checked(self, keys: Keys) -> None:
        for value, message in (
            (float("nan"), "NaN"),
            (float("-inf"), "Infinity"),
            (object(), "a object is not JSON"),
            (b"bytes", "a bytes is not JSON"),
            ({1: 2}, "object keys must be strings"),
            ("a\0b", "NUL"),
            ({"a\0": 1}, "NUL"),
            ("\ud800", "surrogate"),
            (10**1001, "1000 digits"),
            (Decimal("1e5000"), "1000 digits"),
            ("x" * (256 * 1024), "has 262146 bytes, the limit is 262144"),
        ):
            with pytest.raises(InvalidInput, match=message):
                await keys.set("n", "k", value)
        await keys.set("n", "k", "x" * (256 * 1024 - 2))
        await keys.set("n", "k", "\\u0000 is only text")

    async def test_other_input_is_checked(self, keys: Keys) -> None:
        for revision in (-1, True, "1", 1.0):
            with pytest.raises(InvalidInput, match="if_revision"):
                await keys.set("n", "k", 1, if_revision=revision)  # type: ignore[arg-type]
        for ttl in (0, -1, "1", True, float("nan"), 1e30):
            with pytest.raises(InvalidInput, match="ttl"):
                await keys.set("n", "k", 1, ttl=ttl)  # type: ignore[arg-type]
        for limit in (0, 201, True, "5"):
            with pytest.raises(InvalidInput, match="limit"):
                await keys.list("n", limit=limit)  # type: ignore[arg-type]
        with pytest.raises(InvalidInput, match="1001 members"):
            await keys.get_many("n", map(str, range(1001)))


class LinksConformance:
    """What links promise."""

    async def test_a_link_is_found_from_both_ends(self, links: Links) -> None:
        made = await links.upsert("n", ("task", "a"), ("ticket", "b"), relation="mirrors", attributes={"map": {"x": 1}})
        assert made.created
        (there,) = (await links.lookup("n", ("task", "a"))).matches
        assert (there.type, there.id, there.relation, there.attributes) == ("ticket", "b", "mirrors", {"map": {"x": 1}})
        (back,) = (await links.lookup("n", ("ticket", "b"), direction="reverse")).matches
        assert (back.link_id, back.type, back.id, back.direction) == (made.link_id, "task", "a", "reverse")
        assert (await links.lookup("n", ("ticket", "b"))).matches == []
        assert (await links.lookup("other", ("task", "a"))).matches == []
        assert (await links.lookup("n", ("ticket", "a"))).matches == []

    async def test_the_same_link_again_changes_its_attributes_only(self, links: Links) -> None:
        first = await links.upsert("n", Ref("t", "a"), Ref("t", "b"), attributes={"v": 1})
        again = await links.upsert("n", ("t", "a"), ("t", "b"))
        assert (again.link_id, again.created) == (first.link_id, False)
        assert (await links.lookup("n", ("t", "a"))).matches[0].attributes == {"v": 1}
        await links.upsert("n", {"type": "t", "id": "a"}, ("t", "b"), attributes={"w": Decimal("0.1")})
        assert (await links.lookup("n", ("t", "a"))).matches[0].attributes == {"w": Decimal("0.1")}
        assert len((await links.list("n")).items) == 1

    async def test_one_pair_may_be_linked_in_several_ways(self, links: Links) -> None:
        for relation in ("mirrors", "blocks"):
            assert (await links.upsert("n", ("t", "a"), ("t", "b"), relation=relation)).created
        assert (await links.upsert("n", ("t", "b"), ("t", "a"), relation="blocks")).created
        found = (await links.lookup("n", ("t", "a"), direction="either")).matches
        assert [(m.relation, m.direction) for m in found] == [
            ("blocks", "forward"),
            ("blocks", "reverse"),
            ("mirrors", "forward"),
        ] or [(m.relation, m.direction) for m in found] == [
            ("blocks", "reverse"),
            ("blocks", "forward"),
            ("mirrors", "forward"),
        ]
        assert [m.relation for m in (await links.lookup("n", ("t", "a"), relation="mirrors")).matches] == ["mirrors"]

    async def test_a_link_with_itself_shows_once(self, links: Links) -> None:
        await links.upsert("n", ("t", "a"), ("t", "a"))
        for direction in ("forward", "reverse", "either"):
            assert len((await links.lookup("n", ("t", "a"), direction=direction)).matches) == 1

    async def test_fan_out_by_type_and_in_pages(self, links: Links) -> None:
        for number in range(9):
            await links.upsert("n", ("t", "hub"), ("task" if number % 2 else "ticket", f"{number}"))
            await links.upsert("n", ("task", f"{number}"), ("t", "hub"))
        assert len((await links.lookup("n", ("t", "hub"), right_type="task")).matches) == 4
        everything = (await links.lookup("n", ("t", "hub"), direction="either", limit=200)).matches
        assert len(everything) == 18
        paged: list[Any] = []
        cursor = None
        while True:
            page = await links.lookup("n", ("t", "hub"), direction="either", limit=4, cursor=cursor)
            paged += page.matches
            cursor = page.next_cursor
            if cursor is None:
                break
        assert paged == everything
        first = await links.lookup("n", ("t", "hub"), limit=1)
        with pytest.raises(InvalidInput, match="another query"):
            await links.lookup("n", ("t", "hub"), direction="either", cursor=first.next_cursor)

    async def test_deleting_by_either_end(self, links: Links) -> None:
        for right in ("b", "c"):
            for relation in ("related", "blocks"):
                await links.upsert("n", ("t", "a"), ("t", right), relation=relation)
        await links.upsert("n", ("t", "x"), ("t", "b"))
        assert await links.delete("n", ("t", "a"), ("t", "b"), relation="blocks") == 1
        assert await links.delete("n", to=("t", "b")) == 2
        assert await links.delete("n", ("t", "a"), relation="nothing") == 0
        assert await links.delete("n", ("t", "a")) == 2
        with pytest.raises(InvalidInput, match="neither from nor to"):
            await links.delete("n")

    async def test_lists_in_pages(self, links: Links) -> None:
        for number in range(10):
            await links.upsert("n", ("l" if number % 2 else "L", f"{number}"), ("r", "x"))
        everything = [(link.left_type, link.left_id) for link in (await links.list("n")).items]
        assert everything == sorted(everything)
        found: list[tuple[str, str]] = []
        cursor = None
        while True:
            page = await links.list("n", limit=3, cursor=cursor)
            found += [(link.left_type, link.left_id) for link in page.items]
            await links.delete("n", found[-1])
            cursor = page.next_cursor
            if cursor is None:
                break
        assert found == everything
        assert len((await links.list("n", left_type="L")).items) == 4
        assert (await links.list("n", right_type="nothing")).items == []

    async def test_what_is_in_use(self, links: Links) -> None:
        await links.upsert("a", ("task", "1"), ("ticket", "2"), relation="mirrors")
        await links.upsert("b", ("x", "1"), ("y", "2"))
        await links.upsert("b", ("x", "1"), ("z", "2"))
        counts = (await links.list_namespaces()).namespaces
        assert [(n.namespace, n.link_count) for n in counts] == [("a", 1), ("b", 2)]
        assert list(await links.namespace_names()) == ["a", "b"]
        assert list(await links.types_in_use("b")) == ["x", "y", "z"]
        assert list(await links.relations_in_use("a")) == ["mirrors"]

    async def test_a_prefix_is_looked_for_among_all_in_use(self, links: Links) -> None:
        for number in range(60):
            await links.upsert("n", (f"a{number}", "1"), (f"a{number}", "2"), relation=f"a{number}")
        await links.upsert("n", ("zebra", "1"), ("zoo", "2"), relation="zones")
        assert await links.types_in_use("n", "z") == ["zebra", "zoo"]
        assert await links.relations_in_use("n", "z") == ["zones"]
        assert await links.types_in_use("n", "q") == []
        assert len(await links.types_in_use("n", "a")) == 50

    async def test_input_is_checked(self, links: Links) -> None:
        for arguments, message in (
            (("", ("t", "a"), ("t", "b")), "namespace is empty"),
            (("n", ("t" * 257, "a"), ("t", "b")), "from.type has 257 characters"),
            (("n", ("t", ""), ("t", "b")), "from.id is empty"),
            (("n", ("t", "a"), "b"), "to is 'b', not a record"),
            (("n", ("t", "a"), {"type": "t"}), "not a record"),
            (("n", ("t", "a"), ("t", None)), "to.id is missing"),
            (("🙂" * 256, ("t", "🙂" * 512), ("t", "🙂" * 512)), "the link together have"),
        ):
            with pytest.raises(InvalidInput, match=message):
                await links.upsert(*arguments)
        with pytest.raises(InvalidInput, match="relation has 257"):
            await links.upsert("n", ("t", "a"), ("t", "b"), relation="r" * 257)
        with pytest.raises(InvalidInput, match="attributes"):
            await links.upsert("n", ("t", "a"), ("t", "b"), attributes=[1])  # type: ignore[arg-type]
        with pytest.raises(InvalidInput, match="NaN"):
            await links.upsert("n", ("t", "a"), ("t", "b"), attributes={"x": float("nan")})
        with pytest.raises(InvalidInput, match="direction 'up'"):
            await links.lookup("n", ("t", "a"), direction="up")
        with pytest.raises(InvalidInput, match="limit"):
            await links.lookup("n", ("t", "a"), limit=201)

    async def test_the_longest_link_fits(self, links: Links) -> None:
        wide = ("t" * 256, "i" * 512)
        await links.upsert("n" * 256, wide, wide, relation="r" * 256)
        assert len((await links.lookup("n" * 256, wide, direction="reverse")).matches) == 1
