"""Lock files of a killed Postgres whose process nobody buried.

A killed process stays in the process table until its parent asks for its exit status. In many containers process 1
never does, and to Postgres, which asks `kill(pid, 0)`, such a server still runs: it refuses to start again, for ever.

The lock file is kept, because Postgres also reads from it whether old shared memory is still in use. Only the process
it names is replaced by one that is certainly gone.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

__all__ = ["is_defunct", "release_if_defunct"]


def is_defunct(pid: int) -> bool:
    """Whether a process has ended and only waits to be buried. Where /proc does not tell, it has not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[:1] == ["Z"]


def release_if_defunct(lock: Path) -> bool:
    """Let Postgres see that the process a lock file names is gone. Says whether that was needed."""
    try:
        lines = lock.read_text().splitlines()
        pid = abs(int(lines[0]))
    except (OSError, ValueError, IndexError):
        return False
    if not is_defunct(pid):
        return False
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    lock.write_text("\n".join([str(gone.pid), *lines[1:]]) + "\n")
    return True
