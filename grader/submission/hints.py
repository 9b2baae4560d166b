"""Which hints a student has seen: a small text file in their folder, one step and a number a line."""

from __future__ import annotations

from pathlib import Path

from grader.model.pack import Step

FILE = ".grade-hints"
MAX_BYTES = 64 * 1024


def seen(path: Path) -> dict[str, int]:
    """How many hints of each step have been shown. Lines that make no sense are passed over: the file is theirs."""
    file = _file(path)
    if not file.is_file() or file.is_symlink() or file.stat().st_size > MAX_BYTES:
        return {}
    levels = {}
    for line in file.read_text("utf-8", "replace").splitlines():
        name, _, count = line.partition(" ")
        if count.isascii() and count.isdigit() and len(count) < 3:
            levels[name] = int(count)
    return levels


def show_next(path: Path, step: Step) -> int:
    """Take one more rung of a step's ladder, and remember it. Returns how many have been shown now."""
    levels = seen(path)
    level = min(levels.get(step.id, 0) + 1, len(step.hints))
    remember(path, step, level)
    return level


def remember(path: Path, step: Step, level: int) -> None:
    """Note that this many hints of a step have been shown; never fewer than before."""
    levels = seen(path)
    levels[step.id] = max(level, levels.get(step.id, 0))
    text = "".join(f"{name} {count}\n" for name, count in sorted(levels.items()))
    file = _file(path)
    if file.is_symlink():  # whose file that is, nobody can know
        file.unlink()
    file.write_text(text, "utf-8")


def _file(path: Path) -> Path:
    return (path if path.is_dir() else path.parent) / FILE
