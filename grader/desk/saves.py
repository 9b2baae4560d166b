"""Tells that something was saved: by the system's events where there are any, by looking now and then where not."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from grader.desk.events import Polling, Saved
from grader.model.pack import Exercise, Pack
from grader.model.submission import Submission
from grader.submission.files import FOLDER
from grader.words import say

# Between two looks. A save is seen after half of it on average, and a remote folder is read twice a second.
POLL_SECONDS = 0.5
# Events of one save come together; this is how long the first waits for the others.
STEP_MILLISECONDS, MOST_MILLISECONDS = 5, 50
# Now and then there is a look all the same: a folder may have been put in the place of the one that is watched.
LOOK_MILLISECONDS = 2000
# File systems whose files change on another machine, or outside this one, without an event here. Of FUSE only what is
# known to be local sends all events.
REMOTE = frozenset({
    "9p", "afs", "autofs", "beegfs", "ceph", "cifs", "davfs", "drvfs", "fuse", "gfs2", "glusterfs", "gpfs", "lustre",
    "ncpfs", "nfs", "nfs4", "ocfs2", "orangefs", "prl_fs", "smb2", "smb3", "smbfs", "vboxsf", "virtiofs", "vmhgfs",
})  # fmt: skip
MOUNTS = Path("/proc/self/mountinfo")


class Saves:
    """A thread that tells of saves. folders: watched without what is below them. polls: why to poll, "" for not."""

    def __init__(self, path: Path, polls: str, told: Callable[[Saved | Polling], None]) -> None:
        self._path, self._polls, self._told = path, polls, told
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="saves", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._stopped.set()
        self._thread.join(1.0)

    def _watch(self) -> None:
        if not self._polls:
            self._polls = self._by_events()
        if not self._stopped.is_set():
            self._told(Polling(self._polls))
        while not self._stopped.wait(POLL_SECONDS):
            self._told(Saved())

    def _by_events(self) -> str:
        """Tell by events until there are none any more. Returns why."""
        try:
            from watchfiles import watch
        except ImportError as error:
            return say("desk.no-watchfiles", why=error)
        while not self._stopped.is_set():
            try:
                for _ in watch(
                    *folders(self._path),
                    watch_filter=None,
                    recursive=False,
                    step=STEP_MILLISECONDS,
                    debounce=MOST_MILLISECONDS,
                    rust_timeout=LOOK_MILLISECONDS,
                    yield_on_timeout=True,
                    stop_event=self._stopped,
                    force_polling=False,
                    raise_interrupt=False,
                ):
                    self._told(Saved())
            except FileNotFoundError:  # the folder is gone, or another is there in a moment
                self._told(Saved())
                self._stopped.wait(POLL_SECONDS)
            except (OSError, RuntimeError) as error:  # such as the system's limit of watches
                return say("desk.no-events", why=error)
        return ""


def folders(path: Path) -> list[Path]:
    """Where saves of what is graded at a path are to be seen."""
    if not path.is_dir():
        return [path.parent]
    inner = path / FOLDER
    return [path, inner] if inner.is_dir() and not inner.is_symlink() else [path]


def why_to_poll(path: Path) -> str:
    """Why events cannot be relied on at a path; "" where they can."""
    kind = file_system(path)
    is_remote = kind in REMOTE or (kind.startswith("fuse.") and kind != "fuse.fuse-overlayfs")
    return say("desk.is-on", path=path, kind=kind) if is_remote else ""


def file_system(path: Path) -> str:
    """The kind of file system that a path is on, as the kernel calls it; "" where that cannot be found out.

    The form of the file is that of https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html.
    """
    try:
        lines = MOUNTS.read_text("utf-8", "replace").splitlines()
    except OSError:
        return ""
    wanted, best = os.path.realpath(path), ("", "")
    for line in lines:
        mount, _, of = line.partition(" - ")
        point = _unescaped(mount.split()[4]) if len(mount.split()) > 4 else ""
        is_around = point == "/" or wanted == point or wanted.startswith(f"{point}/")
        if point and of and is_around and len(point) >= len(best[0]):  # of two at one place the later lies on top
            best = point, of.split()[0]
    return best[1]


def relevant(pack: Pack, exercise: Exercise, submission: Submission) -> Mapping[str, bytes]:
    """What an exercise's verdict rests on: its module, those of steps that it needs, and what is no exercise."""
    needed = {exercise.id, *(name for name in _owners(pack, exercise))}
    known = {each.id for each in pack.exercises}
    found = {name: source for name, source in submission.modules.items() if name in needed or name not in known}
    return {**found, **{name: why.encode() for name, why in submission.unreadable.items() if name in needed}}


def _owners(pack: Pack, exercise: Exercise) -> set[str]:
    """Exercises whose steps are judged before this one's."""
    owner = {step.id: each for each in pack.exercises for step in each.steps}
    waiting, found = [exercise], set[str]()
    while waiting:
        for step in waiting.pop().steps:
            others = {owner[name].id for name in (*step.needs, *step.relies_on)} - found - {exercise.id}
            found |= others
            waiting += [pack.exercise(name) for name in others]
    return found


def _unescaped(path: str) -> str:
    """Spaces and their like stand as octal numbers there."""
    for code, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        path = path.replace(code, character)
    return path
