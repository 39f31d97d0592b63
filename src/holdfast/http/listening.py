"""A socket to listen on, or one clear error: uvicorn's own is a log line and an exit."""

from __future__ import annotations

import errno
import os
import socket

from holdfast.errors import OperationalError
from holdfast.kernel.addresses import authority

__all__ = ["listen"]


def listen(host: str, port: int, *, hint: str) -> socket.socket:
    """Listen there; port 0 takes a free one. The hint says what to do when the port cannot be had."""
    try:
        socket.getaddrinfo(host, port)
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        foreign = isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL
        # What create_server makes of an error repeats the address.
        why = error.strerror if isinstance(error, socket.gaierror) else os.strerror(error.errno or 0)
        raise OperationalError(
            f"cannot listen on {authority(host, port)}: {why}",
            hint="set HOLDFAST_HOST to an address of this machine" if foreign else hint,
        ) from None
