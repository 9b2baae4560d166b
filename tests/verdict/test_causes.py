"""A consequence is told to be one where the source or a line that is known speaks for it, and never else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.model.pack import Pack, Visibility
from grader.model.report import Cause, Diagnosis, Stage, Status, Verdict
from grader.model.text import as_sentence
from grader.verdict.causes import cause_of
from grader.verdict.spoilt import behind
from grader.words import say

CALLS = "def softmax(x): return x\ndef _each(x): return softmax(x)\ndef attention_weights(x): return _each(x)\n"
ALONE = "def softmax(x): return x\ndef attention_weights(x): return x.softmax(-1)\n"


def verdict(step: str, status: Status = Status.FAILED, *found: Diagnosis, stage: Stage | None = None) -> Verdict:
    return Verdict(step, "A title", status, 0.0, 1.0, diagnosis=found, stage=stage)


def cause(pack: Pack, step: str, decided: Verdict, before: Verdict, source: str) -> str:
    exercise = next(e for e in pack.exercises if any(each.id == step for each in e.steps))
    asked = next(each for each in exercise.steps if each.id == step)
    found = cause_of(pack.exercises, exercise, asked, decided, {before.id: before}, source)
    return found.step if found else ""


def test_what_calls_a_function_that_is_wrong_has_its_cause_there_also_by_way_of_another(pack: Pack) -> None:
    before, decided = verdict("ex02.softmax"), verdict("ex02.rows")

    assert cause(pack, "ex02.rows", decided, before, CALLS) == "ex02.softmax"
    assert cause(pack, "ex02.rows", decided, before, ALONE) == ""


def test_a_call_is_found_among_as_many_lines_as_a_source_may_have(pack: Pack) -> None:
    source = f"{CALLS}def attention_weights(x):\n    y = softmax(x)\n{chr(10) * 60_000}    return y\n"

    assert cause(pack, "ex02.rows", verdict("ex02.rows"), verdict("ex02.softmax"), source) == "ex02.softmax"


@pytest.mark.parametrize(
    ("imported", "called"),
    [
        ("from exercises.ex02_softmax_weights import attention_weights", "attention_weights"),
        ("from ex02_softmax_weights import attention_weights as soft", "soft"),
        ("from ex02_softmax_weights import *", "attention_weights"),
        ("from exercises import ex02_softmax_weights", "ex02_softmax_weights.attention_weights"),
        ("from . import ex02_softmax_weights as ex02", "ex02.attention_weights"),
        ("import ex02_softmax_weights as ex02", "ex02.attention_weights"),
        ("import exercises.ex02_softmax_weights", "exercises.ex02_softmax_weights.attention_weights"),
    ],
)
def test_what_calls_what_is_wrong_in_another_exercise_has_its_cause_there(
    pack: Pack, imported: str, called: str
) -> None:
    source = f"{imported}\n\ndef scaled_dot_product_attention(q, k, v): return {called}(q @ k.T) @ v\n"
    before, decided = verdict("ex02.weights"), verdict("ex05.attention")

    assert cause(pack, "ex05.attention", decided, before, source) == "ex02.weights"
    assert cause(pack, "ex05.attention", decided, verdict("ex02.weights", Status.PASSED), source) == ""
    assert cause(pack, "ex05.scaled", verdict("ex05.scaled"), before, source) == ""
    assert cause(pack, "ex05.attention", decided, before, source.replace(f"{called}(", "torch.softmax(")) == ""


def test_weights_without_a_place_come_of_the_parameters_that_are_wrong(pack: Pack) -> None:
    unplaced = replace(verdict("ex12.output"), summary=say("judge.weights", why="no place for W_query"))

    assert cause(pack, "ex12.output", unplaced, verdict("ex12.parameters"), "") == "ex12.parameters"
    assert cause(pack, "ex12.output", unplaced, verdict("ex12.parameters", Status.PASSED), "") == ""
    assert cause(pack, "ex12.output", verdict("ex12.output"), verdict("ex12.parameters"), "") == ""


def test_what_is_dropped_of_a_wrong_output_comes_of_it_wherever_that_is(pack: Pack) -> None:
    assert cause(pack, "ex12.dropout", verdict("ex12.dropout"), verdict("ex12.output"), "") == "ex12.output"
    assert cause(pack, "ex12.dropout", verdict("ex12.dropout"), verdict("ex12.output", Status.PASSED), "") == ""
    assert cause(pack, "ex12.causality", verdict("ex12.causality"), verdict("ex12.output"), "") == ""


@pytest.mark.parametrize(
    ("ids", "told"), [(("bias-always",), ""), (("bias-always", "projection-reused"), "ex11.parameters")]
)
def test_no_result_is_wrong_because_of_a_bias(pack: Pack, ids: tuple[str, ...], told: str) -> None:
    found = [Diagnosis(name, "…", "ex11.py", 9) for name in ids]
    before = verdict("ex11.parameters", Status.FAILED, *found)
    spoilt = replace(verdict("ex11.output"), summary=say("judge.weights", why="no place for heads.0.W_query.bias"))

    assert cause(pack, "ex11.output", verdict("ex11.output"), before, "") == told
    assert cause(pack, "ex11.output", spoilt, before, "") == "ex11.parameters"


@pytest.mark.parametrize(("ids", "is_told"), [((), True), (("projection-reused",), True), (("scale-missing",), False)])
def test_a_result_is_wrong_because_of_two_parameters_that_are_one(
    pack: Pack, ids: tuple[str, ...], is_told: bool
) -> None:
    found = [Diagnosis(name, "…", "ex06.py", 9) for name in ids]
    tied = say("check.tied", one="W_query", other="W_key")
    before = replace(verdict("ex06.parameters"), summary=f"{tied}.")
    decided = verdict("ex06.output", Status.FAILED, *found)

    assert cause(pack, "ex06.output", decided, before, "") == ("ex06.parameters" if is_told else "")
    assert cause(pack, "ex06.output", decided, verdict("ex06.parameters"), "") == ""


@pytest.mark.parametrize(("name", "told"), [("W_value.weight", ""), ("W_value.bias", "ex10.parameters")])
def test_no_gradient_is_missing_because_of_a_bias_but_its_own(pack: Pack, name: str, told: str) -> None:
    before = verdict("ex10.parameters", Status.FAILED, Diagnosis("bias-always", "…", "ex10.py", 9))
    decided = replace(verdict("ex10.gradients"), summary=as_sentence(say("check.no-gradient", name=name)))

    assert cause(pack, "ex10.gradients", decided, before, "") == told


def test_a_result_of_another_shape_comes_of_no_two_parameters_that_are_one(pack: Pack) -> None:
    tied = replace(verdict("ex11.parameters"), summary=f"{say('check.tied', one='heads.0', other='heads.1')}.")
    shape = say("judge.shape", got="(2, 15, 4)", expected="(2, 5, 12)")
    decided = replace(verdict("ex11.output"), summary=f"{say('judge.on-case', said=shape, case='random')}.")

    assert cause(pack, "ex11.output", verdict("ex11.output"), tied, "") == "ex11.parameters"
    assert cause(pack, "ex11.output", decided, tied, "") == ""


def test_dropout_that_cannot_be_read_comes_first_of_a_result_of_another_shape(pack: Pack) -> None:
    exercise = next(each for each in pack.exercises if each.id.startswith("ex11"))
    steps = {each.id: each for each in exercise.steps}
    tied = replace(verdict("ex11.parameters"), summary=f"{say('check.tied', one='heads.0', other='heads.1')}.")
    shape = say("judge.shape", got="(2, 15, 4)", expected="(2, 5, 12)")
    output = replace(verdict("ex11.output"), summary=f"{say('judge.on-case', said=shape, case='random')}.")
    decided = replace(verdict("ex11.dropout"), summary=as_sentence(say("check.dropout-unclear")))

    def begun(*before: Verdict) -> Cause | None:
        known = {each.id: each for each in before}
        return cause_of(pack.exercises, exercise, steps["ex11.dropout"], decided, known, "")

    assert getattr(begun(tied, output), "step", "") == "ex11.output"
    assert getattr(begun(tied, verdict("ex11.output")), "step", "") == "ex11.parameters"


def test_what_comes_of_a_step_that_comes_of_another_begins_there(pack: Pack) -> None:
    begun = Cause("ex08.masked", "Begin there.")
    between = replace(verdict("ex08.weights"), stage=Stage("mask", "masked", "f.py", 4), cause=begun)
    decided = replace(verdict("ex08.ranks"), stage=Stage("mask", "masked", "f.py", 4))

    assert cause(pack, "ex08.ranks", decided, replace(between, cause=None), "") == "ex08.weights"
    assert cause(pack, "ex08.ranks", decided, between, "") == "ex08.masked"


def test_what_is_not_refused_comes_of_no_wrong_result_but_of_a_constructor_that_fails(pack: Pack) -> None:
    found = Diagnosis("out-proj-wrong-width", "Too wide.", "ex12.py", 3)
    wrong = verdict("ex12.parameters", Status.FAILED, found)
    decided = verdict("ex12.indivisible")

    assert cause(pack, "ex12.indivisible", decided, wrong, "") == ""
    assert cause(pack, "ex12.indivisible", decided, replace(wrong, status=Status.ERROR), "") == "ex12.parameters"


IMPORTED = "from ex02_softmax_weights import attention_weights\n"
ATTENTION = "def scaled_dot_product_attention(q, k, v):\n    w = attention_weights(q @ k.T)\n    return w @ v\n"


@pytest.mark.parametrize(
    "other",
    [
        "def attention_weights(x): return x.softmax(-1)\n",
        "from torch import softmax as attention_weights\n",
        "from torch import *\n",
        "attention_weights = torch.nn.Softmax(-1)\n",
        "def demo(attention_weights): pass\n",
    ],
)
def test_a_name_that_means_something_else_too_is_nobodys_cause(pack: Pack, other: str) -> None:
    before, decided = verdict("ex02.weights"), verdict("ex05.attention")

    assert cause(pack, "ex05.attention", decided, before, f"{IMPORTED}{ATTENTION}") == "ex02.weights"
    assert cause(pack, "ex05.attention", decided, before, f"{IMPORTED}{other}{ATTENTION}") == ""
    assert cause(pack, "ex05.attention", decided, before, f"{ATTENTION}def demo():\n    {IMPORTED}") == ""


@pytest.mark.parametrize(("line", "told"), [(0, "ex02.weights"), (3, "ex02.weights"), (4, "")])
def test_what_goes_wrong_in_a_line_of_its_own_does_not_come_of_a_call_in_another(
    pack: Pack, line: int, told: str
) -> None:
    found = Diagnosis("softmax-wrong-axis", "…", "ex05.py", line)
    for decided in (
        verdict("ex05.attention", Status.FAILED, found),
        verdict("ex05.attention", stage=Stage("scaled", "weights", "ex05.py", line)),
    ):
        assert cause(pack, "ex05.attention", decided, verdict("ex02.weights"), f"{IMPORTED}{ATTENTION}") == told
    near = verdict("ex05.attention", Status.FAILED, replace(found, near=True))
    assert cause(pack, "ex05.attention", near, verdict("ex02.weights"), f"{IMPORTED}{ATTENTION}") == "ex02.weights"


def test_a_mistake_in_a_line_of_its_own_is_not_blamed_on_a_function_that_is_called_beside_it(pack: Pack) -> None:
    source = "def softmax(x):\n    return x\ndef attention_weights(x):\n    y = softmax(x)\n    return y * 2\n"

    for line, told in ((2, "ex02.softmax"), (4, "ex02.softmax"), (5, "")):
        decided = verdict("ex02.weights", Status.FAILED, Diagnosis("softmax-wrong-axis", "…", "ex02.py", line))
        assert cause(pack, "ex02.weights", decided, verdict("ex02.softmax"), source) == told


def test_only_a_result_can_come_of_another_exercises(pack: Pack) -> None:
    source = "from ex05_scaled_scores import scaled_dot_product_attention as attend\nclass SelfAttention_v1:\n"
    source += "    def forward(self, x): return attend(x, x, x)\n"

    assert cause(pack, "ex06.output", verdict("ex06.output"), verdict("ex05.attention"), source) == "ex05.attention"
    assert cause(pack, "ex06.parameters", verdict("ex06.parameters"), verdict("ex05.attention"), source) == ""
    assert cause(pack, "ex06.gradients", verdict("ex06.gradients"), verdict("ex05.attention"), source) == ""


def test_of_a_class_that_is_called_what_it_computes_has_to_be_wrong(pack: Pack) -> None:
    source = "from ex07_self_attention_v2 import SelfAttention_v2\nclass CausalAttention:\n"
    source += "    def forward(self, x): return SelfAttention_v2(2, 2)(x)\n"
    decided = verdict("ex10.output")

    assert cause(pack, "ex10.output", decided, verdict("ex07.output"), source) == "ex07.output"
    assert cause(pack, "ex10.output", decided, verdict("ex07.parameters"), source) == ""


def test_what_a_stand_in_replaces_is_nobodys_cause(pack: Pack) -> None:
    source = "from ex10_causal_attention import CausalAttention\nclass MultiHeadAttentionWrapper:\n"
    source += "    def __init__(self): self.heads = [CausalAttention()]\n"

    assert cause(pack, "ex11.output", verdict("ex11.output"), verdict("ex10.output"), source) == ""


def test_names_with_a_thousand_dots_between_them_end_nothing(pack: Pack) -> None:
    deep = f"def attention_weights(x):\n    x{'.b' * 2000}()\n"

    assert cause(pack, "ex02.rows", verdict("ex02.rows"), verdict("ex02.softmax"), deep) == ""


def test_a_function_that_gives_right_results_but_at_the_edge_is_nobodys_cause(pack: Pack) -> None:
    assert cause(pack, "ex02.weights", verdict("ex02.weights"), verdict("ex02.stable"), CALLS) == ""


@pytest.mark.parametrize("status", [Status.PASSED, Status.UNSTARTED, Status.BLOCKED, Status.UNAVAILABLE])
def test_nothing_comes_of_a_step_that_is_not_wrong(pack: Pack, status: Status) -> None:
    assert cause(pack, "ex02.rows", verdict("ex02.rows"), verdict("ex02.softmax", status), CALLS) == ""


@pytest.mark.parametrize("status", [Status.PASSED, Status.TIMEOUT, Status.CRASHED])
def test_a_step_that_passes_or_hangs_has_no_cause_elsewhere(status: Status, pack: Pack) -> None:
    assert cause(pack, "ex02.rows", verdict("ex02.rows", status), verdict("ex02.softmax"), CALLS) == ""


def test_an_exception_may_come_of_what_a_called_function_gives_and_of_nothing_else(pack: Pack) -> None:
    raised = verdict("ex02.rows", Status.ERROR)
    known = verdict("ex02.rows", Status.ERROR, Diagnosis("global-variable", "…", "ex02.py", 4))

    assert cause(pack, "ex02.rows", raised, verdict("ex02.softmax"), CALLS) == "ex02.softmax"
    assert cause(pack, "ex02.rows", raised, verdict("ex02.softmax", Status.ERROR), CALLS) == ""
    assert cause(pack, "ex02.rows", raised, verdict("ex02.softmax"), "") == ""
    assert cause(pack, "ex02.rows", known, verdict("ex02.softmax"), CALLS) == ""
    unknown = replace(raised, summary="NameError: name 'weigths' is not defined; did you mean `weights`?")
    assert cause(pack, "ex02.rows", unknown, verdict("ex02.softmax"), CALLS) == ""


def test_sizes_that_do_not_fit_do_not_come_of_numbers_that_are_off(pack: Pack) -> None:
    sizes = "RuntimeError: The size of tensor a (3) must match the size of tensor b (5) at non-singleton dimension 2"
    types = "RuntimeError: masked_fill_ only supports boolean masks, but got mask with dtype float"
    off = say("judge.worst-at", said=say("judge.off", count=2, of_all="of 6 values"), place=[1], got="2", expected="1")
    shape = say("judge.shape", got=(2,), expected=(3,))
    dtype = say("judge.dtype", got="float32", expected="bool")

    for raised, said, told in (
        (sizes, off, ""),
        (sizes, dtype, ""),
        (sizes, shape, "ex02.softmax"),
        (types, dtype, "ex02.softmax"),
        (types, off, "ex02.softmax"),
    ):
        said = say("judge.on-case", said=said, case="six")
        called = replace(verdict("ex02.softmax"), summary=f"{said[:1].upper()}{said[1:]}.")
        decided = replace(verdict("ex02.rows", Status.ERROR), summary=raised)
        assert cause(pack, "ex02.rows", decided, called, CALLS) == told, (raised, said)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (say("judge.off", count=2, of_all="of 6 values"), "ex02.softmax"),
        (say("judge.shape", got=(2,), expected=(3,)), ""),
    ],
)
def test_a_result_of_another_shape_does_not_come_of_numbers_that_are_off(pack: Pack, said: str, told: str) -> None:
    off = say("judge.worst-at", said=say("judge.off", count=2, of_all="of 6 values"), place=[1], got="2", expected="1")
    called = replace(verdict("ex02.softmax"), summary=as_sentence(say("judge.on-case", said=off, case="six")))
    decided = replace(verdict("ex02.rows"), summary=as_sentence(say("judge.on-case", said=said, case="six")))

    assert cause(pack, "ex02.rows", decided, called, CALLS) == told


@pytest.mark.parametrize(("mistake", "told"), [("dropout-missing", ""), ("dropout-on-scores", "ex12.dropout")])
def test_nothing_comes_of_dropout_that_is_not_there(pack: Pack, mistake: str, told: str) -> None:
    before = verdict("ex12.dropout", Status.FAILED, Diagnosis(mistake, "…", "ex12.py", 9))
    missing = replace(verdict("ex12.gradients"), summary=as_sentence(say("check.no-gradient", name="W_key.weight")))

    assert cause(pack, "ex12.gradients", missing, before, "") == told


def test_a_layer_that_is_no_tensor_does_not_come_of_a_result(pack: Pack) -> None:
    made = replace(
        verdict("ex02.rows", Status.ERROR),
        summary="TypeError: unsupported operand type(s) for @: 'Softmax' and 'Tensor'",
    )

    assert cause(pack, "ex02.rows", made, verdict("ex02.softmax"), CALLS) == ""


def test_what_makes_up_for_a_function_that_is_wrong_is_no_piece_that_is_wrong(pack: Pack) -> None:
    remark = say("judge.rest-is-right", what=say("judge.all-that-is-wrong", pieces=say("judge.piece", code="w @ v")))
    lines = (
        "def scaled_scores(q, k): return q\ndef scaled_dot_product_attention(q, k, v):\n    w = scaled_scores(q, k)\n"
    )
    source = f"{lines}    return w @ v\n"
    stage = Stage("weights", "context", "ex05.py", 4)
    decided = replace(verdict("ex05.attention", Status.PARTIAL, stage=stage), remark=remark, notes=(remark,), line=4)
    exercise = next(each for each in pack.exercises if each.id == "ex05_scaled_scores")
    step = next(each for each in exercise.steps if each.id == "ex05.attention")

    found = cause_of(pack.exercises, exercise, step, decided, {"ex05.scaled": verdict("ex05.scaled")}, source)

    assert found and found.step == "ex05.scaled"
    told = behind(decided, found, step.of, verdict(found.step))
    assert (told.remark, told.notes, told.stage) == (None, (), None)


def test_a_step_whose_line_calls_what_an_earlier_one_comes_of_comes_of_it_too(pack: Pack) -> None:
    piece = say("judge.all-that-is-wrong", pieces=say("judge.piece", code="dropout_weights(w, …)"))
    told = Cause("ex09.law", say("judge.cause-called", of="CausalAttention", called="dropout_weights", step="ex09.law"))
    before = replace(verdict("ex10.output"), cause=told)
    decided = replace(verdict("ex10.gradients"), remark=say("judge.right-here", what=piece))

    assert cause(pack, "ex10.gradients", decided, before, "") == "ex09.law"


def test_what_is_not_finite_comes_of_the_result_and_of_nothing_that_a_module_holds(pack: Pack) -> None:
    wrong = verdict("ex10.output", Status.FAILED, Diagnosis("mask-diagonal", "…", "ex10.py", 19))
    state = replace(verdict("ex10.state"), summary=f"{say('check.state-not-finite').capitalize()}.")
    gradient = say("check.gradient-not-finite", name="W_query.weight")
    gradients = replace(verdict("ex10.gradients"), summary=f"{gradient[:1].upper()}{gradient[1:]}.")

    assert cause(pack, "ex10.state", state, wrong, "") == "ex10.output"
    assert cause(pack, "ex10.state", verdict("ex10.state"), wrong, "") == ""
    assert cause(pack, "ex10.gradients", gradients, verdict("ex10.state"), "") == ""


def test_a_module_of_which_nothing_can_be_said_is_nobodys_cause(pack: Pack) -> None:
    unclear = replace(verdict("ex10.state"), summary=f"{say('check.state-unclear').capitalize()}.")

    assert cause(pack, "ex10.gradients", verdict("ex10.gradients"), verdict("ex10.state"), "") == "ex10.state"
    assert cause(pack, "ex10.gradients", verdict("ex10.gradients"), unclear, "") == ""


def test_another_signature_comes_of_nothing_else(pack: Pack) -> None:
    said = say("judge.signature", signature="(x, mask)", expected="`forward(x)`", message="missing an argument")
    known = verdict("ex10.parameters", Status.FAILED, Diagnosis("a-mistake", "…", "ex10.py", 12))

    for summary, told in (("", "ex10.parameters"), (said, "")):
        decided = replace(verdict("ex10.gradients"), summary=summary)
        assert cause(pack, "ex10.gradients", decided, known, "") == told


def test_of_one_class_a_mistake_with_a_line_may_be_the_cause_of_a_failure_without_one(pack: Pack) -> None:
    known = verdict("ex10.output", Status.FAILED, Diagnosis("mask-missing", "…", "ex10.py", 31))
    guessed = verdict("ex10.output", Status.FAILED, Diagnosis("mask-missing", "…", "ex10.py", 31, near=True))
    own = verdict("ex10.causality", stage=Stage("scores", "weights", "ex10.py", 33))

    assert cause(pack, "ex10.causality", verdict("ex10.causality"), known, "") == "ex10.output"
    assert cause(pack, "ex10.causality", verdict("ex10.causality"), guessed, "") == ""
    assert cause(pack, "ex10.causality", own, known, "") == ""


def test_what_is_wrong_on_other_cases_alone_is_no_cause_where_the_own_ones_are_computed_right(pack: Pack) -> None:
    exercise = pack.exercise("ex10_causal_attention")
    gradients = next(each for each in exercise.steps if each.id == "ex10.gradients")
    bias = verdict("ex10.bias", Status.FAILED, Diagnosis("bias-ignored", "…", "ex10.py", 12))

    for status, told in ((Status.PASSED, ""), (Status.PARTIAL, "ex10.bias")):
        before = {each.id: each for each in (verdict("ex10.output", status), bias)}
        found = cause_of(pack.exercises, exercise, gradients, verdict(gradients.id), before, "")
        assert (found.step if found else "") == told


def test_a_wrong_result_is_rather_the_cause_than_a_wrong_parameter_but_for_gradients(
    pack: Pack,
) -> None:
    exercise = pack.exercise("ex10_causal_attention")
    before = {
        step: verdict(step, Status.FAILED, Diagnosis("a-mistake", "…", "ex10.py", line))
        for step, line in (("ex10.parameters", 12), ("ex10.output", 31))
    }

    alone = {"ex10.parameters": before["ex10.parameters"]}
    for asked, known, told in (
        ("ex10.causality", before, "ex10.output"),
        ("ex10.causality", alone, "ex10.parameters"),
        ("ex10.gradients", before, "ex10.parameters"),
        ("ex10.state", before, ""),
    ):
        step = next(each for each in exercise.steps if each.id == asked)
        found = cause_of(pack.exercises, exercise, step, verdict(asked), known, "")
        assert (found.step if found else "") == told


def test_a_hidden_step_is_nobodys_cause(pack: Pack) -> None:
    exercise = pack.exercise("ex02_softmax_weights")
    steps = tuple(replace(s, visibility=Visibility.HIDDEN) if s.id == "ex02.softmax" else s for s in exercise.steps)
    hiding = replace(exercise, steps=steps)

    before, rows = {"ex02.softmax": verdict("ex02.softmax")}, exercise.steps[-2]
    for of, shown in ((exercise, "ex02.softmax"), (hiding, "")):
        found = cause_of([of], of, rows, verdict(rows.id), before, CALLS)
        assert (found.step if found else "") == shown


MASKED = """def causal_mask(n): return n
def causal_attention_weights(scores, d_k):
    mask = causal_mask(scores.shape[-1]).to(scores.device)
    scaled = scores / d_k**0.5
    masked = scaled.masked_fill(mask, -torch.inf)
    return torch.softmax(masked, -1)
"""


@pytest.mark.parametrize(("line", "told"), [(3, "ex08.mask"), (4, ""), (5, "ex08.mask"), (6, "")])
def test_what_is_called_and_is_no_stage_is_the_cause_where_it_is_read(pack: Pack, line: int, told: str) -> None:
    decided = verdict("ex08.weights", stage=Stage("scaled", "masked", "ex08.py", line))

    assert cause(pack, "ex08.weights", decided, verdict("ex08.mask"), MASKED) == told


def test_what_puts_together_the_rows_of_a_function_that_is_wrong_comes_of_that(pack: Pack) -> None:
    source = """def softmax(row): return row
def attention_weights(scores):
    rows = []
    for row in scores:
        rows.append(softmax(row))
    return torch.stack(rows)
"""
    for right, wrong, told in (("", "weights", "ex02.softmax"), ("weights", "context", ""), ("", "shifted", "")):
        decided = verdict("ex02.weights", stage=Stage(right, wrong, "ex02.py", 6))
        assert cause(pack, "ex02.weights", decided, verdict("ex02.softmax"), source) == told
        spoken_of = replace(decided, remark="`torch.stack(rows)` is wrong by itself")
        assert cause(pack, "ex02.weights", spoken_of, verdict("ex02.softmax"), source) == ""


@pytest.mark.parametrize(("line", "told"), [(20, "ex10.output"), (0, "")])
def test_of_a_token_that_sees_the_future_the_cause_is_where_the_output_goes_wrong(
    pack: Pack, line: int, told: str
) -> None:
    wrong = verdict("ex10.output", stage=Stage("scaled", "masked", "ex10.py", line))
    decided = replace(verdict("ex10.causality"), summary=f"{say('check.sees-future', token=0, after=0).capitalize()}.")

    assert cause(pack, "ex10.causality", decided, wrong, "") == told


def test_a_stage_that_was_right_is_no_cause_where_it_is_read(pack: Pack) -> None:
    source = MASKED.replace("scaled.masked_fill", "mask_scores").replace("(mask, -torch.inf)", "(scaled, mask)")
    decided = verdict("ex08.weights", stage=Stage("masked", "weights", "ex08.py", 6))

    assert cause(pack, "ex08.weights", decided, verdict("ex08.masked"), source) == ""


def test_of_what_is_not_finite_nothing_is_known_but_that_the_output_is_wrong(pack: Pack) -> None:
    wrong = verdict("ex10.output", stage=Stage("scores", "masked", "ex10.py", 20))
    gradient = say("check.gradient-not-finite", name="W_query.weight")
    for step, said in (
        ("ex10.causality", say("check.lifeless-causality")),
        ("ex10.state", say("check.state-not-finite")),
        ("ex10.gradients", gradient),
    ):
        decided = replace(verdict(step), summary=f"{said[:1].upper()}{said[1:]}.")
        assert cause(pack, step, decided, wrong, "") == "ex10.output"
        assert cause(pack, step, decided, verdict("ex10.output", Status.PASSED), "") == ""
        assert cause(pack, step, verdict(step), wrong, "") == ""


def test_a_gradient_of_zero_comes_of_dropout_that_drops_all(pack: Pack) -> None:
    said, zero = say("check.all-dropped"), say("check.gradient-zero", name="W_query.weight")
    dropped = replace(verdict("ex10.dropout"), summary=f"{said[:1].upper()}{said[1:]}.")
    decided = replace(verdict("ex10.gradients"), summary=f"{zero[:1].upper()}{zero[1:]}.")

    assert cause(pack, "ex10.gradients", decided, dropped, "") == "ex10.dropout"
    assert cause(pack, "ex10.gradients", decided, verdict("ex10.dropout"), "") == ""
    assert cause(pack, "ex10.gradients", verdict("ex10.gradients"), dropped, "") == ""


@pytest.mark.parametrize(
    ("said", "case", "told"),
    [
        ("check.all-exchanged", "p-zero", "ex09.law"),
        ("check.all-exchanged", "p-one", ""),
        ("check.kept-and-infinite-at-zero", "p-zero", "ex09.law"),
        ("check.infinite-at-zero", "p-zero", ""),
    ],
)
def test_what_is_wrong_where_p_is_0_comes_of_the_share_to_keep(pack: Pack, said: str, case: str, told: str) -> None:
    law = replace(verdict("ex09.law"), summary=as_sentence(say(said)))
    decided = replace(verdict("ex09.extremes"), summary=as_sentence(say("judge.on-case", said="off", case=case)))

    assert cause(pack, "ex09.extremes", decided, law, "") == told


@pytest.mark.parametrize("name", ["generator-not-used", "generator-reseeded", "global-generator"])
def test_numbers_from_elsewhere_are_a_cause_of_their_own(pack: Pack, name: str) -> None:
    law = verdict("ex09.law", Status.FAILED, Diagnosis("dropout-unscaled", "", "ex09.py", 9))
    decided = replace(verdict("ex09.generator"), summary=as_sentence(say(f"check.{name}")))
    noted = replace(verdict("ex09.generator"), notes=(say("judge.drawn-without", code="rand(3)", generator="g"),))

    assert cause(pack, "ex09.generator", decided, law, "") == ""
    assert cause(pack, "ex09.generator", noted, law, "") == ""
    assert cause(pack, "ex09.generator", verdict("ex09.generator"), law, "") == "ex09.law"


@pytest.mark.parametrize("said", ["check.all-dropped", "check.infinite-at-zero"])
def test_dropout_that_is_wrong_by_itself_does_not_come_of_a_wrong_output(pack: Pack, said: str) -> None:
    output = verdict("ex10.output", Status.FAILED, Diagnosis("mask-missing", "", "ex10.py", 30))
    decided = replace(verdict("ex10.dropout"), summary=as_sentence(say(said)))

    assert cause(pack, "ex10.dropout", decided, output, "") == ""
    assert cause(pack, "ex10.dropout", verdict("ex10.dropout"), output, "") == "ex10.output"


@pytest.mark.parametrize(("name", "told"), [("dropout-missing", ""), ("dropout-in-eval", "ex09.law")])
def test_what_is_wrong_outside_training_comes_of_what_is_wrong_there(pack: Pack, name: str, told: str) -> None:
    law = verdict("ex09.law", Status.FAILED, Diagnosis(name, "", "ex09.py", 9))
    said = say("judge.on-case", said="off", case="not-training")

    assert cause(pack, "ex09.extremes", replace(verdict("ex09.extremes"), summary=f"{said}."), law, "") == told


@pytest.mark.parametrize(
    "said",
    [
        say("judge.self-first", name="forward"),
        say("judge.otherwise-called", of="CausalAttention", file="e.py", found="`causalAttention`", name="causal"),
        say("judge.nothing-defined", of="CausalAttention", file="e.py"),
    ],
)
def test_what_cannot_be_called_says_what_to_do_and_comes_of_no_other_step(said: str, pack: Pack) -> None:
    for step, other in (("ex10.gradients", "ex10.state"), ("ex10.dropout", "ex10.output")):
        before, decided = (replace(verdict(each), summary=as_sentence(said)) for each in (other, step))

        assert cause(pack, step, decided, before, "class CausalAttention: pass\n") == ""
