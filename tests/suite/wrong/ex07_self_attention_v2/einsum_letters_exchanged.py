# mistakes: query-key-swapped
import torch
from torch import nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.d = d_out
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        sim = torch.einsum("i d, j d -> j i", q, k) * self.d**-0.5  # <- query-key-swapped
        attn = sim.softmax(dim=-1)
        return torch.einsum("i j, j d -> i d", attn, v)


@torch.no_grad()
def copy_weights(source_v2, target_v1):
    for w in "W_query W_key W_value".split():
        getattr(target_v1, w).copy_(getattr(source_v2, w).weight.t())
