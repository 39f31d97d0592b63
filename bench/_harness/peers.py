"""The peers and their pinned versions; each lives in its own environment under `bench/.peers/‹peer›/`.

It is made on first use: Python peers get a virtual environment and pip, Node.js peers a folder and npm, with a Node.js
of their own when the machine's is too old. An environment is complete when its stamp names the very packages of the
table; a changed pin renews it.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

__all__ = ["PEERS", "InstallError", "Peer", "installed"]

ROOT = Path(__file__).parents[1]
HOME = ROOT / ".peers"
NODE = "22.23.3"
"""The Node.js that peers run with when the machine's own is older than 22."""

_TIMEOUT = 600.0


@dataclass(frozen=True, slots=True)
class Peer:
    """A product we compare with: how it is installed. The first package is the product itself."""

    name: str
    runtime: Literal["python", "node"]
    packages: tuple[str, ...]


PEERS = {
    peer.name: peer
    for peer in (
        Peer("procrastinate", "python", ("procrastinate==3.10.0", "psycopg[binary]==3.3.8")),
        Peer("pgqueuer", "python", ("pgqueuer==1.6.0", "asyncpg==0.32.0", "uvloop==0.23.0")),
        Peer("chancy", "python", ("chancy==0.26.0", "psycopg[binary]==3.3.8")),
        Peer("dbos", "python", ("dbos==3.3.0", "psycopg[binary]==3.3.8")),
        Peer("absurd", "python", ("absurd-sdk==0.5.1", "absurdctl==0.5.1", "psycopg[binary]==3.3.8")),
        Peer("awa", "python", ("awa-pg==0.6.9",)),
        Peer("spiffworkflow", "python", ("SpiffWorkflow==3.2.0", "psycopg[binary]==3.3.8")),
        Peer("graphile-worker", "node", ("graphile-worker@0.18.0",)),
        Peer("pg-boss", "node", ("pg-boss@12.35.0",)),
    )
}


class InstallError(Exception):
    """A peer could not be installed; the benchmark goes on without it."""


def installed(peer: Peer) -> list[str]:
    """Install the peer when needed; the command that runs its interpreter."""
    home = HOME / peer.name
    packages = [*peer.packages]
    if peer.runtime == "node" and not _node_is_new_enough():
        packages.append(_node_package())
    stamp = home / "installed.txt"
    wanted = "\n".join(packages) + "\n"
    if not stamp.exists() or stamp.read_text() != wanted:
        print(f"installing {peer.name} into {home.relative_to(ROOT.parent)}", file=sys.stderr, flush=True)
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        (_install_python if peer.runtime == "python" else _install_node)(home, packages)
        stamp.write_text(wanted)
    if peer.runtime == "python":
        return [str(home / "venv" / "bin" / "python")]
    own = sorted(home.glob("node_modules/node-*/bin/node"))
    return [str(own[0]) if own else "node"]


def _install_python(home: Path, packages: list[str]) -> None:
    _run(home, sys.executable, "-m", "venv", str(home / "venv"))
    pip = (str(home / "venv" / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    _run(home, *pip, *packages)


def _install_node(home: Path, packages: list[str]) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise InstallError("npm is not on the PATH")
    (home / "package.json").write_text('{"private": true}\n')
    _run(home, npm, "install", "--no-audit", "--no-fund", "--loglevel=error", *packages)


def _run(home: Path, *command: str) -> None:
    try:
        done = subprocess.run(command, cwd=home, capture_output=True, text=True, timeout=_TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        raise InstallError(f"installing took longer than {_TIMEOUT:.0f} s") from None
    if done.returncode != 0:
        lines = [line.strip() for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        telling = [line for line in lines if "error" in line.lower()] or lines
        raise InstallError("; ".join(telling[:3])[:400] or f"{command[0]} ended with {done.returncode}")


def _node_is_new_enough() -> bool:
    node = shutil.which("node")
    if node is None:
        return False
    done = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    return done.returncode == 0 and int(done.stdout.strip().lstrip("v").split(".")[0]) >= 22


def _node_package() -> str:
    # The platform's own package, not `node`: that one needs an install script, which npm may refuse to run.
    machine = {"x86_64": "x64", "aarch64": "arm64", "arm64": "arm64"}.get(platform.machine(), platform.machine())
    return f"node-{platform.system().lower()}-{machine}@{NODE}"
