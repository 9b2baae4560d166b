"""`python -m grader` is the `grade` command."""

import sys
from pathlib import Path

# `python -m` looks into the current folder first. That may be a student's, whose `exercises` must not become the pack.
if Path.cwd() != Path(__file__).resolve().parents[1]:
    sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != Path.cwd()]

from grader.cli.entry import main

if __name__ == "__main__":
    main()
