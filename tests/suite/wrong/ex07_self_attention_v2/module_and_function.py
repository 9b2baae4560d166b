# mistakes: softmax-twice
import torch
import torch.nn as nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.softmax = nn.Softmax(dim=-1)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        attn = torch.softmax(q @ k.T / q.size(-1) ** 0.5, -1)
        attn = self.softmax(attn)  # <- softmax-twice
        return attn @ v


def copy_weights(source_v2, target_v1):
    target_v1.W_query = nn.Parameter(source_v2.W_query.weight.detach().T)
    target_v1.W_key = nn.Parameter(source_v2.W_key.weight.detach().T)
    target_v1.W_value = nn.Parameter(source_v2.W_value.weight.detach().T)
