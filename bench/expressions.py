"""How long one evaluation of a routing condition takes, beside peers, in one process and in interleaved rounds.

    python -m bench.expressions --peers cel-python,simpleeval --n 200000 --rounds 7

Every subject answers the same question about the same documents, prepared as far as its library allows: parsed,
compiled and, for cel-python, with the document already in its types. Before anything is timed all must agree.
`eval_us` is the plain evaluation, `traced_eval_us` the one that records every variable and sub-result, `traced_json_us`
that and its JSON with the sentence. Peers do not trace. Missing peers are installed beside this file, never into the
environment.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import json
import platform
import statistics
import subprocess
import sys
import timeit
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from bench._harness.options import Parser
from holdfast.envelope.expressions import Scope, compile_expression

HERE = Path(__file__).parent
PEERS = HERE / ".peers" / "expressions"
RESULTS = HERE / "results" / "expressions.jsonl"
BUDGET = 0.5
"""Seconds one figure may take in one round; slow subjects make fewer evaluations."""

TEXT = 'entity.grand_total > 10000 && actor.roles contains "finance_manager"'
SCHEMA = {"type": "object", "required": ["grand_total"], "properties": {"grand_total": {"type": "number"}}}

Roots = dict[str, Any]
DOCUMENTS: list[tuple[Roots, bool]] = [
    ({"entity": {"grand_total": 12500}, "actor": {"roles": ["clerk", "finance_manager"]}}, True),
    ({"entity": {"grand_total": 12500}, "actor": {"roles": ["clerk"]}}, False),
    ({"entity": {"grand_total": 900}, "actor": {"roles": ["finance_manager"]}}, False),
]


class Subject(NamedTuple):
    """One timed call: who, what is measured, the call, and what prepares a document for it."""

    name: str
    metric: str
    call: Callable[[Any], Any]
    prepare: Callable[[Roots], Any]
    answer: Callable[[Any], bool]


def by_hand(roots: Roots) -> bool:
    """What a programmer would write instead of an expression."""
    return roots["entity"]["grand_total"] > 10000 and "finance_manager" in roots["actor"]["roles"]


def by_hand_traced(roots: Roots) -> dict[str, Any]:
    """What a programmer would write to also leave an audit record."""
    total = roots["entity"]["grand_total"]
    variables = {"entity.grand_total": total}
    result = total > 10000
    if result:
        roles = roots["actor"]["roles"]
        variables["actor.roles"] = roles
        result = "finance_manager" in roles
    return {"expression": TEXT, "variables": variables, "result": result}


def ours() -> list[Subject]:
    """The subjects that need nothing but this repository."""
    compiled = compile_expression(TEXT, Scope.of(entity=SCHEMA), expect="boolean")
    return [
        Subject("holdfast", "eval_us", lambda roots: compiled.evaluate(roots), _same, bool),
        Subject("holdfast", "traced_eval_us", lambda roots: compiled.trace(roots), _same, lambda it: bool(it.result)),
        Subject(
            "holdfast",
            "traced_json_us",
            lambda roots: compiled.trace(roots).to_json(),
            _same,
            lambda it: bool(it["result"]),
        ),
        Subject("python", "eval_us", by_hand, _same, bool),
        Subject("python", "traced_eval_us", by_hand_traced, _same, lambda it: bool(it["result"])),
    ]


def cel_python() -> Subject:
    """cel-python, with the expression compiled and the document in its own types."""
    celpy = importlib.import_module("celpy")
    environment = celpy.Environment()
    program = environment.program(environment.compile('entity.grand_total > 10000 && "finance_manager" in actor.roles'))

    def prepare(roots: Roots) -> Any:
        return {name: celpy.json_to_cel(value) for name, value in roots.items()}

    return Subject("cel-python", "eval_us", program.evaluate, prepare, bool)


def simple_eval() -> Subject:
    """simpleeval, with the expression parsed beforehand."""
    simpleeval = importlib.import_module("simpleeval")
    text = "entity['grand_total'] > 10000 and 'finance_manager' in actor['roles']"
    evaluator = simpleeval.EvalWithCompoundTypes()
    parsed = evaluator.parse(text)

    def call(roots: Roots) -> Any:
        evaluator.names = roots
        return evaluator.eval(text, previously_parsed=parsed)

    return Subject("simpleeval", "eval_us", call, _same, bool)


KNOWN_PEERS: dict[str, tuple[str, Callable[[], Subject]]] = {
    "cel-python": ("celpy", cel_python),
    "simpleeval": ("simpleeval", simple_eval),
}


def peer(name: str) -> Subject | None:
    """A peer, installed if need be; None when it cannot be had."""
    module, make = KNOWN_PEERS[name]
    if str(PEERS) not in sys.path:
        # At the end: a peer's dependencies must not replace the versions we run with.
        sys.path.append(str(PEERS))
    try:
        importlib.import_module(module)
    except ImportError:
        print(f"installing {name} into {PEERS.relative_to(HERE.parent)}", file=sys.stderr)
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(PEERS), name]
        if subprocess.run(command, check=False).returncode != 0:
            print(f"{name} could not be installed and is left out", file=sys.stderr)
            return None
        importlib.invalidate_caches()
    return make()


def measure(subject: Subject, count: int) -> float:
    """Microseconds for one call."""
    prepared = subject.prepare(DOCUMENTS[0][0])
    call = subject.call
    once = timeit.timeit(lambda: call(prepared), number=20) / 20
    number = max(20, min(count, int(BUDGET / max(once, 1e-9))))
    timer = timeit.Timer("call(prepared)", globals={"call": call, "prepared": prepared})
    return timer.timeit(number) / number * 1e6


def main() -> None:
    """Measure, print one table, write one line a figure."""
    options = _options()
    subjects = ours()
    for name in options.peers:
        found = peer(name)
        if found is not None:
            subjects.append(found)
    for subject in subjects:
        for roots, expected in DOCUMENTS:
            answer = subject.answer(subject.call(subject.prepare(roots)))
            if answer is not expected:
                sys.exit(f"{subject.name} answers {answer} for {roots}: the comparison would be unfair")
    figures: dict[tuple[str, str], list[float]] = {}
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    with RESULTS.open("w", encoding="utf-8") as results:
        for turn in range(1, options.rounds + 1):
            for subject in subjects:
                value = round(measure(subject, options.n), 4)
                figures.setdefault((subject.name, subject.metric), []).append(value)
                line = {"subject": subject.name, "metric": subject.metric, "value": value, "round": turn}
                results.write(json.dumps(line) + "\n")
    _print_table(figures, options.rounds)


def _options() -> argparse.Namespace:
    parser = Parser(
        "bench.expressions",
        "Time one condition beside peers.",
        peers=f"comma-separated; default {','.join(KNOWN_PEERS)}; none for none",
        n="evaluations a round, default 200000",
        rounds="rounds, default 7",
    )
    options = parser.parse_args()
    names = parser.peers(options.peers, KNOWN_PEERS) or list(KNOWN_PEERS)
    options.peers = [] if names == ["none"] else names
    options.n = parser.number("N", options.n, 200_000)
    options.rounds = parser.number("ROUNDS", options.rounds, 7)
    return options


def _print_table(figures: dict[tuple[str, str], list[float]], rounds: int) -> None:
    print(f"\n{TEXT}\nPython {platform.python_version()}, median of {rounds} rounds, microseconds\n")
    print(f"{'subject':<22}{'metric':<18}{'median':>10}{'best':>10}{'worst':>10}{'× by hand':>12}")
    for (name, metric), values in figures.items():
        base = figures.get(("python", metric))
        middle = statistics.median(values)
        ratio = f"{middle / statistics.median(base):.1f}" if base else "–"
        label = f"{name} {_version(name)}".strip()
        print(f"{label:<22}{metric:<18}{middle:>10.3f}{min(values):>10.3f}{max(values):>10.3f}{ratio:>12}")
    print(f"\n{RESULTS.relative_to(HERE.parent)}")


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name) if name in KNOWN_PEERS else ""
    except importlib.metadata.PackageNotFoundError:
        return ""


def _same(roots: Roots) -> Roots:
    return roots


if __name__ == "__main__":
    main()
