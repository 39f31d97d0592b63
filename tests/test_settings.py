"""Settings: known by name, checked, frozen, and silent about secrets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from holdfast import Holdfast, Settings
from holdfast.errors import SettingsError

SECRET = "s3cr3t-word"


def test_arguments_win_over_the_environment() -> None:
    settings = Settings.load({"HOLDFAST_PORT": "1", "HOLDFAST_POOL_MAX": "7", "OTHER": "x"}, port=2)
    assert (settings.port, settings.pool_max) == (2, 7)


def test_an_empty_variable_is_unset() -> None:
    assert Settings.load({"HOLDFAST_DSN": ""}).embedded


def test_unknown_names_are_refused_with_a_suggestion() -> None:
    with pytest.raises(SettingsError, match=r"HOLDFAST_DNS; did you mean|no setting HOLDFAST_DNS"):
        Settings.load({"HOLDFAST_DNS": "x"})
    with pytest.raises(SettingsError, match="did you mean 'pool_max'"):
        Settings.load({}, pool_mx=3)
    with pytest.raises(SettingsError, match="no setting 'colour'"):
        Holdfast(colour="red")


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("HOLDFAST_PORT", "http"),
        ("HOLDFAST_PORT", "70000"),
        ("HOLDFAST_POOL_MAX", "0"),
        ("HOLDFAST_POSTGRES_VERSION", "12"),
        ("HOLDFAST_MIGRATE", "maybe"),
        ("HOLDFAST_LOG_LEVEL", "loud"),
        ("HOLDFAST_DSN", "mysql://x"),
        ("HOLDFAST_DSN", " "),
        ("HOLDFAST_AUDIT_RETENTION", "run"),
        ("HOLDFAST_AUDIT_RETENTION", "run=0"),
        ("HOLDFAST_AUDIT_RETENTION", "rum=9"),
        ("HOLDFAST_CONNECT_TIMEOUT", "-1"),
    ],
)
def test_bad_values_name_the_variable(variable: str, value: str) -> None:
    with pytest.raises(SettingsError, match=variable):
        Settings.load({variable: value})


def test_retention_reads_like_it_is_written() -> None:
    settings = Settings.load({"HOLDFAST_AUDIT_RETENTION": "plain=30, chained=3650"})
    assert settings.audit_retention == {"plain": 30, "chained": 3650}
    with pytest.raises(SettingsError, match=r"'run' is neither chained .* nor plain"):
        Settings.load({"HOLDFAST_AUDIT_RETENTION": "run=30"})


def test_they_are_frozen() -> None:
    with pytest.raises(ValidationError):
        Settings.load({}).port = 1


def test_secrets_are_never_shown() -> None:
    settings = Settings.load({"HOLDFAST_DSN": f"postgresql://u:{SECRET}@h/d"})
    assert SECRET not in repr(settings)
    assert SECRET not in str(settings.shown())
    for wrong in (f"postgresql://u:{SECRET}@h:no port/d", f"http://{SECRET}"):
        with pytest.raises(SettingsError) as caught:
            Settings.load({"HOLDFAST_DSN": wrong})
        assert SECRET not in str(caught.value)


@pytest.mark.parametrize("wrong", ["", "nonsense", f"a={SECRET}", "a=" + "x" * 43, f"a={'A' * 43}=,"])
def test_keys_that_are_none_are_refused_when_a_process_starts(wrong: str) -> None:
    assert Settings.load({}, keys=f"a={'A' * 43}=,b={'_' * 43}=").keys is not None
    with pytest.raises(SettingsError, match="32 random bytes") as caught:
        Settings.load({}, keys=wrong)
    assert SECRET not in str(caught.value)


def test_the_data_directory_depends_on_who_asks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert Settings.load({}).data_dir == tmp_path / "holdfast"
    monkeypatch.setattr("os.geteuid", lambda: 0)
    assert Settings.load({}).data_dir == Path("/var/lib/holdfast")


def test_settings_or_arguments_but_not_both() -> None:
    both: dict[str, Any] = {"port": 1}
    with pytest.raises(TypeError):
        Holdfast(Settings.load({}), **both)
