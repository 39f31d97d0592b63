from __future__ import annotations

from decimal import Decimal

import pytest

from envelope.expressions.samples import code_of
from holdfast.envelope.expressions import MAX_DEPTH, MAX_LENGTH, MAX_READS, compile_expression, parse
from holdfast.errors import ExpressionError


def refused(text: str) -> ExpressionError:
    with pytest.raises(ExpressionError) as caught:
        parse(text)
    return caught.value


def value(text: str) -> object:
    return compile_expression(text).evaluate({})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", 1),
        ("-7", -7),
        ("0.5", Decimal("0.5")),
        ("1e3", Decimal("1e3")),
        ("10000.000000000000000001", Decimal("10000.000000000000000001")),
        (r"'it\'s'", "it's"),
        ('"double"', "double"),
        (r'"tab\t quote\" back\\ slash\/"', 'tab\t quote" back\\ slash/'),
        (r"'\u00e9\ud83d\ude00'", "é😀"),
        ("'naïve 😀 日本'", "naïve 😀 日本"),
        ("true", True),
        ("false", False),
        ("null", None),
        ("[]", []),
        ("['a', 'b', ]", ["a", "b"]),
    ],
)
def test_a_literal_stands_for_its_value(text: str, expected: object) -> None:
    found = value(text)
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("true || false && false", True),
        ("(true || false) && false", False),
        ("!false && false", False),
        ("!(false && false)", True),
        ("!!true", True),
        ("1 < 2 && 2 < 3", True),
        ("(1 == 1) == true", True),
        ("!true == false", True),
        ("1 in [1, 2] || false", True),
        ("([1, 2] contains 3) == false", True),
    ],
)
def test_operators_bind_as_documented(text: str, expected: bool) -> None:
    assert value(text) is expected


def test_an_error_points_at_the_offending_character() -> None:
    error = refused("entity.total > 100 && ) || true")
    assert error.message == (
        "a value is expected, not ), at character 23\n"
        "    entity.total > 100 && ) || true\n"
        "                          ^ here"
    )
    assert str(error).endswith("^ here. Such as entity.total, 100 or 'text'")
    assert error.details["position"] == 22
    assert error.details["line"] == 1
    assert error.details["column"] == 23
    assert error.details["code"] == "expected_value"
    assert error.details["reason"] == "a value is expected, not )"
    assert error.status == 422


def test_the_caret_stands_under_its_character_in_every_line_and_script() -> None:
    error = refused("true &&\n  '日本' == = 1")
    assert error.details["excerpt"] == "      '日本' == = 1\n" + "    " + " " * 12 + "^"
    assert (error.details["line"], error.details["column"]) == (2, 11)
    hidden = refused("true && \x00")
    assert hidden.details["excerpt"] == "    true && \ufffd\n            ^"
    far = refused("true && " * 20 + "= 1" + " && true" * 20)
    line, caret = far.details["excerpt"].split("\n")
    assert line[caret.index("^")] == "="
    assert len(line) < 100


@pytest.mark.parametrize(
    ("text", "code", "position", "hint"),
    [
        ("", "empty", 0, "Write a condition"),
        ("   ", "empty", 3, "Write a condition"),
        ("entity.a = 1", "unexpected_character", 9, "Write == to compare"),
        ("entity.a === 1", "unexpected_character", 9, "Write == for equality"),
        ("entity.a & true", "unexpected_character", 9, "Write && for and"),
        ("entity.a <> 1", "unexpected_character", 9, "Write !="),
        ("entity.a + 1 > 2", "unexpected_character", 9, "do not calculate"),
        ("entity.a -1 > 2", "unexpected_token", 9, "do not calculate"),
        ("entity.a and true", "unexpected_token", 9, "Write && for and"),
        ("not entity.a", "unknown_root", 0, "Write ! for not"),
        ("enttiy.a", "unknown_root", 0, "Did you mean entity?"),
        ("vendor == 1", "unknown_root", 0, "A path begins with"),
        ("len(entity.a) > 2", "unknown_root", 0, None),
        ("entity.a.upper() == 'A'", "unexpected_token", 14, "There are no functions"),
        ("“a” == 'a'", "unexpected_character", 0, "straight quotes"),
        ("'abc", "unterminated_text", 0, None),
        (r"'\x'", "bad_escape", 1, "Write \\\\ for a backslash"),
        (r"'\u12'", "bad_escape", 1, None),
        (r"'\ud800'", "bad_escape", 1, None),
        (r"'\u0000'", "bad_escape", 1, None),
        ("'a\nb'", "bad_text", 2, "Write it as \\u000a"),
        ("'a\u202eb'", "bad_text", 2, "\\u202e"),
        ("'a\ud800'", "bad_text", 2, None),
        ("1.", "bad_number", 1, "Write numbers like"),
        ("1_000", "bad_number", 1, "Write numbers like"),
        ("12abc", "bad_number", 2, "Write numbers like"),
        ("007", "bad_number", 0, "Quote it"),
        ("1e1001", "bad_number", 0, "decimal places"),
        ("1e999999", "bad_number", 0, "decimal places"),
        ("1e-99999999999999999999", "bad_number", 0, "decimal places"),
        ("1 < 2 < 3", "chained_comparison", 6, "Compare twice"),
        ("(1 == 1", "unclosed", 0, None),
        ("[1, 2", "unclosed", 0, None),
        ("1 == 1)", "unexpected_token", 6, "closes nothing"),
        ("entity.", "expected_field", 7, None),
        ("entity.5", "expected_field", 7, None),
        ("entity.a[-1]", "expected_field", 9, "[0]"),
        ("entity.a[1.5]", "expected_field", 9, "[0]"),
        ("entity.a entity.b", "unexpected_token", 9, "Join conditions"),
        ("contains == 1", "expected_value", 0, None),
        ("entity.a ==", "expected_value", 11, None),
    ],
)
def test_every_mistake_has_a_code_a_place_and_a_hint(text: str, code: str, position: int, hint: str | None) -> None:
    error = refused(text)
    assert code_of(error) == code
    assert error.details["position"] == position
    if hint is not None:
        assert hint in str(error.hint)


def test_something_that_is_not_a_text_is_refused() -> None:
    with pytest.raises(ExpressionError, match="an expression is a text, not int"):
        parse(5)  # type: ignore[arg-type]


def test_fields_may_have_the_names_of_operators_and_any_name_in_brackets() -> None:
    assert parse("entity.in == entity.contains && entity.true").paths == ("entity.in", "entity.contains", "entity.true")
    odd = parse("""entity["grand-total"] > 1 && entity['it\\'s'].größe == entity.lines[0]""")
    assert odd.paths == ('entity["grand-total"]', """entity["it's"].größe""", "entity.lines[0]")
    assert odd.roots == ("entity",)


def test_the_limits_are_those_of_the_specification() -> None:
    assert (MAX_DEPTH, MAX_READS, MAX_LENGTH) == (10, 20, 500)


def test_the_length_limit_is_exact() -> None:
    assert parse("'" + "a" * (MAX_LENGTH - 2) + "'")
    error = refused("'" + "a" * (MAX_LENGTH - 1) + "'")
    assert code_of(error) == "too_long"
    assert error.details["position"] == MAX_LENGTH


def test_the_depth_limit_is_exact() -> None:
    assert parse("!" * (MAX_DEPTH - 1) + "true")
    assert code_of(refused("!" * MAX_DEPTH + "true")) == "too_deep"
    assert parse("(" * MAX_DEPTH + "true" + ")" * MAX_DEPTH)
    assert code_of(refused("(" * (MAX_DEPTH + 1) + "true" + ")" * (MAX_DEPTH + 1))) == "too_deep"
    assert code_of(refused("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1))) == "too_deep"


def test_depth_is_that_of_the_tree_and_not_only_of_the_brackets() -> None:
    # Each level of brackets holds a comparison inside an && inside an ||: three levels of the tree.
    text = "true"
    for _ in range(3):
        text = f"false || true && true == ({text})"
    assert parse(text)
    text = f"false || true && true == ({text})"
    assert code_of(refused(text)) == "too_deep"


def test_a_long_chain_is_wide_and_not_deep() -> None:
    assert value("||".join(["true"] * 83)) is True
    assert value(" && ".join(["(!(false))"] * 35)) is True


def test_the_read_limit_counts_every_dereference() -> None:
    assert parse(" && ".join(["entity.a"] * MAX_READS))
    error = refused(" && ".join(["entity.a"] * (MAX_READS + 1)))
    assert code_of(error) == "too_many_reads"
    assert error.details["position"] == MAX_READS * len("entity.a && ") + len("entity.")
    assert parse("entity" + ".a" * MAX_READS)
    assert code_of(refused("entity" + ".a" * (MAX_READS + 1))) == "too_many_reads"
    assert code_of(refused(" || ".join(["now == now"] * 11))) == "too_many_reads"


@pytest.mark.parametrize("text", ["(" * 499, "[" * 500, "!" * 500, "((((1" + ")" * 400, "entity" + "[" * 400])
def test_absurd_nesting_is_an_error_and_not_a_crash(text: str) -> None:
    assert code_of(refused(text)) in {"too_deep", "expected_field", "unexpected_token"}
