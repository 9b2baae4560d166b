"""A misspelt name is told as what it was meant for, the student's own or one of torch's."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.slips.spelling import absent_attribute, meant_of_own, misspelt_method, of_undefined
from grader.model.observation import Fault
from grader.model.pack import Definition

ASKED = {"CausalHead": Definition("CausalHead", "()", (), is_class=True, exercise="ex10_heads")}


def test_only_the_asked_class_without_a_forward_has_a_misspelt_one() -> None:
    method = "    def {}(self, x):\n        return x\n"
    helper = "class B(nn.Module):\n" + method.format("forward_one") + method.format("forward")
    misspelt = "class A(nn.Module):\n" + method.format("foward")

    own = misspelt_method(ast.parse(helper + misspelt), "A")
    assert own is not None
    assert own.name == "foward"
    assert misspelt_method(ast.parse(helper + misspelt.replace("foward", "apply")), "A") is None
    assert misspelt_method(ast.parse(helper), "B") is None


@pytest.mark.parametrize(
    ("message", "near"),
    [
        ("attend() got an unexpected keyword argument 'queris'", "queries"),
        ("A.__init__() got an unexpected keyword argument 'qkv_bais'", "qkv_bias"),
        ("A.split() got an unexpected keyword argument 'slef'", ""),  # which nobody hands over by its name
        ("attend() got an unexpected keyword argument 'values'", ""),
        ("split() got an unexpected keyword argument 'projectd'", ""),  # of another one that is so called
        ("B.split() got an unexpected keyword argument 'projectd'", ""),
        ("attend() missing 1 required positional argument: 'queris'", ""),
    ],
)
def test_a_misspelt_argument_of_ones_own_function_is_told(message: str, near: str) -> None:
    source = (
        "def attend(queries, *, keys):\n    return queries\n"
        "class A:\n    def __init__(self, d, qkv_bias=False):\n        self.d = d\n"
        "    def split(self, projected):\n        return projected\n"
    )

    assert meant_of_own(Fault("exception", "TypeError", message), ast.parse(source), "A", ASKED) == near


@pytest.mark.parametrize(
    ("kind", "message", "near"),
    [
        ("AttributeError", "'A' object has no attribute 'W_qeury'", "W_query"),
        ("AttributeError", "'Tensor' object has no attribute 'W_qeury'", ""),
        ("AttributeError", "'A' object has no attribute 'something'", ""),
        ("AttributeError", "'A' object has no attribute 'spilt_heads'", "split_heads"),
        ("NameError", "name 'scaled_score' is not defined", "scaled_scores"),
        ("NameError", "name 'context_vecs' is not defined", ""),  # which is not called, and so no function
        ("NameError", "name 'attn_weight' is not defined", "attn_weights"),
        ("NameError", "name 'nothing' is not defined", ""),
        ("NameError", "name 'weigths' is not defined", "weights"),  # and no layer's `weight`
        ("NameError", "name 'kyes' is not defined", "keys"),
        ("NameError", "name 'kay' is not defined", ""),
        ("NameError", "name 'my_softmx' is not defined", "my_softmax"),  # which is nearer than torch's
        ("NameError", "name 'sofmax' is not defined", ""),  # and this is nearer to torch's
        ("NameError", "name 'troch' is not defined", ""),  # it is torch's, and told of elsewhere
        ("ValueError", "name 'attn_weight' is not defined", ""),
        ("ImportError", "cannot import name 'CausalHaed' from 'exercises.ex1' (there)", "CausalHead"),
        ("ImportError", "cannot import name 'CausalHaed' from 'torch.nn' (there)", ""),
        ("ModuleNotFoundError", "No module named 'ex10'", "ex10_heads"),
        ("ModuleNotFoundError", "No module named 'exercises.ex10_head'", "ex10_heads"),
        ("ModuleNotFoundError", "No module named 'exercises.ex10_heads'", ""),
        ("ModuleNotFoundError", "No module named 'ex11'", ""),
        ("ModuleNotFoundError", "No module named 'seaborn'", ""),
    ],
)
def test_a_name_of_ones_own_that_is_misspelt_is_told(kind: str, message: str, near: str) -> None:
    source = (
        "class A:\n    def __init__(self):\n        self.W_query = 1\n    def g(self, x):\n        attn_weights = x\n"
        "        weights = keys = x\n    def split_heads(self, x):\n        return x\n"
        "def scaled_scores(x):\n    return x\ndef context_vectors(x):\n    scaled_score(x)\n    return context_vecs\n"
        "def my_softmax(x):\n    return my_softmx(sofmax(x))\n"
    )

    assert meant_of_own(Fault("exception", kind, message), ast.parse(source), "A", ASKED) == near


@pytest.mark.parametrize(
    ("message", "absent"),
    [
        ("'A' object has no attribute 'mask'", "mask"),
        ("'A' object has no attribute 'dropout'", ""),  # which is set later
        ("'A' object has no attribute 'register_bufer'", ""),  # which is torch's, misspelt
        ("'Tensor' object has no attribute 'mask'", ""),
    ],
)
def test_what_a_class_asks_itself_for_and_never_keeps_is_known(message: str, absent: str) -> None:
    tree = ast.parse("class A:\n    def forward(self, x):\n        self.dropout(x)\n        self.dropout = self.mask\n")

    assert absent_attribute(Fault("exception", "AttributeError", message), tree, "A") == absent


def test_a_function_of_ones_own_that_is_misspelt_is_not_said_to_be_one_of_torchs() -> None:
    source = "def weights(x):\n    return softmaxx(x)\n"

    assert of_undefined("softmaxx", ast.parse(source), "weights") == "api-misspelt"
    assert of_undefined("softmaxx", ast.parse(f"def softmax(x):\n    return x\n{source}"), "weights") == ""


def test_a_method_is_used_without_self_by_its_name_alone() -> None:
    source = "class A:\n    def split(self, x):\n        return x\n    def forward(self, x):\n        return split(x)\n"

    assert of_undefined("split", ast.parse(source), "A") == "self-missing"


def test_an_attribute_of_what_another_exercise_asks_for_is_meant_as_it_is_called_beside_it() -> None:
    copied = "def copy(s, t):\n    t.W_key.data = s.W_key.weight.T\n    t.W_keys.data = s.W_key.weight.T\n"
    fault = Fault("exception", "AttributeError", "'CausalHead' object has no attribute 'W_keys'")

    assert meant_of_own(fault, ast.parse(copied), "copy", ASKED) == "W_key"
    assert meant_of_own(fault, ast.parse(copied), "copy", {}) == ""


@pytest.mark.parametrize(
    ("body", "absent", "meant"),
    [
        ("querys = x\n    return queries", "queries", "querys"),
        ("queries = x\n    return querys", "querys", "queries"),
        ("querys = x\n    print(querys)\n    return queries", "queries", ""),  # which is read, and what it was made for
        ("keys = x\n    return queries", "queries", ""),
    ],
)
def test_what_is_made_and_never_read_may_be_spelt_less_alike(body: str, absent: str, meant: str) -> None:
    tree = ast.parse(f"def f(x):\n    {body}\n")
    fault = Fault("exception", "NameError", f"name '{absent}' is not defined")

    assert meant_of_own(fault, tree, "f", {}) == meant
    assert (of_undefined(absent, tree, "f") == "") or not meant


def test_what_is_read_where_there_is_no_self_lacks_none() -> None:
    source = "class A:\n    def __init__(self, n):\n        self.n = n\n\ndef cut(t{}):\n    return t.view(n)\n"

    assert of_undefined("n", ast.parse(source.format("")), "A") == "global-variable"
    assert of_undefined("n", ast.parse(source.format(", self")), "A") == "self-missing"
