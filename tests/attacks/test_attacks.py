"""With every layer in force no attack gains anything, and whoever is graded next gets what they earned."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from grader.model.isolation import lacking
from grader.model.pack import Pack
from grader.plugins.registry import Plugins
from tests.sampling import one_in

from .attack import Attack
from .catalogue import EVERY, FAMILIES
from .grounds import Grounds
from .reading import held_by_one

# Graded in passing, hundreds of times: what is measured are the tests of each module.
pytestmark = pytest.mark.no_cover


@pytest.fixture(scope="module")
def grounds(plugins: Plugins, pack: Pack) -> Iterator[Grounds]:
    attacked = Grounds(plugins, pack)
    yield attacked
    attacked.close()


# What comes first in each family, and first of what each layer alone holds.
FIRST = {attacks[0].name for attacks in FAMILIES.values()} | {names[0] for names in held_by_one().values()}
# They wait for a limit, as others do that are tried.
SLOW = {"private-memory", "pause-in-c-that-holds-the-interpreter"}


@pytest.mark.parametrize("attack", one_in(64, (pytest.param(each, id=each.name) for each in EVERY), FIRST - SLOW))
def test_an_attack_gains_nothing_and_costs_nobody_else(attack: Attack, grounds: Grounds) -> None:
    gained, report = grounds.try_out(attack)

    assert gained == []
    assert report is not None
    assert lacking(report.environment["isolation"]) == []
    statuses = {str(step.status) for exercise in report.exercises for step in exercise.steps}
    assert statuses <= (attack.statuses or statuses)
    assert "passed" not in statuses
    assert grounds.control() == []


def test_the_catalogue_is_large_and_names_each_attack_once() -> None:
    names = [attack.name for attack in EVERY]

    assert len(set(names)) == len(names) >= 70
    assert all(FAMILIES.values())
