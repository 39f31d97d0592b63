"""A client of the HTTP interface, typed with the server's own models: `Client`, and `SyncClient` that does the same."""

from holdfast.client.asynchronous import Client
from holdfast.client.synchronous import SyncClient

__all__ = ["Client", "SyncClient"]
