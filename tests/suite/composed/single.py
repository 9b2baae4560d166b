"""Modules of exercises 5 to 8: one head, in functions and in modules, and the mask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .plan import HEADER, Plan, Variant, Wrong, done, of_class

ROLES = ("query", "key", "value")
MATRICES = "\n".join(f"self.W_{role} = nn.Parameter(torch.rand(d_in, d_out))" for role in ROLES)
LAYERS = "\n".join(f"self.W_{role} = nn.Linear(d_in, d_out, bias=qkv_bias)" for role in ROLES)
FUSED = "self.qkv = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)"
CHUNKS = "queries, keys, values = self.qkv(x).chunk(3, dim=-1)"


SCALED = done(
    "scores = queries @ keys.T\nscores = scores / WIDTH**0.5",
    "scores = torch.matmul(queries, keys.transpose(0, 1)) * WIDTH**-0.5",
    "queries = queries / math.sqrt(WIDTH)\nscores = torch.einsum('id,jd->ij', queries, keys)",
    "scores = torch.mm(queries, keys.t()) / math.sqrt(WIDTH)",
)
WEIGHTED = done(
    "weights = torch.softmax(scores, dim=-1)",
    "weights = scores.softmax(1)",
    "weights = F.softmax(scores, dim=1)",
    "e = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)\nweights = e / e.sum(dim=-1, keepdim=True)",
)
BLENDED = done(
    "return weights @ values",
    "context = torch.einsum('ij,jd->id', weights, values)\nreturn context",
    "context = torch.matmul(weights, values)\nreturn context",
)
OF_SCORES: Mapping[str, Wrong] = {
    "scale-missing": ("scaled", done("scores = queries @ keys.T", "scores = torch.mm(queries, keys.t())")),
    "scale-no-sqrt": ("scaled", done(
        "scores = queries @ keys.T / WIDTH  # <-",
        "scores = torch.mm(queries, keys.t())\nscores = scores / WIDTH  # <-",
    )),
    "scale-inverted": ("scaled", done(
        "scores = queries @ keys.T * WIDTH**0.5  # <-",
        "queries = queries * math.sqrt(WIDTH)  # <-\nscores = queries @ keys.mT",
    )),
    "softmax-wrong-axis": ("weighted", done(
        "weights = torch.softmax(scores, dim=0)  # <-",
        "weights = scores.softmax(-2)  # <-",
        "e = scores.exp()\nweights = e / e.sum(dim=0, keepdim=True)  # <-",
    )),
    "softmax-missing": ("weighted", done("weights = scores")),
    "softmax-twice": ("weighted", done(
        "weights = torch.softmax(scores.softmax(-1), dim=-1)  # <-",
        "weights = F.softmax(scores, dim=1)\nweights = F.softmax(weights, dim=1)  # <-",
    )),
    "returns-none": ("blended", done("context = weights @ values", "weights @ values")),
    "api-misspelt": ("weighted", done(
        "weights = torch.sofmax(scores, dim=-1)  # <-",
        "weights = F.softmx(scores, dim=-1)  # <-",
    )),
}  # fmt: skip
# What looks like another mistake together: queries and keys that are exchanged, and no softmax over each query's
# scores, are weights on their side.
UNCERTAIN = (({"softmax-missing", "softmax-wrong-axis"}, {"query-key-swapped"}),)
NAMES = {"weights": ("probs", "attn", "A"), "context": ("out", "y", "ctx")}

FUNCTIONS = Plan(
    "ex05_scaled_scores",
    f"""{HEADER}def scaled_scores(queries, keys):
    {{scaled}}
    return scores


def scaled_dot_product_attention(queries, keys, values):
    {{called}}
    {{weighted}}
    {{blended}}


def dot_product_variance(dim, num_trials, generator):
    q = torch.randn(num_trials, dim, generator=generator)
    k = torch.randn(num_trials, dim, generator=generator)
    products = (q * k).sum(-1)
    return products.var(), (products / dim**0.5).var()
""",
    {
        "scaled": SCALED,
        "called": done("scores = scaled_scores(queries, keys)", "scores = queries @ keys.T / math.sqrt(keys.shape[1])"),
        "weighted": WEIGHTED,
        "blended": BLENDED,
    },
    OF_SCORES,
    needs={name: ("called", ("", "scores = scaled_scores(queries, keys)")) for name in OF_SCORES if "scale" in name},
    names=NAMES,
)
OF_ONE = ("projected", "scaled", "weighted", "blended")
EACH = "queries = x @ self.W_query\nkeys = x @ self.W_key\nvalues = x @ self.W_value"
PARAMETERS = Plan(
    "ex06_self_attention_v1",
    of_class("SelfAttention_v1", "d_in, d_out", OF_ONE),
    {
        "projected": [
            (MATRICES, EACH),
            (MATRICES, "queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value"),
            (MATRICES, EACH.replace("x @ ", "torch.matmul(x, ").replace("\n", ")\n") + ")"),
            (MATRICES, EACH.replace("x @ ", "torch.einsum('ti,io->to', x, ").replace("\n", ")\n") + ")"),
        ],
        "scaled": SCALED,
        "weighted": WEIGHTED,
        "blended": BLENDED,
    },
    {
        **OF_SCORES,
        "scale-wrong-width": ("scaled", done(
            "scores = queries @ keys.T / x.shape[-1] ** 0.5  # <-",
            "scores = queries @ keys.T / math.sqrt(x.shape[1])  # <-",
        )),
        "query-key-swapped": ("projected", [
            (MATRICES, "keys, queries, values = x @ self.W_query, x @ self.W_key, x @ self.W_value"),
        ]),
        "projection-reused": ("projected", [
            (MATRICES, EACH.replace("self.W_key", "self.W_query  # <-")),
            (MATRICES, "queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_key  # <-"),
        ]),
        "self-missing": ("projected", [(MATRICES, EACH.replace("self.W_query", "W_query  # <-"))]),
        "weights-transposed": ("projected", [(MATRICES, EACH.replace("self.W_value", "self.W_value.T  # <-"))]),
    },
    UNCERTAIN,
    names=NAMES,
)  # fmt: skip
COPY = """

def copy_weights(source_v2, target_v1):
    if hasattr(source_v2, "qkv"):
        weights = source_v2.qkv.weight.chunk(3)
    else:
        weights = source_v2.W_query.weight, source_v2.W_key.weight, source_v2.W_value.weight
    with torch.no_grad():
        for name, weight in zip(("W_query", "W_key", "W_value"), weights):
            getattr(target_v1, name).copy_(weight.T)
"""
CALLED = "queries = self.W_query(x)\nkeys = self.W_key(x)\nvalues = self.W_value(x)"
LINEAR = Plan(
    "ex07_self_attention_v2",
    of_class("SelfAttention_v2", "d_in, d_out, qkv_bias=False", OF_ONE) + COPY,
    {
        "projected": [
            (LAYERS, CALLED),
            (FUSED, CHUNKS),
            (LAYERS, "queries, keys, values = (layer(x) for layer in (self.W_query, self.W_key, self.W_value))"),
        ],
        "scaled": SCALED,
        "weighted": WEIGHTED,
        "blended": BLENDED,
    },
    {
        **OF_SCORES,
        "query-key-swapped": ("projected", [
            (LAYERS, "queries = self.W_key(x)  # <-\nkeys = self.W_query(x)\nvalues = self.W_value(x)"),
        ]),
        "projection-reused": ("projected", [
            (LAYERS, CALLED.replace("self.W_key(x)", "self.W_query(x)  # <-")),
            (LAYERS, CALLED.replace("self.W_value(x)", "self.W_key(x)  # <-")),
        ]),
        "weights-transposed": ("projected", [
            (LAYERS, CALLED.replace("self.W_value(x)", "x @ self.W_value.weight  # <-")),
            (LAYERS, CALLED.replace("self.W_query(x)", "torch.matmul(x, self.W_query.weight)  # <-")),
        ]),
        "bias-ignored": ("projected", [
            (LAYERS.replace("bias=qkv_bias", "bias=False"), CALLED),
            (FUSED.replace("bias=qkv_bias", "bias=False"), CHUNKS),
        ]),
        "bias-always": ("projected", [(LAYERS.replace(", bias=qkv_bias", ""), CALLED)]),
        "self-missing": ("projected", [(LAYERS, CALLED.replace("self.W_key(x)", "W_key(x)  # <-"))]),
    },
    UNCERTAIN,
    names=NAMES,
)  # fmt: skip

BY_ONE = "scores = mask_scores(scores, causal_mask(scores.shape[-1]))\n"
MASKED: Mapping[str, Sequence[Variant]] = {
    "mask": done(
        "return torch.triu(torch.ones(context_length, context_length), diagonal=1).bool()",
        "return ~torch.tril(torch.ones(context_length, context_length, dtype=torch.bool))",
        "i = torch.arange(context_length)\nreturn i[None, :] > i[:, None]",
        "return torch.ones(context_length, context_length).tril() == 0",
    ),
    "filled": done(
        "return scores.masked_fill(mask, -torch.inf)",
        "return torch.where(mask, float('-inf'), scores)",
        "masked = scores.clone()\nmasked[..., mask] = float('-inf')\nreturn masked",
        "return scores + torch.zeros(mask.shape).masked_fill(mask, -torch.inf)",
    ),
    "scaled": done(
        f"{BY_ONE}scores = scores / d_k**0.5",
        "mask = causal_mask(scores.shape[-2])\nscores = mask_scores(scores * d_k**-0.5, mask)",
        "scores = scores / math.sqrt(d_k)\nn = scores.size(-1)\n"
        "scores = scores.masked_fill(torch.triu(torch.ones(n, n), 1).bool(), -torch.inf)",
    ),
    "weighted": done(
        "return torch.softmax(scores, dim=-1)",
        "return scores.softmax(-1)",
        "weights = F.softmax(scores, dim=-1)\nreturn weights",
    ),
}
OF_MASKS: Mapping[str, Wrong] = {
    "mask-inverted": ("mask", done(
        "return torch.tril(torch.ones(context_length, context_length), diagonal=-1).bool()  # <-",
        "return torch.tril(torch.ones(context_length, context_length)).bool()  # <-",
        "i = torch.arange(context_length)\nreturn i[None, :] < i[:, None]  # <-",
    )),
    "mask-diagonal": ("mask", done(
        "return torch.triu(torch.ones(context_length, context_length)).bool()  # <-",
        "i = torch.arange(context_length)\nreturn i[None, :] >= i[:, None]  # <-",
        "return torch.ones(context_length, context_length).triu(diagonal=2) == 1  # <-",
    )),
    "mask-zero-fill": ("filled", done("return scores.masked_fill(mask, 0)  # <-", "return scores * ~mask  # <-")),
    "mask-discarded": ("filled", done("scores.masked_fill(mask, -torch.inf)  # <-\nreturn scores")),
    "input-mutated": ("filled", done(
        "return scores.masked_fill_(mask, -torch.inf)  # <-",
        "scores[..., mask] = -torch.inf  # <-\nreturn scores",
    )),
    "scale-missing": ("scaled", done(BY_ONE)),
    "scale-no-sqrt": ("scaled", done(f"{BY_ONE}scores = scores / d_k  # <-")),
    "scale-inverted": ("scaled", done(f"{BY_ONE}scores = scores * d_k**0.5  # <-")),
    "mask-missing": ("scaled", done("scores = scores / d_k**0.5")),
    "softmax-wrong-axis": ("weighted", done("return torch.softmax(scores, dim=-2)  # <-")),
    "softmax-twice": ("weighted", done("weights = F.softmax(scores, dim=-1)\nreturn F.softmax(weights, dim=-1)  # <-")),
    "api-misspelt": ("weighted", done("return F.softmx(scores, -1)  # <-", "return torch.sofmax(scores, -1)  # <-")),
}  # fmt: skip
MASK = Plan(
    "ex08_causal_mask",
    f"""{HEADER}def causal_mask(context_length):
    {{mask}}


def mask_scores(scores, mask):
    {{filled}}


def causal_attention_weights(scores, d_k):
    {{scaled}}
    {{weighted}}
""",
    MASKED,
    OF_MASKS,
)
