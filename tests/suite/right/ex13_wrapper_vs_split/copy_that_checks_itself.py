# style: a copy that asks both modules, outside training, and hands the split back
# only: cpu, float32; what it compares both with is on the CPU, and float32
import torch
from torch import nn

class SplitHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.num_heads = num_heads
        self.head_dim = d_out
        self.W_query = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
    def forward(self, x):

        B, T, _ = x.shape
        q, k, v = (f(x).view(B, T, self.num_heads, self.head_dim).transpose(1, 2) for f in (self.W_query, self.W_key, self.W_value))
        s = (q @ k.mT / self.head_dim ** .5).masked_fill(self.mask[:T, :T].bool(), -torch.inf)
        return (self.dropout(s.softmax(-1)) @ v).transpose(1, 2).flatten(2)
def copy_heads(wrapper, split):
    roles = {"W_query", "W_key", "W_value"}
    @torch.no_grad()
    def put(dst, parts):
        dst.copy_(torch.cat(list(parts)))
    for role in sorted(roles):
        layers = [h.get_submodule(role) for h in wrapper.heads]
        target = split.get_submodule(role)
        put(target.weight, (l.weight for l in layers))
        if all(l.bias is not None for l in layers):
            put(target.bias, (l.bias for l in layers))
    if (proj := getattr(split, "out_proj", None)) is not None:
        with torch.no_grad():
            proj.weight[:] = torch.eye(proj.weight.shape[0], device=proj.weight.device)
            proj.bias -= proj.bias.clone()
    x = torch.randn(1, 2, wrapper.heads[0].W_query.in_features)
    was = wrapper.training, split.training
    wrapper.eval(); split.eval()
    with torch.inference_mode():
        assert torch.allclose(wrapper(x), split(x), atol=1e-4)
    wrapper.train(was[0]); split.train(was[1])
    return split
