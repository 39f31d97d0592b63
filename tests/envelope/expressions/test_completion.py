from __future__ import annotations

import random

import pytest

from envelope.expressions.samples import SCOPE
from holdfast.envelope.expressions import Completion, complete, parse


def offers(marked: str) -> list[Completion]:
    """What is offered at the `|` in a text."""
    cursor = marked.index("|")
    return complete(marked.replace("|", "", 1), cursor, SCOPE)


def labels(marked: str) -> list[str]:
    return [each.label for each in offers(marked)]


def applied(marked: str, label: str) -> str:
    text = marked.replace("|", "", 1)
    (found,) = [each for each in offers(marked) if each.label == label]
    return text[: found.start] + found.insert + text[found.end :]


def test_fields_are_offered_after_a_dot_with_their_types() -> None:
    assert labels("entity.customer.|") == ["limit", "name", "vip"]
    assert [(each.label, each.kind, each.detail) for each in offers("entity.gr|")] == [
        ("grand-total", "field", "number or null"),
        ("grand_total", "field", "number"),
    ]
    assert labels("entity.total|") == ["grand-total", "grand_total"]
    assert labels("entity.lines[0].|") == ["amount", "sku"]
    assert labels("entity.billing.|") == ["country"]
    assert labels("true && (actor.ro|") == ["roles"]
    assert labels("context.|") == []
    assert labels("entity.nope.|") == []
    assert labels("entity.grand_total.|") == []


def test_an_offer_replaces_the_whole_word() -> None:
    assert applied("entity.gr|and > 5", "grand_total") == "entity.grand_total > 5"
    assert applied("entity.gr| > 5", "grand-total") == 'entity["grand-total"] > 5'
    assert applied("ent|", "entity") == "entity"
    assert applied("entity.status == 'dr|aft' && true", '"draft"') == 'entity.status == "draft" && true'
    assert applied("entity.status == |", '"draft"') == 'entity.status == "draft"'
    assert applied("entity.urgent &|", "&&") == "entity.urgent &&"
    for marked in ("entity.gr| > 5", "entity.status == |"):
        for each in offers(marked):
            text = marked.replace("|", "", 1)
            assert parse(text[: each.start] + each.insert + text[each.end :])


def test_roots_are_offered_where_a_value_is_expected() -> None:
    everything = ["entity", "actor", "org", "now", "context", "payload", "item"]
    assert labels("|") == everything
    assert labels("entity.urgent && |") == everything
    assert labels("!(|") == everything
    assert labels("p|") == ["payload"]
    assert [each.label for each in complete("", 0, SCOPE.without("item"))] == everything[:-1]
    assert labels("n|") == ["null", "now", "entity", "context"]


def test_values_of_an_enum_are_offered() -> None:
    possible = ['"draft"', '"submitted"', '"posted"']
    assert labels("entity.status == |")[:3] == possible
    assert labels("entity.status != '|") == possible
    assert labels("entity.status == 'p|") == ['"posted"']
    assert labels("entity.status in [|")[:3] == possible
    assert labels("entity.status in ['draft', '|") == possible
    assert labels("entity.billing.country == |")[:3] == ['"DE"', '"FR"', "null"]
    assert labels("entity.urgent == |")[:2] == ["true", "false"]
    assert labels("entity.number == '|") == []


def test_operators_that_fit_the_type_are_offered() -> None:
    assert labels("entity.grand_total |") == [">", ">=", "<", "<=", "==", "!=", "in"]
    assert labels("actor.roles |") == ["contains", "==", "!="]
    assert labels("actor.roles con|") == ["contains"]
    assert labels("entity.urgent |") == ["&&", "||", "==", "!="]
    assert labels("entity.grand_total > 5 |") == ["&&", "||"]
    assert labels("(entity.grand_total > 5) |") == ["==", "!=", ">", ">=", "<", "<=", "in", "contains", "&&", "||"]
    assert labels("entity.grand_total > 5 && entity.status |") == ["==", "!=", "in", "contains"]


@pytest.mark.parametrize("marked", ["entity.a ~|", "1_0|", "'text' 'x|", "entity.a @ |"])
def test_nothing_is_offered_where_nothing_fits(marked: str) -> None:
    assert labels(marked) == []


def test_completion_never_fails() -> None:
    chance = random.Random(7)
    pieces = [
        "entity",
        ".",
        "status",
        "==",
        "'",
        '"',
        "[",
        "]",
        "(",
        ")",
        "in",
        "contains",
        " ",
        "0",
        "é",
        "\x00",
        "&",
        "\n",
        "\\",
    ]
    for _ in range(3000):
        text = "".join(chance.choices(pieces, k=chance.randrange(12)))
        for each in complete(text, chance.randrange(len(text) + 1), SCOPE):
            assert 0 <= each.start <= each.end <= len(text)
    assert complete("x" * 5000, 3, SCOPE) == []
    assert complete("x", 9, SCOPE) == []
