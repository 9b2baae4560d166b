# style: an nn.ModuleDict with q_proj, k_proj, v_proj; a dataclass config
from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass(frozen=True)
class Config:
    d_in: int
    d_out: int
    qkv_bias: bool = False
    names: tuple[str, ...] = field(default=("q_proj", "k_proj", "v_proj"))

    @property
    def scale(self) -> float:
        return self.d_out**-0.5


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.config = Config(d_in, d_out, qkv_bias)
        self.layers = nn.ModuleDict({n: nn.Linear(d_in, d_out, bias=qkv_bias) for n in self.config.names})

    def forward(self, x):
        q, k, v = (layer(x) for layer in self.layers.values())
        scores = torch.addmm(torch.zeros(1, dtype=x.dtype, device=x.device), q, k.T, alpha=self.config.scale)
        return scores.softmax(-1).mm(v)


def copy_weights(source_v2, target_v1):
    layers = getattr(source_v2, "layers", None)
    for ours, theirs in (("q_proj", "W_query"), ("k_proj", "W_key"), ("v_proj", "W_value")):
        layer = layers[ours] if layers is not None else getattr(source_v2, theirs)
        getattr(target_v1, theirs).data.copy_(layer.weight.data.T)
