"""An OpenID provider: where it is, what it signs with, who somebody is to it, and who they are then to us.

The protocol is Authlib's (authorization code with PKCE), the checking of tokens joserfc's. What the provider publishes
is asked for when it is needed and kept for an hour (`published`), its keys until a token names another one if that is
sooner, but not more than once in `_KEYS_SECONDS`, so that made-up tokens cost no requests. A key that it publishes no
longer signs nothing after that hour. Tokens are checked for their signature (with the algorithms of public keys only),
issuer, audience, times and, at a sign-in, the nonce and for whom they were made.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
from authlib.integrations.base_client import OAuthError
from authlib.integrations.httpx_client import AsyncOAuth2Client
from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import JWKRegistry, Key, KeySet

from holdfast.access import Person
from holdfast.errors import NotSignedIn, OperationalError, SettingsError
from holdfast.http.published import Published
from holdfast.settings import Settings

__all__ = ["OpenIdProvider", "looks_like_jwt"]

_log = logging.getLogger(__name__)
_ALGORITHMS: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
_HTTP: Final = next(each for each in AsyncOAuth2Client.__mro__ if each.__name__ == "AsyncClient").__module__
"""What Authlib asks with: `httpx2` where it is installed, `httpx` where not. Neither's errors are the other's."""
_UNHEARD: Final[tuple[type[Exception], ...]] = (httpx.HTTPError, import_module(_HTTP.partition(".")[0]).HTTPError)
_FRESH_SECONDS: Final = 3600.0
_KEYS_SECONDS: Final = 30.0
_TIMEOUT: Final = 10.0
_LEEWAY: Final = 30
_LONGEST: Final = 16 * 1024
_LONGEST_SUBJECT: Final = 255
_MOST_GROUPS: Final = 1000


def looks_like_jwt(secret: str) -> bool:
    """Whether a bearer token is to be taken for one of a provider."""
    return secret.count(".") == 2 and secret.startswith("ey")


class OpenIdProvider:
    """The provider of the settings."""

    def __init__(self, settings: Settings) -> None:
        assert settings.oidc_issuer is not None
        for name in ("oidc_client_id", "public_url"):
            if getattr(settings, name) is None:
                raise _missing(f"HOLDFAST_{name.upper()}")
        if (settings.oidc_tenant is None) == (settings.oidc_tenant_claim is None):
            raise _missing("one of HOLDFAST_OIDC_TENANT and HOLDFAST_OIDC_TENANT_CLAIM")
        self._settings = settings
        self.issuer = settings.oidc_issuer.rstrip("/")
        self.redirect_uri = f"{settings.public_url}/auth/oidc/callback"
        self._description = Published(self._ask_description, _FRESH_SECONDS, _KEYS_SECONDS)
        self._keys = Published(self._ask_keys, _FRESH_SECONDS, _KEYS_SECONDS)

    @property
    def label(self) -> str:
        """Its name on the sign-in page."""
        return self._settings.oidc_label

    @property
    def managed_roles(self) -> frozenset[str]:
        """The roles that it gives and takes."""
        return frozenset(self._settings.oidc_roles.values())

    async def address(self, *, state: str, nonce: str, verifier: str) -> str:
        """Where to send a browser."""
        client = self._client()
        description = await self._description.get()
        made, _ = client.create_authorization_url(
            description["authorization_endpoint"], code_verifier=verifier, state=state, nonce=nonce
        )
        return str(made)

    async def claims_of_code(self, code: str, *, nonce: str, verifier: str) -> Mapping[str, Any]:
        """Who came back with a code; raises `NotSignedIn`."""
        endpoint = (await self._description.get())["token_endpoint"]
        try:
            async with self._client() as client:
                told = await client.fetch_token(endpoint, code=code, code_verifier=verifier)
            token = told["id_token"]
        except (OAuthError, *_UNHEARD, ValueError, TypeError, KeyError, AttributeError) as error:
            _log.warning("the OpenID provider did not take a code: %s", type(error).__name__)
            raise NotSignedIn("the OpenID provider did not take the code", hint="sign in again") from None
        return await self.claims_of(str(token), audience=self._settings.oidc_client_id, nonce=nonce)

    async def claims_of_bearer(self, token: str) -> Mapping[str, Any]:
        """Whose bearer token it is; raises `NotSignedIn`."""
        return await self.claims_of(token, audience=self._settings.oidc_audience or self._settings.oidc_client_id)

    async def claims_of(self, token: str, *, audience: str | None, nonce: str | None = None) -> Mapping[str, Any]:
        """What a token says, if it is the provider's, for us, and counts now."""
        wanted: dict[str, Any] = {
            "iss": {"essential": True, "value": (await self._description.get())["issuer"]},
            "aud": {"essential": True, "value": audience},
            "sub": {"essential": True},
            "exp": {"essential": True},
        }
        if nonce is not None:
            wanted["nonce"] = {"essential": True, "value": nonce}
            # One for several says for whom it was made; what was made for another is not ours to use.
            wanted["azp"] = {"value": audience}
        try:
            if len(token) > _LONGEST:
                raise NotSignedIn("the token is too long")
            found = await self._decode(token)
            jwt.JWTClaimsRegistry(now=int(time.time()), leeway=_LEEWAY, **wanted).validate(found.claims)
        except (JoseError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise NotSignedIn(
                f"the token is not valid: {type(error).__name__}", hint="sign in again, or get another one"
            ) from None
        return found.claims

    def person(self, claims: Mapping[str, Any]) -> tuple[str, Person]:
        """The tenant's slug and the person that claims speak of; raises `NotSignedIn`."""
        known = self._settings
        tenant = known.oidc_tenant or claims.get(known.oidc_tenant_claim or "")
        name = claims.get(known.oidc_person_claim)
        if not isinstance(tenant, str) or not isinstance(name, str) or not tenant or not name:
            lacking = known.oidc_person_claim if isinstance(tenant, str) and tenant else known.oidc_tenant_claim
            raise NotSignedIn(
                f"the provider does not say who you are here: {lacking} is missing",
                hint="an administrator of the provider has to add that claim",
            )
        if known.oidc_person_claim == "email" and claims.get("email_verified") is not True:
            # Whoever may write any address into their profile there would be whose it is here.
            raise NotSignedIn(
                "the provider does not say that the e-mail address is yours",
                hint="let the provider tell email_verified, or name another claim in HOLDFAST_OIDC_PERSON_CLAIM",
            )
        subject = claims["sub"]
        if not isinstance(subject, str) or not 1 <= len(subject) <= _LONGEST_SUBJECT:
            # Cut off, it would be somebody else's too.
            raise NotSignedIn("the token's sub is no text of 1 to 255 characters", hint="the provider has to name you")
        roles = None
        if known.oidc_roles_claim is not None:
            groups = claims.get(known.oidc_roles_claim, [])
            groups = [groups] if isinstance(groups, str) else groups if isinstance(groups, list) else []
            named = {each for each in groups[:_MOST_GROUPS] if isinstance(each, str)}
            roles = frozenset(role for group, role in known.oidc_roles.items() if group in named)
        return tenant, Person(
            self.issuer,
            subject,
            name,
            _text(claims.get("name")),
            _text(claims.get("email")) if claims.get("email_verified", True) is True else None,
            roles,
        )

    def _client(self) -> AsyncOAuth2Client:
        secret = self._settings.oidc_client_secret
        return AsyncOAuth2Client(
            self._settings.oidc_client_id,
            None if secret is None else secret.get_secret_value(),
            token_endpoint_auth_method="none" if secret is None else "client_secret_basic",
            scope=self._settings.oidc_scopes,
            redirect_uri=self.redirect_uri,
            code_challenge_method="S256",
            timeout=_TIMEOUT,
        )

    async def _decode(self, token: str) -> jwt.Token:
        keys = await self._keys.get()
        try:
            return jwt.decode(token, keys, algorithms=_ALGORITHMS)
        except (InvalidKeyIdError, ValueError):
            # It has other keys by now, perhaps.
            return jwt.decode(token, await self._keys.get(newer=True), algorithms=_ALGORITHMS)

    async def _ask_description(self) -> dict[str, Any]:
        told = await _ask(f"{self.issuer}/.well-known/openid-configuration")
        if str(told.get("issuer", "")).rstrip("/") != self.issuer:
            raise _unreachable("it calls itself by another name than HOLDFAST_OIDC_ISSUER")
        for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
            if urlsplit(str(told.get(name, ""))).scheme not in ("http", "https"):
                raise _unreachable(f"it does not say its {name}")
        return told

    async def _ask_keys(self) -> KeySet:
        address = (await self._description.get())["jwks_uri"]
        told = (await _ask(address)).get("keys")
        usable: list[Key] = []
        for each in told if isinstance(told, list) else ():
            try:
                if each.get("use", "sig") == "sig":
                    usable.append(JWKRegistry.import_key(each))
            except (JoseError, ValueError, TypeError, KeyError, AttributeError) as error:
                # One of a kind that is not known here says nothing of the others.
                _log.debug("a key of the OpenID provider cannot be used: %s", type(error).__name__)
        if not usable:
            raise _unreachable(f"{address} has no key that can be used")
        return KeySet(usable)


async def _ask(address: str) -> dict[str, Any]:
    try:
        async with httpx.AsyncClient(timeout=_TIMEOUT) as client:
            answer = await client.get(address)
            told = answer.raise_for_status().json()
    except (httpx.HTTPError, ValueError) as error:
        raise _unreachable(f"{address}: {type(error).__name__}") from None
    if not isinstance(told, dict):
        raise _unreachable(f"{address} is no JSON object")
    return told


def _text(value: object) -> str | None:
    return value[:256] if isinstance(value, str) and value.strip() else None


def _missing(what: str) -> SettingsError:
    return SettingsError(
        f"to sign in with an OpenID provider, {what} must be set", hint="see docs/signing-in.md", setting=what
    )


def _unreachable(why: str) -> OperationalError:
    return OperationalError(f"the OpenID provider cannot be asked: {why}", hint="check HOLDFAST_OIDC_ISSUER")
