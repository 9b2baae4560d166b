# style: one fused Linear whose numbers are a query's, a value's and a key's in turn, as in a well-known tutorial
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.to_qvk = nn.Linear(d_in, d_out * 3, bias=qkv_bias)
        self.scale_factor = d_out ** -0.5
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, v, k = self.to_qvk(x).unflatten(-1, (-1, 3)).movedim(-1, 0)  # b t (d r) -> r b t d
        scaled_dot_prod = torch.einsum("b i d, b j d -> b i j", q, k) * self.scale_factor
        mask = torch.ones(scaled_dot_prod.shape[1:], dtype=torch.bool, device=x.device).triu(1)
        scaled_dot_prod = scaled_dot_prod.masked_fill(mask, -torch.inf)
        attention = self.dropout(torch.softmax(scaled_dot_prod, dim=-1))
        return torch.einsum("b i j, b j d -> b i d", attention, v)
