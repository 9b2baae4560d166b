"""What each of otter's test files calls, and the files themselves: one question for each exercise."""

from __future__ import annotations

from pathlib import Path

TEST = """\
from otter.test_files import test_case

OK_FORMAT = False
name = "{exercise}"
points = 1


@test_case()
def test_all():
    from benchmarks.peers.otter.asking import ask

    ask("{exercise}")
"""


def ask(exercise: str) -> None:
    """Check an exercise of the submission that otter runs in its folder. Raises what shows that it is not right."""
    # Only otter's kernel has torch; who writes the tests has no need of it.
    from benchmarks.peers.checks import CHECKS, run
    from benchmarks.peers.loading import Both

    both = Both(Path.cwd())
    for check in CHECKS:
        if check.exercise == exercise:
            run(check, both)


def write_tests(folder: Path, exercises: list[str]) -> None:
    """Write otter's test files for some exercises."""
    for exercise in exercises:
        (folder / f"{exercise}.py").write_text(TEST.format(exercise=exercise), "utf-8")
