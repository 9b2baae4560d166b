"""A piece of a source and what to put there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

# What hides a score for good, as minus infinity does.
FILL = "1e9"


class Side(Enum):
    """Where a statement was to stand that a loop begins with, or that stands before one."""

    BEFORE = "before"
    INSIDE = "inside"


@dataclass(frozen=True, slots=True)
class Repair:
    """What stands from one place of a source to another, and what to put there.

    begin, end: as ast counts, line and byte within it. code: what stands there, as a sentence quotes it; within: what
    that is a part of, where it says little by itself. is_step: whether it is left as it is, and something done with it.
    side: of a statement that is left as it is and stands elsewhere, on which side of a loop's beginning it was to
    stand. at: the line to tell, where that is not the first.
    """

    begin: tuple[int, int]
    end: tuple[int, int]
    text: str
    code: str
    within: str = ""
    is_step: bool = False
    side: Side | None = None
    at: int = 0

    @property
    def is_fill(self) -> bool:
        """Whether it hides more than what stands there does."""
        return self.text == FILL

    @property
    def line(self) -> int:
        """Where what is wrong stands."""
        return self.at or self.begin[0]

    def overlaps(self, other: Repair) -> bool:
        """Whether both change the same piece, or one a piece of the other's."""
        return self.begin < other.end and other.begin < self.end


def repaired(source: str, repairs: Iterable[Repair]) -> str:
    """The source with pieces changed that do not overlap."""
    lines = source.encode().splitlines(keepends=True)
    for each in sorted(repairs, key=lambda repair: repair.begin, reverse=True):
        (first, start), (last, stop) = each.begin, each.end
        lines[first - 1 : last] = [lines[first - 1][:start] + each.text.encode() + lines[last - 1][stop:]]
    return b"".join(lines).decode()
