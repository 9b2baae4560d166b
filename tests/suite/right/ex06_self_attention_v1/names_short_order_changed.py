# style: W_v before W_q before W_k; F.linear on the transposes; SDPA
import torch
from torch import nn
from torch.nn import functional as F


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in: int, d_out: int) -> None:
        super(SelfAttention_v1, self).__init__()
        self.W_v = nn.Parameter(torch.rand(d_in, d_out))
        self.W_q = nn.Parameter(torch.rand(d_in, d_out))
        self.W_k = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = (F.linear(x, w.T) for w in (self.W_q, self.W_k, self.W_v))
        return F.scaled_dot_product_attention(q[None], k[None], v[None])[0]
