"""Webhooks: one HTTP request to another system, signed, bounded in time and size, never into our own network.

The whole attempt, with name resolution and redirects, has one deadline. Of the answer as much is read as is kept for
evidence, as it came: nothing is unpacked, so that a few packed bytes cannot become gigabytes here. Redirects that keep
the method (307, 308) are followed a few times, each judged like the first; everything that was secret about the request
stays behind when they lead to another host.
"""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from ipaddress import IPv6Address
from typing import Any, Final

import httpx

from holdfast.effects.guard import Allowed, pin
from holdfast.effects.model import UNTIL_MENDED, Delivery, Outgoing, Undelivered
from holdfast.effects.secrets import SigningSecret, normal_host
from holdfast.kernel.json import canonical_json
from holdfast.kernel.traces import current_trace_parent, trace_parent_of
from holdfast.kernel.webhooks import sign

__all__ = ["ReadSecret", "Webhooks"]

ReadSecret = Callable[[Outgoing], Awaitable[SigningSecret | None]]

_REDIRECTS: Final = 3
_AGAIN: Final = frozenset({408, 425, 429})
_MAX_PAUSE: Final = timedelta(hours=1)
_KEPT: Final = ("content-encoding", "content-type", "date", "location", "retry-after", "server", "x-request-id")
_IMPERSONAL: Final = ("user-agent", "content-type", "accept-encoding", "idempotency-key")
_TOLD: Final = ("idempotency-key", "traceparent", "webhook-id", "webhook-timestamp", "webhook-signature")
"""What of a request is kept as evidence: what we added to what the payload says. A signature is no secret."""
_OURS: Final = frozenset(
    {
        "connection",
        "content-length",
        "host",
        "idempotency-key",
        "transfer-encoding",
        "webhook-id",
        "webhook-signature",
        "webhook-timestamp",
    }
)


class Webhooks:
    """Sends effects of the kind `webhook`."""

    def __init__(
        self,
        read_secret: ReadSecret,
        *,
        allowed: Allowed | None = None,
        timeout: float = 30.0,
        response_limit: int = 64 * 1024,
        verify: ssl.SSLContext | bool = True,
    ) -> None:
        self._read_secret = read_secret
        self._allowed = allowed or Allowed()
        self._timeout = timeout
        self._limit = response_limit
        # Neither proxies nor certificates of the environment: what is allowed is said in the settings alone.
        self._client = httpx.AsyncClient(
            trust_env=False,
            verify=verify,
            follow_redirects=False,
            timeout=timeout,
            # A connection is never used for two effects: it is pinned to the address judged for this one.
            limits=httpx.Limits(max_keepalive_connections=0),
        )

    async def aclose(self) -> None:
        """Close what is open."""
        await self._client.aclose()

    async def send(self, effect: Outgoing) -> Delivery:
        """Send the request; any 2xx is a delivery."""
        started = time.monotonic()
        evidence: dict[str, Any] = {}
        try:
            async with asyncio.timeout(self._timeout):
                await self._follow(effect, evidence)
        except TimeoutError:
            raise Undelivered(
                "timed_out", f"no complete answer within {self._timeout:g} s", again=True, evidence=evidence
            ) from None
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
            reason = str(error) or type(error).__name__
            again = not isinstance(error, httpx.InvalidURL | httpx.UnsupportedProtocol | httpx.LocalProtocolError)
            raise Undelivered("not_reached", reason, again=again, evidence=evidence) from None
        except UnicodeError as error:
            # A host that is no name, or a header beyond ASCII: it will be so next time.
            raise Undelivered("url_refused", f"it cannot be written: {error}", again=False, evidence=evidence) from None
        finally:
            evidence["duration_ms"] = round((time.monotonic() - started) * 1000)
        return _judged(evidence, effect.now)

    async def _follow(self, effect: Outgoing, evidence: dict[str, Any]) -> None:
        payload = effect.payload
        body = b"" if payload.get("body") is None else canonical_json(payload["body"])
        url = _parsed(str(payload["url"]))
        headers = await self._headers(effect, url, body)
        origin = (url.scheme, url.host, url.port)
        for _ in range(_REDIRECTS + 1):
            sent = headers if (url.scheme, url.host, url.port) == origin else _impersonal(headers)
            await self._request(str(payload.get("method", "POST")), url, sent, body, evidence)
            if evidence["status"] not in (307, 308):
                return
            target = evidence["headers"].get("location", "")
            url = _parsed(str(url.join(target)))
            evidence["redirects"] = [*evidence.get("redirects", ()), str(url)]
        raise Undelivered("too_many_redirects", f"more than {_REDIRECTS} redirects", again=False, evidence=evidence)

    async def _headers(self, effect: Outgoing, url: httpx.URL, body: bytes) -> dict[str, str]:
        given: Mapping[str, str] = effect.payload.get("headers") or {}
        headers = {"user-agent": "holdfast", "content-type": "application/json", "accept-encoding": "identity"}
        headers |= {name.lower(): value for name, value in given.items() if name.lower() not in _OURS}
        headers["idempotency-key"] = effect.key
        # The span of this attempt when somebody traces; else one that is the same at every attempt.
        if (trace_parent := current_trace_parent() or trace_parent_of(effect.trace_id, effect.key)) is not None:
            headers.setdefault("traceparent", trace_parent)
        name = effect.payload.get("secret")
        if name is not None:
            secret = await self._read_secret(effect)
            if secret is None:
                message = f"there is no secret {name!r} to sign with"
                raise Undelivered("secret_missing", message, again=True, after=UNTIL_MENDED, counts=False)
            host = normal_host(url.raw_host.decode("ascii"))
            if host not in secret.hosts:
                raise Undelivered("secret_refused", f"the secret {name!r} is not for {host}", again=False)
            headers |= sign([secret.key], effect.key, int(effect.now.timestamp()), body)
        return headers

    async def _request(
        self, method: str, url: httpx.URL, headers: Mapping[str, str], body: bytes, evidence: dict[str, Any]
    ) -> None:
        port = url.port or (443 if url.scheme == "https" else 80)
        address = await pin(url.host, port, self._allowed)
        evidence["address"] = str(address)
        evidence["request"] = {name: headers[name] for name in _TOLD if name in headers}
        request = self._client.build_request(
            method,
            url.copy_with(host=f"[{address}]" if isinstance(address, IPv6Address) else str(address)),
            headers={**headers, "host": url.netloc.decode("ascii")},
            content=body,
            # The certificate is checked against the name, although the connection goes to the address.
            extensions={"sni_hostname": url.raw_host.decode("ascii")},
        )
        response = await self._client.send(request, stream=True)
        try:
            read = b""
            async for chunk in response.aiter_raw():
                read += chunk
                if len(read) >= self._limit:
                    break
            evidence |= {
                "status": response.status_code,
                "headers": {name: response.headers[name] for name in _KEPT if name in response.headers},
                "body": read[: self._limit].decode(errors="replace").replace("\0", "�"),
            }
            if len(read) >= self._limit:
                evidence["truncated"] = True
        finally:
            await response.aclose()


def _parsed(text: str) -> httpx.URL:
    url = httpx.URL(text)
    if url.scheme not in ("http", "https") or not url.host:
        raise Undelivered("url_refused", f"{url.scheme or 'no scheme'}: only http and https are called", again=False)
    if url.port is not None and not 0 < url.port < 65536:
        raise Undelivered("url_refused", f"there is no port {url.port}", again=False)
    if url.userinfo:
        raise Undelivered("url_refused", "the URL holds a user name; name a secret instead", again=False)
    return url


def _impersonal(headers: Mapping[str, str]) -> dict[str, str]:
    """What another host may see of a request that was meant for the first."""
    return {name: headers[name] for name in _IMPERSONAL if name in headers}


def _judged(evidence: dict[str, Any], now: datetime) -> Delivery:
    status = int(evidence["status"])
    if 200 <= status < 300:
        return Delivery(evidence)
    if 300 <= status < 400:
        raise Undelivered(
            "redirected",
            f"the answer was {status}: only redirects that keep the method, 307 and 308, are followed",
            again=False,
            evidence=evidence,
        )
    again = status >= 500 or status in _AGAIN
    pause = _pause(evidence["headers"].get("retry-after"), now) if again else None
    raise Undelivered(f"http_{status}", f"the answer was {status}", again=again, after=pause, evidence=evidence)


def _pause(retry_after: str | None, now: datetime) -> timedelta | None:
    """What `Retry-After` asks for, in seconds or as a date; no more than an hour."""
    if retry_after is None:
        return None
    if retry_after.isascii() and retry_after.isdigit():
        return min(timedelta(seconds=min(int(retry_after), 10**6)), _MAX_PAUSE)
    try:
        moment = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(timedelta(0), min(moment - now, _MAX_PAUSE))
