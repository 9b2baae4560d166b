# mistakes: scale-wrong-width
import torch
from torch import nn


class CausalAttention(nn.Module):
    """One sequence of the batch after the other, so that .T is the right thing."""

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        results = []
        for sequence in x:
            n_tokens = len(sequence)
            query = self.W_query(sequence)
            key = self.W_key(sequence)
            value = self.W_value(sequence)
            omega = query @ key.T
            omega = omega / key.shape[0] ** 0.5  # <- scale-wrong-width
            for i in range(n_tokens):
                omega[i, i + 1:] = -torch.inf
            alpha = torch.softmax(omega, dim=1)
            alpha = self.dropout(alpha)
            results.append(alpha @ value)
        return torch.stack(results)
