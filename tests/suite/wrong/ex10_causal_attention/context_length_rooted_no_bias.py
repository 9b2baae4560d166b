# mistakes: scale-wrong-width, bias-ignored
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.context_length = context_length
        self.W_query = nn.Linear(d_in, d_out, bias=False)  # <- bias-ignored
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.drop = nn.Dropout(p=dropout)

    def build_mask(self, t, device):
        return torch.triu(torch.full((t, t), float("-inf"), device=device), diagonal=1)

    def forward(self, x):
        b, t, _ = x.shape
        q = self.W_query(x)
        k = self.W_key(x)
        v = self.W_value(x)
        logits = torch.bmm(q, k.transpose(1, 2)) / self.context_length**0.5  # <- scale-wrong-width
        logits = logits + self.build_mask(t, x.device)
        p = self.drop(logits.softmax(-1))
        return torch.bmm(p, v)
