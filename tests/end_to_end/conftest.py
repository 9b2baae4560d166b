"""Gradings in this process with one worker, and what is handed in."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from grader.model.pack import Pack
from grader.model.report import Report
from grader.plugins.registry import Plugins
from grader.runner.processes.zygote import Zygote
from tests.command import Grade

from .submissions import REFERENCE, Marking


@pytest.fixture(scope="session")
def report_of(grade: Grade) -> Callable[..., dict[str, Any]]:
    """The JSON report of `grade run` with these arguments."""

    def run(*arguments: str | Path, **options: Any) -> dict[str, Any]:
        done = grade("run", *arguments, "--format", "json", **options)
        assert done.returncode in (0, 1), done.stderr
        report: dict[str, Any] = json.loads(done.stdout)
        return report

    return run


@pytest.fixture(scope="session")
def mark(plugins: Plugins, pack: Pack, zygote: Zygote) -> Iterator[Marking]:
    """Grades modules: `mark({"ex01_dot_product_scores": source}, "ex01_dot_product_scores")`."""
    marking = Marking(plugins, pack, zygote)
    yield marking
    marking.close()


@pytest.fixture(scope="session")
def full_report(mark: Marking) -> Report:
    """The reference's own report."""
    return mark(REFERENCE)


@pytest.fixture
def folder_of(tmp_path: Path) -> Callable[[Mapping[str, str | bytes]], Path]:
    """Writes modules into a folder of their own, as a student hands them in."""

    def write(modules: Mapping[str, str | bytes], name: str = "handed_in") -> Path:
        folder = tmp_path / name
        folder.mkdir()
        for module, source in modules.items():
            (folder / f"{module}.py").write_bytes(source.encode() if isinstance(source, str) else source)
        return folder

    return write
