"""Where the keys of the installation come from: `HOLDFAST_KEYS`, and beside the embedded Postgres a file of its own.

That file is made with one key when it is first needed, for its owner's eyes only. Keys of the setting come before it,
so that an installation that outgrows the file loses nothing.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from holdfast.errors import KeyMissing
from holdfast.kernel.keyring import Keyring, new_key
from holdfast.settings import Settings

__all__ = ["add_key", "load_keyring"]


def load_keyring(settings: Settings) -> Keyring:
    """The keys of the settings, then those of the embedded Postgres's directory, of which there is always one."""
    given = [settings.keys.get_secret_value()] if settings.keys is not None else []
    if settings.embedded:
        given += _kept(_file(settings), make=not given)
    return Keyring(",".join(given)) if given else Keyring()


def add_key(settings: Settings) -> str:
    """Put a new key before those of the embedded Postgres's directory; its id."""
    if not settings.embedded or settings.keys is not None:
        raise KeyMissing(
            "the keys are in HOLDFAST_KEYS, which is not ours to change",
            hint="put what `holdfast keys new` prints before them, restart every process, and rotate again",
        )
    key = new_key()
    _write(_file(settings), "\n".join([key, *_kept(_file(settings), make=False)]))
    return key.partition("=")[0]


def _file(settings: Settings) -> Path:
    return settings.data_dir / "keys"


def _kept(file: Path, *, make: bool) -> list[str]:
    if make and not file.exists():
        part = file.with_name(f"keys.{os.getpid()}")
        _write(part, new_key())
        # A link is made by one process only; the others find it there, and take that key.
        with contextlib.suppress(FileExistsError):
            os.link(part, file)
        part.unlink()
    return file.read_text(encoding="ascii").split() if file.exists() else []


def _write(file: Path, text: str) -> None:
    """Replace the file in one step, readable by its owner alone from the beginning."""
    part = file.with_name(f"{file.name}.part")
    part.unlink(missing_ok=True)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as written:
        written.write(text + "\n")
        written.flush()
        os.fsync(written.fileno())
    part.replace(file)
