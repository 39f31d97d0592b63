"""Finds the application that a command works with: the one it is told, `module:name`, or that of `HOLDFAST_APP`.

Whoever works on documents needs their code: an action that is not known here fails the step that calls it.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from holdfast.app import Holdfast
from holdfast.errors import SettingsError
from holdfast.settings import Settings

__all__ = ["application", "load_app"]


def application(target: str | None = None, *, on_progress: Callable[[str], None] | None = None) -> Holdfast:
    """The application of `--app`, else that of `HOLDFAST_APP`, else one with nothing but what the product brings."""
    settings = Settings.load()
    named = target or settings.app
    return load_app(named) if named else Holdfast(settings, on_progress=on_progress)


def load_app(target: str) -> Holdfast:
    """The `Holdfast` that `module:name` is, or that calling it makes; the current directory is searched too."""
    module_name, _, name = target.partition(":")
    if not module_name or module_name.startswith(".") or not name:
        raise SettingsError(
            f"the application is named {target!r}", hint="write it as module:name, such as shop.work:app", setting="app"
        )
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        raise SettingsError(
            f"there is no module {error.name!r}", hint="start in the directory it is in, or install it", setting="app"
        ) from None
    found = getattr(module, name, None)
    if found is None:
        raise SettingsError(f"{module_name!r} has no {name!r}", hint="name the Holdfast in it", setting="app")
    made = found() if callable(found) and _needs_nothing(found) else found
    if not isinstance(made, Holdfast):
        raise SettingsError(f"{target!r} is a {type(made).__name__}, not a Holdfast", setting="app")
    return made


def _needs_nothing(function: Callable[..., Any]) -> bool:
    """Whether a function can be called as it is; what is none of ours may not even say."""
    try:
        inspect.signature(function).bind()
    except (TypeError, ValueError):
        return False
    return True
