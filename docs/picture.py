"""Draws `docs/demo.svg`, the README's picture: what `make demo` prints, in the colours of a terminal."""

from __future__ import annotations

import subprocess
import sys
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = "fixtures/submissions/first_attempt"
COLOURS = {"✓": "#7ec699", "✗": "#f08d86", "◐": "#e6c07b", "·": "#8a919b", "–": "#8a919b"}
PLAIN, BACKGROUND = "#d8dee9", "#1e2127"
CHARACTER, LINE, MARGIN = 7.8, 18, 16


def main() -> None:
    """Grade the sample and draw what was printed, a line of text each."""
    command = [str(Path(sys.executable).with_name("grade")), "run", SAMPLE, "--seed", "1"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.splitlines()
    width = 2 * MARGIN + CHARACTER * max(len(line) for line in printed)
    height = 2 * MARGIN + LINE * len(printed)
    rows = [_row(line, MARGIN + LINE * number) for number, line in enumerate(printed, 1)]
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" role="img">\n'
        "<title>What the sample submission is told: scores, sentences, lines and hints</title>\n"
        f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>\n'
        '<g font-family="Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="13" xml:space="preserve">\n'
        f"{''.join(rows)}</g>\n</svg>\n"
    )
    (ROOT / "docs" / "demo.svg").write_text(svg, "utf-8")


def _row(line: str, y: float) -> str:
    indent = len(line) - len(line.lstrip())
    colour = COLOURS.get(line.lstrip()[:1], PLAIN)
    x = MARGIN + CHARACTER * indent
    return f'<text x="{x:.1f}" y="{y}" fill="{colour}">{escape(line.lstrip())}</text>\n'


if __name__ == "__main__":
    main()
