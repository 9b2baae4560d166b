# mistakes: projection-reused, scale-wrong-width
import torch
from torch import nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        num_tokens, d_in = x.shape
        q = self.W_query(x)
        k = self.W_key(x)
        v = self.W_query(x)  # <- projection-reused
        s = torch.einsum("qd,kd->qk", q, k)
        s = s * d_in**-0.5  # <- scale-wrong-width
        return s.softmax(dim=-1) @ v


def copy_weights(source_v2, target_v1):
    with torch.no_grad():
        target_v1.W_value.copy_(source_v2.W_value.weight.T)
        target_v1.W_key.copy_(source_v2.W_key.weight.T)
        target_v1.W_query.copy_(source_v2.W_query.weight.T)
