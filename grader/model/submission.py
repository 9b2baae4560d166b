"""A student's work as bytes: read, never run, in the parent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Submission:
    """One student's modules.

    id: how it is called in reports. path: what was graded. modules: module name to source.
    unreadable: module name to the sentence that says why it could not be read.
    hints: how many hints of a step the student has asked for so far, by step id.
    """

    id: str
    path: Path
    sha256: str
    modules: Mapping[str, bytes] = field(default_factory=dict)
    unreadable: Mapping[str, str] = field(default_factory=dict)
    hints: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
