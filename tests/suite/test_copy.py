"""A student's own copy, without solutions and on public cases alone, names the same mistakes as the full kit."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from grader.cli.init import command as init
from grader.model.pack import PackSource
from grader.model.report import Report
from grader.pack.load import load_pack
from grader.plugins.registry import Plugins
from grader.runner.processes.zygote import Zygote
from tests.end_to_end.submissions import REFERENCE, Marking, verdicts
from tests.sampling import one_in

from .reading import Wrong, wrong

# Graded in passing, hundreds of times: what is measured are the tests of each module.
pytestmark = pytest.mark.no_cover

# Three mistakes at once may need the solutions.
SUITE = [solution for solution in wrong() if len(solution.ids) < 3]
# One of each exercise, at the least.
EACH = {solution.exercise: solution.name for solution in SUITE}


@pytest.fixture(scope="module")
def mark_in_copy(tmp_path_factory: pytest.TempPathFactory, zygote: Zygote) -> Iterator[Marking]:
    """Grades in what `grade init` makes, as if no plugin had brought solutions."""
    copy = tmp_path_factory.mktemp("copy") / "workspace"
    assert CliRunner().invoke(init, [str(copy)]).exit_code == 0
    plugins = Plugins()
    plugins.manager.unregister(name="solutions")
    source = PackSource(plugins.pack().name, copy / "exercises", copy / "fixtures")
    marking = Marking(plugins, load_pack(source, plugins.checks), zygote)
    yield marking
    marking.close()


def named(report: Report) -> set[str]:
    return {found.id for verdict in verdicts(report).values() for found in verdict.diagnosis}


@pytest.mark.parametrize("solution", one_in(160, (pytest.param(each, id=each.name) for each in SUITE), EACH.values()))
def test_a_copy_without_solutions_names_the_same_mistakes(
    solution: Wrong, mark: Marking, mark_in_copy: Marking
) -> None:
    modules = {**REFERENCE, solution.exercise: solution.path.read_text("utf-8")}

    in_copy = mark_in_copy(modules, solution.exercise)

    assert in_copy.environment["fresh"] is False
    assert named(in_copy) == named(mark(modules, solution.exercise))
