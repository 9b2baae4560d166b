"""Reads `steps.yaml`: which steps each known mistake must fail, as its author says and a reviewer can read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from grader.model.errors import Problem, RubricError
from grader.model.pack import Exercise
from grader.model.text import plural
from grader.pack import yaml
from grader.pack.mistakes import Edit

FILE = "steps.yaml"
# By exercise and id: the steps of each way, by their short names.
Failing = Mapping[tuple[str, str], tuple[tuple[str, ...], ...]]


def read_steps(folder: Path, edits: Sequence[tuple[Exercise, Sequence[Edit]]]) -> Failing:
    """What the author says of every edit in a folder; nothing where there is no such file.

    Raises RubricError with every exercise, id and step that there is not.
    """
    path = folder / FILE
    if not path.is_file():
        return {}
    document = yaml.read_file(path, f"{folder.name}/{path.name}")
    if document.problems:
        raise RubricError(document.problems)
    reader = _Reader(document, {exercise.short: (exercise, own) for exercise, own in edits})
    found = dict(reader.entries())
    if reader.problems:
        raise RubricError(reader.problems)
    return found


class _Reader:
    def __init__(self, document: yaml.Document, edits: Mapping[str, tuple[Exercise, Sequence[Edit]]]) -> None:
        self.document, self.edits = document, edits
        self.problems: list[Problem] = []

    def entries(self) -> Iterator[tuple[tuple[str, str], tuple[tuple[str, ...], ...]]]:
        value = self.document.value
        if not isinstance(value, dict):
            self._complain((), "an exercise, such as ex10, has the ids of its mistakes below it")
            return
        for short, entries in value.items():
            if short not in self.edits:
                self._complain((short, ""), f"there is no exercise {short!r}")
            elif not isinstance(entries, dict):
                self._complain((short,), "each id has a list of steps, or one such list for each way")
            else:
                for name, steps in entries.items():
                    exercise, edits = self.edits[short]
                    yield (exercise.id, name), self._ways(short, name, steps, sum(edit.id == name for edit in edits))

    def _ways(self, short: str, name: str, steps: Any, count: int) -> tuple[tuple[str, ...], ...]:
        """The steps of each way. One list alone is for all of them."""
        if count == 0:
            self._complain((short, name, ""), f"{short} has no edit {name!r}")
            return ()
        if not isinstance(steps, list):
            self._complain((short, name), "a list of steps is due, or one such list for each way")
            return ()
        if not any(isinstance(step, list) for step in steps):
            return (self._names((short, name), steps),) * count
        if len(steps) != count:
            self._complain((short, name), f"{plural(len(steps), 'list')} for {plural(count, 'way')}")
        return tuple(self._names((short, name, number), way) for number, way in enumerate(steps))

    def _names(self, path: yaml.Path, steps: Any) -> tuple[str, ...]:
        exercise, _ = self.edits[str(path[0])]
        known = {step.name for step in exercise.steps}
        if not isinstance(steps, list):
            self._complain(path, "a list of steps is due")
            return ()
        for number, step in enumerate(steps):
            if step not in known:
                self._complain((*path, number), f"{exercise.short} has no step {step!r}")
        return tuple(map(str, steps))

    def _complain(self, path: yaml.Path, text: str) -> None:
        self.problems.append(self.document.problem(path, text))
