"""The page and the figures are what results.json says, and a goal that is missed or not measured says so."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from benchmarks import __main__ as bench
from benchmarks import figures, goals, page
from benchmarks.measurements import opening
from benchmarks.plot import plot
from benchmarks.processes import CannotRun
from benchmarks.sections import SECTIONS

RESULTS: dict[str, Any] = json.loads(bench.RESULTS.read_text("utf-8"))


def test_the_page_is_the_one_that_the_results_give() -> None:
    assert page.PAGE.read_text("utf-8") == page.text(RESULTS), "run: python -m benchmarks --page"


@pytest.mark.parametrize("document", figures.documents(), ids=lambda document: document.name)
def test_every_figure_in_a_document_is_the_measured_one(document: Path) -> None:
    text = document.read_text("utf-8")

    assert figures.filled(text, RESULTS) == text, "run: python -m benchmarks --page"


def test_every_figure_is_used_and_was_measured() -> None:
    used = {
        found[0] for document in figures.documents() for found in figures.MARKED.findall(document.read_text("utf-8"))
    }

    assert used == figures.FIGURES.keys()
    for make in figures.FIGURES.values():
        assert re.search(r"\d", make(RESULTS))


def test_the_documents_tell_no_other_time_of_the_graders() -> None:
    """How long something takes is a measurement; a limit that is set in the code is none."""
    told = re.compile(r"(?:[Aa] tenth|[Hh]alf|[Aa] (?:fifth|quarter)) of a second later|\d+ (?:ms|milliseconds)\b")
    others = [file for file in figures.documents() if file not in (page.PAGE, page.PAGE.with_name("student-tour.md"))]

    assert {file.name: told.findall(file.read_text("utf-8")) for file in others} == {file.name: [] for file in others}


def test_a_figure_that_there_is_none_of_is_an_error() -> None:
    with pytest.raises(KeyError):
        figures.filled("<!-- figure speed -->9<!-- /figure -->", RESULTS)


def test_a_missed_goal_is_said_on_the_page_and_ends_in_exit_code_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    slow = {**RESULTS, "cold": {**RESULTS["cold"], "ratio": 2.5}}
    file = tmp_path / "results.json"
    file.write_text(json.dumps(slow), "utf-8")

    code = bench.main(["--page", "--results", str(file), "--page-to", str(tmp_path / "page.md")])

    assert code == 1
    assert re.search(r"^NOT MET: .*cold.*: 2.5 times, at most 1.25 times$", capsys.readouterr().err, re.MULTILINE)
    row = next(line for line in (tmp_path / "page.md").read_text("utf-8").splitlines() if "cold, in" in line)
    assert row.endswith("| at most 1.25 times | 2.5 | **not met** |")


def test_what_fails_is_no_longer_told_as_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise CannotRun("no such command")

    monkeypatch.setattr(opening, "measure", fails)
    file = tmp_path / "results.json"
    file.write_text(json.dumps(RESULTS), "utf-8")

    code = bench.main(["--only", "opening", "--results", str(file), "--page-to", str(tmp_path / "page.md")])

    written = json.loads(file.read_text("utf-8"))
    assert code == 2
    assert written.keys() == RESULTS.keys() - {"opening"}
    assert written["measured"].keys() == RESULTS["measured"].keys() - {"opening"}


def test_what_was_not_measured_is_no_goal_that_was_met() -> None:
    assert {goal.is_met for goal in goals.goals({})} == {None}
    assert "not measured" in page.text({"measured": {}})


@pytest.mark.parametrize(("seen", "is_least", "is_met"), [(2.0, True, True), (2.0, False, True), (2.1, False, False)])
def test_a_goal_is_met_up_to_its_bound(seen: float, is_least: bool, is_met: bool) -> None:
    assert goals.Goal("", 2.0, is_least, seen).is_met is is_met


def batch(kind: str, count: int, jobs: int, seconds: float, peak: float = 300.0, **more: Any) -> dict[str, Any]:
    each = {"each_seconds": seconds, "each_cpu": seconds, "outcomes": {"full": count}}
    return {"kind": kind, "count": count, "jobs": jobs, "seconds": seconds, "peak_mb": peak, **each, **more}


def goal(results: dict[str, Any], what: str) -> goals.Goal:
    (found,) = (each for each in goals.goals(results) if each.what.startswith(what))
    return found


def test_an_honest_submission_costs_what_right_and_wrong_ones_do_by_their_share() -> None:
    rows = [batch(kind, 100, 1, seconds) for kind, seconds in (("right", 0.1), ("wrong", 0.2))]

    assert goals.honest({"batch": {"rows": rows}}, "each_cpu", 1) == pytest.approx(0.62 * 0.1 + 0.38 * 0.2)


def test_the_time_that_half_of_a_batch_takes_stands_last_in_its_row() -> None:
    told = {"cpu": 12.0, "median_seconds": 0.25}
    rows = [{**batch("wrong", 10, 1, 20.0), **told}]

    text = SECTIONS["batch"]({"batch": {"rows": rows, "profiles": {}}})

    assert any(line.startswith("| wrong | 10 |") and line.endswith(" | 250 |") for line in text.splitlines())


def test_what_it_costs_in_floors_is_told_by_the_floor_beside_each_batch() -> None:
    rows = [
        batch("right", 100, 1, 0.1, floor_cpu=0.05),
        batch("wrong", 100, 1, 0.2, floor_cpu=0.1),
        batch("right", 100, 2, 0.1),
    ]

    assert goals.honest(goals.in_floors({"batch": {"rows": rows}}), "each_cpu", 1) == pytest.approx(2)


def test_a_cost_that_falls_by_more_than_the_bound_has_changed_too() -> None:
    rows = [{"count": count, "each_cpu": seconds} for count, seconds in ((100, 0.2), (10_000, 0.1))]

    assert goals.change({"growth": {"rows": rows}}, "each_cpu") == pytest.approx(50)


def test_a_change_to_a_lesser_class_is_not_the_one_that_was_asked_for() -> None:
    rows = [{"count": count, "each_cpu": 0.1} for count in (100, 1000)]

    assert goal({"growth": {"rows": rows}}, "change of the CPU").is_met is None


def test_a_right_submission_without_full_marks_is_counted_as_lost() -> None:
    rows = [batch("right", 10, 1, 1.0, outcomes={"full": 8, "partial": 2}), batch("wrong", 10, 1, 1.0, outcomes={})]

    assert goals.lost({"batch": {"rows": rows}}) == 2


@pytest.mark.parametrize(("peak", "is_met"), [(1500.0, True), (1501.0, False)])
def test_the_memory_held_to_its_goal_is_the_highest_of_any_batch(peak: float, is_met: bool) -> None:
    rows = [batch("right", 100, 1, 1.0, 300.0), batch("hostile", 10, 2, 1.0, peak)]

    assert goal({"batch": {"rows": rows}}, "memory of all processes").is_met is is_met


@pytest.mark.parametrize(("last", "is_met"), [(220.0, True), (221.0, False)])
def test_the_growth_held_to_its_goal_is_the_worst_of_the_largest_batches(last: float, is_met: bool) -> None:
    rows = [
        batch("right", 10, 1, 1.0, first_mb=100.0, last_mb=300.0),  # a small one is all start
        batch("right", 100, 1, 1.0, first_mb=200.0, last_mb=100.0),
        batch("hostile", 100, 2, 1.0, first_mb=200.0, last_mb=last),
    ]

    assert goal({"batch": {"rows": rows}}, "growth of that memory").is_met is is_met


@pytest.mark.parametrize("harm", [{}, {"lost": 1}, {"gained": ["an-attack"]}, {"left": True}], ids=str)
def test_with_one_worker_nobody_loses_no_attack_gains_and_nothing_is_left(harm: dict[str, Any]) -> None:
    soak = {"lost": 0, "gained": [], "left": False, **harm}

    assert goal({"endurance": soak}, "with one worker").is_met is (not harm)


def test_the_advantage_told_is_the_least_one() -> None:
    peers = {
        "cores": 2,
        "grade": {"1": {"per_second": 10.0}, "2": {"per_second": 12.0}},
        "tools": {
            "a": {"per_second": 0.5, "per_second_all_cores": 1.0},
            "b": {"per_second": 0.1, "per_second_all_cores": 2.0},
        },
    }

    assert goals.ahead({"peers": peers}) == 6.0


def test_the_plot_is_an_svg_with_a_line_and_a_name_for_each_series() -> None:
    drawn = ElementTree.fromstring(plot({"a <b>": [(1, 2.0), (1000, 2000.0)], "c": [(1, 9.0)]}, "many", "seconds"))

    space = {"svg": "http://www.w3.org/2000/svg"}
    assert len(drawn.findall("svg:polyline", space)) == 2
    assert {"a <b>", "c"} < {text.text for text in drawn.findall("svg:text", space)}
    xs = [float(circle.attrib["cx"]) for circle in drawn.findall("svg:circle", space)]
    assert xs[0] < xs[1]
