"""One thing is changed in a run, and only what makes a difference is believed."""

from __future__ import annotations

import numpy as np

from grader.diagnosis import experiments
from grader.model.observation import Slot
from grader.model.pack import Naming
from grader.model.run import Call, Load, Make, Run, Send

from ..judge.hand_made import numbers

WEIGHT = Slot("W_q.weight", (4, 3), "parameter")
ONCE = numbers(2, 4, seed=1)
NAMING = Naming(aliases={"out_proj": ("proj",)})


def test_inputs_are_sent_back_after_the_run_and_after_its_first_call() -> None:
    run = Run((Call("first"), Call("second")), {"x": ONCE, "weight.W": ONCE})

    whole, begun = experiments.sending_inputs(run, ["x"])

    assert whole.actions == (Call("first"), Call("second"), Send(("x",)))
    assert begun.actions == (Call("first"), Send(("x",)))
    assert experiments.sending_inputs(Run((Make("m", "a", "A"),), {"x": ONCE}), ["x"]) == []
    assert experiments.sending_inputs(run, ["dim"]) == []


def test_no_layer_is_made_for_what_is_said_to_be_enormous() -> None:
    layer = Slot("out_proj.weight", (1 << 20, 1 << 20), "parameter")

    assert experiments.made_neutral(Run((Load("module", {}),)), [layer], NAMING, "out_proj") is None


def test_an_additional_layer_is_made_to_hand_on_what_it_is_given() -> None:
    run = Run((Make("m", "a", "A"), Load("m", {"W_q": "bound.W_q"}), Call("result")), {"bound.W_q": ONCE})
    slots = [Slot("proj.weight", (4, 4), "parameter"), Slot("proj.bias", (4,), "parameter")]

    neutral = experiments.made_neutral(run, slots, NAMING, "out_proj")

    assert neutral is not None
    (load,) = (a for a in neutral.actions if isinstance(a, Load))
    assert load.weights == {"W_q": "bound.W_q", "proj.weight": "neutral.proj.weight", "proj.bias": "neutral.proj.bias"}
    assert np.array_equal(neutral.tensors["neutral.proj.weight"], np.eye(4))
    assert experiments.made_neutral(run, [WEIGHT], NAMING, "out_proj") is None
    assert experiments.made_neutral(run, [Slot("proj.weight", (4, 3), "parameter")], NAMING, "out_proj") is None
