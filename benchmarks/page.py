"""Writes docs/performance.md and its plot of results.json, and of nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.goals import Goal, goals, rows
from benchmarks.measurements.batch import DRAWN
from benchmarks.plot import plot
from benchmarks.sections import PLOT, SECTIONS, table

PAGE = Path(__file__).resolve().parents[1] / "docs" / "performance.md"
Results = Mapping[str, Any]
HEAD = """\
# How fast, beside what

This page is written by `make bench` from `benchmarks/results.json`; nobody writes in it. Absolute times mean nothing on
another machine, so what counts is told as a ratio of two things measured in one run on one machine.
"""
LIMITS = """\
## What these comparisons do not say

- The tools do different things. The grader puts every submission into a sandbox, knows no answers there, judges
  outside, names mistakes and gives credit for intermediate results. None of the others here does that; they import a
  student's code into a process that can read the reference, and keep one student from the next, no more.
- The checks of the other tools are our own words for the same checks (`benchmarks/peers/checks.py`), on inputs of the
  same sizes, against the reference in float64; they compute the reference anew for each submission, which the
  grader does once for a class. A course that stored the reference's answers would save a part of that.
- The time of another tool is that of a whole process, from its start to its end, with torch's import. That import is
  most of it. A tool that kept a warm process would save it, as `grade` does; as run here, none of these does.
- Otter grades notebooks. Here it gets an almost empty one with the modules beside it, which is less than it usually
  has to run. It and check50 have one test for each exercise, pytest one for each check; the checks within are alike.
- check50 is run as `check50 --dev`, which is `--local` with the checks from a folder. It runs several of its checks
  at once where there are cores, also where one submission is graded at a time.
- One pytest process for everybody is the quickest way without a sandbox. The first student who calls `os._exit`,
  hangs or changes torch decides for all who follow; it is shown as a bound, not as a way to grade.
- What a batch costs is told beyond the first submission of each job, which pays for the start. CPU seconds are the
  kernel's, of all processes; what of a zygote is not waited for is counted as last seen, at most 0.05 s earlier.
  Memory is looked at twice a second, so a shorter peak may be missed. What one step allocates in a sandbox's own
  `/tmp` is not in it.
- What many in a class answer alike, bit by bit, is judged once. In these classes most is alike, as where students
  follow one lesson; each answer that nobody gave before costs more, which is what `varied` shows beside `right`.
- Hostile submissions are those of `tests/attacks`, without those that only wait for a time limit; which of them come
  up differs with the count, and a few take far longer than all others.
- The phases' times that a worker tells of itself are its own word. No grade rests on them.
- `import torch` reads files that the system has in memory already, on both sides of every ratio.
"""


def write(results: Results, page: Path = PAGE) -> None:
    """The page, and the plot beside it where there is a batch to plot."""
    if "batch" in results:
        page.with_name(PLOT).write_text(_drawn(results), "utf-8")
    page.write_text(text(results), "utf-8")


def text(results: Results) -> str:
    """The page's Markdown. What was not measured has no section, and its goal says so."""
    parts = [HEAD, _measured(results), _goals(results)]
    parts += [section(results) for name, section in SECTIONS.items() if name in results]
    return "\n".join([*parts, LIMITS])


def goal_line(goal: Goal) -> str:
    """A goal in words, with what was seen."""
    seen = "not measured" if goal.seen is None else f"{goal.seen:.3g} {goal.unit}"
    return f"{goal.what}: {seen}, {'at least' if goal.is_least else 'at most'} {goal.bound:g} {goal.unit}"


def _measured(results: Results) -> str:
    lines = ["## On what", ""]
    facts = ("cpu", "cores", "memory_gb", "system", "python", "torch", "grader")
    machines = {tuple(each[fact] for fact in facts) for each in results["measured"].values()}
    for cpu, cores, memory, system, python, torch, grader in sorted(machines, key=str):
        lines.append(f"{cpu}, {cores} cores, {memory} GB, {system}; Python {python}, torch {torch}, grader {grader}.")
    told = table(
        ("measured", "on", "how much", "minutes", "load before"),
        [(name, each["date"], each["scale"], f"{each['seconds'] / 60:.1f}", each["load"])
         for name, each in results["measured"].items()],
    )  # fmt: skip
    return "\n".join([*lines, "", *told, ""])


def _goals(results: Results) -> str:
    said = {True: "met", False: "**not met**", None: "not measured"}
    told = [
        (each.what, f"{'at least' if each.is_least else 'at most'} {each.bound:g} {each.unit}",
         "–" if each.seen is None else f"{each.seen:.3g}", said[each.is_met])
        for each in goals(results)
    ]  # fmt: skip
    return "\n".join(["## What it is to be, and what it is", "", *table(("", "goal", "seen", ""), told), ""])


def _drawn(results: Results) -> str:
    """Wall seconds of a whole batch on one job, start included."""
    series = {
        f"{kind}, {jobs} {'job' if jobs == 1 else 'jobs'}": [
            (float(count), row["seconds"]) for count, row in sorted(rows(results, kind, jobs).items())
        ]
        for kind in DRAWN
        for jobs in (1, 2)
    }
    if "peers" in results:
        for name, each in results["peers"]["tools"].items():
            counts = sorted(rows(results, DRAWN[0], 1))
            series[name] = [(float(count), count * each["each_seconds"]) for count in counts]
    return plot({name: points for name, points in series.items() if points}, "submissions", "seconds of the whole")
