"""`refuses`: the constructor turns down arguments that cannot work, and takes those that can."""

from __future__ import annotations

import pytest

from grader.model.observation import Fault
from grader.model.run import Make

from . import scenes


def test_the_sound_arguments_must_be_taken_and_the_others_may_fail() -> None:
    made = [action for action in scenes.refuses().run.actions if isinstance(action, Make)]

    assert [(tuple(a.value for a in make.arguments), make.may_fail) for make in made] == [
        ((12, 3), False),
        ((13, 3), True),
        ((12, 5), True),
    ]


def test_a_constructor_that_takes_anything_is_told() -> None:
    scene = scenes.refuses()

    finding = scene.but(refused={"refused 0": scene.seen.refused["refused 0"]}).judged()

    assert finding.summary == "Attention(d_out=12, num_heads=5) is constructed without a word; raise a ValueError"


@pytest.mark.parametrize(
    ("fault", "how"),
    [
        (Fault("exception", "TypeError"), "TypeError"),
        (Fault("exception", "RuntimeError"), "RuntimeError"),
        (Fault("exit", "SystemExit"), "SystemExit"),
        (Fault("signature"), "signature"),
    ],
)
def test_another_way_to_fail_is_told(fault: Fault, how: str) -> None:
    scene = scenes.refuses()

    finding = scene.but(refused={**scene.seen.refused, "refused 0": fault}).judged()

    assert finding.summary == f"Attention(d_out=13, num_heads=3) ends in {how}; raise a ValueError"


def test_an_error_of_the_students_own_that_is_a_value_error_is_one() -> None:
    scene = scenes.refuses()
    own = Fault("exception", "WidthError", bases=("ValueError", "Exception"))

    assert scene.but(refused={**scene.seen.refused, "refused 0": own}).judged().right
    assert not scene.but(refused={**scene.seen.refused, "refused 0": Fault("exception", "WidthError")}).judged().right


def test_an_assert_is_right_too_and_said_to_be_accepted() -> None:
    scene = scenes.refuses()
    asserted = {name: Fault("exception", "AssertionError") for name in scene.seen.refused}

    assert scene.judged().notes == ()
    assert scene.but(refused=asserted).judged().right
    assert scene.but(refused=asserted).judged().notes == ("`AssertionError` for `ValueError`; accepted",)


def test_what_a_student_calls_an_error_brings_no_controls_along() -> None:
    scene = scenes.refuses()

    finding = scene.but(refused={"refused 0": Fault("exception", "\x1b[2JValueError")}).judged()

    assert not finding.right
