"""The Job that executes a session: its name, what it runs, what became of it. Pure: plain values in and out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

__all__ = ["LABEL", "Placement", "Stuck", "failure_of", "is_over", "job_for", "job_name", "owner_of", "stuck_pod"]

LABEL = "holdfast.dev/session"
_TENANT, _TENANT_ID, _RUN = "holdfast.dev/tenant", "holdfast.dev/tenant-id", "holdfast.dev/run"

_NO_IMAGE = ("ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "ImageInspectError")
_NO_START = ("CreateContainerConfigError", "CreateContainerError", "RunContainerError")


@dataclass(frozen=True, slots=True)
class Placement:
    """A session of an image that has something to execute."""

    tenant: UUID
    project: str
    session: UUID
    name: str
    workflow: str
    image: str
    run: UUID


@dataclass(frozen=True, slots=True)
class Stuck:
    """A pod that does not start. Kubernetes tries again for ever: it neither fails nor ends its Job."""

    pod: str
    job: str
    reason: str
    image: bool
    """Whether it is the image that cannot be had."""


def job_name(placement: Placement) -> str:
    """One Job for a session, and another one each time it goes on after waiting: its run tells them apart."""
    return f"session-{placement.session.hex[-12:]}-{placement.run.hex[-12:]}"


def job_for(placement: Placement, *, namespace: str, secret: str | None) -> dict[str, Any]:
    """The Job. Its container executes that session until it waits or has ended; the image says with which graphs."""
    container: dict[str, Any] = {
        "name": "session",
        "image": placement.image,
        "args": ["sessions", "execute", "--tenant", placement.project, placement.name],
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "runAsNonRoot": True,
            "capabilities": {"drop": ["ALL"]},
            "seccompProfile": {"type": "RuntimeDefault"},
        },
    }
    if secret is not None:
        container["envFrom"] = [{"secretRef": {"name": secret}}]
    labels = {LABEL: str(placement.session), "holdfast.dev/workflow": placement.workflow}
    notes = {_TENANT: placement.project, _TENANT_ID: str(placement.tenant), _RUN: str(placement.run)}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": job_name(placement), "namespace": namespace, "labels": labels, "annotations": notes},
        "spec": {
            "backoffLimit": 3,
            "ttlSecondsAfterFinished": 600,
            # A pod that is evicted, say because its node is emptied, is replaced, and is no failure of the session.
            "podFailurePolicy": {"rules": [{"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget"}]}]},
            "template": {
                "metadata": {"labels": labels},
                "spec": {
                    "restartPolicy": "Never",
                    "automountServiceAccountToken": False,
                    "containers": [container],
                },
            },
        },
    }


def owner_of(job: dict[str, Any]) -> tuple[str, str] | None:
    """The slug and the id of the tenant whose session a Job executes."""
    notes = job["metadata"].get("annotations") or {}
    return (notes[_TENANT], notes[_TENANT_ID]) if _TENANT in notes and _TENANT_ID in notes else None


def is_over(job: dict[str, Any]) -> bool:
    """Whether a Job has ended, or is being deleted."""
    return bool(job["metadata"].get("deletionTimestamp")) or any(_conditions(job, "Complete", "Failed"))


def failure_of(job: dict[str, Any]) -> str | None:
    """Why a Job whose session still has something to execute will not execute it, if so."""
    for condition in _conditions(job, "Failed"):
        return str(condition.get("message") or condition.get("reason") or "it failed")
    if any(_conditions(job, "Complete")):
        return "its container ended well, but did not execute the session; is holdfast its entrypoint?"
    return None


def stuck_pod(pod: dict[str, Any]) -> Stuck | None:
    """What keeps a pod from starting, if something does."""
    for container in (pod.get("status") or {}).get("containerStatuses") or ():
        waiting = (container.get("state") or {}).get("waiting") or {}
        reason = waiting.get("reason")
        if reason in _NO_IMAGE or reason in _NO_START:
            metadata = pod["metadata"]
            told = f"{reason}: {waiting['message']}" if waiting.get("message") else str(reason)
            job = (metadata.get("labels") or {}).get("job-name", "")
            return Stuck(metadata.get("uid") or metadata["name"], job, told, reason in _NO_IMAGE)
    return None


def _conditions(job: dict[str, Any], *types: str) -> list[dict[str, Any]]:
    found = (job.get("status") or {}).get("conditions") or ()
    return [one for one in found if one.get("type") in types and one.get("status") == "True"]
