"""Where no mistake is known, the piece that is all that is wrong is told, and its line; two of them as well."""
# ruff: noqa: E501 - a mistake and what is said of it read best side by side

from __future__ import annotations

import pytest

from grader.model.report import Status, Verdict
from tests.sampling import every_time
from tests.suite.reading import Wrong, wrong

from .submissions import (
    EX01,
    EX02,
    EX03,
    EX04,
    EX05,
    EX07,
    EX08,
    EX09,
    EX10,
    EX11,
    EX12,
    EX13,
    Marking,
    edited,
    verdicts,
    with_module,
)

# Graded in passing: what is measured are the tests of each module.
pytestmark = pytest.mark.no_cover

REST = "; the rest is right as it stands"
# A module, the step that shows what is wrong, what is said, and what stands in the line that is marked.
ONE = {
    "an axis": (
        EX01, edited(EX01, ("    scores = inputs @ query\n", "    scores = (inputs * query).sum(dim=0)\n")),
        "ex01.query", f"all that is wrong is `dim=0`{REST}", ".sum(dim=0)",
    ),
    "a number, in one of several results": (
        EX04, edited(EX04, ("return queries, keys, values", "return queries, keys, values * 2")),
        "ex04.project", f"all that is wrong is `* 2` in `values * 2`{REST}", "values * 2",
    ),
    "a name where another is due, told by what a step beside it asks": (
        EX02, edited(EX02, ("exponentials / exponentials.sum()", "torch.exp(scores) / exponentials.sum()")),
        "ex02.softmax", f"all that is wrong is `scores` in `torch.exp(scores)`{REST}", "torch.exp(scores) /",
    ),
    "a quotient for a difference": (
        EX02, edited(EX02, ("scores - scores.max()", "scores / scores.max()")),
        "ex02.softmax", f"all that is wrong is `scores / scores.max()`{REST}", "scores / scores.max()",
    ),
    "an axis that is not kept": (
        EX08, edited(EX08, ("torch.softmax(masked, dim=-1)", "masked.exp() / masked.exp().sum(-1)")),
        "ex08.weights", f"all that is missing is `keepdim=True` in `masked.exp().sum(-1)`, which keeps the axis{REST}", "sum(-1)",
    ),
    "a loop over half": (
        EX01, edited(EX01, ("    scores = inputs @ inputs.T\n", """\
    scores = inputs.new_zeros(len(inputs), len(inputs))
    for i in range(len(inputs)):
        for j in range(i, len(inputs)):
            scores[i, j] = inputs[i] @ inputs[j]
""")),
        "ex01.all", f"all that is wrong is `range(i, len(inputs))`{REST}", "range(i, len(inputs))",
    ),
    "a function, in a method": (
        EX10, edited(EX10, ("torch.softmax(masked, dim=-1)", "torch.softmax(masked.exp(), dim=-1)")),
        "ex10.output", f"all that is wrong is `masked.exp()`{REST}", "masked.exp()",
    ),
    "a number, in another function": (
        EX13, edited(EX13, ("scaled = scores / ", "scaled = 1.5 * scores / ")), "ex13.output", f"all that is wrong is `1.5 * scores`{REST}", "1.5",
    ),
    "something forgotten": (
        EX03, edited(EX03, ("    context = weights @ inputs\n", "    context = weights[:, None] * inputs\n    context = context.T\n")),
        "ex03.context", f"all that is missing is one more step with `context.T`{REST}", "context.T",
    ),
    "an order": (
        EX11, edited(EX11, ("        context = torch.cat(contexts, dim=-1)\n", """\
        context = contexts[0]
        for one in contexts[1:]:
            context = torch.cat((one, context), dim=-1)
""")),
        "ex11.output", f"all that is wrong is `(one, context)`{REST}", "(one, context)",
    ),
    "a sign that infinity lacks, and not the sum that it is a part of": (
        EX08, edited(EX08, ("    masked = scores.masked_fill(mask, -torch.inf)\n", """\
    hidden = torch.where(mask, float("inf"), 0.0)
    shape = scores.shape
    hidden = hidden.expand(shape)
    masked = scores + hidden
""")),
        "ex08.masked", f"all that is wrong is `'inf'` in `float('inf')`{REST}", 'float("inf")',
    ),
    "a fill that is too small": (
        EX10, edited(EX10, ("scaled.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)", "scaled + self.mask[:num_tokens, :num_tokens] * -10.0")),
        "ex10.output", f"all that is wrong is `-10.0` in `self.mask[:num_tokens, :num_tokens] * -10.0`: that is a low score and not minus infinity, so beside scores as low as that it hides nothing{REST}", "-10.0",
    ),
    "a fill that is no lower than other scores": (
        EX10, edited(EX10, (":num_tokens], -torch.inf)", ":num_tokens], -1.0)")),
        "ex10.output", f"all that is wrong is `-1.0` in `scaled.masked_fill(…, -1.0)`: that is a score like any other, and it takes minus infinity to hide one{REST}", "-1.0",
    ),
    "two pieces": (
        EX10, edited(EX10, ("scores = queries @ keys.transpose(1, 2)", "scores = queries @ keys.transpose(1, 2) * 3"), ("torch.softmax(masked, dim=-1)", "torch.softmax(masked * 0.9, dim=-1)")),
        "ex10.output", f"all that is wrong is `* 3` in `queries @ keys.transpose(1, 2) * 3` and, in line 31, `* 0.9` in `masked * 0.9`{REST}", "* 3",
    ),
}  # fmt: skip
# What is raised for it, in the line that is marked or elsewhere.
RAISING = {
    "an axis": (EX10, edited(EX10, ("keys.transpose(1, 2)", "keys.transpose(0, 1)")), "ex10.output", f"all that is wrong is `0` in `keys.transpose(0, 1)`{REST}", "keys.transpose(0, 1)"),
    "what is not turned": (EX05, edited(EX05, ("queries @ keys.T", "queries @ keys")), "ex05.scaled", f"all that is wrong is `queries @ keys`{REST}", "queries @ keys"),
    "a size": (EX12, edited(EX12, ("num_tokens, self.num_heads, self.head_dim)", "num_tokens, self.num_heads, self.num_heads)")), "ex12.output", "all that is wrong is `self.num_heads` in `projected.view(…, self.num_heads)`" + REST, "projected.view("),
    "heads that are never turned back": (EX12, edited(EX12, ("        side_by_side = head_contexts.transpose(1, 2)\n", ""), ("side_by_side.flatten(start_dim=2)", "head_contexts.flatten(start_dim=2)")), "ex12.output", f"all that is wrong is `head_contexts.flatten(start_dim=2)`{REST}", "head_contexts.flatten"),
    "a number that is kept": (EX13, edited(EX13, ("self.head_dim = d_out", "self.head_dim = d_out // num_heads")), "ex13.output", f"all that is wrong is `d_out // num_heads`{REST}", "d_out // num_heads"),
    "a view of what was turned": (EX12, edited(EX12, ("side_by_side.flatten(start_dim=2)", "side_by_side.view(x.shape[0] * num_tokens, -1).view(x.shape[0], num_tokens, -1)")), "ex12.output", f"all that is wrong is `side_by_side.view(x.shape[0] * num_tokens, -1)`{REST}", "side_by_side.view("),
}  # fmt: skip
UNKNOWN = [each for each in wrong() if not each.ids]


def told(mark: Marking, exercise: str, source: str, step: str) -> Verdict:
    return verdicts(mark(with_module(exercise, source), exercise, tries=True))[step]


@pytest.mark.parametrize("name", every_time(["an axis", "a size"], RAISING))
def test_a_piece_for_which_something_is_raised_is_told_with_its_line(name: str, mark: Marking) -> None:
    exercise, source, step, said, line = RAISING[name]

    verdict = told(mark, exercise, source, step)

    assert (verdict.status, verdict.remark) == ("error", said)
    assert verdict.line == next(n for n, text in enumerate(source.splitlines(), 1) if line in text)


@pytest.mark.parametrize(
    "name", every_time(["an axis", "a function, in a method", "something forgotten", "two pieces"], ONE)
)
def test_a_piece_that_is_all_that_is_wrong_is_told_with_its_line(name: str, mark: Marking) -> None:
    exercise, source, step, said, line = ONE[name]

    verdict = told(mark, exercise, source, step)

    assert verdict.remark == said
    assert not verdict.diagnosis
    assert line in source.splitlines()[verdict.line - 1]


def test_an_argument_that_nothing_reads_is_not_told_beside_the_piece_that_is_to_read_it(mark: Marking) -> None:
    source = edited(
        EX05,
        ("    scaled = scaled_scores(queries, keys)\n", ""),
        ("torch.softmax(scaled, dim=-1)", "torch.softmax(scaled_scores(queries, values), dim=-1)"),
    )

    verdict = told(mark, EX05, source, "ex05.attention")

    assert verdict.remark == f"all that is wrong is `values` in `scaled_scores(queries, values)`{REST}"
    assert verdict.notes == (verdict.remark,)


def test_what_is_wrong_beside_what_is_told_of_another_line_is_told_too(mark: Marking) -> None:
    source = edited(
        EX04,
        ("keys.shape[-1] ** 0.5", "keys.shape[0] ** 0.5"),
        ("weights @ values", "(weights[:, None] * values).mean(dim=0)"),
    )

    verdict = told(mark, EX04, source, "ex04.context")

    assert verdict.remark and "takes the mean of the products" in verdict.remark
    line = source[: source.index("keys.shape[0]")].count("\n") + 1
    assert f"in line {line}, `0` in `keys.shape[0]` is wrong as well{REST}" in verdict.notes


def test_what_lacks_an_axis_is_told_beside_a_power_that_is_taken_first(mark: Marking) -> None:
    source = edited(
        EX08,
        ("d_k**0.5", "d_k ** 1/2"),
        ("torch.softmax(masked, dim=-1)", "masked.exp() / masked.exp().sum(-1)"),
    )

    verdict = told(mark, EX08, source, "ex08.weights")

    assert verdict.remark and "`d_k ** 1 / 2` is no root" in verdict.remark
    line = source[: source.index("masked.exp()")].count("\n") + 1
    assert f"in line {line}, `masked.exp().sum(-1)` without `keepdim=True` is wrong as well{REST}" in verdict.notes


def test_a_rest_that_another_step_finds_wrong_is_not_said_to_be_right(mark: Marking) -> None:
    source = edited(
        EX08, ("causal_mask(scores.shape[-1])", "causal_mask(len(scores))"), ("masked, dim=-1", "masked, dim=0")
    )

    verdict = told(mark, EX08, source, "ex08.weights")

    assert verdict.remark == "for this step, all that is wrong is `dim=0`"


@pytest.mark.parametrize(
    "other",
    [
        ("dropped = self.dropout(weights)", "dropped = weights"),
        pytest.param(('self.register_buffer("mask", torch.triu(everywhere, diagonal=1))', "self.mask = torch.triu(everywhere, diagonal=1)"), marks=pytest.mark.long),
        pytest.param(("self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)", "self.W_key = nn.Linear(d_in, d_out)"), marks=pytest.mark.long),
    ],
)  # fmt: skip
def test_a_rest_in_which_a_step_of_another_kind_finds_something_is_not_said_to_be_right(
    other: tuple[str, str], mark: Marking
) -> None:
    source = edited(EX10, ("keys.shape[-1] ** 0.5", "keys.shape[-1] ** 0.25"), other)

    assert (
        told(mark, EX10, source, "ex10.output").remark == "for this step, all that is wrong is `keys.shape[-1] ** 0.25`"
    )


@pytest.mark.long
def test_of_a_step_that_is_asked_with_a_stand_in_no_other_one_is_asked_so(mark: Marking) -> None:
    whole = "            wide.weight.copy_(torch.cat([linear.weight for linear in narrow]))\n"
    source = edited(EX13, (whole, """\
            width = narrow[0].weight.shape[0]
            for h, linear in enumerate(narrow):
                wide.weight[h : h + width] = linear.weight
"""))  # fmt: skip

    alone = {name: text for name, text in with_module(EX13, source).items() if name != EX12}

    verdict = verdicts(mark(alone, EX13, tries=True))["ex13.copy-multi"]

    assert verdict.remark == "for this step, all that is wrong is `wide.weight[h:h + width]`"


def test_a_rest_that_makes_use_of_what_is_wrong_is_not_said_to_be_right(mark: Marking) -> None:
    source = edited(
        EX05,
        ("scores / keys.shape[-1] ** 0.5", "scores / queries.shape[0] ** 0.5"),
        ("weights @ values", "weights * 0.5 @ values"),
    )

    verdict = told(mark, EX05, source, "ex05.attention")

    assert verdict.remark == "in `scaled_dot_product_attention` itself, all that is wrong is `* 0.5` in `weights * 0.5`"


def test_a_rest_that_calls_what_is_known_to_be_wrong_is_not_said_to_be_right(mark: Marking) -> None:
    source = edited(
        EX05,
        ("scores = queries @ keys.T", "scores = keys @ queries.T"),
        ("    scaled = scaled_scores(queries, keys)\n", ""),
        ("    weights = torch.softmax(scaled, dim=-1)\n", ""),
        ("context = weights @ values", "context = torch.softmax(scaled_scores(queries, keys), dim=0) @ values"),
    )

    verdict = told(mark, EX05, source, "ex05.attention")

    assert verdict.cause and verdict.cause.step == "ex05.scaled"
    assert not any(REST in note for note in verdict.notes)


# The reference's three layers and what they make, one after the other.
FUSED = tuple(
    "".join(f"        {each}\n" for each in lines)
    for lines in (
        [f"self.W_{name} = nn.Linear(d_in, d_out, bias=qkv_bias)" for name in ("query", "key", "value")],
        ["queries = self.W_query(x)", "keys = self.W_key(x)", "values = self.W_value(x)"],
    )
)
# Where p is taken for the share to keep.
KEPT = "keep = torch.rand(weights.shape, generator=generator, device=weights.device) < p"


def test_what_makes_a_few_cases_right_and_not_what_is_drawn_is_not_told(mark: Marking) -> None:
    source = edited(EX09, (KEPT.replace("<", ">="), "keep = torch.randint(0, 2, weights.shape, generator=generator)"))

    found = verdicts(mark(with_module(EX09, source), EX09, tries=True))

    assert found["ex09.extremes"].status == "failed"
    assert not found["ex09.extremes"].remark


@pytest.mark.long
def test_a_piece_is_told_of_what_is_drawn_many_times_and_of_weights_that_lie_together(mark: Marking) -> None:
    drawn = told(mark, EX09, edited(EX09, (KEPT.replace("<", ">="), KEPT)), "ex09.law")
    summed = told(
        mark, EX05, edited(EX05, ("(queries * keys).sum(dim=-1)", "(queries + keys).sum(dim=-1)")), "ex05.variance"
    )
    fused = edited(
        EX10,
        (FUSED[0], "        self.qkv = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)\n"),
        (FUSED[1], "        queries, keys, values = self.qkv(x).chunk(3, dim=1)\n"),
    )
    together = told(mark, EX10, fused, "ex10.output")

    assert drawn.remark == f"all that is wrong is `torch.rand(…, device=weights.device) < p`{REST}"
    assert summed.remark == f"all that is wrong is `queries + keys`{REST}"
    assert together.remark == f"all that is wrong is `dim=1`{REST}"


def test_a_step_that_only_uses_what_is_wrong_elsewhere_is_told_where_to_begin(mark: Marking) -> None:
    source = edited(EX05, ("scores / keys.shape[-1] ** 0.5", "scores.abs() / keys.shape[-1] ** 0.5"))

    found = verdicts(mark(with_module(EX05, source), EX05, tries=True))

    assert found["ex05.scaled"].remark == f"all that is wrong is `scores.abs()`{REST}"
    assert not found["ex05.attention"].remark
    assert any(
        "begin with ex05.scaled" in note
        for note in (*found["ex05.attention"].notes, str(found["ex05.attention"].cause))
    )


def test_what_is_wrong_for_another_step_as_well_is_not_all_that_is_wrong_in_a_definition(mark: Marking) -> None:
    source = edited(
        EX08,
        ("scores.masked_fill(mask,", "scores.masked_fill(~mask,"),
        ("scores.shape[-1]", "scores.shape[0]"),
        ("scores / d_k**0.5", "scores / d_k"),
    )

    verdict = told(mark, EX08, source, "ex08.weights")

    assert verdict.remark == "for this step, in `causal_attention_weights` itself, all that is wrong is `scores / d_k`"


def test_a_size_that_does_not_fit_is_told_where_it_is_given_to_what_has_its_shape_right(mark: Marking) -> None:
    inverted = ("scores.masked_fill(mask,", "scores.masked_fill(~mask,")
    source = edited(EX08, inverted, ("scores.shape[-1]", "scores.shape[0]"))
    transposed = edited(EX08, ("scores.masked_fill(mask,", "scores[..., :1].masked_fill(mask[:1],"))

    given = told(mark, EX08, source, "ex08.ranks")
    own = told(mark, EX08, transposed, "ex08.ranks")

    assert given.line == source[: source.index("mask_scores(scaled, mask)")].count("\n") + 1
    assert given.summary.endswith("raised inside `mask_scores`: does the shape of what this line gives it fit?")
    assert "raised inside" not in own.summary


@pytest.mark.parametrize(
    ("written", "given", "of"),
    [
        ("masked = scores.masked_fill(mask, -torch.inf)", "masked = scores.clone()\n    masked[mask] = 0.0", "ranks"),
        ("everywhere, diagonal=1)", "everywhere.float(), diagonal=1)", "weights"),  # whose type is wrong
    ],
    ids=["which raises in a case of its own", "by its type"],
)
def test_what_a_function_does_not_take_is_no_size_of_the_line_that_calls_it(
    mark: Marking, written: str, given: str, of: str
) -> None:
    filled = ("scores.masked_fill(mask, -torch.inf)", "scores.clone()\n    masked[mask] = 0.0")
    source = edited(EX08, *dict.fromkeys([(written, given), filled] if of == "weights" else [(written, given)]))

    verdict = told(mark, EX08, source, f"ex08.{of}")

    assert verdict.status is Status.ERROR
    assert "raised inside" not in verdict.summary
    assert (of == "weights") == ("with `.bool()`" in verdict.summary)
    assert verdict.line == source[: source.index("masked[mask] = 0.0")].count("\n") + 1


def test_a_piece_for_which_another_function_raises_too_is_all_that_is_wrong_in_its_own(mark: Marking) -> None:
    source = edited(
        EX03,
        ("    context = weights @ inputs", "    context = inputs @ weights"),
        ("contexts = weights @ inputs", "contexts = torch.stack([context_vector(row, inputs) for row in weights * 2])"),
    )

    verdict = told(mark, EX03, source, "ex03.context")

    assert verdict.remark == "in `context_vector` itself, all that is wrong is `inputs @ weights`"


def test_what_is_raised_by_another_function_is_told_where_that_one_is_right(mark: Marking) -> None:
    cut = ("scores.shape[-1]", "scores.shape[0]")
    looped = (
        "    context = weights @ inputs\n",
        "    context = torch.zeros(len(inputs))\n    for weight, each in zip(weights, inputs):\n        context += weight * each\n",
    )
    joined = (
        "    contexts = weights @ inputs\n",
        "    contexts = torch.stack([context_vector(row, inputs) for row in weights], dim=1)\n",
    )

    right = told(mark, EX08, edited(EX08, cut), "ex08.ranks")
    wrong = told(mark, EX03, edited(EX03, looped, joined), "ex03.contexts")

    assert (right.status, right.remark) == ("error", f"all that is wrong is `0` in `scores.shape[0]`{REST}")
    assert (wrong.status, wrong.remark or "") == ("error", "")


def test_nothing_more_is_searched_for_where_a_mistake_is_named(mark: Marking) -> None:
    source = edited(EX10, ("scaled = scores / keys.shape[-1] ** 0.5", "scaled = scores / keys.shape[-1]"))

    found = verdicts(mark(with_module(EX10, source), EX10, tries=True))

    assert [each.id for each in found["ex10.output"].diagnosis] == ["scale-no-sqrt"]
    assert not any(REST in (each.remark or "") for each in found.values())


def test_nothing_more_is_searched_for_where_what_is_raised_shows_a_mistake(mark: Marking) -> None:
    source = edited(EX07, ("parameter.copy_(linear.weight.T)", "parameter.copy_(linear.weight)"))

    copy = verdicts(mark(with_module(EX07, source), EX07, tries=True))["ex07.copy"]

    assert (copy.status, [each.id for each in copy.diagnosis]) == ("error", ["weights-transposed"])
    assert not copy.remark and not any("rest is right" in note for note in copy.notes)


@pytest.mark.long
def test_the_mark_of_an_unknown_mistake_is_met(mark: Marking) -> None:
    names = ("ex03-plus_itself", "ex12-relu_before_out_proj", "ex13-temperature")
    for each in (each for each in UNKNOWN if each.name in names):
        assert _told_at(each, mark) == [*each.lines.values()]


def _told_at(solution: Wrong, mark: Marking) -> list[int]:
    report = mark(with_module(solution.exercise, solution.path.read_text("utf-8")), solution.exercise, tries=True)
    found = (verdict for verdict in verdicts(report).values() if verdict.remark and REST in verdict.remark)
    return [*{verdict.line: None for verdict in found}]
