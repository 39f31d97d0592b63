"""Runs `holdfast` commands for tests: each in a process of its own, but forked from one that has everything imported.

Starting Python and importing holdfast takes a second, and some tests run twenty commands. What starting from nothing
must show is shown by the tests that use `python -m holdfast`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Self

__all__ = ["Commands", "Done"]

Done = subprocess.CompletedProcess[str]


class Commands:
    """The process that forks. Use it as a context; it ends with it, or with the tests."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._process.stdin.close()
            self._process.wait(timeout=30)
            self._process.stdout.close()

    def run(self, *arguments: str, **environment: str) -> Done:
        """What became of a command; of our own settings it sees only those that are given."""
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        clean = {name: value for name, value in os.environ.items() if not name.startswith("HOLDFAST_")}
        with tempfile.TemporaryDirectory(prefix="holdfast-command-") as directory:
            out, err = Path(directory, "out"), Path(directory, "err")
            wanted = {
                "arguments": arguments,
                "environment": clean | {"COLUMNS": "250"} | environment,
                "out": str(out),
                "err": str(err),
            }
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._process.stdin.write(json.dumps(wanted) + "\n")
            self._process.stdin.flush()
            code = int(self._process.stdout.readline())
            return subprocess.CompletedProcess(
                list(arguments), code, out.read_text(encoding="utf-8"), err.read_text(encoding="utf-8")
            )


def _serve() -> None:
    import typer.main

    import holdfast.cli

    # Making the tree of commands takes as long as running one; it is the same for all.
    setattr(holdfast.cli, "cli", typer.main.get_command(holdfast.cli.cli))  # noqa: B010 - of another type
    for line in sys.stdin:
        wanted = json.loads(line)
        child = os.fork()
        if child == 0:
            _become(wanted)
            holdfast.cli.main()
            sys.exit(0)
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


def _become(wanted: dict[str, Any]) -> None:
    """From here on, this process is the command."""
    from holdfast.cli import output

    nothing = os.open(os.devnull, os.O_RDONLY)
    for number, target in ((0, nothing), (1, _new(wanted["out"])), (2, _new(wanted["err"]))):
        os.dup2(target, number)
    os.environ.clear()
    os.environ.update(wanted["environment"])
    # Consoles were made with the width of the process that forked.
    for console in (output.out, output._err):
        console.width = int(os.environ["COLUMNS"])
    sys.argv = ["holdfast", *wanted["arguments"]]


def _new(path: str) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)


if __name__ == "__main__":
    _serve()
