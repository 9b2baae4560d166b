# style: scaled_dot_product_attention with is_causal and dropout_p; aliases; type hints everywhere
from typing import Final

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class CausalAttention(nn.Module):
    p: Final[float]

    def __init__(
        self, d_in: int, d_out: int, context_length: int, dropout: float, qkv_bias: bool = False
    ) -> None:
        super().__init__()
        self.p = dropout
        self.q_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.k_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.v_proj = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x: Tensor) -> Tensor:
        p: float = self.p if self.training else 0.0
        return F.scaled_dot_product_attention(
            self.q_proj(x), self.k_proj(x), self.v_proj(x), dropout_p=p, is_causal=True
        )
