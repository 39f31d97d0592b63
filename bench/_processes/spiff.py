"""SpiffWorkflow: the same invoice in BPMN. It brings no storage: every decision loads the workflow, runs and saves it.

One row a workflow, locked while it is worked on, its state as JSON: what its documentation recommends to do. As many
clients decide at once as in the other programs, in one process.

Run as `spiff.py DSN N`: prints one JSON object of figures.
"""

# mypy: disable-error-code="import-not-found,import-untyped"

from __future__ import annotations

import io
import json
import random
import sys
import threading
import time
from typing import Any

import psycopg
from lxml import etree
from SpiffWorkflow.bpmn.parser import BpmnParser
from SpiffWorkflow.bpmn.serializer import BpmnWorkflowSerializer
from SpiffWorkflow.bpmn.workflow import BpmnWorkflow
from SpiffWorkflow.util.task import TaskState

CLIENTS = 4
WARM = 40
BPMN = b"""<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" id="d" targetNamespace="http://bpmn.io/schema/bpmn">
  <bpmn:process id="invoice" isExecutable="true">
    <bpmn:startEvent id="start"><bpmn:outgoing>f1</bpmn:outgoing></bpmn:startEvent>
    <bpmn:userTask id="submit"><bpmn:incoming>f1</bpmn:incoming><bpmn:outgoing>f2</bpmn:outgoing></bpmn:userTask>
    <bpmn:exclusiveGateway id="large" default="f4"><bpmn:incoming>f2</bpmn:incoming><bpmn:outgoing>f3</bpmn:outgoing>
      <bpmn:outgoing>f4</bpmn:outgoing></bpmn:exclusiveGateway>
    <bpmn:parallelGateway id="split"><bpmn:incoming>f3</bpmn:incoming><bpmn:outgoing>f5</bpmn:outgoing>
      <bpmn:outgoing>f6</bpmn:outgoing></bpmn:parallelGateway>
    <bpmn:userTask id="finance"><bpmn:incoming>f5</bpmn:incoming><bpmn:outgoing>f7</bpmn:outgoing></bpmn:userTask>
    <bpmn:userTask id="budget"><bpmn:incoming>f6</bpmn:incoming><bpmn:outgoing>f8</bpmn:outgoing></bpmn:userTask>
    <bpmn:parallelGateway id="join"><bpmn:incoming>f7</bpmn:incoming><bpmn:incoming>f8</bpmn:incoming>
      <bpmn:outgoing>f9</bpmn:outgoing></bpmn:parallelGateway>
    <bpmn:scriptTask id="post"><bpmn:incoming>f9</bpmn:incoming><bpmn:outgoing>f10</bpmn:outgoing>
      <bpmn:script>posted = True</bpmn:script></bpmn:scriptTask>
    <bpmn:endEvent id="end"><bpmn:incoming>f10</bpmn:incoming></bpmn:endEvent>
    <bpmn:endEvent id="small"><bpmn:incoming>f4</bpmn:incoming></bpmn:endEvent>
    <bpmn:sequenceFlow id="f1" sourceRef="start" targetRef="submit" />
    <bpmn:sequenceFlow id="f2" sourceRef="submit" targetRef="large" />
    <bpmn:sequenceFlow id="f3" sourceRef="large" targetRef="split">
      <bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">total &gt; 10000</bpmn:conditionExpression>
    </bpmn:sequenceFlow>
    <bpmn:sequenceFlow id="f4" sourceRef="large" targetRef="small" />
    <bpmn:sequenceFlow id="f5" sourceRef="split" targetRef="finance" />
    <bpmn:sequenceFlow id="f6" sourceRef="split" targetRef="budget" />
    <bpmn:sequenceFlow id="f7" sourceRef="finance" targetRef="join" />
    <bpmn:sequenceFlow id="f8" sourceRef="budget" targetRef="join" />
    <bpmn:sequenceFlow id="f9" sourceRef="join" targetRef="post" />
    <bpmn:sequenceFlow id="f10" sourceRef="post" targetRef="end" />
  </bpmn:process>
</bpmn:definitions>
"""


STAGES = 12


def long_bpmn() -> bytes:
    """Sixty nodes: twelve times a script, a gateway, somebody's approval, a script, a gateway."""
    parts: list[str] = []
    flows: list[str] = []

    def flow(source: str, target: str, condition: str = "") -> str:
        name = f"f{len(flows)}"
        test = f'<bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">{condition}</bpmn:conditionExpression>'
        inner = test if condition else ""
        ends = f'sourceRef="{source}" targetRef="{target}"'
        flows.append(f'<bpmn:sequenceFlow id="{name}" {ends}>{inner}</bpmn:sequenceFlow>')
        return name

    parts += ['<bpmn:startEvent id="start" />', '<bpmn:userTask id="submit" />', '<bpmn:endEvent id="end" />']
    flow("start", "submit")
    flow("submit", "before1")
    for n in range(1, STAGES + 1):
        following = f"before{n + 1}" if n < STAGES else "end"
        flow(f"before{n}", f"large{n}")
        flow(f"large{n}", f"ask{n}", f"total &gt; {n}")
        default = flow(f"large{n}", "end")
        flow(f"ask{n}", f"after{n}")
        flow(f"after{n}", f"more{n}")
        flow(f"more{n}", following, "total &gt; 10000")
        otherwise = flow(f"more{n}", "end")
        parts += [
            f'<bpmn:scriptTask id="before{n}"><bpmn:script>stage = {n}</bpmn:script></bpmn:scriptTask>',
            f'<bpmn:exclusiveGateway id="large{n}" default="{default}" />',
            f'<bpmn:userTask id="ask{n}" />',
            f'<bpmn:scriptTask id="after{n}"><bpmn:script>passed = {n}</bpmn:script></bpmn:scriptTask>',
            f'<bpmn:exclusiveGateway id="more{n}" default="{otherwise}" />',
        ]
    head = BPMN[: BPMN.index(b"<bpmn:startEvent")].replace(b'"invoice"', b'"order"').decode()
    return "".join([head, *parts, *flows, "</bpmn:process></bpmn:definitions>"]).encode()


def save(connection: psycopg.Connection[Any], number: int, text: str) -> None:
    connection.execute("UPDATE workflow SET state = %s, version = version + 1 WHERE id = %s", [text, number])


def work(connection: psycopg.Connection[Any], serializer: Any, number: int, name: str) -> None:
    """One decision: load, complete the task, run on, save."""
    with connection.transaction():
        row = connection.execute("SELECT state FROM workflow WHERE id = %s FOR UPDATE", [number]).fetchone()
        assert row is not None
        workflow = serializer.deserialize_json(row[0])
        task = next(each for each in workflow.get_tasks(state=TaskState.READY) if each.task_spec.name == name)
        task.run()
        workflow.do_engine_steps()
        save(connection, number, serializer.serialize_json(workflow))


def create(connection: psycopg.Connection[Any], serializer: Any, spec: Any, numbers: range) -> None:
    for number in numbers:
        workflow = BpmnWorkflow(spec)
        workflow.do_engine_steps()
        workflow.get_tasks(state=TaskState.READY)[0].data["total"] = 12500
        text = serializer.serialize_json(workflow)
        connection.execute("INSERT INTO workflow (id, state) VALUES (%s, %s)", [number, text])


def clients(dsn: str, todo: list[tuple[int, str]], together: int = 1) -> tuple[float, list[float]]:
    """Several people at once, a thread and a connection each. Seconds for all, milliseconds for each.

    What is to be done one after the other comes in groups of `together`, the first of each group last.
    """
    waiting, times = [todo[start : start + together] for start in range(0, len(todo), together)], []
    ready = threading.Barrier(CLIENTS + 1)

    def client() -> None:
        serializer = BpmnWorkflowSerializer()
        with psycopg.connect(dsn, autocommit=True) as connection:
            connection.execute("SELECT 1")
            ready.wait()
            while True:
                try:
                    group = waiting.pop()
                except IndexError:
                    return
                for number, name in reversed(group):
                    began = time.perf_counter()
                    work(connection, serializer, number, name)
                    times.append((time.perf_counter() - began) * 1000)

    threads = [threading.Thread(target=client) for _ in range(CLIENTS)]
    for thread in threads:
        thread.start()
    ready.wait()
    began = time.perf_counter()
    for thread in threads:
        thread.join()
    passed = time.perf_counter() - began
    assert len(times) == len(todo)
    return passed, times


def spec_of(bpmn: bytes, name: str) -> Any:
    parser = BpmnParser()
    parser.add_bpmn_xml(etree.parse(io.BytesIO(bpmn)))
    return parser.get_spec(name)


def long_approvals(dsn: str, connection: psycopg.Connection[Any], serializer: Any, numbers: range) -> float:
    """The second shape: several people at once bring one order after the other through its twelve approvals."""
    create(connection, serializer, spec_of(long_bpmn(), "order"), numbers)
    clients(dsn, [(number, "submit") for number in numbers])
    todo = [(number, f"ask{n}") for number in numbers for n in range(STAGES, 0, -1)]
    passed, _ = clients(dsn, todo, together=STAGES)
    return STAGES * len(numbers) / passed


def main(dsn: str, n: int) -> None:
    spec = spec_of(BPMN, "invoice")
    serializer = BpmnWorkflowSerializer()
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(
            "CREATE TABLE workflow (id int PRIMARY KEY, state text NOT NULL, version int NOT NULL DEFAULT 1)"
        )
        for numbers in (range(WARM), range(WARM, WARM + n)):
            create(connection, serializer, spec, numbers)
            connection.execute("VACUUM ANALYZE")
            _, times = clients(dsn, [(number, "submit") for number in numbers])
            decisions = [(number, name) for number in numbers for name in ("finance", "budget")]
            random.Random(1).shuffle(decisions)
            passed, _ = clients(dsn, decisions)
        longer = range(WARM + n, WARM + n + max(4, n // 10))
        long_approvals(dsn, connection, serializer, range(longer.stop, longer.stop + 4))
        long_per_s = long_approvals(dsn, connection, serializer, longer)
        for (text,) in connection.execute("SELECT state FROM workflow").fetchall():
            assert serializer.deserialize_json(text).is_completed()
    figures = {
        "approvals_per_s": 2 * n / passed,
        "long_approvals_per_s": long_per_s,
        "advance_p95_ms": sorted(times)[int(n * 0.95)],
    }
    sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
