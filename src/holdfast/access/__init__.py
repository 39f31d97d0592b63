"""Who may do what: tenants, users, roles and API tokens, on Postgres."""

from holdfast.access.actors import load_actor
from holdfast.access.roles import Role, Roles
from holdfast.access.tenants import TenantInfo, Tenants
from holdfast.access.tokens import NewToken, Token, Tokens, authenticate
from holdfast.access.users import User, Users

__all__ = [
    "NewToken",
    "Role",
    "Roles",
    "TenantInfo",
    "Tenants",
    "Token",
    "Tokens",
    "User",
    "Users",
    "authenticate",
    "load_actor",
]
