"""A git repository for a new workspace, so that a student can go back to what they had. Never a reason to fail."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from grader.words import say

# Git waits for nobody here: no editor, no password, no signature.
QUIET = ("-c", "commit.gpgsign=false", "-c", "core.hooksPath=", "-c", "user.useConfigOnly=true")
MESSAGE = "The exercises as they were handed out"
SECONDS = 30.0
# What git sets for a hook, which would lead it back to the hook's own repository.
ANOTHERS = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")


def begin(folder: Path) -> str:
    """Make a folder a repository with one commit. Returns a sentence on what was done, or on why not; "" for no git."""
    if shutil.which("git") is None:
        return ""
    try:
        around = _git(folder, "rev-parse", "--show-toplevel")
        if around.returncode == 0:
            return say("init.in-repository", repository=around.stdout.strip())
        if _git(folder, "init", "--quiet").returncode:
            return say("init.no-repository")
        if _git(folder, "var", "GIT_COMMITTER_IDENT").returncode:
            return say("init.git-knows-nobody")
        is_committed = not _git(folder, "add", "--all").returncode
        is_committed = is_committed and not _git(folder, "commit", "--quiet", "--message", MESSAGE).returncode
    except (OSError, subprocess.TimeoutExpired):
        return say("init.git-silent")
    return say("init.with-commit" if is_committed else "init.without-commit")


def _git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What git says in a folder, whatever repository this process itself may have been started for."""
    environment = {name: value for name, value in os.environ.items() if name not in ANOTHERS}
    return subprocess.run(
        ["git", *QUIET, *arguments],
        cwd=folder,
        env={**environment, "GIT_TERMINAL_PROMPT": "0"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=SECONDS,
        check=False,
    )
