"""Whatever the style: who is right loses nothing, and a known mistake is named at its line, also beside two others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from _pytest.mark.structures import ParameterSet

from tests.end_to_end.submissions import REFERENCE, Marking, not_passed
from tests.sampling import one_in
from tests.suite.composed.first import CONTEXTS, DOT_PRODUCTS, SOFTMAX
from tests.suite.composed.heads import MANY_HEADS, ONE_HEAD
from tests.suite.composed.plan import Composed, Plan, composed
from tests.suite.composed.roles import PROJECTIONS
from tests.suite.composed.single import FUNCTIONS, LINEAR, MASK, PARAMETERS
from tests.suite.composed.splitting import ATTENDING, COPYING, LINES
from tests.suite.composed.wrapping import APPENDED, DROPPED, LISTED
from tests.suite.test_wrong import lines

# Graded in passing, hundreds of times: what is measured are the tests of each module.
pytestmark = pytest.mark.no_cover

CAUSAL, SINGLE = (ONE_HEAD, MANY_HEADS), (FUNCTIONS, PARAMETERS, LINEAR, MASK)
FIRST = (DOT_PRODUCTS, SOFTMAX, CONTEXTS, PROJECTIONS)
WRAPPED = (DROPPED, LISTED, APPENDED, ATTENDING, COPYING, LINES)


def each(plans: Sequence[Plan], count: int, mistakes: int) -> Iterator[ParameterSet]:
    """So many modules, with so many mistakes in each."""
    for seed in range(count):
        module = composed(plans, seed, mistakes)
        yield pytest.param(module, id="-".join([f"{seed}", module.exercise[:4], *sorted(module.ids)]))


@pytest.mark.parametrize(
    "module", one_in(40, [*each(CAUSAL, 200, 0), *each(SINGLE, 100, 0), *each(FIRST, 60, 0), *each(WRAPPED, 60, 0)])
)
def test_whoever_is_right_loses_nothing_in_any_style(module: Composed, mark: Marking) -> None:
    assert not not_passed(mark({**REFERENCE, module.exercise: module.source}, module.exercise))


@pytest.mark.parametrize(
    "module",
    one_in(
        40,
        [
            *(case for count, size in ((200, 1), (300, 2), (200, 3)) for case in each(CAUSAL, count, size)),
            *(case for count, size in ((100, 1), (200, 2)) for case in each(SINGLE, count, size)),
            *(case for count, size in ((80, 1), (120, 2)) for case in each(FIRST, count, size)),
            *(case for count, size in ((80, 1), (120, 2)) for case in each(WRAPPED, count, size)),
        ],
    ),
)
def test_a_known_mistake_is_named_at_its_line_in_any_style_also_beside_two_others(
    module: Composed, mark: Marking
) -> None:
    found = lines(mark({**REFERENCE, module.exercise: module.source}, module.exercise))

    assert found.keys() == module.ids
    assert {name for name, line in module.lines.items() if all(abs(each - line) > 1 for each in found[name])} == set()
