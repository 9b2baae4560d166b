"""Linear layers and the fused kernel; copy_weights goes through load_state_dict."""

import torch.nn.functional as F
from torch import nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return F.scaled_dot_product_attention(q[None], k[None], v[None])[0]


def copy_weights(source_v2, target_v1):
    state = source_v2.state_dict()
    target_v1.load_state_dict({name: state[f"{name}.weight"].mT for name in ("W_query", "W_key", "W_value")})
