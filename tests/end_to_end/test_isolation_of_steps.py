"""A crash, a hang or an exit in one place leaves every other step as it was."""

from __future__ import annotations

import pytest

from grader.model.report import Report
from tests.sampling import one_in

from .submissions import (
    EX01,
    EX03,
    EX04,
    EX07,
    EX08,
    EX10,
    EX11,
    EX12,
    EX13,
    REFERENCE,
    Marking,
    edited,
    not_passed,
    scores,
    statuses,
    verdicts,
    with_module,
)

# Graded in passing, hundreds of times: what is measured are the tests of each module.
pytestmark = pytest.mark.no_cover

# A loop without end takes a core from the other tests for as long as it may run; what sleeps hangs as well.
SLEEP, ASLEEP = "an endless sleep", "import time; time.sleep(10**6)"
# What the student's code does, and what may be said of the step that it does it in.
FAULTS: dict[str, tuple[str, set[str]]] = {
    "os._exit(0)": ("import os; os._exit(0)", {"crashed"}),
    "os.abort()": ("import os; os.abort()", {"crashed"}),
    "sys.exit(0)": ("import sys; sys.exit(0)", {"error"}),
    "quit()": ("raise SystemExit", {"error"}),
    "KeyboardInterrupt": ("raise KeyboardInterrupt", {"error"}),
    "an endless loop": ("while True: pass", {"timeout"}),
    SLEEP: (ASLEEP, {"timeout"}),
    "a loop that catches everything": (
        "\n    while True:\n        try:\n            while True: pass\n        except BaseException: pass",
        {"timeout"},
    ),
    "a segmentation fault": ("import ctypes; ctypes.string_at(0)", {"crashed"}),
    # A sandbox may forbid the signal, which is then an exception like any other.
    "a signal to itself": ("import os; os.kill(os.getpid(), 9)", {"crashed", "error"}),
    "an exception": ("raise RuntimeError('no')", {"error"}),
    "an exception that cannot be shown": (
        "\n    class E(Exception):\n        def __str__(self): raise self\n    raise E",
        {"error"},
    ),
    "endless recursion": ("f = lambda: f(); f()", {"error"}),
    "all the memory": ("x = bytearray(1 << 40)", {"error"}),
}
# What a statement outside functions raises is passed over, as long as it does not end the program.
PASSED_OVER = ("an exception", "an exception that cannot be shown", "endless recursion", "all the memory")
# What a layer of the sandbox refuses raises too, but where there is no such layer.
REFUSED = {"a signal to itself": {"passed"}}
# Long enough for what is right while other tests fill this machine with processes, and short enough to wait for what
# never ends.
SHORT = 5.0


def some(*always: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("name", one_in(9, (pytest.param(name, id=name) for name in FAULTS), always))


def others(report: Report, *but: str) -> dict[str, float]:
    """The points of every step that does not begin like one of these."""
    return {name: points for name, points in scores(report).items() if not name.startswith(but)}


def _seconds(expected: set[str]) -> float:
    return SHORT if "timeout" in expected else 10.0


@some("os._exit(0)", SLEEP)
def test_a_fault_in_a_call_costs_that_step_alone(name: str, mark: Marking, full_report: Report) -> None:
    code, expected = FAULTS[name]
    source = edited(EX04, ("    score = query @ key\n", f"    {code}\n    score = query @ key\n"))

    report = mark(with_module(EX04, source), seconds=_seconds(expected))

    assert others(report, "ex04.score") == others(full_report, "ex04.score")
    assert statuses(report)["ex04.score"] in expected
    assert verdicts(report)["ex04.score"].summary
    assert scores(report)["ex04.score"] == 0


@some("os._exit(0)")
def test_a_fault_at_import_costs_that_exercise_alone(name: str, mark: Marking, full_report: Report) -> None:
    code, expected = FAULTS[name]
    source = f"def at_import():\n    {code}\n\nat_import()\n{REFERENCE[EX03]}"

    report = mark(with_module(EX03, source), seconds=_seconds(expected))

    assert others(report, "ex03.") == others(full_report, "ex03.")
    own = [status for step, status in statuses(report).items() if step.startswith("ex03.")]
    assert set(own) <= ({"passed"} if name in PASSED_OVER else expected | REFUSED.get(name, set()))
    assert len(own) == 2


@pytest.mark.parametrize("name", ["os._exit(0)", "sys.exit(0)", pytest.param(SLEEP, marks=pytest.mark.long)])
def test_a_fault_at_import_of_a_module_that_others_import_is_paid_for_once(
    name: str, mark: Marking, full_report: Report
) -> None:
    code, expected = FAULTS[name]
    source = f"def at_import():\n    {code}\n\nat_import()\n{REFERENCE[EX10]}"

    report = mark(with_module(EX10, source), seconds=_seconds(expected))

    assert others(report, "ex10.") == others(full_report, "ex10.")
    assert {status for step, status in statuses(report).items() if step.startswith("ex10.")} <= expected


RAISES = [
    "print(CausalAttention(3, 2, 6, 0.0)(torch.rand(3)).shap)",
    "assert CausalAttention(3, 2, 6, 0.0) is None",
    "import there_is_no_such_plot",
]


@pytest.mark.parametrize("demo", RAISES)
def test_demo_code_that_fails_below_costs_nothing_and_is_told(demo: str, mark: Marking) -> None:
    report = mark(with_module(EX10, f"{REFERENCE[EX10]}\n{demo}\n"), EX10, EX11)

    assert set(statuses(report).values()) == {"passed"}
    (note,) = [note for verdict in verdicts(report).values() for note in verdict.notes]
    assert note.startswith(f"`{demo[:20]}")
    assert ", outside your functions, ends in " in note


@pytest.mark.parametrize("end", ["import sys; sys.exit(0)", "import unittest; unittest.main()"])
def test_a_program_that_ends_where_the_file_does_costs_nothing_and_needs_no_word(end: str, mark: Marking) -> None:
    report = mark(with_module(EX10, f"{REFERENCE[EX10]}\n{end}\n"), EX10, EX11)

    assert set(statuses(report).values()) == {"passed"}
    assert not [note for verdict in verdicts(report).values() for note in verdict.notes]


def test_a_program_that_ends_above_a_definition_is_told_though_a_demo_failed_before(mark: Marking) -> None:
    demo = "print(attention_scores_for_query(3))\nraise SystemExit(2)\n"
    source = REFERENCE[EX01].replace("\ndef attention_scores(", f"\n{demo}\n\ndef attention_scores(")

    told = verdicts(mark({EX01: source}, EX01))

    assert (told["ex01.query"].status, told["ex01.all"].status) == ("passed", "error")
    (note,) = told["ex01.query"].notes
    assert note.startswith("`raise SystemExit(2)`, outside your functions, ends the program with SystemExit: 2")


@pytest.mark.parametrize("demo", ["inputs = torch.load('inputs.pt')\nprint(inputs.shape)", *RAISES])
def test_demo_code_that_fails_above_costs_nothing_and_is_told(demo: str, mark: Marking) -> None:
    report = mark(with_module(EX10, f"import torch\n{demo}\n{REFERENCE[EX10]}"), EX10, EX11)

    assert set(statuses(report).values()) == {"passed"}
    (note,) = [note for verdict in verdicts(report).values() for note in verdict.notes]
    assert note.startswith(f"`{demo[:20]}")
    assert note.endswith(
        "; that statement was passed over as a whole, which by itself costs nothing, and what stands below it was read"
    )


def test_of_demo_code_that_fails_at_the_end_nothing_is_said_of_what_stands_below(mark: Marking) -> None:
    report = mark({EX01: f"{REFERENCE[EX01]}\nprint(\n    attention_scores(3)\n)\n"}, EX01)

    (note,) = [note for verdict in verdicts(report).values() for note in verdict.notes]
    assert note.endswith("; that statement was passed over as a whole, which by itself costs nothing")


# What a module can set at its top for the whole process, and what another exercise does that it would spoil.
SET = {
    "gradients": "import torch\ntorch.set_grad_enabled(False)",
    "the type of new tensors": "import torch\ntorch.set_default_dtype(torch.float64)",
    "the device of new tensors": "import torch\ntorch.set_default_device(torch.device('meta'))",
    "warnings": "import warnings\nwarnings.simplefilter('error')",
}
SPOILT_BY_ANY = edited(
    EX10,
    ("num_tokens = x.shape[1]", "num_tokens = x.shape[1]; __import__('warnings').warn('old')"),
    ("scaled.masked_fill(", "scaled + torch.zeros(num_tokens, num_tokens).to(x.device).masked_fill("),
)


@pytest.mark.parametrize("what", SET)
def test_what_a_module_sets_for_the_whole_process_is_its_own_demos_alone(what: str, mark: Marking) -> None:
    report = mark({**REFERENCE, EX01: f"{SET[what]}\n{REFERENCE[EX01]}", EX10: SPOILT_BY_ANY}, EX01, EX08, EX10)

    assert set(statuses(report).values()) == {"passed"}


@pytest.mark.parametrize("what", SET)
def test_what_a_function_sets_for_the_whole_process_is_its_own_calls_alone(what: str, mark: Marking) -> None:
    sets = "; ".join(SET[what].splitlines())
    own = edited(EX01, ("scores = inputs @ query", f"scores = inputs @ query; {sets}"))

    report = mark({**REFERENCE, EX01: own, EX10: SPOILT_BY_ANY}, EX01, EX08, EX10)

    assert set(statuses(report).values()) == {"passed"}


@pytest.mark.parametrize("filters", ["None", "5", "[]", "[('error', None, Warning, None, 0)]"])
def test_warnings_that_are_set_to_something_odd_are_put_back(filters: str, mark: Marking) -> None:
    sets = f"import warnings\nwarnings.filters = {filters}"
    again = edited(EX10, ("num_tokens = x.shape[1]", f"num_tokens = x.shape[1]; {'; '.join(sets.splitlines())}"))

    report = mark({**REFERENCE, EX01: f"{sets}\n{REFERENCE[EX01]}", EX10: again}, EX01, EX10)

    assert set(statuses(report).values()) == {"passed"}


def test_what_a_module_sets_holds_where_it_imports_another(mark: Marking) -> None:
    demo = "import torch\ntorch.set_default_dtype(torch.float64)\n"
    demo += "from exercises.ex03_context_vectors import context_vector\nassert torch.zeros(1).dtype == torch.float64\n"

    report = mark({**REFERENCE, EX01: f"{demo}{REFERENCE[EX01]}"}, EX01)

    assert not [note for verdict in verdicts(report).values() for note in verdict.notes]


def test_a_module_finds_no_arguments_of_the_graders(mark: Marking) -> None:
    reads = "argparse.ArgumentParser().parse_args()\nassert sys.argv == ['ex01_dot_product_scores.py']"

    report = mark(with_module(EX01, f"import argparse, sys\n{reads}\n{REFERENCE[EX01]}"), EX01)

    assert set(statuses(report).values()) == {"passed"}
    assert not [note for verdict in verdicts(report).values() for note in verdict.notes]


def test_each_module_may_set_up_its_output(mark: Marking) -> None:
    sets = "import io, sys\nsys.stdout.reconfigure(encoding='utf-8')\n"
    sets += "sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding='utf-8')\nprint('ä')\n"
    first = edited(EX01, ("scores = inputs @ query", "scores = inputs @ query; print('ä')"))

    report = mark({EX01: f"{sets}{first}", EX03: f"{sets}{REFERENCE[EX03]}"}, EX01, EX03)

    assert set(statuses(report).values()) == {"passed"}
    assert not [note for verdict in verdicts(report).values() for note in verdict.notes]


def test_a_file_that_is_only_a_comment_until_python_decodes_it_is_graded_too(mark: Marking) -> None:
    hidden = f"\n{REFERENCE[EX01]}\nfails_here()\n".encode("utf-7").replace(b"\n", b"+AAo-")

    report = mark({EX01: b"# coding: utf-7\n#" + hidden + b"\n# pad" * 60}, EX01)

    assert set(statuses(report).values()) == {"passed"}
    assert [note for verdict in verdicts(report).values() for note in verdict.notes]


def test_a_library_that_is_not_there_is_named_by_whatever_needs_it(mark: Marking) -> None:
    source = edited(EX04, ("    score = query @ key\n", "    score = einsum(query, key, 'd, d ->')\n"))

    verdict = verdicts(mark(with_module(EX04, f"from einops_of_nobody import einsum\n{source}"), EX04))

    told = [each for each in verdict.values() if each.status == "error"]
    assert told
    assert {(each.line, "No module named 'einops_of_nobody'" in each.summary) for each in told} == {(1, True)}


@pytest.mark.long
def test_who_is_given_a_substitute_for_what_hangs_is_not_hurried(mark: Marking, full_report: Report) -> None:
    hanging = with_module(EX10, f"{ASLEEP}\n{REFERENCE[EX10]}")
    slow = f"import time\ntime.sleep({SHORT / 4})\n{REFERENCE[EX11]}"

    report = mark({**hanging, EX11: slow}, EX11, seconds=SHORT)

    assert others(report) == {step: points for step, points in scores(full_report).items() if step.startswith("ex11.")}


@pytest.mark.long
def test_a_module_that_hangs_costs_its_time_once_and_not_for_every_step(mark: Marking) -> None:
    report = mark(with_module(EX03, f"{ASLEEP}\n{REFERENCE[EX03]}"), EX03, seconds=3.0)

    assert {statuses(report)[step] for step in ("ex03.context", "ex03.contexts")} == {"timeout"}
    assert report.seconds < 2 * 3.0


def test_what_runs_later_than_the_call_costs_nothing_elsewhere(mark: Marking, full_report: Report) -> None:
    late = """
import atexit, gc, os, threading

class Late:
    def __del__(self):
        raise RuntimeError("late")

atexit.register(os._exit, 1)
threading.Timer(3600, os._exit, [1]).start()
"""
    source = late + edited(EX04, ("    score = query @ key\n", "    Late()\n    score = query @ key\n"))

    report = mark(with_module(EX04, source))

    assert scores(report) == scores(full_report)


@pytest.mark.long
def test_what_never_ends_in_ten_steps_still_ends(mark: Marking) -> None:
    endless = edited(EX10, ("        num_tokens = x.shape[1]\n", f"        {ASLEEP}\n"))

    report = mark(with_module(EX10, endless), EX10, seconds=1.0)

    assert statuses(report)["ex10.parameters"] == "passed"
    assert {s for step, s in statuses(report).items() if step != "ex10.parameters"} == {"timeout"}


def late(body: str) -> str:
    """A first exercise that is asked for one step and does this instead."""
    return f"import signal, time\ndef attention_scores_for_query(query, inputs):\n{body}"


@pytest.mark.parametrize(
    ("body", "line"),
    [
        pytest.param("    x = 1\n    while True:\n        x += 1\n        x -= 1\n", 4, id="a loop"),
        pytest.param("    time.sleep(1000)\n", 3, id="a pause"),
        pytest.param(
            "    signal.signal(signal.SIGUSR1, signal.SIG_IGN)\n    time.sleep(60)\n",
            0,
            id="no answer",
            marks=pytest.mark.long,
        ),
    ],
)
def test_what_ran_out_of_time_is_told_where_it_was(body: str, line: int, mark: Marking) -> None:
    verdict = verdicts(mark({EX01: late(body)}, EX01, seconds=0.5))["ex01.query"]

    assert (verdict.status, verdict.line) == ("timeout", line)
    assert verdict.file == (f"{EX01}.py" if line else "")


def test_a_mistake_of_ones_own_is_told_where_what_it_is_given_cannot_be_asked(mark: Marking) -> None:
    narrow = edited(EX11, ("CausalAttention(d_in, d_out, ", "CausalAttention(d_in, d_out // num_heads, "))
    joined = edited(EX13, ("[linear.weight for linear in narrow])", "[linear.weight for linear in narrow], dim=1)"))

    verdict = verdicts(mark({**with_module(EX11, narrow), EX13: joined}, EX13))["ex13.copy"]

    assert (verdict.status, [found.id for found in verdict.diagnosis]) == ("error", ["heads-wrong-axis"])


FUSED_AND_COPIED = """
import torch
from torch import nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.c_attn = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)

    def forward(self, x):
        q, k, v = self.c_attn(x).chunk(3, dim=-1)
        return torch.softmax(q @ k.T, dim=-1) @ v


def copy_weights(source_v2, target_v1):
    with torch.no_grad():
        q, k, v = source_v2.c_attn.weight.chunk(3)
        target_v1.W_query.copy_(q{turn})
        target_v1.W_key.copy_(k{turn})
        target_v1.W_value.copy_(v{turn})
"""


@pytest.mark.parametrize(("turn", "status"), [(".T", "passed"), (".reshape(-1, len(q))", "failed")])
def test_a_copy_is_graded_with_ones_own_layers_where_it_is_made_for_them_alone(
    turn: str, status: str, mark: Marking
) -> None:
    verdicts_of = verdicts(mark({EX07: FUSED_AND_COPIED.format(turn=turn)}, EX07))

    assert verdicts_of["ex07.output"].status == "failed"
    assert verdicts_of["ex07.copy"].status == status
    assert any("substitute for ex06, so" in note for note in verdicts_of["ex07.copy"].notes)


# Each head projects for itself, in a list of layers, as the lesson does before it makes one wide layer of them.
EACH_HEAD = """
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out")
        width = d_out // num_heads
        {made}
        self.out_proj = {out}
        self.p = dropout

    def forward(self, x):
        queries, keys, values = {projected}
        p = self.p if self.training else 0.0
        contexts = scaled_dot_product_attention(queries, keys, values, is_causal=True, dropout_p=p)
        return {joined}
"""
ONE_OUT = {"out": "nn.Linear(d_out, d_out)", "joined": "self.out_proj(contexts.transpose(1, 2).flatten(2))"}
FUSED = ONE_OUT | {
    "made": "self.qkvs = nn.ModuleList(nn.Linear(d_in, 3 * width, bias=qkv_bias) for _ in range(num_heads))",
    "projected": "torch.stack([layer(x) for layer in self.qkvs], 1).chunk(3, -1)",
}
EACH_ROLE = ONE_OUT | {
    "made": "self.W_query, self.W_key, self.W_value = ("
    "nn.ModuleList(nn.Linear(d_in, width, bias=qkv_bias) for _ in range(num_heads)) for _ in range(3))",
    "projected": "(torch.stack([w(x) for w in ws], 1) for ws in (self.W_query, self.W_key, self.W_value))",
}
ADDED = EACH_ROLE | {
    "out": "nn.ModuleList(nn.Linear(width, d_out, bias=not number) for number in range(num_heads))",
    "joined": "sum(layer(context) for layer, context in zip(self.out_proj, contexts.unbind(1)))",
}
IN_A_PARAMETER_LIST = ONE_OUT | {
    "made": "self.W_query, self.W_key, self.W_value = ("
    "nn.ParameterList(nn.Parameter(torch.randn(d_in, width)) for _ in range(num_heads)) for _ in range(3))\n"
    "        self.b = nn.ParameterList(nn.Parameter(torch.zeros(d_out)) for _ in range(3)) if qkv_bias else None",
    "projected": "((x @ torch.cat([*w], 1) + (0 if self.b is None else self.b[role])).unflatten(2, (len(w), -1))"
    ".transpose(1, 2) for role, w in enumerate((self.W_query, self.W_key, self.W_value)))",
}
# Whole heads in a list, as in the wrapper; each projects and mixes for itself, or `out_proj` is one for all.
OF_HEADS = """
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention


class Head(nn.Module):
    def __init__(self, d_in, width, d_out, dropout, qkv_bias):
        super().__init__()
        {made}
        self.p = dropout

    def forward(self, x):
        queries, keys, values = {projected}
        p = self.p if self.training else 0.0
        return {out}(scaled_dot_product_attention(queries, keys, values, is_causal=True, dropout_p=p))


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out")
        parts = (Head(d_in, d_out // num_heads, d_out, dropout, qkv_bias) for _ in range(num_heads))
        {kept}

    def forward(self, x):
        return {joined}
"""
THREE = {
    "made": "self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, width, bias=qkv_bias) for _ in range(3))",
    "projected": "self.W_query(x), self.W_key(x), self.W_value(x)",
}
ONE = {"made": "self.qkv = nn.Linear(d_in, 3 * width, bias=qkv_bias)", "projected": "self.qkv(x).chunk(3, -1)"}
JOINED = {
    "out": "",
    "kept": "self.heads, self.out_proj = nn.ModuleList(parts), nn.Linear(d_out, d_out)",
    "joined": "self.out_proj(torch.cat([head(x) for head in self.heads], -1))",
}
NUMBERED = JOINED | {
    "kept": "self.head_0, *others = parts\n"
    "        self.out_proj = nn.Linear(d_out, d_out)\n"
    "        self.names = ['head_0']\n"
    "        for number, head in enumerate(others, 1):\n"
    "            self.add_module(f'head_{number}', head)\n"
    "            self.names.append(f'head_{number}')",
    "joined": "self.out_proj(torch.cat([getattr(self, name)(x) for name in self.names], -1))",
}
MIXED_BY_EACH = {
    "made": THREE["made"] + "\n        self.out_proj = nn.Linear(width, d_out{bias})",
    "projected": THREE["projected"],
    "out": "self.out_proj",
    "kept": "self.heads = nn.ModuleList(parts)",
    "joined": "sum(head(x) for head in self.heads)",
}
WITH_BIAS = MIXED_BY_EACH | {"made": MIXED_BY_EACH["made"].format(bias="")}
BIAS_FOR_ALL = MIXED_BY_EACH | {
    "made": MIXED_BY_EACH["made"].format(bias=", bias=False"),
    "kept": "self.heads, self.out_bias = nn.ModuleList(parts), nn.Parameter(torch.zeros(d_out))",
    "joined": "sum(head(x) for head in self.heads) + self.out_bias",
}


@pytest.mark.parametrize("mixed", [JOINED, NUMBERED, WITH_BIAS, BIAS_FOR_ALL])
def test_whole_heads_cost_the_steps_that_ask_for_one_layer_for_all(mixed: dict[str, str], mark: Marking) -> None:
    assert not_passed(mark(with_module(EX12, OF_HEADS.format(**THREE | mixed)), EX12)) == {
        "ex12.kernels",
        "ex12.parameters",
    }


def test_whole_heads_that_hold_one_layer_each_cost_the_step_that_asks_for_one_product(mark: Marking) -> None:
    assert not_passed(mark(with_module(EX12, OF_HEADS.format(**ONE | JOINED)), EX12)) == {"ex12.kernels"}


@pytest.mark.parametrize(
    ("how", "lost"),
    [
        (FUSED, {"ex12.kernels"}),
        (EACH_ROLE, {"ex12.kernels", "ex12.parameters"}),
        (ADDED, {"ex12.kernels", "ex12.parameters"}),
        (IN_A_PARAMETER_LIST, {"ex12.parameters"}),
    ],
)
def test_a_layer_for_each_head_costs_the_steps_that_ask_for_one_for_all(
    how: dict[str, str], lost: set[str], mark: Marking
) -> None:
    assert not_passed(mark(with_module(EX12, EACH_HEAD.format(**how)), EX12)) == lost


# The heads' projections in one layer for each role, as the split of exercise 13 has them.
SPLIT = """
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, num_heads * d_out, qkv_bias) for _ in range(3))
        self.num_heads, self.p = num_heads, dropout

    def forward(self, x):
        projected = (layer(x).unflatten(2, (self.num_heads, -1)) for layer in (self.W_query, self.W_key, self.W_value))
        parts = [each.transpose(1, 2) for each in projected]
        p = self.p if self.training else 0.0
        return scaled_dot_product_attention(*parts, is_causal=True, dropout_p=p).transpose(1, 2).flatten(2)
"""


def test_a_layer_for_all_heads_costs_the_step_that_asks_for_a_list_of_them(mark: Marking) -> None:
    assert not_passed(mark({**REFERENCE, EX11: SPLIT}, EX11)) == {"ex11.parameters"}


@pytest.mark.parametrize("names", [("abfrage", "schlüssel", "wert"), ("linear1", "linear2", "linear3")])
def test_names_that_say_nothing_cost_the_step_that_asks_for_them(names: tuple[str, ...], mark: Marking) -> None:
    other = REFERENCE[EX10]
    for role, name in zip(("W_query", "W_key", "W_value"), names, strict=True):
        other = other.replace(f"self.{role}", f"self.{name}")

    assert not_passed(mark({**REFERENCE, EX10: other}, EX10)) == {"ex10.parameters"}
