"""Whoever is wrong is told so, and what is named is what is wrong: nothing more, and nearly all of it."""

from __future__ import annotations

import pytest

from grader.model.report import Report
from tests.end_to_end.submissions import REFERENCE, Marking, not_passed, verdicts
from tests.sampling import one_in, turn

from .reading import Wrong, wrong

# Graded in passing, hundreds of times: what is measured are the tests of each module.
pytestmark = pytest.mark.no_cover

# Of these a line that is named is another than the one marked.
ELSEWHERE = {
    "ex09-always_on_not_rescaled",
    "ex13-biases_stay_behind",
    "ex13-inverted_mask_and_no_biases",
}
SUITE = wrong()
# One that makes a mistake, for a third of the mistakes; the whole run of the tests has all.
EVERY_TIME = {name: solution.name for solution in SUITE for name in solution.ids if turn(name, 3) == 0}


@pytest.mark.parametrize(
    "solution", one_in(120, (pytest.param(each, id=each.name) for each in SUITE), EVERY_TIME.values())
)
def test_a_wrong_solution_fails_and_its_mistakes_are_named_and_found(solution: Wrong, mark: Marking) -> None:
    report = mark({**REFERENCE, solution.exercise: solution.path.read_text("utf-8")}, solution.exercise)

    found = lines(report)
    assert not_passed(report)
    assert found.keys() == solution.ids
    assert all(told == sorted(told) for told in lines_in_order(report))
    off = {name for name in found if all(abs(line - solution.lines[name]) > 1 for line in found[name])}
    assert bool(off) is (solution.name in ELSEWHERE), (off, found)


def test_nearly_all_of_the_suite_is_named_and_found() -> None:
    names = {solution.name for solution in SUITE if solution.ids}

    assert names >= ELSEWHERE
    assert len(ELSEWHERE) <= 0.10 * len(names)


def lines(report: Report) -> dict[str, set[int]]:
    """Every mistake that is named, with the lines that are given for it."""
    found: dict[str, set[int]] = {}
    for verdict in verdicts(report).values():
        for mistake in verdict.diagnosis:
            found.setdefault(mistake.id, set()).add(mistake.line)
    return found


def lines_in_order(report: Report) -> list[list[int]]:
    """The lines of each step's mistakes, as they are told."""
    return [[found.line for found in verdict.diagnosis if not found.near] for verdict in verdicts(report).values()]


def test_each_step_of_a_copy_names_what_is_wrong_in_it_and_nothing_that_is_wrong_in_the_other_alone(
    mark: Marking,
) -> None:
    (solution,) = (each for each in SUITE if each.name == "ex13-copy_swaps")
    source = solution.path.read_text("utf-8").replace("nn.init.zeros_(projection.bias)", "pass")

    to_split, to_multi = (
        {found.id for found in verdict.diagnosis}
        for step, verdict in verdicts(mark({**REFERENCE, solution.exercise: source}, solution.exercise)).items()
        if step.startswith("ex13.copy")
    )

    assert to_split == solution.ids
    assert to_multi == {*solution.ids, "out-proj-missing"}


@pytest.mark.parametrize(
    ("relied_on", "relying"),
    [
        ("ex10-masked_fill_without_underscore", "ex11-summed"),
        ("ex10-masked_fill_without_underscore", "ex11-last_head_first"),
        ("ex11-summed", "ex13-added_up"),
    ],
)
def test_a_mistake_is_named_although_a_module_that_it_relies_on_is_wrong_too(
    relied_on: str, relying: str, mark: Marking
) -> None:
    both = [solution for solution in SUITE if solution.name in (relied_on, relying)]
    modules = {solution.exercise: solution.path.read_text("utf-8") for solution in both}

    report = mark({**REFERENCE, **modules}, *modules)

    for exercise, solution in zip(report.exercises, both, strict=True):
        assert {found.id for step in exercise.steps for found in step.diagnosis} == solution.ids


def test_a_wrong_copy_is_named_although_one_of_the_modules_that_it_is_for_is_not_there(mark: Marking) -> None:
    (solution,) = (each for each in SUITE if each.name == "ex13-copied_in_reverse")
    without = {name: source for name, source in REFERENCE.items() if not name.startswith("ex12")}

    report = mark({**without, solution.exercise: solution.path.read_text("utf-8")}, solution.exercise)

    assert lines(report).keys() == solution.ids


def test_a_copy_that_ends_its_sources_training_is_told_although_the_wrapper_is_not_there(mark: Marking) -> None:
    (solution,) = (each for each in SUITE if each.name == "ex13-evaluated_for_the_copy")
    without = {name: source for name, source in REFERENCE.items() if not name.startswith("ex11")}

    report = mark({**without, solution.exercise: solution.path.read_text("utf-8")}, solution.exercise)

    assert not_passed(report) == {"ex13.copy"}


def test_a_mistake_of_a_function_that_another_one_uses_has_one_line(mark: Marking) -> None:
    source = """
import torch


def scaled_scores(queries, keys):
    return queries @ keys.T


def scaled_dot_product_attention(queries, keys, values):
    scores = scaled_scores(queries, keys)
    return torch.softmax(scores, dim=-1) @ values
"""
    report = mark({**REFERENCE, "ex05_scaled_scores": source.lstrip()}, "ex05_scaled_scores")

    assert lines(report) == {"scale-missing": {5}}


def test_nothing_is_said_to_be_dropped_too_early_that_may_be_normalised_twice_in_another_file(mark: Marking) -> None:
    (solution,) = (each for each in SUITE if each.name == "ex10-normalised_again_behind_dropout")
    modules = {"parts": solution.path.read_text("utf-8"), solution.exercise: "from parts import CausalAttention\n"}

    report = mark({**REFERENCE, **modules}, solution.exercise)

    assert lines(report).keys() == solution.ids
