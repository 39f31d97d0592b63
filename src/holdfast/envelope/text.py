"""YAML as another way of writing JSON: the same values, read exactly.

Numbers with a fraction become `Decimal`, dates stay the text they are written as, and a key that stands twice
in one mapping is an error, as in `parse_json`. So a definition has one meaning, and one hash, in both
notations.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Any

import yaml

from holdfast.errors import CanonicalError

__all__ = ["dump_yaml", "parse_yaml"]


class _Loader(yaml.SafeLoader):
    """YAML's safe subset, with JSON's exactness."""


class _Dumper(yaml.SafeDumper):
    """Writes what `_Loader` reads."""


def parse_yaml(text: str | bytes) -> Any:
    """Read YAML text. Raises `CanonicalError` for anything that is not valid."""
    try:
        # A SafeLoader by descent: it constructs nothing but plain values.
        return yaml.load(text, Loader=_Loader)  # noqa: S506
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise CanonicalError(f"not valid YAML: {error}") from None


def dump_yaml(value: Any) -> str:
    """Write JSON values as YAML, keeping the order of keys."""
    return yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True)


def _decimal(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> Decimal:
    text = str(loader.construct_scalar(node))
    try:
        return Decimal(text)
    except InvalidOperation:
        raise yaml.constructor.ConstructorError(None, None, f"{text} is no decimal number", node.start_mark) from None


def _as_written(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> str:
    return str(loader.construct_scalar(node))


def _unique_keys(loader: yaml.SafeLoader, node: yaml.MappingNode) -> dict[Any, Any]:
    seen: set[Any] = set()
    for key_node, _ in node.value:
        key = loader.construct_object(key_node, deep=True)
        if not isinstance(key, str):
            raise yaml.constructor.ConstructorError(None, None, f"the key {key!r} is not text", key_node.start_mark)
        if key in seen:
            raise yaml.constructor.ConstructorError(None, None, f"the key {key!r} stands twice", key_node.start_mark)
        seen.add(key)
    return loader.construct_mapping(node, deep=True)


def _plain_decimal(dumper: yaml.SafeDumper, value: Decimal) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:float", format(value, "f"))


def _escaped_text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    # Line separators of Unicode would be folded into spaces in every style but the double-quoted one.
    style = None if value.isprintable() else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Loader.add_constructor("tag:yaml.org,2002:float", _decimal)
_Loader.add_constructor("tag:yaml.org,2002:timestamp", _as_written)
_Loader.add_constructor("tag:yaml.org,2002:map", _unique_keys)
_Dumper.add_representer(Decimal, _plain_decimal)
_Dumper.add_representer(str, _escaped_text)
_Dumper.ignore_aliases = lambda *_: True  # type: ignore[method-assign]
