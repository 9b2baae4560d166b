# mistakes: scale-no-sqrt
import torch
import torch.nn as nn


class SplitHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.n, self.d = num_heads, d_out
        self.W_query = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        cut = lambda t: t.unflatten(2, (self.n, self.d))
        q, k, v = cut(self.W_query(x)), cut(self.W_key(x)), cut(self.W_value(x))
        att = torch.einsum("bqnd,bknd->bnqk", q, k) / self.d  # <- scale-no-sqrt
        i = torch.arange(x.shape[1], device=x.device)
        att = att.masked_fill(i[None, :] > i[:, None], float("-inf")).softmax(dim=-1)
        return torch.einsum("bnqk,bknd->bqnd", self.dropout(att), v).flatten(2)


@torch.no_grad()
def copy_heads(wrapper, split):
    for role in ("W_query", "W_key", "W_value"):
        target = getattr(split, role)
        start = 0
        for head in wrapper.heads:
            source = getattr(head, role)
            stop = start + source.out_features
            target.weight[start:stop] = source.weight
            if source.bias is not None:
                target.bias[start:stop] = source.bias
            start = stop
    if getattr(split, "out_proj", None) is not None:
        nn.init.eye_(split.out_proj.weight)
        nn.init.zeros_(split.out_proj.bias)
