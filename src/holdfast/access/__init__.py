"""Who may do what: tenants, users, roles and API tokens, on Postgres."""

from holdfast.access.actors import acting_for, load_actor, load_carried
from holdfast.access.api import Roles, Tenants, Tokens, Users
from holdfast.access.model import NewToken, Role, TenantInfo, Token, User
from holdfast.access.tokens import authenticate

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
    "acting_for",
    "authenticate",
    "load_actor",
    "load_carried",
]
