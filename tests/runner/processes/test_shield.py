"""What the parent holds is not to be read by another process, even of the same user."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SHIELD = Path(__file__).resolve().parents[3] / "grader/runner/processes/shield.py"
NOBODY = 65534
# Looks at itself by way of programs of the same user, before it is shielded and after.
LOOKS = """
import os, runpy, subprocess, sys

def look():
    for name, command in (("environ", ["cat"]), ("mem", ["head", "-c1"]), ("fd", ["ls"])):
        done = subprocess.run([*command, f"/proc/{os.getpid()}/{name}"], capture_output=True)
        refused = b"ermission denied" in done.stderr
        print(name, "refused" if refused else "readable", b"SECRET=42" in done.stdout)

look()
exec(sys.argv[1])
shield()
print("shielded")
look()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="Linux only")
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become somebody else")
def test_the_parents_memory_environment_and_descriptors_are_its_own() -> None:
    python = next((p for p in ("/usr/bin/python3", sys.executable) if p and _nobody_can_run(p)), None)
    if python is None:
        pytest.skip("no Python here that an unprivileged user may run")

    done = subprocess.run(
        [python, "-I", "-c", LOOKS, SHIELD.read_text("utf-8")],
        user=NOBODY, group=NOBODY, extra_groups=[], cwd="/", env={"SECRET": "42", "PATH": os.environ["PATH"]},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    before, after = (part.splitlines() for part in done.stdout.split("shielded\n"))

    assert before[0] == "environ readable True"
    assert "fd readable False" in before
    if _tracing_is_free():
        assert "mem readable False" in before
    assert after == ["environ refused False", "mem refused False", "fd refused False"]


def _nobody_can_run(python: str) -> bool:
    if shutil.which(python) is None:
        return False
    try:
        done = subprocess.run(
            [python, "-I", "-c", ""], user=NOBODY, group=NOBODY, extra_groups=[], cwd="/", check=False
        )
    except OSError:
        return False
    return done.returncode == 0


def _tracing_is_free() -> bool:
    """Whether processes of one user may trace each other: https://docs.kernel.org/admin-guide/LSM/Yama.html"""
    scope = Path("/proc/sys/kernel/yama/ptrace_scope")
    return not scope.exists() or scope.read_text("ascii").strip() == "0"
