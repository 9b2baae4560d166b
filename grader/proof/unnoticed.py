"""What a pack does not notice: each small change of its reference that still earns full marks."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass

from grader.model.pack import Exercise, Pack
from grader.plugins.registry import Plugins
from grader.proof.edits import read_all
from grader.proof.marking import Marking
from grader.proof.mutants import Mutant, mutants
from grader.proof.verify import AT_ONCE
from grader.runner.grade import chosen
from grader.runner.processes.start import start_worker


@dataclass(frozen=True, slots=True)
class Unnoticed:
    """Of how many changes of one exercise's reference some earn full marks."""

    exercise: Exercise
    tried: int
    mutants: tuple[Mutant, ...]


def unnoticed(plugins: Plugins, pack: Pack, seed: int, exercises: tuple[str, ...] = ()) -> Iterator[Unnoticed]:
    """Grade every mutant of the reference, or of some of its modules, each by its own exercise.

    Raises RubricError for what is wrong in the files of edits, and SolutionError.
    """
    edits = read_all(plugins, pack)
    with (
        closing(start_worker()) as worker,
        closing(Marking(plugins, pack, seed, worker)) as marking,
        ThreadPoolExecutor(AT_ONCE, "mutants") as pool,
    ):
        try:
            for exercise in chosen(pack, exercises):

                def is_full(mutant: Mutant, exercise: Exercise = exercise) -> bool:
                    modules = {**edits.modules, exercise.id: mutant.source.encode()}
                    return marking.modules("mutant", modules, (exercise.id,)).is_full

                every = list(mutants(edits.source(exercise)))
                full = list(pool.map(is_full, every))
                yield Unnoticed(exercise, len(every), tuple(m for m, each in zip(every, full, strict=True) if each))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
