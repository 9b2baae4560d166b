#!/usr/bin/env python3
"""Grades the student's checkout, which is the current folder, as Classroom 50's runner asks: `result.json`, exit 0.

Any other end is an infrastructure error there, `status=error`, and no score of anybody's.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHECKOUT = Path.cwd()
RESULT = CHECKOUT / "result.json"
NOTHING_TO_GRADE = 5
# Without these Ubuntu lets no unprivileged process have namespaces of its own, and bubblewrap cannot start.
SANDBOX = """
command -v bwrap >/dev/null || { sudo apt-get update -qq && sudo apt-get install -qq -y bubblewrap; }
sudo sysctl -q -w kernel.apparmor_restrict_unprivileged_userns=0 || true
"""


def main() -> int:
    """Set up, grade, and give the exit code that the runner expects."""
    scratch = os.environ.get("RUNNER_TEMP", "/tmp")
    environment = {"GRADE_VENV": f"{scratch}/grader", **os.environ}
    is_set_up = "GRADE_VENV" in os.environ  # on a runner of the course's own
    remove_result()  # a student may have committed one
    if shutil.which("sudo") and environment.get("GRADE_SYSTEM_PACKAGES") != "no":
        subprocess.run(["bash", "-c", SANDBOX], check=False)
    if not is_set_up:
        subprocess.run(["bash", str(HERE / "setup.sh")], env=environment, check=True)
    code = grade(CHECKOUT, environment)
    if code == NOTHING_TO_GRADE:
        print("There is no exercise in this repository: every step counts as not started.", flush=True)
        code = grade(HERE / "kit" / "exercises", environment)
    if code not in (0, 1):
        remove_result()
        print(f"::error::Nothing was graded (grade ended with {code}): the course's trouble, not the student's.")
        return 1
    return 0


def grade(submission: Path, environment: dict[str, str]) -> int:
    """The exit code of `grade run`; the result is beside the checkout's files, where the runner looks for it."""
    script = str(HERE / "grade_submission")
    formats = ["--format", f"classroom50={RESULT}"]
    return subprocess.run(["bash", script, str(submission), *formats], env=environment, check=False).returncode


def remove_result() -> None:
    """Whatever it is that has the result's name."""
    if RESULT.is_dir() and not RESULT.is_symlink():
        shutil.rmtree(RESULT)
    RESULT.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
