# mistakes: heads-not-transposed
import torch
import torch.nn as nn


class SplitHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = d_out
        self.W_query = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer(
            "mask", torch.triu(torch.ones(context_length, context_length), diagonal=1)
        )

    def forward(self, x):
        b, num_tokens, d_in = x.shape
        keys = self.W_key(x)
        queries = self.W_query(x)
        values = self.W_value(x)

        keys = keys.view(b, num_tokens, self.num_heads, self.head_dim)  # <- heads-not-transposed
        values = values.view(b, num_tokens, self.num_heads, self.head_dim)
        queries = queries.view(b, num_tokens, self.num_heads, self.head_dim)


        attn_scores = queries @ keys.transpose(2, 3)
        mask_bool = self.mask.bool()[:num_tokens, :num_tokens]
        attn_scores.masked_fill_(mask_bool, -torch.inf)

        attn_weights = torch.softmax(attn_scores / keys.shape[-1]**0.5, dim=-1)
        attn_weights = self.dropout(attn_weights)

        context_vec = (attn_weights @ values).transpose(1, 2)
        context_vec = context_vec.contiguous().view(b, num_tokens, self.num_heads * self.head_dim)
        return context_vec


def copy_heads(wrapper, split):
    with torch.no_grad():
        for name in ("W_query", "W_key", "W_value"):
            big = getattr(split, name)
            big.weight.copy_(torch.cat([getattr(h, name).weight for h in wrapper.heads], dim=0))
            if big.bias is not None:
                big.bias.copy_(torch.cat([getattr(h, name).bias for h in wrapper.heads], dim=0))
        if hasattr(split, "out_proj"):
            split.out_proj.weight.copy_(torch.eye(split.out_proj.weight.shape[0]))
            split.out_proj.bias.zero_()
