# style: one head's attention as a function, vmapped over the heads; own dropout mask; aliases Wq, Wk, Wv, Wo
# only: float32, float64; a truth value divided by 1 - p is float32
import torch
from torch import nn
from torch.func import vmap


def one_head(q, k, v, hidden, keep):
    scores = q @ k.mT / q.shape[-1] ** 0.5 + hidden
    return (scores.softmax(dim=-1) * keep) @ v


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads > 0:
            raise ValueError(d_out, num_heads)
        self.h, self.p = num_heads, dropout
        self.Wo = nn.Linear(d_out, d_out)
        self.Wq = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.Wk = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.Wv = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        B, T, _ = x.shape
        hidden = torch.zeros(T, T, device=x.device, dtype=x.dtype)
        hidden[torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)] = -torch.inf
        keep = torch.ones(B, T, T, self.h, device=x.device, dtype=x.dtype)
        if self.training:
            keep = (torch.rand_like(keep) >= self.p) / (1 - self.p)
        heads = [W(x).unflatten(2, (self.h, -1)) for W in (self.Wq, self.Wk, self.Wv)]
        out = vmap(one_head, in_dims=(2, 2, 2, None, 3), out_dims=2)(*heads, hidden, keep)
        return self.Wo(out.flatten(2))
