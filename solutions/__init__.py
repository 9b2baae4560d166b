"""The solutions of the pack `attention`. A plugin like any other, and absent from a student's copy."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from grader.model.pack import SolutionSource
from grader.plugins import hookimpl

HERE = Path(__file__).resolve().parent


@hookimpl
def grader_solutions(pack: str) -> Iterable[SolutionSource]:
    if pack != "attention":
        return []
    alternatives = sorted(
        path for path in (HERE / "alternatives").iterdir() if path.is_dir() and any(path.glob("*.py"))
    )
    return [
        SolutionSource(pack, "reference", "reference", HERE / "reference"),
        *(SolutionSource(pack, "alternative", folder.name, folder) for folder in alternatives),
        SolutionSource(pack, "zeros", "zeros", HERE / "zeros"),
        SolutionSource(pack, "copies", "copies", HERE / "copies"),
        SolutionSource(pack, "mistakes", "mistakes", HERE / "mistakes"),
        SolutionSource(pack, "faults", "faults", HERE / "faults"),
    ]
