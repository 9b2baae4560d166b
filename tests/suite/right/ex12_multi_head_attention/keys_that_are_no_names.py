# style: a dictionary of layers whose keys no attribute could have
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out must be divisible by num_heads")
        self.heads = num_heads
        self.layers = nn.ModuleDict({key: nn.Linear(d_in, d_out, bias=qkv_bias) for key in ("q/0", "W^K", "to value")})
        self.layers["out proj"] = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = (
            self.layers[key](x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for key in ("q/0", "W^K", "to value")
        )
        scores = q @ k.mT * q.shape[-1] ** -0.5
        later = torch.ones_like(scores, dtype=torch.bool).triu(1)
        weights = self.drop(scores.masked_fill(later, -torch.inf).softmax(-1))
        return self.layers["out proj"]((weights @ v).transpose(1, 2).flatten(2))
