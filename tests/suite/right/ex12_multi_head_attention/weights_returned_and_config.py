# style: a dataclass config, output without bias, (context, weights) returned, cached rotary-free mask lookup
from dataclasses import dataclass
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class Cfg:
    d_in: int
    d_out: int
    context_length: int
    dropout: float
    num_heads: int
    qkv_bias: bool = False

    def __post_init__(self):
        if self.d_out % self.num_heads:
            raise ValueError("d_out must be a multiple of num_heads")


class Attended(NamedTuple):
    context: Tensor
    weights: Tensor


class MultiHeadAttention(nn.Module):
    def __init__(self, *args, **kwargs):
        super().__init__()
        self.cfg = cfg = Cfg(*args, **kwargs)
        self.query, self.key, self.value = (nn.Linear(cfg.d_in, cfg.d_out, cfg.qkv_bias) for _ in range(3))
        self.out_projection = nn.Linear(cfg.d_out, cfg.d_out, bias=False)

    def heads_of(self, layer: nn.Linear, x: Tensor) -> Tensor:
        return layer(x).unflatten(-1, (self.cfg.num_heads, -1)).movedim(-2, 1)

    def forward(self, x: Tensor) -> Attended:
        q, k, v = (self.heads_of(layer, x) for layer in (self.query, self.key, self.value))
        i, j = torch.meshgrid(*(torch.arange(x.size(1), device=x.device),) * 2, indexing="ij")
        weights = F.softmax((q @ k.mT).div_(k.size(-1) ** 0.5).masked_fill_(j > i, -torch.inf), dim=-1)
        weights = F.dropout(weights, p=self.cfg.dropout, training=self.training)
        return Attended(self.out_projection((weights @ v).movedim(1, -2).flatten(-2)), weights)
