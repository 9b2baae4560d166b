"""Behind an exception what else is wrong is named as well, each at its line, and nothing that is not.

So a student mends all at once, and is not sent from one to the next.
"""

from __future__ import annotations

import pytest

from tests.end_to_end.submissions import (
    EX05,
    EX06,
    EX07,
    EX08,
    EX09,
    EX10,
    EX11,
    EX12,
    EX13,
    ROOT,
    Marking,
    edited,
    verdicts,
    with_module,
)

SCALED = "scaled = scores / keys.shape[-1] ** 0.5"
NO_ROOT = (SCALED, "scaled = scores / keys.shape[-1]")
MISSPELT = ("weights = torch.softmax(scaled, dim=-1)", "weights = torch.sofmax(scaled, dim=-1)")
ALWAYS = ("self.dropout(weights)", "nn.functional.dropout(weights, self.dropout.p)")
MISSPELT_MASKED = ("weights = torch.softmax(masked, dim=-1)", "weights = torch.sofmax(masked, dim=-1)")
AT_NO_SELF = ("keys = x @ self.W_key", "keys = x @ W_key")


def named(mark: Marking, exercise: str, *changes: tuple[str, str], step: str = "output") -> dict[str, str]:
    """The mistakes that a step names, with the lines of the source in which they are."""
    source = edited(exercise, *changes)
    verdict = verdicts(mark(with_module(exercise, source), exercise))[f"{exercise[:4]}.{step}"]
    lines = source.splitlines()
    return {found.id: lines[found.line - 1].strip() for found in verdict.diagnosis}


@pytest.mark.parametrize(
    ("exercise", "raising", "name"),
    [
        (EX07, MISSPELT, "api-misspelt"),
        (EX06, AT_NO_SELF, "self-missing"),
        (EX07, ("values = self.W_value(x)", "values = x @ self.W_value.weight"), "weights-transposed"),
        (EX06, ("return context", "pass"), "returns-none"),
        (EX06, ("keys = x @ self.W_key", "keys = inputs @ self.W_key"), "global-variable"),
        (EX07, ("def forward(", "def foward("), "api-misspelt"),
        (EX07, ("def __init__(", "def _init_("), "api-misspelt"),
    ],
)
def test_a_mistake_behind_one_that_raises_is_named_at_its_line(
    mark: Marking, exercise: str, raising: tuple[str, str], name: str
) -> None:
    alone = named(mark, exercise, raising)
    both = named(mark, exercise, raising, NO_ROOT)

    assert alone.keys() == {name}
    assert both.keys() == {name, "scale-no-sqrt"}
    assert both["scale-no-sqrt"] == NO_ROOT[1]


def test_a_line_is_told_as_it_stands_though_what_raises_takes_several(mark: Marking) -> None:
    sideways = ("values = self.W_value(x)", "values = torch.matmul(x, self.W_value.weight\n        )")

    both = named(mark, EX07, sideways, NO_ROOT)

    assert both.keys() == {"weights-transposed", "scale-no-sqrt"}
    assert both["scale-no-sqrt"] == NO_ROOT[1]


def test_one_exception_behind_another_is_got_past_as_well(mark: Marking) -> None:
    assert named(mark, EX06, AT_NO_SELF, MISSPELT, NO_ROOT).keys() == {"self-missing", "api-misspelt", "scale-no-sqrt"}


def test_each_line_in_which_self_lacks_is_named(mark: Marking) -> None:
    lacking = [(f"self.W_{name}(x)", f"W_{name}(x)") for name in ("query", "key", "value")]
    source = edited(EX10, *lacking, ("self.dropout(weights)", "dropout(weights)"), NO_ROOT)
    output = verdicts(mark(with_module(EX10, source), EX10))["ex10.output"]

    begin = source[: source.index(" W_query(x)")].count("\n") + 1
    told = [(each.id, each.line - begin) for each in output.diagnosis]
    assert told == [*(("self-missing", line) for line in (0, 1, 2)), ("scale-no-sqrt", 5), ("self-missing", 8)]


@pytest.mark.parametrize(
    "raising",
    ["if num_tokens == 1:\n            return W_value(x)", "if num_tokens == 1:\n            x = x + slef.mask"],
)
def test_what_raises_on_some_case_alone_does_not_hide_what_the_others_show(mark: Marking, raising: str) -> None:
    changes = (("num_tokens = x.shape[1]", f"num_tokens = x.shape[1]\n        {raising}"), NO_ROOT)

    assert named(mark, EX10, *changes).keys() == {"scale-no-sqrt"}


def test_a_mask_that_is_not_cut_and_what_is_dropped_are_seen_behind_it_too(mark: Marking) -> None:
    whole = ("self.mask[:num_tokens, :num_tokens]", "self.mask")
    uncut = named(mark, EX10, MISSPELT_MASKED, whole)
    dropping = named(mark, EX12, MISSPELT_MASKED, ALWAYS)

    assert uncut.keys() == {"api-misspelt", "mask-not-sliced"}
    assert dropping.keys() == {"api-misspelt", "dropout-in-eval"}


@pytest.mark.parametrize(
    ("raising", "name"),
    [
        (("projected_queries = self.W_query(x)", "projected_queries = x @ self.W_query.weight"), "weights-transposed"),
        (("keys.transpose(2, 3)", "keys.T"), "batch-transpose"),
        (("def forward(", "def froward("), "api-misspelt"),
    ],
)
@pytest.mark.parametrize(
    ("hidden", "other"),
    [
        (("by_head = split.transpose(1, 2)", "by_head = split"), "heads-not-transposed"),
        (
            (
                "values = self.split_heads(projected_values)",
                "values = x.unsqueeze(1).expand(-1, self.num_heads, -1, -1)",
            ),
            "values-unprojected",
        ),
    ],
)
def test_a_mistake_that_raises_as_well_is_named_behind_it(
    mark: Marking, raising: tuple[str, str], name: str, hidden: tuple[str, str], other: str
) -> None:
    assert named(mark, EX12, raising, hidden).keys() == {name, other}


@pytest.mark.parametrize(
    ("exercise", "raising", "of_biases", "name"),
    [
        (EX10, ("self.register_buffer(", "self.registry_buffer("), ("bias=qkv_bias", "bias=False"), "bias-ignored"),
        (EX11, ("nn.ModuleList(", "nn.ModulList("), ("dropout, qkv_bias)", "dropout, True)"), "bias-always"),
    ],
)
def test_what_a_class_holds_is_seen_behind_what_keeps_it_from_being_made(
    mark: Marking, exercise: str, raising: tuple[str, str], of_biases: tuple[str, str], name: str
) -> None:
    source = edited(exercise, raising).replace(*of_biases)
    parameters = verdicts(mark(with_module(exercise, source), exercise))[f"{exercise[:4]}.parameters"]

    assert {each.id for each in parameters.diagnosis} == {"api-misspelt", name}


def test_what_is_dropped_is_seen_where_forward_is_misspelt(mark: Marking) -> None:
    changes = [
        ("def forward(", "def froward("),
        ("scaled = scores / keys.shape[-1] ** 0.5", "scaled = self.dropout(scores / keys.shape[-1] ** 0.5)"),
        ("dropped = self.dropout(weights)", "dropped = weights"),
    ]

    assert named(mark, EX12, *changes).keys() == {"api-misspelt", "dropout-on-scores"}


def test_what_else_is_wrong_is_seen_as_if_nothing_were_written_into_what_was_given(mark: Marking) -> None:
    written = ("contexts = [", "x *= 0.5\n        contexts = [")
    joined = ("torch.cat(contexts, dim=-1)", "torch.cat(contexts, dim=1)")

    assert named(mark, EX11, written).keys() == {"input-mutated"}
    assert named(mark, EX11, written, joined).keys() == {"input-mutated", "heads-wrong-axis"}


@pytest.mark.parametrize("scaled", ["scores /= d_k**0.5", "scores = scores * 1\n    scores /= d_k**0.5"])
def test_what_is_right_and_written_into_what_was_given_is_not_said_to_be_missing(mark: Marking, scaled: str) -> None:
    written = ("    scaled = scores / d_k**0.5\n", f"    scores *= 2\n    {scaled}\n")

    assert named(mark, EX08, written, ("(scaled, mask)", "(scores, mask)"), step="weights").keys() == {"input-mutated"}


@pytest.mark.parametrize("root", ["x /= self.W_key.shape[1] ** 0.25", "root = x.shape[1] ** 0.25\n        x /= root"])
def test_a_scale_that_is_written_into_what_was_given_is_not_said_to_be_missing(mark: Marking, root: str) -> None:
    queries = ("queries = x @", f"{root}\n        queries = x @")

    assert named(mark, EX06, queries, (SCALED, "scaled = scores")).keys() == {"input-mutated"}
    doubled = ("queries = x @", "x *= 2\n        queries = x @")
    assert named(mark, EX06, doubled, (SCALED, "scaled = scores")).keys() == {"input-mutated", "scale-missing"}


def test_a_mask_that_is_taken_whole_is_named_beside_another_mistake_wherever_the_class_stands(mark: Marking) -> None:
    mine = edited(EX10, (SCALED, "scaled = scores"), ("self.mask[:num_tokens, :num_tokens]", "self.mask"))
    modules = {**with_module(EX10, "from heads_of_mine import CausalAttention\n"), "heads_of_mine": mine}

    shorter = verdicts(mark(modules, EX10))["ex10.shorter"]

    assert {each.id for each in shorter.diagnosis} == {"mask-not-sliced", "scale-missing"}


def test_what_a_module_holds_is_seen_behind_what_keeps_it_from_being_made(mark: Marking) -> None:
    raising = ("nn.ModuleList(", "nn.ModulList(")
    for given, name in (("True", "bias-always"), ("False", "bias-ignored")):
        biased = ("dropout, qkv_bias) for", f"dropout, {given}) for")

        assert named(mark, EX11, raising, biased, step="parameters").keys() == {"api-misspelt", name}


def test_what_a_copy_does_to_its_source_is_seen_behind_it_too(mark: Marking) -> None:
    copied = "wide.weight.copy_(torch.cat([linear.weight for linear in narrow]))"
    misspelt = copied.replace("cat", "catt")
    doubled = f"{misspelt}\n            narrow[0].weight.mul_(2.0)"

    assert named(mark, EX13, (copied, misspelt), step="copy").keys() == {"api-misspelt"}
    assert named(mark, EX13, (copied, doubled), step="copy").keys() == {"api-misspelt", "input-mutated"}


@pytest.mark.parametrize(
    ("hidden", "name"),
    [
        (("scaled = scores / keys.shape[-1] ** 0.5", "scaled = scores / keys.shape[-1]"), "scale-no-sqrt"),
        (("weights = torch.softmax(masked, dim=-1)", "weights = torch.softmax(masked, dim=-2)"), "softmax-wrong-axis"),
    ],
)
@pytest.mark.parametrize("exercise", [EX12, EX13])
def test_what_is_wrong_behind_heads_that_are_not_turned_is_named(
    mark: Marking, exercise: str, hidden: tuple[str, str], name: str
) -> None:
    sideways = ("by_head = split.transpose(1, 2)", "by_head = split")

    assert named(mark, exercise, sideways).keys() == {"heads-not-transposed"}
    assert named(mark, exercise, sideways, hidden).keys() == {"heads-not-transposed", name}


NO_SCALE = (SCALED, "scaled = scores")


@pytest.mark.parametrize(
    ("exercise", "raising", "name"),
    [
        (EX12, ("projected_values = self.W_value(x)", "projected_values = x"), "values-unprojected"),
        (EX13, ("projected_values = self.W_value(x)", "projected_values = x"), "values-unprojected"),
        (EX12, ("head_contexts.transpose(1, 2)", "head_contexts.sum(dim=1)"), "heads-summed"),
        (EX12, ("nn.Linear(d_out, d_out)", "nn.Linear(d_out, d_in)"), "out-proj-wrong-width"),
    ],
)  # fmt: skip
def test_what_is_wrong_behind_a_result_that_raises_further_down_is_named(
    mark: Marking, exercise: str, raising: tuple[str, str], name: str
) -> None:
    if name == "heads-summed":
        joined = ("context = side_by_side.flatten(start_dim=2)", "context = side_by_side")
        assert named(mark, exercise, raising, joined, NO_SCALE).keys() == {name, "scale-missing"}
        return
    assert named(mark, exercise, raising, NO_SCALE).keys() == {name, "scale-missing"}


@pytest.mark.parametrize(
    ("exercise", "step", "raising", "hidden", "note"),
    [
        (
            EX12,
            "output",
            ("side_by_side.flatten(start_dim=2)", "side_by_side.view(x.shape[0], num_tokens, -1)"),
            NO_SCALE,
            "The scores are not scaled",
        ),
        (EX12, "output", ("keys.transpose(2, 3)", "keys.transpose(1, 2)"), NO_SCALE, "The scores are not scaled"),
        (
            EX10,
            "output",
            ("W_query = nn.Linear(d_in, d_out", "W_query = nn.Linear(d_out, d_in"),
            NO_SCALE,
            "The scores",
        ),
        (
            EX08,
            "weights",
            ("masked = mask_scores(scaled, mask)", "masked = mask_score(scaled, mask)"),
            ("torch.softmax(masked, dim=-1)", "torch.softmax(masked, dim=-2)"),
            "Softmax runs over another axis",
        ),
    ],
)
def test_what_is_wrong_behind_a_slip_that_is_no_known_mistake_is_noted_with_its_line(
    mark: Marking, exercise: str, step: str, raising: tuple[str, str], hidden: tuple[str, str], note: str
) -> None:
    alone, both = (
        verdicts(mark(with_module(exercise, edited(exercise, *changes)), exercise))[f"{exercise[:4]}.{step}"]
        for changes in ((raising,), (raising, hidden))
    )

    assert not any("not right either" in each for each in alone.notes)
    assert any("is not right either, `" in each and note in each for each in both.notes)


@pytest.mark.parametrize(
    ("hidden", "name"),
    [
        (("dropped = self.dropout(weights)", "dropped = dropout(weights)"), "self-missing"),
        (("torch.softmax(masked, dim=-1)", "torch.sofmax(masked, dim=-1)"), "api-misspelt"),
        (("        return output\n", ""), "returns-none"),
    ],
)
def test_what_raises_behind_heads_that_are_not_turned_hides_neither(
    mark: Marking, hidden: tuple[str, str], name: str
) -> None:
    sideways = ("by_head = split.transpose(1, 2)", "by_head = split")

    assert named(mark, EX12, sideways, hidden).keys() == {"heads-not-transposed", name}


def test_sizes_that_do_not_fit_for_another_reason_are_no_heads_that_are_not_turned(mark: Marking) -> None:
    turned_later = [
        ("by_head = split.transpose(1, 2)", "by_head = split.permute(0, 2, 1, 3)"),
        ("scores = queries @ keys.transpose(2, 3)", "scores = queries @ keys.transpose(1, 2)"),
    ]

    assert named(mark, EX12, *turned_later).keys() == set()


def test_widths_that_are_right_in_other_words_hide_nothing_of_a_product(mark: Marking) -> None:
    source = edited(EX10, NO_SCALE, ("scores = queries @ keys.transpose(1, 2)", "scores = queries @ keys"))
    source = source.replace("super().__init__()", "super().__init__()\n        width = d_out", 1)
    source = source.replace("nn.Linear(d_in, d_out, bias", "nn.Linear(d_in, width, bias")
    output = verdicts(mark(with_module(EX10, source), EX10))["ex10.output"]

    assert any("is not right either, `scaled = scores`" in note for note in output.notes)


def test_a_mask_that_is_not_cut_is_no_cause_where_no_sequence_is_shorter_and_is_noted_beside_it(mark: Marking) -> None:
    whole = ("self.mask[:num_tokens, :num_tokens]", "self.mask")
    source = edited(EX12, whole, ("side_by_side.flatten(start_dim=2)", "side_by_side.view(x.shape[0], num_tokens, -1)"))
    steps = verdicts(mark(with_module(EX12, source), EX12))

    output, shorter = steps["ex12.output"], steps["ex12.shorter"]
    assert not output.diagnosis
    assert output.line == source[: source.index("side_by_side.view(")].count("\n") + 1
    assert any("is not right either, `masked = " in note for note in output.notes)
    assert [each.id for each in shorter.diagnosis] == ["mask-not-sliced"]


def test_a_change_that_was_tried_makes_no_mistake_of_what_is_right(mark: Marking) -> None:
    """`.weight.T` is as it should be, but for its bias; where it is taken away, its line raises."""
    changes = [
        ("projected_values = self.W_value(x)", "projected_values = x @ self.W_value.weight.T"),
        ("values = self.split_heads(projected_values)", "values = x.unsqueeze(1).expand(-1, self.num_heads, -1, -1)"),
    ]

    assert named(mark, EX12, *changes).keys() == {"values-unprojected"}


def test_what_is_wrong_behind_an_exception_that_is_no_known_mistake_is_noted(mark: Marking) -> None:
    source = edited(EX07, ("scores = queries @ keys.T", "scores = queries @ keys"), NO_ROOT)
    output = verdicts(mark(with_module(EX07, source), EX07))["ex07.output"]

    assert output.summary.startswith("RuntimeError")
    assert not output.diagnosis  # of which the exception would seem to come
    line = source.splitlines().index(f"        {NO_ROOT[1]}") + 1
    assert any(
        note.startswith(f"line {line} is not right either, `{NO_ROOT[1]}`: The scores have to be divided")
        for note in output.notes
    )


@pytest.mark.parametrize(
    "changes",
    [
        (MISSPELT, (SCALED, "scaled = scores.tanh()")),  # which nobody knows
        (MISSPELT, (SCALED, "scaled = scores.undoing()")),
        (MISSPELT, (SCALED, "scaled = scores[:, :1] @ scores")),
    ],
)
def test_what_is_behind_it_and_no_known_mistake_gets_no_name(mark: Marking, changes: list[tuple[str, str]]) -> None:
    assert named(mark, EX07, *changes).keys() <= {"api-misspelt"}


def test_what_a_name_was_put_in_for_is_no_mistake(mark: Marking) -> None:
    """`keys` is there in no argument, and of `scores`, which was tried in its place, no student said anything."""
    changes = [
        ("scaled = scores / d_k**0.5", "scaled = scores / keys.shape[-1] ** 0.5"),
        ("masked = mask_scores(scaled, mask)", "masked = scaled.masked_fill(mask, 0.0)"),
    ]

    assert named(mark, EX08, *changes, step="weights").keys() == {"global-variable", "mask-zero-fill"}


@pytest.mark.parametrize(
    ("exercise", "change", "step"),
    [
        (EX05, ("weights @ values", "weights @ values_2"), "attention"),
        (EX08, ("masked = mask_scores(scaled, mask)", "masked = mask_scores(batch, mask)"), "weights"),
    ],
)
def test_a_variable_that_is_put_in_rightly_leaves_nothing_to_be_named(
    mark: Marking, exercise: str, change: tuple[str, str], step: str
) -> None:
    assert named(mark, exercise, change, step=step).keys() == {"global-variable"}


FUSED = """
import torch
from torch import nn

class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.together = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1).bool())

    def forward(self, x):
        count = x.shape[1]
        values, keys, queries = self.together(x).chunk(3, dim=-1)
        scores = queries @ keys.mT / keys.shape[-1] ** 0.5
        scores = scores.masked_fill(self.mask[:count, :count], -torch.inf)
        weights = self.dropout(torch.sofmax(scores, dim=-1))
        return weights @ values
"""


@pytest.mark.parametrize(
    "parts",
    [
        "values, keys, queries = self.together(x).chunk(3, dim=-1)",
        "a, keys, values = self.together(x).chunk(3, dim=-1)",
    ],
)
def test_the_order_of_what_is_fused_is_no_mistake_behind_it(mark: Marking, parts: str) -> None:
    fused = FUSED.replace("values, keys, queries = self.together(x).chunk(3, dim=-1)", parts)
    fused = fused.replace("queries @", "a @") if parts.startswith("a,") else fused
    right = mark(with_module(EX10, fused.replace("sofmax", "softmax")), EX10)
    alone = verdicts(mark(with_module(EX10, fused), EX10))["ex10.output"]
    both = verdicts(mark(with_module(EX10, fused.replace(" ** 0.5", "")), EX10))["ex10.output"]

    assert all(each.score == each.max_score for each in verdicts(right).values())
    assert [each.id for each in alone.diagnosis] == ["api-misspelt"]
    assert {each.id for each in both.diagnosis} == {"api-misspelt", "scale-no-sqrt"}


def test_an_order_that_was_settled_upon_for_what_comes_of_one_case_is_not_the_only_one_tried(mark: Marking) -> None:
    """`q.T` takes the batch for the features where there are as many of them, so that something comes of it."""
    style = ROOT / "tests/suite/right" / EX10 / "keys_and_values_in_a_layer_of_any_name.py"
    source = style.read_text("utf-8").replace("q @ k.mT", "q.T @ k.mT")
    shorter = verdicts(mark(with_module(EX10, source), EX10))["ex10.shorter"]

    assert [each.id for each in shorter.diagnosis] == ["batch-transpose"]


def test_what_ends_in_another_shape_says_nothing_of_what_is_dropped(mark: Marking) -> None:
    style = ROOT / "tests/suite/right" / EX10 / "one_head_of_torchs_multi_head_function.py"
    source = style.read_text("utf-8").replace("return y.transpose(0, 1)", "return y.t()")
    output = verdicts(mark(with_module(EX10, source), EX10))["ex10.output"]

    assert [each.id for each in output.diagnosis] == ["batch-transpose"]


def test_an_argument_that_was_tried_in_a_names_place_says_nothing_of_what_is_dropped(mark: Marking) -> None:
    change = ("dropped = survivors / (1 - p)", "dropped = mask / (1 - p)")

    assert named(mark, EX09, change, step="law").keys() == {"global-variable"}


def test_what_raises_where_a_name_was_guessed_is_no_mistake(mark: Marking) -> None:
    style = ROOT / "tests/suite/right" / EX10 / "zeros_for_the_biases_that_are_not_asked_for.py"
    source = style.read_text("utf-8").replace("self.b_q.to", "b_q.to")
    output = verdicts(mark(with_module(EX10, source), EX10))["ex10.output"]

    assert [each.id for each in output.diagnosis] == ["global-variable"]


def test_what_is_dropped_is_told_where_the_right_argument_was_tried(mark: Marking) -> None:
    dropped = ("context: Tensor = dropped @ values", "context: Tensor = self.dropout(weights @ values)")
    changes = (("keys = self.W_key(x)", "keys = self.W_key(batch)"), dropped)

    assert named(mark, EX10, *changes).keys() == {"global-variable", "dropout-on-context"}


def test_what_is_not_handed_back_is_not_tried_in_the_place_of_another_name(mark: Marking) -> None:
    changes = (("keys = self.W_key(x)", "keys = self.W_key(batch)"), ("        return context\n", ""))

    assert named(mark, EX10, *changes).keys() == {"global-variable", "returns-none"}


def test_what_keeps_a_file_from_being_loaded_is_not_told_a_second_time(mark: Marking) -> None:
    source = edited(EX12, ("        dropout: float,\n", "        dropout: keys_2,\n"))
    output = verdicts(mark(with_module(EX12, source), EX12))["ex12.output"]

    assert "keys_2" in output.summary
    assert not output.diagnosis
    assert not any("not right either" in note for note in output.notes)


def test_what_raises_the_same_once_more_is_named_once(mark: Marking) -> None:
    turned = ("torch.cat([linear.weight for", "torch.cat([linear.weight.T for")
    source = edited(EX13, turned).replace("for linear in narrow]))", "for linear in narrow], dim=1))", 1)
    copy = verdicts(mark(with_module(EX13, source.replace("nn.init.eye_(out_proj.weight)", "pass")), EX13))["ex13.copy"]

    assert [each.id for each in copy.diagnosis] == ["weights-transposed"]


def test_what_raises_as_before_was_not_got_past(mark: Marking) -> None:
    """The layer is made the other way round; `.weight.T` further down is right, and another way does not help."""
    style = ROOT / "tests/suite/right" / EX10 / "values_after_the_blend.py"
    source = style.read_text("utf-8").replace(
        "self.W_query = nn.Linear(d_in, d_out", "self.W_query = nn.Linear(d_out, d_in"
    )
    output = verdicts(mark(with_module(EX10, source), EX10))["ex10.output"]

    assert not any("not right either" in note for note in output.notes)


def test_a_guess_says_nothing_of_what_a_class_holds(mark: Marking) -> None:
    source = edited(EX10).replace(
        "W_value = nn.Linear(d_in, d_out, bias=qkv_bias)", "W_value = nn.Linear(d_in, d_out, bias=attn_weights)"
    )
    parameters = verdicts(mark(with_module(EX10, source), EX10))["ex10.parameters"]

    assert [each.id for each in parameters.diagnosis] == ["global-variable"]


def test_a_copy_that_raises_is_graded_where_what_it_copies_into_has_a_substitute(mark: Marking) -> None:
    modules = with_module(EX12, edited(EX12, NO_SCALE))
    modules |= {EX13: edited(EX13, ("torch.cat([linear.weight", "torch.catt([linear.weight"))}
    steps = verdicts(mark(modules, EX13))

    for name in ("ex13.copy", "ex13.copy-multi"):
        assert [each.id for each in steps[name].diagnosis] == ["api-misspelt"]
