import torch
from torch import nn


class CausalAttention(nn.Module):
    """The layers lie in a list; what each is for is said by properties."""

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.projections = nn.ModuleList(nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3))
        self.drop = nn.Dropout(dropout)
        self.register_buffer("forbidden", torch.ones(context_length, context_length, dtype=torch.bool).triu(1))

    @property
    def W_query(self):
        return self.projections[0]

    @property
    def W_key(self):
        return self.projections[1]

    @property
    def W_value(self):
        return self.projections[2]

    @property
    def scale(self):
        return self.W_key.out_features**-0.5

    def forward(self, x):
        length = x.size(1)
        queries, keys, values = (layer(x) for layer in self.projections)
        scores = (queries * self.scale) @ keys.mT
        weights = scores.masked_fill(self.forbidden[:length, :length], float("-inf")).softmax(-1)
        return self.drop(weights) @ values
