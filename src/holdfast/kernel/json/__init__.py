"""JSON in one place.

- `plain` turns Python's values (models, dataclasses, enums, dates, ids, decimals) into JSON's own types.
- `parse_json` reads text from outside: exactly, and at a bounded cost. `decode` and `decode_sent` read what was stored,
  `decode_anything` what others may have put there.
- `canonical_json` writes what is hashed: one text for one value.
- `exact` gives floats as the decimals they are written as.
- `encode` writes what somebody gave to be stored, `dump` what the engine stores: every digit is kept;
  `answer` what is told over HTTP, `pretty` what people read.
"""

from holdfast.kernel.json.canonical import canonical_hash, canonical_json
from holdfast.kernel.json.numbers import exact
from holdfast.kernel.json.parser import MAX_DEPTH, MAX_VALUES, MOST_DIGITS, check_extent, is_too_long, parse_json
from holdfast.kernel.json.plain import in_words, plain
from holdfast.kernel.json.stored import decode, decode_anything, decode_sent, is_simple
from holdfast.kernel.json.writer import answer, check_json, dump, encode, encode_canonical, pretty

__all__ = [
    "MAX_DEPTH",
    "MAX_VALUES",
    "MOST_DIGITS",
    "answer",
    "canonical_hash",
    "canonical_json",
    "check_extent",
    "check_json",
    "decode",
    "decode_anything",
    "decode_sent",
    "dump",
    "encode",
    "encode_canonical",
    "exact",
    "in_words",
    "is_simple",
    "is_too_long",
    "parse_json",
    "plain",
    "pretty",
]
