# mistakes: heads-wrong-axis
import torch
import torch.nn as nn


class SplitHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.p = dropout

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = (
            layer(x).view(b, t, self.num_heads, -1).transpose(1, 2)
            for layer in (self.W_query, self.W_key, self.W_value)
        )
        y = nn.functional.scaled_dot_product_attention(
            q, k, v, is_causal=True, dropout_p=self.p * self.training
        )
        return y.transpose(1, 2).reshape(b, t, -1)


def copy_heads(wrapper, split):
    with torch.no_grad():
        for role in ("W_query", "W_key", "W_value"):
            target = getattr(split, role)
            w = torch.stack([getattr(h, role).weight for h in wrapper.heads], dim=1)  # <- heads-wrong-axis
            target.weight.copy_(w.flatten(0, 1))
            if target.bias is not None:
                target.bias.copy_(torch.stack([getattr(h, role).bias for h in wrapper.heads], dim=1).flatten())
        if hasattr(split, "out_proj"):
            split.out_proj.weight.copy_(torch.eye(len(split.out_proj.weight)))
            split.out_proj.bias.fill_(0)
