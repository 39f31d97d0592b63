"""Who may do what: tenants, users, roles, API tokens and signed-in browsers, on Postgres."""

from holdfast.access.actors import acting_for, load_actor, load_carried
from holdfast.access.api import Roles, SignIns, Tenants, Tokens, Users
from holdfast.access.limits import Limit, limits_in_force
from holdfast.access.model import NewToken, Role, TenantInfo, Token, User
from holdfast.access.sign_ins import Person, SignIn
from holdfast.access.tokens import authenticate

__all__ = [
    "Limit",
    "NewToken",
    "Person",
    "Role",
    "Roles",
    "SignIn",
    "SignIns",
    "TenantInfo",
    "Tenants",
    "Token",
    "Tokens",
    "User",
    "Users",
    "acting_for",
    "authenticate",
    "limits_in_force",
    "load_actor",
    "load_carried",
]
