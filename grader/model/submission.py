"""A student's work as bytes: read, never run, in the parent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Cells:
    """Where the lines of a module that was put together from a notebook, or from one script, come from.

    file: its name. lines: for each line of the module its cell and the line there, both from 1; (0, 0) for a line that
    stands in no cell. A script is one cell.
    """

    file: str
    lines: tuple[tuple[int, int], ...] = ()

    def name(self, cell: int) -> str:
        """How a cell is called in a report, in every language: `cell_of` takes it apart again."""
        return self.file if self.is_script else f"{self.file} cell {cell}"

    @property
    def is_script(self) -> bool:
        """Whether it is Python as it stands."""
        return self.file.endswith(".py")


def cell_of(name: str) -> tuple[str, int]:
    """The notebook and the cell that a file of a report is; the file itself and 0 where it is none."""
    file, _, number = name.rpartition(" cell ")
    return (file, int(number)) if file and number.isascii() and number.isdigit() else (name, 0)


@dataclass(frozen=True, slots=True)
class Submission:
    """One student's modules.

    id: how it is called in reports. path: what was graded. modules: module name to source.
    unreadable: module name to the sentence that says why it could not be read.
    hints: how many hints of a step the student has asked for so far, by step id.
    cells: for modules from a notebook or a script, where each line comes from. excerpts: the sources of its cells by
    their names.
    """

    id: str
    path: Path
    sha256: str
    modules: Mapping[str, bytes] = field(default_factory=dict)
    unreadable: Mapping[str, str] = field(default_factory=dict)
    hints: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    cells: Mapping[str, Cells] = field(default_factory=dict)
    excerpts: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def sources(self) -> Mapping[str, bytes]:
        """What a report shows lines of: modules, and the cells of notebooks."""
        return {**self.modules, **self.excerpts}
