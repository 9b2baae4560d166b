"""Attacks that return what is no plain tensor of numbers, in the hope that comparing it goes wrong."""

from __future__ import annotations

from tests.attacks.attack import Attack, attack

# `right(scores)` of the right answers is what is returned instead: odd in form, or not right any more.
BOTH = """

def attention_scores_for_query(query, inputs):
    return odd(inputs @ query)


def attention_scores(inputs):
    return odd(inputs @ inputs.T)
"""


def odd(name: str, source: str, *statuses: str, before: str = "") -> Attack:
    """An attack that makes something odd of the right scores."""
    statuses = statuses or ("failed",)
    return attack(name, f"import numpy, torch\n{before}\ndef odd(scores):\n    return {source}\n{BOTH}", *statuses)


ATTACKS = (
    odd("nan", "torch.full_like(scores, torch.nan)"),
    odd("infinity", "torch.full_like(scores, torch.inf)"),
    odd("one-nan-among-right-ones", "torch.where(scores == scores.max(), torch.nan, scores)"),
    odd("empty", "scores[:0]"),
    odd("no-axis", "scores.max()"),
    odd("axis-that-broadcasts", "scores.unsqueeze(0)"),
    odd("double", "scores.double()"),
    odd("half", "scores.half()"),
    odd("bfloat16", "scores.bfloat16()"),
    odd("whole-numbers", "scores.round().long()"),
    odd("truth-values", "scores.bool()"),
    odd("unsigned-of-64-bits", "scores.abs().to(torch.uint64)"),
    odd("float8", "scores.to(torch.float8_e4m3fn)"),
    odd("complex", "torch.complex(scores, torch.zeros_like(scores))"),
    odd("meta", "scores.to('meta')"),
    odd("sparse", "scores.to_sparse()"),
    odd("sparse-rows", "scores.reshape(-1, 1).to_sparse_csr()"),
    odd("quantised", "torch.quantize_per_tensor(scores, 0.1, 0, torch.qint8)"),
    odd("mkldnn", "scores.to_mkldnn()"),
    odd("nested", "torch.nested.nested_tensor([scores])"),
    odd("requires-grad", "torch.zeros_like(scores, requires_grad=True)"),
    odd("parameter", "torch.nn.Parameter(torch.zeros_like(scores))"),
    odd("conjugate-bit", "torch.complex(scores, scores).conj()"),
    odd("negative-bit", "torch._neg_view(scores)"),
    odd("imaginary-part-of-a-conjugate", "torch.complex(scores, scores).conj().imag"),
    odd("expanded", "scores.reshape(-1)[:1].expand(scores.numel()).reshape(scores.shape)"),
    odd("overlapping", "torch.as_strided(scores.contiguous(), scores.shape, (0,) * scores.ndim)"),
    odd("storage-gone", "gone(scores)", "crashed",
        before="def gone(scores):\n    scores.untyped_storage().resize_(0)\n    return scores"),
    odd("dimensions-by-the-thousand", "scores.reshape([*scores.shape] + [1] * 10_000)"),
    odd("dimensions-by-the-dozen", "scores.reshape([*scores.shape] + [1] * 40)"),
    odd("tensor-of-a-transform-that-ended", "leaked(scores)", "error",
        before="def leaked(scores):\n    kept = []\n    torch.func.vmap(lambda row: kept.append(row) or row)(scores)\n"
               "    return kept[0]"),
    odd("list-of-numbers", "scores.tolist()"),
    odd("list-for-a-tensor", "list(scores)"),
    odd("right-one-second", "(torch.zeros_like(scores), scores)"),
    odd("tuple-in-a-tuple", "((scores,),)"),
    odd("list-that-holds-itself", "itself(scores)", before="def itself(s):\n    s = [s]\n    s[0] = s\n    return s"),
    odd("tuple-longer-than-it-says", "Long((torch.zeros_like(scores),))", "crashed",
        before="class Long(tuple):\n    __getitem__ = lambda self, key: self\n"
               "    __iter__ = lambda self: iter([scores_of_none] * 5000)\nscores_of_none = torch.zeros(6)"),
    odd("numpy-array", "scores.numpy()"),
    odd("numpy-number", "numpy.float32(scores.sum())"),
    odd("number", "float(scores.sum())"),
    odd("number-that-is-none", "Number()", "error",
        before="import numbers\nclass Number(numbers.Number):\n    __float__ = lambda self: 'five'\n"
               "numbers.Real.register(Number)"),
    odd("none", "None"),
    odd("text", "str(scores)"),
    odd("dictionary", "{'result': scores}"),
    odd("generator", "(row for row in scores)"),
    odd("function", "lambda: scores"),
    odd("module", "torch.nn.Linear(2, 2)"),
    odd("class", "torch.Tensor"),
    odd("yes-to-everything", "Yes()",
        before="class Yes:\n    __eq__ = lambda self, other: True\n    __getattr__ = lambda self, name: self\n"
               "    __call__ = lambda self, *given, **named: self\n    __float__ = lambda self: 1.0"),
    odd("tensor-by-its-class-alone", "Said()", "failed", "error",
        before="class Said:\n    __class__ = property(lambda self: torch.Tensor)"),
)  # fmt: skip
