"""Attacks on the process that every submission's process is forked from, and on what they share."""

from __future__ import annotations

from tests.attacks.attack import attack
from tests.attacks.kernel import by_call

# Looks for what an honest solution needs.
NEEDS_SCRATCH = """
import os, tempfile
def attack():
    try:
        assert not os.listdir("."), "somebody was here"
        with tempfile.TemporaryFile() as file:
            file.write(bytes(8 << 20))
        with tempfile.TemporaryDirectory() as folder:
            open(f"{folder}/file", "w").close()
    except BaseException:
        raise RuntimeError(CLAIM)
"""

ATTACKS = (
    by_call("kill-the-zygote", "import signal; os.kill(os.getppid(), signal.SIGKILL)"),
    by_call("crash-the-zygote", "import signal; os.kill(os.getppid(), signal.SIGSEGV)"),
    by_call("stop-the-zygote", "import signal; os.kill(os.getppid(), signal.SIGSTOP)"),
    by_call("end-the-zygotes-thread", "call((234, 131), os.getppid(), os.getppid(), 9)"),
    by_call("queue-the-zygote-a-signal", "call((129, 138), os.getppid(), 9, (ctypes.c_int * 32)(9, 0, -1))"),
    by_call("kill-the-zygotes-group", "import signal; os.killpg(os.getpgid(os.getppid()), signal.SIGURG); through()"),
    by_call(
        "signals-of-a-pipe-for-the-zygote",
        """
        import fcntl
        out, into = os.pipe()
        fcntl.fcntl(out, fcntl.F_SETOWN, os.getppid())
        fcntl.fcntl(out, fcntl.F_SETFL, os.O_ASYNC)
        os.write(into, b"x")
        """,
    ),
    by_call("ptrace-the-zygote", "through(call((101, 117), 0x4206, os.getppid(), 0, 0))"),
    by_call("limits-of-the-zygote", "import resource\n"
            "pid = os.getppid(); files = resource.RLIMIT_NOFILE\n"
            "through(resource.prlimit(pid, files, resource.prlimit(pid, files)))"),
    # It ends the zygote, though only when that has something to do.
    by_call("time-limit-of-the-zygote", "import resource\n"
            "through(resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1)))"),
    by_call("renice-the-zygote", "through(os.setpriority(os.PRIO_PROCESS, os.getppid(), 1))"),
    by_call("renice-the-user", "through(os.setpriority(os.PRIO_USER, os.getuid(), 0))"),
    by_call("schedule-the-zygote", "through(os.sched_setscheduler(os.getppid(), os.SCHED_OTHER, os.sched_param(0)))"),
    by_call("pin-the-zygote", "through(os.sched_setaffinity(os.getppid(), range(os.cpu_count())))"),
    by_call(
        "zygotes-turn-to-be-killed",
        """
        with open(f"/proc/{os.getppid()}/oom_score_adj", "r+") as score:
            score.write("1000")
            score.flush()
            through()
        """,
    ),
    by_call("memory-of-the-zygote", 'through(os.open(f"/proc/{os.getppid()}/mem", os.O_RDWR))'),
    by_call("descriptors-of-the-zygote", 'through(os.listdir(f"/proc/{os.getppid()}/fd"))'),
    by_call(
        "memory-written-across",
        """
        vector = (ctypes.c_void_p * 2)(id(os.sep) + 48, 1)  # a slash, where the zygote has one too
        call((311, 271), os.getppid(), vector, 1, vector, 1, 0)
        through()
        """,
    ),
    by_call(
        "inherited-descriptors",
        """
        import stat
        sockets = []
        for fd in range(3, 1000):
            try:
                sockets += [fd] if stat.S_ISSOCK(os.fstat(fd).st_mode) else []
            except OSError:
                pass
        if len(sockets) != 1:
            through()
        raise OSError("the channel alone")
        """,
    ),
    by_call(
        "folders-of-others",
        """
        own = os.environ["TMPDIR"]
        for name in os.listdir(os.path.dirname(own)):
            if f"{os.path.dirname(own)}/{name}" != own:
                through()
        raise OSError("nobody else's")
        """,
    ),
    by_call(
        "folders-of-those-to-come",
        """
        for number in range(1, 60):
            os.mkdir(f"{os.environ['TMPDIR']}/../{os.getpid() + number}")
        """,
        then=NEEDS_SCRATCH,
    ),
    by_call(
        "own-folder-replaced",
        """
        own = os.environ["TMPDIR"]
        os.rename(own, own + "-gone")
        os.symlink(os.path.dirname(OUTSIDE), own)
        """,
        then=NEEDS_SCRATCH,
    ),
    by_call(
        "links-in-the-folder",
        """
        for number, path in enumerate((OUTSIDE, BAIT, os.path.dirname(OUTSIDE), "/", "..")):
            os.symlink(path, f"link-{number}")
        """,
        "failed", "error",
        then=NEEDS_SCRATCH,
    ),
    by_call(
        "folder-that-nobody-may-enter",
        """
        os.umask(0o777)
        os.makedirs("closed")
        os.mkdir("closed-too")
        os.close(os.open("file", os.O_CREAT, 0))
        """,
        "failed", "error",
        then=NEEDS_SCRATCH,
    ),
    by_call(
        "full-scratch",
        """
        for number in range(6):
            with open(f"large-{number}", "wb", buffering=0) as file:
                while file.tell() < 60 << 20 and file.write(bytes(1 << 20)):
                    pass
        """,
        then=NEEDS_SCRATCH,
    ),
    by_call(
        "scratch-in-the-shape-of-the-next",
        """
        own = os.environ["TMPDIR"]
        for number in range(1, 20):
            os.makedirs(f"folder/{number}", exist_ok=True)
        os.rename("folder", f"{own}.1")
        """,
        then=NEEDS_SCRATCH,
    ),
    by_call(
        "exit-in-every-call",
        """
        import signal
        os._exit(signal.SIGKILL)
        """,
        "crashed",
        then=NEEDS_SCRATCH,
    ),
    attack(
        "modules-of-the-next",
        """
        import sys, torch
        def attack():
            for module in [*sys.modules.values()]:
                if getattr(module, "__name__", "").startswith(("grader", "safetensors")):
                    vars(module).clear()
        """,
        "error", "crashed", "failed", "timeout",
        then=NEEDS_SCRATCH,
    ),
)  # fmt: skip
