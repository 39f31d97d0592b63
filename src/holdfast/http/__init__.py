"""The HTTP interface: `/v1/{tenant}/…`, problem+json errors, and the console at `/`."""

from holdfast.http.server import build

__all__ = ["build"]
