"""A piece of a student's source that says what is wrong is quoted with its line, and what looks like it is not."""

from __future__ import annotations

import ast

import pytest

from grader.judge.diagnosis.clues import quotes


@pytest.mark.parametrize(
    ("source", "product"),
    [
        ("def f(s, m):\n    s = s + 1\n    return s + m * -torch.inf\n", "m * -torch.inf"),
        ("def f(s, m):\n    return s + m.float() * float('-inf')\n", "m.float() * float('-inf')"),
        ("def f(s, m):\n    return s + -math.inf * m\n", "-math.inf * m"),
        ("def hide(s, m):\n    return s + m * -torch.inf\n\ndef f(s, m):\n    return hide(s, m)\n", "m * -torch.inf"),
        ("def f(s, m):\n    m *= -torch.inf\n    return s + m\n", "m *= -torch.inf"),
        ("from math import inf\ndef f(s, m):\n    return s + (-inf) * m\n", "-inf * m"),
        (
            "def f(s, m):\n    return s + triu(torch.ones(3, 3), 1) * -torch.inf\n",
            "triu(torch.ones(3, 3), 1) * -torch.inf",
        ),
        ("def g(s, m):\n    return s + m * -torch.inf\n\ndef f(s, m):\n    return s\n", ""),
        # no 0 is multiplied here
        ("def f(s, m):\n    return s.masked_fill(m, -torch.inf) * 2\n", ""),
        ("def f(s, m):\n    return s + m * -1e9\n", ""),
        ("def f(s, m):\n    return s + torch.triu(torch.ones(3, 3) * -torch.inf, 1)\n", ""),
        ("def f(s, m):\n    return s.masked_fill(m, -1 * torch.inf)\n", ""),
    ],
)
def test_a_product_with_infinity_is_found(source: str, product: str) -> None:
    found = quotes.infinite_product(ast.parse(source), "f")

    assert (ast.unparse(found) if found else "") == product


def test_products_without_end_are_looked_through_once() -> None:
    chain = "x = " + " * ".join(["a"] * 900) + "\n"
    tree = ast.parse("def f(s):\n" + f"    {chain}" * 30 + "    return s * -torch.inf\n")

    found = quotes.infinite_product(tree, "f")
    assert found is not None
    assert (ast.unparse(found), found.lineno) == ("s * -torch.inf", 32)


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("def f(x):\n    torch.manual_seed(123)\n    return x * rand(3)\n", 2),
        ("def f(x):\n    return x * rand(3, generator=Generator().manual_seed(0))\n", 2),
        ("def g():\n    torch.manual_seed(123)\n\ndef f(x):\n    g()\n    return x * rand(3)\n", 2),
        ("class f:\n    def forward(self, x):\n        seed = torch.manual_seed(1)\n        return x * rand(3)\n", 3),
        # once for all calls, or another in each
        ("class f:\n    def __init__(self):\n        torch.manual_seed(1)\n", 0),
        ("torch.manual_seed(123)\n\ndef f(x):\n    return x * rand(3)\n", 0),
        ("def f(x, seed):\n    torch.manual_seed(seed)\n    return x * rand(3)\n", 0),
    ],
)
def test_random_numbers_that_begin_anew_in_each_call_are_found(source: str, line: int) -> None:
    found = quotes.seeded(ast.parse(source), "f")

    assert (found.lineno if found else 0) == line


@pytest.mark.parametrize(
    ("source", "quotient"),
    [
        (
            "class A:\n    def __init__(self, d_out, num_heads):\n        self.d = d_out / num_heads\n",
            "d_out / num_heads",
        ),
        ("def f(x, w):\n    return x.view(2, x.shape[-1] / w.num_heads)\n", "x.shape[-1] / w.num_heads"),
        ("def f(s, keys):\n    return s / keys.shape[-1] ** 0.5\n", ""),
        ("def f(d_out, num_heads):\n    return d_out // num_heads\n", ""),
        ("def f(d_out, scores, heads):\n    mean = scores / heads\n    width = d_out / heads\n", ""),
    ],
)
def test_a_width_divided_into_a_float_is_found(source: str, quotient: str) -> None:
    found = quotes.divided_by_heads(ast.parse(source))

    assert (ast.unparse(found) if found else "") == quotient


def test_what_is_quoted_is_found_in_its_line() -> None:
    source = "class A:\n    def __init__(self, d_out, num_heads):\n        self.width = d_out / num_heads\n"

    found = quotes.divided_by_heads(ast.parse(source))
    assert found is not None
    assert (ast.unparse(found), found.lineno) == ("d_out / num_heads", 3)


@pytest.mark.parametrize(
    ("source", "draw"),
    [
        ("def f(w, g):\n    return w * (torch.rand(2, 3) > 0.5)\n", "torch.rand(2, 3)"),
        ("def f(w, g):\n    a = torch.rand(2, generator=g)\n    return a * torch.rand_like(w)\n", "torch.rand_like(w)"),
        ("def f(w, g):\n    return w * draw(w)\n\ndef draw(w):\n    return randn(2)\n", "randn(2)"),
        ("def f(w, g):\n    return F.dropout(w, 0.5)\n", "F.dropout(w, 0.5)"),
        ("def f(w, g):\n    return w.new_empty(3).bernoulli_(0.5)\n", "w.new_empty(3).bernoulli_(0.5)"),
        ("def f(w, g):\n    return torch.rand(2, generator=None)\n", "torch.rand(2, generator=None)"),
        ("def f(w, g):\n    torch.manual_seed(0)\n    return torch.rand(2, generator=g)\n", ""),
        # a function of the file's own, whatever it is called
        ("def f(w, g):\n    def rand(n):\n        return w.new(n).uniform_(generator=g)\n    return rand(2)\n", ""),
        ("def f(w, g):\n    return sample(w)\n\ndef sample(w):\n    return w.new(2).normal_()\n", "w.new(2).normal_()"),
        # what takes it under another name, or as another function's argument
        ("def f(w, g):\n    own = g\n    return torch.rand(2, generator=own)\n", ""),
        ("def f(w, g):\n    return draw(g)\n\ndef draw(rng):\n    return torch.rand(2, generator=rng)\n", ""),
        ("def f(w, g):\n    kw = {'generator': g}\n    return torch.rand(2, **kw)\n", ""),
        ("def f(w, g):\n    return w\n\ndef other():\n    return torch.rand(2)\n", ""),
        # where there is none it cannot be taken
        ("def f(w, g):\n    if g is None:\n        return torch.rand(2)\n    return randn(2)\n", "randn(2)"),
        ("def f(w, g):\n    if g is not None:\n        return randn(2)\n    return torch.rand(2)\n", "randn(2)"),
        ("def f(w, g):\n    if not g:\n        a = rand(2)\n    else:\n        a = randn(2)\n", "randn(2)"),
        ("def f(w, g):\n    return randn(2) if g else rand(2)\n", "randn(2)"),
        ("def f(w, g):\n    return rand(2) if None is g or len(w) else randn(2)\n", "rand(2)"),
        ("def f(w, g):\n    if g is None:\n        return rand(2)\n    return rand(2, generator=g)\n", ""),
    ],
)
def test_a_draw_without_the_generator_is_found(source: str, draw: str) -> None:
    found = quotes.drawn_without(ast.parse(source), "f", "g")

    assert (ast.unparse(found) if found else "") == draw


def test_an_argument_is_found_by_its_place_whatever_it_is_called() -> None:
    tree = ast.parse("def f(w, p, training, gen=None, /):\n    return w\n\ndef g(*all):\n    return all\n")

    assert quotes.parameter(tree, "f", 3, "generator") == "gen"
    assert quotes.parameter(tree, "g", 3, "generator") == "generator"


@pytest.mark.parametrize(
    ("line", "quoted"),
    [("torch.manual_seed(3)", "torch.manual_seed(3)"), ("np.random.seed(0)", ""), ("g.manual_seed(n)", "")],
)
def test_only_torchs_own_beginning_makes_draws_begin_anew(line: str, quoted: str) -> None:
    found = quotes.seeded(ast.parse(f"def f(w, g, n):\n    {line}\n    return w\n"), "f")

    assert (ast.unparse(found) if found else "") == quoted


BOTH = """
class A:
    def __init__(self):
        self.start()

    def start(self):
        torch.manual_seed(1)

    def forward(self, x):
        {}
        return self.blend(x)

    def blend(self, x):
        return x
"""


@pytest.mark.parametrize(("line", "found"), [("pass", 0), ("self.start()", 7), ("torch.manual_seed(2)", 10)])
def test_what_only_makes_an_object_is_in_no_call(line: str, found: int) -> None:
    seeding = quotes.seeded(ast.parse(BOTH.format(line)), "A")

    assert (seeding.lineno if seeding else 0) == found


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ("d_in, d_out, dropout, context_length", True),
        ("d_in, d_out, context_length, dropout", False),
        ("a, b, dropout, context_length", False),
        ("d_in, d_out, context_length", False),
    ],
)
def test_arguments_in_another_order_are_told(arguments: str, found: bool) -> None:
    due = ("d_in", "d_out", "context_length", "dropout")

    for source in (
        f"class A:\n    def __init__(self, {arguments}):\n        pass\n",
        f"\ndef A({arguments}):\n    pass\n",
    ):
        said = quotes.reordered(ast.parse(source), "A", due)
        assert (said is not None and arguments in said[0] and said[1] == 2) == found


@pytest.mark.parametrize(
    ("line", "is_off"),
    [
        ("self.eval()", True),
        ("self.training = False", True),
        ("self.train(False)", True),
        ("self.train(False) if self.heads else None", True),
        ("self.dropout.eval()", True),
        ("self.train()", False),
        ("self.training = True", False),
        ("x = self.dropout(x)", False),
        ("eval('x')", False),
    ],
)
def test_a_module_that_ends_its_own_training_is_found(line: str, is_off: bool) -> None:
    source = f"class A:\n    def __init__(self):\n        pass\n\n    def forward(self, x):\n        {line}\n"

    found = quotes.switched_off(ast.parse(source), "A")

    assert (found.lineno if found else 0) == (6 if is_off else 0)


@pytest.mark.parametrize(
    ("made", "is_otherwise"),
    [
        ("nn.Dropout()", True),
        ("nn.Dropout(0.1)", True),
        ("nn.Dropout(p=1 - rate)", True),
        ("Dropout(1.0 - rate)", True),
        ("nn.Dropout(rate)", False),
        ("nn.Dropout(p=rate)", False),
        ("nn.Dropout(self.rate)", False),
        ("nn.Linear(2, 2)", False),
    ],
)
def test_dropout_that_is_made_of_another_number_is_found_with_what_it_should_be_given(
    made: str, is_otherwise: bool
) -> None:
    source = f"class A:\n    def __init__(self, d_in, rate):\n        self.layer = {made}\n"

    found = quotes.made_otherwise(ast.parse(source), "A", 1)

    assert (found is not None) == is_otherwise
    if found:
        assert (ast.unparse(found[0]), found[0].lineno, found[1]) == (made, 3, "rate")
    assert quotes.made_otherwise(ast.parse(source), "A", 5) is None


@pytest.mark.parametrize(
    ("drawn", "code"),
    [
        ("torch.rand(n, d)", "torch.rand(n, d)"),
        ("torch.rand_like(x)", "torch.rand_like(x)"),
        ("torch.randn(n, d)", ""),
        # of which normal numbers can be made, or may be
        ("torch.rand(n, d) + torch.randn(n, d)", ""),
        ("x.normal_()", ""),
        ("x.sum()", ""),
    ],
)
def test_draws_between_0_and_1_are_found_where_there_are_no_others(drawn: str, code: str) -> None:
    found = quotes.drawn_evenly(ast.parse(f"def f(x, n, d):\n    return {drawn}\n"), "f")

    assert (ast.unparse(found) if found else "") == code


@pytest.mark.parametrize(
    ("made", "code"),
    [
        ("W_query = nn.Linear(2, 2)", "W_query = nn.Linear(2, 2)"),
        ("self.W_query = nn.Linear(2, 2)", ""),
        ("W_query = self.W_key", ""),
        ("W_query = nn.Linear(2, 2)\n        self.all = nn.ModuleList([W_query])", ""),
    ],
)
def test_a_layer_that_is_kept_in_a_variable_of_init_alone_is_found(made: str, code: str) -> None:
    tree = ast.parse(f"class A(Module):\n    def __init__(self):\n        {made}\n")

    found = quotes.kept_as_a_local(tree, "A", "W_query.weight")

    assert (found and (ast.unparse(found[0]), found[0].lineno, found[1])) == ((code, 3, "W_query") if code else None)


def test_heads_that_are_kept_in_a_variable_of_init_alone_are_found() -> None:
    tree = ast.parse("class A(Module):\n    def __init__(self):\n        heads = [Head() for _ in range(2)]\n")

    found = quotes.kept_as_a_local(tree, "A", "heads.0.W_query.weight")

    assert found is not None
    assert (ast.unparse(found[0]), found[0].lineno, found[1]) == ("heads = [Head() for _ in range(2)]", 3, "heads")


@pytest.mark.parametrize(
    ("test", "is_found"), [("(d % h == 0, 'no')", True), ("d % h == 0, 'no'", False), ("(d % h == 0)", False)]
)
def test_an_assert_of_a_tuple_is_found(test: str, is_found: bool) -> None:
    found = quotes.asserts_a_tuple(ast.parse(f"class A:\n    def __init__(self, d, h):\n        assert {test}\n"), "A")

    assert (found is not None and found.lineno == 3) == is_found


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("query = inputs[1]\n    return inputs @ query", "query"),
        ("n = inputs.shape[0]\n    query = inputs[1]\n    return inputs @ query", "query"),
        ("query = query / 2\n    return inputs @ query", ""),
        ("scores = inputs @ query\n    query = inputs[1]\n    return scores", ""),
        ("if query is None:\n        query = inputs[1]\n    return inputs @ query", ""),
        ("keys = inputs\n    return keys @ query", ""),
    ],
)
def test_an_argument_that_is_given_another_value_before_it_is_read_is_found(body: str, name: str) -> None:
    found = quotes.overwritten(ast.parse(f"def f(query, inputs):\n    {body}\n"), "f")

    assert (found[1] if found else "") == name


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("for x in xs:\n        y = x\n        return y", 4),
        ("while True:\n        return 1", 3),
        ("for x in xs:\n        if x:\n            return x\n    return 0", 0),
        ("for x in xs:\n        pass\n    return 0", 0),
        ("return [x for x in xs]", 0),
    ],
)
def test_a_return_that_ends_a_loop_in_its_first_turn_is_found(body: str, line: int) -> None:
    tree = ast.parse(f"def f(xs):\n    {body}\n")

    assert quotes.returned_in_a_loop(tree, "f") == line
    assert quotes.returned_in_a_loop(tree, "g") == 0


@pytest.mark.parametrize(
    ("call", "is_found"),
    [
        ("F.dropout(w)", True),
        ("F.dropout(w, 0.5)", True),
        ("torch.nn.functional.dropout(w, p=0.1, training=True)", True),
        ("F.dropout(w, 0.5, self.training)", False),
        ("F.dropout(w, self.p)", False),
        ("F.dropout(w, 0.0)", False),
        ("F.dropout(w, 0.5) if self.busy else w", False),
        ("self.dropout(w)", False),
        ("F.dropout(w, **options)", False),
    ],
)
def test_dropout_that_nothing_ends_is_found(call: str, is_found: bool) -> None:
    source = f"class A:\n    def forward(self, w):\n        return {call}\n"

    found = quotes.always_dropping(ast.parse(source), "A")

    assert (found is not None and found.lineno == 3) == is_found


@pytest.mark.parametrize(
    "source",
    [
        "def dropout(w): return F.dropout(w, 0.5)\nclass A:\n    def forward(self, w): return self.dropout(w)\n",
        "class A:\n    def forward(self, w):\n        F.dropout(w, 0.5)\n        return w\n",
        "class A:\n    def forward(self, w):\n        return F.dropout(*w)\n",
    ],
)
def test_dropout_that_is_not_called_or_let_go_is_not_meant(source: str) -> None:
    assert quotes.always_dropping(ast.parse(source), "A") is None


def test_dropout_in_a_function_that_is_called_is_found() -> None:
    source = "def drop(w):\n    return F.dropout(w, 0.5)\nclass A:\n    def forward(self, w):\n        return drop(w)\n"

    found = quotes.always_dropping(ast.parse(source), "A")
    assert found is not None
    assert (ast.unparse(found), found.lineno) == ("F.dropout(w, 0.5)", 2)


@pytest.mark.parametrize(
    ("line", "is_for_all"),
    [
        ("global width", True),
        ("A.width = 2", True),
        ("type(self).width = 2", True),
        ("self.__class__.width = 2", True),
        ("self.width = A.width", False),
        ("other.width = type(self)", False),
        ("KEPT['width'] = 2", True),
        ("kept['width'] = 2", False),
    ],
)
def test_what_a_class_keeps_for_all_its_modules_is_found(line: str, is_for_all: bool) -> None:
    source = f"class A:\n    def __init__(self):\n        global n\n        n = type(self).made = 1\n        {line}\n"
    source += "    def forward(self, x):\n        return x / self.width / width / KEPT['width']\nKEPT = {}\n"

    found = quotes.kept_for_all(ast.parse(source), "A")

    assert (found.lineno if found else 0) == (5 if is_for_all else 0)


@pytest.mark.parametrize(
    ("body", "is_found"),
    [
        ("print('no')", True),
        ("print('no')\n            return", True),
        ("print('no')\n            raise ValueError", False),
        ("self.d = d", False),
    ],
)
def test_a_print_in_place_of_an_exception_is_found(body: str, is_found: bool) -> None:
    source = f"class A:\n    def __init__(self, d, h):\n        if d % h:\n            {body}\n"

    found = quotes.prints_instead(ast.parse(source), "A")

    assert (found is not None and found.lineno == 4) is is_found
