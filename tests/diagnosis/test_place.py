"""The statement that is pointed at is the one that a teacher would point at, in whatever style it is written."""
# ruff: noqa: E501 - a source reads best on one line

from __future__ import annotations

import ast
import textwrap

import pytest

from grader.diagnosis.place import FINDERS, OF_BIASES, culprit, is_lacking, speaks_of, unsliced
from tests.suite.reading import Wrong, wrong

# Places that are a matter of taste, or of values that source alone does not show.
AT_LEAST = 0.85


def definition(tree: ast.Module, line: int) -> str:
    """The function or class of the file that a line lies in."""
    names = [n.name for n in tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and n.lineno <= line]
    return names[-1] if names else ""


def marked(solution: Wrong) -> list[tuple[str, int, int]]:
    """Each mistake of a solution that is looked for in its source, the line marked, and the line found."""
    tree = ast.parse(solution.path.read_text("utf-8"))
    return [
        (name, line, culprit(tree, definition(tree, line), name))
        for name, line in solution.lines.items()
        if name in {*FINDERS, *OF_BIASES}
    ]


@pytest.mark.no_cover
def test_nearly_every_marked_line_is_found() -> None:
    found = [(solution.name, *each) for solution in wrong() for each in marked(solution)]

    off = [each for each in found if abs(each[2] - each[3]) > 1]

    assert len(found) > 250
    assert len(off) <= (1 - AT_LEAST) * len(found), off


def test_a_mistake_without_a_look_of_its_own_has_no_line() -> None:
    assert culprit(ast.parse("def f(x):\n    return x\n"), "f", "global-variable") == 0
    assert culprit(ast.parse("def f(x):\n    return x\n"), "f", "mask-inverted") == 0


COPYING = "def copy(s, t):\n    t.q_proj.weight.copy_(s.q)\n"


@pytest.mark.parametrize(
    ("mistake", "source", "line", "is_near"),
    [
        ("out-proj-missing", COPYING + "    t.q_proj.bias.copy_(s.b)\n", 3, True),
        ("out-proj-missing", COPYING + "    eye_(t.out_proj.weight)\n    t.k.copy_(s.k)\n", 3, False),
        ("out-proj-missing", "class A:\n    def forward(self, x):\n        return x\n", 3, False),
        ("bias-ignored", COPYING + "    t.out_proj.bias.zero_()\n", 2, True),
        ("bias-ignored", COPYING + "    t.q_proj.bias.zero_()\n", 2, False),
    ],
)
def test_of_what_a_copy_says_nothing_of_the_line_is_only_near(
    mistake: str, source: str, line: int, is_near: bool
) -> None:
    tree = ast.parse(source)
    of = definition(tree, 2)

    assert culprit(tree, of, mistake) == line
    assert is_lacking(tree, of, mistake) == is_near


def test_what_a_class_is_made_with_comes_first_wherever_its_constructor_stands() -> None:
    forward = "    def forward(self, q, k, v):\n        return self.attend(q @ k.T) @ v\n"
    init = "    def __init__(self):\n        super().__init__()\n        self.attend = nn.Softmax(dim=-2)\n"

    assert culprit(ast.parse(f"class A(nn.Module):\n{forward}{init}"), "A", "softmax-wrong-axis") == 6
    assert culprit(ast.parse(f"class A(nn.Module):\n{init}{forward}"), "A", "softmax-wrong-axis") == 4


BLENDS = """
    def blend(self, w, v):
        return w.softmax(-1) @ v
"""
FORWARD = """
    def forward(self, q, k, v):
        s = q @ k.T
        w = s.softmax(-1)
        return self.blend(w, v)
"""


@pytest.mark.parametrize(
    ("parts", "line"), [((BLENDS, FORWARD), 4), ((FORWARD, BLENDS), 9), ((FORWARD.replace("self", "model"), BLENDS), 9)]
)
def test_of_two_methods_that_is_first_which_is_called_first_wherever_it_stands(
    parts: tuple[str, str], line: int
) -> None:
    assert culprit(ast.parse("class A(nn.Module):\n" + "".join(parts)), "A", "softmax-twice") == line


@pytest.mark.parametrize("said", ["print(s)", "assert s.ndim == 2, s", "'scores'"])
def test_what_is_only_said_of_the_scores_does_nothing_with_them(said: str) -> None:
    source = f"def f(q, k, v):\n    s = q @ k.T\n    {said}\n    w = torch.softmax(s, dim=-1)\n    return w @ v\n"

    assert culprit(ast.parse(source), "f", "scale-missing") == 4


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("def f(q, k):\n    s = q @ k.T\n    return s / k.shape[-1]\n", 3),
        ("def f(q, k):\n    q = q / k.shape[-1]\n    return q @ k.T\n", 2),
        ("def f(q, k):\n    return (q @ k.T) / k.shape[-1]\n", 2),
    ],
)
def test_a_scale_is_found_before_or_after_the_product(source: str, line: int) -> None:
    assert culprit(ast.parse(source), "f", "scale-no-sqrt") == line


MASKED = """\
class A(Module):
    def __init__(self, n):
        {}

    def forward(self, s):
        masked = s.masked_fill({}, -inf)
        return softmax(masked)
"""


@pytest.mark.parametrize(
    ("made", "used", "line"),
    [
        ("self.mask = torch.triu(torch.ones(n, n), 1)", "torch.ones(3, 3).triu()", 6),
        ("self.register_buffer('mask', torch.ones(n, n).triu(1))", "torch.ones(3, 3).triu()", 6),
        ("self.register_buffer('mask', torch.ones(n, n).triu())", "self.mask.bool()", 3),
        ("self.mask = torch.ones(n, n).triu()", "self.mask == torch.ones(3, 3).triu()", 3),
        ("self.mask = torch.ones(n, n).triu()", "self.masks", 3),  # none is used, so it may be any
    ],
)
def test_a_mask_that_nobody_reads_is_not_the_one(made: str, used: str, line: int) -> None:
    assert culprit(ast.parse(MASKED.format(made, used)), "A", "mask-diagonal") == line


def test_a_bare_parameter_among_layers_is_where_a_bias_is_missing() -> None:
    made = "self.a = nn.Linear(3, 2, bias=b)\n        self.b = nn.Parameter(torch.rand(3, 2))"

    assert culprit(ast.parse(f"class A:\n    def __init__(self):\n        {made}\n"), "A", "bias-ignored") == 4


HELPER = "def shares(q, k):\n    return (q @ k.T).softmax(-1)\n\n"
SHARES = "def shares(s):\n    return s.softmax(-1)\n\n"
BLEND = "def blend(w, v):\n    return w @ v\n\n"
ATTEND = (
    "def attend(queries, keys, values, mask=None, dropout=None):\n    s = hide(queries @ keys.T, mask)\n"
    "    w = drop(s.softmax(-1))\n    return w @ values\n\n"
)
COMPARING = "def later(n):\n    return arange(n) > arange(n)[:, None]\n\n" + ATTEND
OWN = "def my_softmax(x, dim=1):\n    return exp(x) / exp(x).sum({})\n\n"
SHARED = """\
class f:
    def __init__(self):
        self.W_query = nn.Linear(3, 2)
        {}

    def forward(self, x):
        scores = self.W_query(x) @ self.W_key(x).T
        return scores
"""
TIED = """\
class f:
    def __init__(self):
        W = other = nn.Parameter(torch.rand(3, 2))
        self.W_query = W
        self.W_key = {}
        self.W_value = W

    def forward(self, x):
        return (x @ self.W_query) @ (x @ self.W_key).T
"""
SCORES = "def scores(q, k):\n    return q @ k.T\n\n"
LAYER = "class A:\n    def __init__(self):\n        self.attend = Softmax(dim=-1)\n\n    def forward(self, q, k, v):\n"
HANDED = (
    "def mask(n):\n    return ones(n, n).triu(1)\n\ndef f(s):\n    s = s / 2\n    m = mask(3)\n    return hide(s, {})\n"
)
BUFFER = (
    "class A:\n    def __init__(self):\n        self.register_buffer('mask', triu(ones(3, 3), diagonal=1))\n"
    "    def forward(self, s):\n        {}\n        s.masked_fill_({}, -torch.inf)\n        return s.softmax(-1)\n"
)
BUFFERED = (
    "class A:\n    def __init__(self):\n        self.register_buffer('mask', triu(ones(3, 3), diagonal=1))\n"
    "    def forward(self, s):\n        {}\n        return s.masked_fill(mask, -torch.inf).softmax(-1)\n"
)
FILLED = "def mask(n):\n    return ones(n, n).triu(1).bool()\n\ndef hide(s, m):\n    return s.masked_fill(m, 0.0)\n\n"
INIT = "class A:\n    def __init__(self):\n"
# The layer that joins the heads may have a bias; those of the lines before it may not.
PROJECTED = """class A:
    def __init__(self, d, qkv_bias=False, proj_bias=True):
        self.W_query = nn.Linear(d, d)
        self.out_proj = nn.Linear(d, d, {})
"""
LAYERS = (
    "class A:\n    def __init__(self, {}):\n"
    "        self.out_proj = Linear(4, 4)\n        self.W_q = Linear(3, 4, bias={})\n"
    "    def forward(self, x):\n"
    "        k = linear(x, self.W_k.weight, self.W_k.bias)\n        return x @ self.W_q.weight.T\n"
)
NAMED = (
    "class A(nn.Module):\n    def __init__(self, n):\n        o = torch.ones(n, n)\n        u = o.triu(diagonal=1)\n"
    "        self.register_buffer('later', u)\n\n    def forward(self, s, t):\n"
)
NESTED = "def f(x):\n    def cut(t):\n        return t.view(2, 3)\n    y = cut(x) @ x\n    return y.reshape(6)\n"


@pytest.mark.parametrize(
    ("mistake", "source", "line"),
    [
        # what a docstring says is no statement
        ("scale-no-sqrt", 'def f(q, k):\n    """By sqrt(d)."""\n    s = q @ k.T\n    return s / k.shape[-1]\n', 4),
        ("scale-no-sqrt", "def f(q, k):\n    s = q @ k.T\n    return s / sqrt(8)\n", 3),
        # torch's attention is product, softmax and blend in one
        ("scale-missing", "def f(q, k, v):\n    q = q[None]\n    return scaled_dot_product_attention(q, k, v)\n", 3),
        ("values-unprojected", "def f(q, k, x):\n    q = q[0]\n    return scaled_dot_product_attention(q, k, x)\n", 3),
        # of a helper's softmax and the caller's, the caller's comes second, unless the helper is given its result
        ("softmax-twice", HELPER + "def f(q, k, v):\n    return softmax(shares(q, k), -1) @ v\n", 5),
        ("softmax-twice", HELPER + "def f(q, k, v):\n    a = shares(q, k)\n    return softmax(a, -1) @ v\n", 6),
        ("softmax-twice", HELPER + "def f(q, k, v):\n    a = softmax(q, -1)\n    return shares(a, k) @ v\n", 2),
        # a layer is used elsewhere than it is made
        ("query-key-swapped", LAYER + "        s = k @ q.mT\n        return self.attend(s) @ v\n", 6),
        ("mask-missing", LAYER + "        s = q @ k.mT\n        return self.attend(s) @ v\n", 7),
        ("softmax-twice", LAYER + "        w = self.attend(q @ k.mT)\n        return self.attend(w) @ v\n", 7),
        ("mask-after-softmax", LAYER + "        w = self.attend(q)\n        w = w * mask\n        return w @ v\n", 7),
        ("mask-after-softmax", "def g(n):\n    return n.triu(1)\n\ndef f(s):\n    w = softmax(s, -1) * mask(s)\n    return w\n", 5),
        ("mask-after-softmax", "def f(s):\n    w = softmax(s, -1) * 1.0\n    w = w * mask\n    return w\n", 3),
        ("mask-after-softmax", "def g(s, m):\n    return s.masked_fill(m, 0)\n\ndef f(s):\n    m = n.triu(1)\n    w = g(softmax(s, -1), m)\n    return w\n", 6),
        ("mask-after-softmax", "def f(s, m):\n    m = m.tril()\n    return s.softmax(-1).masked_fill(m, 0)\n", 3),
        ("softmax-wrong-axis", LAYER.replace("-1", "0") + "        return self.attend(q @ k.mT) @ v\n", 3),
        ("softmax-twice", LAYER + "        w = softmax(q.attend(3), -1)\n        return self.attend(w) @ v\n", 7),
        ("softmax-twice", "g = torch.softmax\n\ndef f(s):\n    w = g(s, -1)\n    return g(w, -1)\n", 5),
        ("softmax-twice", "g = partial(softmax, dim=-1)\n\ndef f(s):\n    w = g(s)\n    return g(w)\n", 5),
        ("softmax-twice", "from torch import softmax as g\n\ndef f(s):\n    w = g(s, -1)\n    return g(w, -1)\n", 5),
        # a letter that goes is summed over
        ("heads-summed", "def f(h):\n    h = stack(h)\n    return einsum('hbt->bt', h)\n", 3),
        ("heads-summed", "def f(h):\n    h = einsum('hbt->bht', h)\n    return h.sum(1)\n", 3),
        # the weights that are turned are the blend's, and not what a helper turns
        ("weights-transposed", HELPER + "def f(q, k, v):\n    w = shares(q, k)\n    return einsum('ij,ic', w, v)\n", 6),
        ("weights-transposed", HELPER + "def f(q, k, v):\n    w = shares(q, k)\n    return w.T @ v\n", 6),
        ("weights-transposed", "def f(q, k, v):\n    weights = (q @ k.T).softmax(-1)\n    return weights.T @ v\n", 3),
        ("weights-transposed", "def f(x):\n    w = (x @ x.T).softmax(-1)\n    return w.T @ x\n", 3),
        ("weights-transposed", "def f(x):\n    w = (x @ x.T).softmax(-1)\n    return einsum('ij,id->jd', w, x)\n", 3),
        # a function of one's own has the axis, unless it is handed it
        ("softmax-wrong-axis", OWN.format("dim=0") + "def f(x):\n    return my_softmax(x)\n", 2),
        ("softmax-wrong-axis", OWN.format("dim") + "def f(x):\n    return my_softmax(x, 0)\n", 5),
        # a root that is taken is no scaling yet
        ("scale-inverted", "def f(q, k):\n    root = k.size(1) ** 0.5\n    return q @ k.T * root\n", 3),
        ("scale-inverted", "def f(q, k):\n    d = k.size(1) ** (1 / 2)\n    wd = q * 2\n    return wd @ k.T * d\n", 4),
        ("scale-inverted", "def f(q, k):\n    s = q @ k.T * k.size(1) ** 0.5\n    return s\n", 2),
        # a function whose name has the word scales nothing here
        ("scale-no-sqrt", "def f(q):\n    return softmax(scaled(q))\n\ndef scaled(q):\n    return q @ q.T / 4\n", 5),
        # positions alone are no mask
        ("mask-diagonal", "def f(n):\n    i = arange(n)\n    n = n + 1\n    return i[None] >= i[:, None]\n", 4),
        ("mask-diagonal", "def f(n):\n    return arange(n) >= arange(n)[:, None]\n", 2),
        # what is visible to torch's attention is what others hide
        ("mask-inverted", "def f(q):\n    m = ones(3, 3).triu(1)\n    return attention(q, attn_mask=m)\n", 3),
        ("mask-inverted", "def m(n):\n    return triu(ones(n, n), diagonal=1)\ndef f(s):\n    w = softmax(s)\n    return w * m(5)\n", 5),
        ("mask-inverted", "def f(s):\n    m = triu(ones(3, 3), diagonal=1)\n    w = softmax(s) * m\n    return w / w.sum(-1)\n", 3),
        ("mask-inverted", "def f(s):\n    m = triu(ones(3, 3), diagonal=1)\n    return softmax(s + -1e9 * m)\n", 2),
        ("mask-inverted", "def f(q):\n    m = ones(3, 3).triu(1).T\n    return attention(q, attn_mask=~m)\n", 2),
        ("mask-inverted", BUFFERED.format("s = torch.where(self.mask.bool()[:2, :2], s, -torch.inf)"), 5),
        ("mask-inverted", BUFFERED.format("mask = (self.mask == 0)[:2, :2]"), 5),
        # a mask that is right is handed on the wrong way round
        ("mask-inverted", HANDED.format("~m"), 7),
        ("mask-inverted", HANDED.format("torch.logical_not(m)"), 7),
        ("mask-inverted", HANDED.format("m"), 2),
        ("mask-inverted", HANDED.format("m.T"), 7),
        ("mask-inverted", HANDED.format("mask(3).mT"), 7),
        ("mask-inverted", HANDED.format("m[:3, :3].transpose(0, 1)"), 7),
        # a mask that is right is used the wrong way round
        ("mask-inverted", BUFFER.format("m = ~self.mask.bool()[:2, :2]", "m"), 5),
        ("mask-inverted", BUFFER.format("m = self.mask.bool()[:2, :2].logical_not()", "m"), 5),
        ("mask-inverted", BUFFER.format("m = self.mask.bool()[:2, :2]", "m.logical_not()"), 6),
        ("mask-inverted", BUFFER.format("m = self.mask.bool()[:2, :2]", "m"), 3),
        ("mask-inverted", "def f(n):\n    m = ones(n, n).triu(1)\n    return m.bool().T\n", 3),
        ("mask-inverted", BUFFERED.format("s = s[:, i] + self.mask[:n, i]"), 5),
        ("mask-inverted", BUFFERED.format("s = s[:, i] + self.mask[i, :n]"), 3),
        # zeros are filled in where the helper does it
        ("mask-zero-fill", FILLED + "def f(s, n):\n    s = hide(s / 2, mask(n))\n    return s.softmax(-1)\n", 5),
        # of several that are assigned at once each has its own role
        ("projection-reused", "def f(x):\n    q, k, v = W_q(x), W_k(x), W_k(x)\n    return (q @ k.T) @ v\n", 2),
        ("projection-reused", "class f:\n    def __init__(self):\n        self.W_q, self.W_k, self.W_v = w[0], w[1], w[1]\n    def forward(self, x):\n        return (self.W_q(x) @ self.W_k(x).T) @ self.W_v(x)\n", 3),
        ("projection-reused", "class f:\n    def __init__(self):\n        self.a, self.b, self.c = a, b, b\n        self.W_q = nn.Linear(1, 2)\n    def forward(self, x):\n        return softmax(W_q(x) @ W_k(x).T) @ W_k(x)\n", 6),
        ("projection-reused", "class f:\n    def __init__(self):\n        self.layers = nn.ModuleList([nn.Linear(2, 2)] * 3)\n    def forward(self, x):\n        q, k, v = (each(x) for each in self.layers)\n        return (q @ k.T) @ v\n", 3),
        ("projection-reused", "class f:\n    def __init__(self):\n        all = [nn.Linear(2, 2)] * 3\n        self.W_q, self.W_k, self.W_v = all\n    def forward(self, x):\n        return (self.W_q(x) @ self.W_k(x).T) @ self.W_v(x)\n", 3),
        ("projection-reused", "def f(x):\n    k, q, v = W_k(x), W_q(x), W_k(x)\n    return (q @ k.T) @ v\n", 2),
        # a function in a function runs where it is handed on
        ("heads-not-transposed", "def f(x):\n    def cut(t):\n        return t.view(2, 3, 4, 5)\n    q, k, v = map(cut, (x, x, x))\n"
            "    y = scaled_dot_product_attention(q, k, v)\n    return y.reshape(2, 3, -1)\n", 3),
        # a mask has another name where it is kept, or cut
        ("mask-inverted", NAMED + "        m = self.later[:t, :t]\n        n = 1.0 - m\n        return s + n * -1e9\n", 9),
        ("mask-inverted", NAMED.replace("'later', u", "name='later', tensor=u") + "        return s + (1 - self.later) * -1e9\n", 8),
        # names that say nothing have the roles that the product takes them for
        ("projection-reused", "def f(x):\n    a = W_k(x)\n    b = W_k(x)\n    c = W_v(x)\n    return softmax(a @ b.T) @ c\n", 2),
        ("projection-reused", "def f(x):\n    a, b, c = W_q(x), W_q(x), W_v(x)\n    return softmax(torch.matmul(a, b.mT)) @ c\n", 2),
        ("projection-reused", "def f(x):\n    a = W_q(x)\n    b = W_q(x)\n    s = a.matmul(b.transpose(0, 1))\n    return s @ W_v(x)\n", 3),
        ("projection-reused", "def f(x):\n    a = W_q(x)\n    b = W_k(x)\n    c = W_k(x)\n    w = softmax(a @ b.T)\n    return w @ c\n", 4),
        ("projection-reused", "def f(x):\n    a = W_q(x)\n    b = W_k(x)\n    c = W_k(x)\n    w = softmax(torch.einsum('qd,kd->qk', a, b))\n    return torch.einsum('qk,kd->qd', w, c)\n", 4),
        ("projection-reused", "def f(x):\n    b = W_k(x)\n    c = W_v(x)\n    s = b @ b.T\n    return softmax(s) @ c\n", 4),
        # or is handed back in its place
        ("projection-reused", "def f(x):\n    q, k, v = W_q(x), W_k(x), W_v(x)\n    return q, v, k\n", 3),
        ("query-key-swapped", "def f(x):\n    q, k, v = W_q(x), W_k(x), W_v(x)\n    return (k, q, v)\n", 3),
        # softmax and the blend in one statement, beside a helper that has a product of its own
        ("projection-reused", SHARED.format("self.W_key = self.W_query"), 4),
        ("projection-reused", SHARED.format("self.W_key = self.W_value = nn.Linear(3, 2)"), 4),
        ("projection-reused", TIED.format("W"), 5),
        ("projection-reused", TIED.format("other"), 6),
        ("projection-reused", SHARED.format("self.W_key = self.make(3, 2)"), 7),
        ("projection-reused", SCORES + "def f(q, k, v):\n    return scores(q, k).softmax(-1) @ k\n", 5),
        ("projection-reused", SCORES + "def f(q, k, v):\n    return torch.matmul(softmax(scores(q, k), -1), k)\n", 5),
        # softmax in a helper, the blend in the caller
        ("values-unprojected", SCORES + HELPER + "def f(q, k, x):\n    return shares(q, scores(q, k)) @ x\n", 8),
        ("heads-not-transposed", NESTED, 3),
        # a helper is right that is called with something else
        ("query-key-swapped", ATTEND + "def f(q, k, v, m):\n    return attend(k, q, v, m)\n", 7),
        ("projection-reused", ATTEND + "def f(q, k, v, m):\n    return attend(q, k, values=k, mask=m)\n", 7),
        ("projection-reused", "def f(q, k, v):\n    q = q / 2\n    return F.scaled_dot_product_attention(q, q, v)\n", 3),
        ("values-unprojected", ATTEND + "def f(q, k, x, m):\n    return attend(q, k, x, m)\n", 7),
        ("mask-missing", ATTEND + "def f(q, k, v):\n    return attend(q, k, v)\n", 7),
        ("mask-inverted", ATTEND + "def f(q, k, v, n):\n    m = ones(n, n).triu(1)\n    return attend(q, k, v, ~m)\n", 8),
        ("dropout-missing", ATTEND + "def f(q, k, v, m):\n    return attend(q, k, v, m)\n", 7),
        ("dropout-on-context", ATTEND + "def f(q, k, v, m):\n    return dropout(attend(q, k, v, m))\n", 7),
        ("softmax-missing", BLEND + "def f(q, k, v):\n    s = q @ k.T\n    return blend(s, v)\n", 6),
        ("softmax-missing", "def g(w, x):\n    return w @ x\n\ndef f(x):\n    s = x @ x.T\n    return stack([g(r, x) for r in s])\n", 6),
        ("softmax-missing", "def g(q, k, v):\n    s = q @ k.T\n    return s @ v\n\ndef f(q, k, v):\n    return g(q, k, v)\n", 3),
        ("softmax-twice", SHARES + "def f(s, v):\n    w = shares(shares(s))\n    return w @ v\n", 5),
        ("softmax-twice", SHARES + "def f(s, v):\n    w = shares(s)\n    return shares(w) @ v\n", 6),
        ("softmax-twice", OWN.format("dim") + "def f(s):\n    w = my_softmax(my_softmax(s))\n    return w\n", 5),
        ("softmax-twice", "def f(s):\n    e = s.exp()\n    w = e / e.sum()\n    w = w.exp()\n    w = w / w.sum()\n    return w\n", 4),
        ("mask-inverted", COMPARING + "def f(q, k, v, n):\n    return attend(q, k, v, mask=~later(n))\n", 10),
        ("mask-inverted", COMPARING + "def f(q, k, v, n):\n    return attend(q, k, v, later(n).T)\n", 10),
        ("mask-inverted", COMPARING + "def f(q, n):\n    m = later(n)\n    return scaled_dot_product_attention(q, q, q, ~m)\n", 2),
        ("dropout-on-scores", "def g(s, dropout):\n    return dropout(s).softmax(-1)\n\ndef f(s):\n    return g(s, self.dropout)\n", 2),
        # what a comprehension takes one by one
        ("query-key-swapped", "def f(x):\n    q, k, v = [w(x) for w in (W_k, W_q, W_v)]\n    return q @ k.T\n", 2),
        ("projection-reused", "def f(x):\n    q, k, v = [w(x) for w in (W_q, W_k, W_k)]\n    return (q @ k.T) @ v\n", 2),
        ("projection-reused", "def f(x):\n    q, k, v = map(cut, (W_q(x), W_k(x), W_k(x)))\n    return (q @ k.T) @ v\n", 2),
        ("query-key-swapped", "def f(x):\n    ws = [W_k, W_q, W_v]\n    q, k, v = [w(x) for w in ws]\n    return q @ k.T\n", 3),
        ("projection-reused", "def f(x):\n    qs = [w(x).view(2, d_k) for w in (W_v, W_k, W_v)]\n    return attend(*qs)\n", 2),
        # which speaks of a width, and not of a role
        ("projection-reused", "def f(x):\n    q, k, v = [w(x).view(2, d_k) for w in (W_q, W_k, W_v)]\n    return (k @ k.T) @ v\n", 3),
        # what a module holds has its own order, and the product is right
        ("query-key-swapped", "def f(x):\n    k, q, v = (layer(x) for layer in layers.values())\n    return (q @ k.T) @ v\n", 2),
        ("query-key-swapped", "def f(x):\n    k, q, v = (layer(x) for layer in layers)\n    return (k @ q.T) @ v\n", 3),
        ("query-key-swapped", "def f(x):\n    k, q, v = qkv(x).chunk(3)\n    return (q @ k.T) @ v\n", 3),
        # what weights begin with is no scale
        ("scale-no-sqrt", INIT + "        self.reset()\n    def reset(self):\n        bound = 1 / sqrt(3)\n        nn.init.uniform_(self.w, bound)\n"
            "    def forward(self, q, k):\n        return (q @ k.T / 4).softmax(-1)\n", 8),
        ("scale-no-sqrt", "def f(n, d):\n    q, k = randn(2, n, d)\n    p = (q * k).sum(-1)\n    return p.var(), (p * d ** -1.0).var()\n", 4),
        ("weights-transposed", "def f(x):\n    q = linear(x, W_q.mT)\n    k = linear(x, W_k.mT)\n    v = linear(x, W_v)\n    return q @ k.T @ v\n", 4),
        # a width or a scale is made where it is not what its name says
        ("scale-wrong-width", "def f(q, k):\n    d_k = len(k)\n    return q @ k.T / d_k**0.5\n", 2),
        ("scale-wrong-width", "def f(q, k):\n    n = len(k)\n    return q @ k.T / n**0.5\n", 3),
        ("scale-wrong-width", "def f(q, k):\n    t, d_k = k.shape\n    return q @ k.T / d_k**0.5\n", 3),
        ("scale-wrong-width", INIT + "        self.head_dim = 4\n    def forward(self, q, k):\n        return q @ k / sqrt(2 * self.head_dim)\n", 5),
        ("scale-no-sqrt", INIT + "        self.scale = 3\n    def forward(self, q, k):\n        return q @ k / self.scale\n", 3),
        ("scale-no-sqrt", "def f(q, k):\n    d_k = k.size(1)\n    return q @ k.T / d_k\n", 3),
        # masking is no place for a scale
        ("scale-missing", "def f(q, k):\n    s = q @ k.T\n    s = s.masked_fill(m, -inf)\n    return softmax(s)\n", 4),
        # softmax and blend in one statement, behind the product
        ("query-key-swapped", "def f(q, k, v):\n    s = q @ k\n    return softmax(s / 2) @ v\n", 2),
        ("query-key-swapped", "def f(q, k):\n    s = q @ k.T\n    s = s / 2\n    return s.T\n", 4),
        ("query-key-swapped", "def f(q, k, v):\n    s = q @ k.T\n    w = softmax(s.transpose(-2, -1) / 2, -1)\n    return w @ v\n", 3),
        ("weights-transposed", "def f(q, k, v):\n    w = softmax(q @ k.T, dim=-1).T @ v\n    return w.T\n", 2),
        ("softmax-missing", "class A:\n    def a(self, s, v):\n        return s @ v\n    def forward(self, x):\n"
            "        s = x @ x\n        v = x @ W_v\n        return self.a(s, v)\n", 3),
        # dropped under a name that nobody reads, or with nothing to drop
        ("projection-reused", "def f(x):\n    q, k, v = W_q(x), W_k(x), W_v(x)\n    return k, k, v\n", 3),
        ("projection-reused", SCORES + "def f(q, k, v):\n    return scores(q, k).softmax(-1) @ q\n", 5),
        # one branch of two
        ("projection-reused", "def f(q, k, v):\n    s = q @ k.T\n    w = softmax(s)\n    if t:\n        return w @ v\n    return w @ k\n", 6),
        (
            "dropout-missing",
            INIT + "        self.drop = nn.Identity()\n    def forward(self, w):\n        return self.drop(w) @ w\n",
            3,
        ),
        ("dropout-missing", "def f(w, p):\n    if p:\n        return F.dropout(w, p, training=False)\n    return w\n", 3),
        ("dropout-missing", "def f(w, v):\n    w = softmax(w)\n    w2 = dropout(w)\n    return w @ v\n", 3),
        ("dropout-missing", INIT + "        self.d = Dropout(0.0)\n    def forward(self, w):\n        return self.d(w) @ w\n", 3),
        ("scale-inverted", "class A:\n    @property\n    def root(self):\n        return self.d_k ** 0.5\n    def forward(self, q, k, v):\n        s = q @ k.T * self.root\n        return softmax(s) @ v\n", 6),
        ("dropout-on-scores", INIT + "        self.all = nn.Sequential(nn.Dropout(dropout), nn.Softmax(dim=-1))\n    def forward(self, s):\n        return self.all(s) @ s\n", 3),
        # of several lines the one with the piece
        ("scale-no-sqrt", "def f(q, k):\n    s = q @ k.T\n    return softmax(\n        s / k.shape[-1],\n        dim=-1)\n", 4),
        ("projection-reused", "def f(q, k, v):\n    return softmax(\n        q @ q.T / 2,\n        dim=-1,\n    ) @ v\n", 3),
        ("projection-reused", "def f(q, k, v):\n    return softmax(\n        torch.matmul(q, q.T),\n        dim=-1,\n    ) @ v\n", 3),
        ("softmax-wrong-axis", "def f(s):\n    return softmax(\n        s,\n        dim=0,\n    )\n", 4),
        ("mask-diagonal", INIT + "        self.register_buffer(\n            'm', torch.triu(\n                1,\n                diagonal=0))\n", 6),
        ("bias-ignored", INIT + "        self.heads = ModuleList(\n            [CausalAttention(3)\n            for _ in heads])\n", 4),
        # whose default asks for a bias hands it on all the same
        ("bias-always", LAYERS.format("qkv_bias=True", "qkv_bias"), 2),
        ("bias-always", LAYERS.format("*, qkv_bias=True", "qkv_bias"), 2),
        ("bias-always", LAYERS.format("qkv_bias=False", "not qkv_bias"), 4),
        ("bias-always", "class A:\n    def __init__(self, qkv_bias=True):\n        if qkv_bias:\n            self.b = P(3)\n", 2),
        ("bias-always", INIT + "        qkv_bias = True\n        self.q = Linear(3, 3, bias=qkv_bias)\n", 3),
        ("bias-always", INIT + "        bias = qkv_bias or True\n        self.q = Linear(3, 3, bias)\n", 3),
        ("bias-always", INIT + "        out_bias = True\n        self.q = Linear(3, 3)\n        self.out_proj = Linear(3, 3, out_bias)\n", 4),
        ("bias-always", INIT + "        self.out_proj = Linear(3, 3, bias=True)\n        self.qkv = Linear(3, 9)\n", 4),
        ("bias-always", INIT + "        self.q, self.k = (\n            Linear(3, 3, bias=qkv_bias),\n            Linear(3, 3))\n", 5),
        ("bias-always", PROJECTED.format("bias=proj_bias"), 3),
        ("bias-always", PROJECTED.format("bias=proj_bias").replace("self.out_proj", "self.qkv_proj"), 2),
        ("query-key-swapped", INIT + "        self.k, self.q = Linear(3, d_k), Linear(3, d_k)\n        self.all = {'q': self.k, 'k': self.q}\n", 4),
        ("bias-ignored", LAYERS.format("qkv_bias=False", "not qkv_bias"), 4),
        ("bias-ignored", LAYERS.format("qkv_bias=False", "qkv_bias"), 7),
        ("bias-ignored", INIT + "        self.n = 3\n        head = partial(CausalAttention, 3)\n", 4),
        ("bias-ignored", INIT + "        super(Attention, self).__init__()\n        Attention(3)\n", 4),
    ],
)  # fmt: skip
def test_a_mistake_is_found_in_other_words(mistake: str, source: str, line: int) -> None:
    tree = ast.parse(source)

    assert culprit(tree, "A" if source.startswith("class A") else "f", mistake) == line


@pytest.mark.parametrize(
    "handed",
    [
        "def f(x):\n    return Scaled(2)(x) if x else x\n",
        "scaled = Scaled(2)\n\ndef f(x):\n    return scaled(x)\n",
    ],
)
def test_an_object_that_is_called_and_forgets_its_return_is_pointed_at_where_that_ends(handed: str) -> None:
    tree = ast.parse(f"class Scaled:\n    def __call__(self, x):\n        y = x / 2\n\n{handed}")

    assert culprit(tree, "f", "returns-none") == 3


def test_a_function_that_forgets_its_return_is_pointed_at_where_it_ends() -> None:
    source = "def f(x):\n    y = x\n    if y:\n        y = y + 1\n    z = y\n"

    assert culprit(ast.parse(source), "f", "returns-none") == 5


def test_what_hands_back_nothing_is_found_behind_several_names() -> None:
    source = "def f(x):\n    w = g(x)\n    out = w\n    return out\n\ndef g(x):\n    y = x\n"

    assert culprit(ast.parse(source), "f", "returns-none") == 7


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("    if not training:\n        return\n    return x\n", 3),
        ("    if training:\n        return x\n", 2),
        ("    if training:\n        return x\n    else:\n        y = x\n", 5),
        ("    if training:\n        y = x\n    else:\n        return x\n", 3),
        ("    for y in x:\n        return y\n", 2),
        ("    return g(x)\n\ndef g(x):\n    y = x\n", 5),
        ("    return g(x)\n\ndef g(x):\n    return x\n", 2),
        ("    y = g(x)\n    return y\n\ndef g(x):\n    y = x\n", 6),
        ("    y = g(x)\n    y = x.sort_()\n    return y\n\ndef g(x):\n    y = x\n", 4),
        ("    y = g(x)\n    return y\n\ndef g(x):\n    return x\n", 3),
    ],
)
def test_of_several_ends_the_one_that_hands_nothing_back_is_pointed_at(body: str, line: int) -> None:
    assert culprit(ast.parse(f"def f(x, training):\n{body}"), "f", "returns-none") == line


OLD = """
class A(nn.Module):
    def forward_old(self, x):
        return softmax(x, dim=0)

    {decorated}
    def helper(self, x):
        return softmax(x, dim=0)

    def forward(self, x):
        return {returned}
        return softmax(x, dim=0)
"""


@pytest.mark.parametrize(
    ("decorated", "returned", "line"),
    [
        ("pass", "softmax(x, dim=0)", 11),
        ("pass", "self.helper(x)", 8),
        ("pass", "getattr(self, 'helper')(x)", 8),
        ("@property", "x", 8),
        ("pass", "x", 0),
    ],
)
def test_what_never_runs_is_no_place(decorated: str, returned: str, line: int) -> None:
    tree = ast.parse(OLD.format(decorated=decorated, returned=returned))

    assert culprit(tree, "A", "softmax-wrong-axis") == line


@pytest.mark.parametrize(
    ("forward", "line"),
    [
        ("mask = torch.tril(x)\n        return x.masked_fill(mask, -inf)", 7),
        ("return x.masked_fill(self.mask, -inf)", 4),
        ("for i in range(x.shape[1]):\n            x[:, i] @ x[:, :i + 2]\n        return x", 8),
        ("for i in range(x.shape[1]):\n            x[:, i] @ x[:, i:]\n        return x", 8),
    ],
)
def test_a_mask_that_nobody_reads_is_no_place(forward: str, line: int) -> None:
    init = "    def __init__(self):\n        self.register_buffer('mask', torch.triu(torch.ones(3, 3), diagonal=1))\n"
    tree = ast.parse(f"\nclass A(nn.Module):\n{init}\n    def forward(self, x):\n        {forward}\n")

    assert culprit(tree, "A", "mask-diagonal") == line


@pytest.mark.parametrize(
    "source",
    [
        "def f(x):\n    y = " + " + ".join(["x"] * 900) + "\n    y\n",
        "def f(x):\n    a = '" + "( * " * 15_000 + "'\n    return a\n",
        "def f(x):\n    a = '" + "[:" * 15_000 + "] = '\n    return a\n",
    ],
    ids=["a very long sum", "brackets and stars", "slices"],
)
def test_source_that_is_made_to_take_long_is_searched_all_the_same(source: str) -> None:
    tree = ast.parse(source)

    assert {culprit(tree, "f", mistake) for mistake in [*FINDERS, *OF_BIASES, "returns-none"]} <= {0, 2, 3}


@pytest.mark.parametrize(
    ("forward", "line"),
    [
        ("return self.attend(queries, keys, keys)", 4),
        ("weights = softmax(queries @ keys)\n        old = weights @ values\n        return weights @ keys", 6),
        ("return self.attend(queries, keys, values)", 8),
    ],
)
def test_a_role_that_is_handed_on_in_anothers_place_is_pointed_at(forward: str, line: int) -> None:
    tree = ast.parse(
        f"\nclass A(nn.Module):\n    def forward(self, queries, keys, values):\n        {forward}\n\n"
        "    def attend(self, queries, keys, values):\n        pass\n        return softmax(queries @ keys) @ values\n"
    )

    assert culprit(tree, "A", "projection-reused") == line


@pytest.mark.parametrize(
    ("mistake", "body", "line"),
    [
        ("scale-no-sqrt", "s = torch.matmul(q, k.mT)\ns = s / 64\nw = softmax(s)", 3),
        ("scale-no-sqrt", "s = helper(q)\nw = torch.exp(s)\nw = w / w.sum(1)", 7),
        ("projection-reused", "s = q @ k.T\nd_k = q.numel()\nw = softmax(s)\nreturn w @ k", 5),
        ("query-key-swapped", "w = self.attend(keys, queries)\nreturn w @ v", 2),
        ("values-unprojected", "k = inputs @ W_key\nv = inputs\nreturn q, k, v", 3),
        ("query-key-swapped", "w = torch.cat([W_k, W_q, W_v])\nq, k, v = (x @ w).chunk(3)\nreturn softmax(q @ k.T)", 3),
        ("query-key-swapped", "q, k, v = project(x)\ns = q @ k.T", 2),
        ("query-key-swapped", "k, q, v = project(x)\nd = 2\ns = k @ q.T", 4),
        ("query-key-swapped", "p = {'k': W_q(x), 'q': W_k(x), 'v': W_v(x)}\ns = p['q'] @ p['k'].T", 2),
        ("query-key-swapped", "p = dict(\n    q=W_k(x), k=W_q(x),\n    v=W_v(x))\ns = p['q'] @ p['k'].T", 3),
        ("projection-reused", "q, k, v = torch.stack([W_q(x), W_k(x), W_k(x)])\nreturn (q @ k.T) @ v", 2),
        ("projection-reused", "p = dict(q=W_q(x), v=W_v(x),\n    k=W_q(x))\nreturn p['q'] @ p['k'].T @ p['v']", 3),
        ("values-unprojected", "q, k, v = W_q(x), W_k(x), x\nreturn softmax(q @ k.T) @ v", 2),
        ("values-unprojected", "p = {'q': W_q(x), 'v': x, 'k': W_k(x)}\nreturn softmax(p['q'] @ p['k'].T) @ p['v']", 2),
        ("values-unprojected", "w = softmax(q @ k.T)\nfor i in x:\n    z[i] += w[i, j] * x[j]\nreturn z", 4),
        ("values-unprojected", "w = softmax(q @ k.T)\nz[i] = sum(w[j] * x[j] for j in n)\nreturn z", 3),
        ("values-unprojected", "v = inputs @ W_key\nw = softmax(s)\nreturn w @ inputs", 4),
        ("mask-diagonal", "s[..., mask] = -torch.inf\ni = torch.arange(n)\nmask = i[None] > i", 4),
        ("mask-diagonal", "s[:, i, i + 1:] = -torch.inf", 2),
        ("mask-inverted", "m = torch.triu(torch.ones(n, n))\ns = s.masked_fill(m == 0, -inf)", 2),
        ("mask-inverted", "m = torch.triu(torch.ones(n, n), 1)\ns = s.masked_fill(m == 0, -inf)", 3),
        (
            "projection-reused",
            "q, k = cut(W_q(x)), cut(W_k(x))\nv = self.teilen(W_k(x))\nreturn softmax(q @ k.T) @ v",
            3,
        ),
        ("projection-reused", "d_k = q.size(-1)\nv = W_k(x).view(x.size(0), n, d)\nreturn softmax(q @ k.T) @ v", 3),
        (
            "softmax-twice",
            "s = q\nmatch f:\n    case 1:\n        return s.exp()\n    case _:\n        return softmax(softmax(s))",
            7,
        ),
        ("scale-no-sqrt", "s = q\nreturn softmax(torch.baddbmm(z, q, k.mT, alpha=k.size(-1) ** -1)) @ v", 3),
        (
            "mask-diagonal",
            "i = torch.arange(n)\nm = i.view(1, -1) >= i.view(-1, 1)\ns.masked_fill_(m[:n, :n], -1e9)",
            3,
        ),
        ("query-key-swapped", "rows = []\nfor row in scores(keys, queries):\n    rows.append(softmax(row) @ v)", 3),
        ("input-mutated", "for s in heads:\n    s.weight.zero_()\ntarget.weight.copy_(w)", 3),
        ("dropout-in-eval", "rate = p if not self.training else 0.0\nreturn F.dropout(w, rate)", 2),
    ],
)
def test_the_statement_is_that_of_the_mistake_and_not_one_that_looks_like_it(
    mistake: str, body: str, line: int
) -> None:
    helper = "\n\ndef helper(q):\n    return q / 64\n\ndef project(x):\n    return W_k(x), W_q(x), W_v(x)\n"

    assert culprit(ast.parse("def f(q, k, v):\n" + textwrap.indent(body, "    ") + helper), "f", mistake) == line


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("if training:\n    return w\nreturn w * (torch.rand(3) > p)", 2),
        ("if not training and p > 0:\n    w = w * torch.bernoulli(p)\nreturn w", 2),
        ("if training and p > 0:\n    w = w * torch.bernoulli(p)\nw = w * (1 - p)\nreturn torch.dropout(w)", 3),
        ("keep = torch.rand(3)\nreturn w * keep", 2),
        ("if not training:\n    return w / (1 - p)\nreturn w * torch.rand(3)", 3),
        ("if training:\n    w = w * torch.rand(3)\nelse:\n    w *= p\nreturn w", 5),
        ("if training == False:\n    return w / (1 - p)\nreturn w * torch.rand(3)", 3),
        ("if training is not True:\n    return w / (1 - p)\nreturn w * torch.rand(3)", 3),
        ("if training is True:\n    return w\nreturn w * torch.rand(3)", 2),
    ],
)
def test_what_is_chosen_by_training_the_wrong_way_round_is_where_it_is_chosen(body: str, line: int) -> None:
    tree = ast.parse("def f(w, p, training):\n" + textwrap.indent(body, "    "))

    assert culprit(tree, "f", "dropout-in-eval") == line


@pytest.mark.parametrize(
    ("forward", "handed", "line"),
    [
        ("return s.masked_fill(self.mask, -inf)", "", 4),
        ("m = self.mask[:s.shape[1], :s.shape[1]]\n        s = s / 2\n        return s.masked_fill(m, -inf)", "", 6),
        ("m = self.mask.bool()\n        s = s / 2\n        return s.masked_fill(m, -inf)", "", 4),
        ("m = self.mask[:t, :t]\n        s = s / 2\n        return s.masked_fill(m, -inf)", "", 6),
        ("s = s / 2\n        return hide(s, self.mask)", "mask", 5),
        ("s = s / 2\n        return hide(s, self.mask[:t])", "mask", 5),
        ("s = s / 2\n        return hide(s, ~self.future)", "mask", 5),
        ("s = s / 2\n        return hide(s, self.mask[:t, :t])", "mask", 8),
        ("return hide(\n            s,\n            self.mask)", "mask", 6),
    ],
)
def test_a_mask_that_is_too_wide_is_pointed_at_where_it_is_taken_whole(forward: str, handed: str, line: int) -> None:
    source = f"\nclass A(Module):\n    def forward(self, s, t):\n        {forward}\n"
    source += "\ndef hide(s, mask):\n    return s.masked_fill(mask, -inf)\n" if handed else ""
    fails = source[: source.index("masked_fill")].count("\n") + 1

    assert unsliced(ast.parse(source), "A", fails) == line


def test_values_are_blended_behind_softmax_or_last_where_another_method_has_it() -> None:
    source = """
class A(Module):
    def attend(self, q, k):
        return softmax(q @ k.mT, -1)

    def forward(self, x):
        k = x @ self.W_key
        w = self.attend(x @ self.W_query, k)
        return w @ k
"""

    assert culprit(ast.parse(source), "A", "dropout-missing") == 9


# As the functional ones write it: what an exercise asks for is a name that is given a lambda.
LAMBDAS = """\
scores = lambda q, k: q @ k.T
soft = partial(torch.softmax, dim=0)
class Op:
    def __init__(self, f):
        self.f = f
    def __call__(self, *given):
        return self.f(*given)
scaled_scores = Op(lambda queries, keys: scores(keys, queries) / keys.shape[-1] ** 0.5)
attention = lambda queries, keys, values: soft(scaled_scores(queries, keys)) @ values
def variance(dim, trials):
    products = torch.randn(trials, dim) @ torch.randn(dim, trials)
    return products.var(), (products / dim).softmax(0)
"""


@pytest.mark.parametrize(
    ("of", "mistake", "line"),
    [
        ("scaled_scores", "query-key-swapped", 8),
        ("attention", "query-key-swapped", 8),
        ("scaled_scores", "scale-no-sqrt", 8),
        ("attention", "softmax-wrong-axis", 2),
        ("attention", "scale-no-sqrt", 8),
        ("variance", "softmax-wrong-axis", 12),
    ],
)
def test_of_a_name_that_is_given_a_lambda_nothing_is_pointed_at_that_it_does_not_use(
    of: str, mistake: str, line: int
) -> None:
    assert culprit(ast.parse(LAMBDAS), of, mistake) == line


# Kept in `__init__` and called from elsewhere: lambdas, hooks, what is handed to `partial`.
KEPT = """\
class Attention(nn.Module):
    def __init__(self, d_in, d_k, p):
        self.W = nn.Parameter(torch.randn(d_in, d_k) / d_in ** 0.5)
        self.norm = nn.Identity()
        self.norm.register_forward_hook(lambda module, given, made: made.masked_fill(self.mask, 0.0))
        self.drop = lambda weights: F.dropout(weights, p)
        self.steps = [self.norm, partial(F.softmax, dim=-2), self.drop]
    def forward(self, x):
        q, k, v = (x @ w for w in self.W)
        s = q @ k.mT / x.shape[1] ** 0.5
        for step in self.steps:
            s = step(s)
        return s @ v
"""


@pytest.mark.parametrize(
    ("mistake", "line"),
    [("dropout-in-eval", 6), ("softmax-wrong-axis", 7), ("mask-zero-fill", 5), ("scale-wrong-width", 10)],
)
def test_what_is_kept_to_be_called_later_is_found_where_it_is_made(mistake: str, line: int) -> None:
    assert culprit(ast.parse(KEPT), "Attention", mistake) == line


def test_a_role_that_is_added_up_in_the_place_of_the_values_is_pointed_at() -> None:
    source = """\
class Attention(nn.Module):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        out = torch.zeros_like(v)
        for i in range(len(x)):
            s = torch.stack([(q[i] * k[j]).sum() / 2 for j in range(len(x))])
            w = s.softmax(0)
            for j in range(len(x)):
                out[i] += w[j] * k[j]
        return out
"""
    assert culprit(ast.parse(source), "Attention", "projection-reused") == 9


def test_where_heads_are_joined_they_are_not_said_to_be_cut() -> None:
    source = """\
def f(x, h):
    q = x.as_strided((2, h, 5, 4), (60, 20, 4, 1))
    y = torch.softmax(q @ q.mT, -1) @ q
    return y.transpose(1, 2).reshape(2, 5, -1)
"""
    assert culprit(ast.parse(source), "f", "heads-not-transposed") == 0


@pytest.mark.parametrize(
    ("values", "speaks"),
    [("x", True), ("x.view(b, n, h, d)", True), ("self.W_value(x)", False), ("keys", False)],
)
def test_a_crash_is_of_values_that_nobody_projects_where_the_input_has_their_name(values: str, speaks: bool) -> None:
    tree = ast.parse(
        "class A:\n    def forward(self, x):\n        keys = x\n"
        f"        values = {values}\n        return self.weights(x) @ values\n"
    )

    assert speaks_of(tree, "A", "values-unprojected") is speaks


BY_HAND = """
def causal_mask(n):
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        mask[i, i + 1:] = True
    return mask
def weights(scores, d):
    hidden = causal_mask(scores.shape[-1])
    w = torch.softmax(scores / d ** 0.5, dim=-1)
    return w * ~hidden
"""
CUT = """
class A(nn.Module):
    def forward(self, x):
        k, v = self.k(x), self.v(x)
        k = k.view(b, t, self.h, self.d)
        v = v.view(b, t, self.h, self.d)
        k = k.transpose(1, 2)
        w = torch.softmax(k @ k.mT, dim=-1)
        return (w @ v).transpose(1, 2)
"""


def test_a_mask_that_another_function_makes_by_hand_takes_effect_where_it_is_used() -> None:
    assert (
        culprit(ast.parse(BY_HAND), "weights", "mask-after-softmax")
        == BY_HAND.splitlines().index("    return w * ~hidden") + 1
    )


def test_of_heads_that_are_cut_those_are_pointed_at_that_nothing_moves() -> None:
    assert (
        culprit(ast.parse(CUT), "A", "heads-not-transposed")
        == CUT.splitlines().index("        v = v.view(b, t, self.h, self.d)") + 1
    )


def test_a_column_that_softmax_is_given_for_a_row_is_where_queries_and_keys_change_places() -> None:
    looped = "def attend(q, k, v):\n    scores = q @ k.T\n    for i in range(3):\n        w = torch.softmax(scores[:, i], dim=0)\n        out[i] = w @ v\n    return out\n"

    assert culprit(ast.parse(looped), "attend", "query-key-swapped") == 4
    assert culprit(ast.parse(looped.replace("[:, i]", "[i]")), "attend", "query-key-swapped") == 2


def test_of_two_softmaxes_the_one_over_another_axis_is_found() -> None:
    source = "def f(s, v):\n    s = torch.softmax(s, dim=-1)\n    w = torch.softmax(s, dim={axis})\n    return w @ v\n"

    assert culprit(ast.parse(source.format(axis="-2")), "f", "softmax-wrong-axis") == 3
    assert culprit(ast.parse(source.format(axis="-1")), "f", "softmax-wrong-axis") == 2


@pytest.mark.parametrize("side", ["w.transpose(2, 3)", "w.mT", "self.dropout(w).transpose(-2, -1)"])
def test_weights_that_blend_on_their_side_are_found_whatever_they_are_called(side: str) -> None:
    source = f"""
class A(nn.Module):
    def forward(self, x):
        q = (x @ self.W_q.weight.T).transpose(1, 2)
        k, v = self.W_k(x).transpose(1, 2), self.W_v(x).transpose(1, 2)
        w = torch.softmax(q @ k.transpose(2, 3), dim=-1)
        return {side} @ v
"""

    assert culprit(ast.parse(source), "A", "weights-transposed") == 7


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("causal_mask", "~torch.tril(torch.ones(n, n)).bool()"),
        ("causal_mask", "torch.arange(n) > torch.arange(n)[:, None]"),
        ("later", "~torch.tril(torch.ones(n, n)).bool()"),
    ],
)
def test_shares_that_are_masked_by_a_function_are_masked_where_they_are_handed_to_it(name: str, made: str) -> None:
    source = f"""
def {name}(n):
    return {made}

def hide(scores, mask):
    return scores.masked_fill(mask, 0.0)

def weigh(scores, d_k):
    weights = torch.softmax(scores / d_k ** 0.5, dim=-1)
    return hide(weights, {name}(scores.shape[-1]))
"""

    assert culprit(ast.parse(source), "weigh", "mask-after-softmax") == 10
