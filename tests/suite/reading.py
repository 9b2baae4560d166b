"""Reads the suite: one module a file, its mistakes and their lines marked in comments.

A wrong one begins with `# mistakes: id, id` (ids of the rubric; `none` for a mistake outside the catalogue), and each
culprit statement ends in `# <- id`, or in `# <- here` where there is no id. A right one begins with `# style: ...`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
MISTAKES = re.compile(r"^# mistakes: (.+)$", re.MULTILINE)
CULPRIT = re.compile(r"# <- ([a-z-]+)\s*$")
OUTSIDE = "here"


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


def right() -> list[tuple[str, Path]]:
    """Exercise and path of every right solution."""
    return [(path.parent.name, path) for path in sorted((HERE / "right").glob("*/*.py"))]


def wrong() -> list[Wrong]:
    """Every wrong solution."""
    return [_wrong(path) for path in sorted((HERE / "wrong").glob("*/*.py"))]


def _wrong(path: Path) -> Wrong:
    source = path.read_text("utf-8")
    named = MISTAKES.search(source)
    assert named, f"{path.name} does not say what is wrong in it"
    ids = frozenset() if named[1] == "none" else frozenset(named[1].replace(" ", "").split(","))
    lines = {mark[1]: number for number, line in enumerate(source.splitlines(), 1) if (mark := CULPRIT.search(line))}
    assert set(lines) == (ids or {OUTSIDE}), f"{path.name} marks {sorted(lines)} and names {sorted(ids)}"
    return Wrong(path.parent.name, path, ids, lines)
