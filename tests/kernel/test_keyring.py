"""The keyring: what one key closed opens with it alone, in its own context, after any number of rotations."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.errors import KeyMissing, SettingsError
from holdfast.kernel.keyring import Keyring, Wrapped, new_key
from holdfast.kernel.sealing import IN_CLEAR, Sealing

OLD, NEW = new_key(), new_key()
OLD_ID, NEW_ID = OLD.partition("=")[0], NEW.partition("=")[0]


@given(st.binary(max_size=200), st.text(max_size=30))
def test_what_is_closed_opens(value: bytes, context: str) -> None:
    ring = Keyring(OLD)
    key, sealed = ring.seal(value, context)
    assert key == OLD_ID
    assert ring.open(key, sealed, context) == value
    assert ring.unwrap(ring.wrap(value, context), context) == value


def test_in_another_context_or_changed_it_does_not() -> None:
    ring = Keyring(OLD)
    key, sealed = ring.seal(b"value", "acme")
    wrapped = ring.wrap(b"value", "acme")
    changed = sealed[:-1] + bytes([sealed[-1] ^ 1])
    attempts: list[Callable[[], bytes]] = [
        lambda: ring.open(key, sealed, "globex"),
        lambda: ring.open(key, changed, "acme"),
        lambda: ring.open(key, b"", "acme"),
        lambda: ring.unwrap(wrapped, "globex"),
        # What was made for one purpose is none for another.
        lambda: ring.open(key, wrapped.wrapped_key, "acme"),
        lambda: ring.unwrap(Wrapped(key, sealed, wrapped.ciphertext), "acme"),
    ]
    for attempt in attempts:
        with pytest.raises(KeyMissing, match=OLD_ID):
            attempt()


def test_the_first_key_closes_and_all_of_them_open() -> None:
    key, sealed = Keyring(OLD).seal(b"value", "c")
    rotated = Keyring(f"{NEW}, {OLD}")
    assert rotated.current == NEW_ID
    assert rotated.ids == (NEW_ID, OLD_ID)
    assert rotated.open(key, sealed, "c") == b"value"
    with pytest.raises(KeyMissing, match=OLD_ID) as caught:
        Keyring(NEW).open(key, sealed, "c")
    assert caught.value.details["key"] == OLD_ID
    with pytest.raises(KeyMissing, match="another key of that name"):
        Keyring(f"{OLD_ID}={NEW.partition('=')[2]}").open(key, sealed, "c")


def test_rotating_an_envelope_leaves_its_value_alone() -> None:
    old = Keyring(OLD).wrap(b"value", "c")
    new = Keyring(f"{NEW},{OLD}").rewrap(old, "c")
    assert (new.key_id, new.ciphertext) == (NEW_ID, old.ciphertext)
    assert Keyring(NEW).unwrap(new, "c") == b"value"


def test_a_signature_is_of_one_key_text_and_purpose() -> None:
    key, signature = Keyring(OLD).sign(b"text", "a")
    assert Keyring(f"{NEW},{OLD}").check(key, signature, b"text", "a")
    assert not Keyring(OLD).check(key, signature, b"text", "b")
    assert not Keyring(OLD).check(key, signature, b"other", "a")
    assert not Keyring(f"{OLD_ID}={NEW.partition('=')[2]}").check(key, signature, b"text", "a")
    with pytest.raises(KeyMissing, match=OLD_ID):
        Keyring(NEW).check(key, signature, b"text", "a")


def test_without_keys_nothing_is_closed() -> None:
    assert not Keyring()
    assert Keyring().ids == ()
    for attempt in (Keyring().wrap, Keyring().seal, Keyring().sign):
        with pytest.raises(KeyMissing, match="HOLDFAST_KEYS is not set"):
            attempt(b"x", "c")


@pytest.mark.parametrize("wrong", ["", ",", "nonsense", "a=short", f"a={'A' * 42}"])
def test_keys_that_are_none_are_refused_without_being_shown(wrong: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Keyring(wrong)
    assert "AAAA" not in str(caught.value)


def test_a_payload_opens_in_its_tenant_whatever_is_set_now() -> None:
    ring = Keyring(OLD)
    closing, reading = Sealing(lambda: ring, encrypt=True), Sealing(lambda: ring)
    text = '{"amount": 1.25}'
    stored = closing.seal("acme", text)
    assert "amount" not in stored
    for sealing in (closing, reading):
        assert sealing.open("acme", stored) == text
        assert sealing.open("acme", stored.replace('":"', '": "')) == text  # as jsonb writes it
        assert sealing.open("acme", text) == text
        with pytest.raises(KeyMissing, match="does not open"):
            sealing.open("globex", stored)
    assert reading.seal("acme", text) == text
    assert closing.opened("acme", json.loads(stored)) == {"amount": 1.25}
    assert closing.decoded("acme", stored) == {"amount": Decimal("1.25")}
    assert closing.decoded("acme", None) is None
    with pytest.raises(KeyMissing, match=OLD_ID):
        IN_CLEAR.open("acme", stored)


@pytest.mark.parametrize(
    "value", [None, 1, "x", [], {}, {"$sealed": 1}, {"$sealed": "nonsense"}, {"$sealed": "a:b", "c": 1}]
)
def test_what_is_not_sealed_is_left_alone(value: object) -> None:
    sealing = Sealing(lambda: Keyring(OLD), encrypt=True)
    assert sealing.opened("acme", value) == value


def test_payloads_of_our_own_runs_stay_readable_for_the_database() -> None:
    sealing = Sealing(lambda: Keyring(OLD), encrypt=True)
    assert sealing.seal_payload("acme", "session.execute.v1.x", "{}") == "{}"
    assert sealing.seal_payload("acme", "work.v1", "{}") != "{}"
