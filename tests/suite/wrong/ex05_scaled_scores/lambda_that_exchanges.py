# mistakes: query-key-swapped
"""One file of helpers for all."""
import torch
class Op:
    def __init__(self, f): self.f = f
    def __call__(self, *a, **k): return self.f(*a, **k)
    def __rshift__(self, g): return Op(lambda *a: g(self(*a)))
class Tensorish:
    @staticmethod
    def norm(e): return e / e.sum(-1, keepdim=True)
scores = Op(lambda q, k: q @ k.mT)
expo = Op(lambda s: torch.exp(s - s.max(-1, keepdim=True).values))
soft = expo >> Op(Tensorish.norm)
scaled_scores = Op(lambda queries, keys: scores(keys, queries) / keys.shape[-1] ** .5)  # <- query-key-swapped
scaled_dot_product_attention = Op(lambda queries, keys, values: soft(scaled_scores(queries, keys)) @ values)
def dot_product_variance(dim, num_trials, generator):
    d = torch.stack([torch.randn(dim, generator=generator) @ torch.randn(dim, generator=generator) for _ in range(num_trials)])
    return d.var(), (d / dim ** 0.5).var()
