# mistakes: values-unprojected
import torch
import torch.nn.functional as F
from torch import nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        q = self.W_query(x).unsqueeze(0)
        k = self.W_key(x).unsqueeze(0)
        out = F.scaled_dot_product_attention(q, k, x.unsqueeze(0))  # <- values-unprojected
        return out.squeeze(0)


def copy_weights(source_v2, target_v1):
    with torch.no_grad():
        target_v1.W_query.copy_(source_v2.W_query.weight.T)
        target_v1.W_key.copy_(source_v2.W_key.weight.T)
        target_v1.W_value.copy_(source_v2.W_value.weight.T)
