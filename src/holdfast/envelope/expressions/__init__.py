"""The expression language: small, typed, exact, and able to say why.

Conditions on edges, event keys and payloads of a definition are written in it. Every name below is public;
nothing here reads a clock, a file or a database, and nothing ever raises anything but `ExpressionError`
because of an expression's text or the data it meets.

    expression = parse('entity.grand_total > 10000 && actor.roles contains "finance_manager"')
    scope = Scope.of(entity=contract_schema)          # types of entity, actor, org, now, context, payload, item
    checked = check(expression, scope, expect="boolean")
    checked.problems                                  # every Problem: code, position, message, hint, excerpt
    checked.type                                      # the Type of the result

    condition = compile_expression(expression, scope, expect="boolean")   # raises when there are problems
    condition.evaluate({"entity": {...}, "actor": {...}})                  # the value
    condition.trace({"entity": {...}, "actor": {...}}).to_json()           # expression, variables, result, why

    format_expression("a&&b")                         # one way of writing it
    complete(text, cursor, scope)                     # what an editor offers at the cursor
    Template.parse("delivery:pod:{entity.shipment_id}").compile(scope).render(roots)
    Payload.parse({"amount": {"$expr": "entity.grand_total"}, "n": 3}).compile(scope).render(roots)

`parse` enforces the limits (`MAX_LENGTH`, `MAX_DEPTH`, `MAX_READS`). `scope=None` compiles without types:
every field is allowed and kinds are decided by the values met. `docs/expressions.md` describes the language
itself.
"""

from __future__ import annotations

from holdfast.envelope.expressions.checking import Checked, check
from holdfast.envelope.expressions.compiling import Compiled, compile_expression
from holdfast.envelope.expressions.completion import Completion, complete
from holdfast.envelope.expressions.formatting import format_expression
from holdfast.envelope.expressions.kinds import Kind, Type
from holdfast.envelope.expressions.parser import MAX_DEPTH, MAX_LENGTH, MAX_READS, parse
from holdfast.envelope.expressions.payloads import CompiledPayload, Payload, check_payload, render_payload
from holdfast.envelope.expressions.problems import Problem
from holdfast.envelope.expressions.schema import type_of_schema
from holdfast.envelope.expressions.scope import ROOTS, Scope
from holdfast.envelope.expressions.syntax import Expression
from holdfast.envelope.expressions.templates import CompiledTemplate, Template
from holdfast.envelope.expressions.tracing import Traced

__all__ = [
    "MAX_DEPTH",
    "MAX_LENGTH",
    "MAX_READS",
    "ROOTS",
    "Checked",
    "Compiled",
    "CompiledPayload",
    "CompiledTemplate",
    "Completion",
    "Expression",
    "Kind",
    "Payload",
    "Problem",
    "Scope",
    "Template",
    "Traced",
    "Type",
    "check",
    "check_payload",
    "compile_expression",
    "complete",
    "format_expression",
    "parse",
    "render_payload",
    "type_of_schema",
]
