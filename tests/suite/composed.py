"""Composes modules for exercises 10 and 12 of parts in many styles, and puts known mistakes into some of their parts.

What is written here are parts, not modules: a part is what `__init__` makes for it and what `forward` does with it. Any
variant of one goes with any of the others, so a few dozen lines stand for many thousands of modules. A mistake is a
part that is written otherwise, in several styles too; its line is marked as in the rest of the suite, if it has one.
"""

from __future__ import annotations

import itertools
import random
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .reading import CULPRIT

CAUSAL, MULTI_HEAD = "ex10_causal_attention", "ex12_multi_head_attention"
SIGNATURES = {
    CAUSAL: ("CausalAttention", "d_in, d_out, context_length, dropout, qkv_bias=False"),
    MULTI_HEAD: ("MultiHeadAttention", "d_in, d_out, context_length, dropout, num_heads, qkv_bias=False"),
}
# One way to write a part: the lines of `__init__` and those of `forward`.
Variant = tuple[str, str]

LAYERS = "\n".join(f"self.W_{role} = nn.Linear(d_in, d_out, bias=qkv_bias)" for role in ("query", "key", "value"))
FUSED = "self.qkv = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)"
EACH = "queries = self.W_query(x)\nkeys = self.W_key(x)\nvalues = self.W_value(x)"
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
        (LAYERS, EACH),
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
}  # fmt: skip
OF_HEADS = ("heads", "split", "merged", "mixed")
# What stands where no heads are joined.
UNMIXED = ("", "return context")

# A mistake, the part in which it is made, and how: the culprit is the line that is marked, if one line is.
MISTAKES: Mapping[str, tuple[str, Sequence[Variant]]] = {
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
)
# What the parts above call things, and what others do.
NAMES = {
    "queries": ("q", "Q", "query"), "keys": ("k", "K", "key"), "values": ("v", "V", "value"),
    "scores": ("att", "logits", "energy"), "weights": ("probs", "attn", "A"), "context": ("out", "y", "ctx"),
}  # fmt: skip


@dataclass(frozen=True)
class Composed:
    """A module. ids: the known mistakes in it. lines: of those that one line makes."""

    exercise: str
    ids: frozenset[str]
    source: str
    lines: Mapping[str, int]


def composed(seed: int, count: int) -> Composed:
    """The module that a seed stands for, with so many mistakes in it, each in a part of its own."""
    rng = random.Random(seed)
    exercise = rng.choice([CAUSAL, MULTI_HEAD])
    parts = [part for part in PARTS if exercise == MULTI_HEAD or part not in OF_HEADS]
    known = [name for name, (part, _) in MISTAKES.items() if part in parts]
    ids = next(chosen for chosen in iter(lambda: rng.sample(known, count), None) if _are_told_apart(chosen))
    variants = {part: rng.choice(PARTS[part]) for part in parts}
    for name in ids:
        part, wrong = MISTAKES[name]
        made, done = rng.choice(wrong)
        variants[part] = made.replace("# <-", f"# <- {name}"), done.replace("# <-", f"# <- {name}")
    if "dropout-on-context" in ids:
        variants["dropped"] = MODULE, ""
    variants.setdefault("mixed", UNMIXED)
    width = rng.choice(["keys.shape[-1]", "queries.size(-1)", *(["self.head_dim"] if exercise == MULTI_HEAD else [])])
    source = _renamed(_written(exercise, variants).replace("WIDTH", width), rng)
    lines = {mark[1]: number for number, line in enumerate(source.splitlines(), 1) if (mark := CULPRIT.search(line))}
    return Composed(exercise, frozenset(ids), source, lines)


def _are_told_apart(ids: Sequence[str]) -> bool:
    """Whether mistakes are in parts of their own, and none hides another."""
    parts = [MISTAKES[name][0] for name in ids] + ["dropped"] * ("dropout-on-context" in ids)
    hidden = any(
        one in some and (other in others or other.partition("-")[0] in others)
        for one, other in itertools.permutations(ids, 2)
        for some, others in UNCERTAIN
    )
    return len({*parts}) == len(parts) and not hidden


def _written(exercise: str, variants: Mapping[str, Variant]) -> str:
    name, arguments = SIGNATURES[exercise]
    order = [*PARTS]
    made, done = (
        textwrap.indent("\n".join(filter(None, each)), " " * 8)
        for each in zip(*(variants[part] for part in order if part in variants), strict=True)
    )
    return (
        "import math\n\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn\n\n\n"
        f"class {name}(nn.Module):\n    def __init__(self, {arguments}):\n        super().__init__()\n{made}\n\n"
        f"    def forward(self, x):\n{done}\n"
    )


def _renamed(source: str, rng: random.Random) -> str:
    """The same with other names for what `forward` makes; a mark stays as it is."""
    own = {name: rng.choice((name, *others)) for name, others in NAMES.items()}
    word = re.compile(rf"(?<![\w.'-])({'|'.join(own)})(?![\w-])")
    return "\n".join(_renamed_line(line, word, own) for line in source.split("\n"))


def _renamed_line(line: str, word: re.Pattern[str], own: Mapping[str, str]) -> str:
    code, mark, said = line.partition("# <-")
    return word.sub(lambda found: own[found[1]], code) + mark + said
