"""What the figures are to be, beside what they are. A goal that was not measured is no goal that was met."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.classroom import OF_HONEST, VARIED

Results = Mapping[str, Any]
LARGE, SMALL = 10_000, 100


@dataclass(frozen=True)
class Goal:
    """One bound. seen: the figure, None where it was not measured. is_least: it may not be less, else not more."""

    what: str
    bound: float
    is_least: bool
    seen: float | None
    unit: str = "times"

    @property
    def is_met(self) -> bool | None:
        """None where nobody can say."""
        if self.seen is None:
            return None
        return self.seen >= self.bound if self.is_least else self.seen <= self.bound


def goals(results: Results) -> list[Goal]:
    """Every goal, with what was seen of it."""
    return [
        Goal("`grade run` cold, in the wall time of `import torch`", 1.25, False,
             _found(lambda: results["cold"]["ratio"])),
        Goal("CPU of an honest submission in a batch on one job, in that of the floor", 1.8, False,
             _found(lambda: honest(in_floors(results), "each_cpu", 1))),
        Goal("throughput on two jobs, in that on one", 1.8, True,
             _found(lambda: results["jobs"]["ratio"])),
        Goal(f"change of the CPU per submission from {SMALL} to {LARGE}", 10, False,
             _found(lambda: change(results, "each_cpu")), "%"),
        Goal(f"change of the time per submission from {SMALL} to {LARGE}", 10, False,
             _found(lambda: change(results, "each_seconds")), "%"),
        Goal(f"change of the peak of memory from {SMALL} to {LARGE}", 10, False,
             _found(lambda: change(results, "peak_mb")), "%"),
        Goal("submissions per second, in those of the quickest tool with a process for each, as many at once", 40, True,
             _found(lambda: ahead(results))),
        Goal("from save to verdict, how many times quicker than the quickest other tool", 12, True,
             _found(lambda: min(tool["ratio"] for tool in results["desk"]["tools"].values()))),
        Goal("confined, beside a bare fork", 8, False, _found(lambda: results["confinement"]["more_ms"]), "ms more"),
        Goal("thirteen mistakes diagnosed, in the time of none", 1.5, False,
             _found(lambda: results["diagnosis"]["ratio"])),
        Goal("the page of 300 students opens in", 2, False, _found(lambda: results["opening"]["seconds"]), "s"),
        Goal("right submissions that lost points in any batch", 0, False, _found(lambda: lost(results)), "submissions"),
        Goal("memory of all processes of any batch", 1500, False, _found(lambda: most_memory(results)), "MB"),
        Goal("growth of that memory within a largest batch", 10, False, _found(lambda: grown(results)), "%"),
        Goal("with one worker: honest submissions that lost points, attacks that gained, things left behind", 0, False,
             _found(lambda: harmed(results)), "of these"),
        Goal("growth of a worker's memory over many submissions", 5, False,
             _found(lambda: 100 * max(results["endurance"][who]["growth"] for who in ("parent", "zygote"))), "%"),
    ]  # fmt: skip


def rows(results: Results, kind: str, jobs: int) -> dict[int, Mapping[str, Any]]:
    """The rows of the batches of a kind, by their counts."""
    return {row["count"]: row for row in results["batch"]["rows"] if (row["kind"], row["jobs"]) == (kind, jobs)}


def honest(results: Results, what: str, jobs: int) -> float:
    """What an honest submission costs beyond the first: right and wrong ones by their share, at the largest count."""
    total = 0.0
    for kind, share in OF_HONEST.items():
        found = rows(results, kind, jobs)
        total += found[max(found)][what] * share / 100
    return total


def in_floors(results: Results) -> Results:
    """The batches with their CPU in that of the floor beside them. Raises KeyError where none was measured."""
    weighed = [row for row in results["batch"]["rows"] if "floor_cpu" in row]
    return {"batch": {"rows": [{**row, "each_cpu": row["each_cpu"] / row["floor_cpu"]} for row in weighed]}}


def change(results: Results, what: str) -> float:
    """Per cent from the small count to the large one, either way. Raises KeyError where one was not measured."""
    found = {row["count"]: row[what] for row in results["growth"]["rows"]}
    return 100 * abs(found[LARGE] / found[SMALL] - 1)


def ahead(results: Results) -> float:
    """The least advantage over any tool with a process for each submission, one at a time and on all cores."""
    peers = results["peers"]
    ours = {int(jobs): each["per_second"] for jobs, each in peers["grade"].items()}
    alone = max(tool["per_second"] for tool in peers["tools"].values())
    together = max(tool["per_second_all_cores"] for tool in peers["tools"].values())
    return min(ours[1] / alone, ours[peers["cores"]] / together)


def lost(results: Results) -> int:
    """How many right submissions did not get full marks."""
    some = [row for row in results["batch"]["rows"] if row["kind"] in ("right", VARIED)]
    return sum(row["count"] - row["outcomes"].get("full", 0) for row in some)


def every_batch(results: Results) -> list[Mapping[str, Any]]:
    """What was seen of each batch whose memory was looked at. Raises KeyError."""
    return [*results["batch"]["rows"], *results.get("growth", {}).get("rows", ())]


def most_memory(results: Results) -> float:
    """The highest peak of any batch, in megabytes."""
    return float(max(row["peak_mb"] for row in every_batch(results)))


def grown(results: Results) -> float:
    """Per cent by which memory grew from the first tenth of a largest batch to its last, where it grew most."""
    every = every_batch(results)
    count = max(row["count"] for row in every)
    largest = [row for row in every if row["count"] == count]
    return max(100 * (row["last_mb"] - row["first_mb"]) / row["first_mb"] for row in largest)


def harmed(results: Results) -> int:
    """What of many submissions with one worker, hostile ones among them, is not as it should be."""
    soak = results["endurance"]
    return int(soak["lost"] + len(soak["gained"]) + soak["left"])


def _found(figure: Callable[[], float]) -> float | None:
    """The figure, or None where what it needs was not measured."""
    try:
        return figure()
    except (KeyError, ValueError):
        return None
