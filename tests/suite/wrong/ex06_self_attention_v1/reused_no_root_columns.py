# mistakes: projection-reused, scale-no-sqrt, softmax-wrong-axis
import torch
import torch.nn as nn


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        q = torch.einsum("ti,io->to", x, self.W_query)
        k = torch.einsum("ti,io->to", x, self.W_key)
        v = torch.einsum("ti,io->to", x, self.W_key)  # <- projection-reused
        s = torch.einsum("qo,ko->qk", q, k)
        s = s / k.shape[-1]  # <- scale-no-sqrt
        w = torch.softmax(s, dim=0)  # <- softmax-wrong-axis
        return torch.einsum("qk,ko->qo", w, v)
