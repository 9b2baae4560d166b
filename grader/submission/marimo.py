"""Notebooks of marimo's, which are Python: each cell is a function that nobody calls by its name.

https://docs.marimo.io/guides/coming_from/jupyter
"""

from __future__ import annotations

from collections.abc import Iterator

from grader.model.text import source_lines

APP = "marimo.App("
DEEP = "    "


def plain(source: str) -> str:
    """A script with what cells hold at its top, below a mark for each; any other as it is. Lines keep their numbers."""
    return "\n".join(_plain(source_lines(source))) if APP in source else source


def _plain(lines: list[str]) -> Iterator[str]:
    is_head = is_body = False
    for line in lines:
        if line.startswith(("@app.cell", "@app.function", "@app.class_definition")):
            is_head, is_body = line.startswith("@app.cell"), False
            yield "# %%"
        elif line.startswith("with app.setup"):
            yield "if True:"
        elif is_head:
            is_head, is_body = not line.endswith(":"), line.endswith(":")
            yield ""
        else:
            is_body = is_body and (line.startswith(DEEP) or not line.strip())
            yield line.removeprefix(DEEP) if is_body else line
