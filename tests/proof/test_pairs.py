"""Pairs of mistakes are looked up in the fixtures, and what graded pairs are named is judged by that."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.model.pack import Pack
from grader.pack.fixtures import Fixtures
from grader.plugins.registry import Plugins
from grader.proof.edits import Edits, read_all
from grader.proof.pairs import GradedPair, count_of, look_up, sample

EX05 = "ex05_scaled_scores"


@pytest.fixture(scope="module")
def edits(plugins: Plugins, pack: Pack) -> Edits:
    return read_all(plugins, pack)


@pytest.mark.long
def test_every_pair_that_the_fixtures_hold_is_named_or_said_to_be_like_another(edits: Edits, pack: Pack) -> None:
    fixtures = Fixtures(pack)
    for exercise in pack.exercises:
        pairs = look_up(fixtures, edits, exercise)

        assert pairs.total == count_of(fixtures, exercise) == pairs.named + sum(each.rows for each in pairs.alike)


def test_two_mistakes_that_cancel_into_a_third_are_reported_with_it(edits: Edits, pack: Pack) -> None:
    pairs = look_up(Fixtures(pack), edits, pack.exercise(EX05))

    said = [str(each) for each in pairs.alike]
    # Scores on their side, then softmax over the other axis: the right weights, on their side.
    assert (
        "scaled_dot_product_attention: no case tells query-key-swapped + softmax-wrong-axis from weights-transposed"
        in said
    )
    assert all(case.startswith("attention/") for each in pairs.alike for case in each.cases)


def test_the_sample_is_the_same_for_the_same_seed_and_touches_different_places(edits: Edits, pack: Pack) -> None:
    fixtures, exercise = Fixtures(pack), pack.exercise(EX05)

    some = sample(fixtures, edits, exercise, 5, seed=3)

    assert some == sample(fixtures, edits, exercise, 5, seed=3)
    assert some != sample(fixtures, edits, exercise, 5, seed=4)
    assert all(a.id != b.id and not a.edit.touches(b.edit) for a, b in some)


@pytest.mark.parametrize(
    ("named", "is_alike", "verdict"),
    [
        ("ab", False, "right"),
        ("a", False, "partly"),
        ("", False, "wrong"),
        ("c", False, "wrong"),
        ("abc", False, "wrong"),
        ("c", True, "right"),
        ("", True, "right"),
        ("d", True, "wrong"),
    ],
)
def test_what_a_graded_pair_may_be_named(named: str, is_alike: bool, verdict: str, edits: Edits, pack: Pack) -> None:
    known = edits.mistakes(pack.exercise(EX05))
    some, other, third, fourth = (
        next(k for k in known if k.id == name) for name in list(dict.fromkeys(k.id for k in known))[:4]
    )
    ids = dict(zip("abcd", (some.id, other.id, third.id, fourth.id), strict=True))
    others = frozenset({frozenset({third.id})}) if is_alike else frozenset()

    graded = GradedPair(some, other, frozenset(ids[letter] for letter in named), is_alike, others, is_right=False)

    assert (graded.is_wrong, graded.is_partly) == (verdict == "wrong", verdict == "partly")
    assert replace(graded, is_right=True).is_wrong == bool(named)  # one may take away what the other does twice
