# mistakes: heads-wrong-axis
import torch
import torch.nn as nn


class SplitHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = d_out
        self.total = d_out * num_heads
        self.W_query = nn.Linear(d_in, self.total, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, self.total, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, self.total, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))

    def forward(self, x):
        b, num_tokens, d_in = x.shape

        keys = self.W_key(x).view(b, num_tokens, self.num_heads, self.head_dim)
        queries = self.W_query(x).view(b, num_tokens, self.num_heads, self.head_dim)
        values = self.W_value(x).view(b, num_tokens, self.num_heads, self.head_dim)

        keys = keys.transpose(1, 2)
        queries = queries.transpose(1, 2)
        values = values.transpose(1, 2)

        attn_scores = queries @ keys.transpose(2, 3)
        mask_bool = self.mask.bool()[:num_tokens, :num_tokens]
        attn_scores.masked_fill_(mask_bool, -torch.inf)
        attn_weights = torch.softmax(attn_scores / keys.shape[-1]**0.5, dim=-1)
        attn_weights = self.dropout(attn_weights)

        context_vec = (attn_weights @ values).transpose(1, 2)
        context_vec = context_vec.contiguous().view(b, num_tokens, self.total)
        return context_vec


def copy_heads(wrapper, split):
    d = wrapper.heads[0].W_query.weight.shape[0]
    with torch.no_grad():
        for i, head in enumerate(wrapper.heads):
            for name in ("W_query", "W_key", "W_value"):
                source, target = getattr(head, name), getattr(split, name)
                target.weight[:, i * d : (i + 1) * d].copy_(source.weight)  # <- heads-wrong-axis
                if target.bias is not None:
                    target.bias[i * d : (i + 1) * d].copy_(source.bias)
        if hasattr(split, "out_proj"):
            split.out_proj.weight.copy_(torch.eye(split.out_proj.weight.shape[0]))
            split.out_proj.bias.zero_()
