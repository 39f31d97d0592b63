"""What a graph says while it runs, as messages: progress it reports, and a model's words, gathered from tokens."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from holdfast.sessions.history import shown

__all__ = ["Speech", "clean", "progress", "prompt_content", "strings"]

_GATHER_SECONDS = 0.5
_GATHER_CHARACTERS = 2000
_LIMIT = 100_000
_MOST = 1_000_000
_DEEPEST = 100
_NUMBERS = 2**63
_ASKED = "Input is needed"


def clean(value: Any) -> Any:
    """A value that Postgres takes as jsonb: no NUL, no lone surrogate, no NaN; very long texts are cut."""
    if isinstance(value, str):
        text = value.encode("utf-8", "replace").decode().replace("\0", "␀")
        return text if len(text) <= _LIMIT else f"{text[:_LIMIT]}…"
    if isinstance(value, float):
        return value if value - value == 0 else str(value)
    if isinstance(value, dict):
        return {clean(str(key)): clean(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [clean(inner) for inner in value]
    return value


def progress(chunk: Any) -> dict[str, Any]:
    """The content of a `workflow_progress` message for what a node wrote to its custom stream.

    Whatever it is, telling of it neither ends the session nor keeps others waiting: what is too much is cut.
    """
    told = _Brief().of(chunk)
    if not isinstance(told, dict):
        return {"message": told if isinstance(told, str) else str(told)}
    _set_aside(told, [name for name, fits in _PROGRESS.items() if name in told and not fits(told[name])])
    return told if told.keys() & _PROGRESS.keys() else {"message": "", **told}


def prompt_content(value: Any) -> tuple[dict[str, Any], dict[str, Any] | None, float | None]:
    """The content of a prompt, the schema of its answer and the seconds it stays open, from what `interrupt` was given.

    Besides free members, `prompt`, `options`, `response_schema` and `expires_in` mean what they say; options without a
    schema are the only answers. The content has a `prompt`, which is text, and `options` are a list. What is neither a
    text, a number nor an object, such as the list of requests that agents stop with, is the member `value`.
    """
    told = clean(shown(value))
    content = dict(told) if isinstance(told, dict) else {"prompt" if _is_said(told) else "value": told}
    asked = content.get("prompt", _ASKED)
    if not _is_said(asked):
        _set_aside(content, ["prompt"])
    content["prompt"] = str(asked) if _is_said(asked) else _ASKED
    schema = content.pop("response_schema", None)
    lifetime = content.pop("expires_in", None)
    options = content.get("options")
    if options is not None and not isinstance(options, list):
        _set_aside(content, ["options"])
    if schema is None and isinstance(options, list) and options:
        schema = {"enum": options}
    valid = isinstance(lifetime, int | float) and not isinstance(lifetime, bool) and lifetime > 0
    return content, schema if isinstance(schema, dict) else None, float(lifetime) if valid else None


def strings(value: Any) -> Iterator[str]:
    """Every text in a JSON value."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _is_said(value: Any) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


_PROGRESS: dict[str, Callable[[Any], bool]] = {"step": _is_text, "progress": _is_share, "message": _is_text}
"""What the members of a `workflow_progress` message are; others may be added."""


def _set_aside(content: dict[str, Any], names: Iterable[str]) -> None:
    """Move members that are not what their name promises to `metadata`, so that nothing is lost."""
    moved = {name: content.pop(name) for name in names}
    if moved:
        known = content.get("metadata")
        content["metadata"] = {**known, **moved} if isinstance(known, dict) else moved


@dataclass(slots=True)
class _Brief:
    """A value as JSON can say it, as far as there is room for it in one message."""

    left: int = _MOST

    def of(self, value: Any, depth: int = 0) -> Any:
        self.left -= 1
        if depth > _DEEPEST:
            return "…"
        if isinstance(value, dict):
            return {self._text(key): self.of(inner, depth + 1) for key, inner in self._fitting(value.items())}
        if isinstance(value, list | tuple | set | frozenset):
            return [self.of(inner, depth + 1) for inner in self._fitting(value)]
        if isinstance(value, str):
            return self._text(value)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int):
            return int(value) if -_NUMBERS <= value < _NUMBERS else str(value)
        if isinstance(value, float):
            return clean(float(value))
        try:
            known = shown(value)
        except Exception:
            known = object.__repr__(value)
        return self._text(known) if isinstance(known, str) else self.of(known, depth + 1)

    def _fitting(self, members: Iterable[Any]) -> Iterator[Any]:
        for one in members:
            if self.left <= 0:
                return
            yield one

    def _text(self, value: Any) -> str:
        room = max(min(self.left, _LIMIT), 0)
        text = value if isinstance(value, str) else str(value)
        cut: str = clean(text[:room])
        self.left -= len(cut)
        return cut if len(text) <= room else f"{cut}…"


@dataclass(slots=True)
class _Saying:
    node: str
    role: str
    text: str = ""
    part: int = 0
    since: float = field(default_factory=time.monotonic)


class Speech:
    """Gathers the tokens of models into messages: one every so often while a model speaks, and one at its end.

    `say` is given the type of each message and its content. What people say is theirs; tools and instructions are the
    graph's, with their role.
    """

    def __init__(self, say: Callable[[str, dict[str, Any]], None]) -> None:
        self._say = say
        self._saying: dict[str, _Saying] = {}

    def hear(self, chunk: Any, facts: Mapping[str, Any], piece: bool) -> None:
        """A token, or a whole message, that came from a model or a node."""
        text = chunk.text if isinstance(getattr(chunk, "text", None), str) else str(getattr(chunk, "content", ""))
        name = str(getattr(chunk, "id", None) or "")
        if text:
            saying = self._saying.setdefault(name, _Saying(str(facts.get("langgraph_node", "")), _role(chunk)))
            saying.text += text
            late = time.monotonic() - saying.since > _GATHER_SECONDS
            if late or len(saying.text) > _GATHER_CHARACTERS:
                self._tell(name, saying)
        if not piece or getattr(chunk, "chunk_position", None) == "last":
            self.pause(name)

    def pause(self, only: str | None = None) -> None:
        """Tell what is left to tell."""
        for name in [only] if only is not None else list(self._saying):
            if (saying := self._saying.pop(name, None)) and saying.text:
                self._tell(name, saying)

    def _tell(self, name: str, saying: _Saying) -> None:
        saying.part += 1
        metadata = {"id": name, "node": saying.node, "part": saying.part, "role": saying.role}
        if saying.role == "human":
            self._say("user", {"response": clean(saying.text), "metadata": metadata})
        else:
            self._say("agent", {"message": clean(saying.text), "metadata": metadata})
        saying.text, saying.since = "", time.monotonic()


def _role(message: Any) -> str:
    """Whose words they are: `ai`, `human`, `tool`, `system`, or another that LangChain knows."""
    return str(getattr(message, "type", "ai")).removesuffix("MessageChunk").lower()
