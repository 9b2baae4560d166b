"""Where attacks are tried: a grader with some layers, targets worth having beside it, and a look at them afterwards."""

from __future__ import annotations

import contextlib
import json
import os
import re
import resource
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from unicodedata import category

from grader.model.errors import WorkerFailed
from grader.model.order import Order
from grader.model.pack import Pack
from grader.model.report import Report
from grader.plugins.registry import Plugins
from grader.runner.grade import grade_submission
from grader.runner.processes.zygote import Zygote
from grader.runner.session import Session
from grader.submission.read import read_submission

from .attack import MODULE, Attack

ROOT = Path(__file__).resolve().parents[2]
HONEST = (ROOT / "solutions/reference" / f"{MODULE}.py").read_text("utf-8")
SECONDS = 2.5
PATIENCE = 2.0
# A runner of GitHub's obeys the first where a line begins so, spaces aside, and the second wherever it stands.
COMMAND = re.compile(r"^\s*::|##\[")
# What the format for GitHub means to say: commands stopped and resumed, and annotations, up to where text begins.
OURS = re.compile(r"^::(stop-commands::)?[0-9a-f]{32}(::)?$|^::(error|warning|notice) (?!.*##\[)[^:]*::")
UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
# Far more characters than an honest report of one exercise has, and seconds than two steps of an attack may take.
# A page has its style and a picture with it.
MUCH, MUCH_OF = 20_000, {"html": 40_000}
LONG = 30


class Grounds:
    """A grader without some of its layers, and targets for attacks on it.

    Everything that an attack may want lies outside: a secret file, a secret in the parent's memory and environment, a
    folder to write to, sockets that listen, a process of the same user to harm.
    """

    def __init__(
        self, plugins: Plugins, pack: Pack, without: frozenset[str] = frozenset(), seconds: float = SECONDS
    ) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="attacked-"))
        self.token = secrets.token_hex(12)
        self.in_memory = self.token.encode() * 3
        os.environ["KIT_SECRET"] = self.token
        (self.home / "secret").write_text(self.token, "ascii")
        self.bait = self.home / "bait"
        self.bait.mkdir()
        self.outside = self.home / "outside"
        self._put_outside()
        self.abstract = "\0kit-" + self.token[:6]
        self.listeners = dict(_listeners(self.home, self.abstract))
        self.victim = subprocess.Popen(["sleep", "36000"], start_new_session=True)
        order = Order((MODULE,), "cpu", seed=7, seconds=seconds, without=without)
        self.worker = Zygote(without)
        self.session = Session(plugins, pack, order, self.worker)
        self.trying = Session(plugins, pack, replace(order, tries=True), self.worker)
        self.reporters = plugins.reporters
        assert self.control() == [], "the grader does not even grade honest work"
        for session in (self.session, self.trying, self.trying):  # from the second submission on, a reference rests
            self.grade(HONEST, session)
        self.settle()

    def settle(self) -> None:
        """Take the worker processes that there are now for our own, those of the references that rest among them."""
        for session in (self.session, self.trying):
            reference = session.reference
            assert reference._solver is not None
            reference._thread.submit(reference._solver.start).result()
        self._generation = self.worker.generation
        self._own = own_workers()

    def constants(self) -> str:
        """The line before every attack's source."""
        known = {
            "ROOT": str(ROOT),
            "SECRET_FILE": str(self.home / "secret"),
            "BAIT": str(self.bait),
            "PARENT": os.getpid(),
            "VICTIM": self.victim.pid,
            "TCP": self.listeners["tcp"].getsockname()[1],
            "UDP": self.listeners["udp"].getsockname()[1],
            "UNIX": str(self.home / "unix"),
            "ABSTRACT": self.abstract,
            "OUTSIDE": str(self.outside),
            "CLAIM": "claim-" + self.token[::-1],
        }
        return "; ".join(f"{name} = {value!r}" for name, value in known.items())

    def try_out(self, attack: Attack) -> tuple[list[str], Report | None]:
        """Grade an attack, and its second part; what it gained, empty where nothing, and its report.

        None instead of a report where the grader itself gave up on it.
        """
        try:
            report = self._grade(attack, attack.source)
            later = self._grade(attack, attack.then) if attack.then else None
        except WorkerFailed as failed:
            return [f"the grader failed: {failed}", *self._harm()], None
        gained = [*self._gained(report), *(self._gained(later) if later else []), *self._harm()]
        return gained, report

    def control(self) -> list[str]:
        """What is wrong with an honest submission's report; nothing where it has full marks."""
        try:
            report = self.grade(HONEST)
        except WorkerFailed as failed:
            return [f"the grader failed: {failed}"]
        return [] if report.is_full else [f"an honest submission got {report.score} of {report.max_score}"]

    def grade(self, source: str, session: Session | None = None) -> Report:
        """The report of a module as it stands."""
        folder = Path(tempfile.mkdtemp(prefix="honest-", dir=self.home))
        (folder / f"{MODULE}.py").write_text(source, "utf-8")
        return grade_submission(session or self.session, read_submission(folder, self.session.pack))

    def close(self) -> None:
        self.session.close()
        self.trying.close()
        self.worker.close()
        self.victim.kill()
        self.victim.wait()
        for listener in self.listeners.values():
            listener.close()
        shutil.rmtree(self.home, ignore_errors=True)

    def _grade(self, attack: Attack, source: str) -> Report:
        folder = Path(tempfile.mkdtemp(prefix="attack-", dir=self.home))
        attack.write(folder, source, self.constants())
        session = self.trying if attack.tries else self.session
        return grade_submission(session, read_submission(folder / attack.hands, session.pack))

    def _gained(self, report: Report) -> list[str]:
        """What an attack got into its report: points, a secret, or its own word that it got through."""
        said = "".join(reporter.render(report) for reporter in self.reporters.values())
        gained = [f"{report.score} points"] if report.score else []
        gained += ["a secret"] if self.token in said else []
        gained += ["its claim"] if self.token[::-1] in said else []
        gained += [f"{report.seconds:.0f} seconds"] if report.seconds > LONG else []
        for name, reporter in self.reporters.items():
            gained += _in(name, reporter.render(report))
        return gained

    def _harm(self) -> list[str]:
        """What is not as it was outside; put back, so that the next attack starts from the same."""
        harm = [f"the file {path.name[:30]}" for path in self.bait.iterdir()]
        for path in self.bait.iterdir():
            path.unlink()
        harm += [f"a packet by {name}" for name, listener in self.listeners.items() if _heard(listener)]
        harm += self._harm_to_victim()
        if _state(self.outside) != self._untouched:
            harm.append("the file outside")
            self._put_outside()
        harm += self.control()  # by which a worker that is gone is found out
        if self.worker.generation != self._generation:
            harm.append("the worker started anew")
            self.settle()
        left = left_over(self._own)
        harm += [f"{len(left)} processes left"] if left else []
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return harm

    def _put_outside(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            self.outside.unlink()
        self.outside.write_text("nobody's business", "ascii")
        self._untouched = _state(self.outside)

    def _harm_to_victim(self) -> list[str]:
        harm = []
        if self.victim.poll() is not None:
            harm.append("the victim killed")
        elif Path(f"/proc/{self.victim.pid}/stat").read_text("ascii").rpartition(")")[2].split()[0] in "Tt":
            harm.append("the victim stopped")
        elif os.getpriority(os.PRIO_PROCESS, self.victim.pid) != os.getpriority(os.PRIO_PROCESS, 0):
            harm.append("the victim's priority")
        elif resource.prlimit(self.victim.pid, resource.RLIMIT_NOFILE) != resource.getrlimit(resource.RLIMIT_NOFILE):
            harm.append("the victim's limits")
        if harm:  # not even root can always give back what was taken
            self.victim.kill()
            self.victim.wait()
            self.victim = subprocess.Popen(["sleep", "36000"], start_new_session=True)
        return harm


def _listeners(home: Path, abstract: str) -> Iterator[tuple[str, socket.socket]]:
    for name, family, kind, address in (
        ("tcp", socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
        ("udp", socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
        ("unix", socket.AF_UNIX, socket.SOCK_DGRAM, str(home / "unix")),
        ("abstract", socket.AF_UNIX, socket.SOCK_DGRAM, abstract),
    ):
        listener = socket.socket(family, kind)
        listener.bind(address)
        if kind == socket.SOCK_STREAM:
            listener.listen()
        listener.setblocking(False)
        yield name, listener


def _state(file: Path) -> object:
    """All that could be changed about a file; None where it is gone."""
    try:
        facts = file.stat()
    except FileNotFoundError:
        return None
    attributes = os.listxattr(file) if hasattr(os, "listxattr") else []
    return (
        facts.st_ino, facts.st_mode, facts.st_nlink, facts.st_uid, facts.st_gid, facts.st_size, facts.st_mtime_ns,
        attributes,
    )  # fmt: skip


def _heard(listener: socket.socket) -> bool:
    """Whether somebody connected or sent something. Takes all of it."""
    heard = False
    with contextlib.suppress(BlockingIOError):
        while True:
            if listener.type == socket.SOCK_STREAM:
                listener.accept()[0].close()
            else:
                listener.recv(100)
            heard = True
    return heard


def _in(name: str, rendered: str) -> list[str]:
    """What in a rendered report somebody may obey who reads it: a terminal, a CI runner, a program."""
    found = [f"{ord(c):#x} in {name}" for c in sorted({*rendered} - {"\n"}) if category(c) in UNSEEN]
    lines = rendered.splitlines()
    lines = [OURS.sub("", line) for line in lines] if name == "github" else lines
    found += [f"a command in {name}" for line in lines if COMMAND.search(line)]
    found += [f"{len(rendered)} characters of {name}"] if len(rendered) > MUCH_OF.get(name, MUCH) else []
    if name == "json" and json.loads(rendered)["score"]:
        found.append("points in json")
    return found


def own_workers() -> set[int]:
    """Every worker process that descends from this one, or from nobody any more."""
    parents, workers = {}, set()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = (folder / "stat").read_text("ascii", "replace").rpartition(")")[2].split()
            parents[int(folder.name)] = int(fields[1])
            if b"grader.worker" in (folder / "cmdline").read_bytes():
                workers.add(int(folder.name))
    return {pid for pid in workers if _is_own(pid, parents)}


def left_over(before: set[int]) -> set[int]:
    """The worker processes that came since and stay: those of a grader that was just ended are gone in a moment."""
    pause, left = threading.Event(), own_workers() - before
    deadline = time.monotonic() + PATIENCE
    while left and time.monotonic() < deadline:
        pause.wait(0.05)
        left &= own_workers()
    return left


def _is_own(pid: int, parents: dict[int, int]) -> bool:
    if parents.get(pid) == 1:
        return True
    while pid > 1:
        if pid == os.getpid():
            return True
        pid = parents.get(pid, 0)
    return False
