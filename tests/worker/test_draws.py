"""How many numbers a generator has given is told by those that it gives next."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from grader.worker import draws

Draw = Callable[[torch.Generator], object]
# Each of 24 normal numbers, or more, however they are drawn.
WAYS: dict[str, Draw] = {
    "at once": lambda g: torch.randn(24, generator=g),
    "one by one": lambda g: [torch.randn((), generator=g) for _ in range(24)],
    "three by three": lambda g: [torch.randn(3, generator=g) for _ in range(8)],
    "in float16": lambda g: torch.randn(24, generator=g, dtype=torch.float16),
    "in bfloat16": lambda g: torch.randn(24, generator=g, dtype=torch.bfloat16),
    "in float64": lambda g: torch.randn(24, generator=g, dtype=torch.float64),
    "as complex numbers": lambda g: torch.randn(12, generator=g, dtype=torch.complex64),
    "by torch.normal": lambda g: torch.normal(torch.zeros(24), 1.0, generator=g),
    "in place, on its side": lambda g: torch.empty(4, 6).T.normal_(generator=g),
    "from uniform ones": lambda g: torch.erfinv(2 * torch.rand(24, generator=g) - 1),
}


def given(draw: Draw, most: int = 24) -> int:
    generator = torch.Generator().manual_seed(5)
    draw(generator)
    before = generator.get_state()
    number = int(draws.of(generator, 5, most))
    assert generator.get_state().equal(before)
    return number


@pytest.mark.parametrize("draw", WAYS.values(), ids=WAYS)
def test_whoever_draws_each_entry_is_given_a_number_for_each(draw: Draw) -> None:
    assert given(draw) == 24


def test_of_fewer_it_is_told_how_many() -> None:
    assert given(lambda g: None) == 0
    assert given(lambda g: torch.rand(7, generator=g)) == 7


def test_of_a_generator_that_stands_where_none_of_these_numbers_come_next_all_is_told() -> None:
    assert given(lambda g: g.manual_seed(6)) == 24


def test_where_tensors_are_made_elsewhere_unless_it_is_said_the_same_is_told() -> None:
    with torch.device("meta"):
        assert given(lambda g: torch.rand(7, generator=g, device="cpu")) == 7
        assert draws.of(torch.Generator().manual_seed(6), 5, 24).item() == 24
