"""Sessions on Kubernetes: custom resources are definitions, and a Job executes a session of an image."""

from holdfast.sessions.kubernetes.controller import Controller
from holdfast.sessions.kubernetes.jobs import Placement

__all__ = ["Controller", "Placement"]
