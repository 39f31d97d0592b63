"""Tenants, users, roles and tokens over HTTP."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field, ModelWrapValidatorHandler, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from holdfast.access import Limit as InForce
from holdfast.access import Role, SignIn, TenantInfo, Token, User
from holdfast.http.acting import acting, application, signed_in
from holdfast.http.conventions import located, without_key
from holdfast.http.exact import Exact
from holdfast.http.route import GuardedRoute, needs
from holdfast.kernel.actor import known_permissions
from holdfast.kernel.given import Given
from holdfast.kernel.names import NAME_PATTERN
from holdfast.kernel.page import Page

__all__ = ["router"]

router = APIRouter(prefix="/v1", route_class=GuardedRoute)


_MOST_LISTED = 500
"""Problems of a body that are listed one by one; to list a hundred thousand takes a second."""


class Body(Given):
    """What a request sends."""

    @model_validator(mode="wrap")
    @classmethod
    def _bounded(cls, given: Any, read: ModelWrapValidatorHandler[Self]) -> Self:
        try:
            return read(given)
        except ValidationError as error:
            if error.error_count() <= _MOST_LISTED:
                raise
            message = f"it has {error.error_count()} problems; send a smaller one to see them"
            raise PydanticCustomError("too_many_problems", "{told}", {"told": message}) from None


class SkipRequest(Body):
    """Why something dead is given up."""

    reason: str


class Me(BaseModel):
    """Who the token stands for."""

    tenant: str
    kind: Literal["user", "service", "system"]
    name: str
    roles: list[str]
    permissions: list[str]
    trace_url: str | None = None
    """Where a trace is looked at, with `{trace}` for its id; `HOLDFAST_TRACE_URL`."""


class NewUser(Body):
    """A user to add."""

    name: str = Field(json_schema_extra={"pattern": NAME_PATTERN})
    display_name: str | None = None
    email: str | None = None
    kind: Literal["user", "service"] = "user"
    roles: list[str] = Field([])


class UserChange(Body):
    """What to change of a user; members left out stay."""

    display_name: str | None = None
    email: str | None = None


class RoleDefinition(Body):
    """What a role of the tenant's own may do."""

    permissions: list[str]
    description: str = ""


class Granting(Body):
    """Who may grant a role."""

    grantable_by: list[str] = Field(description="whoever has one of these roles")


class TenantChange(Body):
    """What to change of the tenant; members left out stay."""

    name: str | None = None
    settings: dict[str, Any] | None = None


class TokenRequest(Body):
    """A token to create."""

    name: str
    user: str | None = Field(None, description="a service account; by default it is the caller's own")
    scopes: list[str] | None = Field(None, description="permissions it carries; all of the user's by default")
    days: float | None = Field(
        90, gt=0, le=3660, description="days it lasts, at most as long as the token it is made with; null never expires"
    )


class CreatedToken(BaseModel):
    """The only answer that ever holds the secret."""

    token: Token
    secret: str


Anyway = Annotated[bool, Query(description="delete it although steps in force name it, which will fail")]
Limit = Annotated[int, Query(ge=1, le=200)]


@router.get("/me", tags=["access"])
async def me(request: Request) -> Me:
    """Who am I?"""
    tenant, actor = await signed_in(request)
    return Me(
        tenant=tenant,
        kind=actor.kind,
        name=actor.name,
        roles=sorted(actor.roles),
        permissions=sorted(actor.permissions),
        trace_url=application(request).settings.trace_url,
    )


@router.get("/permissions", tags=["access"])
async def permissions(request: Request) -> dict[str, str]:
    """Every permission with what it allows."""
    await signed_in(request)
    return known_permissions()


@router.get("/{tenant}", response_model=TenantInfo, tags=["tenant"])
async def read_tenant(request: Request, tenant: str) -> Exact:
    """The tenant's name and settings."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.info())


@router.get("/{tenant}/limits", tags=["tenant"])
async def list_limits(request: Request, tenant: str) -> list[InForce]:
    """How long things are kept and how much is taken, as the installation is set up; null: for ever, or any number."""
    async with acting(request, tenant) as hold:
        return hold.limits()


@router.patch("/{tenant}", response_model=TenantInfo, tags=["tenant"])
@needs("tenant:write")
async def change_tenant(request: Request, tenant: str, change: TenantChange) -> Exact:
    """Change the tenant's name or settings."""
    async with acting(request, tenant) as hold:
        return Exact(await hold.configure(name=change.name, settings=change.settings))


@router.get("/{tenant}/users", tags=["users"])
async def list_users(request: Request, tenant: str, limit: Limit = 100, cursor: str | None = None) -> Page[User]:
    """Users by name."""
    async with acting(request, tenant) as hold:
        return await hold.users.list(limit=limit, cursor=cursor)


@router.post("/{tenant}/users", status_code=201, tags=["users"])
@needs("users:write")
@located("users/{name}")
async def create_user(request: Request, tenant: str, user: NewUser) -> User:
    """Add a user."""
    async with acting(request, tenant) as hold:
        return await hold.users.create(**user.model_dump())


@router.get("/{tenant}/users/{name}", tags=["users"])
async def read_user(request: Request, tenant: str, name: str) -> User:
    """One user."""
    async with acting(request, tenant) as hold:
        return await hold.users.get(name)


@router.patch("/{tenant}/users/{name}", tags=["users"])
@needs("users:write")
async def change_user(request: Request, tenant: str, name: str, change: UserChange) -> User:
    """Change what is shown of a user."""
    async with acting(request, tenant) as hold:
        return await hold.users.update(name, **change.model_dump())


@router.post("/{tenant}/users/{name}/deactivate", tags=["users"])
async def deactivate_user(request: Request, tenant: str, name: str) -> User:
    """Take away every access."""
    async with acting(request, tenant) as hold:
        return await hold.users.deactivate(name)


@router.post("/{tenant}/users/{name}/reactivate", tags=["users"])
async def reactivate_user(request: Request, tenant: str, name: str) -> User:
    """Give access back."""
    async with acting(request, tenant) as hold:
        return await hold.users.reactivate(name)


@router.put("/{tenant}/users/{name}/roles/{role}", tags=["users"])
async def grant_role(request: Request, tenant: str, name: str, role: str) -> User:
    """Give somebody else a role. With four eyes on grants, the first who asks requests it, the second grants it."""
    async with acting(request, tenant) as hold:
        return await hold.users.grant(name, role)


@router.delete("/{tenant}/users/{name}/roles/{role}", tags=["users"])
async def revoke_role(request: Request, tenant: str, name: str, role: str) -> User:
    """Take a role from a user."""
    async with acting(request, tenant) as hold:
        return await hold.users.revoke(name, role)


@router.get("/{tenant}/roles", tags=["roles"])
async def list_roles(request: Request, tenant: str) -> list[Role]:
    """Every role, built-in ones first."""
    async with acting(request, tenant) as hold:
        return await hold.roles.list()


@router.put("/{tenant}/roles/{name}", tags=["roles"])
@needs("users:write")
async def define_role(request: Request, tenant: str, name: str, role: RoleDefinition) -> Role:
    """Add or change a role of the tenant's own."""
    async with acting(request, tenant) as hold:
        return await hold.roles.define(name, role.permissions, description=role.description)


@router.put("/{tenant}/roles/{name}/grantable-by", tags=["roles"])
@needs("users:write")
async def let_grant(request: Request, tenant: str, name: str, wanted: Granting) -> Role:
    """Say who may grant a role; for administrators."""
    async with acting(request, tenant) as hold:
        return await hold.roles.let_grant(name, wanted.grantable_by)


@router.delete("/{tenant}/roles/{name}", status_code=204, tags=["roles"])
async def delete_role(request: Request, tenant: str, name: str) -> Response:
    """Remove a role nobody has."""
    async with acting(request, tenant) as hold:
        await hold.roles.delete(name)
    return Response(status_code=204)


@router.get("/{tenant}/tokens", tags=["tokens"])
async def list_tokens(request: Request, tenant: str, user: str | None = None) -> list[Token]:
    """Tokens, newest first; secrets are never among what is shown."""
    async with acting(request, tenant) as hold:
        return await hold.tokens.list(user=user)


@router.post("/{tenant}/tokens", status_code=201, tags=["tokens"])
@located("tokens/{token.token_id}")
@without_key("its answer holds a secret, which is kept nowhere")
async def create_token(request: Request, tenant: str, wanted: TokenRequest) -> CreatedToken:
    """Create a token. The secret is in this answer and nowhere else."""
    async with acting(request, tenant) as hold:
        made = await hold.tokens.create(
            wanted.user or hold.actor.name,
            wanted.name,
            scopes=wanted.scopes,
            lifetime=None if wanted.days is None else timedelta(days=wanted.days),
        )
    return CreatedToken(token=made.token, secret=made.secret)


@router.delete("/{tenant}/tokens/{token_id}", tags=["tokens"])
async def revoke_token(request: Request, tenant: str, token_id: UUID) -> Token:
    """End a token at once."""
    async with acting(request, tenant) as hold:
        return await hold.tokens.revoke(token_id)


@router.get("/{tenant}/sign-ins", tags=["sign-ins"])
async def list_sign_ins(
    request: Request,
    tenant: str,
    user: Annotated[str | None, Query(description="somebody else's; `*` for everybody's")] = None,
) -> list[SignIn]:
    """Browsers that are or were signed in, newest first: the caller's own, unless another user is named."""
    async with acting(request, tenant) as hold:
        return list(await hold.sign_ins.list(user=user))


@router.delete("/{tenant}/sign-ins/{sign_in_id}", tags=["sign-ins"])
async def end_sign_in(request: Request, tenant: str, sign_in_id: UUID) -> SignIn:
    """Sign a browser out, at once: one's own, wherever it is, or somebody's."""
    async with acting(request, tenant) as hold:
        return await hold.sign_ins.end(sign_in_id)
