"""Custom resources and the registry: what is applied is registered, `status` says what became of it.

A name belongs to the oldest resource that has it, and only if nobody else registered it. A resource that is deleted
while it has active sessions stays until they have ended: a finalizer holds it. Its tags are labels, for selectors.
"""

from __future__ import annotations

import re
from typing import Any

from holdfast.errors import Conflict, HoldfastError, NotFound, OperationalError
from holdfast.sessions.definitions import MEMBERS, Definitions
from holdfast.sessions.kubernetes.cluster import FINALIZER, GROUP, Cluster
from holdfast.sessions.model import SessionDefinition

__all__ = ["Resources", "label_changes"]

_TYPE = f"{GROUP}/type"
_CATEGORY = f"{GROUP}/category"
_TAG = f"tag.{GROUP}/"
_DELETED = "its resource was deleted"


class Resources:
    """The custom resources of one cluster."""

    def __init__(self, definitions: Definitions, cluster: Cluster) -> None:
        self._definitions = definitions
        self._cluster = cluster

    async def sync(self) -> list[OperationalError]:
        """Registry and `status` follow the resources; what the cluster refused, one error for each resource."""
        resources = await self._cluster.definitions()
        owners = _owners(resources)
        refused = []
        for resource in resources:
            try:
                await self._sync(resource, owners[_name(resource)])
            except OperationalError as error:
                if error.details.get("api_status") in (None, 401):
                    raise
                # Somebody changed or deleted it meanwhile: the next look sees what it is now.
                if error.details["api_status"] not in (404, 409):
                    refused.append(error)
        for definition in await self._definitions.list():
            if definition.source == "kubernetes" and definition.name not in owners:
                # Its resource went without us seeing it.
                await self._remove(definition.name)
        return refused

    async def _sync(self, resource: dict[str, Any], owner: str) -> None:
        metadata = resource["metadata"]
        name, finalizers = metadata["name"], metadata.get("finalizers") or []
        if metadata.get("deletionTimestamp"):
            if owner != name or await self._remove(_name(resource)):
                if FINALIZER in finalizers:
                    rest = [one for one in finalizers if one != FINALIZER]
                    await self._cluster.set_finalizers(name, rest, version=metadata.get("resourceVersion"))
                return
        elif FINALIZER not in finalizers:
            await self._cluster.set_finalizers(name, [*finalizers, FINALIZER], version=metadata.get("resourceVersion"))
        if changes := label_changes(metadata.get("labels") or {}, (resource.get("spec") or {}).get("tags")):
            await self._cluster.set_labels(name, changes)
        status = await self._status(resource, owner)
        if {key: (resource.get("status") or {}).get(key) for key in status} != status:
            await self._cluster.write_status(name, status)

    async def _status(self, resource: dict[str, Any], owner: str) -> dict[str, Any]:
        try:
            return await self._registered(resource, owner)
        except OperationalError:
            raise
        except HoldfastError as error:
            known = await self._known(_name(resource)) if owner == resource["metadata"]["name"] else None
            active = known.active_sessions if known is not None and known.source == "kubernetes" else 0
            return {"phase": "Error", "message": str(error), "activeSessions": active}

    async def _registered(self, resource: dict[str, Any], owner: str) -> dict[str, Any]:
        spec = resource.get("spec") or {}
        known = await self._known(_name(resource))
        if owner != resource["metadata"]["name"]:
            raise Conflict(f"the name {_name(resource)!r} belongs to the resource {owner!r}", hint="choose another")
        if known is not None and known.source != "kubernetes":
            whose = "a graph in code" if known.source == "code" else "a definition that was registered by hand"
            raise Conflict(f"the name {known.name!r} belongs to {whose}", hint="choose another")
        if known is not None and resource["metadata"].get("deletionTimestamp"):
            return _status(known, "is deleted when its sessions have ended")
        if known is not None and known.phase == "Error" and await self._is_registered(spec):
            # Registering it again would call it active, although nothing was mended.
            return _status(known)
        made = await self._definitions.register(spec, source="kubernetes", replace=True)
        if made.phase == "Deprecated" and made.phase_reason == _DELETED:
            made = await self._definitions.activate(made.name)
        return _status(made)

    async def _known(self, name: str) -> SessionDefinition | None:
        try:
            return await self._definitions.get(name)
        except NotFound:
            return None

    async def _is_registered(self, spec: dict[str, Any]) -> bool:
        """Whether the latest revision says just this."""
        latest = (await self._definitions.versions(spec["name"]))[-1].spec
        return latest == {key: spec[key] for key in MEMBERS if key != "name" and spec.get(key) is not None}

    async def _remove(self, name: str) -> bool:
        """Delete a definition that a resource brought; while it has active sessions it is only marked."""
        known = await self._known(name)
        if known is None or known.source != "kubernetes":
            return True
        try:
            await self._definitions.delete(name)
        except NotFound:
            return True
        except Conflict:
            if (known.phase, known.phase_reason) != ("Deprecated", _DELETED):
                await self._definitions.deprecate(name, _DELETED)
            return False
        return True


def _owners(resources: list[dict[str, Any]]) -> dict[str, str]:
    """Of each name, the resource it belongs to: the one that had it first."""
    owners: dict[str, str] = {}
    for one in sorted(
        resources, key=lambda one: (one["metadata"].get("creationTimestamp") or "", one["metadata"]["name"])
    ):
        owners.setdefault(_name(one), one["metadata"]["name"])
    return owners


def label_changes(labels: dict[str, str], tags: Any) -> dict[str, str | None]:
    """What to change of a resource's labels so that `kubectl get wfdef -l` finds it by its tags.

    Each tag is a label of its own, and the first one the category. A category that somebody gave a resource without
    tags is theirs.
    """
    words = [word for tag in tags if isinstance(tag, str) and (word := _label(tag))] if isinstance(tags, list) else []
    wanted: dict[str, str | None] = {_TYPE: "workflow", **{f"{_TAG}{word}": "true" for word in words}}
    ours = [name for name in labels if name.startswith(_TAG)]
    if words:
        wanted[_CATEGORY] = words[0]
    elif ours and _CATEGORY in labels:
        wanted[_CATEGORY] = None
    wanted |= {name: None for name in ours if name not in wanted}
    return {name: value for name, value in wanted.items() if labels.get(name) != value}


def _label(tag: str) -> str:
    """A tag as Kubernetes takes it for a name: what it cannot hold becomes a hyphen."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", tag)[:63].strip("-_.")


def _name(resource: dict[str, Any]) -> str:
    return str((resource.get("spec") or {}).get("name"))


def _status(definition: SessionDefinition, message: str | None = None) -> dict[str, Any]:
    return {
        "phase": definition.phase,
        "registeredAt": _instant(definition.registered_at),
        "lastUpdated": _instant(definition.last_updated),
        "activeSessions": definition.active_sessions,
        "message": message or definition.phase_reason or "",
    }


def _instant(at: Any) -> str:
    return str(at.isoformat(timespec="seconds")).replace("+00:00", "Z")
