"""Whatever the style: who is right loses nothing, and a known mistake is named at its line, also beside two others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from _pytest.mark.structures import ParameterSet

from tests.end_to_end.submissions import REFERENCE, Marking, not_passed
from tests.sampling import one_in
from tests.suite.composed import Composed, composed
from tests.suite.test_wrong import lines

# Graded in passing, hundreds of times: what is measured are the tests of each module.
pytestmark = pytest.mark.no_cover


def each(count: int, mistakes: int) -> Iterator[ParameterSet]:
    """So many modules, with so many mistakes in each."""
    for seed in range(count):
        module = composed(seed, mistakes)
        yield pytest.param(module, id="-".join([f"{seed}", module.exercise[:4], *sorted(module.ids)]))


@pytest.mark.parametrize("module", one_in(40, each(200, 0)))
def test_whoever_is_right_loses_nothing_in_any_style(module: Composed, mark: Marking) -> None:
    assert not not_passed(mark({**REFERENCE, module.exercise: module.source}, module.exercise))


@pytest.mark.parametrize("module", one_in(40, [*each(200, 1), *each(300, 2), *each(200, 3)]))
def test_a_known_mistake_is_named_at_its_line_in_any_style_also_beside_two_others(
    module: Composed, mark: Marking
) -> None:
    found = lines(mark({**REFERENCE, module.exercise: module.source}, module.exercise))

    assert found.keys() == module.ids
    assert {name for name, line in module.lines.items() if all(abs(each - line) > 1 for each in found[name])} == set()
