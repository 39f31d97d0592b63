"""What `hold.users`, `roles`, `tokens`, `sign_ins` and `app.tenants` are; each has a module of its own."""

from holdfast.access.roles import Roles
from holdfast.access.sign_ins import SignIns
from holdfast.access.tenants import Tenants
from holdfast.access.tokens import Tokens
from holdfast.access.users import Users

__all__ = ["Roles", "SignIns", "Tenants", "Tokens", "Users"]
