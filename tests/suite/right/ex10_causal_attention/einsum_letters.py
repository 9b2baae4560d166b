# style: einsum with b, q, k, d; the mask compared in forward from aranges; where
import torch
from torch import einsum, nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)
        self.drop = nn.Dropout(p=dropout)

    def forward(self, x):
        b, t, _ = x.shape
        scores = einsum("bqd,bkd->bqk", self.W_query(x), self.W_key(x)) * self.W_key.out_features ** -0.5
        positions = torch.arange(t, device=x.device)
        allowed = positions.unsqueeze(1) >= positions.unsqueeze(0)
        scores = torch.where(allowed, scores, float("-inf"))
        return einsum("bqk,bkd->bqd", self.drop(scores.softmax(dim=-1)), self.W_value(x))
