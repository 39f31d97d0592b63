"""What is exported is importable, whatever it holds, and its lines are lines for every program."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast import FakeClock, InvalidInput
from holdfast.data import Keys, Links, MemoryKeys, MemoryLinks
from holdfast.data.lines import export_lines, import_lines, split_lines
from holdfast.data.schemas import Schemas
from holdfast.kernel.actor import SYSTEM

NOW = datetime(2026, 6, 4, tzinfo=UTC)
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
LABEL = TEXT.filter(bool).map(lambda text: text[:100])
LINE_ENDS = st.sampled_from("\u2028\u2029\u0085\r\n\x0b\x0c\x1c\x1d\x1e")
ODD = st.lists(st.one_of(LINE_ENDS, TEXT), max_size=5).map("".join)
VALUE = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.decimals(allow_nan=False, allow_infinity=False, places=3), ODD
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(ODD, inner, max_size=3)),
    max_leaves=8,
)


def stores() -> tuple[MemoryKeys, MemoryLinks, Keys, Links]:
    keys, links = MemoryKeys(FakeClock(NOW)), MemoryLinks(FakeClock(NOW))
    return keys, links, Keys(keys, SYSTEM.require, Schemas()), Links(links, SYSTEM.require)


async def lines_of(keys: MemoryKeys, links: MemoryLinks) -> list[str]:
    return [line async for line in export_lines(keys, links, None, at=NOW)]


@given(
    st.lists(st.tuples(LABEL, LABEL, VALUE, st.sampled_from([None, 60.5])), max_size=5),
    st.lists(st.tuples(LABEL, LABEL, LABEL, st.dictionaries(ODD, VALUE, max_size=2)), max_size=3),
)
async def test_everything_that_is_accepted_comes_back(entries: list[Any], edges: list[Any]) -> None:
    keys, links, data, linked = stores()
    for namespace, key, value, ttl in entries:
        await data.set(namespace, key, value, ttl=ttl)
    for namespace, record, relation, attributes in edges:
        await linked.upsert(namespace, ("t", record), (record, "u"), relation=relation, attributes=attributes)
    exported = await lines_of(keys, links)
    for line in exported:
        assert line.splitlines() == [line]
    other_keys, other_links, other_data, other_linked = stores()
    text = "\n".join(exported) + "\n"
    done = await import_lines(other_data, other_linked, split_lines(text), now=NOW)
    assert done.skipped == 0
    without_revisions = [line.partition(',"revision"')[0] for line in await lines_of(other_keys, other_links)]
    assert without_revisions == [line.partition(',"revision"')[0] for line in exported]


async def test_an_export_is_read_in_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdfast.data.lines._PAGE_ROWS", 3)
    monkeypatch.setattr("holdfast.data.lines._PAGE_BYTES", 10)
    keys, links, data, linked = stores()
    for number in range(10):
        await data.set(f"n{number % 3}", f"k{number}", "x" * number)
        await linked.upsert("n", ("t", str(number)), ("u", "1"), attributes={"x": "y" * number})
    assert len(await lines_of(keys, links)) == 22
    some = [line async for line in export_lines(keys, links, "n1")]
    assert [line for line in some if '"namespace":"n1"' in line] == some[:-1]


async def test_of_many_keys_that_are_there_none_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """To be refused one after the other would take the square of it."""
    keys, links, data, linked = stores()
    await data.set_many("n", {f"k{number}": number for number in range(300)})
    exported = await lines_of(keys, links)
    tried = 0
    set_many = data.set_many

    async def counted(*given: Any) -> Any:
        nonlocal tried
        tried += 1
        return await set_many(*given)

    monkeypatch.setattr(data, "set_many", counted)
    done = await import_lines(data, linked, exported, now=NOW, on_conflict="keep")
    assert (done.keys, done.skipped, tried) == (0, 300, 0)


async def test_an_export_of_another_format_is_refused() -> None:
    _, _, data, linked = stores()
    with pytest.raises(InvalidInput, match="line 1: its format is 2"):
        await import_lines(data, linked, ['{"kind": "export", "format": 2}'], now=NOW)
