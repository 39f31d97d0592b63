"""A small OpenID provider of our own that can be told to lie, to change its keys, and to be away.

It speaks the whole of what we use (discovery, keys, authorization code with PKCE, ID and access tokens) over real HTTP
with real signatures, and holds clients to it: a code counts once, for its client, redirect address and verifier.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import ECKey, RSAKey

from harness.receivers import Answer, HttpReceiver, Received, answer

__all__ = ["CLIENT", "OwnProvider"]

CLIENT = "holdfast"
Signer = Callable[[dict[str, Any], dict[str, Any]], str]


@dataclass
class _Begun:
    redirect_uri: str
    nonce: str | None
    challenge: str
    subject: str


@dataclass
class OwnProvider:
    """`async with` it; `authorize` is somebody who signs in there and is sent back."""

    people: dict[str, dict[str, Any]]
    key: RSAKey | ECKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"use": "sig"}, auto_kid=True))
    published: list[dict[str, Any]] = field(default_factory=list)
    """Other keys that it publishes."""
    lies: dict[str, Any] = field(default_factory=dict)
    """Claims of ID tokens that are not what they are to be; None leaves one out."""
    signs: Signer | None = None
    """Signs in another way, from header and claims."""
    extra: dict[str, str] = field(default_factory=dict)
    """What else it says when it sends somebody back; in the place of what it would say."""
    tokens: Answer | None = None
    """What it answers instead to whoever brings a code."""
    away: bool = False
    asked: list[str] = field(default_factory=list)
    """The paths that were asked for."""

    async def __aenter__(self) -> Self:
        self._codes: dict[str, _Begun] = {}
        self._server = await HttpReceiver(self._answer).__aenter__()
        self.issuer = self._server.url
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._server.__aexit__(None, None, None)

    def rotate(self) -> None:
        """Sign with another key, and publish only that."""
        self.key = RSAKey.generate_key(2048, {"use": "sig"}, auto_kid=True)

    def authorize(self, address: str, subject: str) -> str:
        """Sign in at the address one was sent to: the one to go back to."""
        told = dict(parse_qsl(urlsplit(address).query))
        assert told["client_id"] == CLIENT
        assert (told["response_type"], told["code_challenge_method"]) == ("code", "S256")
        assert "openid" in told["scope"].split()
        code = secrets.token_urlsafe(16)
        self._codes[code] = _Begun(told["redirect_uri"], told.get("nonce"), told["code_challenge"], subject)
        return f"{told['redirect_uri']}?{urlencode({'code': code, 'state': told['state'], **self.extra})}"

    def token(self, subject: str, **claims: Any) -> str:
        """A token of somebody, with claims that are added or, by None, left out."""
        now = int(time.time())
        told = {"iss": self.issuer, "aud": CLIENT, "sub": subject, "iat": now, "exp": now + 3600}
        told |= self.people.get(subject, {}) | claims | self.lies
        kept = {name: value for name, value in told.items() if value is not None}
        header = {"alg": "RS256" if isinstance(self.key, RSAKey) else "ES256", "kid": self.key.kid}
        return self.signs(header, kept) if self.signs else jwt.encode(header, kept, self.key)

    async def _answer(self, request: Received, writer: asyncio.StreamWriter) -> None:
        path = urlsplit(request.path).path
        self.asked.append(path)
        if self.away:
            await answer(writer, 503)
        elif path == "/.well-known/openid-configuration":
            places = {"authorization_endpoint": "/authorize", "token_endpoint": "/token", "jwks_uri": "/keys"}
            told = {"issuer": self.issuer, **{name: self.issuer + place for name, place in places.items()}}
            await answer(writer, 200, json.dumps(told).encode())
        elif path == "/keys":
            keys = [*self.published, self.key.as_dict(private=False)]
            await answer(writer, 200, json.dumps({"keys": keys}).encode())
        elif self.tokens is not None:
            await self.tokens(request, writer)
        else:
            told = self._exchange({name: each[0] for name, each in parse_qs(request.body.decode()).items()})
            await answer(writer, 400 if "error" in told else 200, json.dumps(told).encode())

    def _exchange(self, given: dict[str, str]) -> dict[str, Any]:
        begun = self._codes.pop(given.get("code", ""), None)
        proof = hashlib.sha256(given.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(proof).decode().rstrip("=")
        fits = begun is not None and (begun.redirect_uri, begun.challenge) == (given.get("redirect_uri"), challenge)
        if begun is None or not fits or given.get("client_id") != CLIENT:
            return {"error": "invalid_grant"}
        told = self.token(begun.subject, nonce=begun.nonce)
        return {"token_type": "Bearer", "access_token": self.token(begun.subject), "id_token": told, "expires_in": 3600}
