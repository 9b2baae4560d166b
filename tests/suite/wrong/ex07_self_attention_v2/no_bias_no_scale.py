# mistakes: bias-ignored, scale-missing
import torch
import torch.nn as nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)  # <- bias-ignored
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        queries = self.W_query(x)
        keys = self.W_key(x)
        values = self.W_value(x)
        attn_scores = queries @ keys.T
        attn_weights = torch.softmax(attn_scores, dim=-1)  # <- scale-missing
        return attn_weights @ values


def copy_weights(source_v2, target_v1):
    target_v1.W_query = nn.Parameter(source_v2.W_query.weight.detach().T)
    target_v1.W_key = nn.Parameter(source_v2.W_key.weight.detach().T)
    target_v1.W_value = nn.Parameter(source_v2.W_value.weight.detach().T)
