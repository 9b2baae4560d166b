# style: returns (context, weights); einsum; log_softmax then exp
import torch
import torch.nn as nn
from typing import Tuple


class SelfAttention_v1(nn.Module):
    """Returns the context vectors and, for plotting, the weights."""

    def __init__(self, d_in: int, d_out: int):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out), requires_grad=True)
        self.W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=True)
        self.W_value = nn.Parameter(torch.rand(d_in, d_out), requires_grad=True)

    def forward(self, x: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
        queries = torch.einsum("ti,io->to", x, self.W_query)
        keys = torch.einsum("ti,io->to", x, self.W_key)
        values = torch.einsum("ti,io->to", x, self.W_value)
        scores = torch.einsum("qo,ko->qk", queries, keys) / keys.shape[-1] ** 0.5
        attn_weights = torch.log_softmax(scores, dim=-1).exp()
        return torch.einsum("qk,ko->qo", attn_weights, values), attn_weights
