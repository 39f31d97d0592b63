"""A bucket of S3, or of a store that speaks its language: bytes under names. What goes wrong never tells the secret."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

from holdfast.errors import ExtraMissing, OperationalError

__all__ = ["Bucket"]

_CHUNK = 1 << 20


class Bucket:
    """A bucket of S3, or of a store that speaks its language."""

    def __init__(self, bucket: str, path: str, options: dict[str, str], key: str | None, *, setting: str) -> None:
        try:
            import obstore
            from obstore.exceptions import BaseError
            from obstore.store import S3Store
        except ModuleNotFoundError as error:
            raise ExtraMissing(
                f"{setting} names a bucket, but obstore is not installed",
                hint="pip install 'holdfast[s3]'",
            ) from error
        given: dict[str, Any] = dict(options)
        if key is not None:
            given["access_key_id"], _, given["secret_access_key"] = key.partition(":")
        plain = options.get("endpoint", "").startswith("http://")
        self._secret = given.get("secret_access_key")
        self._where = f"s3://{bucket}{path}"
        self._setting = setting
        self._refused = BaseError
        self._obstore: Any = obstore
        self._store: Any = S3Store(
            bucket,
            prefix=path.strip("/") or None,
            client_options={"allow_http": plain, "timeout": "10m"},
            # The run is tried again; waiting here as well would only keep it leased.
            retry_config={"max_retries": 2, "retry_timeout": timedelta(seconds=30)},
            # Not every store knows how to delete several at once.
            disable_bulk_delete=True,
            **given,
        )

    async def put(self, name: str, data: bytes) -> None:
        await self._do(self._obstore.put_async(self._store, name, data))

    async def get(self, name: str) -> AsyncIterator[bytes]:
        found = await self._do(self._obstore.get_async(self._store, name))
        try:
            async for chunk in found.stream(min_chunk_size=_CHUNK):
                yield bytes(chunk)
        except self._refused as error:
            raise self._unreachable(error) from None

    async def names(self) -> list[str]:
        """What is there, by name."""
        found: list[str] = []
        try:
            async for some in self._obstore.list(self._store):
                found += [each["path"] for each in some]
        except (self._refused, FileNotFoundError) as error:
            raise self._unreachable(error) from None
        return sorted(found)

    async def delete(self, name: str) -> None:
        """Delete it, if it is there."""
        try:
            await self._obstore.delete_async(self._store, name)
        except FileNotFoundError:
            return
        except self._refused as error:
            raise self._unreachable(error) from None

    async def _do(self, work: Any) -> Any:
        try:
            return await work
        except (self._refused, FileNotFoundError) as error:
            raise self._unreachable(error) from None

    def _unreachable(self, error: BaseException) -> OperationalError:
        """What the store said, in one line and without the secret."""
        said = " ".join(str(error).split())[:500]
        if self._secret:
            said = said.replace(self._secret, "***")
        return OperationalError(
            f"what is in {self._where} cannot be reached: {said}",
            hint=f"check {self._setting}, {self._setting}_KEY and what that key may do",
        )
