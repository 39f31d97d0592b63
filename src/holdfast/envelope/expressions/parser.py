"""Tokens to a tree: a Pratt parser that holds the language's limits.

From loosest to tightest: `||`, `&&`, the comparisons (which do not chain), `!`, and then values: literals,
lists, paths and parentheses. Whatever the text, `parse` answers with an `Expression` or raises
`ExpressionError` pointing at a character.
"""

from __future__ import annotations

from typing import Final, NoReturn, cast

from holdfast.envelope.expressions.lexer import Token, tokenize
from holdfast.envelope.expressions.problems import Problem, failure, nearest
from holdfast.envelope.expressions.scope import ROOTS
from holdfast.envelope.expressions.syntax import (
    AllOf,
    AnyOf,
    Compare,
    Expression,
    Items,
    Literal,
    Node,
    Not,
    Operator,
    Path,
    Step,
    children,
    path_name,
)
from holdfast.errors import ExpressionError

__all__ = ["MAX_DEPTH", "MAX_LENGTH", "MAX_READS", "parse"]

MAX_LENGTH: Final = 500
"""Characters an expression may have."""
MAX_DEPTH: Final = 10
"""Levels its tree, and its parentheses, may be nested."""
MAX_READS: Final = 20
"""Dereferences it may make: `entity.customer.limit` makes two."""

_OR, _AND, _COMPARISON, _PREFIX = 1, 2, 3, 4
_BINDING: Final = {
    "||": _OR, "&&": _AND,
    **dict.fromkeys(("==", "!=", ">", ">=", "<", "<=", "in", "contains"), _COMPARISON),
}  # fmt: skip
_CONSTANTS: Final = {"true": True, "false": False, "null": None}
_FOREIGN_WORDS: Final = {
    "and": "Write && for and", "or": "Write || for or", "not": "Write ! for not", "is": "Write == to compare",
    "none": "Write null", "nil": "Write null", "undefined": "Write null", "eq": "Write == to compare",
    "matches": "Patterns are not part of the language", "like": "Patterns are not part of the language",
    "has": "Write contains", "includes": "Write contains",
}  # fmt: skip


def parse(text: str) -> Expression:
    """The expression a text stands for. Raises `ExpressionError` with a caret under the first offending character."""
    if not isinstance(text, str):
        raise ExpressionError(f"an expression is a text, not {type(text).__name__}", code="not_a_text")
    if len(text) > MAX_LENGTH:
        message = f"the expression has {len(text)} characters; at most {MAX_LENGTH} are allowed"
        hint = "Split it over several conditions or edges"
        raise failure(Problem("too_long", message, MAX_LENGTH, len(text), text, hint))
    return Expression(text, _Parser(text).whole())


class _Parser:
    """One parse. `nesting` counts open parentheses, brackets and `!`, so that recursion is bounded."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(tokenize(text))
        self.index = 0
        self.nesting = 0
        self.reads = 0

    @property
    def token(self) -> Token:
        return self.tokens[self.index]

    def take(self) -> Token:
        token = self.tokens[self.index]
        self.index += 1
        return token

    def at(self, operator: str) -> bool:
        return self.token.kind == "operator" and self.token.source == operator

    def whole(self) -> Node:
        if len(self.tokens) == 1:
            self.fail("empty", "the expression is empty", self.token, "Write a condition, such as entity.total > 100")
        tree = self.expression(0)
        if self.token.kind != "end":
            self.unexpected(self.token)
        self.measure(tree, 1)
        return tree

    def measure(self, node: Node, depth: int) -> None:
        if depth > MAX_DEPTH:
            self.too_deep(node.start, node.end)
        for child in children(node):
            self.measure(child, depth + 1)

    def expression(self, binding: int) -> Node:
        left = self.operand()
        while True:
            strength = self.strength()
            if strength <= binding:
                return left
            left = self.comparison(left) if strength == _COMPARISON else self.chain(left, strength)

    def strength(self) -> int:
        token = self.token
        return _BINDING.get(token.source, 0) if token.kind in ("operator", "name") else 0

    def chain(self, first: Node, strength: int) -> Node:
        """All operands of one run of `&&` or `||`."""
        operator = self.token.source
        operands = [first]
        while self.at(operator):
            self.take()
            operands.append(self.expression(strength))
        kind = AllOf if strength == _AND else AnyOf
        return kind(tuple(operands), first.start, operands[-1].end)

    def comparison(self, left: Node) -> Node:
        token = self.take()
        right = self.expression(_COMPARISON)
        if self.strength() == _COMPARISON:
            hint = "Compare twice and join with &&"
            self.fail("chained_comparison", "comparisons do not chain", self.token, hint)
        return Compare(cast("Operator", token.source), left, right, left.start, right.end, token.start)

    def operand(self) -> Node:
        token = self.take()
        if token.kind in ("number", "text"):
            return Literal(token.value, token.source, token.start, token.end)
        if token.kind == "name" and token.source not in ("in", "contains"):
            if token.source in _CONSTANTS:
                return Literal(_CONSTANTS[token.source], token.source, token.start, token.end)
            return self.path(token)
        if token.kind == "operator" and token.source in ("(", "[", "!"):
            return self.nested(token)
        return self.no_value(token)

    def nested(self, opening: Token) -> Node:
        self.nesting += 1
        if self.nesting > MAX_DEPTH:
            self.too_deep(opening.start, opening.end)
        found: Node
        if opening.source == "!":
            operand = self.expression(_PREFIX)
            found = Not(operand, opening.start, operand.end)
        elif opening.source == "(":
            found = self.expression(0)
            self.close(")", opening)
        else:
            found = self.items(opening)
        self.nesting -= 1
        return found

    def items(self, opening: Token) -> Node:
        items: list[Node] = []
        while not self.at("]"):
            items.append(self.expression(0))
            if not self.at(","):
                break
            self.take()
        closing = self.close("]", opening)
        return Items(tuple(items), opening.start, closing.end)

    def close(self, bracket: str, opening: Token) -> Token:
        if self.at(bracket):
            return self.take()
        if self.token.kind == "end":
            self.fail("unclosed", f"{opening.source} is not closed with {bracket}", opening)
        return self.unexpected(self.token)

    def path(self, token: Token) -> Node:
        if token.source not in ROOTS:
            self.unknown(token)
        steps: list[Step] = []
        end = token.end
        while self.at(".") or self.at("["):
            step = self.step()
            steps.append(step)
            end = step.end
            self.count_read(step.start, step.end)
        if not steps:
            self.count_read(token.start, token.end)
        keys = tuple(step.key for step in steps)
        return Path(token.source, tuple(steps), token.start, end, path_name(token.source, keys))

    def step(self) -> Step:
        opening = self.take()
        token = self.take()
        if opening.source == ".":
            if token.kind != "name":
                self.fail("expected_field", "a field's name is expected after the dot", token, 'Or write ["…"]')
            return Step(token.source, token.start, token.end)
        index_or_name = token.kind == "text" or (token.kind == "number" and isinstance(token.value, int))
        if not index_or_name or (isinstance(token.value, int) and token.value < 0):
            hint = 'Write ["field name"] or [0]'
            self.fail("expected_field", "a quoted field name or a position is expected in the brackets", token, hint)
        closing = self.close("]", opening)
        return Step(cast("str | int", token.value), token.start, closing.end)

    def count_read(self, start: int, end: int) -> None:
        self.reads += 1
        if self.reads > MAX_READS:
            message = f"the expression reads more than {MAX_READS} fields"
            hint = "Split it over several conditions; entity.a.b counts as two reads"
            raise failure(Problem("too_many_reads", message, start, end, self.text, hint))

    def unknown(self, token: Token) -> NoReturn:
        name = token.source
        if self.at("("):
            self.fail("unknown_root", f"{name}(…) is not known: there are no functions", token)
        hint = _FOREIGN_WORDS.get(name.lower())
        near = nearest(name, [*ROOTS, *_CONSTANTS])
        if hint is None and near is not None:
            hint = f"Did you mean {near}?"
        elif hint is None:
            hint = f"A path begins with {', '.join(ROOTS)}; a text needs quotes"
        self.fail("unknown_root", f"there is nothing called {name}", token, hint)

    def no_value(self, token: Token) -> NoReturn:
        found = "the end" if token.kind == "end" else token.source
        self.fail("expected_value", f"a value is expected, not {found}", token, "Such as entity.total, 100 or 'text'")

    def unexpected(self, token: Token) -> NoReturn:
        hint = _FOREIGN_WORDS.get(token.source.lower())
        if token.kind == "operator" and token.source in (")", "]"):
            hint = "It closes nothing"
        elif token.kind == "number" and token.source.startswith("-"):
            hint = "Expressions compare; they do not calculate"
        elif token.source == "(":
            hint = "There are no functions"
        elif hint is None:
            hint = "Join conditions with && or ||"
        self.fail("unexpected_token", f"{token.source} is not expected here", token, hint)

    def too_deep(self, start: int, end: int) -> NoReturn:
        message = f"the expression is nested more than {MAX_DEPTH} levels deep"
        raise failure(Problem("too_deep", message, start, end, self.text, "Split it over several conditions or edges"))

    def fail(self, code: str, message: str, token: Token, hint: str | None = None) -> NoReturn:
        raise failure(Problem(code, message, token.start, token.end, self.text, hint))
