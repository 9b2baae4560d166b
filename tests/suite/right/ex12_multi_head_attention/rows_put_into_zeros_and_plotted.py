# style: each token's shares are written into a row of zeros; queries, keys and weights are kept for a plot
# only: cpu, float32, float64, float16; numpy has no bfloat16, and torch makes an array of what lies on the CPU alone
import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, "d_out must be divisible by num_heads"
        self.h = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)
        self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length)))

    def split(self, y):
        return y.unflatten(-1, (self.h, -1)).transpose(1, 2)

    def forward(self, x):
        q, k, v = self.split(self.W_query(x)), self.split(self.W_key(x)), self.split(self.W_value(x))
        scores = torch.matmul(q, k.mT) / k.size(-1) ** 0.5
        weights = torch.zeros(scores.shape, dtype=scores.dtype, device=scores.device)
        for i in range(x.size(1)):
            weights[..., i, : i + 1] = scores[..., i, : i + 1].softmax(-1)
        self.for_plot = {"q": q.detach().numpy(), "k": k.detach().numpy(), "w": weights.detach().numpy()}
        context = torch.matmul(self.drop(weights), v)
        return self.out_proj(context.transpose(1, 2).flatten(2))
