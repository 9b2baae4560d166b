# mistakes: scale-inverted, mask-not-sliced
import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    """einsum stretches a single token's values to the sixteen of the mask, and says nothing."""

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, "d_out must be divisible by num_heads"
        self.h = num_heads
        self.hd = d_out // num_heads
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout_p = dropout
        self.register_buffer("causal_mask", torch.tril(torch.ones(context_length, context_length)))

    def forward(self, inputs):
        batch, seq = inputs.shape[:2]
        keys = self.W_key(inputs)
        values = self.W_value(inputs)
        queries = self.W_query(inputs)
        queries = queries.view(batch, seq, self.h, self.hd).permute(0, 2, 1, 3)
        keys = keys.view(batch, seq, self.h, self.hd).permute(0, 2, 1, 3)
        values = values.view(batch, seq, self.h, self.hd).permute(0, 2, 1, 3)
        queries = queries * self.hd ** 0.5  # <- scale-inverted
        att = torch.matmul(queries, keys.transpose(2, 3))
        att = att.masked_fill(self.causal_mask == 0, -torch.inf)  # <- mask-not-sliced
        att = nn.functional.softmax(att, -1)
        att = F.dropout(att, self.dropout_p, training=self.training)
        y = torch.einsum("bhij,bhjd->bhid", att, values)
        y = y.transpose(1, 2).contiguous().view(batch, seq, self.d_out)
        return self.out_proj(y)
