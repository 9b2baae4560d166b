# mistakes: none
import torch
from torch import nn


class SplitHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        inner = d_out * num_heads
        self.h = num_heads
        self.W_query = nn.Linear(d_in, inner, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, inner, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, inner, bias=qkv_bias)
        self.drop = nn.Dropout(dropout)
        self.register_buffer("future", torch.triu(torch.ones(context_length, context_length), 1) > 0)

    def forward(self, x):
        t = x.size(1)
        q = self.W_query(x).unflatten(-1, (-1, self.h)).permute(0, 3, 1, 2)  # <- here
        k = self.W_key(x).unflatten(-1, (-1, self.h)).permute(0, 3, 1, 2)
        v = self.W_value(x).unflatten(-1, (-1, self.h)).permute(0, 3, 1, 2)
        sim = torch.einsum("bhid,bhjd->bhij", q, k) / k.size(-1) ** 0.5
        sim.masked_fill_(self.future[:t, :t], float("-inf"))
        w = self.drop(sim.softmax(-1))
        return torch.einsum("bhij,bhjd->bihd", w, v).flatten(2)

@torch.no_grad()
def copy_heads(wrapper, split):
    for name in ["W_query", "W_key", "W_value"]:
        target = getattr(split, name)
        size = target.out_features // len(wrapper.heads)
        for i, head in enumerate(wrapper.heads):
            source = getattr(head, name)
            target.weight[i * size:(i + 1) * size] = source.weight
            if source.bias is not None:
                target.bias[i * size:(i + 1) * size] = source.bias
    if hasattr(split, "out_proj"):
        split.out_proj.weight.copy_(torch.eye(split.out_proj.weight.shape[0]))
        split.out_proj.bias.zero_()
