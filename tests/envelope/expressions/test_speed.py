from __future__ import annotations

import sys
import timeit

import pytest

from envelope.expressions.samples import SCOPE, roots
from holdfast.envelope.expressions import compile_expression

# The best of many short runs: what the machine does when nobody else uses it.
TURNS, EVALUATIONS = 60, 1000


def best_microseconds(statement: str, **names: object) -> float:
    return min(timeit.repeat(statement, globals=dict(names), repeat=TURNS, number=EVALUATIONS)) / EVALUATIONS * 1e6


@pytest.mark.skipif(sys.gettrace() is not None, reason="a tracer such as coverage is timing itself")
def test_a_routing_condition_takes_at_most_a_microsecond_and_six_with_its_reasons() -> None:
    text = 'entity.grand_total > 10000 && actor.roles contains "finance_manager"'
    condition = compile_expression(text, SCOPE, expect="boolean")
    assert best_microseconds("condition.evaluate(data)", condition=condition, data=roots()) <= 1
    assert best_microseconds("condition.trace(data)", condition=condition, data=roots()) <= 6
