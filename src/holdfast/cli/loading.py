"""Finds the application that a command works with: the one it is told, `module:name`, or that of `HOLDFAST_APP`.

Whoever works on documents needs their code: an action that is not known here fails the step that calls it.
"""

from __future__ import annotations

import importlib
import inspect
import sys
import sysconfig
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import holdfast
from holdfast.app import Holdfast
from holdfast.errors import HoldfastError, SettingsError
from holdfast.settings import Settings

__all__ = ["application", "load_app"]

_LIBRARIES = tuple(sysconfig.get_path(each) for each in ("stdlib", "platstdlib", "purelib", "platlib"))


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
    with _told_where(module_name):
        module = importlib.import_module(module_name)
    found = getattr(module, name, None)
    if found is None:
        others = [f"{module_name}:{each}" for each, value in vars(module).items() if isinstance(value, Holdfast)]
        hint = f"it has {', '.join(others)}" if others else "name the Holdfast in it"
        raise SettingsError(f"{module_name!r} has no {name!r}", hint=hint, setting="app")
    made = found
    if callable(found) and _needs_nothing(found):
        with _told_where(module_name):
            made = found()
    if not isinstance(made, Holdfast):
        if inspect.iscoroutine(made):
            made.close()
        raise SettingsError(
            f"{target!r} is a {type(made).__name__}, not a Holdfast",
            hint="name a Holdfast, or a plain function that makes one",
            setting="app",
        )
    return made


@contextmanager
def _told_where(module_name: str) -> Iterator[None]:
    """Runs code of the application's; what it raises is said with the file and the line in it, in one sentence."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is not None and f"{module_name}.".startswith(f"{error.name}."):
            hint = "start in the directory it is in, or install it"
            raise SettingsError(f"there is no module {error.name!r}", hint=hint, setting="app") from None
        raise _mistake(
            _place(error, module_name), f"there is no module {error.name!r}", "install it, or mend the import"
        ) from error
    except SyntaxError as error:
        line = f", line {error.lineno}" if error.lineno else ""
        where = f"{_shown(error.filename)}{line}" if error.filename else module_name
        raise _mistake(where, f"it is not Python: {error.msg}", "mend it there") from error
    except HoldfastError as error:
        # What we refuse ourselves says what to do; what it lacks is where.
        raise _mistake(_place(error, module_name), error.message, error.hint) from error
    except (Exception, SystemExit) as error:
        raise _mistake(_place(error, module_name), f"{type(error).__name__}: {error}", "mend it there") from error


def _mistake(where: str, what: str, hint: str | None) -> SettingsError:
    return SettingsError(" ".join(f"{where}: {what}".split()), hint=hint, setting="app")


def _place(error: BaseException, module_name: str) -> str:
    """The file and the line of the application's own code that an error came through last; the module if in none."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith("<")]
    ours = str(Path(holdfast.__file__).parent)
    theirs = [frame for frame in frames if not frame.filename.startswith((ours, *_LIBRARIES))]
    return f"{_shown(theirs[-1].filename)}, line {theirs[-1].lineno}" if theirs else module_name


def _shown(filename: str) -> str:
    path = Path(filename)
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def _needs_nothing(function: Callable[..., Any]) -> bool:
    """Whether a function can be called as it is; what is none of ours may not even say."""
    try:
        inspect.signature(function).bind()
    except (TypeError, ValueError):
        return False
    return True
