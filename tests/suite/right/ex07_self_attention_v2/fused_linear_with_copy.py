# style: one fused Linear, chunked; copy_weights knows both the fused and the separate form
import torch
from torch import nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.qkv = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        return torch.softmax(q @ k.T / self.d_out**0.5, dim=-1) @ v


def copy_weights(source_v2, target_v1):
    if hasattr(source_v2, "qkv"):
        wq, wk, wv = source_v2.qkv.weight.detach().chunk(3, dim=0)
    else:
        wq, wk, wv = (getattr(source_v2, n).weight.detach() for n in ("W_query", "W_key", "W_value"))
    with torch.no_grad():
        target_v1.W_query.copy_(wq.T)
        target_v1.W_key.copy_(wk.T)
        target_v1.W_value.copy_(wv.T)
