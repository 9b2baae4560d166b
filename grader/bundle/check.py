"""Proves a bundle: lays it out as its platform does, runs its own scripts, and reads back what the platform would.

Five trials: a right submission, one with a known mistake, the untouched stubs, one that hangs, and a grader in trouble,
which must not look like anybody's points.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from grader.bundle.write import open_bundle
from grader.model.errors import BundleError, UsageError
from grader.model.text import clean, points
from grader.plugins.bundle import Ground, Platform, Ran, Seen

# Setting up a fresh environment is a download of some 200 MB; no trial takes as long.
MOST_SECONDS = 1800.0
# Enough for every right step, and a hang is not waited for long.
STEP_SECONDS = "2"
HANG = b"while True:\n    pass\n"
LAST_LINES = 15
SETTINGS = "settings.sh"
# Without this list of fixtures nothing can be graded, and it is the course's own.
MANIFEST = "kit/fixtures/manifest.json"
EXERCISES = re.compile(r"^EXERCISES=\(([^)]*)\)", re.MULTILINE)
# What would have this process's own choices, and not the bundle's, decide.
UNSET = (
    "CI", "GRADE_SEED", "GRADE_ROOT", "GRADE_TIMEOUT", "GRADE_VENV", "PYTHONPATH", "PYTHONHOME", "PIP_CONSTRAINT",
    "MAKELEVEL", "MAKEFLAGS", "MFLAGS",  # a make within a make says last that it leaves its folder
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Trial:
    """A submission that is handed in. files: by name. is_met: asked with what came of it and of the right one.

    is_in_trouble: the bundle's own pack is broken first, and stays so.
    """

    name: str
    files: Mapping[str, bytes]
    expected: str
    is_met: Callable[[Seen, Seen], bool]
    is_in_trouble: bool = False


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of a trial. output: the last lines that were printed."""

    trial: str
    said: str
    is_right: bool
    output: str


def find_platform(bundle: Path, platforms: Iterable[Platform]) -> Platform:
    """Whose bundle an unpacked folder is. Raises UsageError where it is nobody's."""
    known = list(platforms)
    found = next((platform for platform in known if (bundle / platform.mark).is_file()), None)
    if found is None:
        marks = ", ".join(f"{platform.mark} ({platform.name})" for platform in known)
        raise UsageError(f"This is no bundle: there is none of {marks}.")
    return found


def check_bundle(
    bundle: Path,
    scratch: Path,
    platforms: Iterable[Platform],
    right: Mapping[str, bytes],
    wrong: Mapping[str, bytes],
    stubs: Mapping[str, bytes],
    *,
    find: Callable[[str], str],
    is_fresh: bool,
) -> Iterator[Tried]:
    """Run every trial in a bundle, with `scratch` for its folders. Raises UsageError, and BundleError from set-up.

    right, wrong, stubs: submissions, by the names of files in the pack's order; every module of `wrong` has a mistake.
    find: the id of the exercise that `--exercise` takes a name for; it raises UsageError.
    is_fresh: set up an environment of its own, as the platform will; else this Python's is used, and pip is only asked
    whether all is there.
    """
    opened, root = scratch / "opened", scratch / "root"
    open_bundle(bundle, opened)
    root.mkdir()
    platform = find_platform(opened, platforms)
    ground = platform.lay_out(opened, root)
    environment = _environment(ground, root / "venv" if is_fresh else Path(sys.prefix))
    setup = _run(ground.setup, ground, environment if is_fresh else {**environment, "PIP_DRY_RUN": "1"})
    if setup.code != 0:
        raise BundleError(f"The bundle's own set-up ended with {setup.code}.\n{_last(setup.output)}")
    yield Tried("set-up", f"{platform.name}: {clean(setup.output.splitlines()[-1])}", True, "")
    best: Seen | None = None
    graded = {f"{find(name)}.py" for name in _graded(opened)}
    for trial in _trials(right, wrong, stubs, graded):
        _hand_in(ground, trial.files)
        if trial.is_in_trouble and not _break_packs(root):
            yield Tried(trial.name, f"not tried: the bundle has no {MANIFEST} that could be broken", False, "")
            continue
        ran = _run(ground.run, ground, environment)
        try:
            seen = platform.read(ground, ran)
        except (ValueError, KeyError, TypeError) as error:
            yield Tried(trial.name, f"a result that the platform does not take: {error}", False, _last(ran.output))
            continue
        best = best or seen
        yield _judged(trial, seen, best, ran)


def _trials(
    right: Mapping[str, bytes], wrong: Mapping[str, bytes], stubs: Mapping[str, bytes], graded: Collection[str]
) -> list[Trial]:
    """All five. graded: the names of the files that count; all count where empty."""
    counting = [name for name in right if not graded or name in graded]
    hang = {**right, **dict.fromkeys(counting[:1], HANG)}
    is_alone = len(counting) == 1
    return [
        Trial("right", right, "all points", lambda seen, _: bool(seen.score) and seen.of in (None, seen.score)),
        Trial("wrong", wrong, "fewer points", _is_less),
        Trial("stubs", stubs, "no points", lambda seen, _: seen.score == 0),
        Trial("hanging", hang, "no points" if is_alone else "some points", partial(_is_part, is_alone=is_alone)),
        # The last, because what it breaks stays broken.
        Trial("trouble", right, "no grade", lambda seen, _: seen.score is None, is_in_trouble=True),
    ]


def _is_less(seen: Seen, best: Seen) -> bool:
    return seen.score is not None and best.score is not None and seen.score < best.score


def _is_part(seen: Seen, best: Seen, *, is_alone: bool) -> bool:
    return _is_less(seen, best) and bool(seen.score) != is_alone


def _graded(opened: Path) -> list[str]:
    """The exercises that count, as the bundle's settings name them; none where all do. Raises UsageError."""
    texts = {path.relative_to(opened): path.read_text("utf-8", "replace") for path in opened.rglob(SETTINGS)}
    for archive in opened.rglob("*.tar"):
        with tarfile.open(archive) as packed:
            for member in packed:
                path, file = Path(member.name), packed.extractfile(member)
                if path.name == SETTINGS and file is not None:
                    texts[path] = file.read().decode("utf-8", "replace")
    # The outermost: the kit brings what settings are made of, too.
    outermost = min(texts, key=lambda path: len(path.parts), default=None)
    found = EXERCISES.search(texts[outermost]) if outermost else None
    try:
        return shlex.split(found[1], comments=True) if found else []
    except ValueError as error:
        raise UsageError(f"{SETTINGS}: EXERCISES cannot be read: {error}.") from None


def _break_packs(root: Path) -> int:
    """Make every pack below a folder one that no grader takes, also inside a tar; how many there were."""
    broken = 0
    for manifest in root.rglob(MANIFEST):
        manifest.write_text("{", "utf-8")
        broken += 1
    for archive in root.rglob("*.tar"):
        with tarfile.open(archive, "a") as packed:
            for name in [name for name in packed.getnames() if name.endswith(MANIFEST)]:
                again = tarfile.TarInfo(name)
                again.size = 1
                packed.addfile(again, io.BytesIO(b"{"))  # of two with one name the later one is what is unpacked
                broken += 1
    return broken


def _judged(trial: Trial, seen: Seen, best: Seen, ran: Ran) -> Tried:
    is_right = trial.is_met(seen, best)
    if seen.score is None:
        said = f"no grade{', as it must be' if is_right else ''}: {clean(seen.said, 100)}"
    else:
        said = points(seen.score) + ("" if seen.of is None else f" of {points(seen.of)}")
    wanted = "" if is_right else f"; expected {trial.expected}"
    return Tried(trial.name, said + wanted, is_right, "" if is_right else _last(ran.output))


def _hand_in(ground: Ground, files: Mapping[str, bytes]) -> None:
    """Put a student's files where the platform does, in place of the last one's, and take its result away."""
    ground.result.unlink(missing_ok=True)
    if ground.archive:
        with zipfile.ZipFile(ground.submission / ground.archive, "w") as packed:
            for name, content in files.items():
                packed.writestr(name, content)
        return
    for old in ground.submission.glob("*.py"):
        old.unlink()
    for name, content in files.items():
        (ground.submission / name).write_bytes(content)


def _environment(ground: Ground, venv: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in UNSET}
    own = {"GRADE_VENV": str(venv), "GRADE_TIMEOUT": STEP_SECONDS, "GRADE_SYSTEM_PACKAGES": "no"}
    return {**kept, **own, **ground.environment}


def _run(command: tuple[str, ...], ground: Ground, environment: Mapping[str, str]) -> Ran:
    """Run a command to its end, or to ours, with all that it started."""
    if shutil.which(command[0]) is None:
        raise BundleError(f"{command[0]} is needed to run this bundle, and it is not here.")
    process = subprocess.Popen(
        command, cwd=ground.folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True,
    )  # fmt: skip
    try:
        output, _ = process.communicate(timeout=MOST_SECONDS)
    except BaseException as error:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        if isinstance(error, subprocess.TimeoutExpired):
            raise BundleError(f"{command[-1]} was still running after {MOST_SECONDS:g} s and was stopped.") from None
        raise
    return Ran(process.returncode, output)


def _last(output: str) -> str:
    return "\n".join(clean(line) for line in output.splitlines()[-LAST_LINES:])
