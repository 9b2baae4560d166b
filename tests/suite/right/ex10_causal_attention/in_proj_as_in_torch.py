# style: the parameters of nn.MultiheadAttention, under its names
import torch
import torch.nn.functional as F
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.in_proj_weight = nn.Parameter(torch.empty(3 * d_out, d_in))
        if qkv_bias:
            self.in_proj_bias = nn.Parameter(torch.zeros(3 * d_out))
        else:
            self.register_parameter("in_proj_bias", None)
        nn.init.xavier_uniform_(self.in_proj_weight)
        self.dropout = dropout

    def forward(self, x):
        q, k, v = F.linear(x, self.in_proj_weight, self.in_proj_bias).chunk(3, dim=-1)
        rate = self.dropout if self.training else 0.0
        return F.scaled_dot_product_attention(q, k, v, is_causal=True, dropout_p=rate)
