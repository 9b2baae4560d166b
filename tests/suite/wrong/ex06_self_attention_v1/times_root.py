# mistakes: scale-inverted
import torch
import torch.nn as nn
import torch.nn.functional as F


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        q, k, v = (F.linear(x, w.T) for w in (self.W_query, self.W_key, self.W_value))
        logits = q @ k.T
        logits = logits * k.shape[-1] ** 0.5  # <- scale-inverted
        return F.softmax(logits, dim=-1) @ v
