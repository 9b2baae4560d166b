"""The heads are appended one by one to a ModuleList, and so are their outputs to a list."""

import torch

from exercises.ex10_causal_attention import CausalAttention


class MultiHeadAttentionWrapper(torch.nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = torch.nn.ModuleList()
        for _ in range(num_heads):
            self.heads.append(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias))

    def forward(self, x):
        outputs = []
        for i in range(len(self.heads)):
            outputs.append(self.heads[i](x))
        return torch.cat(outputs, dim=-1)
