"""What is wrong with heads side by side is told once, by its cause and with its line; other steps point to it."""
# ruff: noqa: E501 - a mistake and what is said of it read best side by side

from __future__ import annotations

import pytest

from grader.model.report import Verdict

from .submissions import EX11, EX12, EX13, ROOT, Marking, edited, verdicts, with_module

# Graded in passing: what is measured are the tests of each module.
pytestmark = pytest.mark.no_cover

HANDED = "CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for"
EXCHANGED = edited(EX11, (HANDED, "CausalAttention(d_in, d_out, context_length, qkv_bias, dropout) for"))


def told(mark: Marking, source: str, *, tries: bool = False) -> dict[str, Verdict]:
    """The verdicts of a wrapper, by the short names of its steps."""
    found = verdicts(mark(with_module(EX11, source), EX11, tries=tries))
    return {name.removeprefix("ex11."): each for name, each in found.items()}


def line_of(source: str, text: str) -> int:
    (number,) = (i for i, line in enumerate(source.splitlines(), 1) if text in line)
    return number


def test_a_width_that_is_shared_out_for_nothing_is_not_told_where_widths_are_exchanged(mark: Marking) -> None:
    unused = (
        "        super().__init__()\n",
        "        super().__init__()\n        self.head_dim = d_out // num_heads\n",
    )
    source = edited(EX11, unused, ("CausalAttention(d_in, d_out, ", "CausalAttention(d_out, d_in, "))

    steps = told(mark, source)

    assert not any("shares the width out" in note for each in steps.values() for note in each.notes)
    assert "CausalAttention(d_in, d_out, context_length" in (steps["parameters"].remark or "")


def test_arguments_that_are_exchanged_are_told_at_the_first_step_and_no_mistake_that_comes_of_it(mark: Marking) -> None:
    steps = told(mark, EXCHANGED)

    said = "the order is CausalAttention(d_in, d_out, context_length, dropout, qkv_bias=False), and `qkv_bias` stands where `dropout` belongs"
    assert steps["parameters"].remark == said
    assert steps["parameters"].line == line_of(EXCHANGED, "qkv_bias, dropout) for")
    assert not any(each.diagnosis for each in steps.values())
    wrong = [name for name, each in steps.items() if each.status != "passed"]
    assert wrong == ["parameters", "bias", "dropout", "gradients"]
    for name in wrong[1:]:
        cause = steps[name].cause
        assert cause is not None and cause.step == "ex11.parameters", name


# How the width of a head is shared out among all of them, and what stands in its line.
SHARED_OUT = {
    "in the call": (
        edited(EX11, (HANDED, "CausalAttention(d_in, d_out // num_heads, context_length, dropout, qkv_bias) for")),
        "d_out // num_heads",
    ),
    "in a name": (
        edited(
            EX11,
            ("        self.heads =", "        head_dim = d_out // num_heads\n        self.heads ="),
            (HANDED, "CausalAttention(d_in, head_dim, context_length, dropout, qkv_bias) for"),
        ),
        "d_out // num_heads",
    ),
    "in an attribute, by int": (
        edited(
            EX11,
            ("        self.heads =", "        self.head_dim = int(d_out / num_heads)\n        self.heads ="),
            (HANDED, "CausalAttention(d_in, self.head_dim, context_length, dropout, qkv_bias) for"),
        ),
        "d_out / num_heads",
    ),
}


@pytest.mark.parametrize("name", SHARED_OUT)
def test_a_width_that_is_shared_out_among_the_heads_is_told_once(name: str, mark: Marking) -> None:
    source, code = SHARED_OUT[name]
    steps = told(mark, source)

    said = f"`{code}` shares the width out: each head gives d_out numbers, and the result has num_heads * d_out of them"
    assert (steps["parameters"].remark, steps["parameters"].line) == (said, line_of(source, code))
    for name, each in steps.items():
        if name != "parameters":
            assert each.cause is not None and each.cause.step == "ex11.parameters", name


@pytest.mark.parametrize(
    ("given", "found"),
    [("True", "bias-always"), ("False", "bias-ignored"), ("qkv_bias", "")],
)
def test_a_bias_beside_a_width_that_is_shared_out_is_told_as_well(given: str, found: str, mark: Marking) -> None:
    call = f"CausalAttention(d_in, d_out // num_heads, context_length, dropout, {given}) for"
    source = edited(EX11, (HANDED, call))
    steps = told(mark, source)

    own = steps["parameters"]
    assert [each.id for each in own.diagnosis] == [found] * bool(found)
    assert all(each.line == line_of(source, call) for each in own.diagnosis)
    assert any("d_out // num_heads" in note for note in own.notes)


ONE_HEAD = (
    "        self.heads = nn.ModuleList(\n            CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)\n        )\n",
    "        self.heads = nn.ModuleList([CausalAttention(d_in, d_out, context_length, dropout, qkv_bias)] * num_heads)\n",
)
JOINED = "torch.cat(contexts, dim=-1)"


@pytest.mark.parametrize(
    "call",
    ["torch.cat(contexts, dim=1)", "torch.cat(contexts)", "torch.stack(contexts, dim=1)", "torch.stack(contexts, -1)"],
)
def test_an_axis_is_named_along_which_heads_do_not_belong_beside_one_head_for_all(call: str, mark: Marking) -> None:
    source = edited(EX11, ONE_HEAD, (JOINED, call))
    steps = told(mark, source)

    head = "[CausalAttention(d_in, d_out, context_length, dropout, qkv_bias)] * num_heads"
    assert steps["parameters"].summary.startswith("`[CausalAttention(…, qkv_bias)] * num_heads` puts one and the same")
    assert steps["parameters"].line == line_of(source, head)
    assert [(each.id, each.line) for each in steps["output"].diagnosis] == [("heads-wrong-axis", line_of(source, call))]


def test_of_heads_that_are_summed_no_axis_is_named(mark: Marking) -> None:
    steps = told(mark, edited(EX11, ONE_HEAD, (JOINED, "sum(contexts)")))

    assert not any(found.id == "heads-wrong-axis" for found in steps["output"].diagnosis)


BEGUN_ANEW = edited(
    EX11,
    (
        "        contexts = [head(x) for head in self.heads]\n",
        "        for head in self.heads:\n            contexts = []\n            contexts.append(head(x))\n",
    ),
    (
        "        context = torch.cat(contexts, dim=-1)\n        return context\n",
        "        return torch.cat(contexts, dim=-1)\n",
    ),
)


@pytest.mark.long
def test_of_a_list_that_begins_anew_in_each_turn_gradients_that_are_lost_come_too(mark: Marking) -> None:
    steps = told(mark, BEGUN_ANEW, tries=True)

    assert (steps["output"].remark or "").startswith("`contexts = []` stands in the loop")
    for name in ("bias", "dropout", "gradients"):
        cause = steps[name].cause
        assert cause is not None and cause.step == "ex11.output", name


def test_a_result_that_is_detached_has_a_place_of_its_own(mark: Marking) -> None:
    source = BEGUN_ANEW.replace("dim=-1)\n", "dim=-1).detach()\n")

    assert told(mark, source, tries=True)["gradients"].cause is None


REVERSED = ("[getattr(head, role) for head in heads]", "[getattr(head, role) for head in reversed(heads)]")


@pytest.mark.parametrize(
    ("besides", "named"),
    [
        (("torch.softmax(masked, dim=-1)", "torch.softmax(masked, dim=-2)"), "softmax-wrong-axis"),
        (("scores / keys.shape[-1] ** 0.5", "scores"), "scale-missing"),
    ],
)
def test_what_a_copy_does_wrongly_is_named_beside_what_the_class_does(
    besides: tuple[str, str], named: str, mark: Marking
) -> None:
    steps = verdicts(mark(with_module(EX13, edited(EX13, REVERSED, besides)), EX13))

    assert [each.id for each in steps["ex13.output"].diagnosis] == [named]
    for name in ("ex13.copy", "ex13.copy-multi"):
        assert [each.id for each in steps[name].diagnosis] == ["heads-wrong-axis"], name


@pytest.mark.long
def test_what_a_copy_does_in_a_way_that_nobody_knows_is_given_no_name_beside_what_the_class_does(mark: Marking) -> None:
    odd = (
        "wide.weight.copy_(torch.cat([linear.weight for linear in narrow]))",
        "wide.weight.copy_(torch.cat([linear.weight for linear in narrow]) * 1.5)",
    )
    steps = verdicts(mark(with_module(EX13, edited(EX13, odd, ("scores / keys.shape[-1] ** 0.5", "scores"))), EX13))

    assert not steps["ex13.copy"].diagnosis and not steps["ex13.copy-multi"].diagnosis


def test_what_the_class_does_wrongly_is_not_said_of_the_copy(mark: Marking) -> None:
    reused = ("projected_keys = self.W_key(x)", "projected_keys = self.W_query(x)")
    steps = verdicts(mark(with_module(EX13, edited(EX13, reused, REVERSED)), EX13))

    for name in ("ex13.copy", "ex13.copy-multi"):
        assert [each.id for each in steps[name].diagnosis] == ["heads-wrong-axis"], name


@pytest.mark.parametrize(
    ("joined", "axis"),
    [
        ("torch.cat(contexts, dim=1)", "along axis 1, the tokens: 15 instead of 5"),
        ("torch.cat(contexts, dim=0)", "along axis 0, the sequences of the batch: 6 instead of 2"),
        ("torch.stack(contexts, dim=-1).flatten(-2)", ""),
    ],
)
def test_of_heads_behind_each_other_it_is_said_along_which_axis(joined: str, axis: str, mark: Marking) -> None:
    step = told(mark, edited(EX11, ("torch.cat(contexts, dim=-1)", joined)))["output"]

    assert [each.id for each in step.diagnosis] == ["heads-wrong-axis"]
    assert [note for note in step.notes if "behind each other" in note] == [
        f"the heads stand behind each other {axis}" for _ in [axis] if axis
    ]


@pytest.mark.long
def test_one_head_for_all_is_told_once_also_beside_a_bias_that_nobody_asked_for(mark: Marking) -> None:
    head = "[CausalAttention(d_in, d_out, context_length, dropout, qkv_bias)] * num_heads"
    alone = edited(EX11, ONE_HEAD)
    beside = alone.replace(head, head.replace("qkv_bias)", "True)"))

    one, both = (told(mark, source)["parameters"] for source in (alone, beside))

    said = "puts one and the same head into the list again and again"
    assert said in one.summary and not one.remark and not any("one and the same" in note for note in one.notes)
    assert [each.id for each in both.diagnosis] == ["bias-always"]
    assert [note.startswith("besides: ") for note in both.notes if said in note] == [True]


def test_a_result_that_comes_of_one_head_for_all_beside_a_bias_is_told_to_begin_there(mark: Marking) -> None:
    source = edited(EX11, ONE_HEAD).replace("dropout, qkv_bias)] * num_heads", "dropout, True)] * num_heads")

    cause = told(mark, source)["output"].cause

    assert cause is not None and cause.step == "ex11.parameters"


def test_heads_along_another_axis_come_of_no_arguments_in_another_order(mark: Marking) -> None:
    handed = ("context_length, dropout, qkv_bias) for", "context_length, qkv_bias) for")
    steps = told(mark, edited(EX11, handed, (JOINED, "torch.stack(contexts, dim=1)")))

    assert "`qkv_bias` stands where `dropout` belongs" in (steps["parameters"].remark or "")
    assert [each.id for each in steps["output"].diagnosis] == ["heads-wrong-axis"]
    assert steps["output"].cause is None


def test_a_projection_that_lies_head_by_head_is_said_to_lie_so_alone_though_one_case_has_one_head(
    mark: Marking,
) -> None:
    source = (ROOT / "solutions/alternatives/fused_qkv" / f"{EX12}.py").read_text("utf-8")

    found = verdicts(mark(with_module(EX12, source), EX12, tries=False))

    notes = {note for each in found.values() for note in each.notes}
    assert notes == {"`qkv` holds W_query, W_key, W_value head by head; accepted"}
