"""Performing runs beside a solution, in a process of its own: it makes `exercises` the submission, as a child does."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import pytest

SOLUTION = """
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

class Scaled(nn.Module):
    def __init__(self, width, factor=2.0):
        super().__init__()
        if width < 0:
            raise ValueError("no width")
        self.W = nn.Parameter(torch.ones(width, width))
        self.shift = torch.zeros(width)
        self.factor = factor

    def forward(self, x):
        out = x @ self.W * self.factor + self.shift
        return torch.dropout(out, 0.5, self.training)

def draw(generator):
    return torch.rand(3, generator=generator)

def copy(source, target):
    with torch.no_grad():
        target.W.copy_(source.W)

class Renewed(Scaled):
    def forward(self, x):
        self.W = nn.Parameter(self.W.data)
        return x @ self.W

class Written(Scaled):
    def forward(self, x):
        self.W.grad = torch.ones_like(self.W)
        made = x @ self.W
        cut = made.detach().requires_grad_()
        cut.register_hook(lambda gradient: made.backward(gradient))
        return cut

class Recomputed(Scaled):
    def forward(self, x):
        return checkpoint(torch.matmul, x, self.W * 1, use_reentrant=True)

class Both(Scaled):
    def forward(self, x):
        return x @ self.W, x @ self.W

def recorded(x):
    return torch.full((1,), float(torch.is_grad_enabled()))

def slope(x):
    w = torch.ones(2, requires_grad=True)
    (found,) = torch.autograd.grad((x * w).sum(), w)
    return found

def shout(x):
    x.add_(1)
    return None

def cut(x):
    return x.detach()

def detached(x):
    return 7

def nothing(x):
    return ()

def lists(x):
    return [1.0], [2.0]
"""

HEAD = """
import json, sys
import torch
from grader.model.run import *
from grader.wire.frames import metadata
from grader.worker import modules
from grader.worker.perform import Performer

IMPORTS = b"from .ex01_a import Scaled\\nfrom ex01_a import Scaled as S\\nimport gone"
STAND_IN = b"from torch import nn\\nclass Scaled(nn.Module):\\n    def __init__(self, width): super().__init__()\\n"
sources = {"ex01_a": SOURCE.encode(), "ex02_b": IMPORTS}
lent = {f"stand_ins.{name}": STAND_IN for name in SUBSTITUTE}
library = modules.install({**sources, **lent}, world=World(frozenset(SUBSTITUTE)))
performer = Performer(library, "cpu", torch.float64)

def perform(*actions, **tensors):
    return performer.perform(actions, tensors, 1 << 20)

def say(seen, tensors):
    shown = {name: tensor.tolist() for name, tensor in tensors.items()}
    print(json.dumps([json.loads(metadata(seen)["message"]), shown]))

MADE = Make("m", "ex01_a", "Scaled", (Value(2),))
"""


# Imports torch once, then runs each program that it reads in a fork of its own: its status, and all that it said.
FORKING = """
import json, os, signal, sys, traceback
import torch

for line in sys.stdin:
    reading, writing = os.pipe()
    if not os.fork():
        signal.alarm(60)
        os.dup2(writing, 1)
        try:
            exec(json.loads(line), {})
        except BaseException:
            traceback.print_exc(file=sys.stdout)
            os._exit(1)
        sys.stdout.flush()
        os._exit(0)
    os.close(writing)
    with open(reading) as said:
        text = said.read()
    print(json.dumps([os.wait()[1], text]), flush=True)
"""
Performed = Callable[..., tuple[dict[str, Any], dict[str, Any]]]


@pytest.fixture(scope="module")
def performed() -> Iterator[Performed]:
    """What a run gave: the observation as it crosses, and its tensors as lists."""
    command = [sys.executable, "-c", FORKING]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        programs, outcomes = process.stdin, process.stdout

        def perform(body: str, substitute: tuple[str, ...] = ()) -> tuple[dict[str, Any], dict[str, Any]]:
            code = f"SOURCE = {SOLUTION!r}\nSUBSTITUTE = {substitute!r}\n{HEAD}\n{textwrap.dedent(body)}"
            print(json.dumps(code), file=programs, flush=True)
            status, said = json.loads(outcomes.readline())
            assert status == 0, said
            seen, tensors = json.loads(said)
            return seen, tensors

        yield perform


def test_a_class_is_made_loaded_called_and_differentiated(performed: Performed) -> None:
    seen, tensors = performed("""
        say(*perform(
            MADE, Load("m", {"W": "w"}), Mode("m", False), Inspect("m"),
            Call("r", of="m", arguments=(Tensor("x"),), count=True, watch=True),
            Backward("r"), Gradients(of="m", tensors=("W",)), Send(("x",)), Randomness("now"),
            x=torch.eye(2), w=torch.tensor([[1.0, 2.0], [3.0, 4.0]]),
        ))
    """)

    assert "fault" not in seen
    assert tensors["r"] == [[2.0, 4.0], [6.0, 8.0]]
    assert tensors["sent.x"] == [[1.0, 0.0], [0.0, 1.0]]
    assert len(tensors["gradient.W"]) == 2
    assert [slot["name"] for slot in seen["slots"]["m"]] == ["W", "shift"]
    assert seen["strays"] == {"r": ["shift"]}
    assert seen["operations"]["r"]["mm"] == 1
    assert seen["lines"]["r"]["function"] == "forward"
    assert "written" not in seen


def test_weights_are_loaded_as_they_are_or_times_a_factor(performed: Performed) -> None:
    _, tensors = performed("""
        say(*perform(
            MADE, Load("m", {"W": "w"}), Inspect("m", "once", values=True),
            Load("m", {"W": "w"}, times=0.5), Inspect("m", "half", values=True), Send(("w",)),
            w=torch.tensor([[1.0, 2.0], [3.0, 4.0]]),
        ))
    """)

    assert tensors["once.W"] == tensors["sent.w"] == [[1.0, 2.0], [3.0, 4.0]]
    assert tensors["half.W"] == [[0.5, 1.0], [1.5, 2.0]]


def test_what_a_module_holds_is_looked_for_once_where_weights_are_loaded(performed: Performed) -> None:
    seen, _ = performed("""
        from grader.worker import slots
        looks, found = [], slots._found
        slots._found = lambda module: looks.append(module) or found(module)
        seen, tensors = perform(MADE, Load("m", {"W": "w"}), w=torch.ones(2, 2))
        say({"refused": {}, "returned": {}, "operations": {"looks": {"at": len(looks)}}, **seen}, tensors)
    """)

    assert seen["operations"]["looks"] == {"at": 1}


def test_a_call_that_writes_into_what_it_was_given_is_noted(performed: Performed) -> None:
    seen, _ = performed("""
        say(*perform(
            Call("r", module="ex01_a", definition="shout", arguments=(Tensor("x"),)),
            Call("s", module="ex01_a", definition="detached", arguments=(Tensor("x"),)),
            x=torch.eye(2),
        ))
    """)

    assert seen["written"] == {"r": ["x"]}


def test_nothing_is_recorded_for_gradients_where_none_are_asked_for_unless_the_solution_needs_it(
    performed: Performed,
) -> None:
    seen, tensors = performed("""
        say(*perform(
            Call("a", module="ex01_a", definition="recorded", arguments=(Tensor("x"),)),
            Call("b", module="ex01_a", definition="recorded", arguments=(Tensor("x"),), recorded=False),
            Call("c", module="ex01_a", definition="slope", arguments=(Tensor("x"),), recorded=False),
            x=torch.eye(2),
        ))
    """)

    assert (tensors["a"], tensors["b"], tensors["c"]) == ([1.0], [0.0], [1.0, 1.0])
    assert "fault" not in seen


def test_a_refusal_that_is_allowed_does_not_end_the_run(performed: Performed) -> None:
    seen, _ = performed("""
        say(*perform(Make("bad", "ex01_a", "Scaled", (Value(-1),), may_fail=True), MADE))
    """)

    assert seen["refused"]["bad"]["type"] == "ValueError"
    assert "fault" not in seen


def test_the_same_seed_draws_the_same_numbers(performed: Performed) -> None:
    _, tensors = performed("""
        calls = [Call(n, module="ex01_a", definition="draw", arguments=(Seeded(s),)) for n, s in zip("abc", (1, 1, 2))]
        say(*perform(*calls))
    """)

    assert tensors["a"] == tensors["b"] != tensors["c"]


def test_a_generator_that_has_drawn_goes_on_from_there(performed: Performed) -> None:
    _, tensors = performed("""
        later = Call("b", module="ex01_a", definition="draw", arguments=(Seeded(1, drawn=5),))
        say(*perform(Call("a", module="ex01_a", definition="draw", arguments=(Seeded(1),)), later))
    """)

    assert tensors["a"] != tensors["b"]


def test_what_an_object_holds_is_sent_under_the_name_that_is_asked(performed: Performed) -> None:
    seen, tensors = performed("""
        say(*perform(
            MADE, Inspect("m", "before"), Load("m", {"W": "w"}), Inspect("m", "after", values=True),
            w=torch.tensor([[1.0, 2.0], [3.0, 4.0]]),
        ))
    """)

    assert [[slot["name"] for slot in seen["slots"][key]] for key in ("before", "after")] == [["W", "shift"]] * 2
    assert tensors["after.W"] == [[1.0, 2.0], [3.0, 4.0]]
    assert not any(name.startswith("before.") for name in tensors)


def test_objects_are_handed_to_functions(performed: Performed) -> None:
    seen, tensors = performed("""
        other = Make("o", "ex01_a", "Scaled", (Value(2),))
        copy = Call("done", module="ex01_a", definition="copy", arguments=(Made("m"), Made("o")))
        say(*perform(
            MADE, Load("m", {"W": "w"}), other, Mode("o", False), copy, Call("r", of="o", arguments=(Tensor("x"),)),
            x=torch.eye(2), w=torch.full((2, 2), 3.0),
        ))
    """)

    assert seen["returned"]["done"]["kind"] == "none"
    assert tensors["r"] == [[6.0, 6.0], [6.0, 6.0]]


def test_no_gradient_reaches_a_weight_whose_place_another_takes_when_it_is_called(performed: Performed) -> None:
    _, tensors = performed("""
        say(*perform(
            Make("m", "ex01_a", "Renewed", (Value(2),)), Load("m", {"W": "w"}),
            Call("r", of="m", arguments=(Tensor("x"),)), Backward("r"), Gradients(of="m", tensors=("W",)),
            x=torch.eye(2), w=torch.tensor([[1.0, 2.0], [3.0, 4.0]]),
        ))
    """)

    assert tensors["r"] == [[1.0, 2.0], [3.0, 4.0]]
    assert "gradient.W" not in tensors


def test_of_several_results_the_gradients_of_the_first_are_sent_by_themselves_too(performed: Performed) -> None:
    _, tensors = performed("""
        made = Make("m", "ex01_a", "Both", (Value(2),))
        say(*perform(
            made, Load("m", {"W": "w"}), Call("r", of="m", arguments=(Tensor("x"),)), Backward("r"),
            Gradients(of="m", tensors=("W",)), Inspect("m", gradients=True), x=torch.eye(2), w=torch.ones(2, 2),
        ))
    """)

    of_first, of_both = ([number for row in tensors[f"{kind}.W"] for number in row] for kind in ("first", "gradient"))
    assert tensors["m.W"] == tensors["first.W"]
    assert of_first == pytest.approx([0.5, 5 / 6, 7 / 6, 1.5])
    assert of_both == pytest.approx([1.0, 5 / 3, 7 / 3, 3.0])


def test_a_gradient_that_may_fail_does_not_end_the_run_nor_does_a_look_at_what_is_not_there(
    performed: Performed,
) -> None:
    seen, _ = performed("""
        call = Call("r", module="ex01_a", definition="detached", arguments=(Tensor("x"),))
        say(*perform(call, Backward("r", may_fail=True), Inspect("m", "gone", may_fail=True), MADE, x=torch.ones(2)))
    """)

    assert seen["refused"]["r backward"]["kind"] == "detached"
    assert seen["refused"]["gone"]["type"] == "KeyError"
    assert "fault" not in seen


def test_the_gradients_of_all_that_is_learnt_are_sent_where_that_is_asked(performed: Performed) -> None:
    _, tensors = performed("""
        call, look = Call("r", of="m", arguments=(Tensor("x"),)), Inspect("m", "after", gradients=True)
        say(*perform(MADE, Inspect("m", "before", gradients=True), call, Backward("r"), look, x=torch.eye(2)))
    """)

    assert tensors.keys() == {"r", "after.W"}
    assert len(tensors["after.W"]) == 2


def test_a_gradient_that_a_module_writes_itself_or_sends_back_by_a_hook_is_none(performed: Performed) -> None:
    _, tensors = performed("""
        made, call = Make("m", "ex01_a", "Written", (Value(2),)), Call("r", of="m", arguments=(Tensor("x"),))
        send = Gradients("m", ("W",))
        say(*perform(made, Load("m", {"W": "w"}), call, Backward("r"), send, x=torch.eye(2), w=torch.eye(2)))
    """)

    assert tensors == {"r": [[1.0, 0.0], [0.0, 1.0]]}


@pytest.mark.long  # torch imports a compiler for it
def test_a_gradient_comes_also_through_what_is_computed_again_on_the_way_back(performed: Performed) -> None:
    _, tensors = performed("""
        made, call = Make("m", "ex01_a", "Recomputed", (Value(2),)), Call("r", of="m", arguments=(Tensor("x"),))
        say(*perform(made, call, Backward("r"), Inspect("m", gradients=True), x=torch.eye(2)))
    """)

    assert [number for row in tensors["m.W"] for number in row] == pytest.approx([0.5, 5 / 6, 7 / 6, 1.5])


def test_what_else_is_learnt_can_be_filled_with_one_number(performed: Performed) -> None:
    seen, tensors = performed("""
        load, call = Load("m", {}, rest=0.25), Call("r", of="m", arguments=(Tensor("x"),))
        say(*perform(MADE, Mode("m", False), load, call, Load("m", {"gone": "x"}, may_fail=True), x=torch.eye(2)))
    """)

    assert tensors["r"] == [[0.5, 0.5], [0.5, 0.5]]
    assert seen["refused"]["m load"]["type"] == "KeyError"


def test_a_result_without_a_gradient_is_told_as_such(performed: Performed) -> None:
    seen, _ = performed("""
        call = Call("r", module="ex01_a", definition="detached", arguments=(Tensor("x"),), track=True)
        say(*perform(call, Backward("r"), x=torch.ones(2)))
    """)

    assert (seen["fault"]["kind"], seen["fault"]["action"]) == ("detached", 1)
    assert seen["fault"]["type"] == "int"


@pytest.mark.parametrize("definition", ["nothing", "lists"])
def test_a_result_of_several_is_told_by_its_own_type_and_not_by_that_of_what_it_holds(
    performed: Performed, definition: str
) -> None:
    seen, _ = performed(f"""
        call = Call("r", module="ex01_a", definition="{definition}", arguments=(Tensor("x"),), track=True)
        say(*perform(call, Backward("r"), x=torch.ones(2)))
    """)

    assert (seen["fault"]["kind"], seen["fault"]["type"]) == ("detached", "tuple")


def test_a_tensor_without_a_gradient_is_told_without_a_type(performed: Performed) -> None:
    seen, _ = performed("""
        call = Call("r", module="ex01_a", definition="cut", arguments=(Tensor("x"),), track=True)
        say(*perform(call, Backward("r"), x=torch.ones(2)))
    """)

    assert seen["fault"]["kind"] == "detached"
    assert not seen["fault"].get("type")


def test_gradients_of_arguments_and_changes_to_them_are_sent(performed: Performed) -> None:
    _, tensors = performed("""
        call = Call("r", module="ex01_a", definition="shout", arguments=(Tensor("x"),))
        say(*perform(call, Send(("x",)), x=torch.ones(2)))
    """)

    assert tensors["sent.x"] == [2.0, 2.0]


def test_an_import_that_fails_names_the_line(performed: Performed) -> None:
    seen, _ = performed("""say(*perform(Import("ex02_b")))""")

    assert seen["fault"]["type"] == "ModuleNotFoundError"
    assert seen["fault"]["frames"][-1] == {"file": "ex02_b.py", "line": 3, "function": "<module>"}


def test_a_stand_in_is_made_in_place_of_the_students_own(performed: Performed) -> None:
    seen, _ = performed("""say(*perform(MADE, Inspect("m")))""", substitute=("ex01_a",))

    assert seen["slots"]["m"] == []


def test_a_call_that_does_not_fit_shows_their_signature(performed: Performed) -> None:
    seen, _ = performed("""say(*perform(MADE, Call("r", of="m", arguments=())))""")

    assert (seen["fault"]["kind"], seen["fault"]["signature"]) == ("signature", "(x)")
