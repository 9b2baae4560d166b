"""Every bundle, made once of three exercises, and laid out as its platform does."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.bundle.kit import course
from grader.bundle.write import open_bundle, write_bundle
from grader.model.pack import Pack
from grader.plugins.bundle import Course
from grader.plugins.registry import Plugins
from tests.once import once

TARGETS = ("gradescope", "github", "classroom50", "prairielearn", "autolab", "docker")


@pytest.fixture(scope="session")
def first_three(plugins: Plugins, pack: Pack) -> Course:
    """ex01, ex02 and ex03, for 18 points."""
    return course(plugins, pack, pack.exercises[:3], seconds=2, sandbox=None, image="")


@pytest.fixture(scope="session")
def bundles(plugins: Plugins, first_three: Course, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Each platform's bundle, as an unpacked folder. Not to be changed."""

    def make(folder: Path) -> dict[str, Path]:
        for name in TARGETS:
            platform = plugins.bundles[name]
            out = folder / f"{name}{platform.suffix}"
            write_bundle(platform, first_three, out)
            if platform.suffix:
                open_bundle(out, folder / name)
        return {name: folder / name for name in TARGETS}

    made: dict[str, Path] = once(tmp_path_factory, "bundles", make)
    return made
