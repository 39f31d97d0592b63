"""A real OpenID provider (oidc-provider on Node.js), and somebody who signs in there.

It installs itself, once, from its lock file; tests that need it are skipped where there is no Node.js.
"""

from __future__ import annotations

import fcntl
import json
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self
from urllib.parse import urljoin

import httpx
import pytest

__all__ = ["OpenIdServer", "openid_server"]

_HERE = Path(__file__).parent / "oidc"
CLIENT = "holdfast"


class OpenIdServer:
    """One that runs. `rotate` gives it new keys, as after a restart."""

    def __init__(self, redirect_uri: str, people: dict[str, dict[str, Any]]) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = int(free.getsockname()[1])
        self.issuer = f"http://127.0.0.1:{self._port}"
        self._redirect_uri = redirect_uri
        self._people = people
        self._process = self._start()

    def rotate(self) -> Self:
        """Forget every key and sign with another one."""
        self.stop()
        self._process = self._start()
        return self

    def stop(self) -> None:
        self._process.kill()
        self._process.wait(timeout=30)
        if self._process.stdout is not None:
            self._process.stdout.close()

    async def come_back(self, address: str, login: str) -> str:
        """Sign in as somebody there, agree, and be sent back: the address one is sent to."""
        async with httpx.AsyncClient() as browser:
            answer = await self._follow(browser, await browser.get(address))
            while not answer.headers.get("location", "").startswith(self._redirect_uri):
                assert answer.status_code == 200, answer.text
                action = re.search(r'action="([^"]+)"', answer.text)
                prompt = re.search(r'name="prompt" value="([^"]+)"', answer.text)
                assert action is not None, answer.text
                assert prompt is not None, answer.text
                data = {"prompt": prompt[1], "login": login, "password": "any"}
                answer = await self._follow(browser, await browser.post(urljoin(self.issuer, action[1]), data=data))
            return str(answer.headers["location"])

    async def _follow(self, browser: httpx.AsyncClient, answer: httpx.Response) -> httpx.Response:
        while answer.is_redirect and not answer.headers["location"].startswith(self._redirect_uri):
            answer = await browser.get(urljoin(str(answer.url), answer.headers["location"]))
        return answer

    def _start(self) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            ["node", "provider.mjs", str(self._port), self._redirect_uri, json.dumps(self._people)],
            cwd=_HERE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert process.stdout is not None
        if "listening" not in process.stdout.readline():
            pytest.fail("the OpenID provider did not start")
        return process


@contextmanager
def openid_server(redirect_uri: str, people: dict[str, dict[str, Any]]) -> Iterator[OpenIdServer]:
    """A provider that knows some people, each by their subject with their claims."""
    _install()
    server = OpenIdServer(redirect_uri, people)
    try:
        yield server
    finally:
        server.stop()


def _install() -> None:
    if shutil.which("npm") is None:
        pytest.skip("needs Node.js")
    with (_HERE / "package.json").open(encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (_HERE / "node_modules" / ".package-lock.json").exists():
            subprocess.run(["npm", "ci", "--silent"], cwd=_HERE, check=True, capture_output=True, timeout=240)
