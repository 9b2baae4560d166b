"""The fused kernel with an explicit attn_mask (True means may look), F.linear on the layers' weights, and
copy_heads through a state dict; whether the target is a MultiHeadAttention is asked with isinstance."""

import torch
import torch.nn.functional as F
from ex12_multi_head_attention import MultiHeadAttention
from torch import nn


class SplitHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.num_heads = num_heads
        self.d_out = d_out
        self.dropout = dropout
        self.W_query = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.register_buffer("may_look", torch.ones(context_length, context_length, dtype=torch.bool).tril())

    def forward(self, x):
        B, T, _ = x.shape
        q, k, v = (
            F.linear(x, layer.weight, layer.bias).view(B, T, self.num_heads, self.d_out).transpose(1, 2)
            for layer in (self.W_query, self.W_key, self.W_value)
        )
        context = F.scaled_dot_product_attention(
            q, k, v, attn_mask=self.may_look[:T, :T], dropout_p=self.dropout if self.training else 0.0
        )
        return context.transpose(1, 2).reshape(B, T, self.num_heads * self.d_out)


def copy_heads(wrapper, split):
    state = {}
    for name in ("W_query", "W_key", "W_value"):
        layers = [getattr(head, name) for head in wrapper.heads]
        state[f"{name}.weight"] = torch.cat([layer.weight for layer in layers])
        if layers[0].bias is not None:
            state[f"{name}.bias"] = torch.cat([layer.bias for layer in layers])
    split.load_state_dict(state, strict=False)
    if isinstance(split, MultiHeadAttention):
        with torch.no_grad():
            split.out_proj.weight.copy_(torch.eye(split.out_proj.in_features))
            split.out_proj.bias.fill_(0)
