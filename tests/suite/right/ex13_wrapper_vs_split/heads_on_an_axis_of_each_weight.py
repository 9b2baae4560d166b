# style: weights with an axis for heads, filled from a wrapper or into a multi-head attention
import torch
from torch import nn
class SplitHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Parameter(torch.randn(num_heads, d_in, d_out)) for _ in range(3))
        self.b_query, self.b_key, self.b_value = ((nn.Parameter(torch.zeros(num_heads, 1, d_out)) if qkv_bias else None) for _ in range(3))
        self.drop = nn.Dropout(dropout)
    def forward(self, x):
        x = x.unsqueeze(1)
        q, k, v = (x @ w if b is None else x @ w + b for w, b in
            ((self.W_query, self.b_query), (self.W_key, self.b_key), (self.W_value, self.b_value)))
        t = x.shape[2]
        s = (q @ k.mT * q.shape[-1] ** -.5).masked_fill(torch.ones(t, t, device=x.device).triu(1).bool(), -torch.inf)
        return (self.drop(s.softmax(-1)) @ v).transpose(1, 2).flatten(2)
@torch.no_grad()
def copy_heads(wrapper, split):
    for name in ("query", "key", "value"):
        lin = [getattr(h, f"W_{name}") for h in wrapper.heads]
        target = getattr(split, f"W_{name}")
        if isinstance(target, nn.Linear):
            target.weight.copy_(torch.cat([l.weight for l in lin]))
            if lin[0].bias is not None: target.bias.copy_(torch.cat([l.bias for l in lin]))
        else:
            target.copy_(torch.stack([l.weight.T for l in lin]))
            if lin[0].bias is not None: getattr(split, f"b_{name}").copy_(torch.stack([l.bias for l in lin])[:, None])
    if hasattr(split, "out_proj"):
        split.out_proj.weight.copy_(torch.eye(split.out_proj.weight.shape[0]))
        split.out_proj.bias.zero_()
