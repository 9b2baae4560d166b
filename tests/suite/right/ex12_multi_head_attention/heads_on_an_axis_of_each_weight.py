# style: weights with an axis for heads, the output's too, as in TransformerLens
import torch
from torch import nn
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads: raise ValueError("indivisible")
        d_head = d_out // num_heads
        self.W_Q, self.W_K, self.W_V = (nn.Parameter(torch.randn(num_heads, d_in, d_head)) for _ in range(3))
        self.W_O = nn.Parameter(torch.randn(num_heads, d_head, d_out))
        self.b_Q, self.b_K, self.b_V = ((nn.Parameter(torch.zeros(num_heads, d_head)) if qkv_bias else None) for _ in range(3))
        self.b_O = nn.Parameter(torch.zeros(d_out))
        self.drop = nn.Dropout(dropout)
        self.register_buffer("IGNORE", torch.tensor(-1e5))
    def forward(self, x):
        q, k, v = (torch.einsum("btd,ndh->btnh", x, w) + (0 if b is None else b)
                   for w, b in ((self.W_Q, self.b_Q), (self.W_K, self.b_K), (self.W_V, self.b_V)))
        s = torch.einsum("bqnh,bknh->bnqk", q, k) / q.shape[-1] ** .5
        t = x.shape[1]
        s = s.masked_fill(torch.ones(t, t, device=x.device).triu(1).bool(), self.IGNORE)
        z = torch.einsum("bnqk,bknh->bqnh", self.drop(s.softmax(-1)), v)
        return torch.einsum("bqnh,nhm->bqm", z, self.W_O) + self.b_O
