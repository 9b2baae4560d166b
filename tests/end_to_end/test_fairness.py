"""Styles that students write in, none of them the reference's: what is right keeps every point."""

from __future__ import annotations

import itertools

import pytest

from tests.sampling import one_in

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
    Marking,
    edited,
    not_passed,
    verdicts,
    with_module,
)  # fmt: skip

# Graded in passing, hundreds of times: what is measured are the tests of each module.
pytestmark = pytest.mark.no_cover

# Each style: the exercise, what is peculiar about it, and the module.
STYLES: dict[str, tuple[str, str]] = {}


def style(name: str, exercise: str, source: str) -> None:
    assert name not in STYLES
    STYLES[name] = (exercise, source)


style("ex01 elementwise products and sums", EX01, """
def attention_scores_for_query(q, x):
    return (x * q).sum(-1)

def attention_scores(x):
    return (x[:, None, :] * x[None, :, :]).sum(dim=-1)
""")  # fmt: skip

style("ex01 an empty tensor that is filled entry by entry", EX01, """
import torch

def attention_scores_for_query(query, inputs):
    out = torch.empty(inputs.shape[0])
    for i, row in enumerate(inputs):
        out[i] = torch.dot(row, query)
    return out

def attention_scores(inputs):
    out = torch.empty(len(inputs), len(inputs))
    for i, a in enumerate(inputs):
        for j, b in enumerate(inputs):
            out[i, j] = torch.dot(a, b)
    return out
""")  # fmt: skip

style("ex01 plain Python numbers", EX01, """
import torch

def dot(a, b):
    return sum(x * y for x, y in zip(a.tolist(), b.tolist()))

def attention_scores_for_query(query, inputs):
    return torch.tensor([dot(query, row) for row in inputs])

def attention_scores(inputs):
    return torch.tensor([[dot(a, b) for b in inputs] for a in inputs])
""")  # fmt: skip

style("ex01 numpy", EX01, """
import numpy as np
import torch

def attention_scores_for_query(query, inputs):
    return torch.from_numpy(np.dot(inputs.numpy(), query.numpy()))

def attention_scores(inputs):
    return torch.from_numpy(inputs.numpy() @ inputs.numpy().T)
""")  # fmt: skip

style("ex01 lambdas, a callable object and optional arguments", EX01, """
import torch

class Scores:
    def __call__(self, inputs, scale=1.0):
        return torch.inner(inputs, inputs) * scale

attention_scores = Scores()
attention_scores_for_query = lambda query, inputs, *rest, **more: inputs.mv(query)
""")  # fmt: skip

style("ex01 demo code, prints and seeds at import and in the call", EX01, """
import random
import torch

torch.manual_seed(0)
random.seed(0)
inputs = torch.rand(6, 3)
print("the inputs are", inputs)

def attention_scores_for_query(query, inputs):
    torch.manual_seed(123)
    print(query, inputs)
    return query @ inputs.mT

def attention_scores(inputs):
    scores = inputs @ inputs.mT
    print(scores.shape)
    return scores

print(attention_scores(inputs))
if __name__ == "__main__":
    raise SystemExit("only when it is run by hand")
""")  # fmt: skip

style("ex02 the math module", EX02, """
import math
import torch

def softmax(scores):
    values = scores.tolist()
    top = max(values)
    powers = [math.exp(value - top) for value in values]
    return torch.tensor([power / sum(powers) for power in powers])

def attention_weights(scores):
    return torch.stack([softmax(row) for row in scores])

def sharpened_weights(scores, factor):
    return softmax(factor * scores)
""")  # fmt: skip

style("ex02 logsumexp, exp and nn.Softmax", EX02, """
import torch
from torch import nn

def softmax(scores):
    return torch.exp(scores - torch.logsumexp(scores, dim=0))

def attention_weights(scores):
    return nn.Softmax(dim=1)(scores)

def sharpened_weights(scores, factor):
    return (scores * factor).softmax(0)
""")  # fmt: skip

style("ex02 one softmax for any axis", EX02, """
import torch

def softmax(scores, dim=-1):
    e = (scores - scores.amax(dim=dim, keepdim=True)).exp()
    return e.div(e.sum(dim=dim, keepdim=True))

def attention_weights(scores):
    return softmax(scores)

def sharpened_weights(scores, factor=8.0):
    return softmax(torch.mul(scores, factor))
""")  # fmt: skip

style("ex03 accumulated with a loop", EX03, """
import torch
import torch.nn.functional as F

def context_vector(weights, inputs):
    total = torch.zeros_like(inputs[0])
    for i, weight in enumerate(weights):
        total += weight * inputs[i]
    return total

def context_vectors(inputs):
    return torch.stack([context_vector(F.softmax(inputs @ query, dim=0), inputs) for query in inputs])
""")  # fmt: skip

style("ex03 broadcast and summed", EX03, """
def context_vector(weights, inputs):
    return (weights.unsqueeze(1) * inputs).sum(0)

def context_vectors(inputs):
    return inputs.matmul(inputs.transpose(0, 1)).softmax(1).mm(inputs)
""")  # fmt: skip

style("ex04 a named tuple and a Python float", EX04, """
from collections import namedtuple
import math
import torch

Projected = namedtuple("Projected", "queries keys values")

def project(inputs, W_query, W_key, W_value):
    return Projected(*(torch.matmul(inputs, W) for W in (W_query, W_key, W_value)))

def attention_score(query, key):
    return query.dot(key).item()

def context_vector_for_query(query, keys, values):
    return torch.softmax(query @ keys.T / math.sqrt(query.numel()), -1) @ values
""")  # fmt: skip

style("ex04 a list, and an axis that comes and goes", EX04, """
import torch.nn.functional as F

def project(inputs, W_query, W_key, W_value):
    return [inputs @ W_query, inputs @ W_key, inputs @ W_value]

def attention_score(query, key):
    return (query * key).sum()

def context_vector_for_query(query, keys, values):
    return F.scaled_dot_product_attention(query[None, None], keys[None], values[None]).squeeze(0).squeeze(0)
""")  # fmt: skip

style("ex05 trial by trial, in lists", EX05, """
import math
import statistics
import torch

def scaled_scores(queries, keys):
    d_k = queries.size(-1)
    return torch.mm(queries, keys.t()).mul(1 / math.sqrt(d_k))

def scaled_dot_product_attention(queries, keys, values):
    return torch.softmax(scaled_scores(queries, keys), dim=1).mm(values)

def dot_product_variance(dim, num_trials, generator):
    before, after = [], []
    for _ in range(num_trials):
        q = torch.randn(dim, generator=generator)
        k = torch.randn(dim, generator=generator)
        before.append(float(q @ k))
        after.append(float(q @ k / dim**0.5))
    return statistics.variance(before), statistics.pvariance(after)
""")  # fmt: skip

style("ex05 one tensor of two numbers, filled in place", EX05, """
import torch

def scaled_scores(queries, keys):
    return torch.einsum("id,jd->ij", queries, keys) * keys.shape[1] ** -0.5

def scaled_dot_product_attention(queries, keys, values):
    return torch.nn.functional.scaled_dot_product_attention(queries, keys, values)

def dot_product_variance(dim, num_trials, generator):
    q = torch.empty(num_trials, dim).normal_(generator=generator)
    k = torch.empty(num_trials, dim).normal_(generator=generator)
    products = torch.einsum("td,td->t", q, k)
    return products.var(unbiased=False), (products / dim**0.5).var(unbiased=False)
""")  # fmt: skip

ATTEND = """
        scores = q @ k.transpose(-2, -1) / k.shape[-1] ** 0.5
        return torch.softmax(scores, dim=-1) @ v
"""

style("ex06 parameters the other way round", EX06, f"""
import torch
from torch import nn

class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.randn(d_out, d_in))
        self.W_key = nn.Parameter(torch.randn(d_out, d_in))
        self.W_value = nn.Parameter(torch.randn(d_out, d_in))

    def forward(self, x):
        q, k, v = x @ self.W_query.T, x @ self.W_key.T, x @ self.W_value.T
{ATTEND}
""")  # fmt: skip

style("ex06 short names, another order, keyword arguments and notes to oneself", EX06, f"""
import torch
import torch.nn as nn

class SelfAttention_v1(nn.Module):
    '''My first attention.'''
    version = 1

    def __init__(self, d_in, d_out, verbose=False):
        nn.Module.__init__(self)
        self.d_in, self.d_out, self.calls = d_in, d_out, 0
        self.W_v = nn.Parameter(data=torch.rand(size=(d_in, d_out)), requires_grad=True)
        self.W_k = nn.Parameter(data=torch.rand(size=(d_in, d_out)), requires_grad=True)
        self.W_q = nn.Parameter(data=torch.rand(size=(d_in, d_out)), requires_grad=True)

    def forward(self, x):
        self.calls += 1
        q, k, v = [torch.matmul(input=x, other=w) for w in (self.W_q, self.W_k, self.W_v)]
{ATTEND}
""")  # fmt: skip

style("ex06 linear layers without bias", EX06, f"""
import torch
from torch import nn

class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
{ATTEND}
""")  # fmt: skip

style("ex06 a dictionary of parameters", EX06, f"""
import torch
from torch import nn

class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W = nn.ParameterDict({{role: nn.Parameter(torch.rand(d_in, d_out)) for role in ("query", "key", "value")}})

    def forward(self, x):
        q, k, v = (x @ self.W[role] for role in ("query", "key", "value"))
{ATTEND}
""")  # fmt: skip

V2 = """
import torch
from torch import nn

class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(in_features=d_in, out_features=d_out, bias=qkv_bias)
        self.W_key = nn.Linear(in_features=d_in, out_features=d_out, bias=qkv_bias)
        self.W_value = nn.Linear(in_features=d_in, out_features=d_out, bias=qkv_bias)
        self.last_weights = None

    def forward(self, x):
        keys, queries, values = self.W_key(x), self.W_query(x), self.W_value(x)
        self.last_weights = torch.softmax(queries @ keys.mT / keys.shape[-1] ** 0.5, dim=-1)
        return self.last_weights @ values
"""

style("ex07 weights shared by the copy", EX07, V2 + """
def copy_weights(source_v2, target_v1):
    target_v1.W_query = nn.Parameter(source_v2.W_query.weight.T)
    target_v1.W_key = nn.Parameter(source_v2.W_key.weight.T)
    target_v1.W_value = nn.Parameter(source_v2.W_value.weight.T)
""")  # fmt: skip

style("ex07 a state dictionary", EX07, V2 + """
def copy_weights(source_v2, target_v1):
    state = {name.removesuffix(".weight"): value.t().clone() for name, value in source_v2.state_dict().items()}
    target_v1.load_state_dict(state)
    return target_v1
""")  # fmt: skip

style("ex07 data and detach", EX07, V2 + """
def copy_weights(v2, v1):
    for (_, linear), (_, parameter) in zip(v2.named_children(), v1.named_parameters()):
        parameter.data = linear.weight.detach().clone().transpose(0, 1)
""")  # fmt: skip

style("ex08 places compared, torch.where, a cached mask", EX08, """
from functools import lru_cache
import torch

@lru_cache(maxsize=None)
def causal_mask(context_length):
    place = torch.arange(context_length)
    return place[None, :] > place[:, None]

def mask_scores(scores, mask):
    return torch.where(mask, torch.full_like(scores, float("-inf")), scores)

def causal_attention_weights(scores, d_k):
    T = scores.size(-1)
    return (mask_scores(scores, causal_mask(T).to(scores.device)) / d_k**0.5).softmax(dim=-1)
""")  # fmt: skip

style("ex08 a clone that is written into, and a constant of the module", EX08, """
import math
import torch

LONGEST = 64
MASK = ~torch.tril(torch.ones(LONGEST, LONGEST)).bool()
NEVER = -1e9

def causal_mask(context_length):
    return MASK[:context_length, :context_length]

def mask_scores(scores, mask):
    masked = scores.clone()
    masked[..., mask] = NEVER
    return masked

def causal_attention_weights(scores, d_k):
    T = scores.shape[-1]
    masked = scores / math.sqrt(d_k)
    masked.masked_fill_(MASK[:T, :T].to(scores.device), -torch.inf)
    return torch.softmax(masked, -1)
""")  # fmt: skip

style("ex08 weights renormalised after a simple mask", EX08, """
import torch

def causal_mask(context_length):
    return torch.tensor([[j > i for j in range(context_length)] for i in range(context_length)])

def mask_scores(scores, mask):
    return scores + torch.zeros_like(scores).masked_fill(mask, float("-inf"))

def causal_attention_weights(scores, d_k):
    weights = torch.softmax(scores / d_k**0.5, dim=-1)
    simple = torch.tril(torch.ones(scores.shape[-1], scores.shape[-1], device=scores.device))
    masked = weights * simple
    return masked / masked.sum(dim=-1, keepdim=True)
""")  # fmt: skip

style("ex09 bernoulli", EX09, """
import torch

def dropout_weights(weights, p, training, generator=None):
    if not training:
        return weights.clone()
    if p >= 1:
        return torch.zeros_like(weights)
    keep = torch.bernoulli(torch.full_like(weights, 1 - p), generator=generator)
    return weights * keep / (1 - p)
""")  # fmt: skip

style("ex09 uniform numbers, where, and torch's own without a generator", EX09, """
import torch
import torch.nn.functional as F

def dropout_weights(weights, p, training, generator=None):
    if training is False or p == 0.0:
        return weights
    if generator is None:
        return F.dropout(weights, p, training=True)
    drawn = torch.empty_like(weights).uniform_(0, 1, generator=generator)
    return torch.where(drawn < p, torch.zeros_like(weights), weights / max(1 - p, 1e-12))
""")  # fmt: skip

CAUSAL = """
import math
import torch
import torch.nn.functional as F
from torch import nn

class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        {layers}
        {init}

    def forward(self, x):
        b, num_tokens, d_in = x.shape
        {project}
        {attend}
"""
LAYERS = """self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)"""
PROJECT = "queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)"


def causal(init: str, attend: str, layers: str = LAYERS, project: str = PROJECT) -> str:
    return CAUSAL.format(layers=layers, init=init, project=project, attend=attend)


style("ex10 a mask buffer that is not saved, the last weights kept, context and weights returned", EX10, causal(
    """self.dropout = nn.Dropout(p=dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), 1), persistent=False)
        self.last_weights = None""",
    """scores = queries @ keys.mT
        scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
        self.last_weights = self.dropout(torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1))
        return self.last_weights @ values, self.last_weights""",
))  # fmt: skip

style("ex10 a mask made anew in each call, the functional dropout", EX10, causal(
    "self.p = dropout",
    """mask = torch.ones(num_tokens, num_tokens, device=x.device).tril() == 0
        scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(self.d_out)
        weights = F.softmax(scores.masked_fill(mask, -1e9), dim=2)
        weights = F.dropout(weights, self.p, training=self.training)
        return torch.bmm(weights, values)""",
))  # fmt: skip

style("ex10 a plain mask that is sent to the device", EX10, causal(
    """self.dropout = nn.Dropout(dropout)
        self.mask = torch.triu(torch.ones(context_length, context_length), diagonal=1).bool()""",
    """mask = self.mask.to(x.device)[:num_tokens, :num_tokens]
        scores = (queries @ keys.transpose(1, 2)).masked_fill(mask, -torch.inf)
        return self.dropout((scores / self.d_out**0.5).softmax(-1)) @ values""",
))  # fmt: skip

style("ex10 a mask that is registered when it is first needed", EX10, causal(
    """self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", None)""",
    """if self.mask is None or self.mask.shape[0] < num_tokens:
            self.mask = torch.triu(torch.ones(num_tokens, num_tokens, device=x.device, dtype=torch.bool), 1)
        scores = (queries @ keys.transpose(1, 2)).masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
        return self.dropout((scores / self.d_out**0.5).softmax(-1)) @ values""",
))  # fmt: skip

style("ex10 weights renormalised after a simple mask", EX10, causal(
    """self.dropout = nn.Dropout(dropout)
        self.register_buffer("simple", torch.tril(torch.ones(context_length, context_length)))""",
    """weights = torch.softmax(queries @ keys.transpose(1, 2) / keys.shape[-1] ** 0.5, dim=-1)
        weights = weights * self.simple[:num_tokens, :num_tokens]
        weights = weights / weights.sum(dim=-1, keepdim=True)
        return self.dropout(weights) @ values""",
))  # fmt: skip

style("ex10 sequence by sequence with helper functions and constants of the module", EX10, """
import torch
from torch import nn

NEVER = float("-inf")
DEFAULTS = {"bias": False}

def attend(q, k, v, drop):
    T = q.shape[0]
    hidden = torch.ones(T, T, device=q.device).triu(1).bool()
    return drop((q @ k.T / k.shape[-1] ** 0.5).masked_fill(hidden, NEVER).softmax(-1)) @ v

class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=DEFAULTS["bias"]):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(d_in, d_out, qkv_bias) for _ in range(3))
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        return torch.stack([attend(self.query(one), self.key(one), self.value(one), self.drop) for one in x])
""")  # fmt: skip

style("ex10 derived from exercise 7", EX10, """
import torch
from torch import nn
from .ex07_self_attention_v2 import SelfAttention_v2

class CausalAttention(SelfAttention_v2):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, qkv_bias=qkv_bias)
        self.drop = nn.Dropout(dropout)
        self.register_buffer("tril", torch.tril(torch.ones(context_length, context_length)))

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        wei = q @ k.transpose(-2, -1) * k.shape[-1] ** -0.5
        wei = wei.masked_fill(self.tril[:T, :T] == 0, float("-inf")).softmax(dim=-1)
        return self.drop(wei) @ v
""")  # fmt: skip

for fused in itertools.permutations(("queries", "keys", "values")):
    style(f"ex10 one projection of {', '.join(fused)}", EX10, causal(
        """self.qkv = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1).bool())""",
        """scores = (queries @ keys.mT).masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
        return self.dropout(torch.softmax(scores / self.d_out**0.5, -1)) @ values""",
        layers="",
        project=f"{', '.join(fused)} = self.qkv(x).chunk(3, dim=-1)",
    ))  # fmt: skip

WRAPPER = """
import torch
from torch import nn
{imports}

class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.num_heads, self.d_out = num_heads, d_out
        {heads}

    def forward(self, x):
        {join}
"""

style("ex11 imported by its bare name, called by keywords", EX11, WRAPPER.format(
    imports="import ex10_causal_attention as ten",
    heads="""self.heads = nn.ModuleList()
        for _ in range(num_heads):
            self.heads.append(ten.CausalAttention(
                d_in=d_in, d_out=d_out, context_length=context_length, dropout=dropout, qkv_bias=qkv_bias))""",
    join="return torch.concat(tuple(head(x) for head in self.heads), -1)",
))  # fmt: skip

style("ex11 imported relatively, written into place", EX11, WRAPPER.format(
    imports="from . import ex10_causal_attention",
    heads="""self.attention_heads = nn.ModuleList([
            ex10_causal_attention.CausalAttention(d_in, d_out, context_length, dropout, qkv_bias)
            for i in range(num_heads)])""",
    join="""out = x.new_zeros(*x.shape[:2], self.num_heads * self.d_out)
        for i, head in enumerate(self.attention_heads):
            out[..., i * self.d_out : (i + 1) * self.d_out] = head(x)
        return out""",
))  # fmt: skip

style("ex11 with a head of its own in the same file", EX11,
    REFERENCE[EX10] + edited(EX11, ("from exercises.ex10_causal_attention import CausalAttention\n", "")),
)  # fmt: skip

MULTI = """
import math
import torch
import torch.nn.functional as F
from torch import nn

class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, "no"
        self.num_heads, self.head_dim, self.d_out = num_heads, d_out // num_heads, d_out
        {layers}
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))

    def forward(self, x):
        B, T, _ = x.shape
        {project}
        scores = q @ k.transpose(2, 3) / math.sqrt(self.head_dim)
        scores = scores.masked_fill(self.mask.bool()[:T, :T], -torch.inf)
        weights = self.dropout(torch.softmax(scores, dim=-1))
        out = (weights @ v).transpose(1, 2).reshape(B, T, self.d_out)
        return self.{out}(out)
"""
OUT_PROJ = "self.out_proj = nn.Linear(d_out, d_out)"

style("ex12 short names, unflatten, an output projection without bias", EX12, MULTI.format(
    layers="""self.wq = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.wk = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.wv = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.wo = nn.Linear(d_out, d_out, bias=False)""",
    project="""q, k, v = (
            layer(x).unflatten(-1, (self.num_heads, self.head_dim)).movedim(2, 1)
            for layer in (self.wq, self.wk, self.wv)
        )""",
    out="wo",
))  # fmt: skip

style("ex12 heads laid into the batch", EX12, """
import torch
from torch import nn

class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(d_out, num_heads)
        self.H, self.D = num_heads, d_out // num_heads
        self.out_proj = nn.Linear(d_out, d_out)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def split(self, t):
        return torch.cat(t.split(self.D, dim=-1), dim=0)

    def forward(self, x):
        T = x.shape[1]
        q, k, v = self.split(self.W_query(x)), self.split(self.W_key(x)), self.split(self.W_value(x))
        future = torch.full((T, T), -torch.inf, device=x.device).triu(1)
        weights = torch.softmax(torch.baddbmm(future.expand(len(q), T, T), q, k.mT, alpha=self.D**-0.5), -1)
        context = self.dropout(weights) @ v
        return self.out_proj(torch.cat(context.chunk(self.H, dim=0), dim=-1))
""")  # fmt: skip

for fused in itertools.permutations("qkv"):
    style(f"ex12 one projection of {', '.join(fused)}, whole after whole", EX12, MULTI.format(
        layers=f"self.c_attn = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)\n        {OUT_PROJ}",
        project=f"""{', '.join(fused)} = self.c_attn(x).split(self.d_out, dim=2)
        q, k, v = (t.view(B, T, self.num_heads, self.head_dim).transpose(1, 2) for t in (q, k, v))""",
        out="out_proj",
    ))  # fmt: skip
    style(f"ex12 one projection of {', '.join(fused)}, head by head", EX12, MULTI.format(
        layers=f"self.qkv_proj = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)\n        {OUT_PROJ}",
        project=f"""{', '.join(fused)} = (
            self.qkv_proj(x).reshape(B, T, self.num_heads, 3 * self.head_dim).permute(0, 2, 1, 3).chunk(3, dim=-1)
        )""",
        out="out_proj",
    ))  # fmt: skip

style("ex13 slices, data, and an identity for the output projection", EX13, edited(
    EX13,
    (REFERENCE[EX13][REFERENCE[EX13].index('    heads = cast(nn.ModuleList, wrapper.heads)'):], """\
    for i, head in enumerate(wrapper.heads):
        rows = slice(i * head.W_query.out_features, (i + 1) * head.W_query.out_features)
        for name in ("W_query", "W_key", "W_value"):
            getattr(split, name).weight.data[rows] = getattr(head, name).weight.data
            if getattr(head, name).bias is not None:
                getattr(split, name).bias.data[rows] = getattr(head, name).bias.data
    if hasattr(split, "out_proj"):
        split.out_proj = nn.Identity()
"""),
))  # fmt: skip

style("ex13 a state dictionary", EX13, edited(
    EX13,
    (REFERENCE[EX13][REFERENCE[EX13].index('    heads = cast(nn.ModuleList, wrapper.heads)'):], """\
    state = split.state_dict()
    for name in [n for n in state if n.startswith("W_")]:
        state[name] = torch.cat([head.state_dict()[name] for head in wrapper.heads], dim=0)
    if "out_proj.weight" in state:
        state["out_proj.weight"] = torch.eye(state["out_proj.weight"].shape[0])
        state["out_proj.bias"] = torch.zeros_like(state["out_proj.bias"])
    split.load_state_dict(state)
"""),
))  # fmt: skip


@pytest.mark.parametrize("name", one_in(3, (pytest.param(name, id=name) for name in STYLES)))
def test_a_style_of_ones_own_keeps_every_point(name: str, mark: Marking) -> None:
    exercise, source = STYLES[name]

    report = mark(with_module(exercise, source), exercise)

    assert {step: verdicts(report)[step].summary for step in not_passed(report)} == {}


def test_a_head_with_names_of_its_own_serves_the_exercises_that_build_on_it(mark: Marking) -> None:
    _, source = STYLES["ex10 sequence by sequence with helper functions and constants of the module"]

    report = mark(with_module(EX10, source), EX11)

    assert not_passed(report) == set()


def test_whatever_was_accepted_is_said(mark: Marking) -> None:
    _, source = STYLES["ex06 short names, another order, keyword arguments and notes to oneself"]

    report = mark(with_module(EX06, source), EX06)

    assert "`W_q` for `W_query`; accepted" in verdicts(report)["ex06.output"].notes


def test_a_submission_of_one_module_is_graded_for_what_it_holds(mark: Marking) -> None:
    report = mark({EX03: REFERENCE[EX03]})

    assert report.score == 5
    assert {str(step.status) for name, step in verdicts(report).items() if not name.startswith("ex03")} == {"unstarted"}
