"""Builds a pack's fixtures from its reference."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from grader.model.errors import NotWritten
from grader.model.pack import Exercise, Pack
from grader.pack.fixtures import stub_digests, write_fixtures, write_stubs
from grader.plugins.registry import Plugins
from grader.proof.author import Author


def build_fixtures(plugins: Plugins, pack: Pack, folder: Path, only: Sequence[Exercise] = ()) -> tuple[int, int]:
    """Write a pack's fixtures. Returns the numbers of cases and of answers.

    only: exercises to be written anew, where the others' files are to stay as they are. Raises SolutionError,
    FixtureError and NotWritten.
    """
    kept = [exercise.id for exercise in pack.exercises if only and exercise not in only]
    with closing(Author(plugins, pack)) as author:
        built = {exercise.id: author.exercise(exercise) for exercise in only or pack.exercises}
        facts: dict[str, Any] = {
            "pack": pack.name,
            "version": pack.version,
            "seed": pack.seed,
            "versions": author.versions(),
            "stubs": stub_digests(pack),
        }
    try:
        write_fixtures(folder, facts, built, kept)
        write_stubs(folder, pack)
    except OSError as error:
        raise NotWritten(f"{error.filename or folder} cannot be written: {error.strerror}.") from None
    return sum(len(each.cases) for each in built.values()), sum(len(each.answers) for each in built.values())
