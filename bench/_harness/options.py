"""What all benchmarks understand alike: `--peers`, `--n`, `--rounds`, `--postgres`; one line tells what is wrong."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Collection
from typing import NoReturn

from bench._harness.server import default_version

__all__ = ["Parser", "listed"]


class Parser(argparse.ArgumentParser):
    """The command line of one benchmark. Nothing stands for the default: make passes on what nobody gave."""

    def __init__(self, name: str, description: str, *, n: str, rounds: str, peers: str = "not used") -> None:
        super().__init__(prog=name, description=description)
        self.add_argument("--peers", default="", help=peers)
        self.add_argument("--n", default="", help=n)
        self.add_argument("--rounds", default="", help=rounds)

    def error(self, message: str) -> NoReturn:
        """One line: the usage would hide it."""
        print(f"{self.prog}: {message}", file=sys.stderr)
        sys.exit(2)

    def number(self, name: str, text: str, default: int, *, least: int = 1) -> int:
        """A whole number, or the default."""
        return self.numbers(name, text, [default], least=least, form="a whole number", most=1)[0]

    def numbers(
        self,
        name: str,
        text: str,
        default: list[int],
        *,
        least: int = 1,
        form: str = "whole numbers, separated by commas,",
        most: int = 100,
    ) -> list[int]:
        """Whole numbers, separated by commas, or the default."""
        words = listed(text)
        found = [int(word) for word in words if word.isascii() and word.isdigit() and len(word) < 12]
        if len(found) < len(words) or len(words) > most or (found and min(found) < least):
            self.error(f"{name} is {text!r}: give {form} of at least {least}")
        return found or default

    def postgres(self, text: str) -> int:
        """The major version of the server."""
        if text not in ("", "15", "18"):
            self.error(f"--postgres is {text!r}: give 15 (Debian's) or 18 (embedded)")
        return int(text or default_version())

    def peers(self, text: str, known: Collection[str]) -> list[str]:
        """The peers named, separated by commas; nothing stands for all of them, which `none` excludes.

        When every benchmark is run (`BENCH_ALL`), each takes those it knows; otherwise an unknown one is an error.
        """
        names = listed(text)
        if names == ["none"]:
            return names
        unknown = [name for name in names if name not in known]
        if unknown and not os.environ.get("BENCH_ALL"):
            self.error(f"unknown peer {', '.join(unknown)}: choose from {', '.join([*sorted(known), 'none'])}")
        taken = [name for name in names if name in known]
        return ["none"] if names and not taken else taken


def listed(text: str) -> list[str]:
    """The words of a list that is separated by commas."""
    return [word.strip() for word in text.split(",") if word.strip()]
