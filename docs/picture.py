"""Draws `docs/demo.svg`, the README's picture: what `make demo` prints, in the colours of a terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from docs.drawn import PLAIN, svg

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = "fixtures/submissions/first_attempt"
COLOURS = {"✓": "#7ec699", "✗": "#f08d86", "◐": "#e6c07b", "·": "#8a919b", "–": "#8a919b"}


def main() -> None:
    """Grade the sample and draw what was printed, a line of text each."""
    command = [str(Path(sys.executable).with_name("grade")), "run", SAMPLE, "--seed", "1"]
    found = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    printed = subprocess.run(
        command, cwd=ROOT, env=found, capture_output=True, text=True, check=False
    ).stdout.splitlines()
    title = "What the sample submission is told: scores, sentences, lines and hints"
    columns = max(len(line) for line in printed)
    (ROOT / "docs" / "demo.svg").write_text(svg([[_piece(line)] for line in printed], columns, title), "utf-8")


def _piece(line: str) -> tuple[int, str, str, str]:
    """A line in the colour of the mark that it begins with."""
    text = line.lstrip()
    return len(line) - len(text), text, COLOURS.get(text[:1], PLAIN), ""


if __name__ == "__main__":
    main()
