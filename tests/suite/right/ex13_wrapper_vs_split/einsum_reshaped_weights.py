# style: einsum with the weights cut into heads; copying into chunks; a new out_proj without bias
# only: cpu, float32; a new nn.Linear is on the CPU, and float32
import torch
from torch import nn
class SplitHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.h = num_heads
        self.W_query = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
    def p(self, layer, x):
        y = torch.einsum("bti,hdi->bhtd", x, layer.weight.view(self.h, -1, x.shape[-1]))
        return y if layer.bias is None else y + layer.bias.view(self.h, 1, -1)
    def forward(self, x):
        q, k, v = (self.p(l, x) for l in (self.W_query, self.W_key, self.W_value))
        T = x.shape[1]
        s = (q @ k.mT / k.shape[-1] ** .5).masked_fill(~torch.ones(T, T, dtype=torch.bool, device=x.device).tril(), -torch.inf)
        return torch.einsum("bhts,bhsd->bthd", self.dropout(s.softmax(-1)), v).flatten(2)
def copy_heads(wrapper, split):
    for r in ("W_query", "W_key", "W_value"):
        for leaf in ("weight", "bias"):
            t = getattr(getattr(split, r), leaf)
            if t is not None:
                for h, part in zip(wrapper.heads, t.data.chunk(len(wrapper.heads))):
                    part.copy_(getattr(getattr(h, r), leaf).data)
    if hasattr(split, "out_proj"):
        split.out_proj = nn.Linear(split.out_proj.in_features, split.out_proj.out_features, bias=False)
        nn.init.eye_(split.out_proj.weight)
