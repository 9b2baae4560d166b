"""A solution that goes wrong half-way is told how far it was right, and gets the credit that the rubric states."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest

from grader.model.report import Stage, Verdict
from grader.pack.fixtures import Fixtures

from .submissions import EX02, EX05, EX06, EX10, EX12, Marking, edited, verdicts, with_module

# Graded in passing: what is measured are the tests of each module.
pytestmark = pytest.mark.no_cover

LAYERS = "".join(
    f"        self.W_{name} = nn.Linear(d_in, d_out, bias=qkv_bias)\n" for name in ("query", "key", "value")
)
PROJECTED = "        queries = self.W_query(x)\n        keys = self.W_key(x)\n        values = self.W_value(x)\n"
ROLES = ("queries", "keys", "values")
SCORES = "scores = queries @ keys.transpose(1, 2)\n"
SCALED = "scaled = scores / keys.shape[-1] ** 0.5\n"
FORWARD = "context: Tensor = dropped @ values\n"
LOOP = """context = torch.zeros(x.shape[0], num_tokens, values.shape[-1])
        for b in range(x.shape[0]):
            for t in range(num_tokens):
                own = keys[b, : t + 1] @ queries[b, t] / keys.shape[-1] ** 0.5
                context[b, t] = torch.softmax(own, dim=-1) @ values[b, : t + 1]
        context = context + 1
"""
FUSED = """context = nn.functional.scaled_dot_product_attention(queries, keys, values, is_causal=True) + 1
"""
BODY = edited(EX10)[edited(EX10).index("scores = queries") : edited(EX10).index("        return context")]


EX05_BODY = """scaled = scaled_scores(queries, keys)
    weights = torch.softmax(scaled, dim=-1)
    context = weights @ values
    return context
"""


def output(mark: Marking, exercise: str, source: str) -> Verdict:
    return verdicts(mark(with_module(exercise, source), exercise))[f"{exercise[:4]}.output"]


def test_right_weights_are_worth_something_where_the_context_is_wrong(mark: Marking) -> None:
    verdict = output(mark, EX10, edited(EX10, (FORWARD, "context = dropped @ values * 1.5\n")))

    assert (verdict.status, verdict.score) == ("partial", 2)
    assert "output: 2 points, for what is right up to `weights`" in verdict.notes
    assert verdict.stage is not None
    assert (verdict.stage.right, verdict.stage.line) == ("context", 33)


def fused(order: Sequence[str], *edits: tuple[str, str]) -> str:
    """Exercise 10 with one layer for all roles, which lie in it in that order."""
    together = (LAYERS, "        self.qkv = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)\n")
    return edited(EX10, together, (PROJECTED, f"        {', '.join(order)} = self.qkv(x).chunk(3, dim=-1)\n"), *edits)


@pytest.mark.parametrize("order", [*itertools.permutations(ROLES)])
def test_right_weights_are_worth_the_same_whatever_order_the_roles_lie_together_in(
    order: tuple[str, str, str], mark: Marking
) -> None:
    source = fused(order, (FORWARD, "context = torch.tanh(dropped @ values)\n"))

    verdict = output(mark, EX10, source)

    assert (verdict.status, verdict.score) == ("partial", 2)
    assert "output: 2 points, for what is right up to `weights`" in verdict.notes


@pytest.mark.parametrize(
    "edits",
    [
        pytest.param([(FORWARD, "context = dropped @ keys\n")], id="keys blended"),
        pytest.param([(SCORES, "scores = queries @ queries.transpose(1, 2)\n")], id="queries with queries"),
        pytest.param([(SCORES, "scores = queries @ values.transpose(1, 2)\n")], id="queries with values"),
        pytest.param(
            [(SCALED, "scaled = scores\n"), (FORWARD, "context = dropped @ keys\n")], id="unscaled and keys blended"
        ),
    ],
)
def test_a_role_taken_for_another_is_told_and_worth_the_same_whatever_order_they_lie_together_in(
    edits: list[tuple[str, str]], mark: Marking
) -> None:
    found = []
    for order in itertools.permutations(ROLES):
        verdict = output(mark, EX10, fused(order, *edits))
        found.append((verdict.score, verdict.notes, [(each.id, each.line) for each in verdict.diagnosis]))

    assert {name for name, _ in found[0][2]} >= {"projection-reused"}
    assert found == [found[0]] * len(found)


@pytest.mark.parametrize("order", [*itertools.permutations(ROLES)])
def test_a_mistake_is_named_whatever_order_the_roles_lie_together_in_head_by_head(
    order: tuple[str, str, str], mark: Marking
) -> None:
    source = edited(EX12, ("scaled = scores / keys.shape[-1] ** 0.5", "scaled = scores"))
    layers, projected, split = (
        source[source.index(first) : source.index(behind)]
        for first, behind in (
            ("        self.W_query", "        self.out_proj"),
            ("projected_queries", "queries = self.split"),
            ("queries = self.split", "scores = "),
        )
    )
    parts = "self.qkv(x).unflatten(-1, (self.num_heads, 3, self.head_dim)).permute(3, 0, 2, 1, 4)"
    source = source.replace(layers, "        self.qkv = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)\n")
    source = source.replace(projected, "").replace(split, f"{', '.join(order)} = {parts}\n\n        ")

    assert [found.id for found in output(mark, EX12, source).diagnosis] == ["scale-missing"]


def test_a_stage_that_is_made_and_let_go_is_said_not_to_reach_the_result(mark: Marking) -> None:
    verdict = output(mark, EX10, edited(EX10, ("masked = scaled.masked_fill", "masked = scores.masked_fill")))

    assert ([each.id for each in verdict.diagnosis], verdict.score) == (["scale-missing"], 1)
    assert "output: 1 point, for what is right up to `scaled`, though that does not reach the result" in verdict.notes


def test_a_later_stage_of_a_detour_does_not_reach_the_result_either(mark: Marking) -> None:
    detour = """scores = queries @ keys.T
    unscaled = torch.softmax(scores, dim=-1)
    weights = torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1)
    return unscaled @ values
"""
    source = edited(EX05, (EX05_BODY, detour))

    verdict = verdicts(mark(with_module(EX05, source), EX05))["ex05.attention"]

    assert ([each.id for each in verdict.diagnosis], verdict.score) == (["scale-missing"], 1)
    said = "attention: 1 point, for what is right up to `weights`, though that does not reach the result"
    assert said in verdict.notes


def test_what_is_nearly_right_is_not_said_to_be_right_up_to_there(mark: Marking) -> None:
    source = edited(EX05, ("queries @ keys.T", "1.00001 * queries @ keys.T"))

    verdict = verdicts(mark(with_module(EX05, source), EX05))["ex05.attention"]

    assert verdict.score == 1
    assert "attention: 1 point, for what is nearly right up to `weights`" in verdict.notes


def test_scores_that_are_right_are_worth_less(mark: Marking) -> None:
    verdict = output(mark, EX10, edited(EX10, ("torch.softmax(masked, dim=-1)", "torch.sigmoid(masked)")))

    assert (verdict.status, verdict.score) == ("partial", 1)
    assert verdict.stage == Stage("masked", "weights", f"{EX10}.py", 31)


@pytest.mark.parametrize("returned", ["weights", "weights, context"])
def test_a_stage_that_is_returned_in_place_of_the_result_is_told_with_that_line(returned: str, mark: Marking) -> None:
    verdict = output(mark, EX10, edited(EX10, ("return context", f"return {returned}")))

    assert "what you return is `weights`, and not the result" in verdict.notes
    assert (verdict.score, verdict.stage, verdict.line) == (2, None, 34)


def test_what_comes_to_a_stage_on_one_case_alone_is_not_told_to_be_it(mark: Marking) -> None:
    rounded = edited(
        EX05, ("scores / keys.shape[-1] ** 0.5", "scores / int(keys.shape[-1] ** 0.5)")
    )  # 1 for a width of 2

    verdict = verdicts(mark(with_module(EX05, rounded), EX05))["ex05.scaled"]

    assert verdict.status == "failed"
    assert "what you return is `scores`, and not the result" not in verdict.notes


def test_where_a_line_says_what_to_change_what_is_returned_in_place_of_the_result_is_told_below_it(
    mark: Marking,
) -> None:
    lost = ("context: Tensor = dropped @ values\n        return context", "dropped @ values\n        return dropped")

    verdict = output(mark, EX10, edited(EX10, lost))

    said = "`dropped @ values` gives a new tensor that nothing keeps: write `dropped = dropped @ values`"
    assert (verdict.remark, verdict.line, verdict.stage) == (said, 33, None)
    assert "what you return is `weights`, and not the result" in verdict.notes


def test_a_stage_goes_wrong_in_the_line_that_a_note_speaks_of(mark: Marking) -> None:
    cut = ("num_tokens, self.num_heads, self.head_dim)", "num_tokens, self.head_dim, self.num_heads)")

    verdict = output(mark, EX12, edited(EX12, cut))

    assert any("num_heads has to come before head_dim" in note for note in verdict.notes)
    assert verdict.stage is not None
    assert (verdict.stage.wrong, verdict.stage.line) == ("scores", 38)


def test_a_mistake_is_not_told_of_a_line_that_never_ran(mark: Marking) -> None:
    early = """by_head = self.out_proj(dropped @ values).transpose(1, 2)
        return by_head.contiguous().view(x.shape[0], num_tokens, -1)
"""
    body = edited(EX12)[edited(EX12).index("head_contexts = ") :]

    verdict = output(mark, EX12, edited(EX12, (body, early)))

    assert verdict.summary.startswith("RuntimeError: mat1 and mat2 shapes cannot be multiplied")
    assert verdict.diagnosis == ()


def test_a_mistake_is_not_told_of_a_line_that_never_ran_where_another_line_is_why(mark: Marking) -> None:
    made = [
        (
            f"self.W_{name} = nn.Parameter(torch.rand(d_in, d_out))",
            f"self.W_{name} = nn.Parameter(torch.rand(d_out, d_in))",
        )
        for name in ("query", "key", "value")
    ]
    blended = ("context = weights @ values", 'context = torch.einsum("ij,jd->id", weights, values)')

    verdict = output(mark, EX06, edited(EX06, *made, blended))

    assert "has d_out before d_in" in verdict.summary
    assert verdict.diagnosis == ()


def test_nothing_right_is_worth_nothing(mark: Marking) -> None:
    verdict = output(mark, EX10, edited(EX10, ("queries = self.W_query(x)", "queries = self.W_query(x * 1.3)")))

    assert (verdict.status, verdict.score) == ("failed", 0)
    assert verdict.stage == Stage("", "queries", f"{EX10}.py", 24)


@pytest.mark.parametrize("body", [LOOP, FUSED], ids=["a loop over tokens", "a fused kernel"])
def test_another_way_to_the_same_stage_is_worth_the_same(body: str, mark: Marking) -> None:
    verdict = output(mark, EX10, edited(EX10, (BODY, body)))

    assert (verdict.status, verdict.score) == ("partial", 2)


def test_a_table_of_the_public_cases_earns_no_credit(mark: Marking) -> None:
    pasted = f"TABLE = {_public_weights(mark)!r}\n\n\nclass CausalAttention"
    forward = FORWARD + "        for rows in TABLE:\n            torch.tensor(rows) * 1\n"
    wrong = ("torch.softmax(masked, dim=-1)", "torch.sigmoid(masked)")

    verdict = output(mark, EX10, edited(EX10, ("class CausalAttention", pasted), wrong, (FORWARD, forward)))

    assert verdict.score == 1  # for its own scores; nothing for the weights in the table


def _public_weights(mark: Marking) -> list[object]:
    """The weights of every public case, as a student could read them from the fixtures."""
    exercise = mark.pack.exercise(EX10)
    step = next(step for step in exercise.steps if step.id == "ex10.output")
    return [Fixtures(mark.pack).stages(exercise, step, case).values["weights"].tolist() for case in step.cases]


def test_heads_that_were_cut_wrongly_are_told_where_the_scores_are_due(mark: Marking) -> None:
    source = edited(EX12, ("split.transpose(1, 2)", "split.transpose(1, 2).flip(-1).cumsum(1)"))

    verdict = output(mark, EX12, source)

    assert verdict.stage is not None
    assert (verdict.stage.wrong, verdict.stage.line) == ("scores", 39)


def test_of_dropout_behind_heads_that_were_cut_wrongly_it_is_not_said_what_to_drop(mark: Marking) -> None:
    cut = """        split = projected.view(batch_size, num_tokens, self.num_heads, self.head_dim)
        by_head = split.transpose(1, 2)
"""
    uncut = "        by_head = projected.view(batch_size, self.num_heads, num_tokens, self.head_dim)\n"

    found = verdicts(mark(with_module(EX12, edited(EX12, (cut, uncut))), EX12))["ex12.dropout"]

    assert found.cause is not None
    assert found.summary.startswith("Nothing can be said of dropout yet: with p = 0")


def test_a_softmax_that_overflows_is_told_in_words_what_is_due(mark: Marking) -> None:
    source = edited(EX02, ("shifted = scores - scores.max()", "shifted = scores"))

    stage = verdicts(mark(with_module(EX02, source), EX02))["ex02.stable"].stage

    assert stage is not None
    assert (stage.wrong, stage.meaning) == (
        "shifted", "the scores once their largest is taken off, so that none is too large for `exp`",
    )  # fmt: skip


def test_a_sum_over_the_wrong_numbers_is_marked_and_not_the_exponentials_before_it(mark: Marking) -> None:
    source = edited(EX02, ("exponentials / exponentials.sum()", "exponentials / (exponentials.sum() + 1)"))

    stage = verdicts(mark(with_module(EX02, source), EX02))["ex02.softmax"].stage

    assert stage is not None
    assert source.split("\n")[stage.line - 1].lstrip().startswith("weights = ")


def test_what_no_line_is_known_of_is_told_where_the_function_gives_its_result(mark: Marking) -> None:
    source = "import torch\ndef softmax(scores):\n    # by torch\n    return torch.softmax(scores, -1)\n"

    by_hand = verdicts(mark({EX02: source}, EX02))["ex02.by-hand"]

    assert (by_hand.status, by_hand.line) == ("failed", 4)


@pytest.mark.parametrize(
    ("exercise", "change"),
    [
        (EX06, ("scores = queries @ keys.T", "scores = keys @ queries.T")),
        (EX10, ("scores = queries @ keys.transpose(1, 2)", "scores = keys @ queries.transpose(1, 2)")),
    ],
)
def test_scores_of_queries_and_keys_that_are_exchanged_are_not_said_to_be_right_but_for_their_side(
    exercise: str, change: tuple[str, str], mark: Marking
) -> None:
    verdict = output(mark, exercise, edited(exercise, change))

    assert ([each.id for each in verdict.diagnosis], verdict.score) == (["query-key-swapped"], 1)
    assert "output: 1 point, for `scaled`, whose numbers are right and lie on their side" in verdict.notes
