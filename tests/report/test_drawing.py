"""Pictures fit into eighty columns, say the same in colour and without, and mark the first wrong cell."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest

from grader.model.report import Matrix, Picture, Shares
from grader.report.drawing import MOST_LINES, Grid, grid_lines, picture_lines, shares_lines
from grader.report.lines import text
from grader.report.shades import shade

from .hand_made import FAILED


def plain(picture: Picture, *, coloured: bool = False) -> list[str]:
    return [text(line) for line in picture_lines(picture, coloured=coloured)]


def filled(rows: int, columns: int, value: float = -0.25) -> Matrix:
    return tuple(tuple(value * (r + c) / 4 for c in range(columns)) for r in range(rows))


def picture(rows: int, columns: int) -> Picture:
    got = [list(row) for row in filled(rows, columns)]
    got[rows - 1][columns - 1] = math.nan
    made = tuple(tuple(row) for row in got)
    return Picture("lesson", "weights", ("[0, 1]",), (filled(rows, columns),), (made,), rows - 1, columns - 1)


def test_expected_stands_beside_got_with_the_first_wrong_cell_in_brackets() -> None:
    assert FAILED.picture is not None

    assert plain(FAILED.picture) == [
        "    weights of the public case random",
        "      expected       got",
        "         0    1         0    1",
        "    0 1.00 0.00    0[0.50]0.50",
        "    1 0.25 0.75    1 0.25 0.75",
        "    The first wrong cell is row 0, column 0: 0.50, expected 1.00.",
    ]


def test_truth_values_are_drawn_in_the_words_of_the_sentence_and_in_letters_where_there_is_no_room() -> None:
    def later(size: int) -> Picture:
        due, got = (tuple(tuple(j >= i + ahead for j in range(size)) for i in range(size)) for ahead in (1, 0))
        return Picture("six", "result", ("",), (due,), (got,), 0, 0)

    assert plain(later(2))[1:] == [
        "      expected         got",
        "          0     1          0     1",
        "    0 False  True    0[ True] True",
        "    1 False False    1 False  True",
        "    The first wrong cell is row 0, column 0: True, expected False.",
    ]
    assert plain(later(6))[3] == "    0 F T T T T T    0[T]T T T T T"


@pytest.mark.parametrize("size", [(1, 1), (2, 16), (6, 6), (8, 8), (9, 9), (16, 16), (16, 1)])
@pytest.mark.parametrize("coloured", [False, True])
def test_no_line_is_broader_than_eighty_columns(size: tuple[int, int], coloured: bool) -> None:
    drawn = plain(picture(*size), coloured=coloured)

    assert max(map(len, drawn)) <= 80
    assert sum("[" in line and "]" in line for line in drawn[1:]) == 1
    assert "The first wrong cell is" in drawn[-1]


def test_every_column_of_a_broad_matrix_is_there_in_parts() -> None:
    drawn = "\n".join(plain(picture(2, 16)))

    for number in range(16):
        assert drawn.count(f" {number} ") + drawn.count(f" {number}\n") >= 2, f"column {number} of both sides"
    assert "columns 0 to" in drawn


def test_colours_are_those_of_the_page() -> None:
    assert FAILED.picture is not None

    styles = [style for line in picture_lines(FAILED.picture, coloured=True) for _, style in line]

    expected = [shade(value, 1.0) for value in (1.0, 0.0, 0.5, 0.5, 0.25, 0.75, 0.25, 0.75)]
    assert [style for style in styles if style in {"p10", "p0", "p5", "p2", "p8"}] == expected


def test_tokens_stand_on_both_axes_and_are_harmless() -> None:
    grid = Grid("head 0", filled(2, 2, 1.0), 1.0, labels=("the", "\033[31m" + "cat" * 20))

    drawn = [text(line) for line in grid_lines(grid, coloured=False)]

    assert drawn[1].split() == ["the", "[31mcatca…"]
    assert [line.split()[0] for line in drawn[2:]] == ["the", "[31mcatca…"]
    assert "\033" not in "".join(drawn)


@pytest.mark.parametrize(
    ("got", "expected", "said"),
    [
        (0.1591, 0.1596, "0.1591, expected 0.1596"),
        (-1.00000012, -1.0, "−1.00000012, expected −1"),
        (2.0, 1.0, "2.00, expected 1.00"),
        (math.inf, math.inf, "∞, expected ∞"),
    ],
)
def test_two_numbers_that_would_look_alike_are_told_with_more_digits(got: float, expected: float, said: str) -> None:
    drawn = plain(Picture("lesson", "weights", ("",), (((expected,),),), (((got,),),), 0, 0))

    assert drawn[-1].endswith(f"column 0: {said}.")


def nearly(off: float = 1.3e-5) -> Picture:
    """A result each of whose cells reads as expected, one of which is off."""
    expected = ((0.25, -math.inf), (1.30983, 0.5))
    return Picture("lesson", "scaled", ("",), (expected,), ((expected[0], (1.30983 - off, 0.5)),), 1, 0)


def test_of_a_result_that_would_read_as_expected_it_is_drawn_by_how_much_it_is_off() -> None:
    assert plain(nearly()) == [
        "    scaled of the public case lesson",
        "      expected       got − expected, in 1e-05",
        "         0    1          0     1",
        "    0 0.25   −∞    0  0.00  0.00",
        "    1 1.31 0.50    1[−1.30] 0.00",
        "    The first wrong cell is row 1, column 0: 1.30982, expected 1.30983.",
    ]


def test_what_reads_unlike_is_drawn_as_it_is() -> None:
    assert "got − expected" not in "".join(plain(nearly(off=0.5)))


def heads(count: int, *right: int, size: int = 6) -> Picture:
    """That many heads; but for the right ones, each is wrong in its last row."""
    expected = tuple(filled(size, size, 0.01 * (1 + head)) for head in range(count))
    got = tuple(each if head in right else (*each[:-1], (9.0,) * size) for head, each in enumerate(expected))
    slices = tuple(f"[0, {head}]" for head in range(count))
    return Picture("lesson", "weights", slices, expected, got, size - 1, 0, right)


def titles(drawn: list[str]) -> list[str]:
    """The heads that are drawn, in their order."""
    return [f"[0, {head}]" for line in drawn for head in re.findall(r"weights \[0, (\d+)\]", line)]


@pytest.mark.parametrize(("coloured", "expected"), [(False, [0, 1]), (True, [0, 1, 2])])
def test_as_many_heads_are_drawn_as_there_is_room_for_and_the_rest_is_named(
    coloured: bool, expected: list[int]
) -> None:
    drawn = plain(heads(8), coloured=coloured)

    assert titles(drawn) == [f"[0, {head}]" for head in expected]
    left = ", ".join(f"[0, {head}]" for head in range(8) if head not in expected)
    assert " ".join(line.strip() for line in drawn).endswith(f" Wrong too, and not drawn here: {left}.")
    assert max(map(len, drawn)) <= 80
    assert len(drawn) <= MOST_LINES + 2


@pytest.mark.parametrize("coloured", [False, True])
def test_the_head_with_the_first_wrong_cell_is_always_drawn_and_right_ones_are_named(coloured: bool) -> None:
    drawn = plain(heads(12, 0, 1, 2, 5, size=16), coloured=coloured)

    assert titles(drawn)[0] == "[0, 3]"
    assert drawn[0] == "    weights [0, 3] of the public case lesson"
    assert "The first wrong cell is row 15, column 0: 9.00, expected " in "\n".join(drawn)
    assert drawn[-1] == "    Right: [0, 0], [0, 1], [0, 2], [0, 5]."
    assert sum("[]" in line or re.search(r"\[ *9\.0", line) is not None for line in drawn) == 1


def test_of_a_batch_the_first_wrong_sequence_is_drawn_alone_with_what_is_wrong_there() -> None:
    three = heads(3)
    batch = replace(three, slices=tuple(f"[{number}]" for number in range(3)))

    drawn = plain(batch)

    assert [line for line in drawn if "expected" in line and "got" in line] == [drawn[1]]
    assert drawn[-2].startswith("    The first wrong cell is row ")
    assert drawn[-1] == "    Wrong too, and not drawn here: [1], [2]."
    below = [line.strip() for line in plain(three)]
    assert below.index(drawn[-2].strip()) < below.index("weights [0, 1]")


def test_where_more_are_wrong_than_the_picture_holds_the_list_does_not_end_as_if_it_were_all() -> None:
    batch = replace(heads(3), slices=("[0]", "[1]", "[2]"), more=2)

    assert plain(batch)[-1] == "    Wrong too, and not drawn here: [1], [2] and 2 more."


def test_small_heads_stand_side_by_side() -> None:
    drawn = plain(heads(5, size=3))

    assert titles(drawn) == [f"[0, {head}]" for head in range(5)]
    assert sum(line.count("weights [0, ") == 2 for line in drawn) == 2
    assert not any("Wrong too" in line for line in drawn)


def test_no_name_of_a_head_is_broken() -> None:
    drawn = plain(heads(16))

    named = " ".join(line.strip() for line in drawn[drawn.index(next(n for n in drawn if "Wrong too" in n)) :])
    assert all(line.count("[") == line.count("]") for line in drawn[-2:])
    assert named.endswith("[0, 14], [0, 15].")


def test_heads_of_unlike_breadth_are_drawn_all_the_same() -> None:
    several = heads(4, size=7)
    long = tuple((-1234567.0,) * 7 for _ in range(7))
    unlike = replace(several, got=(several.got[0], long, *several.got[2:]))

    assert max(map(len, plain(unlike))) <= 80


SHARES = Shares("broad", ("scores", "scaled"), (((1.0, 0.0),), ((0.75, 0.25),)), own=((0.5, 0.5),))


def test_shares_stand_beside_each_other_on_one_scale() -> None:
    lines = list(shares_lines(SHARES, coloured=True))

    assert [text(line) for line in lines] == [
        "    What softmax makes of each, on the public case broad",
        "      softmax(scores)     softmax(scaled)     softmax(yours)",
        "         0    1              0    1              0    1",
        "    0 1.00 0.00         0 0.75 0.25         0 0.50 0.50",
        "    A row's largest share, on average: softmax(scores) 1.00,",
        "    softmax(scaled) 0.75, softmax(yours) 0.50.",
    ]
    styles = [style for _, style in lines[3] if re.fullmatch(r"p\d+", style)]
    assert styles == [shade(value, 1.0) for value in (1.0, 0.0, 0.75, 0.25, 0.5, 0.5)]


def test_a_stage_called_result_is_not_taken_for_ones_own() -> None:
    drawn = [text(line) for line in shares_lines(replace(SHARES, names=("scores", "result")), coloured=False)]

    assert drawn[1].split() == ["softmax(scores)", "softmax(result)", "softmax(yours)"]


@pytest.mark.parametrize("size", [1, 6, 9, 16, 17])
@pytest.mark.parametrize("coloured", [False, True])
def test_shares_of_any_size_fit_into_eighty_columns(size: int, coloured: bool) -> None:
    even = tuple((1 / size,) * size for _ in range(size))

    drawn = [text(line) for line in shares_lines(replace(SHARES, matrices=(even,) * 2, own=even), coloured=coloured)]

    assert max(map(len, drawn)) <= 80
    assert sum("softmax(yours)" in line for line in drawn[:-2]) >= (size <= 16)
    assert any("too large to be drawn here" in line for line in drawn) is (size > 16)


def test_of_a_large_picture_it_is_said_where_it_is_drawn_and_what_is_wrong_first() -> None:
    title, where, wrong = plain(picture(20, 17))

    assert "weights [0, 1]" in title
    assert where == "    20 × 17: too large to be drawn here; the page has it."
    assert wrong.startswith("    The first wrong cell is row 19, column 16: NaN")
