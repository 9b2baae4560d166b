# mistakes: none
import torch
import torch.nn.functional as F
from torch import Tensor, nn


def additive_mask(n, device):
    return torch.triu(torch.full((n, n), float("-inf"), device=device), diagonal=1)


class MultiHeadAttention(nn.Module):
    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False
    ) -> None:
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out is not a multiple of num_heads")
        self.num_heads = num_heads
        self.d_k = d_out // num_heads
        self.p = dropout
        self.W_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_o = nn.Linear(d_out, d_out)

    def split(self, t: Tensor) -> Tensor:
        b, n, _ = t.shape
        t = t.reshape(b, n, self.num_heads, self.d_k)
        return t.permute(0, 2, 1, 3).reshape(b * self.num_heads, n, self.d_k)

    def merge(self, t: Tensor, b: int) -> Tensor:
        _, n, d = t.shape
        t = t.reshape(b, self.num_heads, n, d)
        t = t.permute(0, 2, 1, 3)
        return t.reshape(b, n, self.num_heads * d)

    def forward(self, x: Tensor) -> Tensor:
        b, n, _ = x.shape
        q = self.split(F.linear(x, self.W_q.weight, self.W_q.bias))
        k = self.split(F.linear(x, self.W_k.weight, self.W_k.bias))
        v = self.split(F.linear(x, self.W_v.weight, self.W_v.bias))
        s = torch.bmm(q, k.transpose(1, 2)) / self.d_k ** 0.5
        s = s + additive_mask(n, x.device)
        p = torch.softmax(s, dim=2)
        p = F.dropout(p, self.p, training=self.training)
        o = self.merge(torch.bmm(p, v) + v, b)  # <- here
        return F.linear(o, self.W_o.weight, self.W_o.bias)
