"""The Job that executes a session: its name, and what it runs. Pure: plain values in, plain values out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

__all__ = ["LABEL", "Placement", "failure_of", "job_for", "job_name"]

LABEL = "holdfast.dev/session"


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
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {
            "name": job_name(placement),
            "namespace": namespace,
            "labels": labels,
            "annotations": {"holdfast.dev/tenant": placement.project, "holdfast.dev/run": str(placement.run)},
        },
        "spec": {
            "backoffLimit": 3,
            "ttlSecondsAfterFinished": 600,
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


def failure_of(job: dict[str, Any]) -> str | None:
    """Why a Job gave up, if it did."""
    for condition in (job.get("status") or {}).get("conditions") or ():
        if condition.get("type") == "Failed" and condition.get("status") == "True":
            return str(condition.get("message") or condition.get("reason") or "it failed")
    return None
