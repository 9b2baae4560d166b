# style: x is blended first and projected after, mask added as a float
import torch
import torch.nn as nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.drop = nn.Dropout(dropout)
        self.register_buffer("hide", torch.full((context_length, context_length), -1e30).triu(1), persistent=False)

    def forward(self, x):
        T = x.size(1)
        s = torch.einsum("bid,bjd->bij", self.W_query(x), self.W_key(x))
        w = torch.softmax(s / self.W_key.weight.shape[0] ** 0.5 + self.hide[:T, :T], dim=2)
        w = self.drop(w)
        blended = w @ x @ self.W_value.weight.T
        if self.W_value.bias is not None:
            blended = blended + w.sum(-1, keepdim=True) * self.W_value.bias
        return blended
