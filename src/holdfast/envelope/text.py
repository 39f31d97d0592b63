"""YAML as another way of writing JSON: the same values, read exactly.

Numbers with a fraction become `Decimal`; dates, `yes`, `on` and `1:30` stay the text they are written as; a key
that stands twice in one mapping is an error, as in `parse_json`. So a definition has one meaning, and one hash, in
both notations. Aliases may repeat what stands elsewhere, within a limit.
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Any, Final, NoReturn

import yaml

from holdfast.errors import CanonicalError
from holdfast.kernel.json import MOST_DIGITS, is_too_long

__all__ = ["MAX_REPEATED", "dump_yaml", "parse_yaml"]

MAX_REPEATED: Final = 100_000
"""How many values aliases may repeat in all. Ten short lines of aliases of aliases would otherwise fill the memory."""

_TAG: Final = "tag:yaml.org,2002:"
_JSON: Final = frozenset(_TAG + name for name in ("null", "bool", "int", "float", "str", "seq", "map"))


class _Loader(yaml.SafeLoader):
    """JSON's values in YAML's notation."""

    yaml_implicit_resolvers: dict[Any, Any] = {}  # noqa: RUF012 - a class attribute of the library, filled below


class _Dumper(yaml.SafeDumper):
    """Writes what `_Loader` reads."""

    yaml_implicit_resolvers = _Loader.yaml_implicit_resolvers


def parse_yaml(text: str | bytes) -> Any:
    """Read YAML text. Raises `CanonicalError` for anything that is not valid."""
    try:
        # A SafeLoader by descent: it constructs nothing but plain values.
        loader = _Loader(text)
        try:
            node = loader.get_single_node()
            if node is None:
                return None
            _Census().count(node)
            return loader.construct_document(node)
        finally:
            loader.dispose()
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise CanonicalError(f"not valid YAML: {error}") from None


def dump_yaml(value: Any) -> str:
    """Write JSON values as YAML, keeping the order of keys."""
    return yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True)


class _Census:
    """Counts the values of a text before any is made, and refuses what JSON has not."""

    def __init__(self) -> None:
        self.sizes: dict[int, int | None] = {}
        self.repeated = 0

    def count(self, node: yaml.Node) -> int:
        """The number of values at and below a node, those that aliases repeat included."""
        if id(node) in self.sizes:
            known = self.sizes[id(node)]
            if known is None:
                _refuse("an alias stands inside of what it names", node)
            self.repeated += known
            if self.repeated > MAX_REPEATED:
                _refuse(f"aliases repeat more than {MAX_REPEATED} values", node)
            return known
        if node.tag not in _JSON:
            _refuse(f"JSON has nothing like {node.tag}", node)
        self.sizes[id(node)] = None
        inner: list[yaml.Node] = []
        if isinstance(node, yaml.SequenceNode):
            inner = node.value
        elif isinstance(node, yaml.MappingNode):
            inner = [part for pair in node.value for part in pair]
        size = 1 + sum(self.count(each) for each in inner)
        self.sizes[id(node)] = size
        return size


def _refuse(message: str, node: yaml.Node) -> NoReturn:
    raise yaml.constructor.ConstructorError(None, None, message, node.start_mark)


def _decimal(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> Decimal:
    text = str(loader.construct_scalar(node))
    if is_too_long(text):
        _refuse(f"it is a number of more than {MOST_DIGITS} digits", node)
    try:
        return Decimal(text)
    except InvalidOperation:
        _refuse(f"{text} is no decimal number", node)


def _integer(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> int:
    text = str(loader.construct_scalar(node))
    if is_too_long(text):
        _refuse(f"it is a number of more than {MOST_DIGITS} digits", node)
    return int(text)


def _truth(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> bool:
    text = str(loader.construct_scalar(node))
    if text not in ("true", "false"):
        _refuse(f"{text} is neither true nor false", node)
    return text == "true"


def _unique_keys(loader: yaml.SafeLoader, node: yaml.MappingNode) -> dict[Any, Any]:
    seen: set[Any] = set()
    for key_node, _ in node.value:
        key = loader.construct_object(key_node, deep=True)
        if not isinstance(key, str):
            _refuse(f"the key {key!r} is not text", key_node)
        if key in seen:
            _refuse(f"the key {key!r} stands twice", key_node)
        seen.add(key)
    return loader.construct_mapping(node, deep=True)


def _plain_decimal(dumper: yaml.SafeDumper, value: Decimal) -> yaml.ScalarNode:
    text = format(value, "f")
    return dumper.represent_scalar(f"{_TAG}float", text if "." in text else f"{text}.0")


def _escaped_text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    # Line separators of Unicode would be folded into spaces in every style but the double-quoted one.
    style = None if value.isprintable() else '"'
    return dumper.represent_scalar(f"{_TAG}str", value, style=style)


# Only what JSON writes without quotes is more than text. YAML 1.1 would read `no` as false and `1:30` as 90.
_Loader.add_implicit_resolver(f"{_TAG}null", re.compile(r"(?:null|~|)\Z"), ["n", "~", ""])
_Loader.add_implicit_resolver(f"{_TAG}bool", re.compile(r"(?:true|false)\Z"), ["t", "f"])
_Loader.add_implicit_resolver(f"{_TAG}int", re.compile(r"[-+]?(?:0|[1-9][0-9]*)\Z"), list("-+0123456789"))
_Loader.add_implicit_resolver(
    f"{_TAG}float", re.compile(r"[-+]?(?:0|[1-9][0-9]*)\.[0-9]+(?:[eE][-+]?[0-9]+)?\Z"), list("-+0123456789")
)
_Loader.add_constructor(f"{_TAG}bool", _truth)
_Loader.add_constructor(f"{_TAG}float", _decimal)
_Loader.add_constructor(f"{_TAG}int", _integer)
_Loader.add_constructor(f"{_TAG}map", _unique_keys)
_Dumper.add_representer(Decimal, _plain_decimal)
_Dumper.add_representer(str, _escaped_text)
_Dumper.ignore_aliases = lambda *_: True  # type: ignore[method-assign]
