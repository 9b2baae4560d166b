# mistakes: softmax-wrong-axis
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.qkv = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        tril = torch.tril(torch.ones(context_length, context_length))
        self.register_buffer("tril", tril)

    def forward(self, x):
        B, T, _ = x.shape
        q, k, v = self.qkv(x).split(self.d_out, dim=2)
        wei = q @ k.transpose(-2, -1) * self.d_out ** -0.5
        wei = wei.masked_fill(self.tril[:T, :T] == 0, float('-inf'))
        wei = torch.softmax(wei, dim=0)  # <- softmax-wrong-axis
        wei = self.dropout(wei)
        return wei @ v
