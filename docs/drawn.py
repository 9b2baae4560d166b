"""Draws what a terminal shows, in its colours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.color import Color
    from rich.text import Text

PLAIN, BACKGROUND = "#d8dee9", "#1e2127"
CHARACTER, LINE, MARGIN = 7.8, 18, 16


def svg(rows: Sequence[Sequence[tuple[int, str, str, str]]], columns: int, title: str) -> str:
    """Rows of pieces: the column where each begins, its text, its colour, and what is behind it, "" for nothing."""
    width, height = 2 * MARGIN + CHARACTER * columns, 2 * MARGIN + LINE * len(rows)
    drawn = "".join(piece for number, row in enumerate(rows, 1) for piece in _row(row, MARGIN + LINE * number))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" role="img">\n'
        f"<title>{escape(title)}</title>\n"
        f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>\n'
        '<g font-family="Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="13" xml:space="preserve">\n'
        f"{drawn}</g>\n</svg>\n"
    )


def svg_of_screen(screen: str, title: str) -> str:
    """A screen with its escape sequences, as a terminal gives it."""
    from rich.text import Text

    lines = [Text.from_ansi(line) for line in screen.rstrip().splitlines()]
    return svg([[*_pieces(line)] for line in lines], max(len(line.plain.rstrip()) for line in lines), title)


def _pieces(line: Text) -> Iterable[tuple[int, str, str, str]]:
    from rich.console import Console
    from rich.segment import Segment

    column = 0
    for text, style, _ in Segment.simplify(line.render(Console(width=500), end="")):
        colour, behind = (style.color, style.bgcolor) if style else (None, None)
        if text.strip() or behind:
            yield column, text, _hex(colour, PLAIN), _hex(behind, "")
        column += len(text)


def _hex(colour: Color | None, default: str) -> str:
    from rich.terminal_theme import SVG_EXPORT_THEME

    return default if colour is None or colour.is_default else colour.get_truecolor(SVG_EXPORT_THEME).hex


def _row(row: Sequence[tuple[int, str, str, str]], y: float) -> Iterable[str]:
    for column, text, colour, behind in row:
        start = len(text) - len(text.lstrip())
        x = MARGIN + CHARACTER * column
        if behind:
            size = f'width="{CHARACTER * len(text):.1f}" height="{LINE}"'
            yield f'<rect x="{x:.1f}" y="{y - 13}" {size} fill="{behind}"/>\n'
        if text.strip():
            yield f'<text x="{x + CHARACTER * start:.1f}" y="{y}" fill="{colour}">{escape(text.strip())}</text>\n'
