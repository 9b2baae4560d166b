# style: F.linear on the layers' weights, F.dropout with self.training, (context, weights) returned
import torch
import torch.nn.functional as F
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.context_length, self.p = context_length, dropout

    def forward(self, x):
        assert x.shape[1] <= self.context_length
        queries, keys, values = (F.linear(x, l.weight, l.bias) for l in (self.W_query, self.W_key, self.W_value))
        mask = nn.Transformer.generate_square_subsequent_mask(x.shape[1], device=x.device, dtype=x.dtype)
        weights = F.softmax(queries @ keys.mT / keys.shape[-1] ** 0.5 + mask, dim=-1)
        weights = F.dropout(weights, self.p, self.training)
        return weights @ values, weights
