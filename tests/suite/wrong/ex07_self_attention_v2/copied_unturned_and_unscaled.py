# mistakes: weights-transposed, scale-missing
import torch
from torch import nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        keys = self.W_key(x)
        queries = self.W_query(x)
        values = self.W_value(x)
        attn_scores = queries @ keys.T
        attn_weights = torch.softmax(attn_scores, dim=-1)  # <- scale-missing
        context_vec = attn_weights @ values
        return context_vec


def copy_weights(source_v2, target_v1):
    target_v1.W_query = nn.Parameter(source_v2.W_query.weight)  # <- weights-transposed
    target_v1.W_key = nn.Parameter(source_v2.W_key.weight)
    target_v1.W_value = nn.Parameter(source_v2.W_value.weight)
