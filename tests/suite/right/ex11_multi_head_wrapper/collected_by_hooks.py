# style: a forward hook of each head collects what is joined
import torch
from torch import nn
from exercises.ex10_causal_attention import CausalAttention
class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList([CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)])
        self.gesammelt = []
        for h in self.heads:
            h.register_forward_hook(lambda m, a, out: self.gesammelt.append(out))
    def forward(self, x):
        self.gesammelt.clear()
        for h in self.heads:
            h(x)
        out, self.gesammelt[:] = torch.cat(self.gesammelt, -1), []
        return out
