"""The operating-system user that the embedded Postgres runs as for root: one, however many processes start at once."""

from __future__ import annotations

import multiprocessing
import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from holdfast.postgres import binaries

NAME = f"holdfast-test-{os.getpid()}"

pytestmark = pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("userdel") is None, reason="only root makes users of the operating system"
)


@pytest.fixture(autouse=True)
def another_name(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A user whom nothing else needs, gone afterwards."""
    monkeypatch.setattr(binaries, "_OS_USER", NAME)
    yield
    subprocess.run(["userdel", "--force", NAME], check=False, capture_output=True)


def ask(together: Barrier, told: Queue[int]) -> None:
    together.wait(30)
    told.put(binaries.server_user(Path("/nonexistent")).uid)


@pytest.mark.parametrize("_again", range(8))
def test_processes_that_start_at_once_on_a_fresh_machine_make_one_user(_again: int) -> None:
    fork = multiprocessing.get_context("fork")
    together, told = fork.Barrier(3), fork.Queue()
    processes = [fork.Process(target=ask, args=(together, told)) for _ in range(3)]
    for process in processes:
        process.start()
    numbers = {told.get(timeout=30) for _ in processes}
    for process in processes:
        process.join()
    assert numbers == {pwd.getpwnam(NAME).pw_uid}
