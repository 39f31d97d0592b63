"""What `hold.users`, `hold.roles`, `hold.tokens` and `app.tenants` are; each has a module of its own."""

from holdfast.access.roles import Roles
from holdfast.access.tenants import Tenants
from holdfast.access.tokens import Tokens
from holdfast.access.users import Users

__all__ = ["Roles", "Tenants", "Tokens", "Users"]
