"""Making the demo anew."""

from __future__ import annotations

from holdfast.app import Holdfast
from holdfast.demo.people import TENANT
from holdfast.errors import Conflict, InvalidInput
from holdfast.postgres.embedded import EmbeddedServer
from holdfast.settings import Settings

__all__ = ["reset"]


async def reset(settings: Settings) -> None:
    """Forget everything of the demo's installation; the next `holdfast up` makes it anew.

    Only of an embedded Postgres, and only while the demo's tenant is the only one: nobody loses what is not the demo's.
    """
    if not settings.embedded:
        raise InvalidInput(
            "HOLDFAST_DSN names a Postgres of your own",
            hint="the demo is reset only in the embedded one; unset HOLDFAST_DSN",
            field="HOLDFAST_DSN",
        )
    async with Holdfast(settings) as app:
        others = sorted(tenant.slug for tenant in await app.tenants.list() if tenant.slug != TENANT)
    if others:
        raise Conflict(
            f"there are other tenants here: {', '.join(others)}",
            hint="use a directory of its own for the demo: HOLDFAST_DATA_DIR",
        )
    server = EmbeddedServer.start(settings.data_dir, version=settings.postgres_version)
    try:
        server.empty()
    finally:
        server.stop()
