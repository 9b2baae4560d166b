"""Which hints a student has seen: a small text file in their folder, one step and a number a line."""

from __future__ import annotations

from pathlib import Path

from grader.model.commands import hint_command_here
from grader.model.errors import NotWritten
from grader.model.pack import Step
from grader.model.write import remove, write_whole
from grader.submission.files import Unreadable, beside, read_regular
from grader.words import say

FILE = ".grade-hints"
MAX_BYTES = 64 * 1024

# By file, what could not be written to it: remembered for as long as the process lives.
_not_written: dict[Path, dict[str, int]] = {}


def seen(path: Path) -> dict[str, int]:
    """How many hints of each step have been shown. Lines that make no sense are passed over: the file is theirs."""
    file = beside(path, FILE)
    return _written(file) | _not_written.get(file, {})


def following(path: Path, step: Step) -> int:
    """How many hints of a step are shown with one more rung of its ladder."""
    return min(seen(path).get(step.id, 0) + 1, len(step.hints))


def remember(path: Path, step: Step, level: int) -> None:
    """Note that this many hints of a step have been shown; never fewer than before.

    Raises NotWritten, for whoever has shown them to say; `seen` knows it all the same until the process ends.
    """
    levels = seen(path)
    levels[step.id] = max(level, levels.get(step.id, 0))
    text = "".join(f"{name} {count}\n" for name, count in sorted(levels.items()))
    file = beside(path, FILE)
    try:
        if file.is_symlink():  # whose file that is, nobody can know
            remove(file)
        write_whole(file, text)
    except NotWritten as error:
        _not_written[file] = levels
        failed = NotWritten(say("hint.not-noted", why=error))
        command = f"{hint_command_here(step.id, path)} --level {level + 1}"
        is_last = level >= len(step.hints)
        failed.remedy = say("hint.make-writable") if is_last else say("hint.make-writable-or", command=command)
        raise failed from None
    _not_written.pop(file, None)


def _written(file: Path) -> dict[str, int]:
    levels = {}
    try:
        lines = read_regular(file, MAX_BYTES).decode("utf-8", "replace").splitlines()
    except Unreadable:
        return {}
    for line in lines:
        name, _, count = line.partition(" ")
        if count.isascii() and count.isdigit() and len(count) < 3:
            levels[name] = int(count)
    return levels
