"""Known mistakes: edits of the reference. Edits that touch different places compose."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.model.errors import Problem, RubricError
from grader.model.pack import Exercise, SolutionSource
from grader.pack import yaml

# Told by traceback, by source, by what became of the inputs or by how often what is dropped: results show them as
# something else, or not at all.
TOLD_OTHERWISE = frozenset({
    "mask-discarded", "mask-not-sliced", "batch-transpose", "input-mutated", "global-variable", "self-missing",
    "api-misspelt", "returns-none",
    "dropout-missing", "dropout-on-scores", "dropout-on-context", "dropout-in-eval", "dropout-unscaled",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Edit:
    """One way of making a mistake. places: (start, end, new text) in the reference's source, in order."""

    id: str
    places: tuple[tuple[int, int, str], ...]

    def touches(self, other: Edit) -> bool:
        """Whether two edits change the same text, and so cannot be made together."""
        return any(a < d and c < b for a, b, _ in self.places for c, d, _ in other.places)


def edits_of(sources: Iterable[SolutionSource], exercise: Exercise, reference: str) -> list[Edit]:
    """The edits of an exercise that a pack's solutions bring. reference: the source they are made in."""
    return [
        edit
        for source in sources
        if source.kind == "mistakes"
        for edit in read_edits(source.folder, exercise.id, reference, exercise.mistakes)
    ]


def read_edits(folder: Path, exercise_id: str, source: str, known: Collection[str] | None) -> tuple[Edit, ...]:
    """The edits of an exercise; none where there is no file. known: the rubric's ids; None where names are free.

    Raises RubricError with every id that the rubric lacks and every text that the reference has not exactly once.
    """
    path = folder / f"{exercise_id}.yaml"
    if not path.is_file():
        return ()
    document = yaml.read_file(path, f"{folder.name}/{path.name}")
    if document.problems:
        raise RubricError(document.problems)
    found = list(_edits(document, source, known))
    if not found:
        found = [document.problem((), "each id has a list of ways, each a list of `replace` and `with`")]
    if problems := [each for each in found if isinstance(each, Problem)]:
        raise RubricError(problems)
    return tuple(each for each in found if isinstance(each, Edit))


def _edits(document: yaml.Document, source: str, known: Collection[str] | None) -> Iterator[Edit | Problem]:
    for name, ways in document.value.items() if isinstance(document.value, dict) else ():
        if known is not None and name not in known:
            yield document.problem((name,), f"the rubric has no mistake {name!r}")
        if not isinstance(ways, list) or not ways:
            yield document.problem((name,), f"{name!r} has a list of ways, each a list of `replace` and `with`")
            continue
        for number, way in enumerate(ways):
            if not isinstance(way, list) or not way:
                yield document.problem((name, number), "a way is a list of `replace` and `with`")
                continue
            places = [_place(place, source) for place in way]
            wrong = [(position, said) for position, said in enumerate(places) if isinstance(said, str)]
            yield from (document.problem((name, number, position), said) for position, said in wrong)
            yield Edit(name, tuple(sorted(place for place in places if not isinstance(place, str))))


def _place(place: Any, source: str) -> tuple[int, int, str] | str:
    """Where an edit goes and what it puts there, or what is wrong with it."""
    if not isinstance(place, dict) or place.keys() != {"replace", "with"}:
        return "an edit has the keys `replace` and `with`"
    old, new = place["replace"], place["with"]
    if not isinstance(old, str) or not isinstance(new, str):
        return "`replace` and `with` are texts"
    if source.count(old) != 1:
        return f"{old!r} stands {source.count(old)} times in the reference, not once"
    start = source.index(old)
    return start, start + len(old), new


def applied(source: str, edits: Sequence[Edit]) -> str:
    """The source with edits made that touch different places."""
    for start, end, new in sorted((place for edit in edits for place in edit.places), reverse=True):
        source = source[:start] + new + source[end:]
    return source


def combinations(edits: Sequence[Edit], size: int) -> Iterator[tuple[Edit, ...]]:
    """Every set of so many edits that can be made together."""
    for chosen in itertools.combinations(edits, size):
        if not any(a.touches(b) for a, b in itertools.combinations(chosen, 2)):
            yield chosen
