"""The plot of what a batch costs against how many submissions it has: an SVG that needs nothing to be drawn."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 70, 170, 20, 50
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")  # told apart by colour-blind people, too
STYLE = (
    "text{font:13px sans-serif;fill:#333}.grid{stroke:#ccc;stroke-width:.5}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.grid{stroke:#555}}"
)
Points = Sequence[tuple[float, float]]


def plot(series: Mapping[str, Points], across: str, up: str) -> str:
    """Lines by their names, both axes logarithmic; all numbers are above 0. across, up: what the axes are of."""
    everything = [point for points in series.values() for point in points]
    columns, rows = (_decades([point[axis] for point in everything]) for axis in (0, 1))

    def place(point: tuple[float, float]) -> tuple[float, float]:
        x = LEFT + (WIDTH - LEFT - RIGHT) * _share(point[0], columns)
        y = HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * _share(point[1], rows)
        return round(x, 1), round(y, 1)

    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        f"<title>{escape(up)} against {escape(across)}</title><style>{STYLE}</style>",
    ]
    for value in range(columns[0], columns[1] + 1):
        x, _ = place((10.0**value, 10.0 ** rows[0]))
        drawn.append(f'<line class="grid" x1="{x}" y1="{TOP}" x2="{x}" y2="{HEIGHT - BOTTOM}"/>')
        drawn.append(f'<text x="{x}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{_written(value)}</text>')
    for value in range(rows[0], rows[1] + 1):
        _, y = place((10.0 ** columns[0], 10.0**value))
        drawn.append(f'<line class="grid" x1="{LEFT}" y1="{y}" x2="{WIDTH - RIGHT}" y2="{y}"/>')
        drawn.append(f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{_written(value)}</text>')
    drawn.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">{escape(across)}</text>'
    )
    middle = (TOP + HEIGHT - BOTTOM) / 2
    drawn.append(
        f'<text x="16" y="{middle}" text-anchor="middle" transform="rotate(-90 16 {middle})">{escape(up)}</text>'
    )
    for number, (name, points) in enumerate(series.items()):
        colour = COLOURS[number % len(COLOURS)]
        places = [place(point) for point in points]
        path = " ".join(f"{x},{y}" for x, y in places)
        dashes = "" if number < len(COLOURS) else ' stroke-dasharray="5 4"'
        drawn.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>')
        drawn += [f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>' for x, y in places]
        y = TOP + 14 + 20 * number
        drawn.append(f'<rect x="{WIDTH - RIGHT + 14}" y="{y - 9}" width="10" height="10" fill="{colour}"/>')
        drawn.append(f'<text x="{WIDTH - RIGHT + 30}" y="{y}">{escape(name)}</text>')
    return "\n".join([*drawn, "</svg>"]) + "\n"


def _decades(values: Sequence[float]) -> tuple[int, int]:
    """The powers of ten around all of them, two at least."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return low, max(high, low + 1)


def _share(value: float, decades: tuple[int, int]) -> float:
    return (math.log10(value) - decades[0]) / (decades[1] - decades[0])


def _written(power: int) -> str:
    return f"{10**power:,}" if power >= 0 else f"{10.0**power:g}"
