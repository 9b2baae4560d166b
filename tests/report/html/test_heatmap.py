"""Pictures become maps whose colours, texts and words say the same."""

from __future__ import annotations

from dataclasses import replace

from grader.model.report import CELLWISE, Shares
from grader.report.html.heatmap import pairs, softmaxes

from .made import INF, NAN, PICTURE


def test_both_sides_share_one_scale_that_the_expected_values_set() -> None:
    first, second = pairs(PICTURE)

    assert [cell.shade for cell in first.maps[0].cells] == ["p10", "p0", "p5", "p5"]
    assert [cell.shade for cell in first.maps[1].cells] == ["p5", "p5", "p5", "p5"]
    assert [cell.shade for cell in second.maps[1].cells] == ["nan", "n10", "p2", "p10"]


def test_cells_say_their_numbers_and_what_is_none() -> None:
    _, second = pairs(PICTURE)

    assert [cell.text for cell in second.maps[0].cells] == ["1.00", "−∞", "0.25", "0.75"]
    assert [cell.text for cell in second.maps[1].cells] == ["NaN", "−2.00", "0.25", "∞"]
    assert second.numbers == (("NaN (expected 1.00)", "−2.00 (expected −∞)"), ("0.25", "∞ (expected 0.75)"))


def test_only_the_first_wrong_cell_is_marked_and_words_say_which() -> None:
    first, second = pairs(PICTURE)

    assert [cell.is_first_wrong for cell in first.maps[1].cells] == [True, False, False, False]
    assert not any(cell.is_first_wrong for cell in (*first.maps[0].cells, *second.maps[1].cells))
    assert first.maps[1].said == (
        "Got weights [0], 2 × 2, from 0.50 to 0.50. The first wrong cell is row 0, column 0: 0.50, expected 1.00."
    )


def test_a_right_head_is_one_map_and_the_first_wrong_one_is_marked() -> None:
    right, wrong = pairs(replace(PICTURE, got=(PICTURE.expected[0], PICTURE.got[1]), right=(0,), row=0, column=1))

    assert [each.title for each in right.maps] == ["as expected"]
    assert right.maps[0].said == "As expected: weights [0], 2 × 2, from 0.00 to 1.00."
    assert [each.title for each in wrong.maps] == ["expected", "got"]
    assert [cell.is_first_wrong for cell in wrong.maps[1].cells] == [False, True, False, False]
    assert wrong.maps[1].said.endswith("The first wrong cell is row 0, column 1: −2.00, expected −∞.")


def test_softmax_is_drawn_of_each_stage_on_one_scale_and_in_words() -> None:
    even, sharp = ((0.5, 0.5),), ((1.0, 0.0),)

    first, second = softmaxes(Shares("lesson", ("scores",), (sharp,), own=even))

    assert (first.slice, second.slice) == ("softmax(scores)", "softmax(yours)")
    assert [cell.shade for cell in (*first.maps[0].cells, *second.maps[0].cells)] == ["p10", "p0", "p5", "p5"]
    assert second.maps[0].said == "softmax(yours), 1 × 2. A row's largest share is 0.50 on average."
    assert second.numbers == (("0.50", "0.50"),)


def test_softmax_of_many_tokens_is_an_image() -> None:
    row = (1 / (CELLWISE + 1),) * (CELLWISE + 1)

    (pair,) = softmaxes(Shares("lesson", ("scores",), ((row,),)))

    assert pair.maps[0].image and not pair.maps[0].cells and not pair.numbers


def test_many_columns_are_narrow_and_large_numbers_short() -> None:
    row = (0.125, -0.5, 12.34, 123.4, 1234.0, -98765.0, NAN, INF, 0.0)
    wide = replace(PICTURE, slices=("",), expected=((row,),), got=((row[::-1],),))

    (pair,) = pairs(wide)

    texts = [cell.text for cell in pair.maps[0].cells]
    assert texts == [".12", "−.50", "12", "123", "1e3", "−1e5", "NaN", "∞", ".00"]
    assert pair.maps[0].is_narrow
    assert pair.maps[0].width < 9 * 40


def test_a_picture_without_a_finite_number_can_be_drawn() -> None:
    none = replace(PICTURE, slices=("",), expected=(((-INF,),),), got=(((NAN,),),))

    (pair,) = pairs(none)

    assert pair.maps[1].said.startswith("Got weights, 1 × 1, no number of them finite.")


def test_of_a_result_that_would_read_as_expected_it_is_drawn_by_how_much_it_is_off() -> None:
    expected, got = ((0.25, 1.30983),), ((0.25, 1.309817),)
    near = replace(PICTURE, slices=("",), expected=(expected,), got=(got,), row=0, column=1, right=())

    (pair,) = pairs(near)

    assert [each.title for each in pair.maps] == ["expected", "got − expected, in 1e-05"]
    assert [cell.text for cell in pair.maps[1].cells] == ["0.00", "−1.30"]
    assert pair.maps[1].cells[1].is_first_wrong
    assert pair.numbers == (("0.25", "1.30982 (expected 1.30983)"),)
