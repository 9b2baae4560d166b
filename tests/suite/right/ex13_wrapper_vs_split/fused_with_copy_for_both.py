# style: one fused qkv for the split; copy_heads writes into the fused layer or into three
import torch
from torch import nn

ROLES = "W_query", "W_key", "W_value"


class SplitHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.num_heads, self.d_out = num_heads, d_out
        self.qkv = nn.Linear(d_in, 3 * num_heads * d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        B, T, _ = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, self.num_heads, self.d_out).permute(2, 0, 3, 1, 4)
        mask = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(diagonal=1)
        scores = (q @ k.mT).masked_fill(mask, -torch.inf) / self.d_out**0.5
        return (self.dropout(scores.softmax(-1)) @ v).transpose(1, 2).flatten(2)


@torch.no_grad()
def copy_heads(wrapper, split):
    def gather(role, leaf):
        return torch.cat([getattr(getattr(head, role), leaf) for head in wrapper.heads])

    for leaf in ("weight", "bias"):
        if getattr(wrapper.heads[0].W_query, leaf) is None:
            continue
        parts = [gather(role, leaf) for role in ROLES]
        if isinstance(split, SplitHeadAttention):
            getattr(split.qkv, leaf).copy_(torch.cat(parts))
        else:
            for role, part in zip(ROLES, parts):
                getattr(getattr(split, role), leaf).copy_(part)
    if hasattr(split, "out_proj"):
        split.out_proj.weight.copy_(torch.eye(len(split.out_proj.weight)))
        split.out_proj.bias.fill_(0)
