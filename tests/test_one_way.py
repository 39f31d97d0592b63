"""One way for each thing: a second one is found here, before somebody follows it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "holdfast"


def places(pattern: str, *suffixes: str, under: Path = SOURCE) -> Iterator[str]:
    """Files in which a pattern is found, but for the dump of the schema, which repeats all of it."""
    wanted = re.compile(pattern)
    for path in sorted(under.rglob("*")):
        if path.suffix in suffixes and path.name != "schema.sql" and wanted.search(path.read_text()):
            yield path.relative_to(under).as_posix()


def test_an_application_has_one_registry_of_actions() -> None:
    assert list(places(r"\bActionRegistry\(", ".py")) == ["app/parts.py"]


def test_programs_register_actions_with_the_decorator() -> None:
    for part in ("docs", "examples", "bench", "tests"):
        assert list(places(r"\bactions\.(add|register)\b[(]", ".py", ".md", under=ROOT / part)) == []


def test_events_reach_the_engine_inbox_by_one_function() -> None:
    inserting = r"(?i)INSERT\s+INTO\s+(holdfast\.)?workflow_events_outbox\b"
    assert list(places(inserting, ".sql", ".py")) == ["postgres/functions/processes/post_events_for.sql"]


def test_what_transition_is_meant_is_decided_in_one_place() -> None:
    assert list(places(r'\["waits_for"\]', ".py", under=SOURCE / "processes")) == ["meaning.py"]


def test_a_status_is_written_where_its_event_is() -> None:
    writing = r"UPDATE holdfast\.{table} \w+\s+SET (?:(?!WHERE)[^;])*?\b{column} ="
    assert list(places(writing.format(table="entities", column="doc_status"), ".sql", ".py")) == [
        "postgres/functions/documents/move_documents.sql"
    ]
    assert list(places(writing.format(table="workflow_instances", column="status"), ".sql", ".py")) == [
        "postgres/functions/processes/pause_instance.sql",
        "postgres/functions/processes/put_advance.sql",
    ]
    assert list(places(writing.format(table="approval_requests", column="status"), ".sql", ".py")) == [
        "postgres/functions/people/end_requests.sql"
    ]
    # Which is not granted: those who call it write the event.
    assert list(places(r"holdfast\.end_requests\(", ".sql", ".py")) == [
        "postgres/functions/people/close_requests.sql",
        "postgres/functions/people/end_requests.sql",
        "postgres/functions/people/record_decisions.sql",
    ]


def test_the_outbox_is_cloudevents_and_nothing_else() -> None:
    for part in ("processes", "documents", "people", "effects"):
        found = places(r"(?i)(?<!workflow_events_)(?<!side_effects_)outbox", ".py", under=SOURCE / part)
        assert list(found) == []


def test_a_document_is_called_document_id_in_python() -> None:
    # In quotes it may be a column, or part of a payload of the engine inbox.
    for part in ("documents", "people", "processes", "http"):
        assert list(places(r"(?<![\"'`])\bentity_id\b(?![\"'`])", ".py", under=SOURCE / part)) == []
