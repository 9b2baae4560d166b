"""Modules of exercises 10 and 12: causal attention, of one head and of many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .plan import Plan, Variant, Wrong, of_class
from .single import CALLED, FUSED, LAYERS

HEADS = "self.num_heads, self.head_dim = num_heads, d_out // num_heads"
ABOVE = "self.register_buffer('mask', torch.triu(torch.ones(context_length, context_length), diagonal=1).bool())"
BELOW = "self.register_buffer('mask', torch.tril(torch.ones(context_length, context_length)))"
INFINITE = "self.register_buffer('mask', torch.full((context_length, context_length), -torch.inf).triu(1))"
FUTURE = "future = torch.triu(torch.ones(x.shape[1], x.shape[1], device=x.device), diagonal=1).bool()\n"
PLACES = "place = torch.arange(x.shape[1], device=x.device)\n"
CUT = "[: x.shape[1], : x.shape[1]]"
MODULE, RATE = "self.dropout = nn.Dropout(dropout)", "self.p = dropout"
ROWS = "x.shape[0], x.shape[1]"

PARTS: Mapping[str, Sequence[Variant]] = {
    "heads": [
        (f"assert d_out % num_heads == 0, 'heads are of one width'\n{HEADS}", ""),
        (f"if d_out % num_heads:\n    raise ValueError('heads are of one width')\n{HEADS}", ""),
    ],
    "projected": [
        (LAYERS, CALLED),
        (LAYERS, "keys, values, queries = self.W_key(x), self.W_value(x), self.W_query(x)"),
        (FUSED, "queries, keys, values = self.qkv(x).chunk(3, dim=-1)"),
        (f"{FUSED}\nself.d_out = d_out", "queries, keys, values = self.qkv(x).split(self.d_out, dim=2)"),
    ],
    "split": [
        ("", "\n".join(f"{n} = {n}.reshape({ROWS}, self.num_heads, self.head_dim).transpose(1, 2)" for n in
                       ("queries", "keys", "values"))),
        ("", f"queries, keys, values = (t.view({ROWS}, self.num_heads, -1).permute(0, 2, 1, 3)"
             " for t in (queries, keys, values))"),
        ("", "\n".join(f"{n} = {n}.unflatten(-1, (self.num_heads, self.head_dim)).transpose(1, 2)" for n in
                       ("queries", "keys", "values"))),
    ],
    "scaled": [
        ("", "scores = queries @ keys.transpose(-2, -1)\nscores = scores / WIDTH**0.5"),
        ("", "scores = torch.matmul(queries, keys.mT) * WIDTH**-0.5"),
        ("", "queries = queries / math.sqrt(WIDTH)\nscores = torch.einsum('...id,...jd->...ij', queries, keys)"),
    ],
    "masked": [
        (ABOVE, f"scores.masked_fill_(self.mask{CUT}, -torch.inf)"),
        (BELOW, f"scores = scores.masked_fill(self.mask{CUT} == 0, float('-inf'))"),
        (ABOVE, f"scores = torch.where(self.mask{CUT}, -torch.inf, scores)"),
        (INFINITE, f"scores = scores + self.mask{CUT}"),
        ("", f"{FUTURE}scores = scores.masked_fill(future, -torch.inf)"),
        ("", f"{PLACES}scores = scores.masked_fill(place[None, :] > place[:, None], float('-inf'))"),
    ],
    "weighted": [
        ("", "weights = torch.softmax(scores, dim=-1)"),
        ("", "weights = scores.softmax(-1)"),
        ("", "weights = nn.functional.softmax(scores, dim=scores.ndim - 1)"),
        ("", "weights = torch.exp(scores - scores.logsumexp(-1, keepdim=True))"),
    ],
    "dropped": [
        (MODULE, "weights = self.dropout(weights)"),
        (RATE, "weights = F.dropout(weights, self.p, training=self.training)"),
        (RATE, "if self.training:\n    weights = F.dropout(weights, p=self.p)"),
    ],
    "blended": [
        ("", "context = weights @ values"),
        ("", "context = torch.einsum('...ij,...jd->...id', weights, values)"),
    ],
    "merged": [
        ("", f"context = context.transpose(1, 2).contiguous().view({ROWS}, -1)"),
        ("", "context = context.transpose(1, 2).flatten(2)"),
        ("", "context = torch.cat(context.unbind(1), dim=-1)"),
    ],
    "mixed": [
        ("self.out_proj = nn.Linear(d_out, d_out)", "return self.out_proj(context)"),
        ("self.proj = nn.Linear(d_out, d_out)", "context = self.proj(context)\nreturn context"),
    ],
    "returned": [("", "return context"), ("", "attended = context\nreturn attended")],
}  # fmt: skip

MISTAKES: Mapping[str, Wrong] = {
    "scale-missing": ("scaled", [("", "scores = queries @ keys.mT"), ("", "scores = torch.matmul(queries, keys.mT)")]),
    "scale-no-sqrt": ("scaled", [
        ("", "scores = queries @ keys.transpose(-2, -1)\nscores = scores / WIDTH  # <-"),
        ("", "queries = queries / WIDTH  # <-\nscores = queries @ keys.mT"),
    ]),
    "scale-inverted": ("scaled", [
        ("", "scores = queries @ keys.transpose(-2, -1)\nscores = scores * WIDTH**0.5  # <-"),
        ("", "scores = torch.einsum('...id,...jd->...ij', queries, keys) * math.sqrt(WIDTH)  # <-"),
    ]),
    "scale-wrong-width": ("scaled", [
        ("", "scores = queries @ keys.mT\nscores = scores / x.shape[-1] ** 0.5  # <-"),
        ("", "scores = (queries / math.sqrt(x.size(-1))) @ keys.mT  # <-"),
    ]),
    "softmax-wrong-axis": ("weighted", [
        ("", "weights = torch.softmax(scores, dim=1)  # <-"),
        ("", "weights = scores.softmax(dim=-2)  # <-"),
    ]),
    "softmax-missing": ("weighted", [("", "weights = scores")]),
    "softmax-twice": ("weighted", [
        ("", "weights = scores.softmax(-1)\nweights = torch.softmax(weights, dim=-1)  # <-"),
    ]),
    "mask-missing": ("masked", [("", "")]),
    "mask-discarded": ("masked", [
        (ABOVE, f"scores.masked_fill(self.mask{CUT}, -torch.inf)  # <-"),
        ("", f"{FUTURE}scores.masked_fill(future, float('-inf'))  # <-"),
    ]),
    "mask-not-sliced": ("masked", [
        (ABOVE, "scores.masked_fill_(self.mask, -torch.inf)  # <-"),
        (INFINITE, "scores = scores + self.mask  # <-"),
        (BELOW, "scores = torch.where(self.mask == 0, -torch.inf, scores)  # <-"),
    ]),
    "mask-inverted": ("masked", [
        (BELOW.replace("tril(", "triu("), f"scores = scores.masked_fill(self.mask{CUT} == 0, -torch.inf)"),
        ("", f"{PLACES}scores = scores.masked_fill(place[None, :] < place[:, None], float('-inf'))  # <-"),
    ]),
    "mask-diagonal": ("masked", [
        (ABOVE.replace("diagonal=1", "diagonal=2") + "  # <-", f"scores.masked_fill_(self.mask{CUT}, -torch.inf)"),
        ("", f"{PLACES}scores = scores.masked_fill(place[None, :] > place[:, None] + 1, float('-inf'))  # <-"),
    ]),
    "mask-zero-fill": ("masked", [
        (BELOW, f"scores = scores.masked_fill(self.mask{CUT} == 0, 0.0)  # <-"),
        (BELOW, f"scores = scores * self.mask{CUT}  # <-"),
    ]),
    "dropout-missing": ("dropped", [(MODULE, "")]),
    "dropout-on-context": ("blended", [("", "context = self.dropout(weights @ values)  # <-")]),
    "dropout-in-eval": ("dropped", [
        (RATE, "weights = F.dropout(weights, self.p)  # <-"),
        (RATE, "weights = F.dropout(weights, p=self.p, training=True)  # <-"),
    ]),
    "dropout-unscaled": ("dropped", [
        (RATE, "if self.training:\n    weights = weights * (torch.rand_like(weights) >= self.p)  # <-"),
    ]),
    "query-key-swapped": ("projected", [
        (LAYERS, "keys, queries, values = self.W_query(x), self.W_key(x), self.W_value(x)  # <-"),
    ]),
    "projection-reused": ("projected", [
        (LAYERS, "queries = self.W_query(x)\nkeys = self.W_key(x)\nvalues = self.W_key(x)  # <-"),
        (LAYERS, "queries, keys, values = self.W_query(x), self.W_query(x), self.W_value(x)  # <-"),
    ]),
    "bias-ignored": ("projected", [
        (FUSED.replace("bias=qkv_bias", "bias=False") + "  # <-", PARTS["projected"][2][1]),
    ]),
    "bias-always": ("projected", [(FUSED.replace(", bias=qkv_bias", "") + "  # <-", PARTS["projected"][2][1])]),
    "heads-not-transposed": ("split", [
        ("", "\n".join(f"{n} = {n}.reshape(x.shape[0], self.num_heads, x.shape[1], -1)" for n in
                       ("queries", "keys", "values"))),
    ]),
    "merge-not-transposed": ("merged", [("", f"context = context.reshape({ROWS}, -1)  # <-")]),
    "api-misspelt": ("weighted", [
        ("", "weights = torch.sofmax(scores, dim=-1)  # <-"),
        ("", "weights = F.softmx(scores, dim=-1)  # <-"),
    ]),
    "self-missing": ("dropped", [(MODULE, "weights = dropout(weights)  # <-")]),
    "batch-transpose": ("scaled", [
        ("", "scores = queries @ keys.T  # <-\nscores = scores / WIDTH**0.5"),
        ("", "scores = torch.matmul(queries, keys.T) / math.sqrt(WIDTH)  # <-"),
    ]),
    "weights-transposed": ("projected", [
        (LAYERS, CALLED.replace("self.W_value(x)", "x @ self.W_value.weight  # <-")),
        (LAYERS, CALLED.replace("self.W_query(x)", "torch.matmul(x, self.W_query.weight)  # <-")),
    ]),
    "out-proj-missing": ("mixed", [("", "return context  # <-"), (PARTS["mixed"][0][0], "return context  # <-")]),
}  # fmt: skip
# Behind one of these, others are not certain: weights that no softmax made, or one over another axis, do not tell what
# became of the mask and of dropout, nor layers without a bias what else is missing.
UNCERTAIN = (
    ({"softmax-missing"}, {"mask", "dropout"}),
    ({"softmax-wrong-axis"}, {"mask-zero-fill", "dropout-on-context", "dropout-unscaled", "query-key-swapped"}),
    ({"bias-ignored", "bias-always"}, {"out-proj-missing"}),
    ({"projection-reused"}, {"softmax-wrong-axis", "dropout-unscaled", "dropout-on-context"}),
    ({"heads-not-transposed"}, {"dropout-unscaled"}),
    ({"dropout-on-context"}, {"dropout"}),  # whose module it is called with
)
# What the parts above call things, and what others do.
NAMES = {
    "queries": ("q", "Q", "query"), "keys": ("k", "K", "key"), "values": ("v", "V", "value"),
    "scores": ("att", "logits", "energy"), "weights": ("probs", "attn", "A"), "context": ("out", "y", "ctx"),
}  # fmt: skip
NEEDS = {"dropout-on-context": ("dropped", (MODULE, ""))}
OF_ONE = ("projected", "scaled", "masked", "weighted", "dropped", "blended", "returned")
OF_MANY = [part for part in PARTS if part != "returned"]
NONE_OF_ONE, NONE_OF_MANY = "attended = context", "context = self.out_proj(context)"
ARGUMENTS = "d_in, d_out, context_length, dropout, "

ONE_HEAD = Plan(
    "ex10_causal_attention",
    of_class("CausalAttention", f"{ARGUMENTS}qkv_bias=False", OF_ONE),
    {part: PARTS[part] for part in OF_ONE},
    {
        **{name: wrong for name, wrong in MISTAKES.items() if wrong[0] in OF_ONE},
        "returns-none": ("returned", [("", NONE_OF_ONE)]),
    },
    UNCERTAIN,
    NEEDS,
    NAMES,
)
MANY_HEADS = Plan(
    "ex12_multi_head_attention",
    of_class("MultiHeadAttention", f"{ARGUMENTS}num_heads, qkv_bias=False", OF_MANY),
    {part: PARTS[part] for part in OF_MANY},
    {**MISTAKES, "returns-none": ("mixed", [(PARTS["mixed"][0][0], NONE_OF_MANY)])},
    UNCERTAIN,
    NEEDS,
    NAMES,
    ("keys.shape[-1]", "queries.size(-1)", "self.head_dim"),
)
