"""Keys: the embedded Postgres has one of its own, and changing to another is a command."""

from __future__ import annotations

import json
import stat
from pathlib import Path

from harness.commands import Commands
from holdfast.app.keys import add_key, load_keyring
from holdfast.kernel.keyring import Keyring, new_key
from holdfast.settings import Settings

SECRET = "whsec_c2l4dGVlbi1vci1tb3JlLXJhbmRvbS1ieXRlcyE="


def test_the_embedded_postgres_has_a_key_that_nobody_else_can_read(tmp_path: Path) -> None:
    settings = Settings.load({}, data_dir=tmp_path)
    ring = load_keyring(settings)
    file = tmp_path / "keys"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert load_keyring(settings).ids == ring.ids
    assert len(ring.ids) == 1
    new = add_key(settings)
    assert load_keyring(settings).ids == (new, *ring.ids)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["keys"]


def test_keys_of_the_settings_come_first_and_those_of_the_file_still_open(tmp_path: Path) -> None:
    old = load_keyring(Settings.load({}, data_dir=tmp_path))
    given = new_key()
    ring = load_keyring(Settings.load({}, data_dir=tmp_path, keys=given))
    assert ring.ids == (given.partition("=")[0], *old.ids)


def test_another_postgres_has_none_until_one_is_set() -> None:
    assert load_keyring(Settings.load({}, dsn="postgresql://x/y")).ids == ()


def test_the_commands(holdfast_dsn: str, commands: Commands) -> None:
    keys = [commands.run("keys", "new").stdout.strip() for _ in range(2)]
    old, new = (Keyring(key).current for key in keys)
    given = {"HOLDFAST_DSN": holdfast_dsn, "HOLDFAST_KEYS": keys[0]}
    assert commands.run("tenants", "add", "acme", **given).returncode == 0
    done = commands.run(
        "effects", "set-secret", "-t", "acme", "erp", "--host", "a.example", "--secret", SECRET, **given
    )
    assert done.returncode == 0
    shown = json.loads(commands.run("keys", "list", "--json", **given).stdout)
    assert shown == [{"id": old, "state": "current", "secrets": 1}]
    alone = {**given, "HOLDFAST_KEYS": keys[1]}
    refused = commands.run("keys", "rotate", **alone)
    assert refused.returncode == 1
    assert old in refused.stderr
    assert [row["state"] for row in json.loads(commands.run("keys", "list", "--json", **alone).stdout)] == [
        "current",
        "missing",
    ]
    both = {**given, "HOLDFAST_KEYS": f"{keys[1]},{keys[0]}"}
    assert "1 secret moved" in commands.run("keys", "rotate", **both).stdout
    shown = json.loads(commands.run("keys", "list", "--json", **alone).stdout)
    assert shown == [{"id": new, "state": "current", "secrets": 1}]
    for key in keys:
        assert key.partition("=")[2] not in refused.stdout + refused.stderr
