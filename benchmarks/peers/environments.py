"""An environment for each tool, made once: a venv with exactly what its requirements say, beside nothing of ours."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ENVIRONMENTS = HERE.parent / ".environments"
NAMES = ("pytest", "otter", "check50")


def environment(name: str) -> Path:
    """The folder of an environment's commands. It is made anew where the requirements have changed.

    Raises CalledProcessError where pip cannot install something.
    """
    wanted = (HERE / name / "requirements.txt").read_text("utf-8")
    folder = ENVIRONMENTS / name
    made_of = folder / "made-of.txt"
    if not made_of.exists() or made_of.read_text("utf-8") != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        print(f"setting up {name} in {folder} ...", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        pip = [folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--requirement", HERE / name / "requirements.txt"], check=True)
        made_of.write_text(wanted, "utf-8")  # last, so that half of one is none
    return folder / "bin"
