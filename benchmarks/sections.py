"""What the page says of each measurement."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping
from typing import Any

PLOT = "performance.svg"
Results = Mapping[str, Any]


def _floor(results: Results) -> str:
    floor = results["floor"]
    return f"""\
## The floor

`import torch` takes {floor["import_torch_seconds"]:.2f} s. A process that has torch, forks, and in the fork compiles
the thirteen reference modules and makes the {floor["runs"]} runs that decide, on the same tensors, takes
{1000 * floor["fork_seconds"]:.0f} ms and {1000 * floor["fork_cpu"]:.0f} ms of CPU for each fork (median of three times
{floor["forks"]}). Nothing is confined, sent or judged there. Two such processes at once make
{2 * floor["fork_seconds"] / floor["both_seconds"]:.2f} times as many forks in the same time: no more can a second job
bring here.
"""


def _cold(results: Results) -> str:
    cold = results["cold"]
    return f"""\
## `grade run`, cold

From nothing to a printed result {cold["grade_run_seconds"]:.2f} s, beside {cold["import_torch_seconds"]:.2f} s for
`import torch`: {cold["ratio"]:.2f} times (median of {cold["rounds"]} pairs), {cold["grade_run_cpu"]:.2f} s of CPU,
{cold["peak_mb"]:.0f} MB in all processes together.
"""


def _desk(results: Results) -> str:
    desk = results["desk"]
    told = [(name, f"{each['seconds']:.2f}", f"{each['ratio']:.0f}") for name, each in desk["tools"].items()]
    return "\n".join([
        "## From save to verdict", "",
        f"`grade watch` at {desk['exercise']}: {1000 * desk['median_seconds']:.0f} ms from a save to the end of the "
        f"page, 95 of 100 within {1000 * desk['p95_seconds']:.0f} ms, over {desk['saves']} saves. The same exercise "
        "with another tool:",
        "", *table(("", "seconds", "times as long"), told), "",
    ])  # fmt: skip


def _batch(results: Results) -> str:
    lines = [
        "## `grade batch`", "", f"![Cost against the number of submissions]({PLOT})", "",
        "What each submission takes is told beyond the first of each job; memory is of all processes together. Right "
        "and wrong ones are the reference with one to three modules of other solutions; varied ones are right, with a "
        "module of another solution wherever there is one. Of the largest batches each was measured twice, the floor "
        "beside them, and the quicker counts: who else uses a machine can only add to what something takes. A few that "
        "take long decide what each takes: half of them are graded within the time that stands last.", "",
    ]  # fmt: skip
    told = []
    for row in results["batch"]["rows"]:
        each = (
            (f"{1000 * row['each_seconds']:.0f}", f"{1000 * row['each_cpu']:.0f}") if "each_cpu" in row else ("–", "–")
        )
        median = f"{1000 * row['median_seconds']:.0f}" if "median_seconds" in row else "–"
        whole = (f"{row['seconds']:.1f}", f"{row['cpu']:.1f}", f"{row['peak_mb']:.0f}")
        told.append((row["kind"], f"{row['count']:,}", row["jobs"], *whole, *each, median))
    heads = ("", "submissions", "jobs", "seconds", "CPU s", "peak MB", "ms each", "CPU ms each", "half within, ms")
    weighed = [row for row in results["batch"]["rows"] if "floor_cpu" in row]
    floors = ", ".join(
        f"{row['each_cpu'] / row['floor_cpu']:.2f} ({row['kind']})" for row in weighed if row["jobs"] == 1
    )
    lines += [*table(heads, told), "", f"The CPU of each on one job, in that of the floor beside it: {floors}.", ""]
    lines += [*_phases(results["batch"]["profiles"]), ""]
    return "\n".join(lines)


def _jobs(results: Results) -> str:
    jobs = results["jobs"]
    told = [
        (*(f"{1000 * pair[each][what]:.0f}" for each in ("1", "2") for what in ("seconds", "cpu")), f"{ratio:.2f}")
        for pair, ratio in zip(jobs["pairs"], jobs["ratios"], strict=True)
    ]
    heads = ("one job, ms each", "CPU ms each", "two jobs, ms each", "CPU ms each", "times as many a second")
    busy = statistics.median(pair["1"]["cpu"] / pair["1"]["seconds"] for pair in jobs["pairs"])
    return "\n".join([
        "## A second job", "",
        f"The same class of {jobs['count']} honest ones on one job and on two, those of a row right after each other, "
        "starts aside.", "",
        *table(heads, told), "",
        f"One job keeps {busy:.2f} cores busy, since the grader judges while the submission computes: two cores have "
        f"room for {2 / busy:.2f} times its throughput.", "",
    ])  # fmt: skip


def _growth(results: Results) -> str:
    growth = results["growth"]
    told = [
        (f"{row['count']:,}", f"{row['seconds']:.0f}", f"{row['cpu']:.0f}",
         *(f"{1000 * row[what]:.0f}" for what in ("each_seconds", "each_cpu")),
         *(f"{row[what]:.0f}" for what in ("peak_mb", "first_mb", "last_mb")))
        for row in growth["rows"]
    ]  # fmt: skip
    heads = (
        "submissions",
        "seconds",
        "CPU s",
        "ms each",
        "CPU ms each",
        "peak MB",
        "in the first tenth",
        "in the last",
    )
    said = (
        f"Honest ones, {growth['jobs']} jobs; several small classes of other mixtures, before the large one and behind "
        "it, and their mean."
    )
    return "\n".join(["## A small class and a large one", "", said, "", *table(heads, told), ""])


def _phases(profiles: Results) -> list[str]:
    """CPU milliseconds of a submission in each phase, here and in the worker."""
    lines = ["Where the CPU goes, by `--profile`, in milliseconds for each submission on one job:", ""]
    names = dict.fromkeys(
        (side, phase) for each in profiles.values() for side in ("here", "worker") for phase in each["grading"][side]
    )
    told = []
    for side, phase in names:
        spent = [_cpu(each, side, phase) for each in profiles.values()]
        told.append((f"{phase}, {'in the worker' if side == 'worker' else 'in the grader'}", *spent))
    heads = ("", *(f"{kind} ({each['count']})" for kind, each in profiles.items()))
    note = "`child` is a whole: all that a submission's process takes from fork to end, its phases among it."
    return [*lines, *table(heads, told), "", note]


def _cpu(profile: Results, side: str, phase: str) -> str:
    spent = profile["grading"][side].get(phase)
    return f"{1000 * spent['cpu'] / profile['count']:.1f}" if spent else "–"


def _peers(results: Results) -> str:
    peers = results["peers"]
    told = [
        (name, each["isolation"], f"{each['each_seconds']:.2f}", f"{each['each_cpu']:.2f}", f"{each['per_second']:.2f}",
         f"{each['per_second_all_cores']:.2f}")
        for name, each in peers["tools"].items()
    ]  # fmt: skip
    for jobs, each in peers["grade"].items():
        speed = f"{each['per_second']:.2f}"
        seconds, cpu = (f"{each[what] / peers['class']:.2f}" for what in ("seconds", "cpu"))
        columns = (speed, "") if jobs == "1" else ("", speed)
        told.append((f"grade batch, {jobs} at once", "the sandbox, one process a submission", seconds, cpu, *columns))
    everybody = peers["pytest_of_all"]
    seconds = everybody["each_seconds"]
    own = f"{everybody['each_cpu']:.2f}"
    told.append(("one pytest for all", "none, also not of each other", f"{seconds:.2f}", own, f"{1 / seconds:.2f}", ""))
    heads = (
        "",
        "isolation",
        "seconds each",
        "CPU s each",
        "a second, one at a time",
        f"a second, {peers['cores']} at once",
    )
    quickest = min(each["each_cpu"] for each in peers["tools"].values())
    checked = ", ".join(f"{name} {each['tests']} and {each['wrong_one_gets']}" for name, each in peers["tools"].items())
    return "\n".join([
        "## Beside what people would use instead", "",
        f"The same class of {peers['class']} honest submissions; `grade batch` grades all, start included, and "
        "each other tool a part of them, half before and half behind. One pytest for all is told beyond its first "
        "student.", "",
        *table(heads, told), "",
        f"A bare fork that makes our calls and judges nothing takes {1000 * peers['floor_cpu']:.0f} ms of CPU, asked "
        "before and behind. So nothing that makes these calls in a process for each submission can be more than "
        f"{quickest / peers['floor_cpu']:.0f} times ahead of the quickest.", "",
        f"Each tool was first seen to give the reference everything and the sample submission less: {checked}.", "",
    ])  # fmt: skip


def _cluster(results: Results) -> str:
    cluster = results["cluster"]
    told = [
        (row["workers"], *(f"{row[what]:.1f}" for what in ("local_seconds", "first_seconds", "warm_seconds")),
         f"{row['per_second']:.2f}")
        for row in cluster["rows"]
    ]  # fmt: skip
    heads = ("workers", "as many jobs here, s", "on the cluster, s", "and again, s", "a second, again")
    said = f"{cluster['submissions']} submissions on Dask workers of this machine, by TLS; the results were the same."
    return "\n".join(["## On a cluster", "", said, "", *table(heads, told), ""])


def _losing(results: Results) -> str:
    losing = results["losing"]
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(losing["kinds"].items()))
    return f"""\
## A worker is lost

{losing["submissions"]} submissions ({kinds}) take {1000 * losing["each_here"]:.0f} ms each on {losing["workers"]} jobs
here and {1000 * losing["each_whole"]:.0f} ms each on {losing["workers"]} Dask workers, starts aside: the cluster adds
{1000 * (losing["each_whole"] - losing["each_here"]):.0f} ms. The whole took {losing["whole_seconds"]:.0f} s there, and
{losing["lost_seconds"]:.0f} s with one of the workers killed after {losing["killed_after"]}. All reports were the
same, times aside; of hostile ones, which may tell what differs from run to run, all scores.
"""


def _cases(results: Results) -> str:
    told = [
        (row["times"], *(f"{1000 * row[what]:.0f}" for what in ("each_seconds", "each_cpu")), f"{row['peak_mb']:.0f}")
        for row in results["cases"]["rows"]
    ]  # fmt: skip
    heads = ("times as many cases", "ms each", "CPU ms each", "peak MB")
    return "\n".join(["## More cases", "", *table(heads, told), ""])


def _tensors(results: Results) -> str:
    told = [
        (row["megabytes"], f"{row['seconds']:.2f}", f"{row['cpu']:.2f}", f"{row['peak_mb']:.0f}")
        for row in results["tensors"]["rows"]
    ]  # fmt: skip
    only = results["tensors"]["exercise"]
    said = f"All of `grade run --exercise {only}`, where one case's tensor is so large in float32:"
    return "\n".join(["## Large tensors", "", said, "", *table(("MB", "seconds", "CPU s", "peak MB"), told), ""])


def _small(results: Results) -> str:
    """What single parts cost."""
    confined, diagnosed = results["confinement"], results.get("diagnosis")
    lines = [
        "## Parts", "",
        f"- A confined child, from asking for it to its end: {confined['confined_ms']:.1f} ms; without its own layers "
        f"{confined['bare_ms']:.1f} ms ({confined['rounds']} of each in turn).",
    ]  # fmt: skip
    if diagnosed:
        lines.append(
            f"- A submission with thirteen mistakes, {diagnosed['named']} of them named: {diagnosed['ratio']:.2f} "
            "times as long as the reference."
        )
    if soak := results.get("endurance"):
        lines.append(
            f"- {soak['count']} submissions with one worker, {soak['hostile']} of them hostile: the grader's memory "
            f"{soak['parent']['growth']:+.1%}, the zygote's {soak['zygote']['growth']:+.1%}; {soak['lost']} honest "
            "ones lost points."
        )
    return "\n".join([*lines, ""])


def table(heads: Iterable[str], told: Iterable[Iterable[object]]) -> list[str]:
    heads = list(heads)
    lines = [f"| {' | '.join(heads)} |", f"|---|{'---:|' * (len(heads) - 1)}"]
    return lines + [f"| {' | '.join(map(str, row))} |" for row in told]


def _opening(results: Results) -> str:
    opening = results["opening"]
    return f"""\
## The page of a class

{opening["students"]} students, {opening["megabytes"]:.1f} MB: {opening["seconds"]:.2f} s to open in Chromium, beside
{opening["of_one_seconds"]:.2f} s for a class of one (median of {opening["rounds"]}).
"""


SECTIONS: Mapping[str, Callable[[Results], str]] = {
    "floor": _floor, "cold": _cold, "desk": _desk, "batch": _batch, "jobs": _jobs, "growth": _growth,
    "peers": _peers, "cluster": _cluster, "losing": _losing, "cases": _cases, "tensors": _tensors,
    "confinement": _small, "opening": _opening,
}  # fmt: skip
