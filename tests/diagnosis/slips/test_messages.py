"""Slips of Python's are told in words that a beginner knows, with the line, and only where they are certain."""

from __future__ import annotations

import ast
import textwrap

import pytest

from grader.diagnosis import evidence
from grader.diagnosis.slips.messages import commas, computed, kept_locally, slip
from grader.model.observation import Fault

CLASS = """
class A(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.W_value = nn.Linear(d, d)
        {made}

    def forward(self, x):
        {used}
"""


def told(message: str, text: str, *, made: str = "pass", used: str = "pass", type_: str = "TypeError") -> object:
    tree = ast.parse(CLASS.format(made=made, used=used))
    return slip(Fault("exception", type_, message), tree, "A", text)


@pytest.mark.parametrize(
    ("made", "is_told"),
    [
        ("mask = torch.ones(d, d)", True),
        ("mask: Tensor = torch.ones(d, d)", True),
        ("self.mask = torch.ones(d, d)", False),
        ("mask = torch.ones(d, d)\n        self.mask = mask", False),
        ("other = 1", False),
    ],
)
def test_an_attribute_that_is_a_variable_of_init_alone_is_told_where_it_is_made(made: str, is_told: bool) -> None:
    found = told("'A' object has no attribute 'mask'", "self.mask", made=made, type_="AttributeError")

    said = f"`{made}` is a variable of `__init__` alone, gone when it ends: keep it as `self.mask`"
    assert found == ((said, 6) if is_told else None)


def test_a_variable_that_is_made_use_of_is_none_where_an_attribute_is_called_nearly_so() -> None:
    loop = "for h in range(d):\n            head = nn.Linear(d, d)\n            self.head.append(head)"
    made = f"self.heads = []\n        {loop}"

    found = told("'A' object has no attribute 'head'", "self.head", made=made, type_="AttributeError")

    assert found is None


def test_it_is_no_misspelt_name_of_torchs() -> None:
    fault = Fault("exception", "AttributeError", "'A' object has no attribute 'dropout'")
    kept = CLASS.format(made="dropout = nn.Dropout(d)", used="return self.dropout(x)")
    misspelt = CLASS.format(made="self.drop = nn.Droput(d)", used="return self.drop(x)")

    assert evidence.of_fault(fault, ast.parse(kept), "A") == ""
    fault = Fault("exception", "AttributeError", "module 'torch.nn' has no attribute 'Droput'")
    assert evidence.of_fault(fault, ast.parse(misspelt), "A") == "api-misspelt"


def test_an_attribute_that_another_method_makes_is_no_local() -> None:
    tree = ast.parse(
        textwrap.dedent("""
        class A:
            def __init__(self):
                mask = 1
            def later(self):
                self.mask = 2
        """)
    )

    assert kept_locally(tree, "A", "mask") is None
    assert kept_locally(tree, "B", "mask") is None


@pytest.mark.parametrize(
    ("body", "used", "is_told"),
    [
        ("w = x.softmax(-1)", "return self.attend(x) @ x", True),
        ("w = x.softmax(-1)\n    return", "return self.attend(x) @ x", True),
        ("return x.softmax(-1)", "return self.attend(x) @ x", False),
        ("yield x", "return self.attend(x) @ x", False),
        ("x.zero_()", "self.attend(x)", False),
    ],
)
def test_a_function_that_hands_nothing_back_is_told_where_its_result_is_used(
    body: str, used: str, is_told: bool
) -> None:
    methods = textwrap.indent(f"\ndef attend(self, x):\n    {body}\n", "    ")
    fault = Fault("exception", "TypeError", "unsupported operand type(s) for @: 'NoneType' and 'Tensor'")

    found = slip(fault, ast.parse(CLASS.format(made="pass", used=used) + methods), "A", used)

    lines = 12 + body.count("\n")
    assert found == (("`attend` ends without `return`, so it gives None", lines) if is_told else None)


def test_a_comma_that_makes_a_tuple_is_told() -> None:
    made = "self.W_key = nn.Linear(d, d),"

    found = told("'tuple' object is not callable", "k = self.W_key(x)", made=made)

    assert found == ("the comma at the end of this line makes `self.W_key` a tuple: take it away", 6)
    assert told("'tuple' object is not callable", "k = self.W_value(x)", made=made) is None
    assert told("'tuple' object is not callable", "k = self.pair(x)", made="self.pair = (d, d)") is None
    assert [name for name, _ in commas(ast.parse(CLASS.format(made=made, used="pass")), "A")] == ["W_key"]


@pytest.mark.parametrize(
    ("value", "is_told"),
    [
        ("nn.Parameter(torch.rand(d, d)).T", True),
        ("nn.Parameter(torch.rand(d, d)).transpose(0, 1)", True),
        ("Parameter(torch.rand(d, d)) / 10", True),
        ("0.1 * nn.Parameter(torch.rand(d, d))", True),
        ("nn.Parameter(torch.rand(d, d).T)", False),
        ("torch.rand(d, d).T", False),
    ],
)
def test_what_is_computed_from_a_parameter_is_told(value: str, is_told: bool) -> None:
    tree = ast.parse(CLASS.format(made=f"self.W_key = {value}", used="pass"))

    assert [name for name, _ in computed(tree, "A")] == (["W_key"] if is_told else [])


@pytest.mark.parametrize(
    "message", ["'NoneType' object has no attribute 'bool'", "'NoneType' object is not subscriptable"]
)
def test_what_register_buffer_gives_back_is_told(message: str) -> None:
    made = "self.mask = self.register_buffer('m', torch.ones(d))"

    found = told(message, "x.masked_fill(self.mask[:2].bool())", made=made)

    assert isinstance(found, tuple)
    assert found[0].startswith("`register_buffer` keeps the tensor itself and gives None back, so `self.mask = ")
    assert found[1] == 6
    assert told(message, "self.other[:2]", made=made) is None
    assert told(message, "self.mask[:2]", made="self.mask = torch.ones(d)") is None


def test_a_forward_that_stands_outside_of_its_class_is_told() -> None:
    fault = Fault("exception", "NotImplementedError", 'Module [A] is missing the required "forward" function')
    outside = "class A(nn.Module):\n    pass\n\n\ndef forward({}):\n    return x\n"

    found = slip(fault, ast.parse(outside.format("self, x")), "A", "")

    assert found == ("`forward` stands outside of the class `A`: move it one level to the right", 5)
    assert slip(fault, ast.parse(outside.format("x")), "A", "") is None
    assert slip(fault, ast.parse("class A(nn.Module):\n    pass\n"), "A", "") is None


@pytest.mark.parametrize(
    ("message", "text", "said"),
    [
        (
            "unsupported operand type(s) for @: 'Tensor' and 'builtin_function_or_method'",
            "return inputs @ inputs.t",
            "`inputs.t` is a method: call it, `inputs.t()`",
        ),
        (
            "zeros() takes 1 positional argument but 2 were given",
            "torch.zeros(x.size)",
            "`x.size` is a method: call it, `x.size()`",
        ),
        (
            "cannot unpack non-iterable builtin_function_or_method object",
            "b, num_tokens, d_in = x.size",
            "`x.size` is a method: call it, `x.size()`",
        ),
        ("f() takes 1 positional argument but 2 were given", "f(x.size(0), y)", ""),
        (
            "'torch.Size' object is not callable",
            "n = x.shape()[-1]",
            "`x.shape` is no function: write it without the round brackets, `x.shape` or `x.shape[0]`",
        ),
        ("A.mask() takes 1 positional argument but 2 were given", "self.mask(x.shape[1] + 0 * self.dim)", ""),
        ("only one element tensors can be converted to Python scalars", "float(x) / math.sqrt(1.0)", ""),
        ("only one element tensors can be converted to Python scalars", "math.fsum(x)", ""),
        ("unsupported operand type(s) for /: 'Tensor' and 'torch.return_types.sort'", "w / torch.sort(w)", ""),
        (
            "unsupported operand type(s) for -: 'Tensor' and 'torch.return_types.max'",
            "scores - scores.max(dim=0)",
            "along an axis `max` and `min` give two tensors, the numbers and where they stand: take `.values`",
        ),
        (
            "only one element tensors can be converted to Python scalars",
            "math.exp(scores)",
            "`math.exp` takes one number; for a tensor there is `torch.exp`",
        ),
        ("only one element tensors can be converted to Python scalars", "torch.tensor(rows)", ""),
    ],
)
def test_what_is_called_and_should_not_be_or_the_other_way_round_is_told(message: str, text: str, said: str) -> None:
    assert told(message, text) == ((said, 0) if said else None)


def test_a_method_that_was_named_a_line_before_is_told_there() -> None:
    message = "zeros() takes 1 positional argument but 2 were given"

    found = told(message, "s = torch.zeros(n, n)", used="n = x.size\n        s = torch.zeros(n, n)")

    assert found == ("`x.size` is a method: call it, `x.size()`", 9)
    assert told(message, "s = torch.zeros(m, m)", used="n = x.size(0)") is None


@pytest.mark.parametrize(
    ("used", "is_told"),
    [("return x @ self.W_value", True), ("return self.W_value(x)", False), ("return x @ self.other", False)],
)
def test_a_layer_that_is_not_handed_its_input_is_told_where_it_stands(used: str, is_told: bool) -> None:
    found = told("unsupported operand type(s) for @: 'Tensor' and 'Linear'", used, used=used)

    said = "`self.W_value` is a layer: hand it its input, `self.W_value(x)`"
    assert found == ((said, 9) if is_told else None)


def test_of_several_layers_the_one_of_the_line_that_failed_is_told() -> None:
    made = "self.W_key = nn.Linear(d, d)"
    used = "k = x @ self.W_key\n        v = x @ self.W_value"

    found = told("unsupported operand type(s) for @: 'Tensor' and 'Linear'", "k = x @ self.W_key", made=made, used=used)

    assert found == ("`self.W_key` is a layer: hand it its input, `self.W_key(x)`", 9)


@pytest.mark.parametrize(
    ("types", "used", "due"),
    [
        ("@: 'Dropout' and 'Tensor'", "w = self.drop @ w", "self.drop(w)"),
        ("@: 'Tensor' and 'Dropout'", "return w @ self.drop @ v", "self.drop(w)"),
        ("*: 'Tensor' and 'Dropout'", "w = w * self.drop", "self.drop(w)"),
        ("@: 'Dropout' and 'Tensor'", "w = self.drop @ torch.softmax(s, -1)", "self.drop(torch.softmax(s, -1))"),
        ("@: 'Dropout' and 'Tensor'", "return self.drop @ (w @ v)", "self.drop(…)"),
        ("@: 'Dropout' and 'Tensor'", "return self.drop @ v", "self.drop(…)"),
        ("*: 'Tensor' and 'Dropout'", "c = w @ v\n        return c * self.drop", "self.drop(…)"),
        ("*: 'Tensor' and 'Dropout'", "w = w @ v\n        return w * self.drop", "self.drop(…)"),
        ("-: 'int' and 'Dropout'", "w = w / (1 - self.drop)", ""),
        ("@: 'Tensor' and 'Tuple'", "w = w @ self.drop", ""),
    ],
)
def test_dropout_that_is_multiplied_by_is_to_be_handed_the_weights(types: str, used: str, due: str) -> None:
    used = f"w = torch.softmax(s, -1)\n        {used}"
    found = told(f"unsupported operand type(s) for {types}", used, made="self.drop = nn.Dropout(d)", used=used)

    line = 9 + used.count("\n")
    assert found == ((f"`self.drop` is a layer: hand it its input, `{due}`", line) if due else None)


@pytest.mark.parametrize(("given", "due"), [("x", "x"), ("q", "…"), ("(x + 1)", "…")])
def test_a_linear_layer_is_to_be_handed_what_the_module_was_given_and_nothing_else_by_its_name(
    given: str, due: str
) -> None:
    used = f"return {given} @ self.W_value"

    found = told("unsupported operand type(s) for @: 'Tensor' and 'Linear'", used, used=used)

    assert found == (f"`self.W_value` is a layer: hand it its input, `self.W_value({due})`", 9)


@pytest.mark.parametrize(
    ("text", "name", "shape", "said"),
    [
        ("scores / math.sqrt(keys)", "keys", (5, 2), "takes one number, as the width of `keys` is: `keys.shape[-1]`"),
        ("scores / sqrt(k)", "k", (2, 5, 4), "takes one number, as the width of `k` is: `k.shape[-1]`"),
        (
            "scores / math.sqrt(x)",
            "x",
            (5, 2),
            "takes one number, and `x` is a tensor: what is due is the root of a width",
        ),
        ("torch.tensor(rows) / math.sqrt(k)", "rows", (5, 2), "takes one number; for a tensor there is `torch.sqrt`"),
        (
            "scores / math.sqrt(qkv)",
            "qkv",
            (5, 6),
            "takes one number, and `qkv` is a tensor: what is due is the root of a width",
        ),
        ("weights = math.sqrt(x)", "x", (5, 2), "takes one number; for a tensor there is `torch.sqrt`"),
    ],
)
def test_where_the_root_of_keys_is_taken_that_of_their_width_is_meant(
    text: str, name: str, shape: tuple[int, ...], said: str
) -> None:
    message = "only one element tensors can be converted to Python scalars"
    fault = Fault("exception", "ValueError", message, shapes=((name, shape),))

    assert slip(fault, ast.parse(CLASS.format(made="pass", used=text)), "A", text) == (f"`math.sqrt` {said}", 0)


@pytest.mark.parametrize(
    ("kind", "made"), [("Parameter", "nn.Parameter(torch.rand(d, d))"), ("Tensor", "torch.rand(d, d)")]
)
def test_a_matrix_that_is_called_is_told(kind: str, made: str) -> None:
    made = f"self.W_query = {made}"
    message = f"'{kind}' object is not callable"

    found = told(message, "q = self.split(self.W_query(x))", made=made)

    assert found == ("`self.W_query` is a matrix and no layer: multiply by it, `x @ self.W_query`", 0)
    assert told(message, "q = self.split(x)", made=made) is None


@pytest.mark.parametrize(
    "used",
    [
        "width = self.W_value.out_features\n        return x @ self.other",
        "layers = [self.W_value]\n        return torch.matmul(x, self.other)",
        "v, k = self.W_value, self.W_key\n        return x @ v",
    ],
)
def test_of_layers_that_may_be_meant_none_is_told(used: str) -> None:
    message = "unsupported operand type(s) for @: 'Tensor' and 'Linear'"

    line = used.rpartition("        ")[2]

    assert told(message, line, made="self.W_key = nn.Linear(d, d)", used=used) is None


@pytest.mark.parametrize(
    ("used", "code"),
    [
        ("return p(x + 1)", "p * (x + 1)"),
        ("return 1 / p(x)", "p * (x)"),
        ("return self.p(x)", "self.p * (x)"),
        ("return p()", ""),
        ("return p(x, 1)", ""),
        ("return p(x) + q(x)", ""),  # either may be the number
        ("return torch.exp(x)", ""),
    ],
)
@pytest.mark.parametrize("number", ["float", "int"])
def test_a_number_that_is_called_lacks_its_sign_of_a_product(used: str, code: str, number: str) -> None:
    said = f"brackets behind a number call it: to multiply write `{code}`"

    assert told(f"'{number}' object is not callable", used, used=used) == ((said, 0) if code else None)
    assert told("'list' object is not callable", used, used=used) is None


@pytest.mark.parametrize("kept", ["self.register_buffer('causal', mask)", "self.causal = mask"])
def test_a_variable_that_is_kept_under_another_name_is_not_gone(kept: str) -> None:
    made = f"mask = torch.ones(d, d)\n        {kept}"

    assert told("'A' object has no attribute 'mask'", "self.mask", made=made, type_="AttributeError") is None


def test_a_tuple_that_is_meant_is_no_stray_comma() -> None:
    tree = ast.parse(CLASS.format(made="self.e = (nn.Identity(),)", used="pass"))

    assert [*commas(tree, "A")] == []


@pytest.mark.parametrize(
    ("used", "said"),
    [
        ("return np.matmul(w, v)", "numpy knows no gradients, so stay with torch: `w @ v`"),
        ("return numpy.dot(x @ w, v)", "numpy knows no gradients, so stay with torch: `x @ w @ v`"),
        ("return np.exp(x) / 2", "numpy knows no gradients, so stay with torch: `torch.exp`"),
        ("return np.clip(x, 0, 1)", "numpy knows no gradients, so compute with torch's functions"),
        ("return x.numpy()", "numpy knows no gradients, so compute with torch's functions"),
    ],
)
def test_a_tensor_that_is_handed_to_numpy_is_to_stay_with_torch(used: str, said: str) -> None:
    message = "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."

    assert told(message, used, used=used, type_="RuntimeError") == (said, 0)
    assert told("can't convert cuda:0 device type tensor to numpy.", used, used=used) is None


@pytest.mark.parametrize(
    ("used", "more"),
    [
        ("return np.matmul(w, v)", ", as by `w @ v`"),
        ("return np.exp(x) / 2", ", as by `torch.exp`"),
        ("return x / np.sqrt(4)", ""),  # of which torch takes no root
        ("return np.clip(x, 0, 1)", ""),
    ],
)
def test_numpy_that_nobody_imported_is_not_to_be_imported(used: str, more: str) -> None:
    said = f"numpy is not needed here: compute with torch alone{more}"

    assert told("name 'np' is not defined", used, used=used, type_="NameError") == (said, 0)
    assert told("name 'nq' is not defined", used, used=used, type_="NameError") is None


@pytest.mark.parametrize(
    ("message", "text", "name"),
    [
        ('range() missing 1 required positional arguments: "end"', "for i in range(n):", "range"),
        (
            "sum(): argument 'input' (position 1) must be Tensor, not generator",
            "return sum(h(x) for h in heads)",
            "sum",
        ),
        ("max() received an invalid combination of arguments - got (int, int)", "n = max(a, b)", "max"),
        ("'torch.dtype' object is not callable", "d = int(a / b)", "int"),
    ],
)
def test_what_a_star_brings_in_the_place_of_pythons_own_is_told(message: str, text: str, name: str) -> None:
    fault = Fault("exception", "TypeError", message)
    source = CLASS.format(made="pass", used="pass")

    said = f"with `from torch import *`, `{name}` is torch's and no longer Python's: write `import torch` instead"
    assert slip(fault, ast.parse(f"from torch import *\n{source}"), "A", text) == (said, 0)
    others = ["import torch", "from torch import nn", "from torch.nn import *", ""]
    assert all(slip(fault, ast.parse(f"{other}\n{source}"), "A", text) is None for other in others)
    assert slip(fault, ast.parse(f"from torch import *\n{source}"), "A", text.replace(name, f"torch.{name}")) is None
    for own in (f"def {name}(*given):\n    return given", f"{name} = len"):
        assert slip(fault, ast.parse(f"from torch import *\n{own}\n{source}"), "A", text) is None
        assert slip(fault, ast.parse(f"{own}\nfrom torch import *\n{source}"), "A", text) == (said, 0)


OF_LINEAR = "Linear.__init__() got an unexpected keyword argument '{}'"
MISSING_DIM = 'softmax() missing 1 required positional arguments: "dim"'


@pytest.mark.parametrize(
    ("message", "used", "meant"),
    [
        (MISSING_DIM, "return torch.softmax(x, dims=-1)", "dim"),
        (MISSING_DIM, "return x.softmax(dmi=-1)", "dim"),
        ("sum() received an invalid combination of arguments", "return x.sum(-1, keep_dim=True)", "keepdim"),
        ("triu() got an unexpected keyword argument 'diag'", "return torch.triu(x, diagnal=1)", "diagonal"),
        ("'module' object is not callable", "return nn.parameter(x)", "nn.Parameter"),
        (OF_LINEAR.format("biass"), "return nn.Linear(d, d, biass=False)", "bias"),
        (OF_LINEAR.format("in_feature"), "return nn.Linear(in_feature=d, out_features=d)", "in_features"),
        # what no layer takes, though functions of torch's do
        (OF_LINEAR.format("d_in"), "return nn.Linear(d_in=d, d_out=d)", ""),
        (OF_LINEAR.format("outp"), "return nn.Linear(d, outp=d)", ""),
        # what is right, what is of another function's, and what nothing is like
        (MISSING_DIM, "return torch.softmax(x.sum(-1, keepdims=True))", ""),
        ("permute() got an unexpected keyword argument 'x'", "return x.permute(dims=(0, 1))", ""),
        ("f() got an unexpected keyword argument 'dims'", "return f(x, dims=-1)", ""),
        ("A.f() missing 1 required positional argument: 'mask'", "return self.f(x, values=v)", ""),
        ("'module' object is not callable", "return F(x)", ""),
        ("another thing", "return torch.softmax(x, dims=-1)", ""),
    ],
)
def test_an_argument_or_a_class_of_torchs_that_is_misspelt_is_told(message: str, used: str, meant: str) -> None:
    assert told(message, used, used=used) == ((f"did you mean `{meant}`?", 0) if meant else None)
