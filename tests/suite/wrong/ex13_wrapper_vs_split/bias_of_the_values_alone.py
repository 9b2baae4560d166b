# mistakes: bias-always
import torch
import torch.nn as nn

NAMES = "W_query", "W_key", "W_value"


class SplitHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, num_heads * d_out, bias=num_heads)  # <- bias-always
        self.drop, self.h = nn.Dropout(dropout), num_heads

    def forward(self, x):
        q, k, v = (getattr(self, name)(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for name in NAMES)
        late = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).triu(1)
        shares = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(late, -torch.inf).softmax(-1)
        return (self.drop(shares) @ v).transpose(1, 2).flatten(2)


def copy_heads(wrapper, split):
    for name in NAMES:
        wide, narrow = getattr(split, name), [getattr(head, name) for head in wrapper.heads]
        wide.weight.data = torch.cat([each.weight.data for each in narrow])
        if wide.bias is not None and narrow[0].bias is not None:
            wide.bias.data = torch.cat([each.bias.data for each in narrow])
    if hasattr(split, "out_proj"):
        nn.init.eye_(split.out_proj.weight)
        nn.init.zeros_(split.out_proj.bias)
