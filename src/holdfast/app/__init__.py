"""The application: `Holdfast`, the one place that wires the parts together, and `Hold`, a tenant's transaction.

    app = Holdfast()                                      # embedded Postgres; HOLDFAST_DSN for yours
    async with app.tenant("acme", actor="ana") as hold:   # one tenant, one transaction
        await hold.users.create("ben", roles=["approver"])

`parts` says what an application is made of, `registering` how a program teaches it, `working` which workers it can
run, `application` how it opens and lends transactions, and `hold` what can be done in one.
"""

from holdfast.app.application import Holdfast
from holdfast.app.hold import Hold

__all__ = ["Hold", "Holdfast"]
