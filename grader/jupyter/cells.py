"""The notebook as its kernel knows it: the cells that were run, in the order in which they were.

A kernel is not told its notebook's file, and what is on disk is older than what was just run. So a cell's number here
is the one that Jupyter shows beside it, as in [3], and of a name that is defined twice the last that was run counts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader.model.errors import UsageError
from grader.model.pack import Exercise, Pack
from grader.model.submission import Submission
from grader.model.syntax import NO_PYTHON, parse
from grader.submission import hints
from grader.submission.cells import read_cells
from grader.submission.gather import Gathered, gather
from grader.submission.groups import Group
from grader.submission.notebook import Modules, made
from grader.submission.packages import folders_beside, imported
from grader.submission.read import helpers
from grader.words import say

# What the notebook is called in a report: "notebook cell 3, line 2".
NAME = "notebook"
MAGIC = "%%grade"
_HEAD = re.compile(rf"(\s*^[ \t]*){MAGIC}(?![\w%])([^\r\n]*)", re.MULTILINE)


def head_of(source: str) -> str | None:
    """What stands after `%%grade` where a cell begins with it; None where it does not."""
    found = _HEAD.match(source)
    return found[2].strip() if found else None


def without_head(source: str) -> str:
    """A cell as it is to be run: a comment instead of `%%grade`, so that every other line keeps its number."""
    found = _HEAD.match(source)
    return f"{found[1]}#{source[found.end() :]}" if found else source


def transformed(lines: list[str]) -> list[str]:
    """The same, as IPython asks for it: https://ipython.readthedocs.io/en/stable/config/inputtransforms.html"""
    return without_head("".join(lines)).splitlines(keepends=True) if lines and _HEAD.match(lines[0]) else lines


def history(shell: Any) -> list[str]:
    """The sources of the cells that were run, each at its number; "" for one that is no Python and so never ran."""
    return [source if _is_python(shell, source) else "" for source in shell.history_manager.input_hist_raw]


def submission_of(sources: Sequence[str], exercises: Sequence[Exercise], pack: Pack, folder: Path) -> Submission:
    """What these cells define, as the submission that a notebook of them would be.

    sources: by number. exercises: what is to be graded. folder: the student's, which remembers hints and whose modules
    may be imported.
    Raises UsageError where nothing of these exercises is defined.
    """
    found = _made(sources[1:], pack)
    if not {exercise.id for exercise in exercises} & {*found.modules, *found.unreadable}:
        names = say("join.or").join(f"`{name}`" for exercise in exercises for name in exercise.definitions)
        raise UsageError(say("jupyter.no-cell-defines", names=names))
    beside = gather([Group(folder.name, helpers(folder, pack))], pack, is_whole=False)
    modules = {**beside.modules, **found.modules}
    modules |= imported(modules, [folders_beside(folder)], pack.ids)
    gathered = Gathered(modules, found.unreadable, found.cells, found.excerpts, found.notes)
    return replace(gathered.submission(NAME, folder, pack), hints=hints.seen(folder))


def defined_in(source: str, pack: Pack) -> tuple[Exercise, ...]:
    """The exercises whose functions or classes a cell defines."""
    found = _made([source], pack)
    return tuple(exercise for exercise in pack.exercises if exercise.id in {*found.modules, *found.unreadable})


def _made(sources: Sequence[str], pack: Pack) -> Modules:
    """The modules of the notebook that has these cells. `%%grade` binds none of them: in a kernel all share one
    namespace, in which the last definition counts, whatever its cell was graded for."""
    cells = [{"cell_type": "code", "metadata": {}, "source": without_head(source)} for source in sources]
    content = json.dumps({"cells": cells}).encode()
    return made(NAME, read_cells(content), pack)


def _is_python(shell: Any, source: str) -> bool:
    """Whether a cell is Python once IPython has had its way with it."""
    try:
        parse(shell.transform_cell(source))
    except NO_PYTHON:
        return False
    return True
