# mistakes: projection-reused
import torch
from torch import nn


class Teile(nn.Module):
    """Was Selbstaufmerksamkeit braucht, in Stücken."""

    def teilen(self, t):
        return t.reshape(t.size(0), t.size(1), self.koepfe, self.kopfbreite).permute(0, 2, 1, 3)

    def vereinen(self, t):
        return t.permute(0, 2, 1, 3).reshape(t.size(0), t.size(2), -1)

    def gewichte(self, q, k):
        s = torch.matmul(q, k.permute(0, 1, 3, 2)) / torch.tensor(self.kopfbreite, dtype=q.dtype).sqrt()
        T = s.size(-1)
        verboten = torch.arange(T, device=s.device)[None] > torch.arange(T, device=s.device)[:, None]
        s[..., verboten] = -torch.inf
        return s.softmax(-1)


class MultiHeadAttention(Teile):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("geht nicht auf")
        self.koepfe = num_heads
        self.kopfbreite = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q = self.teilen(self.W_query(x))
        k = self.teilen(self.W_key(x))
        v = self.teilen(self.W_key(x))  # <- projection-reused
        gewichte = self.dropout(self.gewichte(q, k))
        return self.out_proj(self.vereinen(gewichte @ v))
