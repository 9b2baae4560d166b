"""The same seed draws the same bytes, and every kind of tensor is what it is called."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from grader.model.case import FRESH, PUBLIC
from grader.model.errors import PackError
from grader.model.pack import CaseTemplate, Draw, Generator, Naming, Pack
from grader.pack.draw import draw_case, has_generator, is_random

NORMAL = Draw("normal", (50, 40), {"std": 2.0})
SLOTS = {"W_query.weight": (4, 3), "out_proj.bias": (4,)}


def drawn(pack: Pack, draw: Draw, seed: int = 1, origin: str = PUBLIC) -> Any:
    """The one input of a case, drawn."""
    case = draw_case(pack, "ex01", CaseTemplate("a", inputs={"x": draw}), {}, origin, seed)
    return case.inputs["x"]


def test_one_seed_gives_the_same_bytes_twice(pack: Pack) -> None:
    assert drawn(pack, NORMAL).tobytes() == drawn(pack, NORMAL).tobytes()


def test_another_seed_another_origin_and_another_case_give_other_numbers(pack: Pack) -> None:
    first = drawn(pack, NORMAL)

    assert (first != drawn(pack, NORMAL, seed=2)).all()
    assert (first != drawn(pack, NORMAL, origin=FRESH)).all()
    assert (first != draw_case(pack, "ex02", CaseTemplate("a", inputs={"x": NORMAL}), {}, PUBLIC, 1).inputs["x"]).all()
    assert (first != draw_case(pack, "ex01", CaseTemplate("b", inputs={"x": NORMAL}), {}, PUBLIC, 1).inputs["x"]).all()


def test_normal_numbers_have_the_standard_deviation_asked_for(pack: Pack) -> None:
    x = drawn(pack, NORMAL)

    assert x.dtype == np.float32
    assert abs(x.std() - 2.0) < 0.2  # 2,000 numbers: six times the error of their deviation
    assert abs(x.mean()) < 0.3


def test_uniform_numbers_lie_between_their_bounds(pack: Pack) -> None:
    x = drawn(pack, Draw("uniform", (50, 40), {"low": 0.1, "high": 0.4}))

    assert (x.min() >= 0.1, x.max() <= 0.4, x.max() - x.min() > 0.25) == (True, True, True)


@pytest.mark.parametrize(
    ("draw", "values"),
    [
        (Draw("zeros", (2, 1)), [[0.0], [0.0]]),
        (Draw("eye", (2,)), [[1.0, 0.0], [0.0, 1.0]]),
        (Draw("triangle", (2,)), [[False, True], [False, False]]),
        (Draw("values", settings={"of": [[1, 2.5]]}), [[1.0, 2.5]]),
        (Draw("values", settings={"of": [True, False]}), [True, False]),
        (Draw("lesson", settings={"of": "embeddings.two"}), [[1.0, 2.0], [3.0, 4.0]]),
        (Draw("stack", parts=(Draw("eye", (1,)), Draw("zeros", (1, 1)))), [[[1.0]], [[0.0]]]),
        (Draw("join", settings={"axis": 1}, parts=(Draw("eye", (1,)), Draw("zeros", (1, 2)))), [[1.0, 0.0, 0.0]]),
        (Draw("repeat", settings={"axis": 0, "times": 3}, parts=(Draw("eye", (1,)),)), [[1.0], [1.0], [1.0]]),
    ],
)
def test_a_tensor_that_is_no_chance_is_exactly_what_is_written(pack: Pack, draw: Draw, values: Any) -> None:
    small = replace(pack, lesson={"embeddings": {"two": [[1, 2], [3, 4]]}})

    x = drawn(small, draw)

    assert x.tolist() == values
    assert x.dtype == (bool if isinstance(np.ravel(values)[0], np.bool_) else np.float32)


def test_a_whole_number_lies_between_its_bounds_and_meets_both(pack: Pack) -> None:
    drawn_numbers = {int(drawn(pack, Draw("integer", settings={"of": [3, 5]}), seed)) for seed in range(40)}

    assert drawn_numbers == {3, 4, 5}
    assert drawn(pack, Draw("integer", settings={"of": [3, 5]})).shape == ()


def test_a_lessons_entry_that_is_not_there_is_told(pack: Pack) -> None:
    with pytest.raises(PackError, match=r"no entry 'embeddings\.three'"):
        drawn(pack, Draw("lesson", settings={"of": "embeddings.three"}))


def test_weights_are_drawn_as_the_case_says_else_zeros_where_optional_else_normal(pack: Pack) -> None:
    named = replace(pack, naming=Naming(optional=("out_proj.bias",)))
    template = CaseTemplate("a", weights={"W_key.weight": Draw("eye", (3,))}, weight_std=0.5)

    case = draw_case(
        named, "ex01", template, {**SLOTS, "W_key.weight": (3, 3), "heads.0.out_proj.bias": (2,)}, PUBLIC, 1
    )

    assert case.weights["W_key.weight"].tolist() == np.eye(3).tolist()
    assert not case.weights["out_proj.bias"].any()
    assert not case.weights["heads.0.out_proj.bias"].any()
    assert case.weights["W_query.weight"].shape == (4, 3)
    assert case.weights["W_query.weight"].all()


def test_a_weight_of_another_shape_than_the_references_is_told(pack: Pack) -> None:
    template = CaseTemplate("a", weights={"W_query.weight": Draw("eye", (3,))})

    with pytest.raises(ValueError, match=r"ex01, case a: W_query\.weight is \(3, 3\), not \(4, 3\)"):
        draw_case(pack, "ex01", template, SLOTS, PUBLIC, 1)


def test_a_case_is_random_where_an_input_or_a_weight_is(pack: Pack) -> None:
    fixed = CaseTemplate("a", inputs={"x": Draw("eye", (3,)), "p": 0.5, "generator": Generator(1)})

    assert not is_random(pack, fixed, {})
    assert is_random(pack, fixed, {"W_query.weight": (4, 3)})
    assert is_random(pack, CaseTemplate("a", inputs={"x": NORMAL}), {})


def test_a_generator_among_the_arguments_is_found() -> None:
    assert has_generator(CaseTemplate("a", inputs={"generator": Generator(1)}))
    assert not has_generator(CaseTemplate("a", inputs={"x": NORMAL, "p": 0.5}))
