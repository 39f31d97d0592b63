from __future__ import annotations

import pytest

from holdfast.envelope.expressions import format_expression
from holdfast.errors import ExpressionError


@pytest.mark.parametrize(
    ("text", "formatted"),
    [
        ("entity.a>1&&entity.b<2", "entity.a > 1 && entity.b < 2"),
        ("  (entity.a)  ", "entity.a"),
        ("((entity.a > 1) && (entity.b)) || true", "entity.a > 1 && entity.b || true"),
        ("entity.a && (entity.b || entity.c)", "entity.a && (entity.b || entity.c)"),
        ("(entity.a && entity.b) && entity.c", "(entity.a && entity.b) && entity.c"),
        ("!(entity.a)", "!entity.a"),
        ("!(entity.a == 1)", "!(entity.a == 1)"),
        ("(!entity.a) == true", "!entity.a == true"),
        ("(entity.a == 1) == true", "(entity.a == 1) == true"),
        ("entity.s == 'it\\'s \"x\"'", 'entity.s == "it\'s \\"x\\""'),
        ("entity.s=='\\u0001\\u202e\\n'", r'entity.s == "\u0001\u202e\n"'),
        ("entity['a'].b[ 0 ]['c d']", 'entity.a.b[0]["c d"]'),
        ("entity.n in[1,2.50,1E3,]", "entity.n in [1, 2.50, 1e3]"),
        ("entity.a\n  &&\tentity.b", "entity.a && entity.b"),
    ],
)
def test_there_is_one_way_of_writing_it(text: str, formatted: str) -> None:
    assert format_expression(text) == formatted
    assert format_expression(formatted) == formatted


def test_a_text_that_would_grow_beyond_the_limit_stays_as_it_is() -> None:
    text = "||".join(["true"] * 83)
    assert format_expression(text) == text


def test_what_does_not_parse_is_not_formatted() -> None:
    with pytest.raises(ExpressionError):
        format_expression("entity.a >")
