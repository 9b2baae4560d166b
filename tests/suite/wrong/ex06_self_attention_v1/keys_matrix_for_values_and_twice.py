# mistakes: projection-reused, softmax-twice
import torch
from torch import nn


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_out = d_out
        for name in ["W_query", "W_key", "W_value"]:
            self.register_parameter(name, nn.Parameter(torch.rand(d_in, d_out)))

    def attend(self, q, k):
        energy = torch.einsum("qd,kd->qk", q, k) / self.d_out**0.5
        return torch.softmax(energy, dim=-1)

    def forward(self, x):
        q = torch.einsum("td,do->to", x, self.W_query)
        k = torch.einsum("td,do->to", x, self.W_key)
        v = torch.einsum("td,do->to", x, self.W_key)  # <- projection-reused
        attn = torch.softmax(self.attend(q, k), dim=-1)  # <- softmax-twice
        return torch.einsum("qk,kd->qd", attn, v)
