"""Finds the application that a command is told to use: `module:name`."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from holdfast.app import Holdfast
from holdfast.errors import SettingsError

__all__ = ["load_app"]


def load_app(target: str) -> Holdfast:
    """The `Holdfast` that `module:name` is, or that calling it makes; the current directory is searched too."""
    module_name, _, name = target.partition(":")
    if not module_name or module_name.startswith(".") or not name:
        raise SettingsError(
            f"--app is {target!r}", hint="write it as module:name, such as shop.work:app", setting="app"
        )
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found = getattr(importlib.import_module(module_name), name)
    except ModuleNotFoundError as error:
        raise SettingsError(
            f"there is no module {error.name!r}", hint="start in the directory it is in, or install it", setting="app"
        ) from None
    except AttributeError:
        raise SettingsError(f"{module_name!r} has no {name!r}", hint="name the Holdfast in it", setting="app") from None
    made = found() if callable(found) else found
    if not isinstance(made, Holdfast):
        raise SettingsError(f"{target!r} is a {type(made).__name__}, not a Holdfast", setting="app")
    return made
