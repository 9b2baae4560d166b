"""Modules of exercise 13: the heads in three wide layers, and the copy of a wrapper into them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from . import heads, single
from .heads import FUTURE, MODULE
from .plan import Plan, Variant, Wrong, done, of_class
from .single import CALLED, ROLES

LAYERS = single.LAYERS.replace("d_out", "num_heads * d_out")
OF_CLASS = ("heads", "projected", "split", "scaled", "masked", "weighted", "dropped", "blended", "merged", "returned")
WIDE: Mapping[str, list[Variant]] = {
    **{part: [*heads.PARTS[part]] for part in OF_CLASS},
    "heads": [("self.num_heads, self.head_dim = num_heads, d_out", ""),
              ("self.num_heads = num_heads\nself.head_dim = d_out", "")],
    "projected": [
        (LAYERS, CALLED),
        (LAYERS, "keys, values, queries = self.W_key(x), self.W_value(x), self.W_query(x)"),
        (LAYERS, "queries, keys, values = (layer(x) for layer in (self.W_query, self.W_key, self.W_value))"),
    ],
}  # fmt: skip
KEPT = {
    name: wrong
    for name, wrong in heads.MISTAKES.items()
    if wrong[0] in ("scaled", "masked", "weighted", "dropped", "blended", "split", "merged")
}
MASKED_LATE = f"{FUTURE}weights = torch.softmax(scores, dim=-1)\n"
OF_SPLIT: Mapping[str, Wrong] = {
    **KEPT,
    "scale-wrong-width": ("scaled", [
        *heads.MISTAKES["scale-wrong-width"][1],
        ("", "scores = queries @ keys.mT\nscores = scores / (self.num_heads * self.head_dim) ** 0.5  # <-"),
    ]),
    "mask-after-softmax": ("weighted", done(
        f"{MASKED_LATE}weights = weights.masked_fill(future, 0.0)  # <-",
        f"{MASKED_LATE}weights = weights * ~future  # <-",
    )),
    "dropout-on-scores": ("scaled", done(
        "scores = self.dropout(queries @ keys.mT / WIDTH**0.5)  # <-",
        "scores = queries @ keys.transpose(2, 3) / math.sqrt(WIDTH)\nscores = self.dropout(scores)  # <-",
    )),
    "values-unprojected": ("blended", done(
        "context = weights @ x.unsqueeze(1)  # <-",
        "values = x[:, None].expand(-1, self.num_heads, -1, -1)  # <-\ncontext = weights @ values",
    )),
    "heads-summed": ("merged", done(
        "context = context.sum(dim=1)  # <-",
        "context = torch.stack(context.unbind(1)).sum(0)  # <-",
    )),
    "heads-wrong-axis": ("merged", done(
        "context = context.flatten(1, 2)  # <-",
        "context = torch.cat(context.unbind(1), dim=1)  # <-",
    )),
    "out-proj-wrong-width": ("returned", [
        ("self.out_proj = nn.Linear(num_heads * d_out, num_heads * d_out)  # <-", "return self.out_proj(context)"),
    ]),
    "returns-none": ("returned", done("attended = context")),
    "query-key-swapped": ("projected", [
        (LAYERS, "keys, queries, values = self.W_query(x), self.W_key(x), self.W_value(x)  # <-"),
        (LAYERS, "queries = self.W_key(x)  # <-\nkeys = self.W_query(x)\nvalues = self.W_value(x)"),
    ]),
    "projection-reused": ("projected", [
        (LAYERS, CALLED.replace("self.W_value(x)", "self.W_key(x)  # <-")),
        (LAYERS, "queries, keys, values = self.W_query(x), self.W_query(x), self.W_value(x)  # <-"),
    ]),
    "bias-ignored": ("projected", [
        (LAYERS.replace("bias=qkv_bias", "bias=False"), CALLED),
    ]),
    "bias-always": ("projected", [
        (LAYERS.replace(", bias=qkv_bias", ""), CALLED),
        (LAYERS.replace("bias=qkv_bias", "bias=True"), CALLED),
    ]),
    "weights-transposed": ("projected", [
        (LAYERS, CALLED.replace("self.W_value(x)", "x @ self.W_value.weight  # <-")),
        (LAYERS, CALLED.replace("self.W_query(x)", "torch.matmul(x, self.W_query.weight)  # <-")),
    ]),
    "input-mutated": ("projected", [
        (LAYERS, f"x *= 0.5  # <-\n{CALLED}"),
        (LAYERS, CALLED.replace("self.W_query(x)", "self.W_query(x.mul_(1.5))  # <-")),
    ]),
    "global-variable": ("projected", [
        (LAYERS, CALLED.replace("self.W_key(x)", "self.W_key(inputs)  # <-")),
        (LAYERS, CALLED.replace("self.W_query(x)", "self.W_query(batch)  # <-")),
    ]),
}  # fmt: skip
NEEDS = {
    **heads.NEEDS,
    "dropout-on-scores": ("dropped", (MODULE, "")),
    "mask-after-softmax": ("masked", ("", "")),
}
COPIED = """

def copy_heads(wrapper, split):
    with torch.no_grad():
        for role in ("W_query", "W_key", "W_value"):
            {gathered}
            {laid}
            {biases}
        {identity}
"""
IDENTITY = 'if hasattr(split, "out_proj"):\n'
EYE, ZEROS = "    nn.init.eye_(split.out_proj.weight)\n", "    nn.init.zeros_(split.out_proj.bias)"
OF_COPY: Mapping[str, list[Variant]] = {
    "gathered": done(
        "narrow = [getattr(head, role) for head in wrapper.heads]\nwide = getattr(split, role)",
        "wide = getattr(split, role)\nnarrow = []\nfor head in wrapper.heads:\n    narrow.append(getattr(head, role))",
    ),
    "laid": done(
        "wide.weight.copy_(torch.cat([layer.weight for layer in narrow]))",
        "weight = torch.cat([layer.weight for layer in narrow], dim=0)\nwide.weight.data = weight",
        "wide.weight[:] = torch.stack([layer.weight for layer in narrow]).flatten(0, 1)",
        "for part, layer in zip(wide.weight.chunk(len(narrow)), narrow):\n    part.copy_(layer.weight)",
    ),
    "biases": done(
        "if wide.bias is not None:\n    wide.bias.copy_(torch.cat([layer.bias for layer in narrow]))",
        "if narrow[0].bias is not None:\n    wide.bias.data = torch.cat([layer.bias for layer in narrow])",
    ),
    "identity": done(
        f"{IDENTITY}{EYE}{ZEROS}",
        f"{IDENTITY}    split.out_proj.weight.copy_(torch.eye(len(split.out_proj.weight)))\n"
        "    split.out_proj.bias.zero_()",
        'out = getattr(split, "out_proj", None)\n'
        "if out is not None:\n    nn.init.eye_(out.weight)\n    out.bias.fill_(0)",
    ),
}
SWAPPED = '{"W_query": "W_key", "W_key": "W_query"}.get(role, role)'
REUSED = '{"W_value": "W_key"}.get(role, role)'
WIDE_ONE = "wide = getattr(split, role)\nnarrow = "
MISTAKES_OF_COPY: Mapping[str, Wrong] = {
    "query-key-swapped": ("gathered", done(
        f"{WIDE_ONE}[getattr(head, {SWAPPED}) for head in wrapper.heads]  # <-",
    )),
    "projection-reused": ("gathered", done(
        f"{WIDE_ONE}[getattr(head, {REUSED}) for head in wrapper.heads]  # <-",
    )),
    "heads-wrong-axis": ("gathered", done(
        f"{WIDE_ONE}[getattr(head, role) for head in reversed(wrapper.heads)]  # <-",
        f"{WIDE_ONE}[getattr(head, role) for head in wrapper.heads][::-1]  # <-",
    )),
    "weights-transposed": ("laid", done(
        "wide.weight.copy_(torch.cat([layer.weight.T for layer in narrow], dim=1))  # <-",
        "wide.weight.copy_(torch.cat([layer.weight.T for layer in narrow]))  # <-",
    )),
    "bias-ignored": ("biases", done("")),
    "input-mutated": ("laid", done(
        "wide.weight.copy_(torch.cat([layer.weight for layer in narrow]))\nnarrow[0].weight.mul_(2.0)  # <-",
        "wide.weight.copy_(torch.cat([layer.weight for layer in narrow]))\nnarrow[-1].weight.zero_()  # <-",
    )),
    "out-proj-missing": ("identity", done("", f"{IDENTITY}{EYE}", f"{IDENTITY}{ZEROS}")),
}  # fmt: skip
BY_ROLE = {
    role: f"split.W_{role}.weight.copy_(torch.cat([head.W_{role}.weight for head in wrapper.heads]))" for role in ROLES
}
BY_LINE = """

def copy_heads(wrapper, split):
    with torch.no_grad():
        {query}
        {key}
        {value}
        if split.W_query.bias is not None:
            {biases}
        {identity}
"""
BIASES = "\n".join(line.replace("weight", "bias") for line in BY_ROLE.values())
# Behind one of these, others are not certain. Where weights are masked late no other mask is written. Scores that are
# dropped, as weights behind them are, look like weights that are; an output of another shape, or mixed by a layer too
# many, shows no copies of the weights, and one of infinite scores is nowhere a number. A layer too many fits no other
# shape, and nothing comes of it behind an exception, nor of what does not fit behind another one. What a copy leaves as
# it was is seen where it is made once more, of a source that is still the same.
UNCERTAIN = (
    *heads.UNCERTAIN,
    ({"mask-after-softmax"}, {"mask", "dropout-on-scores"}),
    ({"dropout-on-scores"}, {"dropout", "self-missing", "softmax-wrong-axis", "projection-reused"}),
    ({"heads-summed", "heads-wrong-axis", "out-proj-wrong-width", "values-unprojected"},
     {"dropout-on-context", "dropout-on-scores", "dropout-unscaled"}),
    ({"out-proj-wrong-width"},
     {"api-misspelt", "self-missing", "global-variable", "batch-transpose", "softmax-missing", "values-unprojected",
      "heads-wrong-axis", "heads-summed"}),
    ({"input-mutated"}, {"bias-ignored", "out-proj-missing"}),
    ({"api-misspelt", "global-variable", "weights-transposed"},
     {"heads-wrong-axis", "weights-transposed", "out-proj-missing", "bias-ignored", "query-key-swapped"}),
)  # fmt: skip
SPLIT = of_class("SplitHeadAttention", "d_in, d_out, context_length, dropout, num_heads, qkv_bias=False", OF_CLASS)
WIDTHS = ("keys.shape[-1]", "queries.size(-1)", "self.head_dim")

ATTENDING = Plan(
    "ex13_wrapper_vs_split",
    SPLIT + COPIED,
    {**WIDE, **OF_COPY},
    {**MISTAKES_OF_COPY, **OF_SPLIT},
    UNCERTAIN,
    NEEDS,
    heads.NAMES,
    WIDTHS,
)
# Of what may be wrong in both, the class and the copy, it is in the copy here.
COPYING = replace(ATTENDING, mistakes={**OF_SPLIT, **MISTAKES_OF_COPY})
LINES = Plan(
    "ex13_wrapper_vs_split",
    SPLIT + BY_LINE,
    {
        **WIDE,
        **{role: done(line) for role, line in BY_ROLE.items()},
        "biases": done(BIASES),
        "identity": OF_COPY["identity"],
    },
    {
        **OF_SPLIT,
        "out-proj-missing": MISTAKES_OF_COPY["out-proj-missing"],
        "bias-ignored": ("biases", done("pass")),
        "projection-reused": ("value", done(BY_ROLE["value"].replace("[head.W_value", "[head.W_key") + "  # <-")),
        "heads-wrong-axis": ("key", done(
            BY_ROLE["key"].replace("wrapper.heads", "wrapper.heads[::-1]") + "  # <-",
            BY_ROLE["key"].replace("])", "], dim=1)") + "  # <-",
        )),
        "weights-transposed": ("query", done(
            BY_ROLE["query"].replace(".weight for", ".weight.T for").replace("])", "], dim=1)") + "  # <-",
        )),
        "global-variable": ("value", done(BY_ROLE["value"].replace("wrapper.heads", "multi_head.heads") + "  # <-")),
        "api-misspelt": ("query", done(BY_ROLE["query"].replace("torch.cat", "torch.catt") + "  # <-")),
        "input-mutated": ("query", done(f"{BY_ROLE['query']}\nwrapper.heads[0].W_query.weight.mul_(2.0)  # <-")),
    },
    UNCERTAIN,
    NEEDS,
    heads.NAMES,
    WIDTHS,
)  # fmt: skip
