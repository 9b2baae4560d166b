"""Reads the suite: one module a file, its mistakes and their lines marked in comments.

A wrong one begins with `# mistakes: id, id` (ids of the rubric; `none` for a mistake outside the catalogue), and each
culprit statement ends in `# <- id`, or in `# <- here` where there is no id. A right one begins with `# style: ...`; one
that is right on some targets alone says so next: `# only: ` the device, the floating-point types, and after `;` why.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
MISTAKES = re.compile(r"^# mistakes: (.+)$", re.MULTILINE)
CULPRIT = re.compile(r"# <- ([a-z-]+)\s*$")
OUTSIDE = "here"
ONLY = re.compile(r"^# only: ([a-z0-9, ]+); .+$", re.MULTILINE)
TYPES = ("float32", "float64", "bfloat16", "float16")


@dataclass(frozen=True)
class Right:
    """A right solution. types: those it is right in. device: where it is, or all."""

    exercise: str
    path: Path
    types: tuple[str, ...] = TYPES
    device: str = "all"

    @property
    def name(self) -> str:
        return f"{self.exercise[:4]}-{self.path.stem}"


@dataclass(frozen=True)
class Wrong:
    """A wrong solution. ids: what is wrong, by the contract's names. lines: each id, or "here", to its line."""

    exercise: str
    path: Path
    ids: frozenset[str]
    lines: dict[str, int]

    @property
    def name(self) -> str:
        return f"{self.exercise[:4]}-{self.path.stem}"


def right() -> list[Right]:
    """Every right solution."""
    return [_right(path) for path in sorted((HERE / "right").glob("*/*.py"))]


def wrong() -> list[Wrong]:
    """Every wrong solution."""
    return [_wrong(path) for path in sorted((HERE / "wrong").glob("*/*.py"))]


def _right(path: Path) -> Right:
    said = ONLY.search(path.read_text("utf-8"))
    only = said[1].split(", ") if said else [*TYPES]
    assert {*only} <= {*TYPES, "cpu"}, f"{path.name} is right on {only}"
    types = tuple(name for name in TYPES if name in only)
    return Right(path.parent.name, path, types, "cpu" if "cpu" in only else "all")


def _wrong(path: Path) -> Wrong:
    source = path.read_text("utf-8")
    named = MISTAKES.search(source)
    assert named, f"{path.name} does not say what is wrong in it"
    ids = frozenset() if named[1] == "none" else frozenset(named[1].replace(" ", "").split(","))
    lines = {mark[1]: number for number, line in enumerate(source.splitlines(), 1) if (mark := CULPRIT.search(line))}
    assert set(lines) == (ids or {OUTSIDE}), f"{path.name} marks {sorted(lines)} and names {sorted(ids)}"
    return Wrong(path.parent.name, path, ids, lines)
