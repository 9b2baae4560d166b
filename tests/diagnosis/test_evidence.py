"""Traceback and source name a mistake only where it can be no other."""

from __future__ import annotations

import ast
import textwrap
from dataclasses import replace

import numpy as np
import pytest

from grader.diagnosis import evidence
from grader.diagnosis.places.lost_masks import lost_masking
from grader.diagnosis.source.tree import parsed
from grader.model.case import PUBLIC, Case
from grader.model.observation import Fault
from grader.model.pack import CaseTemplate
from tests.suite.reading import right

CLASS = """
import torch
from torch import nn

inputs = torch.rand(6, 3)
SIZE = 4

class Attention(nn.Module):
    def __init__(self, d_in, num_heads):
        super().__init__()
        self.scale = d_in ** -0.5
        self.register_buffer("hidden", torch.ones(3))

    def forward(self, x):
        batch_size = x.shape[0]
        return x
"""
TREE = ast.parse(CLASS)


def fault(message: str, kind: str = "exception", type: str = "NameError") -> Fault:
    return Fault(kind, type, message)


@pytest.mark.parametrize(
    ("name", "mistake"),
    [
        ("scale", "self-missing"),
        ("hidden", "self-missing"),
        ("num_heads", "global-variable"),
        ("inputs_2", "global-variable"),
        ("attention_of_before", "global-variable"),
        ("troch", "api-misspelt"),
        ("batchsize", ""),
        ("Num_Head", ""),
        ("contxt", ""),
        ("lenn", ""),
        ("torch", ""),
        ("nn", ""),
        ("CausalAttention", ""),
        ("self", ""),
        ("softmax", ""),
        ("bias", ""),
        ("ModulList", "api-misspelt"),
    ],
)
def test_an_undefined_name_is_what_it_is_nearest_to(name: str, mistake: str) -> None:
    assert evidence.of_fault(fault(f"name '{name}' is not defined"), TREE, "f") == mistake


@pytest.mark.parametrize(
    ("name", "mistake"),
    [
        ("sofmax", "api-misspelt"),
        ("registry_buffer", "api-misspelt"),
        ("scal", ""),
        ("bernouli", "api-misspelt"),
        ("greater_eqal", "api-misspelt"),
        ("anything_else", ""),
    ],
)
def test_an_attribute_that_is_nearly_one_of_torchs_is_misspelt(name: str, mistake: str) -> None:
    said = fault(f"module 'torch' has no attribute '{name}'", type="AttributeError")

    assert evidence.of_fault(said, TREE, "f") == mistake


@pytest.mark.parametrize("kind", ["float", "tuple", "list", "NoneType"])
def test_what_is_no_tensor_lacks_a_tensors_name_that_nobody_misspelt(kind: str) -> None:
    said = fault(f"'{kind}' object has no attribute 'max'", type="AttributeError")

    assert evidence.of_fault(said, TREE, "f") == ""


def test_a_fault_in_source_that_cannot_be_read_names_nothing() -> None:
    assert parsed("def f(:").body == []
    assert parsed("x = 1\n" * 100_000).body == []
    assert evidence.of_fault(fault("name 'x' is not defined"), parsed("def f(:"), "f") == ""


def test_a_parameter_that_is_never_read_and_a_global_that_is_belong_together() -> None:
    reads = ast.parse("inputs = [1]\n\ndef f(x):\n    return inputs\n")
    constant = ast.parse("SIZE = [1]\n\ndef f(x):\n    return SIZE\n")
    both = ast.parse("table = [1]\n\ndef f(x):\n    return x + table\n")

    assert evidence.global_read(reads, "f") == 4
    assert evidence.global_read(constant, "f") == 0
    assert evidence.global_read(both, "f") == 0
    assert evidence.global_read(both, "f", "    return x + table") == 4


@pytest.mark.parametrize(
    ("made", "line"),
    [
        ("import torch\ndot = torch.dot\n", 0),
        ("import torch\nsoftmax = torch.nn.functional.softmax\n", 0),
        ("import torch\ndot = table.dot\n", 5),
        ("import torch\ndot = torch.rand(3)\n", 5),
    ],
)
def test_what_a_library_calls_something_is_no_data_of_the_files_own(made: str, line: int) -> None:
    name = made.split("\n")[1].split(" = ")[0]
    tree = ast.parse(f"{made}\ndef f(query, inputs):\n    return {name}(query)\n")

    assert evidence.global_read(tree, "f", f"return {name}(query)") == line


@pytest.mark.parametrize(
    ("body", "name", "mistake"),
    [
        ("scroes = x @ x.T\n    return scores", "scores", ""),
        ("key = x\n    return x @ keys.T", "keys", ""),
        ("return x @ keys.T", "keys", "global-variable"),
        ("query = x\n    return query_2", "query_2", "global-variable"),  # as notebooks number theirs
        ("return weights @ x", "weights", "global-variable"),
        ("return table @ x", "table", "global-variable"),
        ("return table(x)", "table", ""),  # a function that is not there
        ("return keys(x)", "keys", "global-variable"),
        ("return x / np.sqrt(2)", "np", ""),
        ("return cast(Tensor, x)", "cast", ""),
    ],
)
def test_a_name_that_is_nearly_one_of_the_functions_own_is_no_variable_of_a_notebook(
    body: str, name: str, mistake: str
) -> None:
    tree = ast.parse(f"def f(x):\n    {body}\n")

    assert evidence.of_fault(fault(f"name '{name}' is not defined"), tree, "f") == mistake


def test_nothing_is_misspelt_where_none_is_asked() -> None:
    assert (
        evidence.of_fault(fault("'NoneType' object has no attribute 'zero_'", type="AttributeError"), TREE, "f") == ""
    )


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("scores.masked_fill(mask, -1)\nreturn scores", 2),
        ("hidden = scores.masked_fill(mask, -1)\nreturn scores", 2),
        ("scores + mask\nreturn scores", 2),
        ("scores + bias[:2, :2]\nreturn scores", 2),
        ("torch.where(mask, 0.0, scores)\nreturn scores", 2),
        ("hidden = torch.where(mask, 0.0, scores)\nreturn scores", 0),
        ("scores.masked_fill_(mask, -1)\nreturn scores", 0),
        ("scores = scores.masked_fill(mask, -1)\nreturn scores", 0),
        ("print(mask)\nreturn scores", 0),
    ],
)
def test_masked_scores_that_nobody_reads_are_found(body: str, line: int) -> None:
    tree = ast.parse("def f(scores, mask):\n" + textwrap.indent(body, "    "))

    assert lost_masking(tree, "f") == line


def case(tokens: int, context_length: int) -> Case:
    template = CaseTemplate("short", construct={"context_length": context_length})
    return Case(template, PUBLIC, {"x": np.zeros((2, tokens, 3), np.float32)})


def test_a_mask_of_the_whole_context_is_told_by_both_lengths_and_by_its_line() -> None:
    said = fault("The size of tensor a (5) must match the size of tensor b (8)", type="RuntimeError")

    assert evidence.is_unsliced_mask(said, "scores.masked_fill(self.mask, v)", case(5, 8))
    assert not evidence.is_unsliced_mask(said, "x + self.position", case(5, 8))
    assert evidence.is_unsliced_mask(replace(said, shapes=(("self.bias", (1, 8, 8)),)), "s + self.bias", case(5, 8))
    assert evidence.is_unsliced_mask(replace(said, shapes=(("keep[:5]", (5, 8)),)), "s * self.keep[:5]", case(5, 8))
    assert not evidence.is_unsliced_mask(said, "x + self.position  # no mask", case(5, 8))
    assert not evidence.is_unsliced_mask(said, "scores.masked_fill(self.mask, v)", case(8, 8))
    assert not evidence.is_unsliced_mask(said, "scores.masked_fill(self.mask, v)", case(5, 9))


def test_what_a_mask_of_the_whole_context_leads_to_is_told_by_its_length() -> None:
    said = fault("Expected size for batch2 tensor to be: [3, 8] but got: [3, 1].", type="RuntimeError")

    assert evidence.meets_whole_context(said, case(1, 8))
    assert not evidence.meets_whole_context(said, case(1, 9))
    assert not evidence.meets_whole_context(said, case(8, 8))


@pytest.mark.parametrize(
    ("message", "mistake"),
    [
        ("t() expects a tensor with <= 2 dimensions, but self is 3D", "batch-transpose"),
        ("mm() expects a tensor with 2 dimensions, but self is 3D", ""),
    ],
)
def test_a_transpose_that_knows_no_batch_says_so(message: str, mistake: str) -> None:
    assert evidence.of_fault(fault(message, type="RuntimeError"), TREE, "f", "scores = a @ b.t()") == mistake


def test_no_right_solution_reads_like_a_lost_masking() -> None:
    for solution in right():
        tree = parsed(solution.path.read_text("utf-8"))
        assert tree is not None
        names = [node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
        assert not [name for name in names if lost_masking(tree, name)], solution.name


MULTIPLIED = fault("mat1 and mat2 shapes cannot be multiplied (6x3 and 2x3)", type="RuntimeError")


@pytest.mark.parametrize(
    ("line", "mistake"),
    [
        ("queries = x @ self.W_query.T", "weights-transposed"),
        ("queries = inputs @ W_query.T", "weights-transposed"),
        ("queries = F.linear(x, W_query)", "weights-transposed"),
        ("queries = F.linear(x, self.W_query.weight.T, self.W_query.bias)", "weights-transposed"),
        ("queries = F.linear(x, self.W_query.weight, self.W_query.bias)", ""),
        ("queries = x @ self.W_query.weight", "weights-transposed"),
        ("queries = x @ layer.weight", "weights-transposed"),
        ("queries = x.matmul(self.W_query.weight)", "weights-transposed"),
        ("queries = torch.matmul(x, self.W_query.weight) + self.W_query.bias", "weights-transposed"),
        ("queries = x @ self.W_query.weight.T", ""),
        ("queries = torch.matmul(x, self.W_query.weight.T)", ""),
        ("wide.weight[i:j] = narrow.weight.T", "weights-transposed"),
        ("matrix[i:j] = narrow.weight.T", ""),
        ("wide.weight.data[:, i:j] = narrow.weight", "heads-wrong-axis"),
        ("wide.weight[:,i * d : (i + 1) * d].copy_(narrow.weight)", "heads-wrong-axis"),
        ("wide.out_proj.weight[:, i:j] = narrow.weight", ""),
        ("rows = wide.weight[:, i:j] + narrow.weight", ""),
        ("scores = query @ key.T", "batch-transpose"),
        ("scores = queries @ keys.T", "batch-transpose"),
        ("scores = queries @ keys.mT", ""),
    ],
)
def test_shapes_that_do_not_fit_are_the_weights_or_the_batchs_by_what_is_turned(line: str, mistake: str) -> None:
    assert evidence.of_fault(MULTIPLIED, TREE, "f", line) == mistake


@pytest.mark.parametrize(
    ("made", "line"),
    [
        ("tokens = torch.tensor([[0.1, 0.2]])", 4),
        ("tokens = torch.rand(6, 3)", 4),
        ("tokens = 5", 0),
        ("tokens = ('W_query', 'W_key')", 0),
        ("tokens = torch.tensor(2.0)", 0),
    ],
)
def test_data_of_the_files_own_is_a_notebooks_and_a_constant_is_not(made: str, line: int) -> None:
    tree = ast.parse(f"{made}\n\ndef f(x):\n    return x * len(tokens)\n")

    assert evidence.global_read(tree, "f") == line


@pytest.mark.parametrize(("name", "line"), [("attn_scores_2", 4), ("dropout", 4), ("epsilon", 0)])
def test_a_name_of_the_lessons_is_a_notebooks(name: str, line: int) -> None:
    tree = ast.parse(f"{name} = 0.5\n\ndef f(x):\n    return x * {name}\n")

    assert evidence.global_read(tree, "f") == line


def test_a_lost_masking_is_found_in_a_function_that_is_called() -> None:
    helper = "def hide(scores, mask):\n    scores.masked_fill(mask, -1)\n    return scores\n"
    tree = ast.parse(f"{helper}\ndef f(scores, mask):\n    return hide(scores, mask)\n\ndef g(x):\n    return x\n")

    assert lost_masking(tree, "f") == 2
    assert lost_masking(tree, "g") == 0


@pytest.mark.parametrize(
    ("joined", "mistakes"),
    [("sum(heads.unbind(1))", ["heads-summed"]), ("heads.mean(1)", []), ("heads[:, 0]", [])],
)
def test_a_crash_alone_needs_the_words_of_its_mistake(joined: str, mistakes: list[str]) -> None:
    source = f"def f(s, v):\n    heads = s.softmax(-1) @ v\n    return out({joined})\n"
    summed = {frozenset({"heads-summed"})}

    assert [found.id for found in evidence.certain(summed, source, "f", crashed=True)] == mistakes
    assert [found.id for found in evidence.certain(summed, source, "f")] == ["heads-summed"]


def test_of_two_mistakes_that_only_together_crash_so_neither_is_certain() -> None:
    source = "def f(s, v):\n    return out(s @ v)\n"
    both = {frozenset({"heads-not-transposed", "mask-missing"})}

    assert not evidence.certain(both, source, "f", crashed=True)
    assert len(evidence.certain(both, source, "f")) == 2


def test_what_a_later_definition_replaces_is_not_read() -> None:
    source = """
def f(x):
    x.masked_fill(hidden, 0)
    return x

class A:
    def forward(self, x):
        return x

    def forward(self, x):
        return f(x)

    @property
    def width(self):
        return 1

    @width.setter
    def width(self, value):
        pass

def f(x):
    y = x + 1
    x.masked_fill(hidden, 0)
    return y
"""
    tree = parsed(source)

    assert tree is not None
    assert lost_masking(tree, "f") == 23
    (own,) = (node for node in tree.body if isinstance(node, ast.ClassDef))
    assert [getattr(node, "lineno", 0) for node in own.body] == [10, 14, 18]


def test_many_definitions_are_gone_through_once() -> None:
    source = "".join(f"def f{number}(x): return f{number + 1}(x)\n" for number in range(1500))

    tree = parsed(source)

    assert tree is not None
    assert lost_masking(tree, "f0") == 0


@pytest.mark.parametrize(
    ("dropped", "blended", "named"),
    [
        ("w = dropout(w)", "s @ v", ["softmax-missing"]),
        ("dropout(w)", "s @ v", ["softmax-missing"]),
        ("s = w", "s @ v", ["scale-missing", "softmax-missing"]),
    ],
)
def test_what_softmax_is_given_is_not_missing_where_its_result_is_not_used(
    dropped: str, blended: str, named: list[str]
) -> None:
    source = f"def f(q, k, v):\n    s = q @ k.T\n    w = softmax(s / 2)\n    {dropped}\n    return {blended}\n"

    found = evidence.certain([frozenset({"softmax-missing", "scale-missing"})], source, "f")

    assert [each.id for each in found] == named


@pytest.mark.parametrize(
    ("candidates", "named"),
    [
        (["scale-missing softmax-twice", "scale-inverted softmax-twice"], "softmax-twice"),
        (["scale-missing", "softmax-twice"], ""),
        (["", "softmax-twice"], ""),
        (["mask-zero-fill softmax-twice", "mask-after-softmax softmax-twice"], "mask-after-softmax softmax-twice"),
        (["mask-zero-fill softmax-twice"], "mask-zero-fill softmax-twice"),
        (["mask-zero-fill", "mask-after-softmax"], ""),
    ],
)
def test_of_several_explanations_what_all_have_alike_is_certain(candidates: list[str], named: str) -> None:
    source = "def f(q, k):\n    return softmax(q @ k.T / 2)\n"

    found = evidence.certain([frozenset(ids.split()) for ids in candidates], source, "f")

    assert {mistake.id for mistake in found} == {*named.split()}


@pytest.mark.parametrize("turned", [True, False])
def test_scores_that_are_turned_with_their_mask_are_no_queries_for_keys_and_no_inverted_mask(turned: bool) -> None:
    masked = "s = q @ k.mT\n    s = s.masked_fill(tril(ones(3, 3)) == 1, -inf)"
    source = f"def f(q, k, v):\n    {masked}\n    return softmax(s{'.mT' if turned else ''}, -1) @ v\n"

    found = evidence.certain([frozenset({"mask-inverted", "query-key-swapped"})], source, "f")

    assert bool(found) is not turned


@pytest.mark.parametrize(("name", "mistake"), [("_init_", "api-misspelt"), ("init", "api-misspelt"), ("setup", "")])
def test_a_method_that_was_to_be_init_is_misspelt(name: str, mistake: str) -> None:
    tree = ast.parse(f"class A(nn.Module):\n    def {name}(self, d):\n        pass\n")
    said = fault("A.__init__() takes 1 positional argument but 2 were given", type="TypeError")

    assert evidence.of_fault(said, tree, "A") == mistake


@pytest.mark.parametrize("helped", [False, True])
def test_weights_on_their_side_are_not_certain_where_softmax_goes_along_another_axis_of_a_product(
    helped: bool,
) -> None:
    product = "scaled(q, k)" if helped else "k @ q.T"
    helper = "def scaled(q, k):\n    return k @ q.T\n\n"
    source = f"{helper}def f(q, k, v):\n    s = {product}\n    w = torch.softmax(s, dim={{}})\n    return w @ v\n"
    turned = [frozenset({"weights-transposed"})]

    assert evidence.certain(turned, source.format(0), "f") == ()
    assert [found.id for found in evidence.certain(turned, source.format(-1), "f")] == ["weights-transposed"]


def test_a_number_that_is_kept_as_t_turns_no_batch() -> None:
    said = fault("The size of tensor a (16) must match the size of tensor b (5)", type="RuntimeError")

    assert evidence.of_fault(said, TREE, "f", "s.masked_fill(self.mask[: self.T, : self.T], v)") == ""
    assert evidence.of_fault(said, TREE, "f", "s = q @ k.T") == "batch-transpose"
