"""Every kind of thing that can be wrong is said in one clear sentence, with the student's own line."""
# ruff: noqa: E501 - a mistake and what is said of it read best side by side

from __future__ import annotations

import re
import sys
from dataclasses import dataclass

import pytest

from grader.model.report import Verdict

from .submissions import (
    EX01,
    EX02,
    EX03,
    EX04,
    EX05,
    EX06,
    EX07,
    EX08,
    EX09,
    EX10,
    EX11,
    EX12,
    EX13,
    REFERENCE,
    ROOT,
    Marking,
    edited,
    verdicts,
    with_module,
)  # fmt: skip

# Graded in passing, hundreds of times: what is measured are the tests of each module.
pytestmark = pytest.mark.no_cover

# An annotation as it is told: from Python 3.14 on as it is written.
TENSOR = "Tensor" if sys.version_info >= (3, 14) else "torch.Tensor"


@dataclass(frozen=True)
class Said:
    """A module that is wrong, the step that shows it, and what is to be said there."""

    exercise: str
    source: str
    step: str
    status: str
    parts: tuple[str, ...]
    line: str = ""


def line_of(source: str, text: str) -> int:
    """The number of the only line that holds this text."""
    (number,) = (i for i, line in enumerate(source.splitlines(), 1) if text in line)
    return number


NO_COLON = REFERENCE[EX01].replace(
    "def attention_scores(inputs: Tensor) -> Tensor:", "def attention_scores(inputs: Tensor) -> Tensor"
)
RENAMED = edited(EX01, ("def attention_scores_for_query", "def attention_score_for_query"))
SHORTER = edited(
    EX01, ("def attention_scores_for_query(query: Tensor, inputs: Tensor)", "def attention_scores_for_query(query)")
)
SENTENCES: dict[str, Said] = {
    "a module that does not parse": Said(
        EX01, NO_COLON, "ex01.query", "error", (f"line {line_of(NO_COLON, 'def attention_scores(inputs')}", "expected ':'"),
        "def attention_scores(inputs",
    ),
    "a wrong indentation": Said(
        EX03, REFERENCE[EX03] + "  late = 1\n", "ex03.context", "error", ("unindent does not match",), "  late = 1",
    ),
    "a function under another name": Said(
        EX01, RENAMED, "ex01.query", "failed",
        ("There is no `attention_scores_for_query`", "`attention_score_for_query`", "did you mean"),
    ),
    "a function that is not there": Said(
        EX05, "import torch\n\ndef softmax(x):\n    return x\n", "ex05.scaled", "failed", ("no `scaled_scores`", "`softmax`"),
    ),
    "nothing at all": Said(EX05, "", "ex05.scaled", "failed", ("it defines neither functions nor classes",)),
    "a number where a function is due": Said(
        EX01, REFERENCE[EX01] + "\nattention_scores = 3\n", "ex01.all", "failed", ("`attention_scores` must be a function", "int"),
    ),
    "a class that is no module": Said(
        EX06, edited(EX06, ("(nn.Module)", ""), ("super().__init__()", "pass")), "ex06.parameters", "failed", ("nn.Module",),
    ),
    "shapes that do not fit": Said(
        EX12, edited(EX12, ("by_head = split.transpose(1, 2)", "by_head = split")), "ex12.output", "error",
        ("here `scaled` is (", "3, 3), `self.mask[:num_tokens, :num_tokens]` is (5, 5)", "the heads stand behind the tokens"), "split = projected.view(",
    ),
    "a whole vector for one number": Said(
        EX01, edited(EX01, ("    scores = inputs @ query\n", "    scores = torch.zeros(6)\n    for i, x in enumerate(inputs):\n        scores[i] = x * query\n"), ("from torch import Tensor", "import torch\nfrom torch import Tensor")),
        "ex01.query", "error", ("`scores[i]` has room for one number, and `x * query` gives 3",), "scores[i] = x * query",
    ),
    "sizes that all modules share": Said(
        EX12, edited(EX12, ("        self.num_heads = num_heads", "        type(self).num_heads = num_heads")), "ex12.output", "partial",
        ("Once another MultiHeadAttention of other sizes is made", "keep what it is made with under `self`"), "type(self).num_heads = num_heads",
    ),
    "a width that is no whole number": Said(
        EX12, edited(EX12, ("d_out // num_heads", "d_out / num_heads")), "ex12.output", "error",
        ("`//` divides whole numbers",), "d_out / num_heads",
    ),
    "another signature": Said(
        EX01, SHORTER, "ex01.query", "failed", ("(query)", "attention_scores_for_query(query, inputs)"),
        "def attention_scores_for_query(query)",
    ),
    "another signature of a constructor": Said(
        EX10, edited(EX10, ("context_length: int, dropout: float, qkv_bias: bool = False", "context_length: int")),
        "ex10.parameters", "failed", ("(d_in: int, d_out: int, context_length: int)", "CausalAttention(d_in, d_out, context_length, dropout, qkv_bias=False)"),
    ),
    "another signature of forward": Said(
        EX10, edited(EX10, ("def forward(self, x: Tensor)", "def forward(self, x: Tensor, mask: Tensor)")),
        "ex10.output", "failed", (f"(x: {TENSOR}, mask: {TENSOR})", "forward(x)"),
    ),
    "no self": Said(EX10, edited(EX10, ("def forward(self, x: Tensor)", "def forward(x: Tensor)")), "ex10.output", "failed", ("`forward` has to take `self` first: `def forward(self, …)`",)),
    "None": Said(EX03, edited(EX03, ("    return contexts\n", "")), "ex03.contexts", "partial", ("None", "shape (6, 3)")),
    "a string": Said(EX03, edited(EX03, ("return contexts", "return 'contexts'")), "ex03.contexts", "partial", ("a str", "shape (6, 3)")),
    "a list of numbers": Said(EX03, edited(EX03, ("return contexts", "return contexts.tolist()")), "ex03.contexts", "partial", ("a list of 6", "torch.tensor")),
    "a list of rows": Said(EX03, edited(EX03, ("return contexts", "return list(contexts)")), "ex03.contexts", "partial", ("a list of tensors", "one tensor of shape (6, 3)", "torch.stack")),
    "a numpy array": Said(EX03, edited(EX03, ("return contexts", "return contexts.numpy()")), "ex03.contexts", "partial", ("numpy.ndarray", "with torch alone, without numpy")),
    "another exercise's function": Said(EX03, edited(EX03, ("return contexts", "return attention_weights(contexts)")), "ex03.contexts", "error", ("belongs to ex02", "`from exercises.ex02_softmax_weights import attention_weights`")),
    "another exercise's function of a name that torch has": Said(EX03, edited(EX03, ("return contexts", "return softmax(contexts)")), "ex03.contexts", "error", ("did you mean `torch.softmax`?",)),
    "a generator": Said(EX04, edited(EX04, ("return queries, keys, values", "return (t for t in (queries, keys, values))")), "ex04.project", "failed", ("a generator", "3 tensors")),
    "two of three": Said(EX04, edited(EX04, ("return queries, keys, values", "return queries, keys")), "ex04.project", "failed", ("a tuple of 2", "3 tensors")),
    "another shape": Said(EX03, edited(EX03, ("return contexts", "return contexts.T")), "ex03.contexts", "partial", ("shape (3, 6)", "expected (6, 3)")),
    "an axis too many": Said(EX03, edited(EX03, ("return contexts", "return contexts[None]")), "ex03.contexts", "partial", ("shape (1, 6, 3)", "expected (6, 3)")),
    "an empty tensor": Said(EX03, edited(EX03, ("return contexts", "return contexts[:0]")), "ex03.contexts", "partial", ("shape (0, 3)",)),
    "another type": Said(EX03, edited(EX03, ("return contexts", "return contexts.double()")), "ex03.contexts", "partial", ("float64", "expected float32")),
    "whole numbers": Said(EX03, edited(EX03, ("return contexts", "return contexts.int()")), "ex03.contexts", "partial", ("int32", "expected float32")),
    "complex numbers": Said(EX03, edited(EX03, ("return contexts", "return contexts.cfloat()")), "ex03.contexts", "partial", ("complex64",)),
    "a sparse tensor": Said(EX03, edited(EX03, ("return contexts", "return contexts.to_sparse()")), "ex03.contexts", "partial", ("sparse",)),
    "a tensor without values": Said(EX03, edited(EX03, ("return contexts", "return contexts.to('meta')")), "ex03.contexts", "failed", ("meta",)),
    "a mask of numbers": Said(EX08, edited(EX08, ("    return mask\n", "    return mask.float()\n")), "ex08.mask", "failed", ("float32", "expected bool")),
    "NaN": Said(EX03, edited(EX03, ("return contexts", "return contexts * float('nan')")), "ex03.contexts", "partial", ("18 of 18 elements are NaN",)),
    "infinity": Said(EX03, edited(EX03, ("return contexts", "return contexts / 0")), "ex03.contexts", "partial", ("inf where a finite value is expected",)),
    "minus infinity left out": Said(EX08, edited(EX08, ("scores.masked_fill(mask, -torch.inf)", "scores + 0")), "ex08.masked", "failed", ("not -inf where -inf is expected",)),
    "wrong values": Said(EX03, edited(EX03, ("dim=-1", "dim=0")), "ex03.contexts", "failed", ("values are off", "got", "expected"), "def context_vectors"),
    "wrong values after right ones": Said(
        EX03, edited(EX03, ("contexts = weights @", "contexts = 2 * weights @")), "ex03.contexts", "partial", ("values are off",), "contexts = 2 * weights",
    ),
    "a changed input": Said(EX08, edited(EX08, ("scores.masked_fill(", "scores.masked_fill_(")), "ex08.unchanged", "failed", ("caller's `scores`",)),
    "an exception in the student's own line": Said(
        EX03, edited(EX03, ("weights @ inputs\n    return contexts", "weights.reshape(7, 7) @ inputs\n    return contexts")),
        "ex03.contexts", "error", ("RuntimeError", "shape '[7, 7]' is invalid"), "weights.reshape(7, 7)",
    ),
    "an exception in a helper": Said(
        EX03, edited(EX03, ("contexts = weights @ inputs", "contexts = helper(weights)")) + "\n\ndef helper(t):\n    return t.missing\n",
        "ex03.contexts", "error", ("AttributeError", "missing"), "return t.missing",
    ),
    "a variable that is not there": Said(
        EX03, edited(EX03, ("contexts = weights @ inputs", "contexts = weights @ embeddings")), "ex03.contexts", "error", ("NameError", "embeddings"), "weights @ embeddings",
    ),
    "an exception at import": Said(
        EX03, "import no_such_package\n" + edited(EX03, ("return contexts", "return no_such_package.same(contexts)")),
        "ex03.contexts", "error", ("No module named 'no_such_package'",), "import no_such_package",
    ),
    "a default that names nothing": Said(
        EX03, edited(EX03, ("def context_vectors(inputs: Tensor)", "def context_vectors(inputs: Tensor = Tenser)")),
        "ex03.contexts", "error", ("NameError", "Tenser"), "= Tenser",
    ),
    "an exit": Said(EX03, edited(EX03, ("return contexts", "raise SystemExit(0)")), "ex03.contexts", "error", ("ends the program",), "raise SystemExit(0)"),
    "the end of the process": Said(EX03, edited(EX03, ("return contexts", "import os; os._exit(0)")), "ex03.contexts", "crashed", ("`context_vectors` ended the whole process",)),
    "a loop without end": Said(EX03, edited(EX03, ("return contexts", "while True: pass")), "ex03.contexts", "timeout", ("still running after 1 s",)),
    "a stub": Said(EX03, f"{REFERENCE[EX03]}\n\ndef context_vectors(inputs):\n    raise NotImplementedError\n", "ex03.contexts", "unstarted", ("Not started yet.",)),
    "torch's own error of a type": Said(
        EX03, edited(EX03, ("weights = torch.softmax(scores", "weights = torch.softmax(scores > 0")), "ex03.contexts", "error",
        ("not implemented for 'Bool'",), "torch.softmax(scores > 0",
    ),
    "a stub's error behind work": Said(
        EX03, edited(EX03, ("return contexts", "raise NotImplementedError")), "ex03.contexts", "error", ("still raises NotImplementedError",),
        "raise NotImplementedError",
    ),
    "names that nobody knows": Said(
        EX10, REFERENCE[EX10].replace("W_query", "alpha").replace("W_key", "beta"), "ex10.parameters", "failed", ("W_query.weight", "alpha.weight (4, 6)"),
    ),
    "weights of another shape": Said(
        EX10, edited(EX10, ("self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)", "self.W_query = nn.Linear(d_in, d_out + 1, bias=qkv_bias)")),
        "ex10.output", "failed", ("`W_query.weight` has shape (3, 3)", "expected (2, 3)"),
    ),
    "heads that nobody registered": Said(EX11, edited(EX11, ("nn.ModuleList(", "list(")), "ex11.parameters", "failed", ("not registered",)),
    "a width that is taken": Said(EX12, edited(EX12, ("if d_out % num_heads != 0:", "if False:")), "ex12.indivisible", "failed", ("d_out=13", "ValueError")),
    "heads one by one": Said(
        EX12, edited(EX12, ("head_contexts = dropped @ values", "head_contexts = torch.stack([dropped[:, h] @ values[:, h] for h in range(self.num_heads)], dim=1)")),
        "ex12.kernels", "failed", ("for num_heads=2", "for num_heads=8"),
    ),
    "heads that are averaged": Said(
        EX11, edited(EX11, ("torch.cat(contexts, dim=-1)", "sum(contexts) / len(contexts)")), "ex11.output", "failed", ("Shape (2, 5, 4)",),
        "sum(contexts) / len(contexts)",
    ),
    "nothing dropped": Said(EX10, edited(EX10, ("dropped = self.dropout(weights)", "dropped = weights")), "ex10.dropout", "failed", ("nothing is dropped",)),
    "an early return of a number": Said(
        EX09, edited(EX09, ("    if not training or p == 0:", "    if p == 1:\n        return 0.0\n    if not training or p == 0:")),
        "ex09.extremes", "failed", ("Returned a float", "p-one"), "return 0.0",
    ),
    "too much dropped": Said(EX09, edited(EX09, (">= p", "< p")), "ex09.law", "failed", ("of the weights are dropped", "expected about 30%")),
    "a variance that is off": Said(EX05, edited(EX05, ("products / dim**0.5", "products / dim")), "ex05.variance", "failed", ("number 2 of 2", "expected about 1")),
    "torch's own softmax": Said(EX02, edited(EX02, ("weights = exponentials / exponentials.sum()", "weights = torch.softmax(scores, 0)")), "ex02.by-hand", "failed", ("torch's own `softmax`",)),
    "a row that does not sum to one": Said(EX02, edited(EX02, ("torch.softmax(scores, dim=-1)", "torch.softmax(scores, dim=0)")), "ex02.rows", "failed", ("row", "sums to")),
    "a copy that breaks its target": Said(EX07, edited(EX07, ("parameter.copy_(linear.weight.T)", "parameter.data = linear.weight.data")), "ex07.copy", "failed", ("the target can no longer compute",)),
    "weights that are no parameters": Said(EX06, REFERENCE[EX06].replace("nn.Parameter(torch.rand(d_in, d_out))", "torch.rand(d_in, d_out)"), "ex06.gradients", "failed", ("nothing that is learnt is reached from it",)),
    "a gradient that is cut off": Said(EX06, edited(EX06, ("queries @ keys.T", "queries @ keys.detach().T")), "ex06.gradients", "failed", ("W_key",)),
}  # fmt: skip


def told(mark: Marking, said: Said) -> Verdict:
    """The verdict of the step that shows what is wrong."""
    seconds = 1.0 if said.status == "timeout" else 10.0
    return verdicts(mark(with_module(said.exercise, said.source), said.exercise, seconds=seconds))[said.step]


@pytest.mark.parametrize("name", SENTENCES)
def test_what_is_wrong_is_said_in_one_sentence(name: str, mark: Marking) -> None:
    said = SENTENCES[name]

    verdict = told(mark, said)

    assert str(verdict.status) == said.status
    for part in said.parts:
        assert part.lower() in verdict.summary.lower()
    assert "\n" not in verdict.summary
    assert "Traceback" not in verdict.summary
    assert not verdict.summary[0].islower()
    assert len(verdict.summary) < 500


@pytest.mark.parametrize("name", [name for name, said in SENTENCES.items() if said.line])
def test_the_students_own_line_is_named(name: str, mark: Marking) -> None:
    said = SENTENCES[name]

    verdict = told(mark, said)

    assert (verdict.file, verdict.line) == (f"{said.exercise}.py", line_of(said.source, said.line))


@pytest.mark.parametrize("indent", ["   ", "      "])
def test_a_line_that_is_indented_otherwise_is_marked_where_it_begins(indent: str, mark: Marking) -> None:
    source = edited(EX08, ("    scaled = scores / ", f"{indent}scaled = scores / "))

    verdict = verdicts(mark(with_module(EX08, source), EX08))["ex08.mask"]

    assert (verdict.line, verdict.column) == (line_of(source, "scaled = scores / "), len(indent) + 1)


def test_an_annotation_that_names_nothing_is_an_error_where_python_evaluates_it(mark: Marking) -> None:
    written = "def context_vectors(inputs: Tenser)"
    source = edited(EX03, ("def context_vectors(inputs: Tensor)", written))

    verdict = verdicts(mark(with_module(EX03, source), EX03))["ex03.contexts"]

    if sys.version_info < (3, 14):
        assert str(verdict.status) == "error"
        assert "NameError" in verdict.summary and "Tenser" in verdict.summary
        assert (verdict.file, verdict.line) == (f"{EX03}.py", line_of(source, written))
    else:
        assert str(verdict.status) == "passed"


def test_a_variable_that_nobody_made_is_not_said_to_be_read_from_outside(mark: Marking) -> None:
    source = edited(EX02, ("scores - scores.max()", "scores - m"))

    (found,) = verdicts(mark(with_module(EX02, source), EX02))["ex02.softmax"].diagnosis

    assert found.id == "global-variable"
    assert found.message == "`m` is no argument of this function and is given no value in it: make it first."


def test_arguments_that_do_not_fit_are_told_whatever_an_annotation_names(mark: Marking) -> None:
    given = ("def context_vectors(inputs: Tensor)", "def context_vectors(inputs: 'Tenser', extra: 'Tenser')")
    quoted = edited(EX03, given)
    plain = quoted.replace("'Tenser'", "Tenser") if sys.version_info >= (3, 14) else quoted

    for source in (quoted, plain):
        verdict = verdicts(mark(with_module(EX03, source), EX03))["ex03.contexts"]

        assert str(verdict.status) == "failed"
        assert "Tenser" in verdict.summary and "missing a required argument: 'extra'" in verdict.summary


def test_ten_megabytes_of_prints_cost_nothing_and_are_mentioned(mark: Marking) -> None:
    source = edited(
        EX03, ("    contexts = weights @ inputs", "    print('x' * 10_000_000)\n    contexts = weights @ inputs")
    )

    verdict = verdicts(mark(with_module(EX03, source), EX03))["ex03.contexts"]

    assert str(verdict.status) == "passed"
    assert any("printed" in note and "megabytes" in note for note in verdict.notes)


@pytest.mark.parametrize("kept", [True, False])
def test_a_layer_that_is_no_attribute_is_told_and_one_that_became_one_is_not(kept: bool, mark: Marking) -> None:
    made = ("self.W_query = nn.Parameter(torch.rand(d_in, d_out))", "W_query = nn.Parameter(torch.rand(d_in, 1))")
    after = ("    def forward", "        self.W_query = W_query\n\n    def forward") if kept else ("", "")
    source = edited(EX06, made).replace(*after, 1) if kept else edited(EX06, made)

    verdict = verdicts(mark(with_module(EX06, source), EX06))["ex06.parameters"]

    assert (verdict.status, verdict.line) == ("failed", 16 if kept else 12)
    assert any("is a variable of `__init__` alone" in note for note in verdict.notes) is not kept


UNROOTED = """
import torch


def causal_mask(context_length):
    return torch.triu(torch.ones(context_length, context_length), diagonal=1)


def mask_scores(scores, mask):
    return scores.masked_fill(mask, float("-inf"))


def causal_attention_weights(scores, d_k):
    mask = causal_mask(scores.shape[0]).bool()
    scores = scores.masked_fill(mask, float("-inf"))
    return torch.softmax(scores / d_k, dim=-1)
"""
TWICE = """
import torch


def scaled_scores(queries, keys):
    return queries @ keys.T / keys.shape[0] ** 0.5


def scaled_dot_product_attention(queries, keys, values):
    scores = scaled_scores(queries, keys)
    weights = torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1)
    return values @ weights
"""


def test_a_function_that_is_not_right_is_no_cause_of_what_another_line_does(mark: Marking) -> None:
    found = verdicts(mark(with_module(EX08, UNROOTED), EX08))

    assert found["ex08.mask"].summary == "Dtype float32; expected bool (case six)."
    assert found["ex08.mask"].notes == ("make the mask one of truth values, with `.bool()` or `dtype=torch.bool`",)
    stage = found["ex08.weights"].stage
    assert stage is not None
    assert (stage.wrong, stage.line) == ("scaled", line_of(UNROOTED, "scores / d_k"))
    assert [found[f"ex08.{step}"].cause for step in ("weights", "ranks")] == [None, None]
    crashed = verdicts(mark(with_module(EX05, TWICE), EX05))["ex05.attention"]
    assert (crashed.cause, crashed.line) == (None, line_of(TWICE, "values @ weights"))


def test_a_root_that_divides_once_more_is_told(mark: Marking) -> None:
    source = TWICE.replace("values @ weights", "weights @ values")

    verdict = verdicts(mark(with_module(EX05, source), EX05))["ex05.attention"]

    said = "`scores / keys.shape[-1] ** 0.5` divides by a root once more: `scaled_scores` does so already"
    assert said in verdict.notes
    assert (verdict.cause, verdict.line) == (None, line_of(source, "scores / keys"))


def test_a_root_that_divides_behind_softmax_is_told(mark: Marking) -> None:
    source = TWICE.replace("values @ weights", "weights @ values").replace(" / keys.shape[0] ** 0.5", "")
    source = source.replace("scores / keys.shape[-1] ** 0.5, dim=-1)", "scores, dim=-1) / keys.shape[-1] ** 0.5")

    verdict = verdicts(mark(with_module(EX05, source), EX05))["ex05.attention"]

    assert any("divides only after softmax" in note for note in verdict.notes)
    assert (verdict.cause, verdict.line) == (None, line_of(source, "dim=-1) / keys"))


def test_of_a_root_that_divides_twice_the_second_is_marked_and_the_first_is_not_said_to_be_let_go(
    mark: Marking,
) -> None:
    later = ("dropped @ values", "dropped @ values / keys.shape[-1] ** 0.5")
    source = edited(EX10, ("weights = torch.softmax(masked, dim=-1)", "weights = masked"), later)

    verdict = verdicts(mark(with_module(EX10, source), EX10))["ex10.output"]

    found = {each.id: each.line for each in verdict.diagnosis}
    assert found["scale-no-sqrt"] == line_of(source, later[1])
    assert "output: 1 point, for what is right up to `scaled`" in verdict.notes


@pytest.mark.parametrize(
    "writes",
    ["source_v2.W_{0}.weight.data = target_v1.W_{0}.data.T", "source_v2.W_{0}.weight.copy_(target_v1.W_{0}.T)"],
)
def test_of_a_copy_whose_source_and_target_have_changed_places_it_is_that_which_is_told(
    mark: Marking, writes: str
) -> None:
    lines = ["    with torch.no_grad():", *(f"        {writes.format(role)}" for role in ("query", "key", "value"))]
    source = REFERENCE[EX07].partition("    with torch.no_grad():")[0] + "\n".join(lines) + "\n"

    verdict = verdicts(mark(with_module(EX07, source), EX07))["ex07.copy"]

    (found,) = verdict.diagnosis
    assert found.id == "input-mutated"
    assert found.message == (
        f"`{writes.format('query')}` writes what the target holds into the source: source and target have changed "
        "places, so turn the copy round."
    )
    assert (found.line, verdict.notes) == (line_of(source, writes.format("query")), ())


def test_of_calls_that_change_what_the_next_is_given_it_is_not_told_what_is_kept(mark: Marking) -> None:
    always = ("if not training or p == 0:", "if not training:")
    written = ("survivors = weights * keep", "survivors = weights.mul_(keep)")
    source = edited(EX09, always, written, ("survivors / (1 - p)", "survivors / p"))

    verdict = verdicts(mark(with_module(EX09, source), EX09))["ex09.law"]

    assert verdict.summary == (
        "With p = 0 the output is not finite, as where survivors are divided by p: divide them by 1 - p."
    )


def test_what_drops_at_a_rate_of_its_own_comes_of_no_other_result(mark: Marking) -> None:
    source = edited(
        EX11,
        ("context_length, dropout, qkv_bias)", "context_length, 0.1, qkv_bias)"),
        ("[head(x) for head", "[self.heads[0](x) for head"),
    )

    verdict = verdicts(mark(with_module(EX11, source), EX11))["ex11.dropout"]

    assert verdict.summary.startswith("With p = 0 the result changes from call to call while training")
    assert verdict.cause is None


def test_an_argument_that_nothing_is_made_of_is_told_with_its_line_beside_a_root_behind_softmax(mark: Marking) -> None:
    late = "    weights = torch.softmax(queries @ keys.T, dim=-1)\n    weights = weights / keys.shape[-1] ** 0.5\n"
    due = "    scaled = scaled_scores(queries, keys)\n    weights = torch.softmax(scaled, dim=-1)\n"
    source = edited(EX05, (due, late), ("weights @ values", "weights @ keys"))

    verdict = verdicts(mark(with_module(EX05, source), EX05))["ex05.attention"]

    line = line_of(source, "weights @ keys")
    assert verdict.line == line_of(source, "weights / keys.shape")
    assert f"line {line} is not right either: nothing is made of `values`, on which the result depends" in verdict.notes


def test_a_mask_that_is_too_wide_for_other_sequences_is_no_cause_of_what_is_raised_here(mark: Marking) -> None:
    source = edited(
        EX10,
        ("self.mask[:num_tokens, :num_tokens]", "self.mask"),
        (" / keys.shape[-1] ** 0.5", ""),
        ("torch.softmax(masked, dim=-1)", "torch.softmax(masked / math.sqrt(scores), dim=-1)"),
        ("import torch\n", "import math\nimport torch\n"),
    )

    found = verdicts(mark(with_module(EX10, source), EX10))

    output, shorter = found["ex10.output"], found["ex10.shorter"]
    assert (output.diagnosis, output.line) == ((), line_of(source, "math.sqrt(scores)"))
    assert "`scores` is a tensor: what is due is the root of a width" in output.summary
    assert [each.id for each in shorter.diagnosis] == ["mask-not-sliced"]


def test_a_name_that_is_given_to_what_is_not_right_is_not_told_to_be_right(mark: Marking) -> None:
    source = edited(EX03, ("scores = inputs @ inputs.T", "scores = inputs @ inputs.T / inputs.shape[-1] ** 0.5"))
    later = source.replace(" / inputs.shape", "\n    scores = scores / inputs.shape")

    for each, right, line in ((source, "", "scores = inputs"), (later, "scores", "scores = scores")):
        verdict = verdicts(mark(with_module(EX03, each), EX03))["ex03.contexts"]
        assert verdict.stage is not None
        assert (verdict.stage.right, verdict.stage.wrong) == (right, "weights")
        assert verdict.stage.line == line_of(each, line)
        assert any("divides by a root, and nothing is to be scaled here" in note for note in verdict.notes)


def test_dropout_of_weights_in_heads_that_are_cut_wrongly_is_not_told_to_be_of_the_context(mark: Marking) -> None:
    source = edited(EX13, ("self.num_heads, self.head_dim)", "self.head_dim, self.num_heads)"))

    found = verdicts(mark(with_module(EX13, source), EX13))["ex13.dropout"]

    assert found.diagnosis == ()
    assert found.summary.startswith("Nothing can be said of dropout yet: with p = 0")


def test_where_zero_times_infinity_came_in_is_said(mark: Marking) -> None:
    source = edited(EX08, ("scores.masked_fill(mask, -torch.inf)", "scores + mask * -torch.inf"))

    verdict = verdicts(mark(with_module(EX08, source), EX08))["ex08.masked"]

    assert "elements are NaN" in verdict.summary
    assert [note for note in verdict.notes if note.startswith("`mask * -torch.inf` multiplies by infinity")]
    assert (verdict.file, verdict.line) == (f"{EX08}.py", line_of(source, "mask * -torch.inf"))


def test_zero_by_zero_is_said_and_is_not_put_down_to_what_else_is_wrong(mark: Marking) -> None:
    source = edited(
        EX09,
        ("    survivors = weights * keep\n", "    weights *= keep\n"),
        (
            "    if p == 1:  # nothing survived, so there is nothing to divide by 1 - p = 0\n        return survivors\n",
            "",
        ),
        ("survivors / (1 - p)", "weights / (1 - p)"),
    )

    found = verdicts(mark(with_module(EX09, source), EX09))

    assert [each.id for each in found["ex09.law"].diagnosis] == ["input-mutated"]
    verdict = found["ex09.extremes"]
    assert (verdict.diagnosis, verdict.cause) == ((), None)
    assert [note for note in verdict.notes if note.startswith("`weights / (1 - p)` divides by `1 - p`, which is 0")]
    assert (verdict.file, verdict.line) == (f"{EX09}.py", line_of(source, "weights / (1 - p)"))


def test_what_is_scaled_outside_training_and_what_is_written_into_in_it_are_both_told(mark: Marking) -> None:
    source = edited(
        EX09,
        (
            "    if not training or p == 0:\n        return weights\n",
            "    if not training:\n        return weights * (1 - p)\n",
        ),
        ("    survivors = weights * keep\n", "    survivors = weights.mul_(keep)\n"),
    )

    found = verdicts(mark(with_module(EX09, source), EX09))

    assert {each.id for each in found["ex09.law"].diagnosis} == {"dropout-in-eval", "input-mutated"}
    assert found["ex09.extremes"].status == "failed"
    assert {each.id for each in found["ex09.extremes"].diagnosis} == {"input-mutated"}  # with p = 1


def test_what_drops_in_place_before_training_is_asked_for_is_told_at_its_line_in_both_steps(mark: Marking) -> None:
    guard = "    if not training or p == 0:\n        return weights\n"
    source = edited(
        EX09,
        (guard, ""),
        ("    survivors = weights * keep\n", f"    weights *= keep\n{guard}    survivors = weights\n"),
    )

    found = verdicts(mark(with_module(EX09, source), EX09))

    both = {(name, line_of(source, "weights *= keep")) for name in ("dropout-in-eval", "input-mutated")}
    for step in ("ex09.law", "ex09.extremes"):
        assert {(each.id, each.line) for each in found[step].diagnosis} == both


def test_dropout_of_the_context_is_named_where_wrong_values_keep_results_from_telling_it(mark: Marking) -> None:
    dropped = "        dropped = self.dropout(weights)\n        context: Tensor = dropped @ values\n"
    source = edited(
        EX10,
        ("values = self.W_value(x)", "values = self.W_key(x)"),
        (dropped, "        context: Tensor = self.dropout(weights @ values)\n"),
    )

    verdict = verdicts(mark(with_module(EX10, source), EX10))["ex10.dropout"]

    assert [found.id for found in verdict.diagnosis] == ["dropout-on-context"]
    assert verdict.diagnosis[0].line == line_of(source, "self.dropout(weights")
    assert verdict.cause is None


def test_dropout_that_is_left_out_where_little_is_to_be_dropped_is_not_said_to_be_missing(mark: Marking) -> None:
    source = edited(EX09, ("if not training or p == 0:", "if not training or p < 0.05:"))

    verdict = verdicts(mark(with_module(EX09, source), EX09))["ex09.law"]

    assert (verdict.status, verdict.score, verdict.diagnosis) == ("failed", 0, ())
    assert verdict.summary == "Nothing is dropped in training although p = 0.004."


def test_where_random_numbers_begin_anew_in_every_call_is_said(mark: Marking) -> None:
    source = edited(EX09, ("    keep = torch.rand(", "    torch.manual_seed(123)\n    keep = torch.rand("))

    verdict = verdicts(mark(with_module(EX09, source), EX09))["ex09.law"]

    assert "Every call drops the same weights" in verdict.summary
    assert verdict.notes == ("`torch.manual_seed(123)` lets the random numbers begin anew in every call.",)
    assert (verdict.file, verdict.line) == (f"{EX09}.py", line_of(source, "manual_seed"))


@pytest.mark.parametrize(
    ("roles", "left"), [('("W_query",)', "W_key, W_value"), ("()", "W_query, W_key, W_value"), ("", "")]
)
def test_the_weights_that_a_copy_leaves_are_said(roles: str, left: str, mark: Marking) -> None:
    every = 'for role in ("W_query", "W_key", "W_value"):'
    wrong = (every, f"for role in {roles}:") if roles else ("parameter.copy_(linear.weight.T)", "parameter.zero_()")

    verdict = verdicts(mark(with_module(EX07, edited(EX07, wrong)), EX07))["ex07.copy"]

    said = [note for note in verdict.notes if note.startswith("The copy leaves")]
    assert said == (
        [f"The copy leaves these weights of the target as they were, or a part of them: {left}."] if left else []
    )


def test_a_copy_that_does_not_name_a_weight_is_told_so_first_and_at_its_head(mark: Marking) -> None:
    loop = (
        '        for role in ("W_query", "W_key", "W_value"):\n'
        "            linear = getattr(source_v2, role)\n"
        "            parameter = getattr(target_v1, role)\n"
        "            parameter.copy_(linear.weight.T)\n"
    )
    two = "".join(f"        target_v1.{r}.copy_(source_v2.{r}.weight.T)\n" for r in ("W_query", "W_key"))
    source = edited(EX07, (loop, two))

    verdict = verdicts(mark(with_module(EX07, source), EX07))["ex07.copy"]

    assert verdict.remark == "Nothing is copied into these weights of the target: W_value."
    assert verdict.line == line_of(source, "def copy_weights")


def test_the_weight_that_a_copys_loop_leaves_out_is_named_at_the_loop(mark: Marking) -> None:
    source = edited(EX07, ('("W_query", "W_key", "W_value"):', '("W_query", "W_key"):'))

    verdict = verdicts(mark(with_module(EX07, source), EX07))["ex07.copy"]

    assert verdict.remark == "`('W_query', 'W_key')` leaves out `W_value`, which the target keeps as it was"
    assert verdict.line == line_of(source, "for role in")
    assert not any(note.startswith("The copy leaves") for note in verdict.notes)


def test_a_loop_over_the_parts_of_a_layer_is_not_said_to_leave_out_a_layer(mark: Marking) -> None:
    copying = """def copy_weights(source_v2, target_v1):
    with torch.no_grad():
        for name, weight in list(target_v1.named_parameters())[:-1]:
            for part in ("weight", "bias"):
                value = getattr(source_v2.get_submodule(name), part)
                if value is not None and value.dim() == 2:
                    weight.copy_(value.T)
"""
    source = REFERENCE[EX07][: REFERENCE[EX07].index("def copy_weights")] + copying

    verdict = verdicts(mark(with_module(EX07, source), EX07))["ex07.copy"]

    assert "leaves out" not in (verdict.remark or "")
    assert "The copy leaves these weights of the target as they were, or a part of them: W_value." in verdict.notes


def test_a_copy_that_only_gives_names_is_told_what_writes(mark: Marking) -> None:
    copying = "def copy_weights(source_v2, target_v1):\n    W_query = source_v2.W_query.weight.T\n"
    source = REFERENCE[EX07][: REFERENCE[EX07].index("def copy_weights")] + copying

    verdict = verdicts(mark(with_module(EX07, source), EX07))["ex07.copy"]

    assert (verdict.remark or "").endswith("is written into: `target_v1.W_query.copy_(...)` under `torch.no_grad()`")
    assert verdict.line == line_of(source, "W_query = source_v2")


def test_a_copy_that_writes_nothing_into_its_target_is_told_at_the_line_that_copies(mark: Marking) -> None:
    source = edited(EX07, ("parameter.copy_(linear.weight.T)", "parameter = nn.Parameter(linear.weight.T)"))

    verdict = verdicts(mark(with_module(EX07, source), EX07))["ex07.copy"]

    assert (verdict.file, verdict.line) == (f"{EX07}.py", line_of(source, "parameter = nn.Parameter("))


def test_a_copy_of_three_roles_into_one_is_told_to_join_nothing(mark: Marking) -> None:
    source = edited(EX07, ("parameter.copy_(linear.weight.T)", "target_v1.W_query.copy_(linear.weight.T)"))

    verdict = verdicts(mark(with_module(EX07, source), EX07))["ex07.copy"]

    assert [each.id for each in verdict.diagnosis] == ["projection-reused"]
    assert not any("join them" in note for note in verdict.notes)


def test_a_bias_left_behind_is_not_named_on_a_case_without_one(mark: Marking) -> None:
    every = "torch.cat([linear.weight for linear in narrow])"
    source = edited(
        EX13,
        (
            f"wide.weight.copy_({every})",
            "for one in narrow:\n                wide.weight.copy_(one.weight.repeat(len(heads), 1))",
        ),
        ("if wide.bias is not None:", "if False:"),
    )

    verdict = verdicts(mark(with_module(EX13, source), EX13))["ex13.copy"]

    assert "(case wrapped)" in verdict.summary
    assert verdict.diagnosis == ()
    assert [note for note in verdict.notes if note.startswith("each turn of the loop writes over")]
    assert (verdict.file, verdict.line) == (f"{EX13}.py", line_of(source, "wide.weight.copy_(one.weight"))


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ('{"W_query": "W_key", "W_key": "W_query"}.get(role, role)', {"query-key-swapped"}),
        ('"W_key" if role == "W_query" else role', {"projection-reused"}),
        ('{"W_query": "W_value", "W_value": "W_query"}.get(role, role)', set()),
    ],
)
def test_a_copy_into_another_role_is_named_also_where_version_one_is_not_written(
    given: str, named: set[str], mark: Marking
) -> None:
    source = edited(EX07, ("linear = getattr(source_v2, role)", f"linear = getattr(source_v2, {given})"))

    copied = verdicts(mark({EX07: source}, EX07))["ex07.copy"]

    assert {each.id for each in copied.diagnosis} == named


@pytest.mark.parametrize("turned", ["keys @ queries.T", "(queries @ keys.T).T"])
def test_of_scores_on_their_side_it_is_said_that_the_queries_come_first(turned: str, mark: Marking) -> None:
    source = edited(EX06, ("queries @ keys.T", turned))

    (found,) = verdicts(mark(with_module(EX06, source), EX06))["ex06.output"].diagnosis

    assert (found.id, found.line) == ("query-key-swapped", line_of(source, turned))
    assert "the queries come first, so that each row of the scores is one query's" in found.message


def test_a_substitute_for_a_class_of_the_same_exercise_is_called_by_the_classs_name(mark: Marking) -> None:
    source = edited(EX07, ("queries @ keys.T", "queries @ keys"))

    copied = verdicts(mark({EX07: source}, EX07))["ex07.copy"]

    said = "graded with a substitute for ex06 and `SelfAttention_v2`, so that no mistake there counts here"
    assert (str(copied.status), copied.notes) == ("passed", (said,))


def test_a_list_for_a_tuple_is_accepted_and_said(mark: Marking) -> None:
    source = edited(EX04, ("return queries, keys, values", "return [queries, keys, values]"))

    verdict = verdicts(mark(with_module(EX04, source), EX04))["ex04.project"]

    assert str(verdict.status) == "passed"
    assert "a list for a tuple; accepted" in verdict.notes


@pytest.mark.parametrize(
    ("exercise", "result", "step"),
    [
        (EX10, "dropped @ values[..., :-7]", "ex10.dropout"),
        (EX10, "dropped @ values[..., :1]", "ex10.dropout"),
        (EX10, "(dropped @ values)[..., 0]", "ex10.dropout"),
        (EX10, "(dropped @ values)[..., :0]", "ex10.dropout"),
        (EX10, "(dropped @ values).sum()", "ex10.causality"),
        (EX10, "(dropped @ values)[:, :1]", "ex10.causality"),
        (EX10, "[]", "ex10.gradients"),
        (EX10, "{'context': dropped @ values}", "ex10.state"),
    ],
)
def test_a_result_of_another_form_is_the_students_fault_and_never_the_graders(
    exercise: str, result: str, step: str, mark: Marking
) -> None:
    source = edited(exercise, ("context: Tensor = dropped @ values", f"context = {result}"))

    report = mark(with_module(exercise, source), exercise)

    assert str(verdicts(report)[step].status) in ("failed", "error")
    assert verdicts(report)[step].summary


@pytest.mark.parametrize(
    "result",
    [
        "torch.rand(2, 5, 7)[..., 0]",
        "None",
        "1.0",
        "(before, after, before)",
        "before",
        "(before, 'x')",
        "torch.stack([before, after])[None]",
    ],
)
def test_two_numbers_of_another_form_are_the_students_fault_too(result: str, mark: Marking) -> None:
    source = edited(EX05, ("    return before, after", f"    return {result}"))

    verdict = verdicts(mark(with_module(EX05, source), EX05))["ex05.variance"]

    assert str(verdict.status) == "failed"
    assert ("expected a number" if "'x'" in result else "expected 2 numbers") in verdict.summary


@pytest.mark.parametrize(
    "result",
    [
        "None",
        "weights.sum()",
        "weights[:-1]",
        "weights.bool()",
        "weights.tolist()",
        "weights.to_sparse()",
        "weights * float('nan')",
    ],
)
def test_dropped_weights_of_another_form_are_the_students_fault_too(result: str, mark: Marking) -> None:
    source = edited(
        EX09, ("    return dropped", f"    return {result}"), ("        return weights\n", f"        return {result}\n")
    )

    report = mark(with_module(EX09, source), EX09)

    assert str(verdicts(report)["ex09.law"].status) == "failed"
    assert str(verdicts(report)["ex09.extremes"].status) == "failed"


@pytest.mark.parametrize(
    ("wrong", "line"),
    [
        (("before = products.var()", "before = products.std()"), "before = products.std()"),
        (("(queries * keys).sum(dim=-1)", "queries * keys"), "products = queries * keys"),
        (("products / dim**0.5", "products / dim**0.5 * 2"), "products / dim**0.5 * 2"),
        (("after = scaled_products.var()", "after = before / dim**0.5"), "after = before"),
    ],
)
def test_of_two_numbers_the_line_is_marked_that_makes_the_wrong_one(
    wrong: tuple[str, str], line: str, mark: Marking
) -> None:
    source = edited(EX05, wrong)

    verdict = verdicts(mark(with_module(EX05, source), EX05))["ex05.variance"]

    assert (verdict.diagnosis, verdict.line) == ((), line_of(source, line))


def test_of_a_layer_that_plays_two_roles_and_lacks_its_bias_both_are_told(mark: Marking) -> None:
    source = edited(
        EX12,
        ("self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)", "self.W_query = nn.Linear(d_in, d_out, bias=False)"),
        ("self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)", "self.W_key = self.W_query"),
    )

    verdict = verdicts(mark(with_module(EX12, source), EX12))["ex12.parameters"]

    assert "are one and the same parameter" in verdict.summary
    places = {found.id: found.line for found in verdict.diagnosis}
    assert places == {
        "bias-ignored": line_of(source, "d_out, bias=False)"),
        "projection-reused": line_of(source, "self.W_key = self.W_query"),
    }


JOINED_OTHERWISE = (
    "side_by_side = head_contexts.transpose(1, 2)\n        context = side_by_side.flatten(start_dim=2)",
    "context = head_contexts.permute(0, 2, 3, 1).flatten(2)",
)


@pytest.mark.parametrize(
    "other",
    [
        ("dropped = self.dropout(weights)\n", "self.dropout(weights)\n        dropped = weights\n"),
        ("self.mask[:num_tokens, :num_tokens]", "self.mask"),
    ],
)
def test_what_spoils_no_number_is_not_told_where_another_line_spoilt_them(
    other: tuple[str, str], mark: Marking
) -> None:
    source = edited(EX12, JOINED_OTHERWISE, other)

    verdict = verdicts(mark(with_module(EX12, source), EX12))["ex12.output"]

    assert (verdict.diagnosis, verdict.remark) == ((), None)
    assert verdict.stage is not None
    assert (verdict.stage.right, verdict.stage.line) == ("head_contexts", line_of(source, "permute(0, 2, 3, 1)"))


LEAVES_TORCH = (
    "    if training:\n        return (weights * 2).numpy()\n    if not training or p == 0:\n        return weights\n"
)
OF_SIX = "scores = torch.zeros(6)\n    for i in range(len(inputs)):\n        scores[i] = inputs[i] @ query\n"
WITH_LINES: dict[str, tuple[str, str, str, str, str]] = {
    "a loop that ends early": (
        EX01, edited(EX01, ("scores = inputs @ query\n", OF_SIX.replace("(6)", "(len(inputs))").replace("range(len(inputs))", "range(len(inputs) - 1)"))).replace("from torch", "import torch\nfrom torch"),
        "ex01.query", "leaves out the last one", "range(len(inputs) - 1)",
    ),
    "the example's size": (
        EX01, edited(EX01, ("scores = inputs @ query\n", OF_SIX)).replace("from torch", "import torch\nfrom torch"),
        "ex01.query", "is for 6 alone", "torch.zeros(6)",
    ),
    "products that nobody adds up": (
        EX04, edited(EX04, ("query @ key\n", "query * key\n")), "ex04.score", "adds nothing up", "query * key",
    ),
    "a mean of what the weights blend": (
        EX03, edited(EX03, ("context = weights @ inputs", "context = (weights[:, None] * inputs).mean(dim=0)")),
        "ex03.context", "where their sum is due", "mean(dim=0)",
    ),
    "queries that are turned in place of the keys": (
        EX06, edited(EX06, ("queries @ keys.T", "queries.T @ keys")), "ex06.output", "`queries @ keys.T`", "queries.T @ keys",
    ),
    "keys that are only cut anew": (
        EX10, edited(EX10, ("keys.transpose(1, 2)", "keys.view(x.shape[0], -1, num_tokens)")),
        "ex10.output", "`keys.transpose(-2, -1)`", "keys.view",
    ),
    "an argument that nothing reads": (
        EX02, edited(EX02, ("scores * factor", "scores * 2")), "ex02.sharpened", "nothing is made of `factor`", "scores * 2",
    ),
    "draws without the generator that lie where it lies": (
        EX05, edited(EX05, ("    keys = torch.randn(num_trials, dim, generator=generator, ", "    keys = torch.randn(num_trials, dim, ")),
        "ex05.variance", "does not take its numbers", "keys = torch.randn(",
    ),
    "the share to keep": (
        EX09, edited(EX09, (">= p", "< p"), ("/ (1 - p)", "/ p")), "ex09.law", "not the share to keep", "< p",
    ),
    "weights that are dropped together": (
        EX09, edited(EX09, ("torch.rand(weights.shape, ", "torch.rand(weights.shape[-1], ")), "ex09.law", "dropped", "weights.shape[-1]",
    ),
    "an early return that leaves torch": (
        EX09, edited(EX09, ("    if not training or p == 0:\n        return weights\n", LEAVES_TORCH)),
        "ex09.law", "Returned a numpy.ndarray; expected", ".numpy()",
    ),
    "a copy that turns the source's own weight": (
        EX07, edited(EX07, ("parameter.copy_(linear.weight.T)", "linear.weight.data = linear.weight.data.T\n            parameter.copy_(linear.weight)")),
        "ex07.copy", "source", "linear.weight.data = ",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WITH_LINES)
def test_what_is_wrong_is_said_with_the_line_that_has_to_change(name: str, mark: Marking) -> None:
    exercise, source, step, part, line = WITH_LINES[name]

    verdict = verdicts(mark(with_module(exercise, source), exercise))[step]

    said = [verdict.summary, *verdict.notes, *(found.message for found in verdict.diagnosis)]
    assert any(part in each for each in said)
    if name != "a copy that turns the source's own weight":
        assert verdict.diagnosis == ()
    places = [found.line for found in verdict.diagnosis] or [verdict.line, verdict.stage and verdict.stage.line]
    assert line_of(source, line) in places


def test_what_a_mistake_says_is_not_said_again_of_its_line(mark: Marking) -> None:
    source = edited(EX06, ("context = weights @ values", "context = weights @ x"))

    found = verdicts(mark(with_module(EX06, source), EX06))

    assert [each.id for each in found["ex06.output"].diagnosis] == ["values-unprojected"]
    assert not any("blends `x` itself" in note for each in found.values() for note in each.notes)


def test_credit_for_what_nothing_keeps_is_told_as_such(mark: Marking) -> None:
    source = edited(
        EX06,
        ("scaled = scores / keys.shape[-1] ** 0.5", "scores / keys.shape[-1] ** 0.5"),
        ("torch.softmax(scaled, dim=-1)", "torch.softmax(scores, dim=0)"),
        ("return context", "print(context)"),
    )

    verdict = verdicts(mark(with_module(EX06, source), EX06))["ex06.output"]

    assert [found.id for found in verdict.diagnosis] == ["scale-missing", "softmax-wrong-axis", "returns-none"]
    assert "output: 1 point, for what is right up to `scaled`, though that does not reach the result" in verdict.notes


def test_a_nested_tensor_is_called_one(mark: Marking) -> None:
    source = edited(
        EX01, ("scores = inputs @ inputs.T", "scores = torch.nested.nested_tensor([inputs @ row for row in inputs])")
    ).replace("from torch", "import torch\nfrom torch")

    summary = verdicts(mark(with_module(EX01, source), EX01))["ex01.all"].summary

    assert summary.startswith("Returned a nested tensor; expected a tensor of shape")


def test_scores_that_are_written_into_are_only_noted_where_all_is_right_behind_that(mark: Marking) -> None:
    source = edited(
        EX02,
        (
            "shifted = scores - scores.max()\n    exponentials = torch.exp(shifted)",
            "scores -= scores.max()\n    exponentials = torch.exp(scores)",
        ),
        ("exponentials / exponentials.sum()", "exponentials / exponentials.mean()"),
    )

    verdict = verdicts(mark(with_module(EX02, source), EX02))["ex02.stable"]

    assert verdict.diagnosis == ()
    assert "it writes into the caller's scores: better make a new tensor" in verdict.notes
    assert verdict.stage is not None
    assert verdict.stage.line == line_of(source, "exponentials.mean()")


def test_a_copy_that_exchanges_two_weights_is_marked_where_it_writes_the_first_of_them(mark: Marking) -> None:
    loop = REFERENCE[EX07][REFERENCE[EX07].index("        for role in") :]
    pairs = {"W_query": "W_query", "W_key": "W_value", "W_value": "W_key"}
    copies = "".join(f"        target_v1.{to}.copy_(source_v2.{its}.weight.T)\n" for to, its in pairs.items())
    source = edited(EX07, (loop, copies))

    verdict = verdicts(mark(with_module(EX07, source), EX07))["ex07.copy"]

    assert "`W_key` holds the source's W_value, where its W_key belongs" in verdict.notes
    assert verdict.line == line_of(source, "target_v1.W_key.copy_")


def test_a_copy_of_heads_that_exchanges_two_roles_is_marked_where_it_writes_the_first_of_them(mark: Marking) -> None:
    pairs = {"W_query": "W_query", "W_key": "W_value", "W_value": "W_key"}
    joined = "torch.cat([head.{its}.weight for head in wrapper.heads])"
    copies = "".join(f"        split.{to}.weight.copy_({joined.format(its=its)})\n" for to, its in pairs.items())
    source = f"{BEFORE_COPY}\n\ndef copy_heads(wrapper, split):\n    with torch.no_grad():\n{copies}"

    verdict = verdicts(mark(with_module(EX13, source), EX13))["ex13.copy"]

    assert "`W_key.weight` holds the source's W_value, where its W_key belongs" in verdict.notes
    assert verdict.line == line_of(source, "split.W_key.weight.copy_")


def test_of_one_result_for_three_no_other_is_said_to_be_made_in_vain(mark: Marking) -> None:
    source = edited(EX04, ("return queries, keys, values", "return queries"))

    verdict = verdicts(mark(with_module(EX04, source), EX04))["ex04.project"]

    assert verdict.summary.startswith("Returned a tensor of shape (6, 2); expected 3 tensors in a tuple")
    assert (verdict.notes, verdict.line) == ((), line_of(source, "return queries"))


def test_of_two_results_for_three_it_is_not_said_that_one_of_them_is_a_stage(mark: Marking) -> None:
    source = edited(EX04, ("return queries, keys, values", "return queries, keys"))

    verdict = verdicts(mark(with_module(EX04, source), EX04))["ex04.project"]

    assert verdict.summary.startswith("Returned a tuple of 2; expected 3 tensors in a tuple")
    assert (verdict.notes, verdict.line) == ((), line_of(source, "return queries, keys"))


def test_of_a_result_with_nan_what_makes_that_is_told_before_anything_else(mark: Marking) -> None:
    cut = "keys.reshape(x.shape[0], self.num_heads, self.head_dim, num_tokens)"
    source = edited(EX12, ("keys.transpose(2, 3)", cut), ("diagonal=1", "diagonal=0"))

    verdict = verdicts(mark(with_module(EX12, source), EX12))["ex12.output"]

    assert verdict.remark is not None
    assert "softmax makes NaN of that" in verdict.remark


STABLE = """\
import torch


def rows(scores):
    e = torch.exp(scores - scores.max())
    return e / e.sum(dim=-1, keepdim=True)


def divided(scores, width):
    return scores / width**0.5
"""
# What is wrong in the other file, the step that shows it, and the line that holds it.
IN_ANOTHER_FILE = {
    "a known mistake": ("dim=-1", "dim=0", "ex05.attention", "dim=0"),
    "a piece that is all that is wrong": ("width**0.5", "width**0.25", "ex05.scaled", "0.25"),
    "an exception": ("torch.exp(", "torch.maximum(", "ex05.attention", "torch.maximum("),
}


@pytest.mark.parametrize("name", IN_ANOTHER_FILE)
@pytest.mark.parametrize(
    ("brought", "before"), [("from stable import divided, rows", ""), ("import stable", "stable.")]
)
def test_what_is_wrong_in_another_file_of_the_student_is_told_there(
    brought: str, before: str, name: str, mark: Marking
) -> None:
    right, wrong, step, line = IN_ANOTHER_FILE[name]
    source = edited(
        EX05,
        ("from torch import Tensor\n", f"from torch import Tensor\n{brought}\n"),
        ("torch.softmax(scaled, dim=-1)", f"{before}rows(scaled)"),
        ("scores / keys.shape[-1] ** 0.5", f"{before}divided(scores, keys.shape[-1])"),
    )
    stable = STABLE.replace(right, wrong)

    verdict = verdicts(mark({EX05: source, "stable": stable}, EX05, tries=True))[step]

    place = next(iter((found.file, found.line) for found in verdict.diagnosis), (verdict.file, verdict.line))
    assert place == ("stable.py", line_of(stable, line))


def test_who_divides_by_a_root_what_a_function_has_divided_needlessly_is_told_to_begin_there(mark: Marking) -> None:
    scored = ("score = query @ key", "score = query @ key / key.shape[-1] ** 0.5")
    one_by_one = ("scores = keys @ query", "scores = torch.stack([attention_score(query, key) for key in keys])")
    unrooted = ("keys.shape[-1] ** 0.5", "keys.shape[-1]")

    twice = verdicts(mark({EX04: edited(EX04, one_by_one, scored)}, EX04))
    alone = verdicts(mark({EX04: edited(EX04, unrooted, scored)}, EX04))  # which does not call it

    cause = twice["ex04.context"].cause
    assert cause is not None
    assert cause.step == "ex04.score"
    assert alone["ex04.context"].cause is None


@pytest.mark.long
def test_who_calls_what_another_exercise_defines_wrongly_is_told_to_begin_there(mark: Marking) -> None:
    source = """\
import torch
from ex10_causal_attention import CausalAttention
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out // num_heads, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        return self.out_proj(torch.cat([head(x) for head in self.heads], dim=-1))
"""
    wrong = edited(EX10, ("queries @ keys.transpose(1, 2)", "(queries @ keys.transpose(1, 2)).abs()"))

    found = verdicts(mark({EX10: wrong, EX12: source}, EX10, EX12))

    cause = found["ex12.output"].cause
    assert cause is not None
    assert cause.step == "ex10.output"


# A number that is handed on by a name, the exercise, the step and the mistake; the line is where it gets that name.
BY_A_NAME = {
    "an axis": (EX10, ("class CausalAttention", "AXIS = 0\n\n\nclass CausalAttention"), ("dim=-1", "dim=AXIS"), "ex10.output", "softmax-wrong-axis"),
    "an axis of one's own": (EX10, ("        self.dropout =", "        self.axis = 1\n        self.dropout ="), ("dim=-1", "dim=self.axis"), "ex10.output", "softmax-wrong-axis"),
    "an axis of symmetric scores": (EX03, ("import torch\n", "import torch\n\nAXIS = 0\n"), ("dim=-1", "dim=AXIS"), "ex03.contexts", "softmax-wrong-axis"),
    "a diagonal": (EX10, ("class CausalAttention", "OFFSET = 2\n\n\nclass CausalAttention"), ("diagonal=1", "diagonal=OFFSET"), "ex10.output", "mask-diagonal"),
}  # fmt: skip


@pytest.mark.parametrize("name", BY_A_NAME)
def test_a_number_that_has_a_name_is_told_where_it_gets_it(name: str, mark: Marking) -> None:
    exercise, given, used, step, mistake = BY_A_NAME[name]
    source = edited(exercise, given, used)

    verdict = verdicts(mark(with_module(exercise, source), exercise, tries=True))[step]

    called = next(word for word in ("AXIS = ", "self.axis = ", "OFFSET = ") if word in source)
    assert [(found.id, found.line) for found in verdict.diagnosis] == [(mistake, line_of(source, called))]


def test_a_decorated_function_begins_with_its_def(mark: Marking) -> None:
    source = edited(
        EX03, ("def context_vectors(inputs: Tensor)", "@torch.no_grad()\ndef context_vectors(inputs: Tensor, other)")
    )

    verdict = verdicts(mark(with_module(EX03, source), EX03))["ex03.contexts"]

    assert (verdict.status, verdict.line) == ("failed", line_of(source, "def context_vectors("))


def test_what_a_module_writes_into_its_input_is_no_other_modules_doing(mark: Marking) -> None:
    source = (ROOT / "tests/suite/wrong" / EX10 / "x_turned_in_place.py").read_text("utf-8")

    found = verdicts(mark(with_module(EX10, source), EX10))

    for step in ("output", "shorter", "bias"):
        verdict = found[f"ex10.{step}"]
        assert [(each.id, each.line) for each in verdict.diagnosis] == [
            ("input-mutated", line_of(source, "transpose_"))
        ]
        assert "Once another" not in verdict.summary


COPIES_W_QUERY = """

def copy_heads(wrapper, split):
    with torch.no_grad():
        split.W_query.weight.copy_(torch.cat([head.W_query.weight for head in wrapper.heads]))
"""
Q_PROJ = (("self.W_query = ", "self.q_proj = "), ("self.W_query(x)", "self.q_proj(x)"))
BEFORE_COPY = REFERENCE[EX13].partition("\n\ndef copy_heads")[0]


@pytest.mark.parametrize(("step", "owner"), [("copy", "SplitHeadAttention"), ("copy-multi", "MultiHeadAttention")])
def test_a_copy_that_asks_for_another_name_is_told_what_the_class_calls_it(
    step: str, owner: str, mark: Marking
) -> None:
    split = BEFORE_COPY
    for old, new in Q_PROJ if owner == "SplitHeadAttention" else ():
        split = split.replace(old, new)
    modules = {**REFERENCE, EX12: edited(EX12, *Q_PROJ), EX13: split + COPIES_W_QUERY}

    verdict = verdicts(mark(modules, EX13))[f"ex13.{step}"]

    assert verdict.summary.endswith(f"; in `{owner}` it is called `q_proj`.") or verdict.summary.endswith(
        f"; in `{owner}` it is called `q_proj`"
    )


def test_a_copy_into_layers_that_are_one_is_told_what_there_is(mark: Marking) -> None:
    split = BEFORE_COPY.replace("self.W_query = nn.Linear(d_in, ", "self.qkv = nn.Linear(d_in, 3 * ")
    split = re.sub(r" *self\.W_(key|value) = .*\n", "", split)
    split = split.replace(
        "projected_queries = self.W_query(x)",
        "projected_queries, projected_keys, projected_values = self.qkv(x).chunk(3, -1)",
    )
    split = re.sub(r" *projected_(keys|values) = self\.W_.*\n", "", split)

    verdict = verdicts(mark(with_module(EX13, split + COPIES_W_QUERY), EX13))["ex13.copy"]

    assert "`SplitHeadAttention` has layers called `qkv`" in verdict.summary


@pytest.mark.parametrize("call", ["super.__init__()", "super().__init__", "nn.Module.__init__()"])
def test_a_parent_that_is_not_called_as_it_has_to_be_is_told_with_its_line(call: str, mark: Marking) -> None:
    source = edited(EX10, ("super().__init__()", call))

    verdict = verdicts(mark(with_module(EX10, source), EX10))["ex10.output"]

    assert "`__init__` has to begin with `super().__init__()`" in verdict.summary
    assert verdict.line == line_of(source, f"        {call}")


def test_a_misspelt_dot_is_named(mark: Marking) -> None:
    source = "import torch\n" + edited(
        EX01, ("inputs @ query", "torch.stack([torch.dott(one, query) for one in inputs])")
    )

    verdict = verdicts(mark(with_module(EX01, source), EX01))["ex01.query"]

    assert [found.id for found in verdict.diagnosis] == ["api-misspelt"]
    assert "did you mean `dot`" in verdict.summary


def test_a_comment_about_masks_is_no_mask(mark: Marking) -> None:
    source = edited(
        EX10,
        ("scaled = scores / keys.shape[-1] ** 0.5", "scaled = scores.relu() + scores  # no mask yet, and no scale"),
    )

    verdict = verdicts(mark(with_module(EX10, source), EX10))["ex10.output"]

    assert verdict.stage is not None
    assert verdict.stage.wrong == "scaled"


def test_of_what_crashes_alike_no_mistake_is_named_that_the_source_has_not(mark: Marking) -> None:
    joined = "side_by_side = head_contexts.transpose(1, 2)\n        context = side_by_side.flatten(start_dim=2)"
    source = edited(EX12, (joined, "context = head_contexts.flatten(2)"))

    verdict = verdicts(mark(with_module(EX12, source), EX12))["ex12.output"]

    assert (verdict.status, verdict.diagnosis) == ("error", ())


def test_gradients_that_are_kept_away_by_what_is_told_come_of_no_other_step(mark: Marking) -> None:
    queries = "        queries = self.W_query(x)\n"
    source = edited(
        EX07,
        (queries, "        with torch.no_grad():\n            queries = self.W_query(x)\n"),
        ("scores = queries @ keys.T", "scores = keys @ queries.T"),
    )

    gradients = verdicts(mark(with_module(EX07, source), EX07))["ex07.gradients"]

    assert "no_grad" in gradients.remark
    assert gradients.cause is None
