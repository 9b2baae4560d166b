"""The pack `attention`: thirteen stubs with a rubric beside each. A plugin like any other."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from grader.model.pack import PackSource
from grader.plugins import hookimpl

HERE = Path(__file__).resolve().parent


@hookimpl
def grader_packs() -> Iterable[PackSource]:
    return [PackSource("attention", exercises=HERE, fixtures=HERE.parent / "fixtures")]
