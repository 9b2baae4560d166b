"""The built-in bundles, brought by the same hook as anybody's."""

from __future__ import annotations

from collections.abc import Iterable

from grader.plugins import hookimpl
from grader.plugins.bundle import Platform


@hookimpl
def grader_bundles() -> Iterable[Platform]:
    # Imported here because every command loads this module, and one of them makes bundles.
    from grader.bundle.autolab import Autolab
    from grader.bundle.classroom50 import Classroom50
    from grader.bundle.docker import Docker
    from grader.bundle.github import GitHub
    from grader.bundle.gradescope import Gradescope
    from grader.bundle.prairielearn import PrairieLearn

    return [Gradescope(), GitHub(), Classroom50(), PrairieLearn(), Autolab(), Docker()]
