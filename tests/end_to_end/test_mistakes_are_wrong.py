"""Known mistakes, each a small edit of the reference: the steps that it spoils fail, and no others."""
# ruff: noqa: E501 - a mistake reads best on one line

from __future__ import annotations

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
    with_module,
)  # fmt: skip

# Graded in passing, hundreds of times: what is measured are the tests of each module.
pytestmark = pytest.mark.no_cover

Change = tuple[str, str]
# What is wrong, in which exercise, the edits that make it so, and the steps that are lost to it.
MISTAKES: dict[str, tuple[str, tuple[Change, ...], set[str]]] = {}


def mistake(name: str, exercise: str, fails: str, *changes: Change) -> None:
    assert name not in MISTAKES
    short = exercise.split("_", 1)[0]
    MISTAKES[name] = (exercise, changes, {f"{short}.{step}" for step in fails.split()})


mistake("ex01 global-variable", EX01, "query", ("scores = inputs @ query", "scores = embeddings @ query"))
mistake("ex01 global-variable that is there", EX01, "all",
        ("scores = inputs @ inputs.T", "scores = tokens @ tokens.T"),
        ("from torch import Tensor\n", "import torch\nfrom torch import Tensor\n\ntokens = torch.rand(6, 3)\n"))  # fmt: skip
mistake(
    "ex01 returns-none",
    EX01,
    "all",
    ("    scores = inputs @ inputs.T\n    return scores", "    scores = inputs @ inputs.T"),
)
mistake("ex01 api-misspelt", EX01, "query", ("inputs @ query", "inputs.matmull(query)"))
mistake("ex01 features compared instead of tokens", EX01, "all", ("inputs @ inputs.T", "inputs.T @ inputs"))
mistake("ex01 elementwise product instead of the dot product", EX01, "query", ("inputs @ query", "inputs * query"))

mistake(
    "ex02 softmax-wrong-axis", EX02, "weights rows", ("torch.softmax(scores, dim=-1)", "torch.softmax(scores, dim=0)")
)
mistake("ex02 softmax-missing", EX02, "weights rows", ("torch.softmax(scores, dim=-1)", "scores"))
mistake(
    "ex02 softmax-twice",
    EX02,
    "weights",
    ("torch.softmax(scores, dim=-1)", "torch.softmax(torch.softmax(scores, dim=-1), dim=-1)"),
)
mistake("ex02 the naive exponential overflows", EX02, "stable", ("shifted = scores - scores.max()", "shifted = scores"))
mistake(
    "ex02 torch's own softmax",
    EX02,
    "by-hand",
    ("weights = exponentials / exponentials.sum()", "weights = torch.softmax(scores, dim=0)"),
)
mistake("ex02 sum of scores instead of exponentials", EX02, "softmax stable by-hand sharpened",
        ("exponentials / exponentials.sum()", "exponentials / scores.sum()"))  # fmt: skip
mistake("ex02 scale-missing", EX02, "sharpened", ("scaled_up = scores * factor", "scaled_up = scores"))
mistake("ex02 scale-inverted", EX02, "sharpened", ("scaled_up = scores * factor", "scaled_up = scores / factor"))
mistake(
    "ex02 factor after softmax",
    EX02,
    "sharpened",
    ("sharpened = softmax(scaled_up)", "sharpened = softmax(scores) * factor"),
)

mistake("ex03 softmax-missing", EX03, "contexts", ("weights = torch.softmax(scores, dim=-1)", "weights = scores"))
mistake("ex03 softmax-wrong-axis", EX03, "contexts", ("dim=-1", "dim=0"))
mistake(
    "ex03 softmax-twice", EX03, "contexts", ("contexts = weights @ inputs", "contexts = weights.softmax(-1) @ inputs")
)
mistake("ex03 weights-transposed", EX03, "contexts", ("contexts = weights @ inputs", "contexts = weights.T @ inputs"))
mistake(
    "ex03 scaled where nothing is scaled yet",
    EX03,
    "contexts",
    ("inputs @ inputs.T", "inputs @ inputs.T / inputs.shape[-1] ** 0.5"),
)
mistake("ex03 inputs not weighted", EX03, "context", ("context = weights @ inputs", "context = inputs.sum(0)"))

mistake("ex04 query-key-swapped", EX04, "project", ("return queries, keys, values", "return keys, queries, values"))
mistake("ex04 projection-reused", EX04, "project", ("keys = inputs @ W_key", "keys = inputs @ W_query"))
mistake("ex04 values-unprojected", EX04, "project", ("values = inputs @ W_value", "values = inputs"))
mistake(
    "ex04 score scaled too soon", EX04, "score", ("score = query @ key", "score = query @ key / key.shape[-1] ** 0.5")
)
mistake("ex04 scale-missing", EX04, "context", ("scores / keys.shape[-1] ** 0.5", "scores"))
mistake(
    "ex04 scale-wrong-width", EX04, "context", ("scores / keys.shape[-1] ** 0.5", "scores / values.shape[-1] ** 0.5")
)
mistake("ex04 scale of the number of tokens", EX04, "context", ("keys.shape[-1] ** 0.5", "keys.shape[0] ** 0.5"))
mistake(
    "ex04 keys blended instead of values", EX04, "context", ("context = weights @ values", "context = weights @ keys")
)

mistake("ex05 scale-no-sqrt", EX05, "scaled attention", ("scores / keys.shape[-1] ** 0.5", "scores / keys.shape[-1]"))
mistake(
    "ex05 scale-inverted",
    EX05,
    "scaled attention",
    ("scores / keys.shape[-1] ** 0.5", "scores * keys.shape[-1] ** 0.5"),
)
mistake("ex05 query-key-swapped", EX05, "scaled attention", ("queries @ keys.T", "keys @ queries.T"))
mistake("ex05 softmax-wrong-axis", EX05, "attention", ("torch.softmax(scaled, dim=-1)", "torch.softmax(scaled, dim=0)"))
mistake("ex05 variance of scores divided by dim", EX05, "variance", ("products / dim**0.5", "products / dim"))
mistake("ex05 standard deviation", EX05, "variance", ("before = products.var()", "before = products.std()"))
mistake("ex05 generator not used", EX05, "variance",
        ("queries = torch.randn(num_trials, dim, generator=generator, device=generator.device)", "queries = torch.randn(num_trials, dim)"))  # fmt: skip
mistake("ex05 generator made anew", EX05, "variance",
        ("    queries = torch.randn(", "    generator = torch.Generator().manual_seed(5)\n    queries = torch.randn("))  # fmt: skip

mistake("ex06 plain tensors", EX06, "parameters gradients",
        ("self.W_query = nn.Parameter(torch.rand(d_in, d_out))", "self.W_query = torch.rand(d_in, d_out)"))  # fmt: skip
mistake("ex06 not trainable", EX06, "parameters gradients",
        ("self.W_key = nn.Parameter(torch.rand(d_in, d_out))", "self.W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)"))  # fmt: skip
mistake("ex06 detached", EX06, "gradients", ("queries @ keys.T", "queries @ keys.detach().T"))
mistake("ex06 weight made anew", EX06, "gradients",
        ("        queries = x @", "        self.W_query = nn.Parameter(self.W_query.data)\n        queries = x @"))  # fmt: skip
mistake("ex06 without gradients", EX06, "gradients", ("    def forward", "    @torch.no_grad()\n    def forward"))
mistake("ex06 projection-reused", EX06, "output gradients", ("values = x @ self.W_value", "values = x @ self.W_key"))
mistake("ex06 scale-wrong-width", EX06, "output", ("keys.shape[-1] ** 0.5", "x.shape[-1] ** 0.5"))
mistake("ex06 weights returned", EX06, "output gradients", ("        return context", "        return weights"))
mistake(
    "ex06 weight used as its transpose",
    EX06,
    "output",
    ("queries = x @ self.W_query", "queries = x @ self.W_query.reshape(self.W_query.shape[::-1]).T"),
)

mistake("ex07 bias-ignored", EX07, "parameters bias",
        ("self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)", "self.W_query = nn.Linear(d_in, d_out, bias=False)"))  # fmt: skip
mistake(
    "ex07 bias-always",
    EX07,
    "parameters",
    ("self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)", "self.W_value = nn.Linear(d_in, d_out)"),
)
mistake(
    "ex07 copy of the transpose forgotten",
    EX07,
    "copy",
    ("parameter.copy_(linear.weight.T)", "parameter.copy_(linear.weight.reshape(parameter.shape))"),
)
mistake(
    "ex07 copy the wrong way", EX07, "copy", ("parameter.copy_(linear.weight.T)", "linear.weight.copy_(parameter.T)")
)
mistake(
    "ex07 one matrix copied three times",
    EX07,
    "copy",
    ("linear = getattr(source_v2, role)", "linear = source_v2.W_query"),
)

mistake(
    "ex08 mask-inverted",
    EX08,
    "mask weights ranks",
    ("torch.triu(everywhere, diagonal=1)", "torch.tril(everywhere, diagonal=-1)"),
)
mistake("ex08 mask-diagonal, itself hidden", EX08, "mask weights ranks", ("diagonal=1", "diagonal=0"))
mistake("ex08 mask-diagonal, one token of the future", EX08, "mask weights ranks", ("diagonal=1", "diagonal=2"))
mistake(
    "ex08 a mask of numbers",
    EX08,
    "mask",
    ("    return mask\n", "    return mask.float()\n"),
    ("mask = causal_mask(scores.shape[-1])", "mask = causal_mask(scores.shape[-1]).bool()"),
)
mistake("ex08 input-mutated", EX08, "unchanged", ("scores.masked_fill(", "scores.masked_fill_("))
mistake("ex08 mask-zero-fill", EX08, "masked unchanged weights ranks", ("-torch.inf", "0.0"))
mistake(
    "ex08 mask-discarded",
    EX08,
    "masked unchanged weights ranks",
    (
        "masked = scores.masked_fill(mask, -torch.inf)",
        "scores.masked_fill(mask, -torch.inf)\n    masked = scores.clone()",
    ),
)
mistake("ex08 mask-after-softmax", EX08, "weights ranks",
        ("masked = mask_scores(scaled, mask)", "masked = scaled"), ("weights = torch.softmax(masked, dim=-1)", "weights = torch.softmax(masked, dim=-1).masked_fill(mask, 0.0)"))  # fmt: skip
mistake("ex08 scale-no-sqrt", EX08, "weights ranks", ("scores / d_k**0.5", "scores / d_k"))
mistake("ex08 one axis too few", EX08, "ranks", ("torch.softmax(masked, dim=-1)", "torch.softmax(masked, dim=1)"))

mistake("ex09 dropout-unscaled", EX09, "law", ("dropped = survivors / (1 - p)", "dropped = survivors"))
mistake("ex09 dropout-in-eval", EX09, "law extremes", ("if not training or p == 0:", "if p == 0:"))
mistake("ex09 dropout-missing", EX09, "law extremes generator", ("if not training or p == 0:", "if True:"))
mistake("ex09 p is kept instead of dropped", EX09, "law extremes", (">= p", "< p"))
mistake(
    "ex09 zero divided by zero",
    EX09,
    "extremes",
    ("    if p == 1:  # nothing survived, so there is nothing to divide by 1 - p = 0\n        return survivors\n", ""),
)
mistake("ex09 the generator is not asked", EX09, "generator", ("generator=generator, ", ""))
mistake(
    "ex09 the same mask every time",
    EX09,
    "law generator",
    ("    keep = torch.rand(", "    torch.manual_seed(3)\n    generator = None\n    keep = torch.rand("),
)

LINEAR = "nn.Linear(d_in, d_out, bias=qkv_bias)"
MASKED = "masked = scaled.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)"
SCALED = "scaled = scores / keys.shape[-1] ** 0.5"
SOFTMAX = "weights = torch.softmax(masked, dim=-1)"
DROPPED = "dropped = self.dropout(weights)"

mistake(
    "ex10 mask-discarded",
    EX10,
    "output causality shorter bias",
    (MASKED, MASKED.replace("masked = ", "") + "\n        masked = scaled"),
)
mistake("ex10 mask-missing", EX10, "output causality shorter bias", (MASKED, "masked = scaled"))
mistake("ex10 scale-no-sqrt", EX10, "output shorter bias", (SCALED, "scaled = scores / keys.shape[-1]"))
mistake("ex10 scale-wrong-width", EX10, "output shorter bias", (SCALED, "scaled = scores / x.shape[-1] ** 0.5"))
mistake(
    "ex10 scale of the number of tokens", EX10, "output shorter bias", (SCALED, "scaled = scores / num_tokens ** 0.5")
)
mistake("ex10 scale-inverted", EX10, "output shorter bias", (SCALED, "scaled = scores * keys.shape[-1] ** 0.5"))
mistake("ex10 scale-missing", EX10, "output shorter bias", (SCALED, "scaled = scores"))
mistake(
    "ex10 softmax-wrong-axis",
    EX10,
    "output causality shorter bias",
    (SOFTMAX, "weights = torch.softmax(masked, dim=1)"),
)
mistake(
    "ex10 softmax over the batch",
    EX10,
    "output causality shorter bias dropout state gradients",
    (SOFTMAX, "weights = torch.softmax(masked, dim=0)"),
)
mistake(
    "ex10 softmax-missing",
    EX10,
    "output shorter bias",
    (MASKED, "masked = scaled.masked_fill(self.mask[:num_tokens, :num_tokens], 0.0)"),
    (SOFTMAX, "weights = masked"),
)
mistake("ex10 softmax-twice", EX10, "output causality shorter bias", (SOFTMAX, SOFTMAX + ".softmax(dim=-1)"))
mistake("ex10 mask-not-sliced", EX10, "shorter", ("self.mask[:num_tokens, :num_tokens]", "self.mask"))
mistake("ex10 dropout-missing", EX10, "dropout", (DROPPED, "dropped = weights"))
mistake(
    "ex10 dropout-on-scores",
    EX10,
    "dropout",
    (DROPPED, "dropped = weights"),
    ("queries @ keys.transpose(1, 2)", "self.dropout(queries @ keys.transpose(1, 2))"),
)
mistake(
    "ex10 dropout-on-context",
    EX10,
    "dropout",
    (DROPPED, "dropped = weights"),
    ("dropped @ values", "self.dropout(dropped @ values)"),
)
mistake("ex10 dropout-in-eval", EX10, "dropout", (DROPPED, "dropped = nn.functional.dropout(weights, self.dropout.p)"))
mistake("ex10 dropout that evaluation halves", EX10, "dropout",
        ("context: Tensor = dropped @ values", "context: Tensor = dropped @ values\n        if not self.training:\n            self.dropout.p /= 2"))  # fmt: skip
mistake("ex10 dropout that `eval` halves", EX10, "dropout",
        ("    def forward(self,", "    def eval(self):\n        self.dropout.p /= 2\n        return super().eval()\n\n    def forward(self,"))  # fmt: skip
mistake("ex10 dropout-unscaled", EX10, "dropout",
        (DROPPED, "dropped = weights * (torch.rand_like(weights) >= self.dropout.p) if self.training else weights"))  # fmt: skip
mistake(
    "ex10 mask-inverted",
    EX10,
    "output causality shorter bias",
    ("torch.triu(everywhere, diagonal=1)", "torch.tril(everywhere, diagonal=-1)"),
)
mistake(
    "ex10 mask-diagonal, itself hidden",
    EX10,
    "output causality shorter bias dropout state gradients",
    ("diagonal=1", "diagonal=0"),
)
mistake(
    "ex10 mask-diagonal, one token of the future", EX10, "output causality shorter bias", ("diagonal=1", "diagonal=2")
)
mistake("ex10 mask-after-softmax", EX10, "output causality shorter bias",
        (MASKED, "masked = scaled"), (SOFTMAX, SOFTMAX + ".masked_fill(self.mask[:num_tokens, :num_tokens], 0.0)"))  # fmt: skip
mistake("ex10 mask-zero-fill", EX10, "output causality shorter bias", (MASKED, MASKED.replace("-torch.inf", "0.0")))
mistake(
    "ex10 scores times mask",
    EX10,
    "output causality shorter bias",
    (MASKED, "masked = scaled * ~self.mask[:num_tokens, :num_tokens]"),
)
mistake(
    "ex10 query-key-swapped, projections",
    EX10,
    "output shorter bias",
    ("queries = self.W_query(x)", "queries = self.W_key(x)"),
    ("keys = self.W_key(x)", "keys = self.W_query(x)"),
)
mistake(
    "ex10 query-key-swapped, scores",
    EX10,
    "output shorter bias",
    ("queries @ keys.transpose(1, 2)", "keys @ queries.transpose(1, 2)"),
)
mistake(
    "ex10 projection-reused", EX10, "output shorter bias gradients", ("keys = self.W_key(x)", "keys = self.W_query(x)")
)
mistake(
    "ex10 values-unprojected", EX10, "output shorter bias dropout gradients", ("values = self.W_value(x)", "values = x")
)
mistake(
    "ex10 bias-ignored",
    EX10,
    "parameters bias",
    *(
        (f"self.W_{role} = {LINEAR}", f"self.W_{role} = nn.Linear(d_in, d_out, bias=False)")
        for role in ("query", "key", "value")
    ),
)
mistake(
    "ex10 bias-always",
    EX10,
    "parameters",
    *((f"self.W_{role} = {LINEAR}", f"self.W_{role} = nn.Linear(d_in, d_out)") for role in ("query", "key", "value")),
)
mistake(
    "ex10 batch-transpose",
    EX10,
    "output causality shorter bias dropout state gradients",
    ("keys.transpose(1, 2)", "keys.T"),
)
mistake(
    "ex10 returns-none", EX10, "output causality shorter bias dropout state gradients", ("        return context\n", "")
)
mistake(
    "ex10 self-missing",
    EX10,
    "output causality shorter bias dropout state gradients",
    ("self.dropout(weights)", "dropout(weights)"),
)
mistake(
    "ex10 api-misspelt, registry_buffer",
    EX10,
    "parameters output causality shorter bias dropout state gradients",
    ("register_buffer", "registry_buffer"),
)
mistake(
    "ex10 api-misspelt, froward",
    EX10,
    "output causality shorter bias dropout state gradients",
    ("def forward", "def froward"),
)
mistake(
    "ex10 a mask that stays behind",
    EX10,
    "state",
    (
        'self.register_buffer("mask", torch.triu(everywhere, diagonal=1))',
        "self.mask = torch.triu(everywhere, diagonal=1)",
    ),
)
mistake("ex10 a mask that is trained", EX10, "state",
        ('self.register_buffer("mask", torch.triu(everywhere, diagonal=1))', "self.mask = nn.Parameter(torch.triu(everywhere, diagonal=1).float())"),
        ("self.mask[:num_tokens, :num_tokens]", "self.mask[:num_tokens, :num_tokens] > 0"))  # fmt: skip
mistake(
    "ex10 first sequence of the batch only",
    EX10,
    "output causality shorter bias",
    ("        return context\n", "        return context[0]\n"),
)

mistake("ex11 heads-summed", EX11, "output bias dropout", ("torch.cat(contexts, dim=-1)", "sum(contexts)"))
mistake(
    "ex11 heads-wrong-axis", EX11, "output bias dropout", ("torch.cat(contexts, dim=-1)", "torch.cat(contexts, dim=1)")
)
mistake(
    "ex11 heads in reverse",
    EX11,
    "output bias",
    ("[head(x) for head in self.heads]", "[head(x) for head in reversed(self.heads)]"),
)
mistake("ex11 heads-unregistered", EX11, "parameters state dropout", ("nn.ModuleList(", "list("))
mistake(
    "ex11 one head for all",
    EX11,
    "parameters output bias",
    (
        "            CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)",
        "            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias)] * num_heads",
    ),
)
mistake(
    "ex11 dropout not handed on",
    EX11,
    "dropout",
    ("context_length, dropout, qkv_bias)", "context_length, 0.0, qkv_bias)"),
)
mistake(
    "ex11 bias-ignored", EX11, "parameters bias", ("context_length, dropout, qkv_bias)", "context_length, dropout)")
)
mistake("ex11 returns-none", EX11, "output bias state dropout gradients", ("        return context\n", ""))

mistake("ex12 heads-not-transposed", EX12, "output causality shorter bias dropout kernels",
        ("projected.view(batch_size, num_tokens, self.num_heads, self.head_dim)", "projected.view(batch_size, self.num_heads, num_tokens, self.head_dim)"),
        ("by_head = split.transpose(1, 2)", "by_head = split"))  # fmt: skip
mistake("ex12 merge-not-transposed", EX12, "output causality shorter bias kernels",
        ("side_by_side = head_contexts.transpose(1, 2)", "side_by_side = head_contexts"), ("side_by_side.flatten(start_dim=2)", "side_by_side.reshape(*x.shape[:2], -1)"))  # fmt: skip
mistake("ex12 out-proj-missing", EX12, "output shorter bias gradients kernels", ("self.out_proj(context)", "context"))
mistake(
    "ex12 out-proj-wrong-width",
    EX12,
    "parameters output causality shorter bias dropout state gradients kernels",
    ("nn.Linear(d_out, d_out)", "nn.Linear(d_out, d_in)"),
)
mistake("ex12 scale-wrong-width", EX12, "output shorter bias kernels", (SCALED, "scaled = scores / x.shape[-1] ** 0.5"))
mistake(
    "ex12 scale of all heads",
    EX12,
    "output shorter bias kernels",
    (SCALED, "scaled = scores / projected_keys.shape[-1] ** 0.5"),
)
mistake(
    "ex12 mask-discarded",
    EX12,
    "output causality shorter bias kernels",
    (MASKED, MASKED.replace("masked = ", "") + "\n        masked = scaled"),
)
mistake("ex12 mask-not-sliced", EX12, "shorter", ("self.mask[:num_tokens, :num_tokens]", "self.mask"))
mistake("ex12 dropout-missing", EX12, "dropout", (DROPPED, "dropped = weights"))
mistake(
    "ex12 dropout-on-context",
    EX12,
    "dropout",
    (DROPPED, "dropped = weights"),
    ("self.out_proj(context)", "self.dropout(self.out_proj(context))"),
)
mistake("ex12 an indivisible width is taken", EX12, "indivisible", ("if d_out % num_heads != 0:", "if False:"))
mistake("ex12 the wrong exception", EX12, "indivisible", ("raise ValueError(", "raise KeyError("))
mistake(
    "ex12 values-unprojected",
    EX12,
    "output shorter bias dropout gradients kernels",
    ("values = self.split_heads(projected_values)", "values = queries"),
)
mistake("ex12 head by head", EX12, "kernels",
        ("head_contexts = dropped @ values", "head_contexts = torch.stack([dropped[:, h] @ values[:, h] for h in range(self.num_heads)], dim=1)"))  # fmt: skip
mistake(
    "ex12 bias-ignored",
    EX12,
    "parameters bias",
    ("self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)", "self.W_value = nn.Linear(d_in, d_out, bias=False)"),
)

COPIED = "narrow = [getattr(head, role) for head in heads]"
mistake(
    "ex13 heads copied in reverse",
    EX13,
    "copy copy-multi",
    (COPIED, "narrow = [getattr(head, role) for head in reversed(heads)]"),
)
mistake(
    "ex13 biases not copied",
    EX13,
    "copy copy-multi",
    (
        "            if wide.bias is not None:\n                wide.bias.copy_(torch.cat([linear.bias for linear in narrow]))\n",
        "",
    ),
)
mistake(
    "ex13 biases copied into the split alone",
    EX13,
    "copy-multi",
    ("if wide.bias is not None:", 'if wide.bias is not None and not hasattr(split, "out_proj"):'),
)
mistake("ex13 out_proj left as it was", EX13, "copy-multi", ("if out_proj is not None:", "if False:"))
mistake(
    "ex13 the bias of out_proj left as it was", EX13, "copy-multi", ("            nn.init.zeros_(out_proj.bias)\n", "")
)
mistake(
    "ex13 projection-reused in the copy", EX13, "copy copy-multi", (COPIED, "narrow = [head.W_query for head in heads]")
)
mistake(
    "ex13 the wrapper is changed",
    EX13,
    "copy copy-multi",
    (COPIED, COPIED + "\n            nn.init.zeros_(narrow[0].weight)"),
)
mistake(
    "ex13 scale-wrong-width",
    EX13,
    "output shorter bias kernels",
    (SCALED, "scaled = scores / (self.num_heads * self.head_dim) ** 0.5"),
)
mistake("ex13 merge-not-transposed", EX13, "output shorter bias kernels",
        ("side_by_side = head_contexts.transpose(1, 2)", "side_by_side = head_contexts"), ("side_by_side.flatten(start_dim=2)", "side_by_side.reshape(*x.shape[:2], -1)"))  # fmt: skip
mistake("ex13 head by head", EX13, "kernels",
        ("scores = queries @ keys.transpose(2, 3)", "scores = torch.stack([queries[:, h] @ keys[:, h].mT for h in range(self.num_heads)], dim=1)"))  # fmt: skip

# What is right but where little, many or nothing is asked of it.
mistake("ex02 a factor that is never small", EX02, "sharpened", ("scores * factor", "scores * max(factor, 0.5)"))
mistake("ex08 a row that is hidden as a whole is not", EX08, "masked unchanged",
        ("scores.masked_fill(mask, -torch.inf)", "scores.masked_fill(mask & ~mask.all(dim=-1, keepdim=True), -torch.inf)"))  # fmt: skip
mistake("ex09 a small p taken for none", EX09, "law", ("p == 0", "p < 0.05"))
mistake("ex11 gradients for the first heads alone", EX11, "gradients",
        ("[head(x) for head in self.heads]", "[head(x) if i < 3 else head(x).detach() for i, head in enumerate(self.heads)]"))  # fmt: skip
mistake("ex13 the first heads copied alone", EX13, "copy copy-multi",
        ("wide.weight.copy_(torch.cat([linear.weight for linear in narrow]))", "joined = torch.cat([linear.weight for linear in narrow[:4]])\n            wide.weight[: len(joined)].copy_(joined)"))  # fmt: skip
mistake(
    "ex07 a copy that freezes its source",
    EX07,
    "copy",
    ("    with torch.no_grad():\n", "    source_v2.requires_grad_(False)\n    with torch.no_grad():\n"),
)
mistake(
    "ex13 a copy that freezes its source",
    EX13,
    "copy copy-multi",
    ("    with torch.no_grad():\n", "    wrapper.requires_grad_(False)\n    with torch.no_grad():\n"),
)


@pytest.mark.parametrize("name", one_in(32, (pytest.param(name, id=name) for name in MISTAKES)))
def test_a_mistake_costs_its_own_steps_and_no_others(name: str, mark: Marking) -> None:
    exercise, changes, fails = MISTAKES[name]

    report = mark(with_module(exercise, edited(exercise, *changes)), exercise)

    assert not_passed(report) == fails


def test_every_exercise_has_mistakes_here() -> None:
    assert {exercise for exercise, _, _ in MISTAKES.values()} == set(REFERENCE)
    assert len(MISTAKES) >= 40


@pytest.mark.parametrize(
    ("exercise", "change", "dependents"),
    [
        (EX06, ("scaled = scores / keys.shape[-1] ** 0.5", "scaled = scores"), (EX07,)),
        (EX10, (MASKED, "masked = scaled"), (EX11, EX13)),
        (EX11, ("torch.cat(contexts, dim=-1)", "sum(contexts)"), (EX13,)),
        (EX12, ("self.out_proj(context)", "context"), (EX13,)),
    ],
    ids=["ex06", "ex10", "ex11", "ex12"],
)
def test_a_mistake_is_not_paid_for_again_where_others_build_on_it(
    exercise: str, change: tuple[str, str], dependents: tuple[str, ...], mark: Marking
) -> None:
    report = mark(with_module(exercise, edited(exercise, change)))

    lost = {step.split(".")[0] for step in not_passed(report)}
    assert lost == {exercise.split("_")[0]}
    assert all(result.score == result.max_score for result in report.exercises if result.id in dependents)
