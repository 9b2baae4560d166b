"""Nothing of an exercise is missing: an edit for each mistake, a mistake for each step, zeros."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.model.pack import Exercise, SolutionSource
from grader.proof.edits import Edits
from grader.proof.graded import WORTHLESS
from grader.proof.singles import Single


def missing(
    exercise: Exercise, edits: Edits, singles: Sequence[Single], sources: Sequence[SolutionSource]
) -> Iterator[str]:
    """Everything that is not there, as a sentence each. sources: of all solutions that the pack is proved with."""
    for kind in WORTHLESS:
        own = [source.folder for source in sources if source.kind == kind]
        if not any((folder / exercise.file).is_file() for folder in own):
            yield f"{exercise.short} has no {exercise.file} among the {kind}, so nothing shows that they get no points"
    for step in exercise.steps:
        if not any(step.name in single.fails for single in singles):
            yield f"{step.id} is failed by no mistake and by no fault, so nothing shows that it tests anything"
    for name, text in exercise.mistakes.items():
        if not text.strip():
            yield f"{exercise.short} has nothing to say of {name}"
    made = {known.id for known in edits.mistakes(exercise)}
    for name in (name for name in exercise.mistakes if name not in made):
        yield f"{exercise.short} knows the mistake {name}, and no edit makes it"
    for known in edits.known[exercise.id]:
        if known.is_fault and known.id in exercise.mistakes:
            yield f"{known} is a fault with the id of a known mistake"
