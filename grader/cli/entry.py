"""Where the `grade` command begins: until all of it is imported, Ctrl-C ends it without a word."""

from __future__ import annotations

import signal

from grader.cli.interrupts import handle


def main() -> None:
    """Run the command line and end the process with the contract's exit code."""
    handle(signal.SIG_DFL)  # Python's own answer is a traceback of whatever is being imported
    from grader.cli.main import main as run

    run()
