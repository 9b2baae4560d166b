# style: vmap over batch and heads for one query's row, queries in order; copies a row at a time
import torch
from torch import nn
from torch.func import vmap


class SplitHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = (layer(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for layer in self.layers())
        rows = []
        for i in range(x.shape[1]):
            attend = vmap(vmap(self.one_query, randomness="different"), randomness="different")
            rows.append(attend(q[:, :, i], k[:, :, : i + 1], v[:, :, : i + 1]))
        return torch.stack(rows, dim=1).flatten(2)

    def one_query(self, query, keys, values):
        weights = torch.softmax(keys @ query / query.shape[0] ** 0.5, dim=0)
        return self.dropout(weights) @ values

    def layers(self):
        yield self.W_query
        yield self.W_key
        yield self.W_value


def copy_heads(wrapper, split):
    with torch.no_grad():
        for role in ("W_query", "W_key", "W_value"):
            wide = getattr(split, role)
            row = 0
            for head in wrapper.heads:
                layer = getattr(head, role)
                for r in range(layer.out_features):
                    wide.weight[row] = layer.weight[r]
                    if layer.bias is not None:
                        wide.bias[row] = layer.bias[r]
                    row += 1
        try:
            out_proj = split.out_proj
        except AttributeError:
            return
        out_proj.weight.zero_().fill_diagonal_(1)
        out_proj.bias.zero_()
