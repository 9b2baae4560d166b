# style: einsum with h; new nn.Parameters replace the old ones; vstack and hstack
import torch
from torch import einsum, nn


class SplitHeadAttention(nn.Module):
    def __init__(self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False) -> None:
        super().__init__()
        self.split = (num_heads, d_out)
        self.W_value = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_query = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("additive", torch.full((context_length,) * 2, -torch.inf).triu(1), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        n = x.shape[1]
        q = self.W_query(x).unflatten(-1, self.split)
        k = self.W_key(x).unflatten(-1, self.split)
        v = self.W_value(x).unflatten(-1, self.split)
        a = einsum("b i h d, b j h d -> b h i j", q, k) * self.split[1] ** -0.5 + self.additive[:n, :n]
        return einsum("b h i j, b j h d -> b i h d", self.dropout(a.softmax(-1)), v).flatten(2)


def copy_heads(wrapper: nn.Module, split: nn.Module) -> None:
    for role in ("W_query", "W_key", "W_value"):
        layers = [getattr(head, role) for head in wrapper.heads]
        wide = getattr(split, role)
        wide.weight = nn.Parameter(torch.vstack([layer.weight.detach() for layer in layers]))
        if wide.bias is not None:
            wide.bias = nn.Parameter(torch.hstack([layer.bias.detach() for layer in layers]))
    if (out := getattr(split, "out_proj", None)) is not None:
        width = wide.weight.shape[0]
        out.weight = nn.Parameter(torch.eye(width, dtype=wide.weight.dtype, device=wide.weight.device))
        out.bias = nn.Parameter(torch.zeros_like(out.bias))
