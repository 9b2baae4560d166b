# style: the weights are printed as lists and kept for a plot as an array, queries and keys too
# only: cpu, float32, float64, float16; numpy has no bfloat16, and torch makes an array of what lies on the CPU alone
import numpy as np
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError(f"{d_out} features cannot be shared by {num_heads} heads")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1).bool())

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = (layer(x).view(b, t, self.num_heads, -1).transpose(1, 2) for layer in (self.W_query, self.W_key, self.W_value))
        scores = q @ k.transpose(2, 3) / q.shape[-1] ** 0.5
        weights = torch.softmax(scores.masked_fill(self.mask[:t, :t], -torch.inf), dim=-1)
        self.seen = {"q": q.detach().numpy().copy(), "k": np.array(k.detach()), "w": weights.detach().numpy().round(2)}
        print(weights.tolist()[0][0][0])
        return self.out_proj((self.dropout(weights) @ v).transpose(1, 2).reshape(b, t, -1))
